"""Types that clang leaves open in templates, where what they are depends on the arguments.

A call is bound when it is made; where every function of that name returns an object of one class,
an ``auto`` variable is one.  Objects are made of a class as it is written, which is looked up from
the inside to the outside ([basic.lookup.unqual]).
"""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_OPEN = ("auto", "const auto")


def deduce(program: Program) -> None:
    """Fill in the types that *program* tells."""
    classes: dict[str, list[str]] = {}
    for name in program.classes:
        classes.setdefault(name.rpartition("::")[2], []).append(name)
    for function in program.functions.values():
        for made in f.walk(function.body):
            if isinstance(made, f.Make) and not made.ctor:
                made.type = _looked_up(program, made.type, function.cls or function.name)
    for function in program.functions.values():
        events = f.walk(function.body)
        calls = {e.id: e for e in events if isinstance(e, f.Call) and _is_open(e)}
        if not calls:
            continue
        for local in events:
            if not isinstance(local, f.Local) or not isinstance(local.value, f.Result):
                continue
            variable, call = program.variables.get(local.usr), calls.get(local.value.call)
            if variable is None or call is None or variable.type not in _OPEN:
                continue
            variable.type = _returned(program, _bodies(program, call), classes) or variable.type


def _looked_up(program: Program, spelling: str, scope: str) -> str:
    """A type as it is written in *scope*, with its class in full where the program has it there."""
    name = program.split(spelling)[0]
    if not name or name in program.classes or "<" not in spelling:
        return spelling
    while scope:
        if f"{scope}::{name}" in program.classes:
            return f"{scope}::{spelling.strip()}"
        scope = scope.rpartition("::")[0]
    return spelling


def _is_open(call: f.Call) -> bool:
    """Whether what a call calls is named, and no object is before it but the function's own."""
    if not isinstance(call.target, f.Name | f.Fn):
        return False
    base = call.target.base
    return base is None or (isinstance(base, f.This) and isinstance(call.target, f.Fn))


def _bodies(program: Program, call: f.Call) -> Sequence[str]:
    """The functions that *call* can mean."""
    if isinstance(call.target, f.Fn):
        return program.body_of(call.target.usr)
    assert isinstance(call.target, f.Name)
    return program.by_bare_name(call.target.text, None, len(call.args))


def _returned(program: Program, bodies: Sequence[str], classes: dict[str, list[str]]) -> str:
    """The type of the objects that each of *bodies* returns; empty where they differ.

    Of a template's result clang spells no namespace: the class of the objects that it makes is
    meant, or else the one class of that name.
    """
    spelt = {_result(program, b, classes) for b in bodies}
    return spelt.pop() if len(spelt) == 1 else ""


def _result(program: Program, body: str, classes: dict[str, list[str]]) -> str:
    spelling = program.result_of(body).strip()
    name = program.split(spelling)[0]
    if not name or spelling.endswith(("*", "&")):
        return ""
    if name in program.classes:
        return spelling
    made = _made(program, body, name)
    meant = [made] if made else classes.get(name, [])
    return meant[0] + spelling.removeprefix(name) if len(meant) == 1 else ""


def _made(program: Program, body: str, name: str) -> str:
    """The class called *name*, in its namespace or class, of the objects that *body* returns.

    Empty where it returns others, or what it did not make.
    """
    events = f.walk(program.functions[body].body)
    made = {e.id: program.split(e.type)[0] for e in events if isinstance(e, f.Make)}
    back = [e.value for e in events if isinstance(e, f.Return)]
    found = {made.get(v.make, "") if isinstance(v, f.Made) else "" for v in back}
    only = found.pop() if len(found) == 1 else ""
    return only if only.endswith(f"::{name}") and only in program.classes else ""
