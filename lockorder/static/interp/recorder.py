"""What the walk of one function records for its callers and for the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.model import How, Mode
from lockorder.static.interp.summary import MAX_GATES, Deferred, Held, Order, Taken, limited
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import WAIT, Path

if TYPE_CHECKING:
    from lockorder.static.interp.engine import Engine

#: Variants of one acquisition (by what else is held) that are kept for callers.
MAX_VARIANTS = 3
#: Calls of something that only a caller knows, kept for one function.
MAX_DEFERRED = 12


class Recorder:
    """Acquisitions, orders and deferred calls of one function; duplicates are dropped."""

    def __init__(self, engine: Engine, function: f.Function) -> None:
        self.engine = engine
        self.function = function
        #: Calls whose effects are recorded already (by place, callee, and what is held).
        self.recorded: set[object] = set()
        self._taken: dict[tuple[Path, Mode, How], list[Taken]] = {}
        self._orders: dict[object, Order] = {}
        self._deferred: dict[object, Deferred] = {}
        #: Orders under locks that an exception left held.
        self.tentative: dict[Held, list[Order]] = {}
        #: How many acquisitions were recorded, duplicates included.
        self.records = 0

    @property
    def taken(self) -> dict[tuple[Path, Mode, How], tuple[Taken, ...]]:
        """All acquisitions of a call, by lock and mode."""
        return {k: tuple(v) for k, v in self._taken.items()}

    def variants(self, key: tuple[Path, Mode, How]) -> Sequence[Taken]:
        """What is recorded of one lock and mode so far."""
        return self._taken.get(key, ())

    @property
    def orders(self) -> tuple[Order, ...]:
        """Orders whose locks only a caller can name."""
        return tuple(self._orders.values())

    @property
    def deferred(self) -> tuple[Deferred, ...]:
        """Calls of something that only a caller knows."""
        return tuple(self._deferred.values())

    def record_taken(self, taken: Taken) -> None:
        """Remember an acquisition for the callers; a few variants by what is held inside."""
        if len(taken.inside) > MAX_GATES:
            taken = taken._replace(inside=limited(taken.inside))
        self.engine.note_taken(taken)
        self.records += 1
        variants = self._taken.setdefault((taken.path, taken.mode, taken.how), [])
        for i, old in enumerate(variants):
            if old.inside == taken.inside and old.released == taken.released:
                if taken.needs < old.needs or (
                    taken.certainty > old.certainty and taken.needs <= old.needs
                ):
                    variants[i] = taken
                if taken.needs >= old.needs or taken.needs < old.needs:
                    return
        if len(variants) < MAX_VARIANTS:
            variants.append(taken)

    def record_order(self, order: Order) -> None:
        """Hand an order to the engine, or keep it where only a caller can name its locks.

        Under a lock that an exception left held it only counts if that lock is released later:
        then it was held on purpose.
        """
        if order.held.leaked:
            self.tentative.setdefault(order.held, []).append(order)
            return
        if len(order.gates) > MAX_GATES:
            order = order._replace(gates=limited(order.gates))
        kept = self.engine.emit(self.function, order)
        if not kept or self._may_be_one(order):
            key = (
                order.held.path,
                order.taken.path,
                order.held.mode,
                order.taken.mode,
                order.gates,
            )
            self._orders.setdefault(key, order)

    def _may_be_one(self, order: Order) -> bool:
        """Two locks of one class of which a caller may know that they are the same."""
        a, b = order.held.path, order.taken.path
        if a.steps[-1:] != b.steps[-1:] or b.root.startswith(WAIT):
            return False
        return any(p.root.startswith("this:") or self.engine.is_parameter(p) for p in (a, b))

    def confirm(self, held: Held) -> None:
        """A lock that an exception left held is released: what happened meanwhile counts."""
        for order in self.tentative.pop(held, ()):
            self.record_order(order._replace(held=held._replace(leaked=False)))

    def record_self_deadlock(self, held: Held, taken: Taken) -> None:
        """The same object is taken twice by one thread."""
        if held.leaked:
            return
        self.engine.found.self_lock(self.function, held, taken)

    def record_deferred(self, deferred: Deferred) -> None:
        """Remember a call of something that only the caller knows."""
        key = (deferred.callee, tuple(h.path for h in deferred.held), deferred.released)
        if len(self._deferred) < MAX_DEFERRED:
            self._deferred.setdefault(key, deferred)
