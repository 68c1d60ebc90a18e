"""Flags that are locks: who swaps a one in has it, who stores a zero gives it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.model import How, Mode
from lockorder.static.interp import locking
from lockorder.static.interp.summary import Site, State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def call(
    act: Walk,
    event: f.Call,
    state: State,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """A call that swaps a flag, or stores into it; None where *event* is another one."""
    wrappers = act.engine.wrappers
    if not wrappers.flags:
        return None
    key = (act.function.usr, event.id)
    success = wrappers.tries.get(key)
    if success is None and key not in wrappers.stores:
        return None
    target = event.target
    base = target.base if isinstance(target, f.Fn | f.Name) else None
    paths = act.values.of(base, state) if base is not None else args[0] if args else ()
    if success is None:
        return [locking.release(act, state, paths)]
    return locking.attempt(
        act, state, state, paths, Mode.EXCLUSIVE, How.TRY, result, site, success=success
    )


def assign(act: Walk, event: f.Assign, state: State) -> State:
    """``flag = 0``, where that gives a lock up."""
    flags = act.engine.wrappers.flags
    target = event.target
    if not flags or not isinstance(target, f.Var | f.Field) or target.usr not in flags:
        return state
    if not act.engine.wrappers.frees(event, target.usr):
        return state
    if isinstance(target, f.Var):
        return locking.release(act, state, (Path.of_variable(target.usr),))
    bases = act.values.of(target.base, state)
    return locking.release(act, state, tuple(p.then(target.usr) for p in bases))
