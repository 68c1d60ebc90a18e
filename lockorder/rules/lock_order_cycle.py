"""Two or more threads take the same locks in orders that can leave each waiting for the next.

## What it does
Builds the lock-order graph (an edge A -> B wherever B is taken while A is held, through any chain
of calls) and reports each cycle that threads can really close: every wait is for a lock that the
next thread holds, the threads are distinct, and no gate lock keeps them apart. Waits with a time
limit make it a note; try-lock makes no waiting edge; readers alone do not block each other.

A declared order (`order = ["A", "B"]` in the configuration, ACQUIRED_BEFORE and ACQUIRED_AFTER in
the sources) is one side of such a cycle before any code is: whoever takes A while holding B is
reported, with the declaration as the other side, even if nothing takes A then B yet.

## Why it hangs
Thread 1 holds A and waits for B; thread 2 holds B and waits for A. Neither ever gives up what it
holds. It needs the two to meet in a window of a few instructions, so it passes every test and
stops one job in a thousand after a week. In PyTorch (#22173, 2019) a collective held the mutex
that orders cudaFree against NCCL launches and called back into the caching allocator, which takes
its own mutex; the allocator, holding that one, took the first to free its cached blocks.

## Example
    void Group::launch() {                 void Allocator::empty() {
      lock_guard<mutex> order(free_);        lock_guard<mutex> hold(mutex_);
      allocator.record(stream);  // mutex_   release();                 // takes free_
    }                                      }

## Instead
Choose one order and keep it: take the second lock before the first, or do the call that takes it
after the first is released (collect under the lock, act after it). Where both are needed at once,
take them together with std::scoped_lock. Callbacks, destructors and virtual calls under a lock
are the usual hidden half: move them out of it.

## References
Coffman, Elphick, Shoshani, "System Deadlocks", Computing Surveys 1971. Linux lockdep
(Documentation/locking/lockdep-design.rst). Havelund, "Using Runtime Analysis to Guide Model
Checking of Java Programs", SPIN 2000.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lockorder.cycles import Cycle
from lockorder.model import (
    DECLARED,
    Acquisition,
    Confidence,
    EdgeWitness,
    Finding,
    Level,
    LockGraph,
    Mode,
    Participant,
    fingerprint,
)
from lockorder.rules.broken_orders import Violation, violations
from lockorder.rules.evidence import Evidence

ID = "lock-order-cycle"
LEVEL = Level.ERROR
_CONFIDENCE = {3: Confidence.HIGH, 2: Confidence.MEDIUM, 1: Confidence.LOW}
#: Further places of one order that are named in a finding; the rest are only counted.
MAX_OTHERS = 4


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each minimal feasible cycle, and for each broken order that is on none."""
    broken = {(v.witness.held.lock, v.witness.taken.lock): v for v in violations(evidence)}
    for cycle in evidence.cycles.cycles:
        yield _finding(cycle, evidence.graph, broken)
    for edge, violation in broken.items():
        if not any(
            edge in cycle.edges and (violation.timed or not cycle.timed)
            for cycle in evidence.cycles.cycles
        ):
            yield _of_declared(violation, evidence.graph)


def _finding(
    cycle: Cycle, graph: LockGraph, broken: Mapping[tuple[str, str], Violation]
) -> Finding:
    names = [graph.locks[lock].name for lock in cycle.locks]
    confidence, reason = _confidence(cycle, graph)
    level = Level.NOTE if cycle.timed else Level.ERROR
    return Finding(
        rule=ID,
        level=level,
        confidence=confidence,
        reason=reason,
        message=_message(names, cycle.timed) + _declared(cycle, graph, broken),
        fix=_fix(cycle, names),
        locks=cycle.locks,
        participants=tuple(_participant(w, graph) for w in cycle.witnesses),
        fingerprint=fingerprint(ID, sorted(cycle.locks), ()),
    )


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


def _of_declared(violation: Violation, graph: LockGraph) -> Finding:
    """The finding for an order that is broken and that nothing in the sources follows."""
    witness = violation.witness
    held, taken = (graph.locks[x.lock].name for x in (witness.held, witness.taken))
    tail = "; the wait has a time limit" if violation.timed else ""
    call = _first_call(witness.taken)
    released = f"call {call} after {held} is released" if call else f"release {held} first"
    return Finding(
        rule=ID,
        level=Level.NOTE if violation.timed else Level.ERROR,
        confidence=_CONFIDENCE[witness.certainty],
        reason=witness.why or "every step is resolved, and the order is declared",
        message=f"{taken} is taken while {held} is held, but {violation.order(graph)}{tail}",
        fix=f"take {taken} before {held}, or {released}",
        locks=(witness.held.lock, witness.taken.lock),
        participants=(violation.declared(), _participant(witness, graph)),
        fingerprint=fingerprint(ID, sorted((witness.held.lock, witness.taken.lock)), (DECLARED,)),
    )


def _confidence(cycle: Cycle, graph: LockGraph) -> tuple[Confidence, str]:
    certainty = min(w.certainty for w in cycle.witnesses)
    reasons = sorted({w.why for w in cycle.witnesses if w.why and w.certainty == certainty})
    if len(set(cycle.locks)) == 1:
        certainty = min(certainty, 2)
        reasons.append("nothing shows in which order two objects of this class are taken")
    if _readers_only_somewhere(cycle):
        certainty = min(certainty, 2)
        reasons.append("two readers block each other only while a writer waits between them")
    if not reasons:
        reasons.append("every step of every side is resolved, and no lock is common to all sides")
    return _CONFIDENCE[certainty], "; ".join(reasons)


def _readers_only_somewhere(cycle: Cycle) -> bool:
    following = (*cycle.witnesses[1:], cycle.witnesses[0])
    return any(
        a.taken.mode is Mode.SHARED and b.held.mode is Mode.SHARED
        for a, b in zip(cycle.witnesses, following, strict=True)
    )


def _participant(witness: EdgeWitness, graph: LockGraph) -> Participant:
    same = [
        w
        for w in graph.witnesses(witness.held.lock, witness.taken.lock)
        if _entry(w) != _entry(witness)
    ]
    others = list(dict.fromkeys(_entry(w) for w in same))
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
    if len(set(names)) == 1:
        return f"take both with std::scoped_lock, or always the lower address of {names[0]} first"
    outer = max(cycle.witnesses, key=lambda w: len(w.taken.chain))
    call = _first_call(outer.taken)
    held = names[cycle.witnesses.index(outer)]
    if call:
        return f"call {call} after {held} is released, or take the locks in one order everywhere"
    return "take the locks in one order everywhere, or together with std::scoped_lock"


def _first_call(taken: Acquisition) -> str:
    return taken.chain[1].function if len(taken.chain) > 1 else ""
