"""From the engine's orders to the model's lock-order graph."""

from __future__ import annotations

import os

from lockorder.model import Acquisition, EdgeWitness, Frame, HeldLock, Instance, Lock, LockGraph
from lockorder.rules.evidence import SelfAcquisition
from lockorder.static.engine import Emitted, Engine
from lockorder.static.paths import Path
from lockorder.static.summary import Gate, Site, limited

#: Frames kept at each end of a call chain.
MAX_CHAIN_END = 12
_CERTAINTY = {
    3: "",
    2: "a call on the way has several possible targets",
    1: "a call on the way was joined by name alone",
}


def build_graph(engine: Engine, root: str) -> LockGraph:
    """All orders as edges with witnesses; file names relative to *root*."""
    builder = _Builder(engine, root)
    for pair in sorted(engine.orders):
        for emitted in engine.orders[pair]:
            builder.add(pair, emitted)
    for writer in sorted(engine.writers):
        builder.declare(writer)
        builder.graph.add_writer(writer)
    return builder.graph


def self_acquisitions(engine: Engine, graph: LockGraph, root: str) -> list[SelfAcquisition]:
    """Locks taken again by their holder, one for each lock and function."""
    builder = _Builder(engine, root)
    builder.graph = graph
    found = []
    for lock, function in sorted(engine.self_locks):
        builder.declare(lock)
        self_lock = engine.self_locks[lock, function]
        held, taken = self_lock.held, self_lock.taken
        found.append(
            SelfAcquisition(
                Acquisition(lock, builder.chain(held.site), held.mode, held.how),
                Acquisition(lock, builder.chain(taken.site), taken.mode, taken.how),
                taken.certainty,
            )
        )
    return found


class _Builder:
    def __init__(self, engine: Engine, root: str) -> None:
        self._engine = engine
        self._root = root
        self.graph = LockGraph()
        self._frames: dict[tuple[str, int, int], Frame] = {}

    def declare(self, lock: str) -> None:
        if lock in self.graph.locks:
            return
        known = self._engine.identities.locks[lock]
        self.graph.add_lock(
            Lock(known.id, known.name, known.kind, self._relative(known.file), known.line)
        )

    def _relative(self, path: str) -> str:
        return os.path.relpath(path, self._root) if path.startswith(self._root + os.sep) else path

    def add(self, pair: tuple[str, str], emitted: Emitted) -> None:
        """One order: a witness for each context in which its function is entered."""
        if self._engine.contexts.is_startup(emitted.function):
            return
        self.declare(pair[0])
        self.declare(pair[1])
        order = emitted.order
        held = Acquisition(
            pair[0], self.chain(order.held.site), order.held.mode, order.held.how,
            self._instance(order.held.path, pair[0]),
        )  # fmt: skip
        taken = Acquisition(
            pair[1], self.chain(order.taken.site), order.taken.mode, order.taken.how,
            self._instance(order.taken.path, pair[1]),
        )  # fmt: skip
        for context in self._engine.contexts.entry(emitted.function):
            around = {g for g in context if g.path not in order.taken.released}
            gates = self._gates(limited(order.gates | around))
            self.graph.add_witness(
                EdgeWitness(
                    held,
                    taken,
                    gates,
                    self._engine.contexts.only_thread(emitted.function),
                    order.taken.certainty,
                    _CERTAINTY[order.taken.certainty],
                )
            )

    def chain(self, site: Site | None) -> tuple[Frame, ...]:
        """A call chain as frames, outermost first; the middle of a very long one is left out."""
        sites = []
        while site is not None:
            sites.append(site)
            site = site.inner
        if len(sites) <= 2 * MAX_CHAIN_END:
            return tuple(self._frame(s) for s in sites)
        left_out = Frame(f"({len(sites) - 2 * MAX_CHAIN_END} more calls)")
        first, last = sites[:MAX_CHAIN_END], sites[-MAX_CHAIN_END:]
        return (*map(self._frame, first), left_out, *map(self._frame, last))

    def _frame(self, site: Site) -> Frame:
        found = self._frames.get(site[:3])
        if found is None:
            function = self._engine.program.functions.get(site.function)
            file = self._relative(function.file) if function is not None else ""
            name = self._engine.program.name_of(site.function)
            found = self._frames[site[:3]] = Frame(name, file, site.line, site.column)
        return found

    def _instance(self, path: Path, lock: str) -> Instance | None:
        for found in self._engine.identities.of(path):
            if found.lock == lock:
                return found.instance
        return None

    def _gates(self, gates: frozenset[Gate]) -> tuple[HeldLock, ...]:
        found: dict[HeldLock, None] = {}
        for gate in gates:
            identified = self._engine.identities.of(gate.path)
            if len(identified) == 1:  # one of several is no gate
                lock = identified[0]
                self.declare(lock.lock)
                found[HeldLock(lock.lock, gate.mode, lock.instance)] = None
        return tuple(sorted(found, key=str))
