"""Methods of locks and guards, where the type is known and where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.load import Operation
from lockorder.static import guards, locking
from lockorder.static.paths import UNKNOWN, Path, Paths, is_element
from lockorder.static.pointsto import STANDARD
from lockorder.static.summary import Site, State

if TYPE_CHECKING:
    from lockorder.static.activation import Activation

_LOCKABLE = frozenset(
    ("lock", "unlock", "try_lock", "lock_shared", "unlock_shared", "try_lock_shared")
)


def is_own_lock(act: Activation, name: str, bodies: Sequence[str]) -> bool:
    """A method of a class that is a lock itself: it locks and unlocks, with no lock inside.

    A spin lock on an atomic flag, say.  Named as [thread.req.lockable] wants.
    """
    cls, _, method = name.rpartition("::")
    if method not in _LOCKABLE or len(bodies) != 1 or not cls:
        return False
    return act.engine.is_lockable(cls)


def untyped_lock(
    act: Activation,
    state: State,
    method: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """``x.lock()`` where the type of x is a template parameter or was lost: read it as a lock."""
    if base and base[0] in state.guards:
        operation = act.knowledge.operation("std::unique_lock", method)
        if operation is not None:
            return guards.operate_guard(act, state, base[0], operation, result, site)
    if args or method not in ("lock", "unlock", "lock_shared", "unlock_shared", "try_lock"):
        return None
    operation = act.knowledge.operation("std::shared_mutex", method)
    if operation is None or base == (UNKNOWN,):
        return None
    return locking.operate_lock(act, state, base, operation, result, site)


def on_guard(
    act: Activation,
    state: State,
    cls: str,
    path: Path,
    operation: Operation,
    result: Path,
    site: Site,
) -> list[State]:
    """A method of a guard of type *cls*, or of one that lies in a pair."""
    if path not in state.guards and path.steps:
        whole = Path(path.root, path.steps[:-1])
        part = path.steps[-1].startswith(STANDARD) or is_element(path.steps[-1])
        if whole in state.guards and part:
            path = whole  # the guard in a std::pair
    if path not in state.guards and cls in act.knowledge.locks:
        return locking.operate_lock(act, state, (path,), operation, result, site)
    return guards.operate_guard(act, state, path, operation, result, site)
