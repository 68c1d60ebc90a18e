"""Compressed sequences of operations: packed, expanded, compared.

``Steps`` say a training loop of any length in a few tokens (Ziv and Lempel 1977).  They are kept
packed, eight bytes a token; what is expanded is one number an operation, made by slices, so that
ten thousand operations take some ten microseconds.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence

from lockorder.model import Steps

_TOKEN = struct.Struct("<II")
_COPY = 1 << 31
#: Symbols that are expanded at most: a gigabyte.
LIMIT = 1 << 28


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
        length = min(length, limit - len(out))
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
            out.extend(part * repeats + part[:rest])
        else:
            out.extend(out[begin : begin + rest])
    return out


def compress(symbols: Sequence[int]) -> Steps:
    """Steps that say *symbols*: repetitions of what stood a while before, and literals."""
    tokens: list[tuple[int, int, bool]] = []
    last: dict[tuple[int, int], int] = {}
    at = 0
    while at < len(symbols):
        context = (symbols[at - 1] if at else -1, symbols[at])
        seen = last.get(context)
        if seen is None:
            literal = tokens[-1] if tokens else None
            if literal is not None and not literal[2] and literal[0] == symbols[at]:
                tokens[-1] = (symbols[at], literal[1] + 1, False)
            else:
                tokens.append((symbols[at], 1, False))
            last[context] = at
            at += 1
            continue
        distance, begin = at - seen, at
        while at < len(symbols) and symbols[at] == symbols[at - distance]:
            last[symbols[at - 1] if at else -1, symbols[at]] = at
            at += 1
        tokens.append((distance, at - begin, True))
    return Steps(tuple(tokens))


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
