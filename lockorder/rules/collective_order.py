"""Several threads issue collectives on one communicator, and nothing orders them.

## What it does
Reports two collectives on the same communicator (a member or a global) that are issued from two
threads, or from one function that several threads run, with no lock held around both.

## Why it hangs
All ranks must issue the collectives of a communicator in the same order. Two threads race on each
rank by itself: rank 0 issues bucket 1 before bucket 2, rank 1 the other way round, and each waits
for the other's partner. Besides, NCCL allows one thread at a time on a communicator.

The review of PyTorch #3435 (2017) caught it before it was merged: the backward pass has several
threads, so two processes could finish two buckets of gradients in different orders and reduce them
so. One reduction thread with one queue came instead; the reviewer's next question was what makes
the queue's order the same in all processes.

## Example
```cpp
#include <nccl.h>
#include <thread>

static ncclComm_t comm;
static cudaStream_t stream;
static float *buckets[2];

static void reduce(float *bucket)
{
    ncclAllReduce(bucket, bucket, 1024, ncclFloat, ncclSum, comm, stream);
}

int main()
{
    std::thread first(reduce, buckets[0]);
    std::thread second(reduce, buckets[1]);
    first.join();
    second.join();
}
```

## Instead
Issue from one thread (a queue with one worker), in an order that is the same on all ranks; or give
each thread its own communicator. A lock makes the calls safe, and silences this rule, but the order
of the two must still be agreed between the ranks.

```cpp
#include <nccl.h>
#include <thread>

static ncclComm_t comm;
static cudaStream_t stream;
static float *buckets[2];

static void reduce_all()                // by index: the same order on every rank
{
    for (float *bucket : buckets)
        ncclAllReduce(bucket, bucket, 1024, ncclFloat, ncclSum, comm, stream);
}

int main()
{
    std::thread reducer(reduce_all);
    reducer.join();
}
```

## References
* NCCL User Guide, "Thread Safety":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/threadsafety.html
* NCCL User Guide, "Using multiple NCCL communicators concurrently":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html
* PyTorch: https://github.com/pytorch/pytorch/pull/3435
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
