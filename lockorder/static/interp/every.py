"""Loops over all elements: what is so of each after its round is so of all after the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp.known import Emptied, Fact, Over
from lockorder.static.interp.ownership import container_of
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def before(states: list[State], container: Path | None) -> list[State]:
    """*states* before a loop over all that *container* has, if it is such a loop.

    What is known of one element is not known of those that come.
    """
    return states if container is None else [s.without(_of_one(s, container)) for s in states]


def after(act: Walk, states: list[State], container: Path | None) -> list[State]:
    """*states* after the loop."""
    return states if container is None else [_of_all(act, s, container) for s in states]


def _of_all(act: Walk, state: State, container: Path) -> State:
    some = _of_one(state, container)
    if not some:
        return state
    facts = dict(state.facts)
    for fact in some:
        if isinstance(fact, Over):
            del facts[fact]
            facts[fact._replace(one=False)] = True
        elif isinstance(fact, Emptied) and container_of(act, fact.path) == container:
            facts[fact._replace(every=True)] = True
            facts[Emptied(container.then(ELEMENT), every=True)] = True  # a map's value is all of it
    return state.but(facts=facts)


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
