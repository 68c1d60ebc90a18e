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


def asked(function: f.Function) -> frozenset[int]:
    """Calls by whose results *function* branches, by number, or that it returns."""
    found = set[int]()
    for statement in f.walk(function.body):
        if isinstance(statement, f.If | f.Loop):
            found.update(_results(statement.cond))
        elif isinstance(statement, f.Return):
            found.update(_results(statement.value))
    return frozenset(found)


def _results(value: f.Value | None) -> frozenset[int]:
    if isinstance(value, f.Result):
        return frozenset((value.call,))
    if isinstance(value, f.Not):
        return _results(value.value)
    if isinstance(value, f.Both | f.Compare):
        return _results(value.left) | _results(value.right)
    return frozenset()
