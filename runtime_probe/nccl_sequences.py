"""The whole order of NCCL's operations, as a trace keeps it: in chunks of repeats and copies.

docs/trace-format.md says how the tokens are made.  A training loop is a handful of them, so that
reading costs what the tokens cost, whatever number of operations they stand for; `expand` writes
these out, by slices.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from typing import NamedTuple

from runtime_probe.layout import LaunchFlag, SequenceKind

__all__ = [
    "MAX_EXPANDED",
    "WINDOW",
    "Chunk",
    "Joined",
    "LaunchFlag",
    "NcclLaunch",
    "NcclOperation",
    "NcclSequence",
    "SequenceKind",
    "SequenceTooLongError",
    "join",
]

#: A copy begins less than this many symbols back.
WINDOW = 8192
#: The top bit of a token's first half says that it is a copy.
COPY = 1 << 31
#: Symbols that `NcclSequence.expand` writes out at most: 256 MiB of them.
MAX_EXPANDED = 1 << 26
_ITEM = "I"  # 4 bytes wherever Python runs on Linux


class NcclOperation(NamedTuple):
    """A call as it was made again and again: the symbols of sequences of communicators are these.

    `type`, `reduction`, `root` (or peer) are NCCL's numbers, or -1; `stack` is that of the first
    such call, 0 not kept.  `stream` counts the process's streams from 1 as they were first seen;
    0: it has none, or there was no room.
    """

    number: int
    communicator: int
    call: int
    type: int
    reduction: int
    root: int
    elements: int
    thread: int
    pc: int
    stack: int
    stream: int


class NcclLaunch(NamedTuple):
    """Who puts an operation where: the symbols of the process's sequence of launches are these.

    `grouped`: 0 outside of a group, 1 the first of its outermost group, 2 a later one in it.
    `stream` counts streams as `NcclOperation.stream` does, `handle` is what the program has of it.
    `flags`: `LaunchFlag`s.
    """

    number: int
    communicator: int
    stream: int
    handle: int
    thread: int
    grouped: int
    flags: int


class SequenceTooLongError(ValueError):
    """A sequence has more operations than are written out."""


class NcclSequence(NamedTuple):
    """Operations one after another: numbers of `NcclOperation`s, or of `NcclLaunch`es.

    0 stands for one that is not known.  `first` is the order number of the first one, `total` how
    many they are; where that is less than what the process counted (`Communicator.collectives`,
    `.peers`), the later ones are lost.  `whats` and `lengths` are the tokens, see `tokens`.
    """

    first: int
    total: int
    whats: array[int]
    lengths: array[int]

    @property
    def tokens(self) -> tuple[tuple[int, int, bool], ...]:
        """(symbol, times, False), or (distance, length, True): what stood *distance* before."""
        pairs = zip(self.whats, self.lengths, strict=True)
        return tuple((what & ~COPY, length, what >= COPY) for what, length in pairs)

    def expand(self) -> array[int]:
        """All symbols, in order.

        Raises:
            SequenceTooLongError: they are more than `MAX_EXPANDED`.
        """
        if self.total > MAX_EXPANDED:
            raise SequenceTooLongError(
                f"a sequence of {self.total} operations: more than {MAX_EXPANDED} are not expanded"
            )
        out = array(_ITEM)
        for what, length in zip(self.whats, self.lengths, strict=True):
            if what < COPY:
                out.extend(array(_ITEM, (what,)) * length)
                continue
            distance = what - COPY
            unit = out[len(out) - distance :]
            if length > distance:
                out.extend(unit * (length // distance))
                length %= distance
            out.extend(unit[:length])
        return out


class Chunk(NamedTuple):
    """A part of a sequence as it lies in a trace: the order number of its first, its tokens."""

    first: int
    whats: array[int]
    lengths: array[int]


def read_tokens(data: bytes, order: str) -> tuple[array[int], array[int]]:
    """Halves of the tokens that *data* is."""
    words = array(_ITEM, data)
    if (order == "<") != (sys.byteorder == "little"):
        words.byteswap()
    return words[::2], words[1::2]


class Joined(NamedTuple):
    """What `join` makes: a sequence as far as it goes; what is missing from it, what is wrong."""

    sequence: NcclSequence | None
    gap: str = ""
    damage: str = ""


def join(chunks: Iterable[Chunk]) -> Joined:
    """The sequence that *chunks* are.

    Chunks lie in the blocks of the threads that wrote them, and so in any order.  After a gap
    nothing counts: later copies may be of what is lost.
    """
    whats, lengths = array(_ITEM), array(_ITEM)
    total = 0
    gap = damage = ""
    for chunk in sorted((c for c in chunks if c.whats), key=lambda c: c.first):
        if chunk.first != total + 1:
            gap = f"after operation {total} of a sequence comes {chunk.first}"
            break
        good = 0
        for what, length in zip(chunk.whats, chunk.lengths, strict=True):
            if not length or (what >= COPY and not 0 < what - COPY <= min(total, WINDOW - 1)):
                damage = f"operation {total + 1} of a sequence cannot be read"
                break
            total += length
            good += 1
        whats += chunk.whats[:good]
        lengths += chunk.lengths[:good]
        if damage:
            break
    return Joined(NcclSequence(1, total, whats, lengths) if whats else None, gap, damage)
