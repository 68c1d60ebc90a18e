"""What the probe knows of NCCL, over the fake libraries: groups, hazards, the ring of calls.

Each group of cases has those that must fire and, beside them, their twins that must not.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from selftest.support import record, verdict

import test_fake_cuda
from runtime_probe.errors import TraceError
from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.layout import State
from runtime_probe.nccl_records import NcclCall
from runtime_probe.records import Trace
from runtime_probe.trace import FILE_PATTERN, read_trace

fakes = test_fake_cuda.fakes
start_rank = test_fake_cuda.start_rank
SOURCES = test_fake_cuda.SOURCES
RING = 1024
ALL_REDUCE = "ncclAllReduce"

CLEAN: frozenset[str] = frozenset()
OPEN = frozenset({"group-imbalance"})
MISUSE = frozenset({"group-misuse"})
HAZARD = frozenset({"device-sync-hazard"})
WAITS = frozenset({"blocking-under-lock"})

#: Scripts of fixtures/fake_cuda/programs/calls.c, which explains the letters.
SCRIPTS = {
    # A wait for the device inside of a group, and outside.
    "1(rs)": MISUSE, "1(r)s": CLEAN, "1(re)": MISUSE, "1(r)e": CLEAN, "1(rd)": MISUSE,
    "1(r)d": CLEAN, "1(sr)": MISUSE, "1s(r)": CLEAN, "1((r)s)": MISUSE, "1((r))s": CLEAN,
    "1(r) 1(rs)": MISUSE, "0(rs)": MISUSE, "0(r)s": CLEAN,
    # Who waits has no group open; who asks or is ordered by the stream does not wait.
    "1( 2s 1r)": CLEAN, "1(rq)": CLEAN, "1(ro)": CLEAN,
    # A communicator in one group with operations, and in a group of its own.
    "1(ri)": MISUSE, "1(ir)": MISUSE, "1(i(p))": MISUSE, "1(ii)": CLEAN, "1(i)(r)": CLEAN,
    "1(r)i": CLEAN, "1( 2( 1i 2r 1) 2)": CLEAN,
    # A thread ends with its group open.
    "1(r": OPEN, "1(r.": OPEN, "1((r)": OPEN, "1(r) 1(": OPEN, "1(r)": CLEAN, "1(r).": CLEAN,
    "1((r))": CLEAN, "1(r(r)r)": CLEAN, "1( 2( 1r 2r 1) 2)": CLEAN, "1(r 2(r)": OPEN,
    # It ends the process; the others do not.
    "0(r": OPEN, "0(rx": OPEN, "1(rx": OPEN, "0(r)x": CLEAN, "1(r)x": CLEAN, "1(r 0x": CLEAN,
    "1(r 0k": CLEAN, "0(rk": CLEAN,
    # An end without a begin in its thread.
    "1>": OPEN, "1(r)>": OPEN, "1( 2> 1r)": OPEN,
    # A synchronisation of the device that can meet a launch, and one that cannot.
    "1r 2f": HAZARD, "1r 2m": HAZARD, "1r 2h": HAZARD, "1r 2u": HAZARD, "1r 2d": HAZARD,
    "1(r) 2f": HAZARD, "1p 2f": HAZARD, "1r 0f": HAZARD, "0r 1q 0r 1f": HAZARD,
    "1rf": CLEAN, "1r 2r": CLEAN, "1f 2f": CLEAN, "1r 2s": CLEAN, "1r 2o": CLEAN, "1r 2q": CLEAN,
    # A lock around both, around one, one each; given up before the launch, taken for it.
    "1Ara 2Afa": CLEAN, "1A(r)a 2Afa": CLEAN, "1(rA)a 2Afa": CLEAN, "1ABrba 2Afa": CLEAN,
    "1Ara 2f": HAZARD, "1r 2Afa": HAZARD | WAITS, "1Ara 2Bfb": HAZARD | WAITS,
    "1A(ra) 2Afa": HAZARD | WAITS, "1A(r)a 2f": HAZARD | WAITS,
    # Threads that cannot meet: one began after the other's call, or has ended.
    "0mf 1r": CLEAN, "0r 1f": CLEAN, "1r. 0f": CLEAN, "1r. 2f": CLEAN, "0m 1r 0f": HAZARD,
}  # fmt: skip


@pytest.fixture(scope="session")
def calls(
    c_compiler: list[str], fakes: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """The command that plays a script, but for the script."""
    program = tmp_path_factory.mktemp("calls") / "calls"
    source = SOURCES / "programs" / "calls.c"
    flags = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
    flags += ["-fno-optimize-sibling-calls", f"-I{SOURCES / 'include'}"]
    command = [*c_compiler, *flags, "-o", str(program), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return [str(program), str(fakes)]


def the_trace(folder: Path) -> Trace:
    (path,) = folder.glob(FILE_PATTERN)
    return read_trace(path)


def named(trace: Trace, calls: list[NcclCall], name: str) -> list[NcclCall]:
    return [c for c in calls if trace.calls[c.call].name == name]


@pytest.mark.parametrize("script", SCRIPTS)
def test_script(calls: list[str], tmp_path: Path, script: str) -> None:
    played = record([*calls, script], os.environ, tmp_path / "trace")
    assert played.code == (-signal.SIGKILL if "k" in script else 0), played.stderr
    assert verdict(tmp_path / "trace") == SCRIPTS[script]


# -- the ring ---------------------------------------------------------------------------------


def test_what_a_call_says(calls: list[str], tmp_path: Path) -> None:
    record([*calls, "1(r)rp"], os.environ, tmp_path / "trace")
    trace = the_trace(tmp_path / "trace")
    made, later = trace.nccl_calls[:4], trace.nccl_calls[4:]
    assert {trace.calls[c.call].name for c in made} == {"ncclCommInitRank"}
    names = [trace.calls[c.call].name for c in later]
    pair = ["ncclSend", "ncclRecv"]
    assert names == ["ncclGroupStart", ALL_REDUCE, "ncclGroupEnd", ALL_REDUCE, *pair]
    comm = trace.communicators[made[1].communicator]
    assert (comm.rank, comm.ranks, comm.collectives, comm.peers) == (0, 1, 2, 2)
    assert [c.communicator for c in later] == [0, comm.number, 0, *[comm.number] * 3]
    assert [c.order for c in later] == [0, 1, 0, 2, 1, 2]
    assert [(c.group, c.depth) for c in later] == [(0, 0), (1, 1), (1, 1), *[(0, 0)] * 3]
    first, send = later[1], later[4]
    assert (first.elements, first.type, first.reduction, first.root) == (4, 7, 0, -1)
    assert (send.type, send.reduction, send.root) == (7, -1, 0)
    assert first.stream
    assert {c.status for c in later} == {0}
    assert all(c.begin_ns <= c.end_ns for c in later)
    assert {trace.threads[c.thread].tid for c in later} != {trace.header.pid}
    assert trace.stack(first.stack)
    assert first.pc in trace.stack(first.stack)


def test_the_newest_calls_and_all_totals(calls: list[str], tmp_path: Path) -> None:
    record([*calls, "0" + "r" * 5000], os.environ, tmp_path / "trace")
    trace = the_trace(tmp_path / "trace")
    kept = trace.nccl_calls
    assert len(kept) == RING
    assert [c.number for c in kept] == list(range(5004 - RING + 1, 5005))
    assert (kept[-1].order, trace.nccl_forgotten) == (5000, 5004 - RING)
    (total,) = (t for t in trace.nccl_totals if trace.calls[t.call].name == ALL_REDUCE)
    assert (total.begun, total.ended, total.failed) == (5000, 5000, 0)
    assert (total.elements, total.last_order) == (20_000, 5000)


THREADS, TIMES = 4, 4000
_RACE = f"""
import ctypes, sys, threading
nccl = ctypes.CDLL(sys.argv[1] + "/libnccl.so.2")
begin, end = nccl.ncclGroupStart, nccl.ncclGroupEnd
def work():
    for _ in range({TIMES}):
        begin(), end()
