"""Calls that wait unless an argument says otherwise: by a bit of it (``getnameinfo`` with
``NI_NUMERICHOST``), or by being 0 (``epoll_wait`` with no time to wait).

The number is often put together where a caller's flag chooses a bit of it, and kept in a local
until the call.  What it was made of is asked again there, with one way for each choice: a bit that
only callers can tell is a condition on the parameter, as others are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lockorder.knowledge.schema import Blocks
from lockorder.static.interp import bits
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from lockorder.static.program.written import how_passed, passing

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def waiting(act: Walk, call: f.Call, known: Blocks, state: State) -> list[State] | None:
    """*state* for each way on which *call* may wait; None where its arguments do not matter."""
    if known.unless is not None:
        number, bit = known.unless
        if number >= len(call.args):
            return []
        if known.unless_in:
            return _by_member(act, call.args[number], known.unless_in, bit, state)
        return without(act, call.args[number], bit, state)
    if known.immediate is None or known.immediate[0] >= len(call.args):
        return None
    number, at_once = known.immediate
    value = call.args[number]
    if not isinstance(value, f.Var) or value.usr not in act.function.params:
        return None  # what it is shows where the call is walked
    way = act.values.assume(f.Compare(value, f.Lit("0"), at_once != "0"), True, state)
    return [way] if way is not None else []


def _by_member(act: Walk, value: f.Value, member: str, bit: str, state: State) -> list[State]:
    """*state*, or nothing where the *member* of what *value* points to surely has the bit."""
    objects = act.values.of(value, state)
    flags = [
        number
        for path, numbers in state.env.items()
        if path.steps and path.owner in objects and _is_called(act, path, member)
        for number in numbers
    ]
    surely = len(objects) == 1 and flags
    if surely and all(bits.test(n, Path.of_literal(bit), state) is True for n in flags):
        return []
    return [state]


def _is_called(act: Walk, path: Path, member: str) -> bool:
    last = path.steps[-1]
    known = act.program.variables.get(last) if isinstance(last, str) else None
    return known is not None and known.name.rpartition("::")[2] == member


def without(act: Walk, value: f.Value, bit: str, state: State) -> list[State]:
    """*state* for each way on which *value* may have no bit of *bit*, a literal."""
    if isinstance(value, f.Var):
        origin = made_of(act, value.usr)
        if origin is not None:
            return without(act, origin, bit, state)
    if isinstance(value, f.Op) and value.text == "|":
        return [
            after
            for here in without(act, value.left, bit, state)
            for after in without(act, value.right, bit, here)
        ]
    if isinstance(value, f.AnyOf) and value.cond is not None and len(value.values) == 2:
        found: list[State] = []
        for truth, each in zip((True, False), value.values, strict=True):
            chosen = act.values.assume(value.cond, truth, state)
            if chosen is not None:
                found.extend(without(act, each, bit, chosen))
        return found
    paths = act.values.of(value, state)
    told = [bits.test(path, Path.of_literal(bit), state) for path in paths]
    if told and all(each is True for each in told):
        return []
    if len(told) == 1 and not isinstance(told[0], bool):
        return [state.but(facts={**state.facts, told[0]: False})]
    return [state]


def made_of(act: Walk, usr: str) -> f.Value | None:
    """What a local that is given a value once was given, if that is the same at any time."""
    given = [v for s in f.walk(act.function.body) for v in _given(act, usr, s)]
    if len(given) != 1 or given[0] is None:
        return None
    return given[0] if _is_same(act, given[0]) else None


def _is_same(act: Walk, value: f.Value | None) -> bool:
    """Whether an expression has one value for as long as the function runs."""
    if value is None or isinstance(value, f.Lit):
        return True
    if isinstance(value, f.Var):
        return act.is_constant(Path.of_variable(value.usr))
    if isinstance(value, f.Not):
        return _is_same(act, value.value)
    if isinstance(value, f.Op | f.Compare | f.Less | f.Both):
        return _is_same(act, value.left) and _is_same(act, value.right)
    if isinstance(value, f.AnyOf):
        return _is_same(act, value.cond) and all(_is_same(act, each) for each in value.values)
    return False


def _given(act: Walk, usr: str, statement: f.Stmt) -> Iterator[f.Value | None]:
    """What a statement gives the variable; None where that is not known."""
    if isinstance(statement, f.Local):
        if statement.usr == usr and statement.value is not None:
            yield statement.value
    elif isinstance(statement, f.Assign | f.Written):
        if isinstance(statement.target, f.Var) and statement.target.usr == usr:
            yield statement.value if isinstance(statement, f.Assign) else None
    elif isinstance(statement, f.Call):
        callee = statement.target.usr if isinstance(statement.target, f.Fn) else ""
        passed = passing(act.program, callee)[1]
        for at, each in enumerate(statement.args):
            if isinstance(each, f.Var) and each.usr == usr and how_passed(passed, at) == "&":
                yield None
