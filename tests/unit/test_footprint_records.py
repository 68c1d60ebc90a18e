"""Footprint and environment records: what is read of them, and what damage does to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.recorded.analyse import read_files, to_document
from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.footprint_records import FootprintFlag, Known, Phase, Usage
from runtime_probe.records import Trace
from runtime_probe.trace import read_trace
from traces import Program, Recording

NOTHING = Usage(*[0] * 16, Known(0))
BEFORE = Usage(*range(1, 17), Known.STATUS | Known.MAPS)
AFTER = Usage(*range(101, 117), Known.STATUS | Known.DEVICE)
SETTINGS = {"NCCL_BUFFSIZE": "8388608", "NCCL_DEBUG": "a=b"}


def sample(order: str = "<") -> Recording:
    recording = Recording(order=order, rank=3)
    made_by = recording.call("ncclGroupEnd", 4, 2 | 512)
    stack = recording.stack(("make", "app.cpp", 40), ("main", "app.cpp", 3))
    ids = [recording.communicator(0xC0 + n, n + 1, ranks=2, rank=0) for n in range(3)]
    recording.environment({"NCCL_BUFFSIZE": "1"}, version=22105)
    recording.footprint(ids, BEFORE, AFTER, call=made_by, stack=stack, flags=1)
    recording.footprint(ids[1:2], BEFORE, NOTHING, phase=Phase.FIRST_MESSAGE)
    recording.environment(SETTINGS, limit=1 << 34)
    return recording


def read(folder: Path, data: bytes) -> Trace:
    path = folder / "trace-node1-1-0.lot"
    path.write_bytes(data)
    return read_trace(path)


@pytest.mark.parametrize("order", "<>")
def test_everything_is_read(tmp_path: Path, order: str) -> None:
    trace = read(tmp_path, sample(order).data())
    assert not trace.damage
    made, used = trace.footprints
    assert made.communicators == (1, 2, 3)
    assert (made.phase, made.total, made.flags) == (Phase.MAKING, 3, FootprintFlag.OVERLAPPED)
    assert (made.before, made.after) == (BEFORE, AFTER)
    assert trace.stack(made.stack)
    assert (used.communicators, used.phase, used.after) == ((2,), Phase.FIRST_MESSAGE, NOTHING)
    environment = trace.environment
    assert environment is not None
    assert environment.settings == SETTINGS
    assert (environment.nccl_version, environment.memory_limit) == (22809, 1 << 34)


def test_a_process_without_nccl_has_none(tmp_path: Path) -> None:
    trace = read(tmp_path, Recording().data())
    assert (trace.footprints, trace.environment) == ([], None)


def _record(data: bytes, kind: layout.RecordType) -> int:
    """Where the first record of that type is."""
    form = layout.LITTLE
    at = layout.PAGE + form.block.size
    while True:
        found, size, _ = form.record.unpack_from(data, at)
        if found == kind:
            return at + form.record.size
        at += size


@pytest.mark.parametrize(
    ("kind", "offset", "value"),
    [
        (layout.RecordType.FOOTPRINT, 0, b"\0\0"),  # phases
        (layout.RecordType.FOOTPRINT, 0, b"\4\0"),
        (layout.RecordType.FOOTPRINT, 16, b"\2\0\0\0"),  # fewer than are listed
        (layout.RecordType.FOOTPRINT, 20, b"\0\0\0\0"),
        (layout.RecordType.FOOTPRINT, 20, b"\xff\xff\xff\x7f"),
        (layout.RecordType.FOOTPRINT, 24 + 256, b"\7\0\0\0"),  # another one than the record's
        (layout.RecordType.ENVIRONMENT, 4, b"\xff\0\0\0"),
        (layout.RecordType.ENVIRONMENT, 4, b"\xff\xff\xff\xff"),
    ],
)
def test_numbers_that_cannot_be_are_damage(
    tmp_path: Path, kind: layout.RecordType, offset: int, value: bytes
) -> None:
    data = sample().data()
    at = _record(data, kind) + offset
    trace = read(tmp_path, data[:at] + value + data[at + len(value) :])
    assert trace.damage.startswith(f"damaged: a {kind.name.lower()} record at byte")


def test_a_file_that_ends_anywhere(tmp_path: Path) -> None:
    data = sample().data()
    whole = read(tmp_path, data)
    for end in range(_record(data, layout.RecordType.FOOTPRINT) - 16, len(data), 24):
        trace = read(tmp_path, data[:end])
        assert trace.footprints == whole.footprints[: len(trace.footprints)]
        assert not trace.damage


def test_analysis_takes_a_flipped_byte_anywhere(tmp_path: Path) -> None:
    data = sample().data()
    path = tmp_path / "trace-node1-1-0.lot"
    begin = _record(data, layout.RecordType.ENVIRONMENT)
    for at in range(begin, begin + 1200, 3):
        for flip in (0x01, 0x80, 0xFF):
            path.write_bytes(data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :])
            try:
                read_trace(path)
            except TraceError:
                continue
            to_document(read_files([path], Program()))
