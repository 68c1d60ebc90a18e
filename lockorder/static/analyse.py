"""The static front end as one call: paths in, a program's lock-order graph and coverage out."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from pathlib import Path

import msgspec

from lockorder.declared import Declaration
from lockorder.knowledge import Knowledge, builtin
from lockorder.model import Coverage, FileCoverage, Lock, LockGraph
from lockorder.rules.evidence import Observed
from lockorder.static import facts, sources
from lockorder.static.engine import Engine
from lockorder.static.engine import run as run_engine
from lockorder.static.graph import build_graph
from lockorder.static.link import Program
from lockorder.static.observed import observe
from lockorder.static.orders import declared_orders, known_locks
from lockorder.static.planning import Options, make_plan
from lockorder.static.unit import Job, read_unit, too_deep

#: Depth of Python calls that a worker may use for one nested expression.
RECURSION = 10_000

Progress = Callable[[str, int, int], None]


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


def analyse(
    paths: Sequence[Path],
    options: Options | None = None,
    knowledge: Knowledge | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Analysis:
    """Analyse all sources under *paths* as one program.

    Every problem (a missing path, a file from which nothing could be read) becomes a text in
    ``problems``; the rest is analysed all the same.  Raises flags.FlagsError where a compilation
    database that was asked for cannot be used.
    """
    options = options or Options()
    _allow_depth()
    files, problems = sources.discover(paths)
    root = options.root or sources.project_root(files if files else paths)
    jobs: list[Job] = []
    notes: list[str] = []
    if files:
        plan = make_plan(root, [str(p) for p in files], options)
        jobs = plan.jobs
        problems += plan.problems
        notes = plan.notes
    units = _read_all(jobs, options, progress, executor)
    problems += [u.problem for u in units if u.problem]
    program = Program(units)
    engine = run_engine(program, knowledge or builtin())
    problems += engine.problems
    graph = build_graph(engine, str(root))
    observed = observe(engine, graph, str(root))
    coverage = _coverage(units, engine, str(root), {str(f) for f in files}, problems)
    shortened = [_shorten(p, root) for p in problems]
    orders = declared_orders(engine, engine.contracts, str(root))
    locks = known_locks(engine, str(root))
    return Analysis(graph, engine, observed, coverage, root, shortened, notes, orders, locks)


def _read_all(
    jobs: Sequence[Job], options: Options, progress: Progress | None, executor: Executor | None
) -> list[facts.Facts]:
    """Facts of all units, in the order of *jobs* whatever the order of completion."""
    if options.inline:
        found = []
        for i, job in enumerate(jobs):
            found.append(read_unit(job))
            if progress is not None:
                progress("reading", i + 1, len(jobs))
        return found
    results: dict[int, facts.Facts] = {}
    workers = max(1, min(options.jobs or os.cpu_count() or 1, len(jobs)))
    # Large files first, so that none of them is left for the end.
    order = sorted(range(len(jobs)), key=lambda i: -_size(jobs[i].main))
    context = nullcontext(executor) if executor else ProcessPoolExecutor(workers)
    with contextlib.suppress(BrokenProcessPool), context as pool:
        assert pool is not None
        futures = {pool.submit(_encoded, jobs[i]): i for i in order}
        decoder = msgspec.msgpack.Decoder(facts.Facts)
        for future in as_completed(futures):
            number = futures[future]
            try:
                results[number] = decoder.decode(future.result())
            except RecursionError:
                results[number] = too_deep(jobs[number].main)
            if progress is not None:
                progress("reading", len(results), len(jobs))
    for i, job in enumerate(jobs):
        if i not in results:
            results[i] = _read_alone(job)
    return [results[i] for i in range(len(jobs))]


def _read_alone(job: Job) -> facts.Facts:
    """Read a unit in a process of its own: a source that kills clang takes nothing else along."""
    try:
        with ProcessPoolExecutor(1) as pool:
            return msgspec.msgpack.decode(pool.submit(_encoded, job).result(), type=facts.Facts)
    except BrokenProcessPool:
        problem = f"{job.main}: clang crashed on this file"
        return facts.Facts(job.main, [], [], [], [], [], problem)


def _encoded(job: Job) -> bytes:
    _allow_depth()
    try:
        return msgspec.msgpack.encode(read_unit(job))
    except RecursionError:
        return msgspec.msgpack.encode(too_deep(job.main))
    finally:
        _give_back()


def _give_back() -> None:
    """Return freed memory to the system: one large syntax tree must not count for ever."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # glibc's, malloc_trim(3)


def _allow_depth() -> None:
    """Generated code nests deeper than people do (an else-if chain of hundreds)."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _coverage(
    units: Sequence[facts.Facts],
    engine: Engine,
    root: str,
    asked: set[str],
    problems: Sequence[str],
) -> Coverage:
    rows = sorted(
        (
            FileCoverage(
                relative(x.file, root), x.calls, x.calls_seen, x.filled, x.locks, x.locks_seen,
                x.inactive, tuple(x.headers_missing), x.errors,
            )
            for u in units
            for x in u.files
            if x.file in asked
        ),
        key=lambda r: r.file,
    )  # fmt: skip
    return Coverage(
        tuple(rows),
        len(engine.program.functions),
        engine.calls_made,
        engine.resolved,
        tuple(sorted(_shorten(p, Path(root)) for p in problems)),
    )


def relative(path: str, root: str) -> str:
    """*path* as a user of the project writes it."""
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else path


def _shorten(problem: str, root: Path) -> str:
    return problem.replace(f"{root}{os.sep}", "")
