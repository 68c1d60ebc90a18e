"""Where an address lies: which object, which symbol, which part of memory."""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile
from elftools.elf.hash import GNUHashSection
from elftools.elf.sections import SymbolTableSection

from lockorder.hang.image import Image, Mapping, Stopped
from runtime_probe.elf_object import DAMAGE
from runtime_probe.symbols import Symbols

_PT_LOAD, _PT_NOTE = 1, 4
_NT_GNU_BUILD_ID = 3
_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_NOTE = struct.Struct("<III")
_SYMBOL = struct.Struct("<IBBHQQ")  # Elf64_Sym
_MAX_SEGMENTS = 256
_MAX_NOTES = 1 << 16
_DELETED = " (deleted)"


class Module(NamedTuple):
    """An object in memory, from ``start`` to ``end``; ``bias`` is added to link-time addresses."""

    path: str
    build_id: str
    start: int
    end: int
    bias: int


class Names:
    """Names for the addresses of one image."""

    def __init__(self, image: Image, symbols: Symbols | None = None) -> None:
        """Reads the mappings as they are now.

        Args:
            symbols: shared by images of the same programs, so that each file is read once.
        """
        self._image = image
        self._symbols = symbols if symbols is not None else Symbols()
        self._mappings = sorted(image.mappings())
        self._starts = [each.start for each in self._mappings]
        self.modules = _modules(image, self._mappings)
        self._module_starts = [each.start for each in self.modules]

    def mapping(self, address: int) -> Mapping | None:
        """The mapping that covers *address*."""
        at = bisect_right(self._starts, address) - 1
        if at >= 0 and address < self._mappings[at].end:
            return self._mappings[at]
        return None

    def module(self, address: int) -> Module | None:
        """The object that covers *address*, its zeroed data included."""
        at = bisect_right(self._module_starts, address) - 1
        if at >= 0 and address < self.modules[at].end:
            return self.modules[at]
        return None

    def is_code(self, address: int) -> bool:
        """Whether instructions lie there."""
        mapping = self.mapping(address)
        return mapping is not None and "x" in mapping.flags

    def function(self, address: int) -> str:
        """The function that *address* lies in; "" where nothing is known of it."""
        frames = self.frames(address)
        return frames[-1][0] if frames else ""

    def frames(self, address: int) -> list[tuple[str, str, int]]:
        """Functions, files and lines at an instruction, the innermost inlined call first."""
        module = self.module(address)
        if module is None:
            return []
        path = self._file(module.path)
        return self._symbols.lookup(path, module.build_id, address - module.bias)

    def name_of(self, address: int, what: str = "lock") -> str:
        """The variable at *address*, else *what* and where it lies, for people."""
        module = self.module(address)
        if module is not None:
            path = self._file(module.path)
            symbol = self._symbols.data_symbol(path, module.build_id, address - module.bias)
            if symbol:
                return symbol
            place = f"{Path(module.path).name}+{address - module.bias:#x}"
            return f"{what} at {place}"
        mapping = self.mapping(address)
        place = mapping.path if mapping is not None and mapping.path else ""
        if not place:
            thread = self._on_stack(address)
            place = f"stack of thread {thread}" if thread else "memory"
        return f"{what} at {address:#x} in {place}"

    def address(self, module: Module, symbol: str) -> tuple[int, int] | None:
        """Where a module's exported symbol is and its size, None where it has no such symbol."""
        try:
            with open(self._file(module.path), "rb") as file:
                found = _symbol(ELFFile(file), symbol)
        except DAMAGE:
            return None
        return None if found is None else (found[0] + module.bias, found[1])

    @cached_property
    def _threads(self) -> Sequence[Stopped]:
        return self._image.threads()

    def _on_stack(self, address: int) -> int:
        """The thread whose stack pointer is below *address* in the same mapping."""
        mapping = self.mapping(address)
        if mapping is None:
            return 0
        below = [
            (address - thread.sp, thread.tid)
            for thread in self._threads
            if mapping.start <= thread.sp <= address
        ]
        return min(below)[1] if below else 0

    def _file(self, path: str) -> str:
        """A module's file as it is seen from here: a container's lie under its own root."""
        path = path.removesuffix(_DELETED)
        root = getattr(self._image, "root", "")
        inside = root + path
        if root and not _same(path, inside) and Path(inside).is_file():
            return inside
        return path


