"""Whether a recorded job still moves: what its threads wait for, from the traces' areas and /proc.

A process stands still when its first thread does: it waits for a lock whose holder stands still,
for a thread that does, for the GPU or other ranks, or for a condition that no other thread is
working towards. Nothing is stopped or attached to.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from runtime_probe.layout import CallFlag, WaitsFor
from runtime_probe.live import LiveProcess
from runtime_probe.processes import cpu_ticks
from runtime_probe.records import Thread

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

    def __init__(self) -> None:
        self._ticks: dict[tuple[int, int], int] = {}
        self._busy: set[tuple[int, int]] = set()
        self._last = 0.0

    def look(self, processes: Iterable[LiveProcess]) -> list[Standing]:
        """The *processes* at the ends of the process tree, if all of them stand still; else none.

        Launchers wait for their ranks all the time, so a process with a recorded child does not
        count.
        """
        latest = {p.header.pid: p for p in processes}
        self._measure(latest)
        parents = {p.header.parent for p in latest.values()}
        ends = [p for pid, p in sorted(latest.items()) if pid not in parents]
        found = [self._standing(p) for p in ends]
        return [f for f in found if f is not None] if found and all(found) else []

    def _measure(self, pids: Iterable[int]) -> None:
        """Which threads have used their core since the last look."""
        now = time.monotonic()
        elapsed, self._last = now - self._last, now
        hertz = os.sysconf("SC_CLK_TCK")
        ticks: dict[tuple[int, int], int] = {}
        for pid in pids:
            with contextlib.suppress(OSError):
                for name in os.listdir(f"/proc/{pid}/task"):
                    ticks[pid, int(name)] = cpu_ticks(f"{pid}/task/{name}")
        self._busy = {
            key
            for key, used in ticks.items()
            if used - self._ticks.get(key, used) > _WORKING * hertz * elapsed
        }
        self._ticks = ticks

    def _standing(self, process: LiveProcess) -> Standing | None:
        first = next((t for t in process.threads if t.tid == process.header.pid), None)
        if first is None:
            return None
        lines: list[str] = []
        since = self._stuck(process, first, set(), lines)
        if since is None:
            return None
        seconds = (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - since) / 1e9
        return Standing(process.header.pid, process.header.rank, seconds, tuple(lines))

    def _stuck(
        self, process: LiveProcess, thread: Thread, seen: set[int], lines: list[str]
    ) -> int | None:
        """Since when *thread* stands still (CLOCK_MONOTONIC, ns); None while it may move."""
        if thread.number in seen:
            return thread.wait_since_ns  # a circle: nobody in it will move
        seen.add(thread.number)

        def behind(what: str, is_awaited: Callable[[Thread], bool]) -> tuple[bool, int | None]:
            """Whether a thread is waited for, and since when both stand still."""
            other = next((t for t in process.threads if is_awaited(t)), None)
            if other is None:
                return False, None
            lines[-1] += what.format(f"thread {other.tid} {other.name}".rstrip())
            further = self._stuck(process, other, seen, lines)
            return True, None if further is None else max(further, thread.wait_since_ns)

        who = f"thread {thread.tid} {thread.name}".rstrip()
        if thread.waits_for:
            lines.append(f"{who} waits for lock {thread.waits_for}")
            holds = lambda t: any(h.lock == thread.waits_for for h in t.held)  # noqa: E731
            found, since = behind(", which {} holds", holds)
            return since if found else thread.wait_since_ns
        call = process.call(thread)
        if call is None or call.flags & CallFlag.TIMED:
            return None  # not in a wait that is known, or one that ends by itself
        lines.append(f"{who} is in {call.name}")
        if call.waits_for in (WaitsFor.GPU, WaitsFor.RANKS):
            return thread.wait_since_ns
        if call.waits_for == WaitsFor.THREAD:
            found, since = behind(", for {}", lambda t: t.pthread == thread.wait_object)
            if found:
                return since
        pid = process.header.pid
        if any(p == pid and tid != thread.tid for p, tid in self._busy):
            return None
        return thread.wait_since_ns
