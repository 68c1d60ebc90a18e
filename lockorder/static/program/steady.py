"""Pointers that lead to one object for as long as whoever has them lives.

A member, or a global, that is given a value at no more than one place of the program: where its
object is made, or where that is set up.  Null does not count, since nothing is locked through it.
What such a pointer leads to is told by the object that has it: two threads that have one
``queue`` also have one ``queue->pool``.

A place may be passed more than once, which is not asked (docs/limits.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.places import LASTING
from lockorder.static.program.steps import Steps, member
from lockorder.static.program.written import how_passed, passing

_ASSIGNS = "operator="
#: Argument number of the object of a call, and of what no call sets.
_OBJECT, _NONE = -1, -2


class _Place(NamedTuple):
    """Where something gets a value: by which argument of a call, if by one."""

    file: str
    line: int
    argument: int


#: Where an object is made: all of its constructor is one place.
_BIRTH = _Place("", 0, _NONE)


class Steady:
    """Answers for the pointers of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: By declaration: the places that give it a value.
        self._given: dict[str, set[_Place]] = {}
        #: The same by the last name, where what it is a member of was not read.
        self._unread: dict[str, set[_Place]] = {}
        for function in program.functions.values():
            for target, place in self._writes(function):
                if isinstance(target, f.Var | f.Field):
                    self._given.setdefault(target.usr, set()).add(place)
                elif isinstance(target, f.Name):
                    self._unread.setdefault(target.text.rpartition("::")[2], set()).add(place)

    def is_steady(self, usr: str) -> bool:
        """Whether a member or global leads to one object, or is one itself."""
        variable = self._program.variables.get(usr)
        if variable is None or variable.kind not in ("field", *LASTING):
            return False
        spelling = variable.type.rstrip()
        if not self._program.is_indirect(spelling) or spelling.endswith(("&", "const")):
            return True
        unread = self._unread.get(variable.name.rpartition("::")[2], ())
        return len(self._given.get(usr, set()).union(unread)) <= 1

    def _writes(self, function: f.Function) -> Iterator[tuple[f.Value, _Place]]:
        """What *function* gives a value to, and where."""
        for statement in walk(function.body):
            if isinstance(statement, f.Assign):
                if not f.is_null(statement.value):
                    yield statement.target, _place(function, statement, _NONE)
            elif isinstance(statement, f.Written):
                yield statement.target, _place(function, statement, statement.argument)
            elif isinstance(statement, f.Call):
                for at, target in self._passed(statement):
                    yield target, _place(function, statement, at)

    def _passed(self, call: f.Call) -> Iterator[tuple[int, f.Value]]:
        """What a call may give a value to: the number of the argument, and what it is."""
        target = call.target
        if not isinstance(target, f.Fn):
            return
        if isinstance(target.base, f.Var | f.Field):
            name = self._program.name_of(target.usr)
            cls, _, method = name.rpartition("::")
            sets = not self._program.knowledge.empties(name, all(map(f.is_null, call.args)))
            writes = passing(self._program, target.usr)[0] and method != _ASSIGNS
            if writes and sets and self._program.is_indirect(cls):
                yield _OBJECT, target.base
        passed = passing(self._program, target.usr)[1]
        for at, argument in enumerate(call.args):
            named = isinstance(argument, f.Var | f.Field)
            if named and how_passed(passed, at) == "&" and self._sets(target.usr, at):
                yield at, argument

    def _sets(self, callee: str, at: int) -> bool:
        """Whether what a function has by reference can be a pointer, and not what that leads to.

        The two look alike where it is called.
        """
        for body in self._program.body_of(callee):
            parameters = self._program.functions[body].params
            if at < len(parameters):
                spelling = self._program.type_of(parameters[at]).rstrip()
                return self._program.is_indirect(spelling.removesuffix("&").rstrip())
        decl = self._program.decls.get(callee)
        return decl is not None and bool(decl.tparams)


def _place(function: f.Function, statement: f.Assign | f.Written | f.Call, argument: int) -> _Place:
    target = statement.target
    base = target.base if isinstance(target, f.Field | f.Fn | f.Name) else None
    if isinstance(statement, f.Call) and isinstance(base, f.Field):
        base = base.base
    own = isinstance(base, f.This) and function.cls != ""
    if own and (function.kind == "constructor" or function.usr.startswith("nsdmi:")):
        return _BIRTH
    return _Place(function.file, statement.line, argument)


def first_steady(steady: Steady, steps: Steps) -> int:
    """How many of *steps* have to be gone until the rest of the way always leads to one object."""
    number = len(steps)
    while number and steady.is_steady(member(steps[number - 1])):
        number -= 1
    return number
