"""What glibc's locks say of themselves in memory.

The layouts are those of glibc 2.25 and newer on x86-64 and aarch64
(sysdeps/nptl/bits/struct_mutex.h, struct_rwlock.h, nptl/descr.h); they are part of its ABI.  A word
of memory proves nothing by itself, so each reader here says None unless everything fits.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from typing import NamedTuple

from lockorder.hang.image import AARCH64, X86_64, Image

#: PTHREAD_MUTEX_* in __kind (nptl/pthreadP.h).
_TYPE, _ROBUST, _PI, _PP, _KNOWN_BITS = 3, 16, 32, 64, 0x3FF
_TYPES = ("", "recursive", "error-checking", "adaptive")
_MUTEX = struct.Struct("<IIiIi")  # __lock, __count, __owner, __nusers, __kind
_FUTEX_TID = 0x3FFF_FFFF  # linux/futex.h
_LARGEST_TID = 1 << 22  # PID_MAX_LIMIT (linux/threads.h)
_PP_CEILING = 0xFFF8_0000
#: __readers, __writers, __wrphase_futex, __writers_futex, two pads, __cur_writer, __shared.
_RWLOCK = struct.Struct("<IIIIIIii")
_RWLOCK_SIZE, _RWLOCK_FLAGS = 56, 48
_WRITE_PHASE, _WRITE_LOCKED, _READER_SHIFT = 1, 2, 3  # nptl/pthread_rwlock_common.c
#: struct pthread: its tid, and on x86-64 a pointer to itself.
_TID_AT = {X86_64: 0x2D0, AARCH64: 0xD0}
_SELF_AT = 0x10


class Mutex(NamedTuple):
    """A pthread_mutex_t that is locked.

    ``owner`` is the thread id in it; ``gone`` where no such thread is there now.
    """

    address: int
    owner: int
    gone: bool
    type: str


class Rwlock(NamedTuple):
    """A pthread_rwlock_t for which a thread waits; ``writer`` 0: readers have it, or not known."""

    address: int
    writer: int
    readers: int
    wants_write: bool


def mutex_at(image: Image, address: int, tids: Collection[int]) -> Mutex | None:
    """The locked mutex at *address*, for whose word a thread waits; None where none is likely.

    *tids* are the process' threads.  The owner is among them, or has ended, or was left behind by
    a fork; then it must look like a thread's id, and be the only user.
    """
    content = image.read(address, _MUTEX.size)
    if content is None or address % 4:
        return None
    lock, count, owner, users, kind = _MUTEX.unpack(content)
    if kind & ~_KNOWN_BITS or kind < 0:
        return None
    held = _holder_in_word(lock, kind)
    if held < 0 or owner < 0:
        return None
    if held and owner and held != owner:
        return None  # it changes hands just now
    # A holder is one user; each thread that waits for a condition with this mutex is another.
    if not 1 <= users <= len(tids) + 1:
        return None
    name = _TYPES[kind & _TYPE]
    if count and kind & _TYPE == 0 and not kind & (_PI | _ROBUST):
        return None
    owner = owner or held
    if owner in tids:
        return Mutex(address, owner, False, name)
    if not 0 < owner <= _LARGEST_TID or users != 1:
        return None
    return Mutex(address, owner, True, name)


def _holder_in_word(lock: int, kind: int) -> int:
    """Whom the lock word names; 0: locked, by nobody named; -1: it is not locked."""
    if kind & (_ROBUST | _PI):
        return lock & _FUTEX_TID or -1
    if kind & _PP:
        return 0 if lock & ~_PP_CEILING else -1
    # 2: locked, and somebody waits (Drepper, Futexes Are Tricky); 1 has no waiters.
    return 0 if lock == 2 else -1


def rwlock_at(image: Image, word: int, value: int, tids: Collection[int]) -> Rwlock | None:
    """The read-write lock of which a waiter's futex *word* is a part, None where none fits.

    A thread waits for ``__wrphase_futex`` (a reader until writers are done, the first writer until
    readers are), ``__writers_futex`` (a writer behind another), or ``__readers`` (a reader behind a
    waiting writer).  Where both could be, the one with a living writer is it.
    """
    found = []
    for offset in (8, 12, 0):
        lock = _rwlock(image, word - offset, offset, value, tids)
        if lock is not None:
            found.append(lock)
    owned = [lock for lock in found if lock.writer]
    if len(owned) == 1:
        return owned[0]
    return found[0] if len(found) == 1 else None


def _rwlock(
    image: Image, address: int, offset: int, value: int, tids: Collection[int]
) -> Rwlock | None:
    content = image.read(address, _RWLOCK_SIZE)
    if content is None or address % 8:
        return None
    readers, _, phase, writers, _, _, writer, shared = _RWLOCK.unpack_from(content)
    flags = struct.unpack_from("<I", content, _RWLOCK_FLAGS)[0]
    if shared not in (0, 1) or flags > 2 or phase > 3 or writers > 3:
        return None
    locked = readers & _WRITE_LOCKED
    count = readers >> _READER_SHIFT
    if count > len(tids) or (writer and (writer not in tids or not locked)):
        return None
    if offset == 8 and phase == value == 3 and readers & _WRITE_PHASE:  # a reader
        return Rwlock(address, writer, 0, False)
    if offset == 8 and phase == value == 2 and locked and count and not writer:  # first writer
        return Rwlock(address, 0, count, True)
    if offset == 12 and writers == value == 3 and locked:  # a writer behind another
        return Rwlock(address, writer, count, True)
    if offset == 0 and readers == value and count and not writer and flags == 2:
        return Rwlock(address, 0, count, False)
    return None


def joined_at(image: Image, word: int, value: int, tids: Collection[int]) -> int:
    """The thread whose end is waited for at *word*, the id in its struct pthread; 0: no such."""
    content = image.read(word, 4)
    if content is None or value not in tids:
        return 0
    (tid,) = struct.unpack("<I", content)
    if tid != value:
        return 0
    offset = _TID_AT.get(image.machine, 0)
    return tid if thread_at(image, word - offset) == tid else 0


def thread_at(image: Image, pthread: int) -> int:
    """The id of the thread that a pthread_t of glibc stands for; 0: it is none."""
    offset = _TID_AT.get(image.machine)
    if offset is None:
        return 0
    content = image.read(pthread + offset, 4)
    if content is None:
        return 0
    if image.machine == X86_64:
        own = image.read(pthread + _SELF_AT, 8)
        if own is None or int.from_bytes(own, "little") != pthread:
            return 0
    return int.from_bytes(content, "little")
