"""Type spellings and names."""

import pytest

from lockorder.static.parse.names import drop_inline, last_identifier, split_template, strip_type


@pytest.mark.parametrize(
    ("spelling", "plain"),
    [
        ("const std::mutex &", "std::mutex"),
        ("std::mutex *const", "std::mutex"),
        ("struct Foo **", "Foo"),
        ("(anonymous namespace)::Guard", "Guard"),
        ("a::(anonymous namespace)::Guard", "a::Guard"),
    ],
)
def test_strip_type(spelling: str, plain: str) -> None:
    assert strip_type(spelling) == plain


@pytest.mark.parametrize(
    ("spelling", "name", "arguments"),
    [
        ("std::map<int, std::vector<A>>", "std::map", ["int", "std::vector<A>"]),
        ("std::__cxx11::basic_string<char>", "std::basic_string", ["char"]),
        ("std::function<void (int, char)>", "std::function", ["void (int, char)"]),
        ("Outer<int>::Inner", "Outer::Inner", []),
        ("int", "int", []),
        ("std::unique_ptr<Foo, D> &", "std::unique_ptr", ["Foo", "D"]),
    ],
)
def test_split_template(spelling: str, name: str, arguments: list[str]) -> None:
    assert split_template(spelling) == (name, arguments)


def test_inline_namespaces_are_dropped() -> None:
    assert drop_inline("std::__1::mutex") == "std::mutex"
    assert drop_inline("std::_V2::condition_variable_any") == "std::condition_variable_any"
    assert drop_inline("a::_b::c") == "a::_b::c"


@pytest.mark.parametrize(
    ("text", "name"), [("foo->bar<int>", "bar"), ("a.b", "b"), ("x", "x"), ("f()", "")]
)
def test_last_identifier(text: str, name: str) -> None:
    assert last_identifier(text) == name
