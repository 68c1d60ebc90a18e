"""The fake CUDA and NCCL libraries: that they are what programs look for, and really wait.

Every rank is a process of its own, running fixtures/fake_cuda/ranks.py: a fake that hangs
where it should not costs a deadline, not the test run.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

SOURCES = Path(__file__).parents[2] / "fixtures" / "fake_cuda"
DEADLINE = 30.0  # seconds, for what takes a tenth of one
NOT_READY = 600
FUTEX = {"x86_64": "202", "aarch64": "98"}[platform.machine()]  # the system call
FUTEX_WAIT_SHARED = "0x0"

LIBRARIES = {
    "libcudart.so.12": "cuda_runtime_api.h",
    "libcuda.so.1": "cuda.h",
    "libnccl.so.2": "nccl.h",
}

StartRank = Callable[..., subprocess.Popen[str]]


def cmake() -> str:
    beside = Path(sys.executable).with_name("cmake")
    found = str(beside) if beside.exists() else shutil.which("cmake")
    if not found:
        pytest.fail("no cmake: run make setup, or pip install cmake")
    return found


@pytest.fixture(scope="session")
def fakes(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built libraries; built once, also for several pytest workers."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "fake_cuda"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").exists():
            environment = os.environ | {"CC": " ".join(c_compiler)}
            configure = ["-S", SOURCES, "-B", folder, "-G", "Unix Makefiles"]
            for arguments in (
                [*configure, "-DCMAKE_BUILD_TYPE=Debug"],
                ["--build", folder, "--parallel", "2"],
            ):
                result = subprocess.run(
                    [cmake(), *arguments],
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    check=False,
                )
                assert result.returncode == 0, result.stdout
            (folder / "built").touch()
    return folder


@pytest.fixture
def start_rank(fakes: Path, tmp_path: Path) -> Iterator[StartRank]:
    """Starts ranks.py; what still runs at the deadline or the end of the test is killed."""
    started: list[tuple[subprocess.Popen[str], threading.Timer]] = []

    def start(role: str, rank: int, ranks: int, **settings: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-I", str(SOURCES / "ranks.py"), str(fakes), role]
        process = subprocess.Popen(
            [*command, str(rank), str(ranks)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": str(tmp_path)} | settings,
        )
        watchdog = threading.Timer(DEADLINE, process.kill)  # ends a read_line that hangs
        watchdog.start()
        started.append((process, watchdog))
        return process

    yield start
    for process, watchdog in started:
        watchdog.cancel()
        process.kill()
        process.communicate()


def start_pair(start_rank: StartRank, role: str, **settings: str) -> list[subprocess.Popen[str]]:
    """Two processes; the first one's unique id is handed to the second."""
    pair = [start_rank(role, rank, 2, **settings) for rank in range(2)]
    write(pair[1], read_line(pair[0]))
    return pair


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate(timeout=DEADLINE)[1]
    return line


def write(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line)
    process.stdin.flush()


def result_of(process: subprocess.Popen[str]) -> Any:
    """The last line of a rank that ends well."""
    output, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, errors
    return json.loads(output.splitlines()[-1])


def alone(start_rank: StartRank, role: str, ranks: int) -> Any:
    return result_of(start_rank(role, 0, ranks))


# What a loader and a compiler see.


@pytest.mark.parametrize("library", LIBRARIES)
def test_sonames(fakes: Path, library: str) -> None:
    with (fakes / library).open("rb") as file:
        dynamic = ELFFile(file).get_section_by_name(".dynamic")
        tags = list(dynamic.iter_tags())
    assert [tag.soname for tag in tags if tag.entry.d_tag == "DT_SONAME"] == [library]
    assert [tag.runpath for tag in tags if tag.entry.d_tag == "DT_RUNPATH"] == ["$ORIGIN"]


@pytest.mark.parametrize(("library", "header"), LIBRARIES.items())
def test_exactly_what_the_header_declares_is_exported(
    fakes: Path, library: str, header: str
) -> None:
    text = (SOURCES / "include" / header).read_text()
    versions = dict(re.findall(r"#define (cu\w+) (cu\w+_v\d)", text))
    declared = re.findall(
        r"^(?:CUresult|cudaError_t|ncclResult_t|const char \*)\s*(\w+)\(", text, re.M
    )
    # The runtime's own source sees both names of this one.
    versions.pop("cudaStreamGetCaptureInfo", None)
    with (fakes / library).open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym").iter_symbols()
        exported = {
            symbol.name
            for symbol in symbols
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["type"] == "STT_FUNC"
        }
    assert exported == {versions.get(name, name) for name in declared}


# One process.


