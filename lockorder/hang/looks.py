"""Live processes, looked at together as often as one wants; native stacks last, where needed."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec

from lockorder import meaning
from lockorder.hang import (
    examine,
    motion,
    pyframes,
    python_stacks,
    pythons,
    stack_scan,
    stacks,
    watches,
    wording,
)
from lockorder.hang.collected import Collected
from lockorder.hang.ends import Kernel
from lockorder.hang.image import Image
from lockorder.hang.neighbours import Neighbours
from lockorder.hang.procfs import LiveImage
from lockorder.hang.procfs_errors import HangError
from lockorder.hang.procfs_files import Proc, status_of
from lockorder.hang.ranks import driver_call, rank_of, world_of
from lockorder.hang.waits import kernel_call
from lockorder.hang.waits_names import Names
from lockorder.model import ProcessState
from runtime_probe import processes
from runtime_probe.symbols import Symbols

_PYTHON = "python"
#: Processes of others that are looked at because those that were asked for wait for them.
MOST_OTHERS = 16
#: Threads in these states are not attached to: the tool would wait, too, or be refused.
_NO_ATTACH = ("D", "t", "Z", "X")
#: Seconds that threads have to wait again once a tool has let them go.
_RESTS = 1.0
#: Waits whose places only native stacks show.
_PLAIN = ("python-lock", "join", "sleep")
#: A GPU's driver; and looks at a native stack that does not show what its thread is in.
_DRIVERS, _TRIES = ("libcuda.so", "libamdhip64.so"), 4
#: Processes whose native stacks are looked at, and seconds for a step that may take long.
MOST_NATIVE, PATIENCE = 32, 10.0
_NATIVE = ("mutex", "rwlock", "once", "static-init", "gil")
#: A stop cuts these calls short: a program that does not look how much it wrote loses the rest.
_CUT_SHORT = ("write", "send")


class Taken(NamedTuple):
    """All processes at one moment: when it began, their counters, and Python's stacks."""

    at: float
    counts: dict[int, motion.Look]
    stacks: dict[int, stacks.Stacks]
    pythons: dict[int, pyframes.Look]


