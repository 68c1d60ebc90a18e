"""``lockorder run --hang-timeout``: what stands still is told, what works is left alone."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HUNG = 124


@pytest.fixture(scope="session")
def standing(build_program: Callable[[str], Path]) -> Path:
    return build_program("standing")


def watched(cwd: Path, *command: object, on_hang: str = "kill") -> subprocess.CompletedProcess[str]:
    options = ["-o", "traces", "--hang-timeout", "1", "--on-hang", on_hang]
    return subprocess.run(
        [sys.executable, "-m", "lockorder", "run", *options, "--", *map(str, command)],
        cwd=cwd, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_deadlock_is_told_once_and_ended(standing: Path, tmp_path: Path) -> None:
    done = watched(tmp_path, standing, "deadlock")
    assert done.returncode == HUNG
    assert done.stderr.count("nothing has moved") == 1
    assert "is in pthread_join, for thread" in done.stderr
    assert "waits for lock 'lock_a'" in done.stderr
    assert "waits for lock 'lock_b'" in done.stderr
    assert "[lock-order-cycle]" in done.stderr


@pytest.mark.parametrize("what", ["deadlock-loop", "deadlock-spin"])
def test_a_deadlock_beside_a_first_thread_that_waits_in_a_loop(
    standing: Path, tmp_path: Path, what: str
) -> None:
    done = watched(tmp_path, standing, what)
    assert done.returncode == HUNG
    assert "waits for lock 'lock_a', which thread" in done.stderr
    assert "waits for lock 'lock_b', which thread" in done.stderr


@pytest.mark.parametrize("what", ["poll", "read", "futex"])
def test_a_wait_that_no_hook_shows(standing: Path, tmp_path: Path, what: str) -> None:
    done = watched(tmp_path, standing, what)
    assert done.returncode == HUNG
    assert f"is in {what}" in done.stderr


def test_a_job_below_a_launcher(standing: Path, tmp_path: Path) -> None:
    launcher = f"'{standing}' deadlock & '{standing}' read & wait"
    done = watched(tmp_path, "sh", "-c", launcher)
    assert done.returncode == HUNG
    assert "waits for lock 'lock_a'" in done.stderr
    assert "is in read" in done.stderr


def test_a_launcher_that_looks_after_its_ranks_is_no_movement(
    standing: Path, tmp_path: Path
) -> None:
    launcher = f"RANK=0 '{standing}' read & while kill -0 $! 2>&1; do :; done"
    done = watched(tmp_path, "sh", "-c", launcher)
    assert done.returncode == HUNG
    assert "is in read" in done.stderr


def test_a_rank_that_works_keeps_the_job_alive(standing: Path, tmp_path: Path) -> None:
    launcher = f"'{standing}' read & '{standing}' compute; kill $!"
    done = watched(tmp_path, "sh", "-c", launcher)
    assert done.returncode == 0
    assert "nothing has moved" not in done.stderr


@pytest.mark.parametrize(
    "what", ["join", "compute", "sleep", "wait-for-sleeper", "poll-with-limit", "loop"]
)
def test_what_works_or_sleeps_is_left_alone(standing: Path, tmp_path: Path, what: str) -> None:
    done = watched(tmp_path, standing, what)
    assert done.returncode == 0
    assert "nothing has moved" not in done.stderr


@pytest.mark.parametrize("what", ["compute", "sleep"])
def test_a_child_that_is_not_recorded_counts(standing: Path, tmp_path: Path, what: str) -> None:
    done = watched(tmp_path, standing, "read-from", f"env -u LD_PRELOAD '{standing}' {what}")
    assert done.returncode == 0
    assert "nothing has moved" not in done.stderr


def test_to_report_leaves_the_job_alone(standing: Path, tmp_path: Path) -> None:
    options = ["-o", "traces", "--hang-timeout", "1"]
    command = [sys.executable, "-m", "lockorder", "run", *options, "--", str(standing), "read"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        assert "nothing has moved" in run.stderr.readline()
        assert "is in read" in run.stderr.readline()
        assert run.poll() is None
        run.terminate()
        told = run.stderr.read()
    assert "ending the job" not in told
    assert run.returncode == 128 + signal.SIGTERM


def test_a_hung_job_is_examined_before_it_is_ended(tmp_path: Path) -> None:
    (tmp_path / "crossed.py").write_text(CROSSED)
    done = watched(tmp_path, sys.executable, "crossed.py")
    assert done.returncode == HUNG
    first = next(line for line in done.stderr.splitlines() if "are deadlocked" in line)
    assert re.search(r"MainThread waits for the Python lock second at crossed\.py:14\b", first)
    assert done.stderr.index(first) < done.stderr.index("ending the job")
    (text,), (snapshot,) = (sorted((tmp_path / "traces").glob(f"hang-*.{s}")) for s in TWO)
    assert text.read_text().partition("\n")[0] == first
    for path in (text, snapshot):
        assert f"hang: {path.relative_to(tmp_path)}" in done.stderr
    again = subprocess.run(
        [sys.executable, "-m", "lockorder", "hang", snapshot],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (again.returncode, again.stdout.partition("\n")[0]) == (1, first)


TWO = ("txt", "json")
CROSSED = """\
import threading

first, second, met = threading.Lock(), threading.Lock(), threading.Barrier(2)

def other():
    with second:
        met.wait()
        with first:
            pass

threading.Thread(target=other).start()
with first:
    met.wait()
    with second:
        pass
"""


def test_a_job_that_goes_on_leaves_no_answer(standing: Path, tmp_path: Path) -> None:
    assert watched(tmp_path, standing, "compute").returncode == 0
    assert list((tmp_path / "traces").glob("hang-*")) == []
