"""What the loader and the probe will find in one ELF file."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from elftools.elf.dynamic import DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.segments import InterpSegment

from runtime_probe.debug_files import DebugFiles
from runtime_probe.elf_object import ElfObject, SectionHeader

_SHN_UNDEF = 0
#: JUMP_SLOT and GLOB_DAT of the psABIs: the slots that csrc/got.c redirects.
_SLOTS = {"EM_X86_64": (7, 6), "EM_AARCH64": (1026, 1025)}
_DF_1_PIE = 0x08000000  # <elf.h>
_RELA = 24  # bytes of an Elf64_Rela


@dataclass(frozen=True)
class Binary:
    """An ELF file.

    Attributes:
        machine: as <elf.h> names it, EM_X86_64.
        interpreter: the loader that it asks for, "" for none.
        dynamic: it has a dynamic section, so that a loader has something to do.
        needed: names of the libraries that it is linked with.
        relative: how many entries of its relocations only add the load address.
        pie: it says that it is a program (DF_1_PIE).
    """

    path: str
    machine: str
    bits: int
    interpreter: str
    dynamic: bool
    needed: tuple[str, ...]
    relative: int
    pie: bool
    elf: ElfObject = field(repr=False)

    @property
    def library(self) -> bool:
        """A shared library, and no program (a static one that moves itself has the flag, too)."""
        return self.dynamic and not self.interpreter and not self.pie

    def section(self, name: str) -> bool:
        """Whether it has a section of that name."""
        return any(header.name == name for header in self.elf.headers)

    def defines(self, pattern: re.Pattern[bytes]) -> str:
        """The first function or variable defined here whose name matches, "" for none."""
        return next(self._matching(pattern, (".symtab", ".dynsym"), imported=False), "")

    def exports(self, pattern: re.Pattern[bytes]) -> str:
        """The same among those that other objects can find."""
        return next(self._matching(pattern, (".dynsym",), imported=False), "")

    def imports(self, pattern: re.Pattern[bytes]) -> str:
        """The first name that matches among those it takes from other objects, "" for none."""
        return next(self._matching(pattern, (".dynsym",), imported=True), "")

    @cached_property
    def slots(self) -> frozenset[str]:
        """Functions that are called through slots, which the probe can redirect."""
        kinds = _SLOTS.get(self.machine, ())
        table = self._header(".dynsym")
        if table is None or self.bits != 64:
            return frozenset()
        found: set[int] = set()
        for name, skipped in ((".rela.plt", 0), (".rela.dyn", self.relative)):
            header = self._header(name)
            if header is None:
                continue
            # What is only moved stands first (DT_RELACOUNT), and there may be millions of it.
            start = min(skipped * _RELA, header.size)
            data = self.elf.contents(header).read(start, (header.size - start) // _RELA * _RELA)
            for _, info, _ in struct.iter_unpack(self.elf.order + "QQq", data):
                if info & 0xFFFFFFFF in kinds:
                    found.add(info >> 32)
        strings = self.elf.contents(self.elf.headers[table.link])
        symbols = self.elf.contents(table)
        return frozenset(
            strings.text(struct.unpack(self.elf.order + "I", symbols.read(24 * n, 4))[0])
            for n in found
        )

    def has_names(self) -> bool:
        """Whether functions that it does not export have names: here, or in a debug file."""
        if self._header(".symtab") is not None:
            return True
        return DebugFiles(None, lambda _: None).debug_file(self.elf.build_id, self.elf) is not None

    def _header(self, name: str) -> SectionHeader | None:
        for header in self.elf.headers:
            if header.name == name and header.type != "SHT_NOBITS":
                return header
        return None

    def _matching(
        self, pattern: re.Pattern[bytes], tables: tuple[str, ...], imported: bool
    ) -> Iterator[str]:
        """Names are searched as one text; only symbols that have one of those found are read."""
        for table in tables:
            header = self._header(table)
            if header is None:
                continue
            strings = self.elf.contents(self.elf.headers[header.link])
            text = strings.read(0, strings.size)
            places = {found.start(1): found[1] for found in pattern.finditer(text)}
            if not places:
                continue
            form = self.elf.order + ("IBBHQQ" if self.bits == 64 else "IIIBBH")
            size = struct.calcsize(form)
            section_field = 3 if self.bits == 64 else 5
            data = self.elf.contents(header).read(0, header.size // size * size)
            for fields in struct.iter_unpack(form, data):
                name = places.get(fields[0])
                if name is not None and (fields[section_field] == _SHN_UNDEF) == imported:
                    yield name.decode("utf-8", "replace")


def names(*patterns: str) -> re.Pattern[bytes]:
    """A pattern for whole names in a table of strings; each of *patterns* is one that may match."""
    return re.compile(rb"\0((?:" + "|".join(patterns).encode() + rb"))(?=\0)")


def read_binary(path: str) -> Binary:
    """Read the headers of *path*.

    Raises:
        one of runtime_probe.elf_object.DAMAGE: not readable, or not an ELF file.
    """
    with open(path, "rb") as file:
        elf = ELFFile(file)
        interpreter, needed, dynamic, relative, pie = "", [], False, 0, False
        for segment in elf.iter_segments():
            if isinstance(segment, InterpSegment):
                interpreter = segment.get_interp_name()
            elif isinstance(segment, DynamicSegment):
                dynamic = True
                for tag in segment.iter_tags():
                    if tag.entry.d_tag == "DT_NEEDED":
                        needed.append(str(getattr(tag, "needed", "")))
                    elif tag.entry.d_tag == "DT_RELACOUNT":
                        relative = int(tag.entry.d_val)
                    elif tag.entry.d_tag == "DT_FLAGS_1":
                        pie = bool(tag.entry.d_val & _DF_1_PIE)
        machine = str(elf["e_machine"])
        bits = int(elf.elfclass)
    return Binary(
        path, machine, bits, interpreter, dynamic, tuple(needed), relative, pie, ElfObject(path)
    )
