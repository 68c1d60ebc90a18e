"""Methods that run only while an object is being made, when no other thread has it.

They are private; a constructor calls them on its own object, before it starts a thread, or another
such method does; nothing else names them.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program


def find(program: Program, knowledge: Knowledge) -> frozenset[str]:
    """Constructors and such methods."""
    functions = program.functions
    found = {u for u, x in functions.items() if x.kind == "constructor"}
    callers: dict[str, set[str]] = {}
    named: set[str] = set()
    texts: set[str] = set()
    for usr, function in functions.items():
        early = True
        for statement in f.walk(function.body):
            early = early and not _starts_thread(program, knowledge, statement)
            own = _own_call(statement) if early and not function.parent else ""
            if isinstance(statement, f.Call) and isinstance(statement.target, f.Name):
                texts.add(statement.target.text.rpartition("::")[2])
            for each in _named(statement):
                if each == own:
                    callers.setdefault(own, set()).add(usr)
                else:
                    named.update((each, *program.body_of(each)))
    bodies = {c: program.body_of(c) for c in callers}
    pending = True
    while pending:
        pending = False
        for callee, by in callers.items():
            body = bodies[callee][0] if len(bodies[callee]) == 1 else ""
            if not body or body in found or {callee, body} & named or not by <= found:
                continue
            method = functions[body]
            if method.name.rpartition("::")[2] in texts or program.overriders(callee):
                continue
            decl = program.decls.get(callee)
            private = decl is not None and decl.private
            if private and method.kind == "method" and not method.static:
                found.add(body)
                pending = True
    return frozenset(found)


def keeps_to_itself(program: Program, knowledge: Knowledge, function: f.Function) -> bool:
    """Whether a constructor tells nobody of its object: no thread starts, nothing gets it."""
    for statement in f.walk(function.body):
        if _starts_thread(program, knowledge, statement):
            return False
        given: list[f.Value | None] = []
        if isinstance(statement, f.Call | f.Make):
            given = list(statement.args)
        elif isinstance(statement, f.Assign | f.Local):
            given = [statement.value]
        if any(isinstance(each, f.This | f.Closure) for each in given):
            return False
    return function.kind == "constructor"


def starts_threads(program: Program, knowledge: Knowledge, cls: str) -> bool:
    """Whether a constructor of *cls* starts a thread, which may know the object from then on."""
    known = program.classes.get(cls)
    return any(
        _starts_thread(program, knowledge, statement)
        for ctor in (known.ctors if known is not None else ())
        for body in program.body_of(ctor)
        for statement in f.walk(program.functions[body].body)
    )


def _starts_thread(program: Program, knowledge: Knowledge, statement: f.Stmt) -> bool:
    if isinstance(statement, f.Make):
        return program.split(statement.type)[0] in knowledge.starter_types and bool(statement.args)
    return isinstance(statement, f.Call) and program.called(statement) in knowledge.starters


def _own_call(statement: f.Stmt) -> str:
    """What a statement calls on the function's own object."""
    if not isinstance(statement, f.Call) or not isinstance(statement.target, f.Fn):
        return ""
    target = statement.target
    return target.usr if isinstance(target.base, f.This) and not statement.virtual else ""


def _named(statement: f.Stmt) -> Iterator[str]:
    """Functions that a statement names, the one that it calls among them."""
    return (value.usr for value in f.values(statement) if isinstance(value, f.Fn))
