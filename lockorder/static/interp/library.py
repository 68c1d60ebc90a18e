"""Calls of the standard library that move, make, end or compare objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.objects import Comparison
from lockorder.static.interp import (
    bodiless,
    conditions,
    copies,
    emptiness,
    guards,
    handles,
    objects,
    ownership,
    stores,
    unseen,
)
from lockorder.static.interp.known import Emptied
from lockorder.static.interp.summary import Rank, Site, State
from lockorder.static.interp.values import forget
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import ELEMENT

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def by_lifetime(
    act: Walk,
    event: f.Call,
    state: State,
    name: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """Calls that make or end objects: ``make_unique``, ``reset``, ``erase``, ``swap``, ..."""
    if event.type:
        return objects.made_by_call(act, event, state, result, args, site)
    k = act.knowledge
    if name in k.moves:
        path = args[0][0] if len(args) == 1 and len(args[0]) == 1 else None
        moved = [p for p in (path, act.place(event.args[0]) if event.args else None) if p]
        for each in moved:
            state = ownership.emptied(state, each)
        state = ownership.last(state, result)
        return [state.with_value(result, args[0] if args else ())]
    if name in k.puts and len(event.args) == len(args) == 2:
        return [_put(act, event, state, args, result, site)]
    order = k.compares.get(name)
    if order is not None and len(args) == 2 and all(len(a) == 1 for a in args):
        a, b = args[0][0], args[1][0]
        if conditions.objects(act.values, a, b):
            ways = _orders(state, Rank(a, b))
            return [_put_in_order(state, order, a, rank, result) for rank in ways]
    if order in ("min", "max") and len(event.args) == 2:
        state = state.with_value(result, ())
        return [conditions.picked(act.values, order == "min", event.args, result, state)]
    if name in k.sharing:
        return [ownership.last(state, result).with_value(result, base)]
    if name in k.swaps or name.rpartition("::")[2] in k.swap_names:
        pair = [a[0] for a in (base, *args) if a]
        if len(pair) == 2 and any(Emptied(p) in state.facts for p in pair):
            return [_swapped(state, *pair)]
        if len(pair) == 2 and all(p in state.guards for p in pair):
            return [guards.swap_guards(state, *pair)]
        told = [event.target.base] if base and isinstance(event.target, f.Fn) else []
        both = [act.place(v) if v is not None else None for v in (*told, *event.args)]
        if (
            len(both) == 2
            and both[0] is not None
            and both[1] is not None
            and (name in k.swaps or _is_pointer(act, both[0]))
        ):
            return [_exchanged(act, state, both[0], both[1])]
        return [state] if name in k.swaps else None
    if base and "::" in name:
        method = name.rsplit("::", 1)[1]
        after = emptiness.asked(act, event, state, method, base, result)
        if after is None and method == f.ASSIGNMENT:
            after = handles.assigned(act, event, state, base, site)
        if after is not None:
            return [after]
        place, declared = act.variable_of(event.target, base, state)
        if method == "operator[]" and not _has_body(act, event):
            states = objects.indexed(act, state, base, declared, site)
            return [
                t for s in states for t in bodiless.outside(act, s, name, base, args, result, site)
            ]
        own = len(base) == 1 and name.rpartition("::")[0] in k.owners
        spelling = declared or (act.identities.type_of(base[0]) if own else "")
        if ownership.gives_up(act, spelling.removesuffix("&"), method):
            owner = objects.owner_at(act, place, declared, base)
            return [_released(state, owner, base, result)]
        # A pointer that is made of nothing, as a default argument is, is null.
        default = all(isinstance(a, f.Lit) and not a.text for a in event.args)
        given = () if default and ownership.points(act, spelling) else args
        ending = _as_it_ends(act, event, spelling, method)
        found = objects.owner_call(act, state, ending, base, place, declared, given, site)
        if not objects.takes(act, method, base, declared):
            return _gone_on(act, event, found, method, base, result)
        if found is None:
            found = bodiless.outside(act, state, name, base, args, result, site)
        if method != f.ASSIGNMENT:
            found = [_put_in(s, base[0], args) for s in found]
        into = place or base[0]
        if method != f.ASSIGNMENT and not ownership.is_null(args[0] if args else ()):
            found = [ownership.filled(s, into) for s in found] if args else found
        return [ownership.copied(act, s, into, event.args) for s in found]
    return None


def _released(state: State, owner: Path, base: Paths, result: Path) -> State:
    """``owner.release()``: what it had is the *result*, and it has nothing any more.

    What a temporary owns has its name until then, and outlives it.
    """
    if owner.is_made and base == (owner,):
        state, base = stores.rename(state, owner, result), (result,)
    return ownership.emptied(state, owner).with_value(result, base)


def _as_it_ends(act: Walk, event: f.Call, spelling: str, method: str) -> str:
    """*method*, or the one that ends what it takes out where nobody keeps that."""
    owner = act.knowledge.owners.get(act.program.split(act.program.plain(spelling))[0])
    taken = owner is not None and method in owner.takes_out
    return "erase" if taken and is_dropped(act, event.id) else method


def _has_body(act: Walk, event: f.Call) -> bool:
    """Whether what is called was read."""
    return isinstance(event.target, f.Fn) and bool(act.program.body_of(event.target.usr))


def _gone_on(
    act: Walk, event: f.Call, found: list[State] | None, method: str, base: Paths, result: Path
) -> list[State] | None:
    """``it = all.erase(it)``: the result is at an element, as the iterator was."""
    if not found or method not in act.knowledge.goes_on or len(base) != 1:
        return found
    element = base[0].then(ELEMENT)
    told = [act.values.origin(value) for value in event.args]
    if len(told) != 1 or act.values.of(told[0], found[0]) != (element,):
        return found
    return [state.with_value(result, (element,)) for state in found]


def _put(
    act: Walk, event: f.Call, state: State, args: Sequence[Paths], result: Path, site: Site
) -> State:
    """``std::exchange(place, value)``: the result is what was there, and owns what that did."""
    target, value = event.args
    places = act.values.places(target, state)
    if is_dropped(act, event.id):
        state = _replaced(act, event, state, places or args[0], args[1], site)
    number = args[0] == places and all(unseen.is_number(act, p) for p in places)
    truth = act.values.known(target, state)
    state = forget(stores.assign(act, f.Assign(target, value, event.line), state), result)
    if truth is not None:
        state = state.but(facts={**state.facts, result: truth})
    # A number that is not known is not what lies at its place any more.
    state = ownership.last(state, result).with_value(result, () if number else args[0])
    for place in places if len(places) == 1 else ():
        null = ownership.is_null(args[1])
        state = ownership.emptied(state, place) if null else ownership.filled(state, place)
        kind = act.identities.type_of(place)
        if given := [p for p in args[1] if p.is_made and ownership.points(act, kind)]:
            env = {k: v for k, v in state.env.items() if k != place}
            state = state.but(env=env)  # the temporaries hand on what they own
            for each in given:
                state = ownership.emptied(state, each)
    return state


def is_dropped(act: Walk, call: int) -> bool:
    """Whether what a call returned ends where it was made: nothing takes it on.

    A smart pointer may still be asked what it has.
    """
    result = f.Result(call)
    for statement in f.walk(act.function.body):
        if result not in f.values(statement):
            continue
        target = statement.target if isinstance(statement, f.Call) else None
        asks = isinstance(target, f.Fn) and target.base == result
        if not (asks and isinstance(statement, f.Call) and isinstance(target, f.Fn)):
            return False
        if result in statement.args or act.program.name_of(target.usr) in act.knowledge.gives_up:
            return False
    return True


def _replaced(
    act: Walk, event: f.Call, state: State, places: Paths, given: Paths, site: Site
) -> State:
    """What was at *places* ends, as it does where that is assigned to: *given* is there now."""
    target, value = event.args
    place, declared = act.variable_of(f.Fn("", target), places, state)
    owner = objects.owner_call(act, state, f.ASSIGNMENT, places, place, declared, [given], site)
    if owner is not None:
        return owner[0]
    cls = act.identities.class_of(places[0]) if len(places) == 1 else ""
    return copies.let_go(act, value, state, cls, places, given)


def _put_in(state: State, container: Path, args: Sequence[Paths]) -> State:
    """Guards among *args* go into a container, which has their locks from now on."""
    for path in (p for a in args for p in a if p in state.guards):
        state = guards.move_guard(state, path, container.then(ELEMENT))
        state = ownership.filled(state, container)
    return state


def _orders(state: State, rank: Rank) -> list[Rank]:
    """The outcomes of a comparison that are possible."""
    other = conditions.turned_round(rank)
    return [r for r, against in ((rank, other), (other, rank)) if against not in state.ranks]


def _put_in_order(state: State, order: Comparison, first: Path, rank: Rank, result: Path) -> State:
    """The result of a comparison of two objects, or the one that was asked for."""
    state = conditions.rank(state, rank)
    if order in ("less", "greater"):
        less = (rank.low == first) == (order == "less")
        return state.but(facts={**state.facts, result: less})
    if order == "both":
        return state.with_value(result, rank[:2])
    return state.with_value(result, (rank.low if order == "min" else rank.high,))


def _is_pointer(act: Walk, place: Path) -> bool:
    return act.program.is_indirect(act.program.plain(act.program.type_of(place.variable)))


def _exchanged(act: Walk, state: State, a: Path, b: Path) -> State:
    """``std::swap(a, b)`` of plain variables: what they stand for changes places."""
    values = act.values.read(a, state), act.values.read(b, state)
    both = tuple(dict.fromkeys((*values[0], *values[1])))
    if both == (a, b) and not _is_pointer(act, a):
        return state
    return state.but(env={**state.env, a: values[1], b: values[0]})


def _swapped(state: State, a: Path, b: Path) -> State:
    """Two owners change places: with them, which of them is empty."""
    empty = [Emptied(p) in state.facts for p in (a, b)]
    facts = {k: v for k, v in state.facts.items() if k not in (Emptied(a), Emptied(b))}
    for path, was in ((b, empty[0]), (a, empty[1])):
        if was:
            facts[Emptied(path)] = True
    return state.but(facts=facts)
