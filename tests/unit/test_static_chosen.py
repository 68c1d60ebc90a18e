"""What a function returns for the constants that it is given."""

from __future__ import annotations

import pytest

from lockorder.static.interp import chosen
from lockorder.static.program.paths import Path
from walks import analysed

BEFORE = """
enum Kind { kSmall, kLarge, kOther };
std::mutex small, large; bool flag;
std::mutex &of(Kind kind) { return kind == kSmall ? small : large; }
std::mutex *by_switch(int n) { switch (n) { case 0: return &small; default: return &large; } }
std::mutex *by_flag(bool big) { if (big) return &large; return &small; }
std::mutex &by_object(const int &n) { flag = true; return n ? small : large; }
std::mutex &any() { return flag ? small : large; }
std::mutex &set(int n) { n = flag; return n ? small : large; }
std::mutex &inner(bool big) { return *by_flag(big); }
std::mutex &around(int n) { return n > 0 ? around(n - 1) : flag ? small : large; }
"""


def taken(*calls: str) -> set[str]:
    """Locks that are taken under another one, by what these calls give."""
    body = " ".join(f"({c}).lock(); ({c}).unlock();" for c in calls)
    found = analysed(f"{BEFORE} std::mutex held; void f(int v) {{ held.lock(); {body} }}").found
    return {lock for holds, lock in found.orders if holds == "held"}


@pytest.mark.parametrize(
    ("call", "locks"),
    [
        ("of(kSmall)", {"small"}),
        ("of(kLarge)", {"large"}),
        ("of(kOther)", {"large"}),
        ("*by_switch(0)", {"small"}),
        ("*by_switch(7)", {"large"}),
        ("*by_flag(true)", {"large"}),
        ("*by_flag(false)", {"small"}),
        ("inner(true)", {"large"}),
        ("inner(false)", {"small"}),
    ],
)
def test_a_constant_chooses(call: str, locks: set[str]) -> None:
    assert taken(call) == locks


@pytest.mark.parametrize(
    "call",
    [
        "of((Kind)v)",
        "*by_switch(v)",
        "*by_flag(v)",
        "any()",
        "set(1)",
        "inner(v)",
        "around(2)",
        "by_object(1)",
    ],
)
def test_what_is_not_written_down_chooses_nothing(call: str) -> None:
    assert taken(call) == {"small", "large"}


def test_each_call_is_asked_for_itself() -> None:
    assert taken("of(kSmall)", "of(kLarge)") == {"small", "large"}


def test_an_enumerator_chooses_the_element_of_a_table() -> None:
    table = "std::mutex table[3]; std::mutex &row(Kind kind) { return table[kind]; }"
    body = "row(kSmall).lock(); row(kLarge).lock(); row(kLarge).unlock(); row(kSmall).unlock();"
    assert not analysed(f"{BEFORE} {table} void f() {{ {body} }}").found.self_locks
    same = body.replace("kLarge", "kSmall")
    assert analysed(f"{BEFORE} {table} void f() {{ {same} }}").found.self_locks


def test_nothing_of_the_walk_is_reported() -> None:
    text = "std::mutex a, b; std::mutex &get(bool x) { a.lock(); a.unlock(); return x ? a : b; }"
    once = analysed(f"{text} void f(bool v) {{ get(v).lock(); }}")
    chose = analysed(f"{text} void f(bool v) {{ get(true).lock(); }}")
    assert set(once.found.orders) == set(chose.found.orders) == set()


def test_parameters_begin_as_what_they_are_given() -> None:
    assert chosen.start((("p", "3"), ("q", "true"))) == {
        Path.of_variable("p"): (Path.of_literal("3"),),
        Path.of_variable("q"): (Path.of_literal("true"),),
    }
    assert chosen.start(()) == {}
