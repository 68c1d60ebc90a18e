"""Assignments to futures and threads, which wait for what stood behind them before.

``if (!load_.valid()) load_ = std::async(...);`` waits for nobody.  Where nobody asked in the
function itself, callers may know better: what was there when it began is waited for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.knowledge.schema import End
from lockorder.static.interp import ownership, premises, waiting
from lockorder.static.interp.known import EndWaits
from lockorder.static.interp.summary import Site, State
from lockorder.static.parse import facts as f
from lockorder.static.program.attributes import INITIALISER
from lockorder.static.program.paths import Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def replaced(act: Walk, assign: f.Assign, target: Path, value: Paths, state: State) -> State:
    """*state* where *value* is about to be put to *target*, and what was there waited for.

    Of a thread that is replaced by another one it is not known whether it was ever begun; who puts
    none there ends what there is.  For a future the call of its operator comes next.
    """
    end = ownership.end_of(act, act.identities.type_of(target))
    if end is None:
        return state
    if ownership.is_empty(state, target) or _is_done(act, state, target, end):
        state = state.without([EndWaits(target)] if EndWaits(target) in state.facts else [])
        if not _is_own(act, target):
            state = ownership.over(state, value)
    elif not (
        end.made_by
        or not _is_none(act, assign.value)
        or _begins(act, target)
        or ownership.has_nothing(act, assign.target)
    ):
        act.block_by_name(state, end.waits, (target,), act.site(assign.line))
    return ownership.filled(state, target)


def assigned(act: Walk, event: f.Call, state: State, base: Paths, site: Site) -> State | None:
    """*state* after the ``operator=`` of a future, which waits for what was there."""
    place, declared = act.variable_of(event.target, base, state)
    end = ownership.end_of(act, declared)
    if place is None or end is None or not end.made_by or len(base) != 1:
        return None
    if len(event.args) == 1 and _is_none(act, event.args[0]):
        act.set_by_calls.add(place)
        return state.but(facts={**state.facts, place: False})
    given = tuple(p for a in event.args for p in act.values.of(a, state) if p != place)
    if _is_own(act, place) or not any(EndWaits(p) in state.facts for p in given):
        return state
    if not _begins(act, place):
        before, _ = premises.owning(act, state, site, place)
        act.block_by_name(before, end.waits, (place,), site)
    return ownership.over(state, given)


def _is_done(act: Walk, state: State, target: Path, end: End) -> bool:
    """Whether a wait with a time limit has found that nobody has to wait any more."""
    known = act.knowledge.blocks.get(end.waits)
    if not end.made_by or known is None:
        return False
    names = (target, *state.env.get(target, ()))
    return any(waiting.is_ready(state, path, known.ready) for path in names)


def _is_none(act: Walk, value: f.Value) -> bool:
    """Whether it is an object that was made of nothing."""
    make = act.values.makes.get(value.make) if isinstance(value, f.Made) else None
    return make is not None and not make.args


def _begins(act: Walk, target: Path) -> bool:
    """Whether it is a member of an object that is being made: nothing was there before."""
    makes = act.function.kind == "constructor" or act.function.usr.startswith(INITIALISER)
    return makes and target.root == act.values.this.root


def _is_own(act: Walk, path: Path) -> bool:
    """Whether a local of the function is the object, whose end is seen here."""
    variable = act.program.variables.get(path.variable) if not path.steps else None
    if variable is None or variable.kind != "local":
        return False
    return not act.program.is_indirect(variable.type)
