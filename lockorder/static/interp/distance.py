"""Which objects a call's locks are of, as callers need to know it.

A lock is named by the way to it: from a parameter, over the members of objects, to the member that
is the lock.  Where objects point to each other (a request to its worker, the worker to its
requests) there are as many ways as members can be put in rows.  The short ones are what callers can
tell apart; past a bound the longer ones are of some object of the class.  That loses nothing of
the order between two classes, only whether two objects of one class are the same.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

from lockorder.bounds import DISTANT, VARIANTS, Bound
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp.summary import Gate, Needs, Order, Taken, uncovered
from lockorder.static.program.effects import Effect, Issued
from lockorder.static.program.paths import Path

#: A member of a member of what a caller has: there are no more of these than are written down.
NEAR = 2

#: Ways in which a lock is taken.
_WAYS = tuple(itertools.product(Mode, How))
_Key = tuple[Effect, Mode, How]
_Cut = Callable[[Bound], None]


class Shared:
    """What the tables of many functions are made of, each kept once."""

    def __init__(self) -> None:
        self._keys: dict[_Key, _Key] = {}
        self._alone: dict[int, tuple[Taken]] = {}
        self._needs: dict[Needs, Needs] = {}

    def key(self, taken: Taken) -> _Key:
        """The lock, and how it is taken."""
        key = taken.path, taken.mode, taken.how
        return self._keys.setdefault(key, key)

    def needs(self, needs: Needs) -> Needs:
        """What must be so for many acquisitions."""
        return self._needs.setdefault(needs, needs)

    def alone(self, taken: Taken) -> tuple[Taken]:
        """The only variant of an acquisition."""
        found = self._alone.get(id(taken))
        if found is None:
            found = self._alone[id(taken)] = (taken,)
        return found


class TakenLocks:
    """What a function takes, as it is recorded and as its callers need to know it.

    A function of a large group is asked again and again, after few more acquisitions each time:
    what does not change is not made again.
    """

    def __init__(self, cut: _Cut, shared: Shared) -> None:
        self._cut = cut
        self._shared = shared
        self._variants: dict[_Key, list[Taken]] = {}
        self._told: dict[_Key, tuple[Taken, ...]] = {}
        self._changed: dict[_Key, None] = {}
        self._ways: dict[object, int] = {}
        self._crowded = False

    def add(self, taken: Taken) -> None:
        """Remember an acquisition unless one that is known covers it."""
        key = self._shared.key(taken)
        variants = self._variants.get(key)
        if variants is None:
            variants = self._variants[key] = []
            self._count(*key)
        elif any(known is taken for known in variants):
            return
        if not uncovered(variants, taken):
            return
        self._changed[key] = None
        if len(variants) > VARIANTS.limit:
            variants[:] = _as_one(variants)
            self._cut(VARIANTS)

    def of(self, path: Effect) -> list[Taken]:
        """All of *path*, in whatever way it is taken."""
        return [t for mode, how in _WAYS for t in self._variants.get((path, mode, how), ())]

    def has(self, taken: Taken) -> bool:
        """Whether one that is known covers *taken*."""
        return any(known.covers(taken) for known in self._variants.get(taken[:3], ()))

    def _count(self, path: Effect, mode: Mode, how: How) -> None:
        if isinstance(path, Path) and len(path.steps) > NEAR:
            end = path.end, mode, how
            self._ways[end] = self._ways.get(end, 0) + 1
            self._crowded |= self._ways[end] > DISTANT.limit

    def told(self) -> dict[_Key, tuple[Taken, ...]]:
        """All of them, of some object where the lock is reached in too many ways."""
        for key in self._changed:
            variants: Sequence[Taken] = self._variants[key]
            if len(variants) > 1 or variants[0].inside:
                variants = with_gates_that_exclude(variants)
            alone = len(variants) == 1
            self._told[key] = self._shared.alone(variants[0]) if alone else tuple(variants)
        self._changed.clear()
        return few_ways(self._told, self._cut) if self._crowded else dict(self._told)


def _as_one(variants: Sequence[Taken]) -> list[Taken]:
    """One for all that are equally certain: none is surer than what it stands for."""
    alike: dict[Certainty, list[Taken]] = {}
    for each in variants:
        alike.setdefault(each.certainty, []).append(each)
    found: list[Taken] = []
    for each in (functools.reduce(Taken.widened, same) for same in alike.values()):
        uncovered(found, each)
    return found


def few_ways(taken: Mapping[_Key, tuple[Taken, ...]], cut: _Cut) -> dict[_Key, tuple[Taken, ...]]:
    """*taken*, of some object where the lock is reached in too many ways."""
    ways: dict[object, list[Path]] = {}
    for path, mode, how in taken:
        if isinstance(path, Path) and len(path.steps) > NEAR:
            ways.setdefault((path.end, mode, how), []).append(path)
    far = {end: _far(paths, cut) for end, paths in ways.items() if len(paths) > DISTANT.limit}
    found: dict[_Key, tuple[Taken, ...]] = {}
    joined: dict[_Key, list[Taken]] = {}
    for key, variants in taken.items():
        path, mode, how = key
        if far and isinstance(path, Path) and path in far.get((path.end, mode, how), ()):
            some = path.of_some_object()
            known = joined.setdefault((some, mode, how), [])
            for each in variants:
                uncovered(known, each._replace(path=some))
        else:
            found[key] = variants
    for key, more in joined.items():
        known = list(found.get(key, ()))
        for each in more:
            uncovered(known, each)
        found[key] = tuple(known)
    return found


def with_gates_that_exclude(variants: Iterable[Taken]) -> tuple[Taken, ...]:
    """*variants* with those of the locks around them that can keep somebody else out."""
    known: list[Taken] = []
    for each in variants:
        inside = each.inside if isinstance(each.path, Issued) else _that_exclude(each.inside)
        uncovered(known, each if inside is each.inside else each._replace(inside=inside))
    return tuple(known)


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
    ends = (w.end if isinstance(w, Path) else w for w in (held.path, taken.path))
    return *ends, held.mode, taken.mode, taken.how


def _length(order: Order) -> int:
    both = order.held.path, order.taken.path
    return sum(len(what.steps) for what in both if isinstance(what, Path))


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
