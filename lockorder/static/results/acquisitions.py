"""How many of the lock acquisitions in the sources are acquisitions in the result.

What looks like one is counted on the syntax tree (see syntax), whatever libclang made of it.  It is
seen where the walk took a lock there.  It is none where the walk knows better: a guard that is
deferred, adopts or moves, a call of a function whose body was walked, a method of the standard
library that is no lock's (``std::weak_ptr::lock``).
"""

from __future__ import annotations

from bisect import bisect_left

from lockorder.static.interp.engine import Engine
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import FileFacts

_Place = tuple[int, int]


class Acquisitions:
    """Places by file: of locks that were taken, and of calls and guards that take none."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._taken: dict[str, list[_Place]] = {}
        self._none: dict[str, list[_Place]] = {}
        functions = engine.program.functions
        for places, found in (
            (engine.found.sites, self._taken),
            (engine.found.takes_nothing, self._none),
        ):
            for usr, line, column in places:
                if usr in functions:
                    found.setdefault(functions[usr].file, []).append((line, column))
        for function in functions.values():
            for statement in f.walk(function.body):
                if self._is_none(statement):
                    assert isinstance(statement, (f.Call, f.Make))
                    place = (statement.line, statement.column)
                    self._none.setdefault(function.file, []).append(place)
        for found in (self._taken, self._none):
            for each in found.values():
                each.sort()

    def _is_none(self, statement: f.Stmt) -> bool:
        """Whether what is called has a body that was walked, or is known to take no lock."""
        usr = ""
        if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
            usr = statement.target.usr
        elif isinstance(statement, f.Make):
            usr = statement.ctor
        if not usr:
            return False
        program, known = self._engine.program, self._engine.knowledge
        name = program.name_of(usr)
        cls = name.rpartition("::")[0]
        if cls in known.locks or cls in known.guards:
            return False
        return bool(program.body_of(usr)) or known.is_standard(name)

    def of(self, counted: FileFacts) -> tuple[int, int]:
        """Acquisitions in one file, and those of them that are in the result."""
        taken, none = self._taken.get(counted.file, []), self._none.get(counted.file, [])
        seen = sum(_any_in(taken, extent) for extent in counted.extents)
        apart = sum(
            not _any_in(taken, extent) and _any_in(none, extent) for extent in counted.extents
        )
        return len(counted.extents) - apart, seen


def _any_in(places: list[_Place], extent: tuple[int, int, int, int]) -> bool:
    at = bisect_left(places, extent[:2])
    return at < len(places) and places[at] < extent[2:]
