"""Orders of two objects of one class, by the way from the one to the other.

From an object to the next one is a rank, and so is the way back; both are none.  Nor is there one
where the way there goes by one member and the way back by another (a parent and its children).
"""

from __future__ import annotations

from typing import Generic, TypeVar

from lockorder.static.program.opposites import Opposites
from lockorder.static.program.steps import Steps, member

_Order = TypeVar("_Order")


class Directions(Generic[_Order]):
    """The first order that goes each way, by lock."""

    def __init__(self, opposites: Opposites) -> None:
        self._opposites = opposites
        #: by lock: the steps of the way and whether they are gone down, with the first order
        self._known: dict[str, dict[tuple[Steps, bool], _Order]] = {}

    def facing(self, lock: str, way: tuple[Steps, bool], order: _Order) -> list[tuple[_Order, str]]:
        """Orders that now go both ways, *order* first, and what makes that unsure."""
        known = self._known.setdefault(lock, {})
        mine = known.setdefault(way, order)
        steps, down = way
        found: list[tuple[_Order, str]] = []
        if (steps, not down) in known:
            return [(mine, ""), (known[steps, not down], "")]
        member = self._member(steps)
        own = self._opposites.of(member, member) if member else None
        if own is not None:
            return [(mine, own)]
        for (others, same), theirs in known.items():
            if same is not down or others == steps:
                continue
            other = self._member(others)
            why = self._opposites.of(member, other) if member and other else None
            if why is not None:
                found += [(mine, why), (theirs, why)]
        return found

    def _member(self, steps: Steps) -> str:
        """The one member that a way goes by; empty for longer ways."""
        members = [s for s in steps if self._opposites.is_member(s)]
        return member(members[0]) if len(members) == 1 else ""
