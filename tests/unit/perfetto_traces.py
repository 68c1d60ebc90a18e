"""Reads Perfetto traces back with Perfetto's own protos, as its trace processor would.

``read`` checks what the trace processor counts as errors, or repairs without a word: a track or
parent that nobody described, an end without a begin, a flow with one end, an id that two have.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent


class Slice(NamedTuple):
    """``dur`` -1: it never ended; ``track`` is the names of its tracks, outermost first."""

    ts: int
    dur: int
    name: str
    category: str
    track: tuple[str, ...]
    arguments: dict[str, str]


class Read(NamedTuple):
    """Flows are pairs of slices, in the order of time."""

    slices: list[Slice]
    flows: list[tuple[Slice, Slice]]
    processes: dict[int, str]
    threads: dict[tuple[int, int], str]
    texts: list[str]


class _Begun(NamedTuple):
    ts: int
    event: Any
    at: int


def read(data: bytes) -> Read:
    """What *data* says; AssertionError where something is wrong in it."""
    packets = Trace.FromString(data).packet
    assert packets[0].sequence_flags & packets[0].SEQ_INCREMENTAL_STATE_CLEARED
    tracks: dict[int, Any] = {}
    processes: dict[int, str] = {}
    threads: dict[tuple[int, int], str] = {}
    for descriptor in (p.track_descriptor for p in packets if p.HasField("track_descriptor")):
        assert descriptor.uuid not in tracks
        tracks[descriptor.uuid] = descriptor
        assert not descriptor.parent_uuid or descriptor.parent_uuid in tracks
        if descriptor.HasField("process"):
            assert 0 < descriptor.process.pid not in processes
            processes[descriptor.process.pid] = descriptor.process.process_name
        if descriptor.HasField("thread"):
            key = (descriptor.thread.pid, descriptor.thread.tid)
            assert key not in threads
            assert key[0] in processes
            threads[key] = descriptor.thread.thread_name
    slices: dict[int, Slice] = {}
    open_: dict[int, list[_Begun]] = defaultdict(list)
    # Where times are the same, the trace processor keeps the file's order.
    events = [p for p in packets if p.HasField("track_event")]
    flows: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for at, packet in enumerate(sorted(events, key=lambda p: p.timestamp)):
        event = packet.track_event
        assert event.track_uuid in tracks
        stack = open_[event.track_uuid]
        if event.type == TrackEvent.TYPE_SLICE_END:
            begun = stack.pop()
            slices[begun.at] = _slice(begun, packet.timestamp - begun.ts, tracks)
            continue
        begun = _Begun(packet.timestamp, event, at)
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            stack.append(begun)
        else:
            assert event.type == TrackEvent.TYPE_INSTANT
            slices[at] = _slice(begun, 0, tracks)
        for flow in event.flow_ids:
            flows[flow].append((at, False))
        for flow in event.terminating_flow_ids:
            flows[flow].append((at, True))
    for stack in open_.values():
        for begun in stack:
            slices[begun.at] = _slice(begun, -1, tracks)
    pairs = []
    for ends in flows.values():
        (begin, last), (end, ended) = ends
        assert (last, ended) == (False, True)
        pairs.append((slices[begin], slices[end]))
    texts = [t.name for t in tracks.values()] + list(processes.values()) + list(threads.values())
    texts += [t for s in slices.values() for t in (s.name, *s.arguments.values())]
    return Read([slices[at] for at in sorted(slices)], pairs, processes, threads, texts)


def _slice(begun: _Begun, dur: int, tracks: dict[int, Any]) -> Slice:
    event, names, uuid = begun.event, [], begun.event.track_uuid
    while uuid:
        track = tracks[uuid]
        names.append(track.name or track.thread.thread_name or track.process.process_name)
        uuid = track.parent_uuid
    arguments = {a.name: a.string_value for a in event.debug_annotations}
    category = event.categories[0] if event.categories else ""
    return Slice(begun.ts, dur, event.name, category, tuple(reversed(names)), arguments)
