"""A timeline as a trace that ui.perfetto.dev and its trace processor open: protobuf TrackEvents.

https://perfetto.dev/docs/reference/synthetic-track-event says how such traces are made.  A process
is a rank; its locks have tracks on which they are held, its threads have what they do.  Slices of
one track must lie in each other or apart; those that do not go to a further track of that name,
which Perfetto shows as one.
"""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lockorder.model import Arrow, Document, Frame, Mode, Span, SpanKind, Timeline
from lockorder.report.text import printable

#: Characters of a name, and frames of a stack, that are shown.
MAX_NAME, MAX_STACK = 400, 24
#: Linux has no larger process and thread ids (PID_MAX_LIMIT): those from here on are made up.
_MADE_UP = 1 << 22
_SEQUENCE = 1
#: builtin_clock.proto: what timestamps are of, unless they say otherwise; the wall clock.
_BOOTTIME, _REALTIME = 6, 1
_FOREVER = 1 << 63
_LATEST = (1 << 63) - 1
#: Where a process without a rank stands.
_LAST = 1 << 30


class PerfettoMissingError(Exception):
    """What writes the format is not installed."""


class Slice(NamedTuple):
    """A span on a track, or the begin of an arrow where no span is (``span`` None)."""

    start: int
    end: int
    name: str
    span: Span | None = None
    flows: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @property
    def until(self) -> int:
        """Its end; far away where it goes on."""
        return self.end or _FOREVER


def render(document: Document) -> bytes:
    """*document*'s timeline, or an empty one.

    Raises PerfettoMissingError where the extra ``lockorder[perfetto]`` is not installed.
    """
    try:
        builder = importlib.import_module("perfetto.trace_builder.proto_builder")
    except Exception as error:  # protobuf has an error of its own where it is too old
        raise PerfettoMissingError(
            f"cannot write Perfetto traces: {error}: pip install 'lockorder[perfetto]'"
        ) from None
    written: bytes = _Writer(document, builder.TraceProtoBuilder()).write()
    return written


