"""Baselines, comments and --changed-since on a code base that has findings already."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

CLEAN, FOUND, FAILED = 0, 1, 2

LOCKS = """\
#pragma once
struct pthread_mutex_t { int word; };
extern "C" int pthread_mutex_lock(pthread_mutex_t *);
extern "C" int pthread_mutex_unlock(pthread_mutex_t *);
extern pthread_mutex_t red, green, blue, white, gate;
"""
NESTED = """\
  pthread_mutex_lock(&{0});
  pthread_mutex_lock(&{1});
  pthread_mutex_unlock(&{1});
  pthread_mutex_unlock(&{0});
"""


def function(name: str, first: str, second: str) -> str:
    return f"void {name}() {{\n{NESTED.format(first, second)}}}\n"


def source(*functions: str) -> str:
    return '#include "locks.h"\n' + "".join(functions)


OLD = source(function("one", "red", "green"), function("two", "green", "red"))
NEW = source(function("five", "blue", "red"), function("six", "red", "blue"))
#: Both under a common gate lock, so that they exclude each other; with it taken away they do not.
GATE_ON, GATE_OFF = "  pthread_mutex_lock(&gate);\n", "  pthread_mutex_unlock(&gate);\n"
GATED = source(
    function("inner", "blue", "white"),
    f"void three() {{\n{GATE_ON}  inner();\n{GATE_OFF}}}\n",
    f"void four() {{\n{GATE_ON}{NESTED.format('white', 'blue')}{GATE_OFF}}}\n",
)


class Repository:
    """A project under git with one old cycle, and one that a gate lock prevents."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "LOCKORDER_CACHE_DIR": str(cache),
        }
        self.put("locks.h", LOCKS)
        self.put("old.cpp", OLD)
        self.put("gated.cpp", GATED)
        self.git("init", "-q", "-b", "main")
        self.commit()

    def put(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert old in text
        self.put(name, text.replace(old, new))

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.folder, env=self.environment, check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "more", "--allow-empty")

    def check(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", "check", *(arguments or (".",))],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120,
            check=False,
        )  # fmt: skip

    def found(self, *arguments: str, code: int | None = None) -> list[tuple[str, str]]:
        """Rule and file of each finding that counts."""
        done = self.check(".", "--format", "json", *arguments)
        findings = json.loads(done.stdout).get("findings", [])
        assert "Traceback" not in done.stderr
        assert done.returncode == (code if code is not None else int(bool(findings))), done.stderr
        return [(f["rule"], f["participants"][-1]["taken"]["chain"][-1]["file"]) for f in findings]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def repository(tmp_path: Path, cache: Path) -> Repository:
    folder = tmp_path / "a project"
    folder.mkdir()
    return Repository(folder, cache)


CYCLE = "lock-order-cycle"


# -- baselines ------------------------------------------------------------------------------------


def test_from_a_baseline_to_a_new_finding(repository: Repository) -> None:
    written = repository.check(".", "--write-baseline", "base.json")
    assert (written.returncode, written.stdout) == (CLEAN, "")
    assert "base.json: wrote 1 findings: commit it" in written.stderr
    assert repository.found("--baseline", "base.json") == []
    repository.put(
        "new.cpp", source(function("five", "blue", "red"), function("six", "red", "blue"))
    )
    assert repository.found("--baseline", "base.json") == [(CYCLE, "new.cpp")]


def test_lines_that_move_are_no_new_findings(repository: Repository) -> None:
    repository.check(".", "--write-baseline", "base.json")
    repository.put("old.cpp", "\n\n// moved\n" + OLD)
    assert repository.found("--baseline", "base.json") == []


def test_written_again_it_is_the_same(repository: Repository) -> None:
    repository.check(".", "--write-baseline", "base.json")
    first = (repository.folder / "base.json").read_bytes()
    repository.check(".", "--write-baseline", "base.json")
    assert (repository.folder / "base.json").read_bytes() == first


def test_stale_entries_are_said(repository: Repository) -> None:
    repository.check(".", "--write-baseline", "base.json")
    repository.put("old.cpp", source(function("one", "red", "green")))
    done = repository.check(".", "--baseline", "base.json")
    assert done.returncode == CLEAN
    assert "base.json: stale: lock-order-cycle in old.cpp is gone: green and red" in done.stderr
    assert "--write-baseline base.json writes it without them" in done.stderr
    repository.check(".", "--write-baseline", "base.json")
    assert json.loads((repository.folder / "base.json").read_text())["findings"] == []


