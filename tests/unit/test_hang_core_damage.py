"""Cores that are cut off, damaged or made to do harm: less is read, or a reason is given."""

from __future__ import annotations

import contextlib
import json
import struct
import subprocess
import sys
import textwrap
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cores import PAGE, Core, R, W, X, elf_object, header, note, program, program_in, stack_in
from lockorder.hang.corefile import CoreError, CoreImage
from lockorder.hang.image import AARCH64, X86_64

PROGRAM = Path(__file__).parent / "no such program"
HEAP = 0x10000


@lru_cache
def whole(machine: str = X86_64) -> bytes:
    core = Core(machine)
    code = {X86_64: b"\x0f\x05", AARCH64: b"\x01\0\0\xd4"}[machine]
    core.memory += [
        (HEAP, code.ljust(PAGE, b"c"), 2 * PAGE, R | W | X),
        (HEAP + 4 * PAGE, b"q" * PAGE, PAGE, R),
    ]
    for tid in range(100, 104):
        if machine == X86_64:
            core.thread(tid, 6, rip=HEAP + 2, rax=-512, orig_rax=202, rdi=tid)
        else:
            core.thread(tid, 6, call=98, pc=HEAP, x0=tid)
    program_in(core, PROGRAM, elf_object(b"\x12" * 20, machine=machine))
    stack_in(core, ["./program", "argument"], pages=3)
    core.notes.append(note(b"CORE", 0x53494749, struct.pack("<iii", 6, 0, -6).ljust(128, b"\0")))
    return core.image()


def all_of(image: CoreImage) -> dict[int, bytes]:
    """Every page that can be read; everything else is asked for, too."""
    for thread in image.threads():
        assert thread.tid > 0
        image.module_at(thread.pc)
    assert image.ending.name is not None
    pages = {}
    for mapping in image.mappings()[:64]:
        for start in range(mapping.start, min(mapping.end, mapping.start + 16 * PAGE), PAGE):
            data = image.read(start, min(PAGE, mapping.end - start))
            if data is not None:
                pages[start] = data
    assert all(isinstance(text, str) for text in (*image.problems, *image.command, image.exe))
    return pages


@pytest.mark.parametrize("machine", [X86_64, AARCH64])
def test_cut_off_anywhere(machine: str, tmp_path: Path) -> None:
    data = whole(machine)
    path = tmp_path / "core"
    path.write_bytes(data)
    with CoreImage(path) as image:
        pages, threads = all_of(image), list(image.threads())
    assert len(pages) == 6
    assert [thread.call for thread in threads] == [202 if machine == X86_64 else 98] * 4
    sizes = [*range(64, 6000, 29), *range(6000, len(data), 1111)]
    for size in (*range(64), *sizes):
        path.write_bytes(data[:size])
        if size < 64:
            with pytest.raises(CoreError):
                CoreImage(path)
            continue
        with CoreImage(path) as image:
            assert all_of(image).items() <= pages.items()
            for thread in image.threads():
                whole_thread = threads[thread.tid - 100]
                assert thread.registers.items() <= whole_thread.registers.items()
            assert any("break" in problem for problem in image.problems), size


