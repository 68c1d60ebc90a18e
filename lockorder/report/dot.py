"""The lock-order graph for Graphviz: what is in a finding is coloured and comes first.

Names are only ever written as quoted strings (never as HTML-like labels, which begin with ``<``),
with what quoted strings obey taken from them: see ``quoted``.
"""

from __future__ import annotations

import os
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lockorder.model import (
    DECLARED,
    Acquisition,
    Document,
    EdgeWitness,
    Finding,
    Frame,
    Level,
    Lock,
    Mode,
)
from lockorder.report.sides import by_weight
from lockorder.report.text import printable

#: Orders up to which everything is drawn: a picture of more shows nothing.
MAX_ORDERS = 400
#: Characters of a name, frames of a stack, stacks of an order that are shown.
MAX_NAME, MAX_STACK, MAX_STACKS = 120, 12, 4
#: Findings and problems that are told below the graph, and characters of a line there.
MAX_NOTES, WIDTH = 20, 110
#: Colours of findings, one after the other: Okabe and Ito's, which colour-blind people tell apart.
_COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_PLAIN = "#888888"
_GREY = f'"{_PLAIN}"'

_Pair = tuple[str, str]


class _Order(NamedTuple):
    """What is drawn between two locks."""

    colour: str
    number: int  # of the finding, from 1; 0: in none
    witnesses: Sequence[EdgeWitness]
    declared: bool = False


def render(document: Document, only_cycles: bool | None = None) -> bytes:
    """*document*'s graph in the DOT language.

    With *only_cycles* nothing but the findings' orders is drawn; by default where there are more
    than ``MAX_ORDERS``.  What is left out is said below the graph.
    """
    evidence: dict[_Pair, list[EdgeWitness]] = defaultdict(list)
    for witness in document.edges:
        evidence[witness.held.lock, witness.taken.lock].append(witness)
    findings = by_weight(tuple(f for f in document.findings if any(_orders(f))))
    told = _told(findings, evidence)
    left_out = sorted(evidence.keys() - told.keys())
    if only_cycles is None:
        only_cycles = len(evidence) > MAX_ORDERS
    notes = [_legend(number, finding) for number, finding in enumerate(findings, start=1)]
    orders = dict(told)
    if not only_cycles:
        orders |= {pair: _Order(_PLAIN, 0, evidence[pair]) for pair in left_out}
    elif left_out:
        notes.insert(0, f"not drawn: {len(left_out)} orders that are in no finding")
    notes += [f"could not be analysed: {problem}" for problem in document.problems]
    if len(notes) > MAX_NOTES:
        notes[MAX_NOTES:] = [f"and {len(notes) - MAX_NOTES} more"]
    return "".join(f"{line}\n" for line in _graph(document, orders, notes)).encode()


def _told(
    findings: Iterable[Finding], evidence: dict[_Pair, list[EdgeWitness]]
) -> dict[_Pair, _Order]:
    """Orders in findings, in the order of these; the first one of several gives the colour."""
    found: dict[_Pair, _Order] = {}
    for number, finding in enumerate(findings, start=1):
        colour = _COLOURS[(number - 1) % len(_COLOURS)]
        for pair, own, declared in (x for f in (finding, *finding.folded) for x in _orders(f)):
            known = evidence.get(pair) or [own]
            found.setdefault(pair, _Order(colour, number, known, declared))
    return found


def _orders(finding: Finding) -> Iterator[tuple[_Pair, EdgeWitness, bool]]:
    """What a finding says was taken under what, and whether that is only declared."""
    for p in finding.participants:
        if p.held and p.taken is not None:
            own = EdgeWitness(p.held[-1], p.taken, thread=p.who)
            yield (p.held[-1].lock, p.taken.lock), own, p.who == DECLARED


def _graph(document: Document, orders: dict[_Pair, _Order], notes: Sequence[str]) -> list[str]:
    locks = {lock.id: lock for lock in document.locks}
    for pair in orders:
        for end in pair:
            locks.setdefault(end, Lock(end, end))
    drawn = list(dict.fromkeys(lock for pair in orders for lock in pair))
    nodes = {lock: f"n{number}" for number, lock in enumerate(drawn)}
    names = {lock.id: lock.name for lock in locks.values()}
    involved = {lock for pair, order in orders.items() if order.number for lock in pair}
    lines = [
        "digraph lockorder {",
        '  graph [rankdir=LR, fontname="sans-serif", labelloc=b, labeljust=l, tooltip=" "];',
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=10];',
    ]
    if notes:
        folded = [line for note in notes for line in textwrap.wrap(note, WIDTH)]
        # A line that ends with \l is set to the left.
        lines.append('  label="' + "".join(escaped(n, WIDTH) + r"\l" for n in folded) + '";')
    clusters: dict[str, list[str]] = defaultdict(list)
    for lock in drawn:
        clusters[_cluster(locks[lock])].append(lock)
    for number, (name, members) in enumerate(clusters.items()):
        inner = [_node(nodes[m], locks[m], m in involved) for m in members]
        if name and len(members) > 1:
            lines.append(f"  subgraph cluster_{number} {{")
            lines.append(f"    label={quoted(name)}; tooltip={quoted(name)}; color={_GREY};")
            lines += [f"  {line}" for line in inner]
            lines.append("  }")
        else:
            lines += inner
    for (source, target), order in orders.items():
        lines.append(_edge(nodes[source], nodes[target], order, names))
    lines.append("}")
    return lines


