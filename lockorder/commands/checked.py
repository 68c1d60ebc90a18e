"""What sources show, by all rules: found in what an earlier run left, or analysed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import lockorder
from lockorder import per_path
from lockorder.config import Config
from lockorder.declared import Orders, describe, resolve
from lockorder.model import Cut, Document
from lockorder.model.coverage import PYTHON
from lockorder.rules import Evidence, judge
from lockorder.static.cache import folder as cache_folder
from lockorder.static.cache import kept
from lockorder.static.discovery import sources
from lockorder.static.discovery.compilation_database import find_database
from lockorder.static.driver.options import Options
from lockorder.uncollected import uncollected

if TYPE_CHECKING:
    from lockorder.python.modules import Program
    from lockorder.ranks.check import Ranked
    from lockorder.static.analyse import Analysis, Read

#: Orders that are named where the search for cycles through them was cut short.
_NAMED = 3
#: Called with what is done, how many of it are done and how many there are.
Progress = Callable[[str, int, int], None]


class Checked(msgspec.Struct, frozen=True):
    """A result before anybody chooses from it.

    ``problems`` could not be analysed, ``warnings`` and ``notes`` are worth saying.
    """

    document: Document
    root: str
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def check_sources(
    paths: Sequence[Path], options: Options, config: Config, progress: Progress | None = None
) -> Checked:
    """Analyse *paths*, or take what is known of them where nothing has changed.

    Raises cluster.WorkersError and cache_folder.CacheError as static.analyse does.
    """
    place = cache_folder.folder()
    # Whoever names a cluster wants to hear of it where nobody answers.
    use = options.cache and not options.dask
    usable = use and cache_folder.size() > 0 and cache_folder.usable(place)
    files, problems = sources.discover_all(paths, options.excluded)
    name = _name(paths, files, problems, options, config) if usable else ""
    if name:
        data = kept.load(place, name)
        with contextlib.suppress(msgspec.DecodeError, RecursionError):
            if data is not None:
                return msgspec.msgpack.decode(data, type=Checked)
    python = [f for f in files if f.suffix in PYTHON]
    with uncollected():  # what the engine has found stays until the result is written
        checked, looked = _analysed(
            paths, python, options, config, place if usable else None, progress
        )
    if name and looked is not None:
        kept.store(place, name, looked, msgspec.msgpack.encode(checked))
    return checked


def _name(
    paths: Sequence[Path],
    files: Sequence[Path],
    problems: Sequence[str],
    options: Options,
    config: Config,
) -> str:
    """The name of the result: all that is asked, and the files that there are."""
    root = options.root or sources.project_root(
        [f for f in files if f.suffix not in PYTHON] or paths
    )
    database = options.database or find_database(root)
    asked = (str(root), str(database), options.extra, config)
    return kept.key(paths, files, problems, msgspec.msgpack.encode(asked))


def _analysed(
    paths: Sequence[Path],
    python: Sequence[Path],
    options: Options,
    config: Config,
    place: Path | None,
    progress: Progress | None,
) -> tuple[Checked, kept.Looked | None]:
    """The result of sources that have changed, or seem to; *place* is where results are kept."""
    # Loading the compiler takes longer than all of a run that has nothing to do.
    from lockorder.python.facts import facts_of  # noqa: PLC0415
    from lockorder.ranks import check as ranks  # noqa: PLC0415
    from lockorder.ranks.knowledge import extended  # noqa: PLC0415
    from lockorder.static.analyse import conclude, read  # noqa: PLC0415

    found = read(paths, options, progress)
    notes = tuple(found.notes)
    known = extended(config.ranks)
    job = ranks.gather(python, found.files, known)
    looked = _looked(found, job, python)
    name = _name_of_facts(found, config, job) if place is not None else ""
    if place is not None:
        data = kept.load(place, name)
        with contextlib.suppress(msgspec.DecodeError, RecursionError):
            if data is not None:
                left = msgspec.msgpack.decode(data, type=Checked)
                return msgspec.structs.replace(left, notes=notes), looked
    ranked = ranks.analyse(job, found.root, known, progress, options.jobs)
    knowledge = config.knowledge()
    cuts: list[Cut] = []
    found.others = facts_of(job, knowledge, cuts)
    ranked.cut = (*ranked.cut, *cuts)
    checked = _judged(conclude(found, knowledge), config, ranked)
    if place is not None:
        kept.store(place, name, kept.NOTHING, msgspec.msgpack.encode(checked))
    return checked, looked


def _looked(found: Read, job: Program, python: Sequence[Path]) -> kept.Looked | None:
    """What was looked at for all of it; None where that is not known."""
    looked = found.looked if found.files else kept.NOTHING
    if looked is None:
        return None
    folders = {*looked.folders, *map(str, job.folders)}
    unread = dict.fromkeys(map(str, python), "")
    return kept.Looked({**unread, **looked.files, **job.files}, folders, looked.names)


def _name_of_facts(found: Read, config: Config, job: Program) -> str:
    """The name of the result of these facts, whatever the sources look like otherwise."""
    called = sorted((s.file, s.name, job.files[s.file]) for s in job.sources)
    asked = (str(found.root), found.units.digest, found.origins, config, called, job.problems)
    return kept.key(found.paths, found.files, found.problems, msgspec.msgpack.encode(asked))


def _judged(analysis: Analysis, config: Config, ranked: Ranked) -> Checked:
    analysis.observed = msgspec.structs.replace(analysis.observed, divergences=ranked.divergences)
    analysis.problems.extend(ranked.problems)
    told = {row.file for row in analysis.coverage.files}
    rows = (*analysis.coverage.files, *(r for r in ranked.rows if r.file not in told))
    analysis.coverage = msgspec.structs.replace(
        analysis.coverage,
        files=tuple(sorted(rows, key=lambda r: r.file)),
        cut=(*analysis.coverage.cut, *ranked.cut),
    )
    named, warnings = resolve(config.orders_seen_from(analysis.root), analysis.locks)
    orders = Orders([*named, *analysis.orders])
    analysis.problems.extend(describe(c) for c in orders.contradictions())
    warnings += per_path.unmatched(config, analysis.files, analysis.root)
    document = to_document(analysis, orders=orders)
    warnings += document.notes
    # Not the notes: they are of this run on this machine, and a result is the same on any.
    document = msgspec.structs.replace(document, notes=tuple(warnings))
    return Checked(
        document,
        str(analysis.root),
        tuple(analysis.problems),
        tuple(warnings),
        tuple(analysis.notes),
    )


def _given_up(evidence: Evidence) -> tuple[str, ...]:
    """How many orders' search for cycles ended before it could tell, and the first of them."""
    orders = [f"{source} -> {target}" for source, target in evidence.cycles.given_up]
    if not orders:
        return ()
    named = ", ".join(orders[:_NAMED]) + (", ..." if len(orders) > _NAMED else "")
    how_many = "1 order" if len(orders) == 1 else f"{len(orders)} orders"
    return (
        f"the search for cycles through {how_many} was cut short ({named}): there may be more "
        "cycles than are told; check parts of the tree by themselves to see them",
    )


def to_document(
    analysis: Analysis,
    select: frozenset[str] = frozenset(),
    ignore: frozenset[str] = frozenset(),
    orders: Orders | None = None,
) -> Document:
    """The result of a static analysis, judged by the rules."""
    evidence = Evidence(analysis.graph, analysis.observed, orders or Orders(analysis.orders))
    findings = judge(evidence, select, ignore)
    return Document.from_graph(
        analysis.graph,
        places=True,
        tool=f"lockorder {lockorder.__version__}",
        findings=findings,
        coverage=analysis.coverage,
        problems=tuple(analysis.problems),
        notes=_given_up(evidence),
        sites=analysis.sites,
        left_out=analysis.left_out,
    )
