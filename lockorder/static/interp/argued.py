"""Conditions that are handed on: ``flush(e, !locked)``, ``need = !locked; flush(e, need)``.

Where the callee goes by such a parameter, a call is walked once with the condition true and once
with it false: what the condition says of the caller's own parameters is asked of its callers then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lockorder.static.interp import flagged
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def parted(act: Walk, event: f.Call, state: State) -> list[State]:
    """*state*, or one for each truth of the conditions among the arguments of *event*."""
    target = event.target
    if not isinstance(target, f.Fn) or not any(_may_be_one(act, a) for a in event.args):
        return [state]
    states = [state]
    for body in act.program.body_of(target.usr):
        asked = act.engine.parts(body, act.summary_of(body)).decided
        params = act.program.functions[body].params
        for usr, value in zip(params, event.args, strict=False):
            condition = _condition(act, value) if usr in asked else None
            if condition is not None:
                states = [way for s in states for way in _ways(act, value, condition, s)]
    return states


def _ways(act: Walk, value: f.Value, condition: f.Value, state: State) -> Iterator[State]:
    for truth in (True, False):
        way = act.values.assume(condition, truth, state)
        if way is not None and isinstance(value, f.Var):
            literal = Path.of_literal("true" if truth else "false")
            way = way.with_value(Path.of_variable(value.usr), (literal,))
        if way is not None:
            yield way


def _may_be_one(act: Walk, value: f.Value) -> bool:
    if isinstance(value, f.Var):
        variable = act.program.variables.get(value.usr)
        return variable is not None and variable.kind == "local"
    return _is_condition(value)


def _condition(act: Walk, value: f.Value) -> f.Value | None:
    """The condition that an argument is, or that the local was made from which it is."""
    made = flagged.made_of(act, value.usr) if isinstance(value, f.Var) else value
    return made if made is not None and _is_condition(made) else None


def _is_condition(value: f.Value) -> bool:
    if isinstance(value, f.AnyOf):
        return value.cond is not None
    return isinstance(value, f.Not | f.Compare | f.Less | f.Both)
