"""Traces while they are written: which one is a process's latest, and how much of it is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.layout import State, WaitsFor
from runtime_probe.live import LiveRun, LiveTrace, latest_traces
from runtime_probe.trace import read_trace
from traces import Recording

HOST = os.uname().nodename.replace("/", "_")[:63]


def recording(pid: int = 0, threads: int = 1) -> Recording:
    made = Recording(pid=pid or os.getpid(), host=HOST)
    made.state = State.RUNNING
    lock = made.named("queue")
    for number in range(threads):
        made.thread(f"worker-{number}", held=[(lock, 0, 0, 1, 0x1234)] * (number % 40))
    return made


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of what is read from traces."""
    sizes: list[int] = []
    read = os.pread

    def counted(descriptor: int, size: int, at: int) -> bytes:
        sizes.append(size)
        return read(descriptor, size, at)

    monkeypatch.setattr(os, "pread", counted)
    return sizes


def test_a_live_look_is_what_the_reader_reads(tmp_path: Path) -> None:
    made = recording(threads=40)
    made.edge(1, made.named("queue"), made.named("log"))
    path = made.write(tmp_path)
    whole, live = read_trace(path), LiveTrace(path).look()
    assert live.header == whole.header
    assert live.counters == whole.counters
    assert live.threads == tuple(whole.threads.values())


def test_threads_that_ended_are_read_once(tmp_path: Path, bytes_read: list[int]) -> None:
    made = recording()
    for _ in range(50):
        made.thread("gone", end_ns=5)
    trace = LiveTrace(made.write(tmp_path))
    assert [t.name for t in trace.look().threads] == ["worker-0"]
    bytes_read.clear()
    assert [t.name for t in trace.look().threads] == ["worker-0"]
    assert len(bytes_read) == 2  # the header and one area


def test_the_call_that_a_thread_is_in_has_its_name(tmp_path: Path) -> None:
    made = recording()
    number = made.call("ncclGroupEnd", WaitsFor.RANKS, 2)
    data = bytearray(made.data())
    form = layout.LITTLE
    area = layout.PAGE + form.block.size
    fields = list(form.area.unpack_from(data, area))
    fields[12] = number
    form.area.pack_into(data, area, *fields)
    path = tmp_path / "trace-x-1-0.lot"
    path.write_bytes(data)
    live = LiveTrace(path).look()
    call = live.call(live.threads[0])
    assert call is not None
    assert (call.name, call.waits_for) == ("ncclGroupEnd", WaitsFor.RANKS)


def test_a_long_trace_costs_no_more_than_a_short_one(tmp_path: Path, bytes_read: list[int]) -> None:
    made = recording()
    path = made.write(tmp_path)
    form = layout.LITTLE
    trace = LiveTrace(path)
    trace.look()
    with path.open("r+b") as file:  # 64 MiB of records, two pages a block as the shim writes them
        start = file.seek(0, os.SEEK_END)
        end = start + (64 << 20)
        file.truncate(end)
        for at in range(start, end, 16 * layout.PAGE):
            file.seek(at)
            file.write(form.block.pack(layout.BLOCK_MAGIC, 1, 16, 1, form.block.size, 0, 0))
        file.seek(88)
        file.write(end.to_bytes(8, "little"))
    bytes_read.clear()
    trace.look()
    assert sum(bytes_read) < 64 << 10
    bytes_read.clear()
    trace.look()
    assert sum(bytes_read) <= layout.PAGE + 512


def test_a_block_that_is_being_begun_is_taken_up_later(tmp_path: Path) -> None:
    made = recording()
    path = made.write(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[: layout.PAGE] + bytes(4) + data[layout.PAGE + 4 :])
    trace = LiveTrace(path)
    assert trace.look().threads == ()
    path.write_bytes(data)
    assert len(trace.look().threads) == 1


@pytest.mark.parametrize("data", [b"", b"#!/bin/sh\n" * 1000])
def test_what_is_no_trace_is_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "trace-x-1-0.lot"
    path.write_bytes(data)
    with pytest.raises(TraceError):
        LiveTrace(path).look()


def test_the_latest_trace_has_the_highest_number() -> None:
    pid = os.getpid()
    names = [f"trace-node-1-{pid}-{n}.lot" for n in (0, 1, 10, 2, 9)]
    assert latest_traces(names, "node-1") == {pid: [f"trace-node-1-{pid}-10.lot"]}


def test_only_living_processes_of_this_host() -> None:
    pid = os.getpid()
    names = [f"trace-rank0-other-{pid}-0.lot", f"trace-here-{1 << 30}-0.lot", "trace-junk.lot"]
    assert latest_traces(names, "here") == {}
    assert latest_traces(names, "other") == {pid: [names[0]]}


@pytest.mark.parametrize("later", ["", "rank3-"])
def test_after_exec_with_another_rank_the_later_start_counts(tmp_path: Path, later: str) -> None:
    pid = os.getpid()
    fields = list(layout.LITTLE.header.unpack_from(recording().data()))
    for rank in ("", "rank3-"):
        fields[13] = 9 if rank == later else 5  # start_monotonic_ns
        head = layout.LITTLE.header.pack(*fields).ljust(layout.PAGE, b"\0")
        (tmp_path / f"trace-{rank}{HOST}-{pid}-0.lot").write_bytes(head)
    run = LiveRun(tmp_path)
    assert [p.path.name for p in run.look()] == [f"trace-{later}{HOST}-{pid}-0.lot"]


def test_processes_that_ended_stay_in_the_count(tmp_path: Path) -> None:
    old = recording(pid=1 << 29).write(tmp_path)
    run = LiveRun(tmp_path, [old])
    recording(pid=1 << 30).write(tmp_path)
    recording().write(tmp_path)
    assert [p.header.pid for p in run.look()] == [os.getpid()]
    assert sorted(h.pid for h, _ in run.heads.values()) == [os.getpid(), 1 << 30]