threads = [threading.Thread(target=work) for _ in range({THREADS})]
[t.start() for t in threads], [t.join() for t in threads]
"""


def test_many_threads_at_once(fakes: Path, tmp_path: Path) -> None:
    played = record([sys.executable, "-c", _RACE, str(fakes)], os.environ, tmp_path / "trace")
    assert played.code == 0, played.stderr
    trace = the_trace(tmp_path / "trace")
    kept = trace.nccl_calls
    assert RING - 64 <= len(kept) <= RING
    assert len({c.number for c in kept}) == len(kept)
    assert all(c.status == 0 and c.end_ns for c in kept)
    counts: Counter[str] = Counter()
    for total in trace.nccl_totals:
        assert total.begun == total.ended
        counts[trace.calls[total.call].name] += total.begun
    assert counts == {"ncclGroupStart": THREADS * TIMES, "ncclGroupEnd": THREADS * TIMES}
    assert all(thread.group_depth == 0 for thread in trace.threads.values())


def test_a_killed_process(calls: list[str], tmp_path: Path) -> None:
    record([*calls, "0(rk"], os.environ, tmp_path / "trace")
    trace = the_trace(tmp_path / "trace")
    assert trace.header.state is State.RUNNING
    assert [c.status for c in named(trace, trace.nccl_calls, ALL_REDUCE)] == [0]
    assert max(t.group_depth for t in trace.threads.values()) == 1


# -- communicators ----------------------------------------------------------------------------


def fnv(data: bytes, value: int = 0xCBF29CE484222325) -> int:
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def probed(folder: Path) -> dict[str, str]:
    folder.mkdir()
    return preload_environment(os.environ, shim_path(), folder)


def test_ranks_find_their_communicator(
    start_rank: test_fake_cuda.StartRank, tmp_path: Path
) -> None:
    folders = [tmp_path / str(rank) for rank in range(2)]
    first, second = (
        start_rank("all_reduce", rank, 2, **probed(folder)) for rank, folder in enumerate(folders)
    )
    line = test_fake_cuda.read_line(first)
    test_fake_cuda.write(second, line)
    assert [p.wait(30) for p in (first, second)] == [0, 0]
    for rank, folder in enumerate(folders):
        (comm,) = the_trace(folder).communicators.values()
        assert comm.unique == fnv(bytes.fromhex(line))
        assert (comm.rank, comm.ranks, comm.collectives) == (rank, 2, 1)
        assert comm.ended_by
        assert comm.end_ns


def test_split_and_shrunk_communicators(
    start_rank: test_fake_cuda.StartRank, tmp_path: Path
) -> None:
    process = start_rank("sub_communicators", 0, 4, **probed(tmp_path / "trace"))
    assert process.wait(30) == 0
    trace = the_trace(tmp_path / "trace")
    made: dict[str, list[int]] = {}
    for comm in trace.communicators.values():
        made.setdefault(trace.calls[comm.made_by].name, []).append(comm.number)
        assert comm.address
        assert comm.end_ns
    assert {k: len(v) for k, v in made.items()} == {
        "ncclCommInitAll": 4, "ncclCommSplit": 3, "ncclCommShrink": 3
    }  # fmt: skip
    comms = trace.communicators
    whole = comms[1].unique
    assert {comms[n].unique for n in made["ncclCommInitAll"]} == {whole}
    # Ranks 0 and 2 have color 0, rank 1 has 1, rank 3 none.
    colors = [(comms[n].color, comms[n].unique) for n in made["ncclCommSplit"]]
    by_color = {c: fnv(bytes(3) + c.to_bytes(4, "little"), whole) for c in (0, 1)}
    assert colors == [(0, by_color[0]), (1, by_color[1]), (0, by_color[0])]
    shrunk = fnv(bytes([1, 0, 0]) + b"\xff" * 4, whole)
    assert {comms[n].unique for n in made["ncclCommShrink"]} == {shrunk}


def until(folder: Path, condition: Callable[[Trace], bool]) -> Trace:
    """The trace of a running process, once it says so."""
    deadline = time.monotonic() + test_fake_cuda.DEADLINE
    while time.monotonic() < deadline:
        try:
            trace = the_trace(folder)
        except (TraceError, ValueError):  # not there yet, or not begun
            continue
        if condition(trace):
            return trace
    pytest.fail("the trace never said so")


def test_a_call_that_does_not_return(start_rank: test_fake_cuda.StartRank, tmp_path: Path) -> None:
    """Read while it waits for a rank that never comes, and after it was killed."""
    process = start_rank("all_reduce", 0, 2, **probed(tmp_path / "trace"))
    line = test_fake_cuda.read_line(process)

    def waits(trace: Trace) -> bool:
        return [trace.calls[c.call].name for c in trace.nccl_calls] == ["ncclCommInitRank"]

    alive = until(tmp_path / "trace", waits)
    process.kill()
    process.wait(30)
    for trace in (alive, the_trace(tmp_path / "trace")):
        (call,) = trace.nccl_calls
        assert (call.end_ns, call.status) == (0, -1)
        (comm,) = trace.communicators.values()
        assert comm.unique == fnv(bytes.fromhex(line))
        assert (comm.address, comm.rank, comm.ranks) == (0, 0, 2)
        (total,) = trace.nccl_totals
        assert (total.begun, total.ended) == (1, 0)
