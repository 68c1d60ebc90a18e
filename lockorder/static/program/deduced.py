"""Types that clang leaves open in templates, where what they are depends on the arguments.

A call is bound when it is made; where every function of that name returns an object of one class,
an ``auto`` variable is one.  Objects are made of a class as it is written, which is looked up from
the inside to the outside ([basic.lookup.unqual]).
"""

from __future__ import annotations

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_OPEN = ("auto", "const auto")


def deduce(program: Program) -> None:
    """Fill in the types that *program* tells."""
    classes: dict[str, list[str]] = {}
    for name in program.classes:
        classes.setdefault(name.rpartition("::")[2], []).append(name)
    for function in program.functions.values():
        events = f.walk(function.body)
        for made in events:
            if isinstance(made, f.Make) and not made.ctor:
                made.type = _looked_up(program, made.type, function.cls or function.name)
        calls = {e.id: e for e in events if isinstance(e, f.Call) and _is_open(e)}
        if not calls:
            continue
        for local in events:
            if not isinstance(local, f.Local) or not isinstance(local.value, f.Result):
                continue
            variable, call = program.variables.get(local.usr), calls.get(local.value.call)
            if variable is None or call is None or variable.type not in _OPEN:
                continue
            assert isinstance(call.target, f.Name)
            bodies = program.by_bare_name(call.target.text, None, len(call.args))
            variable.type = _returned(program, bodies, classes) or variable.type


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
    """Whether a call names a function, and no more than that."""
    return isinstance(call.target, f.Name) and call.target.base is None


def _returned(program: Program, bodies: tuple[str, ...], classes: dict[str, list[str]]) -> str:
    """The type of the objects that each of *bodies* returns; empty where they differ.

    Of a template's result clang spells no namespace: the one class of that name is meant.
    """
    spelt = {program.result_of(b) for b in bodies}
    spelling = spelt.pop().strip() if len(spelt) == 1 else ""
    name = program.split(spelling)[0]
    if not name or spelling.endswith(("*", "&")):
        return ""
    if name in program.classes:
        return spelling
    meant = classes.get(name, [])
    return meant[0] + spelling.removeprefix(name) if len(meant) == 1 else ""
