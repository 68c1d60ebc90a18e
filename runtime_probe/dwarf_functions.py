"""Which function of a unit holds an address, and what was inlined there (DWARF 5, section 3.3).

The entries of a unit are walked once, for the functions with code; what is inside one of them is
only decoded when an address in it is looked up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from runtime_probe.demangle import demangle
from runtime_probe.dwarf_forms import (
    AT_ABSTRACT_ORIGIN,
    AT_CALL_FILE,
    AT_CALL_LINE,
    AT_HIGH_PC,
    AT_LINKAGE_NAME,
    AT_MIPS_LINKAGE_NAME,
    AT_NAME,
    AT_RANGES,
    AT_SPECIFICATION,
    FORM_REF_ADDR,
    uleb,
)
from runtime_probe.dwarf_units import Attributes, EntryReader, Unit
from runtime_probe.dwarf_values import Values, number
from runtime_probe.elf_object import DamagedError

# Tags: DWARF 5, table 7.3.
_TAG_INLINED_SUBROUTINE, _TAG_SUBPROGRAM, _TAG_NAMESPACE = 0x1D, 0x2E, 0x39
_SCOPES = frozenset((0x02, 0x13, 0x17, _TAG_NAMESPACE, _TAG_SUBPROGRAM))  # class, structure, union
_UNNAMED = {_TAG_NAMESPACE: "(anonymous namespace)"}
_HAS_CODE = (AT_HIGH_PC, AT_RANGES)
# ref1 to ref8 and ref_udata: offsets within the unit.
_UNIT_REFERENCES = frozenset((0x11, 0x12, 0x13, 0x14, 0x15))

_MAX_HOPS = 16  # from an inlined call to the entry that has its name
_MAX_STEPS_BACK = 64

#: The scope around, and the entry of this one.
_Scope = tuple["_Scope | None", int]
_MAX_RANGES = 1 << 20  # entries of range lists for one unit, or one lookup


@dataclass(frozen=True, slots=True)
class Call:
    """An inlined call: the name of what was called, and where (`file` is a line table's index)."""

    function: str
    file: int
    line: int


class UnitFunctions:
    """The functions of one unit."""

    def __init__(
        self,
        reader: EntryReader,
        values: Values,
        unit: Unit,
        elsewhere: Callable[[int], UnitFunctions],
    ) -> None:
        """Walks the unit's entries.

        Args:
            elsewhere: gives the functions of the unit that holds an offset of .debug_info.

        Raises:
            one of elf_object.DAMAGE: the unit is damaged.
        """
        self.unit = unit
        self._reader, self._values, self._elsewhere = reader, values, elsewhere
        self._scopes: dict[int, _Scope] = {}  # of functions that state no full name
        self._code: list[tuple[int, int, int]] = []  # low, high, entry
        values.allow(_MAX_RANGES)
        self._walk()
        self._code.sort()
        self._starts = [low for low, _, _ in self._code]

    def at(self, address: int) -> tuple[str, bool, list[Call]] | None:
        """The function around a link-time address, and the inlined calls, the outermost first.

        Returns:
            The function's name; whether that is its full name (with parameters in C++); the calls.
            None where no function of the unit holds the address.

        Raises:
            one of elf_object.DAMAGE: the entries that matter here are damaged.
        """
        entry = self._function_around(address)
        if entry is None:
            return None
        self._values.allow(_MAX_RANGES)
        name, is_full = self._name(entry)
        return name, is_full, self._calls(entry, address)

    def _walk(self) -> None:
        unit, reader = self.unit, self._reader
        data, end = unit.data, len(unit.data)
        get = unit.abbreviations.get
        position = unit.first_entry
        scopes: list[_Scope | None] = [None]  # of the open entries; the unit is around them
        while position < end:
            entry = position
            code = data[position]
            if code < 0x80:
                position += 1
            else:
                code, position = uleb(data, position)
            if code == 0:
                scopes.pop()
                if not scopes:
                    return  # padding behind the unit's last entry
                continue
            abbreviation = get(code)
            tag, scope = abbreviation.tag, scopes[-1]
            if tag == _TAG_SUBPROGRAM and not abbreviation.present.isdisjoint(_HAS_CODE):
                attributes, position = reader.attributes(unit, position, abbreviation)
                self._note_code(entry, attributes)
            elif abbreviation.fixed_size is not None:
                position += abbreviation.fixed_size
            else:
                position = reader.skip(unit, position, abbreviation)
            if tag in _SCOPES:
                linked = AT_LINKAGE_NAME in abbreviation.present
                if scope is not None and tag == _TAG_SUBPROGRAM and not linked:
                    self._scopes[entry] = scope
                scope = (scope, entry)
            if abbreviation.has_children:
                scopes.append(scope)

    def _note_code(self, entry: int, attributes: Attributes) -> None:
        for low, high in self._values.ranges(self.unit, attributes):
            if low:  # code that the linker has dropped is left at address 0
                self._code.append((low, high, entry))

    def _qualified(self, entry: int, name: str) -> str:
        """A simple name with those of the entries around it."""
        scope = self._scopes.get(entry)
        for _ in range(_MAX_HOPS):
            if scope is None:
                break
            scope, around = scope
            tag, attributes, _, _ = self._entry(around)
            outer = self._values.text(self.unit, attributes, AT_NAME)
            if tag == _TAG_SUBPROGRAM:
                outer += "()" if outer else ""
            elif not outer:
                is_lambda = name.startswith("operator()")
                outer = "{lambda}" if is_lambda else _UNNAMED.get(tag, "{unnamed}")
            if outer:
                name = f"{outer}::{name}"
        return name

    def _function_around(self, address: int) -> int | None:
        last = bisect_right(self._starts, address) - 1
        for index in range(last, max(-1, last - _MAX_STEPS_BACK), -1):
            _, high, entry = self._code[index]
            if address < high:
                return entry
        return None

    def _entry(self, entry: int) -> tuple[int, Attributes, int, bool]:
        """Tag, attributes, the position behind them, and whether children follow."""
        code, position = uleb(self.unit.data, entry)
        abbreviation = self.unit.abbreviations.get(code)
        attributes, position = self._reader.attributes(self.unit, position, abbreviation)
        return abbreviation.tag, attributes, position, abbreviation.has_children

    def _calls(self, function: int, address: int) -> list[Call]:
        unit, reader = self.unit, self._reader
        _, _, position, has_children = self._entry(function)
        calls: list[Call] = []
        depth = 1 if has_children else 0
        while depth:
            code, position = uleb(unit.data, position)
            if code == 0:
                depth -= 1
                continue
            abbreviation = unit.abbreviations.get(code)
            if abbreviation.tag == _TAG_INLINED_SUBROUTINE:
                attributes, position = reader.attributes(unit, position, abbreviation)
                ranges = self._values.ranges(unit, attributes)
                if any(low <= address < high for low, high in ranges):
                    calls.append(self._call(attributes))
            else:
                position = reader.skip(unit, position, abbreviation)
            depth += abbreviation.has_children
        return calls

    def _call(self, attributes: Attributes) -> Call:
        name = ""
        if AT_ABSTRACT_ORIGIN in attributes:
            unit, entry = self._target(*attributes[AT_ABSTRACT_ORIGIN])
            name, _ = unit._name(entry)
        file, line = number(attributes, AT_CALL_FILE), number(attributes, AT_CALL_LINE)
        return Call(name, file or 0, line or 0)

    def _target(self, form: int, value: int | str | None) -> tuple[UnitFunctions, int]:
        """The unit and position of the entry that a reference leads to (DWARF 5, 7.5.5)."""
        if isinstance(value, int) and form in _UNIT_REFERENCES:
            return self, value
        if isinstance(value, int) and form == FORM_REF_ADDR:
            unit = self._elsewhere(value)
            return unit, value - unit.unit.offset
        raise DamagedError(f"a reference of form {form:#x} leads out of the file")

    def _name(self, entry: int) -> tuple[str, bool]:
        """The demangled name of a function, and True; or its simple name in its scopes, and False.

        The name may be on the entry, on its abstract instance (DWARF 5, 3.3.8.1), or on the
        declaration that this completes (2.13.2).
        """
        unit = self
        simple = ""
        for _ in range(_MAX_HOPS):
            _, attributes, _, _ = unit._entry(entry)
            for attribute in (AT_LINKAGE_NAME, AT_MIPS_LINKAGE_NAME):
                linkage = unit._values.text(unit.unit, attributes, attribute)
                if linkage:
                    return demangle(linkage), True
            if not simple:
                name = unit._values.text(unit.unit, attributes, AT_NAME)
                simple = unit._qualified(entry, name) if name else ""
            origin = attributes.get(AT_ABSTRACT_ORIGIN) or attributes.get(AT_SPECIFICATION)
            if origin is None:
                break
            try:
                unit, entry = unit._target(*origin)
            except DamagedError:
                break
        return simple, False
