"""The static front end as one call: paths in, a program's lock-order graph and coverage out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from pathlib import Path

import msgspec

from lockorder import cluster
from lockorder.bounds import Bound
from lockorder.declared import Declaration
from lockorder.knowledge import Knowledge, builtin
from lockorder.model import (
    Coverage,
    Cut,
    FileCoverage,
    HeaderOrigin,
    LeftOut,
    Lock,
    LockGraph,
    LockSites,
)
from lockorder.rules.evidence import Observed
from lockorder.static.cache.kept import Looked
from lockorder.static.discovery import sources
from lockorder.static.driver import unit_cache as cache
from lockorder.static.driver.foreign import foreign_headers
from lockorder.static.driver.options import Options
from lockorder.static.driver.planning import make_plan
from lockorder.static.driver.workers import Progress, Units, allow_depth, read_all
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.engine import run as run_engine
from lockorder.static.parse.declarations import Facts
from lockorder.static.program import aggregates, building, suspended, texts
from lockorder.static.program.binding.bind import bind
from lockorder.static.program.binding.dropped import bind_dropped
from lockorder.static.program.deduced import deduce
from lockorder.static.program.instances import instantiate
from lockorder.static.program.link import Program
from lockorder.static.results.acquisitions import Acquisitions
from lockorder.static.results.graph import Builder, build_graph
from lockorder.static.results.observed import observe
from lockorder.static.results.orders import declared_orders, known_locks
from lockorder.static.results.sites import left_out, lock_sites

#: Functions that are named of those in which a bound was reached.
MAX_PLACES = 5


class Analysis(msgspec.Struct):
    """The result: the graph, the engine that made it (for the rules), coverage and problems."""

    graph: LockGraph
    engine: Engine
    observed: Observed
    coverage: Coverage
    root: Path
    problems: list[str]
    notes: list[str] = []
    #: orders that attributes in the sources declare, and every lock that can be named
    orders: list[Declaration] = []
    locks: list[Lock] = []
    #: what a recorded run is compared with
    sites: tuple[LockSites, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def files(self) -> list[str]:
        """Files that were analysed, sorted: those asked for, and headers with code in them."""
        own = {function.file for function in self.engine.program.functions.values()}
        return sorted(own | {file.file for file in self.coverage.files})


class Read(msgspec.Struct):
    """What reading gave: a result is made from this, from what is known, and from nothing else."""

    paths: Sequence[Path]
    #: those under the paths, and the folder that results are told from
    files: list[Path]
    root: Path
    units: Units
    #: that could not be read, or not as asked
    problems: list[str]
    origins: tuple[HeaderOrigin, ...] = ()
    #: of this run on this machine, and no part of a result
    notes: list[str] = []
    looked: Looked | None = None
    #: units of another language's sources, which are a part of the program all the same
    others: list[Facts] = []


def analyse(
    paths: Sequence[Path],
    options: Options | None = None,
    knowledge: Knowledge | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    make_engine: Callable[[Program, Knowledge], Engine] = Engine,
) -> Analysis:
    """Analyse all sources under *paths* as one program, with what *make_engine* makes.

    Every problem (a missing path, a file from which nothing could be read) becomes a text in
    ``problems``, and so does a compilation database that was asked for and cannot be used; the
    rest is analysed all the same.  Raises cluster.WorkersError where a cluster cannot be used, and
    cache_folder.CacheError where the environment asks for a cache that cannot be.
    """
    return conclude(read(paths, options, progress, executor), knowledge, make_engine)


def read(
    paths: Sequence[Path],
    options: Options | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Read:
    """Facts of all sources under *paths*; problems and errors are those of ``analyse``."""
    options = options or Options()
    allow_depth()
    files, problems = sources.discover(paths, options.excluded)
    root = options.root or sources.project_root(files if files else paths)
    found = Read(paths, files, root, Units([], ""), problems)
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(cache.opened(options.cache))
        remote = stack.enter_context(cluster.connected(options.dask)) if options.dask else None
        if files:
            plan = make_plan(root, [str(p) for p in files], options, kept)
            found.problems += plan.problems
            found.origins = plan.origins
            found.units = read_all(plan, options, kept, progress, executor, remote)
            found.notes = [_shorten(n, root) for n in plan.notes]
            found.looked = kept.looked(plan.read, plan.looked_in, plan.looked_for)
    return found


def conclude(
    found: Read,
    knowledge: Knowledge | None = None,
    make_engine: Callable[[Program, Knowledge], Engine] = Engine,
) -> Analysis:
    """What *found* says as one program, with what *make_engine* makes."""
    units, root, problems = [*found.units.facts, *found.others], found.root, [*found.problems]
    foreign = foreign_headers(units, found.paths)
    problems += [u.problem for u in units if u.problem and u.main not in foreign]
    known = knowledge or builtin()
    program = Program(units, known)
    problems += bind(program, units, known)
    bind_dropped(program)
    deduce(program)
    texts.decide(program)
    suspended.begin(program, known)
    aggregates.spread(program)
    instantiate(program)
    program.building = building.find(program, known)
    program.is_asked = sources.asked(found.paths, found.files)
    engine = run_engine(program, known, make_engine)
    problems += engine.problems
    graph = build_graph(engine, str(root))
    builder = Builder(engine, str(root))
    builder.graph = graph
    sites, apart = lock_sites(engine, builder), left_out(engine, builder)
    observed = observe(engine, graph, str(root))
    coverage = _coverage(
        units,
        engine,
        str(root),
        {*map(str, found.files), *(u.main for u in found.others)},
        problems,
        found.origins,
        foreign,
    )
    shortened = list(dict.fromkeys(_shorten(p, root) for p in problems))
    orders = declared_orders(engine, engine.contracts, str(root))
    locks = known_locks(engine, str(root))
    return Analysis(
        graph, engine, observed, coverage, root, shortened, found.notes, orders, locks, sites,
        apart,
    )  # fmt: skip


def _coverage(
    units: Sequence[Facts],
    engine: Engine,
    root: str,
    asked: set[str],
    problems: Sequence[str],
    origins: tuple[HeaderOrigin, ...],
    foreign: Collection[str],
) -> Coverage:
    counted = Acquisitions(engine)
    rows = sorted(
        (
            FileCoverage(
                relative(x.file, root), x.calls, x.calls_seen, x.filled, *counted.of(x),
                x.inactive, tuple(x.headers_missing), x.errors, x.reading,
            )
            for u in units
            for x in u.files
            if x.file in asked or x.reading
        ),
        key=lambda r: r.file,
    )  # fmt: skip
    return Coverage(
        tuple(rows),
        len(engine.program.functions),
        engine.calls_made,
        engine.resolved,
        tuple(sorted({_shorten(p, Path(root)) for p in problems})),
        tuple(msgspec.structs.replace(o, source=relative(o.source, root)) for o in origins),
        tuple(_cut(engine, bound, functions, root) for bound, functions in engine.cuts.rows()),
        tuple(sorted(relative(file, root) for file in foreign)),
    )


def _cut(engine: Engine, bound: Bound, functions: frozenset[str], root: str) -> Cut:
    named = sorted(
        f"{relative(known.file, root)}:{known.line} {known.name}"
        for usr in functions
        if (known := engine.program.functions.get(usr)) is not None
    )
    places = tuple(named[:MAX_PLACES])
    return Cut(bound.what, bound.limit, len(functions), places, bound.only_hides)


def relative(path: str, root: str) -> str:
    """*path* as a user of the project writes it."""
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else path


def _shorten(problem: str, root: Path) -> str:
    return problem.replace(f"{root}{os.sep}", "")
