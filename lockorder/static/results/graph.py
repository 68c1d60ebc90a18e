"""From the engine's orders to the model's lock-order graph."""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec

from lockorder.model import (
    Acquisition,
    Between,
    Certainty,
    EdgeWitness,
    Frame,
    HeldLock,
    Instance,
    Lock,
    LockGraph,
    LockKind,
    Mode,
)
from lockorder.model.graph import circular
from lockorder.rules.evidence import DOUBTS
from lockorder.static.interp.collected import Emitted
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import NO_GATES, Gate, Needs, Order, Receiver, Site, Taken
from lockorder.static.program.effects import What
from lockorder.static.program.identities import Identified
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import RUNS, member
from lockorder.static.results.around import Around
from lockorder.static.results.between import Relations
from lockorder.static.results.fixed_needs import FixedNeeds

#: Frames kept at each end of a call chain.
MAX_CHAIN_END = 12
#: Why an order of two locks of one kind is in doubt.
PERHAPS_ONE = "it may be one lock by two names, which its holder may take again"
#: The same, where a lock of that kind is held around.
PERHAPS_HELD = "it may be a lock that is held around already, by another name, and taken again"
_CERTAINTY = {Certainty.CERTAIN: "", **DOUBTS}


def build_graph(engine: Engine, root: str) -> LockGraph:
    """All orders as edges with witnesses; file names relative to *root*."""
    builder = Builder(engine, root)
    pairs = [p for p in sorted(engine.found.orders) if not engine.found.signals & set(p)]
    related = _related(engine, circular(pairs))
    for pair in pairs:
        for number, emitted in enumerate(engine.found.orders[pair]):
            builder.add(pair, emitted, related.get((pair, number)))
    for writer in sorted(engine.found.writers):
        builder.declare(writer)
        builder.graph.add_writer(writer)
    return builder.graph


def _related(
    engine: Engine, pairs: Iterable[tuple[str, str]]
) -> dict[tuple[tuple[str, str], int], Between]:
    """How the objects of orders are related, by number; nothing where none is below another."""
    relations = Relations(engine)
    found = {
        (pair, number): between
        for pair in sorted(pairs)
        for number, emitted in enumerate(engine.found.orders[pair])
        if (between := relations.of(emitted)) is not None
    }
    return found if any(not b.same for b in found.values()) else {}


