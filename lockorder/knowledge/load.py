"""Reads knowledge files and indexes them by qualified name."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from importlib import resources
from typing import Literal

import msgspec

from lockorder.knowledge.doings import Doings
from lockorder.knowledge.objects import Objects
from lockorder.knowledge.schema import (
    Atomic,
    Blocks,
    Callback,
    Check,
    Collective,
    Entry,
    Group,
    GuardType,
    KnowledgeFile,
    Lockable,
    LockFunction,
    LockType,
    NamedLock,
    Once,
    Setting,
    Wait,
    Which,
)
from lockorder.model import How, Mode

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same library under its older name
    import tomli as tomllib


class KnowledgeError(ValueError):
    """A knowledge file or a user's declaration is malformed; the text names file and place."""


class Operation(msgspec.Struct, frozen=True):
    """What a method does to its object: take (*how*, *mode*), release, give up, or report.

    ``guard`` takes and returns a guard; ``with`` takes, runs the callable argument, and releases.
    ``lend`` gives the lock itself, and does nothing to it.
    """

    what: Literal["acquire", "release", "disown", "owns", "lend", "guard", "with"]
    mode: Mode = Mode.EXCLUSIVE
    how: How = How.BLOCKING


#: What coroutines are called by that are begun elsewhere (``program/suspended``).
TASK = "a task that begins"


