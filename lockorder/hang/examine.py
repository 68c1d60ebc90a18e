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
    initialisers,
    partners,
    polling,
    pyframes,
    ranks,
    with_statements,
    wording,
)
from lockorder.hang.ends import Ends, Others
from lockorder.hang.image import Image, Stopped
from lockorder.hang.lock_names import LockNames
from lockorder.hang.motion import Motion
from lockorder.hang.neighbours import Neighbours, called, namespace
from lockorder.hang.procfs_files import status_of
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
#: How glibc, the interpreter's loop and the kernel wait, below the function that was called.
_BELOW = re.compile(
    r"_*(?:GI_)?_*(?:lll_|futex_|syscall|internal_syscall|new_sem_|PyThread_acquire)"
    r"|.*futex_abstimed|acquire_timed|lock_PyThread|\?\?+$|\(inlined\)$|<unknown>"
)
#: What the workers of Python's pools of threads and processes begin with.
_POOLS = re.compile(
    r"/concurrent/futures/\w+\.py:_(?:process_)?worker$|/multiprocessing/pool\.py:worker$"
)
#: The interpreter's own sources, as debug information names them.
_INTERPRETER = re.compile(
    r"(?:.*/)?(?:Objects|Python|Modules|Programs|Parser|Include)/(?:[a-z_]+/)?\w+\.[ch]$"
)
_GUARD = "guard variable for "
#: Signals that a program is sent to do something, where it has a handler: HUP, USR1, USR2, ALRM,
#: TERM.  Python itself handles INT.
_SENT = (1, 10, 12, 14, 15)
#: What is mostly in no variable with a name: the call says more than where it is.
_NAMELESS = ("futex", "semaphore", "barrier")


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
    kernel: Others | None = None
    names: Mapping[int, str] = {}
    motions: Mapping[int, Motion] = {}
    before: Mapping[int, tuple[Frame, ...]] = {}
    in_driver: bool = False
    python: pyframes.Look | None = None
    addresses: Names | None = None
    seconds: float = 0.0


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
        self.locks = LockNames(
            image, found, self.chains, self._who, around.python, self.source == "live"
        )

    def state(self) -> ProcessState:
        waits = Waits(self.image, self.around.addresses)
        frames = {tid: stack.functions for tid, stack in self.stacks.threads.items()}
        self.names = waits.names
        look = self.around.python
        self.python = self._python_waits(look) if look is not None else None
        #: Classes of what threads of Python's wait for.
        self.kinds: dict[int, str] = {}
        found = waits.find(frames)
        holders = initialisers.runners(self.image, self.names, self.threads, self.functions, found)
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
        return wording.process_name(pid, self.rank, self.around.role, self.host) + label

    @cached_property
    def _loops(self) -> set[int]:
        """Threads that run event loops of asyncio which have tasks."""
        return self.python.loops() if self.python is not None else set()

    @cached_property
    def _closed_loops(self) -> set[int]:
        """Those of them that only their own process can wake."""
        return self.python.closed_loops() if self.python is not None else set()

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
        doing = wording.words(wait) if wait is not None else ""
        if not doing or thread.state in "DTt":
            told = wait is not None and wait.lock == "vfork"
            if thread.state != "S" and not told:
                doing = wording.STATES.get(thread.state, doing)
        if self.source == "live" and thread.state == "t":
            doing += _tracer(self.image.outside, thread.tid)
        elif self.source == "live" and thread.state == "D":
            doing += _in_kernel(self.image.outside, thread.tid)
        motion = self.around.motions.get(thread.tid)
        chain = self.chains.get(thread.tid, ())
        meant = meaning.of(chain)
        operation = meant.operation or self._asked_of(thread.tid, meant.line, wait)
        if wait is not None and wait.kind in _NAMELESS and meant.line is not None and stack:
            operation = meaning.called_at(meant.line, stack.chain) or operation
        if meant.line is not None and operation and not meaning.is_named(operation):
            operation = _only_call(meant.line) or operation
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
        if wait.kind is Kind.GIL:
            return (), "", "", False
        ends: Ends | None = None
        if kernel is not None and wait.kind is not Kind.CALL:
            ends = Ends("", kernel.sharers(pid, wait.address))
        elif kernel is not None and wait.tid in self.threads:
            ends = kernel.ends(self.image, self.threads[wait.tid], wait.detail)
        if ends is None:
            # A core says nothing of what is at the other end.
            core = wait.kind is Kind.CALL and self.source == "core"
            closed = core and wait.tid in self._closed_loops
            return (self._process(),) if closed else (), "", "", False
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
                self.locks.asked[wait.address] = wanted.name if wanted is not None else ""
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
            gone = wait.gone_tid or (0 if owners else self._absent(wait))
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

    def _absent(self, wait: Found) -> int:
        """Who has a lock that processes share, where that thread has ended; 0: not, or not known.

        A process of another PID namespace may have that memory, too, and other ids.
        """
        tid, kernel = wait.foreign_tid, self.around.kernel
        if not tid or kernel is None or not self._sees() or Path(f"/proc/{tid}").exists():
            return 0
        spaces = {namespace(p) for p in kernel.sharers(self.image.outside, wait.address)}
        return tid if len(spaces) == 1 and "" not in spaces else 0

    def _with_partner(self, wait: Wait) -> Wait:
        """A wait for other ranks, with the one that it is for, its group, or the store's key."""
        look = self.around.python
        if look is None or wait.kind != "ranks":
            return wait
        for thread in look.threads:
            if self._who(thread.tid) == wait.who:
                group, members = partners.group(look, thread)
                return msgspec.structs.replace(
                    wait, peer=partners.peer(look, thread), group=group, members=members,
                    key=partners.key(look, thread, wait.chain),
                )  # fmt: skip
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
            if poll.shared:
                by = list(dict.fromkeys([*by, *self.around.names.values()]))
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
            status = status_of(Path(f"/proc/{self.image.outside}/status").read_text())
            return any(status.caught >> (each - 1) & 1 for each in _SENT)
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
            owners = self.locks.joined(wait.tid)
            if owners:
                return "join", "", owners, False
        name, owners = self.locks.python_lock(wait, lock)
        if known.lock and known.lock != name:
            name = known.lock if name == lock or not owners else name
        return kind, name, owners, bool(owners)

    def _asked_of(self, tid: int, line: Frame | None, wait: Wait | None) -> str:
        """What a line calls of an object that is not Python's own code: ``SimpleQueue.get``."""
        if line is None:
            return ""
        kind = self.kinds.get(tid, "")
        in_call = wait is not None and wait.kind == "io" and meaning.is_python(line)
        if not (kind.startswith("_queue.") or in_call):
            return ""
        called = _only_call(line)
        return f"{_last(kind)}.{called}" if kind and called else called


