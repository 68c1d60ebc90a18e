"""The lock orders of one process: cycles among its lock instances, told by lock classes.

Instances, since two objects of one class are two locks, and two locks that lived at one address
one after the other have never met.  Orders that cannot lie on a circle are taken away first, by
numbers alone: mostly nothing is left, and nothing has to be looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from lockorder.cycles import Cycle, canonical, find_cycles
from lockorder.model import (
    Acquisition,
    Certainty,
    EdgeWitness,
    HeldLock,
    Lock,
    LockGraph,
    circular,
)
from lockorder.recorded.lifetimes import Lifetimes
from lockorder.recorded.process import MODES, Process
from runtime_probe.layout import Kind, LockFlag, MisuseKind
from runtime_probe.records import Edge, Trace

_BLOCKING, _TRY, _EXCLUSIVE = 0, 1, 0


def orders(process: Process) -> Iterator[tuple[tuple[object, ...], Edge]]:
    """Every recorded order with what makes it differ from others, by class."""
    classes = process.classes
    for edge in process.trace.edges:
        source, target = classes.get(edge.source), classes.get(edge.target)
        if source is not None and target is not None and edge.source != edge.target:
            yield (source, target, edge.source_mode, edge.target_mode, edge.target_how), edge


def unknown(trace: Trace) -> int:
    """Orders of locks whose records were lost."""
    return sum(e.source not in trace.locks or e.target not in trace.locks for e in trace.edges)


def witness(process: Process, edge: Edge) -> EdgeWitness:
    """The evidence of one recorded order, by class."""
    taken = process.acquisition(edge.target, edge.target_mode, edge.target_how, edge.target_stack)
    held = process.acquisition(
        edge.source, edge.source_mode, edge.source_how, edge.source_stack, edge.source_pc,
        taken.chain,
    )  # fmt: skip
    return EdgeWitness(
        held, taken, process.gates(edge), process.thread(edge.thread),
        owner=process.owner_of_hold(
            edge.source, edge.source_stack, edge.source_pc, edge.target_stack
        ),
    )  # fmt: skip


def cycles(process: Process) -> tuple[list[Cycle], int]:
    """Feasible cycles, told by class, and how many orders' search was cut short.

    Each cycle is there once for its classes, whatever the number of objects that show it.
    """
    core = _core(process.trace)
    if not core:
        return [], 0
    lifetimes = Lifetimes(process, core)
    graph, classes = _instances(process, core, lifetimes)
    report = find_cycles(graph)
    found: dict[object, Cycle] = {}
    for cycle in report.cycles:
        told = canonical(_by_class(lifetimes.judged(cycle), classes))
        known = found.get((told.edges, told.timed))
        if known is None or _rank(told) < _rank(known):
            found[told.edges, told.timed] = told
    return list(found.values()), len(report.given_up)


def _core(trace: Trace) -> list[Edge]:
    """Orders that may lie on a circle."""
    others_release = signals(trace)
    known = trace.locks
    edges = [
        e
        for e in trace.edges
        if e.target_how != _TRY
        and e.source != e.target
        and e.source in known
        and e.target in known
        and not (others_release and not others_release.isdisjoint((e.source, e.target)))
    ]
    inside = circular((e.source, e.target) for e in edges)
    return [e for e in edges if (e.source, e.target) in inside]


def signals(trace: Trace) -> set[int]:
    """Semaphores and Python locks that others release: no locks, but something to wait for."""
    found = {m.lock for m in trace.misuses if m.kind is MisuseKind.UNLOCK_NOT_HELD}
    anybodys = (Kind.SEMAPHORE, Kind.PYTHON_LOCK)
    told = {n for n, lock in trace.locks.items() if lock.flags & LockFlag.SIGNAL}
    return told | {n for n in found if n in trace.locks and trace.locks[n].kind in anybodys}


def _instances(
    process: Process, core: Iterable[Edge], lifetimes: Lifetimes
) -> tuple[LockGraph, dict[str, str]]:
    """The graph of lock instances, named by number, and their classes."""
    graph, classes = LockGraph(), {}
    shared: dict[int, tuple[HeldLock, ...]] = {}
    for edge in core:
        for lock in (edge.source, edge.target):
            name = str(lock)
            classes[name] = process.classes[lock]
            graph.add_lock(Lock(name, name, process.declared[classes[name]].kind))
        gates = shared.get(id(edge.gates))  # the trace keeps it
        if gates is None:
            of = [g for g in edge.gates if g.lock in process.classes]
            classes.update((str(g.lock), process.classes[g.lock]) for g in of)
            gates = shared[id(edge.gates)] = tuple(
                HeldLock(str(g.lock), MODES[g.mode], process.instance(g.lock)) for g in of
            )
        told = witness(process, edge)
        told = msgspec.structs.replace(
            told,
            held=msgspec.structs.replace(told.held, lock=str(edge.source)),
            taken=msgspec.structs.replace(told.taken, lock=str(edge.target)),
            gates=gates,
        )
        if lifetimes.alone(told):
            # Another thread's evidence of the same is better; `judged` says why.
            told = msgspec.structs.replace(told, certainty=Certainty.POSSIBLE)
        graph.add_witness(told)
    for lock in writers(process.trace):
        graph.add_writer(str(lock))
    return graph, classes


def writers(trace: Trace) -> set[int]:
    """Locks that some thread took exclusively and would have waited for, where that is known."""
    found = {
        e.target for e in trace.edges if e.target_mode == _EXCLUSIVE and e.target_how == _BLOCKING
    }
    found.update(
        e.source for e in trace.edges if e.source_mode == _EXCLUSIVE and e.source_how == _BLOCKING
    )
    found.update(n for n, lock in trace.locks.items() if lock.flags & LockFlag.WRITTEN)
    for blocked in trace.blocked:
        found.update(h.lock for h in blocked.held if h.mode == _EXCLUSIVE and h.how == _BLOCKING)
    for thread in trace.threads.values():
        found.update(h.lock for h in thread.held if h.mode == _EXCLUSIVE and h.how == _BLOCKING)
        if thread.waits_for and thread.wait_mode == _EXCLUSIVE:
            found.add(thread.waits_for)
    return found


def _by_class(cycle: Cycle, classes: dict[str, str]) -> Cycle:
    def named(taken: Acquisition) -> Acquisition:
        return msgspec.structs.replace(taken, lock=classes[taken.lock])

    def told(w: EdgeWitness) -> EdgeWitness:
        gates = tuple(msgspec.structs.replace(g, lock=classes[g.lock]) for g in w.gates)
        return msgspec.structs.replace(w, held=named(w.held), taken=named(w.taken), gates=gates)

    edges = tuple((classes[a], classes[b]) for a, b in cycle.edges)
    return msgspec.structs.replace(cycle, edges=edges, witnesses=tuple(map(told, cycle.witnesses)))


def _rank(cycle: Cycle) -> tuple[int, int, bytes]:
    """Sure stories first, then short ones; the same one every time."""
    frames = sum(len(w.held.chain) + len(w.taken.chain) for w in cycle.witnesses)
    return -min(w.certainty for w in cycle.witnesses), frames, msgspec.json.encode(cycle)
