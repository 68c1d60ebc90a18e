"""`lockorder export`, and --format html of the verbs that report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import test_analyze
import test_cli
from lockorder.model import ProcessState, Snapshot, ThreadState
from traces import Program

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture
def lockorder(tmp_path: Path) -> Run:
    """Runs `lockorder ARGUMENTS` in a folder of a repository with a deadlock in it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "deadlock.cpp").write_text(test_cli.DEADLOCK)

    def run(*arguments: str | Path, folder: Path = tmp_path) -> Done:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", *map(str, arguments)],
            cwd=folder, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
            capture_output=True, timeout=60, check=False, text=True,
        )  # fmt: skip

    return run


@pytest.fixture
def result(lockorder: Run, tmp_path: Path) -> Path:
    file = tmp_path / "result.json"
    assert lockorder("check", "src", "--format", "json", "--output", file).returncode == 1
    return file


def test_check_as_a_page(lockorder: Run, tmp_path: Path) -> None:
    done = lockorder("check", "-q", "src", "--format", "html", "--also", "html=other.html")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert "are taken in opposite orders" in done.stdout
    assert (tmp_path / "other.html").read_text() == done.stdout


def test_a_result_as_the_page_of_the_check_that_made_it(
    lockorder: Run, result: Path, tmp_path: Path
) -> None:
    page = lockorder("check", "-q", "src", "--format", "html").stdout
    done = lockorder("export", result.name, "--to", "html")
    assert (done.returncode, done.stdout) == (0, "")
    assert "wrote result.html (" in done.stderr
    assert (tmp_path / "result.html").read_text() == page
    # Again, and to stdout, and from a folder of the repository.
    assert lockorder("export", result.name, "--to", "html").returncode == 0
    assert lockorder("export", result.name, "--to", "html", "--output", "-").stdout == page
    inside = lockorder("export", result, "--to", "html", "--output", "-", folder=tmp_path / "src")
    assert 'class="line' in inside.stdout


def test_json_is_what_was_given(lockorder: Run, result: Path) -> None:
    done = lockorder("export", result, "--to", "json")
    assert (done.returncode, done.stdout) == (0, result.read_text())


def test_sources_that_lie_elsewhere(
    lockorder: Run, result: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    away = tmp_path_factory.mktemp("away")
    (away / "r.json").write_bytes(result.read_bytes())
    bare = lockorder("export", "r.json", "--to", "html", folder=away)
    assert bare.returncode == 0
    assert "the sources are not in" in bare.stderr
    assert 'class="line' not in (away / "r.html").read_text()
    full = lockorder("export", "r.json", "--to", "html", "--sources", tmp_path, folder=away)
    assert "the sources" not in full.stderr
    assert 'class="line' in (away / "r.html").read_text()
    wrong = lockorder("export", "r.json", "--to", "html", "--sources", "r.json", folder=away)
    assert wrong.returncode == 2


def test_somebody_elses_file_is_not_written_over(
    lockorder: Run, result: Path, tmp_path: Path
) -> None:
    (tmp_path / "result.html").write_text("<p>mine")
    done = lockorder("export", result, "--to", "html")
    assert done.returncode == 2
    assert "--output result.html writes over it" in done.stderr
    assert (tmp_path / "result.html").read_text() == "<p>mine"
    done = lockorder("export", result, "--to", "html", "--output", "result.html")
    assert done.returncode == 0
    assert (tmp_path / "result.html").read_text().startswith("<!DOCTYPE")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a lockorder result"),
        (b"\x7fELF\0\0", "not a lockorder result"),
        (b"[" * 9000, "not a lockorder result"),
        (b'{"format": "other"}', "no format field"),
        (b'{"format": "lockorder-result", "version": 99}', "result version 99"),
        (b'{"format": "lockorder-result", "version": 1, "locks": 7}', "damaged"),
        (b'{"lockorder": "snapshot", "version": 1}', "a snapshot is for `lockorder hang"),
    ],
)
def test_what_is_no_result(lockorder: Run, tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "in put.json").write_bytes(content)
    done = lockorder("export", "in put.json", "--to", "html")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("lockorder: error: in put.json: ")
    assert said in done.stderr
    assert not (tmp_path / "in put.html").exists()


def test_what_is_not_there(lockorder: Run, result: Path, tmp_path: Path) -> None:
    (tmp_path / "trace-rank0-host-1.lot").write_bytes(b"")
    for arguments, said in (
        (["gone.json"], "gone.json: cannot read: No such file"),
        (["src"], "src: no trace in it"),
        (["trace-rank0-host-1.lot"], "give its folder"),
        ([result.name, "src"], "a result is exported alone"),
    ):
        done = lockorder("export", *arguments, "--to", "html")
        assert done.returncode == 2, arguments
        assert said in done.stderr
    assert lockorder("export", "src").returncode == 2


def test_a_recorded_run(lockorder: Run, tmp_path: Path) -> None:
    folder = tmp_path / "run-1"
    folder.mkdir()
    program = Program()
    for rank in range(2):
        test_analyze.rank(rank, program).write(folder)
    done = lockorder("export", "run-1", "--to", "html")
    assert done.returncode == 0
    page = (tmp_path / "run-1.html").read_text()
    assert "from a recorded run" in page
    same = lockorder("analyze", "-q", "run-1", "--format", "html").stdout
    assert page == same
    # A trace that is torn is never passed over.
    trace = next(folder.iterdir())
    trace.write_bytes(trace.read_bytes()[:40])
    done = lockorder("export", "run-1", "--to", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["problems"]
    assert "lockorder: error: " in done.stderr


def test_a_hung_job(lockorder: Run, tmp_path: Path) -> None:
    threads = (ThreadState("7:7", 7, "main", "waits for a file"),)
    snapshot = Snapshot(processes=(ProcessState(process="7", pid=7, threads=threads),))
    (tmp_path / "snapshot.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(snapshot), indent=1)
    )
    done = lockorder("hang", "-q", "snapshot.json", "--format", "html")
    assert done.returncode in (0, 1)
    assert 'id="threads"' in done.stdout
