"""Units and entries of .debug_info (DWARF 5, sections 7.5 to 7.7).

pyelftools builds an object for each entry and value, which takes many times as long as this reader
does, and a unit of a large C++ library has a million entries. Every count and offset is checked
against the bytes that are there, so that damaged input ends in an exception soon.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal

from runtime_probe.dwarf_forms import (
    FORM_ADDR,
    FORM_IMPLICIT_CONST,
    FORM_INDIRECT,
    FORM_REF_ADDR,
    FORM_SDATA,
    FORM_STRING,
    HEAD,
    OFFSET_FORMS,
    SIZES,
    ULEB_FORMS,
    Abbreviation,
    Abbreviations,
    skip_value,
    sleb,
    uleb,
)
from runtime_probe.elf_object import DamagedError, ElfObject, Section

_MAX_TABLES = 64
_UT_TYPE, _UT_SKELETON, _UT_SPLIT_COMPILE, _UT_SPLIT_TYPE = 0x02, 0x04, 0x05, 0x06

#: What an entry says: attribute -> form and value as it is stored: a number (an offset or index
#: where the form says so), a string for DW_FORM_string, None for blocks and expressions.
Attributes = dict[int, tuple[int, int | str | None]]


@dataclass(slots=True)
class Unit:
    """One unit. Positions are relative to `data`, which begins with the unit's header."""

    offset: int
    data: bytes
    version: int
    offset_size: int
    address_size: int
    first_entry: int
    abbreviations: Abbreviations
    root: Attributes = field(default_factory=dict)


class EntryReader:
    """Decodes units and entries of one object's .debug_info."""

    def __init__(self, elf: ElfObject) -> None:
        """Finds the sections; nothing is decoded yet.

        Raises:
            one of elf_object.DAMAGE: the sections cannot be read.
        """
        self._info = elf.section(".debug_info") or Section(b"", 0, 0)
        self._abbrev = elf.section(".debug_abbrev") or Section(b"", 0, 0)
        self._u16 = struct.Struct(elf.order + "H").unpack_from
        self._u32 = struct.Struct(elf.order + "I").unpack_from
        self._u64 = struct.Struct(elf.order + "Q").unpack_from
        self._order = elf.order
        self._endian: Literal["little", "big"] = "little" if elf.order == "<" else "big"
        self._tables: dict[tuple[int, int, int, bool], Abbreviations] = {}
        self._offsets: list[int] = []

    def unit_offsets(self) -> list[int]:
        """Where the units begin in .debug_info, ascending (DWARF 5, 7.5.1)."""
        if not self._offsets:
            offsets: list[int] = []
            position = 0
            while position < self._info.size:
                offsets.append(position)
                position, _ = self._extent(position)
            self._offsets = offsets
        return self._offsets

    def unit_around(self, offset: int) -> int:
        """Where the unit begins that holds the entry at `offset` of .debug_info."""
        offsets = self.unit_offsets()
        if not 0 <= offset < self._info.size:
            raise DamagedError(f"no unit holds the entry at {offset:#x}")
        return offsets[bisect_right(offsets, offset) - 1]

    def unit(self, offset: int) -> Unit:
        """The unit that begins at `offset`, with its first entry.

        Raises:
            one of elf_object.DAMAGE: it is damaged, or of another version than 2 to 5.
        """
        end, offset_size = self._extent(offset)
        return self._decode(offset, self._info.read(offset, end - offset), offset_size)

    def unit_head(self, offset: int) -> Unit:
        """As `unit`, but perhaps without the entries behind the first."""
        end, offset_size = self._extent(offset)
        try:
            head = self._info.read(offset, min(end - offset, HEAD))
            return self._decode(offset, head, offset_size)
        except (IndexError, struct.error):
            return self.unit(offset)

    def _extent(self, offset: int) -> tuple[int, int]:
        """The end of the unit at `offset`, and the bytes that its offsets have (7.4)."""
        (length,) = self._u32(self._info.read(offset, 4))
        if length < 0xFFFFFFF0:
            return offset + 4 + length, 4
        (length,) = self._u64(self._info.read(offset + 4, 8))
        return offset + 12 + length, 8

    def _decode(self, offset: int, data: bytes, offset_size: int) -> Unit:
        position = 4 if offset_size == 4 else 12
        read_offset = self._u32 if offset_size == 4 else self._u64
        (version,) = self._u16(data, position)
        position += 2
        if version == 5:
            kind, address_size = data[position], data[position + 1]
            (table,) = read_offset(data, position + 2)
            position += 2 + offset_size
            if kind in (_UT_SKELETON, _UT_SPLIT_COMPILE):
                position += 8
            elif kind in (_UT_TYPE, _UT_SPLIT_TYPE):
                position += 8 + offset_size
        elif 2 <= version <= 4:
            (table,) = read_offset(data, position)
            address_size = data[position + offset_size]
            position += offset_size + 1
        else:
            raise DamagedError(f"a unit of DWARF version {version}")
        if address_size not in (4, 8):
            raise DamagedError(f"addresses of {address_size} bytes")
        abbreviations = self._table(table, offset_size, address_size, version == 2)
        unit = Unit(offset, data, version, offset_size, address_size, position, abbreviations)
        code, after = uleb(data, position)
        if code:
            unit.root, _ = self.attributes(unit, after, abbreviations.get(code))
        return unit

    def _table(
        self, offset: int, offset_size: int, address_size: int, version_2: bool
    ) -> Abbreviations:
        key = offset, offset_size, address_size, version_2
        if key not in self._tables:
            sizes = {**SIZES, **dict.fromkeys(OFFSET_FORMS, offset_size)}
            sizes[FORM_ADDR] = address_size
            sizes[FORM_REF_ADDR] = address_size if version_2 else offset_size
            if len(self._tables) >= _MAX_TABLES:
                self._tables.clear()  # units that are in use keep theirs
            self._tables[key] = Abbreviations(self._abbrev, offset, sizes)
        return self._tables[key]

    def attributes(
        self, unit: Unit, position: int, abbreviation: Abbreviation
    ) -> tuple[Attributes, int]:
        """The attributes of the entry whose values begin at `position`, and where they end."""
        found: Attributes = {}
        for attribute, form, constant in abbreviation.attributes:
            if form == FORM_IMPLICIT_CONST:
                found[attribute] = (form, constant)
                continue
            if form == FORM_INDIRECT:
                form, position = uleb(unit.data, position)
            value, position = self._value(unit, position, form)
            found[attribute] = (form, value)
        return found, position

    def _value(self, unit: Unit, position: int, form: int) -> tuple[int | str | None, int]:
        data = unit.data
        if form in ULEB_FORMS:
            return uleb(data, position)
        if form == FORM_STRING:
            end = data.index(b"\0", position)
            return data[position:end].decode("utf-8", "replace"), end + 1
        if form == FORM_SDATA:
            return sleb(data, position)
        size = unit.abbreviations.sizes.get(form)
        if size is None:
            return None, skip_value(data, position, form, self._order)
        end = position + size
        if end > len(data):
            raise IndexError("a value is past the end of its unit")
        return int.from_bytes(data[position:end], self._endian), end

    def skip(self, unit: Unit, position: int, abbreviation: Abbreviation) -> int:
        """Where the values that begin at `position` end."""
        for step in abbreviation.skips:
            if step >= 0:
                position += step
            elif step == -FORM_INDIRECT:
                form, position = uleb(unit.data, position)
                _, position = self._value(unit, position, form)
            else:
                position = skip_value(unit.data, position, -step, self._order)
        return position
