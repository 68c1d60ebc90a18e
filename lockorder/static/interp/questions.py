"""What a function that answers a question tells of what it was asked about.

``if (value.is_list())`` is a branch on the member that says what ``value`` is.  What is known of
the member decides the answer, and the answer, where a branch asks for it, decides the member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp import conditions
from lockorder.static.interp.known import TESTED, Fact, NotAll
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program import predicates
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def answered(act: Walk, event: f.Call, body: str, result: Path, state: State) -> State:
    """*state* after a call of *body*, which came back to it, with what ties the answer to that."""
    condition = act.engine.predicates.at(event, body)
    if condition is None:
        return state
    act.questions[event.id] = condition
    return _tied(act, condition, result, state)


def kept(act: Walk, local: f.Local, state: State) -> State:
    """*state* with what ties a local that a condition is kept in to what that is about."""
    condition = act.kept_conditions.get(local.usr)
    path = Path.of_variable(local.usr)
    if isinstance(condition, f.Result):
        condition = behind(act, condition)
    if isinstance(condition, f.Field) and not conditions.is_own_number(act.program, local.usr):
        return state  # another name for it
    if condition is None or isinstance(condition, f.Result) or path in state.facts:
        return state  # what a call tells goes with what it returned
    return _tied(act, condition, path, state)


def told_by_ways(before: State, ways: list[State], result: Path) -> list[State]:
    """*ways* on which a call came back, with what its answer tells of what it set or found there.

    They meet where nothing else tells them apart; who branches by the answer parts them again.
    """
    answers = [state.facts.get(result) for state in ways]
    if len(ways) < 2 or None in answers or len(set(answers)) < 2:
        return ways
    ties = dict[Fact, bool]()
    for truth in (True, False):
        first, *others = (s for s, answer in zip(ways, answers, strict=True) if answer is truth)
        for fact, so in first.facts.items():
            new = isinstance(fact, TESTED) and fact != result and before.facts.get(fact) is not so
            if new and all(s.facts.get(fact) is so for s in others):
                ties[NotAll(frozenset(((result, truth), (fact, not so))))] = True
    return [s.but(facts={**s.facts, **ties}) for s in ways] if ties else ways


def _tied(act: Walk, condition: f.Value, answer: Path, state: State) -> State:
    """*state* with what ties the truth at *answer* to that of a *condition*."""
    known = act.values.known(condition, state)
    if known is not None:
        return state.but(facts={**state.facts, answer: known})
    ties = dict[Fact, bool]()
    for truth in (True, False):
        after = act.values.assume(condition, truth, state)
        if after is None:
            return state.but(facts={**state.facts, answer: not truth})
        for fact, so in after.facts.items():
            if isinstance(fact, TESTED) and state.facts.get(fact) is not so:
                ties[NotAll(frozenset(((answer, truth), (fact, not so))))] = True
    return state.but(facts={**state.facts, **ties}) if ties else state


def behind(act: Walk, condition: f.Value | None) -> f.Value | None:
    """What a *condition* asks that is a call's result, or a local that is set to one and kept."""
    if isinstance(condition, f.Var):
        condition = act.kept_conditions.get(condition.usr, condition)
    if not isinstance(condition, f.Result):
        return condition
    known = act.questions.get(condition.call)
    if known is not None:
        return known
    call = act.values.calls.get(condition.call)
    if call is None or call.args or not isinstance(call.target, f.Fn):
        return condition
    return predicates.asked_by(act.program, call.target) or condition
