"""Locals of which one tells what the other is: ``lo = a < b ? a : b; hi = lo == a ? b : a``.

Ways that differ only in such values are walked as one.  Where a lock of one local is taken there is
a way for each object that it can be; what decided between them is known from then on, and so is
what it, or a comparison with that object, decides for the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program import roots
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import UNKNOWN, Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def decided(act: Walk, place: Path, state: State) -> State:
    """*state* with what the local at *place* is, where it is known by now what decides that."""
    value = state.env.get(place, ())
    chosen = _choice(act, place) if len(value) > 1 else None
    if chosen is None:
        return state
    truth = act.values.known(chosen.cond, state)
    if truth is None and isinstance(chosen.cond, f.Compare):
        truth = _are_one(act, chosen.cond, state)
    if truth is None:
        return state
    left = tuple(p for p in act.values.of(chosen.values[not truth], state) if p in value)
    return state.with_value(place, left) if left else state


def learned(act: Walk, place: Path, path: Path, state: State) -> State:
    """*state* in which the local at *place* is *path*, with what decided that."""
    chosen = _choice(act, place)
    if chosen is None or chosen.cond is None:
        return state
    ways = [path in act.values.of(value, state) for value in chosen.values]
    if ways[0] == ways[1]:
        return state
    return act.values.assume(chosen.cond, ways[0], state) or state


def are_two(act: Walk, state: State, one: Holdable, other: Holdable) -> bool:
    """Whether the function chooses between the objects that two locks are in."""
    if not isinstance(one, Path) or not isinstance(other, Path) or one.root is other.root:
        return False
    return any(
        {r for value in chosen.values for r in _roots(act, value, state)} == {one.root, other.root}
        for chosen in choices(act).values()
    )


def _roots(act: Walk, value: f.Value, state: State) -> list[roots.Root]:
    return [p.root for p in act.values.of(value, state)]


def choices(act: Walk) -> dict[str, f.AnyOf]:
    """Locals that begin as ``c ? a : b``, where nothing of it is ever written to again."""
    if act.choices is None:
        act.choices = {}
        for statement in f.walk(act.function.body):
            if isinstance(statement, f.Local) and statement.usr in act.values.unmoved:
                value = statement.value
                if isinstance(value, f.AnyOf) and _is_still(act, value):
                    act.choices[statement.usr] = value
    return act.choices


def _is_still(act: Walk, value: f.AnyOf) -> bool:
    if value.cond is None or len(value.values) != 2:
        return False
    inside = [v for v in f.parts_of(value) if not isinstance(v, f.AnyOf | _TESTS | f.Lit)]
    return all(isinstance(v, f.Var) and v.usr in act.values.unmoved for v in inside)


def _choice(act: Walk, place: Path) -> f.AnyOf | None:
    return choices(act).get(place.variable) if place.is_variable and not place.steps else None


_TESTS = f.Compare | f.Less | f.Not | f.Both


def _are_one(act: Walk, test: f.Compare, state: State) -> bool | None:
    """What a comparison of two objects says: those of two parameters count as two."""
    sides = act.values.of(test.left, state), act.values.of(test.right, state)
    if any(len(side) != 1 or not side[0].is_object or side[0] == UNKNOWN for side in sides):
        return None
    left, right = sides[0][0], sides[1][0]
    if left == right:
        return test.equal
    params = act.function.params
    two = all(p.is_variable and not p.steps and p.variable in params for p in (left, right))
    return not test.equal if two else None
