"""The objects in a dumped process, and the files here that are the same.

What a core has of an object is its first page, where its headers and its build id are.  A file
counts as the same if its build id is; where neither has one, if its first page is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from lockorder.hang.core_elf import File, Object, read_object
from lockorder.hang.core_memory import Memory, open_regular
from lockorder.hang.core_notes import MappedFile
from lockorder.hang.errors import DataError

_MOST = 4096
_PAGE = 4096
_NAMED = 3
_DELETED = " (deleted)"


class Module(NamedTuple):
    """An object at [start, end).

    ``path`` is the core's name for it, ``file`` the file here that is the same, "" without one.
    A link-time address is the process' minus ``bias``.
    """

    path: str
    file: str
    build_id: str
    start: int
    end: int
    bias: int


class Modules:
    """All objects, by address; makes *memory* use the files that fit."""

    def __init__(self, machine: str, memory: Memory) -> None:
        self.all: list[Module] = []
        self.program = ""  # its path in the core
        self.problems: list[str] = []
        self._machine = machine
        self._memory = memory
        self._starts: list[int] = []

    def find(self, files: Sequence[MappedFile], entry: int, vdso: int, exe: Path | None) -> None:
        """Look at what is mapped; *entry* is where the program began, *exe* perhaps its file."""
        piece = self._memory.find(entry)
        self.program = piece[2] if piece is not None else ""
        found: dict[str, list[Module]] = {}
        unknown: dict[str, None] = {}
        count = 0
        for mapped in files:
            if mapped.offset or count >= _MOST:
                continue
            module = self._module(mapped.path, mapped.start)
            if module is not None:
                found.setdefault(mapped.path, []).append(module)
                count += 1
            elif mapped.path.endswith(".so") or ".so." in mapped.path:
                unknown[mapped.path] = None
        if self.program and self.program not in found:
            unknown[self.program] = None
        if exe is not None and self._given(exe, files, found):
            unknown.pop(self.program, None)
        self._compare(found)
        self._list("cannot be checked: the core has no first page of", unknown)
        dso = self._module("[vdso]", vdso) if vdso else None
        self.all = sorted(
            [*(m for each in found.values() for m in each), *([dso] if dso else [])],
            key=lambda module: module.start,
        )
        self._starts = [module.start for module in self.all]

    def at(self, address: int) -> Module | None:
        """The object that *address* is in."""
        number = bisect_right(self._starts, address) - 1
        if number < 0 or address >= self.all[number].end:
            return None
        return self.all[number]

    def _module(self, path: str, start: int) -> Module | None:
        about = read_object(self._memory.dumped, self._machine, start)
        return self._at(about, path, start) if about is not None else None

    def _at(self, about: Object, path: str, start: int) -> Module:
        bias = about.bias(start)
        for segment in about.segments:
            begin = bias + segment.address
            self._memory.allow(begin - begin % _PAGE, begin + segment.size, segment.flags)
        return Module(path, "", about.build_id, start, max(start + 1, about.extent(start)), bias)

    def _given(
        self, exe: Path, files: Sequence[MappedFile], found: dict[str, list[Module]]
    ) -> bool:
        """Take *exe* for the program, unless it is another one."""
        if not self.program:
            self.problems.append(f"{exe}: not used, the core does not say where its program was")
            return False
        modules = found.get(self.program, [])
        try:
            file = open_regular(str(exe))
        except (OSError, DataError) as error:
            self.problems.append(f"{exe}: cannot be read: {_why(error)}")
            return False
        try:
            about = read_object(file.at, self._machine)
            differs = _difference(modules[0], about, file, self._memory) if modules else ""
        finally:
            file.close()
        if about is None:
            self.problems.append(f"{exe}: not used, it is no program of {self._machine}")
        elif differs:
            self.problems.append(
                f"{exe}: not used, it is not the program of this core, {self.program} ({differs})"
            )
        else:
            if not modules:
                self.problems.append(f"{exe}: whether it is the core's program cannot be checked")
                starts = (m.start for m in files if m.path == self.program and not m.offset)
                modules = [self._at(about, self.program, start) for start in starts]
                found[self.program] = modules
            self._use(self.program, str(exe), modules, about)
            return True
        return False

    def _compare(self, found: dict[str, list[Module]]) -> None:
        missing: dict[str, None] = {}
        others: dict[str, None] = {}
        for path, modules in found.items():
            if not modules or modules[0].file:
                continue
            name = path.removesuffix(_DELETED)
            if not name.startswith("/"):
                continue
            try:
                file = open_regular(name)
            except (OSError, DataError):
                missing[path] = None
                continue
            try:
                about = read_object(file.at, self._machine)
                if any(_difference(m, about, file, self._memory) for m in modules):
                    others[path] = None
                elif about is not None:
                    self._use(path, name, modules, about)
            finally:
                file.close()
        self._list("not on this machine:", missing)
        self._list("not the same on this machine (build id):", others)

    def _use(self, path: str, name: str, modules: list[Module], about: Object) -> None:
        self._memory.files.use(path, name)
        modules[:] = [m._replace(file=name, build_id=about.build_id) for m in modules]

    def _list(self, what: str, paths: Iterable[str]) -> None:
        names = list(paths)
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            self.problems.append(f"{what} {', '.join(names[:_NAMED])}{more}")


def placed(exe: Path, machine: str, entry: int) -> list[MappedFile]:
    """Where *exe* lay, for a core that does not say it, if it began at *entry*."""
    try:
        file = open_regular(str(exe))
    except (OSError, DataError):
        return []
    try:
        about = read_object(file.at, machine)
    finally:
        file.close()
    if about is None or not 0 < about.entry <= entry:
        return []
    bias = entry - about.entry
    found: list[MappedFile] = []
    for segment in sorted(about.segments, key=lambda s: s.address):
        start = bias + segment.address
        into = start % _PAGE
        end = start + segment.length
        end += -end % _PAGE
        start = max(start - into, found[-1].end if found else 0)
        offset = segment.offset - into + start - (bias + segment.address - into)
        if 0 <= offset < 1 << 63 and start < end < 1 << 64:
            found.append(MappedFile(start, end, offset, str(exe)))
    return found


def _difference(module: Module, about: Object | None, file: File, memory: Memory) -> str:
    """What tells the file from the object in memory; "": nothing."""
    if about is None:
        return "another kind of file"
    if module.build_id:
        if module.build_id == about.build_id:
            return ""
        return f"build id {about.build_id or 'none'}, the core's {module.build_id}"
    page = memory.dumped(module.start, _PAGE)[: file.size]
    return "" if page and file.at(0, len(page)) == page else "another first page, no build id"


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
