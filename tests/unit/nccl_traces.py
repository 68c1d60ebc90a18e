"""The part of `traces.Recording` that writes what a process did with NCCL."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

from runtime_probe import layout
from runtime_probe.footprint_records import Phase, Usage
from runtime_probe.layout import GroupMisuseKind, SequenceKind
from sequences import compress

Place = tuple[str, str, int]


class NcclRecords:
    """Communicators, calls, sequences; `Recording` has the rest."""

    form: layout.Layout
    _entries: list[bytes]

    def communicator(
        self,
        address: int,
        unique: int = 0,
        *,
        ranks: int = -1,
        rank: int = -1,
        parent: int = 0,
        made_by: int = 0,
        collectives: int = 0,
        end_ns: int = 0,
    ) -> int:
        """A communicator of NCCL at *address*; *made_by* is a call."""
        number = self._number("communicator")
        body = self.form.communicator.pack(
            address, unique, 1, parent, ranks, rank, -1, -1, made_by, 0, 0, 1, 0, 0, end_ns,
            collectives, 0,
        )  # fmt: skip
        self.record(layout.RecordType.COMMUNICATOR, number, body)
        return number

    def nccl_total(self, communicator: int, call: int, *sums: int, peer: int = -1) -> None:
        """Begun, ended, failed, elements, time, longest, last order, first and last begin."""
        stack = self.stack((f"call_{call}", "app.cpp", 80), ("main", "app.cpp", 3))
        pc = self.pc((f"call_{call}", "app.cpp", 80))
        body = self.form.nccl_total.pack(call, 0, peer, pc, stack, 0, *sums)
        self.record(layout.RecordType.NCCL_TOTAL, communicator, body)

    def nccl_operation(
        self,
        communicator: int,
        call: int,
        *,
        elements: int = 0,
        kind: int = -1,
        reduction: int = -1,
        root: int = -1,
        thread: int = 1,
        stream: int = 1,
        at: tuple[str, str, int] = ("operate", "app.cpp", 85),
    ) -> int:
        """A sort of operation, to stand in sequences of *communicator*; *call* is one that has a
        name, *kind* a data type."""
        number = self._number("operation")
        stack = self.stack(at, ("main", "app.cpp", 3))
        body = self.form.nccl_operation.pack(
            elements, self.pc(at), communicator, thread, stack, root, reduction, stream, kind, call,
            0,
        )  # fmt: skip
        self.record(layout.RecordType.NCCL_OPERATION, number, body)
        return number

    def nccl_launch(
        self,
        communicator: int,
        *,
        stream: int = 1,
        thread: int = 1,
        grouped: int = 0,
        flags: int = 0,
    ) -> int:
        """A sort of launch, to stand in the process's sequence of them."""
        number = self._number("launch")
        body = self.form.nccl_launch.pack(
            0x5700 + stream, communicator, thread, stream, grouped, flags
        )
        self.record(layout.RecordType.NCCL_LAUNCH, number, body)
        return number

    def nccl_sequence(
        self,
        communicator: int,
        kind: SequenceKind,
        symbols: Iterable[int],
        capacity: int = 1016,
    ) -> None:
        """All of a sequence, in chunks of *capacity* tokens."""
        self.nccl_tokens(communicator, kind, compress(symbols), capacity=capacity)

    def nccl_tokens(
        self,
        communicator: int,
        kind: int,
        tokens: Sequence[tuple[int, int]],
        *,
        first: int = 1,
        capacity: int = 1016,
    ) -> None:
        """A sequence of tokens that need not make sense, in chunks."""
        for begin in range(0, len(tokens), capacity):
            some = tokens[begin : begin + capacity]
            body = self.form.nccl_sequence.pack(first, kind, capacity, len(some))
            body += struct.pack(f"{self.form.order}{2 * len(some)}I", *sum(some, ()))
            body += bytes(8 * (capacity - len(some)))
            self.record(layout.RecordType.NCCL_SEQUENCE, communicator, body)
            first += sum(length for _, length in some)

    def group_misuse(
        self, thread: int, kind: GroupMisuseKind, call: int = 0, *, begun: bool = True
    ) -> None:
        """*thread* did something wrong with a group, or where there is none."""
        stack = self.stack((f"wrong_group_{int(kind)}", "app.cpp", 75), ("main", "app.cpp", 3))
        begin = self.stack(("begin_group", "app.cpp", 74), ("main", "app.cpp", 2)) if begun else 0
        body = self.form.group_misuse.pack(kind, call, begun, stack, begin, 0, 3, 5)
        self.record(layout.RecordType.GROUP_MISUSE, thread, body)

    def footprint(
        self,
        communicators: Sequence[int],
        before: Usage,
        after: Usage,
        *,
        phase: Phase = Phase.MAKING,
        call: int = 0,
        stack: int = 0,
        flags: int = 0,
    ) -> None:
        """The process before and after it made *communicators*, or used them first."""
        body = self.form.footprint.pack(
            phase, call, 1, stack, flags, len(communicators), len(communicators)
        )
        body += self.form.usage.pack(*before, 0) + self.form.usage.pack(*after, 0)
        body += struct.pack(f"{self.form.order}{len(communicators)}I", *communicators)
        self.record(layout.RecordType.FOOTPRINT, communicators[0], body)

    def environment(
        self,
        settings: Mapping[str, str] | None = None,
        *,
        version: int = 22809,
        memory: int = 1 << 38,
        limit: int = 0,
        shm: int = 1 << 36,
    ) -> None:
        """NCCL's version, sizes in bytes, environment variables."""
        raw = b"".join(f"{k}={v}".encode() + b"\0" for k, v in (settings or {}).items())
        body = self.form.environment.pack(version, len(raw), memory, limit, shm, 1) + raw
        self.record(layout.RecordType.ENVIRONMENT, 1, body)

    def nccl_call(
        self,
        communicator: int,
        call: int,
        order: int = 0,
        *,
        count: int = 0,
        root: int = -1,
        end_ns: int = 9,
        state: int = 0,
        again: int = -1,
        begin_ns: int = 0,
    ) -> None:
        """A call in the ring; *state* and *again* as if its writer had been stopped."""
        number = self._number("entry")
        self._entries.append(
            self.form.entry.pack(
                number << 2 | state, begin_ns or number, end_ns, order, count, 0x57, 0x99,
                communicator, 1, 0, 0, -1, root, call, 0, 7, 0, number if again < 0 else again,
            )
        )  # fmt: skip
