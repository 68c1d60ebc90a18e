"""One object's DWARF: from a link-time address to functions, files and lines."""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from runtime_probe.dwarf_forms import AT_COMP_DIR, AT_HIGH_PC, AT_RANGES, AT_STMT_LIST
from runtime_probe.dwarf_functions import Call, UnitFunctions
from runtime_probe.dwarf_lines import LineTable
from runtime_probe.dwarf_units import EntryReader, Unit
from runtime_probe.dwarf_values import Values, number
from runtime_probe.elf_object import DAMAGE, DamagedError, ElfObject, Section, reason

_MAX_UNITS = 16  # decoded at a time; a unit of a large library takes some MB
_MAX_STEPS_BACK = 64
_MAX_UNIT_RANGES = 1 << 23

_Decoded = TypeVar("_Decoded")
Frame = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Place:
    """What DWARF says of an address.

    Attributes:
        frames: function, file and line; the innermost inlined call first, the function itself last.
        is_full_name: whether the last name is the full one, with parameters in C++.
    """

    frames: list[Frame]
    is_full_name: bool


class DwarfObject:
    """Looks addresses up. Only the units that hold them are decoded."""

    def __init__(self, elf: ElfObject, report: Callable[[str], None]) -> None:
        """Finds the sections; nothing is decoded yet.

        Args:
            report: told what is damaged.

        Raises:
            one of elf_object.DAMAGE: the sections cannot be read.
        """
        self._elf, self._report = elf, report
        self._reader, self._values = EntryReader(elf), Values(elf)
        self._line_section = elf.section(".debug_line")
        self._units: _Latest[UnitFunctions] = _Latest(_MAX_UNITS)
        self._lines: _Latest[LineTable] = _Latest(_MAX_UNITS)
        self._index: _UnitIndex | None = None

    def at(self, address: int) -> Place | None:
        """What is at a link-time address; None where no unit has it.

        Raises:
            one of elf_object.DAMAGE: the unit's header is damaged. Damage in its parts is
                reported, and the other parts are used.
        """
        if self._index is None:
            self._index = _UnitIndex(self._elf, self._reader, self._values, self._report)
        offset = self._index.unit_at(address)
        if offset is None:
            return None
        table = self._table(self._reader.unit_head(offset))
        line = table.at(address) if table is not None else None
        name, is_full = "", False
        calls: list[Call] = []
        try:
            found = self._functions(offset).at(address)
            if found is not None:
                name, is_full, calls = found
        except DAMAGE as error:
            self._report(f"debug information of the unit at {offset:#x}: {reason(error)}")
        frames: list[Frame] = []
        file, number_ = line if line is not None else ("", 0)
        for call in reversed(calls):
            frames.append((call.function, file, number_))
            file = table.file(call.file) if table is not None and call.line else ""
            number_ = call.line if file else 0
        frames.append((name, file, number_))
        return Place(frames, is_full)

    def _functions(self, offset: int) -> UnitFunctions:
        return self._units.get(
            offset,
            lambda: UnitFunctions(
                self._reader, self._values, self._reader.unit(offset), self._elsewhere
            ),
        )

    def _elsewhere(self, offset: int) -> UnitFunctions:
        return self._functions(self._reader.unit_around(offset))

    def _table(self, unit: Unit) -> LineTable | None:
        offset = number(unit.root, AT_STMT_LIST)
        section = self._line_section
        if offset is None or section is None:
            return None
        directory = self._values.text(unit, unit.root, AT_COMP_DIR)
        try:
            return self._lines.get(
                unit.offset,
                lambda: LineTable(section, offset, unit, self._values, self._elf.order, directory),
            )
        except DAMAGE as error:
            self._report(f"line table at {offset:#x}: {reason(error)}")
            return None


