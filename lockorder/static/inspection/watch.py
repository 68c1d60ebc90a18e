"""An engine that remembers what it does in some functions: for questions, and at no cost to others.

It is the engine, with a walk of another class for the functions that are asked about: what nobody
asks about is walked as ever.  Drafts (``fixedpoint``) are not remembered, only walks that count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lockorder.knowledge import Knowledge
from lockorder.model import Certainty
from lockorder.static.interp.activation import Activation
from lockorder.static.interp.asked import EXCLUDED
from lockorder.static.interp.collected import Collected, innermost
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.summary import Held, Member, Order, Premise, Site, State, Taken
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Wait
from lockorder.static.program.identities import Identified
from lockorder.static.program.link import Program

#: Rules that what is left out might have been found by.
ORDER, AGAIN, WAITS = "lock-order-cycle", "self-deadlock", "blocking-under-lock"
#: And what happens besides locks, by the kind of event.
_RULES = {
    "sync": "device-sync-hazard",
    "launch": "device-sync-hazard",
    "collective": "collective-order",
}


class Visit(NamedTuple):
    """A statement that the walk came to, in *before*, and the states after it."""

    statement: f.Stmt
    before: tuple[State, ...]
    after: tuple[State, ...]


class Followed(NamedTuple):
    """A call at *site* of a watched function whose summary was applied; *inner*: in a callee."""

    callee: str
    site: Site
    certainty: Certainty
    why: str

    @property
    def inner(self) -> bool:
        """Whether the callee calls it, and not the function that is watched."""
        return self.site.inner is not None


class LeftOut(NamedTuple):
    """An order (or a lock taken again, or a wait) that was seen and not kept, and the reason."""

    rule: str
    function: str
    held: Held
    taken: Taken
    locks: tuple[str, ...]
    why: str


class Watched:
    """What was seen of the functions that are asked about, by their keys."""

    def __init__(self) -> None:
        self.walks: dict[str, Activation] = {}
        self.visits: dict[str, list[Visit]] = {}
        self.followed: dict[str, list[Followed]] = {}
        self.resolved: set[tuple[str, int]] = set()
        self.left_out: list[LeftOut] = []
        #: what happens while there is no other thread: the rule that looks at it, its name, where
        self.alone: list[tuple[str, str, Site]] = []
        #: of every function: those that it calls and that call it
        self.groups: dict[str, tuple[str, ...]] = {}
        #: of every function: calls that were met, and those of them whose target is known
        self.callers: dict[str, set[tuple[str, int]]] = {}

    def at(self, usr: str, statement: f.Stmt) -> list[Visit]:
        """Every time the walk of a function came to *statement*."""
        return [v for v in self.visits.get(usr, ()) if v.statement is statement]


class WatchedEngine(Engine):
    """Runs the analysis as ever, and fills ``watched`` meanwhile."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        choose: Callable[[Program], Sequence[str]] = lambda _: (),
    ) -> None:
        self._chosen = frozenset(choose(program))
        super().__init__(program, knowledge)
        self.watched = Watched()
        found = self.found
        self.found = _WatchedCollected(found, self.watched)

    def activation(self, function: f.Function) -> Activation:
        """A walk that is watched where it was asked for."""
        if function.usr not in self._chosen or self.is_draft:
            return super().activation(function)
        walk = _WatchedWalk(self, function)
        walk.visits = self.watched.visits.setdefault(function.usr, [])
        walk.alone = self.watched.alone
        self.watched.walks[function.usr] = walk
        return walk

    def is_over(self, activation: Activation) -> None:
        """A walk that is watched is asked about later."""
        if self.watched.walks.get(activation.function.usr) is not activation:
            super().is_over(activation)

    def _summarise(self, group: list[str]) -> None:
        if len(group) > 1 or self._calls_itself(group[0]):
            self.watched.groups.update(dict.fromkeys(group, tuple(group)))
        super()._summarise(group)

    def note_call(
        self,
        caller: f.Function,
        callee: str,
        state: State,
        frame: Frame,
        around: frozenset[str] = frozenset(),
        fixed: frozenset[Member] = frozenset(),
    ) -> None:
        """Remember who calls whom."""
        if not (self.is_draft or self._spawning):  # who starts a thread does not call it
            self.watched.callers.setdefault(callee, set()).add((caller.usr, frame.site.line))
            if caller.usr in self._chosen:
                call = Followed(callee, frame.site, frame.certainty, frame.why)
                followed = self.watched.followed.setdefault(caller.usr, [])
                if call not in followed:
                    followed.append(call)
        super().note_call(caller, callee, state, frame, around, fixed)

    def count_call(self, function: f.Function, event: int, resolved: bool = False) -> None:
        """Remember which calls have a known target."""
        if resolved and function.usr in self._chosen:
            self.watched.resolved.add((function.usr, event))
        super().count_call(function, event, resolved)


