"""Compressed sequences of operations: packed, expanded, compared.

``Steps`` say a training loop of any length in a few tokens (Ziv and Lempel 1977).  They are kept
packed, eight bytes a token; what is expanded is one number an operation, made by slices, so that
ten thousand operations take some ten microseconds.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Mapping, Sequence

from lockorder.model import Steps

_TOKEN = struct.Struct("<II")
_COPY = 1 << 31
#: Symbols that a copy has at least: one of fewer costs as much as they do.
SHORTEST = 4
#: Symbols that are expanded at most, a quarter of a gigabyte: three weeks of a loop with 30
#: operations a second; a damaged record may claim four thousand million.
LIMIT = 1 << 26


def pack(steps: Steps, code: Callable[[int], int]) -> bytes:
    """The tokens of *steps*, with each symbol replaced by its *code*."""
    return b"".join(
        _TOKEN.pack(what | _COPY if copy else code(what), length)
        for what, length, copy in steps.tokens
    )


def expand(packed: bytes, limit: int = LIMIT) -> array[int]:
    """The symbols that packed tokens stand for, at most *limit*.

    Raises ValueError where a token copies what is not there.
    """
    out = array("I")
    for what, length in _TOKEN.iter_unpack(packed):
        length = min(length, min(limit, LIMIT) - len(out))
        if length <= 0:
            break
        if not what & _COPY:
            out.extend(array("I", (what,)) * length)
            continue
        distance = what & ~_COPY
        if not 0 < distance <= len(out):
            raise ValueError(f"a copy from {distance} places back, of {len(out)}")
        begin = len(out) - distance
        repeats, rest = divmod(length, distance)
        if repeats:
            part = out[begin:]
            out.extend(part * repeats)
            out.extend(part[:rest])
        else:
            out.extend(out[begin : begin + rest])
    return out


def symbols_of(steps: Steps, limit: int = LIMIT) -> array[int]:
    """The symbols that *steps* stand for, at most *limit*.  Raises ValueError as `expand` does."""
    return expand(pack(steps, lambda symbol: symbol), limit)


def recode(packed: bytes, codes: Mapping[int, int]) -> bytes:
    """Packed tokens with each symbol replaced by its code."""
    return b"".join(
        _TOKEN.pack(what if what & _COPY else codes[what], length)
        for what, length in _TOKEN.iter_unpack(packed)
    )


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


def first_difference(a: array[int], b: array[int], begin: int, end: int) -> int:
    """The first index in [*begin*, *end*) at which *a* and *b* differ; *end* if there is none.

    By halves: comparing two slices is one memory comparison.
    """
    low, high = begin, end
    if a[low:high] == b[low:high]:
        return end
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low
