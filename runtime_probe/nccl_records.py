"""What a trace file says of NCCL: communicators, calls, groups (docs/trace-format.md)."""

from __future__ import annotations

from typing import NamedTuple

from runtime_probe.layout import BIG, ENTRY_ENDED, ENTRY_FILLED, LITTLE, GroupMisuseKind


class Communicator(NamedTuple):
    """A communicator of NCCL; -1 and 0 where the call that made it does not say.

    `unique` is the same in all its ranks.  `made_by` and `ended_by` are numbers of calls; one that
    has no address was never made, or its making has not returned.  `collectives` and `peers` count
    calls that all its ranks have to make, and sends and receives.
    """

    number: int
    address: int
    unique: int
    generation: int
    parent: int
    ranks: int
    rank: int
    color: int
    key: int
    made_by: int
    ended_by: int
    stack: int
    thread: int
    begin_ns: int
    end_ns: int
    collectives: int
    peers: int


class NcclTotal(NamedTuple):
    """All calls of one function on a communicator (0: none) from one place, to one peer (or -1)."""

    communicator: int
    call: int
    peer: int
    pc: int
    stack: int
    begun: int
    ended: int
    failed: int
    elements: int
    total_ns: int
    longest_ns: int
    last_order: int
    first_ns: int
    last_ns: int


class NcclCall(NamedTuple):
    """A recent call of NCCL; `end_ns` is 0, and `status` -1, where it has not returned.

    `order` counts its communicator's collectives, or its sends and receives.  `group` is the number
    of the outermost group that it lies in, `depth` how deep; `type`, `reduction` and `root` (or
    peer) are NCCL's numbers, or -1.
    """

    number: int
    begin_ns: int
    end_ns: int
    order: int
    elements: int
    stream: int
    pc: int
    communicator: int
    thread: int
    stack: int
    group: int
    reduction: int
    root: int
    call: int
    depth: int
    type: int
    status: int


class GroupMisuse(NamedTuple):
    """Something done wrong with a group of NCCL calls, at `stack`; `call` 0: none."""

    thread: int
    kind: GroupMisuseKind
    call: int
    depth: int
    stack: int
    begin_stack: int
    begin_pc: int
    begin_ns: int
    time_ns: int


class Ring(NamedTuple):
    """Where the newest calls of NCCL lie: `last` of them were begun."""

    at: int
    entries: int
    last: int

    def calls(self, data: bytes, order: str) -> list[NcclCall]:
        """Those that are complete, by number.

        An entry that was being written when the file was read, or the process killed, is left out;
        so is one whose number cannot stand where it stands.
        """
        form = LITTLE.entry if order == "<" else BIG.entry
        found = []
        # A file that is cut short ends in the middle of an entry.
        entries = min(self.entries, max(0, (len(data) - self.at) // form.size))
        used = memoryview(data)[self.at : self.at + entries * form.size]
        for place, (word, begin, end, *rest, call, depth, kind, status, again) in enumerate(
            form.iter_unpack(used)
        ):
            number, state = word >> 2, word & 3
            if number == 0 or number != again or number > self.last or state == ENTRY_FILLED:
                continue
            if (number - 1) % self.entries != place:
                continue
            if state == ENTRY_ENDED:
                end = 0
            status = status if end else -1
            found.append(NcclCall._make((number, begin, end, *rest, call, depth, kind, status)))
        return sorted(found)
