"""What is in a member of an object that a function has made for itself.

``batch`` is made here, and has in ``batch->jobs`` what the calls put there that get it: all of them
are followed, with what they are handed.  Where the object is written down in a member, whoever
reads that member may put something there, too; where it goes anywhere else, nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.static.parse import facts as f
from lockorder.static.program.held_classes import HeldClasses
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.puts import STRANGE, Body, Unknown, Visit


class Contents:
    """Answers by function, its local, and the member of that."""

    def __init__(self, program: Program, held: HeldClasses) -> None:
        self.program = program
        self.held = held
        self._known: dict[tuple[str, str], frozenset[str] | None] = {}
        self._strangers: dict[str, set[str]] | None = None
        self._methods: dict[str, list[str]] | None = None
        self._lambdas: dict[str, list[f.Function]] | None = None

    def of(self, function: f.Function, path: Path) -> frozenset[str] | None:
        """Classes of what a local object of *function* has at *path*; None where nobody knows."""
        members = path.members
        if not path.is_variable or not self.held.is_told(path):
            return None
        key = path.variable, members[0]
        if key not in self._known:
            try:
                self._known[key] = (
                    _Search(self, members[0]).of_local(function, path.variable) or None
                )
            except Unknown:
                self._known[key] = None
        return self._known[key]

    def with_lambdas(self, function: str) -> Iterator[f.Function]:
        """A function and the lambdas in it."""
        if self._lambdas is None:
            self._lambdas = {}
            for each in self.program.functions.values():
                if each.parent:
                    self._lambdas.setdefault(each.parent, []).append(each)
        yield self.program.functions[function]
        for inner in self._lambdas.get(function, ()):
            yield from self.with_lambdas(inner.usr)

    def strangers(self, member: str) -> set[str]:
        """Functions that read a member of another object than their own."""
        if self._strangers is None:
            self._strangers = {}
            for function in self.program.functions.values():
                for value in (v for s in f.walk(function.body) for v in f.values(s)):
                    if isinstance(value, f.Field) and not isinstance(value.base, f.This):
                        self._strangers.setdefault(value.usr, set()).add(function.usr)
        return self._strangers.get(member, set())

    def methods(self, cls: str) -> list[str]:
        """Methods of a class."""
        if self._methods is None:
            self._methods = {}
            for function in self.program.functions.values():
                if function.cls and not function.parent:
                    self._methods.setdefault(function.cls, []).append(function.usr)
        return self._methods.get(cls, [])

    def bodies(self, call: f.Call) -> Sequence[str]:
        """What a call of a function or method may run."""
        target = call.target
        if not isinstance(target, f.Fn):
            return ()
        bodies = self.program.body_of(target.usr)
        return (*bodies, *self.program.overriders(target.usr)) if call.virtual else bodies


class _Search:
    """Finds all that is put into *member* of one object."""

    def __init__(self, contents: Contents, member: str) -> None:
        self._contents = contents
        self.program = contents.program
        self.held = contents.held
        self.bodies = contents.bodies
        self.with_lambdas = contents.with_lambdas
        self.member = member
        self.classes: set[str] = set()
        self._pending: list[Visit] = []
        self._seen: set[Visit] = set()
        #: functions that return the object to those who have it
        self.returning: set[str] = set()

    def of_local(self, function: f.Function, usr: str) -> frozenset[str]:
        """The classes of what the object has that the local *usr* is, or points to."""
        variable = self.program.variables.get(usr)
        begun = [s for s in f.walk(function.body) if isinstance(s, f.Local) and s.usr == usr]
        if variable is None or variable.kind != "local" or len(begun) != 1:
            raise Unknown
        first = Visit(function.usr, f.Var(usr))
        self._seen.add(first)
        body = Body(self, first)
        body.read()
        body.begins(begun[0].value)
        while self._pending:
            Body(self, self._pending.pop()).read()
        return frozenset(self.classes)

    def visit(self, visit: Visit) -> None:
        """Look at a function that has the object."""
        if visit not in self._seen:
            self._seen.add(visit)
            self._pending.append(visit)

    def kept_in(self, field: str, holder: str) -> None:
        """The object is written down in a member of a new object of class *holder*.

        Who reads it is one of that class's methods, or gets that object from one.
        """
        if not holder:
            raise Unknown
        own = {m for cls in self.program.ancestors(holder) for m in self._contents.methods(cls)}
        for usr in sorted(own | self._contents.strangers(field)):
            self.visit(Visit(usr, field, frozenset(), holder if usr in own else STRANGE))

    def returns(self, function: str) -> None:
        """A function returns the object to those who have it: they are looked at once more."""
        if function not in self.returning:
            self.returning.add(function)
            self._pending = list(self._seen)
