"""Statics of functions and files that keep the number or null pointer which they start with.

Nothing but the initialiser writes to them, and nothing else gets to know where they are: no
pointer or reference to one is made, kept, handed on or returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.written import NUMBERS, how_passed, passing


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


def of_files(program: Program) -> dict[str, str]:
    """By variable of a file that nothing writes to: the literal that it has, zero where none is.

    Only statics: what another file can name, one that is not here may write to.
    """
    found: dict[str, str] = {}
    for usr, variable in program.variables.items():
        if variable.kind != "global" or not variable.defined or not _is_internal(usr):
            continue
        if variable.type not in NUMBERS:
            continue
        start = program.functions.get(f"init:{usr}")
        if start is None:
            found[usr] = "0"
        elif len(start.body.body) == 1 and isinstance(start.body.body[0], f.Assign):
            value = start.body.body[0].value
            if isinstance(value, f.Lit) and value.text:
                found[usr] = value.text
    for function in program.functions.values() if found else ():
        for statement in f.walk(function.body):
            for usr in _not_only_read(program, function, statement):
                found.pop(usr, None)
    return found


def _not_only_read(program: Program, function: f.Function, statement: f.Stmt) -> Iterator[str]:
    """Variables that stand where more than a number is wanted: an address looks like a value."""
    if isinstance(statement, f.Assign):
        if not function.usr.startswith("init:"):
            yield from _variables([statement.target])
        target = statement.target
        copied = isinstance(target, f.Var | f.Field) and program.type_of(target.usr) in NUMBERS
        yield from () if copied else _mentioned(statement.value)
    elif isinstance(statement, f.Written):
        yield from _variables([statement.target])
    elif isinstance(statement, f.Local):
        copied = program.type_of(statement.usr) in NUMBERS
        yield from () if copied else _mentioned(statement.value)
    elif isinstance(statement, f.Return):
        copied = program.result_of(function.usr) in NUMBERS
        yield from () if copied else _mentioned(statement.value)
    elif isinstance(statement, f.Call | f.Make):
        target = statement.target if isinstance(statement, f.Call) else f.Fn(statement.ctor)
        callee = target.usr if isinstance(target, f.Fn) else ""
        decl = program.decls.get(callee)
        types = decl.types if decl is not None else []
        for at, arg in enumerate(statement.args):
            if at >= len(types) or types[at] not in NUMBERS:
                yield from _mentioned(arg)


def _mentioned(value: f.Value | None) -> Iterator[str]:
    """Variables that *value* is, or one of which it is."""
    if isinstance(value, f.Elem):
        yield from _mentioned(value.base)
    elif value is not None:
        yield from _variables([value])


def _is_internal(usr: str) -> bool:
    """Whether a variable is only known in its file, by how clang writes its key."""
    return usr.startswith("c:") and not usr.startswith("c:@") and "@" in usr


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
