"""What ``lockorder run`` does while the job runs: the status line, and looking for a standstill."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.text import Text

from lockorder.commands.common import say
from lockorder.recorded.lock_names import LockNames
from lockorder.report.status_line import StatusLine, can_show
from lockorder.report.text import printable
from runtime_probe import standstill
from runtime_probe.launch import TRACE_DIR_VARIABLE
from runtime_probe.layout import CallFlag, WaitsFor
from runtime_probe.live import LiveProcess, LiveRun
from runtime_probe.processes import kill_tree
from runtime_probe.records import Thread
from runtime_probe.watch import Standing, Watch

#: Waits for which anybody can be waiting idly; they count for a process's first thread only.
_IDLE_WAITS = (WaitsFor.CONDITION, WaitsFor.SEMAPHORE, WaitsFor.PROCESS)
#: Seconds from which on a wait for a lock is worth looking up the lock's name.
_WORTH_A_NAME = 5.0


def status_line(quiet: bool) -> StatusLine | None:
    """The line for this run: on a terminal, unless an outer run draws its own there."""
    if quiet or TRACE_DIR_VARIABLE in os.environ or not can_show(sys.stderr):
        return None
    return StatusLine(sys.stderr)


class Watching:
    """The job's onlooker (runtime_probe.child).

    Attributes:
        killed: the job was ended because nothing moved.
        every: seconds between two looks; several fit into what is too long.
    """

    def __init__(self, run: LiveRun, line: StatusLine | None, limit: float, on_hang: str) -> None:
        """*limit*: seconds without any movement that are too many; 0: nobody looks for that."""
        self.killed = False
        self.every = min(1.0, limit / 4) if limit else 1.0
        self._run = run
        self._line = line
        self._limit = limit
        self._on_hang = on_hang
        self._watch = Watch()
        self._told = False
        self._names = LockNames()
        self._start = time.monotonic()

    def look(self, pid: int) -> None:
        """One look at the job *pid*."""
        processes = self._run.look()
        if self._line is not None:
            self._line.show(self._status(processes))
        if self._limit and not self.killed:
            self._look_for_standstill(processes, pid)

    def pause(self) -> None:
        """The terminal is somebody else's for a while."""
        if self._line is not None:
            self._line.close()

    close = pause

    def _look_for_standstill(self, processes: Sequence[LiveProcess], pid: int) -> None:
        standing = self._watch.look(processes, pid)
        if not standing or min(s.seconds for s in standing) < self._limit:
            if self._told and not standing:
                self._told = False
                standstill.forget(self._run.folder)
            return
        if not self._told:
            self._told = True
            seconds = min(s.seconds for s in standing)
            standstill.note(self._run.folder, (p.path for p in processes), seconds)
            say(self._report(standing))
        if self._on_hang == "kill":
            self.killed = True
            say([f"lockorder: ending the job (process {pid} and all below it)"])
            kill_tree(pid)

    def _report(self, standing: Sequence[Standing]) -> list[str]:
        seconds = min(s.seconds for s in standing)
        lines = [f"lockorder: nothing has moved for {seconds:.0f} s:"]
        for one in standing:
            header = one.process.header
            rank = f"rank {header.rank}, " if header.rank >= 0 else ""
            for wait in one.waits:
                name = self._names.name(one.process.path, wait.lock) if wait.lock else ""
                lines.append(f"  {rank}process {header.pid}: {wait.text(name)}")
        return lines

    def _status(self, processes: Sequence[LiveProcess]) -> Text:
        heads = self._run.heads.values()
        ranks = len({header.rank for header, _ in heads if header.rank >= 0})
        parts = [
            _clock(time.monotonic() - self._start),
            # One process has several traces where it went on as another program (execve(2)).
            _count(len({(h.host, h.pid) for h, _ in heads}), "process", "processes")
            + (f" of {_count(ranks, 'rank', 'ranks')}" if ranks else ""),
            _count(sum(counters["locks_seen"] for _, counters in heads), "lock", "locks"),
            _count(sum(counters["edges_seen"] for _, counters in heads), "order", "orders"),
        ]
        waits = waits_in(processes)
        if waits:
            longest = min(waits, key=lambda w: w.thread.wait_since_ns)
            parts.append(
                f"{_count(len(waits), 'thread waits', 'threads wait')}, longest "
                f"{_clock(longest.seconds)} for {self._awaited(longest)}"
            )
        text = Text("lockorder ", style="bold")
        return text.append(printable("  ".join(parts)), style="not bold")

    def _awaited(self, wait: Waiting) -> str:
        thread, process = wait.thread, wait.process
        call = process.call(thread)
        if thread.waits_for and wait.seconds >= _WORTH_A_NAME:
            what = self._names.name(process.path, thread.waits_for) or "a lock"
        elif thread.waits_for:
            what = "a lock"
        else:
            what = call.name if call is not None else "?"
        return what + (f" (rank {process.header.rank})" if process.header.rank >= 0 else "")


class Waiting(NamedTuple):
    """A thread that is kept waiting."""

    process: LiveProcess
    thread: Thread
    seconds: float


def waits_in(processes: Sequence[LiveProcess]) -> list[Waiting]:
    """Threads that wait for a lock, or in a call for the GPU, other ranks, or another thread."""
    now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    found = []
    for process in processes:
        for thread in process.threads:
            call = process.call(thread)
            counts = call is not None and call.waits_for and not call.flags & CallFlag.TIMED
            if counts and call is not None and call.waits_for in _IDLE_WAITS:
                counts = thread.tid == process.header.pid and call.waits_for != WaitsFor.PROCESS
            if thread.waits_for or counts:
                found.append(Waiting(process, thread, (now - thread.wait_since_ns) / 1e9))
    return found


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def onlooker(
    folder: Path, before: set[Path], *, quiet: bool, limit: float, on_hang: str
) -> Watching | None:
    """Who watches this run; None where nobody needs to."""
    line = status_line(quiet)
    if line is None and not limit:
        return None
    return Watching(LiveRun(folder, before), line, limit, on_hang)
