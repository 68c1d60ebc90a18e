"""What communicators cost, recorded over the fake libraries, whose sizes are known."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from selftest.support import record

import test_fake_cuda
from lockorder.footprint import Budget, Cost, ProcessCost, SiteCost
from lockorder.model import Finding, Level
from lockorder.recorded.analyse import read_files, to_document, traces_in
from runtime_probe.footprint_records import FootprintFlag, Phase
from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.records import Trace
from runtime_probe.trace import read_trace

fakes = test_fake_cuda.fakes
SOURCES = test_fake_cuda.SOURCES
RULE = "communicator-footprint"
MIB = 1 << 20
PINNED, SHM, DEVICE = 8 * MIB, 4 * MIB, 6 * MIB
SIZES = {
    "FAKE_NCCL_PINNED_BYTES": str(PINNED),
    "FAKE_NCCL_SHM_BYTES": str(SHM),
    "FAKE_NCCL_CONNECT_BYTES": str(DEVICE),
}


@pytest.fixture(scope="session")
def program(
    c_compiler: list[str], fakes: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """The command that makes communicators, but for the script."""
    path = tmp_path_factory.mktemp("footprint") / "footprint"
    source = SOURCES / "programs" / "footprint.c"
    flags = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
    flags += ["-fno-optimize-sibling-calls", f"-I{SOURCES / 'include'}"]
    subprocess.run([*c_compiler, *flags, "-o", str(path), str(source), "-ldl"], check=True)
    return [str(path), str(fakes)]


def run(command: list[str], script: str, folder: Path, **settings: str) -> list[ProcessCost]:
    """What one process with that script paid."""
    played = record([*command, script], {**os.environ, **SIZES, **settings}, folder)
    assert played.code == (-signal.SIGKILL if "k" in script else 0), played.stderr
    return costs(folder)


def costs(folder: Path) -> list[ProcessCost]:
    batch = read_files(traces_in(folder))
    assert not batch.problems
    return batch.footprints


def findings(folder: Path, budget: Budget | None = None) -> list[Finding]:
    document = to_document(read_files(traces_in(folder)), budget=budget)
    return [f for f in document.findings if f.rule == RULE]


def the_trace(folder: Path) -> Trace:
    (path,) = traces_in(folder)
    return read_trace(path)


def is_about(cost: Cost, communicators: int, used: int | None = None) -> None:
    """Within a tenth of what the fakes are told to take; threads and descriptors are exact."""
    used = communicators if used is None else used
    assert cost.pinned == pytest.approx(PINNED * communicators, rel=0.1)
    assert cost.shared == pytest.approx(SHM * communicators, rel=0.1)
    assert cost.device == pytest.approx(DEVICE * used, rel=0.1)
    assert cost.host < 0.1 * PINNED * communicators
    assert cost.files == 0
    # One proxy each; with the first kernel comes a thread that the fake device runs it in.
    assert communicators <= cost.threads <= communicators + 2


def only(processes: list[ProcessCost]) -> SiteCost:
    ((site,),) = (p.sites for p in processes)
    return site


@pytest.mark.parametrize("number", [1, 4, 16])
def test_communicators_made_and_used_one_by_one(
    program: list[str], tmp_path: Path, number: int
) -> None:
    site = only(run(program, "i" * number + "r", tmp_path / "trace"))
    assert (site.call, site.made, site.most_ranks) == ("ncclCommInitRank", number, 1)
    assert (site.disturbed, site.unfinished, site.pending) == (0, 0, 0)
    assert site.chain[-1].function == "make"
    is_about(site.total, number)
    assert site.making.device == 0
    assert site.using.device == pytest.approx(DEVICE * number, rel=0.1)
    projected = site.projected(64)
    if number > 1:
        assert projected.pinned == pytest.approx(64 * PINNED, rel=0.1)
        assert projected.shared == pytest.approx(64 * SHM, rel=0.1)
        assert projected.device == pytest.approx(64 * DEVICE, rel=0.1)
        assert site.lines["pinned"].fit > 0.99
    (found,) = findings(tmp_path / "trace")
    assert found.level is Level.NOTE


def test_made_in_a_group_and_used_in_one(program: list[str], tmp_path: Path) -> None:
    """All of them at once: when the group ends."""
    site = only(run(program, "(iiii)(r)", tmp_path / "trace"))
    assert site.made == 4
    is_about(site.total, 4)
    trace = the_trace(tmp_path / "trace")
    assert [(f.phase, f.total) for f in trace.footprints] == [
        (Phase.MAKING, 4),
        (Phase.FIRST_COLLECTIVE, 4),
    ]
    assert {trace.calls[f.call].name for f in trace.footprints} == {"ncclGroupEnd"}
    assert trace.footprints[0].communicators == (1, 2, 3, 4)


def test_split_children_have_a_site_of_their_own(program: list[str], tmp_path: Path) -> None:
    (process,) = run(program, "isssr", tmp_path / "trace")
    sites = {s.call: s for s in process.sites}
    assert {call: s.made for call, s in sites.items()} == {
        "ncclCommInitRank": 1,
        "ncclCommSplit": 3,
    }
    assert sites["ncclCommSplit"].total.pinned == pytest.approx(3 * PINNED, rel=0.1)
    is_about(process.total, 4)


def test_only_the_first_operation_is_measured(program: list[str], tmp_path: Path) -> None:
    run(program, "irmrm", tmp_path / "trace")
    phases = [f.phase for f in the_trace(tmp_path / "trace").footprints]
    assert phases == [Phase.MAKING, Phase.FIRST_COLLECTIVE, Phase.FIRST_MESSAGE]


def test_two_ranks(program: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "trace"
    folder.mkdir()
    environment = preload_environment(os.environ, shim_path(), folder)
    started = []
    for rank in range(2):
        command = [*program, "iiir", str(rank), "2", str(tmp_path / "ids")]
        mine = {**environment, **SIZES, "TMPDIR": str(tmp_path), "RANK": str(rank)}
        started.append(subprocess.Popen(command, env=mine))
    assert [p.wait(60) for p in started] == [0, 0]
    both = costs(folder)
    assert [p.rank for p in both] == [0, 1]
    for process in both:
        (site,) = process.sites
        assert (site.made, site.fewest_ranks, site.most_ranks) == (3, 2, 2)
        assert site.total.pinned == pytest.approx(3 * PINNED, rel=0.1)
        assert site.total.shared == pytest.approx(3 * SHM, rel=0.1)
    (found,) = findings(folder)
    assert found.message.startswith("3 communicators of 2 ranks made here by ncclCommInitRank cost")
    assert found.table is not None
    assert [row[0] for row in found.table.rows] == [
        "making one", "its first operations", "all of a rank, median of 2", "all of a rank, most",
        "64, projected",
    ]  # fmt: skip


def test_two_threads_at_once(program: list[str], tmp_path: Path) -> None:
    """Their sums are right; which of them paid is not known, and said."""
    site = only(run(program, "i2222", tmp_path / "trace"))
    assert site.made == 9
    trace = the_trace(tmp_path / "trace")
    overlapped = [f for f in trace.footprints if f.flags & FootprintFlag.OVERLAPPED]
    assert site.disturbed == len(overlapped)
    if overlapped:
        (found,) = findings(tmp_path / "trace")
        assert "overlapped" in found.reason


def test_a_communicator_that_is_never_finished(program: list[str], tmp_path: Path) -> None:
    """Killed while it waits for a rank that does not come."""
    folder = tmp_path / "trace"
    folder.mkdir()
    environment = {**preload_environment(os.environ, shim_path(), folder), **SIZES}
    command = [*program, "i", "0", "2", str(tmp_path / "ids")]
    process = subprocess.Popen(command, env={**environment, "TMPDIR": str(tmp_path)})
    try:
        for _ in range(3000):
            if list(folder.glob("*.lot")) and the_trace(folder).footprints:
                break
            process.poll()
            signal.sigtimedwait([], 0.01)
    finally:
        process.kill()
        process.wait(30)
    (footprint,) = the_trace(folder).footprints
    assert footprint.before.time_ns
    assert not footprint.after.time_ns
    (found,) = findings(folder)
    assert "1 were still being made when the recording ended" in found.message


def test_what_a_forked_child_does_is_its_own(program: list[str], tmp_path: Path) -> None:
    del program
    script = "import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()"
    record(["python3", "-c", script], os.environ, tmp_path / "trace")
    for path in traces_in(tmp_path / "trace"):
        trace = read_trace(path)
        assert (trace.footprints, trace.environment) == ([], None)


def test_the_environment(program: list[str], tmp_path: Path) -> None:
    (process,) = run(
        program, "i", tmp_path / "trace", NCCL_BUFFSIZE="16777216", NCCL_WORK_FIFO_DEPTH="4194304"
    )
    assert process.version == 22809
    assert process.settings["NCCL_BUFFSIZE"] == "16777216"
    assert process.memory > 0
    assert "PATH" not in process.settings
    (found,) = findings(tmp_path / "trace")
    assert "; NCCL_BUFFSIZE=16777216: bytes in the buffer of each channel and peer" in found.message
    assert (
        "NCCL_WORK_FIFO_DEPTH=4194304 does nothing in NCCL 2.28.9: gone as of 2.22" in found.message
    )


def test_past_the_limit(program: list[str], tmp_path: Path) -> None:
    run(program, "iiiir", tmp_path / "trace")
    for limit, communicators, level in ((600, 64, Level.NOTE), (400, 64, Level.WARNING),
                                        (400, 40, Level.NOTE), (30, 4, Level.WARNING)):  # fmt: skip
        (found,) = findings(tmp_path / "trace", Budget(limit, communicators))
        assert found.level is level, (limit, communicators)
    assert re.search(r"3\d\.\d MiB in process \d+, more than 30\.0 MiB", found.message)
