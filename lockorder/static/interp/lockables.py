"""Locking an object whose class only a caller knows: a template's parameter.

``m.lock()`` in a template may take a mutex, or lock what a guard refers to, or call a method that
somebody wrote.  The template keeps the step ``*lock`` behind the object; where the object is known,
``locks_of`` says which locks that step stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import dependence, guards, locking
from lockorder.static.interp.summary import Site, State
from lockorder.static.program.paths import UNKNOWN, Path, Paths
from lockorder.static.program.steps import GUARDED, LOCKED

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def operate(
    act: Walk,
    state: State,
    method: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """``x.lock()`` where a caller knows what x is; None where *method* is another one."""
    operation = act.knowledge.any_lockable.get(method) or act.engine.lending.get(method)
    if args or operation is None:
        return None
    locks = tuple(p.then(LOCKED) for p in base if not dependence.does_nothing(act.engine, p))
    return locking.operate_lock(act, state, locks, operation, result, site)


def untyped(
    act: Walk,
    state: State,
    method: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """``x.lock()`` where the type of x is a template parameter or was lost: read it as a lock."""
    owners = [p for p in base if p in state.guards]
    operation = act.knowledge.any_guard.get(method) if owners else None
    if operation is not None:
        each = (guards.operate_guard(act, state, p, operation, result, site) for p in owners)
        return [after for states in each for after in states]
    operation = act.knowledge.any_lockable.get(method)
    if args or operation is None or base == (UNKNOWN,):
        return None
    return locking.operate_lock(act, state, base, operation, result, site)


def locks_of(act: Walk, state: State, path: Path) -> Paths:
    """What ``lock()`` of the object at *path* takes; the step is kept where nobody knows yet."""
    if path == UNKNOWN or path.is_plain:
        return ()
    guard = state.guards.get(path)
    if guard is not None:
        return guard.paths
    cls = act.identities.class_of(path)
    if not cls or cls in act.knowledge.locks:
        return (path,)
    if cls in act.knowledge.guards:
        return (path.then(GUARDED),)
    if act.engine.wrappers.kind_of(cls) is not None:
        return (path,)
    if cls in act.program.classes:
        return _by_method(act, path, cls)
    if dependence.is_template_parameter(act.engine, path):
        return (path.then(LOCKED),)
    return (path,) if _is_default(act, path, cls) else ()


def _by_method(act: Walk, path: Path, cls: str) -> Paths:
    """By the method ``lock`` of a class that is here, its own or an inherited one."""
    if act.engine.is_lockable(cls):
        return (path,)
    bodies = act.program.nearest(cls, "lock")
    if not bodies:
        return (path,) if any(c in act.knowledge.locks for c in act.program.ancestors(cls)) else ()
    taken = guards.left_locked(act, cls, "lock")
    return tuple(
        dict.fromkeys(Path(path.root, path.steps + p.steps) if own else p for p, own in taken)
    )


def _is_default(act: Walk, path: Path, cls: str) -> bool:
    """A member of a parameter's type, whose argument is a default that no type spells out."""
    field = act.program.variables.get(path.last)
    owner = act.program.classes.get(field.name.rpartition("::")[0]) if field is not None else None
    return owner is not None and cls in owner.tparams


def owning(state: State, path: Path | None, owned: bool) -> State:
    """*state* in which the object at *path*, where it is a guard, owns its locks or does not."""
    guard = state.guards.get(path) if path is not None else None
    if path is None or guard is None:
        return state
    return locking.with_guard(state, path, guard._replace(owned=owned))
