"""Deadlock cycles in a lock-order graph: components, minimal witness cycles, feasibility.

The idea in three steps.  (1) Only edges inside a strongly connected component can lie on a cycle
(Tarjan).  (2) For each such edge, the shortest cycle through it is found by iterative deepening,
guided by the distance back to its source, so that each bad edge has one minimal story.  (3) A
cycle counts only if its edges have witnesses that can happen together (Havelund's GoodLock
condition, "Using Runtime Analysis to Guide Model Checking of Java Programs", SPIN 2000):

* every hand-over blocks: the lock that one thread waits for can be the very object that the next
  thread holds, and not both want it only shared (unless a writer can queue between them);
* the threads are distinct: a k-cycle needs k threads, so no two edges may belong to one thread;
* no gate: no two of the threads hold a common lock that excludes them from each other;
* what never changes, of the program or of the object that is handed over, lets both sides be;
* the objects can be that: where each thread takes both locks of one object, or the second one's in
  an object below the first one's, all would be one object that is below itself.

An edge from a lock class to itself (two objects of one class) closes a cycle of two or more threads
that all walk that edge, each on the next one's object (the dining philosophers).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from lockorder.model import EdgeWitness, HeldLock, How, Instance, LockGraph, Mode, excluding

Edge = tuple[str, str]

#: Most threads looked for around one edge from a lock class to itself.
MAX_RING = 4
#: Search steps for one edge before its cycle search is given up (and said to be).
MAX_STEPS = 20_000
#: Most threads of a component whose sets are looked at: there are two to the power of that.
MAX_THREADS = 10


class Cycle(msgspec.Struct, frozen=True):
    """A feasible cycle: ``edges[i]`` is walked by the i-th thread, shown by ``witnesses[i]``.

    ``timed`` is true where one of the waits has a time limit, which breaks the cycle.  ``seen``
    says which processes recorded it; empty where it was read from sources.
    """

    edges: tuple[Edge, ...]
    witnesses: tuple[EdgeWitness, ...]
    timed: bool = False
    seen: str = ""

    @property
    def locks(self) -> tuple[str, ...]:
        """The lock each thread holds, in order, starting with the smallest id."""
        return tuple(source for source, _ in self.edges)


class CycleReport(msgspec.Struct, frozen=True):
    """All minimal cycles; ``given_up`` lists edges whose search ran out of steps.

    Such an edge may still lie on a ``timed`` cycle here: what is not known is whether one without
    a time limit exists.
    """

    cycles: tuple[Cycle, ...]
    given_up: tuple[Edge, ...] = ()


def find_cycles(graph: LockGraph) -> CycleReport:
    """Find one minimal feasible cycle for each edge that lies on any; duplicates merged.

    Waits without limit are looked at first; edges that only a wait with a time limit closes are
    reported with ``timed``.  Edges won by try-lock never close a cycle.
    """
    found: dict[tuple[Edge, ...], Cycle] = {}
    covered: set[Edge] = set()
    given_up: set[Edge] = set()
    writers = graph.writers
    for timed in (False, True):
        usable = _usable_edges(graph, timed)
        for inside in _components(graph, usable):
            if timed and not any(w.taken.how is How.TIMED for ws in inside.values() for w in ws):
                continue  # The first round has searched exactly this component.
            search = _Search(inside, writers)
            for edge in sorted(inside):
                if edge in covered:
                    continue
                cycle = search.shortest(edge)
                if search.exhausted:
                    given_up.add(edge)
                if cycle is None:
                    continue
                covered.add(edge)
                if not cycle.timed:
                    given_up.discard(edge)
                first = canonical(cycle)
                found.setdefault(first.edges, first)
    ordered = sorted(found.values(), key=lambda c: (len(c.edges), c.edges))
    return CycleReport(tuple(ordered), tuple(sorted(given_up)))


def with_next(graph: LockGraph, report: CycleReport) -> CycleReport:
    """*report* of *graph* with what is left of its cycles where one of their edges is not there.

    For each cycle, and each two edges on it, that is the shortest cycle through the one without the
    other: what comes next where somebody has looked at an edge, and says that it is none.
    """
    found = {cycle.edges: cycle for cycle in report.cycles}
    given_up = set(report.given_up)
    writers = graph.writers
    for timed in (False, True):
        mine = [cycle for cycle in report.cycles if cycle.timed is timed]
        if not mine:
            continue
        usable = _usable_edges(graph, timed)
        for inside in _components(graph, usable):
            search = _Search(inside, writers)
            for cycle in mine:
                if cycle.edges[0] not in inside:
                    continue
                for edge, other in itertools.permutations(sorted(set(cycle.edges)), 2):
                    following = search.shortest(edge, other)
                    if search.exhausted:
                        given_up.add(edge)
                    if following is not None:
                        first = canonical(following)
                        found.setdefault(first.edges, first)
    ordered = sorted(found.values(), key=lambda c: (len(c.edges), c.edges))
    return CycleReport(tuple(ordered), tuple(sorted(given_up)))


def hands_over(waiter: EdgeWitness, holder: EdgeWitness, writers: frozenset[str]) -> bool:
    """Whether *waiter* can be kept waiting by *holder* for the lock between them."""
    wanted, owned = waiter.taken, holder.held
    if wanted.lock != owned.lock:
        return False
    both_shared = wanted.mode is Mode.SHARED and owned.mode is Mode.SHARED
    if both_shared and wanted.lock not in writers:
        return False
    if excluding(wanted.fixed, owned.fixed) is not None:
        return False
    return wanted.instance is None or wanted.instance.may_be(owned.instance)


def compatible(a: EdgeWitness, b: EdgeWitness) -> bool:
    """Whether two threads can stand at *a* and at *b* at once: distinct, and no common gate.

    What never changes while the program runs has to let both be.
    """
    if a.thread is not None and a.thread == b.thread:
        return False
    return excluding(a.fixed, b.fixed) is None and gate_between(a, b) is None


def below_itself(witnesses: Sequence[EdgeWitness]) -> tuple[bool, str]:
    """Why a cycle of *witnesses* would need an object that is below itself, and if that is sure.

    Empty where it would not: one of them may come from any object to any other.
    """
    relations = [w.between for w in witnesses]
    below = [b for b in relations if b is not None and not b.same]
    if not below or None in relations:
        return True, ""
    doubts = [b.why for b in below if not b.sure]
    return not doubts, (doubts or [b.why for b in below])[0]


def gate_between(a: EdgeWitness, b: EdgeWitness) -> HeldLock | None:
    """A lock, as it is held at *a*, that keeps another thread from being at *b* meanwhile."""
    for x in a.locks_held:
        for y in b.locks_held:
            if _excludes(a, x, b, y):
                return x
    return None


def _excludes(a: EdgeWitness, x: HeldLock, b: EdgeWitness, y: HeldLock) -> bool:
    """Whether *x*, held at *a*, and *y*, held at *b*, are surely one lock, one of them exclusive.

    Sure are: the same absolute object; or the object that also contains a lock which the cycle
    makes common to both (two methods of one object, gated by that object's own mutex), or one that
    this object always leads to.  That lock may be the gate itself: who waits for an object it
    already holds waits for nobody else.
    """
    if x.lock != y.lock or Mode.EXCLUSIVE not in (x.mode, y.mode):
        return False
    if x.instance is None or y.instance is None:
        return False
    if x.instance.absolute and y.instance.absolute:
        return x.instance == y.instance
    for mine, theirs in ((a.taken, b.held), (a.held, b.taken)):
        if mine.lock != theirs.lock or mine.instance is None or theirs.instance is None:
            continue
        way = x.instance.way_from(mine.instance)
        if way is not None and way == y.instance.way_from(theirs.instance):
            return True
    return False


def _components(
    graph: LockGraph, usable: Mapping[Edge, list[EdgeWitness]]
) -> list[dict[Edge, list[EdgeWitness]]]:
    """The edges inside each strongly connected component."""
    components = list(graph.components(usable))
    of = {lock: number for number, component in enumerate(components) for lock in component}
    inside: list[dict[Edge, list[EdgeWitness]]] = [{} for _ in components]
    for edge, witnesses in usable.items():
        number = of.get(edge[0])
        if number is not None and number == of.get(edge[1]):
            inside[number][edge] = witnesses
    return inside


def _usable_edges(graph: LockGraph, timed: bool) -> dict[Edge, list[EdgeWitness]]:
    """Edges with the witnesses that can wait, one for each distinct feasibility."""
    usable: dict[Edge, list[EdgeWitness]] = {}
    for edge in graph.edges():
        waits = (How.BLOCKING, How.TIMED) if timed else (How.BLOCKING,)
        known = [w for w in graph.witnesses(*edge) if w.taken.how in waits]
        # Sure evidence first, few gates first: the first feasible choice is the best story.
        kept: dict[object, EdgeWitness] = {}
        for w in sorted(known, key=preference) if len(known) > 1 else known:
            shape = (
                frozenset(w.gates),
                (w.held.mode, w.held.instance, w.held.fixed),
                (w.taken.mode, w.taken.instance, w.taken.fixed, w.taken.how),
                w.thread,
                w.between,
                w.fixed,
            )
            kept.setdefault(shape, w)
        if kept:
            usable[edge] = list(kept.values())
    return usable


def preference(witness: EdgeWitness) -> tuple[object, ...]:
    """A total order: sure evidence first, then the story that is shortest to tell.

    The report must not depend on the order in which evidence came, nor on what is called how:
    of equal stories the one that stands first in the sources counts.
    """
    chain = (*witness.held.chain, *witness.taken.chain)
    places = tuple((f.file, f.line, f.column) for f in chain)
    sure = (-witness.certainty, len(witness.gates), len(chain))
    return (*sure, places, msgspec.json.encode(witness))


#: Locks of which there is one object each: with that object, and whether it is only shared.
_Kept = frozenset[tuple[str, Instance | None, bool]]
_NOTHING: _Kept = frozenset()


def _go_together(kept: _Kept, others: _Kept) -> bool:
    """Whether threads can have *kept* and *others* at once."""
    had = {(lock, instance): shared for lock, instance, shared in kept}
    return all(
        (lock, instance) not in had or (shared and had[lock, instance])
        for lock, instance, shared in others
    )


class _Distances:
    """How far it is from locks to a goal, found out as far as it is asked for."""

    def __init__(self, goal: str, before: Callable[[str], Iterator[str]]) -> None:
        self._known = {goal: 0}
        self._before = before
        self._depth = 0
        self._edge = [goal]

    def to(self, lock: str, most: int) -> int | None:
        """The distance from *lock*; None where it is more than *most*."""
        while lock not in self._known and self._depth < most and self._edge:
            self._depth += 1
            following = []
            for each in self._edge:
                for before in self._before(each):
                    if before not in self._known:
                        self._known[before] = self._depth
                        following.append(before)
            self._edge = following
        found = self._known.get(lock)
        return found if found is not None and found <= most else None


class _Search:
    """Shortest feasible cycle through an edge, within one component."""

    def __init__(self, edges: Mapping[Edge, list[EdgeWitness]], writers: frozenset[str]) -> None:
        self._edges = edges
        self._writers = writers
        #: Where to go on from a lock, and the one thread that does, if no other was seen to.
        self._next: dict[str, list[tuple[str, str | None]]] = {}
        self._before: dict[str, list[str]] = {}
        for source, target in sorted(edges):
            threads = {w.thread for w in edges[source, target]}
            only = threads.pop() if len(threads) == 1 else None
            self._next.setdefault(source, []).append((target, only))
            self._before.setdefault(target, []).append(source)
        self._steps = 0
        #: How far it is to a lock, for threads that others with these locks leave a way.
        self._distances: dict[_Kept, _Distances] = {}
        threads = {w.thread for ws in edges.values() for w in ws}
        #: A circle has as many threads as locks: no longer one is looked for.
        self._longest = len(self._next) if None in threads else min(len(self._next), len(threads))
        few = threads if len(threads) <= MAX_THREADS else ()
        #: A bit for each thread, where they are few; who is any number of threads has none.
        self._bits = {t: 1 << i for i, t in enumerate(sorted(t for t in few if t is not None))}
        self._walkers = {
            edge: {self._bits.get(w.thread or "", 0) for w in ws} for edge, ws in edges.items()
        }
        self._closing: dict[tuple[str, int, int], bool] = {}
        self._goal: tuple[str, Edge | None] = ("", None)
        self._without: Edge | None = None
        self._kept: dict[int, _Kept] = {}
        self._ways = {
            edge: tuple(dict.fromkeys(self._sure(w) for w in ws)) for edge, ws in edges.items()
        }
        #: Whether a cycle may need what is unlikely, and whether any can.
        self._lenient = False
        self._doubtful = any(w.between and not w.between.sure for ws in edges.values() for w in ws)
        #: The last search ran out of steps before it could tell.
        self.exhausted = False

    def shortest(self, edge: Edge, without: Edge | None = None) -> Cycle | None:
        """The shortest feasible cycle through *edge* and not through *without*, or None.

        One that is not likely is no more than the next best.
        """
        self._lenient = False
        found = self._shortest(edge, without)
        if found is None and self._doubtful:
            exhausted, self._lenient = self.exhausted, True
            found = self._shortest(edge, without)
            self.exhausted |= exhausted
        return found

    def _closes(self, chosen: tuple[EdgeWitness, ...]) -> bool:
        """Whether the last of the threads can be kept waiting by the first, as all objects are."""
        if not hands_over(chosen[-1], chosen[0], self._writers):
            return False
        sure, why = below_itself(chosen)
        return not why or (self._lenient and not sure)

    def _shortest(self, edge: Edge, without: Edge | None) -> Cycle | None:
        self._steps, self.exhausted, self._without = 0, False, without
        source, target = edge
        if source == target:
            return self._ring(edge)
        if self._goal != (source, without):  # edges come by their source
            self._goal, self._distances, self._closing = (source, without), {}, {}
        least = [self._toward(source, kept).to(target, self._longest) for kept in self._ways[edge]]
        lengths = [distance for distance in least if distance is not None]
        if not lengths:
            return None
        for length in range(min(lengths) + 1, self._longest + 1):
            for chosen in self._extend([source, target], (), edge, length, _NOTHING):
                timed = any(w.taken.how is How.TIMED for w in chosen)
                path = [(w.held.lock, w.taken.lock) for w in chosen]
                return Cycle(tuple(path), chosen, timed)
            if self.exhausted:
                return None
        return None

    def _ring(self, edge: Edge) -> Cycle | None:
        """Several threads that all walk one edge, each on the next one's object."""
        for length in range(2, MAX_RING + 1):
            for chosen in self._around((), edge, length):
                timed = any(w.taken.how is How.TIMED for w in chosen)
                return Cycle((edge,) * length, chosen, timed)
            if self.exhausted:
                return None
        return None

    def _around(
        self, chosen: tuple[EdgeWitness, ...], edge: Edge, length: int
    ) -> Iterator[tuple[EdgeWitness, ...]]:
        if len(chosen) == length:
            if self._closes(chosen):
                yield chosen
            return
        # Two sides that differ tell more than one side twice.
        for witness in sorted(self._edges[edge], key=lambda w: w in chosen):
            self._steps += 1
            if self._steps > MAX_STEPS:
                self.exhausted = True
                return
            follows = not chosen or hands_over(chosen[-1], witness, self._writers)
            if follows and all(compatible(w, witness) for w in chosen):
                yield from self._around((*chosen, witness), edge, length)

    def _sure(self, witness: EdgeWitness) -> _Kept:
        """The locks that a thread has at a witness and of which there is one object each."""
        found = self._kept.get(id(witness))
        if found is None:
            had = [x for x in witness.locks_held if x.instance and x.instance.absolute]
            found = self._kept[id(witness)] = frozenset(
                (x.lock, x.instance, x.mode is Mode.SHARED) for x in had
            )
        return found

    def _toward(self, goal: str, kept: _Kept) -> _Distances:
        """How many threads it takes from each lock to *goal* at least, while others have *kept*."""
        known = self._distances.get(kept)
        if known is None:
            known = self._distances[kept] = _Distances(
                goal, lambda lock: self._one_before(lock, kept)
            )
        return known

    def _one_before(self, lock: str, kept: _Kept) -> Iterator[str]:
        for before in self._before.get(lock, ()):
            edge = (before, lock)
            if edge != self._without and any(_go_together(kept, w) for w in self._ways[edge]):
                yield before

    def _can_close(self, here: str, left: int, busy: int) -> bool:
        """Whether *left* threads that are not *busy*, and differ, lead from a lock to the goal.

        Gates and objects are not looked at.
        """
        key = here, left, busy
        known = self._closing.get(key)
        if known is None:
            goal = self._goal[0]
            known = self._closing[key] = any(
                not busy & walker
                and (ahead == goal if left == 1 else ahead != goal)
                and (left == 1 or self._can_close(ahead, left - 1, busy | walker))
                for ahead, _ in self._next.get(here, ())
                if (here, ahead) != self._without
                for walker in self._walkers[here, ahead]
            )
        return known

    def _extend(
        self,
        path: list[str],
        chosen: tuple[EdgeWitness, ...],
        edge: Edge,
        length: int,
        kept: _Kept,
    ) -> Iterator[tuple[EdgeWitness, ...]]:
        """Choose a witness for *edge*, then every way on that can still close in *length*.

        *kept* are the locks of which there is one object each, and that *chosen* have.
        """
        goal = path[0]
        left = length - len(chosen) - 1
        for witness in self._edges[edge]:
            self._steps += 1
            if self._steps > MAX_STEPS:
                self.exhausted = True
                return
            if chosen and not hands_over(chosen[-1], witness, self._writers):
                continue
            if not all(compatible(w, witness) for w in chosen):
                continue
            now = (*chosen, witness)
            here = edge[1]
            if here == goal:
                if self._closes(now):
                    yield now
                continue
            if left == 1:  # of all ways on, the one that closes it
                if (here, goal) in self._edges and (here, goal) != self._without:
                    yield from self._extend([*path, goal], now, (here, goal), length, kept)
                continue
            all_kept = kept | self._sure(witness)
            distance = self._toward(goal, all_kept)
            if distance.to(here, left) is None:
                continue
            busy = {w.thread for w in now}
            mask = 0
            for w in now:
                mask |= self._bits.get(w.thread or "", 0)
            if self._bits and not self._can_close(here, left, mask):
                continue
            for ahead, only in self._next[here]:
                if ahead in path or (only is not None and only in busy):
                    continue
                if (here, ahead) == self._without:
                    continue
                if distance.to(ahead, left - 1) is not None:
                    yield from self._extend([*path, ahead], now, (here, ahead), length, all_kept)


def canonical(cycle: Cycle) -> Cycle:
    """The same cycle, told from its smallest edge on."""
    start = min(range(len(cycle.edges)), key=lambda i: cycle.edges[i])
    return Cycle(
        cycle.edges[start:] + cycle.edges[:start],
        cycle.witnesses[start:] + cycle.witnesses[:start],
        cycle.timed,
        cycle.seen,
    )
