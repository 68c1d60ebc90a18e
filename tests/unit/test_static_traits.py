"""Conditions on types, once a template's arguments are in them."""

from __future__ import annotations

import pytest

from lockorder.static.program.traits import Traits
from walks import program_of

TEXT = """
template <class T> struct Traits { static constexpr bool locks = true; };
template <> struct Traits<int> { static constexpr bool locks = false; };
template <class T> struct Part { static constexpr int count = 1; };
template <class T> struct Part<T *> { static constexpr int count = 2; };
struct Own {
  static constexpr bool locks = true; static inline bool set = true; using type = int;
  static inline const char *name = nullptr; static constexpr const char *fixed = nullptr;
  static const int sum = 1 + 2;
};
struct Other {}; namespace ns { struct Deep {}; }
"""


@pytest.fixture(scope="module")
def traits() -> Traits:
    return Traits(program_of(TEXT))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("std::is_same_v<Own, Own>", "true"),
        ("std::is_same<Own, Own>::value", "true"),
        ("is_same_v<Own, Own>", "true"),
        ("boost::is_same<Own, Other>::value", "false"),
        ("std::is_same_v<Own, Other>", "false"),
        ("std::is_same_v<struct Own, Own>", "true"),
        ("std::is_same_v<unsigned long, unsigned  long>", "true"),
        ("std::is_same_v<unsigned long, unsigned int>", "false"),
        ("std::is_same_v<Own *, Own &>", "false"),
        ("std::is_same_v<const Own, Other>", "false"),
        ("std::is_same_v<std::mutex, std::shared_mutex>", "false"),
        ("std::is_same_v<Own::type, Own::type>", "true"),
        ("std::is_same_v<ns::Deep, Own>", "false"),
    ],
)
def test_types_are_compared(traits: Traits, text: str, value: str) -> None:
    assert traits.value(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "std::is_same_v<T, Own>",  # nobody has said what T is
        "std::is_same_v<Own::type, int>",  # a name that a class gives to some type
        "std::is_same_v<std::size_t, unsigned long>",
        "std::is_same_v<std::string, std::basic_string<char>>",
        "std::is_same_v<const Own, Own>",
        "std::is_same_v<Own, volatile Own>",
        "std::is_same_v<ns::Deep, Deep>",  # one without its namespace
        "std::is_same_v<Own>",
        "std::is_base_of_v<Own, Own>",
        "mine::is_same<Own, Own>::value",
    ],
)
def test_types_that_may_be_one_or_not_are_not_compared(traits: Traits, text: str) -> None:
    assert traits.value(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Own::locks", "true"),
        ("Traits<Own>::locks", "true"),
        ("Traits<int>::locks", "false"),
        (" Traits<int>::locks ", "false"),
        ("Own::fixed", "nullptr"),
    ],
)
def test_a_constant_of_a_class_is_its_value(traits: Traits, text: str, value: str) -> None:
    assert traits.value(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "Own::set",  # a variable
        "Own::name",  # the pointer is one, only what it points to is const
        "Own::sum",
        "Own::nothing",
        "Part<Own>::count",  # a partial specialisation may be meant
        "Nowhere::locks",
        "locks",
        "",
    ],
)
def test_what_can_be_another_value_is_none(traits: Traits, text: str) -> None:
    assert traits.value(text) is None
