"""Locks beside each other of which an object only ever uses one, as a member of it says.

``kind_ == Kind::Again ? again_.lock() : once_.lock()``: with each value that the member can have,
all functions that use these locks use the same one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from lockorder.static.parse import facts as f
from lockorder.static.program import decided
from lockorder.static.program.link import Program
from lockorder.static.program.places import Place

#: What a flag can be, whatever it is compared with.
FLAG = frozenset(("0", "1"))

#: What a value names in a function.
_PlaceOf = Callable[[f.Function, f.Value | None], Place | None]
#: Functions, and the objects in them whose locks they use.
Uses = Iterable[tuple[str, Place]]


def find(
    program: Program,
    locks: Mapping[str, AbstractSet[str]],
    uses: Mapping[str, Uses],
    place: _PlaceOf,
    fields: Callable[[f.Block, Program], Iterable[str]],
) -> Iterator[tuple[str, str]]:
    """Each such lock, and the one that it is told as.

    *locks* and *uses* by a class; *fields*: those that a body names.
    """
    for cls, mine in sorted(locks.items()):
        values: dict[str, set[str]] = {}
        changed: set[str] = set()
        using = list(uses[cls])
        for usr, owner in using:
            for field, text in tested(program, usr, owner, place):
                values.setdefault(field, set(FLAG)).add(text)
            changed.update(written(program, usr))

        def used(
            field: str, text: str, mine: AbstractSet[str] = mine, using: Uses = using
        ) -> set[str]:
            found = set[str]()
            for usr, owner in using:
                function = program.functions[usr]
                known = knows(function, owner, field, text, place)
                found |= mine & set(fields(decided.where(function.body, known), program))
            return found

        for field in sorted(values.keys() - changed):
            chosen = [used(field, text) for text in sorted(values[field])]
            if all(len(each) <= 1 for each in chosen) and set().union(*chosen) == mine:
                first = next((x for x in program.classes[cls].fields if x in mine), min(mine))
                yield from ((lock, first) for lock in sorted(mine - {first}))
                break


def knows(
    function: f.Function, owner: Place, field: str, text: str, place: _PlaceOf
) -> decided.Known:
    """That a member of the object at *owner* is a literal."""

    def known(value: f.Value) -> str | None:
        if not isinstance(value, f.Field) or value.usr != field:
            return None
        return text if place(function, value.base) == owner else None

    return known


def tested(program: Program, usr: str, owner: Place, place: _PlaceOf) -> Iterator[tuple[str, str]]:
    """Members of an object that a function tests, each with a literal that it asks for."""
    function = program.functions[usr]
    for value in decided.tested(function.body):
        sides = [value.left, value.right] if isinstance(value, f.Compare | f.Op) else [value]
        texts = [s.text for s in sides if isinstance(s, f.Lit)] or ["1"]
        for side in sides:
            inner = [side.left, side.right] if isinstance(side, f.Op) else [side]
            for each in inner:
                if isinstance(each, f.Field) and place(function, each.base) == owner:
                    yield from ((each.usr, text) for text in texts)


def written(program: Program, usr: str) -> Iterator[str]:
    """Members that a function gives a value."""
    for statement in f.walk(program.functions[usr].body):
        if isinstance(statement, f.Assign) and isinstance(statement.target, f.Field):
            yield statement.target.usr
