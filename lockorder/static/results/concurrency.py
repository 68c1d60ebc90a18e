"""What can run at the same time, and what orders it: device syncs, launches, collectives.

Functions are reached from entries: ``main``, threads, and functions that nobody analysed calls.
Two events can meet if two entries lead to them, or one entry that several threads run.
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Frame, HeldLock, Mode
from lockorder.rules.evidence import DeviceSync, Doing, Dropped, UnorderedCollectives
from lockorder.static.interp.collected import Event
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Gate
from lockorder.static.results.graph import Builder

_Held = frozenset[HeldLock]
#: Rules that what is left out might have been found by.
DEVICE_SYNC, COLLECTIVES = "device-sync-hazard", "collective-order"


class Concurrency:
    """Answers about the events of one analysed program."""

    def __init__(
        self, engine: Engine, builder: Builder, dropped: list[Dropped] | None = None
    ) -> None:
        self._dropped = dropped
        self._engine = engine
        self._builder = builder
        self._contexts = engine.contexts
        events = [e for e in engine.found.events.values() if not self._is_startup(e)]
        events.sort(
            key=lambda e: (e.kind, builder.place(e.site), e.what, str(sorted(map(str, e.held))))
        )
        self._syncs = [e for e in events if e.kind == "sync"]
        self._launches = [e for e in events if e.kind in ("launch", "end")]
        self._issued = [e for e in events if e.kind == "collective"]
        self._entries = self._contexts.entries_of({e.function for e in events})
        # What is surely reached comes first: it is the better story.
        self._launches.sort(key=lambda e: not self._by_threads(e))
        self.ordering = self._ordering()

    def _is_startup(self, event: Event) -> bool:
        return self._contexts.is_startup(event.function)

    def held(self, event: Event) -> list[_Held]:
        """The sets of locks that can be held at an event: one for each way to get there."""
        return [
            self._locks(event.held | context, sure=True)
            for context in self._contexts.entry(event.function)
        ]

    def _locks(self, gates: Iterable[Gate], sure: bool) -> _Held:
        """The locks that *gates* are; of one of several it is not *sure* which one."""
        found: set[HeldLock] = set()
        for gate in gates:
            known = self._engine.identities.of(gate.path)
            for lock in known if len(known) == 1 or not sure else ():
                found.add(HeldLock(lock.lock, self._mode(gate, lock.lock)))
        return frozenset(found)

    def _mode(self, gate: Gate, lock: str) -> Mode:
        """A semaphore for several keeps nobody out, as readers do not."""
        several = self._engine.lets_in_several(gate.path, lock)
        return Mode.SHARED if several else gate.mode

    def _ordering(self) -> frozenset[str]:
        """Locks that are held around launches somewhere and around device syncs somewhere."""
        launching = {h for e in self._launches for h in self._ever_held(e)}
        syncing = {h for e in self._syncs for h in self._ever_held(e)}
        return frozenset(a.lock for a in launching for b in syncing if _excludes(a, b))

    def _ever_held(self, event: Event) -> _Held:
        around = event.held | self._contexts.sometimes(event.function)
        return self._locks(around, sure=False)

    # -- device syncs -----------------------------------------------------------------------------

    def device_syncs(self) -> list[DeviceSync]:
        """Implicit device syncs that can meet a launch with no lock in common."""
        found: dict[object, DeviceSync] = {}
        for sync in self._syncs:
            place = (sync.function, sync.site[:3])
            for launch in self._launches:
                if place in found:
                    break
                pair = self._unordered(sync, launch)
                if pair is None or not self._can_meet(sync, launch, False):
                    self._drop(DEVICE_SYNC, sync, launch, pair is None)
                    continue
                certain = self._by_threads(sync) and self._by_threads(launch)
                found[place] = DeviceSync(
                    self._doing(sync, pair[0]), self._doing(launch, pair[1]), certain
                )
        return list(found.values())

    def _drop(self, rule: str, here: Event, there: Event, ordered: bool) -> None:
        """Remember what keeps two events apart, if anybody asks."""
        if self._dropped is None:
            return
        why = "one lock is held around both" if ordered else "no two threads come to both at once"
        for event, other in ((here, there), (there, here)):
            chain = self._builder.chain(event.site)
            told = f"with {other.what} at {_place(self._builder.chain(other.site))}: {why}"
            self._dropped.append(Dropped(rule, told, (), chain))

    def _unordered(self, a: Event, b: Event) -> tuple[_Held, _Held] | None:
        """Locks held at both, in a case where none of them keeps the two apart."""
        for first in self.held(a):
            for second in self.held(b):
                if not any(_excludes(x, y) for x in first for y in second):
                    return first, second
        return None

    def _doing(self, event: Event, held: _Held) -> Doing:
        who = self._contexts.only_thread(event.function)
        name = self._engine.program.told_of(event.function)
        for lock in held:
            self._builder.declare(lock.lock)
        locks = tuple(sorted(held, key=str))
        return Doing(who or name, event.what, self._builder.chain(event.site), locks)

    # -- who can be there at once -----------------------------------------------------------------

    def _can_meet(self, a: Event, b: Event, need_thread: bool) -> bool:
        """Whether two threads can be at *a* and at *b*; *need_thread*: one is started for it."""
        only = self._contexts.only_thread(a.function), self._contexts.only_thread(b.function)
        if only[0] is not None and only[0] == only[1]:
            return False
        for x in self._entries.get(a.function, ()):
            for y in self._entries.get(b.function, ()):
                started = self._contexts.is_thread(x) or self._contexts.is_thread(y)
                if x != y:
                    if self._contexts.is_thread(x) and self._contexts.is_thread(y):
                        if self._engine.threads.overlap(x, y):
                            return True
                    elif started or not need_thread:
                        return True
                elif self._contexts.is_thread(x) and self._contexts.many(x):
                    return True
        return False

    def _by_threads(self, event: Event) -> bool:
        entries = self._entries.get(event.function, frozenset())
        return any(self._contexts.is_thread(x) for x in entries) or (
            self._contexts.only_thread(event.function) is not None
        )

    # -- collectives ------------------------------------------------------------------------------

    def collectives(self) -> list[UnorderedCollectives]:
        """Collectives on one communicator from two threads with no lock in common."""
        found: dict[str, UnorderedCollectives] = {}
        for i, first in enumerate(self._issued):
            if not first.about or first.about in found:
                continue
            for second in self._issued[i:]:
                if second.about != first.about:
                    continue
                place = first.site[:3]
                if first is second and first.site.inner and not self._contexts.repeated(place):
                    continue  # one thread's, told apart from others by its arguments
                pair = self._unordered(first, second)
                if pair is None or not self._can_meet(first, second, True):
                    self._drop(COLLECTIVES, first, second, pair is None)
                    continue
                variable = self._engine.program.variables.get(first.about)
                found[first.about] = UnorderedCollectives(
                    variable.name if variable is not None else first.about,
                    self._doing(first, pair[0]),
                    self._doing(second, pair[1]),
                )
                break
        return list(found.values())


def _excludes(a: HeldLock, b: HeldLock) -> bool:
    return a.lock == b.lock and Mode.EXCLUSIVE in (a.mode, b.mode)


def _place(chain: tuple[Frame, ...]) -> str:
    return f"{chain[-1].file}:{chain[-1].line}"
