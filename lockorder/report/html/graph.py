"""The lock-order graph as the page's script wants it: tables of numbers, each text once.

An edge of the picture is an order of two locks, with all its witnesses.  Orders that only a finding
tells (of a hung job, say) are edges, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from lockorder.folding import unfold
from lockorder.model import (
    DECLARED,
    Acquisition,
    Document,
    EdgeWitness,
    Finding,
    Frame,
    HeldLock,
    Lock,
    Mode,
)
from lockorder.report.html.layout import HEIGHT, Edge, Layout, layout
from lockorder.report.html.shown import Shown, box_width, label
from lockorder.report.text import printable


class Graph(msgspec.Struct, frozen=True):
    """What is written into the page.

    ``frames``: function, place, source line.  ``chains``: frames, outermost first.
    ``locks``: name, label, kind, place, width of its box.  ``edges``: from, to, the findings that
    it belongs to, witnesses (how held, its chain, how taken, its chain, gates, thread, certainty,
    why).  ``views``: for each lock that is in it, lock, x, y.  ``findings``: level, rule, message.
    ``declared``: how many of the locks the result declares.
    """

    height: int
    frames: list[tuple[str, str, str]]
    chains: list[list[int]]
    locks: list[tuple[str, str, str, str, int]]
    edges: list[tuple[int, int, list[int], list[list[Any]]]]
    views: dict[str, dict[str, Any]]
    findings: list[tuple[str, str, str]]
    declared: int


def graph(document: Document, findings: Sequence[Finding], shown: Shown) -> Graph:
    """The graph of *document*, with its *findings* in the order in which the page tells them."""
    return _Maker(document, findings, shown).made()


def unnested(document: Document, drawn: Graph) -> int:
    """How many locks are never held together with another, and in no finding."""
    return max(document.lock_count - drawn.declared, 0)


class _Maker:
    def __init__(self, document: Document, findings: Sequence[Finding], shown: Shown) -> None:
        self._document, self._findings, self._shown = document, findings, shown
        self._frames: dict[Frame, int] = {}
        self._chains: dict[tuple[Frame, ...], int] = {}
        self._chain_rows: list[list[int]] = []
        self._frame_rows: list[tuple[str, str, str]] = []

    def made(self) -> Graph:
        witnesses: dict[Edge, list[EdgeWitness]] = {}
        for witness in self._document.edges:
            witnesses.setdefault((witness.held.lock, witness.taken.lock), []).append(witness)
        known = set(witnesses)
        found: dict[Edge, list[int]] = {}
        for place, finding in enumerate(self._findings):
            for edge, told in (x for f in (finding, *finding.folded) for x in _orders(f)):
                if place not in found.setdefault(edge, []):
                    found[edge].append(place)
                if edge not in known:
                    witnesses.setdefault(edge, []).append(told)
        concerned = {lock for f in unfold(self._findings) for lock in f.locks}
        edges = sorted(witnesses, key=lambda e: (e not in found, *map(self._shown.lock, e), e))
        order = sorted({end for e in edges for end in e} | concerned)
        order.sort(key=self._shown.lock)
        declared = {lock.id for lock in self._document.locks}
        number = {lock: i for i, lock in enumerate(order)}
        widths = {lock: box_width(self._shown.lock(lock)) for lock in order}
        first = layout(list(found), widths, sorted(concerned - {x for e in found for x in e}))
        return Graph(
            HEIGHT,
            locks=self._locks(order, widths),
            edges=[
                (number[a], number[b], found.get((a, b), []),
                 [self._witness(w, number) for w in witnesses[a, b]])
                for a, b in edges
            ],
            views={
                "found": _view(first, number),
                "all": _view(layout(edges, widths, sorted(concerned)), number),
            },
            findings=[(f.level.value, printable(f.rule), printable(f.message))
                      for f in self._findings],
            declared=len(declared & set(order)),
            # Filled by what comes before.
            frames=self._frame_rows,
            chains=self._chain_rows,
        )  # fmt: skip

    def _locks(
        self, order: Sequence[str], widths: dict[str, int]
    ) -> list[tuple[str, str, str, str, int]]:
        declared = {lock.id: lock for lock in self._document.locks}
        rows = []
        for each in order:
            lock = declared.get(each) or Lock(each, each)
            name = self._shown.lock(each)
            place = self._shown.place(lock.file, lock.line)
            rows.append((name, label(name), lock.kind.value, place, widths[each]))
        return rows

    def _witness(self, witness: EdgeWitness, number: dict[str, int]) -> list[Any]:
        gates = [self._gate(gate, number) for gate in witness.gates]
        return [
            self._shown.taken(witness.held),
            self._chain(witness.held.chain),
            self._shown.taken(witness.taken),
            self._chain(witness.taken.chain),
            gates,
            printable(witness.thread) if witness.thread is not None else "",
            witness.certainty,
            printable(witness.why),
        ]

    def _gate(self, gate: HeldLock, number: dict[str, int]) -> int | str:
        if gate.lock in number and gate.mode is Mode.EXCLUSIVE:
            return number[gate.lock]
        shared = " (shared)" if gate.mode is Mode.SHARED else ""
        return self._shown.lock(gate.lock) + shared

    def _chain(self, chain: tuple[Frame, ...]) -> int:
        if chain not in self._chains:
            self._chains[chain] = len(self._chain_rows)
            self._chain_rows.append([self._frame(frame) for frame in chain])
        return self._chains[chain]

    def _frame(self, frame: Frame) -> int:
        # Two columns of one line look the same here.
        key = Frame(frame.function, frame.file, frame.line)
        if key not in self._frames:
            self._frames[key] = len(self._frame_rows)
            place = self._shown.place(frame.file, frame.line)
            self._frame_rows.append((printable(frame.function), place, self._shown.source(frame)))
        return self._frames[key]


def _orders(finding: Finding) -> list[tuple[Edge, EdgeWitness]]:
    """The orders that a finding tells, as if they were witnesses of the graph."""
    found = []
    for participant in finding.participants:
        if participant.taken is None:
            continue
        taken = participant.taken
        for held in participant.held:
            gates = tuple(HeldLock(h.lock, h.mode) for h in participant.held if h is not held)
            who = printable(participant.who)
            thread = who if participant.who != DECLARED else DECLARED
            witness = EdgeWitness(_bare(held), _bare(taken), gates, thread)
            found.append(((held.lock, taken.lock), witness))
    return found


def _bare(taken: Acquisition) -> Acquisition:
    return Acquisition(taken.lock, taken.chain, taken.mode, taken.how)


def _view(placed: Layout, number: dict[str, int]) -> dict[str, Any]:
    rows = sorted((number[lock], x, y) for lock, (x, y) in placed.places.items())
    return {"width": placed.width, "height": placed.height, "at": rows}
