"""Declared orders: names, chains and contradictions, against a naive closure."""

from __future__ import annotations

import itertools
import random

import pytest

from graphs import edge, ex, graph_of, timed, tried
from lockorder.declared import Declaration, Orders, describe, in_sequence, resolve
from lockorder.model import DECLARED, Certainty, Confidence, EdgeWitness, Finding, Level, Lock
from lockorder.rules import Evidence, judge


def orders(*names: str) -> Orders:
    return Orders(in_sequence([(n, i + 1) for i, n in enumerate(names)], "c.toml"))


def find(declared: Orders, *witnesses: EdgeWitness) -> list[Finding]:
    return list(judge(Evidence(graph_of(witnesses), (), declared)))


# -- chains and contradictions --------------------------------------------------------------------


def test_orders_are_transitive() -> None:
    declared = orders("A", "B", "C")
    assert [(d.before, d.after, d.line) for d in declared.chain("A", "C")] == [
        ("A", "B", 2),
        ("B", "C", 3),
    ]
    assert declared.chain("C", "A") == ()
    assert declared.chain("A", "other") == ()
    assert declared.contradictions() == []


@pytest.mark.parametrize("names", [("A", "A"), ("A", "B", "A"), ("A", "B", "C", "D", "B")])
def test_a_contradiction_names_its_places_and_decides_nothing(names: tuple[str, ...]) -> None:
    declared = orders(*names)
    (circle,) = declared.contradictions()
    assert circle[0].before == circle[-1].after
    assert all(f"c.toml:{d.line}" in describe(circle) for d in circle)
    assert declared.chain(circle[0].before, circle[0].after) == ()


def test_against_a_naive_closure() -> None:
    draw = random.Random(7)
    for _ in range(300):
        locks = "ABCDEF"[: draw.randint(2, 6)]
        pairs = {(draw.choice(locks), draw.choice(locks)) for _ in range(draw.randint(0, 7))}
        closure = set(pairs)
        for middle, first, last in itertools.product(locks, repeat=3):
            if (first, middle) in closure and (middle, last) in closure:
                closure.add((first, last))
        declared = Orders(Declaration(a, b) for a, b in pairs)
        for a, b in itertools.product(locks, repeat=2):
            wanted = (a, b) in closure and (b, a) not in closure
            chain = declared.chain(a, b)
            assert bool(chain) == wanted
            if chain:
                assert (chain[0].before, chain[-1].after) == (a, b)
                assert all(x.after == y.before for x, y in itertools.pairwise(chain))
        circles = declared.contradictions()
        assert bool(circles) == any((x, x) in closure for x in locks)
        assert all((d.before, d.after) in pairs for c in circles for d in c)


# -- names ----------------------------------------------------------------------------------------

LOCKS = (
    Lock("ns::Pool::mutex_", "ns::Pool::mutex_", file="p.h", line=1),
    Lock("ns::Cache::mutex_", "ns::Cache::mutex_", file="p.h", line=2),
    Lock("log", "log", file="l.cpp", line=1),
    Lock("log (m.cpp:3)", "log", file="m.cpp", line=3),
    Lock("shards[]", "shards[]"),
    Lock("Python GIL", "Python GIL"),
)


