"""A dump in the model's words: what one rank issued on its communicators.

A process group is a communicator.  Its collectives have the recorder's ``collective_seq_id`` as
their number, since all ranks count it alike and a ring may have forgotten different parts; a group
of coalesced collectives has one number there and is one operation here.  Sends and receives are
each their own operation; those of one batch are a group in ``launches``.

Where nothing was forgotten, a group without operations is there with a total of 0.  A group that is
among the memberships only: whether anything was issued on it is not known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from lockorder.collectives.sequences import compress
from lockorder.hang.flight_recorder import Dump, Group, Status, read_dump
from lockorder.hang.operation_names import Call
from lockorder.hang.pickle_reader import without_collection
from lockorder.hang.recorded_calls import DONE, RUNNING, UNKNOWN, WAITING, Calls, state_of
from lockorder.model.communicators import (
    End,
    Issued,
    Launch,
    Membership,
    RankLog,
    Steps,
)


class Reading(NamedTuple):
    """A dump's *log*, its recorder's *version*, and *notes* on what could not be read or told."""

    log: RankLog
    version: str
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Step:
    """An operation on a process group, or a group of coalesced collectives.

    ``sequence`` is the recorder's number, -1: none; ``at`` the place in the order of issue;
    ``place`` is Launch.group.
    """

    sequence: int
    at: int
    operation: int
    state: int
    began: bool
    place: int = 0
    others: list[int] | None = None
    end: Call | None = None


@dataclass(slots=True)
class _Stream:
    """What a dump's entries say of one process group."""

    name: str
    description: str
    number: str = ""
    rank: int = -1
    last_peer: int = 0
    first_peer: int = -1
    collectives: list[_Step] = field(default_factory=list)
    peers: list[_Step] = field(default_factory=list)
    beside: set[int] = field(default_factory=set)


def read_log(path: Path) -> Reading:
    """What the dump at *path* says.  Raises ``DumpError``."""
    with without_collection():
        return to_log(read_dump(path))


def to_log(dump: Dump) -> Reading:
    """What *dump* says, in the model's words.  Raises ``DumpError`` for one made to take long."""
    notes = list(dump.notes)
    calls = Calls(dump)
    streams = {name: _Stream(name, about.description) for name, about in dump.groups.items()}
    for at, entry in enumerate(dump.entries):
        name, description = entry["process_group"][0], _description(entry)
        stream = streams.get(name)
        if stream is None:
            stream = streams[name] = _Stream(name, description)
        _add(stream, entry, at, calls)
    rank = _rank(dump, streams, notes)
    return Reading(_log(dump, streams, rank, calls, notes), dump.version, tuple(notes))


def _description(entry: dict[str, Any]) -> str:
    group = entry["process_group"]
    return group[1] if len(group) > 1 and type(group[1]) is str else ""


def _whole(value: Any) -> int:
    return value if type(value) is int and 0 <= value < 1 << 62 else -1


def _add(stream: _Stream, entry: dict[str, Any], at: int, calls: Calls) -> None:
    """Take the entry into its process group's stream."""
    call = calls.call(entry)
    get = entry.get
    sequence = _whole(get("collective_seq_id", get("seq_id")))
    peer_sequence = _whole(get("p2p_seq_id"))
    stream.last_peer = max(stream.last_peer, peer_sequence)
    if not stream.number:
        stream.number = str(_whole(get("pg_id")))
    state = state_of(entry, call.backend)
    began = state in (DONE, RUNNING)
    if get("is_p2p") is True or call.between_two:
        stream.beside.add(sequence)
        if call.marker:
            _end_batch(stream.peers, peer_sequence, state)
            return
        if stream.rank < 0:
            stream.rank = call.rank
        step = _Step(peer_sequence, at, calls.number(entry, call), state, began)
        last = stream.peers[-1] if stream.peers else None
        if last is None:
            stream.first_peer = _whole(get("op_id")) - sequence if sequence >= 0 else peer_sequence
        elif last.sequence == peer_sequence >= 0:
            last.place = last.place or 1
            step.place = 2
        stream.peers.append(step)
        return
    last = stream.collectives[-1] if stream.collectives else None
    if last is not None and last.sequence == sequence >= 0:
        if call.marker:
            last.state, last.began, last.end = state, began, call
        else:
            last.others = [*(last.others or ()), calls.number(entry, call)]
            last.state, last.began = UNKNOWN, False  # only the group's end is followed
        return
    if sequence < 0:
        sequence = last.sequence + 1 if last is not None else 1
    stream.collectives.append(_Step(sequence, at, calls.number(entry, call), state, began))


