"""What the parameters of class templates are, over a whole program; and what is derived."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program.arguments import Arguments
from lockorder.static.program.derived import Derived
from walks import program_of

BEFORE = """
struct One { static void go() {} }; struct Two { static void go() {} };
namespace ns { struct Deep {}; }
template <class T> struct Box { T *inside; static void run() { T::go(); } void go() {} };
template <class A, class B> struct Two_of { A *a; B *b; };
Box<One> first;
"""
WRAP = "template <class U> struct Wrap { Box<U> box; }; "


def of(text: str, cls: str = "Box", parameter: str = "T") -> set[str] | None:
    """All that a parameter of a class template is; None where nobody can say."""
    found = Arguments(program_of(BEFORE + text)).of(cls, parameter)
    return None if found is None else set(found)


@pytest.mark.parametrize(
    "text",
    [
        "Box<Two> second;",
        "Box<Two> *second;",
        "void f(Box<Two> &second) {}",
        "Box<Two> f();  void g() { f(); }",
        "void f() { Box<Two>().go(); }",
        "void f() { (new Box<Two>)->go(); }",
        "struct Mine : Box<Two> {};",
        "std::vector<Box<Two>> all;",
        "using Second = Box<Two>; Second second;",
        WRAP + "Wrap<Two> wrapped;",  # which hands it on
    ],
)
def test_every_type_in_the_program_counts(text: str) -> None:
    assert of(text) == {"One", "Two"}


def test_other_templates_and_other_parameters_do_not() -> None:
    assert of("std::vector<Two> all; Two_of<Two, One> both;") == {"One"}
    assert of("Two_of<Two, One> both;", "Two_of", "A") == {"Two"}
    assert of("Two_of<Two, One> both;", "Two_of", "B") == {"One"}
    assert of("Box<ns::Deep> second;") == {"One", "ns::Deep"}


@pytest.mark.parametrize(
    "text",
    [
        "Box<int> number;",
        "template <class V> void f() { Box<V> some; } void g() { f<Two>(); }",
        WRAP + "Wrap<int> wrapped;",
        WRAP,
        WRAP + "Wrap<Two> w; template <class U> void f() { Box<U> some; } void g() { f<int>(); }",
    ],
)
def test_where_something_else_may_be_meant_nobody_can_say(text: str) -> None:
    assert of(text) is None


def test_what_is_no_parameter_is_nothing() -> None:
    assert of("", "Box", "X") is None
    assert of("", "One", "T") is None
    assert of("", "Nowhere", "T") is None
    assert of("template <class Q> struct Never { Q *q; };", "Never", "Q") is None


def test_templates_that_hand_on_to_each_other_come_to_an_end() -> None:
    text = """
    template <class R> struct Right; template <class L> struct Left { Right<L> *other; };
    template <class R> struct Right { Left<R> *other; }; Left<One> start;
    """
    assert of(text, "Right", "R") == {"One"}


def test_all_questions_are_asked_of_one_program() -> None:
    program = program_of(BEFORE)
    known = Derived(program, builtin())
    assert known.call_graph.lifetimes is known.lifetimes
    assert known.arguments.of("Box", "T") == {"One"}


def test_what_is_null_by_how_it_was_begun_is_no_lock() -> None:
    program = program_of("struct Holder { std::mutex *lock; }; Holder empty = {nullptr};")
    known = Derived(program, builtin())
    assert known.identities.is_empty == known.begun.is_empty
