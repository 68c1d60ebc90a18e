"""Processes and their threads as /proc shows them; nothing is stopped or attached to."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path


def children(pid: int) -> list[int]:
    """The pids of its children (proc(5), /proc/PID/task/TID/children)."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{task}/children").read_text()
            found += [int(child) for child in text.split()]
    return found


def cpu_ticks(place: str) -> int:
    """User and system time, in clock ticks, of a folder of /proc: PID or PID/task/TID."""
    try:
        fields = Path(f"/proc/{place}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except (OSError, IndexError, ValueError):
        return 0


def kill_tree(pid: int) -> None:
    """End *pid* and everything below it, parents first stopped so that none is missed."""
    tree = [pid]
    for each in tree:
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGSTOP)
        tree += children(each)
    for each in reversed(tree):
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGKILL)
