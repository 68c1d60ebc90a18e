"""Literals as numbers: ``8``, ``0x8u``, ``true``, and enumerators, which are ``NAME=8``."""

from __future__ import annotations

import functools
import re

_INTEGER = re.compile(r"(-?)(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)[uUlLzZ]*$")
#: No type has more bits.
WIDEST = 64

#: How a pointer to nothing is written.
NULLS = frozenset(("nullptr", "NULL", "0"))


def enumerator(name: str, value: int) -> str:
    """The text of a literal that is written by its name; zero has none, as a flag that is off."""
    return f"{name}={value}" if value else "0"


def name_of(text: str) -> str:
    """How a literal is written, without what it is worth."""
    return text.partition("=")[0]


def either(left: str, right: str) -> str | None:
    """The text of ``left | right``, with the names of both; None where one has no number."""
    numbers = number_of(left), number_of(right)
    if numbers[0] is None or numbers[1] is None:
        return None
    names = [n for n in (*names_of(left), *names_of(right)) if number_of(n) is None]
    return (
        enumerator("|".join(names), numbers[0] | numbers[1])
        if names
        else str(numbers[0] | numbers[1])
    )


def names_of(text: str) -> list[str]:
    """How the parts of ``A | B`` are written."""
    return name_of(text).split("|")


@functools.cache
def number_of(text: str) -> int | None:
    """What a literal is worth; None where it is no number, or only its name is known."""
    text = text.rpartition("=")[2]
    if text in ("true", "false"):
        return int(text == "true")
    if text in ("nullptr", "NULL"):
        return 0
    found = _INTEGER.match(text)
    if found is None:
        return None
    digits = found[2].replace("'", "")
    base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 8 if digits[:1] == "0" and digits else 10)
    try:
        value = int(digits[2:] if base in (16, 2) else digits, base)
    except ValueError:
        return None
    return None if value.bit_length() > WIDEST else -value if found[1] else value


def folded(symbol: str, left: int, right: int) -> int | None:
    """What an operation on two numbers gives; None for others than those of bits."""
    if symbol == "|":
        return left | right
    if symbol == "&":
        return left & right
    if symbol in ("<<", ">>") and 0 <= right < WIDEST:
        return left << right if symbol == "<<" else left >> right
    return None


def plain(text: str) -> str:
    """One text for each number: what facts call it."""
    if text in ("true", "false", "nullptr", "NULL"):
        return text
    number = number_of(text)
    return text if number is None else str(number)
