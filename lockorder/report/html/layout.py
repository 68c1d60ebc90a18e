"""Where the locks of a graph stand: in layers from left to right, the same for the same graph.

The method of Sugiyama, Tagawa and Toda (1981) in its plainest form: orders that go back are turned
round (found by a depth-first search from the smallest name), layers are longest paths, and layers
are ordered by barycentres.  There are no dummy nodes for edges across several layers: five thousand
edges would make a hundred thousand of them, and such edges are drawn as curves.

Parts that are not connected are laid out alone and put side by side on shelves, the largest first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

Edge = tuple[str, str]

#: Pixels: a box's height, from one box to the one below, between layers, between parts.
HEIGHT, PITCH, GAP, MARGIN = 26, 46, 96, 40
_SWEEPS = 8
#: How much wider than high a part is, at most, before it goes on below; and columns that never do.
_WIDE, _FEW = 4, 8


class Layout(NamedTuple):
    """The middle of each lock's box, and what all of them take; in pixels."""

    places: dict[str, tuple[int, int]]
    width: int
    height: int


def layout(edges: Collection[Edge], widths: Mapping[str, int], alone: Sequence[str] = ()) -> Layout:
    """Lay out the ends of *edges* and those that are *alone*; *widths* are those of all boxes."""
    parts = [_Part(nodes, mine, widths).placed() for nodes, mine in _connected(edges, alone)]
    return _shelves(parts)


def _connected(edges: Collection[Edge], alone: Sequence[str]) -> list[tuple[list[str], list[Edge]]]:
    """Connected parts with their edges, the largest first."""
    root: dict[str, str] = {}

    def find(node: str) -> str:
        root.setdefault(node, node)
        while root[node] != node:
            root[node] = node = root[root[node]]
        return node

    for source, target in sorted(edges):
        root[find(source)] = find(target)
    for node in alone:
        find(node)
    nodes: dict[str, list[str]] = {}
    for node in sorted(root):
        nodes.setdefault(find(node), []).append(node)
    mine: dict[str, list[Edge]] = {top: [] for top in nodes}
    for edge in sorted(edges):
        mine[find(edge[0])].append(edge)
    return sorted(
        ((nodes[top], mine[top]) for top in nodes), key=lambda part: (-len(part[0]), part[0][0])
    )


