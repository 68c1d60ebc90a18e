"""What messages and collectives carry: how much of which type (MPI 4.1, 3.3.1 and 5.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lockorder.ranks.effects import Op
from lockorder.ranks.flatten import number
from lockorder.ranks.values import Element, Tup, Value

#: Bytes of any type.
RAW = "raw"


def made(how: str, old: Value | None, counts: Sequence[int | None]) -> Element | None:
    """The type that a program makes of *old* (``contiguous``, ``vector``, ``same``).

    *counts* say how many of *old* are in it, where they are multiplied.
    """
    if not isinstance(old, Element) or None in counts:
        return None
    parts = old.parts * math.prod(c for c in counts if c is not None)
    return Element(f"{how}{tuple(counts)} of {old.name}", old.kind, old.size, parts)


def alike(first: Value | None, second: Value | None) -> bool:
    """Whether what is sent as one may be received as the other, as far as both are known."""
    if not isinstance(first, Element) or not isinstance(second, Element):
        return True
    if RAW in (first.kind, second.kind):
        return True
    return (first.kind, first.size) == (second.kind, second.size)


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
