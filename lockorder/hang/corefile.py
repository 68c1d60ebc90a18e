"""A process in a core file, of the kernel (core(5)), gdb's gcore or systemd-coredump."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lockorder.hang.core_calls import call_of
from lockorder.hang.core_elf import File, read_headers
from lockorder.hang.core_memory import Memory
from lockorder.hang.core_modules import Module, Modules, placed
from lockorder.hang.core_notes import Ending, Notes, Thread
from lockorder.hang.core_unpack import LARGEST, open_core
from lockorder.hang.errors import DataError
from lockorder.hang.image import X86_64, Mapping, Stopped

# Entries of the auxiliary vector (uapi/linux/auxvec.h).
_AT_PAGESZ, _AT_ENTRY, _AT_RANDOM, _AT_EXECFN, _AT_SYSINFO_EHDR = 6, 9, 25, 31, 33
_PAGES = (4096, 16384, 65536)
_MOST_ARGUMENT_BYTES = 8 << 20  # execve(2): a quarter of the stack's limit, of 8 MiB mostly more
_MOST_ARGUMENTS = 4096
_MOST_ENVIRONMENT = 1 << 18


class CoreError(Exception):
    """A core that cannot be read: foreign, damaged in its first header, or too large."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason

    def __reduce__(self) -> tuple[type[CoreError], tuple[Path, str]]:
        # Exceptions cross from worker processes by their arguments.
        return (CoreError, (self.path, self.reason))


