"""The end of objects: destructors of parts, last releases, deleters, elements ([class.dtor])."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.bounds import CLOSURES, NESTED
from lockorder.knowledge.schema import Owner
from lockorder.model import Certainty
from lockorder.static.interp import dependence, guards, locking, misuse, ownership, snapshots
from lockorder.static.interp.apply import apply
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import EndWaits, LastOwner, Receives
from lockorder.static.interp.summary import Deferred, Site, State
from lockorder.static.parse import facts as f
from lockorder.static.parse.names import array_element, innermost_element
from lockorder.static.program import deletions
from lockorder.static.program.effects import Wait
from lockorder.static.program.paths import UNKNOWN, Path, Paths
from lockorder.static.program.steps import ELEMENT, GUARDED, Ends, Method

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

STORED = "another closure, or none, may be stored there"
SHARED = "a shared pointer's release may not be the last"
KEPT = "a shared pointer's release is seldom the last: {count} members share such objects"


def destroy(act: Walk, state: State, path: Path, line: int = 0) -> State:
    """An object that is no known guard dies: its destructor runs, then its members'.

    It does so at *line*, or at the function's end.
    """
    spelling = act.program.plain(act.identities.type_of(path))  # a reference keeps what it names
    if not spelling or spelling.rstrip().endswith("*"):
        return state
    if ownership.is_empty(state, path):
        return state
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    if owner is not None and owner.shared and not _is_last(act, state, path):
        return state  # a copy of a pointer that somebody else has as well
    if snapshots.has_all_elsewhere(act, state, path):
        return state
    return _destroy_as(act, state, path, spelling, act.site(line or _end(act)), ())


def _is_last(act: Walk, state: State, path: Path) -> bool:
    """Whether a shared pointer of the function's own is the last one to what it points to."""
    if state.facts.get(LastOwner(path)):
        return True
    if not path.is_variable or path.steps:
        return False
    return act.engine.escapes.is_own(act.function.usr, path.variable)


def _end(act: Walk) -> int:
    return act.function.end or act.function.line


def _destroy_as(
    act: Walk,
    state: State,
    path: Path,
    spelling: str,
    site: Site,
    within: tuple[str, ...],
    certainty: Certainty = Certainty.CERTAIN,
    why: str = "",
) -> State:
    if not within:
        act.ended_inside.clear()
    if path in state.guards:
        return guards.drop_guard(act, state, path)
    if not act.lifetimes.destroyed(spelling) or spelling in within:
        return state  # what owns itself ends once
    if within and ownership.is_nothing(state, path):
        return state  # a part that was moved from before
    if len(within) > 1 and act.ends_quietly(spelling):
        return state
    text = spelling.strip()
    element = array_element(text)
    if element:
        one, inside = path.then(ELEMENT), (*within, spelling)
        state = _drop_inside(act, state, path)
        return _destroy_as(act, state, one, element, site, inside, certainty, why)
    name = act.program.split(text)[0]
    if within and name in act.knowledge.guards and _is_callers(act, path):
        return locking.release(act, state, (path.then(GUARDED),))  # what only callers can name
    owner = act.knowledge.owners.get(name)
    if owner is not None:
        if owner.callable:
            if certainty < Certainty.POSSIBLE:
                return destroy_closures(act, state, path, site, within, why, certainty)
            return destroy_closures(act, state, path, site, within)
        if owner.pointer:
            return destroy_pointee(act, state, path, text, owner, site, within, why, certainty)
        return destroy_elements(act, state, path, text, owner, site, within, certainty, why)
    end = act.knowledge.ends.get(name)
    if end is not None:
        if not end.made_by or state.facts.get(EndWaits(path)):
            act.block_by_name(state, end.waits, (path,), site)
        return state
    if not act.lifetimes.destroyed(name):
        return state
    return _destroy_class(act, state, path, name, site, within, certainty, why)


def _is_callers(act: Walk, path: Path) -> bool:
    """Whether *path* lies in an object that the function was given, or is called on."""
    return path.is_this or act.engine.is_parameter(path)


