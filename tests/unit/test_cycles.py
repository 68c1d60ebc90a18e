"""Cycle search on cases a person can check: what must be found, and what must not."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import msgspec
import pytest

from graphs import brief, edge, ex, gate, graph_of, here, rd, rel, timed, tried
from lockorder import cycles
from lockorder.cycles import CycleReport, find_cycles
from lockorder.model import Between, Certainty, EdgeWitness, HeldLock, Lock, LockGraph, Mode

GLOBAL_GATE = gate("G", here("::g"))


def found(*witnesses: EdgeWitness, writers: Iterable[str] = ()) -> list[str]:
    return brief(find_cycles(graph_of(witnesses, writers)))


# Cycles.


def test_an_empty_graph_has_no_cycles() -> None:
    graph = LockGraph()
    assert find_cycles(graph) == CycleReport(())
    graph.add_lock(Lock("A", "A"))
    assert find_cycles(graph) == CycleReport(())


def test_two_locks_in_two_orders() -> None:
    assert found(edge("A", "B"), edge("B", "A")) == ["A>B>A"]


def test_one_order_is_clean() -> None:
    assert found(edge("A", "B"), edge("B", "C"), edge("A", "C")) == []


def test_three_locks_in_a_ring() -> None:
    assert found(edge("B", "C"), edge("C", "A"), edge("A", "B")) == ["A>B>C>A"]


def test_each_edge_gets_its_own_shortest_cycle() -> None:
    """A>B and B>A have a story of two; B>C and C>A are only in the one of three."""
    ring = (edge("A", "B"), edge("B", "C"), edge("C", "A"))
    assert found(*ring, edge("B", "A")) == ["A>B>A", "A>B>C>A"]


def test_two_separate_cycles() -> None:
    here_and_there = (edge("A", "B"), edge("B", "A"), edge("X", "Y"), edge("Y", "X"))
    assert found(*here_and_there, edge("B", "X")) == ["A>B>A", "X>Y>X"]


@pytest.mark.parametrize("length", [2, 3, 8, 9, 26])
def test_a_cycle_may_be_of_any_length(length: int) -> None:
    ring = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:length]
    edges = [edge(a, b) for a, b in zip(ring, ring[1:] + ring[0], strict=True)]
    assert found(*edges) == [">".join((*ring, ring[0]))]


def test_the_story_starts_at_the_smallest_lock_and_keeps_its_witnesses() -> None:
    ba, ab = edge("B", "A", thread="t1"), edge("A", "B", thread="t2")
    (cycle,) = find_cycles(graph_of([ba, ab])).cycles
    assert cycle.edges == (("A", "B"), ("B", "A"))
    assert cycle.witnesses == (ab, ba)
    assert cycle.locks == ("A", "B")


def test_sure_evidence_is_preferred_to_a_guess() -> None:
    guess, sure = edge("A", "B", certainty=Certainty.GUESSED), edge("A", "B", GLOBAL_GATE)
    (cycle,) = find_cycles(graph_of([guess, sure, edge("B", "A")])).cycles
    assert cycle.witnesses[0] == sure


def test_a_guess_is_taken_where_sure_evidence_cannot_happen() -> None:
    guess, sure = edge("A", "B", certainty=Certainty.GUESSED), edge("A", "B", GLOBAL_GATE)
    (cycle,) = find_cycles(graph_of([guess, sure, edge("B", "A", GLOBAL_GATE)])).cycles
    assert cycle.witnesses[0] == guess


def test_few_gates_are_preferred_to_many() -> None:
    plain, gated = edge("A", "B"), edge("A", "B", GLOBAL_GATE)
    for order in ((plain, gated), (gated, plain)):
        (cycle,) = find_cycles(graph_of([*order, edge("B", "A")])).cycles
        assert cycle.witnesses[0] == plain


def test_the_order_of_evidence_does_not_change_the_story() -> None:
    """Either thread would do, but it is always the same one."""
    one, other, back = edge("A", "B", thread="t1"), edge("A", "B", thread="t2"), edge("B", "A")
    assert find_cycles(graph_of([one, other, back])) == find_cycles(graph_of([other, one, back]))


# Threads.


def test_one_thread_that_inverts_its_own_order_is_clean() -> None:
    assert found(edge("A", "B", thread="main"), edge("B", "A", thread="main")) == []


def test_two_threads_hang() -> None:
    assert found(edge("A", "B", thread="main"), edge("B", "A", thread="worker")) == ["A>B>A"]


def test_any_thread_can_meet_the_named_one() -> None:
    assert found(edge("A", "B", thread="main"), edge("B", "A")) == ["A>B>A"]


def test_three_locks_need_three_threads() -> None:
    ab, bc = edge("A", "B", thread="t1"), edge("B", "C", thread="t2")
    assert found(ab, bc, edge("C", "A", thread="t1")) == []
    assert found(ab, bc, edge("C", "A", thread="t3")) == ["A>B>C>A"]


def test_one_of_several_threads_is_enough() -> None:
    ab = [edge("A", "B", thread="t1"), edge("A", "B", thread="t2")]
    assert found(*ab, edge("B", "A", thread="t1")) == ["A>B>A"]


# Gate locks.


def test_a_global_gate_orders_both() -> None:
    assert found(edge("A", "B", GLOBAL_GATE), edge("B", "A", GLOBAL_GATE)) == []


def test_a_gate_on_one_side_only_gates_nothing() -> None:
    assert found(edge("A", "B", GLOBAL_GATE), edge("B", "A")) == ["A>B>A"]


def test_two_different_gates_gate_nothing() -> None:
    other = gate("G", here("::other"))
    assert found(edge("A", "B", GLOBAL_GATE), edge("B", "A", other)) == ["A>B>A"]


def test_a_gate_of_an_unknown_object_gates_nothing() -> None:
    assert found(edge("A", "B", gate("G")), edge("B", "A", gate("G"))) == ["A>B>A"]


def test_a_gate_that_both_only_read_gates_nothing() -> None:
    read = gate("G", here("::g"), Mode.SHARED)
    assert found(edge("A", "B", read), edge("B", "A", read)) == ["A>B>A"]
    assert found(edge("A", "B", read), edge("B", "A", GLOBAL_GATE)) == []


def test_a_gate_over_two_of_three_threads_is_enough() -> None:
    ring = (edge("A", "B", GLOBAL_GATE), edge("B", "C"), edge("C", "A", GLOBAL_GATE))
    assert found(*ring) == []


def test_one_object_gated_by_its_own_mutex() -> None:
    """Both methods hold this->m; if A is one object in both, so is m."""
    this, mine = rel("this"), gate("m", rel("this"))
    assert found(edge(ex("A", this), "B", mine), edge("B", ex("A", this), mine)) == []


def test_a_mutex_of_another_object_gates_nothing() -> None:
    this, others = rel("this"), gate("m", rel("peer"))
    assert found(edge(ex("A", this), "B", others), edge("B", ex("A", this), others)) == ["A>B>A"]


def test_one_object_known_by_name_here_and_as_this_there() -> None:
    """The global `pool` on one side is `this` on the other, or they do not meet at A at all."""
    by_name = edge(ex("A", here("::pool")), "B", gate("m", here("::pool")))
    as_this = edge("B", ex("A", rel("this")), gate("m", rel("this")))
    assert found(by_name, as_this) == []


def test_a_lock_already_held_is_not_waited_for() -> None:
    """A takes this->A twice: a self-deadlock or a recursive lock, but no cycle of two threads."""
    assert found(edge(ex("A", rel("this")), ex("A", rel("this")))) == []
    again = edge("B", ex("A", rel("this")), gate("A", rel("this")))
    assert found(edge(ex("A", rel("this")), "B"), again) == []


# Objects of one class.


def test_two_objects_of_one_class() -> None:
    """transfer(from, to) locks both accounts."""
    assert found(edge(ex("A", rel("from")), ex("A", rel("to")))) == ["A>A>A"]


def test_two_objects_of_one_class_need_two_threads() -> None:
    assert found(edge(ex("A", rel("from")), ex("A", rel("to")), thread="main")) == []


def test_two_known_objects_in_one_order_are_clean() -> None:
    assert found(edge(ex("A", here("::a")), ex("A", here("::b")))) == []


def test_two_known_objects_in_two_orders() -> None:
    a, b = ex("A", here("::a")), ex("A", here("::b"))
    assert found(edge(a, b), edge(b, a)) == ["A>A>A"]


def test_three_philosophers() -> None:
    forks = [ex("fork", here(f"::fork{i}")) for i in range(3)]
    assert len(found(*(edge(forks[i], forks[(i + 1) % 3]) for i in range(3)))) == 1


def test_different_objects_do_not_meet() -> None:
    assert found(edge("A", ex("B", here("::b1"))), edge(ex("B", here("::b2")), "A")) == []
    assert found(edge("A", ex("B", here("::b1"))), edge(ex("B", here("::b1")), "A")) == ["A>B>A"]


def test_different_slots_do_not_meet() -> None:
    """Sender::queue.m and Receiver::queue.m are one class, Queue::m, and never one object."""
    sender, receiver = rel("this", "Sender::queue"), rel("this", "Receiver::queue")
    assert found(edge("A", ex("B", sender)), edge(ex("B", receiver), "A")) == []
    assert found(edge("A", ex("B", sender)), edge(ex("B", sender), "A")) == ["A>B>A"]
    assert found(edge("A", ex("B", sender)), edge(ex("B", rel("this")), "A")) == ["A>B>A"]


# Readers and writers.

READERS = (edge(rd("A"), rd("B")), edge(rd("B"), rd("A")))


def test_readers_alone_are_clean() -> None:
    assert found(*READERS) == []


def test_readers_hang_where_writers_can_queue_between_them() -> None:
    assert found(*READERS, writers="AB") == ["A>B>A"]
    assert found(*READERS, edge("C", "A"), edge("C", "B")) == ["A>B>A"]


def test_a_writer_of_one_of_the_two_is_not_enough() -> None:
    assert found(*READERS, writers="A") == []


def test_a_writer_that_only_tries_does_not_queue() -> None:
    assert found(*READERS, edge("C", tried("A")), edge("C", tried("B"))) == []


def test_readers_that_want_to_write_hang() -> None:
    assert found(edge(rd("A"), ex("B")), edge(rd("B"), ex("A"))) == ["A>B>A"]


def test_writers_that_want_to_read_hang() -> None:
    assert found(edge(ex("A"), rd("B")), edge(ex("B"), rd("A"))) == ["A>B>A"]


def test_one_hand_over_of_readers_only_breaks_the_cycle() -> None:
    assert found(edge(rd("A"), rd("B")), edge(rd("B"), ex("A"))) == []


def test_two_readers_that_upgrade() -> None:
    this = rel("this")
    assert found(edge(rd("A", this), ex("A", this))) == ["A>A>A"]


# Waits with a limit, and none at all.


def test_try_lock_closes_no_cycle() -> None:
    assert found(edge("A", "B"), edge("B", tried("A"))) == []


def test_a_lock_won_by_try_is_held_all_the_same() -> None:
    assert found(edge("A", "B"), edge(tried("B"), "A")) == ["A>B>A"]


def test_a_time_limit_makes_a_note() -> None:
    assert found(edge("A", "B"), edge("B", timed("A"))) == ["timed A>B>A"]


def test_a_wait_without_limit_beside_the_limited_one_counts() -> None:
    assert found(edge("A", "B"), edge("B", timed("A")), edge("B", "A")) == ["A>B>A"]


def test_a_note_beside_a_finding_that_shares_an_edge() -> None:
    """A>B is in both; B>A hangs only until its limit."""
    ring = (edge("A", "B"), edge("B", "C"), edge("C", "A"))
    assert found(*ring, edge("B", timed("A"))) == ["timed A>B>A", "A>B>C>A"]


# What the search costs, counted in judged hand-overs and not in seconds.


class Judged:
    """Counts calls of hands_over, which every step of the search makes at most twice."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self._judge = cycles.hands_over
        monkeypatch.setattr(cycles, "hands_over", self)

    def __call__(self, waiter: EdgeWitness, holder: EdgeWitness, writers: frozenset[str]) -> bool:
        self.calls += 1
        return self._judge(waiter, holder, writers)


