"""Timelines of recorded processes: what has times, what is a bound, what a result keeps."""

from __future__ import annotations

from pathlib import Path

from lockorder.model import Span, SpanKind, Timeline, decode, encode
from lockorder.recorded.analyse import analyse, read_files, to_document
from lockorder.recorded.merge import Batch
from lockorder.recorded.moments import AT_LEAST, REPEATED, SINCE_ASKED, SINCE_WAIT
from lockorder.recorded.parts import MAX_PROCESSES
from lockorder.recorded.timeline import MAX_SPANS, read_whole
from runtime_probe.layout import CallFlag, MisuseKind, State, WaitsFor
from traces import BLOCKING, SHARED, Program, Recording

JOIN, NCCL = int(WaitsFor.THREAD), int(CallFlag.COLLECTIVE | CallFlag.LAUNCH)
#: When the recordings of `traces` begin, on both clocks.
REAL, MONOTONIC = 10**18, 10**9


def timeline(tmp_path: Path, *recordings: Recording) -> Timeline:
    paths = [each.write(tmp_path) for each in recordings]
    found = read_whole(paths, recordings[0].program).timeline
    assert found is not None
    return found


def of(found: Timeline, *kinds: SpanKind) -> list[Span]:
    return [span for span in found.spans if span.kind in kinds]


def deadlock(program: Program | None = None, pid: int = 100, rank: int = 0) -> Recording:
    """Two threads that took a and b in opposite orders, and wait for each other; killed."""
    run = Recording(program, pid=pid, rank=rank)
    run.state = State.RUNNING
    a, b = run.named("a"), run.named("b")
    run.thread("one", [(a, 0, BLOCKING, 1, 0)], b, start_ns=100, wait_since_ns=2000)
    run.thread("two", [(b, 0, BLOCKING, 1, 0)], a, start_ns=200, wait_since_ns=3000)
    run.edge(1, a, b)
    run.edge(2, b, a)
    return run


def test_threads_that_wait_for_each_other(tmp_path: Path) -> None:
    found = timeline(tmp_path, deadlock())
    first = found.first_ns - (REAL - MONOTONIC)
    waits = of(found, SpanKind.WAIT)
    assert [(s.thread, s.lock, s.start_ns + first, s.end_ns) for s in waits] == [
        ("100:100 one", "b", 2000, 0),
        ("100:101 two", "a", 3000, 0),
    ]
    assert [s.held for s in waits] == [("a",), ("b",)]
    holds = of(found, SpanKind.HOLD)
    # The second lock is known to be held for longer than its own thread waits.
    assert [(s.lock, s.start_ns + first, s.end_ns, s.approximate) for s in holds] == [
        ("a", 2000, 0, SINCE_WAIT),
        ("b", 2000, 0, SINCE_ASKED),
    ]
    assert {(a.lock, a.from_thread, a.from_ns + first, a.to_thread, a.to_ns + first)
            for a in found.arrows} == {
        ("a", "100:100 one", 2000, "100:101 two", 3000),
        ("b", "100:101 two", 2000, "100:100 one", 2000),
    }  # fmt: skip


def test_readers_do_not_wait_for_readers(tmp_path: Path) -> None:
    run = Recording()
    run.state = State.RUNNING
    a = run.named("a")
    run.thread("one", [(a, SHARED, BLOCKING, 1, 0)], start_ns=1)
    run.thread("two", (), a, start_ns=2, wait_since_ns=9, wait_how=SHARED)
    found = timeline(tmp_path, run)
    assert not found.arrows
    assert not of(found, SpanKind.HOLD)
    assert found.notes == ("not in it: locks that are held at the end, since an unknown time: 1",)


def test_a_process_that_ended_ends_what_went_on(tmp_path: Path) -> None:
    run = Recording()
    a = run.named("a")
    run.thread("daemon", (), a, start_ns=5, wait_since_ns=7)
    found = timeline(tmp_path, run)
    assert {s.end_ns for s in found.spans} == {found.last_ns} == {2 * 10**9 - 4}


def test_one_call_is_told_with_what_was_held_and_many_as_one(tmp_path: Path) -> None:
    run = Recording()
    a = run.named("a")
    wait = run.call("cudaStreamSynchronize", int(WaitsFor.GPU))
    run.thread("main", start_ns=1, end_ns=10_000)
    run.blocked(1, wait, [(a, 0)], longest_ns=50, time_ns=100, last_ns=98)
    run.blocked(1, wait, [(a, 0)], times=7, longest_ns=50, time_ns=200, last_ns=900)
    found = timeline(tmp_path, run)
    one, many = of(found, SpanKind.BLOCK)
    assert (one.start_ns, one.end_ns, one.held, one.approximate) == (98, 148, ("a",), "")
    assert (many.start_ns, many.end_ns, many.times, many.approximate) == (200, 900, 7, REPEATED)
    assert many.detail == "7 calls, 350 ns together, the longest 50 ns"
    (hold,) = of(found, SpanKind.HOLD)
    assert (hold.start_ns, hold.end_ns, hold.approximate) == (98, 148, AT_LEAST)
    assert hold.chain[-1].line == 49


def test_the_mutex_that_a_condition_gives_up_is_not_held(tmp_path: Path) -> None:
    run = Recording()
    a, b = run.named("a"), run.named("b")
    wait = run.call("pthread_cond_wait", int(WaitsFor.CONDITION))
    run.thread("main", start_ns=1, end_ns=10_000)
    run.blocked(1, wait, [(a, 0), (b, 0)], own=b, time_ns=100)
    assert [s.lock for s in of(timeline(tmp_path, run), SpanKind.HOLD)] == ["a"]


