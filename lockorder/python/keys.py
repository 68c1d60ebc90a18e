"""Under which keys it is kept what Python's names can stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import msgspec

from lockorder import bounds
from lockorder.python.kinds import (
    ANYTHING,
    NOTHING,
    Kind,
    Kinds,
    Path,
)
from lockorder.python.library import Library, prefixes
from lockorder.python.scopes import Class, Function, Names, Scope

Key = tuple[object, ...]
#: Classes of libraries that are containers, and what else is asked for by its path.
CONTAINERS = frozenset(("collections.deque", "collections.OrderedDict", "weakref.WeakSet"))
_MAKERS = ("functools.partial", "dataclasses.field", "collections.defaultdict", "attr.field")


class Unit(msgspec.Struct, eq=False):
    """What is looked at in one go: a module's own statements, a class's, or a function."""

    scope: Scope
    body: list[ast.stmt]
    function: Function | None = None
    cls: Class | None = None
    #: what in it says something of values
    nodes: list[ast.AST] | None = None


class Keys:
    """Sets of kinds by key: of variables, attributes, results and elements."""

    def __init__(self, names: Names, library: Library, known: Iterable[str]) -> None:
        """*known*: names of further functions of libraries that somebody asks for."""
        self.names = names
        self.library = library
        self.leading = library.leading | {p for name in known for p in prefixes(name)}
        self.leading |= {p for name in (*CONTAINERS, *_MAKERS) for p in prefixes(name)}
        self.values: dict[Key, set[Kind]] = {}
        self.asked: dict[Key, set[int]] = {}
        #: what can be more than is told apart
        self.too_many: set[Key] = set()
        self._current = 0
        self._grown: set[Key] = set()
        self._attributes: dict[int, set[str]] = {}
        self._owners: dict[tuple[int, str], Class] = {}

    def get(self, key: Key) -> Kinds:
        """What is known of *key*; whoever asks is asked again where it grows."""
        if self._current >= 0:
            self.asked.setdefault(key, set()).add(self._current)
        return frozenset(self.values.get(key, ()))

    def put(self, key: Key, kinds: Iterable[Kind]) -> None:
        old = self.values.setdefault(key, set())
        if ANYTHING in old:
            return
        size = len(old)
        old.update(kinds)
        if ANYTHING in old or len(old) > bounds.PYTHON_KINDS.limit:
            old.clear()
            old.add(ANYTHING)
            self.too_many.add(key)
            self._grown.add(key)
        elif len(old) != size:
            self._grown.add(key)

    def at_path(self, path: str) -> Kinds:
        """What a library calls so, if that or anything below it is of interest.

        There are not many of those, and so the sets of kinds stay small.
        """
        path = self.library.path(path)
        return frozenset((Path(path),)) if path in self.leading else NOTHING

    def variable(self, scope: Scope, name: str) -> Key | None:
        """The key of a name as *scope* sees it; None for what is built in."""
        home = scope.home(name)
        return ("v", id(home), name) if home is not None else None

    def owner(self, cls: Class, attribute: str) -> Class:
        """The class that an attribute of an object belongs to: the last base that has it."""
        key = id(cls), attribute
        found = self._owners.get(key)
        if found is None:
            own = [c for c in cls.lineage if attribute in self._attributes.get(id(c), ())]
            found = self._owners[key] = own[-1] if own else cls
        return found

    def attribute(self, cls: Class, name: str) -> Key:
        return ("a", id(self.owner(cls, name)), name)

    def has_attribute(self, cls: Class, name: str) -> bool:
        return any(name in self._attributes.get(id(c), ()) for c in cls.lineage)
