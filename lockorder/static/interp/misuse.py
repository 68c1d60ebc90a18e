"""Misuse of locks that one function shows on every way: unlocked twice, destroyed while held.

What code elsewhere may have done to a lock is not known: one that was handed to it is left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.model import LockKind
from lockorder.static.interp.collected import Misused
from lockorder.static.interp.summary import Site, State
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import Path, Paths

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


def _is_plain(act: Walk, path: Holdable) -> bool:
    """A mutex with a name, which nobody has twice and nobody else gives up."""
    known = act.identities.of(path)
    locks = act.identities.locks
    return (
        bool(known)
        and not path.is_one_of_many
        and all(i.lock in locks and locks[i.lock].kind is LockKind.MUTEX for i in known)
    )


def deleted(act: Walk, state: State, path: Path, site: Site) -> None:
    """The object at *path* is deleted: is a lock in it held?"""
    inside = [h for h in state.held if _lies_in(act, h.path, path)]
    act.ways.note(DESTROY, path, site, inside[-1] if inside else False)


def _lies_in(act: Walk, path: Holdable, owner: Path) -> bool:
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