PAIRS = list(itertools.permutations([f"L{i:02}" for i in range(30)], 2))


def dense(*gates: HeldLock) -> list[EdgeWitness]:
    return [edge(a, b, *gates) for a, b in PAIRS]


def dense_but_infeasible() -> list[EdgeWitness]:
    """Upward edges never hand over to downward ones, which no prefix of a path gives away."""
    up, down = rel("p", "Up::slot"), rel("p", "Down::slot")
    return [edge(a, ex(b, up)) if a < b else edge(ex(a, down), b) for a, b in PAIRS]


def test_a_dense_component_costs_little_where_cycles_are_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = Judged(monkeypatch)
    report = find_cycles(graph_of(dense()))
    assert len(report.cycles) == len(PAIRS) // 2
    assert report.given_up == ()
    assert 0 < judged.calls <= 4 * len(PAIRS)


def test_a_dense_component_under_one_gate_is_told_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged(monkeypatch)
    assert find_cycles(graph_of(dense(GLOBAL_GATE))) == CycleReport(())
    assert judged.calls == 0  # no way back is open while the first thread has the gate


@pytest.mark.parametrize("threads", [2, 3, 4])
def test_a_dense_component_of_few_threads_is_searched_to_the_end(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each thread takes its own third of the pairs upward and downward, so that short circles need
    # threads that differ, and ways on by a thread that is there already are none.
    monkeypatch.setattr(cycles, "MAX_STEPS", 500)
    walked = [
        edge(a, b, thread=f"t{(int(a[1:]) + int(b[1:]) + (a < b) * (i % 2)) % threads}")
        for i, (a, b) in enumerate(PAIRS)
    ]
    report = find_cycles(graph_of(walked))
    assert report.given_up == ()
    assert {len(c.edges) for c in report.cycles} <= set(range(2, threads + 1))


def test_what_is_far_from_a_lock_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    leaves = [f"L{i:04}" for i in range(400)]
    star = [e for leaf in leaves for e in (edge("HUB", leaf), edge(leaf, "HUB"))]
    expanded = 0
    plain = cycles._Search._one_before

    def counting(self: cycles._Search, lock: str, kept: cycles._Kept) -> Iterator[str]:
        nonlocal expanded
        for each in plain(self, lock, kept):
            expanded += 1
            yield each

    monkeypatch.setattr(cycles._Search, "_one_before", counting)
    report = find_cycles(graph_of(star))
    assert len(report.cycles) == len(leaves)
    assert expanded <= 4 * len(star)


def test_a_dense_component_that_is_too_much_is_given_up_and_said_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cycles, "MAX_STEPS", 200)
    judged = Judged(monkeypatch)
    report = find_cycles(graph_of(dense_but_infeasible()))
    assert report.cycles == ()
    assert len(report.given_up) > len(PAIRS) // 2
    assert set(report.given_up) <= set(PAIRS)
    assert 0 < judged.calls <= len(PAIRS) * 2 * 200


