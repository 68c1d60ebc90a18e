"""Members and variables that nothing is ever put into, and those that nobody asks about."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program import tested
from lockorder.static.program.vacant import Vacant
from walks import program_of

LINK = "struct T { int v; }; struct Link { T *at; std::unique_ptr<T> own; int number; };\n"
ASKS = """
void begin(Link *l) { l->at = nullptr; }
int ask(Link *l) { if (l->at) l->at->v = 1; if (l->own) return l->own->v; return 0; }
"""


def vacant(text: str) -> set[str]:
    """The last names of those of a source with this text."""
    program = program_of(text)
    found = Vacant(program, builtin()).all
    return {program.variables[usr].name.rpartition("::")[2] for usr in found}


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("", {"at", "own"}),
        ("void f(Link *l) { l->at = new T; }", {"own"}),
        ("void f(Link *l, T *t) { l->at = t; l->own.reset(); }", {"own"}),
        ("void f(Link *l) { T *&r = l->at; }", {"own"}),
        ("void f(Link *l) { T **p = &l->at; }", {"own"}),
        ("void g(T **); void f(Link *l) { g(&l->at); }", {"own"}),
        ("void f(Link *l) { l->own.reset(new T); }", {"at"}),
        ("void f(Link *l) { std::unique_ptr<T> &r = l->own; }", {"at"}),
        ("void f(Link *l, std::unique_ptr<T> t) { l->own = std::move(t); }", {"at"}),
        ("void f(Link *l, Link *k) { l->own = std::move(k->own); l->at = k->at; }", {"at", "own"}),
        ("T t; Link one = {&t}; Link two = {nullptr};", {"own"}),
        ("T row[3]; void f(Link *l, int i) { l->at = row + i; }", {"own"}),
        ("T row[3]; void f(Link *l, int i) { l->at = i ? row + i : nullptr; }", {"own"}),
        ("int f(Link *l) { return l->at->v; }", {"own"}),
        ("template <class A> void f(A &a, T *t) { a.at = t; }", {"own"}),
        ("void f(Link &l, T *t) { auto &[a, b, c] = l; a = t; }", set()),
    ],
)
def test_members_of_a_source(body: str, names: set[str]) -> None:
    assert vacant(LINK + ASKS + body) == names


def test_what_nobody_begins_or_asks_about_is_not_known() -> None:
    assert vacant(LINK) == set()
    assert vacant(LINK + "int ask(Link *l) { return l->at ? 1 : 0; }") == set()
    assert vacant(LINK + "void begin(Link *l) { l->at = nullptr; }") == set()


def test_statics() -> None:
    text = "struct T { int v; }; static T *one; T *two; static T *three;\n"
    asks = "int f() { if (one) return 1; if (two) return 2; return three ? 3 : 0; }\n"
    assert vacant(text + asks + "void g(T *t) { three = t; one = nullptr; }") == {"one"}


def test_questions() -> None:
    program = program_of(
        LINK + "int f(Link *l) { T *t = l->at; return t ? t->v : 0; }\n"
        "int g(Link *l) { return l->own->v; }"
    )
    asked = {u for u, v in program.variables.items() if v.name in ("Link::at", "Link::own")}
    told = tested.find(program, builtin(), asked)
    assert [program.variables[u].name for u in told.tested] == ["Link::at"]
    assert [program.variables[u].name for u in told.untested] == ["Link::own"]


def test_where_the_front_end_has_errors_something_may_be_put_there() -> None:
    """What was dropped is not known: the call might hand the member out."""
    assert vacant(LINK + ASKS + "void f(Link *l) { unknown::fill(l->at, l->own); }") == set()
