"""The ELF structures of a core file, and of the objects in its memory (gABI 4 and 5, elf.h).

Everything is unpacked here, from as many bytes as there are: a core is often cut off, and its
counts and sizes may be anything.  Numbers are little-endian: so are both machines' Linux cores.
"""

from __future__ import annotations

import os
import struct
import weakref
from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lockorder.hang.errors import DataError
from lockorder.hang.image import AARCH64, X86_64

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_NOTE = struct.Struct("<III")
_PT_LOAD, _PT_NOTE, _ET_CORE, _PN_XNUM = 1, 4, 4, 0xFFFF
_NT_GNU_BUILD_ID = 3
_TYPES = {1: "an object file", 2: "a program", 3: "a program or a library"}
_MACHINES = {62: X86_64, 183: AARCH64}
_OTHERS = {
    3: "x86", 8: "MIPS", 20: "PowerPC", 21: "PowerPC64", 22: "S/390", 40: "Arm", 243: "RISC-V",
    258: "LoongArch",
}  # fmt: skip
_SYSTEMS = {2: "NetBSD", 6: "Solaris", 9: "FreeBSD", 12: "OpenBSD"}

#: Mappings are at most vm.max_map_count: 65,530 by default, 1,048,576 where distributions raise it.
MOST_SEGMENTS = 1 << 20
_MOST_OWN = 512  # program headers of one object
_MOST_OWN_NOTES = 64
_LONGEST_NAME = 64
_CHUNK = 1 << 10  # most of a core's notes are registers that nobody asks for
_END = 1 << 64

Read = Callable[[int, int], bytes]


class File:
    """An open file, read by offset; its end may be anywhere."""

    def __init__(self, descriptor: int) -> None:
        self.size = os.fstat(descriptor).st_size
        self.descriptor = descriptor
        self.close = weakref.finalize(self, os.close, descriptor)

    def at(self, offset: int, size: int) -> bytes:
        """As many of *size* bytes as there are, and can be read."""
        size = min(size, self.size - offset)
        if offset < 0 or size <= 0:
            return b""
        try:
            return os.pread(self.descriptor, size, offset)
        except OSError:
            return b""


class Loads:
    """Segments of memory, as many rows as there are; sorted and apart after ``order``."""

    def __init__(self) -> None:
        self.starts, self.ends = array("Q"), array("Q")
        self.offsets, self.sizes = array("Q"), array("Q")
        self.flags = array("B")

    def __len__(self) -> int:
        return len(self.starts)

    def add(self, start: int, end: int, offset: int, size: int, flags: int) -> None:
        """The *size* bytes of the file at *offset* are memory from *start* on."""
        self.starts.append(start)
        self.ends.append(end)
        self.offsets.append(offset)
        self.sizes.append(min(size, end - start))
        self.flags.append(flags & 7)

    def row(self, number: int) -> tuple[int, int, int, int, int]:
        """Arguments of ``add``."""
        n = number
        return self.starts[n], self.ends[n], self.offsets[n], self.sizes[n], self.flags[n]

    def order(self) -> tuple[Loads, int]:
        """The same by address; where some overlap, the first counts, and how many others did."""
        order = sorted(range(len(self)), key=self.starts.__getitem__)
        sound = Loads()
        at = overlaps = 0
        for number in order:
            start, end, offset, size, flags = self.row(number)
            cut = max(0, at - start)
            overlaps += cut > 0
            if start + cut < end:
                sound.add(start + cut, end, min(offset + cut, _END - 1), max(0, size - cut), flags)
                at = end
        return sound, overlaps


class Headers(NamedTuple):
    """What the headers of a core say; *notes* are places in the file: (offset, size)."""

    machine: str
    loads: Loads
    notes: tuple[tuple[int, int], ...]
    problems: tuple[str, ...]


class Note(NamedTuple):
    """A note; *offset* and *size* are its contents'."""

    name: str
    type: int
    offset: int
    size: int


class Segment(NamedTuple):
    """What is loaded of an object, from *address* on before it moves: *size* bytes of memory.

    The first *length* of them are in the file at *offset*.
    """

    offset: int
    address: int
    size: int
    length: int
    flags: int


class Object(NamedTuple):
    """An ELF object's own headers; *build_id* in hexadecimal, "": there is none."""

    entry: int
    segments: tuple[Segment, ...]
    build_id: str

    def bias(self, start: int) -> int:
        """How far it has moved if its first byte lies at *start*."""
        first = min(self.segments, key=lambda s: s.offset, default=Segment(0, 0, 0, 0, 0))
        return start - (first.address - first.offset)

    def extent(self, start: int) -> int:
        """Where its last segment ends then."""
        return self.bias(start) + max((s.address + s.size for s in self.segments), default=0)


def read_headers(file: File) -> Headers:
    """The headers of a core.  Raises ``DataError`` where it is none of these machines'."""
    machine, at, count = _identify(file)
    problems = []
    if count == _PN_XNUM:
        count = _many(file, at)
    if count > MOST_SEGMENTS:
        problems.append(f"it has {count:,} segments, of which {MOST_SEGMENTS:,} are read")
        count = MOST_SEGMENTS
    there = max(0, file.size - at) // _PROGRAM.size
    if count > there:
        problems.append(f"it breaks off: {there:,} of {count:,} program headers are there")
        count = there
    loads, notes, damaged = Loads(), [], 0
    for kind, flags, offset, start, _, size, extent, _ in _programs(file.at, at, count):
        if kind == _PT_NOTE:
            notes.append((offset, size))
        elif kind == _PT_LOAD:
            if start + extent >= _END:
                damaged += 1
            elif extent:
                loads.add(start, start + extent, offset, size, flags)
    loads, overlaps = loads.order()
    if damaged + overlaps:
        problems.append(f"{damaged + overlaps:,} segments overlap others, or have no address")
    return Headers(machine, loads, tuple(notes), tuple(problems))


