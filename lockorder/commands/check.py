"""``lockorder check``: static analysis of sources."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from lockorder import __version__, per_path
from lockorder.cluster import WorkersError
from lockorder.commands.common import UsageError, emit, exit_code, say
from lockorder.commands.settings import chosen_rules, settings
from lockorder.declared import Orders, describe, resolve
from lockorder.knowledge import Knowledge
from lockorder.model import Document
from lockorder.report import summary
from lockorder.rules import Evidence, judge
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.cache import CacheError
from lockorder.static.compilation_database import FlagsError
from lockorder.static.planning import Options


def run(args: argparse.Namespace) -> int:
    """Analyse and report; the exit code says how it went."""
    config = settings(args.config, args.paths)
    select, ignore = chosen_rules(args, config)
    options = Options(
        args.build_dir, args.jobs, cache=not args.no_cache, dask=args.dask, excluded=config.excluded
    )
    try:
        analysis = _with_progress(args, options, config.knowledge())
    except (FlagsError, CacheError, WorkersError) as error:
        raise UsageError(str(error)) from None
    named, warnings = resolve(config.orders_seen_from(analysis.root), analysis.locks)
    orders = Orders([*named, *analysis.orders])
    analysis.problems.extend(describe(c) for c in orders.contradictions())
    document = to_document(analysis, select, ignore, orders)
    findings = per_path.apply(document.findings, config, analysis.root)
    document = msgspec.structs.replace(document, findings=findings)
    warnings += per_path.unmatched(config, analysis.files, analysis.root)
    emit(document, args.format, args.output, analysis.root)
    say(f"lockorder: error: {p}" for p in analysis.problems)
    say(f"lockorder: warning: {w}" for w in warnings)
    say((f"lockorder: note: {n}" for n in analysis.notes), args.quiet)
    say(summary.lines(document, args.verbose), args.quiet)
    incomplete = bool(analysis.problems) or (
        args.require_complete and bool(analysis.coverage.headers_missing)
    )
    if args.require_complete and analysis.coverage.headers_missing:
        say(["lockorder: error: headers are missing and --require-complete was given"])
    return exit_code(document, incomplete, args.exit_zero)


def to_document(
    analysis: Analysis,
    select: frozenset[str] = frozenset(),
    ignore: frozenset[str] = frozenset(),
    orders: Orders | None = None,
) -> Document:
    """The result of a static analysis, judged by the rules."""
    evidence = Evidence(analysis.graph, analysis.observed, orders or Orders(analysis.orders))
    findings = judge(evidence, select, ignore)
    problems = list(analysis.problems)
    for source, target in evidence.cycles.given_up:
        problems.append(f"the search for cycles through {source} -> {target} was cut short")
    return Document.from_graph(
        analysis.graph,
        tool=f"lockorder {__version__}",
        findings=findings,
        coverage=analysis.coverage,
        problems=tuple(problems),
    )


def _with_progress(args: argparse.Namespace, options: Options, knowledge: Knowledge) -> Analysis:
    paths = [Path(p) for p in args.paths]
    if args.quiet or not sys.stderr.isatty():
        return analyse(paths, options, knowledge)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        return analyse(paths, options, knowledge, progress=show)
