"""Which classes' objects never have anything in a member of their base.

A base calls what it was given when it was begun, if it was given something.  Constructors of a
derived class that hand nothing over for that make objects which call nothing: what is called by
this member is called for objects of other classes.
"""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.held_classes import HeldClasses
from lockorder.static.program.link import Program


class Unset:
    """Answers by member."""

    def __init__(self, program: Program, knowledge: Knowledge, held: HeldClasses) -> None:
        self._program = program
        self._knowledge = knowledge
        self._held = held
        self._known: dict[str, frozenset[str]] = {}
        self._writes: dict[str, list[tuple[f.Function, f.Value, f.Value | None]]] | None = None
        #: constructors that objects are begun with
        self._begun: set[str] = set()

    def lacking(self, member: str) -> frozenset[str]:
        """Classes whose objects never have anything there; empty where nobody knows of any."""
        known = self._known.get(member)
        if known is None:
            known = self._known[member] = self._find(member)
        return known

    def _find(self, member: str) -> frozenset[str]:
        variable = self._program.variables.get(member)
        cls = variable.name.rpartition("::")[0] if variable is not None else ""
        below = self._held.derived(cls)
        if variable is None or variable.kind != "field" or not below or len(below) < 2:
            return frozenset()
        given = set[str]()
        parameters: dict[str, int] = {}
        for function, base, value in self._written().get(member, ()):
            own = isinstance(base, f.This) and function.kind == "constructor"
            at = _parameter(_Body(self._program, self._knowledge, function), value) if own else None
            if at is not None:
                parameters[function.usr] = at
            elif not _Body(self._program, self._knowledge, function).is_null(value):
                there = function.cls if isinstance(base, f.This) else self._class(function, base)
                given |= (self._held.derived(there) if there in below else None) or below
        if not parameters:
            return frozenset()
        return frozenset(
            c for c in below if c not in given and c != cls and not self._gives(c, parameters)
        )

    def _class(self, function: f.Function, base: f.Value) -> str:
        """The class that what has the member is declared with."""
        through = _Body(self._program, self._knowledge, function).same(base)
        usr = through.usr if isinstance(through, f.Var | f.Field) else ""
        return self._program.split(self._program.pointee(self._program.type_of(usr)))[0]

    def _written(self) -> dict[str, list[tuple[f.Function, f.Value, f.Value | None]]]:
        """By member: who writes to it, of which object, and what (None for anything)."""
        if self._writes is not None:
            return self._writes
        found: dict[str, list[tuple[f.Function, f.Value, f.Value | None]]] = {}
        for function in self._program.functions.values():
            for statement in f.walk(function.body):
                if isinstance(statement, f.Assign) and isinstance(statement.target, f.Field):
                    write = function, statement.target.base, statement.value
                    found.setdefault(statement.target.usr, []).append(write)
                elif isinstance(statement, f.Written) and isinstance(statement.target, f.Field):
                    found.setdefault(statement.target.usr, []).append(
                        (function, statement.target.base, None)
                    )
                elif isinstance(statement, f.Make):
                    self._begun.add(statement.ctor)
                elif isinstance(statement, f.Call):
                    for field in self._changed(statement):
                        found.setdefault(field.usr, []).append((function, field.base, None))
        self._writes = found
        return found

    def _changed(self, call: f.Call) -> list[f.Field]:
        """Members that a call may put something into."""
        target = call.target
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        if not isinstance(base, f.Field):
            return []
        if not isinstance(target, f.Fn):
            return [base]
        method = self._program.name_of(target.usr).rpartition("::")[2]
        looks = method == "operator()" or self._held.only_looks(target, method, None)
        # An assignment is told as such, and its operator after it.
        return [] if looks or method == f.ASSIGNMENT else [base]

    def _gives(self, cls: str, parameters: dict[str, int]) -> bool:
        """Whether a constructor of *cls* hands something over for one of the *parameters*."""
        known = self._program.classes.get(cls)
        ctors = known.ctors if known is not None else ()
        bodies = [b for c in ctors for b in self._program.body_of(c)]
        if not bodies or any(c in self._begun and not self._program.body_of(c) for c in ctors):
            return True  # by one that nobody wrote, or that is not here
        return any(self._may_set(b, parameters, frozenset()) for b in bodies)

    def _may_set(self, ctor: str, parameters: dict[str, int], seen: frozenset[str]) -> bool:
        """Whether an object that *ctor* begins may have something in the member."""
        function = self._program.functions[ctor]
        body = _Body(self._program, self._knowledge, function)
        begun = [
            body.makes[s.value.make]
            for s in f.walk(function.body)
            if isinstance(s, f.Assign) and isinstance(s.target, f.This)
            and isinstance(s.value, f.Made) and s.value.make in body.makes
        ]  # fmt: skip
        if not begun or ctor in seen:
            return True
        for make in begun:
            for base in self._program.body_of(make.ctor) if make.ctor else ():
                if base in parameters:
                    if not body.is_null_argument(make.args, parameters[base]):
                        return True
                elif self._leads_on(base) and self._may_set(base, parameters, seen | {ctor}):
                    return True
        return not any(
            b in parameters or self._leads_on(b)
            for m in begun
            for b in self._program.body_of(m.ctor)
        )

    def _leads_on(self, ctor: str) -> bool:
        """Whether a constructor has a base of its own to begin."""
        known = self._program.classes.get(self._program.functions[ctor].cls)
        return known is not None and bool(known.bases)


class _Body:
    """The text of one function, where values in it are asked about."""

    def __init__(self, program: Program, knowledge: Knowledge, function: f.Function) -> None:
        self._program = program
        self._knowledge = knowledge
        self.function = function
        self.makes: dict[int, f.Make] = {}
        self._calls: dict[int, f.Call] = {}
        for statement in f.walk(function.body):
            if isinstance(statement, f.Make):
                self.makes[statement.id] = statement
            elif isinstance(statement, f.Call):
                self._calls[statement.id] = statement

    def same(self, value: f.Value | None) -> f.Value | None:
        """*value* before it was moved, or wrapped in another object of a library."""
        while True:
            if isinstance(value, f.Result) and value.call in self._calls:
                call = self._calls[value.call]
                target = call.target
                name = self._program.name_of(target.usr) if isinstance(target, f.Fn) else ""
                method = name.rpartition("::")[2]
                if name in self._knowledge.moves or name in self._knowledge.same_functions:
                    value = call.args[0] if call.args else None
                elif isinstance(target, f.Fn) and method in self._knowledge.same_methods:
                    value = target.base
                else:
                    return value
            elif isinstance(value, f.Made) and value.make in self.makes:
                make = self.makes[value.make]
                if len(make.args) != 1 or self._program.body_of(make.ctor):
                    return value
                value = make.args[0]
            else:
                return value

    def is_null(self, value: f.Value | None) -> bool:
        """Whether *value* is nothing: null, or an object of a library that was made of nothing."""
        value = self.same(value)
        if isinstance(value, f.Made) and value.make in self.makes:
            make = self.makes[value.make]
            return not (make.args or make.heap or self._program.body_of(make.ctor))
        return f.is_null(value)

    def is_null_argument(self, args: Sequence[f.Value], at: int) -> bool:
        """Whether nothing is handed over as argument *at*, by its default perhaps."""
        return at < len(args) and self.is_null(args[at])


def _parameter(body: _Body, value: f.Value | None) -> int | None:
    """Which parameter of its function *value* is."""
    value = body.same(value)
    params = body.function.params
    return params.index(value.usr) if isinstance(value, f.Var) and value.usr in params else None
