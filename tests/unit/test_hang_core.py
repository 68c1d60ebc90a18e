"""Core files made from parts: threads, calls, memory, objects, on both machines."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path
from typing import Any

import pytest

from cores import (
    ARM_REGISTERS,
    PAGE,
    REGISTERS,
    Core,
    R,
    W,
    X,
    elf_object,
    header,
    note,
    program,
    program_in,
    stack_in,
)
from lockorder.hang.corefile import CoreError, CoreImage
from lockorder.hang.image import AARCH64, X86_64

MACHINES = (X86_64, AARCH64)
SYSCALL, SVC = b"\x0f\x05", b"\x01\x00\x00\xd4"
RESTART, INTERRUPTED = -512, -4
HEAP = 0x10000


def opened(core: Core, folder: Path, exe: Path | None = None) -> CoreImage:
    return CoreImage(core.write(folder / "core"), exe)


@pytest.mark.parametrize("machine", MACHINES)
def test_threads_have_their_registers(machine: str, tmp_path: Path) -> None:
    core = Core(machine)
    names = REGISTERS[machine]
    for tid in (101, 100, 102):
        core.thread(tid, **{name: tid * 1000 + n for n, name in enumerate(names)})
    image = opened(core, tmp_path)
    threads = image.threads()
    assert (image.pid, image.machine, image.outside) == (100, machine, 0)
    assert image.command == ("./made-up", "one", "two")
    assert [thread.tid for thread in threads] == [101, 100, 102]
    assert [thread.name for thread in threads] == ["", "made-up", ""]
    for thread in threads:
        assert thread.registers == {n: thread.tid * 1000 + i for i, n in enumerate(names)}
        assert thread.pc == thread.registers["rip" if machine == X86_64 else "pc"]
        assert thread.sp == thread.registers["rsp" if machine == X86_64 else "sp"]
        assert (thread.state, thread.call, thread.arguments) == ("", -1, ())


def arguments(**others: int) -> dict[str, int]:
    return {"rdi": 1, "rsi": 2, "rdx": 3, "r10": 4, "r8": 5, "r9": 6, "orig_rax": 202, **others}


@pytest.mark.parametrize(
    ("registers", "code", "call"),
    [
        (arguments(rax=RESTART), SYSCALL, 202),
        (arguments(rax=-516), SYSCALL, 202),
        (arguments(rax=INTERRUPTED), SYSCALL, 202),
        (arguments(rax=RESTART), b"", 202),
        (arguments(rax=RESTART), b"\x90\x90", -1),
        (arguments(rax=0), SYSCALL, -1),
        (arguments(rax=RESTART, orig_rax=-1), SYSCALL, -1),
    ],
)
def test_calls_of_x86_64(registers: dict[str, int], code: bytes, call: int, tmp_path: Path) -> None:
    core = Core()
    core.memory.append((HEAP, code, PAGE, R | X))
    core.thread(100, rip=HEAP + 2, **registers)
    (thread,) = opened(core, tmp_path).threads()
    assert thread.call == call
    assert thread.arguments == ((1, 2, 3, 4, 5, 6) if call >= 0 else ())


@pytest.mark.parametrize(
    ("x0", "known", "code", "behind", "call", "first"),
    [
        (7, None, SVC, 0, 98, 7),  # put back to be made again
        (INTERRUPTED, None, SVC, 4, 98, -1),
        (RESTART, None, b"", 4, 98, -1),
        (5, None, SVC, 4, -1, 0),  # it has returned
        (7, 98, b"", 4, 98, 7),
        (RESTART, 98, b"", 4, 98, -1),
        (7, -1, b"\0\0\0\0", 0, -1, 0),
        (INTERRUPTED, None, b"\x1f\x20\x03\xd5", 4, -1, 0),
    ],
)
def test_calls_of_aarch64(
    x0: int, known: int | None, code: bytes, behind: int, call: int, first: int, tmp_path: Path
) -> None:
    core = Core(AARCH64)
    core.memory.append((HEAP, code, PAGE, R | X))
    core.thread(100, call=known, pc=HEAP + behind, x0=x0, x1=2, x2=3, x3=4, x4=5, x5=6, x8=98)
    (thread,) = opened(core, tmp_path).threads()
    assert thread.call == call
    assert thread.arguments == ((first, 2, 3, 4, 5, 6) if call >= 0 else ())


def test_the_thread_pointer_of_aarch64(tmp_path: Path) -> None:
    core = Core(AARCH64)
    core.thread(100)
    core.notes.append(note(b"LINUX", 0x401, struct.pack("<Q", 0x7F00)))
    core.thread(101)
    first, second = opened(core, tmp_path).threads()
    assert first.registers["tpidr_el0"] == 0x7F00
    assert set(second.registers) == set(ARM_REGISTERS)


@pytest.mark.parametrize(
    ("number", "code", "rest", "wanted"),
    [
        (6, -6, struct.pack("<ii", 100, 0), ("SIGABRT", 100, 0)),
        (11, 1, struct.pack("<Q", 0x10), ("SIGSEGV", 0, 0x10)),
        (19, 128, b"", ("", 0, 0)),  # gcore's own
    ],
)
def test_what_ended_it(
    number: int, code: int, rest: bytes, wanted: tuple[str, int, int], tmp_path: Path
) -> None:
    core = Core()
    core.thread(100, number)
    content = struct.pack("<iiii", number, 0, code, 0) + rest
    core.notes.append(note(b"CORE", 0x53494749, content.ljust(128, b"\0")))
    ending = opened(core, tmp_path).ending
    assert (ending.name, ending.sender, ending.address) == wanted


def test_the_signal_without_its_own_note(tmp_path: Path) -> None:
    core = Core()
    core.thread(100, 6)
    assert opened(core, tmp_path).ending.name == "SIGABRT"


@pytest.mark.parametrize("machine", MACHINES)
def test_memory_is_the_segments_and_nothing_else(machine: str, tmp_path: Path) -> None:
    core = Core(machine)
    core.thread(100)
    core.memory += [
        (HEAP, b"a" * PAGE, PAGE, R | W),
        (HEAP + PAGE, b"b" * PAGE, PAGE, R),
        (HEAP + 3 * PAGE, b"c" * PAGE, 2 * PAGE, R | W),
        (HEAP + 5 * PAGE, b"", PAGE, 0),
    ]
    image = opened(core, tmp_path)
    assert image.read(HEAP, 3) == b"aaa"
    assert image.read(HEAP + PAGE - 2, 4) == b"aabb"
    assert image.read(HEAP + 2 * PAGE - 2, 2) == b"bb"
    assert image.read(HEAP + 2 * PAGE - 2, 3) is None
    assert image.read(HEAP + 4 * PAGE - 1, 1) == b"c"
    assert image.read(HEAP + 4 * PAGE - 1, 2) is None
    assert image.read(HEAP, 0) == b""
    for address, size in ((0, 1), (1 << 64, 1), (-1, 1), ((1 << 64) - 1, 2), (HEAP, -1)):
        assert image.read(address, size) is None
    assert image.read(HEAP, 1 << 40) is None
    assert [(m.start, m.end, m.flags, m.path) for m in image.mappings()] == [
        (HEAP, HEAP + PAGE, "rw-p", ""),
        (HEAP + PAGE, HEAP + 2 * PAGE, "r--p", ""),
        (HEAP + 3 * PAGE, HEAP + 5 * PAGE, "rw-p", ""),
        (HEAP + 5 * PAGE, HEAP + 6 * PAGE, "---p", ""),
    ]


def with_program(path: Path, content: bytes, machine: str = X86_64) -> Core:
    core = Core(machine)
    core.thread(100)
    program_in(core, path, content)
    stack_in(core, [str(path), "--some", "", "argument with spaces"])
    return core


@pytest.mark.parametrize("machine", MACHINES)
def test_what_was_left_out_is_read_from_the_file(machine: str, tmp_path: Path) -> None:
    path = tmp_path / "program"
    content = elf_object(b"\x12" * 20, machine=machine)
    path.write_bytes(content)
    image = opened(with_program(path, content, machine), tmp_path)
    assert image.problems == []
    assert image.exe == str(path)
    assert image.command == (str(path), "--some", "", "argument with spaces")
    assert image.read(0x400000, len(content)) == content
    assert image.read(0x400000, len(content) + 1) is None
    (module,) = image.modules
    assert (module.path, module.file, module.build_id) == (str(path), str(path), "12" * 20)
    assert (module.start, module.end, module.bias) == (0x400000, 0x403000, 0x400000)
    assert image.module_at(0x402FFF) == module
    assert image.module_at(0x403000) is None
    assert [(m.flags, m.offset) for m in image.mappings()][:2] == [("r--p", 0), ("r-xp", PAGE)]
    assert image.mappings()[-1].path == "[stack]"


def test_the_file_of_another_build_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(elf_object(b"\x34" * 20))
    content = elf_object(b"\x12" * 20)
    image = opened(with_program(path, content), tmp_path)
    assert image.problems == [f"not the same on this machine (build id): {path}"]
    assert image.read(0x400000, PAGE) == content[:PAGE]
    assert image.read(0x401000, 1) is None
    assert (image.modules[0].file, image.modules[0].build_id) == ("", "12" * 20)


def test_without_build_ids_the_first_page_decides(tmp_path: Path) -> None:
    path = tmp_path / "program"
    content = elf_object(b"")
    path.write_bytes(content)
    core = with_program(path, content)
    assert opened(core, tmp_path).read(0x401000, 1) == b"\x01"
    path.write_bytes(elf_object(b"", fill=b"!"))
    image = opened(core, tmp_path)
    assert image.read(0x401000, 1) is None
    assert image.problems == [f"not the same on this machine (build id): {path}"]


def test_files_that_are_not_here_are_named_together(tmp_path: Path) -> None:
    core = Core()
    core.thread(100)
    for number in range(5):
        start = 0x400000 + number * 0x10000
        program_in(core, tmp_path / f"gone{number}", elf_object(bytes([number]) * 20), start)
    (problem,) = opened(core, tmp_path).problems
    names = ", ".join(str(tmp_path / f"gone{number}") for number in range(3))
    assert problem == f"not on this machine: {names} and 2 more"


def test_a_given_program_that_fits(tmp_path: Path) -> None:
    content = elf_object(b"\x12" * 20)
    here = tmp_path / "moved"
    here.write_bytes(content)
    image = opened(with_program(Path("/where/it/was"), content), tmp_path, here)
    assert image.problems == []
    assert image.exe == str(here)
    assert image.read(0x402000, 1) == b"\x02"
    assert (image.modules[0].path, image.modules[0].file) == ("/where/it/was", str(here))


def test_a_given_program_that_does_not_fit_is_named(tmp_path: Path) -> None:
    path, wrong = tmp_path / "program", tmp_path / "wrong"
    content = elf_object(b"\x12" * 20)
    path.write_bytes(content)
    wrong.write_bytes(elf_object(b"\x34" * 20))
    image = opened(with_program(path, content), tmp_path, wrong)
    assert image.problems == [
        f"{wrong}: not used, it is not the program of this core, {path} "
        f"(build id {'34' * 20}, the core's {'12' * 20})"
    ]
    assert image.exe == str(path)
    assert image.read(0x402000, 1) == b"\x02"


@pytest.mark.parametrize("kind", ["text", "folder", "missing", "other machine"])
def test_a_given_program_that_is_none(kind: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    if kind == "text":
        wrong.write_text("#!/bin/sh\n")
    elif kind == "folder":
        wrong.mkdir()
    elif kind == "other machine":
        wrong.write_bytes(elf_object(b"\x12" * 20, machine=AARCH64))
    core = with_program(tmp_path / "gone", elf_object(b"\x12" * 20))
    image = opened(core, tmp_path, wrong)
    assert sum(str(wrong) in problem for problem in image.problems) == 1
    assert image.read(0x402000, 1) is None


def test_a_given_program_for_a_core_that_names_no_files(tmp_path: Path) -> None:
    content = elf_object(b"\x12" * 20)
    path = tmp_path / "program"
    path.write_bytes(content)
    core = with_program(path, content)
    core.files.clear()
    assert opened(core, tmp_path).read(0x402000, 1) is None
    image = opened(core, tmp_path, path)
    assert image.read(0x402000, 1) == b"\x02"
    assert image.problems == ["it does not say which files were mapped"]


def test_writable_parts_of_files_need_a_core_that_has_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "program"
    content = elf_object(b"\x12" * 20)
    path.write_bytes(content)
    core = with_program(path, content)
    core.memory[1] = (0x401000, b"", 2 * PAGE, R | W)
    assert opened(core, tmp_path).read(0x401000, 1) == b"\x01"
    start, _, size, flags = core.memory[-1]
    core.memory[-1] = (start, b"", size, flags)  # coredump_filter without its bit 0
    assert opened(core, tmp_path).read(0x401000, 1) is None


@pytest.mark.parametrize("name", ["/proc/self/maps", "/dev/zero", "/dev/stdin", "/etc", "a" * 9000])
def test_no_device_is_opened(name: str, tmp_path: Path) -> None:
    core = with_program(Path(name), elf_object(b"\x12" * 20))
    image = opened(core, tmp_path)
    assert image.read(0x401000, 1) is None


def test_more_segments_than_a_header_counts(tmp_path: Path) -> None:
    core = Core()
    core.thread(100)
    count = 70_000
    core.memory = [(HEAP + n * 2 * PAGE, b"", PAGE, R | W) for n in range(count - 1)]
    last = HEAP + count * 2 * PAGE
    core.memory.append((last, b"z" * PAGE, PAGE, R | W))
    image = opened(core, tmp_path)
    assert len(image.mappings()) == count
    assert image.read(last, 1) == b"z"
    assert image.problems == ["it does not say which files were mapped"]
    # What counts them is the last that a kernel writes.
    data = core.image()
    (tmp_path / "core").write_bytes(data[:-64])
    image = CoreImage(tmp_path / "core")
    assert len(image.mappings()) == count
    assert image.read(last, 1) == b"z"


def damaged(**fields: Any) -> bytes:
    core = Core()
    core.thread(100)
    data = bytearray(core.image())
    for offset, value in fields.values():
        data[offset : offset + len(value)] = value
    return bytes(data)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"#!/bin/sh\n" * 20, "not ELF"),
        (b"\x7fELF\x02\x01\x01", "breaks off after 7 bytes"),
        (damaged(size=(4, b"\1")), "32-bit process"),
        (damaged(order=(5, b"\2")), "big-endian"),
        (damaged(version=(6, b"\7")), "damaged"),
        (damaged(system=(7, b"\x09")), "FreeBSD"),
        (damaged(machine=(18, b"\xf3\0")), "RISC-V"),
        (damaged(machine=(18, b"\x03\0"), size=(4, b"\1")), "32-bit process (x86)"),
        (damaged(machine=(18, b"\xff\x7f")), "number 32767"),
        (damaged(kind=(16, b"\3\0")), "no core file but a program or a library"),
        (damaged(kind=(16, b"\1\0")), "no core file but an object file"),
        (damaged(entry=(54, b"\1\0")), "damaged"),
        (b"MDMP" + bytes(100), "minidump"),
        (b"\xcf\xfa\xed\xfe" + bytes(100), "macOS"),
        (b"KDUMP   " + bytes(100), "whole machine"),
    ],
)
def test_what_is_no_core_of_these_machines(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "core"
    path.write_bytes(content)
    with pytest.raises(CoreError) as caught:
        CoreImage(path)
    assert reason in caught.value.reason
    assert str(pickle.loads(pickle.dumps(caught.value))) == f"{path}: {caught.value.reason}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [(b"FreeBSD", "FreeBSD"), (b"VMCOREINFO", "whole machine"), (b"QEMU", "whole machine")],
)
def test_notes_of_others(name: bytes, reason: str, tmp_path: Path) -> None:
    core = Core()
    core.notes.append(note(name, 1, bytes(400)))
    with pytest.raises(CoreError, match=reason):
        opened(core, tmp_path)


def test_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone", Path("/dev/zero")):
        with pytest.raises(CoreError):
            CoreImage(path)


def test_segments_that_overlap(tmp_path: Path) -> None:
    core = Core()
    core.thread(100)
    core.memory += [
        (HEAP + PAGE, b"b" * 2 * PAGE, 2 * PAGE, R),
        (HEAP, b"a" * 2 * PAGE, 2 * PAGE, R),
        (HEAP + PAGE, b"c" * PAGE, PAGE, R),
        ((1 << 64) - PAGE, b"d" * PAGE, PAGE, R),
    ]
    image = opened(core, tmp_path)
    assert image.read(HEAP, 3 * PAGE) == b"a" * 2 * PAGE + b"b" * PAGE
    assert "3 segments overlap others, or have no address" in image.problems


def test_counts_that_cannot_be(tmp_path: Path) -> None:
    core = Core()
    core.thread(100)
    core.notes.append(note(b"CORE", 0x46494C45, struct.pack("<QQ", 1 << 60, PAGE)))
    assert "its list of files is damaged" in opened(core, tmp_path).problems
    core.notes[-1] = struct.pack("<III", 5, 1 << 31, 1) + b"CORE\0\0\0\0"
    image = opened(core, tmp_path)
    assert "its notes are damaged: 1 threads were read" in image.problems
    core.notes[-1] = struct.pack("<III", 1 << 31, 8, 1) + b"CORE\0\0\0\0"
    assert len(opened(core, tmp_path).threads()) == 1
    path = tmp_path / "core"
    path.write_bytes(header(X86_64, 4, 60_000) + program(1, R, 0, HEAP, PAGE, PAGE))
    image = CoreImage(path)
    assert "it breaks off: 1 of 60,000 program headers are there" in image.problems
    assert image.threads() == []
