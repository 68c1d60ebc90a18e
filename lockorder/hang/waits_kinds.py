"""Which kind of object a word of memory is a part of, where no function names it.

glibc waits for its objects in different ways: with different operations and values, and of each
object more than the word itself must fit.  Programs and libstdc++ wait for words of their own
through syscall(2), which is one function, so that its instructions tell them from glibc.
"""

from __future__ import annotations

import struct
from pathlib import Path

from lockorder.hang.image import Image, Stopped
from lockorder.hang.pythons import is_named_python
from lockorder.hang.waits_futex import WAIT_BITSET, Futex
from lockorder.hang.waits_names import Module, Names

#: libstdc++'s guard of a static local: somebody is in its initialiser, somebody waits
#: (libsupc++/guard.cc, _GLIBCXX_GUARD_PENDING_BIT and _GLIBCXX_GUARD_WAITING_BIT).
_GUARD_WAITED = 0x10100
_LIBC = ("libc.so.", "libc-2.", "libpthread.so.", "libpthread-2.")
_STACK_READ = 2048  # bytes: glibc's own frames between a system call and its caller
_MAX_CALLERS = 4
_COND = struct.Struct("<QQ8I")


class Code:
    """Whose instructions wait."""

    def __init__(self, image: Image, names: Names) -> None:
        self._image, self._names = image, names
        self._libc = [m for m in names.modules if Path(m.path).name.startswith(_LIBC)]
        self._syscall = self._range("syscall", self._libc or names.modules[:1])
        self._python = [
            self._range(name, [m for m in names.modules if _may_be_python(m, image)])
            for name in ("PyThread_acquire_lock_timed", "PyThread_acquire_lock")
        ]

    def is_own_wait(self, thread: Stopped) -> bool:
        """Whether the program itself waits for a word, and not glibc for an object."""
        if not thread.pc:
            return False
        if _within(thread.pc, self._syscall):
            return True
        module = self._names.module(thread.pc)
        return bool(self._libc) and module is not None and module not in self._libc

    def is_python_lock(self, thread: Stopped) -> bool:
        """Whether CPython's function for locks is what called glibc, most likely.

        Return addresses are looked for on the stack, without unwinding: some are left over from
        calls that are done.  It only tells one object without an owner from another.
        """
        callers = self._callers(thread)
        return any(_within(caller, each) for caller in callers for each in self._python)

    def _callers(self, thread: Stopped) -> list[int]:
        """What may be return addresses into objects other than libc, the innermost first."""
        found: list[int] = []
        if not thread.sp or not self._libc:
            return found
        stack = self._image.read(thread.sp, _STACK_READ) or b""
        for (word,) in struct.iter_unpack("<Q", stack):
            module = self._names.module(word)
            if module is not None and module not in self._libc and self._names.is_code(word):
                found.append(word)
                if len(found) == _MAX_CALLERS:
                    break
        return found

    def _range(self, symbol: str, modules: list[Module]) -> tuple[int, int]:
        for module in modules:
            found = self._names.address(module, symbol)
            if found is not None:
                return found[0], found[0] + found[1]
        return 0, 0


def is_guard(image: Image, futex: Futex) -> bool:
    """Whether libstdc++'s guard of a static local is waited for."""
    return not futex.private and futex.value == _GUARD_WAITED == _word(image, futex.address)


def is_once(image: Image, futex: Futex) -> bool:
    """Whether a pthread_once_t is waited for whose function runs (nptl/pthread_once.c).

    A pthread_barrier_t's round may have the same value; its number of threads is behind it.
    """
    if futex.operation == WAIT_BITSET or not futex.private or futex.value & 3 != 1:
        return False
    if _word(image, futex.address) != futex.value:
        return False
    behind = image.read(futex.address + 4, 8)
    if behind is None:
        return False
    count, shared = struct.unpack("<II", behind)
    return not (0 < count < 1 << 20 and shared in (0, 128))


def is_semaphore(image: Image, futex: Futex, threads: int) -> bool:
    """Whether a sem_t is waited for (nptl/sem_waitcommon.c): the value, then how many wait."""
    if futex.operation != WAIT_BITSET or futex.value or futex.address % 8:
        return False
    content = image.read(futex.address, 12)
    if content is None:
        return False
    value, waiters, private = struct.unpack("<III", content)
    return value == 0 and 0 < waiters <= threads and private in (0, 128)


def condition_at(image: Image, futex: Futex, threads: int) -> int:
    """The pthread_cond_t whose group's signals are waited for; 0: none is likely.

    Both layouts: up to glibc 2.40, and from 2.41 on, where groups have no references
    (sysdeps/nptl/bits/thread-shared-types.h).
    """
    if futex.operation != WAIT_BITSET:
        return 0
    group = 1 if futex.address % 8 else 0
    for signals, waiters in ((40, 7), (32, 5)):
        base = futex.address - signals - 4 * group
        content = image.read(base, 48)
        if base < 0 or content is None:
            continue
        fields = _COND.unpack(content)
        sequence, first = fields[0] >> 1, fields[1] >> 1
        waiting = fields[waiters] >> 3
        if not 0 < waiting <= threads or first > sequence or sequence - first > 1 << 31:
            continue
        if signals == 40 and not 0 < fields[2 + group] >> 1 <= threads:
            continue
        if signals == 32 and (fields[8] or fields[9]):
            continue
        return base
    return 0


def parked_at(image: Image, thread: Stopped, futex: Futex) -> int:
    """The word that a thread is parked at in CPython 3.13 and newer, a PyMutex; 0: it is not.

    The semaphore is in a list's entry on the waiter's own stack, behind the word's address
    (Python/parking_lot.c, struct wait_entry).
    """
    if not 0 <= futex.address - thread.sp < 1 << 16:
        return 0
    content = image.read(futex.address - 8, 56)
    if content is None:
        return 0
    word, following, before = struct.unpack("<Q32xQQ", content)
    node = futex.address + 32
    # An empty list's head points to itself, so neighbours are always there.
    if _pointer(image, following + 8) != node or _pointer(image, before) != node:
        return 0
    return int(word) if image.read(word, 1) is not None else 0


def _word(image: Image, at: int) -> int:
    content = image.read(at, 4)
    return int.from_bytes(content, "little") if content is not None else -1


def _pointer(image: Image, at: int) -> int:
    content = image.read(at, 8)
    return int.from_bytes(content, "little") if content is not None else -1


def _within(address: int, place: tuple[int, int]) -> bool:
    # A return address may be the one behind a call that is a function's last instruction.
    return place[0] < address <= place[1]


def _may_be_python(module: Module, image: Image) -> bool:
    return module.path == image.exe or is_named_python(module)
