"""``run --budget``: what recording may cost, and what it says of what it left out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BuildProgram = Callable[[str], Path]


@pytest.fixture(scope="session")
def thinned(build_program: BuildProgram) -> str:
    return str(build_program("thinned"))


def command(folder: Path, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """``lockorder run`` with *words*, its traces below *folder*."""
    return subprocess.run(
        [sys.executable, "-m", "lockorder", "run", "-o", str(folder / "traces"), *words],
        capture_output=True, text=True, check=check,
    )  # fmt: skip


def run(folder: Path, *words: str) -> dict[str, Any]:
    """The result of a run."""
    result = folder / "result.json"
    command(folder, "--format", "json", "--output", str(result), *words)
    found: dict[str, Any] = json.loads(result.read_text())
    return found


def left_out(result: dict[str, Any]) -> int:
    """Acquisitions that were not recorded, in all processes."""
    return sum(p.get("lost", {}).get("left_out", 0) for p in result["run"]["processes"])


def rules(result: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in result.get("findings", [])}


def test_nothing_is_left_out_without_a_budget(thinned: str, tmp_path: Path) -> None:
    result = run(tmp_path, "--", thinned, "orders")
    assert rules(result) == {"lock-order-cycle"}
    assert left_out(result) == 0


def test_orders_that_repeat_are_found_and_the_rest_is_counted(thinned: str, tmp_path: Path) -> None:
    result = run(tmp_path, "--budget", "1%", "--", thinned, "orders")
    assert rules(result) == {"lock-order-cycle"}
    assert left_out(result) > 1_000_000


def test_no_chain_lacks_a_lock(thinned: str, tmp_path: Path) -> None:
    result = run(tmp_path, "--budget", "1%", "--", thinned, "gated")
    assert rules(result) == set()
    assert sum(p["orders"] for p in result["run"]["processes"]) >= 4  # a and b both ways
    assert left_out(result) > 1_000_000


def test_what_is_left_out_is_not_taken_for_misuse(thinned: str, tmp_path: Path) -> None:
    result = run(tmp_path, "--budget", "1%", "--", thinned, "manners")
    assert [f for f in result.get("findings", []) if f["level"] != "note"] == []
    assert left_out(result) > 100_000


def test_the_report_tells_how_much_is_missing(thinned: str, tmp_path: Path) -> None:
    done = command(tmp_path, "--budget", "1%", "--", thinned, "gated")
    assert "acquisitions of locks were not recorded, to keep to --budget" in done.stderr


@pytest.mark.parametrize("text", ["1", "0%", "101%", "some%", "-1%", "nan%"])
def test_what_is_no_share_is_refused(text: str, tmp_path: Path) -> None:
    done = command(tmp_path, f"--budget={text}", "--", "true", check=False)
    assert done.returncode == 2
    assert "is no share above 0% and up to 100%, such as 1%" in done.stderr
    assert not (tmp_path / "traces").exists()
