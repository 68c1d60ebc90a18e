"""Records of a trace file, one after another, into a `records.Trace` (docs/trace-format.md).

Strict: a number that cannot be ends the reading.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable
from typing import NoReturn

from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.footprint_records import read_environment, read_footprint
from runtime_probe.head import read_call, text
from runtime_probe.layout import (
    MAX_HOW,
    MAX_MODE,
    GroupMisuseKind,
    Layout,
    MisuseKind,
    RecordType,
    SequenceKind,
)
from runtime_probe.nccl_records import Communicator, GroupMisuse, NcclTotal
from runtime_probe.nccl_sequences import Chunk, NcclLaunch, NcclOperation, read_tokens
from runtime_probe.records import (
    Blocked,
    Edge,
    Gate,
    HeldAt,
    Lock,
    Misuse,
    Module,
    Place,
    Stat,
    Trace,
)

_RECORD = 8


class RecordReader:
    """Reads records out of `data`, which lies at byte `base` of the file.

    Attributes:
        chunks: parts of sequences of NCCL calls, by communicator and kind; not joined yet.
    """

    def __init__(self, form: Layout, trace: Trace, data: bytes = b"") -> None:
        self.form = form
        self.trace = trace
        self.data = data
        self.base = 0
        self.readers: dict[int, Callable[[int, int, int], None]] = {
            RecordType.MODULE: self._module, RecordType.STACK: self._stack,
            RecordType.LOCK: self._lock, RecordType.EDGE: self._edge,
            RecordType.BLOCKED: self._blocked, RecordType.MISUSE: self._misuse,
            RecordType.STAT: self._stat, RecordType.NAME: self._name,
            RecordType.COMMUNICATOR: self._communicator,
            RecordType.NCCL_TOTAL: self._nccl_total,
            RecordType.GROUP_MISUSE: self._group_misuse,
            RecordType.STACK_ON: self._stack_on,
            RecordType.NCCL_OPERATION: self._nccl_operation,
            RecordType.NCCL_LAUNCH: self._nccl_launch,
            RecordType.NCCL_SEQUENCE: self._nccl_sequence,
            RecordType.FOOTPRINT: self._footprint,
            RecordType.ENVIRONMENT: self._environment,
            RecordType.PLACE: self._place, RecordType.PYTHON: self._python,
        }  # fmt: skip
        self.chunks: dict[tuple[int, SequenceKind], list[Chunk]] = {}
        self._gates: dict[bytes, tuple[Gate, ...]] = {}

    def fail(self, reason: str) -> NoReturn:
        """What is read cannot be believed."""
        raise TraceError(self.trace.path, reason)

    def read(self, at: int, limit: int, end: int) -> None:
        """Records from *at* to *limit*; those beyond *end*, the data's, are lost.

        Raises:
            TraceError: one cannot be believed.
        """
        header, readers, data = self.form.record.unpack_from, self.readers, self.data
        last = min(limit, end) - _RECORD
        while at < limit:
            if at > last:
                if limit > end:
                    return
                self.fail(f"damaged: half a record at byte {self.base + at}")
            kind, size, number = header(data, at)
            if size < _RECORD or size % 8 or at + size > limit:
                self.fail(f"damaged: a record of {size} bytes at byte {self.base + at}")
            if at + size > end:
                if kind == RecordType.NCCL_SEQUENCE:
                    self._torn_sequence(at + _RECORD, end, number)
                return
            reader = readers.get(kind)
            if reader is None:
                self.fail(f"damaged: a record of type {kind} at byte {self.base + at}")
            try:
                reader(at + _RECORD, at + size, number)
            except (struct.error, ValueError):
                self.fail(
                    f"damaged: a {RecordType(kind).name.lower()} record at byte {self.base + at}"
                )
            at += size

    # -- each from its first byte after the common part to its end ---------------------------------

    def _module(self, at: int, end: int, number: int) -> None:
        bias, start, stop, id_size, path_size, _ = self.form.module.unpack_from(self.data, at)
        at += self.form.module.size
        if at + id_size + path_size > end or stop < start:
            raise ValueError
        build_id = self.data[at : at + id_size].hex()
        path = text(self.data[at + id_size : at + id_size + path_size])
        self.trace.modules.append(Module(number, bias, start, stop, build_id, path))

    def _stack(self, at: int, end: int, number: int) -> None:
        frames, _ = self.form.stack.unpack_from(self.data, at)
        at += self.form.stack.size
        if at + 8 * frames > end:
            raise ValueError
        self.trace._stacks[number] = (self.base + at, frames, 0, 0)

    def _stack_on(self, at: int, end: int, number: int) -> None:
        frames, _, base, shared = self._unpack(self.form.stack_on, at, end)
        at += self.form.stack_on.size
        if at + 8 * frames > end:
            raise ValueError
        self.trace._stacks[number] = (self.base + at, frames, base, shared)

    def _place(self, at: int, end: int, number: int) -> None:
        line, file_size, name_size = self._unpack(self.form.place, at, end)
        at += self.form.place.size
        if at + file_size + name_size > end:
            raise ValueError
        file = text(self.data[at : at + file_size])
        name = text(self.data[at + file_size : at + file_size + name_size])
        self.trace.places[number] = Place(file, name, line)

    def _python(self, at: int, end: int, number: int) -> None:
        frames, _, base, shared = self._unpack(self.form.python, at, end)
        at += self.form.python.size
        if at + 4 * frames > end:
            raise ValueError
        entries = struct.unpack_from(f"{self.form.order}{frames}I", self.data, at)
        # Of a base that is lost to damage, the outer frames are, too.
        outer = self.trace.python.get(base, ()) if shared else ()
        self.trace.python[number] = entries + outer[max(0, len(outer) - shared) :]

    def _lock(self, at: int, end: int, number: int) -> None:
        kind, flags, _, generation, address, creation, first, time = self._unpack(
            self.form.lock, at, end
        )
        if not 1 <= kind <= layout.Kind.PYTHON_LOCK:
            raise ValueError
        known = self.trace.locks.get(number)
        if known is not None:  # again, for a flag that was not known at first
            self.trace.locks[number] = known._replace(flags=known.flags | flags)
            return
        self.trace.locks[number] = Lock(
            number, kind, flags, generation, address, creation, first, time
        )

    def _edge(self, at: int, end: int, number: int) -> None:
        form = self.form.edge
        if end - at < form.size:
            raise ValueError
        (source, target, mode_s, mode_t, how_s, how_t, count, stack_s, stack_t, pc, time) = (
            form.unpack_from(self.data, at)
        )
        gates: tuple[Gate, ...] = ()
        if count:
            at += form.size
            if at + count * self.form.gate.size > end:
                raise ValueError
            gates = self._gates_of(bytes(self.data[at : at + count * self.form.gate.size]))
        if (mode_s | mode_t) > MAX_MODE or how_s > MAX_HOW or how_t > MAX_HOW:
            raise ValueError
        self.trace.edges.append(
            Edge(
                number, source, target, mode_s, mode_t, how_s, how_t, stack_s, stack_t, pc, time,
                gates,
            )
        )  # fmt: skip

    def _gates_of(self, data: bytes) -> tuple[Gate, ...]:
        """Orders of one acquisition mostly have the same: each is read once."""
        known = self._gates.get(data)
        if known is None:
            found = self.form.gate.iter_unpack(data)
            known = self._gates[data] = tuple(Gate(lock, mode, how) for lock, mode, how, _ in found)
            if any(g.mode > MAX_MODE or g.how > MAX_HOW for g in known):
                raise ValueError
        return known

    def _blocked(self, at: int, end: int, number: int) -> None:
        form, entry = self.form.blocked, self.form.held_stack
        fields = self._unpack(form, at, end)
        call, held, stack, obj, count, total, longest, time, own, _, *last = fields
        at += form.size
        if at + held * entry.size > end:
            raise ValueError
        found = entry.iter_unpack(self.data[at : at + held * entry.size])
        locks = tuple(HeldAt(k, mode, how, pc, s) for k, mode, how, _, pc, s, _ in found)
        if any(k.mode > MAX_MODE or k.how > MAX_HOW for k in locks):
            raise ValueError
        self.trace.blocked.append(
            Blocked(number, call, stack, obj, count, total, longest, time, own, sum(last), locks)
        )

    def _misuse(self, at: int, end: int, number: int) -> None:
        kind, *rest = self._unpack(self.form.misuse, at, end)
        self.trace.misuses.append(Misuse(number, MisuseKind(kind), *rest))

    def _stat(self, at: int, end: int, number: int) -> None:
        self.trace.stats[number] = Stat(*self._unpack(self.form.stat, at, end))

    def _name(self, at: int, end: int, number: int) -> None:
        self.trace.calls[number] = read_call(self.form, self.data, at, end)

    def _communicator(self, at: int, end: int, number: int) -> None:
        form = self.form.communicator
        *head, stack, thread, _, begin, ended, collectives, peers = self._unpack(form, at, end)
        tail = (stack, thread, begin, ended, collectives, peers)
        found = Communicator._make((number, *head, *tail))
        # One that two threads met at once for the first time, and the other one described.
        if found.made_by or found.address:
            self.trace.communicators[number] = found

    def _nccl_total(self, at: int, end: int, number: int) -> None:
        call, _, peer, pc, stack, _, *sums = self._unpack(self.form.nccl_total, at, end)
        self.trace.nccl_totals.append(NcclTotal(number, call, peer, pc, stack, *sums))

    def _group_misuse(self, at: int, end: int, number: int) -> None:
        kind, *rest = self._unpack(self.form.group_misuse, at, end)
        self.trace.group_misuses.append(GroupMisuse(number, GroupMisuseKind(kind), *rest))

    def _nccl_operation(self, at: int, end: int, number: int) -> None:
        count, pc, comm, thread, stack, root, reduction, stream, kind, call, _ = self._unpack(
            self.form.nccl_operation, at, end
        )
        self.trace.nccl_operations[number] = NcclOperation(
            number, comm, call, kind, reduction, root, count, thread, pc, stack, stream
        )

    def _nccl_launch(self, at: int, end: int, number: int) -> None:
        handle, comm, thread, stream, grouped, flags = self._unpack(self.form.nccl_launch, at, end)
        self.trace.nccl_launches[number] = NcclLaunch(
            number, comm, stream, handle, thread, grouped, flags
        )

    def _nccl_sequence(self, at: int, end: int, number: int) -> None:
        capacity = self._unpack(self.form.nccl_sequence, at, end)[2]
        if at + self.form.nccl_sequence.size + 8 * capacity > end:
            raise ValueError
        self._chunk(at, end, number)

    def _torn_sequence(self, at: int, end: int, number: int) -> None:
        """As many of its tokens as there are."""
        if at + self.form.nccl_sequence.size <= end:
            with contextlib.suppress(ValueError):
                self._chunk(at, end, number)

    def _chunk(self, at: int, end: int, number: int) -> None:
        first, kind, capacity, used = self._unpack(self.form.nccl_sequence, at, end)
        if used > capacity:
            raise ValueError
        at += self.form.nccl_sequence.size
        size = 8 * min(used, (end - at) // 8)
        tokens = read_tokens(self.data[at : at + size], self.form.order)
        self.chunks.setdefault((number, SequenceKind(kind)), []).append(Chunk(first, *tokens))

    def _footprint(self, at: int, end: int, number: int) -> None:
        self.trace.footprints.append(read_footprint(self.form, self.data, at, end, number))

    def _environment(self, at: int, end: int, _: int) -> None:
        found = read_environment(self.form, self.data, at, end)
        known = self.trace.environment
        if known is None or found.time_ns >= known.time_ns:
            self.trace.environment = found

    def _unpack(self, form: struct.Struct, at: int, end: int) -> tuple[int, ...]:
        if at + form.size > end:
            raise ValueError
        return form.unpack_from(self.data, at)
