"""Ranks in a grid: MPI's Cartesian topologies, counted out.

MPI-4.1, 8.5: ranks are numbered row by row (the last dimension changes fastest), and what reaches
beyond a border that is not periodic is MPI_PROC_NULL.  Only what is known is counted out: numbers
of processes, dimensions and periods that are constants.  The library may renumber ranks where a
program lets it (``reorder``); what it does then is not known, and the order is taken to stay.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec


class Grid(msgspec.Struct, frozen=True):
    """How many ranks lie in each direction, and in which the last one is beside the first."""

    sizes: tuple[int, ...]
    periodic: tuple[bool, ...]

    @property
    def ranks(self) -> int:
        """How many there are."""
        return math.prod(self.sizes)

    def place(self, rank: int) -> tuple[int, ...]:
        """Where a rank lies."""
        found = []
        for size in reversed(self.sizes):
            rank, at = divmod(rank, size)
            found.append(at)
        return tuple(reversed(found))

    def rank(self, place: Sequence[int]) -> int | None:
        """Who lies there; None: nobody, it is beyond a border."""
        found = 0
        for at, size, periodic in zip(place, self.sizes, self.periodic, strict=True):
            if not 0 <= at < size and not periodic:
                return None
            found = found * size + at % size
        return found

    def shifted(self, rank: int, direction: int, by: int) -> tuple[int | None, int | None]:
        """Whom a rank receives from and sends to where all shift by so many (MPI_Cart_shift)."""
        here = list(self.place(rank))
        ends = []
        for step in (-by, by):
            there = here[:]
            there[direction] += step
            ends.append(self.rank(there))
        return ends[0], ends[1]

    def part(
        self, rank: int, keep: Sequence[bool]
    ) -> tuple[Grid, tuple[int, ...], tuple[int, ...]]:
        """The grid of the directions that are kept, who is in *rank*'s, and which one it is."""
        here = self.place(rank)
        kept = [i for i, k in enumerate(keep) if k]
        members = tuple(
            other
            for other in range(self.ranks)
            if all(self.place(other)[i] == here[i] for i, k in enumerate(keep) if not k)
        )
        smaller = Grid(tuple(self.sizes[i] for i in kept), tuple(self.periodic[i] for i in kept))
        return smaller, members, tuple(here[i] for i, k in enumerate(keep) if not k)


def balanced(ranks: int, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """*sizes* with the zeros filled in, as alike as can be and falling (MPI_Dims_create).

    None: it does not come out even.
    """
    fixed = math.prod(s for s in sizes if s > 0)
    free = [i for i, s in enumerate(sizes) if s == 0]
    if fixed == 0 or ranks % fixed != 0:
        return None
    if not free:
        return tuple(sizes) if fixed == ranks else None
    best = _most_alike(ranks // fixed, len(free), ranks // fixed)
    made = list(sizes)
    for i, size in zip(free, best, strict=True):
        made[i] = size
    return tuple(made)


def _most_alike(number: int, count: int, most: int) -> tuple[int, ...]:
    """*count* falling factors of *number*, none over *most*, the first as small as it can be."""
    if count == 1:
        return (number,) if number <= most else ()
    for first in range(1, most + 1):
        if number % first == 0 and first**count >= number:
            rest = _most_alike(number // first, count - 1, first)
            if rest:
                return (first, *rest)
    return ()
