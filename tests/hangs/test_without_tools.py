"""What `lockorder hang` says of native programs where no tool for stacks is there.

As in most containers: places are not told then, and nobody who is well is accused.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from scenarios import CannotStartError, Scenario, scenarios
from start import first_line, started

_SETTLED = 0.5
NATIVES = [each for each in scenarios() if each.id.startswith("natives-")]


@pytest.mark.parametrize(
    "scenario", [each for each in NATIVES if not each.hung], ids=lambda each: each.id
)
def test_no_healthy_program_is_accused(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        with started(scenario) as program:
            time.sleep(_SETTLED)
            monkeypatch.setenv("PATH", str(tmp_path))
            answer = first_line(program)
    except CannotStartError as missing:
        pytest.skip(str(missing))
    assert answer.code == 0, answer.line
    assert "stands still" not in answer.line


@pytest.mark.parametrize("name", ["natives-crossed", "natives-join_under_a_mutex"])
def test_a_deadlock_is_told_all_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scenario,) = (each for each in NATIVES if each.id == name)
    try:
        with started(scenario) as program:
            time.sleep(_SETTLED)
            monkeypatch.setenv("PATH", str(tmp_path))
            answer = first_line(program)
    except CannotStartError as missing:
        pytest.skip(str(missing))
    assert answer.code == 1
    assert "are deadlocked" in answer.line