class _Writer:
    def __init__(self, document: Document, builder: Any) -> None:
        self.timeline = document.timeline or Timeline()
        self.names = {lock.id: lock.name for lock in document.locks}
        self.notes = (*document.problems, *document.notes, *self.timeline.notes)
        self.builder = builder
        self.tracks = 0
        self.pids: dict[str, int] = {}

    def write(self) -> bytes:
        self._begin()
        processes: dict[str, list[Span]] = defaultdict(list)
        for span in self.timeline.spans:
            processes[span.process].append(span)
        self.pids = _numbers((p, spans[0].pid) for p, spans in processes.items())
        flows = _flows(self.timeline.arrows, processes)
        for number, (process, spans) in enumerate(processes.items()):
            self._process(number, process, spans, flows)
        self._end()
        written: bytes = self.builder.serialize()
        return written

    def _packet(self, at: int | None = None) -> Any:
        packet = self.builder.add_packet()
        packet.trusted_packet_sequence_id = _SEQUENCE
        if at is not None:
            packet.timestamp = min(max(self.timeline.first_ns + at, 0), _LATEST)
        return packet

    def _begin(self) -> None:
        first = self._packet()
        first.sequence_flags = first.SEQ_INCREMENTAL_STATE_CLEARED
        # Timestamps are of the wall clock; this says so, and the trace's own clock is the same.
        first.clock_snapshot.primary_trace_clock = _BOOTTIME
        now = min(max(self.timeline.first_ns, 0), _LATEST)
        for clock in (_BOOTTIME, _REALTIME):
            first.clock_snapshot.clocks.add(clock_id=clock, timestamp=now)

    def _end(self) -> None:
        """What is known ends: slices that go on are drawn up to here."""
        last = self.timeline.last_ns
        track = self._track("about this trace")
        for note in self.notes:
            self._event(track, Slice(1, 1, note))
        if any(not s.end_ns and not s.kind.momentary for s in self.timeline.spans):
            end = last + max(last // 20, 1000)
            self._event(track, Slice(end, end, "nothing is known from here on"))

    # -- tracks -----------------------------------------------------------------------------------

    def _track(self, name: str = "", parent: int = 0, rank: int | None = None) -> int:
        return int(self._descriptor(name, parent, rank).uuid)

    def _descriptor(self, name: str = "", parent: int = 0, rank: int | None = None) -> Any:
        self.tracks += 1
        descriptor = self._packet().track_descriptor
        descriptor.uuid = self.tracks
        if name:
            descriptor.name = shown(name)
        if parent:
            descriptor.parent_uuid = parent
        if rank is not None:
            descriptor.sibling_order_rank = rank
        return descriptor

    def _process(self, number: int, process: str, spans: Sequence[Span], flows: _Flows) -> None:
        descriptor = self._descriptor(rank=number)
        rank = spans[0].rank
        descriptor.child_ordering = descriptor.EXPLICIT
        descriptor.process.pid = self.pids[process]
        descriptor.process.process_name = shown(process)
        descriptor.process.legacy_sort_index = rank if 0 <= rank < _LAST else _LAST
        own = int(descriptor.uuid)
        self._locks(own, process, spans, flows)
        threads: dict[str, list[Span]] = defaultdict(list)
        for span in spans:
            threads[span.thread].append(span)
        tids = _numbers((t, of[0].tid) for t, of in threads.items())
        for at, (thread, of) in enumerate(threads.items()):
            self._thread(own, at, (thread, tids[thread]), process, of, flows)

    def _locks(self, own: int, process: str, spans: Sequence[Span], flows: _Flows) -> None:
        held: dict[tuple[str, str], list[Slice]] = defaultdict(list)
        for span in spans:
            if span.kind is SpanKind.HOLD:
                key = (span.lock, span.instance)
                mode = " (shared)" if span.mode is Mode.SHARED else ""
                held[key].append(
                    Slice(span.start_ns, _end(span), f"{span.thread}{mode}", span, flows.of(span))
                )
        for arrow, number in flows.alone.get(process, ()):
            held[arrow.lock, arrow.instance].append(
                Slice(arrow.from_ns, arrow.from_ns, arrow.from_thread, None, (number,))
            )
        if held:
            group = self._track("locks", own, 0)
            for (lock, instance), slices in held.items():
                name = " ".join(filter(None, (self.names.get(lock, lock), instance)))
                for lane in lanes(slices):
                    self._lane(self._track(name, group), lane)

    def _thread(
        self, process_track: int, at: int, thread: tuple[str, int], process: str,
        spans: Sequence[Span], flows: _Flows,
    ) -> None:  # fmt: skip
        name, tid = thread
        descriptor = self._descriptor(parent=process_track, rank=at + 1)
        descriptor.thread.pid = self.pids[process]
        descriptor.thread.tid = tid
        descriptor.thread.thread_name = shown(name)
        descriptor.thread.legacy_sort_index = at
        own = int(descriptor.uuid)
        rest = [s for s in spans if s.kind is not SpanKind.HOLD]
        apart = [s for s in rest if s.times > 1]
        inside = [s for s in rest if s.times <= 1]
        for number, lane in enumerate(lanes(self._slice(s, flows) for s in inside)):
            self._lane(own if number == 0 else self._track("at the same time", own), lane)
        for lane in lanes(self._slice(s, flows) for s in apart):
            self._lane(self._track("made again and again", own), lane)

    def _slice(self, span: Span, flows: _Flows) -> Slice:
        lock = self.names.get(span.lock, span.lock)
        name = {
            SpanKind.THREAD: span.thread,
            SpanKind.WAIT: f"waits for {lock}",
            SpanKind.ORDER: f"takes {lock}",
        }.get(span.kind, span.name + (f": {lock}" if lock else ""))
        return Slice(span.start_ns, _end(span), name, span, flows.of(span), flows.to(span))

    # -- events -----------------------------------------------------------------------------------

    def _lane(self, track: int, lane: Iterable[Slice]) -> None:
        """Slices of one track, by begin: ends come before begins of the same time."""
        open_: list[Slice] = []
        for each in lane:
            while open_ and _over(open_[-1], each):
                self._close(track, open_.pop())
            if self._event(track, each):
                open_.append(each)
        while open_:
            self._close(track, open_.pop())

    def _close(self, track: int, each: Slice) -> None:
        if not each.end:
            return
        event = self._packet(each.end).track_event
        event.type = event.TYPE_SLICE_END
        event.track_uuid = track

    def _event(self, track: int, each: Slice) -> bool:
        """Write its begin; whether it lasts."""
        lasts = _lasts(each)
        event = self._packet(each.start).track_event
        event.type = event.TYPE_SLICE_BEGIN if lasts else event.TYPE_INSTANT
        event.track_uuid = track
        event.name = shown(each.name)
        event.flow_ids.extend(each.flows)
        event.terminating_flow_ids.extend(each.ends)
        if each.span is not None:
            event.categories.append(each.span.kind.value)
            for name, value in self._arguments(each.span):
                event.debug_annotations.add(name=name, string_value=value)
        return lasts

    def _arguments(self, span: Span) -> Iterable[tuple[str, str]]:
        locks = [self.names.get(lock, lock) for lock in span.held]
        stack = [_place(f) for f in reversed(span.chain[-MAX_STACK:])]
        values = {
            "lock": self.names.get(span.lock, span.lock),
            "object": span.instance,
            "mode": span.mode.value if span.lock else "",
            "by": span.thread if span.kind is SpanKind.HOLD else "",
            "held": ", ".join(locks),
            "place": stack[0] if stack else "",
            "detail": span.detail,
            "approximate": span.approximate,
        }
        yield from ((name, shown(value)) for name, value in values.items() if value)
        if len(stack) > 1:
            yield "stack", "\n".join(map(shown, stack))


class _Flows(NamedTuple):
    """Arrows by the spans that they begin and end at; ``alone`` are those that begin at none."""

    begins: Mapping[int, list[int]]
    ends: Mapping[int, list[int]]
    alone: Mapping[str, list[tuple[Arrow, int]]]

    def of(self, span: Span) -> tuple[int, ...]:
        return tuple(self.begins.get(id(span), ()))

    def to(self, span: Span) -> tuple[int, ...]:
        return tuple(self.ends.get(id(span), ()))


def _flows(arrows: Sequence[Arrow], processes: Mapping[str, Sequence[Span]]) -> _Flows:
    begins: dict[int, list[int]] = defaultdict(list)
    ends: dict[int, list[int]] = defaultdict(list)
    alone: dict[str, list[tuple[Arrow, int]]] = defaultdict(list)
    places: dict[tuple[str, str, SpanKind, str], list[Span]] = defaultdict(list)
    for process, spans in processes.items():
        for span in spans:
            places[process, span.thread, span.kind, span.lock + span.instance].append(span)
    for number, arrow in enumerate(arrows, start=1):
        what = arrow.lock + arrow.instance
        kinds = (SpanKind.WAIT,) if arrow.lock else (SpanKind.BLOCK, SpanKind.CALL)
        end = _at(
            [s for k in kinds for s in places[arrow.process, arrow.to_thread, k, what]], arrow.to_ns
        )
        if end is None:
            continue  # what waits is not in this timeline
        kind = SpanKind.HOLD if arrow.lock else SpanKind.THREAD
        begin = _at(places[arrow.process, arrow.from_thread, kind, what], arrow.from_ns)
        # An arrow goes from what begins first; a hold stands before the waits in the file.
        if begin is not None and begin.start_ns < end.start_ns + bool(arrow.lock):
            begins[id(begin)].append(number)
        elif arrow.lock and arrow.from_ns <= end.start_ns:
            alone[arrow.process].append((arrow, number))
        else:
            continue
        ends[id(end)].append(number)
    return _Flows(begins, ends, alone)


def _at(spans: Sequence[Span], when: int) -> Span | None:
    """The one that begins, or lasts, at *when*."""
    exact = next((s for s in spans if s.start_ns == when), None)
    lasting = (s for s in spans if s.start_ns <= when <= (s.end_ns or _FOREVER))
    return exact or next(lasting, None)


def lanes(slices: Iterable[Slice]) -> list[list[Slice]]:
    """*slices* on as few tracks as it takes for each to hold only what nests, by begin."""
    found: list[list[Slice]] = []
    stacks: list[list[Slice]] = []
    for each in sorted(slices, key=lambda s: (s.start, -s.until if _lasts(s) else -s.start)):
        for stack in stacks:
            while stack and _over(stack[-1], each):
                stack.pop()
        room = (not s or not _lasts(each) or s[-1].until >= each.until for s in stacks)
        place = next((at for at, free in enumerate(room) if free), len(found))
        if place == len(found):
            found.append([])
            stacks.append([])
        found[place].append(each)
        if _lasts(each):
            stacks[place].append(each)
    return found


def _end(span: Span) -> int:
    """When *span* ends, never before it begins; 0 where it goes on."""
    if span.end_ns or span.kind.momentary:
        return max(span.end_ns, span.start_ns)
    return 0


def _lasts(each: Slice) -> bool:
    return each.until > each.start


def _over(before: Slice, each: Slice) -> bool:
    return before.until <= each.start


def _numbers(wanted: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The process (or thread) ids by name; one of its own for each that another had before it."""
    found: dict[str, int] = {}
    taken: set[int] = set()
    for name, number in wanted:
        if not 0 < number < _MADE_UP or number in taken:
            number = _MADE_UP + len(found)
        taken.add(number)
        found[name] = number
    return found


def _place(frame: Frame) -> str:
    where = f" ({frame.file}:{frame.line})" if frame.file else ""
    return f"{frame.function}{where}"


def shown(text: str) -> str:
    """*text* in one line, with control and direction-changing characters made visible."""
    told = printable(text)
    return told if len(told) <= MAX_NAME else told[:MAX_NAME] + "..."
