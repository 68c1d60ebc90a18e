"""What attributes refer to: strings, addresses, ranges (DWARF 5, sections 2.17, 7.5.5, 7.25-28)."""

from __future__ import annotations

import struct

from runtime_probe.dwarf_forms import (
    AT_HIGH_PC,
    AT_LOW_PC,
    AT_RANGES,
    FORM_ADDR,
    FORM_STRING,
    uleb,
)
from runtime_probe.dwarf_units import Attributes, Unit
from runtime_probe.elf_object import DamagedError, ElfObject, Section

_AT_STR_OFFSETS_BASE, _AT_ADDR_BASE, _AT_RNGLISTS_BASE = 0x72, 0x73, 0x74
_AT_GNU_ADDR_BASE = 0x2133
_FORM_STRP, _FORM_LINE_STRP, _FORM_RNGLISTX = 0x0E, 0x1F, 0x23
_STRING_INDEX_FORMS = frozenset((0x1A, 0x25, 0x26, 0x27, 0x28))
_ADDRESS_INDEX_FORMS = frozenset((0x1B, 0x29, 0x2A, 0x2B, 0x2C, 0x1F01))
# DW_RLE_*: DWARF 5, table 7.30.
_RLE_END, _RLE_BASEX, _RLE_STARTX_ENDX, _RLE_STARTX_LENGTH = 0, 1, 2, 3
_RLE_OFFSET_PAIR, _RLE_BASE, _RLE_START_END, _RLE_START_LENGTH = 4, 5, 6, 7
_CHUNK = 1 << 12

Ranges = list[tuple[int, int]]  # [first, behind the last), link-time addresses


