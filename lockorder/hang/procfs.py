"""A live process through /proc: nothing is stopped, and no debugger is attached (proc(5)).

Reading memory and system calls needs the right to trace the process, though (ptrace(2), Ptrace
access mode checking).  Thread ids are those of the process' own PID namespace throughout.
"""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeVar

from lockorder.hang.image import AARCH64, RESTART, X86_64, Mapping, Stopped
from lockorder.hang.procfs_errors import HangError, refusal
from lockorder.hang.procfs_files import (
    RUNNING,
    Call,
    Proc,
    Status,
    call_of,
    mappings_of,
    start_of,
    status_of,
)
from runtime_probe import processes

_MACHINES = {62: X86_64, 183: AARCH64}  # e_machine
#: nanosleep and clock_nanosleep: how much is left after a stop is not in their arguments.
_SLEEPS: dict[str, tuple[int, ...]] = {X86_64: (35, 230), AARCH64: (101, 115)}
_HOSTS = {"x86_64": X86_64, "aarch64": AARCH64}
_GONE = (errno.ENOENT, errno.ESRCH)
_DENIED = (errno.EACCES, errno.EPERM)
_DEAD = ("Z", "X", "x")
_LARGEST_READ = 1 << 24
_Result = TypeVar("_Result")


class Mark(NamedTuple):
    """What tells whether a thread stood still between two looks: see `procfs_files.Status`."""

    started: int
    switches: int


