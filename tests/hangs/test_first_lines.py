"""What `lockorder hang` says first of the programs of the table, and with which exit code.

Two families of it, so that the tests stay short; `make bench-hangs` asks for all of them.
"""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from scenarios import CannotStartError, Scenario, scenarios
from start import Answer, first_line, started

FAMILIES = ("locks-", "queues-")
#: Share of the hung programs whose first line has to say all that is wanted.
RIGHT = 0.9
_AT_ONCE, _SETTLED = 4, 0.5

pytestmark = pytest.mark.skipif(
    not (shutil.which("gdb") or shutil.which("eu-stack")), reason="needs gdb or eu-stack"
)


def _answer(scenario: Scenario) -> tuple[Scenario, Answer] | None:
    try:
        with started(scenario) as program:
            time.sleep(_SETTLED)
            return scenario, first_line(program)
    except CannotStartError:
        return None


@pytest.fixture(scope="module")
def answers() -> list[tuple[Scenario, Answer]]:
    chosen = [each for each in scenarios() if each.id.startswith(FAMILIES)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return [found for found in pool.map(_answer, chosen) if found is not None]


def test_first_lines_of_hung_programs(answers: list[tuple[Scenario, Answer]]) -> None:
    hung = [(scenario, answer) for scenario, answer in answers if scenario.hung]
    wrong = [f"{s.id}: {a.line} misses {a.wrong}" for s, a in hung if not a.right]
    assert len(hung) > 30
    assert len(wrong) <= (1 - RIGHT) * len(hung), "\n".join(wrong)


def test_no_healthy_program_is_accused(answers: list[tuple[Scenario, Answer]]) -> None:
    healthy = [(scenario, answer) for scenario, answer in answers if not scenario.hung]
    assert len(healthy) > 5
    assert not [f"{s.id}: {a.line}" for s, a in healthy if a.code]
