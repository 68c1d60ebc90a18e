"""Writes core files from parts, as Linux does (fs/binfmt_elf.c), and small ELF objects."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

from lockorder.hang.image import AARCH64, X86_64

PAGE = 4096
NUMBERS = {X86_64: 62, AARCH64: 183}
X86_REGISTERS = [
    "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx",
    "rsi", "rdi", "orig_rax", "rip", "cs", "eflags", "rsp", "ss", "fs_base", "gs_base", "ds",
    "es", "fs", "gs",
]  # fmt: skip
ARM_REGISTERS = [*(f"x{n}" for n in range(31)), "sp", "pc", "pstate"]
REGISTERS = {X86_64: X86_REGISTERS, AARCH64: ARM_REGISTERS}
R, W, X = 4, 2, 1
ENTRY, PAGE_SIZE, RANDOM, EXECFN = 9, 6, 25, 31


def header(machine: str, kind: int, count: int, *, at: int = 64, sections: int = 0) -> bytes:
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    return struct.pack(
        "<16sHHIQQQIHHHHHH", ident, kind, NUMBERS[machine], 1, 0x1040, at, sections, 0, 64, 56,
        count, 64, bool(sections), 0,
    )  # fmt: skip


def program(
    kind: int, flags: int, offset: int, address: int, size: int, extent: int, align: int = PAGE
) -> bytes:
    return struct.pack("<IIQQQQQQ", kind, flags, offset, address, 0, size, extent, align)


def note(name: bytes, kind: int, content: bytes) -> bytes:
    name += b"\0"
    return b"".join(
        (
            struct.pack("<III", len(name), len(content), kind),
            name.ljust(-(-len(name) // 4) * 4, b"\0"),
            content.ljust(-(-len(content) // 4) * 4, b"\0"),
        )
    )


def elf_object(build_id: bytes, pages: int = 3, machine: str = X86_64, fill: bytes = b"") -> bytes:
    """An object of one readable page and others of code, told apart by their contents."""
    found = note(b"GNU", 3, build_id) if build_id else b""
    programs = [
        program(1, R, 0, 0, PAGE, PAGE),
        program(1, R | X, PAGE, PAGE, (pages - 1) * PAGE, (pages - 1) * PAGE),
        program(4, R, 64 + 3 * 56, 64 + 3 * 56, len(found), len(found), 4),
    ]
    first = header(machine, 3, len(programs)) + b"".join(programs) + found + fill
    code = b"".join(bytes([number]) * PAGE for number in range(1, pages))
    return first.ljust(PAGE, b"\0") + code


@dataclass
class Core:
    """A process to be dumped; memory is (start, contents, size, flags), contents perhaps less."""

    machine: str = X86_64
    pid: int = 100
    memory: list[tuple[int, bytes, int, int]] = field(default_factory=list)
    files: list[tuple[int, int, int, str]] = field(default_factory=list)
    auxv: dict[int, int] = field(default_factory=dict)
    notes: list[bytes] = field(default_factory=list)

    def thread(self, tid: int, signal: int = 0, call: int | None = None, **registers: int) -> None:
        """A thread; *call* is what aarch64's kernels say of it."""
        status = struct.pack("<iiihhQQiiii", signal, 0, 0, signal, 0, 0, 0, tid, 1, 1, 1)
        names = REGISTERS[self.machine]
        assert not set(registers) - set(names)
        values = (registers.get(name, 0) % (1 << 64) for name in names)
        content = status.ljust(112, b"\0") + struct.pack(f"<{len(names)}Q", *values)
        self.notes.append(note(b"CORE", 1, content + bytes(8)))
        if len(self.notes) == 1:
            self.notes.append(note(b"CORE", 3, self._process()))
        if call is not None:
            self.notes.append(note(b"LINUX", 0x404, struct.pack("<i", call)))

    def _process(self) -> bytes:
        text = b"made-up".ljust(16, b"\0") + b"./made-up one two".ljust(80, b"\0")
        return struct.pack("<bbbbIQIIiiii", 0, 82, 0, 0, 0, 0, 0, 0, self.pid, 1, 1, 1) + text

    def _described(self) -> bytes:
        found = list(self.notes)
        if self.auxv:
            pairs = [*self.auxv.items(), (0, 0)]
            found.append(note(b"CORE", 6, b"".join(struct.pack("<QQ", *pair) for pair in pairs)))
        if self.files:
            rows = [struct.pack("<QQQ", start, end, at // PAGE) for start, end, at, _ in self.files]
            names = b"".join(name.encode() + b"\0" for *_, name in self.files)
            content = struct.pack("<QQ", len(rows), PAGE) + b"".join(rows) + names
            found.append(note(b"CORE", 0x46494C45, content))
        return b"".join(found)

    def image(self) -> bytes:
        """The whole file."""
        notes = self._described()
        count = len(self.memory) + 1
        many = count >= 0xFFFF
        offset = 64 + 56 * count
        programs = [program(4, 0, offset, 0, len(notes), 0, 4)]
        offset = -(-(offset + len(notes)) // PAGE) * PAGE
        begin = offset
        contents = []
        for start, content, size, flags in self.memory:
            programs.append(program(1, flags, offset, start, len(content), size))
            contents.append(content.ljust(-(-len(content) // PAGE) * PAGE, b"\0"))
            offset += len(contents[-1])
        first = header(self.machine, 4, 0xFFFF if many else count, sections=offset if many else 0)
        last = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 1, 0, count, 0, 0) if many else b""
        head = first + b"".join(programs) + notes
        return head.ljust(begin, b"\0") + b"".join(contents) + last

    def write(self, path: Path) -> Path:
        path.write_bytes(self.image())
        return path


def program_in(core: Core, path: Path, content: bytes, start: int = 0x400000) -> None:
    """Map the object *content*, of which a core has the first page, as *path*: its program."""
    core.memory += [
        (start, content[:PAGE], PAGE, R),
        (start + PAGE, b"", len(content) - PAGE, R | X),
    ]
    core.files += [
        (start, start + PAGE, 0, str(path)),
        (start + PAGE, start + len(content), PAGE, str(path)),
    ]
    core.auxv[ENTRY] = start + 0x1040


def stack_in(core: Core, arguments: list[str], top: int = 0x7FFD00000000, pages: int = 8) -> None:
    """A stack as execve(2) leaves it, with its entries in the auxiliary vector."""
    size = pages * PAGE
    strings = b""
    places = []
    base = top - PAGE
    for text in (*arguments, "HOME=/root", "made-up"):
        places.append(base + len(strings))
        strings += text.encode() + b"\0"
    core.auxv[RANDOM] = base + PAGE - 16
    core.auxv[EXECFN] = places[-1]
    count = len(arguments)
    words = [count, *places[:count], 0, places[count], 0]
    words += [word for pair in (*core.auxv.items(), (0, 0)) for word in pair]
    table = struct.pack(f"<{len(words)}Q", *words)
    content = table.rjust(size - PAGE, b"\0") + strings.ljust(PAGE, b"\0")
    core.memory.append((top - size, content, size, R | W))
