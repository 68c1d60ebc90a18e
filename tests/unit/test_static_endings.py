"""Locks of an object whose last reference goes, while a thread of its own is waited for."""

from __future__ import annotations

import pytest

from lockorder.static.program.effects import Wait
from lockorder.static.results.endings import Endings
from walks import analysed

TEXT = """
std::mutex everybody;
void report_to(void *whom, void (*how)(void *));
struct pump {
    std::mutex m, spare;
    std::shared_ptr<pump> last;
    std::thread own;
    pump *next;
    ~pump() { END }
    void begin() { own = std::thread(&pump::run, this); MORE }
    void drop() { std::lock_guard<std::mutex> hold(LOCK); last.reset(); }
    void run() { RUN }
    static void told(void *p) { static_cast<pump *>(p)->drop(); }
};
"""
APART = "if (own.get_id() != std::this_thread::get_id()) own.join();"


def excluded(end: str = APART, more: str = "", lock: str = "m", run: str = "drop();") -> set[bool]:
    """What is said of each lock that is held where the pump's thread is joined."""
    text = TEXT.replace("END", end).replace("MORE", more)
    engine = analysed(text.replace("LOCK", lock).replace("RUN", run))
    endings = Endings(engine)
    return {
        endings.excludes(held, wait, emitted)
        for (held, wait), each in engine.found.blocked.items()
        for emitted in each
    }


@pytest.mark.parametrize(
    "end",
    [
        APART,
        "if (own.joinable() && std::this_thread::get_id() != own.get_id()) own.join();",
        "if (std::this_thread::get_id() == own.get_id()) own.detach(); else own.join();",
        "if (!(own.get_id() == std::this_thread::get_id())) own.join();",
        "auto here = std::this_thread::get_id(); if (here != own.get_id()) own.join();",
        "const bool mine = own.get_id() == std::this_thread::get_id(); if (!mine) own.join();",
        "if (own.get_id() == std::this_thread::get_id()) return; own.join();",
    ],
)
def test_a_thread_that_told_itself_apart_has_no_lock_of_the_object(end: str) -> None:
    assert excluded(end) == {True}


@pytest.mark.parametrize(
    "end",
    [
        "own.join();",
        "if (own.get_id() == std::this_thread::get_id()) own.join();",
        "if (next->own.get_id() != std::this_thread::get_id()) own.join();",
        "if (own.get_id() != std::thread::id()) own.join();",
    ],
)
def test_one_that_may_be_the_thread_itself_may_have_it(end: str) -> None:
    assert excluded(end) == {False}


def test_everybodys_lock_is_none_of_the_object() -> None:
    assert excluded(lock="everybody") == {False}


def test_a_thread_that_takes_a_neighbours_lock_may_wait_for_its_holder() -> None:
    assert excluded(run="next->drop();") == {False}


def test_a_thread_that_takes_no_such_lock_waits_for_nobody() -> None:
    assert excluded(run="spare.lock(); spare.unlock();") == {True}


@pytest.mark.parametrize(
    "more",
    [
        "std::thread(&pump::drop, this).detach();",
        "next->own = std::thread(&pump::run, this);",
        "report_to(this, &pump::told);",
        "report_to(this, [](void *p) { static_cast<pump *>(p)->drop(); });",
    ],
)
def test_who_has_the_address_alone_may_have_the_lock(more: str) -> None:
    assert excluded(more=more) == {False}


def test_a_wait_is_at_the_end_of_an_object_where_the_waiter_is_another() -> None:
    assert Wait("join", ("f",)).at_end("pump") == Wait("join", ("f",))
    at_end = Wait("join", ("f",), True).at_end("pump")
    assert at_end.ending == "pump"
    assert at_end.at_end("session") is at_end  # the innermost
