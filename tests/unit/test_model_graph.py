"""LockGraph against a naive model of it, and what its limit on witnesses may not lose."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Edge, brief, edge, ex, gate, graph_of, here, rd, rel, timed, tried
from lockorder.cycles import find_cycles
from lockorder.model import (
    Certainty,
    Document,
    EdgeWitness,
    Frame,
    How,
    Lock,
    LockGraph,
    LockKind,
    circular,
)
from lockorder.model.graph import MAX_WITNESSES

SEQUENCES = 60
OPERATIONS = 400


class Naive:
    """What a LockGraph without a limit would hold, in lists and dicts."""

    def __init__(self) -> None:
        self.locks: dict[str, Lock] = {}
        self.evidence: dict[Edge, list[EdgeWitness]] = {}

    def add_lock(self, lock: Lock) -> None:
        self.locks.setdefault(lock.id, lock)

    def add_witness(self, w: EdgeWitness) -> None:
        known = self.evidence.setdefault((w.held.lock, w.taken.lock), [])
        if w not in known:
            known.append(w)


def without_story(w: EdgeWitness) -> tuple[object, ...]:
    """A witness without where it was seen and how surely: what feasibility looks at."""
    held = msgspec.structs.replace(w.held, chain=(), how=How.BLOCKING)
    taken = msgspec.structs.replace(w.taken, chain=())
    return (held, taken, frozenset(w.gates), w.thread)


def random_witness(rng: random.Random, names: str) -> EdgeWitness:
    """Many witnesses of few edges, many stories of few shapes."""
    source, target = rng.choice(names), rng.choice(names)
    taken = rng.choice([ex, ex, rd, timed, tried])(target, rng.choice([None, here("g"), rel()]))
    taken = msgspec.structs.replace(taken, chain=(Frame("f", "a.cpp", rng.randint(1, 40)),))
    held = rng.choice([ex, ex, rd, tried])(source)
    gates = [gate(g, here("g")) for g in ("G", "H") if rng.random() < 0.2]
    rng.shuffle(gates)
    thread = rng.choice([None, None, None, "main"])
    return edge(
        held,
        taken,
        *gates,
        thread=thread,
        certainty=rng.choice([Certainty.GUESSED, Certainty.CERTAIN]),
    )


def check_alike(graph: LockGraph, naive: Naive) -> None:
    graph.check_invariants()
    assert graph.locks == naive.locks
    assert list(graph.edges()) == sorted(naive.evidence)
    assert len(graph) == len(naive.evidence)
    for (source, target), every in naive.evidence.items():
        kept = graph.witnesses(source, target)
        assert all(w in every for w in kept)
        if len(every) <= MAX_WITNESSES:
            assert kept == every
        for w in every:
            # By something as good: as sure, no more gates, the same thread or any.
            assert any(shows(other, w) for other in kept)


def shows(one: EdgeWitness, other: EdgeWitness) -> bool:
    """Whether *one* stands for *other* in any cycle."""
    free = [msgspec.structs.replace(w, gates=(), thread=None) for w in (one, other)]
    return (
        without_story(free[0]) == without_story(free[1])
        and set(one.gates) <= set(other.gates)
        and one.thread in (None, other.thread)
        and one.certainty >= other.certainty
    )


@pytest.mark.parametrize("sequence", range(SEQUENCES))
def test_random_operations_agree_with_the_naive_model(sequence: int) -> None:
    rng = random.Random(f"graph {sequence}")
    names = "ABCDEF"[: rng.choice((1, 2, 2, 6))]
    graph, naive = LockGraph(), Naive()
    refused = 0
    for number in range(OPERATIONS):
        if rng.random() < 0.1:
            lock = Lock(rng.choice(names), f"name {number}", rng.choice(list(LockKind)))
            graph.add_lock(lock)
            naive.add_lock(lock)
        else:
            w = random_witness(rng, names)
            if {w.held.lock, w.taken.lock} <= naive.locks.keys():
                graph.add_witness(w)
                naive.add_witness(w)
            else:
                refused += 1
                with pytest.raises(KeyError, match="unknown lock"):
                    graph.add_witness(w)
        if number % 50 == 0:
            check_alike(graph, naive)
    check_alike(graph, naive)
    assert refused < OPERATIONS / 2
    if len(names) == 1:
        assert len(naive.evidence["A", "A"]) > MAX_WITNESSES, "the limit was never reached"


def test_a_refused_witness_leaves_nothing_behind() -> None:
    graph = LockGraph()
    graph.add_lock(Lock("A", "A"))
    for unknown in (edge("A", "B"), edge("B", "A")):
        with pytest.raises(KeyError, match="unknown lock 'B'"):
            graph.add_witness(unknown)
    assert list(graph.edges()) == []
    assert graph.locks.keys() == {"A"}
    assert graph.writers == frozenset()


def test_the_first_declaration_of_a_lock_stays() -> None:
    graph = LockGraph()
    graph.add_lock(Lock("A", "first", LockKind.RECURSIVE))
    graph.add_lock(Lock("A", "second"))
    assert graph.locks == {"A": Lock("A", "first", LockKind.RECURSIVE)}


def test_witnesses_of_no_edge() -> None:
    graph = graph_of([edge("A", "B")])
    with pytest.raises(KeyError, match="no edge 'B' -> 'A'"):
        graph.witnesses("B", "A")


# Writers: who can queue between two readers.


def test_who_waits_to_write_is_a_writer() -> None:
    assert graph_of([edge(rd("A"), ex("B"))]).writers == {"B"}
    assert graph_of([edge(rd("A"), rd("B"))]).writers == frozenset()
    assert graph_of([edge(rd("A"), tried("B"))]).writers == frozenset()
    assert graph_of([edge(rd("A"), rd("B"))], writers="A").writers == {"A"}


def test_who_waited_to_write_what_it_now_holds_is_a_writer() -> None:
    """B was taken under A: so somebody took A, exclusively and with a blocking call."""
    assert graph_of([edge(ex("A"), rd("B"))]).writers == {"A"}
    assert graph_of([edge(tried("A"), rd("B"))]).writers == frozenset()


def test_a_writer_with_a_time_limit_lets_readers_go_on() -> None:
    """It queues between the readers only until its limit, so nobody hangs for ever."""
    readers = [edge(rd("A"), rd("B")), edge(rd("B"), rd("A"))]
    limited = [edge(rd("C"), timed("A")), edge(rd("C"), timed("B"))]
    report = find_cycles(graph_of([*readers, *limited]))
    assert [c for c in report.cycles if not c.timed] == []


# The limit on witnesses.


def story(w: EdgeWitness, line: int) -> EdgeWitness:
    taken = msgspec.structs.replace(w.taken, chain=(Frame("f", "a.cpp", line),))
    return msgspec.structs.replace(w, taken=taken)


def test_repetitions_make_room_for_other_shapes() -> None:
    """A hundred stories of one shape first, then as many shapes as there is room for."""
    same = [story(edge("A", "B", thread="t"), line) for line in range(100)]
    others = [edge("A", "B", thread=f"t{i}") for i in range(MAX_WITNESSES - 1)]
    kept = graph_of([*same, *others]).witnesses("A", "B")
    assert len(kept) == MAX_WITNESSES
    assert {w.thread for w in kept} == {"t", *(f"t{i}" for i in range(MAX_WITNESSES - 1))}


def test_what_differs_is_never_left_out() -> None:
    many = [edge("A", "B", thread=f"t{i}") for i in range(5 * MAX_WITNESSES)]
    assert graph_of(many).witnesses("A", "B") == many


def test_one_that_needs_less_stands_for_the_others() -> None:
    gates = [gate("G", here(f"g{i}")) for i in range(2 * MAX_WITNESSES)]
    gated = [edge("A", "B", one) for one in gates]
    for every in ([*gated, edge("A", "B")], [edge("A", "B"), *gated]):
        kept = graph_of(every).witnesses("A", "B")
        assert edge("A", "B") in kept
        assert len(kept) <= MAX_WITNESSES


def test_of_repetitions_the_surest_and_shortest_stay_in_any_order() -> None:
    same = [
        msgspec.structs.replace(story(edge("A", "B"), line), certainty=Certainty(1 + line % 3))
        for line in range(90)
    ]
    first = graph_of(same).witnesses("A", "B")
    assert {w.certainty for w in first} == {Certainty.CERTAIN}
    assert set(graph_of(same[::-1]).witnesses("A", "B")) == set(first)


def test_the_order_of_gates_is_no_shape_of_its_own() -> None:
    gates = [gate(g, here("g")) for g in "GHIJK"]
    orders = list(itertools.permutations(gates))
    assert len(orders) > MAX_WITNESSES
    ungated = edge("A", "B")
    kept = graph_of([*(edge("A", "B", *order) for order in orders), ungated]).witnesses("A", "B")
    assert len(kept) == MAX_WITNESSES
    assert ungated in kept


def test_one_free_witness_after_many_gated_ones_still_closes_a_cycle() -> None:
    under = gate("G", here("::g"))
    gated = [story(edge("A", "B", under), line) for line in range(100)]
    back = edge("B", "A", under)
    assert brief(find_cycles(graph_of([*gated, back]))) == []
    assert brief(find_cycles(graph_of([*gated, edge("A", "B"), back]))) == ["A>B>A"]


def test_one_free_witness_after_many_threads_under_a_gate_still_closes_a_cycle() -> None:
    """As a recorded run has it: each thread is named, and only the last one forgot the gate."""
    under = gate("G", here("::g"))
    gated = [edge("A", "B", under, thread=f"t{i}") for i in range(MAX_WITNESSES)]
    graph = graph_of([*gated, edge("A", "B", thread="late"), edge("B", "A", under, thread="other")])
    assert brief(find_cycles(graph)) == ["A>B>A"]


# Orders and components.


def naive_components(edges: set[Edge]) -> list[list[str]]:
    """Locks that reach each other, by Warshall's closure."""
    locks = sorted({lock for pair in edges for lock in pair})
    reach = set(edges)
    for k, i, j in itertools.product(locks, repeat=3):
        if (i, k) in reach and (k, j) in reach:
            reach.add((i, j))
    groups = {
        tuple(b for b in locks if (a, b) in reach and (b, a) in reach)
        for a in locks
        if (a, a) in reach
    }
    return [list(group) for group in sorted(groups)]


