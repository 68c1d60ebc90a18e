"""Functions that nothing calls: no thread enters them.

Private methods, and functions of headers that lie outside of what was asked to be checked.  Whoever
can name such a method is there to be looked at: its class has no friends, and every method of the
class, and of classes inside it, has a body here.  A method that is named anywhere else than in
itself counts as called, by whatever name, and so do those that are dispatched to, or that say by
attributes what their callers must do.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Iterable, Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program


def find(program: Program, asked: Iterable[str]) -> frozenset[str]:
    """Those of the methods *asked* for that nothing can call."""
    open_ = Open(program)
    # What callers have to do is written down for those that are to come.
    promised = {contract.usr for contract in program.contracts}
    private = [
        usr
        for usr in asked
        if program.functions[usr].private and usr not in promised and not open_.has(usr)
    ]
    if not private:
        return frozenset()
    named = _Named(program)
    return frozenset(u for u in private if not named.elsewhere(u))


def included(program: Program, asked: Iterable[str]) -> Iterator[str]:
    """Those of the functions *asked* for, which nothing calls, that nobody asked to check.

    Their files were read because what is checked includes them: what others do with them is no
    business of it.  What takes the place of another function is called by who calls that.
    """
    functions = program.functions
    return (
        u for u in asked if not functions[u].overrides and not program.is_asked(functions[u].file)
    )


class Open:
    """Classes of which more may be written than is here."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, bool] = {}
        self._inside: dict[str, list[str]] | None = None

    def has(self, method: str) -> bool:
        """Whether a method is one of such a class, or of nobody knows which."""
        name = self._program.functions[method].cls
        cls = self._program.classes.get(name)
        original = self._program.copies.get(method, method)
        return cls is None or original not in cls.methods or self.is_one(name)

    def is_one(self, name: str) -> bool:
        """Whether the class of that name, or one inside it, is such a class."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = any(map(self._is_partial, self._and_inside(name)))
        return known

    def _and_inside(self, name: str) -> Iterable[str]:
        if self._inside is None:
            self._inside = {}
            for each in self._program.classes:
                around = each
                while "::" in around:
                    around = around.rpartition("::")[0]
                    self._inside.setdefault(around, []).append(each)
        return name, *self._inside.get(name, ())

    def _is_partial(self, name: str) -> bool:
        cls = self._program.classes[name]
        functions = self._program.functions
        return cls.friends or any(m not in functions or functions[m].filled for m in cls.methods)


class _Named:
    """Which functions name which, by key or, where that was not found out, by their last name."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._by: dict[str, set[str]] = {}
        for function in program.functions.values():
            for name in _names(function.body):
                self._by.setdefault(name, set()).add(function.usr)

    def elsewhere(self, usr: str) -> bool:
        """Whether another function than *usr* itself names it."""
        original = self._program.copies.get(usr, usr)
        same = {u for u, o in self._program.copies.items() if o == original} | {usr, original}
        last = self._program.name_of(usr).rpartition("::")[2]
        return any(not self._by.get(name, set()) <= same for name in (*same, last))


def _names(block: f.Block) -> set[str]:
    found: set[str] = set()
    pending: list[object] = [block]
    while pending:
        value = pending.pop()
        if isinstance(value, f.Fn):
            found.add(value.usr)
        elif isinstance(value, f.Name):
            found.add(value.text.rpartition("::")[2])
        elif isinstance(value, f.Make):
            found.add(value.ctor)
        for name in _holding(type(value)) if isinstance(value, f.Fact) else ():
            part = getattr(value, name)
            if isinstance(part, list):
                pending.extend(part)
            elif part is not None:
                pending.append(part)
    return found


@functools.cache
def _holding(kind: type[f.Fact]) -> tuple[str, ...]:
    """Fields of *kind* in which there is more than text and numbers."""
    types = typing.get_type_hints(kind)
    plain = (str, int, bool, list[str], list[int], str | None, int | None, bool | None)
    return tuple(name for name in kind.__struct_fields__ if types[name] not in plain)
