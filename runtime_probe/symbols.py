"""Names for recorded addresses: functions, files and lines, and variables.

Everything is read when a lookup needs it and kept: symbol tables as sorted arrays, DWARF a unit at
a time. Objects may come from another machine and may be damaged, so every source is judged by
itself: what cannot be read is said once in `Symbols.problems`, and the others are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

from runtime_probe.debug_files import DebugFiles
from runtime_probe.demangle import demangle
from runtime_probe.dwarf_object import DwarfObject, Frame
from runtime_probe.elf_object import DAMAGE, ElfObject
from runtime_probe.symbol_table import SymbolTable, symbol_table

_MAX_PROBLEMS_EACH = 8  # lines about one object
_Result = TypeVar("_Result")
_Source = TypeVar("_Source")


class Symbols:
    """Symbolises addresses of any number of objects.

    Attributes:
        problems: what could not be used and why, a line each, never twice.
    """

    def __init__(self, debug_folders: Sequence[str] | None = None) -> None:
        """Reads nothing yet.

        Args:
            debug_folders: where debug files are looked for before /usr/lib/debug; None for the
                folders in the environment variable LOCKORDER_DEBUG_PATH, separated by colons.
        """
        self.problems: list[str] = []
        self._files = DebugFiles(debug_folders, self._report)
        self._modules: dict[tuple[str, str], _Module] = {}
        self._frames: dict[tuple[str, str, int], list[Frame]] = {}

    def lookup(self, path: str, build_id: str, offset: int) -> list[Frame]:
        """The functions at an address, the innermost inlined call first.

        A few units of an object stay decoded: many addresses are looked up fastest in ascending
        order.

        Args:
            path: the object as it was recorded.
            build_id: its build id in hexadecimal, "" if it had none. A file with another one is
                not used.
            offset: the link-time address: the program counter minus the object's load bias, and
                minus 1 where it is a return address.

        Returns:
            (function, file, line) for each; function "" where only a line is known, file "" and
            line 0 where only a function is. The line of an outer function is that of the call. An
            empty list where nothing is known. Never raises for what a file contains.
        """
        key = path, build_id, offset
        if key not in self._frames:
            self._frames[key] = self._module(path, build_id).frames(offset)
        return list(self._frames[key])

    def data_symbol(self, path: str, build_id: str, offset: int) -> str | None:
        """The variable (STT_OBJECT) that covers an address, None where there is no such symbol.

        Arguments are those of `lookup`. An address inside a variable has its distance behind the
        name, in bytes: "table+0x10". A static local of C++ has its function in front:
        "function()::name".
        """
        return self._module(path, build_id).variable(offset)

    def _module(self, path: str, build_id: str) -> _Module:
        key = path, build_id
        if key not in self._modules:
            self._modules[key] = _Module(self._files, path, build_id, self._report)
        return self._modules[key]

    def _report(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


class _Module:
    """One recorded object: its file, if it is here, and its debug file, opened when needed."""

    def __init__(
        self, files: DebugFiles, path: str, build_id: str, report: Callable[[str], None]
    ) -> None:
        self._files, self._path, self._build_id = files, path, build_id
        self._report, self._reports = report, 0
        self._object = files.object(path, build_id)

    def frames(self, address: int) -> list[Frame]:
        place = None
        if self._dwarf is not None:
            place = self._guarded("debug information", lambda dwarf: dwarf.at(address), self._dwarf)
        symbol = self._symbol(SymbolTable.function, address)
        name = demangle(symbol[0]) if symbol is not None else ""
        if place is None:
            return [(name, "", 0)] if name else []
        frames = place.frames
        if name and not place.is_full_name:
            frames[-1] = (name, *frames[-1][1:])
        return [frame for frame in frames if frame != ("", "", 0)]

    def variable(self, address: int) -> str | None:
        symbol = self._symbol(SymbolTable.variable, address)
        if symbol is None:
            return None
        name, start = symbol
        return demangle(name) + (f"+{address - start:#x}" if address > start else "")

    def _symbol(
        self, find: Callable[[SymbolTable, int], tuple[str, int] | None], address: int
    ) -> tuple[str, int] | None:
        for table in self._tables:
            found = self._guarded("symbols", lambda table: find(table, address), table)
            if found is not None:
                return found
        return None

    @cached_property
    def _debug_file(self) -> ElfObject | None:
        return self._files.debug_file(self._build_id, self._object)

    @cached_property
    def _tables(self) -> list[SymbolTable]:
        full = self._table(self._object, "SHT_SYMTAB")
        if full is None:
            full = self._table(self._debug_file, "SHT_SYMTAB")
        found = [full, self._table(self._object, "SHT_DYNSYM")]
        return [table for table in found if table is not None]

    def _table(self, elf: ElfObject | None, kind: str) -> SymbolTable | None:
        if elf is None:
            return None
        return self._guarded("symbols", lambda elf: symbol_table(elf, kind), elf)

    @cached_property
    def _dwarf(self) -> DwarfObject | None:
        elf = self._object
        if elf is None or not elf.has(".debug_info"):
            elf = self._debug_file
        if elf is None or not elf.has(".debug_info"):
            return None
        return self._guarded("debug information", lambda elf: DwarfObject(elf, self._say), elf)

    def _guarded(
        self, what: str, action: Callable[[_Source], _Result | None], source: _Source
    ) -> _Result | None:
        """The border to what files contain: damage becomes a problem, never an exception."""
        try:
            return action(source)
        except DAMAGE as error:
            self._say(f"{what}: {str(error) or type(error).__name__}")
            return None

    def _say(self, problem: str) -> None:
        self._reports += 1
        if self._reports <= _MAX_PROBLEMS_EACH:
            self._report(f"{self._path}: {problem}")
