"""What the probe takes a thread to hold, and what becomes of a thread inside the probe's work."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from probed import recorded
from runtime_probe.launch import run_preloaded
from runtime_probe.trace import read_trace

BuildProgram = Callable[[str], Path]


@pytest.fixture(scope="session")
def held_locks(build_program: BuildProgram) -> str:
    return str(build_program("held_locks"))


def test_a_lock_that_another_thread_gave_up_is_not_held(held_locks: str, tmp_path: Path) -> None:
    trace, printed = recorded([held_locks, "given-away"], tmp_path)
    second, third = (int(address, 16) for address in printed.split())
    address = {number: lock.address for number, lock in trace.locks.items()}
    held = [[address[each.lock] for each in call.held] for call in trace.blocked]
    assert held == [[second, third]]


def test_a_thread_is_not_cancelled_inside_a_lock_call(held_locks: str, tmp_path: Path) -> None:
    # pthread_mutex_lock is no cancellation point (pthreads(7)); what the probe does in it is none.
    assert subprocess.run([held_locks, "doomed"], check=False).returncode == 0
    assert run_preloaded([held_locks, "doomed"], tmp_path) == 0
    (path,) = tmp_path.glob("trace-*.lot")
    assert len(read_trace(path).edges) >= 199


def test_a_thread_counts_the_locks_that_it_took(held_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([held_locks, "given-away"], tmp_path) == 0
    (path,) = tmp_path.glob("trace-*.lot")
    assert read_trace(path).threads[1].operations == 3  # the semaphore and two mutexes


def test_stacks_are_whole_though_kept_as_differences(held_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([held_locks, "doomed"], tmp_path) == 0
    (path,) = tmp_path.glob("trace-*.lot")
    trace = read_trace(path)
    (worker,) = (t for t in trace.threads.values() if t.creator)
    stacks = [trace.stack(e.target_stack) for e in trace.edges if e.thread == worker.number]
    bases = {base for _, _, base, shared in trace._stacks.values() if shared}
    assert bases
    assert all(not trace._stacks[base][3] for base in bases)
    # take_crowd, below it what libc starts threads with: the same for all.
    assert len(stacks) >= 199
    assert len({stack[-2:] for stack in stacks}) == 1
