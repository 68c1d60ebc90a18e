"""What one version of a virtual function leaves in members that objects of other versions lack.

``p->stop()`` sets ``running`` of a ``Thread``, and does nothing where ``p`` is a ``Nothing``.  In
either case no ``running`` of the object at ``p`` is true afterwards: a ``Nothing`` has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import left
from lockorder.static.interp.known import Fact
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def shared(
    act: Walk, before: State, base: Path, after: Sequence[tuple[str, list[State]]]
) -> list[State]:
    """The states after a call on *base*, by the versions that ran, with what is so for all.

    Args:
        before: the state of the call.
        base: the object.
        after: versions with the states in which they come back.
    """
    told = [(body, _left(act, before, base, states)) for body, states in after]
    found: list[State] = []
    for body, states in after:
        others = {
            fact: truth
            for other, facts in told
            if other != body
            for (fact, truth), cls in facts.items()
            if not any(act.program.runs(each, body) for each in act.program.derived(cls))
        }
        found += [s.but(facts={**others, **s.facts}) for s in states] if others else states
    return found


def _left(
    act: Walk, before: State, base: Path, states: Sequence[State]
) -> dict[tuple[Fact, bool], str]:
    """Facts about members of the object that all *states* have anew, with the classes of these."""
    found: dict[tuple[Fact, bool], str] = {}
    for fact, truth in states[0].facts.items() if states else ():
        if before.facts.get(fact) is truth or any(s.facts.get(fact) is not truth for s in states):
            continue
        place = left.place(fact)
        if place is None or not place.is_within(base) or len(place.steps) <= len(base.steps):
            continue
        member = place.steps[len(base.steps)]
        variable = act.program.variables.get(member) if isinstance(member, str) else None
        if variable is not None and variable.kind == "field":
            found[fact, truth] = variable.name.rpartition("::")[0]
    return found
