"""Locks that a thread had to get on its way to a place, and names of what threads wait for."""

from __future__ import annotations

import pytest

from lockorder.knowledge import Knowledge
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Site
from lockorder.static.parse import facts as f
from lockorder.static.results.passed import Passed
from lockorder.static.results.signals import Signals
from walks import analysed

BEFORE = """
std::mutex a, b, c; bool flag; int number;
void mark();
void take_a() { a.lock(); a.unlock(); }
void take_b() { b.lock(); b.unlock(); }
void maybe(bool x) { if (x) take_a(); }
void either(bool x) { if (x) take_a(); else { take_a(); take_b(); } }
void leaves(bool x) { if (x) return; take_a(); }
"""


def places(engine: Engine) -> list[tuple[str, Site]]:
    """Calls of ``mark``, in source order."""
    found = []
    for usr, function in engine.program.functions.items():
        for s in f.walk(function.body):
            if isinstance(s, f.Call) and engine.program.called(s) == "mark":
                found.append((usr, Site(usr, s.line, s.column)))
    return found


def before(text: str) -> set[str]:
    """Locks that are taken on every way to the only call of ``mark``."""
    engine = analysed(BEFORE + text)
    ((usr, site),) = places(engine)
    return {held.lock for held in Passed(engine).before(usr, site)}


@pytest.mark.parametrize(
    "body",
    [
        "a.lock(); a.unlock(); mark();",
        "a.lock(); mark(); a.unlock();",
        "{ std::lock_guard<std::mutex> hold(a); } mark();",
        "take_a(); mark();",
        "a.lock(); a.unlock(); if (flag) { mark(); }",
        "if (flag) take_a(); else a.lock(); mark();",
        "either(flag); mark();",
        "do { take_a(); } while (flag); mark();",
        "while (take_a(), flag) { mark(); }",
        "again: take_a(); mark(); if (flag) goto again;",
        "take_a(); for (;;) mark();",
        "take_a(); { again: mark(); if (flag) goto again; }",
        "auto run = [] { take_a(); }; run(); mark();",
    ],
)
def test_what_stands_before_on_every_way_was_taken(body: str) -> None:
    assert before(f"void f() {{ {body} }}") == {"a"}


@pytest.mark.parametrize(
    "body",
    [
        "mark(); take_a();",
        "if (flag) take_a(); mark();",
        "if (flag) take_a(); else mark();",
        "if (flag) take_a(); else take_b(); mark();",
        "maybe(flag); mark();",
        "leaves(flag); mark();",
        "while (flag) take_a(); mark();",
        "switch (number) { case 1: take_a(); break; default: break; } mark();",
        "if (flag) goto past; take_a(); past: mark();",
        "if (flag) goto past; take_a(); { past: mark(); }",
        "auto run = [] { take_a(); }; mark();",
        "if (a.try_lock()) a.unlock(); mark();",
    ],
)
def test_what_some_way_leaves_out_was_not(body: str) -> None:
    assert before(f"void f() {{ {body} }}") == set()


def test_callers_have_been_where_all_of_them_were() -> None:
    inner = "static void inner() { mark(); } "
    one, other = (
        "void one() { take_a(); inner(); }",
        "void other() { take_a(); take_b(); inner(); }",
    )
    assert before(inner + one + other) == {"a"}
    assert before(inner + one + "void third() { inner(); }") == set()
    assert before(inner + "void twice() { inner(); take_a(); inner(); }") == set()


def test_a_thread_begins_with_nothing() -> None:
    text = "void *run(void *) { mark(); return nullptr; } pthread_t t;"
    start = "pthread_create(&t, nullptr, run, nullptr);"
    assert before(f"{text} void f() {{ take_a(); {start} }}") == set()
    assert before(f"{text} void f() {{ take_a(); run(nullptr); {start} }}") == set()


def test_a_function_that_nothing_calls_but_itself_may_be_called_by_others() -> None:
    assert before("void f(bool x) { mark(); take_a(); if (x) f(false); }") == set()
    text = "void g(bool x); void f(bool x) { mark(); take_a(); g(x); } void g(bool x) { f(x); }"
    assert before(text) == set()


@pytest.mark.parametrize("asked", ["one", "other"])
def test_functions_that_call_each_other_take_the_same_whoever_is_asked_first(asked: str) -> None:
    text = """
    void other(bool x);
    void one(bool x) { take_a(); if (x) other(x); else mark(); }
    void other(bool x) { one(x); }
    """
    engine = analysed(BEFORE + text)
    passed = Passed(engine)
    (usr,) = engine.program.named(asked)
    passed._through_call(usr)
    both = [passed._through_call(engine.program.named(n)[0]) for n in ("one", "other")]
    assert [{held.lock for held in locks} for locks in both] == [{"a"}, {"a"}]


def test_callers_in_a_circle_have_been_where_its_entry_was() -> None:
    text = """
    static void even(bool x); static void odd(bool x) { mark(); even(x); }
    static void even(bool x) { if (x) odd(x); }
    """
    assert before(text + "void f() { take_a(); even(true); }") == {"a"}
    assert before(text + "void f() { take_a(); even(true); } void g() { odd(true); }") == set()


LATCHES = """
namespace std { struct latch { explicit latch(int); void count_down(); void wait(); }; }
std::latch first(1), second(1); int number;
struct Task { std::latch *done; std::latch *other; int *count; };
Task task;
void f(Task *t) { t->done = &first; t->count = &number; }
"""


def signals(text: str, name: str) -> set[str]:
    """The variables that may be the object of that name."""
    engine = analysed(text)
    keys = {v.name: usr for usr, v in engine.program.variables.items()}
    names = Signals(engine).names(keys[name])
    return {n for n, usr in keys.items() if usr in names}


def test_a_signal_has_the_names_that_it_is_handed_on_under() -> None:
    text = LATCHES + "void g(std::latch &it) { it.count_down(); } void h() { g(second); }"
    assert signals(text, "second") == {"second", "it"}
    assert "first" not in signals(text, "it")


def test_what_is_no_signal_joins_none() -> None:
    text = LATCHES + "int *p, *q; void g() { p = &number; q = p; }"
    assert signals(text, "p") == {"p"}
    assert signals(LATCHES, "second") == {"second"}


def test_who_asks_first_makes_no_difference() -> None:
    text = LATCHES + "void *any; void g() { any = &first; } void h() { any = &second; }"
    engine = analysed(text)
    keys = {v.name: usr for usr, v in engine.program.variables.items()}
    alone = Signals(engine).names(keys["first"])
    known = Signals(engine)
    known.names(keys["any"])
    assert known.names(keys["first"]) == alone
    assert keys["second"] not in alone


def test_where_no_class_is_known_nothing_is_a_signal() -> None:
    engine = analysed(LATCHES, Knowledge(()))
    assert not Signals(engine)._is_signal(next(iter(engine.program.variables)))
