"""With which arguments the program uses its class templates, by the types that it spells.

Of a base class its arguments are not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program


def find(program: Program) -> dict[str, set[tuple[str, ...]]]:
    """By class template: the lists of arguments, but for those that a template's own are."""
    found: dict[str, set[tuple[str, ...]]] = {}
    seen: set[str] = set()
    pending = list(_spelt(program))
    while pending:
        spelling = pending.pop()
        if "<" not in spelling or spelling in seen:
            continue
        seen.add(spelling)
        name, arguments = program.split(program.pointee(spelling))
        pending.extend(arguments)
        known = program.classes.get(name)
        if known is not None and known.tparams and not any(map(program.is_dependent, arguments)):
            found.setdefault(name, set()).add(tuple(arguments))
    return found


def _spelt(program: Program) -> Iterator[str]:
    for variable in program.variables.values():
        yield variable.type
    for function in program.functions.values():
        yield from (s.type for s in f.walk(function.body) if isinstance(s, f.Call | f.Make))
