"""The examination of ``lockorder hang`` for those who do not sit in front of it: `run`, a watchdog.

It ends in a given time, and leaves two files: the answer for people, and a snapshot.
"""

from __future__ import annotations

import io
import os
import re
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console

from lockorder import meaning
from lockorder.commands import writing
from lockorder.commands.hang import diagnosis
from lockorder.hang import collect, collected
from lockorder.hang.dumps import read_dumps
from lockorder.model import Document, Level
from lockorder.recorded.merge import Batch
from lockorder.report import hang as report
from lockorder.report.excerpts import Excerpts
from lockorder.report.formats import WIDTH, write_text

#: Seconds that an examination may take before what waits for it goes on.
PATIENCE = 30.0
#: Of these, those that are left for what comes after the native stacks.
_AFTERWARDS = 5.0
#: How the files of this machine begin.
MACHINE = re.sub(r"[^\w.-]", "_", f"hang-{os.uname().nodename}")


class Examined(NamedTuple):
    """What was found: ``problems`` say what could not be looked at.

    ``serious``: there is something to do, by the exit code that `hang` would have.
    """

    document: Document
    found: collected.Collected
    problems: tuple[str, ...]

    @property
    def serious(self) -> bool:
        """Whether a finding is an error or a warning."""
        return any(f.level is not Level.NOTE for f in self.document.findings)

    @property
    def goes_on(self) -> bool:
        """Whether a first thread, or one of Python's, worked or went on; launchers always do."""
        return any(
            thread.moved in ("works", "line", "launched")
            for process in self.found.processes
            if process.role != "launcher"
            for thread in process.threads
            # What libraries have in the background spins while everybody waits for it.
            if thread.is_main or any(meaning.is_python(f) for f in thread.chain)
        )

    def screen(self, console: Console) -> None:
        """Print what `hang` prints."""
        write_text(self.document, Excerpts(Path.cwd()), console)

    def text(self, heading: Sequence[str] = ()) -> bytes:
        """The screen, *heading* below its first line, then all threads with their stacks."""
        lines = io.StringIO()
        console = Console(file=lines, width=WIDTH, highlight=False, color_system=None)
        self.screen(console)
        first, _, rest = lines.getvalue().partition("\n")
        long = io.StringIO()
        console = Console(file=long, width=WIDTH, highlight=False, color_system=None)
        report.write(msgspec.structs.replace(self.document, headline=""), console)
        said = "\n".join(self.found.said)
        above = "".join(f"{line}\n" for line in heading)
        parts = [f"{first}\n{above}{rest}", said, long.getvalue(), "\n".join(self.problems)]
        text = "\n".join(p.rstrip("\n") + "\n" for p in parts if p)
        return text.encode("utf-8", "backslashreplace")


def examine(pids: Sequence[int], *, attach: bool, stood: float) -> Examined:
    """Look at processes and all below them, as `hang --pid` does.

    Args:
        pids: the processes.
        attach: native stacks are asked for, too, which stops a process for a moment.
        stood: seconds for which they are known to stand still; two looks need not lie farther
            apart.
    """
    pause = min(collect.PAUSE, stood)
    until = time.monotonic() + PATIENCE - _AFTERWARDS
    found = collect.live(pids, True, lambda _: None, pause, attach=attach, until=until)
    # Names of threads are made distinct for the document; a snapshot has them as they are.
    kept = collected.Collected()
    kept.take(found)
    batch = Batch()
    read_dumps(found.dumps, 1).add_to(batch)
    document = diagnosis(batch, found)
    return Examined(document, kept, (*found.problems, *batch.problems))


def file_stem(rank: int, pid: int, when: str = "") -> str:
    """How the files of an examination are called: by machine, rank, process, and time."""
    parts = [MACHINE, f"rank{rank}" if rank >= 0 else "", str(pid), when]
    return "-".join(filter(None, parts))


def keep(examined: Examined, folder: Path, stem: str, heading: Sequence[str] = ()) -> list[Path]:
    """Write the answer and the snapshot, readable by their owner only; their paths.

    Raises OSError.
    """
    snapshot, text = folder / f"{stem}.json", folder / f"{stem}.txt"
    if examined.found.processes:
        examined.found.save(snapshot)
    os.close(os.open(text, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    writing.write(text, examined.text(heading))
    return [text, *([snapshot] if examined.found.processes else [])]


class Examination(threading.Thread):
    """An examination while its caller goes on with something else.

    Not a process of its own: where Yama restricts tracing, only the one that started a job may look
    at it (ptrace(2), ptrace_scope 1).
    """

    def __init__(self, pid: int, folder: Path, *, attach: bool, stood: float) -> None:
        super().__init__(name="lockorder-hang", daemon=True)
        self._pid, self._folder, self._attach, self._stood = pid, folder, attach, stood
        self._end = time.monotonic() + PATIENCE
        self._examined: Examined | None = None
        self._failure = ""
        #: What was written.
        self.files: list[Path] = []
        self.start()

    @property
    def over(self) -> bool:
        """Whether there is an answer, or no more time for one."""
        return not self.is_alive() or time.monotonic() >= self._end

    def run(self) -> None:
        """Look and write; what goes wrong is told by ``tell``."""
        try:
            examined = examine([self._pid], attach=self._attach, stood=self._stood)
            if examined.found.processes and time.monotonic() < self._end:
                self.files = keep(examined, self._folder, file_stem(-1, self._pid))
            self._examined = examined
        except OSError as error:
            self._failure = f"{error.filename or self._folder}: {error.strerror or error}"
        except Exception as error:
            # The job's end does not wait for a mistake of ours.
            self._failure = f"{type(error).__name__}: {error}"

    def tell(self, console: Console) -> list[str]:
        """Print the screen; lines about what is missing from it."""
        examined = self._examined
        if examined is not None and examined.found.processes:
            examined.screen(console)
        elif examined is not None:
            reason = "; ".join(examined.problems) or "it has ended meanwhile"
            return [f"lockorder: the job could not be looked at: {reason}"]
        if self._failure:
            return [f"lockorder: the job could not be looked at: {self._failure}"]
        if examined is None:
            return [f"lockorder: looking at the job was cut off after {PATIENCE:.0f} s"]
        return [f"lockorder: not looked at: {p}" for p in examined.problems]
