"""Functions that run once, as a part of main: it calls them at one place, and nothing else does.

What they do while no thread of theirs runs is done by the only thread that there is, if main calls
them while it is alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import parts
from lockorder.static.program.link import Program


def find(program: Program, main: str, taken: AbstractSet[str]) -> dict[str, str]:
    """These functions with who calls them; *taken* are functions whose address is taken."""
    if main not in program.functions:
        return {}
    sites: dict[str, list[tuple[str, bool]]] = {}
    for function in program.functions.values():
        labels = any(isinstance(s, f.Label) for s in f.walk(function.body))
        for callee, repeated in _calls(program, function.body, labels):
            sites.setdefault(callee, []).append((function.usr, repeated))
    found: dict[str, str] = {}
    pending = [main]
    while pending:
        caller = pending.pop()
        for callee in [c for c, each in sites.items() if each == [(caller, False)]]:
            function = program.functions[callee]
            plain = function.kind in ("function", "method") and callee not in taken
            if plain and not function.overrides and not program.overriders(callee):
                found[callee] = caller
                pending.append(callee)
    return found


def _calls(program: Program, block: f.Block, repeated: bool) -> Iterator[tuple[str, bool]]:
    """Functions that a block calls, and whether it may do so again."""
    for statement in block.body:
        usr = ""
        if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
            usr = statement.target.usr
        elif isinstance(statement, f.Make):
            usr = statement.ctor
        for body in program.body_of(usr) if usr else ():
            yield body, repeated
        for part in parts(statement):
            yield from _calls(program, part, repeated or isinstance(statement, f.Loop))