def _end_batch(peers: list[_Step], sequence: int, state: int) -> None:
    """The state of a batch of sends and receives is that of the entry that ends it."""
    for step in reversed(peers):
        if step.sequence != sequence:
            return
        step.state, step.began = state, state in (DONE, RUNNING)


def _rank(dump: Dump, streams: dict[str, _Stream], notes: list[str]) -> int:
    """The global rank: what sends and receives say, else the file's name."""
    for stream in streams.values():
        if stream.rank < 0:
            continue
        members = dump.groups.get(stream.name, Group("", "", ())).ranks
        if stream.rank < len(members):
            rank = members[stream.rank]
        elif not members and stream.description == "default_pg":
            rank = stream.rank
        else:
            continue
        if dump.rank not in (-1, rank):
            notes.append(f"its name says rank {dump.rank}, its operations rank {rank}")
        return rank
    if dump.groups and dump.rank >= 0:
        known = {rank for about in dump.groups.values() for rank in about.ranks}
        if dump.rank not in known:
            notes.append(f"its name ends with {dump.rank}, which is no rank of its process groups")
            return -1
    return dump.rank


def _complete(dump: Dump, streams: dict[str, _Stream]) -> bool:
    """Whether everything that was issued is in the dump.

    With TORCH_INCLUDE_ONLY_ACTIVE, what is complete is not: the status still counts it.
    """
    entries = dump.entries
    seen = {stream.number for stream in streams.values()}
    issued = {number for number, status in dump.status.items() if status.enqueued > 0}
    if dump.truncated or dump.unread or issued - seen:
        return False
    records = [entry.get("record_id") for entry in (entries[0], entries[-1])] if entries else []
    return records in ([], [0, len(entries) - 1])


def _log(
    dump: Dump, streams: dict[str, _Stream], rank: int, calls: Calls, notes: list[str]
) -> RankLog:
    complete = _complete(dump, streams)
    memberships: list[Membership] = []
    collectives: list[Issued] = []
    peers: list[Issued] = []
    places: dict[Launch, int] = {}
    launched: list[tuple[int, int]] = []
    for stream in streams.values():
        member = _membership(stream, dump.groups.get(stream.name), rank)
        memberships.append(member)
        status = dump.status.get(stream.number, Status())
        # Gloo's count, and that of hooks, goes on with sends and receives.
        if stream.last_peer or stream.beside or _ahead(stream, status):
            status = Status()
        kept, first, said = _numbered(stream, complete)
        notes += said
        for step in kept:
            if step.others:
                step.operation = calls.group([step.operation, *step.others], step.end)
        if kept or complete:
            collectives.append(_issued(member, kept, first, status))
        if stream.peers:
            first = 1 if complete else max(1, stream.first_peer, stream.peers[0].sequence)
            peers.append(_issued(member, stream.peers, first, Status()))
        for among, steps in ((False, kept), (True, stream.peers)):
            for step in steps:
                launch = Launch(member.key, member.rank, group=step.place, peer=among)
                launched.append((step.at, places.setdefault(launch, len(places))))
    launched.sort()
    forgotten = 0 if complete or not dump.entries else _whole(dump.entries[0].get("record_id"))
    times = (_whole(entry.get("time_created_ns")) for entry in dump.entries)
    return RankLog(
        who=dump.path.name,
        rank=rank,
        end=_end(dump),
        memberships=tuple(memberships),
        operations=tuple(calls.operations),
        collectives=tuple(collectives),
        peers=tuple(peers),
        places=tuple(places),
        launches=compress([place for _, place in launched], max(0, forgotten) + 1),
        last_ns=max(0, max(times, default=0)),
    )


def _end(dump: Dump) -> End:
    """Stuck, if some operation that is not complete was overdue when the file was written."""
    for entry in dump.entries:
        if entry.get("state") not in ("scheduled", "started") or entry.get("retired") is True:
            continue
        patience = _whole(entry.get("timeout_ms"))
        created = _whole(entry.get("time_created_ns"))
        if patience > 0 and 0 < created <= dump.written_ns - patience * 10**6:
            return End.STUCK
    return End.UNKNOWN


