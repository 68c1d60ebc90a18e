"""What `lockorder hang` says first of cores: of tasks in one process, and of two processes."""

from __future__ import annotations

import shutil
import time

import pytest

from scenarios import CannotStartError, scenarios
from start import of_cores, started

#: A loop that nobody else can wake, locks in shared memory, a child and its parent.
CHOSEN = (
    "asyncio_tasks-task_group",
    "asyncio_tasks-permits_are_not_enough",
    "processes-locks_crossed_between_processes",
    "processes-barrier_lacks_a_killed_child",
)
_SETTLED = 0.5

pytestmark = pytest.mark.skipif(
    not (shutil.which("gcore") and shutil.which("gdb")), reason="needs gdb's gcore"
)


@pytest.mark.parametrize("name", CHOSEN)
def test_first_line(name: str) -> None:
    (scenario,) = [s for s in scenarios() if s.id == name]
    try:
        with started(scenario) as program:
            time.sleep(_SETTLED)
            answer = of_cores(program)
    except CannotStartError as error:
        pytest.skip(str(error))
    assert answer.right, f"{answer.line} misses {answer.wrong}"
