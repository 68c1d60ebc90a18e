"""find_cycles against an oracle that is too plain to be wrong, on thousands of random graphs.

The oracle walks every simple cycle of the lock graph, tries every choice of one witness an edge,
and judges each by the words of the contract.  It shares no code with lockorder.cycles.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphs import (
    Edge,
    brief,
    edge,
    ex,
    gate,
    graph_of,
    here,
    random_witnesses,
    rel,
    shuffled,
    told,
    told_all,
)
from lockorder.cycles import Cycle, CycleReport, find_cycles, with_next
from lockorder.model import (
    Acquisition,
    Certainty,
    Document,
    EdgeWitness,
    Fixed,
    HeldLock,
    How,
    Instance,
    LockGraph,
    Mode,
    decode,
    encode,
)

BATCHES = 8
GRAPHS_A_BATCH = 500


# The oracle.


def simple_cycles(edges: set[Edge]) -> Iterator[tuple[Edge, ...]]:
    """Every simple cycle once; an edge of a class to itself is walked by two threads."""
    locks = sorted({lock for pair in edges for lock in pair})
    for lock in locks:
        if (lock, lock) in edges:
            yield ((lock, lock), (lock, lock))
    for length in range(2, len(locks) + 1):
        for order in itertools.permutations(locks, length):
            walk = tuple(zip(order, order[1:] + order[:1], strict=True))
            if order[0] == min(order) and edges.issuperset(walk):
                yield walk


def can_be_one_object(a: Instance | None, b: Instance | None) -> bool:
    if a is None or b is None:
        return True
    if a.absolute and b.absolute:
        return a.owner == b.owner
    return "" in (a.slot, b.slot) or a.slot == b.slot


def blocks(waiter: EdgeWitness, holder: EdgeWitness, writers: frozenset[str]) -> bool:
    """The lock that one thread waits for is one that the next thread keeps from it."""
    readers = waiter.taken.mode is holder.held.mode is Mode.SHARED
    if readers and waiter.taken.lock not in writers:
        return False
    if differ(waiter.taken.fixed, holder.held.fixed):
        return False
    return can_be_one_object(waiter.taken.instance, holder.held.instance)


def differ(some: tuple[Fixed, ...], others: tuple[Fixed, ...]) -> bool:
    """Whether no numbers are all that both say of them."""
    for where in {f.where for f in (*some, *others)}:
        said = [f for f in (*some, *others) if f.where == where]
        numbers = {f.literal for f in said} | {"another"}
        if not any(all((f.literal == n) == f.truth for f in said) for n in numbers):
            return True
    return False


def everything_held(w: EdgeWitness) -> list[tuple[str, Mode, Instance | None]]:
    own = (w.held.lock, w.held.mode, w.held.instance)
    return [own, *((g.lock, g.mode, g.instance) for g in w.gates)]


def surely_one_object(
    x: Instance | None, y: Instance | None, hand_overs: list[tuple[Acquisition, Acquisition]]
) -> bool:
    """*x* at one thread and *y* at another: named alike everywhere, or both of them own the lock
    that one of the two hands over to the other."""
    if x is None or y is None:
        return False
    if x.absolute and y.absolute:
        return x.owner == y.owner
    return any(mine.instance == x and theirs.instance == y for mine, theirs in hand_overs)


def gated(ring: tuple[EdgeWitness, ...], i: int, j: int) -> bool:
    """Whether a lock that threads *i* and *j* both hold keeps them from standing there at once."""
    hand_overs = []
    if (i + 1) % len(ring) == j:
        hand_overs.append((ring[i].taken, ring[j].held))
    if (j + 1) % len(ring) == i:
        hand_overs.append((ring[i].held, ring[j].taken))
    for lock, mode, instance in everything_held(ring[i]):
        for other_lock, other_mode, other in everything_held(ring[j]):
            if lock != other_lock or mode is other_mode is Mode.SHARED:
                continue
            if surely_one_object(instance, other, hand_overs):
                return True
    return False


def deadlocks(ring: tuple[EdgeWitness, ...], writers: frozenset[str]) -> bool:
    threads = [w.thread for w in ring if w.thread is not None]
    return (
        all(blocks(w, ring[(i + 1) % len(ring)], writers) for i, w in enumerate(ring))
        and len(set(threads)) == len(threads)
        and not any(gated(ring, i, j) for i, j in itertools.combinations(range(len(ring)), 2))
        and not any(differ(a.fixed, b.fixed) for a, b in itertools.combinations(ring, 2))
    )


def shortest_by_edge(
    witnesses: list[EdgeWitness], waits: set[How], writers: frozenset[str]
) -> dict[Edge, int]:
    """For each edge on a cycle that can happen: how long the shortest such cycle is."""
    evidence: dict[Edge, list[EdgeWitness]] = {}
    for w in witnesses:
        if w.taken.how in waits:
            evidence.setdefault((w.held.lock, w.taken.lock), []).append(w)
    best: dict[Edge, int] = {}
    for walk in simple_cycles(set(evidence)):
        choices = itertools.product(*(evidence[e] for e in walk))
        if any(deadlocks(ring, writers) for ring in choices):
            for e in walk:
                best[e] = min(len(walk), best.get(e, len(walk)))
    return best


# What is compared.


def check_shape(cycle: Cycle, witnesses: list[EdgeWitness], writers: frozenset[str]) -> None:
    """One reported cycle is closed, simple, canonical, shown by real evidence, and can happen."""
    assert len(cycle.edges) == len(cycle.witnesses) >= 2
    assert [(w.held.lock, w.taken.lock) for w in cycle.witnesses] == list(cycle.edges)
    assert all(w in witnesses for w in cycle.witnesses)
    for (_, target), (source, _) in itertools.pairwise((*cycle.edges, cycle.edges[0])):
        assert target == source
    assert cycle.edges[0] == min(cycle.edges)
    assert len(set(cycle.locks)) == len(cycle.locks) or cycle.edges == 2 * cycle.edges[:1]
    hows = {w.taken.how for w in cycle.witnesses}
    assert How.TRY not in hows
    assert cycle.timed == (How.TIMED in hows)
    assert deadlocks(cycle.witnesses, writers)


def shortest_reported(cycles: list[Cycle]) -> dict[Edge, int]:
    best: dict[Edge, int] = {}
    for cycle in cycles:
        for e in cycle.edges:
            best[e] = min(len(cycle.edges), best.get(e, len(cycle.edges)))
    return best


def check_report(
    report: CycleReport, witnesses: list[EdgeWitness], writers: frozenset[str]
) -> tuple[dict[Edge, int], dict[Edge, int]]:
    """The whole report against the oracle; returns what the oracle found, without and with
    time limits."""
    without = shortest_by_edge(witnesses, {How.BLOCKING}, writers)
    with_limits = shortest_by_edge(witnesses, {How.BLOCKING, How.TIMED}, writers)
    only_limits = {e: n for e, n in with_limits.items() if e not in without}
    for cycle in report.cycles:
        check_shape(cycle, witnesses, writers)
    assert len({c.edges for c in report.cycles}) == len(report.cycles)
    assert list(report.cycles) == sorted(report.cycles, key=lambda c: (len(c.edges), c.edges))
    assert report.given_up == ()
    hard = [c for c in report.cycles if not c.timed]
    soft = [c for c in report.cycles if c.timed]
    assert shortest_reported(hard) == without
    reported = shortest_reported(soft)
    assert {e: n for e, n in reported.items() if e not in without} == only_limits
    # Every cycle is there for an edge whose shortest it is; a timed one never for a bad edge.
    assert all(any(len(c.edges) == without[e] for e in c.edges) for c in hard)
    assert all(any(len(c.edges) == only_limits.get(e) for e in c.edges) for c in soft)
    return without, only_limits


def complaint(witnesses: list[EdgeWitness], extra: list[str]) -> str:
    """What is wrong with the report on these witnesses, empty where nothing is."""
    graph = graph_of(witnesses, extra)
    try:
        check_report(find_cycles(graph), witnesses, graph.writers)
    except AssertionError as error:
        return f"{error}\nwriters {sorted(graph.writers)}\n" + "\n".join(map(told, witnesses))
    return ""


def smallest_complaint(witnesses: list[EdgeWitness], extra: list[str]) -> str:
    """The complaint about as few of the witnesses as still show it."""
    for i in range(len(witnesses)):
        fewer = witnesses[:i] + witnesses[i + 1 :]
        if complaint(fewer, extra):
            return smallest_complaint(fewer, extra)
    return complaint(witnesses, extra)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_graphs_agree_with_the_oracle(batch: int) -> None:
    rng = random.Random(f"cycles {batch}")
    seen: Counter[str] = Counter()
    for number in range(GRAPHS_A_BATCH):
        witnesses = random_witnesses(rng)
        extra = [lock for lock in "ABCDEF" if rng.random() < 0.1]
        graph = graph_of(witnesses, extra)
        report = find_cycles(graph)
        try:
            hard, soft = check_report(report, witnesses, graph.writers)
        except AssertionError:
            pytest.fail(f"batch {batch}, graph {number}: {smallest_complaint(witnesses, extra)}")
        seen.update(f"hard {n}" for n in hard.values())
        seen.update(f"soft {n}" for n in soft.values())
        seen["self"] += any(a == b for a, b in hard)
        seen["clean"] += not hard and not soft
        edges = {(w.held.lock, w.taken.lock) for w in witnesses}
        seen["infeasible"] += not hard and not soft and any(simple_cycles(edges))
    # The comparison is worth something only while the graphs are of every sort.
    for sort in ("hard 2", "hard 3", "soft 2", "soft 3", "self", "clean", "infeasible"):
        assert seen[sort] >= 5, f"{sort}: {seen}"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_comes_next_where_an_edge_is_none(batch: int) -> None:
    """With any edge of a reported cycle away, each other one is on a cycle as short as any."""
    rng = random.Random(f"next {batch}")
    seen = 0
    for number in range(GRAPHS_A_BATCH // 4):
        witnesses = random_witnesses(rng)
        graph = graph_of(witnesses)
        first = find_cycles(graph)
        hard = [set(c.edges) for c in with_next(graph, first).cycles if not c.timed]
        assert set(first.cycles) <= set(with_next(graph, first).cycles)
        for cycle in first.cycles:
            if cycle.timed:
                continue
            for away, left in itertools.permutations(set(cycle.edges), 2):
                rest = [w for w in witnesses if (w.held.lock, w.taken.lock) != away]
                best = shortest_by_edge(rest, {How.BLOCKING}, graph.writers).get(left)
                got = [len(c) for c in hard if left in c and away not in c]
                assert min(got, default=None) == best, f"batch {batch}, graph {number}"
                seen += best is not None
    assert seen >= 5


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_order_of_evidence_does_not_change_a_random_report(batch: int) -> None:
    rng = random.Random(f"order {batch}")
    for number in range(GRAPHS_A_BATCH // 4):
        witnesses = random_witnesses(rng)
        first = find_cycles(graph_of(witnesses))
        second = find_cycles(graph_of(shuffled(rng, witnesses)))
        where = f"batch {batch}, graph {number}"
        assert brief(first) == brief(second), where
        for one, other in zip(first.cycles, second.cycles, strict=True):
            assert told_all(one.witnesses) == told_all(other.witnesses), where


def test_the_oracle_sees_what_the_contract_names() -> None:
    """The oracle itself on the cases that everyone agrees on."""
    none: frozenset[str] = frozenset()
    ab, ba = edge("A", "B"), edge("B", "A")
    assert deadlocks((ab, ba), none)
    one = msgspec.structs.replace
    assert not deadlocks((one(ab, thread="t"), one(ba, thread="t")), none)
    assert deadlocks((one(ab, thread="t"), one(ba, thread="u")), none)
    under = (gate("G", here("g")),)
    assert not deadlocks((one(ab, gates=under), one(ba, gates=under)), none)
    assert list(simple_cycles({("A", "B"), ("B", "A"), ("C", "C")})) == [
        (("C", "C"), ("C", "C")),
        (("A", "B"), ("B", "A")),
    ]
    triangle = set(itertools.permutations("ABC", 2))
    assert len(list(simple_cycles(triangle))) == 5


# Properties that need no oracle.

_slots = st.sampled_from(["", "S1", "S2"])
_instances = st.none() | st.builds(rel, st.sampled_from(["this", "p0"]), _slots)
_instances |= st.sampled_from([here("g1"), here("g2", "S1")])
_modes = st.sampled_from([Mode.EXCLUSIVE, Mode.EXCLUSIVE, Mode.SHARED])


@st.composite
def _witnesses(draw: st.DrawFn) -> EdgeWitness:
    held, taken = draw(st.sampled_from("ABCDE")), draw(st.sampled_from("ABCDE"))
    hows = st.sampled_from([How.BLOCKING, How.BLOCKING, How.BLOCKING, How.TIMED, How.TRY])
    gates = draw(st.lists(st.sampled_from("GH").map(lambda g: gate(g, here("g"))), max_size=1))
    return edge(
        msgspec.structs.replace(ex(held), mode=draw(_modes), instance=draw(_instances)),
        ex(taken, draw(_instances), draw(hows)),
        *gates,
        thread=draw(st.sampled_from([None, None, "main", "worker"])),
        certainty=draw(st.sampled_from(Certainty)),
    )


_graphs = st.lists(_witnesses(), max_size=14, unique=True)
_thorough = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


def lengths(witnesses: list[EdgeWitness], writers: frozenset[str] | None = None) -> dict[Edge, int]:
    """Edge to length of its shortest reported cycle, time limits ignored."""
    graph = LockGraph() if not witnesses else graph_of(witnesses, writers or ())
    return shortest_reported(list(find_cycles(graph).cycles))


def replaced(witnesses: list[EdgeWitness], **fields: object) -> list[EdgeWitness]:
    return [msgspec.structs.replace(w, **fields) for w in witnesses]


@_thorough
@given(_graphs)
def test_a_common_gate_removes_every_cycle(witnesses: list[EdgeWitness]) -> None:
    outer = HeldLock("outer", instance=here("global"))
    assert lengths([msgspec.structs.replace(w, gates=(*w.gates, outer)) for w in witnesses]) == {}


@_thorough
@given(_graphs)
def test_a_common_gate_held_shared_removes_none(witnesses: list[EdgeWitness]) -> None:
    outer = HeldLock("outer", Mode.SHARED, here("global"))
    under = [msgspec.structs.replace(w, gates=(*w.gates, outer)) for w in witnesses]
    assert lengths(under) == lengths(witnesses)


@_thorough
@given(_graphs)
def test_readers_alone_never_hang(witnesses: list[EdgeWitness]) -> None:
    readers = [
        msgspec.structs.replace(
            w,
            held=msgspec.structs.replace(w.held, mode=Mode.SHARED),
            taken=msgspec.structs.replace(w.taken, mode=Mode.SHARED),
        )
        for w in witnesses
    ]
    assert lengths(readers) == {}


@_thorough
@given(_graphs)
def test_one_thread_never_hangs_itself_in_a_cycle(witnesses: list[EdgeWitness]) -> None:
    assert lengths(replaced(witnesses, thread="main")) == {}


@_thorough
@given(_graphs)
def test_try_locks_never_close_a_cycle(witnesses: list[EdgeWitness]) -> None:
    trying = [
        msgspec.structs.replace(w, taken=msgspec.structs.replace(w.taken, how=How.TRY))
        for w in witnesses
    ]
    assert lengths(trying) == {}


@_thorough
@given(_graphs)
def test_limits_on_every_wait_turn_every_cycle_into_a_note(witnesses: list[EdgeWitness]) -> None:
    waiting = [
        msgspec.structs.replace(w, taken=msgspec.structs.replace(w.taken, how=How.BLOCKING))
        for w in witnesses
    ]
    limited = [
        msgspec.structs.replace(w, taken=msgspec.structs.replace(w.taken, how=How.TIMED))
        for w in witnesses
    ]
    writers = frozenset("ABCDE")
    hard = find_cycles(graph_of(waiting, writers)).cycles
    soft = find_cycles(graph_of(limited, writers)).cycles
    assert [c.edges for c in hard] == [c.edges for c in soft]
    assert not any(c.timed for c in hard)
    assert all(c.timed for c in soft)


@_thorough
@given(_graphs, st.data())
def test_less_evidence_never_makes_a_shorter_cycle(
    witnesses: list[EdgeWitness], data: st.DataObject
) -> None:
    fewer = [w for w in witnesses if data.draw(st.booleans())]
    before, after = lengths(witnesses, frozenset("ABCDE")), lengths(fewer, frozenset("ABCDE"))
    assert all(e in before and before[e] <= n for e, n in after.items())


@_thorough
@given(_graphs, st.permutations("ABCDE"))
def test_names_do_not_matter(witnesses: list[EdgeWitness], names: list[str]) -> None:
    to: Mapping[str, str] = dict(zip("ABCDE", names, strict=True))

    def rename(a: Acquisition) -> Acquisition:
        return msgspec.structs.replace(a, lock=to[a.lock])

    renamed = [
        msgspec.structs.replace(w, held=rename(w.held), taken=rename(w.taken)) for w in witnesses
    ]
    expected = {(to[a], to[b]): n for (a, b), n in lengths(witnesses).items()}
    assert lengths(renamed) == expected


@_thorough
@given(_graphs)
def test_a_written_and_read_graph_has_the_same_cycles(witnesses: list[EdgeWitness]) -> None:
    graph = graph_of(witnesses)
    read = decode(encode(Document.from_graph(graph))).graph()
    assert find_cycles(read) == find_cycles(graph)
