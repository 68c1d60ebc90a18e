"""Locals of which one tells what the other is."""

from __future__ import annotations

import pytest

from lockorder.static.interp import correlated
from lockorder.static.program.paths import Path
from walks import Walking, walking

TEXT = """
struct Part { pthread_mutex_t lock; Part *next; };
void f(Part *a, Part *b, int n) {
  Part *first = %s;
  Part *second = %s;
  %s
}
"""
LOWER = "a < b ? a : b"


def local(here: Walking, name: str) -> Path:
    found = (u for u, v in here.program.variables.items() if v.name == name)
    return Path.of_variable(next(found))


def second(first: str, other: str, is_first: str, more: str = "") -> set[str]:
    """What the second local is, once it is known that the first one is *is_first*."""
    here = walking(TEXT % (first, other, more))
    a, b = local(here, "a"), local(here, "b")
    place = local(here, "second")
    one = a if is_first == "a" else b
    state = here.holding().with_value(local(here, "first"), (one,)).with_value(place, (a, b))
    state = correlated.learned(here.walk, local(here, "first"), one, state)
    after = correlated.decided(here.walk, place, state)
    return {"a" if p == a else "b" for p in after.env[place]}


@pytest.mark.parametrize(("is_first", "found"), [("a", {"b"}), ("b", {"a"})])
@pytest.mark.parametrize(
    "other", ["first == a ? b : a", "first != a ? a : b", "a < b ? b : a", "first == b ? a : b"]
)
def test_the_other_one_follows(other: str, is_first: str, found: set[str]) -> None:
    assert second(LOWER, other, is_first) == found


@pytest.mark.parametrize(
    ("first", "other", "more"),
    [
        (LOWER, "n ? a : b", ""),
        (LOWER, "first == a ? b : a", "first = a;"),
        (LOWER, "first == a ? b : a", "a = b;"),
    ],
)
def test_it_does_not_where_something_else_decides(first: str, other: str, more: str) -> None:
    assert second(first, other, "a", more) == {"a", "b"}


@pytest.mark.parametrize(("first", "found"), [(LOWER, True), ("a", False)])
def test_what_is_chosen_between_is_two(first: str, found: bool) -> None:
    here = walking(TEXT % (first, "b", ""))
    locks = [p.then(*here.at("a.lock").steps) for p in (local(here, "a"), local(here, "b"))]
    assert correlated.are_two(here.walk, here.holding(), *locks) is found
    assert not correlated.are_two(here.walk, here.holding(), locks[0], locks[0])
