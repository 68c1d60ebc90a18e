"""What is asked of effects: whether they act, how they leave, whether they can fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lockorder.ranks.conditions import ask
from lockorder.ranks.effects import (
    Attempt,
    Choice,
    Decision,
    Exit,
    Item,
    Loop,
    MayRaise,
    Op,
    Scope,
    acts,
    exits,
    matters,
    raises,
)
from lockorder.ranks.values import NONE

OP = Op(kind="collective", name="barrier", chain=())
DECISION = Decision((), True, NONE, "rank == 0")
RISK = MayRaise((), "load")
RETURN = Exit("return", 3)


def choice(first: list[Item], second: list[Item]) -> Choice:
    return Choice(ask("q"), NONE, (), first, second)


def loop(body: list[Item], orelse: list[Item] | None = None, label: int = 9) -> Loop:
    return Loop(label, "k", NONE, (), body, orelse or [])


Around = Callable[[Item], list[Item]]
#: An operation, an exit or a risk inside of everything that has an inside.
AROUND: dict[str, Around] = {
    "alone": lambda inner: [inner],
    "last": lambda inner: [DECISION, inner],
    "first arm": lambda inner: [choice([inner], [])],
    "second arm": lambda inner: [choice([], [inner])],
    "loop": lambda inner: [loop([inner])],
    "scope": lambda inner: [Scope(8, [inner])],
    "try": lambda inner: [Attempt([inner], None, [])],
    "deep": lambda inner: [Scope(8, [loop([choice([], [Attempt([inner], None, [])])])])],
}
ALSO: dict[str, Around] = {
    "after a loop": lambda inner: [loop([], [inner])],
    "handler": lambda inner: [Attempt([], [inner], [])],
    "finally": lambda inner: [Attempt([], None, [inner])],
}


@pytest.mark.parametrize("place", [*AROUND, *ALSO])
def test_it_acts_wherever_an_operation_is(place: str) -> None:
    around = {**AROUND, **ALSO}[place]
    assert acts(around(OP))
    assert not acts(around(DECISION))
    assert not acts(around(RETURN))
    assert not acts(around(RISK))


@pytest.mark.parametrize("place", [*AROUND, *ALSO])
def test_it_leaves_wherever_an_exit_is(place: str) -> None:
    around = {**AROUND, **ALSO}[place]
    assert exits(around(RETURN)) == {("return", 3)}
    assert exits(around(OP)) == set()


@pytest.mark.parametrize("place", AROUND)
def test_it_can_fail_wherever_a_risk_is(place: str) -> None:
    assert raises(AROUND[place](RISK))
    assert not raises(AROUND[place](OP))


def test_what_is_caught_is_no_failure() -> None:
    assert not raises([Attempt([RISK], [], [])])
    assert raises([Attempt([RISK], None, [OP])])


def test_a_construct_ends_its_own_exits() -> None:
    """A break of a loop goes no further than the loop, one of the loop around does."""
    assert exits([loop([Exit("break", 9)])]) == set()
    assert exits([loop([Exit("break", 4)])]) == {("break", 4)}
    assert exits([Scope(3, [RETURN])]) == set()
    assert exits([Scope(3, [Exit("raise"), RETURN])]) == {("raise", 0)}


def test_all_exits_are_there() -> None:
    items: list[Item] = [
        choice([RETURN], [Exit("fail")]),
        Attempt([Exit("raise")], [Exit("end")], []),
    ]
    assert exits(items) == {("return", 3), ("fail", 0), ("raise", 0), ("end", 0)}


def test_what_matters() -> None:
    """Operations and exits do; what a rank decides for itself and may fail in does not."""
    assert matters([OP])
    assert matters([RETURN])
    assert not matters([])
    assert not matters([DECISION, RISK])
    assert not matters([Scope(3, [RETURN])])
