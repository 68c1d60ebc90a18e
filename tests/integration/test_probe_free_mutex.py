"""Seed 1 in small, under the probe: a cycle that never closes is found in every rank.

fixtures/fake_cuda/programs/free_mutex/README.md tells the story.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from compilers import CannotBuildError, compiler

import test_fake_cuda
from runtime_probe.trace import FILE_PATTERN, read_trace

fakes = test_fake_cuda.fakes
SOURCES = test_fake_cuda.SOURCES / "programs" / "free_mutex"
RANKS, STEPS, BLOCKS = 3, 4, 3
LOCKORDER = [sys.executable, "-m", "lockorder"]

Command = Callable[[str], list[str]]


@pytest.fixture(scope="session")
def job(fakes: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The command that starts all ranks of the version ``before`` or ``after`` the fix."""
    try:
        compile_ = compiler(".cpp")
    except CannotBuildError as missing:
        pytest.skip(str(missing))
    folder = tmp_path_factory.mktemp("free_mutex")
    flags = ["-std=c++17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
    flags += ["-fno-optimize-sibling-calls", f"-I{test_fake_cuda.SOURCES / 'include'}"]

    def build(target: Path, sources: list[str], *more: str) -> str:
        files = [str(SOURCES / source) for source in sources]
        command = [*compile_, *flags, "-o", str(target), *files, *more]
        subprocess.run(command, check=True)
        return str(target)

    launcher = build(folder / "launcher", ["launcher.cpp"], "-ldl")
    rank = ["allocator.cpp", "process_group.cpp", "trainer.cpp"]
    link = ["-shared", "-fPIC", str(fakes / "libnccl.so.2"), str(fakes / "libcudart.so.12")]
    link.append(f"-Wl,-rpath,{fakes}")
    before = build(folder / "before.so", rank, *link)
    after = build(folder / "after.so", rank, "-DFREE_MUTEX_FIXED", *link)
    libraries = {"before": before, "after": after}
    return lambda version: [launcher, libraries[version], str(RANKS)]


def recorded(command: list[str], folder: Path) -> list[dict[str, Any]]:
    """The findings of a run, which `run` itself and `analyze` agree on."""
    done = subprocess.run(
        [*LOCKORDER, "run", "-o", str(folder), "--", *command],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    analysed = subprocess.run(
        [*LOCKORDER, "analyze", "--format", "json", str(folder)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    told = json.loads(analysed.stdout).get("findings", [])
    found: list[dict[str, Any]] = [f for f in told if f["level"] != "note"]
    assert analysed.returncode == bool(found)
    assert all(finding["message"] in done.stdout + done.stderr for finding in found)
    return found


def functions(chain: list[dict[str, Any]]) -> list[str]:
    return [frame["function"].rpartition("::")[2] for frame in chain]


def test_the_cycle_in_every_rank(job: Command, tmp_path: Path) -> None:
    found = recorded(job("before"), tmp_path)
    (cycle,) = (f for f in found if f["rule"] == "lock-order-cycle")
    assert cycle["level"] == "error"
    assert cycle["confidence"] == "high"
    assert cycle["message"].endswith(f"; seen in ranks 0-{RANKS - 1}")
    assert len(cycle["locks"]) == 2
    sides = {
        tuple(functions(held["chain"])[-1] for held in p["held"]): functions(p["taken"]["chain"])
        for p in cycle["participants"]
    }
    assert set(sides) == {("all_reduce",), ("empty_cache",)}
    launches, frees = sides["all_reduce",], sides["empty_cache",]
    assert launches[-4:] == ["train_step", "all_reduce", "launch", "record_stream"]
    assert frees[-3:] == ["trim", "empty_cache", "release_cached"]
    # The allocator's lock over what waits for the device is the same mistake seen from elsewhere.
    assert {f["rule"] for f in found} == {"lock-order-cycle", "blocking-under-lock"}


def test_the_fixed_twin(job: Command, tmp_path: Path) -> None:
    assert recorded(job("after"), tmp_path) == []


def test_it_ends_without_the_probe(job: Command) -> None:
    for version in ("before", "after"):
        environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        subprocess.run(job(version), env=environment, check=True, timeout=60)


def test_the_ranks_agree(job: Command, tmp_path: Path) -> None:
    """What NCCL was asked for, by rank: one communicator, the same calls in one order."""
    recorded(job("after"), tmp_path)
    said = []
    for path in sorted(tmp_path.glob(FILE_PATTERN)):
        trace = read_trace(path)
        if not trace.communicators:
            continue  # the launcher, and its children before they became ranks
        (comm,) = trace.communicators.values()
        assert (comm.rank, comm.ranks) == (trace.header.rank, RANKS)
        calls = [
            (c.order, c.elements, c.type, c.reduction)
            for c in trace.nccl_calls
            if c.communicator == comm.number and c.order
        ]
        said.append((comm.unique, comm.collectives, calls))
    assert len(said) == RANKS
    assert [s[1] for s in said] == [STEPS * BLOCKS] * RANKS
    assert said[1:] == said[:-1]
