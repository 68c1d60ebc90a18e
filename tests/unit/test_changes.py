"""What a change is, as git tells it."""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lockorder import changes


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.cpp").write_text("".join(f"line {i}\n" for i in range(1, 11)))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def touched(change: changes.Change, name: str, lines: int = 20) -> list[int]:
    return [n for n in range(1, lines + 1) if change.touches(name, n)]


def test_nothing(repository: Path) -> None:
    assert changes.since("HEAD", repository).lines == {}


def test_changed_added_and_removed_lines(repository: Path) -> None:
    text = [f"line {i}\n" for i in range(1, 11)]
    text[1] = "another 2\n"
    text[4:4] = ["new\n", "new\n"]
    del text[10]
    (repository / "a.cpp").write_text("".join(text))
    change = changes.since("HEAD", repository)
    assert touched(change, "a.cpp") == [2, 5, 6, 10, 11]  # the removed one by its neighbours
    assert change.touches(str(repository / "a.cpp"), 2)
    assert not change.touches(str(repository / "b.cpp"), 2)


def test_lines_that_look_like_headers(repository: Path) -> None:
    (repository / "a.cpp").write_text("++ b/other\n@@ -1 +1 @@\n-- a/x\n")
    change = changes.since("HEAD", repository)
    assert set(change.lines) == {"a.cpp"}
    assert touched(change, "a.cpp") == [1, 2, 3]


def test_new_files_that_are_not_committed(repository: Path) -> None:
    (repository / "b.cpp").write_text("int x;\n")
    (repository / ".gitignore").write_text("ignored.cpp\n")
    (repository / "ignored.cpp").write_text("int y;\n")
    change = changes.since("HEAD", repository)
    assert touched(change, "b.cpp") == [1]
    assert not change.touches("ignored.cpp", 1)


@pytest.mark.parametrize("name", ["a b.cpp", "ü.cpp", 'q"uote.cpp', "tab\t.cpp", "new\nline.cpp"])
def test_names(repository: Path, name: str) -> None:
    (repository / name).write_text("1\n2\n3\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "second")
    (repository / name).write_text("1\ntwo\n3\n")
    assert touched(changes.since("HEAD", repository), name) == [2]


def test_a_file_that_was_moved(repository: Path) -> None:
    (repository / "a.cpp").rename(repository / "c.cpp")
    text = (repository / "c.cpp").read_text()
    (repository / "c.cpp").write_text(text.replace("line 3", "three"))
    assert touched(changes.since("HEAD", repository), "c.cpp") == [3]


def test_only_this_side_of_the_fork(repository: Path) -> None:
    git(repository, "checkout", "-qb", "topic")
    (repository / "mine.cpp").write_text("1\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "mine")
    git(repository, "checkout", "-q", "main")
    (repository / "theirs.cpp").write_text("1\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "theirs")
    git(repository, "checkout", "-q", "topic")
    assert set(changes.since("main", repository).lines) == {"mine.cpp"}


@pytest.mark.parametrize("revision", ["nothing", "--help", "", "HEAD~7"])
def test_no_such_revision(repository: Path, revision: str) -> None:
    with pytest.raises(changes.ChangeError, match="git knows no such revision"):
        changes.since(revision, repository)


def test_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(changes.ChangeError, match="not a git repository"):
        changes.since("HEAD", tmp_path)


def test_no_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(changes.ChangeError, match="--changed-since needs it"):
        changes.since("HEAD", repository)


#: Lines, some of which look like what stands around them in a diff.
TEXTS = st.lists(st.sampled_from(["x", "y", "z", "++ b/x", "-- ", "@@ -1 +1 @@"]), max_size=12)


#: A time of its own for each write. Git takes a file of the same size and time for the one that
#: it knows, and two writes of a test can stand within one tick of a file system's clock.
TIMES = itertools.count(1_000_000_000)


def write(file: Path, lines: list[str]) -> None:
    """Write ``lines``, with a time that no earlier write had."""
    file.write_text("".join(f"{line}\n" for line in lines))
    now = next(TIMES)
    os.utime(file, (now, now))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(TEXTS, TEXTS)
def test_lines_that_are_not_touched_are_what_was_there(
    repository: Path, before: list[str], after: list[str]
) -> None:
    file = repository / "p.cpp"
    write(file, before)
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "before", "--allow-empty")
    write(file, after)
    change = changes.since("HEAD", repository)
    assert set(change.lines) <= {"p.cpp"}
    kept = [line for n, line in enumerate(after, 1) if not change.touches("p.cpp", n)]
    rest = iter(before)
    assert all(line in rest for line in kept)  # in that order
    assert bool(change.lines) == (before != after)
