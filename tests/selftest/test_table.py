"""The table itself: complete, balanced, and of one mind with the cycle search."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from compilers import CannotBuildError

from lockorder.cycles import find_cycles
from lockorder.model import (
    Acquisition,
    EdgeWitness,
    HeldLock,
    How,
    Instance,
    Lock,
    LockGraph,
    Mode,
)
from matrix import CYCLE, NAMED, NO_MODEL, SCRIPTS, SHARED, Case, cases
from picture import picture, summary
from support import Programs, run, serious_rules

ALL = list(cases())
#: What "processes" runs in its children, and is no case of its own.
HELPERS = {"processes": {"orders", "order", "nothing", "main-backwards"}}
_HOW = {"?": How.TRY, "u": How.TRY, "t": How.TIMED, "c": How.TIMED}
_TAKES = "+r?utco"


def test_no_case_is_there_twice() -> None:
    names = [str(case) for case in ALL]
    assert len(names) == len(set(names))


def test_what_must_fire_and_what_must_not_are_of_one_size() -> None:
    fires = sum(bool(case.rules) for case in ALL)
    assert 0.4 < fires / len(ALL) < 0.6


@pytest.mark.parametrize("program", NAMED)
def test_programs_and_table_know_the_same_cases(program: str, tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    try:
        listed = run(programs.command(program, ()), programs.environment).stdout.decode().split()
    except CannotBuildError as missing:
        pytest.skip(str(missing))
    assert [name for name, _ in NAMED[program]] == [
        name for name in listed if name not in HELPERS.get(program, ())
    ]


# ---- scripts against the cycle search --------------------------------------------------------


class Held(NamedTuple):
    """A lock that a thread of a script has."""

    lock: str
    mode: Mode
    how: How


def graph_of(script: str) -> LockGraph:
    """The lock-order graph of a script, built in the most simple-minded way."""
    graph = LockGraph()
    lives = dict.fromkeys("ABCDEF", 0)
    for lock, life in itertools.product(lives, range(3)):
        graph.add_lock(Lock(f"{lock}{life}", lock))
    held: dict[str, list[Held]] = {}
    for thread, what, name in steps(script):
        mine = held.setdefault(thread, [])
        lock = f"{name}{lives.get(name, 0)}"
        if what in _TAKES:
            now = Held(
                lock, Mode.SHARED if what in "ru" else Mode.EXCLUSIVE, _HOW.get(what, How.BLOCKING)
            )
            if now.mode is Mode.EXCLUSIVE and now.how is How.BLOCKING:
                graph.add_writer(lock)
            if all(other.lock != lock for other in mine):
                for witness in edges(thread, mine, now):
                    graph.add_witness(witness)
            mine.append(now)
        elif what == "-" and (own := [i for i, each in enumerate(mine) if each.lock == lock]):
            del mine[own[-1]]
        elif what == "i":
            lives[name] += 1
    return graph


def steps(script: str) -> Iterator[tuple[str, str, str]]:
    """(thread, sign, lock) of each step; dots, which end a thread, are left out."""
    thread = "0"
    for digit, what, lock in re.findall(r"(\d)|([^\s\d.])([A-F])", script):
        thread = digit or thread
        if not digit:
            yield thread, what, lock


def edges(thread: str, held: list[Held], now: Held) -> Iterator[EdgeWitness]:
    """One edge from each lock that is held, with the others as gates."""
    for each in held:
        yield EdgeWitness(
            Acquisition(each.lock, (), each.mode, each.how, at(each)),
            Acquisition(now.lock, (), now.mode, now.how, at(now)),
            gates=tuple(HeldLock(o.lock, o.mode, at(o)) for o in held if o.lock != each.lock),
            thread=thread,
        )


def at(held: Held) -> Instance:
    return Instance(held.lock, absolute=True)


@pytest.mark.parametrize(
    ("script", "fires"),
    [(script, rules >= CYCLE) for shape, script, _, rules in SCRIPTS if shape not in NO_MODEL],
)
def test_cycle_search_agrees(script: str, fires: bool) -> None:
    found = find_cycles(graph_of(script)).cycles
    assert any(not cycle.timed for cycle in found) == fires


def test_scripts_with_readers_are_for_locks_that_have_them() -> None:
    for case in ALL:
        if re.search("[ruE][A-F]", case.arguments[-1]):
            assert case.kind in SHARED, case


# ---- the harness -----------------------------------------------------------------------------


def test_notes_do_not_count() -> None:
    document = b"""{"findings": [
        {"rule": "lock-order-cycle", "level": "note"},
        {"rule": "self-deadlock", "level": "error"},
        {"rule": "blocking-under-lock", "level": "warning"}]}"""
    assert serious_rules(document) == {"self-deadlock", "blocking-under-lock"}


def test_picture() -> None:
    results = [
        ("orders", "mutex", "ABBA", "ok"),
        ("orders", "spin", "ABBA", "FAIL"),
        ("orders", "mutex", "AA", "ok"),
        ("waits", "waits", "alone", "ok"),
    ]
    assert list(picture(results)) == [
        "     mutex spin",
        "ABBA    ok FAIL",
        "AA      ok",
        "",
        "waits",
        "  alone ok",
        "",
        "3 of 4 as expected, 1 FAILED",
    ]
    assert summary(["ok"]) == "1 of 1 as expected"


def test_a_case_is_named_after_its_kind_and_shape() -> None:
    assert str(Case("orders", "mutex", "ABBA", ("mutex", "1+A-A"), CYCLE)) == "mutex-ABBA"
