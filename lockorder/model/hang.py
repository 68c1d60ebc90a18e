"""A process as somebody found it: its threads, what they do, and who waits for whom."""

from __future__ import annotations

import msgspec

from lockorder.model.locks import Frame
from lockorder.model.waits import Wait

#: Of saved snapshots: raised when a field changes its meaning.
SNAPSHOT_VERSION = 1


class ThreadState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A thread.  ``doing`` says in words what it is at; ``gil``: it holds the GIL."""

    who: str
    tid: int
    name: str = ""
    doing: str = ""
    chain: tuple[Frame, ...] = ()
    gil: bool = False


class ProcessState(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A process.

    ``process`` names it in the whole job; ``source`` is where it was seen: ``live``, ``core``.
    ``waits`` are those of its threads, as far as they can be told; ``tool`` gave the stacks.
    ``notes`` say what could not be had, and what would help.
    """

    process: str
    pid: int
    host: str = ""
    rank: int = -1
    command: str = ""
    source: str = "live"
    threads: tuple[ThreadState, ...] = ()
    waits: tuple[Wait, ...] = ()
    tool: str = ""
    notes: tuple[str, ...] = ()


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What ``lockorder hang --snapshot`` saves on one machine; ``time_ns`` is since 1970.

    ``lockorder`` and ``version`` come first and are always there: files are known by them.
    """

    lockorder: str = "snapshot"
    version: int = SNAPSHOT_VERSION
    host: str = ""
    time_ns: int = 0
    processes: tuple[ProcessState, ...] = ()