class Builder:
    """Names, places and locks in the model's terms."""

    def __init__(self, engine: Engine, root: str) -> None:
        self._engine = engine
        self._root = root
        self._cut = engine.cuts.everywhere()
        self._whole = engine.handed_on.filled
        self._around = Around(engine)
        self._fixed = FixedNeeds(engine, self.relative)
        self.graph = LockGraph()
        self._frames: dict[tuple[str, int, int], Frame] = {}

    def declare(self, lock: str) -> None:
        """Make *lock* known to the graph."""
        if lock in self.graph.locks:
            return
        known = self._engine.identities.locks[lock]
        self.graph.add_lock(
            Lock(known.id, known.name, known.kind, self.relative(known.file), known.line)
        )

    def relative(self, path: str) -> str:
        """*path* from the root, where it lies below it."""
        return os.path.relpath(path, self._root) if path.startswith(self._root + os.sep) else path

    def add(self, pair: tuple[str, str], emitted: Emitted, between: Between | None = None) -> None:
        """One order: a witness for each context in which its function is entered."""
        if self._engine.contexts.is_startup(emitted.function):
            return
        self.declare(pair[0])
        self.declare(pair[1])
        order = emitted.order
        contexts, program = self._engine.contexts, self._engine.program
        needs = order.taken.needs | contexts.fixed(emitted.function, program)
        held = Acquisition(
            pair[0], self.chain(order.held.site), order.held.mode, order.held.how,
            self._instance(order.held.path, pair[0], order.taken.needs),
            self._fixed.of_object(order.held.path, needs),
        )  # fmt: skip
        taken = Acquisition(
            pair[1], self.chain(order.taken.site), order.taken.mode, order.taken.how,
            self._instance(order.taken.path, pair[1], order.taken.needs),
            self._fixed.of_object(order.taken.path, needs),
        )  # fmt: skip
        fixed = self._fixed.of_program(needs)
        own = order.gates.union(*(self._bound(emitted.function, g) for g in order.gates))
        certainty, why = self.certainty(order.taken, order.held.site)
        if pair[0] == pair[1] and self._may_be_one(order):
            certainty, why = certainty.lower, PERHAPS_ONE
        for context in self._engine.contexts.entry(emitted.function):
            around = contexts.still(emitted.function, context, order.taken.released, program)
            gates = own | around
            sure = pair[0] != pair[1] and certainty > Certainty.GUESSED
            again = sure and self._may_be_around(emitted, gates)
            witness = EdgeWitness(
                held,
                taken,
                self._gates(gates),
                self._engine.contexts.only_thread(emitted.function),
                Certainty.GUESSED if again else certainty,
                PERHAPS_HELD if again else why,
                between,
                fixed=fixed,
            )
            self.graph.add_witness(witness)
            self._add_crowded(witness, gates)

    def _add_crowded(self, witness: EdgeWitness, gates: frozenset[Gate]) -> None:
        """The same as *witness*, if semaphores around it let in more threads than one."""
        perhaps = self._gates(gates, perhaps=True)
        if perhaps == witness.gates:
            return
        certainty, why = min(witness.certainty, Certainty.POSSIBLE), witness.why
        if certainty < witness.certainty:
            names = [self.graph.locks[g.lock].name for g in perhaps if g not in witness.gates]
            why = f"{' and '.join(names)} may let in more than one thread at a time"
        self.graph.add_witness(
            msgspec.structs.replace(witness, gates=perhaps, certainty=certainty, why=why)
        )

    def _bound(self, function: str, gate: Gate) -> frozenset[Gate]:
        """What a lock that callers hand in is to all of them."""
        contexts, program = self._engine.contexts, self._engine.program
        handed_in = isinstance(gate.path, Path) and self._engine.is_parameter(gate.path)
        return contexts.bound(function, gate, program) if handed_in else NO_GATES

    def _may_be_one(self, order: Order) -> bool:
        """Whether a lock may be the one that is held, and so nothing that is waited for.

        Its holder may have it again, and of one of the two objects nothing is known.
        """
        both = order.locks
        if both is None or not self._engine.identities.reentrant(both[1]):
            return False
        return any(map(self._is_lost, both))

    def _may_be_around(self, emitted: Emitted, gates: frozenset[Gate]) -> bool:
        """Whether a lock may be one of *gates*, which the thread has around the other one.

        It is so as for the one that is held: whoever has the lock already does not wait for it.
        Nor does who comes from an object that uses none, on the ways without.
        """
        path = emitted.order.taken.path
        identities = self._engine.identities
        if not isinstance(path, Path) or not identities.reentrant(path):
            return False
        kinds = {found.lock for found in identities.of(path)}
        if self._is_lost(path) and kinds <= self._around.of(emitted):
            return True
        return any(
            isinstance(gate.path, Path)
            and not kinds.isdisjoint(found.lock for found in identities.of(gate.path))
            and (self._is_lost(path) or self._is_lost(gate.path))
            for gate in gates
        )

    def _is_lost(self, path: Path) -> bool:
        """Whether *path* begins at a pointer of a function, which leads to what nobody follows."""
        if path.is_unknown:
            return True
        variable = self._engine.program.variables.get(path.variable)
        if variable is None or variable.kind != "local" or not path.steps:
            return False
        return self._engine.program.is_indirect(variable.type)

    def certainty(self, taken: Taken, *sites: Site) -> tuple[Certainty, str]:
        """How certain an acquisition is that goes through *sites* as well, and why not more."""
        certainty, why = taken.certainty, taken.why or _CERTAINTY[taken.certainty]
        for site in (*sites, taken.site) if self._cut and certainty == Certainty.CERTAIN else ():
            for here in self._whole(site).along():
                if here.function in self._cut:
                    name = self._engine.program.told_of(here.function)
                    why = f"the analysis of {name} reached a bound (see the coverage)"
                    return Certainty.POSSIBLE, why
        return certainty, why

    def chain(self, site: Site | None) -> tuple[Frame, ...]:
        """A call chain as frames, outermost first; the middle of a very long one is left out."""
        sites = [*self._whole(site).along()] if site is not None else []
        if len(sites) <= 2 * MAX_CHAIN_END:
            return tuple(self.frame(s) for s in sites)
        left_out = Frame(f"({len(sites) - 2 * MAX_CHAIN_END} more calls)")
        first, last = sites[:MAX_CHAIN_END], sites[-MAX_CHAIN_END:]
        return (*map(self.frame, first), left_out, *map(self.frame, last))

    def place(self, site: Site) -> tuple[tuple[str, int, int], ...]:
        """Where a call chain stands; an order by it does not depend on what is called how."""
        return tuple((f.file, f.line, f.column) for f in self.chain(site))

    def frame(self, site: Site) -> Frame:
        """One place; frames are shared."""
        found = self._frames.get(site[:3])
        if found is None:
            function = self._engine.program.functions.get(site.function)
            file = self.relative(function.file) if function is not None else ""
            name = self._engine.program.told_of(site.function)
            found = self._frames[site[:3]] = Frame(name, file, site.line, site.column)
        return found

    def _instance(self, path: What, lock: str, needs: Needs) -> Instance | None:
        for found in self._engine.identities.of(path):
            if found.lock == lock:
                return self._of_its_class(path, found.instance, needs)
        return None

    def _of_its_class(self, path: What, known: Instance | None, needs: Needs) -> Instance | None:
        """The object, where it has called what only objects of some classes have."""
        if not isinstance(path, Path) or not path.steps:
            return known
        owner = path.owner
        without: set[str] = set()
        for need in needs:
            if isinstance(need, Receiver) and need.path == owner and len(need.steps) == 1:
                without |= self._engine.unset.lacking(member(need.steps[0]))
        if known is None or known.absolute or not without:
            return known
        below = self._engine.program.derived(self._engine.identities.class_of(owner))
        return msgspec.structs.replace(known, classes=tuple(sorted(below - without)))

    def _thread(self, path: Path) -> tuple[Identified, ...]:
        """The thread that a member stands for, as what no other thread of its object has."""
        known = self._engine.identities.of(Path(path.root, path.steps[:-1]))
        for found in known:
            lock = self._engine.identities.locks[found.lock]
            if lock.id not in self.graph.locks:
                file = self.relative(lock.file)
                self.graph.add_lock(Lock(lock.id, lock.name, LockKind.THREAD, file, lock.line))
        return known

    def _gates(self, gates: frozenset[Gate], perhaps: bool = False) -> tuple[HeldLock, ...]:
        """*gates* as locks: a semaphore for several keeps nobody out, as readers do not.

        *perhaps*: nor does one that may be for several.
        """
        found: dict[HeldLock, None] = {}
        for gate in gates:
            identified = self._engine.identities.of(gate.path)
            if isinstance(gate.path, Path) and gate.path.steps[-1:] == (RUNS,):
                identified = self._thread(gate.path)
            if len(identified) == 1:  # one of several is no gate
                lock = identified[0]
                self.declare(lock.lock)
                mode = self._mode(gate, lock.lock, perhaps)
                found[HeldLock(lock.lock, mode, lock.instance)] = None
        return tuple(sorted(found, key=str))

    def _mode(self, gate: Gate, lock: str, perhaps: bool) -> Mode:
        several = self._engine.lets_in_several(gate.path, lock)
        return Mode.SHARED if several or (perhaps and several is None) else gate.mode
