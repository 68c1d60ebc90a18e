"""Each order that a program shows is recorded, also after hundreds of rounds without anything new.

Locks are passed by then (csrc/passing.c): what is told is compared with a naive list of what is
held.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probed import recorded

BuildProgram = Callable[[str], Path]

#: A lock: its kind, its number, and how many there were in its place before it.
Lock = tuple[str, int, int]
Order = tuple[Lock, Lock]

ROUNDS = 200
KINDS = {"l": "mutex", "r": "rwlock", "w": "rwlock", "o": "once"}
ENDS = {"l": "u", "r": "e", "w": "e"}


@pytest.fixture(scope="session")
def scripted(build_program: BuildProgram) -> str:
    return str(build_program("scripted"))


@st.composite
def scripts(draw: st.DrawFn, renewals: int) -> str:
    """Steps after which nothing is held; no lock is taken twice."""
    steps: list[str] = []
    held: list[tuple[str, int]] = []
    for _ in range(draw(st.integers(0, 14))):
        taken = {(KINDS[k], n) for k, n in held}
        kind = draw(st.sampled_from("llllrwono" if renewals else "llllrwo"))
        number = draw(st.integers(0, 5))
        if kind == "n" and ("mutex", number) not in taken and renewals:
            renewals -= 1
            steps.append(f"n{number}")
        elif kind == "o":
            steps.append(f"o{number}")
        elif kind in ENDS and (KINDS[kind], number) not in taken and len(held) < 5:
            held.append((kind, number))
            steps.append(f"{kind}{number}")
        elif held:
            kind, number = held.pop(draw(st.integers(0, len(held) - 1)))
            steps.append(f"{ENDS[kind]}{number}")
    steps += [f"{ENDS[kind]}{number}" for kind, number in reversed(held)]
    return "".join(steps)


def orders(steps: str) -> set[Order]:
    """All pairs of a lock that is held and one that is asked for."""
    held: list[Lock] = []
    lives: dict[int, int] = {}
    found: set[Order] = set()
    for kind, number in zip(steps[::2], map(int, steps[1::2]), strict=True):
        if kind == "n":
            lives[number] = lives.get(number, 0) + 1
        elif kind in KINDS:
            lock = (KINDS[kind], number, lives.get(number, 0) if kind == "l" else 0)
            found |= {(other, lock) for other in held}
            if kind in ENDS:
                held.append(lock)
        else:
            sort = "mutex" if kind == "u" else "rwlock"
            held = [each for each in held if each[:2] != (sort, number)]
    return found


@settings(max_examples=40)
@given(often=scripts(0), renewed=st.sets(st.integers(0, 5), max_size=3), last=scripts(4))
def test_every_order_is_recorded(scripted: str, often: str, renewed: set[int], last: str) -> None:
    last = "".join(f"n{number}" for number in sorted(renewed)) + often + last
    with tempfile.TemporaryDirectory() as folder:
        trace, printed = recorded([scripted, often, last], Path(folder))
    kinds = ("mutex", "rwlock", "once")
    places = {
        int(address, 16): (kind, number)
        for number, line in enumerate(printed.splitlines())
        for kind, address in zip(kinds, line.split(), strict=True)
    }

    def name(number: int) -> Lock:
        lock = trace.locks[number]
        return *places[lock.address], lock.generation

    found = {(name(e.source), name(e.target)) for e in trace.edges}
    expected = orders(often * ROUNDS + last)
    assert {(a[:2], b[:2]) for a, b in found} == {(a[:2], b[:2]) for a, b in expected}
    assert _lives(found) == _lives(expected)


def _lives(found: set[Order]) -> list[int]:
    """How many orders there are between each two places, over all that have lain there."""
    pairs = [(a[:2], b[:2]) for a, b in found]
    return sorted(pairs.count(pair) for pair in set(pairs))
