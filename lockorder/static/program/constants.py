"""Statics of functions that keep the number or null pointer which they start with.

Nothing but the initialiser writes to them, and nothing else gets to know where they are: no
pointer or reference to one is made, kept, handed on or returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.written import how_passed, passing


def find(program: Program) -> frozenset[str]:
    """The variables of which that is so."""
    started: set[str] = set()
    changed: set[str] = set()
    for function in program.functions.values():
        first: set[int] = set()
        for statement in f.walk(function.body):
            if isinstance(statement, f.StaticInit):
                first.update(id(s) for s in _only_literal(statement))
                started.update(statement.usr for _ in _only_literal(statement))
            elif id(statement) not in first:
                changed.update(_may_change(program, function, statement))
    return frozenset(started - changed)


def _only_literal(init: f.StaticInit) -> list[f.Stmt]:
    """The assignment of a literal, where the initialiser is no more than that."""
    body = init.body.body
    only = body[0] if len(body) == 1 else None
    if not isinstance(only, f.Assign) or not isinstance(only.value, f.Lit) or not only.value.text:
        return []
    target = only.target
    return [only] if isinstance(target, f.Var) and target.usr == init.usr else []


def _may_change(program: Program, function: f.Function, statement: f.Stmt) -> Iterator[str]:
    """Variables that a statement writes to, or tells others the place of."""
    if isinstance(statement, f.Assign):
        yield from _variables([statement.target])
        target = statement.target
        kind = program.type_of(target.usr) if isinstance(target, f.Var | f.Field) else "* *"
        yield from _lent(program, kind, statement.value)
    elif isinstance(statement, f.Written):
        yield from _variables([statement.target])
    elif isinstance(statement, f.Local):
        yield from _lent(program, program.type_of(statement.usr), statement.value)
    elif isinstance(statement, f.Return):
        yield from _lent(program, program.result_of(function.usr) or "* *", statement.value)
    elif isinstance(statement, f.Call):
        callee = statement.target.usr if isinstance(statement.target, f.Fn) else ""
        yield from _handed(program, callee, statement.args)
    elif isinstance(statement, f.Make):
        yield from _handed(program, statement.ctor, statement.args)


def _handed(program: Program, callee: str, args: Iterable[f.Value]) -> Iterator[str]:
    """Arguments that the callee may write to; a pointer itself is copied."""
    passed = passing(program, callee)[1]
    for at, arg in enumerate(args):
        if how_passed(passed, at) not in ("-", "*"):
            yield from _variables([arg])


def _lent(program: Program, kind: str, value: f.Value | None) -> Iterator[str]:
    """Variables whose place, and not only their value, *value* has as a *kind*."""
    for usr in _variables([value] if value is not None else []):
        if _depth(kind) > _depth(program.type_of(usr)):
            yield usr


def _depth(spelling: str) -> int:
    return spelling.count("*") + spelling.count("&")


def _variables(values: Iterable[f.Value]) -> Iterator[str]:
    for value in values:
        if isinstance(value, f.Var):
            yield value.usr
        elif isinstance(value, f.AnyOf):
            yield from _variables(value.values)
