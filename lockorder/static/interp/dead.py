"""What walks of functions found that nothing can call: it is not told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from lockorder.static.interp.collected import Collected, Emitted

#: Why an order is left out.
DEAD = "nothing calls the function"

_Key = TypeVar("_Key")


def leave_out(found: Collected, is_dead: Callable[[str], bool]) -> None:
    """Take out of *found* what functions did that are dead."""
    for pair in [p for p, each in found.orders.items() if any(is_dead(e.function) for e in each)]:
        found.left_out.setdefault(pair, DEAD)
    _without(found.orders, is_dead)
    _without(found.blocked, is_dead)
    for inside in found.grouped.values():
        for path in [p for p, emitted in inside.items() if is_dead(emitted.function)]:
            del inside[path]
    _without_each(found.self_locks, is_dead)
    _without_each(found.events, is_dead)
    _without_each(found.unbalanced, is_dead)
    _without_each(found.misuses, is_dead)


class _Done(Protocol):
    """Something that a function does."""

    @property
    def function(self) -> str:
        """The key of the function."""


_Each = TypeVar("_Each", bound=_Done)


def _without_each(kept: dict[_Key, _Each], is_dead: Callable[[str], bool]) -> None:
    for key in [k for k, each in kept.items() if is_dead(each.function)]:
        del kept[key]


def _without(orders: dict[_Key, list[Emitted]], is_dead: Callable[[str], bool]) -> None:
    for key in list(orders):
        orders[key] = [e for e in orders[key] if not is_dead(e.function)]
        if not orders[key]:
            del orders[key]
