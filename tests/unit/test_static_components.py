"""Strongly connected components against networkx."""

from __future__ import annotations

import random

import networkx as nx

from lockorder.static.program.components import components

GRAPHS, MOST = 400, 12


def some_graph(chance: random.Random) -> dict[str, list[str]]:
    nodes = [f"f{i}" for i in range(chance.randrange(1, MOST))]
    few = chance.randrange(1, 4)
    return {n: chance.sample(nodes, min(len(nodes), chance.randrange(few + 1))) for n in nodes}


def test_components_are_those_of_networkx_in_its_order() -> None:
    chance = random.Random(7)
    for _ in range(GRAPHS):
        graph = some_graph(chance)
        edges = [(n, t) for n, targets in graph.items() for t in targets]
        known: nx.DiGraph[str] = nx.DiGraph()
        known.add_nodes_from(graph)
        known.add_edges_from(edges)
        expected = [sorted(c) for c in nx.strongly_connected_components(known)]
        assert list(components(graph)) == expected, graph


def test_a_component_comes_after_what_it_leads_to() -> None:
    graph = {"a": ["b"], "b": ["c", "a"], "c": ["d"], "d": []}
    assert list(components(graph)) == [["d"], ["c"], ["a", "b"]]


def test_a_long_chain_needs_no_recursion() -> None:
    count = 50_000
    graph = {str(i): [str(i + 1)] if i + 1 < count else [] for i in range(count)}
    assert sum(1 for _ in components(graph)) == count
