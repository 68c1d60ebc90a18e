"""Loops that are left only once a lock could be taken: trying again and again is waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.model import How
from lockorder.static.interp import locking
from lockorder.static.interp.summary import State
from lockorder.static.interp.tries import Round, Try
from lockorder.static.program.effects import Holdable

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def note(act: Walk, loop: Round) -> None:
    """Record the tries in *loop* without whose success nobody gets out of it."""
    given = frozenset(act.log.given[loop.mark[1] :])
    for attempt in dict.fromkeys(act.log.tries[loop.mark[0] :]):
        if not loop.left or not all(s.facts.get(attempt.key) for s in loop.left):
            continue
        for state in loop.back:
            if state.facts.get(attempt.key) is False:
                _wait(act, attempt, state, loop, given)


def _wait(act: Walk, attempt: Try, state: State, loop: Round, given: frozenset[Holdable]) -> None:
    """Whoever goes round waits, but not with what was *given* back on the way."""
    kept = tuple(
        h
        for h in state.held
        if any(h in s.held for s in loop.entering)
        and not (h.path in given and h.path in state.freed)
    )
    # Of the callers' locks only those that stay theirs all the time.
    away = state.released | (given - {h.path for h in kept} - set(attempt.paths))
    waiting = state.but(held=kept, released=away)
    for path in attempt.paths:
        locking.note_taken(act, waiting, kept, path, attempt.mode, How.BLOCKING, attempt.site)
