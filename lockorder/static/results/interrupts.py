"""Signal handlers that take a lock which what they interrupt may hold.

A handler runs in any thread, between any two steps of it.  Where that thread has a lock which the
handler takes, the handler waits for the thread, and the thread for its handler (POSIX.1-2017,
2.4.3: functions that lock are not async-signal-safe).  Code is left alone that blocks signals, or
that only code calls which does.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.model import Acquisition, Certainty, How, Mode
from lockorder.rules.evidence import SelfAcquisition
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.handed_on import with_gap
from lockorder.static.interp.summary import Site, Taken
from lockorder.static.program.masks import Masks
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import REGISTRY
from lockorder.static.results.graph import Builder

_WHY = "a signal may come while the lock is held"
_PERHAPS = f"a call of the handler has several possible targets, and {_WHY}"


def acquisitions(engine: Engine, builder: Builder) -> Iterator[SelfAcquisition]:
    """Each lock that a handler takes, with one place where others hold it."""
    handlers = _handlers(engine)
    if not handlers:
        return
    holders = _Holders(engine, frozenset(handlers))
    for handler in handlers:
        for lock, taken in _taken(engine, handler):
            place = holders.of(lock, taken.mode)
            if place is not None:
                builder.declare(lock)
                site = with_gap(handler, taken.site, taken.certainty)
                yield SelfAcquisition(
                    Acquisition(lock, builder.chain(place)),
                    Acquisition(lock, builder.chain(site), taken.mode, taken.how),
                    _certainty(taken.certainty),
                    taken.why or (_WHY if taken.certainty is Certainty.CERTAIN else _PERHAPS),
                    interrupts=True,
                )


def _certainty(taken: Certainty) -> Certainty:
    """A handler that has a choice of callbacks calls those that were registered for its signal."""
    return Certainty.POSSIBLE if taken is Certainty.CERTAIN else min(taken, Certainty.GUESSED)


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
        masks = Masks(engine.program, engine.call_graph, engine.knowledge.callbacks)
        self._open = _open(engine, handlers, masks)
        self._places: dict[str, list[tuple[Site, Mode]]] = {}
        found = engine.found
        for place, locks in found.sites.items():
            waited = found.waited_at.get(place, set())
            for lock in locks:
                shared = {held.mode for held in waited if held.lock == lock} == {Mode.SHARED}
                mode = Mode.SHARED if shared else Mode.EXCLUSIVE
                self._places.setdefault(lock, []).append((Site(*place), mode))

    def of(self, lock: str, wanted: Mode) -> Site | None:
        """The first place that takes *lock*, and may be interrupted then by who wants it so."""
        places = (
            site
            for site, mode in self._places.get(lock, ())
            if site.function in self._open and Mode.EXCLUSIVE in (mode, wanted)
        )
        return min(places, default=None)


def _open(engine: Engine, handlers: frozenset[str], masks: Masks) -> frozenset[str]:
    """Functions that run where no handler does already, and with no signal blocked on the way."""
    functions = engine.program.functions
    callees = {usr: engine.call_graph.callees(functions[usr]) for usr in functions}
    called = {c for usr, each in callees.items() for c in each if c != usr}
    roots = set(engine.contexts.roots) | (functions.keys() - called)
    pending = sorted(u for u in roots if u not in handlers and not masks.blocks(u))
    seen = set(pending)
    while pending:
        for callee in callees.get(pending.pop(), ()):
            if callee not in seen and callee not in handlers and not masks.blocks(callee):
                seen.add(callee)
                pending.append(callee)
    return frozenset(seen)
