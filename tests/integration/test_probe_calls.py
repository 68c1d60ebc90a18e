"""What the probe says of calls that the C library lets pass, of forks and of named semaphores."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.model import Finding
from lockorder.recorded.analyse import analyse, to_document, traces_in
from runtime_probe.launch import preload_environment, run_preloaded, shim_path
from runtime_probe.layout import Kind, LockFlag, MisuseKind
from runtime_probe.records import Trace
from runtime_probe.trace import FILE_PATTERN, read_trace

BuildProgram = Callable[[str], Path]
WAITS, UNLOCKS = MisuseKind.WAIT_NOT_HELD, MisuseKind.UNLOCK_NOT_HELD
#: Minor faults that the probe may add to a child of fork: what it clears, it must not touch.
MOST_FAULTS = 300


def recorded(folder: Path, program: Path, *arguments: str) -> Trace:
    assert run_preloaded([str(program), *arguments], folder) == 0
    (path,) = folder.glob(FILE_PATTERN)
    return read_trace(path)


def told(folder: Path) -> list[Finding]:
    return list(to_document(analyse(traces_in(folder))).findings)


@pytest.mark.parametrize(
    ("what", "kinds"),
    [
        ("wait-free", [WAITS]),
        ("wait-others", [WAITS]),
        ("wait-held", []),
        ("unlock-readers", [UNLOCKS] * 3),  # of three locks
        ("unlock-writer", [UNLOCKS] * 3),
        ("unlock-as-often", []),
    ],
)
def test_wrong_calls(
    build_program: BuildProgram, tmp_path: Path, what: str, kinds: list[MisuseKind]
) -> None:
    """Each is told once for its place, and as nothing else: after a wait the mutex is held."""
    trace = recorded(tmp_path, build_program("wrong_calls"), what)
    assert [m.kind for m in trace.misuses] == kinds
    assert [f.rule for f in told(tmp_path)] == ["unlock-not-held"] * bool(kinds)


def test_a_wait_is_told_as_one(build_program: BuildProgram, tmp_path: Path) -> None:
    recorded(tmp_path, build_program("wrong_calls"), "wait-others")
    (finding,) = told(tmp_path)
    assert finding.message.startswith("a wait for a condition gives up mutex, which the thread")
    chain = [f.function for f in finding.participants[0].chain]
    assert chain[-2:] == ["wait_while_another_holds", "wait_with"]


def test_a_mutex_that_refuses_the_wait_is_not_told(
    build_program: BuildProgram, tmp_path: Path
) -> None:
    recorded(tmp_path, build_program("wrong_calls"), "wait-errorcheck")
    assert told(tmp_path) == []


def test_a_fork_touches_little_in_the_child(build_program: BuildProgram, tmp_path: Path) -> None:
    program = build_program("fork_faults")

    def faults(environment: dict[str, str]) -> int:
        done = subprocess.run([program], env=environment, capture_output=True, check=True)
        return int(done.stdout)

    plain = faults({**os.environ})
    probed = faults(preload_environment(os.environ, shim_path(), tmp_path))
    assert probed - plain <= MOST_FAULTS
    assert len(list(tmp_path.glob(FILE_PATTERN))) == 2


@pytest.mark.parametrize(
    ("arguments", "signal"),
    [("3", True), ("1", False), ("3 again", True), ("1 again", False)],
)
def test_a_named_semaphore(
    build_program: BuildProgram, tmp_path: Path, arguments: str, signal: bool
) -> None:
    """One that begins with more than 1 keeps nobody out: no lock, and no order."""
    trace = recorded(tmp_path, build_program("named_semaphore"), *arguments.split())
    flags = [k.flags for k in trace.locks.values() if k.kind == Kind.SEMAPHORE]
    assert [bool(f & LockFlag.SIGNAL) for f in flags] == [signal] * len(flags)
    assert all(f & LockFlag.PSHARED for f in flags)
    assert len(trace.edges) == (0 if signal else 1)
