"""Writes that no statement of the function shows: by callees, by lambdas, by other threads.

What is known of a value is a literal that was assigned (``env``) or the outcome of a test
(``facts``).  Where somebody else may have written meanwhile it is known no longer.  The two are
not treated alike: a literal decides which code is looked at at all, so it goes wherever a write is
possible; both outcomes of a test have been followed, and what is lost with it is only that a later
test of the same comes out the same.  That goes where a write is sure to be among what is called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import ended, ownership
from lockorder.static.interp.known import Emptied, compared
from lockorder.static.interp.summary import State, are_numbers
from lockorder.static.interp.values import forget
from lockorder.static.parse import facts as f
from lockorder.static.parse.number_types import INTEGERS
from lockorder.static.program.attributes import INITIALISER
from lockorder.static.program.lent import parameters
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import ELEMENT, Out, is_element, member
from lockorder.static.program.written import (
    how_passed,
    passed_as,
    passing,
    tells,
)

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

#: A step behind the result of a call: what it wrote through a parameter (whose number follows).


def by_callee(act: Walk, state: State, callee: str, base: Paths = ()) -> State:
    """*state* without what a call of *callee*, on the object *base*, may have changed."""
    written = act.engine.written
    perhaps = written.perhaps.get(callee, 0)
    if state.facts:
        put = 0 if callee.startswith(INITIALISER) else perhaps
        state = ended.after_call(act, _refilled(act, state, put, base), callee)
    if not perhaps or not (state.env or state.facts):
        return state
    surely = written.surely.get(callee, 0)
    if not (state.numbers or (surely and state.facts)):
        return state
    others = written.elsewhere.get(callee, perhaps) if _are_local(act, base) else perhaps

    def is_stale(path: Path) -> bool:
        apart = _are_local(act, (path,)) and all(b.root != path.root for b in base)
        return written.has(others if apart else perhaps, path.declarations)

    return _without(
        state,
        is_stale,
        (lambda path: written.has(surely, path.declarations)) if surely else None,
    )


def _refilled(act: Walk, state: State, put: int, base: Paths) -> State:
    """*state* without what was empty, and is not for sure after a call on *base*.

    *put* is the set of what the call may put something to.
    """
    empty = [k for k in state.facts if isinstance(k, Emptied)]
    return state.without([k for k in empty if _may_be_filled(act, k.path, put, base)])


def _may_be_filled(act: Walk, path: Path, put: int, base: Paths) -> bool:
    """Whether a call on *base* may have put something to what was empty at *path*.

    Not in an object that is made here, or is being made, by a method of another object.
    Containers that others know as well may have got new elements, which nobody has moved out.
    """
    if path.steps[-1:] == (ELEMENT,) and not _are_local(act, (path.owner,)):
        return True
    if not act.engine.written.is_put(put, path.declarations):
        return False
    fresh = path.is_this and act.function.kind == "constructor"
    own = fresh or _are_local(act, (path,))
    return not (own and base and all(b.root != path.root for b in base))


def _are_local(act: Walk, paths: Paths) -> bool:
    """Whether *paths* are in objects that are made here: two of these are never one."""
    indirect = act.program.is_indirect
    for path in paths:
        variable = act.program.variables.get(path.variable)
        local = variable is not None and variable.kind == "local"
        if not (local or path.is_made) or any(map(is_element, path.steps)):
            return False
        if variable is not None and indirect(act.program.type_of(variable.usr)):
            return False
        if any(indirect(act.program.type_of(member(s))) for s in path.steps[:-1]):
            return False
    return bool(paths)


def elsewhere(act: Walk, state: State, tests: bool = False) -> State:
    """*state* after others may have run: what threads share has any value that is written to it.

    With *tests*, what was tested is not known either.
    """
    written = act.engine.written

    def is_stale(path: Path) -> bool:
        return is_shared(act, path) and written.has(written.anywhere, path.declarations)

    return _without(state, is_stale, is_stale if tests else None)


def overlaid(act: Walk, target: f.Value, state: State) -> State:
    """*state* after a write to *target*: what lies on it in a union is another number now."""
    beside = frozenset[str]()
    while isinstance(target, f.Elem | f.Field):
        if isinstance(target, f.Field):
            beside |= act.program.overlaid.get(target.usr, frozenset())
        target = target.base
    if not beside:
        return state

    def is_stale(path: Path) -> bool:
        return not beside.isdisjoint(path.members)

    return _without(state, is_stale, is_stale)


def is_shared(act: Walk, path: Path) -> bool:
    """Whether other threads may have what is at *path*."""
    if path.is_this or (path.is_made and path.steps):
        return True  # whoever has the address of what was made may be another thread
    variable = act.program.variables.get(path.variable)
    if variable is None:
        return False
    if variable.kind in ("local", "param"):
        return bool(path.steps) and act.program.is_indirect(variable.type)
    return True


def _without(
    state: State, is_stale: Callable[[Path], bool], is_open: Callable[[Path], bool] | None
) -> State:
    stale = [p for p in state.numbers if is_stale(p)]
    if stale:
        state = state.but(env={p: v for p, v in state.env.items() if p not in stale})
    if is_open is None or not state.facts:
        return state
    return state.without([k for k in state.facts if any(map(is_open, compared(k)))])


# -- arguments ------------------------------------------------------------------------------------


class Handed:
    """What one call may write to: (number of the argument, its value, whether its address is)."""

    __slots__ = ("base", "closures", "inside", "places")

    def __init__(self) -> None:
        self.places: list[tuple[int, f.Value, bool]] = []
        #: Objects of which members may be written to.
        self.inside: list[f.Value] = []
        #: That of them whose method it is.
        self.base: f.Value | None = None
        self.closures: list[f.Value] = []


def handed_to(
    act: Walk,
    callee: str,
    args: Sequence[f.Value],
    base: f.Value | None,
    call: int,
    virtual: bool = False,
    called: f.Value | None = None,
    targets: Sequence[str] = (),
) -> Handed | None:
    """What a call of *callee* may write to; None for nothing, as mostly.

    A callable that is *called* instead says by its type how it takes its arguments; *targets* are
    all that it can be, where that is known.
    """
    name = act.program.name_of(callee) if callee else ""
    if name in act.knowledge.puts or name in act.knowledge.onces:
        return None  # it is known what it leaves there
    found = Handed()
    own, passed = passing(act.program, callee) if callee else (False, "")
    if isinstance(called, f.Var | f.Field):
        passed = "".join(map(passed_as, parameters(act.program.type_of(called.usr)) or ()))
    bodies = act.program.body_of(callee) if callee else tuple(targets)
    if virtual:
        bodies = (*bodies, *act.program.overriders(callee))
    through = act.engine.written.through
    addresses = act.addresses.pop(call, ())
    for at, arg in enumerate(args):
        if isinstance(arg, f.Closure):
            found.closures.append(arg)
        if not isinstance(arg, f.Var | f.Field | f.This):
            continue
        how = how_passed(passed, at)
        if isinstance(arg, f.Var) and how != "*" and at not in addresses:
            found.closures.append(arg)
        if bodies and not any(at in through.get(b, ()) for b in bodies):
            continue
        if at in addresses:
            if how != "-":
                found.places.append((at, arg, True))
        elif how in ("&", "*"):
            if not isinstance(arg, f.This):
                found.places.append((at, arg, how == "&"))
            if not bodies:
                found.inside.append(arg)
    if own and not bodies and base is not None:
        found.inside.append(base)
        found.base = base
    return found if found.places or found.inside or found.closures else None


def settled(act: Walk, found: Handed, result: Path, before: State, after: State) -> State:
    """*after*, the state after a call, without what the call may have written to."""
    for closure in found.closures:
        for path in _callables(act, closure, before):
            after = by_callee(act, after, path.function)
    for at, value, is_place in found.places:
        told = after.env.get(result.then(Out(str(at))))
        places = _places(act, value, before, is_place)
        for place in places:
            if told is None and after.env.get(place) is not before.env.get(place):
                continue  # what is known of the call says what is there now
            after = ownership.filled(forget(after, place), place)
            after = _whole(before, after, place)
            env = dict(after.env)
            env.pop(result.then(Out(str(at))), None)
            if told is not None and len(places) == 1 and place.variable not in act.lent:
                env[place] = told
            elif are_numbers(env.get(place, ())) or _is_pointer(act, place):
                env.pop(place, None)
            after = after.but(env=env)
    # Where nothing is locked or given up, no later unlock needs to know what an earlier test said.
    tests = not (before.held or before.released)
    for value in found.inside:
        owners = act.values.of(value, before)
        inside = functools.partial(_lies_in, owners, strictly=True)
        after = _without(after, functools.partial(_lies_in, owners), inside if tests else None)
        if value is not found.base:  # what its own method leaves there is seen to
            filled = [k for k in after.facts if isinstance(k, Emptied) and inside(k.path)]
            after = after.without(filled)
    return after


def _whole(before: State, after: State, place: Path) -> State:
    """*after* without numbers in an object that is written to as a whole, which are as *before*."""

    def is_stale(path: Path) -> bool:
        return _lies_in((place,), path, True) and before.env.get(path) is after.env[path]

    return _without(after, is_stale, None)


def without_parts(state: State, place: Path) -> State:
    """*state* without what is known of the numbers in the object at *place*."""
    inside = functools.partial(_lies_in, (place,), strictly=True)
    return _without(state, inside, inside)


def _lies_in(owners: Paths, path: Path, strictly: bool = False) -> bool:
    """Whether *path* is one of *owners*, or a part of one; *strictly*: a part."""
    return any(path.is_within(o) and not (strictly and path == o) for o in owners)


def _callables(act: Walk, value: f.Value, state: State) -> Paths:
    if isinstance(value, f.Closure):
        return (Path.of_function(value.usr),)
    known = state.env.get(Path.of_variable(value.usr), ()) if isinstance(value, f.Var) else ()
    return tuple(p for p in known if p.is_function)


def _places(act: Walk, value: f.Value, state: State, is_place: bool) -> Paths:
    """Where a call writes to: the argument itself, or the number that it points to."""
    if is_place:
        return act.values.places(value, state)
    return tuple(p for p in act.values.of(value, state) if is_number(act, p))


def is_number(act: Walk, path: Path) -> bool:
    """Whether a number is at *path*, or a pointer to one, which is followed without a trace."""
    if path.is_plain:
        return False
    spelling = act.identities.type_of(path)
    return tells(spelling) or spelling.removeprefix("volatile ") in INTEGERS


def _is_pointer(act: Walk, place: Path) -> bool:
    return act.identities.type_of(place).rstrip().endswith("*")