def _ahead(stream: _Stream, status: Status) -> bool:
    """Whether *status* counts what the collectives' own numbers do not."""
    return bool(stream.collectives) and status.enqueued > stream.collectives[-1].sequence


def _membership(stream: _Stream, about: Group | None, rank: int) -> Membership:
    members = about.ranks if about is not None else ()
    own = stream.rank
    if rank in members:
        own = members.index(rank)
    elif not members and stream.description == "default_pg":
        own = rank
    description = stream.description
    return Membership(
        key=f"{stream.name}@{spans(members)}",
        name=description if description not in ("", "undefined") else stream.name,
        size=len(members) or -1,
        rank=own,
        members=members,
    )


def spans(ranks: tuple[int, ...]) -> str:
    """*ranks* in short: ``0-7``, ``0-56/8`` for every eighth, ``0-3,8``; in their order."""
    parts = []
    at = 0
    while at < len(ranks):
        stop = at + 1
        stride = ranks[stop] - ranks[at] if stop < len(ranks) else 0
        while stop < len(ranks) and ranks[stop] - ranks[stop - 1] == stride > 0:
            stop += 1
        if stop - at < 3:
            parts.append(str(ranks[at]))
            at += 1
            continue
        step = f"/{stride}" if stride > 1 else ""
        parts.append(f"{ranks[at]}-{ranks[stop - 1]}{step}")
        at = stop
    return ",".join(parts)


def _numbered(stream: _Stream, complete: bool) -> tuple[list[_Step], int, list[str]]:
    """The group's collectives that have numbers without a gap, and the first one's number.

    Up to 2.4, beginning a batch of sends and receives took a number of the collectives', too
    (ProcessGroupNCCL::startCoalescing): such numbers are no gap, and the n-th collective is
    numbered n.  Before any other gap, what was issued cannot be told from what was not recorded.
    """
    steps = stream.collectives
    if not steps:
        return [], 1, []
    sequences = {step.sequence for step in steps}
    start = len(steps) - 1
    burnt = False
    while start:
        low, high = steps[start - 1].sequence, steps[start].sequence
        gap = high - low - 1
        if gap < 0 or (gap and not _beside(stream, low + 1, high)):
            break
        burnt = burnt or gap > 0
        start -= 1
    first = steps[start].sequence
    earlier = sum(0 < number < first and number not in sequences for number in stream.beside)
    notes = []
    if start:
        notes.append(f"{_who(stream)}: nothing is known of operations before number {first}")
    elif burnt or (complete and first > 1):
        first -= earlier
        if not complete:
            notes.append(f"{_who(stream)}: its operations' numbers are a guess")
    return steps[start:], max(1, first), notes


def _beside(stream: _Stream, low: int, high: int) -> bool:
    """Whether batches of sends and receives took all numbers from *low* up to *high*."""
    return high - low <= len(stream.beside) and all(n in stream.beside for n in range(low, high))


def _who(stream: _Stream) -> str:
    return f"process group {stream.description or stream.name}"


def _issued(member: Membership, steps: list[_Step], first: int, status: Status) -> Issued:
    total = first + len(steps) - 1
    return Issued(
        communicator=member.key,
        rank=member.rank,
        steps=compress([step.operation for step in steps], first) if steps else Steps(()),
        total=max(total, status.enqueued) if steps else 0,
        started=_started(steps, first, status),
        completed=_completed(steps, first, status),
    )


def _completed(steps: list[_Step], first: int, status: Status) -> int:
    """How many are complete, in order: up to the first that is not."""
    done = -1 if steps else 0
    for number, step in enumerate(steps, first):
        if step.state == DONE:
            done = number
        elif step.state in (WAITING, RUNNING):
            # The one before it is complete, too, unless a ring has forgotten it.
            done = max(done, 0) if first == 1 else done
            break
    return max(done, status.completed)


def _started(steps: list[_Step], first: int, status: Status) -> int:
    """How many have begun; without events at their begin (TORCH_NCCL_ENABLE_TIMING) not known."""
    if not steps:
        return 0
    if not any(step.state == RUNNING for step in steps) and status.started < 0:
        done = _completed(steps, first, status)
        return done if done == first + len(steps) - 1 else -1
    begun = [number for number, step in enumerate(steps, first) if step.began]
    return max(status.started, begun[-1] if begun else -1)
