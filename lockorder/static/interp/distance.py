"""Which objects a call's locks are of, as callers need to know it.

A lock is named by the way to it: from a parameter, over the members of objects, to the member that
is the lock.  Where objects point to each other (a request to its worker, the worker to its
requests) there are as many ways as members can be put in rows.  The short ones are what callers can
tell apart; past a bound the longer ones are of some object of the class.  That loses nothing of
the order between two classes, only whether two objects of one class are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lockorder.bounds import DISTANT, Bound
from lockorder.model import How, Mode
from lockorder.static.interp.summary import Gate, Order, Taken, uncovered
from lockorder.static.program.paths import Path

#: A member of a member of what a caller has: there are no more of these than are written down.
NEAR = 2

_Key = tuple[Path, Mode, How]
_Cut = Callable[[Bound], None]


def few_ways(taken: Mapping[_Key, Iterable[Taken]], cut: _Cut) -> dict[_Key, tuple[Taken, ...]]:
    """*taken*, of some object where the lock is reached in too many ways; gates that are gates."""
    ways: dict[object, list[Path]] = {}
    for path, mode, how in taken:
        if len(path.steps) > NEAR and not path.is_collective:
            ways.setdefault((path.end, mode, how), []).append(path)
    far = {end: _far(paths, cut) for end, paths in ways.items() if len(paths) > DISTANT.limit}
    found: dict[_Key, list[Taken]] = {}
    for (path, mode, how), variants in taken.items():
        here = path
        if far and path in far.get((path.end, mode, how), ()):
            here = path.of_some_object()
        known = found.setdefault((here, mode, how), [])
        for each in variants:
            uncovered(known, _told(each, here))
    return {key: tuple(variants) for key, variants in found.items()}


def _told(taken: Taken, path: Path) -> Taken:
    """*taken* at *path*, with the locks around it that can keep somebody else out."""
    inside = taken.inside if taken.path.is_collective else _that_exclude(taken.inside)
    if inside is taken.inside and path is taken.path:
        return taken
    return taken._replace(path=path, inside=inside)


def _that_exclude(gates: frozenset[Gate]) -> frozenset[Gate]:
    """*gates* without those of some object: two threads may each have another one."""
    if not any(g.path.is_some_object for g in gates):
        return gates
    return frozenset(g for g in gates if not g.path.is_some_object)


def few_pairs(orders: Mapping[object, Iterable[Order]], cut: _Cut) -> tuple[Order, ...]:
    """*orders*, without the longest where two classes meet in too many ways.

    They are told already as orders of two classes; what goes is that their objects may be one.
    """
    every = [o for each in orders.values() for o in each]
    if len(every) <= DISTANT.limit:
        return tuple(every)
    ways: dict[object, set[int]] = {}
    count: dict[object, dict[int, int]] = {}
    for order in every:
        lengths = count.setdefault(_ends(order), {})
        lengths[_length(order)] = lengths.get(_length(order), 0) + 1
    for ends, lengths in count.items():
        ways[ends] = _kept(lengths, 2 * NEAR, cut)
    return tuple(o for o in every if _length(o) in ways[_ends(o)])


def _ends(order: Order) -> object:
    held, taken = order.held, order.taken
    return held.path.end, taken.path.end, held.mode, taken.mode, taken.how


def _length(order: Order) -> int:
    return len(order.held.path.steps) + len(order.taken.path.steps)


def _far(paths: list[Path], cut: _Cut) -> frozenset[Path]:
    """The longest of *paths*: all that go, or none, of one length."""
    lengths: dict[int, int] = {}
    for path in paths:
        lengths[len(path.steps)] = lengths.get(len(path.steps), 0) + 1
    kept = _kept(lengths, NEAR, cut)
    return frozenset(p for p in paths if len(p.steps) not in kept)


def _kept(lengths: Mapping[int, int], near: int, cut: _Cut) -> set[int]:
    """Lengths of ways (with how many ways there are of each) that are short enough to be kept."""
    kept, ways = set[int](), 0
    for length in sorted(lengths):
        ways += lengths[length]
        if length > near and ways > DISTANT.limit:
            cut(DISTANT)
            break
        kept.add(length)
    return kept