class _WatchedWalk(Activation):
    """A walk that keeps the states at every statement."""

    visits: list[Visit]
    alone: list[tuple[str, str, Site]]

    def _step(self, statement: f.Stmt, states: list[State]) -> list[State]:
        before = tuple(states)
        after = super()._step(statement, states)
        self.visits.append(Visit(statement, before, tuple(after)))
        return after

    def note(self, kind: str, what: str, about: str, site: Site, state: State) -> None:
        """As ever; what nobody can meet is remembered."""
        if self.engine.alone:
            self.alone.append((_RULES.get(kind, ""), what, site))
        super().note(kind, what, about, site, state)


class _WatchedCollected(Collected):
    """What is left out is kept beside the rest, with the reason."""

    def __init__(self, plain: Collected, watched: Watched) -> None:
        super().__init__(
            plain._program, plain._identities, plain._back_pointers, plain._cuts, plain._whole
        )
        self._watched = watched
        self._now: tuple[str, Order] | None = None

    def _note(
        self, rule: str, function: str, order: Order, locks: tuple[str, ...], why: str
    ) -> None:
        self._watched.left_out.append(LeftOut(rule, function, order.held, order.taken, locks, why))

    def order(self, function: f.Function, order: Order) -> bool:
        """As ever; meanwhile it is known which order is being looked at."""
        self._now = function.usr, order
        held = self._identities.of(order.held.path)
        if held and isinstance(order.taken.path, Wait) and self._is_dying(function, order):
            why = "the lock is a member of the object that dies here: only its own threads want it"
            self._note(WAITS, function.usr, order, tuple(i.lock for i in held), why)
        kept = super().order(function, order)
        self._now = None
        return kept

    def alone(self, function: f.Function, order: Order) -> None:
        """As ever."""
        self._now = function.usr, order
        super().alone(function, order)
        self._now = None

    def self_lock(self, function: f.Function, held: Held, taken: Taken) -> None:
        """As ever."""
        super().self_lock(function, held, taken)
        for lock in self._identities.of(held.path):
            known = self._identities.locks.get(lock.lock)
            key = (lock.lock, function.usr, innermost(held.site), innermost(taken.site))
            if key in self.self_locks or known is None:
                continue
            why = "it is one of many objects, and not surely the same one twice"
            if known.kind.reentrant:
                why = f"its holder may take it again: it is a {known.kind.value} lock"
            order = Order(held, taken, frozenset())
            self._note(AGAIN, function.usr, order, (lock.lock,), why)

    def leave_out_excluded(self, may_be: Callable[[str, frozenset[Premise]], bool]) -> None:
        """As ever; what no caller lets happen is remembered."""
        orders = {pair: tuple(each) for pair, each in self.orders.items()}
        again = dict(self.self_locks)
        super().leave_out_excluded(may_be)
        for pair, each in orders.items():
            kept = {id(emitted) for emitted in self.orders.get(pair, ())}
            for emitted in each:
                if id(emitted) not in kept:
                    self._note(ORDER, emitted.function, emitted.order, pair, EXCLUDED)
        for key, (function, held, taken) in again.items():
            if key not in self.self_locks:
                order = Order(held, taken, frozenset())
                self._note(AGAIN, function, order, key[:1], EXCLUDED)

    def _leave_out(
        self, sources: Sequence[Identified], targets: Sequence[Identified], why: str
    ) -> None:
        if self._now is not None:
            for source in sources:
                for target in targets:
                    self._note(ORDER, *self._now, (source.lock, target.lock), why)
        super()._leave_out(sources, targets, why)
