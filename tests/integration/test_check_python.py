"""`lockorder check` on Python that several ranks run: alone, beside C++, in notebooks, again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

CLEAN, FOUND, FAILED = 0, 1, 2
RULE = "collective-divergence"

BAD = """\
import torch
import torch.distributed as dist


def report(loss):
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
        print(loss.item())
"""
OK = BAD.replace(
    "    if dist.get_rank() == 0:\n        dist.all_reduce(loss)\n",
    "    dist.all_reduce(loss)\n    if dist.get_rank() == 0:\n",
)
BROKEN = "import torch\n\ndef f(:\n    pass\n"
CPP = """\
#include <mutex>

std::mutex first, second;

void forward() {
    std::lock_guard<std::mutex> outer(first);
    std::lock_guard<std::mutex> inner(second);
}

void backward() {
    std::lock_guard<std::mutex> outer(second);
    std::lock_guard<std::mutex> inner(first);
}
"""

Done = subprocess.CompletedProcess[str]


class Folder:
    """A project in a folder, and `lockorder` on it."""

    def __init__(self, path: Path) -> None:
        self.path = path / "project"
        self.cache = path / "cache"
        (self.path / ".git").mkdir(parents=True)  # marks the project's root

    def put(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "lockorder", *arguments], cwd=self.path,
            env={**os.environ, "XDG_CACHE_HOME": str(self.cache)}, capture_output=True,
            encoding="utf-8", timeout=120, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stdout + done.stderr, done.stderr
        return done

    def check(self, *arguments: str) -> Done:
        return self.run("check", *(arguments or (".",)))

    def findings(self, *arguments: str) -> list[dict[str, Any]]:
        """The findings as JSON has them."""
        done = self.check(*(arguments or (".",)), "--format", "json")
        assert done.returncode in (CLEAN, FOUND), done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
        return found


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def places(finding: dict[str, Any]) -> set[tuple[str, int]]:
    return {
        (frame["file"], frame["line"])
        for side in finding["participants"]
        for frame in side.get("chain", ())
    }


# -- what is told ---------------------------------------------------------------------------------


def test_a_folder_with_python_only(folder: Folder) -> None:
    folder.put({"train.py": BAD, "more/other.py": "print(1)\n"})
    done = folder.check()
    assert done.returncode == FOUND, done.stderr
    assert f"[{RULE}]" in done.stdout
    assert "train.py:7" in done.stdout
    assert "dist.get_rank() == 0" in done.stdout


def test_as_json(folder: Folder) -> None:
    folder.put({"train.py": BAD})
    (finding,) = folder.findings()
    assert (finding["rule"], finding["level"]) == (RULE, "error")
    assert ("train.py", 7) in places(finding)


def test_as_sarif(folder: Folder) -> None:
    folder.put({"src/train.py": BAD})
    done = folder.check("src", "--format", "sarif")
    assert done.returncode == FOUND
    (run,) = json.loads(done.stdout)["runs"]
    assert [r["ruleId"] for r in run["results"]] == [RULE]
    assert RULE in {r["id"] for r in run["tool"]["driver"]["rules"]}
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/train.py"
    assert place["region"]["startLine"] == 7


def test_a_clean_folder(folder: Folder) -> None:
    folder.put({"train.py": OK})
    done = folder.check()
    assert done.returncode == CLEAN, done.stdout
    assert RULE not in done.stdout


def test_a_file_by_its_name(folder: Folder) -> None:
    """Only what is named is looked at."""
    folder.put({"train.py": BAD, "fine.py": OK})
    assert folder.check("train.py").returncode == FOUND
    assert folder.check("fine.py").returncode == CLEAN
    assert folder.check("fine.py", "train.py").returncode == FOUND


def test_a_notebook(folder: Folder) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A title\n"]},
        {"cell_type": "code", "source": BAD.splitlines(keepends=True)[:2]},
        {"cell_type": "code", "source": "%matplotlib inline\n" + "\n".join(BAD.splitlines()[4:])},
    ]
    folder.put({"book.ipynb": json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5})})
    (finding,) = folder.findings("book.ipynb")
    assert finding["rule"] == RULE
    assert {file for file, _ in places(finding)} == {"book.ipynb"}
    (same,) = folder.findings()
    assert same == finding


def test_messages_have_a_rule_of_their_own(folder: Folder) -> None:
    body = (
        "import torch\nimport torch.distributed as dist\nt = torch.zeros(1)\n"
        "if dist.get_rank() == 0:\n    dist.recv(t, src=1)\n"
    )
    folder.put({"train.py": body})
    (finding,) = folder.findings()
    assert (finding["rule"], finding["level"]) == ("p2p-mismatch", "warning")
    assert ("train.py", 5) in places(finding)


def test_rules_are_chosen_as_others_are(folder: Folder) -> None:
    folder.put({"train.py": BAD, "locks.cpp": CPP})
    assert {f["rule"] for f in folder.findings()} == {RULE, "lock-order-cycle"}
    assert {f["rule"] for f in folder.findings(".", "--select", RULE)} == {RULE}
    assert {f["rule"] for f in folder.findings(".", "--ignore", RULE)} == {"lock-order-cycle"}


def test_cpp_and_python_together(folder: Folder) -> None:
    folder.put({"train.py": BAD, "src/locks.cpp": CPP})
    done = folder.check()
    assert done.returncode == FOUND
    assert f"[{RULE}]" in done.stdout
    assert "[lock-order-cycle]" in done.stdout


def test_python_and_c_of_one_job(folder: Folder) -> None:
    source = (
        "#include <mpi.h>\nint main(void) {\n  int rank;\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  if (rank == 0)\n"
        "    MPI_Barrier(MPI_COMM_WORLD);\n  return 0;\n}\n"
    )
    folder.put({"train.py": BAD, "job.c": source})
    found = [place for f in folder.findings(".", "--select", RULE) for place in places(f)]
    assert ("train.py", 7) in found
    assert ("job.c", 6) in found


# -- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize("named", [(".",), ("broken.py", "train.py")])
def test_a_syntax_error_is_told_and_the_rest_too(folder: Folder, named: tuple[str, ...]) -> None:
    folder.put({"train.py": BAD, "broken.py": BROKEN})
    done = folder.check(*named)
    assert done.returncode == FAILED
    assert "broken.py:3" in done.stderr
    assert f"[{RULE}]" in done.stdout
    assert "train.py:7" in done.stdout


def test_a_syntax_error_alone(folder: Folder) -> None:
    folder.put({"broken.py": BROKEN})
    done = folder.check()
    assert done.returncode == FAILED
    assert "broken.py:3" in done.stderr


def test_json_that_is_no_notebook_is_told_and_the_rest_too(folder: Folder) -> None:
    folder.put({"train.py": BAD, "data.ipynb": "[]"})
    done = folder.check()
    assert "data.ipynb" in done.stderr
    assert f"[{RULE}]" in done.stdout


# -- what is kept, and left out -------------------------------------------------------------------


def marked(line: int, comment: str) -> str:
    lines = BAD.splitlines()
    lines[line - 1] += f"  # lockorder: ignore[{comment}] only rank 0 has a group here"
    return "\n".join(lines) + "\n"


def test_a_comment_on_the_line_takes_a_finding_out(folder: Folder) -> None:
    folder.put({"train.py": marked(7, RULE)})
    assert folder.check().returncode == CLEAN


def test_a_comment_about_another_rule_does_not(folder: Folder) -> None:
    folder.put({"train.py": marked(7, "p2p-mismatch")})
    assert folder.check().returncode == FOUND


def test_a_text_that_looks_like_a_comment_does_not(folder: Folder) -> None:
    text = BAD.replace(
        "dist.all_reduce(loss)", f'dist.all_reduce(loss), "# lockorder: ignore[{RULE}] x"'
    )
    folder.put({"train.py": text})
    assert folder.check().returncode == FOUND


def test_a_baseline_has_what_was_there_before(folder: Folder) -> None:
    folder.put({"train.py": BAD})
    done = folder.check(".", "--write-baseline", "base.json", "--exit-zero")
    assert done.returncode == CLEAN, done.stderr
    assert folder.check(".", "--baseline", "base.json").returncode == CLEAN
    folder.put({"other.py": BAD.replace("report", "again").replace("all_reduce", "broadcast")})
    done = folder.check(".", "--baseline", "base.json")
    assert done.returncode == FOUND
    assert "other.py:7" in done.stdout
    assert "train.py:7" not in done.stdout


def test_a_baseline_holds_where_lines_move(folder: Folder) -> None:
    folder.put({"train.py": BAD})
    folder.check(".", "--write-baseline", "base.json", "--exit-zero")
    folder.put({"train.py": "# a line more\n\n" + BAD})
    assert folder.check(".", "--baseline", "base.json").returncode == CLEAN


def test_a_second_run_says_the_same(folder: Folder) -> None:
    """From what the first one left, which the folder of kept results shows."""
    folder.put({"train.py": BAD, "src/locks.cpp": CPP})
    first = folder.check()
    assert any(f.is_file() for f in folder.cache.rglob("*"))
    second = folder.check()
    assert (second.returncode, second.stdout, second.stderr) == (
        first.returncode, first.stdout, first.stderr,
    )  # fmt: skip
    assert first.returncode == FOUND


def test_a_run_with_nothing_to_do_loads_nothing_to_do_it_with(folder: Folder) -> None:
    """Python alone, too: neither the compiler nor what runs programs on paper is loaded again."""
    folder.put({"train.py": BAD})
    code = (
        "import sys\nfrom lockorder.cli import main\ntry: main(['check', '.'])\n"
        "except SystemExit: pass\n"
        "print('loaded', *sorted(m for m in sys.modules if 'clang' in m or 'lockorder.ranks' in m))"
    )
    last = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=folder.path, capture_output=True, encoding="utf-8",
            env={**os.environ, "XDG_CACHE_HOME": str(folder.cache)}, timeout=120, check=True,
        )  # fmt: skip
        last.append(done.stdout.splitlines()[-1])
    assert "lockorder.ranks.check" in last[0]
    assert last[1] == "loaded"


def test_an_edit_is_seen(folder: Folder) -> None:
    """A kept result is no result of other sources: edited, added, taken away, and edited back."""
    folder.put({"train.py": BAD})
    assert folder.check().returncode == FOUND
    folder.put({"train.py": OK})
    assert folder.check().returncode == CLEAN
    folder.put({"new.py": BAD})
    assert folder.check().returncode == FOUND
    (folder.path / "new.py").unlink()
    assert folder.check().returncode == CLEAN
    folder.put({"train.py": BAD})
    assert folder.check().returncode == FOUND


def test_an_edit_of_what_is_imported_is_seen(folder: Folder) -> None:
    helper = "import torch.distributed as dist\ndef act(x):\n    {}dist.all_reduce(x)\n"
    main = (
        "import torch.distributed as dist\nfrom helper import act\ndef f(x):\n"
        "    if dist.get_rank() == 0:\n        act(x)\n"
    )
    folder.put({"helper.py": helper.format(""), "train.py": main})
    assert folder.check().returncode == FOUND
    folder.put({"helper.py": helper.format("print(x)  # ")})
    assert folder.check().returncode == CLEAN


def test_python_beside_kept_cpp_is_seen(folder: Folder) -> None:
    folder.put({"locks.cpp": CPP})
    assert {f["rule"] for f in folder.findings()} == {"lock-order-cycle"}
    folder.put({"train.py": BAD})
    assert {f["rule"] for f in folder.findings()} == {"lock-order-cycle", RULE}


@pytest.mark.parametrize("rule", [RULE, "p2p-mismatch"])
def test_a_rule_is_explained(folder: Folder, rule: str) -> None:
    done = folder.run("explain", rule)
    assert done.returncode == CLEAN
    for part in ("What it does", "Why it hangs", "Example", "Instead", "References"):
        assert part in done.stdout
    assert rule in folder.run("explain").stdout
