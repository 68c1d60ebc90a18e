"""Mutexes that come and go get no number, until something happens while one is held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from probed import recorded
from runtime_probe.records import Trace

BuildProgram = Callable[[str], Path]


@pytest.fixture(scope="session")
def passing(build_program: BuildProgram) -> str:
    return str(build_program("passing"))


def run(program: str, what: str, folder: Path) -> tuple[Trace, int, int]:
    """What was recorded, and the addresses of the lock that comes late and of the last node's."""
    trace, printed = recorded([program, what], folder)
    late, last = (int(address, 16) for address in printed.split())
    return trace, late, last


def test_they_get_no_number(passing: str, tmp_path: Path) -> None:
    trace, _, last = run(passing, "nothing", tmp_path)
    assert trace.counters["locks_passed"] > 350
    assert trace.counters["locks_seen"] < 2300
    assert trace.counters["deaths_by_free"] < 50
    assert last not in {lock.address for lock in trace.locks.values()}


def test_in_one_place_they_get_few(passing: str, tmp_path: Path) -> None:
    trace, _, last = run(passing, "one-place", tmp_path)
    assert trace.counters["locks_seen"] < 2230
    assert trace.counters["deaths_by_free"] < 20
    assert last not in {lock.address for lock in trace.locks.values()}


def test_an_order_with_one_is_recorded(passing: str, tmp_path: Path) -> None:
    trace, late, last = run(passing, "lock", tmp_path)
    orders = {(trace.locks[e.source].address, trace.locks[e.target].address) for e in trace.edges}
    assert (last, late) in orders


def test_a_wait_under_one_is_recorded(passing: str, tmp_path: Path) -> None:
    trace, _, last = run(passing, "wait", tmp_path)
    held = {trace.locks[h.lock].address for call in trace.blocked for h in call.held}
    assert last in held