def _node(name: str, lock: Lock, involved: bool) -> str:
    where = f"{lock.file}:{lock.line}" if lock.file else ""
    tooltip = quoted(lock.name, lock.kind.value, where)
    style = ", penwidth=2" if involved else f", color={_GREY}"
    return f"  {name} [label={quoted(lock.name)}, tooltip={tooltip}{style}];"


def _edge(source: str, target: str, order: _Order, names: Mapping[str, str]) -> str:
    attributes = [f'color="{order.colour}"', f'fontcolor="{order.colour}"']
    if order.number:
        attributes.append("penwidth=2")
    if order.declared:
        attributes.append("style=dashed")
    count = len(order.witnesses)
    label = quoted(
        f"#{order.number}" if order.number else "",
        "declared" if order.declared else "",
        f"{count} places" if count > 1 else "",
        _modes(order.witnesses),
        _place(order.witnesses[0].taken.chain),
    )
    tooltip = quoted(*_stacks(order.witnesses, names))
    attributes += [f"label={label}", f"tooltip={tooltip}", f"labeltooltip={tooltip}"]
    return f"  {source} -> {target} [{', '.join(attributes)}];"


def _modes(witnesses: Sequence[EdgeWitness]) -> str:
    """What all of them have in common that makes a cycle less likely."""
    said = []
    if all(w.held.mode is Mode.SHARED and w.taken.mode is Mode.SHARED for w in witnesses):
        said.append("shared")
    if all(w.taken.how.value != "blocking" for w in witnesses):
        said.append("never waits, or not for ever")
    return ", ".join(said)


def _stacks(witnesses: Sequence[EdgeWitness], names: Mapping[str, str]) -> list[str]:
    lines = []
    for w in witnesses[:MAX_STACKS]:
        by = f" (in {w.thread})" if w.thread else ""
        lines += [f"holds {names[w.held.lock]}", *_stack(w.held)]
        lines += [f"takes {names[w.taken.lock]}{by}", *_stack(w.taken)]
    more = len(witnesses) - MAX_STACKS
    return [*lines, f"and {more} more"] if more > 0 else lines


def _stack(taken: Acquisition) -> list[str]:
    return [f"  {_frame(frame)}" for frame in reversed(taken.chain[-MAX_STACK:])]


def _frame(frame: Frame) -> str:
    return frame.function + (f" ({frame.file}:{frame.line})" if frame.file else "")


def _place(chain: Sequence[Frame]) -> str:
    if not chain:
        return ""
    last = chain[-1]
    return f"{os.path.basename(last.file)}:{last.line}" if last.file else last.function


def _cluster(lock: Lock) -> str:
    """The class that a lock is a member of, else its file; empty where neither is known.

    What stands in template arguments or parentheses separates nothing.
    """
    depth = 0
    for at in range(len(lock.name) - 1, 0, -1):
        depth += {">": 1, ")": 1, "<": -1, "(": -1}.get(lock.name[at], 0)
        if depth == 0 and lock.name.startswith("::", at):
            return lock.name[:at]
    return lock.file


def _legend(number: int, finding: Finding) -> str:
    level = "" if finding.level is Level.ERROR else f"{finding.level.value}: "
    return f"#{number} {level}{finding.message} [{finding.rule}]"


def quoted(*lines: str) -> str:
    """A quoted string that shows *lines* as they are; empty ones are left out."""
    return '"' + r"\n".join(escaped(line) for line in lines if line) + '"'


def escaped(text: str, most: int = MAX_NAME) -> str:
    r"""*text* in one line for the inside of a quoted string.

    A quote would end it, a backslash begins escapes (``\N`` is the node's name), and ``&`` an HTML
    entity (https://graphviz.org/doc/info/lang.html, section "Character encodings").
    """
    told = printable(text[:most]).replace("\t", " ") + ("..." if len(text) > most else "")
    return told.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
