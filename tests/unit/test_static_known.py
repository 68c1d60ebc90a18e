"""What a state can know: each kind by itself, what makes it void, and how it is renamed."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from lockorder.static.interp.known import (
    Among,
    AtFirst,
    Emptied,
    EndWaits,
    Equal,
    Fact,
    Inside,
    IsPart,
    LastOwner,
    Less,
    Operation,
    Receives,
    Repeated,
    Tried,
    compared,
    is_void,
    moved_fact,
)
from lockorder.static.program.paths import Path

A, B, C, ONE = (
    Path.of_variable("a"),
    Path.of_variable("b"),
    Path.of_variable("c"),
    Path.of_literal("1"),
)

#: Every kind, and of its paths those whose assignment makes it void.
KINDS: dict[Fact, set[Path]] = {
    A: {A},
    Operation("&", A, B): {A, B},
    Equal(A, B): {A, B},
    Equal(Operation("+", A, ONE), B): {A, B, ONE},
    Less(A, B): {A, B},
    Among(A, frozenset(("1", "2"))): {A},
    Emptied(A): set(),
    LastOwner(A): set(),
    EndWaits(A): set(),
    IsPart(A, ("m",)): {A},
    Inside(A, B): {A, B},
    Tried(1, 2): set(),
    Repeated(ONE, (A,)): {ONE, A},
    Repeated(None, ("c:@F@size#", A)): {A},
    AtFirst(A, "1"): set(),
    Receives(A, "c:@S@D@F@f#"): {A},
}


def test_no_two_are_equal() -> None:
    """As tuples of the same parts would be; a table of facts would mix them up."""
    assert len(KINDS) == 16
    for one, other in itertools.combinations(KINDS, 2):
        assert one != other
    assert Emptied(A) != LastOwner(A) != EndWaits(A)
    assert Equal(A, B) != Less(A, B) != Inside(A, B)


@pytest.mark.parametrize("fact", KINDS, ids=lambda fact: type(fact).__name__)
def test_what_makes_it_void(fact: Fact) -> None:
    assert {p for p in (A, B, C, ONE) if is_void(fact, p)} == KINDS[fact]


@pytest.mark.parametrize("fact", KINDS, ids=lambda fact: type(fact).__name__)
def test_renamed(fact: Fact) -> None:
    """Every path in it goes where it is said to, and comes back."""

    def to(new: dict[Path, Path]) -> Callable[[Path], Path]:
        return lambda path: new.get(path, path)

    there = moved_fact(fact, to({A: C}))
    assert type(there) is type(fact)
    assert repr(there) == repr(fact).replace(repr(A), repr(C))
    assert moved_fact(there, to({C: A})) == fact


def test_paths_whose_values_it_is_about() -> None:
    assert list(compared(A)) == [A]
    assert list(compared(Equal(Operation("+", A, ONE), B))) == [A, ONE, B]
    assert list(compared(Among(A, frozenset(("1", "2"))))) == [A]
    for other in (Emptied(A), LastOwner(A), Inside(A, B), Tried(1, 2), AtFirst(A, "")):
        assert not list(compared(other))
