"""Groups of ranks that are no communicators yet (MPI 4.1, 7.3)."""

from __future__ import annotations

from collections.abc import Sequence

#: What MPI gives for a rank that is not in a group, whatever its number is.
UNDEFINED = -32766


def made(
    how: str, first: Sequence[int], second: Sequence[int], numbers: Sequence[Sequence[int]]
) -> tuple[int, ...] | None:
    """The members of a group that is made of others; None where MPI refuses it.

    *numbers* are places in *first*: one each, or the first, the last and the step of a range.
    """
    if how == "union":
        return (*first, *(r for r in second if r not in first))
    if how == "intersection":
        return tuple(r for r in first if r in second)
    if how == "difference":
        return tuple(r for r in first if r not in second)
    places: list[int] = []
    for row in numbers:
        if len(row) == 1:
            places.append(row[0])
        elif len(row) == 3 and row[2]:
            start, last, step = row
            places += range(start, last + (1 if step > 0 else -1), step)
        else:
            return None
    if any(not 0 <= p < len(first) for p in places):
        return None
    if how.endswith("incl"):
        return tuple(first[p] for p in places)
    return tuple(r for at, r in enumerate(first) if at not in places)
