"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself in a repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from lockorder.cli import parser
from lockorder.model.coverage import PYTHON
from lockorder.static.discovery.sources import HEADERS, SOURCES

TOP = Path(__file__).parent.parent.parent
MANIFEST = TOP / ".pre-commit-hooks.yaml"
HOOKS: list[dict[str, Any]] = yaml.safe_load(MANIFEST.read_text())

CLEAN = "#include <mutex>\nstd::mutex alpha, beta;\n"
FORWARD = "void forward() { std::scoped_lock a(alpha); std::scoped_lock b(beta); }\n"
BACKWARD = "void backward() { std::scoped_lock b(beta); std::scoped_lock a(alpha); }\n"


def hook(name: str) -> dict[str, Any]:
    return next(h for h in HOOKS if h["id"] == name)


class Repository:
    """A git repository with one of the hooks, run with the lockorder of these tests.

    In the manifest the hook is pre-commit's to install, which needs a network; here it is the
    system's. All else is as the manifest says.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        scripts = Path(sys.executable).parent
        self.environment = {
            **os.environ,
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "PRE_COMMIT_HOME": str(folder.parent / "pre-commit"),
            "LOCKORDER_CACHE_DIR": str(folder.parent / "cache"),
        }
        for who in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{who}_NAME": "a", f"GIT_{who}_EMAIL": "a@example.org"}
        folder.mkdir()
        self.git("init", "-q")
        config = {"repos": [{"repo": "local", "hooks": [{**hook(name), "language": "system"}]}]}
        (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
        self.commit("start.cpp", CLEAN)

    def git(self, *arguments: str) -> None:
        subprocess.run(
            ["git", *arguments], cwd=self.folder, env=self.environment, check=True, timeout=60
        )

    def stage(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        self.git("add", "--all")

    def commit(self, name: str, text: str) -> None:
        self.stage(name, text)
        self.git("commit", "-q", "-m", "x", "--no-verify")

    def run(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--color=never"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip


def test_the_manifest_is_one() -> None:
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", MANIFEST], check=True, timeout=60
    )
    assert [h["id"] for h in HOOKS] == ["lockorder", "lockorder-changed"]


@pytest.mark.parametrize("name", [h["id"] for h in HOOKS])
def test_a_hook_is_asked_for_every_kind_of_source(name: str) -> None:
    wanted = re.compile(hook(name)["files"])
    for ending in SOURCES | HEADERS | {*PYTHON}:
        assert wanted.search(f"src/x{ending}"), ending
    assert wanted.search("lockorder.toml")
    assert wanted.search("sub/lockorder.toml")
    assert not wanted.search("notes.cpp.md")
    assert not wanted.search("x.rs")
    assert not wanted.search("notlockorder.toml")


def test_the_hook_passes_and_fails(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", "lockorder")
    repository.stage("start.cpp", CLEAN + FORWARD)
    clean = repository.run()
    assert clean.returncode == 0, clean.stdout
    assert "Passed" in clean.stdout
    repository.stage("other.h", "#pragma once\n")
    repository.stage("start.cpp", CLEAN + FORWARD + BACKWARD)
    found = repository.run()
    assert found.returncode == 1
    assert "exit code: 1" in found.stdout
    assert found.stdout.count("[lock-order-cycle]") == 1, "one run for all files"


def test_the_hook_is_skipped_where_no_source_changed(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", "lockorder")
    repository.commit("start.cpp", CLEAN + FORWARD + BACKWARD)
    repository.stage("README.md", "words")
    done = repository.run()
    assert (done.returncode, "Skipped" in done.stdout) == (0, True)


def test_a_source_that_cannot_be_analysed_fails_the_hook(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", "lockorder")
    (repository.folder / "broken.cpp").write_bytes(b"\0")
    repository.git("add", "--all")
    done = repository.run()
    assert done.returncode == 1
    assert "exit code: 2" in done.stdout


@pytest.mark.skipif(not hasattr(parser().parse_args(["check"]), "changed_since"),
                    reason="check has no --changed-since yet")  # fmt: skip
def test_only_what_the_change_brings(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", "lockorder-changed")
    repository.commit("start.cpp", CLEAN + FORWARD + BACKWARD)
    repository.stage("other.cpp", "int other;\n")
    assert repository.run().returncode == 0, "the deadlock was there before"
    names = {"alpha": "gamma_lock", "beta": "delta_lock", "ward": "ward_again"}
    text = CLEAN + FORWARD + BACKWARD
    for old, new in names.items():
        text = text.replace(old, new)
    repository.stage("other.cpp", text)
    found = repository.run()
    assert found.returncode == 1
    assert "gamma_lock" in found.stdout
    assert "alpha" not in found.stdout
