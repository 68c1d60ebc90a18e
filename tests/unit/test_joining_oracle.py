"""States that are joined where ways meet, against all of them kept apart."""

from __future__ import annotations

import random

import pytest

from lockorder.static.interp import joining
from lockorder.static.interp.joining import Cut
from lockorder.static.interp.summary import State
from small_programs import Body, Reading, analysed, calls_in, orders_of, some_program, taken_again

LOCKS, FUNCTIONS = "ABC", "pqrs"
KINDS = ("hold", "manual", "either", "either", "return")
PROGRAMS = 150


def programs_that_end(chance: random.Random) -> dict[str, Body]:
    """A program without recursion: a function calls those that come after it."""
    while True:
        found = some_program(chance, FUNCTIONS, LOCKS, KINDS)
        if all(c > name for name, body in found.items() for c in calls_in(body)):
            return found


def kept_apart(states: list[State], cut: Cut) -> list[State]:
    """All states, but for those that are equal in everything."""
    found: list[State] = []
    for state in states:
        if state not in found:
            found.append(state)
    return found


def test_nothing_is_lost_or_added(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, shown = random.Random(3), 0
    for _ in range(PROGRAMS):
        functions = programs_that_end(chance)
        joined = analysed(functions, LOCKS)
        with monkeypatch.context() as patch:
            patch.setattr(joining, "merge", kept_apart)
            apart = analysed(functions, LOCKS)
        assert orders_of(joined) == orders_of(apart), functions
        assert taken_again(joined) == taken_again(apart), functions
        # Locks that an early return leaves locked are taken again by whoever comes next.
        plain = Reading(functions, len(FUNCTIONS))
        assert orders_of(joined) == plain.orders, functions
        shown += bool(plain.orders)
    assert shown > PROGRAMS // 4
