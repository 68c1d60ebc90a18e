"""Whether a recorded job still moves: what its threads wait for, from the traces' areas and /proc.

A process *stands* when its first thread will not go on: it waits for a lock whose holder stands,
for a thread that does, for the GPU or other ranks, or, in a call that the trace or the kernel
names, for something that nobody in the process works towards. It stands, too, where its first
thread only looks again and again (a loop of short waits) while another stands at a lock or for
other ranks, and where threads wait for each other's locks in a circle while nothing new is
recorded.

A process *moves* when it uses a core, or sleeps for a time that it chose. What does neither (a
launcher that waits for its ranks, a pool without work) is idle. A job stands when no process of
its tree moves and at least one stands; what launched ranks does not count.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from runtime_probe.layout import CallFlag, WaitsFor
from runtime_probe.live import LiveProcess
from runtime_probe.processes import Task, Tasks, ancestors, tree
from runtime_probe.records import Thread
from runtime_probe.syscalls import Rest


class Wait(NamedTuple):
    """A thread that waits: for `lock`, else in `call`; `other` is whom it waits for, if known."""

    thread: str
    lock: int
    call: str
    other: str

    def text(self, lock_name: str) -> str:
        """A line for people; *lock_name* "" where none is known."""
        if self.lock:
            name = f"'{lock_name}'" if lock_name else str(self.lock)
            holder = f", which {self.other} holds" if self.other else ""
            return f"{self.thread} waits for lock {name}{holder}"
        return f"{self.thread} is in {self.call}" + (f", for {self.other}" if self.other else "")


class Standing(NamedTuple):
    """A process that has not moved for *seconds*, and who waits for what in it."""

    process: LiveProcess
    seconds: float
    waits: tuple[Wait, ...]


class _Stop(NamedTuple):
    """Since when a thread stands still (CLOCK_MONOTONIC, ns), and whether that is its own doing:
    `strong` where it waits for a lock, the GPU or other ranks, whatever else the process does."""

    since_ns: int
    strong: bool


class Watch:
    """Looks at the processes of one job, again and again."""

    def __init__(self) -> None:
        self._tasks = Tasks()
        self._first_ns = 0
        self._records: dict[int, tuple[int, int]] = {}

    def look(self, processes: Iterable[LiveProcess], pid: int) -> list[Standing]:
        """The processes that stand, where all of the job *pid* does; else none."""
        found = list(processes)
        recorded = {p.header.pid for p in found}
        # A launcher looks after its ranks all the time; that is no movement of the job.
        launchers: set[int] = set()
        for process in found:
            if process.header.rank >= 0:
                launchers.update(ancestors(process.header.pid))
        standing: list[tuple[LiveProcess, int, list[Wait]]] = []
        moves = False
        for process in found:  # all of them, so that the next look can compare
            waits: list[Wait] = []
            since = _Look(process, self._tasks, self._news_ns(process)).verdict(waits)
            moves = moves or (since == _MOVES and process.header.pid not in launchers)
            if since > 0:
                standing.append((process, since, waits))
        if standing and not moves:  # the rest of the tree costs more to find
            others = [p for p in tree(pid) if p not in recorded and p not in launchers]
            moves = any(self._foreign_moves(p) for p in others)
        now = _now_ns()
        if moves or not standing:
            self._first_ns = 0
            return []
        # Counted from a look that saw it stand: what only this look sees may be over at once.
        self._first_ns = self._first_ns or now
        return [
            Standing(process, (now - max(since, self._first_ns)) / 1e9, tuple(waits))
            for process, since, waits in standing
        ]

    def _news_ns(self, process: LiveProcess) -> int:
        """When something new was last recorded of a process."""
        total = sum(process.counters.values())
        before, at = self._records.get(process.header.pid, (-1, 0))
        if total != before:
            at = _now_ns()
            self._records[process.header.pid] = total, at
        return at

    def _foreign_moves(self, pid: int) -> bool:
        """A process that is not recorded: only whether it works or sleeps can be told."""
        return any(t.works or t.asleep for t in self._tasks.of(pid).values())


_MOVES, _IDLE = -1, 0
#: Waits that are worth a closer look.
_LONG_NS = 500_000_000


class _Look:
    """One look at one process."""

    def __init__(self, process: LiveProcess, tasks: Tasks, news_ns: int) -> None:
        self._process = process
        self._news_ns = news_ns
        self._threads = {t.tid: t for t in process.threads}
        self._holders = {h.lock: t for t in process.threads for h in t.held}
        # Most looks end here, for the price of one small file.
        idle = tasks.idle(process.header.pid)
        self._tasks: dict[int, Task] = {}
        if idle or any(self._waits_long(t) for t in process.threads):
            self._tasks = tasks.of(process.header.pid)

    def verdict(self, waits: list[Wait]) -> int:
        """Since when it stands (ns), or that it moves or is idle; *waits* says who waits."""
        pid = self._process.header.pid
        if not self._tasks:
            return _MOVES
        stop = self._stop(pid, set(), waits)
        if stop is not None:
            return stop.since_ns
        waits.clear()
        circle = self._circle()
        if circle:
            for thread in circle:
                self._stop(thread.tid, {t.tid for t in circle} - {thread.tid}, waits)
            return max(self._news_ns, *(t.wait_since_ns for t in circle))
        if any(task.works or task.asleep for task in self._tasks.values()):
            return _MOVES
        first = self._tasks.get(pid)
        if first is None or first.wait is None:
            return _MOVES if first is None else _IDLE
        if first.wait.rest in (Rest.LIMITED, Rest.SLEEP):
            return self._behind_a_loop(waits)
        return _IDLE

    def _behind_a_loop(self, waits: list[Wait]) -> int:
        """The first thread looks again and again: does another stand for a reason of its own?"""
        for thread in self._process.threads:
            waits.clear()
            stop = self._stop(thread.tid, set(), waits)
            if stop is not None and stop.strong:
                return max(stop.since_ns, self._news_ns)
        waits.clear()
        return _IDLE

    def _stop(self, tid: int, seen: set[int], waits: list[Wait]) -> _Stop | None:
        """Since when a thread stands still; None while it may move."""
        thread = self._threads.get(tid)
        if tid in seen:  # a circle: nobody in it will move
            return _Stop(thread.wait_since_ns if thread is not None else 0, True)
        seen.add(tid)
        if thread is None or not (thread.waits_for or thread.wait_call):
            return self._unhooked(tid, thread, waits)
        if thread.waits_for:
            task = self._tasks.get(tid)
            if task is not None and task.wait is not None and task.wait.rest is Rest.LIMITED:
                return None  # pthread_mutex_timedlock(3)
            holder = self._holders.get(thread.waits_for)
            waits.append(Wait(_who(thread), thread.waits_for, "", _who(holder)))
            return self._behind(thread, holder, seen, waits)
        call = self._process.call(thread)
        if call is None or not self._lasting(thread):
            return None
        joined = None
        if call.waits_for == WaitsFor.THREAD:
            alive = self._threads.values()
            joined = next((t for t in alive if t.pthread == thread.wait_object), None)
        waits.append(Wait(_who(thread), 0, call.name, _who(joined)))
        if call.waits_for in (WaitsFor.GPU, WaitsFor.RANKS):
            return _Stop(thread.wait_since_ns, True)
        if joined is not None:
            return self._behind(thread, joined, seen, waits)
        if call.waits_for == WaitsFor.PROCESS or self._somebody_works(tid):
            return None
        return _Stop(thread.wait_since_ns, False)

    def _behind(
        self, thread: Thread, other: Thread | None, seen: set[int], waits: list[Wait]
    ) -> _Stop | None:
        """*thread* waits for what only *other* can do."""
        if other is None:  # who held it has ended, or gave it up in a way that no call showed
            return _Stop(thread.wait_since_ns, True)
        further = self._stop(other.tid, seen, waits)
        if further is None:
            return None
        return _Stop(max(further.since_ns, thread.wait_since_ns), further.strong)

    def _unhooked(self, tid: int, thread: Thread | None, waits: list[Wait]) -> _Stop | None:
        """A wait that only the kernel names."""
        task = self._tasks.get(tid)
        if task is None or task.wait is None or task.wait.rest is not Rest.FOREVER:
            return None
        if self._somebody_works(tid):
            return None
        who = _who(thread) if thread is not None else f"thread {tid}"
        waits.append(Wait(who, 0, task.wait.name, ""))
        return _Stop(task.still_since_ns, False)

    def _somebody_works(self, but: int) -> bool:
        others = (task for tid, task in self._tasks.items() if tid != but)
        return any(task.works or task.asleep for task in others)

    def _waits_long(self, thread: Thread) -> bool:
        """Whether it waits for a lock, or is the first one and in a call that waits."""
        if _now_ns() - thread.wait_since_ns < _LONG_NS:
            return False
        first = thread.tid == self._process.header.pid
        return thread.waits_for != 0 or (first and self._lasting(thread))

    def _lasting(self, thread: Thread) -> bool:
        """Whether it is in a call of which the trace says that it waits without a limit."""
        call = self._process.call(thread)
        return call is not None and bool(call.waits_for) and not call.flags & CallFlag.TIMED

    def _circle(self) -> list[Thread]:
        """Threads that wait for each other's locks."""
        for start in self._process.threads:
            chain = list(self._chain(start))
            if chain and self._holders.get(chain[-1].waits_for) is start:
                return chain
        return []

    def _chain(self, thread: Thread | None) -> Iterator[Thread]:
        met: set[int] = set()
        while thread is not None and thread.waits_for and thread.tid not in met:
            met.add(thread.tid)
            yield thread
            thread = self._holders.get(thread.waits_for)


def _who(thread: Thread | None) -> str:
    return "" if thread is None else f"thread {thread.tid} {thread.name}".rstrip()


def _now_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
