"""What a Python value can be, as far as sources tell: a small set of these for each name."""

from __future__ import annotations

import ast

import msgspec

from lockorder.python.scopes import Class, Function, Scope


class Kind(msgspec.Struct, frozen=True):
    """One thing that a value can be."""


class OfClass(Kind, frozen=True):
    """An object of a class of the program."""

    cls: Class


class ClassItself(Kind, frozen=True):
    """A class of the program."""

    cls: Class


class Callable(Kind, frozen=True):
    """A function of the program; *of* where an object of that class is bound to it.

    *plain*: as the class has it, so that the object is its first argument.
    """

    function: Function
    of: Class | None = None
    plain: bool = False


class Coroutine(Kind, frozen=True):
    """What the call of an ``async def`` gives."""

    function: Function


class Partial(Kind, frozen=True):
    """A function with some of its arguments: ``functools.partial(f, x)``, by the call."""

    node: ast.Call
    kinds: frozenset[Kind]

    def __hash__(self) -> int:
        return id(self.node)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and other.node is self.node


class OfModule(Kind, frozen=True):
    """A module of the program."""

    scope: Scope


class Path(Kind, frozen=True):
    """What a library calls so: a module, a class, a function, a method of an object of its."""

    path: str


class OfLibrary(Kind, frozen=True):
    """An object of a library's type."""

    type: str


class Container(Kind, frozen=True):
    """A list, dictionary, tuple or the like, by where it is made; *items*: pairs of one."""

    node: int
    items: bool = False


class Super(Kind, frozen=True):
    """``super()`` in a method of that class."""

    cls: Class


class Anything(Kind, frozen=True):
    """More than are told apart (bounds.PYTHON_KINDS): whatever is made of it is anything, too."""


ANYTHING = Anything()
Kinds = frozenset[Kind]
NOTHING: Kinds = frozenset()


def place(kind: Kind) -> tuple[str, str, int]:
    """By what kinds are put in an order that is the same in every run."""
    name = type(kind).__name__
    if isinstance(kind, OfClass | ClassItself | Super):
        return name, f"{kind.cls.name} {kind.cls.source.file}", kind.cls.node.lineno
    if isinstance(kind, Callable):
        return name, kind.function.usr, kind.of.node.lineno if kind.of is not None else 0
    if isinstance(kind, Coroutine):
        return name, kind.function.usr, 0
    if isinstance(kind, OfModule):
        return name, kind.scope.name, 0
    if isinstance(kind, Path):
        return name, kind.path, 0
    if isinstance(kind, OfLibrary):
        return name, kind.type, 0
    if isinstance(kind, Partial):
        return name, "", kind.node.lineno
    return name, "", 0