def test_what_was_not_looked_at_is_not_stale_and_is_kept(repository: Repository) -> None:
    repository.check(".", "--write-baseline", "base.json")
    first = (repository.folder / "base.json").read_bytes()
    done = repository.check("gated.cpp", "--baseline", "base.json")
    assert (done.returncode, "stale" in done.stderr) == (CLEAN, False)
    done = repository.check(".", "--baseline", "base.json", "--select", "self-deadlock")
    assert (done.returncode, "stale" in done.stderr) == (CLEAN, False)
    done = repository.check("gated.cpp", "--write-baseline", "base.json")
    assert "kept 1 entries of what was not looked at" in done.stderr
    assert (repository.folder / "base.json").read_bytes() == first


def test_the_configuration_names_a_baseline(repository: Repository) -> None:
    repository.check(".", "--write-baseline", "base.json")
    repository.put("lockorder.toml", 'baseline = "base.json"\n')
    assert repository.found() == []
    assert repository.check("../a project").returncode == CLEAN


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "base.json: no such baseline: --write-baseline base.json makes one"),
        ("{}", "base.json: not a baseline: no format field"),
        ("{", "base.json: not a baseline: "),
    ],
)
def test_a_baseline_that_is_none(repository: Repository, content: str | None, said: str) -> None:
    if content is not None:
        repository.put("base.json", content)
    done = repository.check(".", "--baseline", "base.json", "--exit-zero")
    assert done.returncode == FAILED
    assert said in done.stderr
    assert "old.cpp" in done.stdout  # what was found is told all the same
    if content is not None:
        done = repository.check(".", "--write-baseline", "base.json")
        assert done.returncode == FAILED
        assert "it is not written over" in done.stderr
        assert (repository.folder / "base.json").read_text() == content


def test_a_baseline_that_cannot_be_written(repository: Repository) -> None:
    done = repository.check(".", "--write-baseline", "no/such/base.json")
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert "base.json: cannot write: No such file or directory" in done.stderr


# -- comments -------------------------------------------------------------------------------------

TAKEN = "  pthread_mutex_lock(&red);\n"


def test_a_comment_on_the_line(repository: Repository) -> None:
    assert repository.found() == [(CYCLE, "old.cpp")]
    repository.edit(
        "old.cpp", TAKEN, TAKEN.replace(";", "; // lockorder: ignore[lock-order-cycle]")
    )
    assert repository.found() == []
    done = repository.check(".", "-v")
    assert "unused" not in done.stderr


def test_the_reason_is_kept(repository: Repository) -> None:
    comment = "// lockorder: ignore-next-line[lock-order-cycle] one thread only\n"
    repository.put("old.cpp", OLD.replace(TAKEN, comment + TAKEN, 1))
    result = json.loads(repository.check(".", "--format", "json").stdout)
    accepted = result["accepted"]
    assert [(a["by"], a["place"], a["reason"]) for a in accepted] == [
        ("comment", "old.cpp:3", "one thread only")
    ]


def test_comments_that_nothing_needs_are_said(repository: Repository) -> None:
    repository.put("gated.cpp", "// lockorder: ignore[lock-order-cycle]\n" + GATED)
    done = repository.check()
    assert done.returncode == FOUND
    said = "gated.cpp:1: unused suppression of lock-order-cycle: nothing else is on its line: is"
    assert said in done.stderr
    # Where the rule was not looked for, or only runs can show it, nothing is known of its use.
    assert "unused" not in repository.check(".", "--ignore", "lock-order-cycle").stderr
    repository.put("gated.cpp", "// lockorder: ignore[unlock-not-held]\n" + GATED)
    assert "unused" not in repository.check().stderr


def test_the_rule_has_to_fit(repository: Repository) -> None:
    repository.edit("old.cpp", TAKEN, TAKEN.replace("\n", " // NOLINT(lockorder-self-deadlock)\n"))
    assert repository.found() == [(CYCLE, "old.cpp")]


# -- changes --------------------------------------------------------------------------------------


def test_no_change_no_finding(repository: Repository) -> None:
    assert repository.found("--changed-since", "HEAD") == []


def test_a_change_elsewhere(repository: Repository) -> None:
    repository.put("old.cpp", "// a comment\n" + OLD)
    repository.edit("gated.cpp", "void inner", "// another\nvoid inner")
    assert repository.found("--changed-since", "HEAD") == []


def test_what_the_change_brings(repository: Repository) -> None:
    repository.put(
        "new.cpp", source(function("five", "blue", "red"), function("six", "red", "blue"))
    )
    assert repository.found("--changed-since", "HEAD") == [(CYCLE, "new.cpp")]
    repository.commit()
    assert repository.found("--changed-since", "HEAD") == []
    assert repository.found("--changed-since", "HEAD~1") == [(CYCLE, "new.cpp")]


def test_what_the_change_touches(repository: Repository) -> None:
    repository.edit("old.cpp", TAKEN, TAKEN.replace(";", "; // touched"))
    assert repository.found("--changed-since", "HEAD") == [(CYCLE, "old.cpp")]