def test_the_time_limit_round_does_not_repeat_a_search_without_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cycles, "MAX_STEPS", 200)
    judged = Judged(monkeypatch)
    find_cycles(graph_of(dense_but_infeasible()))
    once = judged.calls
    find_cycles(graph_of([*dense_but_infeasible(), edge("X", "Y"), edge("Y", timed("X"))]))
    assert judged.calls - once <= once + 20


def test_a_search_that_runs_out_of_steps_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = [edge("A", "B"), edge("B", "C"), edge("C", "A")]
    monkeypatch.setattr(cycles, "MAX_STEPS", 2)
    assert find_cycles(graph_of(ring)) == CycleReport((), (("A", "B"), ("B", "C"), ("C", "A")))
    monkeypatch.setattr(cycles, "MAX_STEPS", 3)
    report = find_cycles(graph_of(ring))
    assert brief(report) == ["A>B>C>A"]
    assert report.given_up == ()


def test_a_note_does_not_hide_that_the_finding_was_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A>B>C>A hangs for ever; two steps find only the shorter cycle that a limit breaks."""
    witnesses = [edge("A", "B"), edge("B", "C"), edge("C", "A"), edge("B", timed("A"))]
    monkeypatch.setattr(cycles, "MAX_STEPS", 2)
    report = find_cycles(graph_of(witnesses))
    assert brief(report) == ["timed A>B>A"]
    assert report.given_up == (("A", "B"), ("B", "C"), ("C", "A"))


# Objects that lead to each other.

SAME, BELOW = Between(same=True), Between(why="it was made later")
LIKELY = Between(why="it was likely made later", sure=False)


def related(source: str, target: str, between: Between | None) -> EdgeWitness:
    """An order of two locks whose objects are related."""
    return msgspec.structs.replace(edge(source, target), between=between)


@pytest.mark.parametrize(
    ("relations", "circles"),
    [
        ((SAME, SAME), 1),
        ((SAME, BELOW), 0),
        ((BELOW, BELOW), 0),
        ((BELOW, None), 1),
        ((SAME, LIKELY), 1),
        ((BELOW, LIKELY), 1),
        ((SAME, SAME, BELOW), 0),
        ((SAME, None, BELOW), 1),
    ],
)
def test_no_object_is_below_itself(relations: tuple[Between | None, ...], circles: int) -> None:
    names = "ABC"[: len(relations)]
    ring = zip(names, names[1:] + names[0], relations, strict=True)
    assert len(found(*(related(*each) for each in ring))) == circles


def test_a_ring_of_one_lock_needs_objects_that_come_back() -> None:
    assert found(related("A", "A", None)) == ["A>A>A"]
    assert found(related("A", "A", BELOW)) == []


def test_what_is_not_likely_is_told_where_nothing_else_is() -> None:
    """The other side of one order has a surer witness, which comes later by its place."""
    back, likely = related("B", "A", SAME), related("A", "B", LIKELY)
    other = edge(ex("A", rel("z")), ex("B", rel("z")))
    (cycle,) = find_cycles(graph_of((likely, other, back))).cycles
    assert other in cycle.witnesses
    assert cycles.below_itself(cycle.witnesses) == (True, "")
    (cycle,) = find_cycles(graph_of((likely, back))).cycles
    assert cycles.below_itself(cycle.witnesses) == (False, LIKELY.why)
