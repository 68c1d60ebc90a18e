"""``lockorder compare``: what was predicted from sources, beside what ran."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from lockorder.changes import ChangeError
from lockorder.cluster import WorkersError
from lockorder.commands.checked import Checked, check_sources
from lockorder.commands.common import UsageError, emit_all, exit_code, say
from lockorder.commands.settings import chosen_rules, settings
from lockorder.commands.triage import Triage
from lockorder.compare import compare
from lockorder.config import Config
from lockorder.model import Document, DocumentError, decode
from lockorder.recorded.analyse import NoTraceError, analyse, to_document, traces_in
from lockorder.report import summary
from lockorder.static.cache.folder import CacheError
from lockorder.static.discovery.compilation_database import FlagsError
from lockorder.static.discovery.sources import project_root


def run(args: argparse.Namespace) -> int:
    """Join and report; the exit code says how it went."""
    config = settings(args.config, [str(args.static)])
    triage = Triage(args, config, chosen_rules(args, config))
    try:
        checked = static_result(args.static, config, args.jobs)
        runs, problems = recorded(args.runs, args.jobs)
        document = compare(checked.document, runs)
        document = triage.apply(document, Path(checked.root))
    except (FlagsError, CacheError, WorkersError, ChangeError) as error:
        raise UsageError(str(error)) from None
    emit_all(document, args, Path(checked.root))
    problems += [*checked.problems, *triage.problems]
    say(f"lockorder: error: {p}" for p in problems)
    say(f"lockorder: warning: {w}" for w in (*checked.warnings, *triage.warnings))
    say((f"lockorder: note: {n}" for n in (*checked.notes, *triage.notes)), args.quiet)
    say(summary.lines(document, args.verbose), args.quiet)
    return exit_code(document, bool(problems), args.exit_zero)


def static_result(path: Path, config: Config, jobs: int = 0) -> Checked:
    """The result in the file *path*, or that of checking the sources there.

    Raises UsageError for a file that is neither.
    """
    if path.suffix == ".json" or not path.exists():
        document = result_file(path)
        if document.origin not in ("static", "compared"):
            raise UsageError(
                f"{path}: not the result of sources ({document.origin}): "
                f"lockorder check --format json --output {path} SOURCES makes one"
            )
        if not document.sites and document.edges:
            raise UsageError(f"{path}: an older result, without the places of locks: make it again")
        return Checked(document, str(project_root([Path.cwd()])), document.problems)
    options = config.options(jobs=jobs)
    return check_sources([path], options, config)


def result_file(path: Path) -> Document:
    """A result that ``--format json`` wrote; raises UsageError for anything else."""
    try:
        return decode(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except DocumentError as error:
        raise UsageError(f"{path}: {error}") from None


def recorded(paths: Sequence[Path], jobs: int = 0) -> tuple[list[tuple[str, Document]], list[str]]:
    """Recorded runs, in folders of traces or as results; and what could not be read of them.

    Raises UsageError where nothing could.
    """
    found: list[tuple[str, Document]] = []
    problems: list[str] = []
    for path in dict.fromkeys(paths):
        if path.is_dir():
            try:
                batch = analyse(traces_in(path), jobs)
            except NoTraceError as error:
                problems.append(str(error))
                continue
            problems += batch.problems
            if batch.processes:
                found.append((str(path), to_document(batch)))
            continue
        document = result_file(path)
        if document.run is None:
            raise UsageError(
                f"{path}: not the result of a recorded run: lockorder analyze makes one"
            )
        problems += document.problems
        found.append((str(path), document))
    if not found:
        raise UsageError("; ".join(problems) or "no run to compare with")
    return found, problems
