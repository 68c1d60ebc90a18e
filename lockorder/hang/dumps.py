"""Many ranks' dumps, gathered: read by processes where there are many."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

from lockorder.collectives.gather import Gathering
from lockorder.hang.errors import DumpError
from lockorder.hang.rank_log import read_log
from lockorder.model import ProcessSummary
from lockorder.recorded.merge import Batch

#: Files that a process takes at most at once; below so many files a pool costs more than it brings.
_PART, _FEW = 32, 16


class Dumps:
    """What dumps say; *problems* are files that could not be read, *notes* on what others lack."""

    def __init__(self) -> None:
        self.gathering = Gathering()
        self.processes: list[ProcessSummary] = []
        self.problems: list[str] = []
        self.notes: list[str] = []

    def take(self, other: Dumps) -> None:
        """Add what was read of later files."""
        self.gathering.take(other.gathering)
        self.processes += other.processes
        self.problems += other.problems
        self.notes += other.notes

    def add_to(self, batch: Batch) -> None:
        """Add what was read to what recorded runs show."""
        batch.communication.take(self.gathering)
        batch.processes += self.processes
        batch.problems += self.problems
        batch.notes += self.notes


def read_dumps(paths: Sequence[Path], jobs: int = 0) -> Dumps:
    """Read *paths* in *jobs* processes (0: one a core)."""
    count = min(jobs or os.cpu_count() or 1, len(paths))
    if count <= 1 or len(paths) < _FEW:
        return _read(paths)
    with ProcessPoolExecutor(count) as pool:
        return _spread(paths, pool)


def _spread(paths: Sequence[Path], pool: Executor) -> Dumps:
    whole = Dumps()
    parts = [paths[i : i + _PART] for i in range(0, len(paths), _PART)]
    for part, task in zip(parts, [pool.submit(_read, p) for p in parts], strict=True):
        try:
            whole.take(task.result())
        except Exception:
            # Its process was killed: an error of ours shows itself here.
            whole.take(_read(part))
    return whole


def _read(paths: Sequence[Path]) -> Dumps:
    dumps = Dumps()
    for path in paths:
        try:
            log, version, notes = read_log(path)
        except DumpError as error:
            dumps.problems.append(str(error))
            continue
        dumps.gathering.add(log)
        dumps.notes += [f"{path.name}: {note}" for note in notes]
        dumps.processes.append(
            ProcessSummary(
                file=path.name, rank=log.rank, state="dumped",
                command=f"flight recorder {version}".strip(),
            )
        )  # fmt: skip
    return dumps