@pytest.mark.parametrize(
    ("name", "lock"),
    [
        ("ns::Pool::mutex_", "ns::Pool::mutex_"),
        ("::ns::Pool::mutex_", "ns::Pool::mutex_"),
        ("Pool::mutex_", "ns::Pool::mutex_"),
        ("log (m.cpp:3)", "log (m.cpp:3)"),
        ("shards", "shards[]"),
        ("shards[]", "shards[]"),
        ("Python GIL", "Python GIL"),
    ],
)
def test_names(name: str, lock: str) -> None:
    said = in_sequence([(name, 1), ("ns::Cache::mutex_", 2)], "c.toml")
    found, warnings = resolve(said, LOCKS)
    assert [(d.before, d.after) for d in found] == [(lock, "ns::Cache::mutex_")]
    assert warnings == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Pool::mutex", ["c.toml:2", "'Pool::mutex'", "did you mean 'ns::Pool::mutex_'?"]),
        ("mutex_", ["ns::Pool::mutex_ (p.h:1)", "ns::Cache::mutex_ (p.h:2)", "more of its name"]),
        ("log", ["log (l.cpp:1)", "log (m.cpp:3)"]),
        ("xyzzy", ["no lock seen here is called 'xyzzy'"]),
        ("ool::mutex_", ["no lock seen here"]),
    ],
)
def test_a_name_of_none_or_several_is_said_and_bridged(name: str, parts: list[str]) -> None:
    names = [("Pool::mutex_", 1), (name, 2), ("Cache::mutex_", 3), ("shards", 4)]
    found, (warning,) = resolve(in_sequence(names, "c.toml"), LOCKS)
    assert all(p in warning for p in parts)
    declared = Orders(found)
    assert declared.chain("ns::Pool::mutex_", "ns::Cache::mutex_")
    assert declared.chain("ns::Cache::mutex_", "shards[]")


# -- findings -------------------------------------------------------------------------------------


def test_an_order_against_a_declaration_is_a_finding() -> None:
    (found,) = find(orders("A", "B"), edge(ex("B"), ex("A")))
    assert (found.rule, found.level, found.confidence) == (
        "lock-order-cycle",
        Level.ERROR,
        Confidence.HIGH,
    )
    declared, seen = found.participants
    assert declared.who == DECLARED
    assert declared.taken is not None
    assert (declared.held[0].lock, declared.taken.lock) == ("A", "B")
    assert [(f.file, f.line) for f in declared.taken.chain] == [("c.toml", 2)]
    assert seen.taken is not None
    assert (seen.held[0].lock, seen.taken.lock) == ("B", "A")
    assert "c.toml:2" in found.message


def test_a_transitive_order_names_every_place() -> None:
    (found,) = find(orders("A", "B", "C"), edge(ex("C"), ex("A")))
    taken = found.participants[0].taken
    assert taken is not None
    assert [f.line for f in taken.chain] == [2, 3]


@pytest.mark.parametrize(
    "witness",
    [
        edge(ex("A"), ex("B")),
        edge(ex("B"), tried("A")),
        edge(ex("B"), ex("X")),
        edge(ex("A"), ex("A")),
    ],
)
def test_what_breaks_nothing(witness: EdgeWitness) -> None:
    assert all(
        DECLARED not in [p.who for p in f.participants] for f in find(orders("A", "B"), witness)
    )


def test_a_held_try_lock_counts_and_a_time_limit_makes_a_note() -> None:
    (found,) = find(orders("A", "B"), edge(tried("B"), ex("A")))
    assert found.level is Level.ERROR
    (found,) = find(orders("A", "B"), edge(ex("B"), timed("A")))
    assert found.level is Level.NOTE
    (found,) = find(orders("A", "B"), edge(ex("B"), timed("A")), edge(ex("B"), ex("A")))
    assert found.level is Level.ERROR


def test_a_real_cycle_is_told_once_and_says_who_breaks_the_order() -> None:
    both = edge(ex("A"), ex("B")), edge(ex("B"), ex("A"))
    (found,) = find(orders("A", "B"), *both)
    assert DECLARED not in [p.who for p in found.participants]
    assert "the declared order is A before B (c.toml:2), and take_B breaks it" in found.message
    (plain,) = find(Orders(), *both)
    assert plain.fingerprint == found.fingerprint


def test_a_cycle_that_a_time_limit_breaks_does_not_hide_a_broken_order() -> None:
    found = find(orders("A", "B"), edge(ex("A"), timed("B")), edge(ex("B"), ex("A")))
    assert [f.level for f in found] == [Level.ERROR, Level.NOTE]


def test_confidence_is_the_witness_own() -> None:
    (found,) = find(orders("A", "B"), edge(ex("B"), ex("A"), certainty=Certainty.GUESSED))
    assert found.confidence is Confidence.LOW


def test_contradictory_declarations_accuse_nobody() -> None:
    assert find(orders("A", "B", "A"), edge(ex("B"), ex("A"))) == []
