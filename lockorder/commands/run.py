"""``lockorder run``: a command under the probe, and what its run showed.

Stdout stays the command's own; the report goes to stderr, unless ``--output`` or a format for
machines is asked for.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from lockorder.commands.common import CLEAN, FAILED, FOUND, UsageError, emit, exit_code, say
from lockorder.commands.settings import chosen_rules, settings
from lockorder.recorded.analyse import NoTraceError, analyse, to_document, traces_in
from lockorder.report import run as report
from runtime_probe.errors import ProbeError
from runtime_probe.launch import run_preloaded

#: What the shell says of a command that it cannot find.
NOT_FOUND = 127


def run(args: argparse.Namespace) -> int:
    """Run, then analyse; the exit code is the command's own (contract, exit codes of ``run``)."""
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        raise UsageError("no command: lockorder run [options] -- CMD ...")
    folder: Path = args.output_dir or Path(f"lockorder-run-{time.strftime('%Y%m%d-%H%M%S')}")
    before = _traces(folder)
    select, ignore = chosen_rules(args, settings(args.config, ["."]))
    try:
        code = run_preloaded(command, folder)
    except ProbeError as error:
        raise UsageError(str(error)) from None
    sys.stdout.flush()
    found = _analysed(args, sorted(_traces(folder) - before), folder, select, ignore)
    if args.error_exitcode is not None and found == FOUND:
        return int(args.error_exitcode)
    return code


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
    batch = analyse(traces, args.jobs)
    document = to_document(batch, select, ignore)
    if not batch.processes:
        say(f"lockorder: error: {p}" for p in batch.problems)
        return FAILED
    if not (args.quiet and args.output is None):
        emit(document, args.format, args.output, Path.cwd(), text_to_stderr=True)
    say(f"lockorder: error: {p}" for p in batch.problems)
    say((f"lockorder: note: {n}" for n in batch.notes), args.quiet)
    say(report.lines(document, args.verbose), args.quiet)
    say([f"traces: {folder} (lockorder analyze {folder})"], args.quiet)
    return exit_code(document, bool(batch.problems), args.exit_zero)