def _same(path: str, other: str) -> bool:
    try:
        return Path(path).samefile(other)
    except OSError:
        return False


def _symbol(elf: ELFFile, name: str) -> tuple[int, int] | None:
    table = elf.get_section_by_name(".gnu.hash")
    hashed = isinstance(table, GNUHashSection)
    if isinstance(table, GNUHashSection):
        symbol = table.get_symbol(name)
        if symbol is not None and symbol["st_shndx"] != "SHN_UNDEF":
            return symbol["st_value"], symbol["st_size"]
    for section in (".dynsym", ".symtab"):
        if section == ".dynsym" and hashed:
            continue  # all that are defined are in the hash table
        symbols = elf.get_section_by_name(section)
        if isinstance(symbols, SymbolTableSection):
            found = _listed(elf, symbols, name)
            if found is not None:
                return found
    return None


def _listed(elf: ELFFile, symbols: SymbolTableSection, name: str) -> tuple[int, int] | None:
    """A defined symbol of a table: libraries have a million, so most are never looked at."""
    texts = elf.get_section(symbols["sh_link"])
    wanted = name.encode() + b"\0"
    with mmap.mmap(elf.stream.fileno(), 0, access=mmap.ACCESS_READ) as file:
        first, end = texts["sh_offset"], texts["sh_offset"] + texts["sh_size"]
        offsets = set()
        at = file.find(wanted, first, end)
        while at >= 0:
            offsets.add(at - first)
            at = file.find(wanted, at + 1, end)
        if not offsets:
            return None
        size = symbols["sh_size"] // _SYMBOL.size * _SYMBOL.size
        for each in _SYMBOL.iter_unpack(file[symbols["sh_offset"] : symbols["sh_offset"] + size]):
            if each[0] in offsets and each[3]:  # SHN_UNDEF is 0
                return each[4], each[5]
    return None


def _modules(image: Image, mappings: Iterable[Mapping]) -> list[Module]:
    """Objects begin where a file's first page is mapped; the header in memory says how far."""
    found = []
    for mapping in mappings:
        if mapping.offset or not mapping.path.startswith("/"):
            continue
        module = _module(image, mapping)
        if module is not None:
            found.append(module)
    return found


def _module(image: Image, mapping: Mapping) -> Module | None:
    header = image.read(mapping.start, 64)
    if header is None or header[:5] != b"\x7fELF\x02":
        return None
    fields = _HEADER.unpack(header)
    at, size, count = fields[4], fields[8], fields[9]
    if size != _SEGMENT.size or count > _MAX_SEGMENTS:
        return None
    table = image.read(mapping.start + at, size * count)
    if table is None:
        return None
    segments = list(_SEGMENT.iter_unpack(table))
    loads = [each for each in segments if each[0] == _PT_LOAD]
    first = [each for each in loads if each[2] == 0]
    if not first:
        return None
    bias = mapping.start - first[0][3]
    end = max(bias + each[3] + each[6] for each in loads)
    build_id = ""
    for each in segments:
        if each[0] == _PT_NOTE and not build_id and each[5] <= _MAX_NOTES:
            build_id = _build_id(image.read(bias + each[3], each[5]) or b"", each[7])
    return Module(mapping.path, build_id, mapping.start, end, bias)


def _build_id(notes: bytes, alignment: int) -> str:
    alignment = 8 if alignment == 8 else 4
    at = 0
    while at + _NOTE.size <= len(notes):
        name_size, size, kind = _NOTE.unpack_from(notes, at)
        name = at + _NOTE.size
        content = -(-(name + name_size) // alignment) * alignment
        if kind == _NT_GNU_BUILD_ID and notes[name : name + 4] == b"GNU\0":
            return notes[content : content + size].hex()
        at = -(-(content + size) // alignment) * alignment
    return ""
