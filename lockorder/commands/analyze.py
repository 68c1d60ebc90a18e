"""``lockorder analyze``: what recorded runs show, all processes merged."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from lockorder.cluster import WorkersError
from lockorder.commands.common import FAILED, UsageError, emit_all, exit_code, say
from lockorder.commands.settings import chosen_rules, settings
from lockorder.commands.triage import Triage
from lockorder.config import Config
from lockorder.hang.dumps import read_dumps
from lockorder.hang.flight_recorder import dumps_in
from lockorder.knowledge.schema import Library
from lockorder.recorded.analyse import NoTraceError, analyse, to_document, traces_in
from lockorder.recorded.merge import Batch
from lockorder.report import run as report


def run(args: argparse.Namespace) -> int:
    """Analyse and report; the exit code says how it went."""
    config = settings(args.config, ["."])
    triage = Triage(args, config, chosen_rules(args, config))
    batch = read(map(Path, args.folders), args.jobs, args.dask, config.declarations.library)
    return tell(batch, args, triage, config)


def read(
    folders: Iterable[Path], jobs: int, dask: str = "", libraries: Sequence[Library] = ()
) -> Batch:
    """What was recorded in *folders*: traces, and dumps of PyTorch's flight recorder.

    Raises UsageError where there is nothing at all, or no cluster at *dask*.
    """
    paths: list[Path] = []
    dumps: list[Path] = []
    problems: list[str] = []
    for given in dict.fromkeys(folders):
        found = dumps_in(given)
        dumps += found
        try:
            paths += traces_in(given)
        except NoTraceError as error:
            if not found:
                problems.append(f"{error}, and no dump of PyTorch's flight recorder")
    if not paths and not dumps:
        raise UsageError("; ".join(problems))
    try:
        batch = analyse(paths, jobs, dask=dask, libraries=libraries) if paths else Batch()
    except WorkersError as error:
        raise UsageError(str(error)) from None
    batch.problems[:0] = problems
    read_dumps(dumps, jobs).add_to(batch)
    return batch


def tell(
    batch: Batch,
    args: argparse.Namespace,
    triage: Triage,
    config: Config,
    *,
    stdout_is_ours: bool = True,
) -> int:
    """Report what *batch* shows; returns the exit code.

    Where stdout is another program's, the text goes to stderr, unless it was asked to be quiet.
    """
    document = triage.apply(
        to_document(
            batch, budget=config.budget, libraries=config.declarations.library,
            everything=args.all,
        ),
        Path.cwd(),
    )  # fmt: skip
    text = args.format == "text" and args.output is None
    if not batch.processes:
        say(f"lockorder: error: {p}" for p in batch.problems)
        if not text:  # a file that was asked for is there, and says that there is nothing
            emit_all(document, args, Path.cwd(), text_to_stderr=not stdout_is_ours)
        return FAILED
    emit_all(
        document, args, Path.cwd(), text_to_stderr=not stdout_is_ours,
        silent=args.quiet and text and not stdout_is_ours,
    )  # fmt: skip
    problems = [*batch.problems, *triage.problems]
    say(f"lockorder: error: {p}" for p in problems)
    say(f"lockorder: warning: {w}" for w in triage.warnings)
    say((f"lockorder: note: {n}" for n in (*sorted(batch.notes), *triage.notes)), args.quiet)
    say(report.lines(document, args.verbose), args.quiet)
    return exit_code(document, bool(problems), args.exit_zero)
