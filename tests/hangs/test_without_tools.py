"""What `lockorder hang` says of native programs where no tool for stacks is there.

As in most containers: places are not told then, and nobody who is well is accused.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scenarios import CannotStartError, Scenario, scenarios
from start import Answer, first_line, started

_SETTLED = 0.5
NATIVES = [each for each in scenarios() if each.id.startswith("natives-")]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Scenario], Answer]:
    """Starts a program, and asks for it with nothing in the search path."""

    def asked(scenario: Scenario) -> Answer:
        try:
            with started(scenario) as program:
                time.sleep(_SETTLED)
                monkeypatch.setenv("PATH", str(tmp_path))
                return first_line(program)
        except CannotStartError as missing:
            pytest.skip(str(missing))

    return asked


@pytest.mark.parametrize(
    "scenario", [each for each in NATIVES if not each.hung], ids=lambda each: each.id
)
def test_no_healthy_program_is_accused(
    scenario: Scenario, ask: Callable[[Scenario], Answer]
) -> None:
    answer = ask(scenario)
    assert answer.code == 0, answer.line
    assert "stands still" not in answer.line


@pytest.mark.parametrize("name", ["natives-crossed", "natives-join_under_a_mutex"])
def test_a_deadlock_is_told_all_the_same(name: str, ask: Callable[[Scenario], Answer]) -> None:
    (scenario,) = (each for each in NATIVES if each.id == name)
    answer = ask(scenario)
    assert answer.code == 1
    assert "are deadlocked" in answer.line
