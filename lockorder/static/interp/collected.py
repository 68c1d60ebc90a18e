"""What the walks of all functions found: orders, waits, and events that rules look at.

Everything is kept in terms of named locks; what only a caller can name stays in summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from lockorder.bounds import ORDERS, Cuts
from lockorder.model import Certainty, HeldLock, How, Mode
from lockorder.static.interp.asked import EXCLUDED, premises_of
from lockorder.static.interp.directions import Directions
from lockorder.static.interp.sharing import Sharing
from lockorder.static.interp.summary import (
    Gate,
    Held,
    Order,
    Premise,
    Rank,
    Receiver,
    Site,
    State,
    Taken,
)
from lockorder.static.parse import facts as f
from lockorder.static.program import building
from lockorder.static.program.backpointers import BackPointers
from lockorder.static.program.effects import Effect, Group, Wait, What
from lockorder.static.program.identities import Identified, Identities
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.singles import Singles
from lockorder.static.program.steps import REMAINDER, Step, Steps, is_chosen, is_element, member

#: Why an order of a program's start is none that can deadlock.
STARTUP = "only before main starts the first thread"
#: The same, of objects of which one function is the only one that has them.
OWN = "nobody else can have the object"
#: The same, of two parameters.
TOLD = "all callers say which objects they are"

_Key = TypeVar("_Key", tuple[str, str], tuple[str, Wait])
#: a lock, a function, and the places where it is taken and taken again
_Again = tuple[str, str, "Site", "Site"]


class Emitted(NamedTuple):
    """An order, and the function in whose body it came about."""

    function: str
    order: Order


class SelfLock(NamedTuple):
    """One thread takes a lock that it holds."""

    function: str
    held: Held
    taken: Taken


class Event(NamedTuple):
    """Something at *site* of *function* with *held* held there (callers may hold more).

    *kind* is launch (of work on GPUs of several ranks), sync (of a whole device), collective or
    notify; *what* the function called, *about* the communicator or condition by its declaration.
    """

    kind: str
    what: str
    about: str
    function: str
    site: Site
    held: frozenset[Gate]


class Unbalanced(NamedTuple):
    """A path on which *function* keeps what its other paths give up."""

    function: str
    held: Held
    #: where the path leaves
    line: int
    how: str


class Misused(NamedTuple):
    """*function* does at *site* what *rule* is about, with the lock at *path* or in it."""

    rule: str
    function: str
    path: Path
    site: Site
    held: Held | None
    #: on some ways only, of which one surely leads there
    some: bool = False


#: Why an order cannot matter.
FRESH = "a member of an object under construction, which no other thread has"


class Collected:
    """The result of all walks."""

    def __init__(
        self,
        program: Program,
        identities: Identities,
        back_pointers: BackPointers,
        cuts: Cuts,
        whole: Callable[[Site], Site],
    ) -> None:
        #: constructors, by whether they keep their object to themselves
        self._quiet: dict[str, bool] = {}
        self._cuts = cuts
        #: call chains without the gaps that summaries leave in them
        self._whole = whole
        self._program = program
        self._identities = identities
        self._back_pointers = back_pointers
        self.orders: dict[tuple[str, str], list[Emitted]] = {}
        #: the nearest way from one place to another, by lock, function and both places
        self.self_locks: dict[_Again, SelfLock] = {}
        #: the nearest of each, by what had to be so at first
        self._again: dict[_Again, dict[frozenset[Premise], SelfLock]] = {}
        #: the same of parameters, by function
        self._unnamed: dict[str, list[SelfLock]] = {}
        self.writers: set[str] = set()
        #: waits under a lock, by lock and wait
        self.blocked: dict[tuple[str, Wait], list[Emitted]] = {}
        #: what happens between the begin and the end of a group of calls
        self.grouped: dict[Site, dict[Effect, Emitted]] = {}
        self.events: dict[object, Event] = {}
        self.unbalanced: dict[object, Unbalanced] = {}
        self.misuses: dict[object, Misused] = {}
        #: Locks that something in the program gives up.
        self.given: set[str] = set()
        #: Locks, and classes of objects, that code gets which is not here.
        self.outside: set[str] = set()
        #: Where locks are taken in a callee that a caller releases.
        self.handed_over: set[Site] = set()
        #: semaphores that are no locks (known when all is walked)
        self.signals: frozenset[str] = frozenset()
        #: where each lock is taken, whatever else is held there
        self.sites: dict[tuple[str, int, int], set[str]] = {}
        #: the same where others are waited for, and how
        self.waited_at: dict[tuple[str, int, int], set[HeldLock]] = {}
        #: guards that take no lock where they begin: deferred, adopted, moved, empty
        self.takes_nothing: set[tuple[str, int, int]] = set()
        #: orders that no report tells, and why
        self.left_out: dict[tuple[str, str], str] = {}
        self._singles = Singles(program)
        self._ways: Directions[Emitted] = Directions(back_pointers.opposites)
        #: by lock and what ranks its objects: the first order that goes up (True), and down
        self._ranked: dict[tuple[str, Step], dict[bool, Emitted]] = {}
        #: by lock and a member that ranks its objects: all orders that go by it
        self._by_member: dict[tuple[str, Step], list[tuple[f.Function, Order]]] = {}
        #: members that are written to while their object is locked
        self._changing: set[str] = set()
        self._sited: set[tuple[object, What]] = set()
        #: locks that are taken exclusively somewhere
        self._written: set[What] = set()
        #: by what makes orders alike: which of those of its locks it is
        self._seen: dict[object, int] = {}

    def draft(self) -> Collected:
        """A place for what is found while nothing is known for sure: it keeps nothing."""
        return _Draft(self._program, self._identities, self._back_pointers, self._cuts, self._whole)

    def order(self, function: f.Function, order: Order) -> bool:
        """Keep *order* if both sides have names; False where only a caller knows them."""
        if isinstance(order.held.path, Group):
            inside = self.grouped.setdefault(innermost(order.held.site), {})
            inside.setdefault(order.taken.path, Emitted(function.usr, order))
            return True
        sources = self._identities.of(order.held.path)
        if sources and isinstance(order.taken.path, Wait):
            if self._is_dying(function, order):
                return True
            for source in sources:
                self._keep(self.blocked, (source.lock, order.taken.path), function, order)
            return True
        targets = self._identities.of(order.taken.path)
        both = order.locks
        if both is None or not sources or not targets:
            return False
        if self._is_fresh(function, both):
            self._leave_out(sources, targets, FRESH)
            return True
        fixed = self._fixed(*both)
        for source in sources:
            for target in targets:
                if source.lock == target.lock and self.is_single(*both):
                    self._taken_again(function, order, source.lock)
                elif source.lock == target.lock and fixed:
                    self._beside_fixed(function, order, both[0], source.lock, fixed)
                elif source.lock != target.lock or self._two_objects(*both):
                    self._keep(self.orders, (source.lock, target.lock), function, order)
                elif not (
                    self._comes_back(function, order, source.lock)
                    or self._both_ways(function, order, source.lock)
                ):
                    self._leave_out([source], [target], "the objects are ranked, or the same")
        self.note_writer(order.taken)
        return True

    def alone(self, function: f.Function, order: Order) -> None:
        """An order of main's while there is no other thread: it can only wait for itself."""
        sources = self._identities.of(order.held.path)
        targets = self._identities.of(order.taken.path)
        both = order.locks
        if both is not None and not self._is_fresh(function, both):
            for lock in sorted({s.lock for s in sources} & {t.lock for t in targets}):
                if self.is_single(*both):
                    self._taken_again(function, order, lock)
                elif not self._two_objects(*both):
                    self._comes_back(function, order, lock)
        self._leave_out(sources, targets, STARTUP)

    def _leave_out(
        self, sources: Sequence[Identified], targets: Sequence[Identified], why: str
    ) -> None:
        for source in sources:
            for target in targets:
                self.left_out.setdefault((source.lock, target.lock), why)

    def _keep(
        self, kept: dict[_Key, list[Emitted]], pair: _Key, function: f.Function, order: Order
    ) -> None:
        known = kept.setdefault(pair, [])
        key = (
            pair, function.usr, order.held.site, order.taken.mode, order.taken.how,
            order.gates, order.held.path, order.taken.path, premises_of(order.taken.needs),
            _called(order),
        )  # fmt: skip
        at = self._seen.get(key)
        if at is not None:
            if order.taken.certainty > known[at].order.taken.certainty:
                known[at] = Emitted(function.usr, order)
        elif len(known) < ORDERS.limit:
            self._seen[key] = len(known)
            known.append(Emitted(function.usr, order))
        else:
            self._cuts.note(ORDERS, function.usr)

    def _is_fresh(self, function: f.Function, both: tuple[Path, Path]) -> bool:
        """Members of an object under construction, which no other thread has: both, or one in it.

        Who takes a lock that nobody can have does not wait, and nobody waits for it.
        """
        if function.usr not in self._program.building:
            return False
        own = [p for p in both if p.method == function.usr and p.steps]
        return len(own) == 2 or (any(map(self._is_part, own)) and self._is_quiet(function))

    def _is_quiet(self, function: f.Function) -> bool:
        known = self._quiet.get(function.usr)
        if known is None:
            knowledge = self._program.knowledge
            known = building.keeps_to_itself(self._program, knowledge, function)
            self._quiet[function.usr] = known
        return known

    def _is_part(self, path: Path) -> bool:
        """Whether what a path leads to lies in the object that it begins at."""
        return not any(
            is_element(s) or self._program.is_indirect(self._program.type_of(member(s)))
            for s in path.steps
        )

    def _is_dying(self, function: f.Function, order: Order) -> bool:
        """A destructor's own member: nobody but threads that are joined can want it any more."""
        held, taken = order.held.path, order.taken.path
        if function.kind != "destructor" or not isinstance(held, Path):
            return False
        own = held.method == function.usr and bool(held.steps)
        return own and isinstance(taken, Wait) and not taken.about

    def is_single(self, a: Path, b: Path) -> bool:
        """Whether both are the lock of the one object that a class has: ``this``, or its global."""
        if not a.steps or not b.steps or a.steps[-1] != b.steps[-1] or is_element(a.steps[-1]):
            return False
        classes = {self._identities.class_of(p.owner) for p in (a, b)}
        return len(classes) == 1 and self._singles.is_single(classes.pop())

    def _fixed(self, a: Path, b: Path) -> str:
        """The global of two objects of one class of which the other may be any; empty where none
        is: an object that is always the same comes first or last, as long as all keep to that."""
        if a.steps != b.steps or a.root == b.root or any(map(is_element, a.steps)):
            return ""
        fixed = [p.variable for p in (a, b) if self._identities.is_fixed(p)]
        return fixed[0] if len(fixed) == 1 else ""

    def _beside_fixed(
        self, function: f.Function, order: Order, held: Path, lock: str, fixed: str
    ) -> None:
        known = self._ranked.setdefault((lock, fixed), {})
        known.setdefault(held.variable == fixed, Emitted(function.usr, order))
        if len(known) < 2:
            self._leave_out_ranked(lock)
        for usr, each in known.values() if len(known) == 2 else ():
            self._keep(self.orders, (lock, lock), self._program.functions[usr], each)

    def _taken_again(self, function: f.Function, order: Order, lock: str) -> None:
        held, taken, _ = order
        if taken.how is not How.BLOCKING or self._identities.locks[lock].kind.reentrant:
            return
        if Mode.EXCLUSIVE in (held.mode, taken.mode):
            self.keep_self_lock(lock, SelfLock(function.usr, held, taken))

    def _two_objects(self, a: Path, b: Path) -> bool:
        """Two objects of one class in one order: only where nothing ranks them.

        A parent's lock before its child's (one path extends the other's owner) is a rank; so is
        an element reached through an index, which callers usually sort.
        """
        if a.is_unknown or b.is_unknown or a == b:
            return False
        if a.root == b.root and a.steps[:-1] == b.steps[:-1] and a.steps and b.steps:
            ends = a.steps[-1], b.steps[-1]
            if is_element(ends[0]) and is_element(ends[1]):
                # Numbers written down order nothing; nor does the next one of a ring.
                return REMAINDER in ends or all(map(is_chosen, ends))
        kinds = self._identities.made_of(a), self._identities.made_of(b)
        if any(x != y for x, y in zip(*kinds, strict=False)):
            return True  # members of two templates' instances
        slots = self._identities.slot(a), self._identities.slot(b)
        if all(slots) and slots[0] != slots[1] and a.root == b.root:
            return True  # two members of one object
        if a.steps != b.steps:
            return False
        return a.root != b.root and all(
            (p.is_this or p.is_variable) and not any(map(is_element, p.steps)) for p in (a, b)
        )

    def _comes_back(self, function: f.Function, order: Order, lock: str) -> bool:
        """Keep an order of a lock and what is most likely itself, reached through a child."""
        if order.taken.how is not How.BLOCKING or self._identities.locks[lock].kind.reentrant:
            return False
        if Mode.EXCLUSIVE not in (order.held.mode, order.taken.mode):
            return False
        back = self._back_pointers.returns(order.held.lock, order.taken.lock)
        if back is None:
            return False
        certainty = min(order.taken.certainty, back.certainty)
        why = order.taken.why if order.taken.certainty < back.certainty else back.why
        taken = order.taken._replace(certainty=certainty, why=why)
        self.keep_self_lock(lock, SelfLock(function.usr, order.held, taken))
        return True

    def _both_ways(self, function: f.Function, order: Order, lock: str) -> bool:
        """Keep two orders of one lock class that go the same way in opposite directions.

        From an object to the next one is a rank, and so is the way back; both are none.
        """
        way = _way(order.held.lock, order.taken.lock)
        if way is None or order.taken.how is How.TRY:
            return False
        facing = self._ways.facing(lock, way, Emitted(function.usr, order))
        for (usr, each), why in facing:
            if why and each.taken.certainty > Certainty.POSSIBLE:
                each = each._replace(
                    taken=each.taken._replace(certainty=Certainty.POSSIBLE, why=why)
                )
            self._keep(self.orders, (lock, lock), self._program.functions[usr], each)
        return bool(facing)

    def ranked(self, function: f.Function, order: Order, rank: Rank) -> None:
        """An order of two objects that the program has compared: all must go by it alike.

        Two orders are kept that begin with the lower object here, with the higher one there.
        """
        taken = {i.lock for i in self._identities.of(order.taken.path)}
        for lock in (i.lock for i in self._identities.of(order.held.path) if i.lock in taken):
            upward = order.held.lock.is_within(rank.low)
            if rank.by in self._program.variables:
                self._by_member.setdefault((lock, rank.by), []).append((function, order))
            known = self._ranked.setdefault((lock, rank.by), {})
            known.setdefault(upward, Emitted(function.usr, order))
            if len(known) == 2:
                for usr, each in known.values():
                    self._keep(self.orders, (lock, lock), self._program.functions[usr], each)
            else:
                self._leave_out_ranked(lock)

    def changed(self, owner: Path, usr: str, held: Sequence[Held]) -> None:
        """A member of *owner* is written to while *held* is: whether in there."""
        if any(isinstance(h.path, Path) and h.path.is_within(owner) for h in held):
            self._changing.add(usr)

    def settle_ranks(self) -> None:
        """Keep orders by what changes under the locks: two threads may find it either way."""
        for (lock, by), orders in self._by_member.items():
            for function, order in orders if by in self._changing else ():
                self.left_out.pop((lock, lock), None)
                self._keep(self.orders, (lock, lock), function, order)

    def _leave_out_ranked(self, lock: str) -> None:
        self.left_out.setdefault((lock, lock), "the objects are ranked, or the same")

    def leave_out_excluded(self, may_be: Callable[[str, frozenset[Premise]], bool]) -> None:
        """Drop what no caller lets happen: now all calls are known."""

        def is_told(function: str, taken: Taken) -> bool:
            premises = premises_of(taken.needs)
            return not premises or may_be(function, premises)

        _without(self.orders, is_told, lambda pair: self.left_out.setdefault(pair, EXCLUDED))
        _without(self.blocked, is_told, lambda _: None)
        for key, ways in self._again.items():
            left = [s for s in ways.values() if is_told(s.function, s.taken)]
            if left:
                self.self_locks[key] = min(left, key=_distance)
            else:
                del self.self_locks[key]

    def leave_out_own(self, sharing: Sharing) -> None:
        """Drop what is about objects that no other thread has: now all calls are known."""
        for pair in sorted(self.orders):
            kept = []
            for emitted in self.orders[pair]:
                why = self._why_none(emitted, sharing)
                if why:
                    self.left_out.setdefault(pair, why)
                else:
                    kept.append(emitted)
            self.orders[pair] = kept
            if not kept:
                del self.orders[pair]
        for wait in sorted(self.blocked):
            self.blocked[wait] = [
                e
                for e in self.blocked[wait]
                if not sharing.is_own(e.function, e.order.held.lock, _place_in(e))
            ]
        own = [
            key
            for key, kept in self.unbalanced.items()
            if isinstance(kept.held.path, Path) and sharing.is_own(kept.function, kept.held.path)
        ]
        for key in own:
            del self.unbalanced[key]

    def _why_none(self, emitted: Emitted, sharing: Sharing) -> str:
        function, (held, taken, _) = emitted
        both = held.lock, taken.lock
        if any(sharing.is_own(function, p, _place_in(emitted)) for p in both):
            return OWN
        if self._parted(*both) and sharing.is_told_by_callers(function, *both, self._is_told):
            return TOLD
        return ""

    def _parted(self, a: Path, b: Path) -> bool:
        """Whether two paths are one member of two objects that only callers know."""
        return a.steps == b.steps and a.root != b.root and bool(a.steps)

    def _is_told(self, a: Path, b: Path) -> bool:
        """Whether the order of two locks of one class in a caller is looked at there."""
        return (a == b and not a.is_one_of_many) or self._two_objects(a, b)

    def self_lock(self, function: f.Function, held: Held, taken: Taken) -> None:
        """Keep a lock taken twice by one thread, unless its kind allows that."""
        for lock in self._identities.of(held.path):
            known = self._identities.locks.get(lock.lock)
            if known is None or known.kind.reentrant or lock.instance is None:
                continue
            self.keep_self_lock(lock.lock, SelfLock(function.usr, held, taken))

    def self_lock_of_callers(self, function: f.Function, held: Held, taken: Taken) -> None:
        """Keep a parameter that is locked twice: it is told where nobody calls the function."""
        if not held.lock.steps:
            self._unnamed.setdefault(function.usr, []).append(SelfLock(function.usr, held, taken))

    def name_parameters(self, has_callers: Callable[[str], bool]) -> None:
        """Locks that functions get as parameters have a name where no caller has one for them."""
        for usr, found in self._unnamed.items():
            for each in found if not has_callers(usr) else ():
                lock = self._identities.of_parameter(each.held.lock)
                if lock is not None and not self._identities.locks[lock].kind.reentrant:
                    self.keep_self_lock(lock, each)

    def keep_self_lock(self, lock: str, found: SelfLock) -> None:
        """Keep the nearest of the ways from one place where a thread takes *lock* to the other."""
        held = found.held._replace(site=self._whole(found.held.site))
        taken = found.taken._replace(site=self._whole(found.taken.site))
        found = found._replace(held=held, taken=taken)
        places = innermost(found.held.site), innermost(found.taken.site)
        key = (lock, found.function, *places)
        known = self._again.setdefault(key, {})
        premises = premises_of(found.taken.needs)
        if premises not in known or _distance(found) < _distance(known[premises]):
            known[premises] = found
            self.self_locks[key] = min(known.values(), key=_distance)

    def note_site(self, taken: Taken) -> None:
        """Remember where a lock is taken; what only a caller can name is noted with its callers."""
        if not isinstance(taken.path, Path):
            return
        place = innermost(taken.site)[:3]
        if (place, taken.path) in self._sited:
            return
        self._sited.add((place, taken.path))
        locks = {found.lock for found in self._identities.of(taken.path)}
        if locks:
            self.sites.setdefault(place, set()).update(locks)
        if taken.how is How.BLOCKING:
            self.waited_at.setdefault(place, set()).update(
                HeldLock(lock, taken.mode) for lock in locks
            )

    def note_writer(self, taken: Taken) -> None:
        """Writers decide whether readers can be kept out."""
        if taken.mode is Mode.EXCLUSIVE and taken.how is How.BLOCKING:
            if taken.path in self._written or isinstance(taken.path, Wait):
                return
            self._written.add(taken.path)
            self.writers.update(i.lock for i in self._identities.of(taken.path))

    def event(
        self, kind: str, what: str, about: str, function: f.Function, site: Site, state: State
    ) -> None:
        """Keep an event with the locks that are held around it in its function."""
        held = frozenset(Gate(h.path, h.mode) for h in state.held if not isinstance(h.path, Group))
        self.events.setdefault(
            (kind, site, what, about, held), Event(kind, what, about, function.usr, site, held)
        )

    def misused(self, found: Misused) -> None:
        """Keep what a function does wrong with a lock."""
        self.misuses.setdefault((found.rule, found.function, found.path, found.site), found)

    def hand_out(self, *paths: Path) -> None:
        """Code that is not here gets the objects at *paths* and may give up locks in them."""
        for path in paths:
            cls = self._identities.class_of(path)
            if cls:
                self.outside.add(cls)
            self.outside.update(i.lock for i in self._identities.of(path))

    def unbalance(self, found: Unbalanced) -> None:
        """Keep a path that does not give up what it took."""
        key = (found.function, found.held.path, found.held.site, found.line, found.how)
        self.unbalanced.setdefault(key, found)


