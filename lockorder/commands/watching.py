"""What ``lockorder run`` does while the job runs: the live view, the status line, and looking for a
standstill."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from lockorder.commands.common import UsageError, console_of, say
from lockorder.commands.live import KEYS_EVERY, LiveView
from lockorder.recorded.lock_names import LockNames
from lockorder.report.bottom_rows import can_show
from lockorder.report.live_view import clock, count
from lockorder.report.status_line import StatusLine
from lockorder.report.text import printable
from runtime_probe import standstill
from runtime_probe.launch import TRACE_DIR_VARIABLE
from runtime_probe.live import LiveProcess, LiveRun
from runtime_probe.processes import kill_tree
from runtime_probe.waits import Waiting, waits_in
from runtime_probe.watch import Standing, Watch

if TYPE_CHECKING:
    from lockorder.commands.examining import Examination

#: Seconds until the next look for an answer about a job that stands still.
_ANSWERS_EVERY = 0.2
#: Seconds from which on a wait for a lock is worth looking up the lock's name.
_WORTH_A_NAME = 5.0


def status_line(quiet: bool) -> StatusLine | None:
    """The line for this run: on a terminal, unless an outer run draws its own there."""
    if quiet or TRACE_DIR_VARIABLE in os.environ or not can_show(sys.stderr):
        return None
    return StatusLine(sys.stderr)


def live_view() -> LiveView:
    """The view for this run.

    Raises:
        UsageError: there is no terminal for it.
    """
    if TRACE_DIR_VARIABLE in os.environ:
        raise UsageError("--live: this runs under another `lockorder run`, which has the terminal")
    if not can_show(sys.stderr):
        raise UsageError(
            "--live needs a terminal on stderr, and TERM to say which: leave it out here, or give "
            "the command a terminal (script(1), srun --pty, docker run -t)"
        )
    return LiveView(sys.stderr)


class Watching:
    """The job's onlooker (runtime_probe.child).

    Attributes:
        killed: the job was ended because nothing moved.
        files: what was written of a job that stood still.
    """

    def __init__(
        self,
        run: LiveRun,
        line: StatusLine | None,
        view: LiveView | None,
        limit: float,
        on_hang: str,
    ) -> None:
        """*line* is shown where *view* is not, or not any more; *limit*: seconds without any
        movement that are too many; 0: nobody looks for that."""
        self.killed = False
        self.files: list[Path] = []
        self._examination: Examination | None = None
        self._run = run
        self._line = line
        self._view = view
        self._limit = limit
        self._on_hang = on_hang
        self._watch = Watch()
        self._told = False
        self._names = LockNames()
        self._start = time.monotonic()

    @property
    def every(self) -> float:
        """Seconds until the next look; several fit into what is too long."""
        slow = min(1.0, self._limit / 4) if self._limit else 1.0
        if self._examination is not None:
            slow = min(slow, _ANSWERS_EVERY)
        return min(slow, KEYS_EVERY) if self._view is not None else slow

    def look(self, pid: int) -> None:
        """One look at the job *pid*, or only at the keyboard."""
        if self._view is not None and not self._view_is_due(self._view):
            return
        processes = self._run.look()
        if self._view is not None:
            self._show(self._view, processes)
        elif self._line is not None:
            self._line.tell(self._status(processes))
        if self._limit and not self.killed:
            self._look_for_standstill(processes, pid)

    def _view_is_due(self, view: LiveView) -> bool:
        due = view.due()
        if not view.up:  # somebody left it
            self._view = None
        return due

    def _show(self, view: LiveView, processes: Sequence[LiveProcess]) -> None:
        try:
            view.show("lockorder  " + "  ".join(self._totals()), processes)
        except Exception as error:
            # The job is worth more than the view of it, and nobody else passes signals on to it.
            view.close()
            self._view = None
            say([f"lockorder: warning: the live view failed: {type(error).__name__}: {error}"])

    def pause(self) -> None:
        """The terminal is somebody else's for a while."""
        if self._view is not None:
            self._view.pause()
        if self._line is not None:
            self._line.close()

    def close(self) -> None:
        """The job has ended, or we have: the terminal is as it was."""
        if self._view is not None:
            self._view.close()
        if self._line is not None:
            self._line.close()

    def _look_for_standstill(self, processes: Sequence[LiveProcess], pid: int) -> None:
        if self._examination is not None:
            if self._examination.over:
                self._answer(self._examination, pid)
            return
        standing = self._watch.look(processes, pid)
        if not standing or min(s.seconds for s in standing) < self._limit:
            if self._told and not standing:
                self._told = False
                standstill.forget(self._run.folder)
            return
        if not self._told:
            self._told = True
            seconds = min(s.seconds for s in standing)
            standstill.note(self._run.folder, (p.path for p in processes), seconds)
            say(self._report(standing))
            # Loaded for a job that hangs only: it takes a tenth of a second.
            from lockorder.commands.examining import Examination  # noqa: PLC0415

            # To attach wakes what waits (EINTR): only a job that is over anyhow is attached to.
            self._examination = Examination(
                pid, self._run.folder, attach=self._on_hang == "kill", stood=self._limit
            )

    def _answer(self, examination: Examination, pid: int) -> None:
        """The job was looked at, or there is no more time for it."""
        self._examination = None
        self.files = examination.files
        say(examination.tell(console_of(sys.stderr)))
        if self._on_hang == "kill":
            self.killed = True
            say([f"lockorder: ending the job (process {pid} and all below it)"])
            kill_tree(pid)

    def _report(self, standing: Sequence[Standing]) -> list[str]:
        seconds = min(s.seconds for s in standing)
        lines = [f"lockorder: nothing has moved for {seconds:.0f} s:"]
        for one in standing:
            header = one.process.header
            rank = f"rank {header.rank}, " if header.rank >= 0 else ""
            for wait in one.waits:
                name = self._names.name(one.process.path, wait.lock) if wait.lock else ""
                lines.append(f"  {rank}process {header.pid}: {wait.text(name)}")
        return lines

    def _totals(self) -> list[str]:
        heads = self._run.heads.values()
        ranks = len({header.rank for header, _ in heads if header.rank >= 0})
        return [
            clock(time.monotonic() - self._start),
            # One process has several traces where it went on as another program (execve(2)).
            count(len({(h.host, h.pid) for h, _ in heads}), "process", "processes")
            + (f" of {count(ranks, 'rank', 'ranks')}" if ranks else ""),
            count(sum(counters["locks_seen"] for _, counters in heads), "lock", "locks"),
            count(sum(counters["edges_seen"] for _, counters in heads), "order", "orders"),
        ]

    def _status(self, processes: Sequence[LiveProcess]) -> Text:
        parts = self._totals()
        waits = waits_in(processes)
        if waits:
            longest = min(waits, key=lambda w: w.thread.wait_since_ns)
            parts.append(
                f"{count(len(waits), 'thread waits', 'threads wait')}, longest "
                f"{clock(longest.seconds)} for {self._awaited(longest)}"
            )
        text = Text("lockorder ", style="bold")
        return text.append(printable("  ".join(parts)), style="not bold")

    def _awaited(self, wait: Waiting) -> str:
        thread, process = wait.thread, wait.process
        call = process.call(thread)
        if thread.waits_for and wait.seconds >= _WORTH_A_NAME:
            what = self._names.name(process.path, thread.waits_for) or "a lock"
        elif thread.waits_for:
            what = "a lock"
        else:
            what = call.name if call is not None else "?"
        return what + (f" (rank {process.header.rank})" if process.header.rank >= 0 else "")


def onlooker(
    folder: Path, before: set[Path], *, quiet: bool, live: bool, limit: float, on_hang: str
) -> Watching | None:
    """Who watches this run; None where nobody needs to.

    Raises:
        UsageError: a live view is wanted where there can be none.
    """
    view = live_view() if live else None
    line = status_line(quiet)
    if line is None and view is None and not limit:
        return None
    return Watching(LiveRun(folder, before), line, view, limit, on_hang)