def _destroy_class(
    act: Walk,
    state: State,
    path: Path,
    cls: str,
    site: Site,
    within: tuple[str, ...],
    certainty: Certainty = Certainty.CERTAIN,
    why: str = "",
) -> State:
    known = act.program.classes.get(cls)
    if known is None or cls in within:
        return state
    if len(within) > 1:
        # What owns much by pointers leads to the same classes by thousands of ways.
        end = cls, certainty, any(path.is_within(owner) for owner in act.ending)
        if end in act.ended_inside:
            return state
        act.ended_inside.add(end)
    if known.dtor:
        for body in act.program.body_of(known.dtor):
            if _is_on(site, body):
                return state  # it owns itself, and ends once
            frame = Frame(
                (), (path,), UNKNOWN, site, certainty, why, ending=act.ending, last=act.last
            )
            state = _after_end(act, state, body, frame)
    inside = (*within, cls)  # whose parts end as surely as it does itself
    for field, spelling in act.lifetimes.parts(cls):
        state = _destroy_as(act, state, path.then(field), spelling, site, inside, certainty, why)
    for base in reversed(known.bases):
        state = _destroy_as(act, state, path, base, site, inside, certainty, why)
    return state


def _after_end(act: Walk, state: State, body: str, frame: Frame) -> State:
    """*state* after the destructor *body*, which may not be known to come back yet."""
    before, act.waits_for_group = act.waits_for_group, False
    after = _one_end(apply(act, state, body, frame))
    waits = act.waits_for_group
    act.waits_for_group = before or waits
    if after is None:
        return state.but(waits=True) if waits else state
    return state if after.is_like(state) else after


def _one_end(ways: list[State]) -> State | None:
    """Of the ways in which a destructor comes back the one on which it gives up most.

    What it asks first is whether there is anything to give up; where that is not known, an object
    that took a lock is taken to know it.
    """
    if len(ways) == 1:
        return ways[0]
    return min(ways, key=lambda s: len(s.held), default=None)


def _is_on(site: Site, function: str) -> bool:
    """Whether a call chain leads through *function*."""
    return any(here.function == function for here in site.along())


def destroy_pointee(
    act: Walk,
    state: State,
    path: Path,
    spelling: str,
    owner: Owner,
    site: Site,
    within: tuple[str, ...],
    doubt: str = "",
    at_most: Certainty = Certainty.GUESSED,
) -> State:
    """What a smart pointer owns dies: by its deleter, or as what it is."""
    if not within:
        act.ended_inside.clear()
    if path in state.guards:
        return guards.drop_guard(act, state, path)
    arguments = act.program.split(spelling)[1]
    deleters = [
        each
        for each in act.engine.deleters(path)
        if _deletes(act, each, arguments) and act.engine.points_to.may_delete_of(each, spelling)
    ]
    if arguments and act.program.split(arguments[0])[0] in act.knowledge.guards:
        return locking.release(act, state, (path.then(GUARDED),))  # made by another function
    held = act.engine.held_classes.of(path)
    found = state.env.get(path, ())
    path = found[0] if len(found) == 1 else path
    copy = _copy_of(act, state, path) if owner.shared else None
    if copy is not None:
        return ownership.last(state, copy)  # then that one may be
    pointee = act.program.split(innermost_element(arguments[0]))[0] if arguments else ""
    certainty, why = _last_release(act, pointee, owner, within)
    if doubt and at_most <= certainty:
        certainty, why = at_most, doubt
    kept = {
        body: path.then(Ends(each))
        for each in arguments[1:]
        for body in act.program.call_operators(act.program.split(each)[0])
    }
    if deleters or kept:
        for body in dict.fromkeys((*deleters, *kept)):
            alone = owner.shared and not _blocks(act, body, _taken_by(act, body))
            place = kept.get(body, UNKNOWN)
            state = _end_by(act, state, path, body, site, alone, certainty, why, place)
        return state
    classes = act.lifetimes.owned_as(pointee, owner.shared) if pointee else []
    if held is not None:
        classes = sorted(held)
    for cls in classes:
        if own := _own_ends(act, cls) if owner.pointer else ():
            for body in own:
                alone = owner.shared and not _blocks(act, body, cls)
                state = _end_by(act, state, path, body, site, alone, certainty, why)
        elif act.lifetimes.destroyed(cls):
            alone = owner.shared and not _waits(act, cls)
            before = act.ending, act.last
            act.ending = (*act.ending, path) if alone else act.ending
            act.last = cls if owner.shared else act.last
            state = _destroy_class(act, state, path, cls, site, within, certainty, why)
            act.ending, act.last = before
    return state


def _end_by(
    act: Walk,
    state: State,
    path: Path,
    deleter: str,
    site: Site,
    alone: bool,
    certainty: Certainty,
    why: str,
    own: Path = UNKNOWN,
) -> State:
    """The object at *path* ends by *deleter*; *alone*: nobody else can want a lock in it.

    A deleter that is an object is at *own*.
    """
    ending = (*act.ending, path) if alone else act.ending
    frame = Frame(((path,),), (own,), UNKNOWN, site, certainty, why, ending=ending)
    return _after_end(act, state, deleter, frame)


