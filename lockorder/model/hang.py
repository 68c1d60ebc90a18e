"""A process as somebody found it: its threads, what they do, and who waits for whom."""

from __future__ import annotations

import msgspec

from lockorder.model.locks import Frame
from lockorder.model.waits import Wait

#: Of saved snapshots: raised when a field changes its meaning.
SNAPSHOT_VERSION = 1


class ThreadState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A thread.  ``doing`` says in words what it is at; ``gil``: it holds the GIL.

    ``state`` is the kernel's letter.  ``moved`` is what it did between two looks: "works" (used its
    core), "launched" (operations of NCCL), "line" (it is at another line of Python's), "woken" (a
    wait without limit ended), "polls" (it woke up by itself and found nothing); "": it stood still,
    or there was one look only.  ``since`` is when it last ran, in seconds since 1970, 0: not known.
    ``line`` is the program's own line that it is at, and ``operation`` what this line is in.
    ``is_main``: the process' first thread.  ``kind``: "task" is a suspended task of asyncio, "loop"
    a thread that runs such, "pool worker" one that a pool of threads began; "": any other.
    ``after``, where it waits for the GPU, is the last collective that its function calls before
    that line, by the source.
    """

    who: str
    tid: int
    name: str = ""
    doing: str = ""
    chain: tuple[Frame, ...] = ()
    gil: bool = False
    state: str = ""
    moved: str = ""
    since: float = 0.0
    line: Frame | None = None
    operation: str = ""
    is_main: bool = False
    kind: str = ""
    after: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether it did something of its own between the looks."""
        return self.moved in ("works", "line", "woken", "launched")


class ProcessState(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A process.

    ``process`` names it in the whole job; ``source`` is where it was seen: ``live``, ``core``.
    ``waits`` are those of its threads, as far as they can be told; ``tool`` gave the stacks.
    ``notes`` say what could not be had, and what would help.  ``seconds`` lie between two looks at
    it, 0: there was one.  ``world`` is how many ranks the job has, -1: not known.  ``parent`` is
    its parent's pid; ``role`` is what it is for: ``rank``, ``worker`` (of the rank or the process
    that started it), ``launcher``, "": nothing of these.
    ``ended`` are children that have ended, and that it has not asked for.
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
    seconds: float = 0.0
    world: int = -1
    parent: int = 0
    role: str = ""
    ended: tuple[int, ...] = ()

    @property
    def first(self) -> ThreadState | None:
        """The thread that the process began with; None where it was not seen."""
        return next((thread for thread in self.threads if thread.is_main), None)


class LaunchSide(msgspec.Struct, frozen=True, omit_defaults=True):
    """Ranks of a communicator that launched ``count`` operations of a kind, ``number`` in all.

    ``ranks`` are the job's (or, where these are not known, the communicator's) as far as they are
    named; ``processes`` are those among them that were looked at, by their names.
    """

    count: int
    number: int
    ranks: tuple[int, ...] = ()
    processes: tuple[str, ...] = ()


class Launches(msgspec.Struct, frozen=True):
    """An operation that not all ranks of a communicator launched equally often, and kept so.

    ``said_by`` is who counted; ``operation`` its name there (``AllReduce``).  ``where`` is the only
    place in the source of who launched most that issues it; "": there are several, or none is seen.
    """

    said_by: str
    communicator: str
    operation: str
    sides: tuple[LaunchSide, ...]
    where: str = ""


class Absent(msgspec.Struct, frozen=True):
    """A rank that ``said_by`` does not reach any more; ``ended``: its process is not there."""

    said_by: str
    rank: int
    pid: int
    host: str = ""
    ended: bool = False


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What ``lockorder hang --snapshot`` saves on one machine; ``time_ns`` is since 1970.

    ``lockorder`` and ``version`` come first and are always there: files are known by them.
    """

    lockorder: str = "snapshot"
    version: int = SNAPSHOT_VERSION
    host: str = ""
    time_ns: int = 0
    processes: tuple[ProcessState, ...] = ()
