"""How a cycle in the lock order is told: shared by the rules that report one."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lockorder.cycles import Cycle, below_itself
from lockorder.model import (
    DECLARED,
    Acquisition,
    Certainty,
    Confidence,
    EdgeWitness,
    Finding,
    Level,
    LockGraph,
    LockKind,
    Mode,
    Participant,
    fingerprint,
)
from lockorder.model.coverage import PYTHON
from lockorder.rules.broken_orders import Violation
from lockorder.rules.evidence import CONFIDENCE, call_beyond, is_long, seen_in

#: Further places of one order that are named in a finding; the rest are only counted.
MAX_OTHERS = 4
#: Calls between an initialiser and a lock that are a long way.
FAR = 6
#: Global objects of one class from which on a meeting of two sides in one of them is unlikely.
MANY_OBJECTS = 4


def finding(
    rule: str,
    cycle: Cycle,
    graph: LockGraph,
    broken: Mapping[tuple[str, str], Violation] | None = None,
) -> Finding:
    """The finding for one feasible cycle."""
    names = [graph.locks[lock].name for lock in cycle.locks]
    certainty, reason = _certainty(cycle, graph)
    confidence = CONFIDENCE[certainty]
    level = Level.ERROR
    if confidence is Confidence.LOW:
        far = any(is_long(w.held.chain, w.taken.chain) for w in cycle.witnesses if not cycle.seen)
        unlikely = certainty < Certainty.GUESSED
        level = Level.NOTE if far or unlikely else Level.WARNING
    level = Level.NOTE if cycle.timed else level
    return Finding(
        rule=rule,
        level=level,
        confidence=confidence,
        reason=reason,
        message=_message(names, cycle.timed)
        + _declared(cycle, graph, broken or {})
        + seen_in(cycle.seen),
        fix=_fix(cycle, names),
        locks=cycle.locks,
        participants=tuple(_participant(w, graph, cycle.witnesses) for w in cycle.witnesses),
        fingerprint=fingerprint(rule, _turned(cycle.locks), ()),
        owner=_owner(cycle),
    )


def _owner(cycle: Cycle) -> str:
    """The library that all sides are in; empty where there is none."""
    owners = {w.owner for w in cycle.witnesses}
    return owners.pop() if len(owners) == 1 else ""


def through_gil(cycle: Cycle, graph: LockGraph) -> bool:
    """Whether Python's global interpreter lock is a member."""
    return any(graph.locks[lock].kind is LockKind.GIL for lock in cycle.locks)


def _turned(locks: tuple[str, ...]) -> tuple[str, ...]:
    """*locks* from the one on that makes them smallest: three can be taken in two circles."""
    return min(locks[i:] + locks[:i] for i in range(len(locks)))


def _message(names: list[str], timed: bool) -> str:
    tail = "; a wait with a time limit breaks the cycle" if timed else ""
    if len(set(names)) == 1:
        return f"two objects' {names[0]} are taken in no fixed order{tail}"
    if len(names) == 2:
        return f"{names[0]} and {names[1]} are taken in opposite orders{tail}"
    return f"{', '.join(names[:-1])} and {names[-1]} are taken in a circle{tail}"


def _declared(cycle: Cycle, graph: LockGraph, broken: Mapping[tuple[str, str], Violation]) -> str:
    """Which declared orders the sides of a cycle break."""
    told = []
    for edge, witness in zip(cycle.edges, cycle.witnesses, strict=True):
        violation = broken.get(edge)
        if violation is not None:
            who = witness.thread or witness.held.chain[0].function
            told.append(f"; {violation.order(graph)}, and {who} breaks it")
    return "".join(dict.fromkeys(told))


