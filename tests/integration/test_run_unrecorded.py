"""Processes of a job that the probe does not get into: ``lockorder run`` names them.

fixtures/programs/starts.c starts a program in all ways; the program is linked statically, or not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import runtime_probe
from lockorder.recorded.analyse import traces_in
from runtime_probe.launch import OTHERS, SHIM_NAME, run_preloaded, shim_path
from runtime_probe.layout import MAX_STARTED
from runtime_probe.trace import FILE_PATTERN, read_trace

BuildProgram = Callable[[str], Path]
WAYS = ("exec", "fork", "vfork", "list", "spawn", "spawnp")
CANNOT = 127
TRUE = shutil.which("true") or "/bin/true"
_TOLD = re.compile(
    r"not recorded: (\d+) process(?:es)? of the job: (.*?)(?: \(process ([^)]*)\))?, started by"
)


class Told(NamedTuple):
    """A line of the summary; the processes' ids where they are known."""

    count: int
    program: str
    pids: list[int]


@pytest.fixture(scope="session")
def starts(build_program: BuildProgram) -> str:
    return str(build_program("starts"))


@pytest.fixture(scope="session")
def still(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """A program that is linked statically."""
    folder = tmp_path_factory.mktemp("still")
    (folder / "still.c").write_text("int main(void) { return 0; }\n")
    command = [*c_compiler, "-static", "-o", folder / "still", folder / "still.c"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no static C library")
    return str(folder / "still")


def run(folder: Path, *command: str, options: tuple[str, ...] = ()) -> tuple[list[Told], str, int]:
    """What is told as unrecorded, what the command wrote, how it ended."""
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "run", "-o", "traces", *options, "--", *command],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = [
        Told(int(m[1]), m[2], [int(p) for p in re.findall(r"\d+(?! more)\b", m[3] or "")])
        for m in map(_TOLD.match, done.stderr.splitlines())
        if m
    ]
    assert len(told) == done.stderr.count("not recorded: "), done.stderr
    return told, done.stdout, done.returncode


@pytest.mark.parametrize("way", WAYS)
def test_a_static_program_is_named(starts: str, still: str, tmp_path: Path, way: str) -> None:
    ((count, program, pids),), child, code = run(tmp_path, starts, way, still)
    assert (count, program, code) == (1, still, 0)
    if child:
        assert pids == [int(child)]


@pytest.mark.parametrize("way", WAYS)
def test_a_program_that_is_recorded_is_not(starts: str, tmp_path: Path, way: str) -> None:
    assert run(tmp_path, starts, way, TRUE)[::2] == ([], 0)
    assert len(list((tmp_path / "traces").glob(FILE_PATTERN))) == (
        3 if way in ("fork", "list") else 2
    )


@pytest.mark.parametrize("way", WAYS)
def test_one_that_could_not_be_started_is_not(starts: str, tmp_path: Path, way: str) -> None:
    assert run(tmp_path, starts, way, "/no/such/program")[::2] == ([], CANNOT)


def test_a_search_in_path_is_one_start(still: str, tmp_path: Path) -> None:
    """Python tries each folder in turn, in a child of fork or vfork."""
    folders = f"/no/such:{tmp_path}:{os.path.dirname(still)}:/bin"
    script = (
        f"import subprocess; subprocess.run(['still'], check=True, env={{'PATH': {folders!r}}})"
    )
    told, _, code = run(tmp_path, sys.executable, "-S", "-c", script)
    assert [(t.count, t.program, len(t.pids)) for t in told] == [(1, still, 1)]
    assert code == 0


def test_a_program_without_its_environment(tmp_path: Path) -> None:
    ((count, program, pids),), _, code = run(tmp_path, "env", "-i", TRUE)
    assert (count, program, code) == (1, TRUE, 0)
    (trace,) = map(read_trace, (tmp_path / "traces").glob(FILE_PATTERN))
    assert pids == [trace.header.pid]


def test_the_end_of_a_long_path_is_told(starts: str, still: str, tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a" * 50] * 4)
    deep.mkdir(parents=True)
    shutil.copy(still, deep / "program")
    ((_, program, _),), _, code = run(tmp_path, starts, "fork", str(deep / "program"))
    assert code == 0
    assert len(program) > 100
    assert str(deep / "program").endswith(program)


def times(count: int, program: str) -> str:
    """For a shell, which ends by a command of its own, since it would go on as the last one."""
    return f"for i in $(seq {count}); do {program}; done; :"


def test_more_than_there_is_room_for_are_counted(still: str, tmp_path: Path) -> None:
    told, _, _ = run(tmp_path, "sh", "-c", times(MAX_STARTED + 4, still))
    assert [(t.count, t.program) for t in told] == [(MAX_STARTED, still), (4, "programs")]


def test_more_than_there_is_room_for_that_are_recorded(tmp_path: Path) -> None:
    told, _, _ = run(tmp_path, "sh", "-c", times(MAX_STARTED + 4, TRUE))
    assert told == []


def test_children_of_a_fork_that_cannot_begin_a_trace_are_counted(tmp_path: Path) -> None:
    """Here they may not open a file."""
    told, _, code = run(tmp_path, "sh", "-c", "ulimit -n 3; (:); (:); :")
    assert (told, code) == ([Told(2, "children of a fork", [])], 0)


# -- nothing at all -------------------------------------------------------------------------------


def test_where_nothing_is_recorded_the_file_says_so(still: str, tmp_path: Path) -> None:
    told, _, code = run(tmp_path, still, options=("--format", "json", "--output", "out.json"))
    assert (told, code) == ([], 0)
    (problem,) = json.loads((tmp_path / "out.json").read_text())["problems"]
    assert problem.startswith("nothing was recorded in traces")


def test_where_nothing_is_recorded_the_exit_code_is_that_of_errors(
    still: str, tmp_path: Path
) -> None:
    assert run(tmp_path, still, options=("--error-exitcode", "42"))[2] == 42
    assert run(tmp_path, TRUE, options=("--error-exitcode", "42"))[2] == 0


# -- other users ----------------------------------------------------------------------------------


@pytest.fixture
def for_all() -> Iterator[Path]:
    """A folder that other users can read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_process_of_another_user_is_recorded(
    starts: str, for_all: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder where it can make files, and which `analyze` reads with the others."""
    shutil.copy(shim_path(), for_all / SHIM_NAME)
    monkeypatch.setattr(runtime_probe, "__path__", [str(for_all)])
    folder = for_all / "traces"
    assert run_preloaded([starts, "nobody", TRUE], folder) == 0
    (path,) = (folder / OTHERS).glob(FILE_PATTERN)
    assert path.stat().st_uid == 65534
    assert read_trace(path).header.exe == os.path.realpath(TRUE)
    found = traces_in(folder)
    assert path in found
    assert len(found) == 3  # the parent, the child that was root yet
    parent = next(t for t in map(read_trace, found) if t.header.exe.endswith("/starts"))
    assert parent.header.started_more == 0
