"""A dumped process' memory: what the core has of it, and what files have that were mapped.

By default the kernel leaves out what is as it is in a file (core(5), coredump_filter): code, and
most data that nobody may write.
"""

from __future__ import annotations

import os
import stat
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from lockorder.hang.core_elf import File, Loads
from lockorder.hang.core_notes import MappedFile
from lockorder.hang.errors import DataError
from lockorder.hang.image import Mapping

#: Bytes that are read at once at most: nobody needs more, and sizes come from damaged memory, too.
LARGEST_READ = 64 << 20
_OPEN_FILES = 64
_MOST_STEPS = 1 << 20
_UNKNOWN = 255  # flags that no segment tells
_LAST = (1 << 64) - 1
_NONE = (1 << 64, 1 << 64)
_NOT_FILES = ("/proc/", "/sys/", "/dev/")


class Memory:
    """Pieces of memory, by address; each is of one segment, of one file, or of both."""

    def __init__(self, file: File, loads: Loads, files: Sequence[MappedFile], page: int) -> None:
        self.files = Backing(page)
        self.special: dict[int, str] = {}  # names of mappings without a file, by their beginning
        self._file = file
        self._starts, self._ends = array("Q"), array("Q")
        self._at, self._sizes = array("Q"), array("Q")
        self._flags = array("B")
        self._path = array("i")
        self._offsets = array("Q")
        self._paths: list[str] = []
        self.lost = 0
        self.lost_from = -1
        self._left = _MOST_STEPS
        self._lay_out(loads, files)
        # Where memory of its own was left out (coredump_filter's bit 0), what it changed of files
        # was, too.
        own = zip(self._path, self._flags, self._sizes, strict=True)
        self._whole = any(path < 0 and flags & 2 and size for path, flags, size in own)

    def allow(self, start: int, end: int, flags: int) -> None:
        """What no segment says: [start, end) may be used as *flags* say."""
        number = max(0, bisect_right(self._starts, start) - 1)
        while number < len(self._starts) and self._starts[number] < end:
            if self._flags[number] == _UNKNOWN and start < self._ends[number]:
                self._flags[number] = flags
            number += 1
            self._left -= 1
            if self._left < 0:  # of segments that lie over each other
                return

    def mappings(self) -> Iterator[Mapping]:
        """All mappings; a core does not tell private (p) from shared ones."""
        for number, start in enumerate(self._starts):
            path = self._path[number]
            yield Mapping(
                start,
                self._ends[number],
                _flags(self._flags[number]),
                self._offsets[number] if path >= 0 else 0,
                self._paths[path] if path >= 0 else self.special.get(start, ""),
            )

    def find(self, address: int) -> tuple[int, int, str] | None:
        """Begin, end and file of the piece with *address* in it."""
        number = self._number(address)
        if number < 0:
            return None
        path = self._path[number]
        return self._starts[number], self._ends[number], self._paths[path] if path >= 0 else ""

    def read(self, address: int, size: int) -> bytes | None:
        """Memory; None where not all of it is in the core, or in a file that fits."""
        if not 0 <= size <= LARGEST_READ:
            return None
        parts = []
        while size:
            number = self._number(address)
            if number < 0:
                return None
            length = min(size, self._ends[number] - address)
            part = self._part(number, address - self._starts[number], length)
            if part is None:
                return None
            parts.append(part)
            address += length
            size -= length
        return b"".join(parts)

    def dumped(self, address: int, size: int) -> bytes:
        """Memory that the core itself has, and only as much."""
        number = self._number(address)
        if number < 0:
            return b""
        into = address - self._starts[number]
        size = min(size, self._sizes[number] - into)
        return self._file.at(self._at[number] + into, size) if size > 0 else b""

    def _number(self, address: int) -> int:
        if not 0 <= address < 1 << 64:
            return -1
        number = bisect_right(self._starts, address) - 1
        return number if number >= 0 and address < self._ends[number] else -1

    def _part(self, number: int, into: int, size: int) -> bytes | None:
        """*size* bytes of one piece, *into* it."""
        inside = max(0, min(size, self._sizes[number] - into))
        data = self._file.at(self._at[number] + into, inside)
        # What a core had before it was cut off is not what the file has.
        if len(data) < inside or inside == size:
            return data if inside == size == len(data) else None
        path, flags = self._path[number], self._flags[number]
        if path < 0 or (flags != _UNKNOWN and flags & 2 and not self._whole):
            return None
        offset = self._offsets[number] + into + inside
        rest = self.files.read(self._paths[path], offset, size - inside)
        return None if rest is None else data + rest

    def _lay_out(self, loads: Loads, files: Sequence[MappedFile]) -> None:
        numbers: dict[str, int] = {}
        row = file = at = 0
        while row < len(loads) or file < len(files):
            start, end = (loads.starts[row], loads.ends[row]) if row < len(loads) else _NONE
            begin, stop = files[file][:2] if file < len(files) else _NONE
            at = max(at, min(start, begin))
            until = min(end if start <= at else start, stop if begin <= at else begin)
            number, offset = -1, 0
            if begin <= at:
                number = numbers.setdefault(files[file].path, len(numbers))
                offset = files[file].offset + at - begin
            self._add(at, until, loads.row(row) if start <= at else None, number, offset)
            at = until
            row += end <= at
            file += stop <= at
        self._paths = list(numbers)

    def _add(
        self, start: int, end: int, load: tuple[int, int, int, int, int] | None, path: int, at: int
    ) -> None:
        self._starts.append(start)
        self._ends.append(end)
        self._path.append(path)
        self._offsets.append(min(at, _LAST))
        if load is None:
            self._at.append(0)
            self._sizes.append(0)
            self._flags.append(_UNKNOWN)
            return
        begin, _, offset, size, flags = load
        into = start - begin
        size = max(0, min(size - into, end - start))
        offset = min(offset + into, _LAST)
        lost = min(size, max(0, offset + size - self._file.size))
        if lost:
            self.lost += lost
            self.lost_from = start if self.lost_from < 0 else self.lost_from
        self._at.append(offset)
        self._sizes.append(size)
        self._flags.append(flags)


