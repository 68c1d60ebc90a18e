"""Which threads a function has started and not waited for."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Facts, Variable
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT, Element
from lockorder.static.program.threads import Threads, handle

MAIN = f.Function("main", "main", "function", [], f.Block([]), "a.c", 1)
HELPER = f.Function("helper", "helper", "function", [], f.Block([]), "a.c", 9)
GLOBAL = Variable("g", "g", "global", "pthread_t")
LOCAL = Variable("l", "l", "local", "pthread_t")
T, U = Path.of_variable("l"), Path.of_variable("g")


@pytest.fixture
def threads() -> Threads:
    program = Program([Facts("a.c", [MAIN, HELPER], [], [GLOBAL, LOCAL], [], [])])
    found = Threads(program)
    found.begin(MAIN)
    return found


def test_joined(threads: Threads) -> None:
    threads.started(MAIN, T, ["work"])
    assert not threads.none_runs
    threads.joined(MAIN, [handle(T)])
    assert threads.none_runs


def test_another_handle(threads: Threads) -> None:
    threads.started(MAIN, T, ["work"])
    threads.started(MAIN, U, ["work"])
    threads.joined(MAIN, [handle(T)])
    assert not threads.none_runs


@pytest.mark.parametrize(
    ("started", "joined", "over"),
    [
        (ELEMENT, ELEMENT, True),
        (Element("0"), ELEMENT, True),
        (ELEMENT, Element("0"), False),
        (Element("0"), Element("1"), False),
    ],
)
def test_elements(threads: Threads, started: str, joined: str, over: bool) -> None:
    threads.started(MAIN, T.then(started), ["work"])
    threads.joined(MAIN, [handle(T.then(joined))])
    assert threads.none_runs is over


@pytest.mark.parametrize(("where", "over"), [(U, True), (T, False)])
def test_started_in_a_callee(threads: Threads, where: Path, over: bool) -> None:
    threads.begin(HELPER)
    threads.started(HELPER, where, ["work"])
    threads.begin(MAIN)
    assert threads.called(MAIN, "helper")
    assert not threads.none_runs
    threads.joined(MAIN, [handle(where)])
    assert threads.none_runs is over  # a callee's local is none of main's


def test_joined_in_a_callee(threads: Threads) -> None:
    threads.begin(HELPER)
    threads.joined(HELPER, [handle(U)])
    threads.begin(MAIN)
    threads.started(MAIN, U, ["work"])
    threads.called(MAIN, "helper")
    assert threads.none_runs


def test_nothing_to_do_with_threads(threads: Threads) -> None:
    threads.started(MAIN, T, ["work"])
    assert not threads.called(MAIN, "helper")
    assert not threads.none_runs


def test_functions_that_call_each_other_twice(threads: Threads) -> None:
    threads.started(MAIN, U, ["work"])
    for _ in range(64):  # each time twice as many, where a name is not kept once
        threads.begin(HELPER)
        assert threads.called(HELPER, "main")
        assert threads.called(HELPER, "main")
        threads.begin(MAIN)
        assert threads.called(MAIN, "helper")
        assert threads.called(MAIN, "helper")
    assert not threads.none_runs
    threads.joined(MAIN, [handle(U)])
    assert threads.none_runs
