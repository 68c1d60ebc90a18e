"""The parts that MPI's calls are played with: locks of windows, groups, types of elements."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.ranks import elements, groups
from lockorder.ranks.effects import Op
from lockorder.ranks.flatten import Row
from lockorder.ranks.simulate import play
from lockorder.ranks.values import Comm, Const, Element, Tup
from lockorder.ranks.window_locks import WindowLock, WindowLocks

INT = Element("MPI_INT", "integer", 4)
LONG = Element("MPI_LONG", "integer", 8)
FLOAT = Element("MPI_FLOAT", "floating", 4)
BYTE = Element("MPI_BYTE", elements.RAW, 1)

# -- locks of windows -----------------------------------------------------------------------------

_STEP = st.tuples(st.integers(0, 2), st.integers(0, 1), st.booleans(), st.booleans())


@given(st.lists(_STEP, max_size=30))
def test_whoever_has_a_lock_to_itself_is_alone(steps: list[tuple[int, int, bool, bool]]) -> None:
    """Against a list of who has what."""
    locks = WindowLocks()
    held: dict[tuple[int, int], bool] = {}
    for rank, target, exclusive, takes in steps:
        if not takes:
            locks.release(rank, "w", (target,))
            held.pop((rank, target), None)
            continue
        others = [own for (r, t), own in held.items() if t == target and r != rank]
        free = (rank, target) not in held and not (any(others) or (others and exclusive))
        assert locks.grant(WindowLock(rank, "w", (target,), exclusive)) is free
        if free:
            held[rank, target] = exclusive


def test_another_window_is_another_lock() -> None:
    locks = WindowLocks()
    assert locks.grant(WindowLock(0, "w", (0,), True))
    assert locks.grant(WindowLock(1, "v", (0,), True))
    assert not locks.grant(WindowLock(1, "w", (0, 1), False, of_all=True))
    assert locks.holder(WindowLock(1, "w", (0,), False)) == 0


def lock(kind: str, target: int, exclusive: bool = True) -> Op:
    comm = Comm("w", (0, 1))
    return Op(kind=kind, name=kind, chain=(), comm=comm, peer=Const(target), exclusive=exclusive)


def ends(*rows: list[Op]) -> str:
    return play([Row(steps=list(r)) for r in rows]).kind


def test_two_locks_in_two_orders() -> None:
    def both(first: int, second: int, exclusive: bool = True) -> list[Op]:
        taken = [lock("lock", t, exclusive) for t in (first, second)]
        return [*taken, lock("unlock", second), lock("unlock", first)]

    assert ends(both(0, 1), both(0, 1)) == "done"
    assert ends(both(0, 1), both(1, 0)) == "stuck"
    assert ends(both(0, 1, False), both(1, 0, False)) == "done"


# -- groups ---------------------------------------------------------------------------------------

_GROUP = st.lists(st.integers(0, 7), unique=True, max_size=6).map(tuple)


@given(_GROUP, _GROUP)
def test_groups_are_sets_in_an_order(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    made = {
        how: groups.made(how, first, second, ()) for how in ("union", "intersection", "difference")
    }
    assert set(made["union"] or ()) == {*first, *second}
    assert set(made["intersection"] or ()) == {*first} & {*second}
    assert set(made["difference"] or ()) == {*first} - {*second}
    assert all(m is not None and len(m) == len(set(m)) for m in made.values())
    assert (made["union"] or ())[: len(first)] == first


@given(_GROUP, st.data())
def test_who_is_chosen_and_who_is_left(first: tuple[int, ...], data: st.DataObject) -> None:
    places = (
        data.draw(st.lists(st.integers(0, max(len(first) - 1, 0)), unique=True)) if first else []
    )
    rows = [(p,) for p in places]
    chosen, left = (groups.made(how, first, (), rows) for how in ("incl", "excl"))
    assert chosen == tuple(first[p] for p in places)
    assert {*(chosen or ()), *(left or ())} == {*first}


@pytest.mark.parametrize(
    ("row", "members"),
    [((0, 3, 1), (0, 1, 2, 3)), ((0, 3, 2), (0, 2)), ((3, 0, -2), (3, 1)), ((1, 9, 1), None),
     ((0, 3, 0), None), ((0, 1), None)],
)  # fmt: skip
def test_ranges(row: tuple[int, ...], members: tuple[int, ...] | None) -> None:
    assert groups.made("range_incl", (0, 1, 2, 3), (), [row]) == members


# -- types ----------------------------------------------------------------------------------------


def message(kind: str, element: Element | None, count: int | None, parts: int = 0) -> Op:
    more: dict[str, Any] = {"element": element, "parts": parts}
    if count is not None:
        more["count"] = Const(count)
    return Op(kind=kind, name=kind, chain=(), **more)


@pytest.mark.parametrize(
    ("sent", "received", "fits"),
    [
        ((INT, 4), (INT, 4), True), ((INT, 4), (INT, 9), True), ((INT, 4), (INT, 3), False),
        ((INT, 4), (FLOAT, 4), False), ((INT, 4), (LONG, 4), False), ((INT, 4), (BYTE, 16), True),
        ((INT, 4), (BYTE, 15), False), ((INT, None), (INT, 3), True), ((None, 4), (INT, 3), True),
    ],
)  # fmt: skip
def test_what_a_receive_has_room_for(
    sent: tuple[Element | None, int | None], received: tuple[Element | None, int | None], fits: bool
) -> None:
    assert (elements.unfit(message("send", *sent), message("recv", *received)) == "") is fits


def test_parts_are_counted_together() -> None:
    assert elements.unfit(message("send", INT, 4, 2), message("recv", INT, 2, 4)) == ""
    assert elements.unfit(message("send", INT, 4, 2), message("recv", INT, 4, 1))


def test_types_that_are_made_of_others() -> None:
    pair = elements.made("contiguous", INT, [2])
    assert pair is not None
    assert (pair.parts, pair.size) == (2, 4)
    block = elements.made("vector", pair, [3, 2])
    assert block is not None
    assert elements.amount(Const(5), block) == 60
    assert elements.made("contiguous", INT, [None]) is None
    assert elements.unfit(message("send", block, 1), message("recv", INT, 12)) == ""


def test_the_count_of_one_rank() -> None:
    row = Tup((Const(1), Const(2), Const(3)))
    assert elements.of_rank(row, 1, 3) is row.items[1]
    assert elements.of_rank(row, 1, 4) is None
    assert elements.of_rank(row.items[0], 1, 4) is row.items[0]
