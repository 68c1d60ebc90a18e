"""Declared orders against what was seen: which edges of the graph break one."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from lockorder.cycles import preference
from lockorder.declared import Declaration
from lockorder.model import (
    DECLARED,
    Acquisition,
    EdgeWitness,
    Frame,
    How,
    LockGraph,
    Participant,
)
from lockorder.rules.evidence import Evidence


class Violation(msgspec.Struct, frozen=True):
    """*witness* takes a lock that *chain* (declarations, one after the other) puts first."""

    witness: EdgeWitness
    chain: tuple[Declaration, ...]

    @property
    def timed(self) -> bool:
        """Every such wait has a time limit."""
        return self.witness.taken.how is How.TIMED

    def order(self, graph: LockGraph) -> str:
        """The declared order in words, with the place of its (first) declaration."""
        first, last = (graph.locks[x.lock].name for x in (self.witness.taken, self.witness.held))
        places = dict.fromkeys(f"{d.file}:{d.line}" for d in self.chain)
        return f"the declared order is {first} before {last} ({', '.join(places)})"

    def declared(self) -> Participant:
        """The declaration's side of the story: a frame for each place that is part of it."""
        frames = [Frame(DECLARED, d.file, d.line) for d in self.chain]
        return Participant(
            DECLARED,
            (Acquisition(self.witness.taken.lock, (frames[0],)),),
            Acquisition(self.witness.held.lock, tuple(dict.fromkeys(frames))),
        )


def violations(evidence: Evidence) -> Iterator[Violation]:
    """One for each edge against a declared order; try-locks wait for nothing and do not count."""
    graph = evidence.graph
    if not evidence.orders:
        return
    for source, target in graph.edges():
        if source == target:
            continue
        chain = evidence.orders.chain(target, source)
        waits = [w for w in graph.witnesses(source, target) if w.taken.how is not How.TRY]
        if chain and waits:
            best = min(waits, key=lambda w: (w.taken.how is How.TIMED, *preference(w)))
            yield Violation(best, chain)
