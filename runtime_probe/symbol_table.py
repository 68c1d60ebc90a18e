"""ELF symbol tables as sorted arrays: which function or variable covers an address.

A table is read once, in bulk, and keeps 12 bytes for each symbol: its address and its index. Sizes
and names are read from the file when a lookup needs them (gABI 4, Symbol Table).
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right

from runtime_probe.elf_object import SHF_EXECINSTR, ElfObject, SectionHeader

_STT_NOTYPE, _STT_OBJECT, _STT_FUNC, _STT_GNU_IFUNC = 0, 1, 2, 10
_STB_LOCAL = 0
_SHN_UNDEF, _SHN_LORESERVE, _SHN_XINDEX = 0, 0xFF00, 0xFFFF
_SIZELESS_REACH = 4096  # bytes; assembler code often has no .size
# A symbol that covers an address may begin before others that do not (labels inside a function).
_MAX_STEPS_BACK = 256

_Symbol = tuple[int, int, int, int, int]  # name, info, section, address, size


class SymbolTable:
    """The defined functions and variables of one .symtab or .dynsym."""

    def __init__(self, elf: ElfObject, header: SectionHeader) -> None:
        """Reads the table.

        Raises:
            DamagedError: the table or its strings lie outside the file.
            LookupError: the table names a string section that is not there.
        """
        self._elf = elf
        self._table = elf.contents(header)
        self._strings = elf.contents(elf.headers[header.link])
        self._entry = struct.Struct(elf.order + ("IBBHQQ" if elf.is_64 else "IIIBBH"))
        self._functions, self._variables = _Index(), _Index()
        self._read()

    def function(self, address: int) -> tuple[str, int] | None:
        """Mangled name and start of the function that covers a link-time address, or None."""
        return self._covering(self._functions, address)

    def variable(self, address: int) -> tuple[str, int] | None:
        """Mangled name and start of the STT_OBJECT that covers a link-time address, or None."""
        return self._covering(self._variables, address)

    def _read(self) -> None:
        code = {i for i, h in enumerate(self._elf.headers) if h.flags & SHF_EXECINSTR}
        count = self._table.size // self._entry.size
        content = self._table.read(0, count * self._entry.size)
        functions: list[int] = []
        variables: list[int] = []
        addresses = array("Q")
        is_64 = self._elf.is_64
        for number, fields in enumerate(self._entry.iter_unpack(content)):
            if is_64:
                _, info, _, section, address, _ = fields
            else:
                _, address, _, info, _, section = fields
            addresses.append(address)
            kind = info & 15
            if section == _SHN_UNDEF or _SHN_LORESERVE <= section != _SHN_XINDEX:
                continue
            if kind in (_STT_FUNC, _STT_GNU_IFUNC) or (kind == _STT_NOTYPE and section in code):
                functions.append(number)
            elif kind == _STT_OBJECT:
                variables.append(number)
        self._functions.fill(functions, addresses)
        self._variables.fill(variables, addresses)

    def _symbol(self, number: int) -> _Symbol:
        fields = self._entry.unpack(self._table.read(number * self._entry.size, self._entry.size))
        if self._elf.is_64:
            name, info, _, section, address, size = fields
        else:
            name, address, size, info, _, section = fields
        return name, info, section, address, size

    def _covering(self, index: _Index, address: int) -> tuple[str, int] | None:
        last = bisect_right(index.addresses, address) - 1
        if last < 0:
            return None
        nearest = index.addresses[last]
        sized: list[_Symbol] = []
        labels: list[_Symbol] = []  # they only count where nothing around them has a size
        for position in range(last, max(-1, last - _MAX_STEPS_BACK), -1):
            start = index.addresses[position]
            if sized and start != sized[0][3]:
                break
            symbol = self._symbol(index.numbers[position])
            if symbol[4]:
                if address < start + symbol[4]:
                    sized.append(symbol)
            elif start == nearest and self._within_reach(symbol, address):
                labels.append(symbol)
        named = [(self._strings.text(symbol[0]), symbol) for symbol in sized or labels]
        # "$x" and "$d" are mapping symbols of the Arm ABIs.
        named = [pair for pair in named if pair[0] and not pair[0].startswith("$")]
        if not named:
            return None
        name, symbol = min(named, key=_preference)
        return name, symbol[3]

    def _within_reach(self, symbol: _Symbol, address: int) -> bool:
        """Whether a symbol of size 0 may stand for this address: near, and in its section."""
        section, start = symbol[2], symbol[3]
        if address - start >= _SIZELESS_REACH or section >= len(self._elf.headers):
            return False
        header = self._elf.headers[section]
        return address < header.address + header.size


class _Index:
    """Symbol numbers ordered by address."""

    def __init__(self) -> None:
        self.addresses = array("Q")
        self.numbers = array("I")

    def fill(self, numbers: list[int], addresses: array[int]) -> None:
        numbers.sort(key=addresses.__getitem__)
        self.numbers = array("I", numbers)
        self.addresses = array("Q", map(addresses.__getitem__, numbers))


def _preference(named: tuple[str, _Symbol]) -> tuple[bool, bool, int, int, str]:
    """Of several names for one place: the public one, without underscores, the shortest."""
    name, (_, info, _, _, _) = named
    underscores = 0 if name.startswith("_Z") else len(name) - len(name.lstrip("_"))
    return (info & 15 == _STT_NOTYPE, info >> 4 == _STB_LOCAL, underscores, len(name), name)


def symbol_table(elf: ElfObject, kind: str) -> SymbolTable | None:
    """The file's table of type "SHT_SYMTAB" or "SHT_DYNSYM", None where it has none.

    Raises:
        one of elf_object.DAMAGE: the table cannot be read.
    """
    for header in elf.headers:
        if header.type == kind:
            return SymbolTable(elf, header)
    return None
