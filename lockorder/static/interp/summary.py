"""What abstract interpretation of one function yields, and the state it works on."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from lockorder.model import How, Mode
from lockorder.static.program.paths import Path, Paths


class Site(NamedTuple):
    """A call chain, outermost first: *function* at *line*, then *inner*."""

    function: str
    line: int
    column: int
    inner: Site | None = None


class Held(NamedTuple):
    """A lock that is held, how it was taken and where; *guard* releases it when it dies.

    *undo* is the result of the call that took it: a result that is not zero means it failed.
    *leaked*: an exception left the callee that should have released it.
    """

    path: Path
    mode: Mode
    how: How
    site: Site
    guard: Path | None = None
    undo: Path | None = None
    leaked: bool = False


class Guard(NamedTuple):
    """An RAII object: the locks it refers to and whether it owns them now.

    An *inverse* one, made at *site*, gave its locks up and takes them again when it dies.
    """

    paths: Paths
    owned: bool
    mode: Mode = Mode.EXCLUSIVE
    inverse: bool = False
    site: Site | None = None


class Gate(NamedTuple):
    """A lock held meanwhile."""

    path: Path
    mode: Mode


#: Locks held around one event that are remembered as possible gates; deeper nests than this are
#: generated code, and remembering all would cost the cube of the depth.
MAX_GATES = 16


def limited(gates: frozenset[Gate]) -> frozenset[Gate]:
    """*gates*, or a fixed choice of them where there are too many."""
    if len(gates) <= MAX_GATES:
        return gates
    return frozenset(sorted(gates, key=lambda g: g.path)[:MAX_GATES])


class Taken(NamedTuple):
    """An acquisition that happens somewhere in a call.

    ``inside`` are locks taken in the call and still held then; ``released`` locks of the caller
    that are not held at that moment.  ``needs`` are parameters (by key) and the truth that they
    must have for it to happen.
    """

    path: Path
    mode: Mode
    how: How
    site: Site
    inside: frozenset[Gate] = frozenset()
    released: frozenset[Path] = frozenset()
    certainty: int = 3
    why: str = ""
    needs: frozenset[tuple[str, bool]] = frozenset()


class Order(NamedTuple):
    """``held`` was held when ``taken`` was taken; ``gates`` were held as well."""

    held: Held
    taken: Taken
    gates: frozenset[Gate]


class Deferred(NamedTuple):
    """A call of a callable that only the caller knows (a parameter), with what is held then."""

    callee: Path
    args: tuple[Paths, ...]
    held: tuple[Held, ...]
    site: Site
    released: frozenset[Path] = frozenset()


class Outcome(NamedTuple):
    """One way a call can end, relative to its start."""

    held: tuple[Held, ...] = ()
    released: frozenset[Path] = frozenset()
    guard: Guard | None = None
    flag: bool | None = None
    bindings: tuple[tuple[Path, Paths], ...] = ()
    guards: tuple[tuple[Path, Guard], ...] = ()


@dataclasses.dataclass(slots=True)
class Summary:
    """What a call of a function does to locks, in terms of its parameters and ``this``.

    ``orders`` are orders whose locks only a caller can name; ``ends`` is false for a function
    that never returns; ``thrown`` are the ways it can be left by an exception.
    """

    taken: dict[tuple[Path, Mode, How], tuple[Taken, ...]]
    orders: tuple[Order, ...] = ()
    deferred: tuple[Deferred, ...] = ()
    outcomes: tuple[Outcome, ...] = (Outcome(),)
    returns: Paths = ()
    ends: bool = True
    thrown: tuple[Outcome, ...] = ()

    def shape(self) -> object:
        """What must stop changing for a recursive group of functions to be done."""
        return (
            frozenset(self.taken),
            frozenset((o.held.path, o.taken.path) for o in self.orders),
            frozenset((d.callee, len(d.held)) for d in self.deferred),
            len(self.outcomes),
            self.returns,
            self.ends,
            bool(self.thrown),
        )


EMPTY = Summary({})


@dataclasses.dataclass(slots=True)
class State:
    """One path's knowledge at one point.  Treated as immutable: every change makes a new one.

    ``env`` maps access paths (and the results of calls) to what they stand for, ``facts`` maps
    conditions to their known truth, ``alive`` lists the objects to destroy, oldest first;
    ``freed`` are locks that this function took and gave up again.
    """

    held: tuple[Held, ...] = ()
    env: dict[Path, Paths] = dataclasses.field(default_factory=dict)
    guards: dict[Path, Guard] = dataclasses.field(default_factory=dict)
    facts: dict[object, bool] = dataclasses.field(default_factory=dict)
    alive: tuple[Path, ...] = ()
    released: frozenset[Path] = frozenset()
    freed: frozenset[Path] = frozenset()

    def key(self) -> object:
        """States with one key differ in nothing that decides what is locked."""
        return (
            tuple((h.path, h.mode) for h in self.held),
            tuple(sorted((g, v.owned, v.paths) for g, v in self.guards.items())),
            self.alive,
            self.released,
        )

    def but(self, **changes: object) -> State:
        """A copy with *changes*."""
        copy = State(
            self.held, self.env, self.guards, self.facts, self.alive, self.released, self.freed
        )
        for name, value in changes.items():
            setattr(copy, name, value)
        return copy
