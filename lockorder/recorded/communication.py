"""What one recorded process did with its communicators, as the model has it.

The whole order of operations comes from the trace's sequences; of traces of older versions, which
have none, what the ring of recent calls still has.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable

from lockorder.collectives.sequences import compress
from lockorder.model import (
    End,
    Issued,
    Launch,
    Membership,
    Operation,
    RankLog,
    Steps,
    users_place,
)
from lockorder.recorded.process import Process
from runtime_probe.layout import CallFlag, LaunchFlag, SequenceKind, State
from runtime_probe.nccl_records import Communicator
from runtime_probe.nccl_sequences import NcclSequence

#: nccl.h: ncclDataType_t and ncclRedOp_t; later ones are operators of the program's own.
_TYPES = (
    "int8", "uint8", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
    "bfloat16", "float8e4m3", "float8e5m2",
)  # fmt: skip
_REDUCTIONS = ("sum", "prod", "max", "min", "avg")
_OWN = "custom"
_WORD = re.compile(r"[A-Z][a-z0-9]*")
_PREFIX = re.compile(r"^(nccl|rccl)(Comm(?=[A-Z]))?")
_ALIASES = {"bcast": "broadcast", "allto_all": "all_to_all", "allto_allv": "all_to_allv"}
_UNKNOWN = Operation("")


def rank_log(process: Process, stuck: bool = False) -> RankLog | None:
    """The log of a process; None where it has no communicator, and is no rank that waits.

    *stuck*: nothing had moved for a time when it ended.
    """
    log = _Reader(process).log(stuck)
    if process.trace.communicators or (log.rank >= 0 and log.waits):
        return log
    return None


class _Reader:
    def __init__(self, process: Process) -> None:
        self.process = process
        self.trace = process.trace
        self.operations: list[Operation] = [_UNKNOWN]
        self.symbols: dict[object, int] = {}
        self.keys: dict[int, str] = {}
        for number, communicator in self.trace.communicators.items():
            self.keys[number] = _key(process, communicator)

    def log(self, stuck: bool) -> RankLog:
        header = self.trace.header
        finished = header.state is not State.RUNNING
        # Where the sequences are missing, what is left of the calls takes their place.
        sequences = self.trace.nccl_sequences
        if not sequences and self.trace.nccl_calls:
            collectives, peers = self._from_ring()
            places: tuple[Launch, ...] = ()
            launches = Steps(())
        else:
            collectives = self._issued(SequenceKind.COLLECTIVES)
            peers = self._issued(SequenceKind.PEERS)
            places, launches = self._launches()
        end = End.FINISHED if finished else End.STUCK if stuck else End.CUT
        return RankLog(
            who=self._who(), rank=header.rank, end=end,
            memberships=tuple(self._membership(c) for c in self._made()),
            operations=tuple(self.operations), collectives=collectives, peers=peers,
            places=places, launches=launches, waits=self._waits(),
        )  # fmt: skip

    def _who(self) -> str:
        header = self.trace.header
        rank = f"rank {header.rank}, " if header.rank >= 0 else ""
        return f"{rank}process {header.pid} on {header.host}"

    def _made(self) -> list[Communicator]:
        """Communicators that were there; one whose making did not return has no operations."""
        return [c for _, c in sorted(self.trace.communicators.items()) if c.address or c.made_by]

    def _membership(self, communicator: Communicator) -> Membership:
        chain = self.process.chain(communicator.stack)
        line = users_place(chain)
        site = line if line.file else self.process.site(communicator.stack) or chain[-1]
        where = f" ({os.path.basename(site.file)}:{site.line})" if site.file else ""
        return Membership(
            key=self.keys[communicator.number],
            name=f"communicator made in {site.function}{where}",
            size=communicator.ranks,
            rank=max(communicator.rank, -1),
            chain=chain,
            parent=self.keys.get(communicator.parent, ""),
        )

    def _waits(self) -> tuple[str, ...]:
        """What its threads wait for when the trace ends; nothing where it ended by itself."""
        if self.trace.header.state is not State.RUNNING:
            return ()
        locks, calls = [], []
        for number, thread in sorted(self.trace.threads.items()):
            if thread.end_ns:
                continue
            who = f"thread {self.process.thread(number)}"
            call = self.trace.calls.get(thread.wait_call)
            if thread.waits_for in self.process.classes:
                locks.append(f"{who} waits for {self._lock(thread.waits_for)}")
            elif call is not None and call.flags & (CallFlag.SYNC | CallFlag.LAUNCH):
                calls.append(f"{who} is in {call.name}")
        return (*locks, *calls)

    def _lock(self, lock: int) -> str:
        """A lock by its name, with who holds it."""
        name = self.process.declared[self.process.classes[lock]].name
        holders = [
            f"thread {self.process.thread(number)}"
            for number, thread in sorted(self.trace.threads.items())
            if not thread.end_ns and any(held.lock == lock for held in thread.held)
        ]
        return f"'{name}'" + (f", which {' and '.join(holders)} holds" if holders else "")

    # -- operations -------------------------------------------------------------------------------

    def _symbol(self, number: int) -> int:
        """The log's number of one of the trace's operations."""
        known = self.symbols.get(number)
        if known is None:
            record = self.trace.nccl_operations.get(number)
            if record is None:
                return 0
            known = self._operation(
                number, record.call, record.elements, record.type, record.reduction, record.root,
                record.stack, record.pc, record.thread,
            )  # fmt: skip
        return known

    def _operation(
        self, key: object, call: int, count: int, type_: int, reduction: int, root: int,
        stack: int, pc: int, thread: int,
    ) -> int:  # fmt: skip
        known = self.symbols.get(key)
        if known is not None:
            return known
        named = self.trace.calls.get(call)
        chain = self.process.chain(stack)
        if not self.trace.stack(stack) and pc:
            chain = self.process.places.chain((pc,)) or chain
        moves = type_ >= 0
        self.operations.append(
            Operation(
                name=plain_name(named.name) if named is not None else "",
                count=count if moves else -1,
                type=type_name(type_),
                reduction=reduction_name(reduction),
                root=root,
                chain=chain,
                thread=self.process.thread(thread),
            )
        )
        self.symbols[key] = len(self.operations) - 1
        return self.symbols[key]

    def _issued(self, kind: SequenceKind) -> tuple[Issued, ...]:
        found = []
        for communicator in self._made():
            total = communicator.peers if kind is SequenceKind.PEERS else communicator.collectives
            sequence = self.trace.nccl_sequences.get((communicator.number, kind))
            steps = self._steps(sequence) if sequence is not None else Steps(())
            found.append(self._of(communicator, steps, max(total, steps.first - 1 + steps.known)))
        return tuple(found)

    def _of(self, communicator: Communicator, steps: Steps, total: int) -> Issued:
        return Issued(
            communicator=self.keys[communicator.number],
            rank=max(communicator.rank, -1),
            steps=steps,
            total=total,
            ended=bool(communicator.ended_by),
        )

    def _steps(self, sequence: NcclSequence) -> Steps:
        tokens = tuple(
            (what if copy else self._symbol(what), length, copy)
            for what, length, copy in sequence.tokens
        )
        return Steps(tokens, sequence.first)

    def _launches(self) -> tuple[tuple[Launch, ...], Steps]:
        places: list[Launch] = []
        numbers: dict[int, int] = {}
        for number, record in self.trace.nccl_launches.items():
            key = self.keys.get(record.communicator)
            if key is None:
                continue
            host = bool(record.flags & LaunchFlag.HOST)
            numbers[number] = len(places)
            places.append(
                Launch(
                    communicator=key,
                    rank=max(self.trace.communicators[record.communicator].rank, -1),
                    stream="host" if host else str(record.stream),
                    group=record.grouped,
                    peer=bool(record.flags & LaunchFlag.PEER),
                )
            )
        sequence = self.trace.nccl_sequences.get((0, SequenceKind.LAUNCHES))
        if sequence is None or not places:
            return (), Steps(())
        nowhere = len(places)
        places.append(Launch("", -1))
        tokens = tuple(
            (what if copy else numbers.get(what, nowhere), length, copy)
            for what, length, copy in sequence.tokens
        )
        return tuple(places), Steps(tokens, sequence.first)

    # -- traces without sequences -----------------------------------------------------------------

    def _from_ring(self) -> tuple[tuple[Issued, ...], tuple[Issued, ...]]:
        """The newest operations, as far back as there is none missing."""
        orders: dict[tuple[int, bool], dict[int, int]] = defaultdict(dict)
        for call in self.trace.nccl_calls:
            named = self.trace.calls.get(call.call)
            if named is None or not call.communicator or not call.order:
                continue
            peer = bool(named.flags & CallFlag.PEER)
            key = (call.call, call.elements, call.type, call.reduction, call.root, call.pc)
            orders[call.communicator, peer][call.order] = self._operation(
                key, call.call, call.elements, call.type, call.reduction, call.root,
                call.stack, call.pc, call.thread,
            )  # fmt: skip
        collectives: list[Issued] = []
        peers: list[Issued] = []
        for communicator in self._made():
            for peer, found, total in (
                (False, collectives, communicator.collectives),
                (True, peers, communicator.peers),
            ):
                steps = _newest(orders.get((communicator.number, peer), {}), total)
                found.append(self._of(communicator, steps, total))
        return tuple(collectives), tuple(peers)


def _newest(orders: dict[int, int], total: int) -> Steps:
    first = total + 1
    while first - 1 in orders:
        first -= 1
    symbols = [orders[number] for number in range(first, total + 1)]
    return Steps(compress(symbols).tokens, first)


def _key(process: Process, communicator: Communicator) -> str:
    """What all ranks of a communicator call it; one that says nothing is its process' own."""
    if communicator.unique:
        return f"{communicator.unique:016x}"
    return f"{process.trace.path.name}:{communicator.number}"


def plain_name(call: str) -> str:
    """``ncclAllReduce`` as people say it, ``all_reduce``; of ncclCommSplit, ``split``."""
    words: Iterable[str] = _WORD.findall(_PREFIX.sub("", call))
    name = "_".join(words).lower()
    return _ALIASES.get(name, name)


def type_name(number: int) -> str:
    """What nccl.h calls a data type, in lower case; empty where there is none."""
    return _word(_TYPES, number)


def reduction_name(number: int) -> str:
    """What nccl.h calls a reduction, in lower case; empty where there is none."""
    return _word(_REDUCTIONS, number)


def _word(words: tuple[str, ...], number: int) -> str:
    if number < 0:
        return ""
    return words[number] if number < len(words) else _OWN
