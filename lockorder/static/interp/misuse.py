"""Misuse of locks that one function shows on every way: unlocked twice, destroyed while held.

What code elsewhere may have done to a lock is not known: one that was handed to it is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.model import LockKind
from lockorder.static.interp import choices
from lockorder.static.interp.collected import Misused
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import Gone
from lockorder.static.interp.summary import Site, State
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import UNKNOWN, Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

UNLOCK, DESTROY = "unlock-not-held", "destroy-while-held"
EXIT = "lock-held-at-thread-exit"


def unlocked(act: Walk, state: State, paths: Paths, site: Site) -> None:
    """*paths* are given up by a call: was one of them given up here before, and not taken since?"""
    if len(paths) != 1 or site.inner is not None:
        return
    path = paths[0]
    again = path in state.freed or path in state.released
    held = any(h.path == path for h in state.held)
    act.ways.note(UNLOCK, path, site, again and not held and _is_plain(act, path))


def unlocked_later(act: Walk) -> None:
    """Locks that were given up in a branch, and are again where every way on from there leads."""
    for path, site, before in act.ways.in_doubt(UNLOCK):
        if any(_leads_to(act, act.function.body, earlier, site) for earlier in before):
            found = Misused(UNLOCK, act.function.usr, path, site, None, some=True)
            act.engine.found.misused(found)


def _leads_to(act: Walk, block: f.Block, earlier: Site, later: Site) -> bool:
    """Whether the call at *earlier* is one that always goes on to *later*, and takes nothing."""
    for number, statement in enumerate(block.body):
        if _is_at(statement, later):
            return any(
                _goes_on(act, first, earlier) and _are_plain(act, block.body[at + 1 : number])
                for at, first in enumerate(block.body[:number])
            )
        if any(_leads_to(act, inner, earlier, later) for inner in f.parts(statement)):
            return True
    return False


def _goes_on(act: Walk, statement: f.Stmt, site: Site) -> bool:
    """Whether the call at *site* is in a branch of *statement*, and what follows it goes on."""
    if not isinstance(statement, f.If | f.Block):
        return _is_at(statement, site)
    blocks = (statement,) if isinstance(statement, f.Block) else tuple(f.parts(statement))
    return any(
        _goes_on(act, each, site) and _are_plain(act, block.body[at + 1 :])
        for block in blocks
        for at, each in enumerate(block.body)
    )


def _is_at(statement: f.Stmt, site: Site) -> bool:
    return isinstance(statement, f.Call) and site[1:3] == (statement.line, statement.column)


def _are_plain(act: Walk, statements: Sequence[f.Stmt]) -> bool:
    """Whether all of *statements* go on to what follows, and take no lock."""
    block = f.Block(list(statements))
    return not any(isinstance(s, _LEAVING) or _may_take(act, s) for s in f.walk(block))


_LEAVING = f.Return | f.Throw | f.Break | f.Continue | f.Goto | f.Make | f.StaticInit | f.Try


def _may_take(act: Walk, statement: f.Stmt) -> bool:
    if not isinstance(statement, f.Call):
        return False
    bodies = act.program.body_of(statement.target.usr) if isinstance(statement.target, f.Fn) else ()
    if bodies:
        return statement.virtual or any(act.summary_of(b).takes for b in bodies)
    name, k = act.program.called(statement), act.knowledge
    known = name in k.harmless or k.is_standard(name)
    return choices.takes_a_lock(act, statement) or not known


def _is_plain(act: Walk, path: Holdable) -> bool:
    """A mutex with a name, which nobody has twice and nobody else gives up."""
    known = act.identities.of(path)
    locks = act.identities.locks
    return (
        bool(known)
        and not path.is_one_of_many
        and all(i.lock in locks and locks[i.lock].kind is LockKind.MUTEX for i in known)
    )


def deleted(act: Walk, state: State, path: Path, site: Site) -> State:
    """The object at *path* is deleted, or its memory is given back: is a lock in it held?"""
    inside = [h for h in state.held if lies_in(act, h.path, path)]
    act.ways.note(DESTROY, path, site, inside[-1] if inside else False)
    given = any(lies_in(act, p, path) for p in (*state.released, *state.freed))
    return state if given else _gone(act, state, path)


def freed(act: Walk, state: State, paths: Paths, site: Site) -> State:
    """The memory of one of *paths* is given back, by a function that knows nothing of locks."""
    path = paths[0] if len(paths) == 1 else UNKNOWN
    if path.is_some_object or not path.is_object:
        return state
    after = deleted(act, state, path, site)
    held = tuple(h for h in after.held if not lies_in(act, h.path, path))
    return after if len(held) == len(after.held) else after.but(held=held)


def destroyed(act: Walk, state: State, paths: Paths, site: Site) -> State:
    """One of *paths*, which are locks, is destroyed: is it held?"""
    if len(paths) != 1 or not _is_plain(act, paths[0]):
        return state
    path = paths[0]
    held = next((h for h in state.held if h.path == path and not h.either), False)
    act.ways.note(DESTROY, path, site, held)
    return state if path in state.released or path in state.freed else _gone(act, state, path)


def _gone(act: Walk, state: State, path: Path) -> State:
    if not act.engine.is_of_callers(act.function, path):
        return state
    return state.but(facts={**state.facts, Gone(path): True})


def gone(act: Walk, ways: Sequence[State]) -> Paths:
    """What of the callers' is gone on all of *ways*: what they handed in, or a lock in it."""
    first, *others = ways or (State(),)
    found = [
        fact.path
        for fact in first.facts
        if isinstance(fact, Gone) and all(fact in other.facts for other in others)
    ]
    return tuple(p for p in found if not _is_assigned(act, p) and _is_part(act, p))