def _own_ends(act: Walk, cls: str) -> tuple[str, ...]:
    """What ends objects of *cls* wherever they are, by what all of their makers said."""
    return () if cls in act.engine.made_by_binders else act.engine.own_ends.of(cls)


def _waits(act: Walk, cls: str) -> bool:
    """Whether the end of an object waits for somebody who may have it, too: a thread of its own."""
    known = act.ends_waiting.get(cls)
    if known is None:
        ends = (u for u in act.lifetimes.destroyed(cls) if u in act.program.functions)
        known = act.ends_waiting[cls] = any(_blocks(act, u, cls) for u in ends)
    return known


def _blocks(act: Walk, usr: str, cls: str) -> bool:
    """Whether a call of a function waits for somebody who may have an object of *cls*."""
    return any(
        isinstance(path, Wait) and act.engine.companions.have(path, cls)
        for path, _, _ in act.summary_of(usr).taken
    )


def _taken_by(act: Walk, deleter: str) -> str:
    """The class of what a deleter is given; empty where it takes anything."""
    for parameter in act.program.functions[deleter].params[:1]:
        return act.program.split(act.program.pointee(act.program.type_of(parameter)))[0]
    return ""


def _last_release(
    act: Walk, pointee: str, owner: Owner, within: tuple[str, ...]
) -> tuple[Certainty, str]:
    """How surely what a pointer to *pointee* owns ends with it.

    One inside what dies is one of many, mostly.  Where other members share such objects as well,
    each of them is as likely to be the last.
    """
    if not owner.shared:
        return Certainty.CERTAIN, ""
    if len(within) < 2:
        return Certainty.POSSIBLE, SHARED
    count = len(act.lifetimes.keepers(pointee))
    if count > 1:
        return Certainty.SELDOM, KEPT.format(count=count)
    return Certainty.GUESSED, SHARED


def destroy_closures(
    act: Walk,
    state: State,
    path: Path,
    site: Site,
    within: tuple[str, ...],
    doubt: str = STORED,
    at_most: Certainty = Certainty.POSSIBLE,
) -> State:
    """A callable dies: whichever closure may be in it, with what that has captured by value."""
    copy = _copy_of(act, state, path)
    if copy is not None:
        return ownership.last(state, copy)
    closures = act.engine.callable_targets(path)
    if len(closures) > CLOSURES.limit:
        act.cut(CLOSURES)
        return state
    if len(within) > 1:
        at_most = Certainty.GUESSED
    for closure in closures:
        for usr, spelling in act.lifetimes.closures.captures(closure):
            place, name = Path.of_variable(usr), act.program.split(spelling)[0]
            owner = act.knowledge.owners.get(name)
            if not act.lifetimes.destroyed(spelling):
                continue
            if owner is not None and owner.pointer:
                state = destroy_pointee(
                    act, state, place, spelling, owner, site, within, doubt, at_most
                )
            elif owner is None:
                state = _destroy_class(
                    act, state, place, name, site, (*within, spelling), at_most, doubt
                )
    return state


def _copy_of(act: Walk, state: State, path: Path) -> Path | None:
    """A local copy of a shared pointer that lives on: its release is not the last."""
    # There are few locals that are to be destroyed, and thousands of places with a value.
    env = state.env
    copies = [p for p in state.alive if p in env and _is_copy(act, p, env[p], path)]
    if len(copies) > 1:
        return next(local for local in env if local in copies)
    return copies[0] if copies else None


def _is_copy(act: Walk, local: Path, value: Paths, path: Path) -> bool:
    """Whether *local*, which has *value*, shares what *path*, another pointer, points to."""
    if local.steps or local == path or not any(_overlap(v, path) for v in value):
        return False
    spelling = act.program.plain(act.program.type_of(local.variable))
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    return owner is not None and owner.shared


def _overlap(a: Path, b: Path) -> bool:
    """Whether one path leads through the other; an element stands for any."""
    if a.root != b.root or not a.steps or not b.steps:
        return False
    shorter = min(len(a.steps), len(b.steps))
    return a.steps[:shorter] == b.steps[:shorter]


def _deletes(act: Walk, deleter: str, arguments: tuple[str, ...]) -> bool:
    """Whether a function can be the deleter of a pointer to the first of *arguments*."""
    function = act.program.functions.get(deleter)
    if function is None or not function.params or not arguments:
        return False
    taken = act.program.pointee(act.program.type_of(function.params[0]))
    cls = act.program.split(taken)[0]
    pointee = act.program.split(arguments[0])[0]
    if cls in ("void", "auto") or pointee in ("void", cls):
        return True
    return cls in act.program.family(pointee)


