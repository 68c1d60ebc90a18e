"""Reads knowledge files and indexes them by qualified name."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from importlib import resources
from typing import Literal

import msgspec

from lockorder.model import How, LockKind, Mode

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same library under its older name
    import tomli as tomllib


class KnowledgeError(ValueError):
    """A knowledge file or a user's declaration is malformed; the text names file and place."""


class LockType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"try_": "try"}):
    """Lock classes and the names of the methods that take and release them."""

    types: list[str]
    kind: LockKind = LockKind.MUTEX
    lock: list[str] = []
    try_: list[str] = []
    timed: list[str] = []
    unlock: list[str] = []
    lock_shared: list[str] = []
    try_shared: list[str] = []
    timed_shared: list[str] = []
    unlock_shared: list[str] = []


class GuardType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"try_": "try"}):
    """RAII types: the constructor takes the locks among its arguments, the destructor releases.

    ``all``: every argument is a lock and they are taken together, deadlock-free ([thread.lock]).
    """

    types: list[str]
    mode: Mode = Mode.EXCLUSIVE
    all: bool = False
    lock: list[str] = []
    try_: list[str] = []
    timed: list[str] = []
    unlock: list[str] = []
    release: list[str] = []
    owns: list[str] = []
    adopt: list[str] = []
    defer: list[str] = []
    try_tag: list[str] = []


class LockFunction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A free function that takes or releases the lock that is its argument number *acquires*."""

    names: list[str]
    acquires: int | Literal["all"] | None = None
    releases: int | None = None
    mode: Mode = Mode.EXCLUSIVE
    how: How = How.BLOCKING
    #: the returned value that means success, for how = "try" and "timed" (default: true)
    succeeds_with: int | None = None


class Wait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Waiting on a condition: argument *lock* is released, and taken again before the return."""

    names: list[str]
    lock: int
    timed: bool = False


class Starter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What runs its callable argument in another thread."""

    names: list[str] = []
    types: list[str] = []


class Same(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that hand on an object: *names* their first argument; on *types*, *methods* the object
    itself and *elements* one of its elements."""

    names: list[str] = []
    types: list[str] = []
    methods: list[str] = []
    elements: list[str] = []


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plain set of functions and types."""

    names: list[str] = []
    types: list[str] = []


class KnowledgeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file, or the same keys in a user's configuration."""

    lock: list[LockType] = []
    guard: list[GuardType] = []
    function: list[LockFunction] = []
    wait: list[Wait] = []
    thread: list[Starter] = []
    same: list[Same] = []
    never_returns: list[Names] = []
    keeps: list[Names] = []


class Operation(msgspec.Struct, frozen=True):
    """What a method does to its object: take (*how*, *mode*), release, give up, or report."""

    what: Literal["acquire", "release", "disown", "owns"]
    mode: Mode = Mode.EXCLUSIVE
    how: How = How.BLOCKING


class Knowledge:
    """Answers by qualified name, template arguments left out."""

    def __init__(self, files: Iterable[KnowledgeFile]) -> None:
        self.locks: dict[str, LockType] = {}
        self.guards: dict[str, GuardType] = {}
        self.functions: dict[str, LockFunction] = {}
        self.waits: dict[str, Wait] = {}
        self.starters: set[str] = set()
        self.starter_types: set[str] = set()
        self.same_functions: set[str] = set()
        self.same_types: set[str] = set()
        self.same_methods: set[str] = set()
        self.element_methods: set[str] = set()
        self.never_returns: set[str] = set()
        self.keepers: set[str] = set()
        self.keeper_types: set[str] = set()
        self._operations: dict[tuple[str, str], Operation] = {}
        for file in files:
            self._add(file)

    def _add(self, file: KnowledgeFile) -> None:
        for lock in file.lock:
            for name in lock.types:
                self.locks[name] = lock
                self._index_lock(name, lock)
        for guard in file.guard:
            for name in guard.types:
                self.guards[name] = guard
                self._index_guard(name, guard)
        for function in file.function:
            self.functions.update(dict.fromkeys(function.names, function))
        for wait in file.wait:
            self.waits.update(dict.fromkeys(wait.names, wait))
        for starter in file.thread:
            self.starters.update(starter.names)
            self.starter_types.update(starter.types)
        for same in file.same:
            self.same_functions.update(same.names)
            self.same_types.update(same.types)
            self.same_methods.update(same.methods)
            self.element_methods.update(same.elements)
        for names in file.never_returns:
            self.never_returns.update(names.names)
        for names in file.keeps:
            self.keepers.update(names.names)
            self.keeper_types.update(names.types)

    def _index_lock(self, name: str, lock: LockType) -> None:
        exclusive, shared = Mode.EXCLUSIVE, Mode.SHARED
        self._index(name, lock.lock, Operation("acquire", exclusive))
        self._index(name, lock.try_, Operation("acquire", exclusive, How.TRY))
        self._index(name, lock.timed, Operation("acquire", exclusive, How.TIMED))
        self._index(name, lock.unlock, Operation("release", exclusive))
        self._index(name, lock.lock_shared, Operation("acquire", shared))
        self._index(name, lock.try_shared, Operation("acquire", shared, How.TRY))
        self._index(name, lock.timed_shared, Operation("acquire", shared, How.TIMED))
        self._index(name, lock.unlock_shared, Operation("release", shared))

    def _index_guard(self, name: str, guard: GuardType) -> None:
        self._index(name, guard.lock, Operation("acquire", guard.mode))
        self._index(name, guard.try_, Operation("acquire", guard.mode, How.TRY))
        self._index(name, guard.timed, Operation("acquire", guard.mode, How.TIMED))
        self._index(name, guard.unlock, Operation("release", guard.mode))
        self._index(name, guard.release, Operation("disown", guard.mode))
        self._index(name, guard.owns, Operation("owns", guard.mode))

    def _index(self, name: str, methods: list[str], operation: Operation) -> None:
        for method in methods:
            self._operations[name, method] = operation

    def operation(self, cls: str, method: str) -> Operation | None:
        """What *method* does to an object of class *cls*, where that is known."""
        return self._operations.get((cls, method))


def load(text: str, source: str) -> KnowledgeFile:
    """Read one knowledge file; raises KnowledgeError naming *source* and what is wrong."""
    try:
        return msgspec.convert(tomllib.loads(text), KnowledgeFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise KnowledgeError(f"{source}: {error}") from None


@functools.cache
def builtin() -> Knowledge:
    """Everything under lockorder/knowledge."""
    folder = resources.files(__package__)
    names = sorted(f.name for f in folder.iterdir() if f.name.endswith(".toml"))
    return Knowledge(load((folder / n).read_text(encoding="utf-8"), n) for n in names)
