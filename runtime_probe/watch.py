"""Whether a recorded job still moves: what its threads wait for, from the traces' areas and /proc.

A process stands still when its first thread does: it waits for a lock whose holder stands still,
for a thread that does, for the GPU or other ranks, or for a condition that no other thread is
working towards. Nothing is stopped or attached to.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from runtime_probe.errors import TraceError
from runtime_probe.records import Thread, Trace
from runtime_probe.trace import read_trace

#: Kinds of waits, as the trace numbers them (csrc/trace.h, lo_waits_for).
_THREAD, _GPU, _RANKS = 1, 3, 4
#: Share of one core from which on a thread is working.
_WORKING = 0.02


class Standing(NamedTuple):
    """A process that has not moved for *seconds*; *lines* say who waits for what."""

    pid: int
    rank: int
    seconds: float
    lines: tuple[str, ...]


class Watch:
    """Looks at the processes of one run, again and again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ticks: dict[tuple[int, int], int] = {}
        self._busy: set[tuple[int, int]] = set()
        self._last = 0.0

    def look(self) -> list[Standing]:
        """The processes at the ends of the process tree, if all of them stand still; else none.

        Launchers wait for their ranks all the time, so a process with a recorded child does not
        count.
        """
        traces = [t for t in map(_read, sorted(self._folder.glob("trace-*.lot"))) if t is not None]
        latest = {t.header.pid: t for t in traces if os.path.exists(f"/proc/{t.header.pid}")}
        self._measure(latest.values())
        parents = {t.header.parent for t in latest.values()}
        ends = [t for pid, t in sorted(latest.items()) if pid not in parents]
        found = [self._standing(t) for t in ends]
        return [f for f in found if f is not None] if found and all(found) else []

    def _measure(self, traces: Iterable[Trace]) -> None:
        """Which threads have used their core since the last look."""
        now = time.monotonic()
        elapsed, self._last = now - self._last, now
        hertz = os.sysconf("SC_CLK_TCK")
        ticks: dict[tuple[int, int], int] = {}
        for trace in traces:
            pid = trace.header.pid
            with contextlib.suppress(OSError):
                for name in os.listdir(f"/proc/{pid}/task"):
                    ticks[pid, int(name)] = _cpu_ticks(pid, name)
        self._busy = {
            key
            for key, used in ticks.items()
            if used - self._ticks.get(key, used) > _WORKING * hertz * elapsed
        }
        self._ticks = ticks

    def _standing(self, trace: Trace) -> Standing | None:
        first = next((t for t in trace.threads.values() if t.tid == trace.header.pid), None)
        if first is None:
            return None
        lines: list[str] = []
        since = self._stuck(trace, first, set(), lines)
        if since is None:
            return None
        seconds = (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - since) / 1e9
        return Standing(trace.header.pid, trace.header.rank, seconds, tuple(lines))

    def _stuck(self, trace: Trace, thread: Thread, seen: set[int], lines: list[str]) -> int | None:
        """Since when *thread* stands still (CLOCK_MONOTONIC, ns); None while it may move."""
        if thread.number in seen:
            return thread.wait_since_ns  # a circle: nobody in it will move
        seen.add(thread.number)
        who = f"thread {thread.tid} {thread.name}".rstrip()
        if thread.waits_for:
            lines.append(f"{who} waits for lock {thread.waits_for}")
            for other in trace.threads.values():
                if any(h.lock == thread.waits_for for h in other.held) and not other.end_ns:
                    lines[-1] += f", which thread {other.tid} {other.name} holds".rstrip()
                    further = self._stuck(trace, other, seen, lines)
                    return None if further is None else max(further, thread.wait_since_ns)
            return thread.wait_since_ns
        call = trace.calls.get(thread.wait_call)
        if call is None or call.flags & 4:  # not in a wait that is known, or one with a limit
            return None
        lines.append(f"{who} is in {call.name}")
        if call.waits_for in (_GPU, _RANKS):
            return thread.wait_since_ns
        if call.waits_for == _THREAD:
            for other in trace.threads.values():
                if other.pthread == thread.wait_object and not other.end_ns:
                    lines[-1] += f", for thread {other.tid} {other.name}".rstrip()
                    further = self._stuck(trace, other, seen, lines)
                    return None if further is None else max(further, thread.wait_since_ns)
        pid = trace.header.pid
        if any(process == pid and tid != thread.tid for process, tid in self._busy):
            return None
        return thread.wait_since_ns


def kill_tree(pid: int) -> None:
    """End *pid* and everything below it, children first stopped so that none is missed."""
    tree = [pid]
    for each in tree:
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGSTOP)
        tree += _children(each)
    for each in reversed(tree):
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{task}/children").read_text()
            found += [int(child) for child in text.split()]
    return found


def _read(path: Path) -> Trace | None:
    try:
        return read_trace(path)
    except TraceError:
        return None  # being made at this moment, or told by the analysis afterwards


def _cpu_ticks(pid: int, task: str) -> int:
    """User and system time of a thread, in clock ticks (proc(5), /proc/PID/stat)."""
    try:
        fields = Path(f"/proc/{pid}/task/{task}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except (OSError, IndexError, ValueError):
        return 0
