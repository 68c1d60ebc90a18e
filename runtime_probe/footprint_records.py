"""What a trace file says of the cost of communicators (docs/trace-format.md)."""

from __future__ import annotations

import enum
import struct
from typing import NamedTuple

from runtime_probe import layout


class Known(enum.IntFlag):
    """Which parts of a usage were found out."""

    STATUS = 1
    MAPS = 2
    FILES = 4
    DEVICE = 8


class Phase(enum.IntEnum):
    """What the program did with the communicators."""

    MAKING = 1
    FIRST_COLLECTIVE = 2
    FIRST_MESSAGE = 3


class FootprintFlag(enum.IntFlag):
    """What spoils the measurement, or ended it early."""

    OVERLAPPED = 1
    IN_PROGRESS = 2
    FAILED = 4


class Usage(NamedTuple):
    """What a process has at one moment, in bytes; `time_ns` 0: it has not come to this.

    `anonymous`, `file` and `shmem` are resident; `locked` and `pinned` as the kernel counts them.
    The mappings are those that may be accessed: `shared_mapped` of /dev/shm and memfds,
    `zero_mapped` shared ones without a file, `driver_mapped` of GPU drivers' devices.  `device_*`
    is of the thread's GPU, all processes together.  `*_asked` is what NCCL asked the CUDA runtime
    for so far, in windows, where the probe sees that.
    """

    time_ns: int
    anonymous: int
    file: int
    shmem: int
    locked: int
    pinned: int
    private_mapped: int
    shared_mapped: int
    zero_mapped: int
    driver_mapped: int
    device_free: int
    device_total: int
    host_asked: int
    device_asked: int
    threads: int
    files: int
    known: Known


class Footprint(NamedTuple):
    """The process around a call that makes communicators, or uses them first.

    `communicators` are the first of `total`.  `after.time_ns` is 0 where the call has not returned.
    """

    communicators: tuple[int, ...]
    phase: Phase
    call: int
    thread: int
    stack: int
    flags: FootprintFlag
    total: int
    before: Usage
    after: Usage


class Environment(NamedTuple):
    """What decides over the cost beside the program: versions, settings, sizes in bytes.

    `nccl_version` is NCCL's own number (22809 is 2.28.9), 0 not known; `memory_limit` and `shm` 0:
    none.
    """

    nccl_version: int
    memory: int
    memory_limit: int
    shm: int
    time_ns: int
    settings: dict[str, str]


def read_usage(form: layout.Layout, data: bytes, at: int) -> Usage:
    """A usage at *at*."""
    *numbers, known, _ = form.usage.unpack_from(data, at)
    return Usage._make((*numbers, Known(known)))


def read_footprint(form: layout.Layout, data: bytes, at: int, end: int, first: int) -> Footprint:
    """A footprint record's content; raises ValueError or struct.error where it cannot be one."""
    phase, call, thread, stack, flags, count, listed = form.footprint.unpack_from(data, at)
    at += form.footprint.size
    after = at + form.usage.size
    ids = after + form.usage.size
    if ids + 4 * listed > end or not 1 <= listed <= count:
        raise ValueError
    communicators = struct.unpack_from(f"{form.order}{listed}I", data, ids)
    if communicators[0] != first:
        raise ValueError
    return Footprint(
        communicators, Phase(phase), call, thread, stack, FootprintFlag(flags & 7), count,
        read_usage(form, data, at), read_usage(form, data, after),
    )  # fmt: skip


def read_environment(form: layout.Layout, data: bytes, at: int, end: int) -> Environment:
    """An environment record's content; raises ValueError or struct.error where it cannot be one."""
    version, size, *numbers = form.environment.unpack_from(data, at)
    at += form.environment.size
    if at + size > end:
        raise ValueError
    settings = {}
    for each in data[at : at + size].split(b"\0"):
        name, equals, value = each.decode("utf-8", "replace").partition("=")
        if equals:
            settings[name] = value
    return Environment._make((version, *numbers, settings))
