"""Calls that wait, unless what they are called on does not: what is asked next says so.

``recv`` on a socket that does not block, or that gives up after a time, comes back at once or then,
with a number in ``errno`` that says that it would have had to wait.  Who leaves on that number
counts on it, or who goes on and takes only other numbers for errors.  Who tries again does not:
that is a wait, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lockorder.knowledge.schema import Blocks
from lockorder.static.interp.summary import Site
from lockorder.static.parse import facts as f

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

_LEAVES = (f.Return, f.Break, f.Throw, f.Goto)


def gives_up(act: Walk, known: Blocks, site: Site) -> bool:
    """Whether the call at *site* is followed by a way out for when it would have had to wait.

    In the function itself, or in each of those that call it.
    """
    if not known.would_wait:
        return False
    function = act.function
    calls = [
        s
        for s in f.walk(function.body)
        if isinstance(s, f.Call) and (s.line, s.column) == (site.line, site.column)
    ]
    if _leaves_after(act, known, function, calls):
        return True
    callers = act.engine.call_graph.callers(function.usr)
    return bool(callers) and all(
        _leaves_after(act, known, caller, _calls(caller, function.usr))
        for caller in map(act.program.functions.__getitem__, callers)
    )


def _calls(caller: f.Function, callee: str) -> list[f.Call]:
    """Where *caller* calls *callee*."""
    return [
        s
        for s in f.walk(caller.body)
        if isinstance(s, f.Call) and isinstance(s.target, f.Fn) and s.target.usr == callee
    ]


def _leaves_after(act: Walk, known: Blocks, function: f.Function, calls: list[f.Call]) -> bool:
    """Whether *function* asks after one of *calls* if it would have had to wait, and leaves."""
    errors: set[int] = set()
    passed = False
    for statement in f.walk(function.body):
        if isinstance(statement, f.Call):
            name = _name(act, statement)
            if name in known.errors:
                errors.add(statement.id)
            elif statement in calls:
                passed = True
            elif passed and name in act.knowledge.blocks:
                return False
        elif (
            passed
            and isinstance(statement, f.If)
            and any(
                _would_wait(known, test, errors)
                and (
                    _leaves(statement.then)
                    if test.equal
                    else not _again(function, calls, statement)
                )
                for test in _compared(statement.cond)
            )
        ):
            return True
    return False


def _again(function: f.Function, calls: list[f.Call], test: f.If) -> bool:
    """Whether a loop goes round both one of *calls* and *test*, and so tries again.

    Not where what follows on the test leaves the loop.
    """
    for loop in f.walk(function.body):
        if isinstance(loop, f.Loop):
            inside = [s for part in f.parts(loop) for s in f.walk(part)]
            if any(c in inside for c in calls) and any(_goes_on(p, test) for p in f.parts(loop)):
                return True
    return False


def _goes_on(block: f.Block, test: f.If) -> bool:
    """Whether a way from behind *test* comes to the end of *block*, which it is in."""
    for at, statement in enumerate(block.body):
        if statement is test or any(_goes_on(part, test) for part in f.parts(statement)):
            jumps = (s for s in block.body[at + 1 :] if isinstance(s, (f.Continue, *_LEAVES)))
            return isinstance(next(jumps, f.Continue()), f.Continue)
    return False


def _name(act: Walk, call: f.Call) -> str:
    if isinstance(call.target, f.Fn):
        return act.program.name_of(call.target.usr)
    return call.target.text if isinstance(call.target, f.Name) else ""


def _leaves(block: f.Block) -> bool:
    return bool(block.body) and isinstance(block.body[-1], _LEAVES)


def _compared(condition: f.Value | None) -> Iterator[f.Compare]:
    """Comparisons that may be what makes *condition* true."""
    if isinstance(condition, f.Both):
        yield from _compared(condition.left)
        yield from _compared(condition.right)
    elif isinstance(condition, f.Compare):
        yield condition


def _spelt(value: f.Lit | f.Name) -> str:
    return value.name if isinstance(value, f.Lit) else value.text


def _would_wait(known: Blocks, test: f.Compare, errors: set[int]) -> bool:
    for asked, told in ((test.left, test.right), (test.right, test.left)):
        error = isinstance(asked, f.Result) and asked.call in errors
        error = error or (isinstance(asked, f.Name) and asked.text in known.errors)
        if error and isinstance(told, f.Lit | f.Name) and _spelt(told) in known.would_wait:
            return True
    return False
