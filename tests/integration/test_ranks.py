"""Ranks that issue what does not fit, over the fake NCCL, under the probe; and ranks that may.

fixtures/fake_cuda/programs/job.c explains the words of the scripts, buckets/README.md the story of
seed 2.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from compilers import CannotBuildError, compiler
from selftest.support import record

import test_fake_cuda
from lockorder import cli

fakes = test_fake_cuda.fakes
PROGRAMS = test_fake_cuda.SOURCES / "programs"
#: Operations that do not fit go on without data, so that each program ends.
ENDS = {"FAKE_NCCL_ON_MISMATCH": "continue", "FAKE_NCCL_TIMEOUT_MS": "300"}
MISMATCH, CYCLE = "collective-mismatch", "communicator-order-cycle"
ABOUT_RANKS = {MISMATCH, CYCLE}

Build = Callable[[str], str]


@pytest.fixture(scope="session")
def build(fakes: Path, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds one of the programs, once."""
    folder = tmp_path_factory.mktemp("ranks")
    built: dict[str, str] = {}

    def build(name: str) -> str:
        source = PROGRAMS / name
        if name not in built:
            try:
                compile_ = compiler(source.suffix)
            except CannotBuildError as missing:
                pytest.skip(str(missing))
            flags = ["-std=c++17" if source.suffix == ".cpp" else "-std=gnu11", "-O1", "-g"]
            flags += ["-Wall", "-Wextra", "-Werror", "-pthread", "-fno-optimize-sibling-calls"]
            link = [str(fakes / "libnccl.so.2"), str(fakes / "libcudart.so.12")]
            target = str(folder / source.stem)
            command = [*compile_, *flags, f"-I{test_fake_cuda.SOURCES / 'include'}", "-o", target]
            subprocess.run([*command, str(source), *link, f"-Wl,-rpath,{fakes}"], check=True)
            built[name] = target
        return built[name]

    return build


def findings(command: Sequence[str], folder: Path) -> list[dict[str, Any]]:
    """What a run of *command* shows about its ranks."""
    outcome = record(command, {**os.environ, **ENDS}, folder / "traces")
    assert outcome.code == 0, outcome.stderr
    return analysed(folder)


def analysed(folder: Path) -> list[dict[str, Any]]:
    result = folder / "result.json"
    code = cli.main(
        ["analyze", "-q", "--format", "json", "--output", str(result), str(folder / "traces")]
    )
    assert code in (0, 1)
    found: list[dict[str, Any]] = json.loads(result.read_bytes()).get("findings", [])
    return [f for f in found if f["rule"] in ABOUT_RANKS]


