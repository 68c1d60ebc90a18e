"""From what the walks found to what the rules look at, apart from the lock-order graph."""

from __future__ import annotations

from lockorder.knowledge.schema import Blocks
from lockorder.model import Acquisition, Certainty, HeldLock, How, LockGraph, Mode
from lockorder.rules.evidence import (
    BlockedCall,
    Dropped,
    GroupMisuse,
    Kept,
    Observed,
    SelfAcquisition,
    Waker,
)
from lockorder.static.interp import exits
from lockorder.static.interp.collected import (
    STARTUP,
    Emitted,
    Event,
    Unbalanced,
    innermost,
)
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Site
from lockorder.static.program.effects import POLL, Group, Wait
from lockorder.static.program.polls import Write
from lockorder.static.results import forks, interrupts
from lockorder.static.results.concurrency import Concurrency
from lockorder.static.results.creations import creations, settings
from lockorder.static.results.endings import OUTLIVED, Endings
from lockorder.static.results.graph import Builder
from lockorder.static.results.misuses import Misuses
from lockorder.static.results.passed import Passed
from lockorder.static.results.served import Served
from lockorder.static.results.signals import Signals

#: Why a task may wait for others of its pool.
CROWDED = "it needs as many such tasks at once as the pool has threads"


def observe(
    engine: Engine, graph: LockGraph, root: str, dropped: list[Dropped] | None = None
) -> Observed:
    """Everything beside the graph; locks that only occur here are declared in *graph*.

    *dropped* gets what is left out, where somebody asks.
    """
    return _Observer(engine, graph, root, dropped).run()


