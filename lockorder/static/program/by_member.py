"""Which objects of a class are locks that their holder may take again, by what they were made with.

``Door(bool again) : again_(again)`` makes a lock of which a member decides of what kind it is
(`takers`).  Whoever makes one says which: ``front_(true)``.  The object goes by the member or
variable that it ends up in.
"""

from __future__ import annotations

from collections.abc import Callable

from lockorder.knowledge import Knowledge
from lockorder.model import LockKind
from lockorder.static.parse import facts as f
from lockorder.static.program.attributes import By, RecursiveLocks, Said
from lockorder.static.program.link import Program
from lockorder.static.program.places import Place
from lockorder.static.program.takers import Deciders


class ByMember(RecursiveLocks):
    """What is said of objects by those who write to members that decide."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        deciders: Deciders,
        outer: Callable[[Place], Place],
    ) -> None:
        self._deciders = deciders
        super().__init__(program, knowledge, outer)

    def _read(self, function: f.Function) -> None:
        members = self._deciders.members
        for statement in f.walk(function.body) if members else ():
            if not isinstance(statement, f.Assign) or not isinstance(statement.target, f.Field):
                continue
            if statement.target.usr not in members:
                continue
            place = self._place(function, statement.target.base)
            if place is not None:
                self._read_member(function, place, statement.target.usr, statement.value)

    def _read_member(self, function: f.Function, place: Place, member: str, value: f.Value) -> None:
        if isinstance(value, f.Lit):
            self._say(function.usr, Said(True, place, self._is(member, value.text)))
        elif isinstance(value, f.Var) and value.usr in function.params:
            self._say(function.usr, Said(True, place, False, Place(value.usr), member))
        else:
            self._say(function.usr, Said(True, place, True))  # as it may be

    def _told(self, value: f.Value | None, by: By | None) -> bool | None:
        if not isinstance(by, str):
            return None
        return self._is(by, value.text) if isinstance(value, f.Lit) and value.text else None

    def _is(self, member: str, text: str) -> bool:
        return self._deciders.kind(member, text) in (LockKind.RECURSIVE, None)
