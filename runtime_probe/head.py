"""The first page of a trace file, and the areas of its threads: what is true at this moment.

Everything else in a file is records, which `trace` reads.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, NoReturn

from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.layout import MAX_STARTED, Layout, State
from runtime_probe.records import Call, Header, HeldLock, PassingLock, Started, Thread


class Head(NamedTuple):
    """A file's header; `allocated` bytes of the file are in use."""

    form: Layout
    header: Header
    allocated: int
    counters: dict[str, int]


def read_head(path: Path, data: bytes) -> Head:
    """What the first page says; *data* may go on.

    Raises:
        TraceError: it is foreign, damaged, or of another version.
    """
    form = _form(path, data)
    fields = form.header.unpack_from(data)
    pid, parent, rank, local, world, flags, real, monotonic, state = fields[6:15]
    if state not in set(State):
        _fail(path, f"damaged: process state {state!r}")
    allocated = fields[17]
    if allocated < layout.PAGE:
        _fail(path, f"damaged: {allocated} bytes allocated, less than its header")
    started, more, forks = _started(form, data)
    host, variable, exe, command = (text(t) for t in fields[-4:])
    header = Header(
        pid, parent, rank, local, world, flags, real, monotonic, State(state), fields[16],
        host, variable, exe, command, started, more, forks,
    )  # fmt: skip
    counters = dict(zip(layout.COUNTER_NAMES, fields[18:], strict=False))
    return Head(form, header, allocated, counters)


def _started(form: Layout, data: bytes) -> tuple[tuple[Started, ...], int, int]:
    """The programs that were started, how many are not listed, and forks without a trace."""
    count, failed, forks, _ = form.starts.unpack_from(data, form.header.size)
    at = form.header.size + form.starts.size
    slots = (form.started.unpack_from(data, at + i * form.started.size) for i in range(MAX_STARTED))
    found = tuple(Started(pid, text(path)) for pid, path in slots if pid)
    return found, max(0, count - failed - len(found)), forks


def _form(path: Path, data: bytes) -> Layout:
    """Which byte order; an error for everything that is no trace of this version."""
    if not data:
        _fail(path, "torn: it is empty")
    if data[: len(layout.MAGIC)] != layout.MAGIC[: len(data)]:
        _fail(path, "not a trace file of lockorder")
    if len(data) < layout.PAGE:
        _fail(path, f"torn: {len(data)} bytes are less than a header")
    forms = {struct.pack(f"{f.order}I", layout.ENDIAN): f for f in (layout.LITTLE, layout.BIG)}
    form = forms.get(data[20:24])
    if form is None:
        _fail(path, f"damaged: {data[20:24].hex()} is no byte order")
    version, size, pointer = struct.unpack_from(f"{form.order}III", data, 8)
    if version not in layout.READABLE:
        known = " and ".join(map(str, layout.READABLE))
        _fail(path, f"format version {version}; this lockorder reads versions {known}")
    form = layout.LAYOUTS[form.order, version]
    if pointer != layout.POINTER_SIZE:
        _fail(path, f"recorded with pointers of {8 * pointer} bits; only 64 bits are supported")
    if not form.header.size <= size <= layout.PAGE:
        _fail(path, f"damaged: a header of {size} bytes")
    return form


def read_area(form: Layout, data: bytes | memoryview, at: int) -> Thread | None:
    """The thread whose area begins *at*; None where it was begun and not yet filled.

    Held locks that *data* has no room for are left out.
    """
    (
        index, tid, pthread, start, ended, name, creator, creation, depth, waits_for, mode,
        gil, call, stack, since, obj, operations, group_depth,
        group_stack, group_pc, group_since, created, passing,
    ) = form.area.unpack_from(data, at + form.block.size)  # fmt: skip
    if index == 0:
        return None
    first = at + layout.AREA_HELD
    # The thread may have been killed while it pushed: an entry too many is no damage.
    room = min(layout.MAX_HELD, (len(data) - first) // form.held.size)
    depth = min(depth, room)
    both = min(depth + passing, room)
    entries = list(form.held.iter_unpack(memoryview(data)[first : first + both * form.held.size]))
    return Thread(
        index, tid, pthread, start, ended, text(name), creator, creation, waits_for, mode,
        gil, call, stack, since, obj, operations, group_depth, group_stack,
        group_pc, group_since, tuple(HeldLock(*h) for h in entries[:depth]), created,
        tuple(_passing(*entry) for entry in entries[depth:]),
    )  # fmt: skip


def _passing(low: int, mode: int, how: int, high: int, pc: int) -> PassingLock:
    return PassingLock(low | high << 32, how & 15, mode, how >> 4 & 7, pc)


def with_numbers(threads: Iterable[Thread]) -> list[Thread]:
    """*threads* of one process, where those that wait for a lock say which number it has.

    A lock that is held with nothing told of it is known by where it lies; whoever waits for it has
    given it a number, and says where it lies, too.  It is held like any other then.
    """
    threads = list(threads)
    numbers = {t.wait_object: t.waits_for for t in threads if t.waits_for}
    return [
        thread._replace(
            held=thread.held
            + tuple(
                HeldLock(numbers[lock.address], lock.mode, lock.how, 1, lock.pc)
                for lock in thread.passing
                if lock.address in numbers
            )
        )
        for thread in threads
    ]


def read_call(form: Layout, data: bytes, at: int, end: int) -> Call:
    """The function that the name record from *at* to *end* describes.

    Raises ValueError or struct.error for a damaged one.
    """
    size, waits_for, flags = form.name.unpack_from(data, at)
    at += form.name.size
    if at + size > end:
        raise ValueError
    return Call(text(data[at : at + size]), layout.WaitsFor(waits_for), flags)


def text(data: object) -> str:
    """Up to the first zero; bytes that are no UTF-8 are kept visible."""
    raw = data if isinstance(data, bytes) else b""
    return raw.partition(b"\0")[0].decode("utf-8", "backslashreplace")


def _fail(path: Path, reason: str) -> NoReturn:
    raise TraceError(path, reason)