def destroy_elements(
    act: Walk,
    state: State,
    path: Path,
    spelling: str,
    owner: Owner,
    site: Site,
    within: tuple[str, ...],
    certainty: Certainty = Certainty.CERTAIN,
    why: str = "",
) -> State:
    if not within:
        act.ended_inside.clear()
    for each in act.lifetimes.owned(spelling):
        inner = act.program.split(each)[0]
        interesting = act.lifetimes.destroyed(each) or inner in act.knowledge.guards
        if interesting:
            place = path if owner.single else path.then(ELEMENT)
            if owner.single and inner in act.knowledge.guards and place not in state.guards:
                # Made by another function.
                state = locking.release(act, state, (place.then(GUARDED),))
                continue
            inside = (*within, spelling)
            state = _drop_inside(act, state, path)
            state = _destroy_as(act, state, place, each, site, inside, certainty, why)
    return state


def destroy_value(
    act: Walk, state: State, path: Path, spelling: str, site: Site, certainty: Certainty, why: str
) -> State:
    """What is at *path* dies where something else is put there, and no more surely than told."""
    return _destroy_as(act, state, path, spelling, site, (), certainty, why)


def _drop_inside(act: Walk, state: State, path: Path) -> State:
    """Guards that are elements of what dies give up what they have, the last one first."""
    for guard in reversed([g for g in state.guards if g != path and g.is_within(path)]):
        state = guards.drop_guard(act, state, guard)
    return state


def destroy_held(act: Walk, state: State, spelling: str, site: Site) -> None:
    """The object behind a binding of *spelling* dies: by its holder where one is named."""
    arguments = act.program.split(spelling)[1]
    holders = [a for a in arguments[1:] if act.program.split(a)[0] in act.knowledge.owners]
    path = Path.of_made(act.function.usr, "held")
    for each in holders or arguments[:1]:
        act.identities.made_types[path.root] = each
        _destroy_as(act, state, path, each, site, ())


def delete(act: Walk, event: f.Delete, state: State) -> State:
    """``delete p``: the destructor of what p points to, virtual or not."""
    for path in act.values.of(event.value, state)[:1]:
        if path in state.guards:
            return guards.drop_guard(act, state, path)
        if state.facts.get(path) is False:
            continue  # null
        cls = _narrowed(act, event.value, act.identities.class_of(path))
        site = act.site(event.line)
        state = misuse.deleted(act, state, path, site)
        if dependence.is_dependent(act.engine, path):
            if not deletions.is_counted(act.function, event):
                later = path.then(Method(deletions.END))
                act.record_deferred(Deferred(later, (), state.held, site, state.released))
            continue
        ends = act.program.deleted_as(cls) if cls else []
        for each in ends:
            state = _delete_as(act, state, path, each, len(ends), site)
    return state


def _narrowed(act: Walk, value: f.Value, cls: str) -> str:
    """*cls*, or the class below it that a pointer was cast to: ``dynamic_cast<Part *>(any)``."""
    spelling = act.program.type_of(value.usr) if isinstance(value, f.Var | f.Field) else ""
    declared = act.program.split(act.program.pointee(spelling))[0] if spelling else ""
    below = declared in act.program.classes and cls in act.program.ancestors(declared)
    return declared if below else cls


def _delete_as(act: Walk, state: State, path: Path, cls: str, several: int, site: Site) -> State:
    """The object ends as one of *cls*, of *several* classes: callers may know that it is none."""
    fact = Receives(path, deletions.END + cls)
    if several < 2 or not dependence.is_told(act, path):
        return _destroy_as(act, state, path, cls, site, ())
    act.receiving[fact] = None
    state = _destroy_as(act, state.but(facts={**state.facts, fact: True}), path, cls, site, ())
    return state.but(facts={k: v for k, v in state.facts.items() if k != fact})


def delete_later(act: Walk, state: State, path: Path, site: Site) -> bool:
    """Record what a template's ``delete p`` does, where the class of the object is known by now."""
    cls = act.identities.class_of(path)
    if path == UNKNOWN or cls not in act.program.classes:
        return False
    if sum(1 for _ in site.along()) > NESTED.limit:  # a list may own itself
        act.cut(NESTED)
        return True
    for each in act.program.deleted_as(cls):
        _destroy_as(act, state, path, each, site, ())
    return True
