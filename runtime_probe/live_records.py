"""Records of traces while they are written: each is read once, when it is complete.

What a writer changes in place (how often a lock was waited for, how far a communicator is) is read
again at each look, a part at a time where it is much.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.head import Head, read_area, read_head
from runtime_probe.layout import BlockKind, RecordType, addresses
from runtime_probe.live import Block, Blocks
from runtime_probe.record_reader import RecordReader
from runtime_probe.records import Edge, Lock, Thread, Trace

#: Records that are changed in place, and how many of them are read again at one look.
_CHANGING = (RecordType.STAT, RecordType.COMMUNICATOR)
_AGAIN = 256
#: What is of no use before the end, and may be long.
_SKIPPED = (
    RecordType.BLOCKED, RecordType.NCCL_TOTAL, RecordType.NCCL_OPERATION, RecordType.NCCL_LAUNCH,
    RecordType.NCCL_SEQUENCE, RecordType.FOOTPRINT, RecordType.ENVIRONMENT,
    RecordType.GROUP_MISUSE,
)  # fmt: skip


class GrowingTrace(Trace):
    """What has been read so far; stacks stay in the file until somebody asks for one."""

    def _own_frames(self, number: int) -> tuple[tuple[int, ...], int, int]:
        at, frames, base, shared = self._stacks.get(number, (0, 0, 0, 0))
        with open(self.path, "rb") as file:
            data = os.pread(file.fileno(), 8 * frames, at)
        frames = len(data) // 8
        return addresses(self._order, frames).unpack_from(data), base, shared

    def only(self, lock: Lock) -> GrowingTrace:
        """The same, as if there were no other lock."""
        return GrowingTrace(
            self.path, self.header, self.counters, modules=self.modules, locks={lock.number: lock},
            _order=self._order, _stacks=self._stacks,
            places=self.places, python=self.python,
        )  # fmt: skip


@dataclass(slots=True)
class _Open:
    """A block that may still grow, and how far it was read."""

    block: Block
    read: int


class LiveRecords:
    """The records of one file, looked at again and again.

    Attributes:
        trace: what was read so far, but for edges; None before the first look.
    """

    def __init__(self, path: Path) -> None:
        self.trace: GrowingTrace | None = None
        self._path = path
        self._blocks = Blocks(path)
        self._open: list[_Open] = []
        self._areas: dict[int, int] = {}
        self._changing: deque[tuple[int, int]] = deque()
        self._reader: _Reader | None = None

    def look(self, most: int) -> list[Edge]:
        """The orders that are new, of at most *most* bytes of records; the next look goes on there.

        Raises:
            TraceError: it cannot be read or believed.
        """
        try:
            with open(os.open(self._path, _FLAGS), "rb", buffering=0) as file:
                return self._look(file.fileno(), most)
        except OSError as error:
            raise TraceError(self._path, f"cannot be read: {error.strerror or error}") from None

    def thread(self, number: int) -> Thread | None:
        """A thread as it is now, or was when it ended."""
        at = self._areas.get(number)
        if at is None or self._reader is None:
            return None
        try:
            with open(os.open(self._path, _FLAGS), "rb", buffering=0) as file:
                data = os.pread(file.fileno(), layout.AREA_HELD, at)
        except OSError:
            return None
        return read_area(self._reader.form, data, 0) if len(data) == layout.AREA_HELD else None

    def _look(self, descriptor: int, most: int) -> list[Edge]:
        head = read_head(self._path, os.pread(descriptor, layout.PAGE, 0))
        reader, trace = self._begun(head)
        for block in self._blocks.new(descriptor, head):
            if block.kind == BlockKind.THREAD:
                self._areas[block.thread] = block.at
            elif block.kind == BlockKind.RECORDS:
                self._open.append(_Open(block, head.form.block.size))
        self._read_again(descriptor, reader)
        latest = {each.block.thread: each for each in self._open}
        still = []
        for each in self._open:
            done, size = self._read(descriptor, reader, each, most)
            most -= size
            # A thread writes to one block, and begins another when that is full.
            if not done or latest[each.block.thread] is each:
                still.append(each)
        self._open = still
        edges, trace.edges = trace.edges, []
        return edges

    def _begun(self, head: Head) -> tuple[_Reader, GrowingTrace]:
        if self.trace is None or self._reader is None:
            self.trace = GrowingTrace(
                self._path, head.header, head.counters, _order=head.form.order
            )
            self._reader = _Reader(head, self.trace, self._changing)
        return self._reader, self.trace

    def _read(self, descriptor: int, reader: _Reader, each: _Open, most: int) -> tuple[bool, int]:
        """Whether all that is there was read, and how many bytes were."""
        at = each.block.at
        used = reader.form.block.unpack(os.pread(descriptor, reader.form.block.size, at))[4]
        used = min(used, each.block.size)
        if used <= each.read:
            return True, 0
        if most <= 0:
            return False, 0
        data = os.pread(descriptor, used - each.read, at + each.read)
        reader.take(data, at + each.read)
        each.read += len(data)
        return each.read >= used, len(data)

    def _read_again(self, descriptor: int, reader: _Reader) -> None:
        for _ in range(min(_AGAIN, len(self._changing))):
            at, size = self._changing[0]
            self._changing.rotate(-1)
            reader.take(os.pread(descriptor, size, at), at, again=True)


_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class _Reader(RecordReader):
    """Notes where records lie that change."""

    def __init__(self, head: Head, trace: Trace, changing: deque[tuple[int, int]]) -> None:
        super().__init__(head.form, trace)
        self._changing = changing
        self._again = False
        for kind in _SKIPPED:
            self.readers[kind] = _nothing
        for kind in _CHANGING:
            self.readers[kind] = self._noting(self.readers[kind])

    def take(self, data: bytes, at: int, again: bool = False) -> None:
        """Whole records, which lie at byte *at*."""
        self.data, self.base, self._again = data, at, again
        self.read(0, len(data), len(data))

    def _noting(self, reader: Callable[[int, int, int], None]) -> Callable[[int, int, int], None]:
        def noting(at: int, end: int, number: int) -> None:
            reader(at, end, number)
            if not self._again:
                first = at - self.form.record.size
                self._changing.append((self.base + first, end - first))

        return noting


def _nothing(at: int, end: int, number: int) -> None:
    """A record that is left for the analysis afterwards."""
