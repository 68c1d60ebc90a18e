"""Threads of other processes that are looked at: who has a mutex that processes share.

Such a mutex keeps its owner's id as any other does, and ids are unique in a PID namespace.  But an
id comes back after a thread has ended: so the owner's process must have the mutex' memory, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from lockorder.hang.ends import shared_maps
from lockorder.hang.procfs import LiveImage
from lockorder.hang.procfs_errors import HangError
from lockorder.hang.procfs_files import Proc
from lockorder.hang.ranks import rank_of


def called(pid: int, rank: int, tid: int, name: str) -> str:
    """A thread's name in all that is told."""
    return f"{f'rank {rank}, ' if rank >= 0 else ''}thread {pid}:{tid}{f' {name}' if name else ''}"


class Neighbours:
    """The threads of live processes, by the ids that they have in their own namespace."""

    def __init__(
        self, images: Iterable[LiveImage], environments: Mapping[int, Mapping[str, str]]
    ) -> None:
        self._threads: dict[tuple[str, int], tuple[int, str]] = {}
        for image in images:
            pid = image.outside
            space, rank = namespace(pid), rank_of(environments[pid])
            with contextlib.suppress(HangError):  # it may end meanwhile
                for thread in image.threads() if space else ():
                    who = called(pid, rank, thread.tid, thread.name)
                    self._threads[space, thread.tid] = pid, who

    def owner(self, pid: int, address: int, tid: int) -> str:
        """The thread *tid* of another process, which shares what *pid* has at *address*; or ""."""
        other, who = self._threads.get((namespace(pid), tid), (pid, ""))
        if other == pid:
            return ""
        proc = Proc()
        shared = [file for start, end, file in shared_maps(pid, proc) if start <= address < end]
        return who if any(file in shared for *_, file in shared_maps(other, proc)) else ""


def namespace(pid: int) -> str:
    """A process' PID namespace; "" where nobody may know it."""
    try:
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    except OSError:
        return ""
