"""One ELF file as symbolisation needs it: sections, build id, the link to its debug file.

pyelftools reads the headers when a file is opened. The contents stay in a mapping of the file and
only what is asked for is touched, so that opening a library of 2 GB costs as much as a small one.
The layout is that of the System V gABI, chapters 4 (sections, compressed sections, symbols) and 5
(notes).
"""

from __future__ import annotations

import importlib
import mmap
import os
import re
import stat
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection
from elftools.elf.segments import NoteSegment

#: What reading a damaged or foreign file can raise. pyelftools checks much, but not all.
DAMAGE = (
    AssertionError,
    AttributeError,
    ConstructError,
    DWARFError,
    ELFError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


def reason(error: BaseException) -> str:
    """What one of DAMAGE says, for people: the system's words, else its own, else its name."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


SHF_EXECINSTR = 0x4  # gABI 4, Section Attribute Flags
_SHF_COMPRESSED = 0x800
_ELFCOMPRESS_ZLIB = 1
_ELFCOMPRESS_ZSTD = 2
_BUILD_ID = re.compile(r"[0-9a-fA-F]{2,128}")
_MAX_SECTIONS = 1 << 16
_MAX_TEXT = 1 << 16
# DWARF shrinks to about a third. A section that claims far more is damaged, or a bomb.
_MAX_INFLATION = 64
_MAX_INFLATED = 1 << 30


_BUILD_ID = re.compile(r"[0-9a-fA-F]{2,128}")


class DamagedError(ValueError):
    """Contents that contradict themselves or pass a limit of this reader."""


@dataclass(frozen=True, slots=True)
class Section:
    """Bytes [start, start + size) of a buffer. Offsets given to its methods start at 0."""

    buffer: bytes | mmap.mmap
    start: int
    size: int

    def read(self, offset: int, size: int) -> bytes:
        """A copy of `size` bytes.

        Raises:
            DamagedError: some of them are outside the section.
        """
        if offset < 0 or size < 0 or offset + size > self.size:
            raise DamagedError(f"{size} bytes at {offset:#x} are past the end of a section")
        return self.buffer[self.start + offset : self.start + offset + size]

    def text(self, offset: int) -> str:
        """The string at `offset`, up to its NUL byte.

        Raises:
            DamagedError: it begins outside the section or does not end within 64 KiB.
        """
        if not 0 <= offset < self.size:
            raise DamagedError(f"a string at {offset:#x} is past the end of its section")
        begin = self.start + offset
        limit = min(begin + _MAX_TEXT, self.start + self.size)
        end = self.buffer.find(b"\0", begin, limit)
        if end < 0:
            raise DamagedError(f"the string at {offset:#x} does not end")
        return self.buffer[begin:end].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class SectionHeader:
    """What the section header table says of one section; sizes and offsets in bytes."""

    name: str
    type: str | int
    flags: int
    address: int
    offset: int
    size: int
    link: int


class ElfObject:
    """An open ELF file.

    Attributes:
        path: where it was read from.
        build_id: lower-case hexadecimal digits, "" where the file has none.
        is_64: class ELFCLASS64.
        order: "<" for little endian, ">" for big endian, as struct writes it.
        headers: all sections, by their index.
    """

    def __init__(self, path: str) -> None:
        """Maps the file and reads its headers.

        Raises:
            one of DAMAGE: not a regular file, not readable, not ELF, or damaged.
        """
        self.path = path
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            # A recorded path may name a pipe or a device by now.
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise DamagedError("not a regular file")
            self._map = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
            elf = ELFFile(file)
            self.is_64: bool = elf.elfclass == 64
            self.order = "<" if elf.little_endian else ">"
            self.headers = _section_headers(elf)
            self.build_id = _build_id(elf)
        self._by_name: dict[str, SectionHeader] = {}
        for header in self.headers:
            self._by_name.setdefault(header.name, header)
        self._inflated: dict[str, Section] = {}

    def has(self, name: str) -> bool:
        """Whether the file has contents for a section, perhaps under its old compressed name."""
        names = (name, name.replace(".debug_", ".zdebug_", 1))
        found = [self._by_name[each] for each in names if each in self._by_name]
        return any(header.type != "SHT_NOBITS" for header in found)

    def section(self, name: str) -> Section | None:
        """The contents of the named section, decompressed, or None where it is not in this file.

        A DWARF section is also found under its old compressed name (.zdebug_*).

        Raises:
            DamagedError: it lies outside the file, or cannot be decompressed within the limits.
        """
        header = self._by_name.get(name)
        if header is not None and header.type != "SHT_NOBITS":
            raw = self.contents(header)
            if not header.flags & _SHF_COMPRESSED:
                return raw
            return self._inflate_once(name, raw)
        old = self._by_name.get(name.replace(".debug_", ".zdebug_", 1))
        if old is None or old is header:
            return None
        raw = self.contents(old)
        if raw.read(0, 4) != b"ZLIB":
            return raw
        if name not in self._inflated:
            (size,) = struct.unpack(">Q", raw.read(4, 8))
            packed = raw.read(12, raw.size - 12)
            self._inflated[name] = _inflate(packed, size, _ELFCOMPRESS_ZLIB)
        return self._inflated[name]

    def contents(self, header: SectionHeader) -> Section:
        """The section's bytes as they are in the file.

        Raises:
            DamagedError: they are not all in the file.
        """
        if header.offset + header.size > len(self._map):
            raise DamagedError(f"section {header.name} ends past the end of the file")
        return Section(self._map, header.offset, header.size)

    def debug_link(self) -> tuple[str, int] | None:
        """File name and CRC-32 from .gnu_debuglink (GDB manual, 18.3 Separate Debug Files)."""
        section = self.section(".gnu_debuglink")
        if section is None:
            return None
        name = section.text(0)
        (checksum,) = struct.unpack(self.order + "I", section.read(section.size - 4, 4))
        return name, checksum

    def checksum(self) -> int:
        """CRC-32 of the whole file, as .gnu_debuglink has it."""
        return zlib.crc32(self._map)

    def _inflate_once(self, name: str, raw: Section) -> Section:
        if name not in self._inflated:
            # Elf64_Chdr and Elf32_Chdr: gABI 4, Section Compression.
            layout = struct.Struct(self.order + ("IIQQ" if self.is_64 else "III"))
            fields = layout.unpack(raw.read(0, layout.size))
            packed = raw.read(layout.size, raw.size - layout.size)
            self._inflated[name] = _inflate(packed, fields[-2], fields[0])
        return self._inflated[name]


def _section_headers(elf: ELFFile) -> list[SectionHeader]:
    if elf.num_sections() > _MAX_SECTIONS:
        raise DamagedError(f"{elf.num_sections()} sections")
    headers: list[SectionHeader] = []
    for section in elf.iter_sections():
        headers.append(
            SectionHeader(
                name=section.name,
                type=section["sh_type"],
                flags=section["sh_flags"],
                address=section["sh_addr"],
                offset=section["sh_offset"],
                size=section["sh_size"],
                link=section["sh_link"],
            )
        )
    return headers


def _build_id(elf: ELFFile) -> str:
    # Sections first: in a debug file the segments describe the file it was split from.
    for section in elf.iter_sections():
        if isinstance(section, NoteSection) and section["sh_size"] <= _MAX_TEXT:
            found = _gnu_build_id(section.iter_notes())
            if found:
                return found
    for segment in elf.iter_segments("PT_NOTE"):
        if isinstance(segment, NoteSegment) and segment["p_filesz"] <= _MAX_TEXT:
            found = _gnu_build_id(segment.iter_notes())
            if found:
                return found
    return ""


def _gnu_build_id(notes: Iterable[Any]) -> str:
    # Tools that move sections leave old ones that point at anything.
    for note in notes:
        text = str(note["n_desc"])
        ours = note["n_type"] == "NT_GNU_BUILD_ID" and note["n_name"] == "GNU"
        if ours and _BUILD_ID.fullmatch(text):
            return text.lower()
    return ""


def _inflate(packed: bytes, size: int, method: int) -> Section:
    if size > min(_MAX_INFLATED, (len(packed) + 1024) * _MAX_INFLATION):
        raise DamagedError(f"a compressed section of {len(packed)} bytes claims to be {size}")
    if method == _ELFCOMPRESS_ZLIB:
        content = zlib.decompressobj().decompress(packed, max(size, 1))
    elif method == _ELFCOMPRESS_ZSTD:
        content = _inflate_zstd(packed, size)
    else:
        raise DamagedError(f"section compression {method} is not known")
    if len(content) != size:
        raise DamagedError(f"a compressed section gives {len(content)} bytes and claims {size}")
    return Section(content, 0, size)


def _inflate_zstd(packed: bytes, size: int) -> bytes:
    try:
        zstd = importlib.import_module("compression.zstd")
    except ImportError:
        raise DamagedError("sections compressed with zstd need Python 3.14") from None
    try:
        content: bytes = zstd.ZstdDecompressor().decompress(packed, max_length=max(size, 1))
    except zstd.ZstdError as error:
        raise DamagedError(f"zstd: {error}") from error
    return content
