"""What messages and collectives carry: how much of which type (MPI 4.1, 3.3.1 and 5.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from lockorder.ranks.effects import Op
from lockorder.ranks.flatten import number
from lockorder.ranks.values import Element, Tup, Value

#: Bytes of any type.
RAW = "raw"
#: Records of more parts are not looked at.
_LARGEST = 1024


def made(how: str, old: Value | None, counts: Sequence[int | None]) -> Element | None:
    """The type that a program makes of *old* (``contiguous``, ``vector``, ``same``,
    ``committed``).

    *counts* say how many of *old* are in it, where they are multiplied.
    """
    if not isinstance(old, Element):
        return None
    if how == "committed":
        return msgspec.structs.replace(old, open=False)
    if None in counts:
        return None
    parts = old.parts * math.prod(c for c in counts if c is not None)
    name = f"{how}{tuple(counts)} of {old.name}"
    return Element(
        name, old.kind, old.size, parts, old.cycle, made=old.made or how != "same", open=True
    )


def record(lengths: Sequence[int], kinds: Sequence[Value]) -> Element | None:
    """The type of so many of each of some types, one behind the other (MPI_Type_create_struct)."""
    rows: list[tuple[str, int]] = []
    for many, kind in zip(lengths, kinds, strict=True):
        if not isinstance(kind, Element) or many < 0 or many * kind.parts > _LARGEST:
            return None
        rows += _parts(kind) * (many * kind.parts)
    if not rows or len(rows) > _LARGEST or any(kind == RAW for kind, _ in rows):
        return None
    # The shortest row of which it is a multiple: two pairs are a pair, twice.
    size = next(n for n in range(1, len(rows) + 1) if rows == rows[:n] * (len(rows) // n))
    cycle = tuple(rows[:size])
    parts = (f"{n} {k.id}" for n, k in zip(lengths, kinds, strict=True))
    name, times = f"record({', '.join(parts)})", len(rows) // size
    if size == 1:
        return Element(name, *cycle[0], times, made=True, open=True)
    return Element(name, "record", sum(b for _, b in cycle), times, cycle, made=True, open=True)


def alike(first: Value | None, second: Value | None) -> bool:
    """Whether what is sent as one may be received as the other, as far as both are known."""
    if not isinstance(first, Element) or not isinstance(second, Element):
        return True
    if RAW in (first.kind, second.kind):
        return True
    # A message may end in the middle of what there is room for.
    pairs = zip(_parts(first), _parts(second), strict=False)
    return all(ours == theirs for ours, theirs in pairs)


def _parts(element: Element) -> tuple[tuple[str, int], ...]:
    return element.cycle or ((element.kind, element.size),)


def amount(count: Value | None, element: Value | None) -> int | None:
    """How many numbers that is; None where it is not known."""
    many = number(count)
    return many * element.parts if many is not None and isinstance(element, Element) else None


def of_rank(counts: Value | None, at: int, size: int) -> Value | None:
    """The count that is for the rank in place *at*, where there is one for each of *size*."""
    if not isinstance(counts, Tup):
        return counts
    return counts.items[at] if len(counts.items) >= size and at < size else None


def unfit(sent: Op, received: Op) -> str:
    """In what a message is not what its receive takes; empty where it is, or nobody knows."""
    ours, theirs = sent.element, received.element
    if not isinstance(ours, Element) or not isinstance(theirs, Element):
        return ""
    if not alike(ours, theirs):
        return f"{ours.name} where {theirs.name} is received"
    many, room = amount(sent.count, ours), amount(received.count, theirs)
    if many is None or room is None:
        return ""
    many, room = many * (sent.parts or 1), room * (received.parts or 1)
    if many * ours.size <= room * theirs.size:
        return ""
    return f"{many // ours.parts} {ours.name}, more than the {room // theirs.parts} {theirs.name}"