class CoreImage:
    """A dumped process; see ``Image``.

    ``ending`` is what ended it.  ``modules`` are the objects in it, by address.  A thread's state
    and, but for the first's, name are not in a core.
    """

    def __init__(self, core: Path, exe: Path | None = None, largest: int = LARGEST) -> None:
        """Open *core*, compressed perhaps, of at most *largest* bytes when unpacked.

        *exe* is its program's file, where that is not where it was.  Nothing of the core's
        contents is read yet but headers and notes.  Raises ``CoreError``.
        """
        self.path = core
        self.outside = 0
        self.problems: list[str] = []
        self._file: File | None = None
        try:
            self._file = open_core(core, largest, self.problems)
            self._open(self._file, exe)
        except DataError as error:
            self.close()
            raise CoreError(core, str(error)) from None
        except MemoryError:
            self.close()
            raise CoreError(core, "there is not enough memory to read it") from None
        except OSError as error:
            self.close()
            raise CoreError(core, error.strerror or "it cannot be read") from None

    def _open(self, file: File, exe: Path | None) -> None:
        headers = read_headers(file)
        self.machine = headers.machine
        notes = Notes(file, headers.machine)
        notes.read(headers.notes)
        auxv = notes.auxv
        entry = auxv.get(_AT_ENTRY, 0)
        page = auxv.get(_AT_PAGESZ, 0)
        files = notes.files
        if not files and exe is not None:
            files = placed(exe, headers.machine, entry)
        self._memory = Memory(file, headers.loads, files, page if page in _PAGES else _PAGES[0])
        self._modules = Modules(headers.machine, self._memory)
        vdso = auxv.get(_AT_SYSINFO_EHDR, 0)
        self._modules.find(files, entry, vdso, exe)
        self.pid = notes.pid
        #: The pid of its parent; 0: not known.
        self.parent = notes.parent
        self.ending: Ending = notes.ending
        self.modules: tuple[Module, ...] = tuple(self._modules.all)
        self.exe = self._program()
        self.command = self._command(notes)
        self._notes = notes
        self._threads: list[Stopped] | None = None
        self._memory.special[vdso] = "[vdso]"
        if stack := self._memory.find(auxv.get(_AT_RANDOM, 0)):
            self._memory.special[stack[0]] = "[stack]"
        self.problems += headers.problems
        self.problems += notes.problems
        if self._memory.lost:
            self.problems.append(
                f"it breaks off: {self._memory.lost:,} bytes of memory are missing, the first "
                f"at {self._memory.lost_from:#x}"
            )
        self.problems += self._modules.problems

    def __enter__(self) -> CoreImage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close its files; what was unpacked is gone.  It happens by itself, too."""
        if self._file is not None:
            self._file.close()
        if hasattr(self, "_memory"):
            self._memory.files.close()

    def threads(self) -> Sequence[Stopped]:
        """All threads, the one that was dumped for first."""
        if self._threads is None:
            self._threads = [self._stopped(thread) for thread in self._notes.threads]
        return self._threads

    def mappings(self) -> Sequence[Mapping]:
        """All mappings, by address; flags end with p, since a core does not tell which are shared.

        Parts of files that the core says nothing else about have no flags.
        """
        return list(self._memory.mappings())

    def read(self, address: int, size: int) -> bytes | None:
        """Memory; None where not all of it is in the core or in a file of the same build id."""
        return self._memory.read(address, size)

    def environment(self) -> dict[str, str]:
        """The variables that it was started with: they lie just below the program's name."""
        top = self._notes.auxv.get(_AT_EXECFN, 0)
        piece = self._memory.find(top)
        if piece is None:
            return {}
        bottom = max(piece[0], top - _MOST_ENVIRONMENT)
        found: dict[str, str] = {}
        for entry in reversed((self.read(bottom, top - bottom) or b"").split(b"\0")[:-1]):
            name, equals, value = entry.decode("utf-8", "replace").partition("=")
            if not equals or not name.isprintable():
                break
            found[name] = value
        return found

    def module_at(self, address: int) -> Module | None:
        """The object that *address* is in."""
        return self._modules.at(address)

    def _stopped(self, thread: Thread) -> Stopped:
        call, arguments = call_of(thread, self.machine, self.read)
        pc, sp = ("rip", "rsp") if self.machine == X86_64 else ("pc", "sp")
        registers = thread.registers
        name = self._notes.name if thread.tid == self.pid else ""
        return Stopped(
            thread.tid, name, "", call, arguments, registers[pc], registers[sp], registers
        )

    def _program(self) -> str:
        path = self._modules.program
        files = [module.file for module in self.modules if module.path == path and module.file]
        return files[0] if files else path

    def _command(self, notes: Notes) -> tuple[str, ...]:
        """The arguments, from the stack; else the 80 bytes of them that the notes have."""
        return self._arguments(notes) or tuple(notes.arguments.split())

    def _arguments(self, notes: Notes) -> tuple[str, ...]:
        """argv, which the kernel puts below envp and the auxiliary vector (System V ABI, 3.4.1)."""
        top = notes.auxv.get(_AT_EXECFN, 0)
        piece = self._memory.find(top)
        if piece is None or not notes.auxv:
            return ()
        bottom = max(piece[0], top - _MOST_ARGUMENT_BYTES)
        stack = self.read(bottom, min(piece[1], top + 4096) - bottom) or b""
        place = stack.rfind(notes.auxv_bytes[: 16 * len(notes.auxv)])
        if place < 0 or (bottom + place) % 8:
            return ()
        words = memoryview(stack)[place % 8 : place].cast("Q")
        at = len(words) - 2
        while at >= 0 and words[at]:
            at -= 1
        pointers: list[int] = []
        at -= 1
        while at >= 0 and words[at] != len(pointers) and len(pointers) <= _MOST_ARGUMENTS:
            pointers.append(words[at])
            at -= 1
        if at < 0 or words[at] != len(pointers):
            return ()
        found = []
        for pointer in reversed(pointers):
            end = stack.find(b"\0", max(0, pointer - bottom))
            if pointer < bottom or end < 0:
                return ()
            found.append(stack[pointer - bottom : end].decode("utf-8", "replace"))
        return tuple(found)


__all__ = ["CoreError", "CoreImage", "Module"]
