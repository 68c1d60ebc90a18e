"""The end of the program by a call: destructors of globals run with what is held there."""

from __future__ import annotations

import pytest

from lockorder.model import Certainty
from lockorder.static.interp import exits
from lockorder.static.interp.engine import Engine
from walks import analysed

BEFORE = """
std::mutex a, b; std::recursive_mutex again;
struct Log { std::mutex own; ~Log() { own.lock(); own.unlock(); } };
struct Taker { ~Taker() { b.lock(); b.unlock(); } };
struct Again { ~Again() { again.lock(); again.unlock(); } };
struct Tries { ~Tries() { if (b.try_lock()) b.unlock(); } };
struct Whole { Taker part; };
void ends() { exit(1); }
"""


def orders(text: str) -> set[tuple[str, str]]:
    """Which locks are taken while others are held."""
    return set(analysed(BEFORE + text).found.orders)


@pytest.mark.parametrize(
    "variable",
    [
        "Taker global;",
        "static Taker global;",
        "Whole global;",
        "struct Home { static Taker member; }; Taker Home::member;",
        "void other() { static Taker inside; }",
        "std::unique_ptr<Taker> owner;",
        "struct Less : Taker {}; Less global;",
    ],
)
def test_what_the_ends_of_globals_take_is_taken_under_what_is_held(variable: str) -> None:
    assert orders(f"{variable} void f() {{ a.lock(); exit(1); }}") == {("a", "b")}
    assert orders(f"{variable} void f() {{ a.lock(); ends(); }}") == {("a", "b")}


@pytest.mark.parametrize(
    "text",
    [
        "Taker global; void f() { exit(1); }",
        "Taker global; void f() { a.lock(); a.unlock(); exit(1); }",
        "Taker global; void f() { a.lock(); abort(); }",
        "Taker *global; void f() { a.lock(); exit(1); }",
        "Taker &global = *new Taker; void f() { a.lock(); exit(1); }",
        "Tries global; void f() { a.lock(); exit(1); }",
        "void g(Taker *p) { Taker *q = p; } void f() { a.lock(); exit(1); }",
    ],
)
def test_where_nothing_is_held_or_ends_there_is_no_order(text: str) -> None:
    assert orders(text) == set()


def again(text: str) -> Engine:
    return analysed(BEFORE + text)


def test_a_destructor_that_takes_what_is_held_waits_for_ever() -> None:
    found = again("Taker global; void f() { b.lock(); exit(1); }").found
    assert {lock for lock, *_ in found.self_locks} == {"b"}
    assert not found.orders


def test_a_lock_that_its_holder_may_take_again_does_not() -> None:
    assert not again("Again global; void f() { again.lock(); exit(1); }").found.self_locks


def test_the_member_of_the_global_is_what_its_destructor_takes() -> None:
    found = again("Log log; void f() { log.own.lock(); exit(1); }").found
    (known,) = (each for kept in [found.self_locks] for each in kept.values())
    assert {lock for lock, *_ in found.self_locks} == {"Log::own"}
    assert known


def test_another_object_of_the_class_makes_it_less_sure() -> None:
    sure = again("Log log; void f() { log.own.lock(); exit(0); }").found.self_locks
    sure |= again("Log log, more; void f() { log.own.lock(); exit(0); }").found.self_locks
    other = again("Log log, more; void f(Log *p) { p->own.lock(); exit(0); }").found.self_locks
    assert _certainties(sure) == {Certainty.CERTAIN}
    assert Certainty.CERTAIN not in _certainties(other)


def _certainties(found: object) -> set[Certainty]:
    assert isinstance(found, dict)
    each = [v if hasattr(v, "taken") else v[0] for v in found.values()]
    return {one.taken.certainty for one in each}


def test_no_wait_for_the_end_is_left() -> None:
    engine = again("Taker global; void f() { a.lock(); exit(1); }")
    assert not engine.found.blocked
    exits.tell(engine)  # nothing is left to tell
    assert set(engine.found.orders) == {("a", "b")}


def test_what_runs_because_the_program_has_failed_is_less_sure() -> None:
    failed = again("Taker global; void f() { b.lock(); exit(1); }").found.self_locks
    done = again("Taker global; void f() { b.lock(); exit(0); }").found.self_locks
    asked = again("Taker global; void f(int n) { b.lock(); exit(n); }").found.self_locks
    assert _certainties(failed) == {Certainty.GUESSED}
    assert _certainties(done) == _certainties(asked) == {Certainty.CERTAIN}


def test_a_destructor_that_ends_the_program_ends_it_once() -> None:
    found = again(
        "struct Last { ~Last() { b.lock(); exit(1); } }; Last l; void f() { a.lock(); exit(1); }"
    )
    assert set(found.found.orders) == {("a", "b")}
    assert not found.found.blocked
