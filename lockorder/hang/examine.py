"""What one process is at: its threads' stacks, what they wait for, who has that."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from lockorder import meaning
from lockorder.hang import (
    once_flags,
    partners,
    polling,
    pyframes,
    python_stacks,
    ranks,
    stacks,
    with_statements,
)
from lockorder.hang.ends import Ends, Kernel
from lockorder.hang.image import Image, Stopped
from lockorder.hang.motion import Motion
from lockorder.hang.neighbours import Neighbours, called
from lockorder.hang.python_waits import Known, PythonWaits
from lockorder.hang.stacks import Stacks, ThreadStack
from lockorder.hang.waits import Wait as Found
from lockorder.hang.waits import Waits
from lockorder.hang.waits_frames import Kind
from lockorder.hang.waits_names import Names
from lockorder.model import Frame, Owner, ProcessState, ThreadState, Wait
from lockorder.recorded.symbolize import plain, tells_nothing
from runtime_probe.processes import children

_KINDS = {Kind.GUARD: "static-init", Kind.FUTEX: "futex", Kind.CALL: "io"}
#: Functions around an initialiser that runs once: who is inside of one has it.
_ONCE = ("call_once", "pthread_once", "gthread_once")
#: How glibc, the interpreter's loop and the kernel wait, below the function that was called.
_BELOW = re.compile(
    r"_*(?:GI_)?_*(?:lll_|futex_|syscall|internal_syscall|new_sem_|PyThread_acquire)"
    r"|.*futex_abstimed|acquire_timed|lock_PyThread|\?\?+$|\(inlined\)$|<unknown>"
)
#: How threads of Python's begin.
_BOOTSTRAP = ("_bootstrap", "_bootstrap_inner", "run")
#: Files that only say how they begin.
_BEGINNINGS = ("/threading.py", "/multiprocessing/process.py")
#: What the workers of Python's pools of threads and processes begin with.
_POOLS = re.compile(
    r"/concurrent/futures/\w+\.py:_(?:process_)?worker$|/multiprocessing/pool\.py:worker$"
)
#: The interpreter's own sources, as debug information names them.
_INTERPRETER = re.compile(
    r"(?:.*/)?(?:Objects|Python|Modules|Programs|Parser|Include)/(?:[a-z_]+/)?\w+\.[ch]$"
)
_IN_LOCK = 16  # bytes of any Python object before what is its own
#: Words for what is waited for.
KINDS = {
    "static-init": "static initialiser", "gil": "the GIL", "python-lock": "Python lock",
    "rwlock": "reader-writer lock", "once": "once flag",
}  # fmt: skip
#: Words for calls that wait.
_CALLS = {
    "wait": "waits for the end of a child process", "pause": "waits for a signal",
    "sigsuspend": "waits for a signal", "sigtimedwait": "waits for a signal",
    "nanosleep": "sleeps",
    "vfork": "waits in vfork until its child has called exec or ended",
}  # fmt: skip
_GUARD = "guard variable for "
#: Signals that a program is sent to do something, where it has a handler: HUP, USR1, USR2, ALRM,
#: TERM.  Python itself handles INT.
_SENT = (1, 10, 12, 14, 15)
_NOWHERE = Frame("")
#: What is mostly in no variable with a name: the call says more than where it is.
_NAMELESS = ("futex", "semaphore", "barrier")
_STATES = {
    "R": "runs", "S": "waits", "D": "is in the kernel (uninterruptible: I/O, a driver)",
    "T": "is stopped by a signal (SIGSTOP, a shell's Ctrl-Z)", "t": "is stopped by a debugger",
    "Z": "has ended", "I": "is idle",
}  # fmt: skip


def examine(image: Image, found: Stacks, around: Around) -> ProcessState:
    """The state of the process that *image* shows, with the stacks that were *found*."""
    return _Examination(image, found, around).state()


class Around(msgspec.Struct, kw_only=True):
    """What is known of a process from outside of it.

    ``motions`` are what its threads did between two looks that lie ``seconds`` apart, and
    ``before`` what their stacks were at the first; ``names`` are those of all processes that are
    looked at, by pid; ``label`` tells this one from others of the same id.  ``python`` is a look at
    its interpreter, ``addresses`` are names of what is in its memory.  ``in_driver``: each time
    that its first thread was looked at it was in the GPU's driver.
    """

    host: str
    source: str
    rank: int = -1
    role: str = ""
    world: int = -1
    label: str = ""
    parent: int = 0
    ended: tuple[int, ...] = ()
    neighbours: Neighbours | None = None
    kernel: Kernel | None = None
    names: Mapping[int, str] = {}
    motions: Mapping[int, Motion] = {}
    before: Mapping[int, tuple[Frame, ...]] = {}
    in_driver: bool = False
    python: pyframes.Look | None = None
    addresses: Names | None = None
    seconds: float = 0.0


def process_name(pid: int, rank: int, role: str, host: str) -> str:
    """How a process is called in all that is told."""
    of = {"worker": "a worker of "}.get(role, "")
    where = f" on {host}" if host else ""
    return f"{of}rank {rank}, process {pid}{where}" if rank >= 0 else f"process {pid}{where}"


class _Examination:
    def __init__(self, image: Image, found: Stacks, around: Around) -> None:
        self.around, self.neighbours = around, around.neighbours
        self.image, self.stacks, self.host = image, found, around.host
        self.source, self.rank = around.source, around.rank
        self.threads = {thread.tid: thread for thread in image.threads()}
        self.chains = {tid: _shown(stack) for tid, stack in found.threads.items()}
        #: All functions, outermost first.
        self.functions = {
            tid: [plain(name) for name in reversed(stack.functions)]
            for tid, stack in found.threads.items()
        }

    def state(self) -> ProcessState:
        waits = Waits(self.image, self.around.addresses)
        frames = {tid: stack.functions for tid, stack in self.stacks.threads.items()}
        self.names = waits.names
        look = self.around.python
        self.python = self._python_waits(look) if look is not None else None
        self.asked: dict[int, str] = {}
        #: Classes of what threads of Python's wait for.
        self.kinds: dict[int, str] = {}
        found = waits.find(frames)
        holders = self._holders(found)
        if holders:
            found = waits.find(frames, holders)
        told = self._with_polls([self._with_partner(w) for w in self._waits(found)])
        threads = [self._thread(t, told) for t in self.threads.values()]
        if self.python is not None:
            for task, wait in self.python.tasks(self._process(), self.rank):
                threads.append(task)
                told += [wait] if wait is not None else []
        return ProcessState(
            process=self._process(), pid=self.image.outside or self.image.pid, host=self.host,
            rank=self.rank, command=" ".join(self.image.command)[:500], source=self.source,
            threads=tuple(threads),
            waits=tuple(told), tool=self.stacks.tool,
            notes=(*self.image.problems, *self.stacks.problems),
            seconds=round(self.around.seconds, 2), parent=self.around.parent,
            world=self.around.world, role=self.around.role,
            ended=self.around.ended,
        )  # fmt: skip

    def _python_waits(self, look: pyframes.Look) -> PythonWaits:
        names = self.around.names if self._sees() else {}
        return PythonWaits(look, self._who, lambda pid: names.get(pid, ""))

    def _process(self) -> str:
        pid = self.image.outside or self.image.pid
        label = f" ({self.around.label})" if self.around.label else ""
        return process_name(pid, self.rank, self.around.role, self.host) + label

    @cached_property
    def _loops(self) -> set[int]:
        """Threads that run event loops of asyncio which have tasks."""
        return self.python.loops() if self.python is not None else set()

    def _name(self, tid: int) -> str:
        """What the program calls a thread, else what the kernel does."""
        stack, thread = self.stacks.threads.get(tid), self.threads.get(tid)
        return (stack.name if stack else "") or (thread.name if thread else "")

    def _who(self, tid: int) -> str:
        return called(self.image.outside or self.image.pid, self.rank, tid, self._name(tid))

    def _thread(self, thread: Stopped, waits: Sequence[Wait]) -> ThreadState:
        who = self._who(thread.tid)
        stack = self.stacks.threads.get(thread.tid)
        wait = next((w for w in waits if w.who == who), None)
        doing = _words(wait) if wait is not None else ""
        if not doing or thread.state in "DTt":
            told = wait is not None and wait.lock == "vfork"
            doing = _STATES.get(thread.state, doing) if thread.state != "S" and not told else doing
        if thread.state == "t" and self.source == "live":
            doing += _tracer(self.image.outside, thread.tid)
        motion = self.around.motions.get(thread.tid)
        chain = self.chains.get(thread.tid, ())
        meant = meaning.of(chain)
        operation = meant.operation or self._asked_of(thread.tid, meant.line, wait)
        if wait is not None and wait.kind in _NAMELESS and meant.line is not None and stack:
            operation = meaning.called_at(meant.line, stack.chain) or operation
        if ranks.is_service(chain):
            meant = meaning.Meaning(None, "")  # whatever lines its library has
        return ThreadState(
            who=who, tid=thread.tid, name=self._name(thread.tid), doing=doing, chain=chain,
            gil=stack is not None and stack.gil, state=thread.state,
            moved=self._moved(thread, motion, wait),
            since=motion.since if motion is not None else 0.0, line=meant.line,
            operation=operation, is_main=thread.tid == self.image.pid,
            kind="loop" if thread.tid in self._loops else _pool(stack),
            after=_after(meant.line) if wait is not None and wait.kind == "gpu" else "",
        )  # fmt: skip

    def _moved(self, thread: Stopped, motion: Motion | None, wait: Wait | None) -> str:
        """See `ThreadState.moved`."""
        if motion is None or motion.stands:
            return ""
        if thread.tid in self.polls:
            return "polls"
        # Who waits for other ranks or for the GPU may use its core for nothing but to look.
        looks = wait is not None and wait.kind in ("ranks", "gpu", "gil")
        if motion.works:
            return "polls" if looks else "works"
        before, now = self.around.before.get(thread.tid), self.stacks.threads.get(thread.tid)
        if (
            before is not None
            and now is not None
            and meaning.places(before) != meaning.places(now.chain)
        ):
            return "line"
        return "polls" if looks or (wait is not None and wait.timed) else "woken"

    def _ends(self, wait: Found) -> tuple[tuple[str, ...], str, str, bool]:
        """Who can end a wait whose owner nobody knows: by, outside, what, expects of `Wait`."""
        around, pid, kernel = self.around, self.image.outside, self.around.kernel
        if wait.kind not in (Kind.GIL, Kind.CALL) and not (wait.address and wait.shared):
            return (self._process(),), "", "", False
        if wait.kind is Kind.GIL or kernel is None:
            return (), "", "", False
        ends: Ends | None = None
        if wait.kind is not Kind.CALL:
            ends = Ends("", kernel.sharers(pid, wait.address))
        elif wait.tid in self.threads:
            ends = kernel.ends(self.image, self.threads[wait.tid], wait.detail)
        if ends is None:
            return (), "", "", False
        strangers = [p for p in ends.pids if p not in around.names]
        outside = [ends.outside] if ends.outside else []
        outside += [f"process {p}, which was not looked at" for p in strangers[:2]]
        expects = ends.expects or bool(strangers and not ends.outside)
        return self._named(ends.pids), " or ".join(outside), ends.what, expects

    def _named(self, pids: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.around.names[p] for p in pids if p in self.around.names)

    # -- waits ------------------------------------------------------------------------------------

    def _waits(self, found: Sequence[Found]) -> Iterator[Wait]:
        for wait in found:
            if wait.kind is Kind.PYTHON_LOCK:
                wanted = with_statements.wanted(self.chains.get(wait.tid, ()))
                self.asked[wait.address] = wanted.name if wanted is not None else ""
        for wait in found:
            chain = self.chains.get(wait.tid, ())
            kind, lock = str(_KINDS.get(wait.kind, wait.kind.value)), ""
            collective, device, inferred = *_for_others(chain), False
            tids = (wait.owner_tid,) if wait.owner_tid else wait.owner_tids
            # Where it was taken nobody knows but a recorded run.
            owners = tuple(Owner(self._who(t)) for t in tids)
            if wait.foreign_tid and self.neighbours is not None:
                pid = self.image.outside
                other = self.neighbours.owner(pid, wait.address, wait.foreign_tid)
                owners = (Owner(other),) if other else ()
            gone = wait.gone_tid or (0 if owners else self._absent(wait.foreign_tid))
            if wait.kind is Kind.CALL:
                lock = wait.detail or _call(self.functions.get(wait.tid, ()))
            elif wait.kind is Kind.GIL:
                lock = "GIL"
            elif wait.address:
                lock = self.names.name_of(wait.address, kind).removeprefix(_GUARD)
            if wait.kind is Kind.PYTHON_LOCK and not owners:
                kind, lock, owners, inferred = self._for_python(wait, kind, lock)
            if collective is not None and not owners:
                kind, lock = "ranks", collective
            elif device is not None and not owners:
                kind, lock = "gpu", device
            nobody: tuple[tuple[str, ...], str, str, bool] = ((), "", "", False)
            by, outside, what, expects = self._ends(wait) if not owners else nobody
            yield Wait(
                who=self._who(wait.tid), process=self._process(), rank=self.rank, kind=kind,
                lock=lock, owners=owners, timed=wait.limited, inferred=inferred, chain=chain,
                gone=self._gone(gone) if gone else "",
                by=by, outside=outside, what=what, expects=expects,
            )  # fmt: skip
        seen = {wait.tid for wait in found}
        for tid, chain in self.chains.items():
            # A wait that spins, or looks again and again, is one all the same.
            collective, device = _for_others(chain)
            if self.around.in_driver and tid == self.image.pid and device is None:
                device = ranks.driver_call(chain) or "a call of the driver"
            if tid not in seen and tid in self.threads and (collective or device) is not None:
                kind = "ranks" if collective is not None else "gpu"
                yield Wait(
                    who=self._who(tid), process=self._process(), rank=self.rank, kind=kind,
                    lock=collective or device or "", timed=True, chain=chain,
                )  # fmt: skip

    def _sees(self) -> bool:
        """Whether ids in the process' memory are those that /proc has here."""
        return self.source == "live" and self.image.pid == self.image.outside

    def _absent(self, tid: int) -> int:
        """The id itself, of another process' thread that has ended; 0: it runs, or nobody knows."""
        return tid if tid and self._sees() and not Path(f"/proc/{tid}").exists() else 0

    def _with_partner(self, wait: Wait) -> Wait:
        """A wait for other ranks, with the one that it is for, or the store's key."""
        look = self.around.python
        if look is None or wait.kind != "ranks":
            return wait
        for thread in look.threads:
            if self._who(thread.tid) == wait.who:
                key = partners.key(look, thread, wait.chain)
                return msgspec.structs.replace(wait, peer=partners.peer(look, thread), key=key)
        return wait

    def _with_polls(self, waits: Sequence[Wait]) -> list[Wait]:
        """*waits*, and those of threads that go round and round, and only look for something."""
        found = {wait.who: wait for wait in waits}
        self.polls: set[int] = set()
        for tid in self.threads:
            who = self._who(tid)
            known = found.get(who)
            if known is not None and (known.owners or not known.timed):
                continue
            poll = self._poll(tid)
            if poll is None:
                continue
            self.polls.add(tid)
            by, what = [self._process()], poll.text
            if poll.children:
                by += self._named(children(self.image.outside))
            if poll.locks and self.around.kernel is not None:
                holders, file = self.around.kernel.locked_by_others(self.image.outside)
                by, what = [*self._named(holders)], f"{what}, for the lock of {file}"
            found[who] = Wait(
                who=who, process=self._process(), rank=self.rank, kind="poll", lock=what,
                timed=True, chain=self.chains.get(tid, ()), by=tuple(by), what=what,
                outside="a signal" if self._handles_signals() else "",
            )  # fmt: skip
        return list(found.values())

    def _poll(self, tid: int) -> polling.Poll | None:
        """The loop that a thread was in at both looks, where it only looks for something there."""
        look, before = self.around.python, self.around.before.get(tid)
        thread = next((t for t in look.threads if t.tid == tid), None) if look is not None else None
        if look is None or thread is None or before is None:
            return None
        frame = next((f for f in thread.frames if meaning.is_own(f.shown)), None)
        first = meaning.of(before).line
        if frame is None or first is None:
            return None
        line = frame.shown
        poll = polling.of(line)
        same = (first.file, first.function) == (line.file, line.function)
        if poll is None or not (same and poll.first <= first.line <= poll.last):
            return None
        return polling.checked(poll, look, frame)

    def _handles_signals(self) -> bool:
        """Whether the process has handlers for signals that programs send each other."""
        with contextlib.suppress(OSError, ValueError):
            for line in Path(f"/proc/{self.image.outside}/status").read_text().splitlines():
                if line.startswith("SigCgt:"):
                    caught = int(line.split()[1], 16)
                    return any(caught >> (each - 1) & 1 for each in _SENT)
        return False

    def _gone(self, tid: int) -> str:
        if self._sees() and Path(f"/proc/{tid}").exists():
            return f"thread {tid}, of the process that this one was forked from"
        return f"thread {tid}, which ended without unlocking, or was left behind by a fork"

    def _for_python(
        self, wait: Found, kind: str, lock: str
    ) -> tuple[str, str, tuple[Owner, ...], bool]:
        """What a lock of Python's is, by memory, else by the sources: kind, name, owners, guess."""
        known = self.python.of(wait.tid, wait.address) if self.python is not None else Known()
        self.kinds[wait.tid] = known.kind
        if known.joins:
            return "join", "", (Owner(self._who(known.joins)),), False
        if known.owners:
            return kind, known.lock or lock, known.owners, False
        if self.python is None:
            owners = self._joined(wait.tid)
            if owners:
                return "join", "", owners, False
        name, owners = self._python_lock(wait, lock)
        if known.lock and known.lock != name:
            name = known.lock if name == lock or not owners else name
        return kind, name, owners, bool(owners)

    def _asked_of(self, tid: int, line: Frame | None, wait: Wait | None) -> str:
        """What a line calls of an object that is not Python's own code: ``SimpleQueue.get``."""
        kind = self.kinds.get(tid, "")
        in_call = wait is not None and wait.kind == "io" and meaning.is_python(line or _NOWHERE)
        if line is None or not (kind.startswith("_queue.") or in_call):
            return ""
        calls = [c for c, at in with_statements.calls_in(line, bool) if at == line.line]
        of = f"{_last(kind)}." if kind else ""
        return f"{of}{calls[0]}" if len(calls) == 1 else ""

    def _joined(self, tid: int) -> tuple[Owner, ...]:
        """The thread whose end is waited for in ``Thread.join``: the one that runs this object."""
        joins = [f for f in self.chains.get(tid, ()) if _is_join(f)]
        found = self._variable(tid, joins[-1], "self") if joins else 0
        if not found:
            return ()
        for other, stack in self.stacks.threads.items():
            begins = next((f for f in stack.chain if _is_bootstrap(f)), None)
            if begins is not None and self._variable(other, begins, "self") == found:
                return (Owner(self._who(other)),)
        return ()

    def _python_lock(self, wait: Found, lock: str) -> tuple[str, tuple[Owner, ...]]:
        """A ``threading.Lock`` by the name that the source gives it, and who is inside of it."""
        wanted = with_statements.wanted(self.chains.get(wait.tid, ()))
        owners: list[Owner] = []
        for tid, chain in self.chains.items():
            is_same = self._is_same if tid != wait.tid else self._is_own
            for held in with_statements.held(chain):
                if is_same(tid, held, wait, wanted):
                    owners.append(Owner(self._who(tid), (held.at,)))
                    break
        if wanted is not None and not meaning.is_standard(wanted.frame.file):
            lock = wanted.name
            if any(name == lock and at != wait.address for at, name in self.asked.items()):
                lock += f" at {wait.address:#x}"
        # Of two who are inside of a lock of that name, one at least has another object's.
        return lock, tuple(owners) if len(owners) == 1 else ()

    def _is_same(
        self,
        tid: int,
        held: with_statements.Named,
        wait: Found,
        wanted: with_statements.Named | None,
    ) -> bool:
        """Whether what a thread is inside of is what another waits for: by object, else by name."""
        here, rest = self._object(tid, held)
        if here and not rest:
            word = self.image.read(here + _IN_LOCK, 8)
            # Up to 3.12 a lock points to its semaphore; from then on it is in the object.
            return wait.address in (here + _IN_LOCK, int.from_bytes(word or b"", "little"))
        if wanted is None:
            return False
        there, name = self._object(wait.tid, wanted)
        if here and there:
            return (here, rest) == (there, name)
        return not there and not here and (held.file, held.name) == (wanted.file, wanted.name)

    def _is_own(
        self,
        tid: int,
        held: with_statements.Named,
        wait: Found,
        wanted: with_statements.Named | None,
    ) -> bool:
        """The same of what the waiting thread itself is inside of.

        A method that calls that of another object has a lock of the same name, and one that waits
        to be told something may have taken its lock itself.  (An RLock never waits for its owner.)
        """
        if wanted is None or (not held.by_with and with_statements.is_handed_over(held)):
            return False
        (here, rest), (there, _) = self._object(tid, held), self._object(tid, wanted)
        if (here and not rest) or (here and there):
            return self._is_same(tid, held, wait, wanted)
        same_name = (held.file, held.name) == (wanted.file, wanted.name)
        if here or there or not same_name or not wanted.alone:
            return False
        return held.frame is wanted.frame or (held.is_plain and not rest)

    def _object(self, tid: int, named: with_statements.Named) -> tuple[int, str]:
        """Where the object is that a name begins with, in that thread's function, and the rest."""
        first, _, rest = named.name.partition(".")
        alike = self.variables.get((tid, *_place(named.frame)), [])
        # A function that calls itself is there several times, at one line.
        frames = [f for f in self.chains.get(tid, ()) if _place(f) == _place(named.frame)]
        places = [at for at, frame in enumerate(frames) if frame is named.frame]
        if len(alike) != len(frames) or len(places) != 1:
            return 0, rest
        return alike[places[0]].get(first, 0), rest

    def _variable(self, tid: int, frame: Frame, name: str) -> int:
        """Where the object is that a function has in its variable *name*; 0: not known."""
        alike = self.variables.get((tid, *_place(frame)), [])
        return alike[0].get(name, 0) if len(alike) == 1 else 0

    @cached_property
    def variables(self) -> dict[tuple[int, str, str, int], list[dict[str, int]]]:
        """Objects in the variables of functions, by thread and place, outermost first."""
        found: dict[tuple[int, str, str, int], list[dict[str, int]]] = {}
        for each in self._all_variables():
            found.setdefault((each.tid, *_place(each.frame)), []).append(each.objects)
        return found

    def _all_variables(self) -> Iterable[stacks.Variables]:
        if self.around.python is not None:
            look = self.around.python
            return [
                stacks.Variables(thread.tid, frame.shown, look.locals(frame))
                for thread in look.threads
                for frame in reversed(thread.frames)
            ]
        if self.stacks.asked or self.source != "live":
            return stacks.variables(self.stacks)
        python = any(stack.python for stack in self.stacks.threads.values())
        return python_stacks.variables(self.image.outside) if python else ()

    def _holders(self, found: Sequence[Found]) -> dict[int, int]:
        """Who runs the initialisers that others wait for: whose stack is inside of one."""
        waits = [w for w in found if not w.owner_tid and w.kind in (Kind.GUARD, Kind.ONCE)]
        flags = {wait.address for wait in waits if wait.kind is Kind.ONCE}
        holders = dict(once_flags.runners(self.image, self.names, flags))
        for wait in waits:
            if wait.address in holders:
                continue
            caller = _caller(self.functions.get(wait.tid, ()), wait.kind)
            inside = [
                tid
                for tid, functions in self.functions.items()
                if self._may_run(tid, wait, caller) and _is_inside(functions, caller, wait.kind)
            ]
            if caller and len(inside) == 1:
                holders[wait.address] = inside[0]
        return holders

    def _may_run(self, tid: int, wait: Found, caller: str) -> bool:
        """Whether a thread may be in an initialiser that its stack's memory does not tell of."""
        if wait.kind is Kind.ONCE:
            # Of one that runs right now nobody knows where its stack ends.
            return tid in self.threads and not self.threads[tid].sp
        # Where the static's function was inlined, to be in the caller twice says nothing.
        name = self.names.name_of(wait.address)
        return tid != wait.tid or caller.rpartition("::")[2] in name.rpartition("::")[0]