def test_components_are_the_locks_that_reach_each_other() -> None:
    rng = random.Random("components")
    sizes: set[int] = set()
    for _ in range(500):
        names = "ABCDEFG"[: rng.randint(1, 7)]
        pairs = [(a, b) for a in names for b in names]
        edges = {p for p in pairs if rng.random() < 1.3 / len(pairs) ** 0.5}
        found = LockGraph().components(rng.sample(sorted(edges), len(edges)))
        assert found == naive_components(edges)
        sizes.update(map(len, found))
    assert {1, 2, 3, 4} <= sizes


def test_a_lock_alone_is_a_component_only_with_an_edge_to_itself() -> None:
    graph = LockGraph()
    assert graph.components([("A", "A"), ("A", "B"), ("B", "C")]) == [["A"]]
    assert graph.components([("A", "B"), ("B", "C")]) == []
    assert graph.components([]) == []
    assert graph.components([("C", "B"), ("B", "C"), ("A", "A")]) == [["A"], ["B", "C"]]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25))
def test_what_may_lie_on_a_circle(edges: list[tuple[int, int]]) -> None:
    left = set(edges)
    while True:
        begins, ends = {a for a, _ in left}, {b for _, b in left}
        kept = {(a, b) for a, b in left if a in ends and b in begins}
        if kept == left:
            break
        left = kept
    assert circular(edges) == left


