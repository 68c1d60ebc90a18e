"""Processes and their threads as /proc shows them; nothing is stopped or attached to."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from runtime_probe.syscalls import KernelWait, Rest, kernel_wait

#: Share of one core from which on a thread, or a process, is working.
WORKING = 0.02
#: Sleeps that a thread may begin after it last worked, and still count as going on with its work.
_FIRST_SLEEPS = 2
_HERTZ = os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The pids of its children (proc(5), /proc/PID/task/TID/children)."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{task}/children").read_text()
            found += [int(child) for child in text.split()]
    return found


def thread_name(pid: int, tid: int) -> str:
    """What a thread calls itself at this moment; "" where it is gone."""
    try:
        raw = Path(f"/proc/{pid}/task/{tid}/comm").read_bytes()
    except OSError:
        return ""
    return raw.removesuffix(b"\n").decode("utf-8", "backslashreplace")


def tree(pid: int) -> list[int]:
    """*pid* and all processes below it."""
    found = [pid]
    for each in found:
        found += children(each)
    return found


def ancestors(pid: int) -> list[int]:
    """The parent of *pid*, its parent, and so on (proc(5), /proc/PID/stat)."""
    found: list[int] = []
    while pid > 1:
        try:
            text = Path(f"/proc/{pid}/stat").read_text()
            pid = int(text.rpartition(")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            break
        if pid > 0:
            found.append(pid)
    return found


def kill_tree(pid: int) -> None:
    """End *pid* and everything below it, parents first stopped so that none is missed."""
    found = [pid]
    for each in found:
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGSTOP)
        found += children(each)
    for each in reversed(found):
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGKILL)


class Task(NamedTuple):
    """A thread, compared with the last look at it.

    `works`: it has used its core. `still_since_ns`: CLOCK_MONOTONIC of the first look since which
    it has not run at all. `asleep`: it sleeps as part of its work, and will go on by itself.
    """

    works: bool
    wait: KernelWait | None
    still_since_ns: int
    asleep: bool


class _Seen(NamedTuple):
    at: float
    ticks: int
    switches: int
    still_since_ns: int
    switches_when_working: int


class Tasks:
    """Looks at the threads of processes again and again."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], _Seen] = {}
        self._totals: dict[int, tuple[float, int]] = {}

    def idle(self, pid: int) -> bool:
        """Whether all threads of *pid* together have used less of a core than one that works.

        Unknown at the first look: then it counts as working.
        """
        now, used = time.monotonic(), _cpu_ticks(str(pid))
        at, before = self._totals.get(pid, (0.0, -1))
        self._totals[pid] = now, used
        return before >= 0 and used - before <= WORKING * _HERTZ * (now - at)

    def of(self, pid: int) -> dict[int, Task]:
        """The threads of *pid* by their ids; those seen for the first time count as working."""
        found: dict[int, Task] = {}
        names: list[str] = []
        with contextlib.suppress(OSError):
            names = os.listdir(f"/proc/{pid}/task")
        for name in names:
            found[int(name)] = self._look(pid, int(name))
        for key in [k for k in self._seen if k[0] == pid and k[1] not in found]:
            del self._seen[key]
        return found

    def first(self, pid: int) -> Task:
        """The first thread of *pid* alone; seen for the first time it counts as working."""
        return self._look(pid, pid)

    def _look(self, pid: int, tid: int) -> Task:
        place, now = f"{pid}/task/{tid}", time.monotonic()
        ticks, switches = _cpu_ticks(place), _switches(place)
        before = self._seen.get((pid, tid))
        since = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        if before is None:
            self._seen[pid, tid] = _Seen(now, ticks, switches, since, switches)
            return Task(True, None, since, False)
        works = ticks - before.ticks > WORKING * _HERTZ * (now - before.at)
        if (ticks, switches) == (before.ticks, before.switches):
            since = before.still_since_ns
        last_work = switches if works else before.switches_when_working
        self._seen[pid, tid] = _Seen(now, ticks, switches, since, last_work)
        wait = None if works else _wait(place)
        sleeps = wait is not None and wait.rest is Rest.SLEEP
        return Task(works, wait, since, sleeps and switches - last_work < _FIRST_SLEEPS)


def _cpu_ticks(place: str) -> int:
    """User and system time, in clock ticks, of a folder of /proc: PID or PID/task/TID."""
    try:
        fields = Path(f"/proc/{place}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except (OSError, IndexError, ValueError):
        return 0


def _switches(place: str) -> int:
    """How often a thread gave up its core to wait (proc(5), voluntary_ctxt_switches)."""
    try:
        text = Path(f"/proc/{place}/status").read_text()
        return int(text.rpartition("\nvoluntary_ctxt_switches:")[2].split()[0])
    except (OSError, IndexError, ValueError):
        return 0


def _wait(place: str) -> KernelWait | None:
    try:
        return kernel_wait(Path(f"/proc/{place}/syscall").read_text())
    except (OSError, ValueError):
        return None  # gone, or not ours to trace
