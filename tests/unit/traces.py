"""Writes trace files: small programs with places and globals, and what their processes recorded.

``Program`` gives out code places and global objects, and answers as symbols would.
``Recording`` is one process of it: threads, locks, edges; ``data()`` its file, ``write()`` puts it
into a folder.  Return addresses are the first byte after a call, which may belong to the next
function: readers must look one byte back.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

from nccl_traces import NcclRecords
from runtime_probe import layout
from runtime_probe.layout import Kind, MisuseKind

_TEXT, _DATA, _STEP = 0x1000, 0x100000, 16
_SIZE = 0x200000
EXCLUSIVE, SHARED = 0, 1
BLOCKING, TRY, TIMED = 0, 1, 2
#: Of a frame of Python's: the interpreter was called for it.
ENTRY = 1 << 31


class Program:
    """Code and data of one executable, at link-time addresses."""

    def __init__(self, path: str = "/opt/app/trainer", build_id: str = "0123abcd") -> None:
        self.path = path
        self.build_id = build_id
        self.problems: list[str] = []
        self._places: dict[tuple[tuple[str, str, int], ...], int] = {}
        self._globals: dict[str, int] = {}

    def call(self, *frames: tuple[str, str, int]) -> int:
        """Link-time return address of a call; several frames are inlined, innermost first."""
        number = self._places.setdefault(frames, len(self._places))
        return _TEXT + number * _STEP + _STEP

    def variable(self, name: str) -> int:
        """Link-time address of the global *name*."""
        return _DATA + self._globals.setdefault(name, len(self._globals)) * 0x100

    def lookup(self, path: str, build_id: str, offset: int) -> list[tuple[str, str, int]]:
        """Function, file and line at *offset*, innermost inlined first."""
        for frames, number in self._places.items():
            first = _TEXT + number * _STEP
            if (path, build_id) == (self.path, self.build_id) and first <= offset < first + _STEP:
                return list(frames)
        return []

    def data_symbol(self, path: str, build_id: str, offset: int) -> str | None:
        """The global object that covers *offset*."""
        for name in self._globals:
            first = self.variable(name)
            if (path, build_id) == (self.path, self.build_id) and first <= offset < first + 0x80:
                return name + (f"+{offset - first:#x}" if offset > first else "")
        return None


class Recording(NcclRecords):
    """One process: add what it did, then take its file."""

    def __init__(
        self,
        program: Program | None = None,
        pid: int = 100,
        rank: int = -1,
        order: str = "<",
        host: str = "node1",
        bias: int = 0x5500_0000_0000,
        version: int = layout.VERSION,
    ) -> None:
        self.program = program or Program()
        self.version = version
        self.form = layout.LAYOUTS[order, version]
        self.pid, self.rank, self.host, self.bias = pid, rank, host, bias
        self.state = layout.State.EXITED
        self.counters = [0] * layout.COUNTERS
        #: Programs that it started: pid (0: it could not be) and path; how many more there were,
        #: how many failed, and forks without a trace.
        self.started: list[tuple[int, str]] = []
        self.starts = (0, 0, 0)
        self._blocks: list[bytes] = []
        self._entries: list[bytes] = []
        self._records = bytearray()
        self._numbers: dict[str, int] = {}
        self._stacks: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self._calls: dict[tuple[str, int, int], int] = {}
        self.clock = 0
        self.module(self.program.path, bias, bias, bias + _SIZE, self.program.build_id)

    # -- what it is made of -----------------------------------------------------------------------

    def module(self, path: str, bias: int, start: int, end: int, build_id: str = "") -> int:
        """A mapped object."""
        number = self._number("module")
        raw, name = bytes.fromhex(build_id), path.encode()
        body = self.form.module.pack(bias, start, end, len(raw), len(name), 0) + raw + name
        self.record(layout.RecordType.MODULE, number, body)
        return number

    def pc(self, *frames: tuple[str, str, int]) -> int:
        """Return address of a call in this process."""
        return self.bias + self.program.call(*frames)

    def place(self, file: str, function: str, line: int) -> int:
        """A line of Python."""
        number = self._number("place")
        raw, name = file.encode(), function.encode()
        body = self.form.place.pack(line, len(raw), len(name)) + raw + name
        self.record(layout.RecordType.PLACE, number, body)
        return number

    def stack(self, *calls: tuple[str, str, int] | int, python: Sequence[int] = ()) -> int:
        """A stack of calls (places or addresses), innermost first; *python*: the functions of
        Python in it, places of which some have ``ENTRY``."""
        pcs = tuple(c if isinstance(c, int) else self.pc(c) for c in calls)
        key = (pcs, tuple(python))
        if key not in self._stacks:
            self._stacks[key] = number = self._number("stack")
            if python:
                self._python(number, python)
            body = self.form.stack.pack(len(pcs), 0)
            body += struct.pack(f"{self.form.order}{len(pcs)}Q", *pcs)
            self.record(layout.RecordType.STACK, number, body)
        return self._stacks[key]

    def python_on(self, stack: int, base: int, shared: int, *frames: int) -> None:
        """Functions of Python and, outside of them, the *shared* outermost ones of *base*."""
        self._python(stack, frames, base, shared)

    def _python(self, stack: int, frames: Sequence[int], base: int = 0, shared: int = 0) -> None:
        body = self.form.python.pack(len(frames), 0, base, shared)
        body += struct.pack(f"{self.form.order}{len(frames)}I", *frames)
        self.record(layout.RecordType.PYTHON, stack, body)

    def stack_on(self, base: int, shared: int, *pcs: int) -> int:
        """A stack of *pcs* and, outside of them, the *shared* outermost frames of *base*."""
        number = self._number("stack")
        body = self.form.stack_on.pack(len(pcs), 0, base, shared)
        body += struct.pack(f"{self.form.order}{len(pcs)}Q", *pcs)
        self.record(layout.RecordType.STACK_ON, number, body)
        return number

    def thread(
        self,
        name: str = "worker",
        held: Sequence[tuple[int, int, int, int, int]] = (),
        waits_for: int = 0,
        wait_stack: int = 0,
        start_ns: int = 0,
        end_ns: int = 0,
        tid: int = 0,
        wait_how: int = EXCLUSIVE,
        pthread: int = 0,
        group: tuple[int, int, int, int] = (0, 0, 0, 0),
        creator: int = 0,
        wait_call: int = 0,
        created_ns: int = 0,
        wait_since_ns: int = 0,
        wait_object: int = 0,
        passing: Sequence[int] = (),
    ) -> int:
        """A thread's area; *held*: lock, mode, how, times taken, return address; *group*: how deep
        in groups of NCCL calls, where the outermost began (stack, return address) and when;
        *passing*: where mutexes lie that it holds and of which nothing is told yet."""
        number = self._number("thread")
        head = self.form.block.pack(
            layout.BLOCK_MAGIC, layout.BlockKind.THREAD, 2, number, 2 * layout.PAGE, 0, 0
        )
        body = self.form.area.pack(
            number, tid or self.pid + number - 1, pthread or 0x7F00_0000 + number, start_ns,
            end_ns, name.encode(), creator, 0, len(held), waits_for, wait_how, 0, wait_call,
            wait_stack, wait_since_ns, wait_object, 0, *group, created_ns, len(passing),
        )  # fmt: skip
        area = (head + body).ljust(layout.AREA_HELD, b"\0")
        area += b"".join(self.form.held.pack(*h) for h in held)
        for address in passing:
            low, high = address & 0xFFFF_FFFF, address >> 32
            area += self.form.held.pack(low, 0, Kind.MUTEX, high, 0)
        self._blocks.append(area.ljust(2 * layout.PAGE, b"\0"))
        return number

    def lock(
        self,
        address: int,
        kind: Kind = Kind.MUTEX,
        flags: int = 0,
        generation: int = 1,
        made: int = 0,
        first: int = 0,
    ) -> int:
        """A lock at *address*; *made* and *first* are stacks."""
        number = self._number("lock")
        body = self.form.lock.pack(kind, flags, 0, generation, address, made, first, 0)
        self.record(layout.RecordType.LOCK, number, body)
        return number

    def named(self, name: str, kind: Kind = Kind.MUTEX, flags: int = 0) -> int:
        """A lock that is a global variable."""
        return self.lock(self.bias + self.program.variable(name), kind, flags)

    def call(self, name: str, waits_for: int = 0, flags: int = 0) -> int:
        """A function that has a hook."""
        key = (name, waits_for, flags)
        if key not in self._calls:
            self._calls[key] = number = self._number("call")
            raw = name.encode()
            body = self.form.name.pack(len(raw), waits_for, flags) + raw
            self.record(layout.RecordType.NAME, number, body)
        return self._calls[key]

    # -- what it did ------------------------------------------------------------------------------

    def edge(
        self,
        thread: int,
        source: int,
        target: int,
        *,
        modes: tuple[int, int] = (EXCLUSIVE, EXCLUSIVE),
        hows: tuple[int, int] = (BLOCKING, BLOCKING),
        gates: Iterable[tuple[int, int]] = (),
        source_stack: int = 0,
        target_stack: int = 0,
        source_pc: int = 0,
    ) -> None:
        """*thread* took *target* under *source*; *gates*: lock and mode."""
        self.clock += 1
        if not target_stack:
            name = f"take_{source}_{target}"
            target_stack = self.stack((name, "app.cpp", 10 + target), ("main", "app.cpp", 3))
            source_pc = source_pc or self.pc((name, "app.cpp", 10 + source))
        listed = list(gates)
        body = self.form.edge.pack(
            source, target, *modes, *hows, len(listed), source_stack, target_stack, source_pc,
            self.clock,
        )  # fmt: skip
        body += b"".join(self.form.gate.pack(lock, mode, BLOCKING, 0) for lock, mode in listed)
        self.record(layout.RecordType.EDGE, thread, body)

    def blocked(
        self,
        thread: int,
        call: int,
        held: Iterable[tuple[int, int]],
        *,
        at: tuple[str, str, int] | int = ("wait_here", "app.cpp", 50),
        own: int = 0,
        times: int = 1,
        longest_ns: int = 1000,
        obj: int = 0,
        time_ns: int = 0,
        last_ns: int = 0,
        above: Sequence[tuple[str, str, int]] = (),
        taken: Sequence[tuple[str, str, int]] = (),
    ) -> None:
        """*thread* made *call* with *held*: lock and mode.

        Functions between the call and main are *above* it, innermost first; what was held was
        first *taken* on another way, if on any that is kept, and this time by the innermost of
        those above, if there are any.
        """
        listed = list(held)
        body = self.form.blocked.pack(
            call, len(listed), self.stack(at, *above, ("main", "app.cpp", 3)), obj, times,
            times * longest_ns, longest_ns, time_ns, own, 0, *[last_ns][: self.version - 1],
        )  # fmt: skip
        by = above[0] if above else taken[0] if taken else at
        pc = by if isinstance(by, int) else self.pc((by[0], by[1], by[2] - 1))
        first = self.stack(*taken) if taken else 0
        body += b"".join(self.form.held_stack.pack(k, m, 0, 0, pc, first, 0) for k, m in listed)
        self.record(layout.RecordType.BLOCKED, thread, body)

    def misuse(
        self, thread: int, kind: MisuseKind, lock: int, *, holder: int = 0, pc: int = 0
    ) -> None:
        """*thread* did something wrong with *lock*."""
        stack = self.stack((f"wrong_{int(kind)}", "app.cpp", 70), ("main", "app.cpp", 3))
        body = self.form.misuse.pack(kind, lock, stack, 0, pc, holder, 1, 5)
        self.record(layout.RecordType.MISUSE, thread, body)

    def stat(self, lock: int, *values: int) -> None:
        """Acquisitions, contended, wait, longest wait, longest hold, holds timed, deepest."""
        self.record(layout.RecordType.STAT, lock, self.form.stat.pack(*values))

    # -- the file ---------------------------------------------------------------------------------

    def record(self, kind: int, number: int, body: bytes) -> None:
        """A record of any kind, padded."""
        body += b"\0" * (-len(body) % 8)
        self._records += self.form.record.pack(kind, 8 + len(body), number) + body

    def data(self) -> bytes:
        """The file's bytes: the header, the threads' areas, one block after another of records."""
        blocks = [*self._blocks, *self._record_blocks(), *self._ring()]
        body = b"".join(blocks)
        started = self._started()
        size = self.form.header.size + len(started)
        header = self.form.header.pack(
            layout.MAGIC, self.version, size, 8, layout.ENDIAN, 1 << 26,
            self.pid, 1, self.rank, self.rank, -1, 0, 10**18, 10**9, self.state, 0, 2 * 10**9,
            layout.PAGE + len(body), *self.counters, self.host.encode(), b"RANK",
            self.program.path.encode(), f"{self.program.path} --train".encode(),
        )  # fmt: skip
        return (header + started).ljust(layout.PAGE, b"\0") + body

    def _started(self) -> bytes:
        """What the header has from version 4 on."""
        if self.version < 4:
            return b""
        more, failed, forks = self.starts
        places = [self.form.started.pack(pid, path.encode()) for pid, path in self.started]
        places += [bytes(self.form.started.size)] * (layout.MAX_STARTED - len(places))
        count = sum(pid != 0 for pid, _ in self.started) + more + failed
        return self.form.starts.pack(count, failed, forks, 0) + b"".join(places)

    def write(self, folder: Path) -> Path:
        """Write the file into *folder* under the name that the shim would give it."""
        rank = f"rank{self.rank}-" if self.rank >= 0 else ""
        path = folder / f"trace-{rank}{self.host}-{self.pid}-0.lot"
        path.write_bytes(self.data())
        return path

    def _record_blocks(self) -> list[bytes]:
        """Records never lie across two blocks."""
        room = 16 * layout.PAGE - self.form.block.size
        blocks, at = [bytearray()], 0
        while at < len(self._records):
            size = struct.unpack_from(f"{self.form.order}H", self._records, at + 2)[0]
            if len(blocks[-1]) + size > room:
                blocks.append(bytearray())
            blocks[-1] += self._records[at : at + size]
            at += size
        made = []
        for number, block in enumerate(blocks):
            pages = -(-(len(block) + self.form.block.size) // layout.PAGE)
            head = self.form.block.pack(
                layout.BLOCK_MAGIC, layout.BlockKind.RECORDS, pages, 1,
                len(block) + self.form.block.size, number, 0,
            )  # fmt: skip
            made.append((head + block).ljust(pages * layout.PAGE, b"\0"))
        return made

    def _ring(self) -> list[bytes]:
        """Four entries, whatever their number."""
        if not self._entries:
            return []
        places = [bytes(self.form.entry.size)] * 4
        for number, entry in enumerate(self._entries):
            places[number % 4] = entry
        head = self.form.block.pack(
            layout.BLOCK_MAGIC, layout.BlockKind.RING, 1, 1, layout.PAGE, 0, 0
        )
        head += self.form.ring.pack(self.form.entry.size, 4, len(self._entries), 0, 0)
        return [(head + b"".join(places)).ljust(layout.PAGE, b"\0")]

    def _number(self, what: str) -> int:
        self._numbers[what] = self._numbers.get(what, 0) + 1
        return self._numbers[what]
