"""Ways back: an object's child that knows its parent, and locks the parent's lock again.

``pool->block->owner`` is the pool where ``owner`` is only ever set from a pool's ``this``: a
method that holds the pool's lock over a call of its block comes back to that lock.  Two other
pools would be two objects in no order, which is no better.
"""

from __future__ import annotations

from typing import NamedTuple

from lockorder.model import Certainty
from lockorder.static.parse import facts as f
from lockorder.static.program.identities import Identities
from lockorder.static.program.link import Program
from lockorder.static.program.opposites import Names, Opposites
from lockorder.static.program.paths import Path
from lockorder.static.program.places import THIS
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
        self._own = _OwnPointers(program)

    def _is_in(self, part: Path, owner: Path) -> bool:
        """Whether *part* is *owner*, or lies in it."""
        steps = part.steps[len(owner.steps) :]
        return part.is_within(owner) and not any(
            is_element(s) or self._program.is_indirect(self._program.type_of(member(s)))
            for s in steps
        )

    def returns(self, held: Path, taken: Path) -> Return | None:
        """What there is to say for *taken* being *held*; None where there is nothing.

        Both are locks: the same member of two objects of one class.
        """
        if len(taken.steps) < 2 or taken.steps[-1:] != held.steps[-1:]:
            return None
        pointer = taken.steps[-2]
        owner = held.owner
        if self._is_in(taken.owner.owner, owner) and self._own.is_own(member(pointer)):
            name = self._program.variables[member(pointer)].name.rpartition("::")[2]
            why = f"{name} is only ever set to the object that it is in"
            return Return(Certainty.POSSIBLE, why)
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


class _Store(NamedTuple):
    """*function* sets a member of the object that it calls *keeper* to the one called *held*."""

    function: str
    keeper: str
    held: str


class _OwnPointers:
    """Members that lead to the object that they are in: a callback's argument, say.

    All that is ever stored there is that object, as the function sees that stores it, or as all who
    call that see.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, bool] = {}
        self._names: dict[str, Names] = {}
        #: by member: where it is set, None for what nobody can say; and by function: its calls
        self._stores: dict[str, list[tuple[f.Function, f.Assign | None]]] = {}
        self._calls: dict[str, list[tuple[f.Function, f.Call]]] = {}
        self._is_read = False

    def is_own(self, usr: str) -> bool:
        """Whether the member *usr* leads nowhere else."""
        known = self._known.get(usr)
        if known is None:
            if not self._is_read:
                self._read()
            stores = self._stores.get(usr, ())
            known = bool(stores) and all(self._is_of_itself(*each) for each in stores)
            self._known[usr] = known
        return known

    def _read(self) -> None:
        self._is_read = True
        for function in self._program.functions.values():
            for statement in f.walk(function.body):
                if isinstance(statement, f.Assign | f.Written):
                    self._note(function, statement)
                elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                    for body in self._program.body_of(statement.target.usr):
                        self._calls.setdefault(body, []).append((function, statement))

    def _note(self, function: f.Function, statement: f.Assign | f.Written) -> None:
        target = statement.target
        if not isinstance(target, f.Field):
            return
        if isinstance(statement, f.Written):
            self._stores.setdefault(target.usr, []).append((function, None))
        elif not f.is_null(statement.value):
            self._stores.setdefault(target.usr, []).append((function, statement))

    def _is_of_itself(self, function: f.Function, assign: f.Assign | None) -> bool:
        if assign is None or not isinstance(assign.target, f.Field):
            return False
        keeper: f.Value = assign.target.base
        while isinstance(keeper, f.Field) and not self._leads_away(keeper):
            keeper = keeper.base
        names = self._names_in(function)
        store = _Store(function.usr, names.of(keeper), names.of(assign.value))
        return self._are_one(store, frozenset())

    def _leads_away(self, field: f.Field) -> bool:
        return self._program.is_indirect(self._program.type_of(field.usr))

    def _names_in(self, function: f.Function) -> Names:
        known = self._names.get(function.usr)
        if known is None:
            known = self._names[function.usr] = Names(self._program, function)
        return known

    def _are_one(self, store: _Store, seen: frozenset[_Store]) -> bool:
        """Whether both names are of one object, here or wherever the function is called."""
        if not (store.keeper and store.held) or store in seen:
            return False
        if store.keeper == store.held:
            return True
        calls = self._calls.get(store.function, ())
        return bool(calls) and all(
            self._are_one(self._handed(store, caller, call), seen | {store})
            for caller, call in calls
        )

    def _handed(self, store: _Store, caller: f.Function, call: f.Call) -> _Store:
        """*store* in the names of a caller; empty for what it does not hand in."""
        names = self._names_in(caller)
        params = self._program.functions[store.function].params
        there = dict(zip(params, map(names.of, call.args), strict=False))
        base = call.target.base if isinstance(call.target, f.Fn) else None
        there[THIS] = names.of(base)
        return _Store(caller.usr, there.get(store.keeper, ""), there.get(store.held, ""))
