"""The shim, preloaded into real programs: what it counts, and that nobody notices it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import runtime_probe
from runtime_probe.counts import ProcessCounts, read_counts, read_counts_dir
from runtime_probe.errors import CountFileError, LaunchError, ShimMissingError, ShimPathError
from runtime_probe.launch import preload_environment, run_preloaded, shim_path

BuildProgram = Callable[[str], Path]

COUNT_FILE = """\
lockorder-counts 1
pid 4711
threads 2
max_depth 3
call pthread_mutex_lock 5
call pthread_mutex_unlock 6
end
"""


@pytest.fixture(scope="session")
def count_locks(build_program: BuildProgram) -> str:
    return str(build_program("count_locks"))


def called(counts: ProcessCounts) -> dict[str, int]:
    return {name: number for name, number in counts.calls.items() if number}


def test_counts_are_exact(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks], tmp_path) == 3
    (counts,) = read_counts_dir(tmp_path)
    assert called(counts) == {
        "pthread_mutex_lock": 5,
        "pthread_mutex_trylock": 2,
        "pthread_mutex_unlock": 6,
        "pthread_rwlock_rdlock": 2,
        "pthread_rwlock_wrlock": 1,
        "pthread_rwlock_unlock": 3,
        "pthread_cond_timedwait": 1,
    }
    assert counts.threads == 2
    assert counts.max_depth == 3


def test_output_and_exit_code_are_the_programs_own(
    count_locks: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bare = subprocess.run([count_locks], capture_output=True, text=True, check=False)
    code = run_preloaded([count_locks], tmp_path)
    assert code == bare.returncode == 3
    assert capfd.readouterr() == (bare.stdout, bare.stderr) == ("locked and unlocked\n", "")


def test_errno_is_kept(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "errno"], tmp_path) == 0


def test_a_killed_child_gives_the_shells_code_and_no_file(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "kill"], tmp_path) == 128 + 9
    assert read_counts_dir(tmp_path) == []


def test_a_forked_child_counts_only_its_own_calls(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "fork"], tmp_path) == 3
    locks = sorted(one.calls["pthread_mutex_lock"] for one in read_counts_dir(tmp_path))
    assert locks == [1, 2]


def test_a_wait_can_be_cancelled_through_the_hook(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "cancel"], tmp_path) == 3
    (counts,) = read_counts_dir(tmp_path)
    assert counts.calls["pthread_cond_wait"] == 1
    assert counts.calls["pthread_mutex_unlock"] == 2


def test_threads_beyond_the_last_slot_are_counted(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "many"], tmp_path) == 3
    (counts,) = read_counts_dir(tmp_path)
    assert counts.threads == 2000
    assert counts.calls["pthread_mutex_lock"] == counts.calls["pthread_mutex_unlock"] == 2000


def test_the_file_is_private_and_named_by_pid(count_locks: str, tmp_path: Path) -> None:
    run_preloaded([count_locks], tmp_path)
    (path,) = tmp_path.iterdir()
    assert path.name == f"counts-{read_counts(path).pid}-0.txt"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_taken_name_gets_the_next_number(count_locks: str, tmp_path: Path) -> None:
    taken = "for n in 0 1; do echo mine > counts-$$-$n.txt; done"
    command = ["sh", "-c", f'cd "$1" && {taken} && exec "$2"', "sh", str(tmp_path), count_locks]
    assert run_preloaded(command, tmp_path) == 3
    (written,) = tmp_path.glob("counts-*-2.txt")
    assert read_counts(written).calls["pthread_mutex_lock"] == 5
    assert {path.read_text() for path in tmp_path.glob("counts-*-[01].txt")} == {"mine\n"}


def test_python_runs_under_the_shim(tmp_path: Path) -> None:
    script = "import threading; t = threading.Thread(target=print); t.start(); t.join()"
    assert run_preloaded([sys.executable, "-c", script], tmp_path) == 0
    (counts,) = read_counts_dir(tmp_path)
    assert counts.calls["pthread_mutex_lock"] > 0


def test_a_folder_that_vanished_leaves_the_program_alone(count_locks: str, tmp_path: Path) -> None:
    environment = preload_environment(os.environ, shim_path(), tmp_path / "gone")
    done = subprocess.run(
        [count_locks], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "locked and unlocked\n", "")


def test_without_a_trace_dir_nothing_is_written(count_locks: str, tmp_path: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(shim_path())}
    done = subprocess.run([count_locks], env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 3
    assert list(tmp_path.iterdir()) == []


def test_an_existing_preload_keeps_its_place(tmp_path: Path) -> None:
    shim = Path("/opt/shim.so")
    environment = preload_environment({"LD_PRELOAD": "/a.so /b.so", "X": "1"}, shim, tmp_path)
    assert environment["LD_PRELOAD"] == "/a.so:/b.so:/opt/shim.so"
    assert environment["X"] == "1"
    again = preload_environment(environment, shim, tmp_path)
    assert again["LD_PRELOAD"] == environment["LD_PRELOAD"]


def test_a_path_that_the_loader_would_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ShimPathError, match="no space"):
        preload_environment({}, Path("/my tools/shim.so"), tmp_path)


def test_a_missing_shim_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runtime_probe, "__path__", [str(tmp_path)])
    with pytest.raises(ShimMissingError, match="C compiler"):
        shim_path()


def test_an_unknown_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="no-such-command"):
        run_preloaded(["no-such-command"], tmp_path)


def test_a_trace_dir_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.touch()
    with pytest.raises(LaunchError, match="file/runs"):
        run_preloaded(["true"], blocker / "runs")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write and read any folder")
def test_a_folder_without_permission_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    with pytest.raises(LaunchError, match="closed"):
        run_preloaded(["true"], closed)
    with pytest.raises(LaunchError, match="closed"):
        read_counts_dir(closed)


def test_reading_a_missing_folder_names_it(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="nowhere"):
        read_counts_dir(tmp_path / "nowhere")


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "counts-4711-0.txt"
    path.write_text(COUNT_FILE)
    assert read_counts(path) == ProcessCounts(
        pid=4711,
        threads=2,
        max_depth=3,
        calls={"pthread_mutex_lock": 5, "pthread_mutex_unlock": 6},
    )


@pytest.mark.parametrize("length", range(len(COUNT_FILE)))
def test_a_file_torn_anywhere_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "counts-1-0.txt"
    path.write_text(COUNT_FILE[:length])
    with pytest.raises(CountFileError) as caught:
        read_counts(path)
    assert caught.value.path == path
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "torn: it is empty"),
        (b"\x7fELF\x02\x01\x01\x00\xff", "not a count file"),
        (b"hello\nend\n", "starts with 'hello'"),
        (b"x" * (1 << 17), "not a count file"),
        (COUNT_FILE.replace("counts 1", "counts 2").encode(), "format version 2"),
        (COUNT_FILE.replace("end\n", "").encode(), "torn"),
        (COUNT_FILE.replace("pid 4711\n", "").encode(), "should be 'pid'"),
        (b"lockorder-counts 1\npid 1\nend\n", "no 'threads' line"),
        (COUNT_FILE.replace("lock 5", "lock five").encode(), "lock five"),
        (COUNT_FILE.replace("unlock 6", "lock 6").encode(), "there twice"),
        (COUNT_FILE.replace("4711", "9" * 5000).encode(), "should be 'pid'"),
    ],
)
def test_a_foreign_or_damaged_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "counts-1-0.txt"
    path.write_bytes(content)
    with pytest.raises(CountFileError, match=reason):
        read_counts(path)


def test_one_bad_file_fails_the_whole_folder(tmp_path: Path) -> None:
    (tmp_path / "counts-1-0.txt").write_text(COUNT_FILE)
    (tmp_path / "counts-2-0.txt").write_text(COUNT_FILE[:-4])
    with pytest.raises(CountFileError, match="counts-2-0"):
        read_counts_dir(tmp_path)
