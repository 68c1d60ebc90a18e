"""What a function that answers a question tells of what it was asked about.

``if (value.is_list())`` is a branch on the member that says what ``value`` is.  What is known of
the member decides the answer, and the answer, where a branch asks for it, decides the member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp.known import TESTED, Fact, NotAll
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def answered(act: Walk, event: f.Call, body: str, result: Path, state: State) -> State:
    """*state* after a call of *body*, which came back to it, with what ties the answer to that."""
    condition = act.engine.predicates.at(event, body)
    if condition is None:
        return state
    act.questions[event.id] = condition
    known = act.values.known(condition, state)
    if known is not None:
        return state.but(facts={**state.facts, result: known})
    ties = dict[Fact, bool]()
    for truth in (True, False):
        after = act.values.assume(condition, truth, state)
        if after is None:
            return state.but(facts={**state.facts, result: not truth})
        for fact, so in after.facts.items():
            if isinstance(fact, TESTED) and state.facts.get(fact) is not so:
                ties[NotAll(frozenset(((result, truth), (fact, not so))))] = True
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
    return call.target.base if _asks_for_itself(act, call.target.usr) else condition


def _asks_for_itself(act: Walk, method: str) -> bool:
    """Whether a method of a smart pointer or an optional says whether it has anything."""
    cls, _, name = act.program.name_of(method).rpartition("::")
    return cls in act.knowledge.owners and name in act.knowledge.asks
