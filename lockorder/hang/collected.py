"""What was found of a job, and snapshots of it: files to be read elsewhere."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from lockorder.model import (
    SNAPSHOT_VERSION,
    Absent,
    Launches,
    Owner,
    ProcessState,
    Snapshot,
)

_MOST = 1 << 28  # bytes of a snapshot


class SnapshotError(Exception):
    """A file that is no snapshot, or cannot be read; the text names it and says why."""


class Collected:
    """What was found; *problems* are what was asked for and cannot be looked at."""

    def __init__(self) -> None:
        self.processes: list[ProcessState] = []
        self.problems: list[str] = []
        #: Dumps that flight recorders wrote when they were asked, and what NCCL said.
        self.dumps: list[Path] = []
        self.said: list[str] = []
        #: What ranks launched unequally often, by NCCL's counts.
        self.launches: list[Launches] = []
        #: Ranks that NCCL does not reach.
        self.absent: list[Absent] = []
        #: What was left out, because it was too much.
        self.notes: list[str] = []

    def take(self, other: Collected) -> None:
        """Add what was found elsewhere."""
        self.processes += other.processes
        self.problems += other.problems
        self.dumps += other.dumps
        self.said += other.said
        self.launches += other.launches
        self.absent += other.absent
        self.notes += other.notes

    def tell_apart(self) -> None:
        """Give threads of different processes different names: machines use the same ids."""
        seen: set[str] = set()
        for number, process in enumerate(self.processes):
            names = {thread.who for thread in process.threads}
            if names & seen:
                self.processes[number] = process = _renamed(process, number)
                names = {thread.who for thread in process.threads}
            seen |= names

    def save(self, path: Path) -> None:
        """Write a snapshot, readable by its owner only.  Raises OSError."""
        snapshot = Snapshot(
            host=os.uname().nodename, time_ns=time.time_ns(), processes=tuple(self.processes)
        )
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(path, flags, 0o600), "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(snapshot)))


def _renamed(process: ProcessState, number: int) -> ProcessState:
    replace = msgspec.structs.replace
    of = process.host or process.process.rpartition("(")[2].rstrip(")") or str(number + 1)

    def name(who: str) -> str:
        return f"{who} ({of}, {number + 1})"

    own = {thread.who for thread in process.threads}

    def owner(each: Owner) -> Owner:
        # A mutex that processes share has its owner elsewhere.
        return replace(each, who=name(each.who)) if each.who in own else each

    return replace(
        process,
        threads=tuple(replace(t, who=name(t.who)) for t in process.threads),
        waits=tuple(
            replace(w, who=name(w.who), owners=tuple(map(owner, w.owners))) for w in process.waits
        ),
    )


def is_snapshot(path: Path) -> bool:
    """Whether a file begins as a snapshot does."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return b'"lockorder": "snapshot"' in file.read(256)
    except OSError:
        return False


def read_snapshot(path: Path) -> Snapshot:
    """The snapshot at *path*.  Raises SnapshotError."""
    try:
        if path.stat().st_size > _MOST:
            raise SnapshotError(f"{path}: larger than any snapshot")
        snapshot = msgspec.json.decode(path.read_bytes(), type=Snapshot)
    except OSError as error:
        raise SnapshotError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise SnapshotError(f"{path}: damaged: {error}") from None
    if snapshot.version > SNAPSHOT_VERSION:
        raise SnapshotError(
            f"{path}: a snapshot of version {snapshot.version}; this reads {SNAPSHOT_VERSION}: "
            "take a newer lockorder"
        )
    return snapshot