def _identify(file: File) -> tuple[str, int, int]:
    """The machine; where the program headers begin and how many they say they are."""
    data = file.at(0, _HEADER.size)
    if not data:
        raise DataError("it is empty")
    if data[:4] != b"\x7fELF":
        raise DataError("it is no core file: not ELF")
    if len(data) < _HEADER.size:
        raise DataError(f"it breaks off after {len(data)} bytes, within its first header")
    ident, kind, number, _, _, at, _, _, _, entry, count, _, _, _ = _HEADER.unpack(data)
    if ident[5] == 2:
        raise DataError("it is of a big-endian machine; x86-64 and aarch64 can be read")
    machine = _MACHINES.get(number)
    name = machine or _OTHERS.get(number, f"number {number}")
    if ident[4] != 2:
        raise DataError(f"it is of a 32-bit process ({name}); x86-64 and aarch64 can be read")
    if ident[5] != 1 or ident[6] != 1:
        raise DataError("its first header is damaged")
    if machine is None:
        raise DataError(f"it is of another machine, {name}; x86-64 and aarch64 can be read")
    if ident[7] in _SYSTEMS:
        raise DataError(f"it is of another system, {_SYSTEMS[ident[7]]}; Linux' can be read")
    if kind != _ET_CORE:
        raise DataError(f"it is no core file but {_TYPES.get(kind, f'of type {kind}')}")
    if entry != _PROGRAM.size or at < _HEADER.size:
        raise DataError("its first header is damaged")
    return machine, at, count


def _many(file: File, at: int) -> int:
    """How many program headers there are where they are too many for the first header."""
    header = file.at(int.from_bytes(file.at(40, 8), "little"), _SECTION.size)
    if len(header) == _SECTION.size:
        count = int(_SECTION.unpack(header)[7])
        if count >= _PN_XNUM:
            return count
    # The kernel writes the section header last, so that it is the first to be cut off.  What
    # follows the program headers is what the first of them says: the notes.
    offsets = [p[2] for p in _programs(file.at, at, 1)]
    return max(_PN_XNUM, (offsets[0] - at) // _PROGRAM.size) if offsets else _PN_XNUM


def _programs(read: Read, at: int, count: int) -> Iterator[tuple[int, ...]]:
    while count > 0:
        part = read(at, min(count * _PROGRAM.size, _PROGRAM.size * 1024))
        part = part[: len(part) - len(part) % _PROGRAM.size]
        if not part:
            return
        yield from _PROGRAM.iter_unpack(part)
        at += len(part)
        count -= len(part) // _PROGRAM.size


def notes_in(read: Read, offset: int, size: int, align: int = 4) -> Iterator[Note]:
    """The notes at *offset*, up to the first that cannot be one: raises ``DataError`` there."""
    end = offset + size
    window, at = b"", 0
    while offset + _NOTE.size <= end:
        if not at <= offset <= at + len(window) - _NOTE.size - _LONGEST_NAME:
            window, at = read(offset, min(_CHUNK, end - offset)), offset
        head = window[offset - at : offset - at + _NOTE.size]
        if len(head) < _NOTE.size:
            raise DataError("its notes break off")
        name_size, desc_size, kind = _NOTE.unpack(head)
        begin = offset + _NOTE.size
        name = window[begin - at : begin - at + min(name_size, _LONGEST_NAME)]
        content = begin + _up(name_size, 4)
        content = offset + _up(content - offset, align)
        if name_size > _LONGEST_NAME or content + desc_size > end:
            raise DataError("its notes are damaged")
        yield Note(name.rstrip(b"\0").decode("ascii", "replace"), kind, content, desc_size)
        offset = content + _up(desc_size, align)


def _up(size: int, align: int) -> int:
    return size + (-size % align)


def read_object(read: Read, machine: str, start: int = -1) -> Object | None:
    """The object whose bytes *read* gives; None: it is none.

    They are a file's, or memory in which the object begins at *start*.
    """
    at = max(0, start)
    data = read(at, _HEADER.size)
    if len(data) < _HEADER.size or data[:7] != b"\x7fELF\x02\x01\x01":
        return None
    _, _, number, _, entry, programs, _, _, _, size, count, _, _, _ = _HEADER.unpack(data)
    if _MACHINES.get(number) != machine or size != _PROGRAM.size or count > _MOST_OWN:
        return None
    segments, notes = [], []
    for program in _programs(read, at + programs, count):
        kind, flags, offset, address, _, length, extent, align = program
        if kind == _PT_LOAD:
            segments.append(Segment(offset, address, extent, length, flags & 7))
        elif kind == _PT_NOTE:
            notes.append((offset, address, extent, 8 if align == 8 else 4))
    found = Object(entry, tuple(segments), "")
    if start >= 0:
        bias = found.bias(start)
        notes = [(bias + address, address, extent, align) for _, address, extent, align in notes]
    return found._replace(build_id=_build_id(read, [(n[0], n[2], n[3]) for n in notes]))


def _build_id(read: Read, places: list[tuple[int, int, int]]) -> str:
    left = _MOST_OWN_NOTES
    for offset, size, align in places:
        try:
            for note in notes_in(read, offset, size, align):
                left -= 1
                if left < 0:
                    return ""
                if note.type == _NT_GNU_BUILD_ID and note.name == "GNU" and note.size <= 64:
                    content = read(note.offset, note.size)
                    if len(content) == note.size:
                        return content.hex()
        except DataError:
            continue
    return ""
