"""Signal handlers that take a lock which what they interrupt may hold.

A handler runs in any thread, between any two steps of it.  Where that thread has a lock which the
handler takes, the handler waits for the thread, and the thread for its handler (POSIX.1-2017,
2.4.3: functions that lock are not async-signal-safe).  Code is left alone that blocks signals, or
is called by code that does.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.model import Acquisition, Certainty, How, Mode
from lockorder.rules.evidence import SelfAcquisition
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.handed_on import with_gap
from lockorder.static.interp.summary import Site, Taken
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import REGISTRY
from lockorder.static.results.graph import Builder

_WHY = "a signal may come while the lock is held"


def acquisitions(engine: Engine, builder: Builder) -> Iterator[SelfAcquisition]:
    """Each lock that a handler takes, with one place where others hold it."""
    handlers = _handlers(engine)
    if not handlers:
        return
    holders = _Holders(engine, frozenset(handlers))
    for handler in handlers:
        for lock, taken in _taken(engine, handler):
            place = holders.of(lock)
            if place is not None:
                builder.declare(lock)
                site = with_gap(handler, taken.site, taken.certainty)
                yield SelfAcquisition(
                    Acquisition(lock, builder.chain(place)),
                    Acquisition(lock, builder.chain(site), taken.mode, taken.how),
                    min(taken.certainty, Certainty.POSSIBLE),
                    taken.why or _WHY,
                    interrupts=True,
                )


def _handlers(engine: Engine) -> list[str]:
    """Functions that are registered for signals, sorted."""
    found: set[str] = set()
    for number, callback in enumerate(engine.knowledge.callbacks):
        if not callback.interrupts:
            continue
        found.update(engine.points_to.functions(f"{REGISTRY}{number}"))
        for usr, variable in engine.program.variables.items():
            if variable.kind == "field" and any(_is(variable.name, m) for m in callback.members):
                found.update(engine.points_to.functions(usr))
    return sorted(usr for usr in found if usr in engine.program.functions)


def _is(name: str, member: str) -> bool:
    """Whether *name* is a *member* of a structure, or of one without a name inside it."""
    cls, _, last = member.rpartition("::")
    return name.startswith(f"{cls}::") and name.endswith(f"::{last}")


def _taken(engine: Engine, handler: str) -> Iterator[tuple[str, Taken]]:
    """Locks of the whole program that a handler waits for, the surest and nearest place of each."""
    nearest: dict[str, Taken] = {}
    for every in engine.summary(handler).taken.values():
        for taken in every:
            path = taken.path
            if taken.how is How.TRY or not isinstance(path, Path):
                continue
            for found in engine.identities.of(path):
                kind = engine.identities.locks[found.lock].kind
                if found.instance is None or not found.instance.absolute or kind.reentrant:
                    continue
                if taken.mode is Mode.SHARED and found.lock not in engine.found.writers:
                    continue  # nobody keeps a reader out
                known = nearest.get(found.lock)
                if known is None or _distance(taken) < _distance(known):
                    nearest[found.lock] = taken
    yield from sorted(nearest.items(), key=lambda item: item[0])


def _distance(taken: Taken) -> tuple[object, ...]:
    return -taken.certainty, sum(1 for _ in taken.site.along()), tuple(taken.site.along())


class _Holders:
    """Where locks are held by code that a signal may interrupt."""

    def __init__(self, engine: Engine, handlers: frozenset[str]) -> None:
        self._engine = engine
        self._handlers = handlers
        self._masks = {m for c in engine.knowledge.callbacks if c.interrupts for m in c.masks}
        self._masking = frozenset(
            u for u, x in engine.program.functions.items() if self._masks_in(x)
        )
        self._open: dict[str, bool] = {}
        self._places: dict[str, list[Site]] = {}
        for place, locks in engine.found.sites.items():
            for lock in locks:
                self._places.setdefault(lock, []).append(Site(*place))

    def of(self, lock: str) -> Site | None:
        """The first place that takes *lock*, and may be interrupted then."""
        open_ones = (site for site in self._places.get(lock, ()) if self._is_open(site.function))
        return min(open_ones, default=None)

    def _is_open(self, function: str) -> bool:
        """Whether it runs where no handler does already, and nothing on the way blocks signals."""
        known = self._open.get(function)
        if known is None:
            contexts = self._engine.contexts
            above = contexts.leading_to(function)
            others = contexts.entries_of({function})[function] - self._handlers
            known = bool(others) and not above & self._masking
            self._open[function] = known
        return known

    def _masks_in(self, function: f.Function) -> bool:
        program = self._engine.program
        calls = (s for s in f.walk(function.body) if isinstance(s, f.Call))
        return any(program.called(call) in self._masks for call in calls)