def of_declared(rule: str, violation: Violation, graph: LockGraph) -> Finding:
    """The finding for an order that is broken and that nothing in the sources follows."""
    witness = violation.witness
    held, taken = (graph.locks[x.lock].name for x in (witness.held, witness.taken))
    tail = "; the wait has a time limit" if violation.timed else ""
    call = _first_call(witness.taken)
    released = f"call {call} after {held} is released" if call else f"release {held} first"
    return Finding(
        rule=rule,
        level=Level.NOTE if violation.timed else Level.ERROR,
        confidence=CONFIDENCE[witness.certainty],
        reason=witness.why or "every step is resolved, and the order is declared",
        message=f"{taken} is taken while {held} is held, but {violation.order(graph)}{tail}",
        fix=f"take {taken} before {held}, or {released}",
        locks=(witness.held.lock, witness.taken.lock),
        participants=(violation.declared(), _participant(witness, graph)),
        fingerprint=fingerprint(rule, sorted((witness.held.lock, witness.taken.lock)), (DECLARED,)),
    )


def _certainty(cycle: Cycle, graph: LockGraph) -> tuple[Certainty, str]:
    """How sure it is, and why not surer; below a guess where a guess has further doubts."""
    if cycle.seen:
        return _recorded(cycle)
    certainty = min(w.certainty for w in cycle.witnesses)
    reasons = sorted({w.why for w in cycle.witnesses if w.why and w.certainty == certainty})
    doubtful = sum(w.certainty < Certainty.CERTAIN for w in cycle.witnesses)
    if doubtful > 1:
        # Each may not be as it is told, and the cycle needs all of them: doubts multiply.
        certainty = min(certainty, Certainty.GUESSED)
        reasons.append(f"{doubtful} of its {len(cycle.witnesses)} sides are in doubt")
    if len(set(cycle.locks)) == 1:
        guessed = min(w.certainty for w in cycle.witnesses) <= Certainty.GUESSED
        certainty = Certainty.SELDOM if guessed else certainty.lower
        reasons.append("nothing shows in which order two objects of this class are taken")
    if _readers_only_somewhere(cycle):
        certainty = min(certainty, Certainty.POSSIBLE)
        reasons.append("two readers block each other only while a writer waits between them")
    if _far_initialiser(cycle, graph):
        certainty = min(certainty, Certainty.GUESSED)
        reasons.append("an initialiser runs once, and the lock is a long way off in it")
    if len(cycle.locks) > 2 and any(graph.locks[k].kind.initialises for k in cycle.locks):
        certainty = certainty.lower
        reasons.append("an initialiser runs once, and the other threads have to be there then")
    initialiser = _only_at_first(cycle, graph)
    if initialiser:
        certainty = certainty.lower
        reasons.append(f"one side happens only while {initialiser} runs, which is once")
    _, doubt = below_itself(cycle.witnesses)
    if doubt:
        certainty = min(certainty, Certainty.GUESSED)
        reasons.append(doubt)
    named = _one_of_many(cycle, graph)
    if named:
        certainty = min(certainty, Certainty.GUESSED)
        reasons.append(named)
    if not reasons:
        reasons.append("every step of every side is resolved, and no lock is common to all sides")
    return certainty, "; ".join(reasons)


def _recorded(cycle: Cycle) -> tuple[Certainty, str]:
    """Nothing is guessed about what happened, only about whether it can meet."""
    certainty = min(w.certainty for w in cycle.witnesses)
    reasons = sorted({w.why for w in cycle.witnesses if w.why and w.certainty == certainty})
    if _readers_only_somewhere(cycle):
        certainty = min(certainty, Certainty.POSSIBLE)
        reasons.append("two readers block each other only while a writer waits between them")
    if not reasons:
        reasons.append("each side was recorded, in threads of their own, under no common lock")
    return certainty, "; ".join(reasons)


def _far_initialiser(cycle: Cycle, graph: LockGraph) -> bool:
    """An initialiser that takes the other lock only at the end of many calls: conditions on the
    way, which are not followed, are mostly there to keep it from happening."""
    return any(
        graph.locks[lock].kind.initialises
        and any(len(w.taken.chain) >= FAR for w in cycle.witnesses if lock in _both(w))
        for lock in cycle.locks
    )