class _Observer:
    def __init__(
        self, engine: Engine, graph: LockGraph, root: str, dropped: list[Dropped] | None
    ) -> None:
        self._engine = engine
        self._dropped = dropped
        self._found = engine.found
        self._builder = Builder(engine, root)
        self._builder.graph = graph
        self._concurrency = Concurrency(engine, self._builder, dropped)
        self._passed = Passed(engine)
        self._signals = Signals(engine)
        self._endings = Endings(engine)
        self._served = Served(
            engine, self._notifiers, lambda e, lock: self._needs(e, lock, Mode.EXCLUSIVE)
        )

    def run(self) -> Observed:
        misuses = Misuses(self._engine, self._builder)
        wrong = (
            *misuses.misuses(),
            *forks.held_across(self._engine, self._builder, self._concurrency),
        )
        return Observed(
            (*self._self_acquisitions(), *interrupts.acquisitions(self._engine, self._builder)),
            tuple(self._blocked()),
            tuple(self._concurrency.device_syncs()),
            tuple(self._concurrency.collectives()),
            (*self._kept(), *misuses.never()),
            tuple(self._misuses()),
            lock_misuses=wrong,
            creations=tuple(creations(self._engine, self._builder)),
            settings=tuple(settings(self._engine, self._builder)),
        )

    def _drop(self, lock: str, emitted: Emitted, why: str) -> None:
        """Remember a wait that is not told, if anybody asks."""
        if self._dropped is not None:
            chain = self._builder.chain(emitted.order.taken.site)
            self._dropped.append(Dropped("blocking-under-lock", why, (lock,), chain))

    def _acquisition(self, lock: str, site: Site, mode: Mode, how: How) -> Acquisition:
        self._builder.declare(lock)
        return Acquisition(lock, self._builder.chain(site), mode, how)

    # -- the same lock again ----------------------------------------------------------------------

    def _self_acquisitions(self) -> list[SelfAcquisition]:
        found = []
        for key in sorted(self._found.self_locks):
            lock, again = key[0], self._found.self_locks[key]
            if self._engine.identities.locks[lock].kind.reentrant:
                continue  # made recursive by what was walked later
            held, taken = again.held, again.taken
            if Mode.EXCLUSIVE not in (held.mode, taken.mode) and lock not in self._found.writers:
                continue  # nobody keeps a reader out
            certainty, why = self._builder.certainty(taken, held.site)
            found.append(
                SelfAcquisition(
                    self._acquisition(lock, held.site, held.mode, held.how),
                    self._acquisition(lock, taken.site, taken.mode, taken.how),
                    certainty,
                    why if certainty < taken.certainty else taken.why,
                )
            )
        return found

    # -- waits under a lock -----------------------------------------------------------------------

    def _blocked(self) -> list[BlockedCall]:
        found: list[BlockedCall] = []
        for lock, path in sorted(self._found.blocked):
            if lock in self._found.signals:
                continue  # what is held is no lock
            kind = self._engine.identities.locks[lock].kind
            for emitted in self._found.blocked[lock, path]:
                call = self._blocked_call(lock, path, emitted)
                if call is None:
                    continue
                if kind.initialises and call.waker is None:
                    self._drop(lock, emitted, "an initialiser runs once, and may wait in it")
                    continue
                found.append(call)
        for source, target in sorted(self._found.orders):
            if target in self._found.signals and source not in self._found.signals:
                for emitted in self._found.orders[source, target]:
                    if emitted.order.taken.how is not How.TRY:
                        found.append(self._signal(source, target, emitted))
        return found

    def _signal(self, lock: str, semaphore: str, emitted: Emitted) -> BlockedCall:
        """A semaphore that others post is waited for."""
        held, taken = emitted.order.held, emitted.order.taken
        path = taken.lock
        declaration = self._engine.node_of(path)
        return BlockedCall(
            self._acquisition(lock, held.site, held.mode, held.how),
            f"a wait for {self._engine.identities.locks[semaphore].name}",
            self._builder.chain(taken.site),
            "a thread",
            taken.how is How.TIMED,
            *self._builder.certainty(taken, held.site),
            self._notifier(lock, held.mode, declaration),
        )

    def _blocked_call(self, lock: str, path: Wait, emitted: Emitted) -> BlockedCall | None:
        held, taken = emitted.order.held, emitted.order.taken
        name = path.name
        known = self._engine.knowledge.blocking(name)
        if name == POLL:
            return self._polled(lock, emitted)
        if taken.how is How.TRY or name not in self._engine.knowledge.waiting:
            return None
        if self._engine.contexts.is_startup(emitted.function):
            self._drop(lock, emitted, STARTUP)
            return None
        if self._endings.excludes(lock, path, emitted):
            self._drop(lock, emitted, OUTLIVED)
            return None
        if known is not None and self._is_exempt(lock, known):
            self._drop(
                lock, emitted, "the lock orders launches against calls that synchronise the device"
            )
            return None
        again = taken.how is How.BLOCKING and name in self._engine.knowledge.asked
        waker = self._waker(lock, held.mode, path, known, emitted)
        if waker is None and known is not None and known.started:
            waker = self._callback(lock, held.mode, path, known)
        waits = known or self._engine.knowledge.waits.get(name)
        if waker is None and waits is not None and waits.suspends and self._is_of_tasks(lock):
            self._drop(lock, emitted, "only tasks wait for the lock, and they go on meanwhile")
            return None
        certainty, why = self._builder.certainty(taken, held.site)
        worker = self._engine.identities.workers.get(lock)
        if worker is not None and waker is None:
            self._drop(lock, emitted, "a task of a pool waits for what needs no thread of the pool")
            return None
        if worker == "several" and certainty > Certainty.POSSIBLE:
            certainty, why = Certainty.POSSIBLE, CROWDED
        told = self._engine.program.told(name)
        return BlockedCall(
            self._acquisition(lock, held.site, held.mode, held.how),
            f"a loop of {told}" if again else told,
            self._builder.chain(taken.site),
            known.waits_for if known is not None else "a thread",
            taken.how is How.TIMED,
            certainty,
            why,
            waker,
            lost=self._has_failed(taken.site) or (waker is None and taken.why == exits.FAILED),
            in_pool=worker is not None,
            served=self._ends_by_itself(lock, path, emitted) if waker is None and not known else "",
            unmet=known is not None and self._is_unmet(lock, known),
        )

    def _is_of_tasks(self, lock: str) -> bool:
        """Whether tasks wait for a lock, and never the thread that runs them."""
        return lock in self._engine.identities.of_tasks

    def _has_failed(self, site: Site) -> bool:
        """Whether a call chain leads through what only runs when the program is lost."""
        chain = self._engine.handed_on.filled(site).along()
        return any(here.function in self._engine.failing for here in chain)

    def _polled(self, lock: str, emitted: Emitted) -> BlockedCall | None:
        """A loop waits for what nobody writes without the lock."""
        held, taken = emitted.order.held, emitted.order.taken
        place = innermost(taken.site)
        polls = self._engine.polls
        poll = next(
            (p for p in polls.loops.values() if p[:2] == (place.function, place.line)), None
        )
        ends = polls.ends(poll) if poll is not None else []
        contexts = self._engine.contexts
        ends = [w for w in ends if not contexts.is_startup(w.function)]
        if poll is None or not ends or not all(self._writes(w, lock, held.mode) for w in ends):
            self._drop(lock, emitted, "somebody can end the loop without the lock")
            return None
        sites = [(Site(w.function, w.line, w.column), w.function) for w in ends]
        site, function = min(sites, key=lambda s: self._builder.place(s[0]))
        names = [self._engine.program.variables[flag].name for flag in poll.flags]
        return BlockedCall(
            self._acquisition(lock, held.site, held.mode, held.how),
            f"a loop until {' or '.join(names)} is set",
            self._builder.chain(taken.site),
            "a thread",
            False,
            *self._builder.certainty(taken, held.site),
            Waker(self._engine.program.told_of(function), self._builder.chain(site)),
        )

    def _writes(self, write: Write, lock: str, mode: Mode) -> bool:
        """Whether a thread has to wait for *lock* before it writes."""
        passed = self._passed.before(write.function, Site(write.function, write.line, write.column))
        return any(h.lock == lock and Mode.EXCLUSIVE in (mode, h.mode) for h in passed)

    def _is_exempt(self, lock: str, known: Blocks) -> bool:
        """A lock that orders launches against device-synchronising calls is there for that."""
        orders = known.device_sync or known.launch_end
        return orders and lock in self._concurrency.ordering

    def _is_unmet(self, lock: str, known: Blocks) -> bool:
        """Whether nobody makes the calls that such a wait is for; an interpreter has others."""
        named = lock in self._engine.knowledge.named
        return known.behind_syncs and not named and not self._engine.synchronises

    def _waker(
        self, lock: str, mode: Mode, path: Wait, known: Blocks | None, emitted: Emitted
    ) -> Waker | None:
        if not path.about:
            return None
        if path.about[0] in self._engine.program.functions:
            return self._joined(lock, mode, path.about)
        site = emitted.order.taken.site
        return self._notifier(lock, mode, path.about[0], site if known and known.all else None)

    def _joined(self, lock: str, mode: Mode, targets: tuple[str, ...]) -> Waker | None:
        """Every thread that may be waited for takes the lock itself, which is held in *mode*."""
        wakers: list[tuple[Site, str]] = []
        for target in targets:
            needs = [
                self._engine.handed_on.whole(target, taken)
                for variants in self._engine.summary(target).taken.values()
                for taken in variants
                if taken.how is How.BLOCKING
                and Mode.EXCLUSIVE in (mode, taken.mode)
                and not isinstance(taken.path, Wait)
                and any(i.lock == lock for i in self._engine.identities.of(taken.path))
            ]
            if not needs:
                return None
            wakers.append((min(needs, key=self._builder.place), target))
        if not wakers:
            return None
        site, target = min(wakers, key=lambda w: self._builder.place(w[0]))
        return Waker(self._engine.program.told_of(target), self._builder.chain(site))

    def _callback(self, lock: str, mode: Mode, path: Wait, known: Blocks) -> Waker | None:
        """What was started, and has to be over first, takes the lock that is held in *mode*.

        Where the wait is for one stream: what was started in that one.
        """
        for name in known.started:
            for target, places in sorted(self._engine.started_by.get(name, {}).items()):
                if known.waker is not None and places.isdisjoint(path.about):
                    continue
                found = self._joined(lock, mode, (target,))
                if found is not None:
                    return found
        return None

    def _notifier(
        self, lock: str, mode: Mode, condition: str, all_but: Site | None = None
    ) -> Waker | None:
        """Nobody wakes the waiter without the lock, which is held in *mode*.

        Where all have to, *all_but* is where the waiter itself does: one that needs it is enough.
        """
        wakers = self._notifiers(condition)
        needing = [e for e in wakers if self._needs(e, lock, mode)]
        if len(needing) < len(wakers):
            at = innermost(all_but) if all_but is not None else None
            needing = [e for e in needing if at is not None and e.site != at]
        if not needing:
            return None
        first = min(needing, key=lambda e: self._builder.place(e.site))
        name = self._engine.program.told_of(first.function)
        return Waker(name, self._builder.chain(self._gate_before(first, lock, mode)))

    def _gate_before(self, event: Event, lock: str, mode: Mode) -> Site:
        """Where a thread on its way to an event has to wait for *lock*: as near to it as is known.

        The event itself where that is in a function that has come back before.
        """
        level, seen = {event.function}, {event.function}
        while level:
            found = [
                Site(*place)
                for place, locks in self._found.waited_at.items()
                if place[0] in level
                and any(h.lock == lock and Mode.EXCLUSIVE in (mode, h.mode) for h in locks)
                and (place[0] != event.function or place[1:] <= tuple(event.site[1:3]))
            ]
            if found:
                return max(found, key=self._builder.place)
            level = {c for usr in level for c in self._engine.contexts.callers(usr)} - seen
            seen |= level
        return event.site

    def _notifiers(self, condition: str) -> list[Event]:
        """Who wakes those that wait for an object."""
        names = self._signals.names(condition)
        return [e for e in self._found.events.values() if e.kind == "notify" and e.about in names]

    def _ends_by_itself(self, lock: str, path: Wait, emitted: Emitted) -> str:
        """The thread that ends the wait and is not kept back; empty where none is known."""
        if not path.about or path.about[0] in self._engine.program.functions:
            return ""
        waiter = innermost(emitted.order.taken.site).function
        thread = self._served.by(lock, path.about[0], waiter)
        return self._engine.program.told_of(thread) if thread is not None else ""

    def _needs(self, event: Event, lock: str, mode: Mode) -> bool:
        """Whether all ways to an event have to wait for *lock* while it is held in *mode*."""

        def keeps_out(held: HeldLock) -> bool:
            return held.lock == lock and Mode.EXCLUSIVE in (mode, held.mode)

        ways = self._concurrency.held(event)
        if not ways:
            return False
        if all(any(map(keeps_out, way)) for way in ways):
            return True
        return any(map(keeps_out, self._passed.before(event.function, event.site)))

    # -- paths that keep something ----------------------------------------------------------------

    def _kept(self) -> list[Kept]:
        """Each way out with what it keeps, those nearest to where it was taken first."""
        found: dict[Kept, None] = {}
        for kept in sorted(self._found.unbalanced.values(), key=self._depth):
            if innermost(kept.held.site) in self._found.handed_over and kept.how == "exception":
                continue  # a caller catches it and releases
            leaves = self._builder.frame(Site(kept.function, kept.line, 0))
            name = self._engine.program.told_of(kept.function)
            held = kept.held
            if isinstance(held.path, Group):
                lock = held.path.name
                taken = Acquisition(lock, self._builder.chain(held.site))
                found[Kept(taken, name, leaves, kept.how, True)] = None
                continue
            for identified in self._engine.identities.of(held.path)[:1]:
                taken = self._acquisition(identified.lock, held.site, held.mode, held.how)
                found[Kept(taken, name, leaves, kept.how)] = None
        return list(found)

    def _depth(self, kept: Unbalanced) -> tuple[object, ...]:
        """Findings nearest to where the lock is taken come first."""
        place = self._builder.place(kept.held.site)
        return len(place), place, kept.line, kept.how

    # -- groups -----------------------------------------------------------------------------------

    def _misuses(self) -> list[GroupMisuse]:
        found: list[GroupMisuse] = []
        k = self._engine.knowledge
        for begin in sorted(self._found.grouped):
            inside = self._found.grouped[begin]
            names = {p.name: p for p in inside if isinstance(p, Wait)}
            collective = any(n in k.collectives for n in names)
            for name, path in sorted(names.items()):
                order = inside[path].order
                known = k.blocking(name)
                problem = ""
                if known is not None and known.explicit_sync:
                    problem = "waits for work that is only launched when the group ends"
                elif name in k.group_alone and collective:
                    problem = "makes a communicator in one group with other calls"
                if problem:
                    group = order.held.path.name if isinstance(order.held.path, Group) else ""
                    chain = self._builder.chain(order.taken.site)
                    at = self._builder.chain(order.held.site)
                    found.append(GroupMisuse(group, at, name, chain, problem))
        return found