def _is_part(act: Walk, path: Path) -> bool:
    """Whether *path* is what was handed in, or lies in that."""
    return path == path.base or lies_in(act, path, path.base)


def _is_assigned(act: Walk, path: Path) -> bool:
    """Whether the parameter that *path* begins at can be another object by then."""
    return any(
        isinstance(s, f.Assign) and isinstance(s.target, f.Var) and s.target.usr == path.variable
        for s in f.walk(act.function.body)
    )


def gone_after(act: Walk, state: State, callee: str, paths: Paths, frame: Frame) -> State:
    """*state* after a call that ends the objects, or locks, that *callee* knows as *paths*."""
    given = dict(zip(act.program.functions[callee].params, frame.args, strict=False))
    for path in paths:
        objects = frame.base if path.is_this else given.get(path.variable, ())
        if len(objects) != 1 or objects[0].is_plain:
            continue
        there = objects[0]
        for step in path.steps:
            there = there.then(step)
        if act.identities.of(there):
            state = destroyed(act, state, (there,), frame.site)
        elif not there.is_some_object:
            state = deleted(act, state, there, frame.site)
    return state


def lies_in(act: Walk, path: Holdable, owner: Path) -> bool:
    """Whether the object at *path* is a part of the one at *owner*, not just reached from it."""
    length = len(owner.steps)
    if not isinstance(path, Path) or not path.is_within(owner) or path == owner:
        return False
    return all(
        step in act.program.variables and not act.program.is_indirect(act.program.type_of(step))
        for step in path.steps[length:]
    )


def thread_ends(act: Walk, state: State, site: Site) -> None:
    """The thread ends here: guards give up what they have, and others do if they were told to."""
    kept = [h for h in state.held if h.guard is None and not h.leaked and _is_plain(act, h.path)]
    if not kept or any(_is_cleanup(act, s) for s in f.walk(act.function.body)):
        return
    for held in kept:
        found = Misused(EXIT, act.function.usr, held.lock, site, held)
        act.engine.found.misused(found)


def _is_cleanup(act: Walk, statement: f.Stmt) -> bool:
    if isinstance(statement, f.Make):
        return act.program.split(statement.type)[0] in act.knowledge.cleanups
    return isinstance(statement, f.Call) and act.program.called(statement) in act.knowledge.cleanups
