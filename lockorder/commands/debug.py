"""``lockorder debug``: what was read of sources, and how the analysis came to its answer."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console

import lockorder
from lockorder.commands.common import CLEAN, FAILED, UsageError, say, write
from lockorder.commands.progress import progress_bars
from lockorder.commands.settings import settings
from lockorder.commands.triage import Triage
from lockorder.config import Config
from lockorder.declared import Orders, resolve
from lockorder.folding import unfold
from lockorder.model import Document
from lockorder.report import debug as report
from lockorder.report.excerpts import Excerpts
from lockorder.rules import Evidence, judge
from lockorder.rules.evidence import Dropped
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.cache.folder import CacheError
from lockorder.static.inspection.body import facts_of
from lockorder.static.inspection.names import Names
from lockorder.static.inspection.orders import orders_at, orders_with, within
from lockorder.static.inspection.places import Asked, place_of
from lockorder.static.inspection.summaries import summary_of
from lockorder.static.inspection.target import Target, TargetError, find, nothing_there
from lockorder.static.inspection.view import Looked, OrderView
from lockorder.static.inspection.watch import WatchedEngine
from lockorder.static.program.link import Program
from lockorder.static.results.observed import observe

#: Width of the text where it does not go to a terminal.
_WIDTH = 120


def run(args: argparse.Namespace) -> int:
    """Answer; the exit code says whether that was possible."""
    paths = [Path(p) for p in args.paths]
    missing = [p for p in paths if not p.exists()]
    if missing:
        raise UsageError(f"{missing[0]}: no such file or folder")
    config = settings(args.config, args.paths)
    question = _Question(args, config, paths)
    try:
        with progress_bars(args.quiet) as progress:
            analysis = analyse(
                paths,
                config.options(args.build_dir, args.jobs, not args.no_cache),
                config.knowledge(),
                progress,
                make_engine=lambda program, known: WatchedEngine(program, known, question.choose),
            )
    except TargetError as error:
        raise UsageError(str(error)) from None
    except CacheError as error:
        raise UsageError(str(error)) from None
    looked = question.answer(analysis)
    _emit(looked, args, Excerpts(analysis.root))
    say(f"lockorder: error: {p}" for p in analysis.problems)
    say((f"lockorder: note: {n}" for n in analysis.notes), args.quiet)
    return FAILED if analysis.problems else CLEAN


class _Question:
    def __init__(self, args: argparse.Namespace, config: Config, paths: Sequence[Path]) -> None:
        self._args = args
        self._what: str = args.what
        self._config = config
        self._paths = paths
        self._target = Target(args.where, ())
        self._unknown: TargetError | None = None
        #: What machines read names files from the project's root, whoever stands where.
        self._base = "" if args.format == "json" else os.getcwd()

    def choose(self, program: Program) -> Sequence[str]:
        """The functions that are asked about; raises TargetError where there are none."""
        try:
            self._target = find(self._args.where, program, self._paths)
        except TargetError as error:
            if self._what != "orders":
                raise
            self._unknown = error  # it may be a lock's name
            return ()
        if not self._target.functions:
            raise nothing_there(program, self._target)
        return self._target.functions

    def answer(self, analysis: Analysis) -> Looked:
        """What was asked for, in the form of all answers."""
        engine, root = analysis.engine, str(analysis.root)
        assert isinstance(engine, WatchedEngine)
        names = Names(engine.program, root, self._base)
        looked = Looked(
            "lockorder-debug", 1, f"lockorder {lockorder.__version__}", self._what, self._args.where
        )
        usrs = self._target.functions
        if self._what == "facts":
            readings = {f.file: f.reading for f in analysis.coverage.files}
            found = tuple(facts_of(engine.program, usr, names, readings) for usr in usrs)
            return msgspec.structs.replace(looked, line=self._target.line, facts=found)
        if self._what == "summary":
            groups = engine.watched.groups
            summaries = tuple(summary_of(engine, u, names, groups.get(u, ())) for u in usrs)
            return msgspec.structs.replace(looked, summaries=summaries)
        asked = self._judged(analysis, engine)
        if self._what == "orders":
            return msgspec.structs.replace(looked, orders=tuple(self._orders(asked, names)))
        places = tuple(place_of(asked, usr, self._target.line) for usr in usrs)
        return msgspec.structs.replace(looked, line=self._target.line, places=places)

    def _judged(self, analysis: Analysis, engine: WatchedEngine) -> Asked:
        """The findings as ``check`` has them, and what was left out on the way."""
        dropped: list[Dropped] = []
        named, _ = resolve(self._config.orders_seen_from(analysis.root), analysis.locks)
        observed = observe(engine, analysis.graph, str(analysis.root), dropped)
        orders = Orders([*named, *analysis.orders])
        evidence = Evidence(analysis.graph, observed, orders, dropped=dropped)
        # Rules that are not asked for, comments and the baseline count as they do in `check`.
        told = argparse.Namespace(baseline=None, write_baseline=None, verbose=False)
        rules = frozenset(self._config.select), frozenset(self._config.ignore)
        triage = Triage(told, self._config, rules)
        document = triage.apply(
            Document(findings=judge(evidence), coverage=analysis.coverage), analysis.root
        )
        return Asked(
            engine, evidence, analysis.coverage, str(analysis.root), document.findings,
            document.accepted, self._base,
        )  # fmt: skip

    def _orders(self, asked: Asked, names: Names) -> list[OrderView]:
        if self._unknown is not None:
            wanted = self._args.where
            graph = asked.evidence.graph
            locks = {k.id for k in graph.locks.values() if wanted in (k.id, k.name)} or {
                k.id for k in graph.locks.values() if k.name.endswith(f"::{wanted}")
            }
            if not locks:
                raise UsageError(f"{self._unknown}; nor is a lock in any order")
            return orders_with(asked.evidence, list(unfold(asked.findings)), frozenset(locks))
        found: dict[OrderView, None] = {}
        for usr in self._target.functions:
            function = asked.engine.program.functions[usr]
            first, last = function.line, max(function.end, function.line)
            if self._target.line:
                first = last = self._target.line
            here = within(names.relative(function.file), first, last)
            found.update(
                dict.fromkeys(orders_at(asked.evidence, list(unfold(asked.findings)), here))
            )
        return list(found)


def _emit(looked: Looked, args: argparse.Namespace, excerpts: Excerpts) -> None:
    if args.format == "json":
        data = msgspec.json.format(msgspec.json.encode(looked), indent=2) + b"\n"
    elif args.output is None:
        width = None if sys.stdout.isatty() else _WIDTH
        report.write(looked, excerpts, Console(highlight=False, width=width))
        return
    else:
        lines = io.StringIO()
        report.write(looked, excerpts, Console(file=lines, width=_WIDTH, highlight=False))
        data = lines.getvalue().encode()
    if args.output is None:
        sys.stdout.buffer.write(data)
    else:
        write(args.output, data)
