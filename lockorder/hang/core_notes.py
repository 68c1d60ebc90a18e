"""What a core's notes say: threads with registers, files that are mapped, how the process ended.

Layouts are those of the kernel for 64-bit processes (include/linux/elfcore.h: elf_prstatus,
elf_prpsinfo; fs/binfmt_elf.c, fill_files_note; uapi/asm-generic/siginfo.h).
"""

from __future__ import annotations

import signal
import struct
from typing import NamedTuple

from lockorder.hang.core_elf import File, Note, notes_in
from lockorder.hang.errors import DataError
from lockorder.hang.image import AARCH64, X86_64

_NT_PRSTATUS, _NT_PRPSINFO, _NT_AUXV = 1, 3, 6
_NT_FILE, _NT_SIGINFO = 0x46494C45, 0x53494749
_NT_ARM_TLS, _NT_ARM_SYSTEM_CALL = 0x401, 0x404

_MOST_NOTES = 1 << 19
_MOST_SPANS = 16
_LONGEST_FILES = 16 << 20  # bytes: the kernel's own limit (CORE_FILE_NOTE_SIZE_MAX)
_LONGEST_AUXV = 1 << 14

#: Registers in the order of elf_gregset_t (asm/user_64.h; asm/ptrace.h, user_pt_regs).
_REGISTERS = {
    X86_64: (
        "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx",
        "rsi", "rdi", "orig_rax", "rip", "cs", "eflags", "rsp", "ss", "fs_base", "gs_base", "ds",
        "es", "fs", "gs",
    ),
    AARCH64: (*(f"x{n}" for n in range(31)), "sp", "pc", "pstate"),
}  # fmt: skip
_REGISTERS_AT = 112
# Others do not dump (signal(7)): such a process was stopped to be copied.
_DUMPING = frozenset(
    getattr(signal, name)
    for name in ("SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV",
                 "SIGXCPU", "SIGXFSZ", "SIGSYS")
)  # fmt: skip
_SYSTEMS = ("FreeBSD", "NetBSD", "OpenBSD")


class Thread(NamedTuple):
    """A thread; ``call`` is what the kernel says of it, None: it does not (x86-64, old kernels)."""

    tid: int
    signal: int
    registers: dict[str, int]
    call: int | None = None


class MappedFile(NamedTuple):
    """Addresses [start, end) are the file at *path* from *offset* on."""

    start: int
    end: int
    offset: int
    path: str


class Ending(NamedTuple):
    """Why the process was dumped.

    ``signal`` 0: nothing ended it, it was copied (gcore).  ``sender`` is the process that sent the
    signal, ``address`` where the access was that it is about; 0: does not apply.
    """

    signal: int = 0
    code: int = 0
    sender: int = 0
    address: int = 0

    @property
    def name(self) -> str:
        """The signal's name."""
        try:
            return signal.Signals(self.signal).name
        except ValueError:
            return f"signal {self.signal}" if self.signal else ""


