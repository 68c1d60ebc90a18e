"""Assignments of whole objects that nobody wrote code for: each member is assigned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import ownership, unseen
from lockorder.static.interp.summary import State, are_numbers
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import UNKNOWN, Path, Paths
from lockorder.static.program.steps import Steps

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def assigned(
    act: Walk, event: f.Call, state: State, name: str, base: Paths, args: Sequence[Paths]
) -> State:
    """*state* after a call of the function *name*, where that is an assignment without a body.

    What was known of the members of the object is not so any more; one that the compiler makes
    leaves there what the members of the other object are.
    """
    cls, _, method = name.rpartition("::")
    known = act.program.classes.get(cls)
    if method != f.ASSIGNMENT or known is None or not isinstance(event.target, f.Fn):
        return state
    target = event.target
    places = act.values.places(target.base, state) if target.base is not None else ()
    own = target.usr in known.methods
    if not own:
        told = event.args[0] if len(event.args) == 1 else None
        given = args[0] if len(args) == 1 else ()
        state = let_go(act, told, state, cls, places or base, given)
    for place in places or base:  # an element, or what a call returned, has no place
        state = unseen.without_parts(state, place)
    if own or len(places) != 1 or len(args) != 1 or len(args[0]) != 1:
        return state
    place, source = places[0], args[0][0]
    if source.is_plain or place.is_within(source) or source.is_within(place):
        return state
    env = dict(state.env)
    into(env, source, place)
    return state.but(env=env)


def let_go(
    act: Walk, told: f.Value | None, state: State, cls: str, places: Paths, given: Paths
) -> State:
    """What an object of *cls* owned ends where it is assigned to as a whole: *told*, or *given*.

    A local object has mostly nothing in it yet.
    """
    parts = act.lifetimes.let_go(cls)
    if not parts or told is None or len(places) != 1 or _is_local(act, places[0]):
        return state
    site = act.site(*act.place_of_call)
    if ownership.is_empty(state, places[0]):  # it was moved from
        return ownership.filled(state, places[0])
    for way, _ in parts:
        owner, value = _within(places[0], way), _given(act, told, state, given, way)
        act.owner_call(state, f.ASSIGNMENT, (owner,), (value,), site)
        state = ownership.filled(state, owner)
    return state


def _given(act: Walk, told: f.Value, state: State, given: Paths, way: Steps) -> Paths:
    """What the member on that *way* is assigned: of the list in braces, or of the other object."""
    for at, field in enumerate(way):
        if not isinstance(told, f.AnyOf) or not told.fields:
            found = given if at == 0 else act.values.of(told, state)
            return (_within(found[0], way[at:]),) if len(found) == 1 else (UNKNOWN,)
        if field not in told.fields:
            return (UNKNOWN,)
        told = told.values[told.fields.index(field)]
    return act.values.of(told, state) or (UNKNOWN,)


def _within(path: Path, way: Steps) -> Path:
    return Path(path.root, (*path.steps, *way))


def _is_local(act: Walk, place: Path) -> bool:
    variable = act.program.variables.get(place.variable)
    if variable is None:
        return place.is_made
    return variable.kind == "local" and not act.program.is_indirect(variable.type)


def into(env: dict[Path, Paths], source: Path, place: Path) -> None:
    """Numbers of the object at *source* are those of its copy at *place* from now on."""
    copied = {
        Path(place.root, (*place.steps, *path.steps[len(source.steps) :])): value
        for path, value in env.items()
        if path.is_within(source) and path != source and are_numbers(value)
    }
    env.update(copied)
    if copied or source.is_made:  # which ends, and is no name for what lives on
        env.pop(place, None)


def is_copied(act: Walk, place: Path) -> bool:
    """Whether a member at *place* is an object of its own of a class of the program."""
    if not place.steps:
        return False
    spelling = act.program.type_of(place.last).removeprefix("const ")
    return spelling in act.program.classes