class LiveImage:
    """Implements `lockorder.hang.image.Image` for a process that runs here.

    After a process has ended, `threads` is empty and `read` finds nothing: no exception.
    """

    def __init__(self, pid: int, proc: Proc | None = None) -> None:
        """Looks at the process.

        Raises:
            HangError: there is no such process, it may not be looked at, or it is of a kind that
                nothing is known of; the text says what to do.
        """
        self._proc = proc if proc is not None else Proc()
        self.outside = pid
        self.problems: list[str] = []
        self._memory = -1
        self._calls: dict[str, Call] = {}
        status = self._asked(lambda: status_of(self._proc.text(f"{pid}/status")))
        self._task = self._living(status)
        self.pid = status.ids[-1]
        #: Where the process' files are: its own root, which is another one in a container.
        self.root = str(self._proc.path(f"{pid}/root"))
        self.exe = self._asked(lambda: self._proc.link(f"{self._task}/exe"))
        self.command = self._command()
        self.machine = self._asked(self._find_machine)
        self._check_mappings()
        self._memory = self._asked(lambda: self._proc.open(f"{self._task}/mem"))
        self._check_calls()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Gives the descriptor back; after that, no memory is read."""
        memory, self._memory = getattr(self, "_memory", -1), -1
        if memory >= 0:
            os.close(memory)

    def threads(self) -> list[Stopped]:
        """All threads, looked at now; those that end meanwhile are left out."""
        return [thread for thread, _ in self.look()]

    def look(self) -> list[tuple[Stopped, Mark]]:
        """All threads with their marks.

        A thread that was in the same call with the same mark at two looks has been waiting in it
        at least from the end of the first look to the begin of the second: its mark is read after
        its call, and changes with each sleep that begins.
        """
        found = []
        for name in self._tasks():
            with contextlib.suppress(OSError, ValueError):
                found.append(self._thread(f"{self.outside}/task/{name}"))
        return found

    def inside(self) -> dict[int, int]:
        """The threads' ids in the process' own PID namespace, by those that they have here."""
        found = {}
        for name in self._tasks():
            with contextlib.suppress(OSError, ValueError):
                status = status_of(self._proc.text(f"{self.outside}/task/{name}/status"))
                found[int(name)] = status.ids[-1]
        return found

    def mappings(self) -> list[Mapping]:
        """All mappings as they are now."""
        try:
            return mappings_of(self._proc.text(f"{self._task}/maps"))
        except OSError:
            return []

    def read(self, address: int, size: int) -> bytes | None:
        """Memory as it is now; None where not all of it can be had."""
        if not 0 <= size <= _LARGEST_READ or not 0 <= address < 1 << 63 or self._memory < 0:
            return None
        try:
            content = os.pread(self._memory, size, address)
        except (OSError, OverflowError):
            return None
        return content if len(content) == size else None

    def _tasks(self) -> list[str]:
        try:
            return sorted(self._proc.names(f"{self.outside}/task"), key=int)
        except (OSError, ValueError):
            return []

    def _thread(self, place: str) -> tuple[Stopped, Mark]:
        call = self._as_begun(place, self._call(place))
        status = status_of(self._proc.text(f"{place}/status"))
        started = start_of(self._proc.text(f"{place}/stat"))
        number = max(call.number, -1)
        thread = Stopped(
            status.ids[-1],
            status.name,
            status.state,
            number,
            call.arguments,
            call.pc,
            call.sp,
            registers={},
        )
        return thread, Mark(started, status.switches)

    def _as_begun(self, place: str, call: Call) -> Call:
        """A wait that goes on after a tool had stopped it, as the call that was seen before."""
        before = self._calls.get(place)
        if call.number == RESTART.get(self.machine):
            is_same = before is not None and before[1:3] == call[1:3]  # arguments, stack
            return before if before is not None and is_same else call
        if call.number not in _SLEEPS.get(self.machine, ()):
            self._calls[place] = call
        else:
            self._calls.pop(place, None)
        return call

    def _call(self, place: str) -> Call:
        try:
            return call_of(self._proc.text(f"{place}/syscall"))
        except OSError as error:
            if error.errno in _DENIED:  # a thread may have given up rights by itself
                self._say(f"{self._proc.path(place)}/syscall: {error.strerror}")
            if error.errno in _GONE and place.rsplit("/", 1)[-1] in self._tasks():
                self._say("this kernel does not say what threads wait for (no syscall files)")
        except ValueError:
            self._say(f"{self._proc.path(place)}/syscall: not understood")
        return RUNNING

    def _say(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def _asked(self, action: Callable[[], _Result]) -> _Result:
        """The border to the kernel's refusals."""
        try:
            return action()
        except ValueError as error:
            raise HangError(self._subject(), str(error)) from error
        except OSError as error:
            if error.errno in _DENIED:
                raise refusal(self._proc, self.outside) from error
            if error.errno in _GONE:
                self._gone()
            raise HangError(self._subject(), error.strerror or str(error)) from error

    def _subject(self) -> str:
        return f"process {self.outside}"

    def _gone(self) -> NoReturn:
        raise HangError(
            self._subject(),
            "there is no such process here, or it has ended",
            "inside a container only its own processes are seen: look from the host, or start "
            "this container with --pid=host or --pid=container:NAME",
        )

    def _living(self, status: Status) -> str:
        """The folder of a thread that still has memory: the first one may have ended early."""
        if status.state not in _DEAD:
            return str(self.outside)
        for name in self._tasks():
            with contextlib.suppress(OSError, ValueError):
                place = f"{self.outside}/task/{name}"
                if status_of(self._proc.text(f"{place}/status")).state not in _DEAD:
                    return place
        raise HangError(
            self._subject(),
            "it has ended, and its parent has not fetched its exit status",
            f"look at its parent: grep PPid {self._proc.path(str(self.outside))}/status",
        )

    def _command(self) -> tuple[str, ...]:
        with contextlib.suppress(OSError):
            text = self._proc.text(f"{self._task}/cmdline")
            return tuple(text.rstrip("\0").split("\0")) if text else ()
        return ()

    def _find_machine(self) -> str:
        descriptor = self._proc.open(f"{self._task}/exe")
        with os.fdopen(descriptor, "rb") as file:
            header = file.read(20)
        if header[:4] != b"\x7fELF" or len(header) < 20:
            return _HOSTS.get(platform.machine(), "")
        if header[4] != 2:
            raise HangError(self._subject(), "a 32-bit process: its layouts are not known")
        machine = _MACHINES.get(struct.unpack_from("<H", header, 18)[0])
        if machine is None:
            raise HangError(self._subject(), "neither x86-64 nor aarch64: its layouts are unknown")
        return machine

    def _check_mappings(self) -> None:
        mappings = mappings_of(self._asked(lambda: self._proc.text(f"{self._task}/maps")))
        if not mappings:
            raise HangError(
                self._subject(), "it has no memory: a thread of the kernel, or it ends just now"
            )
        for each in mappings:
            name = Path(each.path).name
            if name.startswith(("ld-musl-", "libc.musl-")):
                raise HangError(
                    self._subject(),
                    f"it runs on musl ({name}): only glibc's locks are understood",
                    "run the job on a glibc system (Debian, Ubuntu, Fedora, RHEL), not on Alpine",
                )

    def _check_calls(self) -> None:
        """The calls need the right to attach; maps only the right to read, which more have."""
        self._asked(lambda: self._readable(f"{self._task}/syscall"))

    def _readable(self, name: str) -> None:
        try:
            self._proc.text(name)
        except OSError as error:
            if error.errno not in _GONE:
                raise


def tree(pid: int) -> list[int]:
    """*pid* and all processes below it, parents first: a launcher's ranks."""
    return processes.tree(pid)
