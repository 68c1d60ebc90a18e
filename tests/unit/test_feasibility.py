"""Why an order closes no cycle: on graphs of a few witnesses, and beside the search for cycles."""

from __future__ import annotations

import random

import msgspec
import pytest

from graphs import edge, ex, gate, graph_of, here, random_witnesses, rd, tried
from lockorder.cycles import find_cycles
from lockorder.feasibility import obstacle
from lockorder.model import EdgeWitness, Fixed

GATE = gate("G", here("::g"))


def fixed(witness: EdgeWitness, *what: Fixed) -> EdgeWitness:
    return msgspec.structs.replace(witness, fixed=what)


@pytest.mark.parametrize(
    ("witnesses", "says"),
    [
        ([edge("A", "B")], "no circle: nothing takes A while B is held"),
        ([edge("A", "B"), edge("B", "C")], "no circle: nothing takes A while B is held"),
        ([edge("A", "B"), edge("B", tried("A"))], "B -> A is only tried (try_lock)"),
        (
            [edge("A", "B", GATE), edge("B", "A", GATE)],
            "A -> B and B -> A cannot meet: G is held around both (a gate lock)",
        ),
        (
            [edge("A", "B", thread="main"), edge("B", "A", thread="main")],
            "A -> B and B -> A cannot meet: only one thread gets to both (main)",
        ),
        (
            [edge(rd("A"), rd("B")), edge(rd("B"), rd("A"))],
            "B is only taken by readers on both sides, and nobody waits to write",
        ),
        (
            [edge("A", ex("B", here("::one"))), edge(ex("B", here("::two")), "A")],
            "B is of two different objects on the two sides",
        ),
        (
            [fixed(edge("A", "B"), Fixed("::mode", "1")), fixed(edge("B", "A"), Fixed("::mode"))],
            "A -> B and B -> A cannot meet: ::mode never changes, and has to differ for them",
        ),
        ([edge("A", "B"), edge("B", "A")], ""),
        ([edge("A", "B"), edge("B", "C"), edge("C", "A")], ""),
    ],
)
def test_one_reason(witnesses: list[EdgeWitness], says: str) -> None:
    graph = graph_of([*witnesses, edge("G", "H")])
    found = obstacle(graph, ("A", "B"))
    assert found.startswith(says)
    assert bool(found) == bool(says)


@pytest.mark.parametrize("seed", range(300))
def test_a_cycle_has_no_obstacle_on_its_own(seed: int) -> None:
    """Where the shortest circle through an order is one that was found, nothing keeps it apart."""
    graph = graph_of([*random_witnesses(random.Random(seed)), edge("G", "H")])  # the gates
    for cycle in find_cycles(graph).cycles:
        if cycle.timed or len(cycle.edges) != 2:
            continue
        assert obstacle(graph, cycle.edges[0]) == ""
