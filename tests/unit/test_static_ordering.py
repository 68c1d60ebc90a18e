"""Which of two numbers is the lower one, by what is known of others."""

from __future__ import annotations

import itertools
import random

import pytest

from lockorder.static.interp import ordering
from lockorder.static.interp.known import Equal, Fact, Less, Operation, Term
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path

X, Y, Z = (Path.of_variable(name) for name in "xyz")
NUMBERS = (X, Y, Z)
#: Far enough from the literals that no difference of three numbers is cut off.
RANGE = range(-4, 7)


def number(value: int) -> Path:
    return Path.of_literal(str(value))


def told(facts: dict[Fact, bool], left: Term, right: Term) -> bool | None:
    return ordering.is_less(State(facts=facts), left, right)


def test_it_follows_over_another_number() -> None:
    """x is 32 at least, and y is no lower than x."""
    facts: dict[Fact, bool] = {Less(X, number(32)): False, Less(Y, X): False}
    assert told(facts, Y, number(32)) is False
    assert told(facts, number(31), Y) is True
    assert told(facts, Y, number(33)) is None
    assert told(facts, X, Y) is None


def test_whole_numbers_have_nothing_between() -> None:
    facts: dict[Fact, bool] = {Less(X, Y): True, Less(Y, Z): True}
    assert told({**facts, Less(Z, number(5)): True}, X, number(3)) is True
    assert told({**facts, Less(Z, number(5)): True}, X, number(2)) is None


def test_nothing_follows_from_other_numbers() -> None:
    facts: dict[Fact, bool] = {Less(X, number(32)): True}
    assert told(facts, Y, number(32)) is None
    assert told({}, X, Y) is None
    assert told({X: True, Equal(X, Y): False}, X, Y) is None


def test_conditions_are_no_numbers() -> None:
    asked = Operation("<", X, number(1))
    facts: dict[Fact, bool] = {Equal(asked, number(0)): True, Less(Y, number(1)): True}
    assert told(facts, asked, number(1)) is None


def value_of(term: object, values: dict[Path, int]) -> int:
    assert isinstance(term, Path)
    return int(term.literal) if term.is_literal else values[term]


def holds(fact: Fact, truth: bool, values: dict[Path, int]) -> bool:
    assert isinstance(fact, Less | Equal)
    left, right = value_of(fact.left, values), value_of(fact.right, values)
    return (left < right if isinstance(fact, Less) else left == right) is truth


@pytest.mark.parametrize("seed", range(40))
def test_it_is_what_all_numbers_show_that_fit(seed: int) -> None:
    """As if all numbers were tried."""
    chosen = random.Random(seed)
    terms = [*NUMBERS, number(0), number(1), number(2)]
    facts: dict[Fact, bool] = {}
    for _ in range(chosen.randint(1, 4)):
        left, right = chosen.sample(terms, 2)
        equal = chosen.random() < 0.2
        facts[Equal(left, right) if equal else Less(left, right)] = equal or chosen.random() < 0.5
    tried = (dict(zip(NUMBERS, each, strict=True)) for each in itertools.product(RANGE, repeat=3))
    fitting = [v for v in tried if all(holds(f, t, v) for f, t in facts.items())]
    if not fitting or not any(isinstance(f, Less) for f in facts):
        return
    for left, right in itertools.permutations(terms, 2):
        found = {value_of(left, v) < value_of(right, v) for v in fitting}
        expected = found.pop() if len(found) == 1 else None
        assert told(facts, left, right) is expected, (facts, left, right)


def test_the_lower_one_of_two() -> None:
    known: dict[Fact, bool] = {Less(X, number(0)): False, Less(Y, number(0)): False}
    state = ordering.picked(State(facts=known), True, X, Y, Z)
    assert ordering.is_less(state, X, Z) is ordering.is_less(state, Y, Z) is False
    assert ordering.is_less(state, Z, number(0)) is False  # as both are not
    assert ordering.is_less(state, Z, X) is None


def test_the_higher_one_of_two() -> None:
    state = ordering.picked(State(facts={Less(X, number(9)): True}), False, X, Y, Z)
    assert ordering.is_less(state, Z, X) is ordering.is_less(state, Z, Y) is False
    assert ordering.is_less(state, Z, number(9)) is None  # the other one may be higher
