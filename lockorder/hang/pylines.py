"""The tables of CPython's code objects: lines of instructions, and depths of handlers.

Objects/lnotab_notes.txt (up to 3.9, and 3.10), Objects/locations.md and
Objects/exception_handling_notes.txt (3.11 and newer).  Damaged tables end where they are damaged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_NO_LINE = -128
_LONGEST = 11  # bytes of a number of 64 bits
#: Kinds of an entry in 3.11's table: a short one has its column behind, those of one line two
#: columns, and one has none.
_ONE_LINE, _NO_COLUMNS, _LONG, _NONE = 10, 13, 14, 15


class Handler(NamedTuple):
    """Instructions from *start* to *end*, for which the handler at *target* is.

    It begins with *depth* values on the stack.  Offsets are in code units of two bytes.
    """

    start: int
    end: int
    target: int
    depth: int


def line(version: int, table: bytes, first: int, unit: int) -> int:
    """The line of the instruction at code unit *unit*; 0: it has none.

    Args:
        version: x of 3.x.
        table: the code's co_lnotab or co_linetable.
        first: the line that the code begins in.
        unit: -1 before the first instruction.
    """
    if unit < 0:
        return first
    if version <= 9:
        return _line_39(table, first, 2 * unit)
    return _line_310(table, first, 2 * unit) if version == 10 else _line_311(table, first, unit)


def _line_39(table: bytes, first: int, offset: int) -> int:
    at, now = 0, first
    for step, lines in zip(table[::2], table[1::2], strict=False):
        at += step
        if at > offset:
            break
        now += lines - 256 if lines >= 128 else lines
    return now


def _line_310(table: bytes, first: int, offset: int) -> int:
    at, now = 0, first
    for step, lines in zip(table[::2], table[1::2], strict=False):
        change = lines - 256 if lines >= 128 else lines
        if change != _NO_LINE:
            now += change
        at += step
        if at > offset:
            return now if change != _NO_LINE else 0
    return 0


def _line_311(table: bytes, first: int, unit: int) -> int:
    at, now, reader = 0, first, _Varints(table)
    while (head := reader.byte()) is not None:
        kind, units = head >> 3 & 15, (head & 7) + 1
        if kind == _LONG:
            now += reader.signed()
            reader.skip(3)
        elif kind == _NO_COLUMNS:
            now += reader.signed()
        elif _ONE_LINE <= kind < _NO_COLUMNS:
            now += kind - _ONE_LINE
            reader.at += 2
        elif kind < _ONE_LINE:
            reader.at += 1
        at += units
        if at > unit:
            return now if kind != _NONE else 0
    return 0


def handlers(table: bytes) -> Iterator[Handler]:
    """What an exception table says, in the order of the code; no two ranges overlap."""
    reader = _Varints(table)
    while reader.at < len(table):
        start, length = reader.large(), reader.large()
        target = reader.large()
        depth = reader.large() >> 1  # the lowest bit: whether the instruction is kept, too
        yield Handler(start, start + length, target, depth)


class _Varints:
    """Numbers in six bits a byte; behind the end there are zeros."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.at = 0

    def byte(self) -> int | None:
        """The next byte, None: there is none."""
        if self.at >= len(self._content):
            return None
        self.at += 1
        return self._content[self.at - 1]

    def small(self) -> int:
        """A number that begins with its lowest bits."""
        value = 0
        for number in range(_LONGEST):
            byte = self.byte() or 0
            value |= (byte & 63) << 6 * number
            if not byte & 64:
                break
        return value

    def signed(self) -> int:
        """The same with its sign as the lowest bit."""
        value = self.small()
        return -(value >> 1) if value & 1 else value >> 1

    def large(self) -> int:
        """A number that begins with its highest bits."""
        value = 0
        for _ in range(_LONGEST):
            byte = self.byte() or 0
            value = value << 6 | byte & 63
            if not byte & 64:
                break
        return value

    def skip(self, count: int) -> None:
        """Pass numbers."""
        for _ in range(count):
            self.small()
