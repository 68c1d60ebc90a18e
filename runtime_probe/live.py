"""Traces while they are written: headers and the areas of threads, never the records.

A trace may be 256 MiB and its process is looked at every second, so only what is new is walked and
only what changes is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.head import Head, read_area, read_call, read_head, with_numbers
from runtime_probe.layout import BlockKind, Layout, RecordType
from runtime_probe.records import Call, Header, Thread

#: The shim writes the names of its hooks first: they are in one of these blocks of records.
_NAME_BLOCKS = 4
#: Bytes of an area that are read at first: room for what a thread mostly holds.
_MOST_AREAS = 512
_HELD_AT_FIRST = (_MOST_AREAS - layout.AREA_HELD) // layout.LITTLE.held.size
_NAME = re.compile(r"trace-(?:rank[0-9]+-)?(?P<host>.+)-(?P<pid>[0-9]+)-(?P<number>[0-9]+)\.lot")


class LiveProcess(NamedTuple):
    """A recorded process at this moment; `threads` are those that have not ended."""

    path: Path
    header: Header
    counters: dict[str, int]
    threads: tuple[Thread, ...]
    calls: dict[int, Call]

    def call(self, thread: Thread) -> Call | None:
        """The function with a hook that *thread* is inside."""
        return self.calls.get(thread.wait_call)


class Block(NamedTuple):
    """A block of a file: its first byte, what it holds, its size in bytes, who writes it."""

    at: int
    kind: int
    size: int
    thread: int


class Blocks:
    """The blocks of one file, each told once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._walked = layout.PAGE

    def new(self, descriptor: int, head: Head) -> Iterator[Block]:
        """Those that were begun since the last call.

        Raises:
            TraceError: what lies there is no block.
        """
        form = head.form.block
        while self._walked + form.size <= head.allocated:
            data = os.pread(descriptor, form.size, self._walked)
            if len(data) < form.size:
                return
            magic, kind, pages, thread, _, _, _ = form.unpack(data)
            if magic == 0:  # being begun at this moment
                return
            if magic != layout.BLOCK_MAGIC or pages == 0:
                raise TraceError(self._path, f"damaged: no block begins at byte {self._walked}")
            at, size = self._walked, pages * layout.PAGE
            self._walked += size
            yield Block(at, kind, size, thread)


