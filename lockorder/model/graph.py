"""The lock-order graph: nodes are lock classes, an edge A -> B means B was taken under A."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

from lockorder.model.locks import Between, EdgeWitness, Fixed, HeldLock, How, Instance, Lock, Mode

_T = TypeVar("_T", bound=Hashable)

#: Witnesses kept for one edge, unless more of them differ in what makes a cycle feasible (modes,
#: threads, objects, gates that none does without): all of those are kept.  What goes is the same
#: order from one more place, the less sure and the longer stories first.
MAX_WITNESSES = 24


class LockGraph:
    """A directed graph of lock classes, with the evidence on its edges.

    Invariants (``check_invariants``): both ends of every edge are known locks; each edge has
    witnesses, all of that edge, none equal to another; where there are more than
    ``MAX_WITNESSES``, no two of them are alike in what makes a cycle feasible.
    """

    def __init__(self) -> None:
        self._edges: dict[tuple[str, str], _Evidence] = {}
        self._locks: dict[str, Lock] = {}
        self._writers: set[str] = set()

    def add_lock(self, lock: Lock) -> None:
        """Declare *lock*; declaring the same id again keeps the first declaration."""
        self._locks.setdefault(lock.id, lock)

    def add_writer(self, lock: str) -> None:
        """Note that somebody takes *lock* exclusively and waits for it (see feasibility)."""
        self._writers.add(lock)

    def add_witness(self, witness: EdgeWitness) -> None:
        """Add one piece of evidence; raises KeyError for a lock that was never declared."""
        source, target = witness.held.lock, witness.taken.lock
        for end in (source, target):
            if end not in self._locks:
                raise KeyError(f"unknown lock {end!r}")
        for taken in (witness.held, witness.taken):
            if taken.mode is Mode.EXCLUSIVE and taken.how is How.BLOCKING:
                self._writers.add(taken.lock)
        self._edges.setdefault((source, target), _Evidence()).add(witness)

    @property
    def locks(self) -> dict[str, Lock]:
        """All declared locks by id."""
        return self._locks

    @property
    def writers(self) -> frozenset[str]:
        """Ids of the locks that somebody takes exclusively with a blocking call."""
        return frozenset(self._writers)

    def edges(self) -> Iterator[tuple[str, str]]:
        """All edges, sorted."""
        return iter(sorted(self._edges))

    def __contains__(self, edge: tuple[str, str]) -> bool:
        """Whether that order is there."""
        return edge in self._edges

    def witnesses(self, source: str, target: str) -> list[EdgeWitness]:
        """The evidence for one edge; raises KeyError where there is none."""
        evidence = self._edges.get((source, target))
        if evidence is None:
            raise KeyError(f"no edge {source!r} -> {target!r}")
        return evidence.witnesses

    def places(self, source: str, target: str) -> list[EdgeWitness]:
        """Of the evidence for one edge, the most telling piece for each two places in the code.

        Those that differ only in who called, and in what was held around it, are one for a reader.
        """
        found: dict[object, EdgeWitness] = {}
        for witness in self.witnesses(source, target):
            held, taken = witness.held, witness.taken
            places = (held.chain[-1:], taken.chain[-1:])
            key = (places, held.mode, held.how, taken.mode, taken.how)
            known = found.get(key)
            if known is None or _for_readers(witness) < _for_readers(known):
                found[key] = witness
        return list(found.values())

    def components(self, edges: Iterable[tuple[str, str]]) -> list[list[str]]:
        """Strongly connected components over *edges* that can hold a cycle, each sorted.

        A single lock counts where it has an edge to itself (two instances of one class).
        """
        inside = circular(edges)
        if not inside:
            return []
        # Most graphs have no circle, and need not wait for it to load.
        import networkx as nx  # noqa: PLC0415

        view: nx.DiGraph[str] = nx.DiGraph()
        view.add_edges_from(sorted(inside))
        found = [
            sorted(c)
            for c in nx.strongly_connected_components(view)
            if len(c) > 1 or view.has_edge(*(2 * tuple(c)))
        ]
        return sorted(found)

    def check_invariants(self) -> None:
        """Raise AssertionError where an invariant of the class is broken."""
        for (source, target), evidence in self._edges.items():
            witnesses = evidence.witnesses
            assert source in self._locks
            assert target in self._locks
            assert witnesses
            shapes = {_shape(w) for w in witnesses}
            assert len(witnesses) <= max(MAX_WITNESSES, len(shapes))
            assert all((w.held.lock, w.taken.lock) == (source, target) for w in witnesses)
            assert all(w not in witnesses[:i] for i, w in enumerate(witnesses))

    def __len__(self) -> int:
        return len(self._edges)


def circular(edges: Iterable[tuple[_T, _T]]) -> set[tuple[_T, _T]]:
    """Those that may lie on a circle: nodes with no way in or no way out go, one by one.

    In time linear in *edges* (Kahn, "Topological sorting of large networks", CACM 5(11), 1962,
    from both ends).
    """
    left = set(edges)
    for here, there in ((0, 1), (1, 0)):
        ways: dict[_T, int] = {}
        by_node: dict[_T, list[tuple[_T, _T]]] = {}
        for edge in left:
            ways[edge[there]] = ways.get(edge[there], 0) + 1
            by_node.setdefault(edge[here], []).append(edge)
        ended = [node for node in by_node if node not in ways]
        while ended:
            for edge in by_node.get(ended.pop(), ()):
                left.discard(edge)
                ways[edge[there]] -= 1
                if not ways[edge[there]]:
                    ended.append(edge[there])
    return left


_Shape = tuple[
    frozenset[HeldLock],
    Mode,
    Mode,
    How,
    "Instance | None",
    "Instance | None",
    "Between | None",
    tuple[tuple[Fixed, ...], ...],
    "str | None",
]


def _shape(witness: EdgeWitness) -> _Shape:
    """What of a witness decides whether a cycle through it is feasible."""
    held, taken = witness.held, witness.taken
    gates = frozenset(witness.gates)
    return (
        gates, held.mode, taken.mode, taken.how, held.instance, taken.instance, witness.between,
        (held.fixed, taken.fixed, witness.fixed), witness.thread,
    )  # fmt: skip


class _Evidence:
    """The witnesses of one edge, each with what of it decides whether a cycle is feasible."""

    def __init__(self) -> None:
        self.witnesses: list[EdgeWitness] = []
        self._shapes: list[_Shape] = []

    def add(self, new: EdgeWitness) -> None:
        """Keep *new* if it tells something; of many, those go first that tell less."""
        if new in self.witnesses:
            return
        shape = _shape(new)
        if len(self.witnesses) < MAX_WITNESSES:
            self.witnesses.append(new)
            self._shapes.append(shape)
            return
        alike = [i for i, known in enumerate(self._shapes) if known == shape]
        if alike:
            worst = max(alike, key=self._worth)
            if _telling(new) < self._worth(worst):
                self.witnesses[worst] = new
            return
        counts = Counter(self._shapes)
        repeated = [i for i, known in enumerate(self._shapes) if counts[known] > 1]
        if repeated:
            last = max(repeated, key=self._worth)
            self.witnesses[last], self._shapes[last] = new, shape
            return
        known = list(zip(self.witnesses, self._shapes, strict=True))
        if any(_needs_less(*old, new, shape) for old in known):
            return
        kept = [old for old in known if not _needs_less(new, shape, *old)]
        self.witnesses[:] = [*(w for w, _ in kept), new]
        self._shapes[:] = [*(s for _, s in kept), shape]

    def _worth(self, at: int) -> tuple[object, ...]:
        return _telling(self.witnesses[at])


def _telling(witness: EdgeWitness) -> tuple[object, ...]:
    """Of two that show the same, the surer comes first, then the one that is shorter to tell."""
    chain = (*witness.held.chain, *witness.taken.chain)
    places = [(frame.file, frame.line, frame.column, frame.function) for frame in chain]
    return -witness.certainty, len(chain), places


def _for_readers(witness: EdgeWitness) -> tuple[object, ...]:
    """The most telling, and of those that tell the same the one with the fewest locks around it."""
    return *_telling(witness), len(witness.gates), str(witness.gates), str(witness.thread)


def _needs_less(new: EdgeWitness, shape: _Shape, old: EdgeWitness, other: _Shape) -> bool:
    """Whether *new* shows the same order as *old* as surely, under fewer gates or by any thread."""
    if new.certainty < old.certainty or shape[1:-1] != other[1:-1]:
        return False
    return new.thread in (None, old.thread) and shape[0] <= other[0]