def test_free_waits_for_the_streams_and_launches_wait_for_it(start_rank: StartRank) -> None:
    assert alone(start_rank, "waiting_free", 1) == {
        "before": [],
        "first": "work",
        "then": ["free", "launch"],
        "refused": [800],
    }


def test_a_free_between_the_launches_of_two_ranks_hangs_both(start_rank: StartRank) -> None:
    hung = alone(start_rank, "free_between_launches", 2)
    assert hung == {"before": [], "after": ["free", "launch"]}


def test_every_operation_moves_its_data(start_rank: StartRank) -> None:
    """Rank r sends 10 r, 10 r + 1, ..."""
    assert alone(start_rank, "every_operation", 3) == {
        "AllReduce": [[30, 33]] * 3,
        "AllReduce int32": [[30, 33]] * 3,
        "AllReduce float16": [[0x4200, 3]] * 3,  # 3.0, and 3 times the smallest number
        "Avg": [[10]] * 3,
        "Reduce": [[0, 0], [30, 33], [0, 0]],
        "Broadcast": [[20, 21]] * 3,
        "AllGather": [[0, 10, 20]] * 3,
        "ReduceScatter": [[30], [33], [36]],
        "AlltoAll": [[0, 10, 20], [1, 11, 21], [2, 12, 22]],
        "Gather": [[0, 10, 20], [0, 0, 0], [0, 0, 0]],
        "Scatter": [[10], [11], [12]],
        "exchange": [[20], [0], [10]],
        "PreMulSum": [[3]] * 3,
    }


def test_split_and_shrunk_communicators(start_rank: StartRank) -> None:
    """Of each member: new rank, size, sum of the members' old ranks."""
    assert alone(start_rank, "sub_communicators", 5) == {
        "split": [[1, 2, 2], [1, 2, 4], [0, 2, 2], [0, 2, 4]],  # keys turn the ranks round
        "shrunk": [[0, 4, 10], [1, 4, 10], [2, 4, 10], [3, 4, 10]],
        "nowhere": True,
    }


def test_a_captured_operation_runs_at_each_launch(start_rank: StartRank) -> None:
    assert alone(start_rank, "graph", 2) == {"values": [[4], [4]], "malloc": 900, "end": 901}


def test_each_communicator_has_a_segment_and_a_proxy(start_rank: StartRank) -> None:
    assert alone(start_rank, "footprint", 2) == {"during": [2, 2], "after": [0, 0]}


# Two processes.


def test_all_reduce_of_two_processes(start_rank: StartRank, tmp_path: Path) -> None:
    pair = start_pair(start_rank, "all_reduce")
    assert [result_of(process) for process in pair] == [[3, 3, 10]] * 2
    assert list(tmp_path.iterdir()) == []  # the meeting's file goes when all have come


def waits_for_ranks(process: subprocess.Popen[str]) -> bool:
    """Whether a stream of the process is in a futex shared between processes."""
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        number, _, operation = [*(task / "syscall").read_text().split(), "", ""][:3]
        is_stream = (task / "comm").read_text() == "fake-gpu-stream\n"
        if is_stream and (number, operation) == (FUTEX, FUTEX_WAIT_SHARED):
            return True
    return False


@pytest.mark.parametrize(
    ("role", "settings"),
    [("crossed", {}), ("crossed_streams", {"FAKE_CUDA_CONCURRENT_KERNELS": "1"})],
)
def test_a_crossed_order_waits_until_it_is_aborted(
    start_rank: StartRank, role: str, settings: dict[str, str]
) -> None:
    pair = start_pair(start_rank, role, **settings)
    for process in pair:
        assert json.loads(read_line(process)) == "launched"
    deadline = time.monotonic() + DEADLINE
    while not all(waits_for_ranks(process) for process in pair):
        assert time.monotonic() < deadline, "the ranks never waited for each other"
        os.sched_yield()
    for process in pair:
        write(process, "query\n")
    assert [json.loads(read_line(process)) for process in pair] == [[NOT_READY] * 2] * 2
    for process in pair:
        write(process, "abort\n")
    for process in pair:
        assert json.loads(read_line(process)) == "released"
        assert process.wait(DEADLINE) == 0


def test_unequal_counts_go_on_without_data_when_asked(start_rank: StartRank) -> None:
    pair = start_pair(start_rank, "unequal", FAKE_NCCL_ON_MISMATCH="continue")
    assert [result_of(process) for process in pair] == [[0] * 8, [1] * 8]


def test_unequal_counts_end_the_process_when_asked(start_rank: StartRank) -> None:
    settings = {"FAKE_NCCL_ON_MISMATCH": "exit", "FAKE_NCCL_TIMEOUT_MS": "50"}
    for process in start_pair(start_rank, "unequal", **settings):
        _, errors = process.communicate(timeout=DEADLINE)
        assert process.returncode == 86
        assert "waited too long" in errors
