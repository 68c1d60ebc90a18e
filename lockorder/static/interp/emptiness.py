"""What containers, futures and threads say of themselves: whether there is anything.

``if (!load_.valid()) { prepare(); load_ = std::async(...); }``: what was asked is a fact of the
place, as the test of a pointer is.  It lasts until a method, an assignment or a callee may have
changed what is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.knowledge.schema import Content
from lockorder.static.interp import ownership
from lockorder.static.interp.known import Fact, NotAll
from lockorder.static.interp.summary import State
from lockorder.static.interp.values import forget
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.written import passing

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def asked(
    act: Walk, event: f.Call, state: State, method: str, base: Paths, result: Path
) -> State | None:
    """*state* after a method that says whether there is anything."""
    if method not in act.knowledge.tells_content or len(base) != 1:
        return None
    place, content = _place(act, event, base, state)
    if content is None or method not in (*content.whether, *content.empty):
        return None
    if place.is_one_of_many:
        return None  # the next one that is asked may be another one
    says = method in content.whether
    known = state.facts.get(place)
    if known is not None:
        return state.but(facts={**state.facts, result: known is says}).with_value(result, ())
    if says:
        return state.with_value(result, (place,))
    ties: dict[Fact, bool] = {
        NotAll(frozenset(((result, truth), (place, truth)))): True for truth in (True, False)
    }
    return state.but(facts={**state.facts, **ties}).with_value(result, ())


def after(act: Walk, event: f.Call, states: list[State], name: str, base: Paths) -> list[State]:
    """*states* after a call of a library's method, which may have changed what there is."""
    method = name.rpartition("::")[2]
    empties = method in act.knowledge.leaves_nothing
    if method == f.ASSIGNMENT or len(base) != 1:
        return states  # what it assigns to was written to before
    if not (empties or any(s.facts for s in states)):
        return states
    usr = event.target.usr if isinstance(event.target, f.Fn) else ""
    if not usr or not (empties or passing(act.program, usr)[0]):
        return states
    return [_after(act, event, s, method, base) for s in states]


def _after(act: Walk, event: f.Call, state: State, method: str, base: Paths) -> State:
    place, content = _place(act, event, base, state)
    if content is None or method in content.keeps or place.is_one_of_many:
        return state
    if method in content.empties:
        act.set_by_calls.add(place)
        state = forget(state, place)
        return state.but(facts={**state.facts, place: False})
    for at in (place, base[0]):  # a pointer's variable, and what it points to
        state = ownership.filled(state, at)
    return forget(state, place)


def _place(act: Walk, event: f.Call, base: Paths, state: State) -> tuple[Path, Content | None]:
    """Where the object of a call is, and how one of its type says what it has."""
    place, declared = act.variable_of(event.target, base, state)
    refers = declared.rstrip().endswith("&") and place is not None
    if place is None or (refers and not act.engine.is_parameter(place)):
        place = base[0]  # a local reference stands for what it is bound to
    spelling = act.program.plain(declared or act.identities.type_of(base[0]))
    return place, act.knowledge.contents.get(act.program.split(spelling)[0])
