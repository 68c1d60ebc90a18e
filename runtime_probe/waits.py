"""Threads of running processes that are kept waiting, and the circles that they wait in."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from runtime_probe.layout import CallFlag, WaitsFor
from runtime_probe.live import LiveProcess
from runtime_probe.records import Thread

#: Waits for which anybody can be waiting idly; they count for a process's first thread only.
_IDLE_WAITS = (WaitsFor.CONDITION, WaitsFor.SEMAPHORE, WaitsFor.PROCESS)


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


def holders(process: LiveProcess) -> dict[int, list[Thread]]:
    """Who holds which lock."""
    found: dict[int, list[Thread]] = {}
    for thread in process.threads:
        for held in thread.held:
            found.setdefault(held.lock, []).append(thread)
    return found


def circle(process: LiveProcess) -> list[Thread]:
    """Threads that wait for each other's locks: each for one that the next one holds."""
    held = holders(process)
    for start in process.threads:
        chain: list[Thread] = []
        thread: Thread | None = start
        while thread is not None and thread.waits_for and thread not in chain:
            chain.append(thread)
            thread = next(iter(held.get(thread.waits_for, ())), None)
        if thread is not None and thread in chain:
            return chain[chain.index(thread) :]
    return []
