"""Who can end a thread's wait in the kernel: the other end's processes, a child, a lock's owner.

Only what the system call and /proc say; waits for words of memory are `lockorder.hang.waits`.
"""

from __future__ import annotations

import contextlib
import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple, Protocol

from lockorder.hang.descriptors import Descriptors, End
from lockorder.hang.image import Image, Stopped
from lockorder.hang.procfs_files import Proc
from runtime_probe.processes import children

_MOST_POLLED, _FD_SETSIZE = 4096, 1024
_POLLFD = struct.Struct("<ihh")
_POLLOUT = 4
_IS_PID = 1  # P_PID of waitid(2)
#: A lock, or "->" somebody who waits for the one above it (proc(5), /proc/locks).
_LOCK = re.compile(r"(\d+): (-> )?(\w+)\s+\S+\s+(\w+)\s+(-?\d+) (\S+)")
#: Calls that a signal ends, and nothing else.
_SIGNALS = ("pause", "sigsuspend", "sigtimedwait")


class Ends(NamedTuple):
    """Who can end a wait: see `descriptors.End`, of which this is the sum of one or more.

    ``what`` is what is waited for in words, with its own article: "a pipe".
    """

    what: str
    pids: tuple[int, ...] = ()
    outside: str = ""
    timer: bool = False
    expects: bool = False


class Others(Protocol):
    """Who knows what is at the other end of a process' waits."""

    def ends(self, image: Image, thread: Stopped, call: str) -> Ends | None:
        """Who ends the wait of *thread* in *call* (a name of `runtime_probe.syscalls`).

        None where nothing is known of it.
        """

    def sharers(self, pid: int, address: int) -> tuple[int, ...]:
        """Processes that share what *pid* has at *address*, itself among them."""

    def locked_by_others(self, pid: int) -> tuple[tuple[int, ...], str]:
        """Who has locked a file that *pid* has open itself, and the file; ((), ""): nobody."""


def child_waited_for(thread: Stopped) -> int:
    """The child process that wait4(2) or waitid(2) is for; 0: any, or any of a group."""
    first, second = _int(thread.arguments[0]), _int(thread.arguments[1])
    # waitid(2) says first what its second argument is; wait4(2) has the process itself.
    if thread.call in (247, 95):
        return second if first == _IS_PID else 0
    return max(0, first)