def _pool(stack: ThreadStack | None) -> str:
    """``worker of a pool``, where a thread's first function takes work from a queue."""
    chain = meaning.since_fork(stack.chain) if stack is not None else ()
    frames = [f for f in chain if f.file.endswith(".py")]
    began = [f for f in frames if not f.file.endswith(_BEGINNINGS)][:1]
    return (
        "pool worker" if any(_POOLS.search(f"{f.file}:{_last(f.function)}") for f in began) else ""
    )


def _after(line: Frame | None) -> str:
    """The last collective that a function calls before it waits for the GPU."""
    if line is None or not meaning.is_own(line):
        return ""
    name, number = with_statements.last_call(line, ranks.is_collective)
    return f"{name} at {Path(line.file).name}:{number}" if name else ""


def _tracer(pid: int, tid: int) -> str:
    """Who traces a thread, to be put behind "a debugger"; "" where nobody says so."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/task/{tid}/status").read_text().splitlines():
            name, _, tracer = line.partition(":")
            if name == "TracerPid" and tracer.strip() != "0":
                comm = Path(f"/proc/{tracer.strip()}/comm").read_text().strip()
                return f" (process {tracer.strip()}, {comm})"
    return ""


def _last(function: str) -> str:
    return function.rpartition(".")[2]


def _is_join(frame: Frame) -> bool:
    return frame.file.endswith("/threading.py") and _last(frame.function) == "join"


def _is_bootstrap(frame: Frame) -> bool:
    return frame.file.endswith("/threading.py") and _last(frame.function) == "_bootstrap"


def _place(frame: Frame) -> tuple[str, str, int]:
    return frame.file, frame.function.rpartition(".")[2], frame.line


def _call(functions: Sequence[str]) -> str:
    """The call that goes on after a stop as no call of its own (restart_syscall(2))."""
    calls = ("nanosleep", "epoll_wait", "poll", "select")
    return next((c for f in reversed(functions) for c in calls if c in f), "")


def _caller(functions: Sequence[str], kind: Kind) -> str:
    """The function whose initialiser is waited for, of a chain that ends in the wait."""
    for at in range(len(functions) - 1, 0, -1):
        name = functions[at]
        waits = "cxa_guard_acquire" in name if kind is Kind.GUARD else _is_once(name)
        if waits and not (kind is Kind.ONCE and _is_once(functions[at - 1])):
            return functions[at - 1]
    return ""


def _is_once(function: str) -> bool:
    return any(word in function for word in _ONCE)


def _is_inside(functions: Sequence[str], caller: str, kind: Kind) -> bool:
    """Whether a thread has gone on from *caller*, and does not wait for its initialiser itself.

    One that comes back to the same initialiser from inside of it does both.
    """
    for at, function in enumerate(functions):
        if not caller or function != caller:
            continue
        after = functions[at + 1 :]
        if kind is Kind.GUARD:
            inside = bool(after) and "cxa_guard_acquire" not in after[0]
        else:
            # Beyond call_once's own functions something of the program runs.
            depth = next((i for i, name in enumerate(after) if _is_once(name)), -1)
            waits = any("futex" in name for name in after[: depth + 3])
            inside = depth >= 0 and len(after) > depth + 1 and not waits
        if inside:
            return True
    return False


def _words(wait: Wait) -> str:
    """What a thread is at."""
    whom = " and ".join(owner.who.partition("thread ")[2] for owner in wait.owners)
    if wait.kind == "poll":
        return f"loops {wait.what}"
    if wait.kind == "io":
        return _CALLS.get(wait.lock, f"waits in {wait.lock}") if wait.lock else "waits for a time"
    if wait.kind == "gpu":
        return f"waits for the GPU in {wait.lock}"
    if wait.kind == "ranks":
        return f"waits for other ranks in {wait.lock}" if wait.lock else "waits for other ranks"
    if wait.kind == "join":
        return f"waits for the end of thread {whom}" if whom else "waits for the end of a thread"
    has = f", which thread {whom} has" if whom else ""
    if wait.kind == "gil":
        return f"waits for the GIL{has}"
    name = "" if wait.lock == wait.kind else wait.lock
    if wait.gone:
        has = f", which nobody can give back: {wait.gone}"
    kind = KINDS.get(wait.kind, wait.kind)
    return (
        "waits for " + (name if name.startswith(f"{kind} at ") else f"{kind} {name}").rstrip() + has
    )


def _shown(stack: ThreadStack) -> tuple[Frame, ...]:
    """The chain without how threads begin and locks are waited for, nor functions' parameters."""
    frames = []
    for frame in stack.chain:
        if frame.file.endswith(".py"):
            if not (frame.file.endswith("/threading.py") and _last(frame.function) in _BOOTSTRAP):
                frames.append(frame)
            continue
        function = plain(frame.function).removesuffix(" (inlined)")
        own = stack.python and _INTERPRETER.match(frame.file)
        if not (own or tells_nothing(function) or _BELOW.match(function)):
            frames.append(Frame(function, frame.file, frame.line))
    return tuple(frames)


def _for_others(chain: Sequence[Frame]) -> tuple[str | None, str | None]:
    """In what a thread waits for other ranks, and in what for the device; None: it does not."""
    return ranks.collective(chain), ranks.device_wait(chain)


def environment_of(pid: int) -> dict[str, str]:
    """The variables with which a live process was started; none where it may not be read."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = (entry.partition(b"=") for entry in raw.split(b"\0") if b"=" in entry)
    return {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
