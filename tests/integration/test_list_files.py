"""``lockorder check --list-files``: the files of a check, before anything is read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.cli import main

CLEAN, FAILED = 0, 2

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Sources of each kind below a folder with a space, a hidden one, and what is no source."""
    (tmp_path / ".git").mkdir()
    files = ["a.cpp", "b.h", "src/my gpu/k.cu", "src/my gpu/r.hip", "src/old.c", ".hidden/x.cpp"]
    for name in (*files, "src/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("this would not parse (\n")
    return tmp_path


@pytest.fixture
def listed(project: Path) -> Run:
    def run(*arguments: str, cwd: Path = project) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "lockorder", "check", "--list-files", *arguments]
        environment = {**os.environ, "LOCKORDER_CACHE_DIR": str(project / ".cache")}
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, timeout=60, check=False
        )

    return run


def names(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    return done.stdout.decode().splitlines()


EVERYTHING = ["a.cpp", "b.h", "src/my gpu/k.cu", "src/my gpu/r.hip", "src/old.c"]


def test_all_sources_below_here(listed: Run) -> None:
    done = listed()
    assert (done.returncode, done.stderr, names(done)) == (CLEAN, b"", EVERYTHING)


def test_names_start_as_they_were_given(listed: Run, project: Path) -> None:
    assert names(listed("src/../src")) == [n for n in EVERYTHING if n.startswith("src/")]
    assert names(listed("../a.cpp", cwd=project / "src")) == ["../a.cpp"]
    assert names(listed(str(project / "a.cpp"))) == [str(project / "a.cpp")]
    for name in names(listed("./src/my gpu")):
        assert (project / name).is_file()


def test_a_file_that_was_named_twice_is_one(listed: Run) -> None:
    assert names(listed("src", "a.cpp", "./a.cpp", ".")) == EVERYTHING


@pytest.mark.parametrize("gone", ["gone.cpp", "gone", "src/notes.txt"])
def test_a_path_that_cannot_be_analysed(listed: Run, gone: str) -> None:
    done = listed("a.cpp", gone)
    assert (done.returncode, names(done)) == (FAILED, ["a.cpp"]), "the rest is listed all the same"
    assert f"lockorder: error: {gone}: ".encode() in done.stderr


def test_nothing_found(listed: Run, project: Path) -> None:
    (project / "empty").mkdir()
    done = listed("--exit-zero", "empty")
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert b"no C, C++, CUDA or Python source" in done.stderr


def test_json_has_languages_and_where_flags_come_from(listed: Run, project: Path) -> None:
    command = {"directory": str(project), "file": "a.cpp", "arguments": ["c++", "-x", "c", "a.cpp"]}
    (project / "out" / "b").mkdir(parents=True)
    (project / "out" / "b" / "compile_commands.json").write_text(json.dumps([command]))
    done = listed("--format", "json", "-p", "out/b")
    assert done.returncode == CLEAN
    assert [tuple(x.values()) for x in json.loads(done.stdout)] == [
        ("a.cpp", "c", "database"),
        ("b.h", "c++", "includer"),
        ("src/my gpu/k.cu", "cuda", "guessed"),
        ("src/my gpu/r.hip", "hip", "guessed"),
        ("src/old.c", "c", "guessed"),
    ]
    plain = listed("--format", "json", "a.cpp")
    assert json.loads(plain.stdout) == [{"file": "a.cpp", "language": "c++", "flags": "guessed"}]


def test_a_database_that_cannot_be_used(listed: Run, project: Path) -> None:
    asked = listed("-p", "nowhere")
    assert asked.returncode == FAILED
    assert "a.cpp" in names(asked), "which files there are does not hang on their flags"
    assert (
        b"lockorder: error: nowhere: No such file or directory: flags are guessed" in asked.stderr
    )
    (project / "compile_commands.json").write_text("{")
    found = listed("a.cpp")
    assert (found.returncode, names(found)) == (CLEAN, ["a.cpp"])
    assert b"lockorder: note: " in found.stderr
    assert b"flags are guessed instead" in found.stderr


def test_output_and_formats(listed: Run, project: Path) -> None:
    done = listed("--output", "files.txt", "src")
    assert (done.returncode, done.stdout) == (CLEAN, b"")
    assert (project / "files.txt").read_bytes() == listed("src").stdout


def test_nothing_is_kept(listed: Run, project: Path) -> None:
    listed()
    assert not (project / ".cache").exists(), "a list needs no cache"


def test_a_user_without_a_home(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs with a number nobody has: no HOME, no entry in passwd."""
    for name in ("HOME", "XDG_CACHE_HOME", "LOCKORDER_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 47110)
    assert os.path.expanduser("~") == "~"
    monkeypatch.chdir(project)
    assert main(["check", "--list-files", "src"]) == CLEAN
    (project / "a.cpp").write_text("int a;\n")
    assert main(["check", "-j", "1", "a.cpp"]) == CLEAN
    assert not (project / "~").exists()