class _Draft(Collected):
    """Says of orders what the real one would, and keeps nothing."""

    def ranked(self, function: f.Function, order: Order, rank: Rank) -> None:
        pass

    def order(self, function: f.Function, order: Order) -> bool:
        if isinstance(order.held.path, Group):
            return True
        named = self._identities.is_named
        return named(order.held.path) and named(order.taken.path)

    def alone(self, function: f.Function, order: Order) -> None:
        pass

    def self_lock(self, function: f.Function, held: Held, taken: Taken) -> None:
        pass

    def self_lock_of_callers(self, function: f.Function, held: Held, taken: Taken) -> None:
        pass

    def note_site(self, taken: Taken) -> None:
        pass

    def note_writer(self, taken: Taken) -> None:
        pass

    def event(
        self, kind: str, what: str, about: str, function: f.Function, site: Site, state: State
    ) -> None:
        pass

    def unbalance(self, found: Unbalanced) -> None:
        pass

    def misused(self, found: Misused) -> None:
        pass


def _without(
    kept: dict[_Key, list[Emitted]],
    is_told: Callable[[str, Taken], bool],
    note: Callable[[_Key], object],
) -> None:
    """Take out of *kept* what is not told; *note* gets what had such."""
    for key in sorted(kept):
        left = [e for e in kept[key] if is_told(e.function, e.order.taken)]
        if len(left) < len(kept[key]):
            note(key)
            kept[key] = left
        if not left:
            del kept[key]


