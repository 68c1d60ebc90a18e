"""Built-in types of numbers, as clang spells them."""

from __future__ import annotations

#: Words that spellings of numbers are made of.
WORDS = frozenset(
    ("bool", "char", "char8_t", "char16_t", "char32_t", "double", "float", "int", "long", "short",
     "signed", "unsigned", "wchar_t", "__int128")
)  # fmt: skip
#: Whole numbers and truths in full, but for those of characters of other kinds.
INTEGERS = frozenset(
    ("bool", "_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int",
     "unsigned int", "long", "unsigned long", "long long", "unsigned long long")
)  # fmt: skip
#: Other names of theirs in the standard library, with and without its namespace.
_NAMED = frozenset(
    ("size_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
     "uint64_t")
)  # fmt: skip


def is_number(text: str) -> bool:
    """Whether a type is a built-in number, as it is spelled without qualifiers."""
    return all(word in WORDS for word in text.split())


def is_named_number(text: str) -> bool:
    """As is_number; also by a name that the standard library has for it."""
    return bool(text) and (is_number(text) or text.removeprefix("std::") in _NAMED)