def survives(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    with contextlib.suppress(CoreError), CoreImage(path) as image:
        all_of(image)


NUMBERS = st.sampled_from(
    [0, 1, 2, 4, 7, 8, 56, 64, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 31, 1 << 62,
     (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 64) - PAGE, HEAP, PAGE]
)  # fmt: skip


@given(
    machine=st.sampled_from([X86_64, AARCH64]),
    # Headers and notes are in the first pages.
    changes=st.lists(
        st.tuples(st.integers(0, 7000), st.sampled_from("BHIQ"), NUMBERS), min_size=1, max_size=6
    ),
    cut=st.none() | st.integers(0, 1 << 16),
)
@example(machine=X86_64, changes=[(32, "Q", (1 << 63) - 1)], cut=None)
@example(machine=X86_64, changes=[(40, "Q", (1 << 64) - 1), (56, "H", 0xFFFF)], cut=None)
@settings(
    max_examples=400, deadline=5000, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_numbers_that_are_anything(
    machine: str, changes: list[tuple[int, str, int]], cut: int | None, tmp_path: Path
) -> None:
    data = bytearray(whole(machine))
    for offset, size, value in changes:
        width = struct.calcsize(size)
        struct.pack_into(f"<{size}", data, offset, value % (1 << 8 * width))
    survives(bytes(data[:cut]), tmp_path / "core")


@given(st.binary(max_size=2000), st.sampled_from([X86_64, AARCH64]), st.integers(0, 0xFFFF))
@settings(
    max_examples=150, deadline=5000, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_bytes_that_are_anything(tmp_path: Path, content: bytes, machine: str, at: int) -> None:
    survives(header(machine, 4, at) + content, tmp_path / "core")


MEASURE = textwrap.dedent("""
    import json, sys, time
    from pathlib import Path
    from lockorder.hang.corefile import CoreImage
    before = time.monotonic()
    image = CoreImage(Path(sys.argv[1]))
    found = [len(image.threads()), len(image.mappings()), image.problems]
    last = image.mappings()[-1]
    part = image.read(last.end - 4096, 4096)
    seconds = time.monotonic() - before
    # Not ru_maxrss: that has its parent's in it.
    status = Path("/proc/self/status").read_text()
    kib = int(status.partition("VmHWM:")[2].split()[0])
    print(json.dumps([seconds, kib / 1024, found, part and part.hex()[:8]]))
""")


def measured(path: Path) -> tuple[float, float, list[Any], str]:
    """Seconds and MiB that opening and reading takes; what was found; the last page's begin."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], stdout=-1, check=True, timeout=120
    )
    seconds, mib, found, last = json.loads(done.stdout)
    print(f"{path.name}: {seconds:.2f} s, {mib:.0f} MiB")
    return seconds, mib, found, last


def test_eight_gibibytes_of_holes(tmp_path: Path) -> None:
    size = 8 << 30
    core = Core()
    core.thread(100)
    core.memory.append((HEAP, b"", size, R | W))
    data = bytearray(core.image())
    at = len(data)
    struct.pack_into("<QQQQQ", data, 64 + 56 + 8, at, HEAP, 0, size, size)
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.write(data)
        file.seek(at + size - PAGE)
        file.write(b"last" * (PAGE // 4))
    seconds, mib, found, last = measured(path)
    assert (found[0], found[1], last) == (1, 1, b"last".hex())
    assert seconds < 5
    assert mib < 100


def many_segments() -> bytes:
    count = (1 << 20) + 10
    last = 64 + 56 * count
    rows = [program(1, R | W, 0, n * 4 * PAGE, PAGE, PAGE) for n in range(count, 0, -1)]
    return (
        header(X86_64, 4, 0xFFFF, sections=last)
        + b"".join(rows)
        + struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 1, 0, count, 0, 0)
    )


def many_files() -> bytes:
    """As many as a note may name, all of them one object at the same place of the core."""
    object_ = elf_object(b"\x12" * 20)[:PAGE]
    count = 400_000
    rows = b"".join(struct.pack("<QQQ", n * PAGE, n * PAGE + PAGE, 0) for n in range(1, count))
    content = struct.pack("<QQ", count - 1, PAGE) + rows + b"/x\0" * (count - 1)
    core = Core()
    core.thread(100)
    core.notes.append(note(b"CORE", 0x46494C45, content))
    core.memory += [(n * PAGE, object_, PAGE, R) for n in range(1, 30_000)]
    return core.image()


def many_notes() -> bytes:
    """Notes of nothing, without end: a hole of 16 GiB is full of them."""
    return header(X86_64, 4, 20) + program(4, 0, 64 + 56 * 20, 0, 16 << 30, 0) * 20


@pytest.mark.parametrize("make", [many_segments, many_files, many_notes])
def test_more_of_everything_than_there_can_be(make: Any, tmp_path: Path) -> None:
    path = tmp_path / make.__name__
    path.write_bytes(make())
    if make is many_notes:
        with path.open("r+b") as file:
            file.truncate(20 << 30)
    if make is many_notes:
        # It has no mappings to be read.
        code = "import sys; from pathlib import Path; from lockorder.hang.corefile import *; "
        code += "print(CoreImage(Path(sys.argv[1])).problems)"
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)], stdout=-1, check=True, timeout=20
        )
        assert b"more notes than any core" in done.stdout
        return
    seconds, mib, _, _ = measured(path)
    assert seconds < 60  # 3 to 6, alone
    assert mib < 500
