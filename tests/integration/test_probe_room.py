"""A recording that runs out of room, and programs that leave lock calls in unusual ways."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runtime_probe.errors import TraceError
from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.trace import read_trace

BuildProgram = Callable[[str], Path]
WENT_ON = (3, "went on\n", "")
#: Orders that no_room shows, one by one: its second half by two threads.
ALL = 1200


@pytest.fixture(scope="session")
def no_room(build_program: BuildProgram) -> str:
    return str(build_program("no_room"))


@pytest.fixture(scope="session")
def interrupted(build_program: BuildProgram) -> str:
    return str(build_program("interrupted"))


def run(
    command: list[str], folder: Path, before: Callable[[], None] | None = None
) -> tuple[int, str, str]:
    """Exit code, output and errors of *command* under the probe."""
    folder.mkdir(exist_ok=True)
    environment = preload_environment(os.environ, shim_path(), folder)
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, preexec_fn=before
    )
    return done.returncode, done.stdout, done.stderr


def analyze(folder: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "lockorder", "analyze", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("lost", ["descriptors", "size"])
def test_what_was_written_before_it_could_not_grow_counts(
    no_room: str, tmp_path: Path, lost: str
) -> None:
    folder = tmp_path / "traces"
    assert run([no_room, lost], folder) == WENT_ON
    (path,) = folder.iterdir()
    trace = read_trace(path)
    assert 400 <= len(trace.edges) < ALL
    assert trace.counters["records_dropped"] > 0
    assert trace.counters["threads_dropped"] == 1
    code, told = analyze(folder)
    assert code == 0
    assert (
        f"records were not written: the file was at its limit, or the disk full ({path.name})"
        in told
    )
    assert "free space where the traces go" in told


def test_a_folder_that_is_removed_meanwhile(no_room: str, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    assert run([no_room, "gone", str(folder)], folder) == WENT_ON
    assert not folder.exists()


def test_memory_that_is_taken_away_meanwhile(no_room: str, tmp_path: Path) -> None:
    assert run([no_room, "memory"], tmp_path / "traces") == WENT_ON
    (path,) = (tmp_path / "traces").iterdir()
    assert len(read_trace(path).edges) >= 400


def test_a_full_disk(no_room: str, tmp_path: Path) -> None:
    small, kept = tmp_path / "small", tmp_path / "kept"
    small.mkdir()
    kept.mkdir()
    mount = f'mount -t tmpfs -o size=96k none "{small}"'
    if shutil.which("unshare") is None or _in_namespace(mount).returncode != 0:
        pytest.skip("no user namespaces here: no file system can be mounted")
    environment = preload_environment(os.environ, shim_path(), small)
    preload = f'LD_PRELOAD="{environment["LD_PRELOAD"]}" LOCKORDER_TRACE_DIR="{small}"'
    script = f'{mount} && {preload} "{no_room}" none; code=$?; cp "{small}"/* "{kept}"; exit $code'
    done = _in_namespace(script)
    assert (done.returncode, done.stdout, done.stderr) == WENT_ON
    (path,) = kept.iterdir()
    trace = read_trace(path)
    assert 0 < path.stat().st_size <= 96 << 10
    assert 200 < len(trace.edges) < ALL
    assert trace.counters["records_dropped"] > 0
    assert "incomplete: " in analyze(kept)[1]


def _in_namespace(script: str) -> subprocess.CompletedProcess[str]:
    command = ["unshare", "-rm", "sh", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_where_there_is_no_room_at_all_an_empty_file_says_so(no_room: str, tmp_path: Path) -> None:
    def nothing_larger() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    folder = tmp_path / "traces"
    assert run([no_room, "none"], folder, nothing_larger) == WENT_ON
    (path,) = folder.iterdir()
    with pytest.raises(TraceError, match="torn: it is empty"):
        read_trace(path)
    assert analyze(folder)[0] == 2


@pytest.mark.parametrize("megabytes", [64, 600])
def test_a_limited_address_space_is_left_to_the_program(
    no_room: str, tmp_path: Path, megabytes: int
) -> None:
    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    folder = tmp_path / "traces"
    assert run([no_room, "none"], folder, little) == WENT_ON
    (path,) = folder.iterdir()
    trace = read_trace(path)
    assert bool(trace.counters["locks_dropped"]) == (megabytes == 64)
    assert (len(trace.edges) == ALL) == (megabytes == 600)


# -- ways out of a lock call -----------------------------------------------------------------------


def test_a_thread_that_jumped_out_of_the_probe_is_recorded_again(
    interrupted: str, tmp_path: Path
) -> None:
    code, output, _ = run([interrupted, "jumps"], tmp_path / "traces")
    assert code == 0
    wanted = tuple(int(address, 16) for address in output.split())
    (path,) = (tmp_path / "traces").iterdir()
    trace = read_trace(path)
    at = {number: lock.address for number, lock in trace.locks.items()}
    assert wanted in {(at.get(e.source), at.get(e.target)) for e in trace.edges}


def test_a_semaphore_is_a_cancellation_point_also_where_it_is_free(
    interrupted: str, tmp_path: Path
) -> None:
    assert subprocess.run([interrupted, "permitted"], check=False).returncode == 0
    assert run([interrupted, "permitted"], tmp_path / "traces")[0] == 0


def test_locks_taken_over_a_fork_are_the_childs_to_give_back(
    interrupted: str, tmp_path: Path
) -> None:
    folder = tmp_path / "traces"
    assert run([interrupted, "forked"], folder)[0] == 0
    traces = [read_trace(path) for path in folder.iterdir()]
    assert sorted(t.header.flags & 1 for t in traces) == [0, 1]
    assert [m for t in traces for m in t.misuses] == []
