"""The jobs that run on this machine: processes that a launcher gave a rank, or that have NCCL."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from lockorder.hang.examine import environment_of
from lockorder.hang.ranks import rank_of
from runtime_probe.processes import ancestors

#: Libraries by which a process takes part in a job, whatever started it.
_LIBRARIES = ("libnccl.so", "librccl.so", "libtorch_cpu.so", "libmpi.so", "libnvshmem")


def here() -> list[int]:
    """The processes of all jobs that may be looked at; of a tree the topmost that belongs to one.

    lockorder's own process, and what started it, are none.
    """
    own = {os.getpid(), *ancestors(os.getpid())}
    found = [pid for pid in _mine() if pid not in own and _is_of_a_job(pid)]
    members = set(found)
    return [pid for pid in found if not members.intersection(ancestors(pid))]


def _mine() -> Iterator[int]:
    """Processes whose memory this user may read, by their ids."""
    with contextlib.suppress(OSError):
        for name in sorted(filter(str.isdecimal, os.listdir("/proc")), key=int):
            with contextlib.suppress(OSError):
                if os.geteuid() in (0, os.stat(f"/proc/{name}").st_uid):
                    yield int(name)


def _is_of_a_job(pid: int) -> bool:
    if rank_of(environment_of(pid)) >= 0:
        return True
    with contextlib.suppress(OSError):
        maps = Path(f"/proc/{pid}/maps").read_text(errors="replace")
        return any(library in maps for library in _LIBRARIES)
    return False