class Looks:
    """The processes of a job on this machine, looked at as often as one wants."""

    def __init__(
        self,
        found: Collected,
        asked: frozenset[int],
        say: Callable[[str], None],
        *,
        attach: bool = True,
        until: float = math.inf,
    ) -> None:
        """*attach* and *until*: whether, and how long, native stacks are asked for."""
        self._found, self._asked, self._say = found, asked, say
        self._attach, self._until = attach, until
        self.images: dict[int, LiveImage] = {}
        self.environments: dict[int, dict[str, str]] = {}
        self.ranks: dict[int, int] = {}
        self._proc = Proc()
        self._clock = motion.Clock(self._proc)
        self._kernel = Kernel(self._proc)
        self._symbols = Symbols()
        self._known: dict[int, tuple[Names, pythons.Python | None]] = {}

    def open(self, pids: Iterable[int]) -> None:
        """Take in processes; what cannot be looked at is a problem where it was asked for."""
        own = {os.getpid(), *processes.ancestors(os.getpid())}
        for pid in pids:
            if pid == os.getpid():
                # Below a launcher there may be ourselves, too.
                if pid in self._asked:
                    self._found.problems.append(f"process {pid}: this is lockorder itself")
                continue
            if pid in self.images or (pid in own and pid not in self._asked):
                continue
            try:
                self.images[pid] = LiveImage(pid)
            except HangError as error:
                # A child may end while its parent is looked at.
                if pid in self._asked:
                    self._found.problems.append(str(error))
                continue
            environment = examine.environment_of(pid)
            if watches.VARIABLE in environment and pid not in self._asked:
                del self.images[pid]
                continue
            self.environments[pid] = environment
            self.ranks[pid] = rank_of(self.environments[pid])

    def others(self) -> list[int]:
        """Processes at the other end of what these wait for: of a pipe, a socket, a file's lock."""
        found: list[int] = []
        for image in self.images.values():
            for thread in image.threads():
                call = kernel_call(image, thread)
                ends = self._kernel.ends(image, thread, call.name) if call is not None else None
                found += ends.pids if ends is not None and len(ends.pids) <= MOST_OTHERS else ()
        others = [pid for pid in dict.fromkeys(found) if pid not in self.images]
        if len(others) > MOST_OTHERS:
            self._found.notes.append(
                f"{MOST_OTHERS} of {len(others)} other processes that these wait for were looked at"
            )
        return others[:MOST_OTHERS]

    def take(self) -> Taken:
        """One look at all of them; nothing is stopped."""
        at = time.monotonic()
        counts = {pid: motion.look(pid, self._proc, self._clock) for pid in self.images}
        looks: dict[int, pyframes.Look] = {}
        found: dict[int, stacks.Stacks] = {}
        unknown = []
        for pid, image in self.images.items():
            if not is_python(image) or _is_unwilling(counts[pid]):
                continue
            look = self._interpreter(pid, image)
            if look is None:
                unknown.append(pid)
            else:
                looks[pid], found[pid] = look, look.stacks()
        for pid, stack in python_stacks.of_processes(unknown).items():
            found[pid] = _inside(stack, self.images[pid])
        return Taken(at, counts, found, looks)

    def _interpreter(self, pid: int, image: LiveImage) -> pyframes.Look | None:
        """A look at the interpreter of a process; None: it is of no version that is known."""
        if pid not in self._known:
            names = Names(image, self._symbols)
            self._known[pid] = names, pythons.find(image, names)
        python = self._known[pid][1]
        return pyframes.look_at(image, python) if python is not None else None

    def states(self, first: Taken, second: Taken) -> list[ProcessState]:
        """What each is at, by the two looks; native stacks are had last, and only where needed."""
        host = os.uname().nodename
        roles = self._roles()
        names = {
            pid: wording.process_name(pid, self.ranks[pid], roles[pid], host) for pid in self.images
        }
        neighbours = Neighbours(self.images.values(), self.environments)
        found: dict[int, ProcessState] = {}
        around: dict[int, examine.Around] = {}
        for pid, image in self.images.items():
            inside = image.inside() if image.pid != image.outside else {}
            motions = motion.between(first.counts[pid], second.counts[pid])
            python = second.stacks.get(pid, stacks.Stacks({}))
            before = first.stacks.get(pid, stacks.Stacks({}))
            around[pid] = examine.Around(
                host=host, source="live", rank=self.ranks[pid], role=roles[pid],
                parent=parent(pid),
                world=world_of(self.environments[pid]), ended=self._ended(pid),
                neighbours=neighbours, kernel=self._kernel, names=names,
                motions={inside.get(tid, tid): each for tid, each in motions.items()},
                before={t: s.chain for t, s in before.threads.items()},
                python=second.pythons.get(pid), addresses=self._names(pid, image),
                seconds=second.at - first.at,
            )  # fmt: skip
            state = self._examined(pid, python, around[pid])
            if state is not None:
                found[pid] = state
        wanted = native_wanted(found, self._on_gpu) if self._attach else []
        if len(wanted) > MOST_NATIVE:
            self._found.notes.append(
                f"native stacks of {MOST_NATIVE} of {len(wanted)} processes were looked at; name "
                "the others with --pid to see theirs"
            )
            wanted = wanted[:MOST_NATIVE]
        if wanted:
            self._say(f"looking at the native stacks of {len(wanted)} processes")
        in_driver: Counter[int] = Counter()
        for _ in range(_TRIES):
            self._natively(wanted, found, second, around)
            # Where a thread spins in a driver, its stack can be unwound at some moments only.
            wanted = [pid for pid in wanted if _computes(found.get(pid)) and self._on_gpu(pid)]
            if not wanted:
                break
            in_driver.update(pid for pid in wanted if _is_in_driver(found[pid]))
        # Who is in the driver each time, at one line, waits there, whatever the call is called.
        still = [pid for pid in wanted if in_driver[pid] == _TRIES]
        for pid in still:
            around[pid].in_driver = True
        self._natively(still, found, second, around)
        for pid in [
            pid for pid in found if must_not_stop(found[pid]) and not _has_python(found[pid])
        ]:
            stack = stack_scan.stacks_of(self.images[pid], self._names(pid, self.images[pid]))
            found[pid] = self._examined(pid, stack, around[pid]) or found[pid]
        return list(found.values())

    def _natively(
        self,
        wanted: Sequence[int],
        found: dict[int, ProcessState],
        second: Taken,
        around: Mapping[int, examine.Around],
    ) -> None:
        """Look at processes again, with the native stacks that they have now."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            asked = {
                pid: pool.submit(stacks.of_process, pid, is_python(self.images[pid]), self._until)
                for pid in wanted
            }
        for pid, task in asked.items():
            stack = _inside(task.result(), self.images[pid])
            self._rest(pid, around[pid].motions)
            python = second.stacks.get(pid, stacks.Stacks({}))
            state = self._examined(pid, stacks.merged(python, stack), around[pid])
            if state is not None:
                found[pid] = state

    def _rest(self, pid: int, motions: Mapping[int, motion.Motion]) -> None:
        """Let those that stood still wait again: a tool that lets them go wakes them."""
        still = {tid for tid, each in motions.items() if each.stands and each.state in "SD"}
        end = time.monotonic() + _RESTS
        while time.monotonic() < end:
            with contextlib.suppress(HangError):
                if all(t.state in "SD" for t in self.images[pid].threads() if t.tid in still):
                    return
            time.sleep(_RESTS / 100)

    def _ended(self, pid: int) -> tuple[int, ...]:
        """Children of a process that have ended, and that it has not asked for."""
        found = []
        for child in processes.children(pid):
            with contextlib.suppress(OSError, ValueError):
                if status_of(self._proc.text(f"{child}/status")).state == "Z":
                    found.append(child)
        return tuple(found)

    def _on_gpu(self, pid: int) -> bool:
        """Whether a process has a GPU's driver."""
        return any(Path(m.path).name.startswith(_DRIVERS) for m in self.images[pid].mappings())

    def _examined(
        self, pid: int, stack: stacks.Stacks, around: examine.Around
    ) -> ProcessState | None:
        image = self.images[pid]
        try:
            state = examine.examine(image, stack, around)
            if not state.threads:
                raise HangError(f"process {pid}", "it has ended meanwhile")
            return state
        except HangError as error:
            if pid in self._asked:
                self._found.problems.append(str(error))
            return None

    def _names(self, pid: int, image: LiveImage) -> Names:
        known = self._known.get(pid)
        return known[0] if known is not None else Names(image, self._symbols)

    def _roles(self) -> dict[int, str]:
        """What each process is for: children have their parent's variables, its rank among them."""
        found: dict[int, str] = {}
        for pid in self.images:
            above = next((p for p in processes.ancestors(pid) if p in self.images), 0)
            rank = self.ranks[pid]
            if rank >= 0:
                found[pid] = "worker" if above and self.ranks[above] == rank else "rank"
            else:
                found[pid] = ""
        ranks = [pid for pid, role in found.items() if role == "rank"]
        for pid in {p for rank in ranks for p in processes.ancestors(rank)} & found.keys():
            found[pid] = found[pid] or "launcher"
        return found