def test_a_long_chain_takes_no_time_and_has_no_circle() -> None:
    chain = [(at, at + 1) for at in range(200_000)]
    assert circular(chain) == set()
    assert circular([*chain, (7, 7)]) == {(7, 7)}


def test_certainties_are_ordered_and_the_lowest_stays_where_it_is() -> None:
    unlikely, seldom, guessed, possible, certain = Certainty
    assert unlikely < seldom < guessed < possible < certain
    # Doubts add up to a guess: what is unlikely is so by itself.
    assert [x.lower for x in Certainty] == [unlikely, seldom, guessed, guessed, possible]


@pytest.mark.parametrize("seed", range(10))
def test_an_order_is_written_once_for_its_two_places(seed: int) -> None:
    rng = random.Random(seed)
    graph = LockGraph()
    for name in "abgGH":
        graph.add_lock(Lock(name, name, LockKind.MUTEX))
    for _ in range(OPERATIONS):
        graph.add_witness(random_witness(rng, "ab"))

    def place(w: EdgeWitness) -> object:
        ends = w.held.chain[-1:], w.taken.chain[-1:]
        return ends, w.held.mode, w.held.how, w.taken.mode, w.taken.how

    for pair in graph.edges():
        known, written = graph.witnesses(*pair), graph.places(*pair)
        assert [place(w) for w in written] == list(dict.fromkeys(map(place, known)))
        for w in written:
            assert w.certainty == max(k.certainty for k in known if place(k) == place(w))
    document = Document.from_graph(graph, places=True)
    assert sorted(document.graph().edges()) == sorted(graph.edges())
    assert len(document.edges) == sum(len(graph.places(*p)) for p in graph.edges())
