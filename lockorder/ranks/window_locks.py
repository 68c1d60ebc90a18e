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
        #: of which rank and window it is not known which parts are locked
        self._doubted: set[tuple[int, str]] = set()

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

    def release(self, rank: int, window: str, targets: tuple[int, ...]) -> bool:
        """Give up what *rank* has there; whether it had it, or nobody knows."""
        found = [self._held.get((window, target), {}).pop(rank, None) for target in targets]
        return None not in found or (rank, window) in self._doubted

    def doubt(self, rank: int, window: str) -> None:
        """A lock of a part of which nobody knows which one it is."""
        self._doubted.add((rank, window))

    def has(self, rank: int, window: str) -> bool:
        """Whether *rank* has a part of *window*, for all that is known."""
        if (rank, window) in self._doubted:
            return False
        return any(name == window and rank in held for (name, _), held in self._held.items())