class Kernel:
    """Answers for the processes of one moment; what it reads of them it reads once."""

    def __init__(self, proc: Proc | None = None) -> None:
        self._proc = proc if proc is not None else Proc()
        self._descriptors = Descriptors(self._proc)

    def ends(self, image: Image, thread: Stopped, call: str) -> Ends | None:
        """Who ends the wait of *thread* in *call* (a name of `runtime_probe.syscalls`).

        None where nothing is known of it.
        """
        pid, arguments = image.outside, thread.arguments
        if not pid or len(arguments) < 6:
            return None
        if call in ("wait", "vfork"):
            return self._child(pid, thread, call)
        if call in ("flock", "fcntl"):
            return self._lock(pid, _int(arguments[0]), call)
        if call in _SIGNALS:
            return Ends("a signal", outside="a signal")
        if call == "msgrcv":
            return self._message(_int(arguments[0]))
        if call == "open":
            return self._opened(image, thread)
        if call in ("nanosleep",):
            return Ends("time", timer=True)
        found = list(self._polled(image, thread, call))
        return _sum(found) if found else None

    def sharers(self, pid: int, address: int) -> tuple[int, ...]:
        """Processes of this machine that share what *pid* has at *address*, itself among them."""
        maps = shared_maps(pid, self._proc)
        mine = next((file for start, end, file in maps if start <= address < end), None)
        return tuple(sorted({pid, *self._sharing.get(mine, ())})) if mine is not None else (pid,)

    @cached_property
    def _sharing(self) -> dict[tuple[str, str], set[int]]:
        """The processes that have a file mapped together, by its device and inode."""
        found: dict[tuple[str, str], set[int]] = defaultdict(set)
        for name in self._proc.names("."):
            if name.isdecimal():
                for _, _, file in shared_maps(int(name), self._proc):
                    found[file].add(int(name))
        return found

    def _polled(self, image: Image, thread: Stopped, call: str) -> Iterator[End]:
        pid, arguments = image.outside, thread.arguments
        end = self._descriptors.end
        if call in ("read", "recv", "accept"):
            yield end(pid, _int(arguments[0]))
        elif call in ("write", "send", "connect"):
            yield end(pid, _int(arguments[0]), call != "connect")
        elif call == "epoll_wait":
            for fd in self._descriptors.watched(pid, _int(arguments[0])):
                yield end(pid, fd)
        elif call in ("poll", "ppoll"):
            count = min(arguments[1], _MOST_POLLED)
            table = image.read(arguments[0], count * _POLLFD.size) or b""
            for fd, events, _ in _POLLFD.iter_unpack(table):
                if fd >= 0:
                    yield end(pid, fd, bool(events & _POLLOUT))
        elif call == "select":
            for fd, writing in _selected(image, arguments):
                yield end(pid, fd, writing)

    def _child(self, pid: int, thread: Stopped, call: str) -> Ends:
        mine = children(pid)
        wanted = child_waited_for(thread) if call == "wait" else 0
        named = [c for c in mine if wanted in (c, _inside(self._proc, c))]
        if call == "vfork":
            return Ends("exec", tuple(mine))
        return Ends("the end of a child process", tuple(named or ([] if wanted else mine)))

    def _lock(self, pid: int, fd: int, call: str) -> Ends:
        """The holder of a file's lock: the entry that the process' own stands below."""
        file = "a file"
        with contextlib.suppress(OSError):
            file = self._proc.link(f"{pid}/fd/{fd}")
        what = f"the {call} lock of {file}"
        with contextlib.suppress(OSError):
            rows = self._locks()
            blocked = {m[1] for m in rows if m[2] and int(m[5]) == pid}
            holders = {int(m[5]) for m in rows if not m[2] and m[1] in blocked}
            if holders - {-1}:
                return Ends(what, tuple(sorted(holders - {-1})))
            # A lock of an open file description belongs to no process: whoever has it open.
            inodes = {m[6] for m in rows if not m[2] and m[1] in blocked}
            if inodes:
                others = [p for p in self._descriptors.openers(file) if p != pid]
                who = "" if others else "whoever has that file open"
                return Ends(what, tuple(others), who, expects=not others)
        return Ends(what, outside="whoever has locked that file", expects=True)

    def _locks(self) -> list[re.Match[str]]:
        return [m for line in self._proc.text("locks").splitlines() if (m := _LOCK.match(line))]

    def locked_by_others(self, pid: int) -> tuple[tuple[int, ...], str]:
        """Who has locked a file that *pid* has open itself, and the file; ((), ""): nobody."""
        with contextlib.suppress(OSError, ValueError):
            rows = self._locks()
            for file, inode in self._descriptors.inodes(pid):
                holders = {int(m[5]) for m in rows if not m[2] and m[6] == inode} - {pid, -1}
                if holders:
                    return tuple(sorted(holders)), file
        return (), ""

    def _message(self, queue: int) -> Ends:
        """A queue of System V: how many messages it has (proc(5), /proc/sysvipc/msg)."""
        what = f"message queue {queue}"
        with contextlib.suppress(OSError, ValueError, IndexError):
            head, *rows = (line.split() for line in self._proc.text("sysvipc/msg").splitlines())
            for row in rows:
                if int(row[head.index("msqid")]) == queue:
                    many = int(row[head.index("qnum")])
                    what += (
                        f", which has {many} messages, none of that type"
                        if many
                        else (", which is empty")
                    )
        return Ends(what, outside="whoever sends to that queue", expects=True)

    def _opened(self, image: Image, thread: Stopped) -> Ends | None:
        """Opening a FIFO waits for somebody who opens its other end (fifo(7))."""
        at = thread.arguments[0] if thread.call == 2 else thread.arguments[1]
        raw = image.read(at, 256) or image.read(at, 16) or b""
        path = raw.partition(b"\0")[0].decode(errors="replace")
        return Ends(
            f"FIFO {path}, which nobody has opened at its other end",
            outside="whoever opens its other end", expects=True,
        )  # fmt: skip


def _sum(found: Iterable[End]) -> Ends:
    """A wait for several descriptors ends with any of them."""
    ends = list(found)
    names = list(dict.fromkeys(e.what for e in ends))
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    outside = list(dict.fromkeys(e.outside for e in ends if e.outside and not e.timer))
    pids = sorted({pid for e in ends for pid in e.pids})
    # Where anybody may come as well, nobody is expected.
    expects = all(e.expects for e in ends if e.outside and not e.timer)
    timer = any(e.timer for e in ends)
    return Ends(shown, tuple(pids), " or ".join(outside[:3]), timer, expects and bool(outside))


def _selected(image: Image, arguments: tuple[int, ...]) -> Iterator[tuple[int, bool]]:
    count = min(_int(arguments[0]), _FD_SETSIZE)
    for at, writing in ((arguments[1], False), (arguments[2], True)):
        bits = (image.read(at, (count + 63) // 64 * 8) or b"") if at else b""
        for fd in range(min(count, 8 * len(bits))):
            if bits[fd // 8] >> fd % 8 & 1:
                yield fd, writing


def _int(value: int) -> int:
    """A C int, of which only the low half of a register counts."""
    value &= 0xFFFF_FFFF
    return value - (1 << 32) if value >> 31 else value


def _inside(proc: Proc, pid: int) -> int:
    """A process' id in its own namespace, by which its parent there knows it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in proc.text(f"{pid}/status").splitlines():
            if line.startswith("NSpid:"):
                return int(line.split()[-1])
    return 0


def shared_maps(pid: int, proc: Proc) -> list[tuple[int, int, tuple[str, str]]]:
    """Shared mappings with the device and the inode behind them (proc_pid_maps(5))."""
    try:
        lines = proc.text(f"{pid}/maps").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        place, flags, _, device, inode = line.split(maxsplit=5)[:5]
        if flags.endswith("s"):
            start, _, end = place.partition("-")
            found.append((int(start, 16), int(end, 16), (device, inode)))
    return found
