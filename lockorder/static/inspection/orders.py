"""Orders between locks: who shows them, and why they are in no finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lockorder.cycles import Edge
from lockorder.feasibility import obstacle
from lockorder.model import EdgeWitness, Finding, Frame
from lockorder.rules.evidence import Evidence
from lockorder.static.inspection.view import OrderView, ShownBy

#: Says whether a frame of a chain is one that is asked about.
Here = Callable[[Frame], bool]


def within(file: str, first: int, last: int) -> Here:
    """Whether a frame is in these lines of *file*."""
    return lambda frame: frame.file == file and first <= frame.line <= last


def orders_at(evidence: Evidence, findings: Sequence[Finding], here: Here) -> list[OrderView]:
    """Orders of which a step to either lock is *here*."""
    return _views(evidence, findings, lambda _, w: any(map(here, (*w.held.chain, *w.taken.chain))))


def orders_with(
    evidence: Evidence, findings: Sequence[Finding], locks: frozenset[str]
) -> list[OrderView]:
    """Orders from or to any of *locks*."""
    return _views(evidence, findings, lambda edge, _: not locks.isdisjoint(edge))


def _views(
    evidence: Evidence,
    findings: Sequence[Finding],
    wanted: Callable[[Edge, EdgeWitness], bool],
) -> list[OrderView]:
    graph, found = evidence.graph, []
    for edge in graph.edges():
        known = graph.witnesses(*edge)
        shown = [w for w in known if wanted(edge, w)]
        if not shown:
            continue
        told = _told(edge, findings)
        dropped = () if told else tuple(_dropped(evidence, edge))
        places = tuple(map(_shown_by, shown))
        names = (graph.locks[edge[0]].name, graph.locks[edge[1]].name)
        found.append(OrderView(*names, places, len(known) - len(shown), dropped, told))
    return found


def _shown_by(witness: EdgeWitness) -> ShownBy:
    return ShownBy(
        witness.held.chain,
        witness.taken.chain,
        witness.held.mode,
        witness.taken.mode,
        witness.taken.how,
        witness.gates,
        witness.thread or "",
        witness.certainty,
        witness.why,
    )


def _told(edge: Edge, findings: Iterable[Finding]) -> tuple[str, ...]:
    """Findings of which the order is a side."""
    return tuple(
        f"{finding.rule}: {finding.message} ({finding.fingerprint[:12]})"
        for finding in findings
        if any(
            p.taken is not None and p.taken.lock == edge[1] and edge[0] in {h.lock for h in p.held}
            for p in finding.participants
        )
    )


def _dropped(evidence: Evidence, edge: Edge) -> Iterable[str]:
    graph = evidence.graph
    on = [c for c in evidence.cycles.cycles if edge in c.edges]
    for cycle in on:
        names = " -> ".join(graph.locks[lock].name for lock in cycle.locks)
        why = [d.why for d in evidence.dropped or () if set(d.locks) == set(cycle.locks)]
        yield f"it is on the cycle {names}, which is not told: " + (
            "; ".join(dict.fromkeys(why)) or "another finding tells it"
        )
    if not on:
        yield (
            "the search for cycles through it was cut short"
            if edge in evidence.cycles.given_up
            else obstacle(graph, edge) or "no choice of places closes the whole circle at once"
        )
