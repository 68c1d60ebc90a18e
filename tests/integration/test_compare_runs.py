"""`lockorder compare`: the demo's miniature, and a larger program with Python, joined."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import CannotBuildError, compiler

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cpp"
MINIATURE, FLEET = FIXTURES / "miniature" / "before", FIXTURES / "fleet"
CLEAN, FOUND, FAILED = 0, 1, 2
#: Share of the larger program's live orders that the static analysis has to have seen.
RECALL = 0.95

Lockorder = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def lockorder(tmp_path_factory: pytest.TempPathFactory) -> Lockorder:
    environment = {**os.environ, "LOCKORDER_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}

    def run(*arguments: object, **changed: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", *map(str, arguments)],
            env={**environment, **changed}, capture_output=True, text=True, timeout=240,
            check=False,
        )  # fmt: skip

    return run


def build(target: Path, sources: Path, *flags: str) -> Path:
    try:
        command = compiler(".cpp")
    except CannotBuildError as error:
        pytest.skip(str(error))
    files = sorted(map(str, sources.glob("*.cpp")))
    line = [*command, "-std=c++17", "-O1", "-g", "-pthread", *flags, *files, "-o", str(target)]
    subprocess.run(line, check=True, capture_output=True, timeout=240)
    return target


@pytest.fixture(scope="module")
def miniature(lockorder: Lockorder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded run of the demo's first version."""
    place = tmp_path_factory.mktemp("miniature")
    program = build(place / "before", MINIATURE)
    done = lockorder("run", "-q", "-o", place / "traces", "--", program)
    assert done.returncode == 0, done.stderr
    return place / "traces"


def test_the_cycle_is_confirmed_with_both_stacks(lockorder: Lockorder, miniature: Path) -> None:
    done = lockorder("compare", MINIATURE, miniature)
    assert done.returncode == FOUND, done.stderr
    assert "in runs: confirmed by a run: all sides were seen, in threads that no" in done.stdout
    assert done.stdout.count("seen in a run, in thread ") == 2
    for step in ("in mini::CommGroup::broadcast", "in mini::CachingAllocator::retryMalloc"):
        assert step in done.stdout  # only the run knows these ways
    assert "runs: 1 of 1 findings confirmed\nrecall: 100.0% of 2 orders" in done.stderr


def test_from_results_in_files(lockorder: Lockorder, miniature: Path, tmp_path: Path) -> None:
    static, run, both = (tmp_path / f"{n}.json" for n in ("static", "run", "both"))
    lockorder("check", MINIATURE, "--format", "json", "--output", static)
    lockorder("analyze", miniature, "--format", "json", "--output", run)
    done = lockorder("compare", static, run, "--format", "json", "--output", both)
    assert done.returncode == FOUND, done.stderr
    document = json.loads(both.read_text())
    assert document["origin"] == "compared"
    assert [o["verdict"] for o in document["comparison"]["orders"]] == ["predicted"] * 2
    finding = document["findings"][0]
    assert finding["run"].startswith("confirmed by a run")
    assert all("live" in p for p in finding["participants"])


def test_a_check_ranks_by_a_run(lockorder: Lockorder, miniature: Path) -> None:
    done = lockorder("check", MINIATURE, "--with-run", miniature)
    assert done.returncode == FOUND
    assert "in runs: confirmed by a run" in done.stdout


@pytest.mark.parametrize(
    ("static", "run", "said"),
    [
        ("gone.json", "traces", "gone.json: No such file or directory"),
        ("gone", "traces", "gone: No such file or directory"),
        ("run.json", "traces", "run.json: not the result of sources (recorded)"),
        ("torn.json", "traces", "torn.json: not a lockorder result"),
        ("static.json", "static.json", "static.json: not the result of a recorded run"),
        ("static.json", "gone", "gone: No such file or directory"),
        ("static.json", "empty", "no trace in it"),
    ],
)
def test_what_cannot_be_compared(
    lockorder: Lockorder, miniature: Path, tmp_path: Path, static: str, run: str, said: str
) -> None:
    lockorder("check", MINIATURE, "--format", "json", "--output", tmp_path / "static.json")
    lockorder("analyze", miniature, "--format", "json", "--output", tmp_path / "run.json")
    (tmp_path / "torn.json").write_text("{")
    (tmp_path / "empty").mkdir()
    paths = [miniature if name == "traces" else tmp_path / name for name in (static, run)]
    done = lockorder("compare", *paths)
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def fleet(lockorder: Lockorder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded run of twenty locks, ten threads, callbacks, and Python."""
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").is_file():
        pytest.skip(f"no Python.h in {headers}")
    place = tmp_path_factory.mktemp("fleet")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    build(place / f"fleet{suffix}", FLEET, "-fPIC", "-shared", f"-I{headers}")
    done = lockorder(
        "run", "-q", "-o", place / "traces", "--", sys.executable, FLEET / "drive.py", "64",
        PYTHONPATH=str(place),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return place / "traces"


def test_recall_on_a_larger_program(lockorder: Lockorder, fleet: Path) -> None:
    done = lockorder("compare", FLEET, fleet, "--format", "json")
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)["comparison"]
    counted = [o["verdict"] for o in found["orders"]]
    assert len(counted) >= 40
    assert 1 - counted.count("missed") / len(counted) >= RECALL, done.stderr
    assert len(found["joined"]) >= 20
    # An extension's own locks and Python's are there, and nothing of the program is unknown.
    assert all("fleet" not in lock["name"] for lock in found.get("unjoined", ()))
