"""The files of /proc (proc(5)), and what stands in them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from lockorder.hang.image import Mapping

_CAP_SYS_PTRACE = 19  # capabilities(7)
_MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) ([0-9a-f]+) \S+ \d+ *(.*)")


class Proc:
    """A mounted /proc; all names are relative to it."""

    def __init__(self, root: str = "/proc") -> None:
        self.root = root

    def text(self, name: str) -> str:
        """A file's text.  Raises OSError."""
        with open(f"{self.root}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read()

    def names(self, name: str) -> list[str]:
        """What a folder has in it.  Raises OSError."""
        return os.listdir(f"{self.root}/{name}")

    def link(self, name: str) -> str:
        """Where a link leads.  Raises OSError."""
        return os.readlink(f"{self.root}/{name}")

    def open(self, name: str) -> int:
        """A descriptor for reading.  Raises OSError."""
        return os.open(f"{self.root}/{name}", os.O_RDONLY | os.O_CLOEXEC)

    def owner(self, name: str) -> int:
        """Who owns a file.  Raises OSError."""
        return os.stat(f"{self.root}/{name}").st_uid

    def path(self, name: str) -> Path:
        """A name as a path, for messages and to look behind ``root`` and ``exe``."""
        return Path(self.root) / name


class Status(NamedTuple):
    """What is needed of a ``status`` file: ids from the outermost namespace to the innermost.

    ``switches`` counts how often the thread was taken off a core, by itself or not: as long as it
    stays the same, a thread that waits has not been woken.  ``tracer`` is the process that traces
    it, 0: none; ``caught`` has a bit for each signal with a handler, the lowest for signal 1.
    """

    name: str
    state: str
    uid: int
    ids: tuple[int, ...]
    switches: int
    can_trace: bool
    tracer: int = 0
    caught: int = 0


def status_of(text: str) -> Status:
    """Raises ValueError where it is no such file."""
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    try:
        ids = fields.get("NSpid") or fields["Pid"]
        switches = [int(v) for k, v in fields.items() if k.endswith("voluntary_ctxt_switches")]
        return Status(
            name=fields["Name"].strip(),
            state=fields["State"].strip()[:1],
            uid=int(fields["Uid"].split()[1]),
            ids=tuple(int(number) for number in ids.split()),
            switches=sum(switches),
            can_trace=bool(int(fields.get("CapEff", "0"), 16) >> _CAP_SYS_PTRACE & 1),
            tracer=int(fields.get("TracerPid", "0")),
            caught=int(fields.get("SigCgt", "0"), 16),
        )
    except (KeyError, IndexError) as error:
        raise ValueError(f"no status file: {error}") from error


def mappings_of(text: str) -> list[Mapping]:
    """The lines of a ``maps`` file; what is no such line is left out."""
    found = []
    for line in text.splitlines():
        match = _MAPPING.fullmatch(line)
        if match is not None:
            start, end, flags, offset, path = match.groups()
            # The kernel writes a newline in a file's name like this.
            path = path.replace("\\012", "\n")
            found.append(Mapping(int(start, 16), int(end, 16), flags, int(offset, 16), path))
    return found


class Call(NamedTuple):
    """What a ``syscall`` file says; ``number`` -1: in no call, -2: it runs."""

    number: int
    arguments: tuple[int, ...]
    sp: int
    pc: int


RUNNING = Call(-2, (), 0, 0)


def call_of(text: str) -> Call:
    """Raises ValueError where it is no such file."""
    words = text.split()
    if words == ["running"]:
        return RUNNING
    number = int(words[0]) if words else -3
    values = [int(word, 16) for word in words[1:]]
    if number == -1 and len(values) == 2:
        return Call(-1, (), *values)
    if number < 0 or len(values) != 8:
        raise ValueError("no syscall file")
    return Call(number, tuple(values[:6]), values[6], values[7])


def start_of(text: str) -> int:
    """When a thread began, from its ``stat`` file: tells a reused id from the old one."""
    fields = text.rpartition(")")[2].split()
    if len(fields) < 20:
        raise ValueError("no stat file")
    return int(fields[19])
