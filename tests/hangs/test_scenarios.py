"""The programs of the table themselves: each stands where it says, and does what it claims."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from scenarios import CannotStartError, Scenario, scenarios
from start import look, moved, started

TABLE = scenarios()
MOVING = ("moves", "polls", "outside")
_AT_ONCE = 12
_SETTLED = 0.5  # seconds after which who has said that it stands does
_STILL = 1.0  # seconds over which it is looked at
_MOVES = 3.0  # seconds within which something has moved


def _state(scenario: Scenario) -> str:
    """What it does; starts and ends it."""
    with started(scenario) as program:
        time.sleep(_SETTLED)
        if scenario.claim in MOVING:
            end = time.monotonic() + _MOVES
            before = look(program.pid)
            while time.monotonic() < end:
                time.sleep(0.1)
                if moved(before, look(program.pid)):
                    return "moves"
            return "still"
        before = look(program.pid)
        time.sleep(_STILL)
        return "moves" if moved(before, look(program.pid)) else "still"


def _or_late(scenario: Scenario) -> str:
    """Once more for one that was not there yet, the machine being full."""
    seen = _state(scenario)
    return _state(scenario) if seen == "moves" and scenario.claim == "still" else seen


@pytest.fixture(scope="session")
def states(request: pytest.FixtureRequest) -> dict[str, Future[str]]:
    """Of those that are asked for, several at once."""
    wanted = {item.callspec.id for item in request.session.items if hasattr(item, "callspec")}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return {each.id: pool.submit(_or_late, each) for each in TABLE if each.id in wanted}


@pytest.mark.parametrize("scenario", TABLE, ids=[each.id for each in TABLE])
def test_does_what_it_claims(scenario: Scenario, states: dict[str, Future[str]]) -> None:
    try:
        seen = states[scenario.id].result()
    except CannotStartError as missing:
        pytest.skip(str(missing))
    assert seen == ("moves" if scenario.claim in MOVING else "still")


def test_there_are_enough() -> None:
    assert sum(each.hung for each in TABLE) >= 130
    assert sum(not each.hung for each in TABLE) >= 60
    assert all(len(each.says) >= 2 for each in TABLE if each.hung)
