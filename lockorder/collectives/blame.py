"""Which rank keeps the others waiting, where one waits for another, which waits elsewhere.

A rank that never came to an operation may itself be in an operation of another communicator, for
which somebody else has not come: then that one is the story, and the first follows from it.  Where
the waits close a circle, nobody is late: ranks came to the communicators in different orders, with
waits of the host in between.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import msgspec

from lockorder.collectives.compare import Divergence
from lockorder.collectives.gather import Gathered, Rank


class Wait(msgspec.Struct, frozen=True):
    """*rank* is in operation *number* of a communicator, to which *missing* have not come."""

    there: Gathered
    found: Divergence
    rank: Rank
    missing: tuple[Rank, ...]


class Blame:
    """The waits that divergences show, by the number of the rank's log."""

    def __init__(self, divergences: Sequence[tuple[Gathered, Divergence]]) -> None:
        self.waits: dict[int, list[Wait]] = {}
        for there, found in divergences:
            if found.differs:
                continue
            missing = tuple(r for s in found.sides if s.operation is None for r in s.ranks)
            for side in found.sides:
                if side.operation is None:
                    continue
                for rank in side.ranks:
                    # Who has ended waits no more.
                    if not rank.ended:
                        wait = Wait(there, found, rank, missing)
                        self.waits.setdefault(rank.log, []).append(wait)
        self.circles = list(self._circles())
        self._circled = {id(wait.found) for circle in self.circles for wait in circle}

    def in_circle(self, found: Divergence) -> bool:
        """Whether a divergence is part of a circle."""
        return id(found) in self._circled

    def instead(self, found: Divergence) -> Wait | None:
        """What the ranks that never came wait for themselves, if all of them do; one of them."""
        missing = [r for s in found.sides if s.operation is None for r in s.ranks]
        elsewhere = [
            next((w for w in self.waits.get(r.log, ()) if w.found is not found), None)
            for r in missing
        ]
        return elsewhere[0] if elsewhere and None not in elsewhere else None

    def _circles(self) -> list[list[Wait]]:
        """A shortest circle through each rank that is in one and in none before."""
        circles: list[list[Wait]] = []
        done: set[int] = set()
        for start in sorted(self.waits):
            came: dict[int, Wait] = {}
            ready = deque([start])
            while ready and start not in came:
                for wait in self.waits.get(ready.popleft(), ()):
                    for other in wait.missing:
                        if other.log not in came:
                            came[other.log] = wait
                            ready.append(other.log)
            if start in done or start not in came:
                continue
            circle: list[Wait] = []
            at = start
            while not circle or at != start:
                circle.append(came[at])
                at = came[at].rank.log
            done.update(wait.rank.log for wait in circle)
            circles.append(circle[::-1])
        return circles
