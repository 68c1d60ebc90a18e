"""Strongly connected components of a graph that is given as lists, which need no graph beside them.

Tarjan ("Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing, 1972), as
Nuutila and Soisalon-Soininen have it ("On Finding the Strongly Connected Components in a Directed
Graph", 1994), without recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def components(graph: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """The components of *graph* (each node with those that it leads to), sorted.

    One comes after all that it leads to.
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    done = set[str]()
    waiting: list[str] = []
    left = {node: iter(targets) for node, targets in graph.items()}
    for source in graph:
        stack = [] if source in done else [source]
        while stack:
            node = stack[-1]
            mine = number.setdefault(node, len(number) + 1)
            inner = next((t for t in left[node] if t not in number), None)
            if inner is not None:
                stack.append(inner)
                continue
            stack.pop()
            lowest[node] = mine
            for target in graph[node]:
                if target not in done:
                    there = number[target]
                    lowest[node] = min(lowest[node], lowest[target] if there > mine else there)
            if lowest[node] < mine:
                waiting.append(node)
                continue
            found = [node]
            while waiting and number[waiting[-1]] > mine:
                found.append(waiting.pop())
            done.update(found)
            yield sorted(found)
