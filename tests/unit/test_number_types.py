"""Which spellings of types are numbers."""

from __future__ import annotations

import pytest

from lockorder.static.parse.number_types import INTEGERS, is_named_number, is_number


@pytest.mark.parametrize(
    "text", ["int", "unsigned long long", "long double", "signed char", "wchar_t", "__int128"]
)
def test_numbers(text: str) -> None:
    assert is_number(text)
    assert is_named_number(text)


@pytest.mark.parametrize("text", ["int *", "unsigned Count", "Count", "void", "longlong"])
def test_no_numbers(text: str) -> None:
    assert not is_number(text)
    assert not is_named_number(text)


@pytest.mark.parametrize("text", ["size_t", "std::size_t", "uint32_t", "std::int8_t"])
def test_names_of_numbers(text: str) -> None:
    assert is_named_number(text)
    assert not is_number(text)


def test_nothing_is_no_name_of_a_number() -> None:
    assert not is_named_number("")


def test_whole_numbers() -> None:
    assert {"_Bool", "unsigned char", "unsigned long long", "long"} <= INTEGERS
    assert not {"float", "long double", "wchar_t", "unsigned bool", "int *"} & INTEGERS
