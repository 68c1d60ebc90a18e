"""Which lock of the sources a recorded acquisition took.

A run knows a lock by its address and by the stacks that took it, sources know it by its
declaration.  The two meet in three ways, the surest first: a global object has its symbol's name in
both; the line that takes it is the same line in both (DWARF's file is the build machine's path, so
paths are compared from their ends); and without line numbers, the function that takes it is the
same, which is enough where it takes one lock only.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable
from pathlib import PurePath

import msgspec

from lockorder.model import Acquisition, Document, Frame, Lock, LockKind
from lockorder.model.coverage import PYTHON

#: Lines between a statement's first line and the one that debug information names.
_NEAR = 3
#: What may stand between the line that takes a lock and the lock: a project's own wrappers.
_WRAPPER = re.compile(
    r"lock|mutex|guard|acquire|once|semaphore|monitor|latch|wait|enter", re.IGNORECASE
)
#: Wrappers that are gone through, one in another.
_DEEP = 4
_ANONYMOUS = re.compile(r"\(anonymous namespace\)::|\{anonymous\}::|_GLOBAL__N_\d+::")
_ABI = re.compile(r"\[abi:[^\]]*\]")
_INITIALISER = re.compile(r"^(?:guard variable for |initialiser of )(?P<of>.*)$")


class Join(msgspec.Struct, frozen=True):
    """The locks of the sources that an acquisition may be of, and what showed it.

    None in ``locks`` where the sources do not have it: ``outside`` where code that was not
    analysed takes it; else ``why`` says what is missing.
    """

    locks: frozenset[str] = frozenset()
    by: str = ""
    why: str = ""
    outside: bool = False


class Sources:
    """The places of a static result that take locks."""

    def __init__(self, document: Document) -> None:
        self._lines: dict[tuple[str, int], set[str]] = {}
        self._in_file: dict[tuple[str, str], dict[int, set[str]]] = {}
        self._in_function: dict[str, set[str]] = {}
        self._by_name: dict[str, set[str]] = {}
        self._kinds: dict[str, LockKind] = {}
        # Nothing follows calls from C++ into Python, so that orders with Python's locks are not
        # what sources can show: in a run they are other code's.
        rows = document.coverage.files if document.coverage else ()
        files = {row.file for row in rows if not row.file.endswith(PYTHON)}
        every = (*document.locks, *(s.lock for s in document.sites))
        for lock in (x for x in every if not x.file.endswith(PYTHON)):
            self._kinds[lock.id] = lock.kind
            self._by_name.setdefault(normal(lock.name), set()).add(lock.id)
        for sites in (s for s in document.sites if not s.lock.file.endswith(PYTHON)):
            for place in sites.places:
                files.add(place.file)
                self._lines.setdefault((place.file, place.line), set()).add(sites.lock.id)
                function = normal(place.function)
                inside = self._in_file.setdefault((place.file, function), {})
                inside.setdefault(place.line, set()).add(sites.lock.id)
                self._in_function.setdefault(function, set()).add(sites.lock.id)
        self._files: dict[str, list[PurePath]] = {}
        for file in files:
            self._files.setdefault(os.path.basename(file), []).append(PurePath(file))
        self._paths: dict[str, str | None] = {}
        self._known: dict[object, Join] = {}

    def join(self, taken: Acquisition, lock: Lock) -> Join:
        """The lock that *taken*, recorded of the class *lock*, is of."""
        key = (taken.lock, taken.chain)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._join(taken.chain, lock)
        return found

    def _join(self, chain: tuple[Frame, ...], lock: Lock) -> Join:
        named = self.named(lock)
        if named:
            return Join(named, "name")
        passed = 0
        for frame in reversed(chain):
            file = self.file(frame.file)
            if file is not None:
                found = self._at(file, frame, lock)
                if found is not None:
                    return found
            elif not frame.file and (locks := self._in_function.get(normal(frame.function))):
                return self._of_function(frame, locks, lock)
            if passed < _DEEP and _WRAPPER.search(last_name(frame.function)):
                passed += 1
                continue
            if file is None:
                return Join(why=_unknown(frame), outside=True)
            return Join(
                why=f"the analysis sees no lock taken at {file}:{frame.line} in {frame.function}"
            )
        return Join(why="no stack was kept", outside=True)

    def named(self, lock: Lock) -> frozenset[str]:
        """Locks of the sources with the recorded lock's own name: a global, or the GIL."""
        if lock.kind is LockKind.GIL:
            return frozenset(i for i, kind in self._kinds.items() if kind is LockKind.GIL)
        name = lock.name
        initialiser = _INITIALISER.match(name)
        if initialiser is not None:
            name = initialiser.group("of")
        ids = self._by_name.get(normal(name), set())
        special = lock.kind is LockKind.STATIC_INIT
        return frozenset(i for i in ids if (self._kinds[i] is LockKind.STATIC_INIT) == special)

    def file(self, path: str) -> str | None:
        """The analysed file that *path* of a build is; the one with the longest common end."""
        if path not in self._paths:
            self._paths[path] = self._longest(path)
        return self._paths[path]

    def _longest(self, path: str) -> str | None:
        parts = PurePath(path).parts
        best, most, unique = None, 0, True
        for candidate in self._files.get(parts[-1] if parts else "", ()):
            common = 0
            for a, b in zip(reversed(parts), reversed(candidate.parts), strict=False):
                if a != b:
                    break
                common += 1
            if common > most:
                best, most, unique = str(candidate), common, True
            elif common == most:
                unique = False
        # A name alone is enough only where one of the two paths has nothing more to say.
        whole = best is not None and most >= min(len(parts), len(PurePath(best).parts), 2)
        return best if unique and whole else None

    def _at(self, file: str, frame: Frame, lock: Lock) -> Join | None:
        """The locks taken on the line, else near it; None where the function takes none."""
        exact = self._lines.get((file, frame.line))
        if exact:
            return Join(self._alike(exact, lock), "line")
        function = normal(frame.function)
        inside = self._in_file.get((file, function)) or self._in_file.get(
            (file, without_lambdas(function)), {}
        )
        near = sorted((abs(line - frame.line), line) for line in inside)
        if near and near[0][0] <= _NEAR:
            return Join(self._alike(inside[near[0][1]], lock), "line")
        if frame.line == 0 and inside:
            return self._of_function(frame, set().union(*inside.values()), lock)
        return None

    def _of_function(self, frame: Frame, locks: set[str], lock: Lock) -> Join:
        alike = self._alike(locks, lock)
        if len(alike) == 1:
            return Join(alike, "function")
        return Join(
            why=f"{frame.function} takes {len(alike)} locks, and no line number tells which "
            "(build with -g)",
            outside=True,
        )

    def _alike(self, locks: Iterable[str], lock: Lock) -> frozenset[str]:
        """Of several locks those of the recorded one's kind, if there are any."""
        every = frozenset(locks)
        return frozenset(i for i in every if _fits(self._kinds[i], lock.kind)) or every