class _UnitIndex:
    """Which unit holds an address: .debug_aranges, then the ranges that units state themselves."""

    def __init__(
        self,
        elf: ElfObject,
        reader: EntryReader,
        values: Values,
        report: Callable[[str], None],
    ) -> None:
        self._reader, self._values, self._report = reader, values, report
        self._listed: set[int] = set()
        self._by_lists: _Intervals | None = None
        found: list[tuple[int, int, int]] = []
        section = elf.section(".debug_aranges")
        if section is not None:
            try:
                self._read_lists(section, elf.order, found)
            except DAMAGE as error:
                report(f".debug_aranges: {reason(error)}")
                self._listed.clear()
                found.clear()
        self._by_aranges = _Intervals(found)

    def unit_at(self, address: int) -> int | None:
        offset = self._by_aranges.at(address)
        if offset is not None:
            return offset
        if self._by_lists is None:
            self._by_lists = _Intervals(self._stated_ranges())
        return self._by_lists.at(address)

    def _read_lists(self, section: Section, order: str, found: list[tuple[int, int, int]]) -> None:
        """Reads .debug_aranges (DWARF 5, 6.1.2)."""
        position = 0
        while position < section.size:
            (length,) = struct.unpack(order + "I", section.read(position, 4))
            start, header = position + 4, struct.Struct(order + "HIBB")
            if length >= 0xFFFFFFF0:
                (length,) = struct.unpack(order + "Q", section.read(position + 4, 8))
                start, header = position + 12, struct.Struct(order + "HQBB")
            data = section.read(start, length)
            _, unit, address_size, segment_size = header.unpack_from(data)
            if address_size not in (4, 8) or segment_size:
                raise DamagedError(f"addresses of {address_size} bytes, segments {segment_size}")
            pair = struct.Struct(order + ("QQ" if address_size == 8 else "II"))
            # The first pair is aligned to its size, counted from the list's own beginning.
            skip = start - position
            begin = -(-(skip + header.size) // pair.size) * pair.size - skip
            count = max(0, len(data) - begin) // pair.size
            for low, size in pair.iter_unpack(data[begin : begin + count * pair.size]):
                if low and size:
                    found.append((low, low + size, unit))
            self._listed.add(unit)
            position = start + length

    def _stated_ranges(self) -> list[tuple[int, int, int]]:
        found: list[tuple[int, int, int]] = []
        self._values.allow(_MAX_UNIT_RANGES)
        for offset in self._reader.unit_offsets():
            if offset in self._listed:
                continue
            try:
                unit = self._reader.unit_head(offset)
                if AT_HIGH_PC in unit.root or AT_RANGES in unit.root:
                    for low, high in self._values.ranges(unit, unit.root):
                        if low:
                            found.append((low, high, offset))
            except DAMAGE as error:
                self._report(f"debug information of the unit at {offset:#x}: {reason(error)}")
        return found


class _Intervals:
    """Sorted [low, high) with a value each."""

    def __init__(self, intervals: list[tuple[int, int, int]]) -> None:
        top = (1 << 64) - 1
        intervals.sort()
        self._lows, self._highs, self._values = array("Q"), array("Q"), array("Q")
        for low, high, value in intervals:
            if high <= top:
                self._lows.append(low)
                self._highs.append(high)
                self._values.append(value)

    def at(self, address: int) -> int | None:
        last = bisect_right(self._lows, address) - 1
        for index in range(last, max(-1, last - _MAX_STEPS_BACK), -1):
            if address < self._highs[index]:
                return self._values[index]
        return None


class _Latest(Generic[_Decoded]):
    """Keeps what was decoded for the units used last, and remembers which are damaged."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[int, _Decoded] = OrderedDict()
        self._damage: dict[int, str] = {}

    def get(self, offset: int, decode: Callable[[], _Decoded]) -> _Decoded:
        if offset in self._damage:
            raise DamagedError(self._damage[offset])
        if offset not in self._kept:
            try:
                self._kept[offset] = decode()
            except DAMAGE as error:
                self._damage[offset] = reason(error)
                raise
            if len(self._kept) > self._limit:
                self._kept.popitem(last=False)
        self._kept.move_to_end(offset)
        return self._kept[offset]
