"""Two elements of one table: whether anything puts the locks in them into an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import conditions
from lockorder.static.interp.summary import Order, Rank, State
from lockorder.static.parse import facts as f
from lockorder.static.program.indexes import Used
from lockorder.static.program.paths import UNKNOWN

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

#: What ranks two elements: their indexes.
_BY_INDEX = "[]"


def ranks(act: Walk, state: State, order: Order) -> Sequence[Rank]:
    """How two locks that have one path, since they are in elements of one table, are ranked.

    Both ways, where nothing ranks them; empty where nobody can tell that there are two.
    """
    path, here = order.held.lock, act.function
    sites = order.held.site, order.taken.site
    if not path.is_one_of_many or any(s.function != here.usr for s in sites):
        return ()
    body = act.engine.indexes.body(here)
    first, then = ((s.line, s.column) for s in sites)
    mine, theirs = body.used_at(*first), body.used_at(*then)
    if mine is None or theirs is None or mine.through != theirs.through:
        return ()
    way = body.way(first, then)
    if way is not None:
        by = f"{_BY_INDEX}{mine.through or ''}"
        return () if not way else (Rank(path if way > 0 else UNKNOWN, path, by),)
    if mine.key == theirs.key:
        return ()
    return _by_numbers(act, state, order, mine, theirs)


def _by_numbers(act: Walk, state: State, order: Order, mine: Used, theirs: Used) -> Sequence[Rank]:
    """How two elements are ranked by what is known of their numbers, and of themselves."""
    path, here, sites = order.held.lock, act.function, (order.held.site, order.taken.site)
    upward, downward = Rank(path, path, _BY_INDEX), Rank(UNKNOWN, path, _BY_INDEX)
    one, other = mine.key, theirs.key
    less = conditions.is_less(act.values, f.Less(one, other), state)
    more = conditions.is_less(act.values, f.Less(other, one), state)
    if less is False and more is False:
        return ()  # the same
    if less is not None or more is not None:
        if mine.through:
            return ()  # what finds them may know another order
        return (upward,) if less or more is False else (downward,)
    if act.engine.indexes.body(here).compares_objects(mine, theirs):
        return ()
    if not act.engine.indexes.are_free(here, one, other):
        return ()
    by = f"{_BY_INDEX}{sites}"
    return upward._replace(by=by), downward._replace(by=by)
