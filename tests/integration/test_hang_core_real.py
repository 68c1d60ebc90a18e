"""Cores of real processes in known states, by the kernel and by gcore, against /proc."""

from __future__ import annotations

import gzip
import json
import os
import platform
import random
import resource
import shutil
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from lockorder.hang.corefile import CoreError, CoreImage
from runtime_probe.symbols import Symbols

PAGE = 4096
OWNER_AT = 8  # of a pthread_mutex_t: bytes
FUTEX, READ = {"x86_64": (202, 0), "aarch64": (98, 63)}.get(platform.machine(), (-1, -1))
pytestmark = pytest.mark.skipif(FUTEX < 0, reason="of x86-64 and aarch64")


@dataclass
class Live:
    """A process as /proc shows it, and its core."""

    pid: int
    said: dict[str, int]
    calls: dict[int, list[str]]
    memory: dict[int, bytes]
    core: Path


@contextmanager
def started(program: Path, folder: Path, what: str) -> Iterator[subprocess.Popen[str]]:
    # In front of the program, and not of this whole run.
    command = ["sh", "-c", 'ulimit -c "$(ulimit -Hc)"; exec "$0" "$1"', str(program), what]
    with subprocess.Popen(command, cwd=folder, stdout=-1, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def looked_at(process: subprocess.Popen[str], core: Path) -> Live:
    assert process.stdout is not None
    said = json.loads(process.stdout.readline())
    place = Path(f"/proc/{process.pid}")
    end = time.monotonic() + 10
    # It has said so a moment before it waits.
    while (place / "syscall").read_text().startswith("running") and time.monotonic() < end:
        time.sleep(0.01)
    calls = {int(t.name): (t / "syscall").read_text().split() for t in place.glob("task/*")}
    memory = {}
    with (place / "mem").open("rb", buffering=0) as file:
        for line in (place / "maps").read_text().splitlines():
            ends, flags, *_, name = f"{line} ".split(" ", 5)
            start, end = (int(part, 16) for part in ends.split("-"))
            if flags.startswith("r") and "[v" not in name:
                for page in range(start, end, PAGE):
                    memory[page] = os.pread(file.fileno(), PAGE, page)
    return Live(process.pid, said, calls, memory, core)


def by_kernel(program: Path, folder: Path) -> Live:
    """Let the kernel write a core, if it writes any into the folder."""
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if "/" in pattern or pattern.startswith("|"):
        pytest.skip(f"the kernel gives cores away: core_pattern is {pattern}")
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        pytest.skip("no cores are allowed: ulimit -Hc is 0")
    with started(program, folder, "wait") as process:
        live = looked_at(process, folder)
        process.send_signal(signal.SIGABRT)
        process.wait()
    cores = [path for path in folder.iterdir() if path != program and path.name != "program"]
    if not cores:
        pytest.skip(f"the kernel has written no core: core_pattern is {pattern}")
    live.core = cores[0]
    return live


def by_gcore(program: Path, folder: Path) -> Live:
    if shutil.which("gcore") is None:
        pytest.skip("no gcore here: install gdb")
    with started(program, folder, "wait") as process:
        live = looked_at(process, folder)
        command = ["gcore", "-o", str(folder / "copy"), str(process.pid)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    live.core = folder / f"copy.{live.pid}"
    if not live.core.exists():
        pytest.skip(f"gcore may not: {done.stderr.strip()[-200:]}")
    return live


WRITERS: dict[str, Callable[[Path, Path], Live]] = {"kernel": by_kernel, "gcore": by_gcore}


@pytest.fixture(scope="module", params=WRITERS)
def live(
    request: pytest.FixtureRequest,
    build_program: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Live:
    return WRITERS[request.param](build_program("dumped"), tmp_path_factory.mktemp("core"))


@pytest.fixture
def image(live: Live) -> CoreImage:
    return CoreImage(live.core)


def test_the_threads_are_those_of_proc(image: CoreImage, live: Live) -> None:
    threads = {thread.tid: thread for thread in image.threads()}
    assert set(threads) == set(live.calls)
    assert image.pid == live.pid
    assert threads[live.pid].name == "dumped"
    for tid, words in live.calls.items():
        thread = threads[tid]
        if words[0] == "running":
            assert (thread.call, thread.arguments) == (-1, ())
            continue
        assert [thread.call, *thread.arguments] == [
            int(words[0]),
            *(int(w, 16) for w in words[1:7]),
        ]
        assert thread.sp == int(words[7], 16)
        assert 0 <= int(words[8], 16) - thread.pc <= 4  # aarch64: back at the instruction
    said = live.said
    assert (threads[said["one"]].call, threads[said["one"]].arguments[0]) == (FUTEX, said["lock_b"])
    assert (threads[said["two"]].call, threads[said["two"]].arguments[0]) == (FUTEX, said["lock_a"])
    reader = threads[said["reader"]]
    assert (reader.call, reader.arguments[:3]) == (READ, (said["pipe"], said["buffer"], 8))
    assert threads[said["runner"]].call == -1


def test_owners_are_in_the_locks(image: CoreImage, live: Live) -> None:
    for lock, owner in (("lock_a", "one"), ("lock_b", "two")):
        data = image.read(live.said[lock] + OWNER_AT, 4)
        assert data is not None
        assert struct.unpack("<i", data) == (live.said[owner],)


def test_memory_is_as_it_was(image: CoreImage, live: Live) -> None:
    (runner,) = (t.registers for t in image.threads() if t.tid == live.said["runner"])
    control = runner.get("fs_base") or runner["tpidr_el0"]
    # The kernel writes down there which CPU the thread runs on: rseq(2).
    changing = {page - page % PAGE for page in (live.said["counter"], control, control + PAGE)}
    differing = []
    missing = []
    for page, content in live.memory.items():
        found = image.read(page, PAGE)
        if found is None:
            missing.append(page)
        elif found != content and page not in changing:
            differing.append(hex(page))
    assert differing == []
    # Nobody can tell pages that were never touched from pages that were left out.
    assert [hex(page) for page in missing if any(live.memory[page])] == []
    # Never in a core by itself: it is the file's.
    assert image.read(live.said["written"], 8) == b"what nob"


def test_threads_are_in_their_objects(
    image: CoreImage, live: Live, build_program: Callable[[str], Path]
) -> None:
    symbols = Symbols()
    names = {}
    for thread in image.threads():
        module = image.module_at(thread.pc)
        assert module is not None
        assert module.file
        frames = symbols.lookup(module.file, module.build_id, thread.pc - module.bias)
        names[thread.tid] = (Path(module.path).name, frames[-1][0] if frames else "")
    assert names[live.said["runner"]] == ("dumped", "runs")
    assert "libc" in names[live.said["reader"]][0]
    assert image.exe == str(build_program("dumped"))
    assert image.command == (image.exe, "wait")
    assert image.problems == []
    assert symbols.problems == []


def test_mappings_are_those_of_proc(image: CoreImage, live: Live) -> None:
    mappings = image.mappings()
    assert all(a.end <= b.start for a, b in pairwise(mappings))
    covered = {page for m in mappings for page in range(m.start, m.end, PAGE)}
    assert set(live.memory) <= covered
    paths = {m.path for m in mappings}
    assert {image.exe, "[stack]", "[vdso]"} <= paths
    at = next(m for m in mappings if m.start <= image.threads()[0].pc < m.end)
    assert at.flags == "r-xp"


def test_why_it_ended(image: CoreImage, live: Live) -> None:
    if live.core.name.startswith("copy"):
        assert image.ending.signal == 0
    else:
        assert (image.ending.name, image.ending.sender) == ("SIGABRT", os.getpid())


def test_packed_and_cut_off(live: Live, tmp_path: Path) -> None:
    path = tmp_path / "core.gz"
    data = live.core.read_bytes()
    path.write_bytes(gzip.compress(data, 1))
    whole = CoreImage(path)
    assert whole.problems == []
    path = tmp_path / "core"
    for size in (*range(0, 8192, 257), *range(8192, len(data), len(data) // 40)):
        path.write_bytes(data[:size])
        try:
            part = CoreImage(path)
        except CoreError:
            assert size < 64
            continue
        assert part.problems
        for mapping in part.mappings():
            found = part.read(mapping.start, PAGE)
            if found is not None and found != whole.read(mapping.start, PAGE):
                raise AssertionError(f"{size}: {mapping}")


def test_a_real_core_with_numbers_that_are_anything(live: Live, tmp_path: Path) -> None:
    data = live.core.read_bytes()
    notes = struct.unpack_from("<Q", data, 64 + 8)[0]  # of the first program header
    path = tmp_path / "core"
    path.write_bytes(data)
    chance = random.Random(7)
    with path.open("r+b", buffering=0) as file:
        for _ in range(300):
            changed = []
            for _ in range(chance.randint(1, 8)):
                place = chance.choice((chance.randrange(2048), notes + chance.randrange(1 << 13)))
                place = min(place, len(data) - 8) // 4 * 4
                number = chance.choice((0, 1, PAGE, 1 << 31, (1 << 63) - 1, (1 << 64) - 1))
                number = chance.choice((number, chance.getrandbits(64)))
                os.pwrite(file.fileno(), number.to_bytes(8, "little"), place)
                changed.append(place)
            with suppress(CoreError), CoreImage(path) as image:
                for thread in image.threads():
                    image.read(thread.sp, PAGE)
                    image.module_at(thread.pc)
                for mapping in image.mappings():
                    image.read(mapping.start, PAGE)
            for place in changed:
                os.pwrite(file.fileno(), data[place : place + 8], place)
    assert path.read_bytes() == data


def test_aborted_and_stripped(build_program: Callable[[str], Path], tmp_path: Path) -> None:
    if shutil.which("strip") is None:
        pytest.skip("no strip here: install binutils")
    program = tmp_path / "program"
    subprocess.run(["strip", "-o", program, build_program("dumped")], check=True)
    live = by_kernel(program, tmp_path)
    image = CoreImage(live.core)
    assert {thread.tid for thread in image.threads()} == set(live.calls)
    assert image.problems == []
    # The build id stays: the program as it was built fits.
    built = CoreImage(live.core, build_program("dumped"))
    assert built.problems == []
    assert built.exe == str(build_program("dumped"))
    program.unlink()
    gone = CoreImage(live.core)
    assert gone.problems == [f"not on this machine: {program}"]
    assert gone.read(live.said["written"], 1) is None
    wrong = CoreImage(live.core, Path("/bin/sh"))
    assert any("/bin/sh: not used" in problem for problem in wrong.problems)


def test_its_own_abort(build_program: Callable[[str], Path], tmp_path: Path) -> None:
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if "/" in pattern or pattern.startswith("|"):
        pytest.skip(f"the kernel gives cores away: core_pattern is {pattern}")
    with started(build_program("dumped"), tmp_path, "abort") as process:
        process.wait()
    cores = list(tmp_path.iterdir())
    if not cores:
        pytest.skip("the kernel has written no core")
    image = CoreImage(cores[0])
    first = image.threads()[0]
    assert (first.tid, first.name, first.call) == (process.pid, "dumped", -1)
    assert (image.ending.name, image.ending.sender) == ("SIGABRT", process.pid)
