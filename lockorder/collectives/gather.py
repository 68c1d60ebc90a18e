"""What all ranks did on each communicator, put together as their logs come in.

Ranks mostly do the same, so what is kept of a communicator are the *variants*: different sequences,
each with the ranks that issued it.  A variant is known by its packed steps over codes; a code
stands for what all ranks have to say alike of an operation.  Gathering is associative: logs can be
read by many processes and joined in the order of the files.
"""

from __future__ import annotations

import zlib
from array import array
from typing import TypeVar

import msgspec

from lockorder.collectives.sequences import expand, pack, recode
from lockorder.model import End, Issued, Launch, Membership, Operation, RankLog

_Ranked = TypeVar("_Ranked", Membership, Issued, Launch)


class Rank(msgspec.Struct, frozen=True):
    """One rank of a communicator: its number in it, and its global number.

    ``log`` is the number of the process' log; ``ended``: nothing more would have come.
    """

    rank: int
    world: int
    log: int
    ended: bool


class Variant(msgspec.Struct):
    """A sequence of operations and who issued it; ``chains`` are those of the first of them."""

    packed: bytes
    first: int
    total: int
    operations: dict[int, Operation]
    ranks: list[Rank]

    def codes(self) -> array[int]:
        """The code of each operation from number ``first`` on."""
        return expand(self.packed)


class Half(msgspec.Struct):
    """The sends (or receives) of one rank on a communicator, all peers together."""

    rank: Rank
    packed: bytes
    first: int
    total: int
    operations: dict[int, Operation]


class Gathered(msgspec.Struct):
    """A communicator: ``names`` and sizes as its ranks know them, and what they issued."""

    key: str
    name: str = ""
    size: int = -1
    members: tuple[int, ...] = ()
    variants: dict[tuple[bytes, int, int], Variant] = msgspec.field(default_factory=dict)
    peers: list[Half] = msgspec.field(default_factory=list)
    #: Ranks that have the communicator, whether they issued anything or not.
    seen: dict[int, Rank] = msgspec.field(default_factory=dict)

    def know(self, membership: Membership) -> None:
        """What one more rank says of it; the first that says anything is believed."""
        self.name = self.name or membership.name
        if self.size < 0:
            self.size = membership.size
        if not self.members:
            self.members = membership.members

    def label(self, rank: Rank) -> int:
        """The number by which people know a rank: the global one, else that in here."""
        if rank.world >= 0:
            return rank.world
        inside = 0 <= rank.rank < len(self.members)
        return self.members[rank.rank] if inside else rank.rank


class Gathering:
    """All communicators of a run, and what is needed of the logs beside them."""

    def __init__(self) -> None:
        self.codes: dict[tuple[object, ...], int] = {}
        self.communicators: dict[str, Gathered] = {}
        #: Logs, cut to their last operations where they are long.
        self.logs: list[RankLog] = []

    def __bool__(self) -> bool:
        return bool(self.communicators)

    def add(self, log: RankLog) -> None:
        """Take one rank's log in."""
        log = _told_apart(log)
        number = len(self.logs)
        worlds: dict[tuple[str, int], int] = {}
        for membership in log.memberships:
            self._at(membership.key).know(membership)
            worlds[membership.key, membership.rank] = _world(log, membership)
        for issued in log.collectives:
            there = self._at(issued.communicator)
            rank = _rank(log, issued, number, worlds)
            packed, operations = self._coded(log, issued)
            key = (packed, issued.steps.first, issued.total)
            variant = there.variants.get(key)
            if variant is None:
                variant = there.variants[key] = Variant(*key, operations, [])
            variant.ranks.append(rank)
        for issued in log.peers:
            rank = _rank(log, issued, number, worlds)
            packed, operations = self._coded(log, issued)
            self._at(issued.communicator).peers.append(
                Half(rank, packed, issued.steps.first, issued.total, operations)
            )
        for membership in log.memberships:
            nothing = Rank(
                membership.rank,
                worlds[membership.key, membership.rank],
                number, log.end is End.FINISHED,
            )  # fmt: skip
            self._at(membership.key).seen.setdefault(membership.rank, nothing)
        self.logs.append(log)

    def take(self, other: Gathering) -> None:
        """Join what was gathered of later logs."""
        table = {mine: self._code(agreed) for agreed, mine in other.codes.items()}
        base = len(self.logs)
        for key, theirs in other.communicators.items():
            mine = self._at(key)
            mine.know(Membership(key, theirs.name, theirs.size, -1, theirs.members))
            for variant in theirs.variants.values():
                packed = recode(variant.packed, table)
                found = (packed, variant.first, variant.total)
                known = mine.variants.get(found)
                if known is None:
                    operations = {table[c]: o for c, o in variant.operations.items()}
                    known = mine.variants[found] = Variant(*found, operations, [])
                known.ranks += [_moved(r, base) for r in variant.ranks]
            for half in theirs.peers:
                operations = {table[c]: o for c, o in half.operations.items()}
                packed = recode(half.packed, table)
                mine.peers.append(
                    Half(_moved(half.rank, base), packed, half.first, half.total, operations)
                )
            for rank, state in theirs.seen.items():
                mine.seen.setdefault(rank, _moved(state, base))
        self.logs += other.logs

    def _at(self, key: str) -> Gathered:
        found = self.communicators.get(key)
        if found is None:
            found = self.communicators[key] = Gathered(key)
        return found

    def _code(self, agreed: tuple[object, ...]) -> int:
        return self.codes.setdefault(agreed, len(self.codes))

    def _coded(self, log: RankLog, issued: Issued) -> tuple[bytes, dict[int, Operation]]:
        operations: dict[int, Operation] = {}

        def code(symbol: int) -> int:
            operation = log.operations[symbol]
            number = self._code(operation.agreed)
            operations.setdefault(number, operation)
            return number

        return pack(issued.steps, code), operations


def _told_apart(log: RankLog) -> RankLog:
    """*log* with a number below -1 of its own for ranks that it does not know of itself."""
    if all(m.rank >= 0 for m in log.memberships):
        return log
    own = -2 - zlib.crc32(log.who.encode())

    def known(of: _Ranked) -> _Ranked:
        return of if of.rank >= 0 else msgspec.structs.replace(of, rank=own)

    return msgspec.structs.replace(
        log,
        memberships=tuple(map(known, log.memberships)),
        collectives=tuple(map(known, log.collectives)),
        peers=tuple(map(known, log.peers)),
        places=tuple(map(known, log.places)),
    )


def _world(log: RankLog, membership: Membership) -> int:
    """The global number of a rank; a process with several ranks of one communicator has none."""
    if 0 <= membership.rank < len(membership.members):
        return membership.members[membership.rank]
    several = sum(m.key == membership.key for m in log.memberships) > 1
    return -1 if several else log.rank


def _rank(log: RankLog, issued: Issued, number: int, worlds: dict[tuple[str, int], int]) -> Rank:
    return Rank(
        issued.rank,
        worlds.get((issued.communicator, issued.rank), log.rank),
        number,
        issued.ended or log.end is End.FINISHED,
    )


def _moved(rank: Rank, base: int) -> Rank:
    return msgspec.structs.replace(rank, log=rank.log + base)
