"""Locks of windows, while rows are played (MPI 4.1, 12.5.3)."""

from __future__ import annotations

import msgspec


class WindowLock(msgspec.Struct, eq=False):
    """One request for a lock at *targets*: ranks of the window."""

    rank: int
    window: str
    targets: tuple[int, ...]
    exclusive: bool
    #: of all ranks at once
    of_all: bool = False
    granted: bool = False


class WindowLocks:
    """Who has which part of which window."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, int], dict[int, WindowLock]] = {}

    def grant(self, wanted: WindowLock) -> bool:
        """Take what is asked for, where nobody has it in a way that excludes it."""
        if wanted.granted:
            return True
        if self.holder(wanted) >= 0:
            return False
        for target in wanted.targets:
            held = self._held.setdefault((wanted.window, target), {})
            held[wanted.rank] = wanted
        wanted.granted = True
        return True

    def holder(self, wanted: WindowLock) -> int:
        """The rank that has what excludes it; -1 where nobody has."""
        for target in wanted.targets:
            for rank, held in self._held.get((wanted.window, target), {}).items():
                # A lock is not taken twice by one rank, either (12.5.3).
                again = rank == wanted.rank and not (held.of_all or wanted.of_all)
                if again or (rank != wanted.rank and (held.exclusive or wanted.exclusive)):
                    return rank
        return -1

    def release(self, rank: int, window: str, targets: tuple[int, ...]) -> None:
        """Give up what *rank* has there."""
        for target in targets:
            self._held.get((window, target), {}).pop(rank, None)
