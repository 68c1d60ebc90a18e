"""``lockorder run``: a command under the probe, and what its run showed.

Stdout stays the command's own; the report goes to stderr, unless ``--output`` or a format for
machines is asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from lockorder.commands.analyze import tell
from lockorder.commands.common import CLEAN, UsageError, say
from lockorder.commands.settings import chosen_rules, settings
from lockorder.commands.triage import Triage
from lockorder.commands.watching import onlooker
from lockorder.config import Config
from lockorder.recorded.analyse import NoTraceError, analyse, traces_in
from lockorder.recorded.merge import Batch
from lockorder.recorded.whose import sampled_modules
from runtime_probe.errors import ProbeError
from runtime_probe.launch import run_preloaded

#: The exit code for a job that was ended because nothing moved, as timeout(1) has it.
HUNG = 124
#: What the files of an examination are for, by their suffix.
_USE = {".json": " (lockorder hang {})"}


def run(args: argparse.Namespace) -> int:
    """Run, then analyse; the exit code is the command's own (contract, exit codes of ``run``)."""
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        raise UsageError("no command: lockorder run [options] -- CMD ...")
    folder: Path = args.output_dir or Path(f"lockorder-run-{time.strftime('%Y%m%d-%H%M%S')}")
    before = _traces(folder)
    config = settings(args.config, ["."])
    chosen_rules(args, config)  # what cannot be is refused before the command runs
    watching = onlooker(
        folder, before, quiet=args.quiet, live=args.live, limit=args.hang_timeout,
        on_hang=args.on_hang,
    )  # fmt: skip
    # The keyboard is the view's; two readers would each have some of the keys.
    keyless = args.live and os.isatty(0)
    try:
        code = run_preloaded(
            command, folder, watching, without_stdin=keyless, budget=args.budget,
            inner=[] if args.all else sampled_modules(config.declarations.library),
        )  # fmt: skip
    except ProbeError as error:
        raise UsageError(str(error)) from None
    finally:
        if watching is not None:
            watching.close()
    if watching is not None and watching.killed:
        code = HUNG
    sys.stdout.flush()
    found = _analysed(args, sorted(_traces(folder) - before), folder, config)
    if watching is not None and watching.files:
        # Not quiet: it was asked for, and these are the answer.
        say(f"hang: {path}{_USE.get(path.suffix, '').format(path)}" for path in watching.files)
    if args.error_exitcode is not None and found != CLEAN:
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
    config: Config,
) -> int:
    """Report what was recorded; how it went, by the exit codes of ``analyze``."""
    triage = Triage(args, config, chosen_rules(args, config))
    if not traces:
        batch = Batch()
        batch.problems.append(
            f"nothing was recorded in {folder}: the command is linked statically, is set-user-ID, "
            "or clears its environment: lockorder doctor -- CMD"
        )
        return tell(batch, args, triage, config, stdout_is_ours=False)
    batch = analyse(traces, args.jobs, libraries=config.declarations.library)
    code = tell(batch, args, triage, config, stdout_is_ours=False)
    say([f"traces: {folder} (lockorder analyze {folder})"], args.quiet)
    return code
