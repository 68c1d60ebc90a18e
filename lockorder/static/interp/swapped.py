"""Numbers that are changed in one step: what is there afterwards, and what was there at first.

``if (stopped_.exchange(true)) return;`` asks what a test of the flag before would have asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.schema import Atomic
from lockorder.static.interp import conditions, untouched
from lockorder.static.interp.known import AtFirst, Equal, Fact, NotAll
from lockorder.static.interp.summary import Site, State
from lockorder.static.interp.values import forget, number_truth
from lockorder.static.program.paths import Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

_SET, _CLEARED = Path.of_literal("true"), Path.of_literal("false")


def after(
    act: Walk,
    state: State,
    name: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> State:
    """*state* after a call of *name*, if that is such a function, with what its *result* says."""
    known = act.knowledge.atomics.get(name)
    if known is None or name.endswith("operator="):
        return state  # an assignment is one by itself
    number = base if known.object == "this" else ()
    if len(number) != 1 or number[0].is_one_of_many or not number[0].steps:
        return state
    place = number[0]
    new = _given(args, known.sets) if known.sets is not None else _default(known)
    told = _result(act, known, args, new, place, result, site) if known.result else {}
    state = forget(forget(state, result), place)
    env = {k: v for k, v in state.env.items() if k != place}
    if new is None or (known.result == "success" and not _is_other(known, args, new)):
        return state.but(env=env, facts={**state.facts, **told})
    truth = number_truth(new.literal)
    told[Equal(place, conditions.plain(new))] = True
    if truth is not None:
        told[place] = truth
    act.set_by_calls.add(place)
    return state.but(env=env, facts={**state.facts, **told})


def _default(known: Atomic) -> Path:
    return _SET if known.result else _CLEARED


def _given(args: Sequence[Paths], number: int | None) -> Path | None:
    """The constant that argument *number* is."""
    value = args[number] if number is not None and number < len(args) else ()
    return value[0] if len(value) == 1 and conditions.is_decided(value[0]) else None


def _is_other(known: Atomic, args: Sequence[Paths], new: Path) -> bool:
    """Whether a flag is set to the other value than is expected: so it has that in any case."""
    expected = _given(args, known.expects)
    flags = {_SET, _CLEARED}
    return expected is not None and {expected, new} == flags


def _result(
    act: Walk,
    known: Atomic,
    args: Sequence[Paths],
    new: Path | None,
    place: Path,
    result: Path,
    site: Site,
) -> dict[Fact, bool]:
    """What ties the result to what was there at first, where nothing has changed that before."""
    root = place.base
    if not (place.is_this or act.engine.is_parameter(root)):
        return {}
    if not untouched.is_as_at_first(act, site, place):
        return {}
    same = True
    if known.result == "success":
        if new is None or not _is_other(known, args, new):
            return {}
        same = new == _CLEARED  # it was set, then
    first = AtFirst(place, "")
    ties = (NotAll(frozenset(((result, t), (first, t is not same)))) for t in (True, False))
    return dict.fromkeys(ties, True)