class Knowledge(Objects, Doings):
    """Answers by qualified name, template arguments left out."""

    def __init__(self, files: Iterable[KnowledgeFile]) -> None:
        super().__init__()
        self.locks: dict[str, LockType] = {}
        self.guards: dict[str, GuardType] = {}
        self.functions: dict[str, LockFunction] = {}
        #: what methods do to an object of a class that is only declared
        self.lockable: dict[str, Operation] = {}
        self.atomics: dict[str, Atomic] = {}
        self.waits: dict[str, Wait] = {}
        self.starters: set[str] = {TASK}
        #: by starter: the argument with which it starts no thread
        self.runs_later: dict[str, str] = {}
        self.starter_types: set[str] = set()
        #: those of objects that stand for one thread at a time
        self.single_threads: set[str] = set()
        self.handles: dict[str, int] = {}
        self.callbacks: list[Callback] = []
        #: numbers of *callbacks* by function
        self.registers: dict[str, list[int]] = {}
        self.runs: dict[str, list[int]] = {}
        self.notifies: dict[str, Which] = {}
        #: classes of objects by which threads wake each other
        self.signals: set[str] = set()
        self.onces: dict[str, Once] = {}
        #: functions that give the id of the thread itself, and methods that give another's
        self.own_thread: set[str] = set()
        self.thread_ids: set[str] = set()
        #: by function that compares two ids: whether it says that they are the same
        self.same_thread: dict[str, bool] = {}
        self.named: dict[str, NamedLock] = {}
        #: of guards: methods that give the lock
        self.lends: set[str] = set()
        #: what methods do to a guard, or an object, of which nothing else is known
        self.any_guard: dict[str, Operation] = {}
        self.any_lockable: dict[str, Operation] = {}
        #: with their colons
        self.namespaces: tuple[str, ...] = ()
        #: by name of a function: the number of the argument that is a lock and ends
        self.lock_ends: dict[str, int] = {}
        self.entries: list[Entry] = []
        self.binders: dict[str, Entry] = {}
        self.holders: dict[str, Entry] = {}
        self.entry_types: dict[str, Entry] = {}
        self.entry_names: dict[str, Entry] = {}
        self.blocks: dict[str, Blocks] = {}
        #: functions that wait where they are called until they say that it is over
        self.asked: dict[str, Blocks] = {}
        #: enumerators of libraries that calls return
        self.constants: set[str] = set()
        self.collectives: dict[str, Collective] = {}
        self.checks: dict[str, Check] = {}
        self.recursive_initialisers: tuple[str, ...] = ()
        self.recursive_values: set[str] = set()
        self.recursive_set: set[str] = set()
        self.recursive_init: set[str] = set()
        self.groups: list[Group] = []
        self.group_begin: dict[str, Group] = {}
        self.group_end: dict[str, Group] = {}
        self.group_alone: dict[str, Group] = {}
        self.settings: dict[str, Setting] = {}
        self.creates: set[str] = set()
        #: functions that the user's declarations name
        self.declared: set[str] = set()
        self._operations: dict[tuple[str, str], Operation] = {}
        for file in files:
            self._add(file)

    def _add(self, file: KnowledgeFile) -> None:
        for lock in file.lock:
            for name in lock.types:
                self.locks[name] = lock
                self._index_lock(name, lock)
        for lockable in file.lockable:
            self._add_lockable(lockable)
        for guard in file.guard:
            for name in guard.types:
                self.guards[name] = guard
                self._index_guard(name, guard)
        for function in file.function:
            self.functions.update(dict.fromkeys(function.names, function))
        for atomic in file.atomic:
            self.atomics.update(dict.fromkeys(atomic.names, atomic))
        for wait in file.wait:
            self.waits.update(dict.fromkeys(wait.names, wait))
        for starter in file.thread:
            self.starters.update(starter.names)
            if starter.unless:
                self.runs_later.update(dict.fromkeys(starter.names, starter.unless))
            self.starter_types.update(starter.types)
            if starter.single:
                self.single_threads.update(starter.types)
            if starter.handle is not None:
                self.handles.update(dict.fromkeys(starter.names, starter.handle))
        for callback in file.callback:
            for name in callback.registers:
                self.registers.setdefault(name, []).append(len(self.callbacks))
            for name in callback.runs:
                self.runs.setdefault(name, []).append(len(self.callbacks))
            self.callbacks.append(callback)
        self.add_objects(file)
        self.add_doings(file)
        self._add_waiting(file)

    def _add_lockable(self, known: Lockable) -> None:
        exclusive, shared = Mode.EXCLUSIVE, Mode.SHARED
        for methods, operation in (
            (known.lock, Operation("acquire", exclusive)),
            (known.try_, Operation("acquire", exclusive, How.TRY)),
            (known.unlock, Operation("release", exclusive)),
            (known.lock_shared, Operation("acquire", shared)),
            (known.try_shared, Operation("acquire", shared, How.TRY)),
            (known.unlock_shared, Operation("release", shared)),
        ):
            self.lockable.update(dict.fromkeys(methods, operation))
            if known.any_class:
                self.any_lockable.update(dict.fromkeys(methods, operation))

    def _add_waiting(self, file: KnowledgeFile) -> None:
        for notify in file.notify:
            self.notifies.update(dict.fromkeys(notify.names, notify.condition))
            self.signals.update(notify.types)
        for own in file.own_thread:
            self.own_thread.update(own.names)
            self.thread_ids.update(own.ids)
            self.same_thread.update(dict.fromkeys(own.equal, True))
            self.same_thread.update(dict.fromkeys(own.unequal, False))
        for texts in file.texts:
            self.compared_texts.update(dict.fromkeys(texts.equal, True))
            self.compared_texts.update(dict.fromkeys((*texts.unequal, *texts.ordered), False))
        for once in file.once:
            self.onces.update(dict.fromkeys(once.names, once))
        for end in file.lock_end:
            self.lock_ends.update(dict.fromkeys(end.names, end.lock))
        for named in file.named:
            self.named[named.name] = named
        for entry in file.entry:
            self.entries.append(entry)
            self.binders.update(dict.fromkeys(entry.binders, entry))
            self.holders.update(dict.fromkeys(entry.holders, entry))
            self.entry_types.update(dict.fromkeys(entry.types, entry))
            self.entry_names.update(dict.fromkeys(entry.names, entry))
        for blocks in file.blocks:
            self.blocks.update(dict.fromkeys(blocks.names, blocks))
            self.asked.update(dict.fromkeys(blocks.asked, blocks))
            if blocks.timed:
                untimed = msgspec.structs.replace(blocks, timed=False)
                self.asked.update(dict.fromkeys(blocks.names, untimed))
            self.constants.update(n for n in blocks.ready if not (n.isdecimal() or n == "true"))
        for check in file.check:
            self.checks.update(dict.fromkeys(check.names, check))
        for recursive in file.recursive:
            self.recursive_initialisers += tuple(recursive.initialisers)
            self.recursive_values.update(recursive.values)
            self.recursive_set.update(recursive.set)
            self.recursive_init.update(recursive.init)
        for collective in file.collective:
            self.collectives.update(dict.fromkeys(collective.names, collective))
        for group in file.group:
            self.groups.append(group)
            self.group_begin.update(dict.fromkeys(group.begin, group))
            self.group_end.update(dict.fromkeys(group.end, group))
            self.group_alone.update(dict.fromkeys(group.alone, group))
        for setting in file.setting:
            self.settings.update(dict.fromkeys(setting.names, setting))
        for names in file.creates:
            self.creates.update(names.names)
        for standard in file.standard:
            self.namespaces += tuple(f"{name}::" for name in standard.names)

    def lay_over(self, file: KnowledgeFile) -> None:
        """Add a user's declarations: one for a lock or guard type replaces what was known of it."""
        for types in (*(x.types for x in file.lock), *(x.types for x in file.guard)):
            for name in types:
                self.locks.pop(name, None)
                self.guards.pop(name, None)
                for key in [k for k in self._operations if k[0] == name]:
                    del self._operations[key]
        self.declared.update(_functions_in(file))
        self._add(file)

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
        self._index(name, lock.guard_lock, Operation("guard", exclusive))
        self._index(name, lock.guard_shared, Operation("guard", shared))
        self._index(name, lock.with_lock, Operation("with", exclusive))
        self._index(name, lock.with_shared, Operation("with", shared))

    def _index_guard(self, name: str, guard: GuardType) -> None:
        self._index(name, guard.lock, Operation("acquire", guard.mode))
        self._index(name, guard.try_, Operation("acquire", guard.mode, How.TRY))
        self._index(name, guard.timed, Operation("acquire", guard.mode, How.TIMED))
        self._index(name, guard.unlock, Operation("release", guard.mode))
        self._index(name, guard.release, Operation("disown", guard.mode))
        self._index(name, guard.owns, Operation("owns", guard.mode))
        self.lends.update(guard.lends)
        if guard.any_class:
            self.any_guard.update({m: o for (n, m), o in self._operations.items() if n == name})
        self._index(name, guard.lends, Operation("lend", guard.mode))

    def _index(self, name: str, methods: list[str], operation: Operation) -> None:
        for method in methods:
            self._operations[name, method] = operation

    @functools.cached_property
    def waiting(self) -> frozenset[str]:
        """Names of all calls that wait, at once or asked again and again."""
        return frozenset((*self.blocks, *self.waits, *self.asked))

    def blocking(self, name: str) -> Blocks | None:
        """What a call of *name* waits for that does, at once or asked again and again."""
        return self.blocks.get(name) or self.asked.get(name)

    def asking(self, name: str) -> Blocks | None:
        """What a call says of a wait: one that gives up at a limit, or only asks for the truth."""
        blocks = self.blocks.get(name)
        if blocks is not None:
            return blocks if blocks.timed and blocks.ready else None
        asked = self.asked.get(name)
        return asked if asked is not None and "true" in asked.ready else None

    def speaks_of(self, name: str, has_body: bool) -> bool:
        """Whether what is known of *name* is about this function.

        A program's own ``connect`` is not the system's: a plain name with a body is only what the
        user declares of it.
        """
        return not has_body or "::" in name or name in self.declared

    def entered_with(self, name: str) -> str:
        """The named lock that all who call a function of a library have; empty for others."""
        for entry in self.entries:
            if _is_within(name, entry.namespaces) and not _is_within(name, entry.but):
                return entry.holds
        return ""

    @functools.cached_property
    def needing(self) -> dict[str, str]:
        """Functions that only who has a named lock may call, with that lock."""
        return {name: entry.holds for entry in self.entries for name in entry.calling}

    def is_standard(self, name: str) -> bool:
        """Whether a function or type is a standard library's."""
        return name.startswith(self.namespaces)

    def operation(self, cls: str, method: str) -> Operation | None:
        """What *method* does to an object of class *cls*, where that is known."""
        return self._operations.get((cls, method))


