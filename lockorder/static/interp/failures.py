"""Calls that failed: what they were to take they did not take, and their exception tells no more.

What a call returned says whether it failed.  A test of that status itself is a condition like any
other; a test of what other calls make of it (``if (Equals(status, OK).is_bad()) throw ...``) says
nothing that could be followed, but one thing: an exception that such a test leads to is that of the
failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp.frame import Frame
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def in_callee(state: State, frame: Frame) -> State:
    """*state* where a callee throws: what it was handed the status of was not taken, then."""
    handed = {path for paths in frame.args for path in paths}
    held = tuple(
        h
        for h in state.held
        if h.undo is None or handed.isdisjoint((h.undo, *state.env.get(h.undo, ())))
    )
    return state if len(held) == len(state.held) else state.but(held=held)


def in_test(act: Walk, test: f.Value | None, state: State) -> State:
    """*state* where a branch of *test* leaves by an exception: what its status is tested by."""
    if test is None:
        return state
    held = tuple(h for h in state.held if h.undo is None or not _rests_on(act, test, h.undo))
    return state if len(held) == len(state.held) else state.but(held=held)


def _rests_on(act: Walk, test: f.Value, status: Path) -> bool:
    """Whether *test* is of what calls make of *status*, and of nothing else that varies."""
    found = False
    pending, seen = [test], set[str]()
    while pending:
        for part in f.parts_of(pending.pop()):
            made_of = _made_of(act, part)
            if _place(act, part) == status:
                found = True
            elif made_of is None:
                return False
            elif repr(part) not in seen:
                seen.add(repr(part))
                pending += made_of
    return found


def _place(act: Walk, value: f.Value) -> Path | None:
    if isinstance(value, f.Result):
        return act.values.result(value.call)
    return act.place(value)


def _made_of(act: Walk, value: f.Value) -> list[f.Value] | None:
    """What a result, an object or a local that is set once is made of; None for all that varies."""
    if isinstance(value, f.Result):
        call = act.values.calls.get(value.call)
        if call is None:
            return None
        base = call.target.base if isinstance(call.target, f.Fn | f.Name) else None
        return [v for v in (*call.args, base) if v is not None] or None
    if isinstance(value, f.Made):
        make = act.values.makes.get(value.make)
        return None if make is None else list(make.args)
    if isinstance(value, f.This):
        return None
    if not isinstance(value, f.Var):
        return []
    set_to = [
        s.value
        for s in f.walk(act.function.body)
        if (isinstance(s, f.Local) and s.usr == value.usr)
        or (isinstance(s, f.Assign) and s.target == value)
    ]
    return [v for v in set_to if v is not None] if len(set_to) == 1 else None
