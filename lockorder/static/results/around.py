"""Of which locks each way to an order has one already, or comes from an object that uses none.

A lock that an object uses by its mode (``if (w->mode == SPIN) lock(&w->spin)``) is held on some
ways and not on others; on these nobody takes the lock of that object at all.  Who takes a lock of
that name there, of an object that nobody follows, takes it of another one, or not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from lockorder.static.interp.collected import Emitted
from lockorder.static.interp.engine import Engine
from lockorder.static.program.effects import Holdable


class Around:
    """Answers for the orders of one analysis, by the names of locks that can be taken again."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._had: dict[str, frozenset[str]] | None = None

    def of(self, emitted: Emitted) -> frozenset[str]:
        """Locks of which one is held around an order, or not used, on each way there."""
        taken = emitted.order.taken
        here = self._engine.around.get(taken.site[:3], frozenset())
        return (here | self._at(emitted.function)) - self._names(taken.released)

    def _at(self, usr: str) -> frozenset[str]:
        if self._had is None:
            self._had = self._spread()
        return self._had.get(usr, frozenset())

    def _spread(self) -> dict[str, frozenset[str]]:
        """By function what is so of each way into it: the largest solution, from the callers on."""
        contexts = self._engine.contexts
        had: dict[str, frozenset[str]] = dict.fromkeys(sorted(contexts.free), frozenset())
        pending = deque(had)
        waiting = set(had)
        while pending:
            caller = pending.popleft()
            waiting.discard(caller)
            for site in contexts.calls(caller):
                kept = had[caller] - self._names(site.released)
                new = kept | site.around | self._names(gate.path for gate in site.held)
                known = had.get(site.callee)
                both = new if known is None else new & known
                if both != known:
                    had[site.callee] = both
                    if site.callee not in waiting:
                        waiting.add(site.callee)
                        pending.append(site.callee)
        return had

    def _names(self, paths: Iterable[Holdable]) -> frozenset[str]:
        identities = self._engine.identities
        return frozenset(
            found.lock
            for path in paths
            if identities.reentrant(path)
            for found in identities.of(path)
        )
