"""Quotient and remainder by C's rules, which round towards zero."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.ranks.operators import quotient, remainder

Division = Callable[[float, float], float]
WHOLE = st.integers(-(2**64), 2**64)
#: Neither so small nor so large that a quotient of two leaves what a double holds exactly enough.
REAL = st.floats(1e-6, 1e6).flatmap(lambda x: st.sampled_from([x, -x]))


@given(WHOLE, WHOLE.filter(bool))
def test_whole_numbers(a: int, b: int) -> None:
    q, r = quotient(a, b), remainder(a, b)
    assert isinstance(q, int)
    assert isinstance(r, int)
    assert q * b + r == a
    assert abs(r) < abs(b)
    assert r == 0 or (r < 0) == (a < 0)


@given(REAL | WHOLE.filter(lambda n: 0 < abs(n) <= 10**6), REAL)
def test_others(a: float, b: float) -> None:
    """The quotient is the whole of it, and nothing but what rounding loses is left."""
    for first, second in ((a, b), (b, a)):
        q, r = quotient(first, second), remainder(first, second)
        assert isinstance(q, float)
        assert q == first / second
        assert math.isclose(q * second + r, first)
        assert abs(r) <= math.ulp(first)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [(7, 2, (3, 1)), (-7, 2, (-3, -1)), (7, -2, (-3, 1)), (-7, -2, (3, -1)), (0, -3, (0, 0))],
)
def test_signs(a: int, b: int, expected: tuple[int, int]) -> None:
    assert (quotient(a, b), remainder(a, b)) == expected


@pytest.mark.parametrize("compute", [quotient, remainder])
@pytest.mark.parametrize(("a", "b"), [(0, 0), (3, 0), (-3, 0), (3.0, 0), (3, 0.0), (0.0, -0.0)])
def test_nothing_is_divided_by_zero(compute: Division, a: float, b: float) -> None:
    with pytest.raises(ZeroDivisionError):
        compute(a, b)
