"""Bits of numbers: constants that are put together with a variable, and tests of them."""

from __future__ import annotations

import itertools

import pytest

from lockorder.static.interp import bits
from lockorder.static.interp.known import Equal, Operation
from lockorder.static.interp.summary import State
from lockorder.static.parse import numbers
from lockorder.static.program.paths import Path as Place
from lockorder.static.program.paths import mask_of, masked

FLAGS = Place.of_variable("flags")


@pytest.mark.parametrize(
    ("number", "mask", "has"),
    [
        ("4", "4", True),
        ("4", "2", False),
        ("0", "NAME", False),
        ("NAME=6", "OTHER=2", True),
        ("NAME", "NAME", True),
        ("NAME", "OTHER", None),
        ("0x10u", "16", True),
        ("-1", "8", True),
    ],
)
def test_literals(number: str, mask: str, has: bool | None) -> None:
    found = bits.test(Place.of_literal(number), Place.of_literal(mask), State())
    assert (found if isinstance(found, bool) else None) is has


def test_masks_are_what_operators_do() -> None:
    """Against numbers: every way to combine a variable with two constants, and every test."""
    for a, b, mask in itertools.product(range(8), range(8), range(8)):
        for first, second in itertools.product("&|", repeat=2):
            path = masked(masked(FLAGS, first, a), second, b)
            for value in range(8):
                here = numbers.folded(first, value, a)
                assert here is not None
                there = numbers.folded(second, here, b)
                assert there is not None
                told = bits.has(path, mask)
                if isinstance(told, bool):
                    assert told is (there & mask != 0)
                elif told[0].is_literal:
                    assert there == numbers.number_of(told[0].literal)
                else:
                    assert (value & told[1] != 0) is (there & mask != 0)


def test_complement_takes_bits_away() -> None:
    assert bits.has(masked(FLAGS, "&", ~4), 4) is False
    assert mask_of(masked(masked(FLAGS, "&", ~4), "|", 4)) == (FLAGS, ~4, 4)


@pytest.mark.parametrize(
    ("facts", "mask", "known"),
    [
        ({Operation("&", FLAGS, Place.of_literal("4")): True}, 12, True),
        ({Operation("&", FLAGS, Place.of_literal("12")): True}, 4, None),
        ({Operation("&", FLAGS, Place.of_literal("12")): False}, 4, False),
        ({Equal(FLAGS, Place.of_literal("6")): True}, 4, True),
        ({Equal(FLAGS, Place.of_literal("6")): False}, 4, None),
    ],
)
def test_facts(facts: dict[object, bool], mask: int, known: bool | None) -> None:
    state = State(facts=facts)  # type: ignore[arg-type]
    found = bits.test(FLAGS, Place.of_literal(str(mask)), state)
    assert (found if isinstance(found, bool) else None) is known


@pytest.mark.parametrize(
    ("text", "number"),
    [("8", 8), ("0x8uL", 8), ("010", 8), ("0b1000", 8), ("1'000", 1000), ("true", 1),
     ("A=8", 8), ("A|B=8", 8), ("A", None), ("08", None), ("0", 0), ("-3", -3)],
)  # fmt: skip
def test_numbers(text: str, number: int | None) -> None:
    assert numbers.number_of(text) == number


def test_names_stay() -> None:
    assert numbers.names_of(numbers.either("RECURSIVE=1", "ROBUST=2") or "") == [
        "RECURSIVE",
        "ROBUST",
    ]
