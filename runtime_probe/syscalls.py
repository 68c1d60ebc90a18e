"""What a thread that stands still waits for in the kernel, by /proc/PID/task/TID/syscall (proc(5)).

The file has the number and the arguments of the call that a stopped thread is in. Reading it needs
the right to trace the process: its starter has that, also where Yama restricts others.
"""

from __future__ import annotations

import enum
import platform
from typing import NamedTuple


class Rest(enum.Enum):
    """How a wait ends."""

    FOREVER = "somebody else must end it"
    LIMITED = "ends by itself after a time, if nobody else ends it"
    SLEEP = "nothing but time ends it"
    CHILD = "the end of a child process ends it"


class KernelWait(NamedTuple):
    """A call that waits."""

    name: str
    rest: Rest


class _Call(NamedTuple):
    """A call that can wait, and which argument limits it: a pointer, or milliseconds."""

    name: str
    pointer: int = -1
    milliseconds: int = -1
    waits_for_none: int = -1  # the argument that is 0 where nothing but time is waited for
    rest: Rest = Rest.FOREVER


_POLL = _Call("poll", milliseconds=2, waits_for_none=1)
_PPOLL = _Call("ppoll", pointer=2, waits_for_none=1)
_SELECT = _Call("select", pointer=4, waits_for_none=0)
_EPOLL = _Call("epoll_wait", milliseconds=3)
_EPOLL2 = _Call("epoll_pwait2", pointer=3)
_FUTEX = _Call("futex", pointer=3)
_SIGNAL = _Call("sigtimedwait", pointer=2)
_SEMTIMED = _Call("semtimedop", pointer=3)
_SLEEP = _Call("nanosleep", rest=Rest.SLEEP)
_CHILD = _Call("wait", rest=Rest.CHILD)
_VFORK = _Call("vfork", rest=Rest.CHILD)  # clone(2) itself only waits with CLONE_VFORK
_PLAIN = {n: _Call(n) for n in ("read", "write", "accept", "connect", "recv", "send", "flock",
                                "semop", "sigsuspend", "pause", "msgrcv", "fcntl",
                                "open")}  # fmt: skip

#: By the kernel's numbers: arch/x86/entry/syscalls/syscall_64.tbl, asm-generic/unistd.h.
_X86_64 = {
    0: _PLAIN["read"], 1: _PLAIN["write"], 2: _PLAIN["open"], 7: _POLL, 23: _SELECT,
    34: _PLAIN["pause"], 35: _SLEEP, 42: _PLAIN["connect"], 43: _PLAIN["accept"],
    44: _PLAIN["send"], 45: _PLAIN["recv"], 46: _PLAIN["send"], 47: _PLAIN["recv"], 56: _VFORK,
    58: _VFORK, 61: _CHILD, 65: _PLAIN["semop"], 70: _PLAIN["msgrcv"], 72: _PLAIN["fcntl"],
    73: _PLAIN["flock"], 128: _SIGNAL, 130: _PLAIN["sigsuspend"], 202: _FUTEX, 220: _SEMTIMED,
    230: _SLEEP, 232: _EPOLL, 247: _CHILD, 257: _PLAIN["open"], 270: _SELECT, 271: _PPOLL,
    281: _EPOLL, 288: _PLAIN["accept"], 441: _EPOLL2,
}  # fmt: skip
_AARCH64 = {
    22: _EPOLL, 25: _PLAIN["fcntl"], 32: _PLAIN["flock"], 56: _PLAIN["open"], 63: _PLAIN["read"],
    64: _PLAIN["write"], 72: _SELECT, 73: _PPOLL, 95: _CHILD, 98: _FUTEX, 101: _SLEEP,
    115: _SLEEP, 133: _PLAIN["sigsuspend"], 137: _SIGNAL, 188: _PLAIN["msgrcv"], 192: _SEMTIMED,
    193: _PLAIN["semop"], 202: _PLAIN["accept"], 203: _PLAIN["connect"], 206: _PLAIN["send"],
    207: _PLAIN["recv"], 211: _PLAIN["send"], 212: _PLAIN["recv"], 220: _VFORK,
    242: _PLAIN["accept"], 260: _CHILD, 441: _EPOLL2,
}  # fmt: skip
_TABLES = {"x86_64": _X86_64, "aarch64": _AARCH64}


def kernel_wait(text: str, machine: str = platform.machine()) -> KernelWait | None:
    """What the contents of the file say; None for a thread that runs or is in no known wait."""
    words = text.split()
    table = _TABLES.get(machine)
    if table is None or len(words) < 7:  # "running", or "-1" outside of any call
        return None
    call = table.get(int(words[0]))
    if call is None:
        return None
    arguments = [int(word, 16) for word in words[1:7]]
    if call.rest is not Rest.FOREVER:
        return KernelWait(call.name, call.rest)
    limited = call.pointer >= 0 and arguments[call.pointer] != 0
    if call.milliseconds >= 0:
        limited = arguments[call.milliseconds] & 0x8000_0000 == 0  # a negative int: for ever
    if limited and call.waits_for_none >= 0 and arguments[call.waits_for_none] == 0:
        return KernelWait(call.name, Rest.SLEEP)
    return KernelWait(call.name, Rest.LIMITED if limited else Rest.FOREVER)
