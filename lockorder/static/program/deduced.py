"""Types of ``auto`` variables in templates, which clang leaves open: what the callee returns.

In a template a call is bound when it is made; where every function of that name and number of
parameters returns an object of one class, the variable is one.
"""

from __future__ import annotations

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_OPEN = ("auto", "const auto")


def deduce(program: Program) -> None:
    """Fill in the types that *program* tells."""
    for function in program.functions.values():
        events = f.walk(function.body)
        named = {
            event.id: event.target.text
            for event in events
            if isinstance(event, f.Call)
            and isinstance(event.target, f.Name)
            and event.target.base is None
        }
        if not named:
            continue
        counts = {event.id: len(event.args) for event in events if isinstance(event, f.Call)}
        for local in events:
            if not isinstance(local, f.Local) or not isinstance(local.value, f.Result):
                continue
            variable = program.variables.get(local.usr)
            call = local.value.call
            if variable is not None and variable.type in _OPEN and call in named:
                found = program.by_bare_name(named[call], None, counts[call])
                variable.type = _returned(program, found) or variable.type


def _returned(program: Program, bodies: tuple[str, ...]) -> str:
    """The class of objects that each of *bodies* returns; empty where they differ."""
    spelt = {program.result_of(b) for b in bodies}
    if len(spelt) != 1:
        return ""
    spelling = spelt.pop()
    object_of = program.split(spelling)[0]
    whole = not spelling.rstrip().endswith(("*", "&"))
    return spelling if whole and object_of in program.classes else ""
