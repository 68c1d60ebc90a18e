"""Grids of ranks, against what MPI-4.1 (8.5) says of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.ranks.grids import Grid, balanced

SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=3)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    sizes = draw(SIZES)
    periods = draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))
    return Grid(tuple(sizes), tuple(periods))


@pytest.mark.parametrize(
    ("ranks", "sizes", "made"),
    [
        (6, (0, 0), (3, 2)), (7, (0, 0), (7, 1)), (6, (0, 3, 0), (2, 3, 1)),
        (16, (0, 0, 0), (4, 2, 2)),
        (12, (0, 0, 0), (3, 2, 2)), (7, (0, 3, 0), None), (6, (2, 3), (2, 3)), (6, (2, 2), None),
        (1, (0, 0), (1, 1)),
    ],
)  # fmt: skip
def test_sizes_that_are_left_open(
    ranks: int, sizes: tuple[int, ...], made: tuple[int, ...] | None
) -> None:
    assert balanced(ranks, sizes) == made


@given(st.integers(1, 60), st.integers(1, 4))
def test_sizes_fall_and_use_all_ranks(ranks: int, count: int) -> None:
    made = balanced(ranks, (0,) * count)
    assert made is not None
    assert math.prod(made) == ranks
    assert list(made) == sorted(made, reverse=True)


@given(grids())
def test_each_place_has_one_rank(grid: Grid) -> None:
    places = [grid.place(r) for r in range(grid.ranks)]
    assert places == sorted(set(places))
    assert [grid.rank(p) for p in places] == list(range(grid.ranks))


@given(grids(), st.integers(-3, 3), st.data())
def test_who_sends_to_me_is_whom_i_receive_from(grid: Grid, by: int, data: st.DataObject) -> None:
    direction = data.draw(st.integers(0, len(grid.sizes) - 1))
    for rank in range(grid.ranks):
        source, target = grid.shifted(rank, direction, by)
        if target is not None:
            assert grid.shifted(target, direction, by)[0] == rank
        if source is not None:
            assert grid.shifted(source, direction, by)[1] == rank
        if grid.periodic[direction]:
            assert source is not None
            assert target is not None


@given(grids(), st.data())
def test_parts_are_a_partition(grid: Grid, data: st.DataObject) -> None:
    count = len(grid.sizes)
    keep = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    parts = {grid.part(rank, keep)[1:] for rank in range(grid.ranks)}
    assert sorted(r for members, _ in parts for r in members) == list(range(grid.ranks))
    assert len({where for _, where in parts}) == len(parts)