class Backing:
    """Files that are known to be what was mapped, by the path that the core has for them."""

    def __init__(self, page: int) -> None:
        self._page = page
        self._names: dict[str, str] = {}
        self._open: dict[str, File] = {}

    def use(self, path: str, name: str) -> None:
        """From now on the file *name* is what *path* stands for."""
        self._names[path] = name

    def read(self, path: str, offset: int, size: int) -> bytes | None:
        """Contents as they were mapped: zeros fill the last page."""
        file = self._file(path)
        if file is None or offset + size > file.size + (-file.size % self._page):
            return None
        data = file.at(offset, size)
        if len(data) < min(size, file.size - offset):
            return None
        return data + bytes(size - len(data))

    def close(self) -> None:
        """Close all files."""
        for file in self._open.values():
            file.close()
        self._open.clear()

    def _file(self, path: str) -> File | None:
        file = self._open.get(path)
        if file is None and path in self._names:
            try:
                file = open_regular(self._names[path])
            except (OSError, DataError):
                del self._names[path]
                return None
            if len(self._open) >= _OPEN_FILES:
                self._open.pop(next(iter(self._open))).close()
            self._open[path] = file
        return file


def open_regular(name: str) -> File:
    """Open a file, and nothing that does something when it is opened or read.

    Raises ``OSError``, or ``DataError`` where it is no file of a disk.
    """
    # stat(2) first: it refuses long names at once, which realpath follows step by step.
    if not stat.S_ISREG(os.stat(name).st_mode):
        raise DataError("it is not a file")
    real = os.path.realpath(name)
    if real.startswith(_NOT_FILES):
        raise DataError("it is not a file")
    descriptor = os.open(real, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    return File(descriptor)


def _flags(bits: int) -> str:
    if bits == _UNKNOWN:
        return "---p"
    # PF_R is 4, PF_W 2, PF_X 1.
    return f"{'r' if bits & 4 else '-'}{'w' if bits & 2 else '-'}{'x' if bits & 1 else '-'}p"
