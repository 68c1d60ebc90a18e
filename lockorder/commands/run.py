"""``lockorder run``: a command under the probe, and what its run showed.

Stdout stays the command's own; the report goes to stderr, unless ``--output`` or a format for
machines is asked for.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from lockorder.commands.analyze import tell
from lockorder.commands.common import CLEAN, FOUND, UsageError, say
from lockorder.commands.settings import chosen_rules, settings
from lockorder.recorded.analyse import NoTraceError, analyse, traces_in
from runtime_probe.errors import ProbeError
from runtime_probe.launch import run_preloaded
from runtime_probe.live import LiveRun
from runtime_probe.processes import kill_tree
from runtime_probe.watch import Standing, Watch

#: The exit code for a job that was ended because nothing moved, as timeout(1) has it.
HUNG = 124


def run(args: argparse.Namespace) -> int:
    """Run, then analyse; the exit code is the command's own (contract, exit codes of ``run``)."""
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        raise UsageError("no command: lockorder run [options] -- CMD ...")
    folder: Path = args.output_dir or Path(f"lockorder-run-{time.strftime('%Y%m%d-%H%M%S')}")
    before = _traces(folder)
    select, ignore = chosen_rules(args, settings(args.config, ["."]))
    hang = _Hang(folder, before, args.hang_timeout, args.on_hang) if args.hang_timeout else None
    try:
        code = run_preloaded(command, folder, None if hang is None else hang.look)
    except ProbeError as error:
        raise UsageError(str(error)) from None
    if hang is not None and hang.killed:
        code = HUNG
    sys.stdout.flush()
    found = _analysed(args, sorted(_traces(folder) - before), folder, select, ignore)
    if args.error_exitcode is not None and found == FOUND:
        return int(args.error_exitcode)
    return code


class _Hang:
    """Looks whether the job moves, says so once where it does not, and ends it if asked to."""

    def __init__(self, folder: Path, before: set[Path], seconds: float, on_hang: str) -> None:
        self._run = LiveRun(folder, before)
        self._watch = Watch()
        self._seconds = seconds
        self._on_hang = on_hang
        self._told = False
        self.killed = False

    def look(self, pid: int) -> None:
        """One look, while the job *pid* runs."""
        standing = self._watch.look(self._run.look())
        if self.killed or not standing or min(s.seconds for s in standing) < self._seconds:
            self._told = self._told and bool(standing)
            return
        if not self._told:
            self._told = True
            say(_told(standing))
        if self._on_hang == "kill":
            self.killed = True
            say([f"lockorder: ending the job (process {pid} and all below it)"])
            kill_tree(pid)


def _told(standing: Sequence[Standing]) -> list[str]:
    seconds = min(s.seconds for s in standing)
    lines = [f"lockorder: nothing has moved for {seconds:.0f} s:"]
    for one in standing:
        rank = f"rank {one.rank}, " if one.rank >= 0 else ""
        lines += [f"  {rank}process {one.pid}: {line}" for line in one.lines]
    return lines


def _traces(folder: Path) -> set[Path]:
    try:
        return set(traces_in(folder))
    except NoTraceError:
        return set()


def _analysed(
    args: argparse.Namespace,
    traces: list[Path],
    folder: Path,
    select: frozenset[str],
    ignore: frozenset[str],
) -> int:
    """Report what was recorded; how it went, by the exit codes of ``analyze``."""
    if not traces:
        say(
            [
                f"lockorder: warning: nothing was recorded in {folder}: the command is linked "
                "statically, is set-user-ID, or clears its environment (see lockorder doctor)"
            ]
        )
        return CLEAN
    code = tell(analyse(traces, args.jobs), args, select, ignore, stdout_is_ours=False)
    say([f"traces: {folder} (lockorder analyze {folder})"], args.quiet)
    return code
