"""Which words of memory a thread waits for in the kernel (futex(2), futex_waitv(2))."""

from __future__ import annotations

import struct
import time
from typing import NamedTuple

from lockorder.hang.image import AARCH64, RESTART, X86_64, Image, Stopped

_FUTEX = {X86_64: 202, AARCH64: 98}
_FUTEX_WAITV = 449  # arch/x86/entry/syscalls/syscall_64.tbl and asm-generic/unistd.h
_COMMAND = 0x7F
_PRIVATE = 0x80
_FLAGS = 0x1FF  # with FUTEX_CLOCK_REALTIME
WAIT, WAIT_BITSET, LOCK_PI, WAIT_REQUEUE_PI, LOCK_PI2 = 0, 9, 6, 11, 13
_WAITING = (WAIT, WAIT_BITSET, LOCK_PI, WAIT_REQUEUE_PI, LOCK_PI2)
_WAITER = struct.Struct("<QQII")
_MAX_WAITERS = 128  # FUTEX_WAITV_MAX


class Futex(NamedTuple):
    """A thread that sleeps until the word at ``address`` changes from ``value``.

    ``limited``: for a time only.  ``others``: further words, of which any may change.
    """

    address: int
    operation: int
    value: int
    private: bool
    limited: bool
    others: tuple[int, ...] = ()


#: A limit that is farther away, in seconds, is none: who looks at a hung job does not wait for it.
FAR = 600.0
_TIME = struct.Struct("<qq")
_REALTIME = 256
_CLOCK_NANOSLEEP = (230, 115)  # x86-64, aarch64


def _is_limited(image: Image, limit: int, operation: int) -> bool:
    """Whether a wait ends by itself before long (futex(2), "Timeouts").

    A limit that cannot be read counts, and so does a moment of which a core does not say how far it
    was away.
    """
    content = image.read(limit, _TIME.size) if limit else None
    if content is None:
        return limit != 0
    seconds, nanoseconds = _TIME.unpack(content)
    if not 0 <= nanoseconds < 1_000_000_000:
        return True
    left = float(seconds)
    command = operation & _COMMAND
    if command != WAIT:
        if not image.outside:
            return True
        is_real = operation & _REALTIME or command == LOCK_PI
        left -= time.clock_gettime(time.CLOCK_REALTIME if is_real else time.CLOCK_MONOTONIC)
    return left < FAR


def sleeps_long(image: Image, thread: Stopped) -> bool:
    """Whether a thread sleeps for so long that nobody waits for its end (clock_nanosleep(2))."""
    clocked = thread.call in _CLOCK_NANOSLEEP
    content = image.read(thread.arguments[2 if clocked else 0], _TIME.size)
    if content is None or not image.outside:
        return False
    left = float(_TIME.unpack(content)[0])
    if clocked and thread.arguments[1] & 1:  # TIMER_ABSTIME
        clock = thread.arguments[0] & 0xFFFF_FFFF
        real = clock == time.CLOCK_REALTIME
        left -= time.clock_gettime(time.CLOCK_REALTIME if real else time.CLOCK_MONOTONIC)
    return left >= FAR


def futex_of(image: Image, thread: Stopped) -> Futex | None:
    """What *thread* waits for, None where it is in no such call."""
    if thread.call < 0 or len(thread.arguments) < 4:
        return None
    again = thread.call == RESTART.get(image.machine)
    if again or thread.call == _FUTEX.get(image.machine):
        address, operation, value, limit = thread.arguments[:4]
        command = operation & _COMMAND
        if command not in _WAITING or operation & 0xFFFF_FFFF & ~_FLAGS:
            return None
        # Sleeping and polling go on like this, too.
        if again and not (operation & _PRIVATE and limit and image.read(address, 4)):
            return None
        # Only the low halves of ints count: the rest of the register is what was there before.
        private = bool(operation & _PRIVATE)
        limited = _is_limited(image, limit, operation)
        return Futex(address, command, value & 0xFFFF_FFFF, private, limited)
    if thread.call == _FUTEX_WAITV:
        return _several(image, thread)
    return None


def _several(image: Image, thread: Stopped) -> Futex | None:
    at, count, _, limit = thread.arguments[:4]
    count &= 0xFFFF_FFFF
    if not 0 < count <= _MAX_WAITERS:
        return None
    table = image.read(at, count * _WAITER.size)
    if table is None:
        return None
    waiters = list(_WAITER.iter_unpack(table))
    value, address, flags, _ = waiters[0]
    others = tuple(each[1] for each in waiters[1:])
    return Futex(address, WAIT, value & 0xFFFF_FFFF, bool(flags & _PRIVATE), limit != 0, others)