def _only_at_first(cycle: Cycle, graph: LockGraph) -> str:
    """An initialiser in which one side happens, and which no side waits for: it has mostly run
    long before, at the first use of what it makes."""
    ones = [k for k, lock in graph.locks.items() if lock.kind.initialises and k not in cycle.locks]
    for witness in cycle.witnesses:
        had = {gate.lock for gate in witness.gates}
        way = witness.taken.chain[:-1]
        for one in ones:
            edge = one, witness.taken.lock
            known = graph.witnesses(*edge) if edge in graph else []
            if one in had or any(w.held.chain[-1] in way for w in known):
                return graph.locks[one].name
    return ""


def _one_of_many(cycle: Cycle, graph: LockGraph) -> str:
    """Sides that meet in one global object only if the other side's is just that one of many."""
    following = (*cycle.witnesses[1:], cycle.witnesses[0])
    for before, after in zip(cycle.witnesses, following, strict=True):
        first, second = before.taken.instance, after.held.instance
        if first is None or second is None or first.absolute == second.absolute:
            continue
        lock = before.taken.lock
        kind = graph.locks[lock].kind
        if kind is LockKind.GIL or kind.initialises:
            continue
        objects = _objects(lock, graph)
        if len(objects) >= MANY_OBJECTS:
            return (
                f"one side takes {graph.locks[lock].name} of one of {len(objects)} global objects,"
                " the other of any"
            )
    return ""


def _objects(lock: str, graph: LockGraph) -> set[str]:
    """Global objects that *lock* was seen in."""
    found: set[str] = set()
    for held, taken in graph.edges():
        if lock in (held, taken):
            for witness in graph.witnesses(held, taken):
                for side in (witness.held, witness.taken):
                    if side.lock == lock and side.instance is not None and side.instance.absolute:
                        found.add(side.instance.owner)
    return found


def _both(witness: EdgeWitness) -> tuple[str, str]:
    return witness.held.lock, witness.taken.lock


def _readers_only_somewhere(cycle: Cycle) -> bool:
    following = (*cycle.witnesses[1:], cycle.witnesses[0])
    return any(
        a.taken.mode is Mode.SHARED and b.held.mode is Mode.SHARED
        for a, b in zip(cycle.witnesses, following, strict=True)
    )


def _participant(
    witness: EdgeWitness, graph: LockGraph, told: Collection[EdgeWitness] = ()
) -> Participant:
    """One side; those *told* as sides of their own are not named with it."""
    known = {_entry(w) for w in (witness, *told) if _both(w) == _both(witness)}
    same = map(_entry, graph.witnesses(witness.held.lock, witness.taken.lock))
    others = [entry for entry in dict.fromkeys(same) if entry not in known]
    return Participant(
        who=witness.thread or witness.held.chain[0].function,
        held=(witness.held,),
        taken=witness.taken,
        also=len(others),
        others=tuple(others[:MAX_OTHERS]),
    )


def _entry(witness: EdgeWitness) -> str:
    first = witness.taken.chain[0]
    return f"{first.function} ({first.file}:{first.line})"


def _fix(cycle: Cycle, names: list[str]) -> str:
    cpp = not all(w.taken.chain[-1].file.endswith((".c", *PYTHON)) for w in cycle.witnesses)
    if len(set(names)) == 1:
        if cpp:
            return (
                f"take both with std::scoped_lock, or always the lower address of {names[0]} first"
            )
        return f"take both {names[0]} in an order that does not depend on who asks: by a number"
    outer = max(cycle.witnesses, key=lambda w: len(w.taken.chain))
    call = _first_call(outer.taken)
    if cycle.seen:
        call = call_beyond(outer.held.chain, outer.taken.chain)
    held = names[cycle.witnesses.index(outer)]
    if call:
        return f"call {call} after {held} is released, or take the locks in one order everywhere"
    together = ", or together with std::scoped_lock" if cpp else ""
    return f"take the locks in one order everywhere{together}"


def _first_call(taken: Acquisition) -> str:
    return taken.chain[1].function if len(taken.chain) > 1 else ""
