"""Whether a process moves: its threads' clocks and counters at two looks, without stopping it.

A thread that ran between two looks used its core or was woken; one that did neither has stood still
at least from the first to the second.  Since when it stands the scheduler knows (proc(5),
/proc/PID/task/TID/sched and schedstat): the last time that it was given a core.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from typing import NamedTuple

from lockorder.hang.procfs_files import Proc, start_of, status_of

_HERTZ = os.sysconf("SC_CLK_TCK")
_LAST_RAN = re.compile(r"^se\.exec_start\s*:\s*([0-9.]+)", re.M)
#: Share of one core from which on a thread works; below it was only woken.
WORKING = 0.02


class Count(NamedTuple):
    """One thread: when it began, its state's letter, seconds on a core, times it was taken off.

    ``ran`` is when it last had a core, in seconds since 1970; 0: the kernel does not say.
    """

    started: int
    state: str
    cpu: float
    switches: int
    ran: float


class Look(NamedTuple):
    """The threads of a process by their ids out here, at one moment (of the monotonic clock)."""

    at: float
    threads: dict[int, Count]


class Motion(NamedTuple):
    """What a thread did between two looks.

    ``cpu`` is in seconds; ``woken`` is how often it was taken off a core, by itself or not;
    ``seconds`` lie between the looks; ``since`` is when it last ran, in seconds since 1970.
    ``is_new``: it was there at the second look alone.
    """

    cpu: float
    woken: int
    seconds: float
    since: float
    state: str
    is_new: bool = False

    @property
    def works(self) -> bool:
        """Whether it used its core for more than looking whether there is something to do."""
        return self.is_new or self.cpu > WORKING * self.seconds

    @property
    def stands(self) -> bool:
        """Whether it did not run at all."""
        return not (self.is_new or self.woken or self.cpu > 0.0)


class Clock:
    """The scheduler's time, which counts from some start, as seconds since 1970."""

    def __init__(self, proc: Proc) -> None:
        self._proc, self._zero = proc, 0.0
        with contextlib.suppress(OSError):
            ran = _last_ran(proc.text("self/sched"))
            self._zero = time.time() - ran if ran else 0.0

    def ran(self, place: str) -> float:
        """When the thread at *place* last had a core; 0: not known."""
        with contextlib.suppress(OSError):
            ran = _last_ran(self._proc.text(f"{place}/sched"))
            return self._zero + ran if ran and self._zero else 0.0
        return 0.0


def _last_ran(text: str) -> float:
    found = _LAST_RAN.search(text)
    return float(found[1]) / 1000 if found is not None else 0.0


def look(pid: int, proc: Proc, clock: Clock) -> Look:
    """The threads of *pid* now; those that end meanwhile are left out."""
    found: dict[int, Count] = {}
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = proc.names(f"{pid}/task")
    for name in names:
        place = f"{pid}/task/{name}"
        with contextlib.suppress(OSError, ValueError):
            status = status_of(proc.text(f"{place}/status"))
            stat = proc.text(f"{place}/stat")
            started = start_of(stat)
            cpu = _on_core(proc, place, stat)
            found[int(name)] = Count(started, status.state, cpu, status.switches, clock.ran(place))
    return Look(time.monotonic(), found)


def _on_core(proc: Proc, place: str, stat: str) -> float:
    """Seconds on a core, as finely as the kernel tells."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(proc.text(f"{place}/schedstat").split()[0]) / 1e9
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _HERTZ


def between(first: Look, second: Look) -> dict[int, Motion]:
    """What each thread of the second look did since the first."""
    seconds = second.at - first.at
    found = {}
    for tid, now in second.threads.items():
        before = first.threads.get(tid)
        if before is None or before.started != now.started:
            found[tid] = Motion(now.cpu, now.switches, seconds, now.ran, now.state, is_new=True)
            continue
        found[tid] = Motion(
            max(0.0, now.cpu - before.cpu), now.switches - before.switches, seconds, now.ran,
            now.state,
        )  # fmt: skip
    return found
