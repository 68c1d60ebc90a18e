"""Why an order is on no cycle: what is missing of a circle, or what keeps its threads apart.

It answers for one order with the conditions of ``cycles``, where these say only yes or no.
"""

from __future__ import annotations

from collections import deque

from lockorder.cycles import Edge, compatible, gate_between, hands_over
from lockorder.model import EdgeWitness, How, LockGraph, LockKind, Mode, excluding


def obstacle(graph: LockGraph, edge: Edge) -> str:
    """Why no threads can close the shortest circle through *edge*; empty where they can."""
    circle = _circle(graph, edge)
    if circle is None:
        first, then = (graph.locks[lock].name for lock in edge)
        return (
            f"no circle: nothing takes {first} while {then} is held, at once or over further locks"
        )
    waits = []
    for each in circle:
        waiting = [w for w in graph.witnesses(*each) if w.taken.how is not How.TRY]
        if not waiting:
            return f"{_order(graph, each)} is only tried (try_lock), and who tries does not wait"
        waits.append(waiting)
    for number, each in enumerate(circle):
        after = (number + 1) % len(circle)
        why = _no_hand_over(graph, each[1], waits[number], waits[after])
        if why:
            return why
    for a in range(len(circle)):
        for b in range(a + 1, len(circle)):
            why = _apart(graph, waits[a], waits[b])
            if why:
                return (
                    f"{_order(graph, circle[a])} and {_order(graph, circle[b])} cannot meet: {why}"
                )
    return _below(waits)


def _below(waits: list[list[EdgeWitness]]) -> str:
    """Why a circle would need an object that is below itself; empty where it would not."""
    for each in waits:
        if any(w.between is None for w in each):
            return ""
    for each in waits:
        below = [w.between for w in each if w.between is not None and not w.between.same]
        if below and len(below) == len(each) and all(b.sure for b in below):
            return f"an object would have to be below itself: {below[0].why}"
    return ""


def _circle(graph: LockGraph, edge: Edge) -> list[Edge] | None:
    """The shortest way round over any orders, feasible or not."""
    start, goal = edge[1], edge[0]
    if start == goal:
        return [edge, edge]
    ahead: dict[str, list[str]] = {}
    for source, target in graph.edges():
        ahead.setdefault(source, []).append(target)
    came: dict[str, str] = {start: ""}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            break
        for target in ahead.get(here, ()):
            if target not in came:
                came[target] = here
                queue.append(target)
    if goal not in came:
        return None
    back, here = [], goal
    while came[here]:
        back.append((came[here], here))
        here = came[here]
    return [edge, *reversed(back)]


def _no_hand_over(
    graph: LockGraph, lock: str, waiters: list[EdgeWitness], holders: list[EdgeWitness]
) -> str:
    if any(hands_over(w, h, graph.writers) for w in waiters for h in holders):
        return ""
    name = graph.locks[lock].name
    shared = all(w.taken.mode is Mode.SHARED for w in waiters) and all(
        h.held.mode is Mode.SHARED for h in holders
    )
    if shared and lock not in graph.writers:
        return f"{name} is only taken by readers on both sides, and nobody waits to write"
    return f"{name} is of two different objects on the two sides"


def _apart(graph: LockGraph, first: list[EdgeWitness], second: list[EdgeWitness]) -> str:
    """Why no place of *first* and none of *second* can be reached at once; empty where some can."""
    whys: dict[str, None] = {}
    for a in first:
        for b in second:
            if compatible(a, b):
                return ""
            if a.thread is not None and a.thread == b.thread:
                whys[f"only one thread gets to both ({a.thread})"] = None
                continue
            fixed = excluding(a.fixed, b.fixed)
            if fixed is not None:
                whys[f"{fixed.where} never changes, and has to differ for them"] = None
                continue
            gate = gate_between(a, b)
            if gate is not None:
                lock = graph.locks[gate.lock]
                thread = lock.kind is LockKind.THREAD
                why = (
                    f"only the one thread of the object gets to both ({lock.name})"
                    if thread
                    else f"{lock.name} is held around both (a gate lock)"
                )
                whys[why] = None
    return "; ".join(whys)


def _order(graph: LockGraph, edge: Edge) -> str:
    return f"{graph.locks[edge[0]].name} -> {graph.locks[edge[1]].name}"
