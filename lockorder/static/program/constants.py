"""Statics that keep the number or null pointer which they start with.

Nothing but the initialiser writes to them, and nothing else gets to know where they are: no
pointer or reference to one is made, kept, handed on or returned.  Of globals that is known where
nobody outside of their file can name them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.declarations import Variable
from lockorder.static.parse.number_types import is_named_number
from lockorder.static.program.link import Program
from lockorder.static.program.written import how_passed, passing

#: Key of the initialiser of a global, before that of the global.
_INITIALISER = "init:"
#: In the key of what has internal linkage, before its file.
_OF_FILE = "!"


class Constants(NamedTuple):
    """What is known of the variables that have one value for good.

    ``statics`` of functions keep the literal that they start with; so do ``globals`` of one file,
    by it.  ``unchanged`` are all globals of one file that only their initialisers write to.
    """

    statics: frozenset[str]
    globals: dict[str, f.Lit]
    unchanged: frozenset[str]


def find(program: Program) -> Constants:
    """The variables of which that is so."""
    started: dict[str, f.Lit] = {}
    changed: set[str] = set()
    for function in program.functions.values():
        first: set[int] = set()
        of = function.usr.removeprefix(_INITIALISER)
        if of != function.usr and _OF_FILE in of:
            first.update(_initialisation(of, function.body, started))
        for statement in f.walk(function.body):
            if isinstance(statement, f.StaticInit):
                first.update(_initialisation(statement.usr, statement.body, started))
            elif id(statement) not in first:
                changed.update(_may_change(program, function, statement))
    unchanged = {
        v.usr for v in program.variables.values() if _is_of_file(v) and v.usr not in changed
    }
    for usr in unchanged - started.keys():
        # What nothing begins is zero ([basic.start.static]).
        plain = program.type_of(usr).removeprefix("const ")
        if f"{_INITIALISER}{usr}" not in program.functions and is_named_number(plain):
            started[usr] = f.Lit("0")
    return Constants(
        frozenset(usr for usr in started if not _is_global(program, usr)) - changed,
        {usr: v for usr, v in started.items() if usr in unchanged and _is_number(v)},
        frozenset(unchanged),
    )


def _is_of_file(variable: Variable) -> bool:
    """Whether it is a global that nobody outside of its file can name, or change by a debugger."""
    named = variable.kind == "global" and _OF_FILE in variable.usr
    return named and "volatile" not in variable.type


def _is_number(value: f.Lit) -> bool:
    """Whether it is a number or null, and not the text of an object's initialiser."""
    return numbers.number_of(value.text) is not None


def _is_global(program: Program, usr: str) -> bool:
    variable = program.variables.get(usr)
    return variable is not None and variable.kind == "global"


def _initialisation(usr: str, body: f.Block, started: dict[str, f.Lit]) -> Iterator[int]:
    """The assignments to *usr* that begin it, by identity; its literal, where that is all of it."""
    for statement in body.body:
        target = statement.target if isinstance(statement, f.Assign) else None
        if isinstance(statement, f.Assign) and isinstance(target, f.Var) and target.usr == usr:
            value = statement.value
            if len(body.body) == 1 and isinstance(value, f.Lit) and value.text:
                started[usr] = value
            if not isinstance(value, f.AnyOf):
                yield id(statement)


def _may_change(program: Program, function: f.Function, statement: f.Stmt) -> Iterator[str]:
    """Variables that a statement writes to, or tells others the place of."""
    if isinstance(statement, f.Assign):
        yield from _variables([statement.target])
        target = statement.target
        kind = program.type_of(target.usr) if isinstance(target, f.Var | f.Field) else "* *"
        yield from _lent(program, kind, statement.value)
        yield from _listed(statement.value)
    elif isinstance(statement, f.Written):
        yield from _variables([statement.target])
    elif isinstance(statement, f.Local):
        yield from _lent(program, program.type_of(statement.usr), statement.value)
    elif isinstance(statement, f.Return):
        yield from _lent(program, program.result_of(function.usr) or "* *", statement.value)
    elif isinstance(statement, f.Call):
        target = statement.target
        callee = target.usr if isinstance(target, f.Fn) else ""
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        if base is not None and (not callee or passing(program, callee)[0]):
            yield from _variables([base])
        yield from _handed(program, callee, statement.args)
    elif isinstance(statement, f.Make):
        yield from _handed(program, statement.ctor, statement.args)


def _handed(program: Program, callee: str, args: Iterable[f.Value]) -> Iterator[str]:
    """Arguments that the callee may write to; a pointer itself is copied.

    A template takes what its arguments say.
    """
    passed = passing(program, callee)[1]
    decl = program.decls.get(callee)
    anyhow = decl is not None and bool(decl.tparams)
    for at, arg in enumerate(args):
        if anyhow or how_passed(passed, at) not in ("-", "*"):
            yield from _variables([arg])
        yield from _listed(arg)


def _listed(value: f.Value) -> Iterator[str]:
    """Variables in a list of members, which may be pointers."""
    for each in value.values if isinstance(value, f.AnyOf) else ():
        yield from _listed(each)
        if isinstance(value, f.AnyOf) and value.fields:
            yield from _variables([each])


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
