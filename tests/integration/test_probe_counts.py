"""Acquisitions are counted once each, and a release is of the lock that lies there now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from probed import recorded
from runtime_probe.layout import MisuseKind
from runtime_probe.records import Trace

BuildProgram = Callable[[str], Path]


@pytest.fixture(scope="session")
def many_locks(build_program: BuildProgram) -> str:
    return str(build_program("many_locks"))


def run(command: list[str], folder: Path) -> tuple[Trace, list[int]]:
    """What was recorded, and the addresses that the program told."""
    trace, printed = recorded(command, folder)
    return trace, [int(address, 16) for address in printed.split()]


def taken(trace: Trace, address: int) -> int:
    return sum(
        stat.acquisitions
        for number, stat in trace.stats.items()
        if trace.locks[number].address == address
    )


def test_each_acquisition_counts_once(many_locks: str, tmp_path: Path) -> None:
    trace, addresses = run([many_locks, "counted"], tmp_path)
    assert [taken(trace, address) for address in addresses] == [3000, 3000, 1500]


def test_counts_outlive_what_a_thread_remembers(many_locks: str, tmp_path: Path) -> None:
    trace, (outer,) = run([many_locks, "crowd"], tmp_path)
    assert taken(trace, outer) == 90_000
    inner = {number for number, lock in trace.locks.items() if lock.address != outer}
    counts = {trace.stats[number].acquisitions for number in inner if number in trace.stats}
    assert counts == {3}
    assert len({edge.target for edge in trace.edges}) == trace.counters["edges_seen"] == 30_000


def test_a_lock_that_was_made_anew_is_not_held(many_locks: str, tmp_path: Path) -> None:
    trace, (address,) = run([many_locks, "replaced"], tmp_path)
    told = [(m.kind, trace.locks[m.lock].generation) for m in trace.misuses]
    assert trace.locks[trace.misuses[0].lock].address == address
    assert told == [(MisuseKind.UNLOCK_NOT_HELD, 2)]