def _is_in_driver(state: ProcessState) -> bool:
    first = state.first
    return first is not None and bool(driver_call(first.chain))


def _computes(state: ProcessState | None) -> bool:
    """Whether a process' first thread uses its core, as far as is known."""
    first = state.first if state is not None else None
    return first is not None and first.moved == "works"


def must_not_stop(state: ProcessState) -> bool:
    """Whether to stop a process would keep the tool waiting, or change what the process does."""
    first = state.first
    if first is not None and first.state in _NO_ATTACH:
        return True
    # A tool waits for every thread to stop.
    if any(t.state == "D" and not t.moved for t in state.threads):
        return True
    return any(w.kind == "io" and w.lock in _CUT_SHORT for w in state.waits)


def _has_python(state: ProcessState) -> bool:
    first = state.first
    return first is not None and any(meaning.is_python(f) for f in first.chain)


def native_wanted(found: Mapping[int, ProcessState], on_gpu: Callable[[int], bool]) -> list[int]:
    """Processes whose Python does not say what they are at, or that have none.

    A thread that uses its core may wait for the GPU: how it waits is up to the driver.
    """
    wanted: list[int] = []
    for pid, state in found.items():
        first = state.first
        if must_not_stop(state):
            continue
        if first is None or not _has_python(state):
            wanted.append(pid)
            continue
        locks = any(w.owners and w.kind in _NATIVE for w in state.waits)
        # The interpreter is in a function that is not Python's: a library of C++, the GPU.
        inside = any(w.who == first.who and w.kind in _PLAIN for w in state.waits)
        in_call = any(w.who == first.who and w.kind == "io" for w in state.waits)
        spins = _computes(state) and on_gpu(pid)
        if (
            locks
            or spins
            or (meaning.is_own(first.chain[-1]) and not inside and (in_call or not first.operation))
        ):
            wanted.append(pid)
    return wanted


def parent(pid: int) -> int:
    """The pid of its parent; 0: none that is seen."""
    return next(iter(processes.ancestors(pid)), 0)


def _is_unwilling(look: motion.Look) -> bool:
    """Whether a process may not answer before what it waits for in the kernel is over."""
    return bool(look.threads) and all(c.state in ("D", "Z", "X") for c in look.threads.values())


def _inside(found: stacks.Stacks, image: LiveImage) -> stacks.Stacks:
    """Stacks by the ids that threads have in their own namespace; tools know those out here."""
    if image.pid == image.outside:
        return found
    names = image.inside()
    replace = msgspec.structs.replace
    threads = {names.get(tid, tid): stack for tid, stack in found.threads.items()}
    return replace(found, threads={t: replace(s, tid=t) for t, s in threads.items()})


def is_python(image: Image) -> bool:
    """Whether an interpreter is in the process: the program itself, or its shared library."""
    files = {Path(m.path).name for m in image.mappings() if m.path.startswith("/")}
    return any(name.startswith((_PYTHON, f"lib{_PYTHON}")) for name in files)
