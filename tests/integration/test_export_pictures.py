"""Pictures of real recordings: a deadlock and two ranks for Perfetto; the verb."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import test_fake_cuda
from lockorder.recorded.analyse import traces_in
from lockorder.recorded.timeline import read_whole
from lockorder.report import perfetto
from perfetto_traces import Read, read
from runtime_probe.launch import preload_environment, shim_path

fakes = test_fake_cuda.fakes
start_rank = test_fake_cuda.start_rank
LOCKORDER = [sys.executable, "-m", "lockorder"]


@pytest.fixture(scope="module")
def stuck(build_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The traces of two threads in a deadlock, which was ended."""
    folder = tmp_path_factory.mktemp("stuck") / "traces"
    watch = ["--hang-timeout", "0.5", "--on-hang", "kill", "-q"]
    command = [*LOCKORDER, "run", "-o", folder, *watch, "--", build_program("standing"), "deadlock"]
    subprocess.run(command, check=False, capture_output=True, timeout=120)
    return folder


def drawn(folder: Path) -> Read:
    document = read_whole(traces_in(folder))
    assert document.problems == ()
    return read(perfetto.render(document))


def test_a_deadlock(stuck: Path) -> None:
    found = drawn(stuck)
    kinds = Counter(s.category for s in found.slices)
    assert (kinds["wait"], kinds["hold"], kinds["thread"]) == (2, 2, 3)
    waits = {begin.track[2]: end.name for begin, end in found.flows if end.category == "wait"}
    # The arrow begins on the track of the lock that is waited for.
    assert {(lock.split()[0], name) for lock, name in waits.items()} == {
        ("lock_a", "waits for lock_a"),
        ("lock_b", "waits for lock_b"),
    }
    for begin, end in found.flows:
        assert begin.ts <= end.ts
    for wait in (s for s in found.slices if s.category == "wait"):
        assert wait.dur == -1
        assert "one_side" in wait.arguments["place"]
        assert "standing.c" in wait.arguments["place"]


def test_ranks_are_processes(start_rank: test_fake_cuda.StartRank, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    folder.mkdir()
    first, second = (
        start_rank(
            "all_reduce", rank, 2,
            **preload_environment({**os.environ, "RANK": str(rank)}, shim_path(), folder),
        )
        for rank in range(2)
    )  # fmt: skip
    test_fake_cuda.write(second, test_fake_cuda.read_line(first))
    assert [p.wait(30) for p in (first, second)] == [0, 0]
    found = drawn(folder)
    assert sorted(name.split(",")[0] for name in found.processes.values()) == ["rank 0", "rank 1"]
    reduced = [s for s in found.slices if s.name == "ncclAllReduce"]
    assert sorted(s.track[0].split(",")[0] for s in reduced) == ["rank 0", "rank 1"]
    assert len({s.arguments["detail"] for s in reduced}) == 1
    assert {s.category for s in reduced} == {"collective"}
    # All on one clock: neither is done before the other has begun to make the communicator.
    made = [s for s in found.slices if s.name == "ncclCommInitRank"]
    assert max(s.ts for s in made) < min(s.ts + s.dur for s in made)


@pytest.mark.parametrize("to", ["perfetto", "dot"])
def test_the_verb(stuck: Path, tmp_path: Path, to: str) -> None:
    output = tmp_path / "picture"
    command = [*LOCKORDER, "export", stuck, "--to", to, "--output", output]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if to == "perfetto":
        assert len(read(output.read_bytes()).flows) >= 2
    else:
        assert output.read_text().startswith("digraph lockorder {\n")
        assert output.read_text().count(" -> ") == 2
