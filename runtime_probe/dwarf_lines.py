"""Line tables: file and line of an address (DWARF 2 to 5, section 6.2 in each).

The program of one unit is run once, into arrays. All rows count for a lookup, also those that are
no statement's beginning: is_stmt says where a breakpoint should go (6.2.2), not where an
instruction came from.
"""

from __future__ import annotations

import posixpath
import struct
from array import array
from bisect import bisect_right

from runtime_probe.dwarf_forms import (
    FORM_SDATA,
    FORM_STRING,
    OFFSET_FORMS,
    SIZES,
    ULEB_FORMS,
    skip_value,
    sleb,
    uleb,
)
from runtime_probe.dwarf_units import Unit
from runtime_probe.dwarf_values import Values
from runtime_probe.elf_object import DamagedError, Section

_LNS_COPY, _LNS_ADVANCE_PC, _LNS_ADVANCE_LINE, _LNS_SET_FILE = 1, 2, 3, 4
_LNS_CONST_ADD_PC, _LNS_FIXED_ADVANCE_PC = 8, 9
_LNE_END_SEQUENCE, _LNE_SET_ADDRESS, _LNE_DEFINE_FILE = 1, 2, 3
_LNCT_PATH, _LNCT_DIRECTORY_INDEX = 1, 2
_MAX_FORMATS = 16
_MASK_32 = (1 << 32) - 1
_MASK_64 = (1 << 64) - 1