class _Part:
    """One connected part."""

    def __init__(self, nodes: list[str], edges: list[Edge], widths: Mapping[str, int]) -> None:
        self.nodes, self.widths = nodes, widths
        forward = _without_circles(nodes, edges)
        self.after: dict[str, list[str]] = {n: [] for n in nodes}
        self.before: dict[str, list[str]] = {n: [] for n in nodes}
        for source, target in forward:
            self.after[source].append(target)
            self.before[target].append(source)

    def placed(self) -> Layout:
        columns = self._columns(self._ordered(self._layers()))
        heights = self._heights(columns)
        width = sum(self._width(c) + GAP for c in columns)
        tall = max(heights.values()) - min(heights.values()) + PITCH
        # A chain of a hundred locks is no line of a hundred boxes: it goes on below, as text does.
        long = len(columns) > _FEW
        rows = max(1, round(math.sqrt(width / (_WIDE * tall)))) if long else 1
        return _below([self._row(part, heights) for part in _cut(columns, rows)])

    def _width(self, column: list[str]) -> int:
        return max(self.widths[n] for n in column)

    def _row(self, columns: list[list[str]], heights: Mapping[str, float]) -> Layout:
        top = min(heights[n] for c in columns for n in c)
        places, x = {}, 0
        for column in columns:
            width = self._width(column)
            for node in column:
                places[node] = (x + width // 2, round(heights[node] - top) + HEIGHT // 2)
            x += width + GAP
        return Layout(places, x - GAP, max(y for _, y in places.values()) + HEIGHT // 2)

    def _layers(self) -> list[list[str]]:
        """Each node behind all that come before it."""
        depth: dict[str, int] = {}
        waiting = {n: len(self.before[n]) for n in self.nodes}
        ready = [n for n in self.nodes if not waiting[n]]
        for node in ready:  # grows
            depth[node] = 1 + max((depth[b] for b in self.before[node]), default=-1)
            for target in self.after[node]:
                waiting[target] -= 1
                if not waiting[target]:
                    ready.append(target)
        layers: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
        for node in self.nodes:
            layers[depth[node]].append(node)
        return layers

    def _ordered(self, layers: list[list[str]]) -> list[list[str]]:
        """Each node near the middle of its neighbours, from both sides by turns."""
        at = {n: i / len(layer) for layer in layers for i, n in enumerate(layer)}
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            near = self.before if down else self.after
            for layer in layers if down else reversed(layers):
                middle = {
                    n: sum(at[o] for o in near[n]) / len(near[n]) if near[n] else at[n]
                    for n in layer
                }
                layer.sort(key=lambda n: (middle[n], n))
                at.update((n, i / len(layer)) for i, n in enumerate(layer))
        return layers

    def _columns(self, layers: list[list[str]]) -> list[list[str]]:
        """Layers that are much longer than others, in several columns."""
        most = max(12, round(2 * math.sqrt(len(self.nodes))))
        columns = []
        for layer in layers:
            count = -(-len(layer) // most)
            # By turns, so that each column still has the order of the whole.
            columns += [layer[i::count] for i in range(count)]
        return columns

    def _heights(self, layers: list[list[str]]) -> dict[str, float]:
        """Each as high as the middle of its neighbours, as far as there is room."""
        at = {n: (i - len(c) / 2) * PITCH for c in layers for i, n in enumerate(c)}
        for sweep in range(_SWEEPS):
            near = self.before if sweep % 2 == 0 else self.after
            for column in layers if sweep % 2 == 0 else reversed(layers):
                wanted = [
                    sum(at[o] for o in near[n]) / len(near[n]) if near[n] else at[n] for n in column
                ]
                at.update(zip(column, _apart(wanted), strict=True))
        return at


def _without_circles(nodes: list[str], edges: list[Edge]) -> list[Edge]:
    """*edges* with those turned round that lead back; none from a node to itself."""
    after: dict[str, list[str]] = {n: [] for n in nodes}
    for source, target in edges:
        if source != target:
            after[source].append(target)
    back: set[Edge] = set()
    open_: set[str] = set()
    done: set[str] = set()
    for start in nodes:
        if start in done:
            continue
        stack = [(start, iter(after[start]))]
        open_.add(start)
        while stack:
            node, rest = stack[-1]
            after_it = next(rest, None)
            if after_it is None:
                stack.pop()
                open_.discard(node)
                done.add(node)
            elif after_it in open_:
                back.add((node, after_it))
            elif after_it not in done:
                open_.add(after_it)
                stack.append((after_it, iter(after[after_it])))
    turned = {(t, s) if (s, t) in back else (s, t) for s, t in edges if s != t}
    return sorted(turned)


def _apart(wanted: list[float]) -> list[float]:
    """The nearest to *wanted*, in this order, with a pitch between any two (least squares).

    Pool adjacent violators: neighbours that are too near become one block at their mean.
    """
    blocks: list[tuple[float, int]] = []  # the sum of what is wanted, less the pitches; how many
    for i, value in enumerate(wanted):
        total, count = value - i * PITCH, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before = blocks.pop()
            total, count = total + before[0], count + before[1]
        blocks.append((total, count))
    base = [total / count for total, count in blocks for _ in range(count)]
    return [value + i * PITCH for i, value in enumerate(base)]


def _cut(columns: list[list[str]], rows: int) -> list[list[list[str]]]:
    """*columns* in that many rows, of about as many each."""
    each = -(-len(columns) // rows)
    return [columns[i : i + each] for i in range(0, len(columns), each)]


def _below(rows: list[Layout]) -> Layout:
    """Rows of one part, one below the other."""
    places: dict[str, tuple[int, int]] = {}
    y = 0
    for row in rows:
        places.update((n, (a, y + b)) for n, (a, b) in row.places.items())
        y += row.height + 2 * MARGIN
    return Layout(places, max(row.width for row in rows), y - 2 * MARGIN)


def _shelves(parts: list[Layout]) -> Layout:
    """All parts in rows, about twice as wide as high."""
    area = sum((p.width + MARGIN) * (p.height + MARGIN) for p in parts)
    room = max([round(math.sqrt(area * 4)), *(p.width for p in parts)], default=0)
    places: dict[str, tuple[int, int]] = {}
    x = y = row = widest = 0
    for part in parts:
        if x and x + part.width > room:
            x, y, row = 0, y + row + MARGIN, 0
        places.update((n, (x + a, y + b)) for n, (a, b) in part.places.items())
        x += part.width + MARGIN
        row, widest = max(row, part.height), max(widest, x - MARGIN)
    return Layout(places, widest, y + row)