def _way(held: Path, taken: Path) -> tuple[Steps, bool] | None:
    """The steps between the owners of two locks of one class, and whether they are gone down."""
    if held.root != taken.root or held.steps[-1:] != taken.steps[-1:]:
        return None
    from_, to = held.steps[:-1], taken.steps[:-1]
    if to[: len(from_)] == from_:
        return to[len(from_) :], True
    if from_[: len(to)] == to:
        return from_[len(to) :], False
    return None


def _distance(found: SelfLock) -> tuple[object, ...]:
    """Sure ways come first, then short ones; among equals the first in the sources."""
    steps = [*_steps(found.held.site), *_steps(found.taken.site)]
    return -found.taken.certainty, len(steps), steps


def _steps(site: Site) -> list[tuple[int, int, str]]:
    return [(here.line, here.column, here.function) for here in site.along()]


def innermost(site: Site) -> Site:
    """The last place of a call chain."""
    while site.inner is not None:
        site = site.inner
    return site


def _called(order: Order) -> frozenset[Receiver]:
    """What the object of the held lock has called meanwhile, which tells of what class it is."""
    owner = order.held.lock.owner
    return frozenset(n for n in order.taken.needs if isinstance(n, Receiver) and n.path == owner)


def _place_in(emitted: Emitted) -> tuple[int, int] | None:
    """Where the function itself takes the second lock of an order, or calls what does."""
    site = emitted.order.taken.site
    return (site.line, site.column) if site.function == emitted.function else None
