"""``lockorder debug``: questions about a program, answers on stdout, exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CLEAN, FAILED = 0, 2
DEPOT = Path(__file__).parents[1] / "golden" / "debug" / "depot.cpp"

Ask = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    folder = tmp_path_factory.mktemp("debug")
    shutil.copy(DEPOT, folder)
    (folder / "other").mkdir()
    (folder / "other" / "shed.cpp").write_text("int shed() { return 1; }\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lockorder", "debug", *arguments]
        environment = {**os.environ, "LOCKORDER_CACHE_DIR": str(folder / ".cache")}
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip

    return run


@pytest.mark.parametrize(
    ("question", "where", "says"),
    [
        ("facts", "Depot::count", "method Depot::count (depot.cpp:32-43)"),
        ("facts", "depot.cpp:38", "> 38"),
        ("summary", "close", "takes gate (try)"),
        ("orders", "arrive", "no finding: gate -> ledger and ledger -> gate cannot meet: yard is"),
        ("orders", "gate", "yard -> gate"),
        ("why", "depot.cpp:29", "missing: nothing that was read stores a function in this.horn"),
        ("why", "depot.cpp:38:12", "no way comes here: the branch is walked only where late is tr"),
    ],
)
def test_answers(question: str, where: str, says: str, ask: Ask) -> None:
    done = ask(question, where)
    assert (done.returncode, done.stderr) == (CLEAN, "")
    assert says in done.stdout
    data = json.loads(ask(question, where, "--format", "json").stdout)
    assert (data["format"], data["version"]) == ("lockorder-debug", 1)
    assert (data["question"], data["about"]) == (question, where)
    key = {"facts": "facts", "summary": "summaries", "orders": "orders", "why": "places"}
    assert data[key[question]]


@pytest.mark.parametrize(
    ("where", "paths", "says"),
    [
        ("arive", (), "no function is called 'arive': is one of these meant? Depot::arrive"),
        ("unload", (), "2 functions are called unload: name one by its place: depot.cpp:14, depot"),
        ("depot.cpp:8", (), "depot.cpp:8: is in no function that was read; the nearest: Truck::~T"),
        ("depot.cpp:28", ("other",), "depot.cpp: is no part of what was read (other): give PATHS"),
        ("no.cpp:1", (), "no.cpp: no such file"),
        ("depot.cpp", (), "depot.cpp is a file: name a line of it, as depot.cpp:LINE"),
        ("arrive", ("nowhere",), "nowhere: no such file or folder"),
    ],
)
def test_what_cannot_be_answered(where: str, paths: tuple[str, ...], says: str, ask: Ask) -> None:
    done = ask("why", where, *paths)
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert f"lockorder: error: {says}" in done.stderr


def test_a_lock_that_is_none(ask: Ask) -> None:
    done = ask("orders", "turnstile")
    assert done.returncode == FAILED
    assert done.stderr.endswith("no function is called 'turnstile'; nor is a lock in any order\n")


def test_to_a_file(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    done = ask("why", "depot.cpp:29", "--output", str(file))
    assert (done.returncode, done.stdout) == (CLEAN, "")
    assert file.read_text() == ask("why", "depot.cpp:29").stdout


def test_nothing_but_facts_is_asked_of_a_cache(ask: Ask) -> None:
    assert ask("why", "close", "--no-cache").stdout == ask("why", "close").stdout


def test_the_example_of_the_documentation(ask: Ask) -> None:
    top = Path(__file__).parents[2]
    page = (top / "docs" / "CONTRIBUTING.md").read_text()
    example = page.split("    $ lockorder debug why gate_callers_ok.cpp:11 gate_callers_ok.cpp\n")[
        1
    ]
    wanted = [line[4:] for line in example.split("    ...\n")[0].splitlines()]
    source = top / "fixtures" / "cpp" / "corpus" / "feasibility" / "gate_callers_ok.cpp"
    done = ask("why", f"{source}:11", str(source))
    assert done.stdout.replace(f"{source.parent}/", "").splitlines()[: len(wanted)] == wanted