class LineTable:
    """The decoded line table of one unit."""

    def __init__(
        self, section: Section, offset: int, unit: Unit, values: Values, order: str, directory: str
    ) -> None:
        """Decodes header and program.

        Args:
            section: .debug_line.
            offset: of the table in it (DW_AT_stmt_list).
            unit: whose table it is; gives the size of addresses, and the bases of string indices.
            order: "<" or ">", as struct writes byte order.
            directory: the unit's DW_AT_comp_dir, "" where unknown.

        Raises:
            one of elf_object.DAMAGE: the table is damaged, or of another version than 2 to 5.
        """
        self._unit, self._values, self._order = unit, values, order
        self._directories: list[str] = []
        self._files: list[tuple[str, int]] = []  # name, directory
        self._addresses, self._row_files, self._lines = array("Q"), array("I"), array("I")
        self._sequences: list[tuple[int, int, int, int]] = []  # low, high, first row, last row + 1
        self._compilation_directory = directory
        self._read(section, offset)
        self._sequences.sort()
        self._starts = [sequence[0] for sequence in self._sequences]

    def at(self, address: int) -> tuple[str, int] | None:
        """File and line of a link-time address; None where the table has no line for it."""
        last = bisect_right(self._starts, address) - 1
        for index in range(last, max(-1, last - 16), -1):
            _, high, first, end = self._sequences[index]
            if address < high:
                row = bisect_right(self._addresses, address, first, end) - 1
                line = self._lines[row]
                return (self.file(self._row_files[row]), line) if line else None
        return None

    def file(self, index: int) -> str:
        """The path of a file by its number in the table, "" where there is none.

        Relative paths are completed with the directory of the compilation. "." and ".." are
        resolved as text.
        """
        if self._version < 5:  # numbers begin at 1, and directory 0 is the compilation's (6.2.4)
            index -= 1
        if not 0 <= index < len(self._files):
            return ""
        path, directory = self._files[index]
        if not path:
            return ""
        if not path.startswith("/") and 0 <= directory < len(self._directories):
            path = posixpath.join(self._directories[directory], path)
        return posixpath.normpath(posixpath.join(self._compilation_directory, path))

    # --- header ---

    def _read(self, section: Section, offset: int) -> None:
        (length,) = self._unpack("I", section.read(offset, 4), 0)
        start, offset_size = offset + 4, 4
        if length >= 0xFFFFFFF0:
            (length,) = self._unpack("Q", section.read(offset + 4, 8), 0)
            start, offset_size = offset + 12, 8
        data = section.read(start, length)
        (self._version,) = self._unpack("H", data, 0)
        if not 2 <= self._version <= 5:
            raise DamagedError(f"a line table of DWARF version {self._version}")
        position = 2
        address_size = self._unit.address_size
        if self._version == 5:
            address_size = data[2]
            position = 4
        if address_size not in (4, 8):
            raise DamagedError(f"a line table with addresses of {address_size} bytes")
        (header_length,) = self._unpack("Q" if offset_size == 8 else "I", data, position)
        position += offset_size
        program = position + header_length
        min_instruction, position = data[position], position + 1
        if self._version >= 4:
            if data[position] > 1:
                raise DamagedError("a line table for a VLIW machine")
            position += 1
        position += 1  # default_is_stmt
        (line_base,) = self._unpack("b", data, position)
        line_range, opcode_base = data[position + 1], data[position + 2]
        if not line_range or not opcode_base:
            raise DamagedError("a line table's header is damaged")
        operands = data[position + 3 : position + 2 + opcode_base]
        position += 2 + opcode_base
        if self._version == 5:
            self._read_names_5(data, position, offset_size)
        else:
            self._read_names(data, position)
        self._address = struct.Struct(self._order + ("Q" if address_size == 8 else "I"))
        self._run(data, program, operands, line_base, line_range, min_instruction)

    def _unpack(self, layout: str, data: bytes, position: int) -> tuple[int, ...]:
        return struct.unpack_from(self._order + layout, data, position)

    def _read_names(self, data: bytes, position: int) -> None:
        self._directories.append("")
        while data[position]:
            name, position = _text(data, position)
            self._directories.append(name)
        position += 1
        while data[position]:
            position = self._read_file(data, position)

    def _read_file(self, data: bytes, position: int) -> int:
        name, position = _text(data, position)
        directory, position = uleb(data, position)
        _, position = uleb(data, position)  # time of change
        _, position = uleb(data, position)  # length
        self._files.append((name, directory))
        return position

    def _read_names_5(self, data: bytes, position: int, offset_size: int) -> None:
        entries, position = self._read_entries(data, position, offset_size)
        self._directories = [name for name, _ in entries]
        self._files, _ = self._read_entries(data, position, offset_size)

    def _read_entries(
        self, data: bytes, position: int, offset_size: int
    ) -> tuple[list[tuple[str, int]], int]:
        """A list of directories or files with its description in front (6.2.4.1)."""
        formats: list[tuple[int, int]] = []
        count, position = data[position], position + 1
        if count > _MAX_FORMATS:
            raise DamagedError("a line table's header is damaged")
        for _ in range(count):
            content, position = uleb(data, position)
            form, position = uleb(data, position)
            formats.append((content, form))
        total, position = uleb(data, position)
        # Each entry takes at least a byte: a count that cannot be true must not run.
        if total > len(data) - position or (total and not formats):
            raise DamagedError("a line table's header is damaged")
        entries: list[tuple[str, int]] = []
        for _ in range(total):
            begin = position
            name, directory = "", 0
            for content, form in formats:
                value, position = self._value(data, position, form, offset_size)
                if content == _LNCT_PATH and isinstance(value, int):
                    name = self._values.string(self._unit, form, value)
                elif content == _LNCT_PATH:
                    name = str(value)
                elif content == _LNCT_DIRECTORY_INDEX and isinstance(value, int):
                    directory = value
            if position == begin:
                raise DamagedError("a line table's header is damaged")
            entries.append((name, directory))
        return entries, position

    def _value(
        self, data: bytes, position: int, form: int, offset_size: int
    ) -> tuple[int | str, int]:
        if form == FORM_STRING:
            return _text(data, position)
        if form in ULEB_FORMS:
            value, position = uleb(data, position)
        elif form in OFFSET_FORMS:
            (value,) = self._unpack("Q" if offset_size == 8 else "I", data, position)
            position += offset_size
        elif form in SIZES:
            end = position + SIZES[form]
            value = int.from_bytes(data[position:end], "little" if self._order == "<" else "big")
            position = end
        elif form == FORM_SDATA:
            return sleb(data, position)
        else:
            return "", skip_value(data, position, form, self._order)
        return value, position

    # --- program ---

    def _run(
        self,
        data: bytes,
        position: int,
        operands: bytes,
        line_base: int,
        line_range: int,
        min_instruction: int,
    ) -> None:
        """Runs the line number program (6.2.5). One loop: a call for each opcode doubles it."""
        addresses, files, lines = self._addresses, self._row_files, self._lines
        opcode_base, end = len(operands) + 1, len(data)
        const_add = min_instruction * ((255 - opcode_base) // line_range)
        address, file, line, first = 0, 1, 1, 0
        while position < end:
            opcode, position = data[position], position + 1
            if opcode >= opcode_base or opcode == _LNS_COPY:
                if opcode >= opcode_base:
                    steps, delta = divmod(opcode - opcode_base, line_range)
                    address = (address + min_instruction * steps) & _MASK_64
                    line += line_base + delta
                addresses.append(address)
                files.append(file)
                lines.append(line if 0 <= line <= _MASK_32 else 0)
            elif opcode == _LNS_ADVANCE_PC:
                steps, position = uleb(data, position)
                address = (address + min_instruction * steps) & _MASK_64
            elif opcode == _LNS_CONST_ADD_PC:
                address = (address + const_add) & _MASK_64
            elif opcode == _LNS_FIXED_ADVANCE_PC:
                address = (address + self._unpack("H", data, position)[0]) & _MASK_64
                position += 2
            elif opcode == _LNS_ADVANCE_LINE:
                delta, position = sleb(data, position)
                line += delta
            elif opcode == _LNS_SET_FILE:
                file, position = uleb(data, position)
                file &= _MASK_32
            elif opcode:
                for _ in range(operands[opcode - 1]):
                    _, position = uleb(data, position)
            else:
                size, position = uleb(data, position)
                extended = data[position] if size else 0
                if extended == _LNE_END_SEQUENCE:
                    self._end_sequence(first, address)
                    address, file, line, first = 0, 1, 1, len(addresses)
                elif extended == _LNE_SET_ADDRESS:
                    (address,) = self._address.unpack_from(data, position + 1)
                elif extended == _LNE_DEFINE_FILE:
                    self._read_file(data, position + 1)
                position += size

    def _end_sequence(self, first: int, end: int) -> None:
        addresses = self._addresses
        # Code that the linker has dropped is left at address 0.
        if first < len(addresses) and 0 < addresses[first] < end:
            self._sequences.append((addresses[first], end, first, len(addresses)))


def _text(data: bytes, position: int) -> tuple[str, int]:
    end = data.index(b"\0", position)
    return data[position:end].decode("utf-8", "replace"), end + 1