TWO, FOUR, LOOP = "A=0,1", "A=0,1,2,3", "A4 A8 "
FIRE: dict[str, tuple[str, list[str], str, str]] = {
    "order": (TWO, ["A4 A8 A2", "A4 A2 A8"], MISMATCH, "operation 2 "),
    "count": (TWO, ["A4", "A5"], MISMATCH, "operation 1 "),
    "type": (TWO, ["A4", "A4i"], MISMATCH, "rank 1 issued all_reduce of 4 int32"),
    "reduction": (TWO, ["A4", "A4m"], MISMATCH, "rank 1 issued all_reduce of 4 float32 (max)"),
    "root": (TWO, ["A4b0", "A4b1"], MISMATCH, "with root 0 at job.c:"),
    "operation": (TWO, ["A4g", "A4"], MISMATCH, "all_gather of 4"),
    "a rank that never comes": (FOUR, [*["A4 A4"] * 3, "A4"], MISMATCH, "rank 3 never came"),
    "a rank with one too many": (FOUR, ["A4", "A4", "A4 A4", "A4"], MISMATCH, "rank 2 issued"),
    "after a long loop": (TWO, [LOOP * 500 + "A4", LOOP * 500 + "A5"], MISMATCH, "operation 1,001"),
    "once in a long loop": (
        TWO, [LOOP * 400, LOOP * 200 + "A8 A4 " + LOOP * 199], MISMATCH, "operation 401 ",
    ),
    "send without receive": (TWO, ["A>1x4 A>1x4", "A<0x4"], MISMATCH, "sent and never received"),
    "receive without send": (TWO, ["A4", "A4 A<0x4"], MISMATCH, "received and never sent"),
    "message sizes": (TWO, ["A>1x4", "A<0x5"], MISMATCH, "sent as 4 float32 and received as 5"),
    "nested groups": (TWO, ["( A4 ( A8 ) )", "( ( A8 ) A4 )"], MISMATCH, "operation 1 "),
    "crossed in one stream": (f"{TWO} B=0,1", ["A4 B4", "B4 A4"], CYCLE, "ranks 0-1 issue"),
    "crossed in two streams": (f"{TWO} B=0,1", ["/1 A4 /2 B4", "/2 B4 /1 A4"], CYCLE, "ranks 0-1"),
    "crossed with a split": (f"{TWO} B=A/0,1", ["A4 B4", "B4 A4"], CYCLE, "ranks 0-1 issue"),
    "a ring of three": (
        "A=0,2 B=0,1 C=1,2", ["A4 B4", "B4 C4", "C4 A4"], CYCLE, "ranks 0-2 issue",
    ),
    "messages in a split": (
        f"{FOUR} B=A/1,3", ["A2", "A2 B>1x4 B>1x4", "A2", "A2 B<0x4"], MISMATCH, "rank 1 to rank 3",
    ),
    "in one half of a split": (
        f"{FOUR} B=A/0,1 C=A/2,3", ["B4 A2", "B4 A2", "C4 A2", "C5 A2"], MISMATCH, "(ranks 2-3)",
    ),
}  # fmt: skip
CLEAN: dict[str, tuple[str, list[str]]] = {
    "the same": (FOUR, ["A4 A8 A4b1 | " * 5] * 4),
    "two communicators in one order": (f"{TWO} B=0,1", ["/1 A4 /2 B4 " * 5] * 2),
    "in a group in any order": (f"{TWO} B=0,1", ["( A4 B4 )", "( B4 A4 )"]),
    "an exchange": (TWO, ["( A>1x4 A<1x4 )", "( A>0x4 A<0x4 )"]),
    "nested groups": (TWO, ["( A4 ( A8 ) A2 )", "( ( A4 A8 ) A2 )"]),
    "a pipeline": (
        "A=0,1,2", ["A>1x4 A>1x4 A>1x4", "A<0x4 A>2x4 " * 3, "A<1x4 A<1x4 A<1x4"],
    ),
    "subgroups with work of their own": (
        f"{FOUR} B=A/0,1 C=A/2,3", ["A2 B4 B5 A2", "A2 B4 B5 A2", "A2 C7 A2", "A2 C7 A2"],
    ),
    "rows and columns": (
        "R=0,1 S=2,3 C=0,2 D=1,3", ["R4 C4 " * 3, "R4 D4 " * 3, "S4 C4 " * 3, "S4 D4 " * 3],
    ),
    "a subgroup that only some ranks use": (
        f"{FOUR} B=A/0,1", ["A2 B4 A2", "A2 B4 A2", "A2 A2", "A2 A2"],
    ),
}  # fmt: skip


def job(build: Build, made: str, scripts: Sequence[str]) -> list[str]:
    return [build("job.c"), *made.split(), "--", *scripts]


@pytest.mark.parametrize("name", FIRE)
def test_must_fire(name: str, build: Build, tmp_path: Path) -> None:
    made, scripts, rule, text = FIRE[name]
    found = findings(job(build, made, scripts), tmp_path)
    assert [f["rule"] for f in found] == [rule]
    assert text in found[0]["message"]
    assert found[0]["level"] == "error"
    places = [p["chain"][-1]["function"] for p in found[0]["participants"] if "chain" in p]
    assert set(places) == {"operate"}


