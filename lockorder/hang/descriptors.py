"""What is at the other end of a file descriptor: which processes, or something outside of them.

A thread that reads waits for who can write there: the process with the pipe's other end, the peer
of a socket, whoever has the same eventfd (proc(5), /proc/PID/fd and fdinfo).
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from lockorder.hang import sockets
from lockorder.hang.procfs_files import Proc

_TARGET = re.compile(r"(pipe|socket):\[(\d+)\]")
_WATCHED = re.compile(r"^tfd:\s*(\d+)", re.M)
_FLAGS = re.compile(r"^flags:\s*([0-7]+)", re.M)
_EVENT = re.compile(r"^eventfd-id:\s*(\d+)", re.M)
_PIDFD = re.compile(r"^Pid:\s*(-?\d+)", re.M)
_ACCESS, _WRITES, _BOTH = 3, 1, 2  # O_ACCMODE, O_WRONLY, O_RDWR


class End(NamedTuple):
    """Who can end a wait for a descriptor.

    ``pids`` are processes of this machine that have the other end; ``outside`` says in words what
    else could end it, "": nothing; ``what`` names the descriptor; ``timer``: time ends it.
    ``expects``: what is outside is a partner that should come, and not just anybody.
    """

    what: str
    pids: tuple[int, ...] = ()
    outside: str = ""
    timer: bool = False
    expects: bool = False


class Descriptors:
    """The open files of this machine's processes, as far as they may be seen; read when asked."""

    def __init__(self, proc: Proc) -> None:
        self._proc = proc
        self._tcp: dict[str, dict[int, sockets.Socket]] = {}

    def end(self, pid: int, fd: int, writing: bool = False) -> End:
        """What *fd* of *pid* waits for, to be read or to be written."""
        try:
            target = self._proc.link(f"{pid}/fd/{fd}")
        except OSError:
            return End(f"file descriptor {fd}", outside="what it is cannot be seen")
        found = _TARGET.match(target)
        if found is not None:
            inode = int(found[2])
            return (
                self._pipe(pid, inode, writing) if found[1] == "pipe" else self._socket(pid, inode)
            )
        if target.startswith("anon_inode:"):
            return self._anonymous(pid, fd, target)
        if target.startswith(("/dev/tty", "/dev/pts/", "/dev/console")):
            return End("the terminal", outside="somebody at the terminal")
        if self._is_fifo(pid, fd):
            pids = self._ends(target, not writing)
            return End(
                f"FIFO {target}", pids, "" if pids else "whoever opens its other end",
                expects=not pids,
            )  # fmt: skip
        return End(target, outside="the file system or a device")

    def watched(self, pid: int, epoll: int) -> list[int]:
        """The descriptors that *pid* watches by its descriptor *epoll*."""
        return [int(n) for n in _WATCHED.findall(self._info(pid, epoll))]

    def openers(self, path: str) -> tuple[int, ...]:
        """Processes that have the file at *path* open."""
        return self._ends(path, None)

    def inodes(self, pid: int) -> list[tuple[str, str]]:
        """The files that *pid* has open, each with its device and inode as /proc/locks has them."""
        found: dict[str, str] = {}
        for fd in self._proc.names(f"{pid}/fd"):
            with contextlib.suppress(OSError):
                status = os.stat(self._proc.path(f"{pid}/fd/{fd}"))
                if stat.S_ISREG(status.st_mode):
                    device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}"
                    found[f"{device}:{status.st_ino}"] = self._proc.link(f"{pid}/fd/{fd}")
        return [(file, inode) for inode, file in found.items()]

    def _pipe(self, pid: int, inode: int, writing: bool) -> End:
        pids = self._ends(f"pipe {inode}", not writing)
        alone = set(pids) <= {pid}
        what = "a pipe of which nobody else has the other end any more" if alone else "a pipe"
        return End(what, pids)

    def _socket(self, pid: int, inode: int) -> End:
        known = self._unix.get(inode) or self._of_tcp(pid).get(inode)
        if known is None:
            return End("a socket", outside="a network that is not seen from here")
        if known.listens:
            at = f" at {known.remote}" if known.remote else ""
            return End(f"connections{at}", outside=f"a connection{at}")
        pids = self._ends(f"socket {known.peer}", None) if known.peer else ()
        to = f" to {known.remote}" if known.remote else ""
        if pids:
            return End(f"a socket{to}", pids)
        return End(f"a socket{to}", outside=f"the other end{to.replace(' to', ',')}", expects=True)

    def _anonymous(self, pid: int, fd: int, target: str) -> End:
        kind = target.partition(":")[2].strip("[]")
        info = self._info(pid, fd)
        if kind == "eventfd":
            number = _EVENT.search(info)
            pids = self._ends(f"eventfd {number[1]}", None) if number is not None else (pid,)
            return End("an eventfd", pids or (pid,))
        if kind == "timerfd":
            return End("a timer", outside="time", timer=True)
        if kind == "pidfd":
            child = _PIDFD.search(info)
            return End("the end of a process", (int(child[1]),) if child is not None else ())
        return End(f"an {kind}", outside=f"an {kind}")

    # -- who has what -----------------------------------------------------------------------------

    def _ends(self, name: str, writes: bool | None) -> tuple[int, ...]:
        """Processes that have *name* open: to write, to read, or (None) at all."""
        found = self._index.get(name, ())
        return tuple(sorted({pid for pid, fd in found if self._may(pid, fd, writes)}))

    def _may(self, pid: int, fd: int, writes: bool | None) -> bool:
        flags = _FLAGS.search(self._info(pid, fd)) if writes is not None else None
        access = int(flags[1], 8) & _ACCESS if flags is not None else _BOTH
        return access == _BOTH or (access == _WRITES) == writes

    @cached_property
    def _unix(self) -> dict[int, sockets.Socket]:
        return sockets.of_unix()

    def _of_tcp(self, pid: int) -> dict[int, sockets.Socket]:
        space = ""
        with contextlib.suppress(OSError):
            space = self._proc.link(f"{pid}/ns/net")
        if space not in self._tcp:
            self._tcp[space] = sockets.of_tcp(self._proc, pid)
        return self._tcp[space]

    @cached_property
    def _index(self) -> dict[str, list[tuple[int, int]]]:
        """All that is open anywhere, with the processes and descriptors: by inodes, and by paths.

        Nothing is asked of the files themselves: one on a server that is gone would not answer.
        """
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for pid in self._processes():
            with contextlib.suppress(OSError):
                for name in self._proc.names(f"{pid}/fd"):
                    with contextlib.suppress(OSError):
                        known = self._named(pid, int(name))
                        found[known].append((pid, int(name)))
        return found

    def _processes(self) -> Iterable[int]:
        return (int(name) for name in self._proc.names(".") if name.isdecimal())

    def _named(self, pid: int, fd: int) -> str:
        target = self._proc.link(f"{pid}/fd/{fd}")
        match = _TARGET.match(target)
        if match is not None:
            return f"{match[1]} {match[2]}"
        number = _EVENT.search(self._info(pid, fd)) if target == "anon_inode:[eventfd]" else None
        return f"eventfd {number[1]}" if number is not None else target

    def _info(self, pid: int, fd: int) -> str:
        with contextlib.suppress(OSError):
            return self._proc.text(f"{pid}/fdinfo/{fd}")
        return ""

    def _is_fifo(self, pid: int, fd: int) -> bool:
        with contextlib.suppress(OSError):
            return self._proc.path(f"{pid}/fd/{fd}").is_fifo()
        return False
