"""Which field each part of a list in braces begins, in templates and of templates."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from lockorder.static.program import aggregates
from lockorder.static.program.link import Program
from walks import program_of

BEFORE = """
template <class M> struct Pair { M &first; M &second; };
template <class M> struct Deep { Pair<M> pair; M &third; };
template <class M> struct Twice { Pair<M> left; Pair<M> right; };
struct Plain { std::mutex *one; std::mutex *two; };
struct Made { Made(std::mutex *); std::mutex *one; };
template <class M> struct Based : Pair<M> { M *three; M *four; };
template <class M> void take(M &a, M &b) { BODY }
std::mutex a, b; void f() { take(a, b); }
"""


def name(program: Program, value: f.Value) -> str:
    """A place as the text names it; what a list makes is ``made``."""
    if isinstance(value, f.Var):
        return program.variables[value.usr].name
    if isinstance(value, f.Field):
        last = program.variables[value.usr].name.rpartition("::")[2]
        return f"{name(program, value.base)}.{last}"
    return "made"


def begun(body: str) -> dict[str, str]:
    """The fields that are begun in a template with this body, and by what."""
    program = program_of(BEFORE.replace("BODY", body))
    aggregates.spread(program)
    (take,) = (x for x in program.functions.values() if x.name == "take")
    assigned = [s for s in f.walk(take.body) if isinstance(s, f.Assign)]
    pairs = [(name(program, s.target), name(program, s.value)) for s in assigned]
    return {k.removeprefix("made."): v for k, v in pairs if k.startswith("made.")}


FIRST = {"first": "a", "second": "b"}


@pytest.mark.parametrize(
    "body", ["Pair<M> p{a, b};", "Pair<M> p = {a, b};", "Pair<M>{a, b};", "if (1) Pair<M>{a, b};"]
)
def test_a_list_begins_the_fields_in_their_order(body: str) -> None:
    assert begun(body) == FIRST


def test_a_list_in_a_list_begins_the_fields_of_the_field() -> None:
    whole = {"pair.first": "a", "pair.second": "b", "third": "a"}
    assert begun("Deep<M> d{{a, b}, a};") == whole


def test_braces_in_a_list_may_be_left_out() -> None:
    whole = {"pair.first": "a", "pair.second": "b", "third": "a"}
    assert begun("Deep<M> d{a, b, a};") == whole
    four = {"left.first": "a", "left.second": "b", "right.first": "b", "right.second": "a"}
    assert begun("Twice<M> t{a, b, b, a};") == four


def test_an_object_in_a_list_begins_the_field_whole() -> None:
    both = {"first": "a", "second": "b", "pair": "p", "third": "a"}
    assert begun("Pair<M> p{a, b}; Deep<M> d{p, a};") == both


def test_fields_that_are_left_out_are_not_begun() -> None:
    assert begun("Plain p{}; p = Plain{&a};") == {"one": "a"}


@pytest.mark.parametrize(
    "body",
    [
        "Pair<M> *p; Pair<M> q{*p};",  # a copy
        "Pair<M> p{a, b}; Pair<M> q{p};",
        "Plain p; Plain q(p);",
        "Made m{&a};",  # its constructor does it
        "Based<M> x{{a, b}, &a, &b};",  # the bases come first
        "std::pair<M *, M *> p{&a, &b};",
        "Pair<M> *p = nullptr;",
        "Unknown<M> u{a, b};",
    ],
)
def test_a_copy_and_what_has_a_constructor_are_no_lists(body: str) -> None:
    assert begun(body) in ({}, FIRST)
    assert "Pair<M> p{a, b}" in body or not begun(body)
