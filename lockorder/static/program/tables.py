"""Tables of functions that are filled together: one implementation each.

``{lock_a, unlock_a}`` and ``{lock_b, unlock_b}`` may both be stored in one global table, but never
at once: whoever locks by one of its members unlocks by the other member of the same row.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.places import LASTING
from lockorder.static.program.steps import is_element

#: By member: the functions that one row has there.
_Row = dict[str, set[str]]


class Tables:
    """What stands beside a function in the rows of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: Members that get what some other member or variable has: of rows, or of pieces of these.
        self._mixed: set[str] = set()
        #: by member: the rows with it
        self._rows: dict[str, list[_Row]] = {}
        for function in program.functions.values():
            for row in self._written(function):
                for member in row:
                    self._rows.setdefault(member, []).append(row)

    def beside(self, member: str, function: str, other: str) -> frozenset[str] | None:
        """What the *other* member of a table has whose *member* is *function*; None: anything."""
        if member == other:
            return frozenset((function,))
        if member in self._mixed or other in self._mixed:
            return None
        found: set[str] = set()
        for row in self._rows.get(other, ()):
            mine = row.get(member)
            if mine is None or function in mine:  # set alone, it is beside whatever is there
                found |= row[other]
        rows = [row for row in self._rows.get(member, ()) if function in row[member]]
        return frozenset(found) if rows and all(row.get(other) for row in rows) else None

    def is_member(self, path: Path) -> bool:
        """Whether *path* is a member of a table that is global, or that a global leads to.

        A thread's way through it stays with one row: who changes the table does so at the start.
        """
        if not path.steps or not path.is_variable or any(map(is_element, path.steps)):
            return False
        variable = self._program.variables.get(path.variable)
        return variable is not None and variable.kind in LASTING

    def _written(self, function: f.Function) -> Iterator[_Row]:
        """The rows that *function* writes: initialisers, and members set one after another."""
        single: dict[object, _Row] = {}
        for statement in f.walk(function.body):
            if isinstance(statement, f.Local) and statement.value is not None:
                yield from self._listed(statement.value)
            elif isinstance(statement, f.Written) and isinstance(statement.target, f.Field):
                self._mixed.add(statement.target.usr)
            elif isinstance(statement, f.Assign):
                yield from self._listed(statement.value)
                if isinstance(statement.target, f.Field):
                    self._set(single.setdefault(repr(statement.target.base), {}), statement)
        yield from single.values()

    def _set(self, row: _Row, assign: f.Assign) -> None:
        assert isinstance(assign.target, f.Field)
        member, value = assign.target.usr, assign.value
        if isinstance(value, f.Fn):
            row.setdefault(member, set()).update(self._program.body_of(value.usr))
        elif not isinstance(value, f.Lit):
            self._mixed.add(member)

    def _listed(self, value: f.Value) -> Iterator[_Row]:
        if not isinstance(value, f.AnyOf):
            return
        row: _Row = {}
        for each, member in zip(value.values, value.fields, strict=False):
            if isinstance(each, f.Fn):
                row[member] = set(self._program.body_of(each.usr))
            elif isinstance(each, f.AnyOf):
                yield from self._listed(each)
            elif not isinstance(each, f.Lit):
                self._mixed.add(member)
        if not value.fields:
            for each in value.values:
                yield from self._listed(each)
        if row:
            yield row
