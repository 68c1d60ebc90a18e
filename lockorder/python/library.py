"""What Python's own library makes and starts (knowledge/python/library.toml)."""

from __future__ import annotations

import functools
import sys
from importlib import resources

import msgspec

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same library under its older name
    import tomli as tomllib


class Starts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that run a callable elsewhere; see the file."""

    names: list[str]
    callable: str
    number: int
    args: str = ""
    args_number: int | None = None
    rest: bool = False
    elements: bool = False
    #: it returns when all of that is over
    waits: bool = False
    coroutine: bool = False
    #: objects of derived classes run this method of theirs, once that one was called
    method: str = ""
    by: str = ""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments by which a wait ends by itself."""

    names: list[str]
    flag: list[str] = []
    flag_number: int | None = None
    timeout: str = ""
    timeout_number: int | None = None


class Bounded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: list[str]
    size: str
    waits: list[str]


class Coroutines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    methods: list[str]
    run: list[str]
    together: list[str]


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: list[str]


class Pools(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Types of pools; *size*: arguments that say how many run at a time.

    *processes*: calls that make one whose tasks run in other processes.
    """

    names: list[str]
    size: list[str]
    processes: list[str]


class Elements(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Types of objects that wait for each of their elements, by the method *wait*."""

    names: list[str]
    wait: str


class Forks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a copy of the process, where its start method is *method*; see the file."""

    method: str
    calls: list[str]
    contexts: list[str]
    defaults: list[str]
    processes: list[str]
    pools: list[str]
    executors: list[str]
    hooks: list[str]


class Handlers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Objects that a library calls with a lock of theirs; see the file."""

    classes: list[str]
    method: str
    lock: str
    type: str
    loggers: list[str]
    logger: str
    registers: list[str]
    calls: list[str]


class Finalisers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that have their second argument run where their first one ends."""

    calls: list[str]


class Passes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that give the elements of their first argument."""

    calls: list[str]


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The file, and its tables by name."""

    makes: dict[str, list[str]]
    same: dict[str, str]
    conditions: Conditions
    starts: list[Starts]
    coroutines: Coroutines
    limits: list[Limits]
    bounded: Bounded
    pools: Pools
    elements: Elements
    forks: Forks
    handlers: Handlers
    finalisers: Finalisers
    passes: Passes

    @functools.cached_property
    def makers(self) -> dict[str, str]:
        """By call: the type of what it makes."""
        return {name: made for made, names in self.makes.items() for name in names}

    @functools.cached_property
    def starters(self) -> dict[str, Starts]:
        return {name: s for s in self.starts for name in s.names}

    @functools.cached_property
    def runners(self) -> dict[str, str]:
        """By the call that starts an object of a derived class: the method that it runs."""
        return {f"{n}.{s.by}": s.method for s in self.starts if s.by for n in s.names}

    @functools.cached_property
    def limited(self) -> dict[str, Limits]:
        return {name: s for s in self.limits for name in s.names}

    @functools.cached_property
    def modules(self) -> frozenset[str]:
        """The first parts of modules that have any of this."""
        return frozenset(p.partition(".")[0] for p in (*self._lock_makers, *self.same))

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """What their calls are called."""
        return frozenset(p.rpartition(".")[2] for p in self._lock_makers)

    @property
    def _lock_makers(self) -> list[str]:
        """Calls that make something that may lock or wait by itself."""
        return [p for p, made in self.makers.items() if made != self.handlers.logger]

    @functools.cached_property
    def leading(self) -> frozenset[str]:
        """All paths that are known here, and those that lead to them."""
        named = [*self.makers, *self.makes, *self.starters, *self.limited, *self.runners]
        named += [*self.coroutines.run, *self.coroutines.together, *self.same.values()]
        named += [*self.forks.calls, *self.forks.contexts, *self.forks.defaults, *self.forks.hooks]
        named += [*self.handlers.registers, *self.handlers.calls, *self.finalisers.calls]
        named += self.passes.calls
        named += [n for name in self.same for n in (name, name.removesuffix("()"))]
        return frozenset(p for name in named for p in prefixes(name))

    def path(self, path: str) -> str:
        """The name by which a path is known here."""
        seen: set[str] = set()
        while path not in seen:
            seen.add(path)
            for name, other in self.same.items():
                if path == name or path.startswith(name + "."):
                    path = other + path[len(name) :]
        return path


def prefixes(name: str) -> set[str]:
    """``a``, ``a.b`` and ``a.b.c`` for the last of these."""
    parts = name.split(".")
    return {".".join(parts[: n + 1]) for n in range(len(parts))}


@functools.cache
def builtin() -> Library:
    """What is known of Python's library."""
    file = resources.files("lockorder.knowledge") / "python" / "library.toml"
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Library)
