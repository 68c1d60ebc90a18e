"""The reader of trace files against csrc/trace.h, a golden file, damage and chance."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime_probe import layout, nccl_sequences, records
from runtime_probe.errors import TraceError
from runtime_probe.footprint_records import FootprintFlag, Known, Phase
from runtime_probe.layout import (
    GroupMisuseKind,
    Kind,
    LaunchFlag,
    LockFlag,
    MisuseKind,
    SequenceKind,
    State,
)
from runtime_probe.records import (
    UNKNOWN_PLACE,
    Edge,
    Gate,
    HeldAt,
    HeldLock,
    Misuse,
    Place,
    PythonFrame,
    Started,
    Stat,
    Trace,
)
from runtime_probe.trace import read_trace
from traces import BLOCKING, ENTRY, EXCLUSIVE, SHARED, TRY, Recording

CSRC = Path(__file__).parents[2] / "csrc"
GOLDEN = Path(__file__).parents[1] / "golden" / f"trace-v{layout.VERSION}.hex"
BEFORE = {version: GOLDEN.with_name(f"trace-v{version}.hex") for version in (1, 2, 3)}


def sample(order: str = "<", version: int = layout.VERSION) -> Recording:
    """A bit of everything that *version* has."""
    r = Recording(pid=4711, rank=3, order=order, version=version)
    queue, log = r.named("queue"), r.named("log", Kind.RWLOCK, LockFlag.PSHARED)
    main = r.thread("main", held=[(queue, 0, 0, 1, 0x1234)], waits_for=log)
    worker = r.thread("worker")
    r.edge(main, queue, log, modes=(EXCLUSIVE, SHARED), hows=(BLOCKING, TRY), gates=[(log, SHARED)])
    r.blocked(worker, r.call("cudaFree", 3, 1), [(queue, EXCLUSIVE)], own=log, times=7)
    r.misuse(worker, MisuseKind.EXIT_HELD, queue, holder=main, pc=0x77)
    r.stat(queue, 1, 2, 3, 4, 5, 6, 7)
    r.stat(queue, 10, 20, 30, 40, 50, 60, 70)
    r.counters[1] = 5
    if version == 1:
        return r
    comm = r.communicator(0xC0, 0xFEED, ranks=8, rank=3, collectives=6)
    reduce = r.call("ncclAllReduce", 0, 2 | 16)
    r.nccl_total(comm, reduce, 6, 5, 0, 600, 50, 10, 6, 1, 6)
    for n in range(1, 7):
        r.nccl_call(comm, reduce, n, count=100, end_ns=0 if n == 6 else 9)
    r.group_misuse(worker, GroupMisuseKind.SYNC, r.call("cudaStreamSynchronize", 3, 8))
    if version == 2:
        return r
    large, small = (r.nccl_operation(comm, reduce, elements=n, kind=7) for n in (100, 4))
    r.nccl_sequence(comm, SequenceKind.COLLECTIVES, [large, large, small] * 2, capacity=4)
    outside, host = r.nccl_launch(comm), r.nccl_launch(comm, stream=0, flags=LaunchFlag.HOST)
    r.nccl_sequence(0, SequenceKind.LAUNCHES, [outside] * 5 + [host], capacity=4)
    if version == 3:
        return r
    step, module = (
        r.place("/app/train.py", "Modèle.pas", 12),
        r.place("/app/train.py", "<module>", 0),
    )
    r.stack(("_PyEval_EvalFrameDefault", "ceval.c", 9), python=[step, 0, module | ENTRY])
    r.started, r.starts = [(4712, "/bin/date"), (0, "/bin/none"), (4713, "/bin/sh")], (5, 1, 2)
    return r


def read(tmp_path: Path, data: bytes) -> Trace:
    path = tmp_path / "trace-x.lot"
    path.write_bytes(data)
    return read_trace(path)


def refused(tmp_path: Path, data: bytes) -> str:
    with pytest.raises(TraceError) as caught:
        read(tmp_path, data)
    assert str(caught.value).startswith(f"{tmp_path}/trace-x.lot: ")
    return caught.value.reason


def damage(tmp_path: Path, data: bytes) -> str:
    return read(tmp_path, data).damage


def patched(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


# -- what is read -----------------------------------------------------------------------------


@pytest.mark.parametrize("order", "<>")
def test_everything_is_read(tmp_path: Path, order: str) -> None:
    recording = sample(order)
    trace = read(tmp_path, recording.data())
    header = trace.header
    assert (header.pid, header.rank, header.world_size, header.host) == (4711, 3, -1, "node1")
    assert (header.state, header.command) == (State.EXITED, "/opt/app/trainer --train")
    assert not trace.torn
    assert trace.counters["locks_dropped"] == 5
    assert [(m.path, m.build_id) for m in trace.modules] == [("/opt/app/trainer", "0123abcd")]
    assert [(k.kind, k.flags, k.generation) for k in trace.locks.values()] == [(1, 0, 1), (2, 8, 1)]
    assert [t.name for t in trace.threads.values()] == ["main", "worker"]
    assert trace.threads[1].held == (HeldLock(1, 0, 0, 1, 0x1234),)
    assert trace.threads[1].waits_for == 2
    pc = recording.pc(("take_1_2", "app.cpp", 11))
    assert trace.edges == [Edge(1, 1, 2, 0, 1, 0, 1, 0, 1, pc, 1, (Gate(2, 1, 0),))]
    assert trace.stack(1) == (
        recording.pc(("take_1_2", "app.cpp", 12)),
        recording.pc(("main", "app.cpp", 3)),
    )
    assert trace.stack(99) == ()
    (blocked,) = trace.blocked
    assert (blocked.times, blocked.longest_ns, blocked.own) == (7, 1000, 2)
    assert blocked.held == (HeldAt(1, 0, 0, recording.pc(("wait_here", "app.cpp", 49)), 0),)
    assert trace.misuses == [Misuse(2, MisuseKind.EXIT_HELD, 1, 3, 0, 0x77, 1, 1, 5)]
    assert trace.stats == {1: Stat(10, 20, 30, 40, 50, 60, 70)}
    assert trace.calls[1].name == "cudaFree"


_PCS = st.lists(st.integers(1, 2**48), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whole=_PCS, own=_PCS, data=st.data())
def test_a_stack_on_another_has_its_outermost_frames(
    tmp_path: Path, whole: list[int], own: list[int], data: st.DataObject
) -> None:
    shared = data.draw(st.integers(0, len(whole)))
    recording = Recording()
    base = recording.stack(*whole)
    above, lost = recording.stack_on(base, shared, *own), recording.stack_on(99, 2, *own)
    trace = read_trace(recording.write(tmp_path))
    assert trace.stack(above) == (*own, *whole[len(whole) - shared :])
    assert trace.stack(lost) == tuple(own)


def test_golden_bytes(tmp_path: Path) -> None:
    """The bytes of this version, as they were: neither reader nor writer may drift."""
    data = sample().data()
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(dumped(data))
    assert dumped(data) == GOLDEN.read_text()
    assert read(tmp_path, undumped(GOLDEN.read_text())).edges == read(tmp_path, data).edges


def test_version_1_is_read(tmp_path: Path) -> None:
    """It has no calls of NCCL; all else is where it was."""
    data = undumped(BEFORE[1].read_text())
    assert data == sample(version=1).data()
    old, new = read(tmp_path, data), read(tmp_path, sample().data())
    assert (old.edges, old.blocked, old.misuses) == (new.edges, new.blocked, new.misuses)
    assert old.threads == new.threads
    assert (old.communicators, old.nccl_calls, old.nccl_forgotten) == ({}, [], 0)


def test_version_2_is_read(tmp_path: Path) -> None:
    """It has no sequences."""
    data = undumped(BEFORE[2].read_text())
    assert data == sample(version=2).data()
    old, new = read(tmp_path, data), read(tmp_path, sample().data())
    assert (old.edges, old.blocked, old.threads) == (new.edges, new.blocked, new.threads)
    assert (old.communicators, old.nccl_calls) == (new.communicators, new.nccl_calls)
    assert (old.nccl_operations, old.nccl_launches, old.nccl_sequences) == ({}, {}, {})


def test_version_3_is_read(tmp_path: Path) -> None:
    """It has no frames of Python, and no programs that were started."""
    data = undumped(BEFORE[3].read_text())
    assert data == sample(version=3).data()
    old, new = read(tmp_path, data), read(tmp_path, sample().data())
    assert (old.edges, old.blocked, old.threads) == (new.edges, new.blocked, new.threads)
    assert (old.nccl_operations, old.nccl_sequences) == (new.nccl_operations, new.nccl_sequences)
    assert (old.places, old.python) == ({}, {})
    header = old.header
    assert (header.started, header.started_more, header.forks_unrecorded) == ((), 0, 0)


def test_a_lock_of_which_nothing_is_told_yet(tmp_path: Path) -> None:
    r = Recording()
    lock = r.lock(0x7F12_3456_7890)
    r.thread(waits_for=lock, wait_object=0x7F12_3456_7890)
    r.thread(passing=[0x7F12_3456_7890, 0x5555_0000_1000])
    trace = read_trace(r.write(tmp_path))
    waits, holds = (trace.threads[number] for number in (1, 2))
    assert [each.address for each in holds.passing] == [0x7F12_3456_7890, 0x5555_0000_1000]
    assert {each.kind for each in holds.passing} == {Kind.MUTEX}
    # By whoever waits for it; nobody waits for the other one.
    assert [each.lock for each in holds.held] == [lock]
    assert not waits.held


@pytest.mark.parametrize("order", "<>")
def test_frames_of_python_are_read(tmp_path: Path, order: str) -> None:
    trace = read(tmp_path, sample(order).data())
    (stack,) = trace.python
    assert len(trace.stack(stack)) == 1
    assert trace.python_frames(stack) == (
        PythonFrame(Place("/app/train.py", "Modèle.pas", 12), entry=False),
        PythonFrame(UNKNOWN_PLACE, entry=False),
        PythonFrame(Place("/app/train.py", "<module>", 0), entry=True),
    )
    assert trace.python_frames(99) == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whole=st.lists(st.integers(1, 50), min_size=1, max_size=6), data=st.data())
def test_functions_of_python_may_be_those_of_another_stack(
    tmp_path: Path, whole: list[int], data: st.DataObject
) -> None:
    own = data.draw(st.lists(st.integers(1, 50), max_size=6))
    shared = data.draw(st.integers(1, len(whole)))
    recording = Recording()
    base = recording.stack(1, python=whole)
    above, lost = recording.stack(2), recording.stack(3)
    recording.python_on(above, base, shared, *own)
    recording.python_on(lost, 99, 2, *own)
    trace = read_trace(recording.write(tmp_path))
    assert trace.python[above] == (*own, *whole[len(whole) - shared :])
    assert trace.python[lost] == tuple(own)


@pytest.mark.parametrize("order", "<>")
def test_started_programs_are_read(tmp_path: Path, order: str) -> None:
    """Neither those that could not be started, nor those that there was no room for, have names."""
    header = read(tmp_path, sample(order).data()).header
    assert header.started == (Started(4712, "/bin/date"), Started(4713, "/bin/sh"))
    assert (header.started_more, header.forks_unrecorded) == (5, 2)


def test_a_started_program_without_its_last_byte(tmp_path: Path) -> None:
    r = Recording()
    r.started = [(7, "x" * layout.STARTED_PATH)] * layout.MAX_STARTED
    header = read(tmp_path, r.data()).header
    assert header.started == (Started(7, "x" * layout.STARTED_PATH),) * layout.MAX_STARTED


@pytest.mark.parametrize("order", "<>")
def test_calls_of_nccl_are_read(tmp_path: Path, order: str) -> None:
    trace = read(tmp_path, sample(order).data())
    (comm,) = trace.communicators.values()
    assert (comm.address, comm.unique, comm.ranks, comm.rank) == (0xC0, 0xFEED, 8, 3)
    assert (comm.parent, comm.collectives, comm.color) == (0, 6, -1)
    (total,) = trace.nccl_totals
    assert (total.communicator, total.begun, total.ended, total.last_order) == (1, 6, 5, 6)
    calls = trace.nccl_calls
    assert [(c.number, c.order, c.elements, c.status) for c in calls] == [
        (3, 3, 100, 0), (4, 4, 100, 0), (5, 5, 100, 0), (6, 6, 100, -1)
    ]  # fmt: skip
    assert (calls[0].stream, calls[0].pc, calls[0].type, calls[0].root) == (0x57, 0x99, 7, -1)
    assert trace.nccl_forgotten == 2
    (misuse,) = trace.group_misuses
    assert (misuse.thread, misuse.kind, misuse.depth) == (2, GroupMisuseKind.SYNC, 1)
    assert trace.calls[misuse.call].name == "cudaStreamSynchronize"


def test_entries_whose_writer_was_stopped(tmp_path: Path) -> None:
    """What was being filled is no call; one that was being ended has not returned."""
    r = Recording()
    r.nccl_call(1, 1)
    r.nccl_call(1, 1, state=layout.ENTRY_FILLED)
    r.nccl_call(1, 1, state=layout.ENTRY_ENDED)
    r.nccl_call(1, 1, again=8)  # its next writer has come
    trace = read(tmp_path, r.data())
    assert [(c.number, c.end_ns, c.status) for c in trace.nccl_calls] == [(1, 9, 0), (3, 0, -1)]
    assert trace.nccl_forgotten == 2


def test_a_ring_that_cannot_be(tmp_path: Path) -> None:
    r = Recording()
    r.nccl_call(1, 1)
    data = r.data()
    at = len(data) - layout.PAGE + layout.LITTLE.block.size
    assert "a ring of 4 entries of 95 bytes" in damage(tmp_path, patched(data, at, b"\x5f"))
    assert "a ring of 255 entries" in damage(tmp_path, patched(data, at + 4, b"\xff"))
    assert "a ring of 0 entries" in damage(tmp_path, patched(data, at + 4, b"\0"))


def dumped(data: bytes) -> str:
    """Offset and bytes, 32 a line; lines of zeros left out, the size at the end."""
    lines = [
        f"{at:06x} {data[at : at + 32].hex()}"
        for at in range(0, len(data), 32)
        if any(data[at : at + 32])
    ]
    return "\n".join([*lines, f"{len(data):06x}"]) + "\n"


def undumped(text: str) -> bytes:
    *lines, size = text.split("\n")[:-1]
    data = bytearray(int(size, 16))
    for line in lines:
        at, raw = line.split(" ")
        data[int(at, 16) : int(at, 16) + 32] = bytes.fromhex(raw)
    return bytes(data)


def test_the_layout_is_that_of_the_header_file(tmp_path: Path, c_compiler: list[str]) -> None:
    form = layout.LITTLE
    head = form.record.size
    started_at = form.header.size + form.starts.size
    sizes = {
        "struct lo_header": started_at + layout.MAX_STARTED * form.started.size,
        "struct lo_started": form.started.size,
        "struct lo_block": form.block.size,
        "struct lo_held_lock": form.held.size,
        "struct lo_gate": form.gate.size,
        "struct lo_record": head,
        "struct lo_module_record": head + form.module.size,
        "struct lo_stack_record": head + form.stack.size,
        "struct lo_stack_on_record": head + form.stack_on.size,
        "struct lo_place_record": head + form.place.size,
        "struct lo_python_record": head + form.python.size,
        "struct lo_lock_record": head + form.lock.size,
        "struct lo_edge_record": head + form.edge.size,
        "struct lo_blocked_record": head + form.blocked.size,
        "struct lo_held_stack": form.held_stack.size,
        "struct lo_misuse_record": head + form.misuse.size,
        "struct lo_stat_record": head + form.stat.size,
        "struct lo_name_record": head + form.name.size,
        "struct lo_communicator_record": head + form.communicator.size,
        "struct lo_nccl_total_record": head + form.nccl_total.size,
        "struct lo_group_misuse_record": head + form.group_misuse.size,
        "struct lo_nccl_entry": form.entry.size,
        "struct lo_nccl_operation_record": head + form.nccl_operation.size,
        "struct lo_nccl_launch_record": head + form.nccl_launch.size,
        "struct lo_sequence_record": head + form.nccl_sequence.size,
        "struct lo_token": 8,
        "struct lo_usage": form.usage.size,
        "struct lo_footprint_record": head + form.footprint.size + 2 * form.usage.size,
        "struct lo_environment_record": head + form.environment.size,
    }
    values: dict[str, int] = {
        "offsetof(struct lo_header, allocated)": 88,
        "offsetof(struct lo_header, host)": form.header.size - 864,
        "offsetof(struct lo_header, started_count)": form.header.size,
        "offsetof(struct lo_header, started)": started_at,
        "offsetof(struct lo_started, path)": form.started.size - layout.STARTED_PATH,
        "LO_MAX_STARTED": layout.MAX_STARTED,
        "offsetof(struct lo_thread_area, held)": layout.AREA_HELD,
        "offsetof(struct lo_thread_area, reserved)": form.block.size + form.area.size,
        "LO_MAX_HELD": layout.MAX_HELD,
        "LO_COUNTERS_USED": len(layout.COUNTER_NAMES),
        "LO_PLACES_DROPPED": layout.COUNTER_NAMES.index("places_dropped"),
        "LO_FORKED": layout.HeaderFlag.FORKED,
        "LO_PYTHON_LOADED": layout.HeaderFlag.PYTHON,
        "LO_PYTHON_READ": layout.HeaderFlag.PYTHON_READ,
        "LO_PYTHON_UNKNOWN": layout.HeaderFlag.PYTHON_UNKNOWN,
        "LO_TRACE_VERSION": layout.VERSION,
        "LO_BLOCK_MAGIC": layout.BLOCK_MAGIC,
        "LO_GROUP_MISUSE": layout.RecordType.GROUP_MISUSE,
        "offsetof(struct lo_communicator_record, end_ns)": head + form.communicator.size - 24,
        "offsetof(struct lo_nccl_total_record, begun)": head + form.nccl_total.size - 72,
        "offsetof(struct lo_nccl_ring, entry)": form.block.size + form.ring.size,
        "offsetof(struct lo_nccl_entry, again)": form.entry.size - 8,
        "offsetof(struct lo_nccl_entry, communicator)": 56,
        "LO_ENTRY_ENDED": layout.ENTRY_ENDED,
        "offsetof(struct lo_nccl_operation_record, type)": head + form.nccl_operation.size - 8,
        "offsetof(struct lo_nccl_operation_record, root)": 36,
        "offsetof(struct lo_nccl_launch_record, grouped)": head + form.nccl_launch.size - 4,
        "offsetof(struct lo_sequence_record, used)": head + form.nccl_sequence.size - 4,
        "offsetof(struct lo_sequence_record, token)": head + form.nccl_sequence.size,
        "LO_NCCL_SEQUENCE": layout.RecordType.NCCL_SEQUENCE,
        "LO_LAUNCHES": SequenceKind.LAUNCHES,
        "LO_LAUNCH_HOST": LaunchFlag.HOST,
        "LO_WINDOW": nccl_sequences.WINDOW,
        "LO_TOKEN_COPY": nccl_sequences.COPY,
        "LO_GROUP_EXIT": GroupMisuseKind.EXIT,
        "offsetof(struct lo_footprint_record, before)": head + form.footprint.size,
        "offsetof(struct lo_usage, threads)": form.usage.size - 16,
        "LO_FOOTPRINT": layout.RecordType.FOOTPRINT,
        "LO_ENVIRONMENT": layout.RecordType.ENVIRONMENT,
        "LO_FIRST_MESSAGE": Phase.FIRST_MESSAGE,
        "LO_KNOWS_GPU": Known.DEVICE,
        "LO_FAILED": FootprintFlag.FAILED,
        "offsetof(struct lo_python_record, entry)": head + form.python.size,
        "LO_PLACE": layout.RecordType.PLACE,
        "LO_PYTHON": layout.RecordType.PYTHON,
        "LO_PYTHON_ENTRY": records._ENTRY,
        "LO_KIND_PYTHON_LOCK": Kind.PYTHON_LOCK,
        "LO_SELF_DEADLOCK": MisuseKind.SELF_DEADLOCK,
        "LO_WAIT_NOT_HELD": MisuseKind.WAIT_NOT_HELD,
        "LO_ON_STACK": LockFlag.ON_STACK,
        **{f"LO_CALL_{f.name}": f.value for f in layout.CallFlag},
        "LO_TIMED": layout.MAX_HOW,
        **{f"LO_WAITS_{w.name}": w for w in layout.WaitsFor if w},
        "LO_WAITS_NOT": layout.WaitsFor.NOTHING,
    }
    values |= {f"sizeof({name})": size for name, size in sizes.items()}
    checks = "\n".join(f'_Static_assert({c} == {v}, "{c}");' for c, v in values.items())
    source = tmp_path / "layout.c"
    source.write_text(f'#include <stddef.h>\n#include "trace.h"\n{checks}\n')
    command = [*c_compiler, "-std=c11", "-fsyntax-only", f"-I{CSRC}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# -- torn: what is complete counts ------------------------------------------------------------


def test_a_running_process_is_not_torn(tmp_path: Path) -> None:
    recording = sample()
    recording.state = State.RUNNING
    trace = read(tmp_path, recording.data())
    assert (trace.header.state, trace.torn) == (State.RUNNING, False)


def test_every_shorter_file_keeps_what_is_complete(tmp_path: Path) -> None:
    data = sample().data()
    whole = read(tmp_path, data)
    for size in range(layout.PAGE, len(data), 40):
        trace = read(tmp_path, data[:size])
        assert trace.torn
        assert trace.edges == whole.edges[: len(trace.edges)]
        assert all(trace.stack(n) == whole.stack(n) for n in trace.stacks())
    assert len(read(tmp_path, data[: len(data) - 2 * layout.PAGE + 40]).modules) == 0


def test_a_block_that_was_never_begun_is_skipped(tmp_path: Path) -> None:
    data = sample().data()
    empty = data[: layout.PAGE] + bytes(2 * layout.PAGE) + data[layout.PAGE :]
    grown = patched(empty, 88, (len(empty)).to_bytes(8, "little"))
    assert read(tmp_path, grown).edges == read(tmp_path, data).edges


def test_what_lies_beyond_the_allocated_part_is_not_read(tmp_path: Path) -> None:
    data = sample().data()
    trace = read(tmp_path, data + b"\xff" * layout.PAGE)
    assert (trace.torn, len(trace.edges)) == (False, 1)


# -- refused ----------------------------------------------------------------------------------


def test_foreign_files(tmp_path: Path) -> None:
    data = sample().data()
    assert "not a trace" in refused(tmp_path, b"#!/bin/sh\n" * 1000)
    assert "not a trace" in refused(tmp_path, b"LOX")
    assert refused(tmp_path, b"") == "torn: it is empty"
    assert "less than a header" in refused(tmp_path, data[:100])
    assert "less than a header" in refused(tmp_path, data[: layout.PAGE - 1])
    assert "version 5" in refused(tmp_path, patched(data, 8, b"\5"))
    assert "32 bits" in refused(tmp_path, patched(data, 16, b"\4"))
    assert "byte order" in refused(tmp_path, patched(data, 20, b"\1\1\1\1"))
    assert "header of" in refused(tmp_path, patched(data, 12, b"\xff\xff"))
    assert "state" in refused(tmp_path, patched(data, 72, b"\x09"))
    assert "allocated" in refused(tmp_path, patched(data, 88, bytes(8)))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for make in (lambda p: None, Path.mkdir, os.mkfifo):
        path = tmp_path / f"trace-{make.__name__.strip('<>')}.lot"
        make(path)
        with pytest.raises(TraceError):
            read_trace(path)


@pytest.mark.parametrize(
    ("where", "new", "reason"),
    [
        (0, b"\x13", "no block begins"),
        (4, b"\x63", "kind 99"),
        (6, b"\xff\xff", "65535 pages"),
        (6, b"\0\0", "0 pages"),
        (12, b"\xff\xff\xff\x7f", "bytes used"),
        (32, b"\x63", "type 99"),
        (34, b"\x07", "record of 7 bytes"),
        (34, b"\xf8\xff", "record of 65528 bytes"),
        (32 + 8 + 24, b"\xff\xff", "module record"),
    ],
)
def test_numbers_that_cannot_be(tmp_path: Path, where: int, new: bytes, reason: str) -> None:
    recording = Recording()
    recording.edge(1, recording.named("a"), recording.named("b"))
    assert reason in damage(tmp_path, patched(recording.data(), layout.PAGE + where, new))


def _counts(change: Callable[[Recording], None]) -> bytes:
    recording = Recording()
    change(recording)
    return recording.data()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (layout.RecordType.STACK, layout.LITTLE.stack.pack(1000, 0)),
        (layout.RecordType.PLACE, layout.LITTLE.place.pack(1, 300, 300)),
        (layout.RecordType.PYTHON, layout.LITTLE.python.pack(1000, 0, 0, 0)),
        (layout.RecordType.PYTHON, b""),
        (layout.RecordType.LOCK, layout.LITTLE.lock.pack(9, 0, 0, 1, 0, 0, 0, 0)),
        (layout.RecordType.EDGE, layout.LITTLE.edge.pack(1, 2, 0, 0, 0, 0, 9, 0, 0, 0, 0)),
        (layout.RecordType.EDGE, layout.LITTLE.edge.pack(1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0)),
        (layout.RecordType.EDGE, layout.LITTLE.edge.pack(1, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0)),
        (layout.RecordType.EDGE, b""),
        (layout.RecordType.BLOCKED, layout.LITTLE.blocked.pack(1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        (layout.RecordType.MISUSE, layout.LITTLE.misuse.pack(9, 1, 0, 0, 0, 0, 0, 0)),
        (layout.RecordType.STAT, b"\0" * 8),
        (layout.RecordType.NAME, layout.LITTLE.name.pack(500, 0, 0)),
        (layout.RecordType.NAME, layout.LITTLE.name.pack(0, 7, 0)),
        (layout.RecordType.COMMUNICATOR, b"\0" * 8),
        (layout.RecordType.NCCL_TOTAL, b"\0" * 8),
        (layout.RecordType.NCCL_OPERATION, b"\0" * 8),
        (layout.RecordType.NCCL_LAUNCH, b"\0" * 8),
        (layout.RecordType.NCCL_SEQUENCE, b"\0" * 8),
        (layout.RecordType.NCCL_SEQUENCE, layout.LITTLE.nccl_sequence.pack(1, 1, 2, 0) + bytes(8)),
        (layout.RecordType.NCCL_SEQUENCE, layout.LITTLE.nccl_sequence.pack(1, 1, 1, 2) + bytes(8)),
        (layout.RecordType.NCCL_SEQUENCE, layout.LITTLE.nccl_sequence.pack(1, 9, 1, 1) + bytes(8)),
        (layout.RecordType.GROUP_MISUSE, layout.LITTLE.group_misuse.pack(9, 0, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_records_that_cannot_be(tmp_path: Path, kind: int, body: bytes) -> None:
    name = layout.RecordType(kind).name.lower()
    assert f"a {name} record" in damage(tmp_path, _counts(lambda r: r.record(kind, 1, body)))


# -- chance -----------------------------------------------------------------------------------

_SAMPLES = [sample("<").data(), sample(">").data()]
_TOUCH = st.tuples(
    st.integers(0, len(_SAMPLES[0]) - 1),
    st.binary(min_size=1, max_size=8) | st.just(b"\xff" * 4) | st.just(bytes(4)),
)


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.sampled_from(_SAMPLES),
    touches=st.lists(_TOUCH, min_size=1, max_size=6),
    used=st.lists(st.integers(0, 1500), max_size=4),
    cut=st.none() | st.integers(0, len(_SAMPLES[0])),
)
def test_damage_is_a_trace_error_or_a_trace(
    tmp_path: Path, data: bytes, touches: list[tuple[int, bytes]], used: list[int], cut: int | None
) -> None:
    for at, new in touches:
        data = patched(data, at, new)
    for at in used:  # where there is something to break: headers and records
        place = at if at % 2 else 5 * layout.PAGE + at
        data = patched(data, place, b"\x7f\xff")
    path = tmp_path / "trace-x.lot"
    path.write_bytes(data if cut is None else data[:cut])
    started = time.perf_counter()
    try:
        trace = read_trace(path)
    except TraceError:
        pass
    else:
        assert all(isinstance(pc, int) for n in trace.stacks() for pc in trace.stack(n))
        assert len(trace.nccl_calls) <= 4
    assert time.perf_counter() - started < 2


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rest=st.binary(max_size=2000))
def test_any_bytes_after_a_header(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "trace-x.lot"
    block = layout.LITTLE.block.pack(layout.BLOCK_MAGIC, 1, 1, 1, 32 + len(rest), 0, 0)
    path.write_bytes(_SAMPLES[0][: layout.PAGE] + (block + rest).ljust(layout.PAGE, b"\0"))
    trace = read_trace(path)
    assert trace.torn  # the header promises more blocks
    assert trace.damage.startswith("damaged: ") or not trace.damage
