"""Constant texts that parameters are compared with, and that calls hand in."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from lockorder.static.program import texts
from lockorder.static.program.link import Program
from walks import program_of

TEXT = """
extern "C" int strcmp(const char *, const char *);
namespace std {
  template <class C> struct basic_string { basic_string(const C *); int compare(const C *) const; };
  using string = basic_string<char>;
  template <class C> bool operator==(const basic_string<C> &, const C *);
  template <class C> bool operator!=(const basic_string<C> &, const C *);
}
void log(const char *); bool mine(const char *, const char *);
int made;
%s
"""


def program(text: str) -> Program:
    return program_of(TEXT % text)


def conditions(text: str, name: str = "f") -> list[f.Value | None]:
    """What the branches of a function ask."""
    found = program(text)
    (usr,) = found.named(name)
    return [s.cond for s in f.walk(found.functions[usr].body) if isinstance(s, f.If)]


def given(text: str, name: str = "g") -> list[list[f.Value]]:
    """The arguments of the calls in a function."""
    found = program(text)
    (usr,) = found.named(name)
    return [s.args for s in f.walk(found.functions[usr].body) if isinstance(s, f.Call)]


@pytest.mark.parametrize(
    ("parameter", "asked", "equal"),
    [
        ("const std::string &kind", 'kind == "van"', True),
        ("const std::string &kind", 'kind != "van"', False),
        ("const std::string &kind", 'kind.compare("van") == 0', True),
        ("const std::string &kind", 'kind.compare("van")', False),
        ("const char *kind", 'strcmp(kind, "van") == 0', True),
        ("const char *kind", '0 != strcmp("van", kind)', False),
    ],
)
def test_a_comparison_is_a_condition_on_the_parameter(
    parameter: str, asked: str, equal: bool
) -> None:
    (found,) = conditions(f"void f({parameter}) {{ if ({asked}) made = 1; }}")
    assert isinstance(found, f.Compare)
    assert isinstance(found.left, f.Var)
    assert (found.right, found.equal) == (f.Lit('"van"'), equal)


@pytest.mark.parametrize(
    ("parameter", "asked"),
    [
        ("std::string &kind", 'kind == "van"'),  # others may write to it meanwhile
        ("const char *kind", 'mine(kind, "van")'),  # nobody knows what it compares
        ("const char *kind", 'strcmp(kind, "van") < 0'),
        ("const char *kind", 'strcmp(kind, "a\\\\n") == 0'),
    ],
)
def test_what_is_no_such_comparison(parameter: str, asked: str) -> None:
    (found,) = conditions(f"void f({parameter}) {{ if ({asked}) made = 1; }}")
    assert not (isinstance(found, f.Compare) and isinstance(found.left, f.Var))


def test_a_parameter_that_is_set_again_decides_nothing() -> None:
    text = 'void f(const char *kind) { kind = "lorry"; if (strcmp(kind, "van") == 0) made = 1; }'
    assert not program(text).text_choices


def test_all_is_said_at_once() -> None:
    found = program(CHOOSING + 'void g() { f("van"); }')
    before = {usr: repr(x) for usr, x in found.functions.items()}
    texts.decide(found)
    assert {usr: repr(x) for usr, x in found.functions.items()} == before


CHOOSING = 'void f(const std::string &kind) { if (kind == "van") made = 1; }'


def test_calls_hand_in_the_text() -> None:
    assert given(CHOOSING + 'void g() { f("van"); log("van"); }') == [[f.Lit('"van"')], [f.Lit("")]]


def test_what_is_handed_on_is_chosen_by_callers() -> None:
    text = CHOOSING + 'void h(const char *name) { f(name); } void g() { h("lorry"); }'
    assert given(text) == [[f.Lit('"lorry"')]]
    ((handed_on,),) = given(text, "h")
    assert isinstance(handed_on, f.Var)


def test_texts_that_decide_nothing_are_left_out() -> None:
    text = 'void f(const char *kind) { log(kind); } void g() { f("van"); }'
    assert given(text) == [[f.Lit("")]]
