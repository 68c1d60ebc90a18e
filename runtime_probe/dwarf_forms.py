"""Attribute forms and abbreviations (DWARF 5, sections 7.5.3 to 7.6).

An abbreviation table says which attributes an entry has and how each is stored. Most entries are
only stepped over, so for each abbreviation the steps are worked out once.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from runtime_probe.elf_object import DamagedError, Section

# Attributes and forms by number: DWARF 5, tables 7.5 and 7.6.
AT_NAME, AT_STMT_LIST, AT_LOW_PC, AT_HIGH_PC, AT_COMP_DIR = 0x03, 0x10, 0x11, 0x12, 0x1B
AT_ABSTRACT_ORIGIN, AT_SPECIFICATION, AT_RANGES = 0x31, 0x47, 0x55
AT_CALL_FILE, AT_CALL_LINE, AT_LINKAGE_NAME, AT_MIPS_LINKAGE_NAME = 0x58, 0x59, 0x6E, 0x2007
FORM_ADDR, FORM_STRING, FORM_REF_ADDR = 0x01, 0x08, 0x10
FORM_BLOCK2, FORM_BLOCK4, FORM_BLOCK, FORM_BLOCK1 = 0x03, 0x04, 0x09, 0x0A
FORM_SDATA, FORM_EXPRLOC, FORM_INDIRECT, FORM_IMPLICIT_CONST = 0x0D, 0x18, 0x16, 0x21

# Bytes of the forms whose size does not depend on the unit.
SIZES = {
    form: size
    for size, forms in {
        0: (0x19, 0x21),  # flag_present, implicit_const
        1: (0x0B, 0x0C, 0x11, 0x25, 0x29),  # data1, flag, ref1, strx1, addrx1
        2: (0x05, 0x12, 0x26, 0x2A),  # data2, ref2, strx2, addrx2
        3: (0x27, 0x2B),  # strx3, addrx3
        4: (0x06, 0x13, 0x1C, 0x28, 0x2C),  # data4, ref4, ref_sup4, strx4, addrx4
        8: (0x07, 0x14, 0x20, 0x24),  # data8, ref8, ref_sig8, ref_sup8
        16: (0x1E,),  # data16
    }.items()
    for form in forms
}
# strp, sec_offset, strp_sup, line_strp, GNU_ref_alt, GNU_strp_alt: an offset of the unit's format.
OFFSET_FORMS = frozenset((0x0E, 0x17, 0x1D, 0x1F, 0x1F20, 0x1F21))
# udata, ref_udata, strx, addrx, loclistx, rnglistx, GNU_addr_index, GNU_str_index.
ULEB_FORMS = frozenset((0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02))

_MAX_ATTRIBUTES = 512
_MAX_LEB_BITS = 70
HEAD = 1 << 12  # bytes that hold nearly every unit's header and first entry


def uleb(data: bytes, position: int) -> tuple[int, int]:
    """An unsigned LEB128 number and the position behind it (DWARF 5, 7.6).

    Raises:
        IndexError: the data end before the number does.
        DamagedError: it has more than 64 bits.
    """
    byte = data[position]
    if byte < 0x80:
        return byte, position + 1
    value, shift = byte & 0x7F, 7
    while True:
        position += 1
        byte = data[position]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position + 1
        shift += 7
        if shift > _MAX_LEB_BITS:
            raise DamagedError("a number of more than 64 bits")


def sleb(data: bytes, position: int) -> tuple[int, int]:
    """A signed LEB128 number and the position behind it. Raises what `uleb` raises."""
    value, end = uleb(data, position)
    bits = 7 * (end - position)
    return (value - (1 << bits) if data[end - 1] & 0x40 else value), end


def skip_value(data: bytes, position: int, form: int, order: str) -> int:
    """Where a value of varying size ends. `order` is "<" or ">", as struct writes it.

    Raises:
        IndexError, struct.error, ValueError: it is past the end of the data.
        DamagedError: the form is not known.
    """
    if form in ULEB_FORMS or form == FORM_SDATA:
        return uleb(data, position)[1]
    if form == FORM_STRING:
        return data.index(b"\0", position) + 1
    if form in (FORM_EXPRLOC, FORM_BLOCK):
        size, position = uleb(data, position)
    elif form == FORM_BLOCK1:
        size, position = data[position], position + 1
    elif form == FORM_BLOCK2:
        (size,) = struct.unpack_from(order + "H", data, position)
        position += 2
    elif form == FORM_BLOCK4:
        (size,) = struct.unpack_from(order + "I", data, position)
        position += 4
    else:
        raise DamagedError(f"attribute form {form:#x}")
    return position + int(size)


@dataclass(slots=True)
class Abbreviation:
    """The shape of an entry.

    Attributes:
        attributes: attribute, form, and the constant of DW_FORM_implicit_const.
        present: the attributes, without how they are stored.
        skips: how to step over the values: a number of bytes, or minus a form of varying size.
        fixed_size: of all values in bytes, None where it varies.
    """

    tag: int
    has_children: bool
    attributes: list[tuple[int, int, int]]
    present: frozenset[int]
    skips: list[int]
    fixed_size: int | None


class Abbreviations:
    """One table of .debug_abbrev, for units of one format, read only as far as it is needed."""

    def __init__(self, section: Section, offset: int, sizes: dict[int, int]) -> None:
        if not 0 <= offset < section.size:
            raise DamagedError(f"abbreviations at {offset:#x} are past the end of their section")
        self.sizes = sizes  # bytes of the forms whose size does not vary
        self._section, self._offset = section, offset
        self._data = section.read(offset, min(HEAD, section.size - offset))
        self._next = 0  # behind the last declaration that was passed
        self._declared: dict[int, int] = {}  # code: where its tag is
        self._known: dict[int, Abbreviation] = {}

    def get(self, code: int) -> Abbreviation:
        """The abbreviation with this code.

        Raises:
            DamagedError: the table has none, or is damaged before it.
        """
        known = self._known.get(code)
        if known is None:
            while code not in self._declared:
                try:
                    self._pass_declaration()
                except IndexError:
                    self._extend()
            known = self._known[code] = self._decode(self._declared[code])
        return known

    def _extend(self) -> None:
        whole = self._section.size - self._offset
        if len(self._data) >= whole:
            raise DamagedError("a table of abbreviations does not end")
        self._data = self._section.read(self._offset, min(whole, 4 * len(self._data)))

    def _pass_declaration(self) -> None:
        """Notes where the next declaration is. GCC may put that of a unit's first entry last."""
        data = self._data
        code, declared = uleb(data, self._next)
        if code == 0:
            raise DamagedError("an entry without an abbreviation")
        _, position = uleb(data, declared)
        position += 1  # whether it has children
        while True:
            attribute, form = data[position], data[position + 1]
            if attribute < 0x80 and form < 0x80 and form != FORM_IMPLICIT_CONST:
                position += 2
            else:
                attribute, position = uleb(data, position)
                form, position = uleb(data, position)
                if form == FORM_IMPLICIT_CONST:
                    _, position = uleb(data, position)
            if attribute == form == 0:
                break
        self._declared.setdefault(code, declared)
        self._next = position

    def _decode(self, position: int) -> Abbreviation:
        data = self._data
        tag, position = uleb(data, position)
        has_children, position = bool(data[position]), position + 1
        attributes: list[tuple[int, int, int]] = []
        while True:
            attribute, position = uleb(data, position)
            form, position = uleb(data, position)
            if attribute == form == 0:
                break
            constant = 0
            if form == FORM_IMPLICIT_CONST:
                constant, position = sleb(data, position)
            attributes.append((attribute, form, constant))
            if len(attributes) > _MAX_ATTRIBUTES:
                raise DamagedError(f"an abbreviation with more than {_MAX_ATTRIBUTES} attributes")
        present = frozenset(attribute for attribute, _, _ in attributes)
        skips = self._skips([form for _, form, _ in attributes])
        fixed_size = None if any(step < 0 for step in skips) else sum(skips)
        return Abbreviation(tag, has_children, attributes, present, skips, fixed_size)

    def _skips(self, forms: list[int]) -> list[int]:
        skips: list[int] = []
        for form in forms:
            size = self.sizes.get(form)
            if size is None:
                skips.append(-form)
            elif skips and skips[-1] >= 0:
                skips[-1] += size
            elif size:
                skips.append(size)
        return skips