@pytest.mark.parametrize("name", CLEAN)
def test_must_not_fire(name: str, build: Build, tmp_path: Path) -> None:
    made, scripts = CLEAN[name]
    assert findings(job(build, made, scripts), tmp_path) == []


@pytest.mark.parametrize("role", ["every_operation", "sub_communicators", "graph"])
def test_all_ranks_in_one_process(role: str, fakes: Path, tmp_path: Path) -> None:
    """By groups of one thread: splits, a shrink that leaves one out, captured operations."""
    ranks = str(test_fake_cuda.SOURCES / "ranks.py")
    command = [sys.executable, ranks, str(fakes), role, "0", "3"]
    assert findings(command, tmp_path) == []


# -- seed 2 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [2, 8])
def test_buckets_in_the_order_in_which_they_are_ready(
    ranks: int, build: Build, tmp_path: Path
) -> None:
    (found,) = findings([build("buckets/buckets.cpp"), str(ranks)], tmp_path)
    assert (found["rule"], found["level"]) == (MISMATCH, "error")
    assert "operation 1 " in found["message"]
    assert "issued all_reduce of 384 float32" in found["message"]
    assert "issued all_reduce of 320 float32" in found["message"]
    assert len(found["participants"]) == 2
    for side in found["participants"]:
        functions = [frame["function"].rpartition("::")[2] for frame in side["chain"]]
        assert functions[-2:] == ["mark_ready", "all_reduce_now"]
    assert len(found["table"]["columns"]) == 3


@pytest.mark.parametrize("ranks", [2, 8])
def test_buckets_in_order(ranks: int, build: Build, tmp_path: Path) -> None:
    assert findings([build("buckets/buckets.cpp"), str(ranks), "ordered"], tmp_path) == []


# -- how jobs end -----------------------------------------------------------------------------


def stopped(command: Sequence[str], folder: Path) -> str:
    """What a run of *command* says that hangs, is told to be stopped then, and is."""
    options = ["-o", str(folder / "traces"), "--hang-timeout", "1", "--on-hang", "kill"]
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "run", *options, "--", *command],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 124
    return done.stderr


def test_a_job_that_hangs_is_stopped_and_diagnosed(build: Build, tmp_path: Path) -> None:
    """Crossed communicators, and a rank that is late for good: with the real waits."""
    command = job(build, f"{TWO} B=0,1", ["A4 B4", "B4 A4"])
    told = stopped(command, tmp_path)
    assert f"[{CYCLE}]" in told
    assert [f["rule"] for f in analysed(tmp_path)] == [CYCLE]


def test_who_does_not_come_to_a_job_that_hangs(build: Build, tmp_path: Path) -> None:
    """All ranks are stuck, one of them in a communicator that the others do not use."""
    command = job(build, f"{FOUR} B=2,3", ["A4 A4", "A4 A4", "A4 A4", "A4 B4 A4"])
    stopped(command, tmp_path)
    (found,) = analysed(tmp_path)
    assert found["level"] == "error"
    assert found["message"].startswith("rank 2 never came to operation 1 ")
    assert found["reason"].startswith("nothing had moved")


def test_who_does_not_come_waits_for_a_lock(build: Build, tmp_path: Path) -> None:
    command = job(build, FOUR, ["A4 A4", "A4 A4", "A4 @ A4", "A4 A4"])
    stopped(command, tmp_path)
    (found,) = analysed(tmp_path)
    assert found["message"].startswith("rank 2 never came to operation 2 ")
    (late,) = (p for p in found["participants"] if p["who"] == "rank 2")
    assert "waits for 'kept', which thread" in late["waits"]


def test_killed_while_at_work(build: Build, tmp_path: Path) -> None:
    """What one rank had issued and the other not is only a note: it may have been late."""
    command = job(build, TWO, ["A4 A4 A4 !", "A4 A4 !"])
    (found,) = findings(command, tmp_path)
    assert (found["rule"], found["level"]) == (MISMATCH, "note")
    assert "had not come to operation 3 " in found["message"]