class Values:
    """Resolves the values of one object's attributes."""

    def __init__(self, elf: ElfObject) -> None:
        """Finds the sections. Raises one of elf_object.DAMAGE if they cannot be read."""
        self._order = elf.order
        self._sections: dict[str, Section] = {}
        for name in ("str", "line_str", "str_offsets", "addr", "ranges", "rnglists"):
            self._sections[name] = elf.section(f".debug_{name}") or Section(b"", 0, 0)
        self._budget = 0

    def allow(self, entries: int) -> None:
        """Sets how many entries of range lists may be read from now on."""
        self._budget = entries

    def text(self, unit: Unit, attributes: Attributes, attribute: int) -> str:
        """A string attribute, "" where it is absent or in another file (.dwo, dwz)."""
        form, value = attributes.get(attribute, (0, None))
        if form == FORM_STRING:
            return str(value)
        if not isinstance(value, int):
            return ""
        return self.string(unit, form, value)

    def string(self, unit: Unit, form: int, value: int) -> str:
        """The string behind a DW_FORM_strp, line_strp or strx value, else ""."""
        if form == _FORM_STRP:
            return self._sections["str"].text(value)
        if form == _FORM_LINE_STRP:
            return self._sections["line_str"].text(value)
        if form in _STRING_INDEX_FORMS:
            base = number(unit.root, _AT_STR_OFFSETS_BASE)
            if base is None:
                return ""
            at = base + value * unit.offset_size
            return self._sections["str"].text(self._integer("str_offsets", at, unit.offset_size))
        return ""

    def ranges(self, unit: Unit, attributes: Attributes) -> Ranges:
        """The addresses of an entry: low_pc to high_pc, or its range list, or none.

        Raises:
            one of elf_object.DAMAGE: they cannot be read, or are more than was allowed.
        """
        if AT_RANGES in attributes:
            form, value = attributes[AT_RANGES]
            if not isinstance(value, int):
                return []
            if unit.version >= 5:
                return self._range_list_5(unit, form, value)
            return self._range_list(unit, value)
        low, high = self._address(unit, attributes, AT_LOW_PC), number(attributes, AT_HIGH_PC)
        if low is None or high is None:
            return []
        form = attributes[AT_HIGH_PC][0]
        if form == FORM_ADDR or form in _ADDRESS_INDEX_FORMS:
            absolute = self._address(unit, attributes, AT_HIGH_PC)
            high = absolute if absolute is not None else low
        else:
            high += low  # an offset from low_pc since DWARF 4
        return [(low, high)] if low < high else []

    def _address(self, unit: Unit, attributes: Attributes, attribute: int) -> int | None:
        form, value = attributes.get(attribute, (0, None))
        if not isinstance(value, int):
            return None
        return self._indexed_address(unit, value) if form in _ADDRESS_INDEX_FORMS else value

    def _indexed_address(self, unit: Unit, index: int) -> int:
        base = number(unit.root, _AT_ADDR_BASE)
        if base is None:
            base = number(unit.root, _AT_GNU_ADDR_BASE) or 0
        return self._integer("addr", base + index * unit.address_size, unit.address_size)

    def _integer(self, section: str, offset: int, size: int) -> int:
        layout = self._order + ("Q" if size == 8 else "I")
        return int(struct.unpack(layout, self._sections[section].read(offset, size))[0])

    def _spend(self) -> None:
        self._budget -= 1
        if self._budget < 0:
            raise DamagedError("range lists without end")

    def _range_list(self, unit: Unit, offset: int) -> Ranges:
        """A list of .debug_ranges (DWARF 4, 2.17.3)."""
        size = unit.address_size
        section = self._sections["ranges"]
        pair = struct.Struct(self._order + ("QQ" if size == 8 else "II"))
        base_marker = (1 << (8 * size)) - 1
        base = self._address(unit, unit.root, AT_LOW_PC) or 0
        found: Ranges = []
        while True:
            self._spend()
            low, high = pair.unpack(section.read(offset, pair.size))
            offset += pair.size
            if low == high == 0:
                return found
            if low == base_marker:
                base = high
            elif low < high:
                found.append((base + low, base + high))

    def _range_list_5(self, unit: Unit, form: int, value: int) -> Ranges:
        """A list of .debug_rnglists (DWARF 5, 2.17.3 and 7.25)."""
        if form == _FORM_RNGLISTX:
            base = number(unit.root, _AT_RNGLISTS_BASE) or 0
            at = base + value * unit.offset_size
            value = base + self._integer("rnglists", at, unit.offset_size)
        section = self._sections["rnglists"]
        size = _CHUNK
        while True:
            try:
                data = section.read(value, min(size, section.size - value))
                return self._decode_5(unit, data)
            except (IndexError, struct.error):
                if value + size >= section.size:
                    raise DamagedError("a range list does not end") from None
                size *= 8

    def _decode_5(self, unit: Unit, data: bytes) -> Ranges:
        address = struct.Struct(self._order + ("Q" if unit.address_size == 8 else "I"))
        base = self._address(unit, unit.root, AT_LOW_PC) or 0
        found: Ranges = []
        position = 0
        while True:
            self._spend()
            kind, position = data[position], position + 1
            if kind == _RLE_END:
                return found
            first = second = 0
            if kind in (_RLE_BASE, _RLE_START_END, _RLE_START_LENGTH):
                (first,) = address.unpack_from(data, position)
                position += address.size
            else:
                first, position = uleb(data, position)
            if kind == _RLE_START_END:
                (second,) = address.unpack_from(data, position)
                position += address.size
            elif kind not in (_RLE_BASE, _RLE_BASEX):
                second, position = uleb(data, position)
            if kind in (_RLE_BASEX, _RLE_STARTX_ENDX, _RLE_STARTX_LENGTH):
                first = self._indexed_address(unit, first)
            if kind in (_RLE_BASE, _RLE_BASEX):
                base = first
                continue
            if kind == _RLE_OFFSET_PAIR:
                first, second = base + first, base + second
            elif kind in (_RLE_STARTX_LENGTH, _RLE_START_LENGTH):
                second += first
            elif kind == _RLE_STARTX_ENDX:
                second = self._indexed_address(unit, second)
            elif kind != _RLE_START_END:
                raise DamagedError(f"range list entry {kind}")
            if first < second:
                found.append((first, second))


def number(attributes: Attributes, attribute: int) -> int | None:
    """A numeric attribute as it is stored, None where it is absent."""
    value = attributes.get(attribute, (0, None))[1]
    return value if isinstance(value, int) else None
