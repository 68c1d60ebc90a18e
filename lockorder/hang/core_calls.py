"""Which system call a dumped thread is in, by its registers and by the instruction that made it."""

from __future__ import annotations

from collections.abc import Callable

from lockorder.hang.core_notes import Thread
from lockorder.hang.image import X86_64

Read = Callable[[int, int], bytes | None]

#: Values that are lost: an argument whose register has the result by now.
LOST = -1

_SYSCALL = b"\x0f\x05"
_SVC = b"\x01\x00\x00\xd4"
_NUMBERS = 1 << 12  # of system calls, on either machine

# A call that a signal has cut off returns one of these (include/linux/errno.h: ERESTARTSYS,
# ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK) to the kernel's own code, and EINTR where
# it is not to be made again.  ENOSYS is what the register holds while the call is being made.
_CUT_OFF = frozenset((1 << 64) - number for number in (4, 512, 513, 514, 516))
_UNDER_WAY = _CUT_OFF | {(1 << 64) - 38}


def call_of(thread: Thread, machine: str, read: Read) -> tuple[int, tuple[int, ...]]:
    """Number and arguments of the call that *thread* is in; -1 and none: it is in none.

    The bytes of the instruction decide where they can be read; a core has them only if the
    program's files are at hand.
    """
    return _x86_64(thread, read) if machine == X86_64 else _aarch64(thread, read)


def _x86_64(thread: Thread, read: Read) -> tuple[int, tuple[int, ...]]:
    r = thread.registers
    if r["orig_rax"] >= _NUMBERS or r["rax"] not in _UNDER_WAY:
        return -1, ()
    code = read(r["rip"] - 2, 2)
    if code is not None and code != _SYSCALL:
        return -1, ()
    return r["orig_rax"], tuple(r[name] for name in ("rdi", "rsi", "rdx", "r10", "r8", "r9"))


def _aarch64(thread: Thread, read: Read) -> tuple[int, tuple[int, ...]]:
    """A thread that is dumped goes through do_signal (arch/arm64/kernel/signal.c).

    If its call is to be made again, that has put the pc back to the instruction and x0 back to the
    first argument; else the pc is behind it and x0 is the result.
    """
    r = thread.registers
    arguments = tuple(r[f"x{n}"] for n in range(6))
    if thread.call is not None and 0 <= thread.call < _NUMBERS:
        first = LOST if arguments[0] in _CUT_OFF else arguments[0]
        return thread.call, (first, *arguments[1:])
    if r["x8"] >= _NUMBERS:
        return -1, ()
    if read(r["pc"], 4) == _SVC:
        return r["x8"], arguments
    behind = read(r["pc"] - 4, 4)
    if arguments[0] in _CUT_OFF and (behind is None or behind == _SVC):
        return r["x8"], (LOST, *arguments[1:])
    return -1, ()
