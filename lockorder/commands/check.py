"""``lockorder check``: static analysis of sources."""

from __future__ import annotations

import argparse
from pathlib import Path

from lockorder.changes import Change, ChangeError
from lockorder.cluster import WorkersError
from lockorder.commands import list_files
from lockorder.commands.before import findings_before
from lockorder.commands.checked import check_sources
from lockorder.commands.common import UsageError, emit_all, exit_code, say
from lockorder.commands.progress import progress_bars
from lockorder.commands.settings import chosen_rules, settings
from lockorder.commands.triage import Triage
from lockorder.model import Coverage, Finding
from lockorder.model.coverage import LOSSLESS
from lockorder.report import summary
from lockorder.static.cache.folder import CacheError


def run(args: argparse.Namespace) -> int:
    """Analyse and report; the exit code says how it went."""
    config = settings(args.config, args.paths)
    if args.list_files:
        return list_files.show(args, config.excluded)
    if args.changed_since is not None and not args.changed_since.strip():
        raise UsageError("--changed-since: no revision is named; is a variable empty?")
    triage = Triage(args, config, chosen_rules(args, config))
    paths = [Path(p) for p in args.paths]
    options = config.options(args.build_dir, args.jobs, not args.no_cache, args.dask)
    try:
        with progress_bars(args.quiet) as progress:
            checked = check_sources(paths, options, config, progress)
            root = Path(checked.root)

            def before(change: Change) -> tuple[Finding, ...]:
                return findings_before(change, paths, root, options, config, progress)

            found, problems = checked.document, list(checked.problems)
            if args.with_run:
                # Loading what reads traces takes longer than all of a run with nothing to do.
                from lockorder.commands.compare import recorded  # noqa: PLC0415
                from lockorder.compare import compare  # noqa: PLC0415

                runs, unread = recorded(args.with_run, args.jobs)
                found = compare(found, runs)
                problems += unread
            document = triage.apply(found, root, before)
    except (CacheError, WorkersError, ChangeError) as error:
        raise UsageError(str(error)) from None
    emit_all(document, args, root)
    problems += triage.problems
    say(f"lockorder: error: {p}" for p in problems)
    say(f"lockorder: warning: {w}" for w in (*checked.warnings, *triage.warnings))
    say((f"lockorder: note: {n}" for n in (*checked.notes, *triage.notes)), args.quiet)
    say(summary.lines(document, args.verbose), args.quiet)
    lacking = _lacking(document.coverage) if args.require_complete else ""
    if lacking:
        say([f"lockorder: error: {lacking} and --require-complete was given"])
    incomplete = bool(problems or lacking)
    return exit_code(document, incomplete, args.exit_zero)


def _lacking(coverage: Coverage | None) -> str:
    """What of the sources was not read as it stands; empty where all was."""
    if coverage is not None and coverage.headers_missing:
        return "headers are missing"
    if coverage is not None and coverage.foreign:
        return "nothing could be read of some headers"
    if coverage is not None and any(f.reading not in LOSSLESS for f in coverage.files):
        return "libclang could not read all files"
    return ""