class Notes:
    """What was read; ``problems`` say what was not."""

    def __init__(self, file: File, machine: str) -> None:
        self.threads: list[Thread] = []
        self.files: list[MappedFile] = []
        self.auxv: dict[int, int] = {}
        self.auxv_bytes = b""
        self.ending = Ending()
        self.pid = self.parent = 0
        self.name = ""
        self.arguments = ""
        self.problems: list[str] = []
        self._file = file
        self._machine = machine
        self._known: set[int] = set()
        self._left = _MOST_NOTES

    def read(self, spans: tuple[tuple[int, int], ...]) -> None:
        """Read the notes in *spans* of the file: (offset, size).

        Raises ``DataError`` where they are of no process of Linux.
        """
        for offset, size in spans[:_MOST_SPANS]:
            try:
                for note in notes_in(self._file.at, offset, size):
                    self._left -= 1
                    if self._left < 0:
                        break
                    self._foreign(note)
                    self._take(note)
            except _ForeignError:
                raise
            except DataError as error:
                self.problems.append(f"{error}: {len(self.threads)} threads were read")
        if len(spans) > _MOST_SPANS or self._left < 0:
            self.problems.append("it has more notes than any core, the rest of them is not read")
        if not self.threads:
            self.problems.append("it has no threads: no registers and no stacks can be shown")
        if not self.files:
            self.problems.append("it does not say which files were mapped")
        if not self.pid and self.threads:
            self.pid = self.threads[0].tid
        if not self.ending.signal and self.threads:
            self.ending = Ending(self.threads[0].signal)
        if self.ending.signal not in _DUMPING:
            self.ending = Ending()

    def _foreign(self, note: Note) -> None:
        if note.name in _SYSTEMS or note.name == "NetBSD-CORE":
            raise _ForeignError(f"it is of another system, {note.name}; Linux' can be read")
        if note.name in ("VMCOREINFO", "QEMU"):
            raise _ForeignError("it is the memory of a whole machine and not of a process")

    def _take(self, note: Note) -> None:
        if note.name == "CORE":
            if note.type == _NT_PRSTATUS:
                self._thread(self._file.at(note.offset, min(note.size, 512)))
            elif note.type == _NT_PRPSINFO:
                self._process(self._file.at(note.offset, min(note.size, 136)))
            elif note.type == _NT_FILE and not self.files:
                self._files(self._file.at(note.offset, min(note.size, _LONGEST_FILES)))
            elif note.type == _NT_AUXV and not self.auxv:
                self._auxv(self._file.at(note.offset, min(note.size, _LONGEST_AUXV)))
            elif note.type == _NT_SIGINFO and not self.ending.signal:
                self._ending(self._file.at(note.offset, min(note.size, 128)))
        elif note.name == "LINUX" and self.threads and self._machine == AARCH64:
            last = self.threads[-1]
            data = self._file.at(note.offset, min(note.size, 8))
            if note.type == _NT_ARM_TLS and len(data) == 8:
                last.registers["tpidr_el0"] = int.from_bytes(data, "little")
            elif note.type == _NT_ARM_SYSTEM_CALL and len(data) >= 4:
                call = int.from_bytes(data[:4], "little", signed=True)
                self.threads[-1] = last._replace(call=call)

    def _thread(self, data: bytes) -> None:
        names = _REGISTERS[self._machine]
        if len(data) < _REGISTERS_AT + 8 * len(names):
            self._say("some of its threads have no registers")
            return
        (number,) = struct.unpack_from("<h", data, 12)
        (tid,) = struct.unpack_from("<i", data, 32)
        if tid <= 0 or tid in self._known:
            self._say("some of its threads have the ids of others, or none")
            return
        self._known.add(tid)
        values = struct.unpack_from(f"<{len(names)}Q", data, _REGISTERS_AT)
        self.threads.append(Thread(tid, max(0, number), dict(zip(names, values, strict=True))))

    def _process(self, data: bytes) -> None:
        if len(data) < 136 or self.pid:
            return
        pid, parent = struct.unpack_from("<ii", data, 24)
        self.pid, self.parent = max(0, pid), max(0, parent)
        self.name = _text(data[40:56])
        self.arguments = _text(data[56:136])

    def _auxv(self, data: bytes) -> None:
        """The auxiliary vector: pairs of words, up to AT_NULL."""
        data = data[: len(data) - len(data) % 16]
        self.auxv_bytes = data
        for key, value in struct.iter_unpack("<QQ", data):
            if key == 0:
                return
            self.auxv.setdefault(key, value)

    def _ending(self, data: bytes) -> None:
        if len(data) < 24:
            return
        number, _, code = struct.unpack_from("<iii", data)
        # SI_USER, SI_QUEUE and SI_TKILL name a sender; codes above 0 of faults an address.
        faults = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP)
        sender = struct.unpack_from("<i", data, 16)[0] if code in (0, -1, -6) else 0
        faulty = code > 0 and number in faults
        self.ending = Ending(
            max(0, number), code, sender, struct.unpack_from("<Q", data, 16)[0] if faulty else 0
        )

    def _files(self, data: bytes) -> None:
        if len(data) < 16:
            self._say("its list of files is damaged")
            return
        count, page = struct.unpack_from("<QQ", data)
        there = (len(data) - 16) // 24
        if count > there or not 0 < page <= 1 << 30:
            self._say("its list of files is damaged")
            count = min(count, there)
        names = data[16 + 24 * count :].split(b"\0", count)
        at = 0
        found = sorted(
            (start, end, offset * page, name.decode("utf-8", "replace"))
            for (start, end, offset), name in zip(
                struct.iter_unpack("<QQQ", data[16 : 16 + 24 * count]), names, strict=False
            )
            if start < end
        )
        for start, end, offset, path in found:
            if start >= at and offset < 1 << 63:
                self.files.append(MappedFile(start, end, offset, path))
                at = end
        if len(self.files) < count:
            self._say(f"of {count:,} mapped files, {len(self.files):,} are told")

    def _say(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


class _ForeignError(DataError):
    """What no notes of Linux' processes say."""


def _text(data: bytes) -> str:
    return data.partition(b"\0")[0].decode("utf-8", "replace").rstrip()
