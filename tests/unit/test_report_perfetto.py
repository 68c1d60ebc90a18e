"""Timelines as Perfetto traces: their structure, names that nothing obeys."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lockorder.model import Arrow, Document, Frame, Lock, Mode, Span, SpanKind, Timeline
from lockorder.recorded.analyse import read_files, to_document
from lockorder.recorded.timeline import read_whole
from lockorder.report import perfetto
from lockorder.report.exports import Needs, needs
from perfetto_traces import Slice, read
from report_documents import texts
from runtime_probe.layout import CallFlag, GroupMisuseKind, MisuseKind, WaitsFor
from test_timeline import deadlock
from traces import Recording

NAMES = {"a": "Pool::mutex", "b": "Queue::mutex"}
Edits = list[tuple[float, int]]
LOCKS = tuple(Lock(k, name) for k, name in NAMES.items())


def span(kind: SpanKind, start: int, end: int, thread: str = "7:7 main", **more: object) -> Span:
    rest = {"process": "rank 0, process 7 on n", "rank": 0, "pid": 7, "tid": 7, **more}
    return Span(kind=kind, start_ns=start, end_ns=end, thread=thread, **rest)  # type: ignore[arg-type]


def rendered(*spans: Span, arrows: tuple[Arrow, ...] = (), first: int = 10**18) -> bytes:
    last = max(s.end_ns or s.start_ns for s in spans)
    found = Timeline(spans=spans, arrows=arrows, first_ns=first, last_ns=last)
    return perfetto.render(Document(locks=LOCKS, timeline=found))


def named(slices: list[Slice], category: str) -> list[tuple[int, int, str]]:
    return [(s.ts - 10**18, s.dur, s.name) for s in slices if s.category == category]


def test_a_recorded_deadlock(tmp_path: Path) -> None:
    run = deadlock()
    found = read(perfetto.render(read_whole([run.write(tmp_path)], run.program)))
    assert found.processes == {100: "rank 0, process 100 on node1"}
    assert found.threads == {(100, 100): "100:100 one", (100, 101): "100:101 two"}
    holds = [s for s in found.slices if s.category == "hold"]
    assert [(s.name, s.dur, s.track[1:]) for s in holds] == [
        ("100:100 one", -1, ("locks", "a 0x550000100000")),
        ("100:101 two", -1, ("locks", "b 0x550000100100")),
    ]
    assert {(a.name, b.name, b.track[-1]) for a, b in found.flows} == {
        ("100:100 one", "waits for a", "100:101 two"),
        ("100:101 two", "waits for b", "100:100 one"),
    }
    waits = [s for s in found.slices if s.category == "wait"]
    assert [(s.arguments["lock"], s.arguments["held"]) for s in waits] == [("b", "a"), ("a", "b")]
    # What goes on is drawn up to the last event, so there has to be one after it.
    end = max(found.slices)
    assert end.name == "nothing is known from here on"
    assert end.ts > waits[-1].ts


def test_slices_that_cross_go_to_tracks_of_their_own() -> None:
    crossing = [
        span(SpanKind.BLOCK, 10, 50, name="outer"),
        span(SpanKind.CALL, 20, 30, name="inner"),
        span(SpanKind.CALL, 40, 60, name="crosses"),
        span(SpanKind.CALL, 50, 55, name="after"),
        span(SpanKind.BLOCK, 5, 90, name="many", times=3),
    ]
    found = read(rendered(*crossing)).slices
    tracks = {s.name: s.track[2:] for s in found}
    assert tracks == {
        "outer": (), "inner": (), "after": (), "crosses": ("at the same time",),
        "many": ("made again and again",),
    }  # fmt: skip
    assert named(found, "call") == [(20, 10, "inner"), (40, 20, "crosses"), (50, 5, "after")]


def test_ids_that_two_have_are_made_up_for_the_second() -> None:
    spans = [
        span(SpanKind.THREAD, 1, 5),
        span(SpanKind.THREAD, 6, 9, "7:7#2 main"),
        span(SpanKind.THREAD, 1, 5, "7:7 main", process="rank 0, process 7 on other"),
    ]
    found = read(rendered(*spans))
    assert found.processes[7] == "rank 0, process 7 on n"
    assert len(found.processes) == 2
    assert len(found.threads) == 3
    assert all(pid >= 1 << 22 for pid in found.processes if pid != 7)


def test_an_arrow_from_no_span_begins_on_the_locks_track() -> None:
    arrow = Arrow(
        process="rank 0, process 7 on n", from_thread="7:8 holder", from_ns=3,
        to_thread="7:7 main", to_ns=5, lock="a",
    )  # fmt: skip
    wait = span(SpanKind.WAIT, 5, 9, lock="a")
    ((begin, end),) = read(rendered(wait, arrows=(arrow,))).flows
    assert (begin.name, begin.track[1:], end.name) == (
        "7:8 holder", ("locks", "Pool::mutex"), "waits for Pool::mutex",
    )  # fmt: skip
    nowhere = msgspec.structs.replace(arrow, to_thread="gone")
    assert read(rendered(wait, arrows=(nowhere,))).flows == []


def test_without_a_timeline_the_trace_is_empty() -> None:
    found = read(perfetto.render(Document(notes=("why",))))
    assert [s.name for s in found.slices] == ["why"]


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "perfetto.trace_builder.proto_builder", None)
    with pytest.raises(perfetto.PerfettoMissingError, match=r"pip install 'lockorder\[perfetto\]'"):
        perfetto.render(Document())


def test_what_exports_are_made_of() -> None:
    assert (needs("dot"), needs("perfetto")) == (Needs.RESULT, Needs.TRACES)
    for name in ("dot", "perfetto"):
        assert callable(importlib.import_module(f"lockorder.report.{name}").render)


# -- any timeline at all ---------------------------------------------------------------------------

_INT64 = st.integers(-(2**63), 2**63 - 1)
_times = st.integers(1, 30) | _INT64
_few = st.sampled_from(("x", "y"))
_spans = st.builds(
    Span,
    process=_few | texts, rank=_INT64, pid=_INT64, thread=_few | texts, tid=_INT64,
    kind=st.sampled_from(SpanKind), lock=st.sampled_from(("a", "b", "")) | texts,
    instance=st.just("") | texts, name=texts, mode=st.sampled_from(Mode), start_ns=_times,
    end_ns=st.just(0) | _times, held=st.lists(texts, max_size=2).map(tuple),
    chain=st.lists(st.builds(Frame, texts, texts), max_size=2).map(tuple),
    detail=texts, times=st.integers(0, 3), approximate=texts,
)  # fmt: skip
_arrows = st.builds(
    Arrow,
    process=_few, from_thread=_few, from_ns=_times, to_thread=_few, to_ns=_times,
    lock=st.sampled_from(("a", "")),
)  # fmt: skip


timelines = st.builds(
    Timeline,
    spans=st.lists(_spans, max_size=8).map(tuple),
    arrows=st.lists(_arrows, max_size=4).map(tuple),
    first_ns=_INT64,
    last_ns=_INT64,
    notes=st.tuples(texts),
)


@settings(deadline=None)  # the first one loads Perfetto's protos
@given(timelines)
def test_any_timeline(timeline: Timeline) -> None:
    found = read(perfetto.render(Document(locks=LOCKS, timeline=timeline)))
    assert sum(bool(s.category) for s in found.slices) == len(timeline.spans)
    for text in found.texts:
        assert text.replace("\n", "").replace("\t", "").isprintable()


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(SpanKind), st.integers(1, 9), st.none() | st.integers(0, 9)),
        min_size=1,
        max_size=12,
    )
)
def test_all_spans_are_there_as_long_as_they_are(made: list[tuple[SpanKind, int, int]]) -> None:
    spans = [span(k, start, 0 if length is None else start + length) for k, start, length in made]
    found = read(rendered(*spans)).slices
    wanted = [
        (s.kind.value, s.start_ns, s.end_ns - s.start_ns if s.end_ns else -1 + s.kind.momentary)
        for s in spans
    ]
    told = [(s.category, s.ts - 10**18, s.dur) for s in found if s.category]
    assert sorted(told) == sorted(wanted)


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 20)), max_size=20))
def test_lanes_hold_what_nests(ends: list[tuple[int, int]]) -> None:
    slices = [perfetto.Slice(start, start + length, "s") for start, length in ends]
    lanes = perfetto.lanes(slices)
    assert sorted(s for lane in lanes for s in lane) == sorted(slices)
    for lane in lanes:
        lasting = [s for s in lane if s.end > s.start]
        for a in lasting:
            for b in lasting:
                apart = a.end <= b.start or b.end <= a.start
                inside = (a.start <= b.start and b.end <= a.end) or (
                    b.start <= a.start and a.end <= b.end
                )
                assert apart or inside


# -- damaged recordings ----------------------------------------------------------------------------


def busy() -> Recording:
    """A killed process with something of everything that has times."""
    run = deadlock()
    a, b = 1, 2
    join = run.call("pthread_join", int(WaitsFor.THREAD))
    reduce = run.call("ncclAllReduce", 0, int(CallFlag.COLLECTIVE | CallFlag.LAUNCH))
    run.thread("main", start_ns=1, wait_call=join, wait_since_ns=50, wait_object=0x7F00_0001)
    comm = run.communicator(0x10, 0xABC)
    run.nccl_call(comm, reduce, 3, count=64, begin_ns=100, end_ns=180)
    run.blocked(1, reduce, [(a, 0)], longest_ns=70, time_ns=105)
    run.blocked(2, join, [(b, 0)], times=3, time_ns=105, last_ns=300)
    run.misuse(1, MisuseKind.EXIT_HELD, a)
    run.group_misuse(2, GroupMisuseKind.SYNC, reduce)
    return run


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6))
def test_damaged_recordings(tmp_path_factory: pytest.TempPathFactory, edits: Edits) -> None:
    run = busy()
    data = bytearray(run.data())
    used = [at for at, byte in enumerate(data) if byte]  # most of a file is zeros
    for place, value in edits:
        data[used[int(place * len(used))]] = value
    path = tmp_path_factory.mktemp("damaged") / "trace-node1-100-0.lot"
    path.write_bytes(data)
    read(perfetto.render(read_whole([path], run.program)))
    timeline = to_document(read_files([path], run.program)).timeline
    read(perfetto.render(Document(timeline=timeline)))
