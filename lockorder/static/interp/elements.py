"""Two elements of one table: whether anything puts the locks in them into an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import conditions
from lockorder.static.interp.summary import Order, Rank, State
from lockorder.static.parse import facts as f
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
    mine, theirs = (body.index_at(s.line, s.column) for s in sites)
    if mine is None or theirs is None or mine == theirs:
        return ()
    upward, downward = Rank(path, path, _BY_INDEX), Rank(UNKNOWN, path, _BY_INDEX)
    less = conditions.is_less(act.values, f.Less(mine, theirs), state)
    more = conditions.is_less(act.values, f.Less(theirs, mine), state)
    if less is False and more is False:
        return ()  # the same
    if less is not None or more is not None:
        return (upward,) if less or more is False else (downward,)
    if not act.engine.indexes.are_free(here, mine, theirs):
        return ()
    by = f"{_BY_INDEX}{sites}"
    return upward._replace(by=by), downward._replace(by=by)
