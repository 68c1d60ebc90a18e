"""Reads one trace file (docs/trace-format.md; the layout is in `layout`).

Strict, since nothing that was misread may become a finding: at a number that cannot be, reading of
its block ends, and the trace says that it is damaged; where not even blocks can be told apart any
more, reading ends altogether.  A torn tail is no damage: a process that was killed leaves a file
that ends early, and all of it that is complete counts.  Time and memory are bounded by the file's
size, whatever its numbers say.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import NoReturn

from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.head import read_area, read_head, with_numbers
from runtime_probe.layout import (
    BlockKind,
    HeaderFlag,
    State,
)
from runtime_probe.nccl_records import Ring
from runtime_probe.nccl_sequences import join
from runtime_probe.record_reader import RecordReader
from runtime_probe.records import Trace

FILE_PATTERN = "trace-*.lot"
#: No recording is larger; what is, is not ours.
MAX_BYTES = 1 << 32
_BLOCK = 32

_NUMBERED = re.compile(r"(trace-.*-)([0-9]{1,4})\.lot")


def read_trace(path: Path) -> Trace:
    """Reads one trace file.  `Trace.damage` says where it stops to make sense.

    Raises:
        TraceError: it cannot be read, is foreign, of another version, or its header is damaged.
    """
    trace = _Reader(path, _read(path)).run()
    later = _NUMBERED.match(path.name)
    if later is not None:  # exec keeps the pid, and the new program has a file of its own
        following = path.with_name(f"{later[1]}{int(later[2]) + 1}.lot")
        trace.execed = bool(trace.header.flags & HeaderFlag.FORKED) and following.exists()
    return trace


def _read(path: Path) -> bytes:
    try:
        # Not to wait for a writer, should a FIFO have the name of a trace.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise TraceError(path, "not a file")
            if status.st_size > MAX_BYTES:
                raise TraceError(path, f"{status.st_size} bytes: larger than any trace")
            head = file.read(layout.PAGE)
            # What was allocated beyond `allocated` is zeros; a foreign file is not read on.
            size = read_head(path, head).allocated
            return head + file.read(max(0, min(size, status.st_size) - len(head)))
    except OSError as error:
        raise TraceError(path, f"cannot be read: {error.strerror or error}") from None


class _Reader:
    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.data = data
        self.form, header, self.allocated, counters = read_head(path, data)
        self.trace = Trace(path, header, counters)
        self.records = RecordReader(self.form, self.trace, data)

    def fail(self, reason: str) -> NoReturn:
        raise TraceError(self.path, reason)

    # -- blocks -----------------------------------------------------------------------------------

    def run(self) -> Trace:
        """Read all blocks."""
        trace = self.trace
        trace._data, trace._order = self.data, self.form.order
        end = min(self.allocated, len(self.data))
        trace.torn = self.allocated > len(self.data)
        at = layout.PAGE
        try:
            while at + _BLOCK <= end:
                at += self._block(at, end)
        except TraceError as damage:
            self._damaged(damage)
        self._join()
        trace.threads = {t.number: t for t in with_numbers(trace.threads.values())}
        return trace

    def _damaged(self, error: TraceError) -> None:
        self.trace.damage = self.trace.damage or error.reason

    def _block(self, at: int, end: int) -> int:
        """Reads the block at *at*; its size.  Blocks after one with damage in it are whole."""
        magic, kind, pages, _, used, _, _ = self.form.block.unpack_from(self.data, at)
        if magic == 0:  # claimed and never begun
            return layout.PAGE
        if magic != layout.BLOCK_MAGIC:
            self.fail(f"damaged: no block begins at byte {at}")
        size: int = pages * layout.PAGE
        if size == 0 or at + size > self.allocated:
            self.fail(f"damaged: a block of {pages} pages at byte {at}")
        try:
            if used > size:
                self.fail(f"damaged: {used} bytes used of a block of {size} at byte {at}")
            if kind == BlockKind.RECORDS:
                self.records.read(at + _BLOCK, at + used, end)
            elif kind == BlockKind.THREAD:
                self._area(at, size, end)
            elif kind == BlockKind.RING:
                self._ring(at, used, end)
            else:
                self.fail(f"damaged: a block of kind {kind} at byte {at}")
        except TraceError as damage:
            self._damaged(damage)
        return size

    def _area(self, at: int, size: int, end: int) -> None:
        if size != 2 * layout.PAGE:
            self.fail(f"damaged: a thread's area of {size} bytes at byte {at}")
        if at + size > end:
            return
        thread = read_area(self.form, self.data, at)
        if thread is not None:
            self.trace.threads[thread.number] = thread

    def _ring(self, at: int, used: int, end: int) -> None:
        """Calls of NCCL: where they are.  An empty block is one that lost a race for being it."""
        at += _BLOCK
        if used <= _BLOCK or at + self.form.ring.size > end:
            return
        size, entries, last, *_ = self.form.ring.unpack_from(self.data, at)
        if size != self.form.entry.size or entries == 0:
            self.fail(f"damaged: a ring of {entries} entries of {size} bytes at byte {at}")
        if self.form.ring.size + entries * size > used - _BLOCK:
            self.fail(f"damaged: a ring of {entries} entries at byte {at}")
        self.trace._ring = Ring(at + self.form.ring.size, entries, last)

    def _join(self) -> None:
        """Makes sequences of chunks.

        Those of a process that went on while its file was read have gaps, as have those of a file
        of which something is missing already: what comes before them counts.
        """
        whole = self.trace.header.state is not State.RUNNING and not self.trace.torn
        for key, chunks in self.records.chunks.items():
            sequence, gap, damage = join(chunks)
            if sequence is not None:
                self.trace.nccl_sequences[key] = sequence
            if damage or (gap and whole):
                self._damaged(TraceError(self.path, f"damaged: {damage or gap}"))
