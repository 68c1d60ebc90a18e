"""What the parameters of class templates are, over the whole program: by the types in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program

_NAME = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?=<)")


class Arguments:
    """Answers by class template and the name of a parameter."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._given: dict[str, set[tuple[str, ...]]] | None = None
        self._functions: frozenset[str] | None = None

    def of(self, cls: str, parameter: str) -> frozenset[str] | None:
        """All that *parameter* is in the program; None where somebody may know of another one."""
        return self._of(cls, parameter, frozenset())

    def _of(self, cls: str, parameter: str, asking: frozenset[str]) -> frozenset[str] | None:
        known = self._program.classes.get(cls)
        if known is None or parameter not in known.tparams or cls in asking:
            return None
        at = known.tparams.index(parameter)
        found: set[str] = set()
        for given in self._all().get(cls, ()):
            if at >= len(given):
                return None  # a default, which no type spells out
            argument = given[at]
            if self._program.split(argument)[0] in self._program.classes or "::" in argument:
                found.add(argument)
                continue
            inner = self._passed_on(argument, asking | {cls})
            if inner is None:
                return None
            found |= inner
        return frozenset(found) if found else None

    def _passed_on(self, argument: str, asking: frozenset[str]) -> frozenset[str] | None:
        """What a parameter of another class template is, which hands it on under its own name."""
        if argument in self._of_functions():
            return None
        owners = [c for c in self._program.classes.values() if argument in c.tparams]
        inner = [self._of(c.name, argument, asking) for c in owners if c.name not in asking]
        known = [i for i in inner if i is not None]
        if not owners or len(known) < len(inner):
            return None
        return frozenset[str]().union(*known)

    def _of_functions(self) -> frozenset[str]:
        """Names of parameters of function templates."""
        if self._functions is None:
            self._functions = frozenset(p for d in self._program.decls.values() for p in d.tparams)
        return self._functions

    def _all(self) -> dict[str, set[tuple[str, ...]]]:
        if self._given is None:
            self._given = {}
            templates = {c.name for c in self._program.classes.values() if c.tparams}
            for spelling in set(_spelt(self._program)) if templates else ():
                self._read(spelling, templates)
        return self._given

    def _read(self, spelling: str, templates: set[str]) -> None:
        assert self._given is not None
        for named in _NAME.finditer(spelling):
            if named[0] in templates:
                arguments = self._program.split(_balanced(spelling[named.start() :]))[1]
                self._given.setdefault(named[0], set()).add(tuple(arguments))


def _balanced(text: str) -> str:
    """*text* up to the ``>`` that closes its first ``<``."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if letter == ">" and not depth:
            return text[: at + 1]
    return text


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
    """Types with arguments: of variables, bases, results, and of what is made."""
    for variable in program.variables.values():
        yield variable.type
    for cls in program.classes.values():
        yield from cls.base_types
    for decl in program.decls.values():
        yield decl.result
        yield from decl.types
    for function in program.functions.values():
        for statement in walk(function.body):
            if isinstance(statement, f.Make | f.Call):
                yield statement.type
