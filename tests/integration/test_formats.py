"""Every format as the command line writes it: streams, exit codes, files, schemas."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import test_analyze
import test_cli
from lockorder.rules import RULES
from schemas import problems
from traces import Program

CLEAN, FOUND, FAILED = 0, 1, 2
Done = subprocess.CompletedProcess[bytes]
Run = Callable[..., Done]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GITHUB_")}
    return {**kept, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture
def lockorder(tmp_path: Path, environment: dict[str, str]) -> Run:
    """Runs `lockorder ARGUMENTS` in a folder of a repository with a deadlock in it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "deadlock.cpp").write_text(test_cli.DEADLOCK)
    (tmp_path / "src" / "ordered.cpp").write_text(test_cli.ORDERED)

    def run(*arguments: str, folder: Path = tmp_path / "src", **changed: str) -> Done:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", *arguments],
            cwd=folder,
            env={**environment, **changed},
            capture_output=True,
            timeout=60,
            check=False,
        )

    return run


def sarif(done: Done) -> dict[str, Any]:
    """The one run in a valid SARIF log on stdout."""
    log = json.loads(done.stdout)
    assert problems("sarif", log) == []
    (run,) = log["runs"]
    return run


def test_sarif_of_a_check(lockorder: Run, tmp_path: Path) -> None:
    done = lockorder("check", "--format", "sarif", "deadlock.cpp")
    assert done.returncode == FOUND
    run = sarif(done)
    assert [r["id"] for r in run["tool"]["driver"]["rules"]] == [rule.id for rule in RULES]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/deadlock.cpp", "uriBaseId": "%SRCROOT%"}
    assert place["region"]["startLine"] in (6, 10)
    assert len(result["codeFlows"][0]["threadFlows"]) == 2
    assert str(tmp_path) not in done.stdout.decode(), "what is written differs by machine"
    again = lockorder("check", "--format", "sarif", "src/deadlock.cpp", folder=tmp_path)
    assert sarif(again)["results"] == run["results"]


@pytest.mark.parametrize("form", ["sarif", "github", "markdown"])
def test_what_could_not_be_analysed(lockorder: Run, form: str) -> None:
    done = lockorder("check", "--format", form, "--exit-zero", "ordered.cpp", "gone.cpp")
    assert done.returncode == FAILED
    assert b"gone.cpp" in done.stdout
    if form == "sarif":
        (invocation,) = sarif(done)["invocations"]
        assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, FAILED)


def test_annotations_of_a_check(lockorder: Run, tmp_path: Path) -> None:
    done = lockorder("check", "--format", "github", GITHUB_WORKSPACE=str(tmp_path))
    assert done.returncode == FOUND
    (line,) = done.stdout.decode().splitlines()
    assert line.startswith("::error file=src/deadlock.cpp,line=")
    assert b"lockorder: 1 error" in done.stderr
    clean = lockorder("check", "--format", "github", "ordered.cpp")
    assert (clean.returncode, clean.stdout) == (CLEAN, b"")


def test_a_summary_of_a_check(lockorder: Run) -> None:
    done = lockorder("check", "--format", "markdown", "deadlock.cpp")
    assert done.returncode == FOUND
    text = done.stdout.decode()
    assert text.startswith("## lockorder: 1 error, 0 warnings, 0 notes\n")
    assert "<code>src/deadlock.cpp:" in text
    assert "std::lock_guard<std::mutex> inner(beta);" in text


@pytest.mark.parametrize("form", ["sarif", "github", "markdown"])
def test_output_goes_to_the_file(lockorder: Run, tmp_path: Path, form: str) -> None:
    target = tmp_path / "result"
    done = lockorder("check", "--format", form, "--output", str(target), "deadlock.cpp")
    assert (done.returncode, done.stdout) == (FOUND, b"")
    assert target.read_bytes() == lockorder("check", "--format", form, "deadlock.cpp").stdout


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown"])
def test_recorded_runs(lockorder: Run, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    test_analyze.rank(0, Program()).write(folder)
    done = lockorder("analyze", "run", "--format", form, folder=tmp_path)
    assert done.returncode == FOUND
    assert b"Traceback" not in done.stderr
    if form == "sarif":
        run = sarif(done)
        assert run["invocations"][0]["executionSuccessful"]
        assert {r["ruleId"] for r in run["results"]} >= {"lock-order-cycle"}
    # However narrow the terminal that is not there.
    assert lockorder("analyze", "run", "--format", form, folder=tmp_path,
                     COLUMNS="30").stdout == done.stdout  # fmt: skip


def test_findings_beyond_the_annotations_are_said(lockorder: Run, tmp_path: Path) -> None:
    for number in range(11):
        text = test_cli.DEADLOCK
        for name in ("alpha", "beta", "forward", "backward"):
            text = text.replace(name, f"{name}{number}")
        (tmp_path / "src" / f"more{number}.cpp").write_text(text)
    done = lockorder("check", "--format", "github")
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 11
    assert lines[-1].startswith("::notice title=lockorder%3A there is more::2 more of 12")
    assert b"lockorder: warning: 2 more of 12 findings" in done.stderr