def test_a_call_of_nccl_is_told_once(tmp_path: Path) -> None:
    run = Recording()
    a = run.named("a")
    reduce = run.call("ncclAllReduce", 0, NCCL)
    run.thread("main", start_ns=1, end_ns=10_000)
    comm = run.communicator(0x10, 0xABC)
    run.nccl_call(comm, reduce, 3, count=64, begin_ns=100, end_ns=180)
    run.blocked(1, reduce, [(a, 0)], longest_ns=70, time_ns=105)
    (call,) = of(timeline(tmp_path, run), SpanKind.COLLECTIVE)
    assert (call.start_ns, call.end_ns, call.held) == (100, 180, ("a",))
    assert call.detail == "communicator 0000000000000abc, operation 3, 64 elements of float32"


def test_a_join_points_at_who_is_waited_for(tmp_path: Path) -> None:
    run = Recording()
    run.state = State.RUNNING
    join = run.call("pthread_join", JOIN)
    run.thread("main", start_ns=1, wait_call=join, wait_since_ns=50, wait_object=0x77)
    run.thread("worker", start_ns=10, pthread=0x77)
    found = timeline(tmp_path, run)
    (arrow,) = found.arrows
    assert (arrow.from_thread, arrow.from_ns, arrow.to_thread, arrow.to_ns, arrow.lock) == (
        "100:101 worker", 10, "100:100 main", 50, "",
    )  # fmt: skip


def test_moments(tmp_path: Path) -> None:
    run = Recording()
    a, b, c = run.named("a"), run.named("b"), run.named("c")
    run.thread("main", start_ns=1)
    run.edge(1, a, b, gates=[(c, 0)])
    run.misuse(1, MisuseKind.UNLOCK_NOT_HELD, a)
    found = timeline(tmp_path, run)
    order, misuse = of(found, SpanKind.ORDER, SpanKind.MISUSE)
    assert (order.lock, order.held, order.start_ns, order.end_ns) == ("b", ("a", "c"), 1, 1)
    assert (misuse.lock, misuse.name) == ("a", "unlocks what it does not hold")


def test_times_that_cannot_be_are_left_out(tmp_path: Path) -> None:
    run = Recording()
    run.thread("main", start_ns=5, end_ns=9)
    run.thread("wrong", start_ns=1 << 63)
    found = timeline(tmp_path, run)
    assert [s.thread for s in found.spans] == ["100:100 main"]
    run = Recording()
    run.thread("wrong", start_ns=5, end_ns=1 << 62)
    assert read_whole([run.write(tmp_path)]).timeline is None


def test_a_result_keeps_what_the_findings_speak_of(tmp_path: Path) -> None:
    run = deadlock()
    pool = [run.named(f"pool{i}") for i in range(3 * MAX_SPANS)]
    for lock in pool[1:]:
        run.edge(1, pool[0], lock)
    document = to_document(read_files([run.write(tmp_path)], run.program))
    found = document.timeline
    assert found is not None
    assert len(found.spans) == MAX_SPANS
    about = [s for s in of(found, SpanKind.ORDER) if {s.lock, *s.held} <= {"a", "b"}]
    assert len(about) == 2
    assert len(of(found, SpanKind.WAIT)) == 2
    assert any(note.startswith("not shown for want of room: ") for note in found.notes)
    assert decode(encode(document)) == document


def test_a_result_keeps_processes_in_trouble_first_however_they_are_read(tmp_path: Path) -> None:
    program = Program()
    paths = []
    for rank in range(MAX_PROCESSES + 4):
        run = Recording(program, pid=200 + rank, rank=rank)
        run.thread("main", start_ns=1 + rank)
        paths.append(run.write(tmp_path))
    paths.append(deadlock(program, pid=300, rank=MAX_PROCESSES + 4).write(tmp_path))
    found = to_document(read_files(paths, program)).timeline
    assert found is not None
    ranks = list(dict.fromkeys(s.rank for s in found.spans))
    assert ranks == [MAX_PROCESSES + 4, *range(MAX_PROCESSES - 1)]
    assert f"of {len(paths)} processes {MAX_PROCESSES} are shown" in found.notes
    parted = Batch()
    for at in range(0, len(paths), 5):
        parted.take(read_files(paths[at : at + 5], program))
    assert to_document(parted).timeline == found


def test_a_program_after_exec_is_another_one(tmp_path: Path) -> None:
    first, second = Recording(), Recording()
    for each in (first, second):
        each.thread("main", start_ns=5)
    paths = [first.write(tmp_path)]
    paths.append(paths[0].with_name("trace-node1-100-1.lot"))
    paths[1].write_bytes(second.data())
    found = read_whole(paths, first.program).timeline
    assert found is not None
    assert [s.process for s in found.spans] == [
        "process 100 on node1",
        "process 100 on node1 (program 2)",
    ]


def test_files_that_cannot_be_believed_are_problems(tmp_path: Path) -> None:
    foreign = tmp_path / "trace-foreign-1-0.lot"
    foreign.write_bytes(b"#!/bin/sh\n" * 500)
    document = read_whole([foreign])
    assert document.timeline is None
    assert "not a trace file" in document.problems[0]
    assert to_document(analyse([foreign])).timeline is None