def _pool(stack: ThreadStack | None) -> str:
    """``worker of a pool``, where a thread's first function takes work from a queue."""
    chain = meaning.since_fork(stack.chain) if stack is not None else ()
    frames = [f for f in chain if f.file.endswith(".py")]
    began = [f for f in frames if not f.file.endswith(meaning.BEGINNINGS)][:1]
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
    with contextlib.suppress(OSError, ValueError):
        tracer = status_of(Path(f"/proc/{pid}/task/{tid}/status").read_text()).tracer
        if tracer:
            return f" (process {tracer}, {Path(f'/proc/{tracer}/comm').read_text().strip()})"
    return ""


def _in_kernel(pid: int, tid: int) -> str:
    """The kernel's function that a thread sleeps in, to be put behind its state; "": not said."""
    with contextlib.suppress(OSError):
        name = Path(f"/proc/{pid}/task/{tid}/wchan").read_text().strip("\0\n")
        return f", in {name}" if name not in ("", "0") else ""
    return ""


def _only_call(line: Frame) -> str:
    """What a line of Python calls, by its source; "" where that is not one thing."""
    if not meaning.is_python(line):
        return ""
    calls = [c for c, at in with_statements.calls_in(line, bool) if at == line.line]
    return calls[0] if len(calls) == 1 else ""


def _last(function: str) -> str:
    return function.rpartition(".")[2]


def _call(functions: Sequence[str]) -> str:
    """The call that goes on after a stop as no call of its own (restart_syscall(2))."""
    calls = ("nanosleep", "epoll_wait", "poll", "select")
    return next((c for f in reversed(functions) for c in calls if c in f), "")


def _shown(stack: ThreadStack) -> tuple[Frame, ...]:
    """The chain without how threads begin and locks are waited for, nor functions' parameters."""
    frames = []
    for frame in stack.chain:
        if frame.file.endswith(".py"):
            if not (
                frame.file.endswith("/threading.py") and _last(frame.function) in meaning.BEGINS
            ):
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
