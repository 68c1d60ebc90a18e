"""What functions do to locks, as the analysis has summarised it for their callers."""

from __future__ import annotations

from lockorder.bounds import Bound
from lockorder.static.inspection.names import Names
from lockorder.static.inspection.view import (
    CalledBack,
    Effect,
    FunctionSummary,
    OrderInside,
    WayOut,
)
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Deferred, Guard, Held, Order, Outcome, Taken
from lockorder.static.program import effects
from lockorder.static.program.effects import Group, Wait


def summary_of(
    engine: Engine, usr: str, names: Names, group: tuple[str, ...] = ()
) -> FunctionSummary:
    """The summary of one function; *group* are the keys of those that call each other with it."""
    return _Reader(engine, usr, names).read(group)


def bounds_in(engine: Engine, usrs: set[str]) -> tuple[str, ...]:
    """Bounds that were hit in any of the functions."""
    return tuple(_bound(bound) for bound, where in engine.cuts.rows() if usrs & where)


def _bound(bound: Bound) -> str:
    return f"more than {bound.limit} {bound.what}: {bound.why}"


class _Reader:
    def __init__(self, engine: Engine, usr: str, names: Names) -> None:
        self._engine = engine
        self._usr = usr
        self._names = names
        self._summary = engine.summary(usr)

    def read(self, group: tuple[str, ...]) -> FunctionSummary:
        function = self._engine.program.functions[self._usr]
        taken = [t for variants in self._summary.taken.values() for t in variants]
        return FunctionSummary(
            self._names.function(self._usr),
            self._names.relative(function.file),
            function.line,
            self._summary.ends,
            tuple(sorted(self._names.at(u) for u in group if u != self._usr)),
            tuple(self._taken(t) for t in taken if not isinstance(t.path, Wait)),
            tuple(self._taken(t) for t in taken if isinstance(t.path, Wait)),
            tuple(self._orders()),
            tuple(map(self._deferred, self._summary.deferred)),
            tuple(self._ways()),
            bounds_in(self._engine, {self._usr}),
        )

    def _ids(self, path: effects.What) -> tuple[str, ...]:
        """Locks by their ids; what is waited for is none."""
        return tuple(sorted({found.lock for found in self._engine.identities.of(path)}))

    def _taken(self, taken: Taken) -> Effect:
        return Effect(
            self._names.path(taken.path),
            self._ids(taken.path),
            self._names.chain(self._engine.handed_on.whole(self._usr, taken)),
            taken.mode,
            taken.how,
            self._names.gates(taken.inside),
            self._names.all(taken.released),
            tuple(sorted(self._names.condition(need) for need in taken.needs)),
            taken.certainty,
            taken.why,
        )

    def _held(self, held: Held) -> Effect:
        path = self._names.path(held.path)
        chain = self._names.chain(held.site)
        why = "left there by an exception" if held.leaked else ""
        return Effect(path, self._ids(held.path), chain, held.mode, held.how, why=why)

    def _orders(self) -> list[OrderInside]:
        """One witness of each: those that a caller has to name, and those that arise here."""
        found: dict[object, OrderInside] = {}
        for order in self._summary.orders:
            found.setdefault(order.key, self._order(order, True))
        for pair in sorted(self._engine.found.orders):
            for emitted in self._engine.found.orders[pair]:
                if emitted.function == self._usr:
                    found.setdefault(emitted.order.key, self._order(emitted.order, False))
        return list(found.values())

    def _order(self, order: Order, is_open: bool) -> OrderInside:
        gates = self._names.gates(order.gates)
        return OrderInside(self._held(order.held), self._taken(order.taken), gates, is_open)

    def _deferred(self, deferred: Deferred) -> CalledBack:
        return CalledBack(
            self._names.path(deferred.callee),
            self._names.chain(deferred.site),
            tuple(sorted(self._names.path(h.path) for h in deferred.held)),
            self._names.all(deferred.released),
        )

    def _ways(self) -> list[WayOut]:
        found = [self._way("returns", o) for o in self._summary.outcomes]
        return found + [self._way("throws", o) for o in self._summary.thrown]

    def _way(self, how: str, outcome: Outcome) -> WayOut:
        flag = {True: "true", False: "false", None: ""}[outcome.flag]
        means = [
            f"{self._names.path(name)} is {self._either(self._names.all(values))}"
            for name, values in outcome.bindings
        ]
        means += [
            f"{self._names.path(name)} is {self._guard(guard)}" for name, guard in outcome.guards
        ]
        return WayOut(
            how,
            flag,
            tuple(self._held(h) for h in outcome.held if not isinstance(h.path, Group)),
            self._names.all(outcome.released),
            self._guard(outcome.guard) if outcome.guard is not None else "",
            tuple(sorted(means)),
        )

    def _either(self, values: tuple[str, ...]) -> str:
        return " or ".join(values) or "something"

    def _guard(self, guard: Guard) -> str:
        does = "an owning" if guard.owned else "an empty or released"
        return f"{does} guard of {self._either(self._names.all(guard.paths))}"
