"""Circles of threads that wait for each other, against a walk along all ways."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lockorder.model import Frame, Lock, LockGraph, LockKind, Owner, Wait
from lockorder.rules import Evidence, judge
from lockorder.rules.deadlock import circles


def wait(who: str, *owners: str, kind: str = "mutex", lock: str = "m", timed: bool = False) -> Wait:
    return Wait(
        who=who, process="process 1", kind=kind, lock=lock, timed=timed,
        owners=tuple(Owner(o, (Frame("holds", "a.cpp", 1),)) for o in owners),
        chain=(Frame("waits", "a.cpp", 2),),
    )  # fmt: skip


def rules(*waits: Wait) -> list[str]:
    graph = LockGraph()
    graph.add_lock(Lock("m", "m", LockKind.MUTEX))
    return [f.rule for f in judge(Evidence(graph, waits=waits))]


def test_two_threads() -> None:
    assert rules(wait("a", "b"), wait("b", "a")) == ["deadlock"]


def test_three_threads_one_of_them_in_a_join() -> None:
    found = rules(wait("a", "b"), wait("b", "c", kind="join", lock=""), wait("c", "a"))
    assert found == ["deadlock"]


def test_a_thread_that_waits_for_itself() -> None:
    assert rules(wait("a", "a")) == ["self-deadlock"]


def test_no_circle() -> None:
    assert rules(wait("a", "b"), wait("b", "c")) == []
    assert rules(wait("a", "b"), wait("b")) == []


def test_a_wait_with_a_limit_ends_by_itself() -> None:
    assert rules(wait("a", "b", timed=True), wait("b", "a")) == []


def test_an_owner_that_is_gone() -> None:
    def left(who: str, timed: bool = False) -> Wait:
        return msgspec.structs.replace(wait(who, timed=timed), gone="thread 7, which ended")

    graph = LockGraph()
    graph.add_lock(Lock("m", "m", LockKind.MUTEX))
    (found,) = judge(Evidence(graph, waits=[left("a"), left("b"), wait("c", "a")]))
    assert found.rule == "deadlock"
    assert "a (and 1 more) waits for the mutex m" in found.message
    assert [p.who for p in found.participants] == ["a", "b", "thread 7, which ended"]
    assert rules(left("a", timed=True)) == []


def test_one_of_several_readers_is_enough() -> None:
    assert rules(wait("a", "x", "b"), wait("b", "a")) == ["deadlock"]


def test_two_circles_are_two() -> None:
    pairs = [wait("a", "b"), wait("b", "a"), wait("c", "d"), wait("d", "c"), wait("e", "a")]
    assert rules(*pairs) == ["deadlock", "deadlock"]


@given(st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("abcdef"), max_size=3)))
def test_a_circle_is_found_if_there_is_one(graph: dict[str, set[str]]) -> None:
    def comes_back(start: str) -> bool:
        seen: set[str] = set()
        ways = list(graph[start])
        while ways:
            at = ways.pop()
            if at == start:
                return True
            if at not in seen:
                seen.add(at)
                ways += graph.get(at, ())
        return False

    found = circles(wait(who, *sorted(owners)) for who, owners in sorted(graph.items()))
    assert bool(found) == any(comes_back(who) for who in graph)
    for circle in found:
        for this, following in zip(circle, [*circle[1:], circle[0]], strict=True):
            assert following.who in graph[this.who]
