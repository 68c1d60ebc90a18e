"""What the walk of one function records for its callers and for the engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from lockorder.bounds import DEFERRED, GATES, Bound
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp import distance
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.handed_on import with_gap
from lockorder.static.interp.settled import Told
from lockorder.static.interp.summary import (
    Deferred,
    Gate,
    Held,
    Order,
    Premise,
    Site,
    Summary,
    Taken,
    members,
    uncovered,
)
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Effect, Holdable
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.whole_program import WholeProgram


#: Why a lock that is taken twice is perhaps no deadlock.
_PERHAPS_RECURSIVE = (
    "how the lock was made is decided at run time: perhaps its holder may take it again"
)


class Recorder:
    """Acquisitions, orders and deferred calls of one function; what others cover is dropped."""

    def __init__(self, engine: WholeProgram, function: f.Function) -> None:
        self.engine = engine
        self.function = function
        #: Calls whose effects are recorded already, by place, callee, and what is held: with what
        #: was given up then.
        self.recorded: dict[object, list[frozenset[Holdable]]] = {}
        #: What was recorded of acquisitions in calls that mean the same to every caller.
        self.told = Told()
        self._taken = distance.TakenLocks(self.cut, engine.shared)
        #: Locks that are taken where a member of their object says so.
        self.by_mode: dict[Path, None] = {}
        self._orders: dict[object, list[Order]] = {}
        self._deferred: dict[object, list[Deferred]] = {}
        #: By a lock that is held and where it was taken, then by what is taken: orders told.
        self._emitted: dict[object, dict[object, list[Order]]] = {}
        #: Orders under locks that an exception left held.
        self.tentative: dict[Held, list[Order]] = {}
        #: By call and what lies in it: the call chain to that, which many acquisitions share.
        self._chains: dict[object, Site] = {}
        #: How many acquisitions were recorded, duplicates included.
        self.records = 0
        #: By function of the group that is being solved: calls of it, to be told what it does more.
        self.calls_inside: dict[str, list[Callable[[Summary], None]]] = {}
        #: By type: whether the end of an object does nothing to locks, and by class: whether it
        #: waits for somebody who may have it.  What is known of functions decides both.
        self.quiet_ends: dict[str, bool] = {}
        self.ends_waiting: dict[str, bool] = {}
        #: One of them takes locks that are not told yet.
        self.hides = False
        #: One of them is not known to come back.
        self.waits_for_group = False

    def cut(self, bound: Bound) -> None:
        """Something of this function was left out at *bound*."""
        self.engine.cuts.note(bound, self.function.usr)

    @property
    def inside(self) -> Collection[str]:
        """Functions of the group that is being solved that were called."""
        return self.calls_inside.keys()

    @property
    def taken(self) -> dict[tuple[Effect, Mode, How], tuple[Taken, ...]]:
        """All acquisitions of a call, by lock and mode, as callers need to know them."""
        return self._taken.told()

    @property
    def orders(self) -> tuple[Order, ...]:
        """Orders whose locks only a caller can name."""
        return distance.few_pairs(self._orders, self.cut)

    @property
    def deferred(self) -> tuple[Deferred, ...]:
        """Calls of something that only a caller knows."""
        return tuple(d for each in self._deferred.values() for d in each)

    def summary_of(self, usr: str) -> Summary:
        """What is known of a function that is called here, or whose effects decide a call."""
        if usr in self.engine.group:
            self.calls_inside.setdefault(usr, [])
            self.hides |= self.engine.summary(usr).hides
        return self.engine.summary(usr)

    def catch_up(self, grown: Mapping[str, Summary]) -> None:
        """Record what calls of functions of the group do beyond what was known at the walk."""
        self.quiet_ends.clear()
        self.ends_waiting.clear()
        for callee in [u for u in self.calls_inside if u in grown]:
            for again in list(self.calls_inside[callee]):
                again(grown[callee])

    def forget(self) -> None:
        """The walk is over, and all that it found has been asked for.

        Its parts refer to each other, so that it would stay where the collector is off.
        """
        vars(self).clear()

    def record_taken(self, taken: Taken) -> None:
        """Remember an acquisition for the callers, unless a known one covers it."""
        if len(taken.inside) > GATES.limit:
            taken = taken._replace(inside=self._limited(taken.inside))
        self.engine.note_taken(taken)
        self.records += 1
        self._taken.add(taken)
        path = taken.path
        if taken.needs and isinstance(path, Path) and any(n.is_of(path) for n in members(taken)):
            self.by_mode[path] = None

    def taken_at(self, path: Path) -> list[Taken]:
        """What was recorded of the lock at *path*."""
        return self._taken.of(path)

    def is_told(self, taken: Taken, held: Sequence[Held], begun: frozenset[Premise]) -> bool:
        """Whether nothing is new in *taken*, or in the orders after *held*, wherever it is taken.

        It came to these only if *begun* was so at first.
        """
        if len(taken.inside) > GATES.limit or not self._taken.has(taken):
            return False
        if not held:
            return True
        after = taken._replace(needs=taken.needs | begun) if begun else taken
        key = taken[:3]
        for each in held:
            known = self._emitted_after(each).get(key)
            if known is None or each.leaked or each.path == taken.path:
                return False
            order = Order(each, after, taken.inside - {Gate(each.path, each.mode)})
            if not any(old.covers(order) for old in known):
                return False
        return True

    def chain(self, frame: Frame, callee: str, taken: Taken) -> Site:
        """The call chain to what *callee* takes in a call."""
        key = frame.site, callee, id(taken.site), taken.certainty  # the chain keeps that site
        known = self._chains.get(key)
        if known is None:
            known = frame.inside(with_gap(callee, taken.site, taken.certainty))
            self._chains[key] = known
        return known

    def taken_again(
        self, callee: str, taken: Taken, path: Effect, begun: frozenset[Premise]
    ) -> None:
        """*callee* takes something of which all is told already, by the name of *path* here."""
        self.records += 1
        if self.engine.is_draft:
            return
        if begun:
            self.engine.asked.ask(self.function.usr, begun)
        if path is not taken.path or path.is_some_object or not self.engine.is_walked(callee):
            self.engine.note_taken(taken if path is taken.path else taken._replace(path=path))

    def hand_on(self, taken: Taken) -> None:
        """Remember what a callee takes, and has noted, for the callers of this function, too."""
        self._taken.add(taken)

    def _limited(self, gates: frozenset[Gate]) -> frozenset[Gate]:
        self.cut(GATES)
        return frozenset(sorted(gates, key=lambda g: g.path)[: GATES.limit])

    def record_order(self, order: Order, begun: frozenset[Premise] = frozenset()) -> None:
        """Hand an order to the engine, or keep it where only a caller can name its locks.

        Under a lock that an exception left held it only counts if that lock is released later:
        then it was held on purpose.  It came to this only if *begun* was so at first.
        """
        if begun:
            order = order._replace(taken=self._asking(order.taken, begun))
        if order.held.leaked:
            self.tentative.setdefault(order.held, []).append(order)
            return
        if len(order.gates) > GATES.limit:
            order = order._replace(gates=self._limited(order.gates))
        emitted = self._emitted_after(order.held).setdefault(order.taken[:3], [])
        if not uncovered(emitted, order):
            return
        kept = self.engine.emit(self.function, order)
        if not kept or self._may_be_one(order):
            uncovered(self._orders.setdefault(order.key, []), order)

    def _emitted_after(self, held: Held) -> dict[object, list[Order]]:
        """Orders that were told after *held*, which was taken there, by what is taken."""
        return self._emitted.setdefault((held.path, held.mode, held.site), {})

    def _may_be_one(self, order: Order) -> bool:
        """Two locks of one class of which a caller may know that they are the same."""
        both = order.locks
        if both is None or any(p.is_unknown for p in both):
            return False
        if both[0].steps[-1:] != both[1].steps[-1:]:
            return False
        return any(map(self._is_callers, both)) and not any(map(self._is_hidden, both))

    def _is_callers(self, path: Path) -> bool:
        """Whether *path* starts at what the callers of this function hand in."""
        if path.is_this:
            return True
        return self.engine.is_parameter(path) and self.engine.is_argument(self.function, path)

    def _is_hidden(self, path: Path) -> bool:
        """Whether *path* starts at a variable of a call that is over: nobody who calls means it."""
        return self.engine.is_gone(path) and not self._is_callers(path)

    def confirm(self, held: Held) -> None:
        """A lock that an exception left held is released: what happened meanwhile counts."""
        for order in self.tentative.pop(held, ()):
            self.record_order(order._replace(held=held._replace(leaked=False)))

    def _asking(self, taken: Taken, begun: frozenset[Premise]) -> Taken:
        """*taken*, which happens only if *begun* was so at first: callers are asked."""
        if not self.engine.is_draft:
            self.engine.asked.ask(self.function.usr, begun)
        return taken._replace(needs=taken.needs | begun)

    def record_self_deadlock(self, held: Held, taken: Taken, begun: frozenset[Premise]) -> None:
        """The same object is taken twice by one thread, if *begun* was so at first."""
        if held.leaked:
            return
        if begun:
            taken = self._asking(taken, begun)
        path = held.lock
        if not self.engine.identities.of(path) and self.engine.nameable(self.function, path):
            order = Order(held, taken, frozenset())  # callers know whose lock it is
            uncovered(self._orders.setdefault(order.key, []), order)
            self.engine.found.self_lock_of_callers(self.function, held, taken)
            return
        if self.engine.points_to.may_be_recursive(self.engine.node_of(path)):
            sure = min(taken.certainty, Certainty.GUESSED)
            taken = taken._replace(certainty=sure, why=_PERHAPS_RECURSIVE)
        self.engine.found.self_lock(self.function, held, taken)

    def record_deferred(self, deferred: Deferred) -> None:
        """Remember a call of something that only the caller knows, if a caller can know it."""
        if not self.engine.is_of_callers(self.function, deferred.callee):
            return  # a parameter of a callee, for which nothing was given that is known
        if len(self._deferred) < DEFERRED.limit or deferred.key in self._deferred:
            uncovered(self._deferred.setdefault(deferred.key, []), deferred)
        else:
            self.cut(DEFERRED)
