"""Where the ranks of a communicator part: the first operation on which they disagree.

Two ranks agree on an operation if all that has to be alike is (``Operation.agreed``); a count of -1
is like any other.  All ranks are compared with the one that is known furthest, and those whose
beginning is forgotten there with the one that reaches back furthest.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from lockorder.collectives.gather import Gathered, Gathering, Rank, Variant
from lockorder.collectives.sequences import first_difference, symbols_of
from lockorder.model import Operation

#: Operations before and after the divergence that are told with it.
BEFORE, AFTER = 2, 1


class Side(msgspec.Struct, frozen=True):
    """Ranks that did the same: *operation*, or None for those that never issued one.

    ``context`` are their operations around it, as many before as ``Divergence.begin`` says, None
    where there was none, or it is not known.
    """

    ranks: tuple[Rank, ...]
    operation: Operation | None
    total: int
    context: tuple[Operation | None, ...]


class Divergence(msgspec.Struct, frozen=True):
    """Operation *number* of a communicator is not the same in all ranks.

    ``differs`` are the parts that do: ``name``, ``count``, ``type``, ``reduction``, ``root``; none
    where some rank never came.  ``sure``: those that did not come have ended.  ``begin`` is the
    number of the first operation in the sides' contexts.
    """

    number: int
    sides: tuple[Side, ...]
    differs: tuple[str, ...]
    sure: bool
    begin: int


class _Known:
    """A variant, expanded."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.codes = variant.codes()
        self.first = variant.first
        self.end = variant.first + len(self.codes)  # number of the first that is not known

    def at(self, number: int) -> int | None:
        inside = self.first <= number < self.end
        return self.codes[number - self.first] if inside else None


def divergence(gathering: Gathering, there: Gathered) -> Divergence | None:
    """The first operation on which the ranks of a communicator disagree, or that one never issued.

    Of ranks that have neither issued it nor ended, and were not stopped at a moment that says
    anything, ``sure`` is false: they may just have been later.
    """
    known = [_Known(v) for v in there.variants.values()]
    if not known:
        return None
    tables = {c: o for k in known for c, o in k.variant.operations.items()}
    parting = _parting(known, tables)
    reached = max(k.variant.total for k in known)
    behind = min(
        (k.variant.total + 1 for k in known if k.variant.total < reached), default=reached + 1
    )
    if parting is not None and parting <= behind:
        number, sure = parting, True
    elif behind <= reached:
        number = behind
        sure = all(r.ended for k in known if k.variant.total < number for r in k.variant.ranks)
    else:
        return None
    return _told(gathering, there, known, number, sure)


def _parting(known: list[_Known], operations: dict[int, Operation]) -> int | None:
    """The lowest number at which two variants say what does not agree."""
    furthest = max(known, key=lambda k: (k.end, -k.first))
    earliest = min(known, key=lambda k: (k.first, -k.end))
    found: int | None = None
    for reference in (furthest, earliest) if earliest.first < furthest.first else (furthest,):
        for other in known:
            if other is not reference:
                number = _disagree(reference, other, operations, found)
                found = number if number is not None else found
    return found


def _disagree(
    a: _Known, b: _Known, operations: dict[int, Operation], before: int | None
) -> int | None:
    """The first number that both know, below *before*, at which they do not agree."""
    number, end = max(a.first, b.first), min(a.end, b.end)
    end = end if before is None else min(end, before)
    if number >= end:
        return None
    ours, theirs = _aligned(a, number), _aligned(b, number)
    at = 0
    while True:
        at = first_difference(ours, theirs, at, end - number)
        if at >= end - number:
            return None
        if differing(operations[ours[at]], operations[theirs[at]]):
            return number + at
        at += 1


def _aligned(known: _Known, number: int) -> array[int]:
    return known.codes if number == known.first else known.codes[number - known.first :]


def differing(a: Operation, b: Operation) -> tuple[str, ...]:
    """The parts of two operations that must be alike and are not."""
    parts = []
    if not a.name or not b.name:  # what was lost says nothing
        return ()
    if a.name != b.name:
        return ("name",)
    if a.count != b.count and -1 not in (a.count, b.count):
        parts.append("count")
    for part in ("type", "reduction"):
        ours, theirs = getattr(a, part), getattr(b, part)
        if ours != theirs and ours and theirs:
            parts.append(part)
    if a.root != b.root:
        parts.append("root")
    return tuple(parts)


# -- telling it ------------------------------------------------------------------------------------


def _told(
    gathering: Gathering,
    there: Gathered,
    known: list[_Known],
    number: int,
    sure: bool,
) -> Divergence:
    begin = max(1, number - BEFORE)
    window = range(begin, number + AFTER + 1)
    groups: dict[object, list[tuple[_Known, list[Rank]]]] = defaultdict(list)
    for one in known:
        code = one.at(number)
        # What a rank forgot, or what was lost, says nothing.
        if code is None and one.variant.total >= number:
            continue
        # Ranks whose contexts differ are told apart only by what they did here.
        groups["nothing" if code is None else code].append((one, one.variant.ranks))
    sides = []
    for ones in groups.values():
        first, ranks = ones[0]
        issuer = min(ranks, key=lambda r: (there.label(r), r.log))
        exact = _Exact(gathering, there.key, issuer, first)
        sides.append(
            Side(
                tuple(r for _, more in ones for r in more),
                exact.at(number),
                max(one.variant.total for one, _ in ones),
                tuple(exact.at(n) for n in window),
            )
        )
    # The many first, who never came last.
    sides.sort(key=lambda s: (s.operation is None, -len(s.ranks), min(map(there.label, s.ranks))))
    issued = [s.operation for s in sides if s.operation is not None]
    differs = sorted({part for other in issued[1:] for part in differing(issued[0], other)})
    return Divergence(number, tuple(sides), tuple(differs), sure, begin)


class _Exact:
    """Operations of one rank with the places that issued them, where its log is still there."""

    def __init__(self, gathering: Gathering, key: str, rank: Rank, known: _Known) -> None:
        self._known = known
        self._log = gathering.logs[rank.log]
        self._symbols: array[int] | None = None
        for issued in self._log.collectives:
            if issued.communicator == key and issued.rank == rank.rank:
                self._symbols = symbols_of(issued.steps)
                self._first = issued.steps.first

    def at(self, number: int) -> Operation | None:
        code = self._known.at(number)
        if code is None:
            return None
        if self._symbols is not None and 0 <= number - self._first < len(self._symbols):
            return self._log.operations[self._symbols[number - self._first]]
        return self._known.variant.operations.get(code)


def divergences(gathering: Gathering) -> Iterator[tuple[Gathered, Divergence]]:
    """All communicators whose ranks disagree, by name."""
    for there in sorted(gathering.communicators.values(), key=lambda c: (c.name, c.key)):
        found = divergence(gathering, there)
        if found is not None:
            yield there, found
