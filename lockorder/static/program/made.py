"""Classes of which objects are made, in what was read.

A virtual call goes to the class of an object, and where nobody makes one of a class the call hardly
goes there (rapid type analysis: Bacon, Sweeney, OOPSLA 1996).  What was read is seldom a whole
program, so that this is a doubt, and no proof.  Whatever may make an object counts: an expression,
a variable, an element or a template's argument of that class, or of one that is derived from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_NAME = re.compile(r"[A-Za-z_][\w:]*")


class MadeClasses:
    """Answers for the classes of one program."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge

    def has(self, cls: str) -> bool:
        """Whether an object of *cls*, or of a class below it, is made anywhere."""
        return cls in self._all

    @cached_property
    def _all(self) -> frozenset[str]:
        known = self._program.classes
        last: dict[str, list[str]] = {}
        for cls in known:
            last.setdefault(cls.rpartition("::")[2], []).append(cls)
        found: set[str] = set()
        for name in set(self._named()):
            found.update([name] if name in known else last.get(name.rpartition("::")[2], ()))
        return frozenset().union(*map(self._program.ancestors, found))

    def _named(self) -> Iterator[str]:
        for function in self._program.functions.values():
            for statement in f.walk(function.body):
                if isinstance(statement, f.Make):
                    yield from self._of_object(statement.type)
                elif isinstance(statement, f.Call):
                    yield from _NAME.findall(statement.type)
                    yield from self._given(statement.target)
        for variable in self._program.variables.values():
            yield from self._of_object(variable.type)

    def _given(self, target: f.Value) -> Iterator[str]:
        """What a function that is called is instantiated for, which may make one."""
        if isinstance(target, f.Name):
            yield from _NAME.findall(target.text.partition("<")[2])
        elif isinstance(target, f.Instance):
            for argument in (*target.args, *target.outer):
                yield from self._of_object(argument)
        elif isinstance(target, f.Fn):
            yield from _NAME.findall(target.usr.partition("<,")[2])

    def _of_object(self, spelling: str) -> Iterator[str]:
        """What an object of that type has in it; of a pointer nothing, be it a smart one."""
        if self._program.is_indirect(spelling):
            return
        name = self._program.split(spelling)[0]
        owner = self._knowledge.owners.get(name)
        yield name
        if owner is None or not owner.pointer:
            yield from _NAME.findall(spelling)
