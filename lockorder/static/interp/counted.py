"""Locks of which the program itself remembers who has them, and how often.

``if (owner == self) { ++count; return; } take(&flag);`` has two ways: one takes the lock, the other
finds that its thread has it already.  For callers both have taken it once more, and of
``if (--count == 0) give_up(&flag);`` both ways have given it up once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp.summary import Held, Outcome
from lockorder.static.program.paths import Path
from lockorder.static.program.places import THIS, Place

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def once(act: Walk, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """*outcomes* of the function that is walked: each takes a lock that it counts, or none does.

    A way that comes back with another result than those that take it has failed.
    """
    known = act.engine.wrappers.counted.get(act.function.usr, {})
    found = list(outcomes)
    for place, takes in known.items():
        path = _path(act, place)
        found = _taken(found, path) if takes else _given(found, path)
    return found


def _path(act: Walk, place: Place) -> Path:
    start = act.values.this if place.root == THIS else Path.of_variable(place.root)
    return act.identities.outer(Path(start.root, place.steps))


def _taken(outcomes: list[Outcome], path: Path) -> list[Outcome]:
    taken: dict[object, Held] = {}
    for outcome in outcomes:
        for held in outcome.held:
            if held.path == path:
                taken.setdefault((outcome.flag, outcome.value), held)
    found = []
    for outcome in outcomes:
        again = taken.get((outcome.flag, outcome.value))
        if again is not None and all(h.path != path for h in outcome.held):
            outcome = outcome._replace(held=(*outcome.held, again))
        found.append(outcome)
    return found


def _given(outcomes: list[Outcome], path: Path) -> list[Outcome]:
    if all(path not in o.released for o in outcomes):
        return outcomes
    return [o._replace(released=o.released | {path}) for o in outcomes]
