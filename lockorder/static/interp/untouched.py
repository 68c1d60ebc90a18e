"""What nothing has written to since a function began, as its text shows.

A member, or a parameter, is as it was at first where no write to it comes before in the text, and
no loop around writes to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lockorder.static.interp.summary import Site
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import parts, walk
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import member
from lockorder.static.program.written import passing

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

#: Where a call may write to whatever there is.
ANYTHING = "*"
#: Before the key of a variable or member that a call has got, or that a method may have changed.
HANDED = "handed:"


def is_as_at_first(act: Walk, site: Site, path: Path) -> bool:
    """Whether nothing has written to *path* from the function's begin to a call at *site*."""
    if act.is_constant(path):
        return True
    written = first_writes(act).get((site.line, site.column))
    if written is None or len(path.steps) > 1 or ANYTHING in written:
        return False
    if path.root == act.values.this.root and path.steps:
        known = act.program.classes.get(act.function.cls)
        if known is None or member(path.steps[0]) not in known.fields:
            return False  # what callees write to is not known of others
    elif path.steps or not act.engine.is_argument(act.function, path):
        return False
    usr = member(path.steps[0]) if path.steps else path.variable
    return usr not in written and HANDED + usr not in written


def first_writes(act: Walk) -> dict[object, frozenset[str]]:
    """By branch, and by place of a call: the members that may have been written to before."""
    if act.first_writes is None:
        act.first_writes = {}
        if any(isinstance(s, f.If | f.Switch | f.Call) for s in walk(act.function.body)):
            _follow(act, act.function.body, set(), act.first_writes)
    return act.first_writes


def _follow(
    act: Walk, block: f.Block, written: set[str], found: dict[object, frozenset[str]]
) -> None:
    before: f.Stmt | None = None
    assigned = frozenset[str]()  # what was written to before an assignment
    for statement in block.body:
        if isinstance(statement, f.Loop | f.Label):
            return  # what comes round again is not followed
        if isinstance(statement, f.If | f.Switch):
            found[id(statement)] = frozenset(written)
        for part in parts(statement):
            _follow(act, part, written, found)
        if isinstance(statement, f.Assign | f.Written):
            assigned = frozenset(written)
            if isinstance(statement.target, f.Field):
                written.add(statement.target.usr)
            elif isinstance(statement.target, f.Var):
                written.add(HANDED + statement.target.usr)
        elif isinstance(statement, f.Call):
            target = statement.target
            bodies = act.program.body_of(target.usr) if isinstance(target, f.Fn) else ()
            own = isinstance(before, f.Assign) and _is_operator(target, before.target)
            found[statement.line, statement.column] = assigned if own else frozenset(written)
            for body in bodies:
                written.update(_written_by(act, body))
            written.update(_handed(act, statement))
        elif isinstance(statement, f.Make):
            written.update(HANDED + usr for arg in statement.args for usr in _named(arg))
        before = statement


def _is_operator(target: f.Value, assigned: f.Value) -> bool:
    """Whether a call is the operator= of what was just assigned to."""
    return isinstance(target, f.Fn | f.Name) and target.base == assigned


def _handed(act: Walk, call: f.Call) -> Iterator[str]:
    """Keys of what a call gets or a method may change, where nobody looks at which it does."""
    target = call.target
    own = isinstance(target, f.Name) and target.base == f.This()
    if own or not isinstance(target, f.Fn | f.Name):
        yield ANYTHING
    elif call.virtual and isinstance(target, f.Fn):
        for body in act.program.overriders(target.usr):
            yield from _written_by(act, body)
    for argument in call.args:
        yield from (HANDED + usr for usr in _named(argument))
    base = target.base if isinstance(target, f.Fn | f.Name) else None
    if isinstance(base, f.Var | f.Field) and not _only_looks(act, target):
        yield HANDED + base.usr


def _named(value: f.Value) -> Iterator[str]:
    if isinstance(value, f.Var | f.Field):
        yield value.usr
    elif isinstance(value, f.AnyOf):
        for each in value.values:
            yield from _named(each)


def _only_looks(act: Walk, target: f.Value) -> bool:
    """Whether a method leaves its object as it is: it is declared ``const``."""
    if not isinstance(target, f.Fn) or target.usr not in act.program.decls:
        return False
    return not passing(act.program, target.usr)[0]


def _written_by(act: Walk, body: str) -> Iterator[str]:
    """Members of the own class that a callee may write to."""
    perhaps = act.engine.written.perhaps.get(body, 0)
    known = act.program.classes.get(act.function.cls)
    for field in known.fields if perhaps and known is not None else ():
        if act.engine.written.has(perhaps, (field,)):
            yield field
