"""All traces of a run: read in parallel, merged in the order of their names.

Reading one file is a pure function of the file, so that processes can do it.  A process takes
many files and returns them merged, since ranks have nearly all in common: what goes back is of the
size of one rank, and symbols are looked up once.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

import msgspec

from lockorder import __version__, cluster
from lockorder.cycles import CycleReport
from lockorder.footprint import Budget, Footprints
from lockorder.knowledge.schema import Library
from lockorder.model import (
    Absent,
    Document,
    Launches,
    LockGraph,
    LockStatistics,
    ProcessState,
    ProcessSummary,
    Run,
    Started,
    unrecorded,
)
from lockorder.recorded import (
    blocked,
    build,
    communication,
    footprint,
    groups,
    inner_affairs,
    misuse,
    standing,
    timeline,
)
from lockorder.recorded.merge import Batch, Observation, Who, renamed, seen_text
from lockorder.recorded.names import final
from lockorder.recorded.parts import has_room, kept, together
from lockorder.recorded.process import Process
from lockorder.recorded.symbolize import Names, Symbolizer
from lockorder.recorded.whose import Owners
from lockorder.rules import Evidence, judge
from lockorder.rules.evidence import (
    BlockedCall,
    DeviceSync,
    GroupMisuse,
    LockMisuse,
    Observed,
    OpenGroup,
    SelfAcquisition,
    StrayGroupEnd,
)
from runtime_probe import standstill
from runtime_probe.errors import TraceError
from runtime_probe.launch import OTHERS
from runtime_probe.layout import HeaderFlag
from runtime_probe.records import Trace
from runtime_probe.symbols import Symbols
from runtime_probe.trace import FILE_PATTERN, read_trace

#: Counters that say what was not recorded.
LOSSES = (
    "threads_dropped", "locks_dropped", "edges_dropped", "stacks_dropped", "records_dropped",
    "held_overflow", "nccl_dropped", "nccl_operations_dropped", "nccl_unsequenced",
    "places_dropped", "left_out", "inner_passed",
)  # fmt: skip
#: Files that a process takes at most at once; fewer where there are more processes than that.
MAX_FILES = 256
#: Below this number of files a pool of processes costs more than it brings.
FEW_FILES = 4
#: Files that a cluster's worker takes at most at once, and seconds between looks at whether there
#: is still somebody who works.
CLUSTER_FILES, _PULSE = 64, 1.0


class NoTraceError(Exception):
    """A folder that cannot be read, or has no trace in it."""


def traces_in(folder: Path) -> list[Path]:
    """The trace files in *folder*, by rank and name, those of other users' processes included.

    Raises NoTraceError.
    """
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except OSError as error:
        raise NoTraceError(f"{folder}: {error.strerror or error}") from None
    with contextlib.suppress(OSError):
        names += [f"{OTHERS}/{entry.name}" for entry in os.scandir(folder / OTHERS)]
    found = sorted((n for n in names if Path(n).match(FILE_PATTERN)), key=_by_rank)
    if not found:
        raise NoTraceError(f"{folder}: no trace in it ({FILE_PATTERN})")
    return [folder / name for name in found]


def _by_rank(name: str) -> tuple[int, str]:
    head = os.path.basename(name).split("-")[1]
    rank = head.removeprefix("rank")
    return (int(rank) if head != rank and rank.isdecimal() else 1 << 62, name)


def analyse(
    paths: Sequence[Path],
    jobs: int = 0,
    symbols: Names | None = None,
    dask: str = "",
    libraries: Sequence[Library] = (),
) -> Batch:
    """Read *paths* and merge them, in *jobs* processes or on the cluster of the scheduler *dask*.

    With *symbols* they are read in this process.  *libraries* are those that a configuration
    declares.  Raises cluster.WorkersError where no scheduler
    answers.
    """
    if dask:
        with cluster.connected(dask) as remote:
            parts = _parts([p.absolute() for p in paths], CLUSTER_FILES)
            return _spread(parts, libraries, remote.executor, remote.alive)
    count = min(jobs or os.cpu_count() or 1, len(paths))
    if symbols is not None or count <= 1 or len(paths) < FEW_FILES:
        return read_files(paths, symbols, libraries)
    with ProcessPoolExecutor(count) as pool:
        parts = _parts(paths, min(MAX_FILES, -(-len(paths) // count)))
        return _spread(parts, libraries, pool)


def _parts(paths: Sequence[Path], size: int) -> list[Sequence[Path]]:
    return [paths[i : i + size] for i in range(0, len(paths), size)]


def _spread(
    parts: Sequence[Sequence[Path]],
    libraries: Sequence[Library],
    pool: Executor,
    alive: Callable[[], bool] | None = None,
) -> Batch:
    """Have *pool* read *parts*; what gets lost is read here.

    With *alive* the pool is somebody else's, who may see other files, or none.
    """
    merged = Batch()
    tasks = [pool.submit(read_as, __version__, part, libraries) for part in parts]
    for part, task in zip(parts, tasks, strict=True):
        while alive is not None and not wait([task], _PULSE).done:
            if not alive():
                task.cancel()
                break
        try:
            got = task.result(timeout=0 if alive is not None else None)
            if alive is not None and got.problems:
                got = read_files(part, None, libraries)
        except (Exception, CancelledError):
            # Its process was killed, its worker went away: an error of ours shows itself here.
            got = read_files(part, None, libraries)
        merged.take(got)
    return merged


def read_as(version: str, paths: Sequence[Path], libraries: Sequence[Library] = ()) -> Batch:
    """``read_files`` for a caller of another machine, which must have the same *version*."""
    if version != __version__:
        raise ValueError(f"lockorder {__version__} is not {version}")
    return read_files(paths, None, libraries)


def read_files(
    paths: Sequence[Path], symbols: Names | None = None, libraries: Sequence[Library] = ()
) -> Batch:
    """What *paths* show; files that cannot be believed are problems."""
    names = symbols or Symbols()
    batch, symbolizer, owners = Batch(), Symbolizer(names), Owners(libraries)
    for path in paths:
        try:
            trace = read_trace(path)
        except TraceError as error:
            batch.problems.append(str(error))
            continue
        if trace.damage:
            batch.problems.append(f"{path}: {trace.damage}; what could be read of it counts")
        _add(batch, Process(trace, symbolizer, owners))
    batch.notes += names.problems
    return batch


def _add(batch: Batch, process: Process) -> None:
    trace = process.trace
    header = trace.header
    who: Who = (header.rank, header.host, header.pid)
    for name, lock in process.declared.items():
        batch.locks.setdefault(name, lock)
    for key, edge in build.orders(process):
        if key not in batch.edges:
            batch.edges[key] = build.witness(process, edge)
    batch.writers.update(process.classes[w] for w in build.writers(trace) if w in process.classes)
    cycles, given_up = build.cycles(process)
    if given_up:
        batch.notes.append(
            f"{trace.path}: the search for cycles through {given_up} orders was cut short"
        )
    concerned = {lock for cycle in cycles for edge in cycle.edges for lock in edge}
    for cycle in cycles:
        batch.add_cycle(cycle, who)
    batch.ordering |= blocked.ordering_locks(process)
    for call, orderly in blocked.blocked_calls(process):
        batch.add_observation(call, who, orderly)
        if not orderly:
            concerned.add(call.held.lock)
    observations: Iterator[Observation] = itertools.chain(
        blocked.device_syncs(process),
        misuse.misuses(process),
        misuse.self_deadlocks(process),
        groups.misuses(process),
        groups.open_groups(process),
        groups.stray_ends(process),
    )
    for observation in observations:
        batch.add_observation(observation, who)
        if isinstance(observation, SelfAcquisition):
            concerned.add(observation.held.lock)
        elif isinstance(observation, LockMisuse):
            concerned.add(observation.lock)
    for number, stat in trace.stats.items():
        if number in process.classes:
            batch.add_statistics(
                LockStatistics(
                    process.classes[number], stat.acquisitions, stat.contended, stat.wait_ns,
                    stat.longest_wait_ns, stat.longest_hold_ns, stat.deepest,
                )
            )  # fmt: skip
    lost = {name: trace.counters[name] for name in LOSSES if trace.counters.get(name)}
    unknown = build.unknown(trace)
    if unknown:
        lost["orders_unknown"] = unknown
    batch.waits += standing.waits(process)
    stuck = trace.path.name in standstill.standing(trace.path.parent)
    log = communication.rank_log(process, stuck)
    if log is not None:
        batch.communication.add(log)
    cost = footprint.cost_of(process)
    if cost is not None:
        batch.footprints.append(cost)
    about = frozenset(concerned)
    if has_room(batch.timelines, timeline.has_trouble(process, about)):
        batch.timelines = kept([*batch.timelines, timeline.part(process, about)])
    batch.processes.append(_summary(trace, lost))


def _summary(trace: Trace, lost: dict[str, int]) -> ProcessSummary:
    header = trace.header
    return ProcessSummary(
        file=trace.path.name, host=header.host, pid=header.pid, rank=header.rank,
        command=header.command, state=header.state.name.lower(), torn=trace.torn,
        threads=len(trace.threads), locks=len(trace.locks),
        orders=len({(e.source, e.target) for e in trace.edges}), lost=lost,
        parent=header.parent, forked=bool(header.flags & HeaderFlag.FORKED),
        start_ns=header.start_real_ns, started=tuple(Started(*each) for each in header.started),
        started_more=header.started_more, forks_unrecorded=header.forks_unrecorded,
    )  # fmt: skip


def to_document(
    batch: Batch,
    select: frozenset[str] = frozenset(),
    ignore: frozenset[str] = frozenset(),
    budget: Budget | None = None,
    processes: tuple[ProcessState, ...] = (),
    launches: tuple[Launches, ...] = (),
    absent: tuple[Absent, ...] = (),
    libraries: Sequence[Library] = (),
    everything: bool = False,
) -> Document:
    """The result of a run, judged by the rules.

    What happens inside of libraries alone is counted, and told with *everything*.

    *processes* are those that were looked at while they hung; *launches* are what NCCL counted,
    and *absent* whom it does not reach.
    """
    inner = inner_affairs.Counted()
    if not everything:
        batch = inner.without(batch, Owners(libraries))
    names, locks = final(batch.locks.values())
    graph = LockGraph()
    for lock in locks:
        graph.add_lock(lock)
    for writer in batch.writers:
        graph.add_writer(names.get(writer, writer))
    memo: dict[Any, Any] = {}
    for edge in batch.edges.values():
        graph.add_witness(renamed(edge, names, memo))
    cycles = [
        renamed(msgspec.structs.replace(c, seen=seen_text(batch.seen[key])), names)
        for key, c in batch.cycles.items()
    ]
    cycles.sort(key=lambda c: (len(c.edges), c.edges, c.timed))
    evidence = Evidence(
        graph,
        _observed(batch, names),
        cycles=CycleReport(tuple(cycles)),
        communication=batch.communication,
        waits=renamed(tuple(batch.waits), names),
        processes=processes,
        launches=launches,
        absent=absent,
        footprints=Footprints(tuple(batch.footprints), budget or Budget()),
    )
    statistics = sorted(renamed(tuple(batch.statistics.values()), names), key=lambda s: s.lock)
    return Document.from_graph(
        graph,
        tool=f"lockorder {__version__}",
        origin="recorded",
        findings=judge(evidence, select, ignore),
        problems=tuple(batch.problems),
        notes=tuple(sorted(batch.notes)),
        run=Run(tuple(batch.processes), tuple(statistics), unrecorded(batch.processes)),
        timeline=renamed(together(batch.timelines, len(batch.processes)), names),
    )


def _observed(batch: Batch, names: dict[str, str]) -> Observed:
    found = [
        renamed(_with_seen(o, seen_text(batch.seen[key])), names)
        for key, o in batch.observations().items()
    ]
    return Observed(
        self_acquisitions=tuple(o for o in found if isinstance(o, SelfAcquisition)),
        blocked=tuple(o for o in found if isinstance(o, BlockedCall)),
        device_syncs=tuple(o for o in found if isinstance(o, DeviceSync)),
        misuses=tuple(o for o in found if isinstance(o, GroupMisuse)),
        open_groups=tuple(o for o in found if isinstance(o, OpenGroup)),
        stray_ends=tuple(o for o in found if isinstance(o, StrayGroupEnd)),
        lock_misuses=tuple(o for o in found if isinstance(o, LockMisuse)),
    )


def _with_seen(observation: Observation, seen: str) -> Observation:
    return msgspec.structs.replace(observation, seen=seen)
