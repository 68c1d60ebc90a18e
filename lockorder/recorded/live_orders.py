"""The lock orders of one process while it runs: is an order new, does it close a cycle?

Most orders close none, which a walk over numbers shows. Where one may, those of its component are
judged as the analysis judges them (`cycles.find_cycles`), without call chains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lockorder.cycles import find_cycles
from lockorder.model import Acquisition, EdgeWitness, HeldLock, Instance, Lock, LockGraph
from lockorder.recorded.build import signals, writers
from lockorder.recorded.process import HOWS, KINDS, MODES
from runtime_probe.layout import Kind
from runtime_probe.records import Edge, Trace

#: Orders that are kept; further ones are counted by the probe and judged by the analysis.
MOST_ORDERS = 100_000
#: Orders of one component that are judged at once; a larger one is left to the analysis.
MOST_JUDGED = 300
#: Locks that are looked at on ways through the orders.
MOST_REACHED = 5_000
#: Records of one order: different threads, fewer gates.
_MOST_RECORDS = 8
_TRY = 1


class LiveCycle(NamedTuple):
    """Locks that threads take in a circle: `threads[i]` holds `locks[i]` and takes the next one.

    All are numbers of the process's trace.
    """

    locks: tuple[int, ...]
    threads: tuple[int, ...]
    timed: bool


class LiveOrders:
    """Orders as they come, and the cycles that they close."""

    def __init__(self) -> None:
        self._orders: dict[int, dict[int, list[Edge]]] = {}
        self._count = 0
        self._told: set[frozenset[int]] = set()

    def add(self, edge: Edge) -> bool:
        """Whether this order is seen for the first time, and kept."""
        targets = self._orders.setdefault(edge.source, {})
        records = targets.get(edge.target)
        if records is None:
            if self._count >= MOST_ORDERS or edge.source == edge.target:
                return False
            self._count += 1
            targets[edge.target] = [edge]
            return True
        if len(records) < _MOST_RECORDS:
            records.append(edge)
        return False

    def closes(self, edge: Edge, trace: Trace) -> list[LiveCycle]:
        """Cycles that *edge*, which was added, is a part of, and that were not told before."""
        if edge.target_how == _TRY or edge.source == edge.target:
            return []
        # Most orders end here: no lock was taken under this one's target.
        if edge.target not in self._orders or not self._around(edge, set()):
            return []
        members = self._around(edge, _others_release(trace))
        if not members:
            return []
        graph = self._graph(members, trace)
        if len(graph) > MOST_JUDGED:
            return []
        found = []
        for cycle in find_cycles(graph).cycles:
            locks = tuple(int(name) for name in cycle.locks)
            if frozenset(locks) in self._told:
                continue
            self._told.add(frozenset(locks))
            threads = tuple(int(w.thread or 0) for w in cycle.witnesses)
            found.append(LiveCycle(locks, threads, cycle.timed))
        return found

    def _around(self, edge: Edge, left_out: set[int]) -> set[int]:
        """The locks on ways from *edge*'s target back to its source."""
        if not left_out.isdisjoint((edge.source, edge.target)):
            return set()
        behind = self._reached(edge.target, left_out)
        if edge.source not in behind:
            return set()
        # Of these, those from which there is a way on to the source.
        before: dict[int, list[int]] = {}
        for lock in behind:
            for target in self._waits(lock):
                if target in behind:
                    before.setdefault(target, []).append(lock)
        members, ahead = {edge.source}, [edge.source]
        while ahead:
            for lock in before.get(ahead.pop(), ()):
                if lock not in members:
                    members.add(lock)
                    ahead.append(lock)
        return members

    def _reached(self, start: int, left_out: set[int]) -> set[int]:
        reached, ahead = {start}, [start]
        while ahead and len(reached) < MOST_REACHED:
            for target in self._waits(ahead.pop()):
                if target not in reached and target not in left_out:
                    reached.add(target)
                    ahead.append(target)
        return reached

    def _waits(self, lock: int) -> Iterator[int]:
        """Locks that somebody waited for, or would have, while *lock* was held."""
        for target, records in self._orders.get(lock, _NONE).items():
            if any(record.target_how != _TRY for record in records):
                yield target

    def _graph(self, members: set[int], trace: Trace) -> LockGraph:
        graph = LockGraph()
        for number in members:
            record = trace.locks.get(number)
            if record is not None:
                graph.add_lock(Lock(str(number), str(number), KINDS[Kind(record.kind)]))
        for source in members & trace.locks.keys():
            for target, edges in self._orders.get(source, _NONE).items():
                if target in members and target in trace.locks:
                    for edge in edges:
                        graph.add_witness(_witness(edge))
        trace.edges = list(self._all())
        for lock in writers(trace) & members & trace.locks.keys():
            graph.add_writer(str(lock))
        trace.edges = []
        return graph

    def _all(self) -> Iterator[Edge]:
        for targets in self._orders.values():
            for edges in targets.values():
                yield from edges


def _others_release(trace: Trace) -> set[int]:
    """Locks that tell nothing of orders, and all semaphores: of most one learns too late that
    others post them."""
    semaphores = {n for n, lock in trace.locks.items() if lock.kind == Kind.SEMAPHORE}
    return signals(trace) | semaphores


_NONE: Mapping[int, list[Edge]] = {}


def _witness(edge: Edge) -> EdgeWitness:
    def taken(lock: int, mode: int, how: int) -> Acquisition:
        return Acquisition(str(lock), (), MODES[mode], HOWS[how], _instance(lock))

    gates = tuple(
        HeldLock(str(g.lock), MODES[g.mode], _instance(g.lock))
        for g in edge.gates
        if g.lock not in (edge.source, edge.target)
    )
    return EdgeWitness(
        taken(edge.source, edge.source_mode, edge.source_how),
        taken(edge.target, edge.target_mode, edge.target_how),
        gates,
        str(edge.thread),
    )


def _instance(lock: int) -> Instance:
    return Instance(str(lock), absolute=True)
