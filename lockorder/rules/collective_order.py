"""Several threads issue collectives on one communicator, and nothing orders them.

## What it does
Reports two collectives on the same communicator (a member or a global) that are issued from two
threads, or from one function that several threads run, with no lock held around both.

## Why it hangs
All ranks must issue the collectives of a communicator in the same order. Two threads race on each
rank by itself: rank 0 issues bucket 1 before bucket 2, rank 1 the other way round, and each waits
for the other's partner. NCCL allows one thread at a time on a communicator at all.

## Example
    void reduce(Bucket& b) { ncclAllReduce(..., comm, stream); }
    std::thread a(reduce, ref(first)), b(reduce, ref(second));

## Instead
Issue from one thread (a queue with one worker), in an order that is the same on all ranks; or give
each thread its own communicator. A lock makes the calls safe, and the order of the two must still
be agreed.

## References
NCCL User Guide, "Using multiple NCCL communicators concurrently" and "Thread Safety"; pytorch#3435.
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Confidence, Finding, Level, fingerprint
from lockorder.rules.device_sync_hazard import participant
from lockorder.rules.evidence import Evidence

ID = "collective-order"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each communicator."""
    for pair in evidence.observed.collectives:
        first, second = pair.first, pair.second
        yield Finding(
            rule=ID,
            level=LEVEL,
            confidence=Confidence.MEDIUM,
            reason="the threads are started in the sources; whether they overlap is not known",
            message=f"{first.call} and {second.call} on {pair.communicator} are issued from "
            "several threads in no fixed order",
            fix=f"issue the collectives on {pair.communicator} from one thread, in one order "
            "on all ranks",
            locks=(),
            participants=(
                participant(first, first.call, evidence.graph),
                participant(second, second.call, evidence.graph),
            ),
            fingerprint=fingerprint(ID, (pair.communicator,), ()),
        )
