"""Two or more threads take the same locks in orders that can leave each waiting for the next.

## What it does
Builds the lock-order graph (an edge A -> B wherever B is taken while A is held, through any chain
of calls) and reports each cycle that threads can really close: every wait is for a lock that the
next thread holds, the threads are distinct, and no gate lock keeps them apart. Waits with a time
limit make it a note; try-lock makes no waiting edge; readers alone do not block each other. Where
one side takes both locks of one object, and the other goes from an object to a younger one (to what
it has made and keeps), they never meet: no object is below itself. A side that happens only while
an initialiser runs, once, makes a cycle less sure, and so does a side that waits for a recursive
lock where it has one of that class already, which may be the same by another name. A cycle of low
confidence is a warning. Cycles that share a side (the same order at the same places) are told as
one, the surest of them.

A declared order (`order = ["A", "B"]` in the configuration, ACQUIRED_BEFORE and ACQUIRED_AFTER in
the sources) is one side of such a cycle before any code is: whoever takes A while holding B is
reported, with the declaration as the other side, even if nothing takes A then B yet.

## Why it hangs
Thread 1 holds A and waits for B; thread 2 holds B and waits for A. Neither ever gives up what it
holds. It needs the two to meet in a window of a few instructions, so it passes every test and
stops one job in a thousand after a week.

PyTorch #22173 (2019): a collective held the mutex that orders cudaFree against NCCL launches and
called back into the caching allocator, which takes its own mutex; the allocator, holding that one,
took the first to free its cached blocks. The merged fix (#23040) moved the call out of the loop,
but two lambdas still made it under the mutex, so the cycle stayed until #27361 took the mutex out
of the allocator.

## Example
```cpp
#include <mutex>

struct Allocator {
    std::mutex mutex;
    std::mutex free_mutex;              // orders cudaFree against NCCL launches

    void record_stream() { std::lock_guard<std::mutex> hold(mutex); }

    void collective()                   // thread 1: free_mutex, then mutex
    {
        std::lock_guard<std::mutex> no_frees(free_mutex);
        record_stream();
    }

    void empty_cache()                  // thread 2: mutex, then free_mutex
    {
        std::lock_guard<std::mutex> hold(mutex);
        std::lock_guard<std::mutex> no_frees(free_mutex);
    }
};
```

## Instead
Choose one order and keep it: take the second lock before the first, or do the call that takes it
before or after the first is held (collect under the lock, act after it). Where both are needed at
once, take them together with std::scoped_lock. Callbacks, destructors and virtual calls under a
lock are the usual hidden half: move them out of it.

```cpp
#include <mutex>

struct Allocator {
    std::mutex mutex;
    std::mutex free_mutex;

    void record_stream() { std::lock_guard<std::mutex> hold(mutex); }

    void collective()
    {
        record_stream();                // before free_mutex is held
        std::lock_guard<std::mutex> no_frees(free_mutex);
    }

    void empty_cache() { std::scoped_lock both(mutex, free_mutex); }
};
```

## References
* PyTorch: https://github.com/pytorch/pytorch/pull/22173, the whole story in
  docs/case-studies/pytorch-22173.md
* Coffman, Elphick, Shoshani, "System Deadlocks", ACM Computing Surveys 3(2), 1971:
  https://doi.org/10.1145/356586.356588
* Linux lockdep: https://docs.kernel.org/locking/lockdep-design.html
* Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs", SPIN 2000 (gate
  locks, and cycles that one thread cannot close)
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules import cycle_story
from lockorder.rules.broken_orders import violations
from lockorder.rules.causes import of_cycle
from lockorder.rules.evidence import Evidence

ID = "lock-order-cycle"
LEVEL = Level.ERROR
causes = of_cycle


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each minimal feasible cycle, and for each broken order that is on none.

    Cycles through Python's global interpreter lock are told by their own rule.
    """
    broken = {(v.witness.held.lock, v.witness.taken.lock): v for v in violations(evidence)}
    for cycle in evidence.cycles.cycles:
        if not cycle_story.through_gil(cycle, evidence.graph):
            yield cycle_story.finding(ID, cycle, evidence.graph, broken)
    for edge, violation in broken.items():
        if not any(
            edge in cycle.edges and (violation.timed or not cycle.timed)
            for cycle in evidence.cycles.cycles
        ):
            yield cycle_story.of_declared(ID, violation, evidence.graph)
