"""The static front end as one call: paths in, a program's lock-order graph and coverage out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from pathlib import Path

import msgspec
import platformdirs

from lockorder.knowledge import Knowledge, builtin
from lockorder.model import Coverage, FileCoverage, LockGraph
from lockorder.rules.evidence import SelfAcquisition
from lockorder.static import facts, flags, headers, sources
from lockorder.static.engine import Engine
from lockorder.static.engine import run as run_engine
from lockorder.static.graph import build_graph, self_acquisitions
from lockorder.static.link import Program
from lockorder.static.unit import Job, read_unit

#: Flags for every file: no limit on errors, no warnings, old code is not an error.
_ALWAYS = (
    "-ferror-limit=0", "-w", "-fno-caret-diagnostics", "-Wno-register",
    "-Wno-error", "-fno-color-diagnostics",
)  # fmt: skip

Progress = Callable[[str, int, int], None]


class Options(msgspec.Struct, frozen=True):
    """What a user can choose: the database, the number of workers, extra compiler flags."""

    database: Path | None = None
    jobs: int = 0
    extra: tuple[str, ...] = ()


class Analysis(msgspec.Struct):
    """The result: the graph, the engine that made it (for the rules), coverage and problems."""

    graph: LockGraph
    engine: Engine
    self_acquisitions: list[SelfAcquisition]
    coverage: Coverage
    root: Path
    problems: list[str]


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
    files, problems = sources.discover(paths)
    root = sources.project_root(paths if not files else files)
    jobs: list[Job] = []
    if files:
        jobs, more = plan(root, [str(p) for p in files], options)
        problems += more
    units = _read_all(jobs, options, progress, executor)
    problems += [u.problem for u in units if u.problem]
    program = Program(units)
    engine = run_engine(program, knowledge or builtin())
    graph = build_graph(engine, str(root))
    selves = self_acquisitions(engine, graph, str(root))
    coverage = _coverage(units, engine, str(root), {str(f) for f in files}, problems)
    shortened = [_shorten(p, root) for p in problems]
    return Analysis(graph, engine, selves, coverage, root, shortened)


def plan(root: Path, files: list[str], options: Options) -> tuple[list[Job], list[str]]:
    """One job for each unit, in a fixed order, and what cannot be read."""
    commands: dict[str, list[str]] = {}
    database = options.database or flags.find_database(root)
    if database is not None:
        try:
            commands = flags.load_database(database)
        except flags.FlagsError:
            if options.database is not None:
                raise
    project = flags.Project(root, files)
    problems = [project.problems[p] for p in sorted(project.problems)]
    mains = project.mains()
    owned = project.owners(mains)
    found = headers.locate()
    cache = platformdirs.user_cache_path("lockorder") / "pch"
    launches = tuple(p for p, s in sorted(project.scans.items()) if s.launches)
    macros = tuple(sorted(project.macros))
    precompiled: dict[tuple[str, str], str] = {}
    jobs = []
    for main in mains:
        given = commands.get(main)
        chosen = flags.from_database(main, given) if given is not None else project.flags(main)
        key = (chosen.language, chosen.standard)
        if key not in precompiled:
            made = headers.precompile(project.system_headers, *key, found, cache)
            precompiled[key] = str(made or "")
        line = ("-x", chosen.language, f"-std={chosen.standard}", *chosen.rest, *_ALWAYS,
                *found.flags(), *options.extra)  # fmt: skip
        reached = {main, *project.reach(main)}
        jobs.append(
            Job(
                main,
                tuple(sorted(owned[main])),
                line,
                flags.is_header(main),
                chosen.cxx,
                precompiled[key] if _plain(chosen) else "",
                macros,
                tuple(p for p in launches if p in reached),
            )
        )
    return jobs, problems


def _plain(chosen: flags.Flags) -> bool:
    """Whether the shared precompiled header fits: no flag that changes the standard library."""
    return not any(
        r.startswith(("-stdlib=", "-D_GLIBCXX", "-D_LIBCPP", "-isysroot", "--sysroot", "-m32"))
        for r in chosen.rest
    )


def _read_all(
    jobs: Sequence[Job], options: Options, progress: Progress | None, executor: Executor | None
) -> list[facts.Facts]:
    """Facts of all units, in the order of *jobs* whatever the order of completion."""
    workers = min(options.jobs or os.cpu_count() or 1, len(jobs))
    if executor is None and workers <= 1:
        found = []
        for i, job in enumerate(jobs):
            found.append(read_unit(job))
            if progress is not None:
                progress("reading", i + 1, len(jobs))
        return found
    results: dict[int, facts.Facts] = {}
    context = nullcontext(executor) if executor else ProcessPoolExecutor(workers)
    with context as pool:
        assert pool is not None
        # Large files first, so that none of them is left for the end.
        order = sorted(range(len(jobs)), key=lambda i: -_size(jobs[i].main))
        futures = {pool.submit(_encoded, jobs[i]): i for i in order}
        decoder = msgspec.msgpack.Decoder(facts.Facts)
        for done, future in enumerate(as_completed(futures), start=1):
            results[futures[future]] = decoder.decode(future.result())
            if progress is not None:
                progress("reading", done, len(jobs))
    return [results[i] for i in range(len(jobs))]


def _encoded(job: Job) -> bytes:
    return msgspec.msgpack.encode(read_unit(job))


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