class LiveTrace:
    """One file, looked at again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._blocks = Blocks(path)
        self._areas: list[int] = []
        self._first_records: list[tuple[int, int]] = []
        self._calls: dict[int, Call] = {}

    def look(self) -> LiveProcess:
        """What is true now.

        Raises:
            TraceError: it cannot be read or believed.
        """
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise TraceError(self.path, f"cannot be read: {error.strerror or error}") from None
        try:
            head = read_head(self.path, os.pread(descriptor, layout.PAGE, 0))
            self._walk(descriptor, head)
            threads = self._threads(descriptor, head.form)
            if any(t.wait_call and t.wait_call not in self._calls for t in threads):
                self._read_names(descriptor, head.form)
        except OSError as error:
            raise TraceError(self.path, f"cannot be read: {error.strerror or error}") from None
        finally:
            os.close(descriptor)
        return LiveProcess(self.path, head.header, head.counters, threads, self._calls)

    def _walk(self, descriptor: int, head: Head) -> None:
        """Blocks that were added since the last look."""
        for block in self._blocks.new(descriptor, head):
            if block.kind == BlockKind.THREAD:
                self._areas.append(block.at)
            elif block.kind == BlockKind.RECORDS and len(self._first_records) < _NAME_BLOCKS:
                self._first_records.append((block.at, block.size))

    def _threads(self, descriptor: int, form: Layout) -> tuple[Thread, ...]:
        found, alive = [], []
        for at in self._areas:
            data = os.pread(descriptor, _MOST_AREAS, at)
            if len(data) < _MOST_AREAS:
                continue
            thread = read_area(form, data, at=0)
            if thread is not None and len(thread.held + thread.passing) == _HELD_AT_FIRST:
                thread = read_area(form, os.pread(descriptor, 2 * layout.PAGE, at), at=0)
            if thread is None or not thread.end_ns:
                alive.append(at)
            if thread is not None and not thread.end_ns:
                found.append(thread)
        self._areas = alive
        return tuple(with_numbers(found))

    def _read_names(self, descriptor: int, form: Layout) -> None:
        for start, size in self._first_records:
            data = os.pread(descriptor, size, start)
            if len(data) < form.block.size:
                return
            used = min(form.block.unpack_from(data)[4], len(data))
            at = form.block.size
            while at + form.record.size <= used:
                kind, length, number = form.record.unpack_from(data, at)
                if length < form.record.size or at + length > used:
                    return  # being written
                if kind == RecordType.NAME:
                    try:
                        call = read_call(form, data, at + form.record.size, at + length)
                    except ValueError:
                        raise TraceError(self.path, f"damaged: a name at byte {at}") from None
                    self._calls[number] = call
                at += length


class LiveRun:
    """The traces of one run, as they come and go.

    Attributes:
        heads: the last known header of every trace, by the file's name.
    """

    def __init__(self, folder: Path, leave_out: Iterable[Path] = ()) -> None:
        """*leave_out*: files that were there before the run."""
        self.heads: dict[str, tuple[Header, dict[str, int]]] = {}
        self.folder = folder
        self._left_out = {path.name for path in leave_out}
        self._traces: dict[str, LiveTrace] = {}
        self._host = os.uname().nodename.replace("/", "_")[:63]

    def look(self) -> list[LiveProcess]:
        """This machine's processes that still run, each by its latest trace; by pid."""
        names = self._names()
        latest = latest_traces(names, self._host)
        chosen = {name for found in latest.values() for name in found}
        ended = [name for name in self._traces if name not in chosen]
        for name in ended:  # once more, for its last counters
            self._look(self._traces.pop(name))
        for name in names:
            if name not in chosen and name not in self.heads:
                self._look(LiveTrace(self.folder / name))
        processes = []
        for _, found in sorted(latest.items()):
            looked = [self._look(self._traces.setdefault(n, self._new(n))) for n in found]
            readable = [process for process in looked if process is not None]
            if readable:
                processes.append(max(readable, key=lambda p: p.header.start_monotonic_ns))
        return processes

    def _new(self, name: str) -> LiveTrace:
        return LiveTrace(self.folder / name)

    def _names(self) -> list[str]:
        try:
            with os.scandir(self.folder) as entries:
                found = [e.name for e in entries if e.name.startswith("trace-")]
        except OSError:
            return []
        return sorted(n for n in found if n not in self._left_out and _NAME.fullmatch(n))

    def _look(self, trace: LiveTrace) -> LiveProcess | None:
        try:
            process = trace.look()
        except TraceError:
            return None  # being made at this moment, or told by the analysis afterwards
        self.heads[trace.path.name] = process.header, process.counters
        return process


def latest_traces(names: Iterable[str], host: str) -> dict[int, list[str]]:
    """The traces of processes that are alive on *host*: of each pid that of the highest number.

    A process whose environment names another rank after exec(2) has several: one for each rank.
    """
    best: dict[tuple[int, str], tuple[int, str]] = {}
    for name in names:
        parts = _NAME.fullmatch(name)
        if parts is None or parts["host"] != host:
            continue
        family = int(parts["pid"]), name[: parts.start("number")]
        best[family] = max(best.get(family, (-1, "")), (int(parts["number"]), name))
    latest: dict[int, list[str]] = {}
    for (pid, _), (_, name) in sorted(best.items()):
        if os.path.exists(f"/proc/{pid}"):
            latest.setdefault(pid, []).append(name)
    return latest
