"""Sequences of symbols, made small: a training step repeats the one before it."""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.model.communicators import Steps

SHORTEST = 4  # symbols: a copy of fewer costs as much as they do


def compress(symbols: Sequence[int], first: int = 1) -> Steps:
    """*symbols*, the first of which has the number *first*, as tokens.

    Greedy (Ziv and Lempel 1977): where the next symbols stood before, most recently, as many as
    agree are one copy.  Linear in their number.
    """
    tokens: list[tuple[int, int, bool]] = []
    seen: dict[tuple[int, ...], int] = {}
    end = len(symbols)
    at = 0
    indexed = 0
    while at < end:
        run = at + 1
        while run < end and symbols[run] == symbols[at]:
            run += 1
        source = seen.get(tuple(symbols[at : at + SHORTEST]), -1) if at + SHORTEST <= end else -1
        stop = at
        if source >= 0:
            distance = at - source
            while stop < end and symbols[stop] == symbols[stop - distance]:
                stop += 1
        if stop > run:
            tokens.append((at - source, stop - at, True))
        else:
            tokens.append((symbols[at], run - at, False))
            stop = run
        while indexed < stop and indexed + SHORTEST <= end:
            seen[tuple(symbols[indexed : indexed + SHORTEST])] = indexed
            indexed += 1
        at = stop
    return Steps(tuple(tokens), first)


def expand(steps: Steps) -> list[int]:
    """The symbols that *steps* stands for."""
    symbols: list[int] = []
    for what, length, copied in steps.tokens:
        if not copied:
            symbols += [what] * length
            continue
        for _ in range(length):
            symbols.append(symbols[-what])
    return symbols
