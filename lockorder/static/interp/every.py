"""Loops over all elements: what is so of each after its round is so of all after the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp import ownership
from lockorder.static.interp.known import Emptied, Fact, Over
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def before(states: list[State], container: Path | None) -> list[State]:
    """*states* before a loop over all that *container* has, if it is such a loop.

    What is known of one element is not known of those that come.
    """
    return states if container is None else [_without(s, _of_one(s, container)) for s in states]


def after(act: Walk, states: list[State], container: Path | None) -> list[State]:
    """*states* after the loop."""
    return states if container is None else [_of_all(act, s, container) for s in states]


def _of_all(act: Walk, state: State, container: Path) -> State:
    some = _of_one(state, container)
    if not some:
        return state
    state = _without(state, some)
    over = [k._replace(one=False) for k in some if isinstance(k, Over)]
    if over:
        state = state.but(facts={**state.facts, **_all_so(over)})
    moved = (k.path for k in some if isinstance(k, Emptied))
    if any(_is_element(act, path, container) for path in moved):
        state = ownership.emptied(state, container)
    return state


def _all_so(facts: list[Over]) -> dict[Fact, bool]:
    return dict.fromkeys(facts, True)


def _is_element(act: Walk, path: Path, container: Path) -> bool:
    """Whether *path* is all that an element has that could end: itself, or a map's value."""
    if path.owner == container:
        return True
    kind = act.program.split(act.program.plain(act.identities.type_of(container)))[0]
    return path.owner.owner == container and act.knowledge.is_map(kind)


def _of_one(state: State, container: Path) -> list[Fact]:
    """What is known of one element of *container*."""
    element = container.then(ELEMENT)
    return [
        k
        for k in state.facts
        if isinstance(k, Emptied | Over)
        and k.path.is_within(element)
        and not (isinstance(k, Over) and not k.one)
    ]


def _without(state: State, facts: list[Fact]) -> State:
    if not facts:
        return state
    return state.but(facts={k: v for k, v in state.facts.items() if k not in facts})