def _fits(declared: LockKind, recorded: LockKind) -> bool:
    plain = (LockKind.MUTEX, LockKind.RECURSIVE, LockKind.SPIN)
    return declared is recorded or (declared in plain and recorded in plain)


def _unknown(frame: Frame) -> str:
    if frame.file:
        return f"{frame.function} ({os.path.basename(frame.file)}) was not analysed"
    return f"{frame.function} was not analysed, or has no debug information"


@functools.lru_cache(maxsize=65536)
def normal(name: str) -> str:
    """A qualified name as both sides spell it: without parameters and template arguments."""
    name = _ABI.sub("", _ANONYMOUS.sub("", name))
    found, depth = [], 0
    for at, c in enumerate(name):
        if c in "<(" and not name[:at].endswith(("operator", "operator<", "operator(")):
            depth += 1
        elif c in ">)" and depth and not name[:at].endswith("-"):
            depth -= 1
        elif not depth:
            found.append(c)
    return "".join(found).removesuffix(" const").strip().removeprefix("::")


def without_lambdas(name: str) -> str:
    """The function around a lambda, as DWARF and compilers name the latter inside of it."""
    return re.split(r"::(?:\{lambda|\$_|operator)", name)[0]


def last_name(function: str) -> str:
    """The function's own name with its class's: what says whether it is a wrapper of a lock."""
    return "::".join(normal(function).split("::")[-2:])
