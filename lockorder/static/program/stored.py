"""Lambdas that are handed to a method of a member, which may keep them: that member, by its path.

This is what the text alone shows, so that a lambda is known to lie there before anything is walked.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path


def find(program: Program) -> dict[str, dict[Path, None]]:
    """By lambda: all members that it is handed to, as its own captures know them."""
    found: dict[str, dict[Path, None]] = {}
    for function in program.functions.values():
        for closure, path in _handed(program, function):
            found.setdefault(closure, {})[path] = None
    return found


def _handed(program: Program, function: f.Function) -> Iterator[tuple[str, Path]]:
    named: dict[object, tuple[str, ...]] = {}

    def closures(values: list[f.Value]) -> tuple[str, ...]:
        known: list[str] = []
        for value in values:
            if isinstance(value, f.Closure):
                known.append(value.usr)
            elif isinstance(value, f.AnyOf):
                known.extend(closures(value.values))
            elif isinstance(value, f.Var):
                known.extend(named.get(value.usr, ()))
            elif isinstance(value, f.Made):
                known.extend(named.get(("made", value.make), ()))
            elif isinstance(value, f.Result):
                known.extend(named.get(("result", value.call), ()))
        return tuple(known)

    for statement in f.walk(function.body):
        if isinstance(statement, f.Local) and statement.value is not None:
            if lambdas := closures([statement.value]):
                named[statement.usr] = lambdas
        elif isinstance(statement, f.Make):
            if lambdas := closures(statement.args):
                named["made", statement.id] = lambdas
        elif isinstance(statement, f.Call) and (lambdas := closures(statement.args)):
            if program.called(statement) in program.knowledge.same_functions:
                named["result", statement.id] = lambdas
            target = statement.target
            if not isinstance(target, f.Fn) or not program.body_of(target.usr):
                continue
            path = _path(program, function, target.base)
            if path is not None and path.steps:
                for closure in lambdas:
                    yield closure, path


def _path(program: Program, function: f.Function, value: f.Value | None) -> Path | None:
    if isinstance(value, f.Var):
        return Path.of_variable(value.usr)
    if isinstance(value, f.Field):
        base = _path(program, function, value.base)
        return base.then(value.usr) if base is not None else None
    if isinstance(value, f.This):
        while function.parent in program.functions:  # a lambda's is the enclosing function's
            function = program.functions[function.parent]
        return Path.of_this(function.usr)
    return None
