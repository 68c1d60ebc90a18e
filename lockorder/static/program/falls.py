"""Members that nothing but a constructor makes true, or nothing but one makes false.

A flag that says that something is still to be done is cleared once that is done: whoever finds it
set knows that it was set all the time before, whoever ran meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.number_types import INTEGERS
from lockorder.static.program.link import Program


class Falls:
    """What statements outside of constructors make of members, over the whole program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._made: dict[str, set[bool | None]] | None = None
        #: Classes of which a whole object is written to somewhere.
        self._whole: set[str] = set()

    def only(self, member: str) -> bool | None:
        """Whether *member* is only ever made true, or false, once it has begun; None: neither."""
        variable = self._program.variables.get(member)
        if variable is None or variable.kind != "field":
            return None
        if self._program.plain(self._program.type_of(member)) not in INTEGERS:
            return None
        made = self._all().get(member, set())
        if len(made) != 1 or variable.name.rpartition("::")[0] in self._whole:
            return None
        return next(iter(made))

    def _all(self) -> dict[str, set[bool | None]]:
        if self._made is None:
            self._made = {}
            for function in self._program.functions.values():
                for member, base, truth in self._of(function.body):
                    if function.kind == "constructor" and isinstance(base, f.This):
                        continue
                    self._made.setdefault(member, set()).add(truth)
        return self._made

    def _of(self, block: f.Block) -> Iterator[tuple[str, f.Value, bool | None]]:
        """Writes to members: of which object, and what they make of them (None: anything).

        One that an assignment of a literal follows at once is not seen by anybody.
        """
        body = block.body
        for at, statement in enumerate(body):
            for part in f.parts(statement):
                yield from self._of(part)
            if isinstance(statement, f.Local) and isinstance(statement.value, f.Field):
                if self._program.is_indirect(self._program.type_of(statement.usr)):
                    yield statement.value.usr, statement.value.base, None  # by another name
                continue
            if not isinstance(statement, f.Assign | f.Written):
                continue
            target = statement.target
            self._note_whole(target)
            if not isinstance(target, f.Field):
                continue
            if isinstance(statement, f.Assign):
                truth = _truth(statement.value)
            else:
                truth = None
                if _is_replaced(body[at + 1 :], statement):
                    continue
            yield target.usr, target.base, truth

    def _note_whole(self, target: f.Value) -> None:
        spelling = self._program.type_of(target.usr) if isinstance(target, f.Field | f.Var) else ""
        if spelling and not spelling.rstrip().endswith("*"):
            self._whole.add(self._program.split(self._program.plain(spelling))[0])


def _truth(value: f.Value) -> bool | None:
    number = numbers.number_of(value.text) if isinstance(value, f.Lit) else None
    return None if number is None else number != 0


def _is_replaced(following: list[f.Stmt], written: f.Written) -> bool:
    """Whether all that is done after the call, but for keeping its result, is to set that again."""
    for statement in following:
        if isinstance(statement, f.Assign) and statement.target == written.target:
            return _truth(statement.value) is not None
        own = isinstance(statement, f.Call) and statement.id == written.call
        if not own and not isinstance(statement, f.Assign | f.Written | f.Local):
            return False
    return False
