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

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules import cycle_story
from lockorder.rules.broken_orders import violations
from lockorder.rules.evidence import Evidence

ID = "lock-order-cycle"
LEVEL = Level.ERROR


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each minimal feasible cycle, and for each broken order that is on none.

    Cycles through Python's global interpreter lock are told by their own rule.
    """
    broken = {(v.witness.held.lock, v.witness.taken.lock): v for v in violations(evidence)}
    again = {a.held.lock for a in evidence.observed.self_acquisitions if a.certainty > 1}
    for cycle in cycle_story.minimal(evidence.cycles.cycles):
        if len(set(cycle.locks)) == 1 and cycle.locks[0] in again:
            continue  # the two objects are one: self-deadlock tells it
        if not cycle_story.through_gil(cycle, evidence.graph):
            yield cycle_story.finding(ID, cycle, evidence.graph, broken)
    for edge, violation in broken.items():
        if not any(
            edge in cycle.edges and (violation.timed or not cycle.timed)
            for cycle in evidence.cycles.cycles
        ):
            yield cycle_story.of_declared(ID, violation, evidence.graph)
