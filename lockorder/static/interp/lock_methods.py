"""Methods of locks and guards of a known type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.load import Operation
from lockorder.static.interp import guards, locking
from lockorder.static.interp.summary import Site, State
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import is_element

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def is_own_lock(act: Walk, name: str, bodies: Sequence[str]) -> bool:
    """A method of a class that is a lock itself: it locks and unlocks, with no lock inside.

    A spin lock on an atomic flag, say.  Named as [thread.req.lockable] wants.
    """
    cls, _, method = name.rpartition("::")
    if method not in act.knowledge.any_lockable or len(bodies) != 1 or not cls:
        return False
    return act.engine.is_lockable(cls)


def on_declared(
    act: Walk,
    state: State,
    name: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """A method of a lock that is only declared; None where it is of no such."""
    cls, _, method = name.rpartition("::")
    operation = act.knowledge.lockable.get(method)
    if operation is None or args or cls not in act.engine.wrappers.declared:
        return None
    return locking.operate_lock(act, state, base, operation, result, site)


def on_guard(
    act: Walk,
    state: State,
    cls: str,
    path: Path,
    operation: Operation,
    result: Path,
    site: Site,
) -> list[State]:
    """A method of a guard of type *cls*, or of one that lies in a pair."""
    if path not in state.guards and path.steps:
        whole = path.owner
        part = act.program.is_standard(path.last) or is_element(path.steps[-1])
        if whole in state.guards and part:
            path = whole  # the guard in a std::pair
    if path not in state.guards and cls in act.knowledge.locks:
        return locking.operate_lock(act, state, (path,), operation, result, site)
    return guards.operate_guard(act, state, path, operation, result, site)
