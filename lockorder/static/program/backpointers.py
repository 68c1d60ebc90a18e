"""Ways back: an object's child that knows its parent, and locks the parent's lock again.

``pool->block->owner`` is the pool where ``owner`` is only ever set from a pool's ``this``: a
method that holds the pool's lock over a call of its block comes back to that lock.  Two other
pools would be two objects in no order, which is no better.
"""

from __future__ import annotations

from typing import NamedTuple

from lockorder.model import Certainty
from lockorder.static.program.identities import Identities
from lockorder.static.program.link import Program
from lockorder.static.program.opposites import Opposites
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.steps import is_element, member


class Return(NamedTuple):
    """How sure it is that a way leads back, and why, in words."""

    certainty: Certainty
    why: str


class BackPointers:
    """Which ways lead back to the object that they began at."""

    def __init__(
        self,
        program: Program,
        identities: Identities,
        points_to: PointsTo,
        opposites: Opposites,
    ) -> None:
        #: Which members lead to objects that lead back by others.
        self.opposites = opposites
        self._program = program
        self._identities = identities
        self._points_to = points_to

    def returns(self, held: Path, taken: Path) -> Return | None:
        """What there is to say for *taken* being *held*; None where there is nothing.

        Both are locks: the same member of two objects of one class.
        """
        if len(taken.steps) < 2 or taken.steps[-1:] != held.steps[-1:]:
            return None
        pointer = taken.steps[-2]
        owner = held.owner
        opposite = self._opposite(taken.owner.owner, member(pointer), owner)
        if opposite is not None:
            return Return(Certainty.POSSIBLE, opposite)
        makers = set() if is_element(pointer) else self._points_to.makers(member(pointer))
        if not makers:
            return None
        cls = self._identities.class_of(owner)
        if not cls:
            return None
        family = self._program.family(cls)
        child = self._identities.class_of(taken.owner.owner)
        # Among objects of one class, `next->previous` is one's own, and `next->next` is not.
        if not child or child in family or not makers <= family:
            return None
        variable = self._program.variables.get(member(pointer))
        name = variable.name if variable is not None else ""
        here = taken.is_within(owner)
        why = f"{name or 'the pointer back'} is set from `this` of {cls} only"
        if here:
            return Return(Certainty.POSSIBLE, why)
        return Return(Certainty.GUESSED, f"{why}, of this {cls} or another")

    def _opposite(self, there: Path, pointer: str, owner: Path) -> str | None:
        """Why *pointer* leads back to *owner* from the object that is *there*, a member of it."""
        while there.steps and (
            is_element(there.steps[-1]) or self._program.is_standard(there.last)
        ):
            there = there.owner
        if not there.steps or there.owner != owner:
            return None
        return self.opposites.of(there.last, pointer)
