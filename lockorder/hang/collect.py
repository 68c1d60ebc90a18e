"""Everything that is asked about a hung job, from wherever it is: processes, cores, snapshots."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from lockorder.hang import examine, services, stacks
from lockorder.hang.corefile import CoreError, CoreImage
from lockorder.hang.image import Image
from lockorder.hang.neighbours import Neighbours
from lockorder.hang.procfs import LiveImage, tree
from lockorder.hang.procfs_errors import HangError
from lockorder.hang.ranks import rank_of
from lockorder.model import SNAPSHOT_VERSION, Owner, ProcessState, Snapshot

_MOST = 1 << 28  # bytes of a snapshot
_PYTHON, _NCCL = "python", "libnccl.so"


class SnapshotError(Exception):
    """A file that is no snapshot, or cannot be read; the text names it and says why."""


def live(pids: Sequence[int], children: bool, say: Callable[[str], None]) -> Collected:
    """The state of processes that run here, with all below them where *children* says so."""
    found = Collected()
    wanted = list(dict.fromkeys(p for pid in pids for p in (tree(pid) if children else [pid])))
    host = os.uname().nodename
    images: dict[int, LiveImage] = {}
    own = os.getpid()
    for pid in wanted:
        if pid == own:
            # Below a launcher there may be ourselves, too.
            if pid in pids:
                found.problems.append(f"process {pid}: this is lockorder itself")
            continue
        try:
            images[pid] = LiveImage(pid)
        except HangError as error:
            # A child may end while its parent is looked at.
            if pid in pids or not children:
                found.problems.append(str(error))
    environments = {pid: examine.environment_of(pid) for pid in images}
    neighbours = Neighbours(images.values(), environments)
    recorders = [
        services.Recorder(pid, environments[pid], rank_of(environments[pid])) for pid in images
    ]
    asked_until = time.monotonic() + services.PATIENCE
    # Stacks take longest, and other programs make them.
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        asked = {
            pid: pool.submit(stacks.of_process, pid, is_python(image))
            for pid, image in images.items()
        }
        for pid, image in images.items():
            say(f"looking at process {pid}")
            stack = _inside(asked[pid].result(), image)
            try:
                state = examine.examine(
                    image, stack, host=host, source="live", environment=environments[pid],
                    neighbours=neighbours,
                )  # fmt: skip
            except HangError as error:
                if pid in pids or not children:
                    found.problems.append(str(error))
                continue
            found.processes.append(state)
    found.dumps += [path for each in recorders if (path := each.dump(asked_until)) is not None]
    found.said += _said_by_nccl(images, environments)
    return found


def _said_by_nccl(
    images: Mapping[int, LiveImage], environments: Mapping[int, Mapping[str, str]]
) -> list[str]:
    """What NCCL says of the job; each process would say the same."""
    addresses = {
        address
        for pid, image in images.items()
        if any(_NCCL in Path(m.path).name for m in image.mappings())
        and (address := services.ras_address(environments[pid])) is not None
    }
    for host, port in sorted(addresses):
        said = services.ras((host, port))
        if said:
            return [f"NCCL at {host}:{port} says:", *said]
    return []


def _inside(found: stacks.Stacks, image: LiveImage) -> stacks.Stacks:
    """Stacks by the ids that threads have in their own namespace; tools know those out here."""
    if image.pid == image.outside:
        return found
    names = image.inside()
    replace = msgspec.structs.replace
    threads = {names.get(tid, tid): stack for tid, stack in found.threads.items()}
    return replace(found, threads={t: replace(s, tid=t) for t, s in threads.items()})


def cores(pairs: Iterable[tuple[Path, Path | None]], say: Callable[[str], None]) -> Collected:
    """The state of processes in core files, each with its program where that is given."""
    found = Collected()
    for core, exe in pairs:
        try:
            with CoreImage(core, exe) as image:
                say(f"looking at {core}")
                program = exe or (Path(image.exe) if image.exe else None)
                stack = stacks.of_core(core, program, is_python(image))
                state = examine.examine(
                    image, stack, host="", source="core", environment=image.environment()
                )
        except CoreError as error:
            found.problems.append(str(error))
            continue
        found.processes.append(
            msgspec.structs.replace(state, process=f"{state.process} ({core.name})")
        )
    return found


def is_python(image: Image) -> bool:
    """Whether an interpreter is in the process: the program itself, or its shared library."""
    files = {Path(m.path).name for m in image.mappings() if m.path.startswith("/")}
    return any(name.startswith((_PYTHON, f"lib{_PYTHON}")) for name in files)


class Collected:
    """What was found; *problems* are what was asked for and cannot be looked at."""

    def __init__(self) -> None:
        self.processes: list[ProcessState] = []
        self.problems: list[str] = []
        #: Dumps that flight recorders wrote when they were asked, and what NCCL said.
        self.dumps: list[Path] = []
        self.said: list[str] = []

    def take(self, other: Collected) -> None:
        """Add what was found elsewhere."""
        self.processes += other.processes
        self.problems += other.problems
        self.dumps += other.dumps
        self.said += other.said

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
