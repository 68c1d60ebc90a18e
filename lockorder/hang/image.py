"""A process as it stands, wherever it is looked at: alive through /proc, or in a core file.

What reads it (waits, owners, the interpreter's state) needs no more than this, and is the same for
both.  Addresses are the process' own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

#: Machines whose layouts are known.
X86_64, AARCH64 = "x86-64", "aarch64"
#: What some waits go on as after a stop: with their old arguments (signal(7), restart_syscall(2)).
RESTART = {X86_64: 219, AARCH64: 128}


class Mapping(NamedTuple):
    """A range of memory; ``path`` is the file's, "" where it is anonymous, ``[stack]`` and so on.

    ``offset`` is where in the file it begins; ``flags`` are those of /proc/PID/maps (``r-xp``).
    """

    start: int
    end: int
    flags: str
    offset: int
    path: str


class Stopped(NamedTuple):
    """A thread, seen at one moment.

    ``state`` is the kernel's letter (R, S, D, T, t, Z; "" not known).  ``call`` is the number of
    the system call that it is in, -1: in none, or running, and ``arguments`` are that call's first
    six.  ``pc`` and ``sp`` are 0 where nobody may know them; ``registers`` are all of them by name,
    from a core file only.
    """

    tid: int
    name: str
    state: str
    call: int
    arguments: tuple[int, ...]
    pc: int
    sp: int
    registers: dict[str, int]


class Image(Protocol):
    """A process; see the module's text.

    ``pid`` is what the process itself has (in its own PID namespace, where mutexes keep owners'
    ids from), ``outside`` how this machine knows it, 0: not at all.  ``exe`` is the program's file,
    ``command`` its arguments.  ``problems`` say what could not be read and what would help.
    """

    pid: int
    outside: int
    machine: str
    exe: str
    command: tuple[str, ...]
    problems: list[str]

    def threads(self) -> Sequence[Stopped]:
        """All threads, looked at anew each time where the process is alive."""

    def mappings(self) -> Sequence[Mapping]:
        """All mappings, by address."""

    def read(self, address: int, size: int) -> bytes | None:
        """Memory; None where not all of it can be had."""
