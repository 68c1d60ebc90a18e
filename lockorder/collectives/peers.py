"""Sends and receives: the k-th send from a to b belongs to the k-th receive of b from a.

Order among different peers is free, so each ordered pair of ranks is looked at by itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import msgspec

from lockorder.collectives.gather import Gathered, Gathering, Half, Rank
from lockorder.collectives.sequences import expand, first_difference
from lockorder.model import Operation

SEND, RECEIVE = "send", "recv"


class PeerMismatch(msgspec.Struct, frozen=True):
    """The *number*-th message from *sender* to *receiver* is not sent as it is received.

    One of the operations is None where it never came; ``sure``: its rank has ended.  ``differs``
    is as in ``Divergence``.
    """

    sender: Rank
    receiver: Rank
    number: int
    send: Operation | None
    receive: Operation | None
    differs: tuple[str, ...]
    sure: bool


class _Way:
    """One direction between two ranks, as one of them issued it: contents, and what they are."""

    def __init__(self, rank: Rank) -> None:
        self.rank = rank
        self.contents: array[int] = array("I")
        self.operations: dict[int, Operation] = {}


def mismatches(gathering: Gathering) -> Iterator[tuple[Gathered, PeerMismatch]]:
    """For each communicator, the first message of each pair that does not fit."""
    for there in sorted(gathering.communicators.values(), key=lambda c: (c.name, c.key)):
        for found in _within(there):
            yield there, found


def _within(there: Gathered) -> Iterator[PeerMismatch]:
    contents: dict[tuple[int, str], int] = {}
    sends: dict[tuple[int, int], _Way] = {}
    receives: dict[tuple[int, int], _Way] = {}
    forgotten: set[int] = set()
    for half in there.peers:
        if half.rank.rank < 0 or half.first > 1 or _count(half) < half.total:
            # What was forgotten cannot be numbered by pairs, nor what is of nobody.
            forgotten.add(half.rank.rank)
            continue
        for way, name, peer in _split(half, contents):
            mine = half.rank.rank
            if name == SEND:
                sends[mine, peer] = way
            else:
                receives[peer, mine] = way
    known = _known(there, forgotten)
    for pair in sorted(sends.keys() | receives.keys()):
        if forgotten.isdisjoint(pair):
            found = _compare(known, pair, sends.get(pair), receives.get(pair))
            if found is not None:
                yield found


def _count(half: Half) -> int:
    return len(expand(half.packed))


def _split(half: Half, contents: dict[tuple[int, str], int]) -> Iterator[tuple[_Way, str, int]]:
    """The messages of each direction and peer, each as a number for its count and type."""
    codes = expand(half.packed)
    directions: dict[tuple[str, int], list[int]] = {}
    for code, operation in half.operations.items():
        directions.setdefault((operation.name, operation.root), []).append(code)
    for (name, peer), members in directions.items():
        way = _Way(half.rank)
        table = {}
        for code in members:
            operation = half.operations[code]
            what = contents.setdefault((operation.count, operation.type), len(contents))
            table[code] = what
            way.operations.setdefault(what, operation)
        way.contents = (
            codes_of(codes, table)
            if len(directions) > 1
            else array("I", map(table.__getitem__, codes))
        )
        yield way, name, peer


def codes_of(codes: array[int], table: dict[int, int]) -> array[int]:
    """Those of *codes* that *table* has, translated."""
    return array("I", [table[code] for code in codes if code in table])


def _known(there: Gathered, forgotten: set[int]) -> dict[int, Rank]:
    """Ranks of which all messages are known, or that there were none."""
    found = {r.rank: r for v in there.variants.values() for r in v.ranks if v.first == 1}
    found.update((half.rank.rank, half.rank) for half in there.peers)
    return {rank: state for rank, state in found.items() if rank not in forgotten}


def _compare(
    known: dict[int, Rank], pair: tuple[int, int], send: _Way | None, receive: _Way | None
) -> PeerMismatch | None:
    nobody = array("I")
    sent = send.contents if send is not None else nobody
    received = receive.contents if receive is not None else nobody
    both = min(len(sent), len(received))
    at = first_difference(sent, received, 0, both)
    if at == both and len(sent) == len(received):
        return None
    sender = send.rank if send is not None else known.get(pair[0])
    receiver = receive.rank if receive is not None else known.get(pair[1])
    if sender is None or receiver is None:
        return None  # nobody knows
    ours = send.operations[sent[at]] if send is not None and at < len(sent) else None
    theirs = receive.operations[received[at]] if receive and at < len(received) else None
    differs: tuple[str, ...] = ()
    if ours is not None and theirs is not None:
        pairs = (("count", ours.count, theirs.count), ("type", ours.type, theirs.type))
        differs = tuple(part for part, a, b in pairs if a != b)
    missing = sender if ours is None else receiver
    sure = bool(differs) or missing.ended
    return PeerMismatch(sender, receiver, at + 1, ours, theirs, differs, sure)
