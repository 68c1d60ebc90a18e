"""Numbers that are one on one way and another on the other: what is known where the ways meet."""

from __future__ import annotations

import pytest

from lockorder.bounds import Bound
from lockorder.static.interp import conditions, joining
from lockorder.static.interp.known import Among, Equal, Fact
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path

MODE, OTHER = Path.of_variable("mode"), Path.of_variable("other")


def no_cut(bound: Bound) -> None:
    raise AssertionError(bound)


def equal(number: int, path: Path = MODE) -> Equal:
    return Equal(path, Path.of_literal(str(number)))


def met(*ways: dict[Fact, bool]) -> State:
    (joined,) = joining.merge([State(facts=facts) for facts in ways], no_cut)
    return joined


def told(state: State, number: int) -> bool | None:
    return conditions.is_number(state, MODE, Path.of_literal(str(number)))


def test_one_of_two() -> None:
    state = met({equal(1): True}, {equal(2): True, equal(1): False})
    assert state.facts == {Among(MODE, frozenset(("1", "2"))): True}
    assert [told(state, n) for n in (1, 2, 3)] == [None, None, False]


def test_one_of_three_in_any_order() -> None:
    ways: list[dict[Fact, bool]] = [{equal(1): True}, {equal(2): True}, {equal(3): True}]
    assert met(*ways).facts == met(*reversed(ways)).facts
    assert [told(met(*ways), n) for n in (1, 3, 4)] == [None, None, False]


def test_what_is_left_when_the_others_are_not() -> None:
    state = met({equal(1): True}, {equal(2): True})
    left = state.but(facts={**state.facts, equal(1): False})
    assert [told(left, n) for n in (1, 2, 3)] == [False, True, False]


def test_a_way_that_knows_nothing_leaves_nothing() -> None:
    assert met({equal(1): True}, {}).facts == {}
    assert met({equal(1): True}, {equal(2, OTHER): True}).facts == {}


def test_not_this_one_or_another_one() -> None:
    assert met({equal(1): False}, {equal(2): True}).facts == {equal(1): False}
    assert met({equal(1): False}, {equal(1): True}).facts == {}


@pytest.mark.parametrize("number", [1, 2])
def test_an_assignment_makes_it_void(number: int) -> None:
    state = met({equal(1): True}, {equal(2): True})
    gone = {f: v for f, v in state.facts.items() if not f.names(MODE)}  # type: ignore[union-attr]
    assert told(State(facts=gone), number) is None