def _is_within(name: str, scopes: list[str]) -> bool:
    """Whether *name* is one of these, or in one of these."""
    return any(name.startswith(s) and name[len(s) :][:2] in ("", "::") for s in scopes)


def _functions_in(file: KnowledgeFile) -> Iterator[str]:
    """The names of all functions that a file says something of."""
    tables = (
        *file.function, *file.wait, *file.thread, *file.callback, *file.never_returns, *file.aborts,
        *file.exits,
        *file.keeps, *file.notify, *file.once, *file.throws, *file.entry, *file.blocks,
        *file.collective, *file.group, *file.harmless, *file.allocates, *file.atomic,
        *file.lock_end, *file.memory_end, *file.own_thread, *file.counted,
    )  # fmt: skip
    for said in tables:
        for field in ("names", "registers", "runs", "begin", "end", "alone"):
            yield from getattr(said, field, ())


def load(text: str, source: str) -> KnowledgeFile:
    """Read one knowledge file; raises KnowledgeError naming *source* and what is wrong."""
    try:
        return msgspec.convert(tomllib.loads(text), KnowledgeFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise KnowledgeError(f"{source}: {error}") from None


@functools.cache
def builtin() -> Knowledge:
    """Everything under lockorder/knowledge."""
    return Knowledge(builtin_files())


def extended(file: KnowledgeFile) -> Knowledge:
    """The built-in knowledge with a user's declarations laid over it."""
    found = Knowledge(builtin_files())
    found.lay_over(file)
    return found


@functools.cache
def builtin_files() -> list[KnowledgeFile]:
    """The files under lockorder/knowledge, by their names."""
    folder = resources.files(__package__)
    names = sorted(f.name for f in folder.iterdir() if f.name.endswith(".toml"))
    return [load((folder / n).read_text(encoding="utf-8"), n) for n in names]