def test_a_gate_that_is_taken_away(repository: Repository) -> None:
    """No line of the new finding has changed: only the revision before can tell that it is new."""
    text = GATED.replace(GATE_ON, "", 1).replace(GATE_OFF, "", 1)
    repository.put("gated.cpp", text)
    assert repository.found("--changed-since", "HEAD") == [(CYCLE, "gated.cpp")]


def test_with_a_compilation_database(repository: Repository) -> None:
    """The revision before is read with the same flags, those of its own files."""
    repository.put("inc/guard.h", "#define GUARDED 1\n")
    gated = GATED.replace(GATE_ON, "#ifdef GUARDED\n" + GATE_ON + "#endif\n", 1)
    gated = gated.replace(GATE_OFF, "#ifdef GUARDED\n" + GATE_OFF + "#endif\n", 1)
    repository.put("gated.cpp", "#include <guard.h>\n" + gated)
    entries = [
        {
            "directory": str(repository.folder),
            "file": name,
            "arguments": ["c++", f"-I{repository.folder}/inc", "-c", name],
        }
        for name in ("old.cpp", "gated.cpp")
    ]
    repository.put("build/compile_commands.json", json.dumps(entries))
    repository.put(".gitignore", "build\n")
    repository.commit()
    assert repository.found("-p", "build", "--changed-since", "HEAD") == []
    repository.put("inc/guard.h", "\n")
    assert repository.found("-p", "build", "--changed-since", "HEAD") == [(CYCLE, "gated.cpp")]


def test_the_revision_before_is_read_once(repository: Repository, tmp_path: Path) -> None:
    """What was laid out a moment ago is kept for the next run, too."""
    repository.environment["LOCKORDER_CACHE_DIR"] = str(tmp_path / "fresh")
    repository.put("old.cpp", "// a comment\n" + OLD)

    def facts() -> int:
        assert repository.found("--changed-since", "HEAD") == []
        return len(list((tmp_path / "fresh").rglob("*.facts")))

    time.sleep(0.3)  # the user's files are older than that, too
    first = facts()
    repository.put("gated.cpp", "// another\n" + GATED)
    time.sleep(0.3)
    assert facts() == first + 1  # that file, and nothing of the revision before


def test_nothing_of_the_users_is_touched(repository: Repository) -> None:
    repository.put("gated.cpp", "// staged\n" + GATED)
    repository.git("add", "gated.cpp")
    repository.put("gated.cpp", "// not staged\n" + GATED)
    repository.put("untracked.cpp", "int x;\n")
    before = repository.git("status", "--porcelain=v2", "--branch")
    index = (repository.folder / ".git" / "index").read_bytes()
    repository.found("--changed-since", "HEAD")
    assert repository.git("status", "--porcelain=v2", "--branch") == before
    assert (repository.folder / ".git" / "index").read_bytes() == index
    assert repository.git("worktree", "list").count("\n") == 1


def test_files_that_came_moved_and_went(repository: Repository) -> None:
    (repository.folder / "old.cpp").rename(repository.folder / "sub.cpp")
    assert repository.found("--changed-since", "HEAD") == []
    (repository.folder / "gated.cpp").unlink()
    assert repository.found("--changed-since", "HEAD") == []


def test_what_the_baseline_knows_is_not_new(repository: Repository) -> None:
    repository.check(".", "--write-baseline", "base.json")
    repository.edit("old.cpp", TAKEN, TAKEN.replace(";", "; // touched"))
    assert repository.found("--changed-since", "HEAD", "--baseline", "base.json") == []


def test_a_part_of_the_repository(repository: Repository) -> None:
    repository.put("part/locks.h", LOCKS)
    repository.put("part/five.cpp", source(function("five", "blue", "red")))
    repository.commit()
    repository.put("part/six.cpp", source(function("six", "red", "blue")))
    done = repository.check("part", "--changed-since", "HEAD")
    assert done.returncode == FOUND
    assert "part/six.cpp" in done.stdout
    assert "old.cpp" not in done.stdout


@pytest.mark.parametrize(
    ("break_it", "revision", "said"),
    [
        (lambda r: None, "nothing", "nothing: git knows no such revision"),
        (lambda r: (r.folder / ".git").rename(r.folder / "git"), "HEAD", "not a git repository"),
    ],
)
def test_a_revision_that_cannot_be_compared_with(
    repository: Repository, break_it: Callable[[Repository], object], revision: str, said: str
) -> None:
    break_it(repository)
    repository.environment["GIT_CEILING_DIRECTORIES"] = str(repository.folder.parent)
    done = repository.check(".", "--changed-since", revision)
    assert done.returncode == FAILED
    assert said in done.stderr
    assert "Traceback" not in done.stderr
