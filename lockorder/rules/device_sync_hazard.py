"""A call that synchronises the device can meet an NCCL launch that is half done.

## What it does
Reports calls that implicitly wait for all work on a device (cudaFree, cudaMalloc, cudaFreeHost,
cudaHostAlloc, module loading, ...) where another thread can be inside an NCCL launch region
(ncclGroupStart to ncclGroupEnd, or a collective) and no lock is held around both.

## Why it hangs
An NCCL kernel waits on the GPU for its peers. A process that drives several ranks launches them
one by one; if another of its threads synchronises a device between two launches, the sync waits
for the kernel that is running, the kernel waits for its peer, and the peer's launch waits behind
the sync. A lock on one side only does not help.

A process that is one rank of one communicator has no such launch: what was recorded of it is a
note.

This is why PyTorch's allocator had a mutex that collectives held while they launched, the one of
#22173: its reviewers found that NCCL 2 does not remove the race where launches are sequential, so
the mutex could be held for a shorter time, but not dropped.

## Example
```cpp
#include <nccl.h>
#include <thread>

static ncclComm_t comms[2];
static cudaStream_t streams[2];
static float *gradients[2];
static void *block;

static void all_reduce()
{
    ncclGroupStart();
    for (int i = 0; i < 2; ++i)
        ncclAllReduce(gradients[i], gradients[i], 1024, ncclFloat, ncclSum, comms[i], streams[i]);
    ncclGroupEnd();
}

int main()
{
    std::thread worker(all_reduce);
    cudaFree(block);                    // waits for the device, perhaps between two launches
    worker.join();
}
```

## Instead
Hold one mutex around both the launch region and the synchronising call, or use stream-ordered
allocation (cudaMallocAsync, cudaFreeAsync), which does not synchronise.

```cpp
#include <mutex>
#include <nccl.h>
#include <thread>

static std::mutex order;                // NCCL launches against calls that synchronise the device
static ncclComm_t comms[2];
static cudaStream_t streams[2];
static float *gradients[2];
static void *block;

static void all_reduce()
{
    std::lock_guard<std::mutex> hold(order);
    ncclGroupStart();
    for (int i = 0; i < 2; ++i)
        ncclAllReduce(gradients[i], gradients[i], 1024, ncclFloat, ncclSum, comms[i], streams[i]);
    ncclGroupEnd();
}

static void trim()
{
    std::lock_guard<std::mutex> hold(order);
    cudaFree(block);
}

int main()
{
    std::thread worker(all_reduce);
    trim();
    worker.join();
}
```

## References
* NCCL User Guide, "Group Calls":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/groups.html
* CUDA Runtime API, "API synchronization behavior":
  https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html
* PyTorch: https://github.com/pytorch/pytorch/pull/22173
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import (
    Acquisition,
    Confidence,
    Finding,
    Level,
    LockGraph,
    Participant,
    fingerprint,
)
from lockorder.rules.causes import of_other
from lockorder.rules.evidence import DeviceSync, Doing, Evidence, seen_in

ID = "device-sync-hazard"
LEVEL = Level.WARNING
#: A launch without a lock around it can be met by every allocation of the program.
causes = of_other


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each synchronising call."""
    for hazard in evidence.observed.device_syncs:
        yield _finding(hazard, evidence.graph)


def _finding(hazard: DeviceSync, graph: LockGraph) -> Finding:
    sync, launch = hazard.sync, hazard.launch
    reason = "threads for both are started in the sources"
    if hazard.seen:
        reason = "both were recorded, in two threads, with no lock held around both"
        if hazard.alone:
            reason += "; the process is one rank of one communicator, so that no rank's launch can "
            reason += "wait behind the other call"
    elif not hazard.certain:
        reason = "no thread is started here for one of the two: callers may have only one"
    return Finding(
        rule=ID,
        level=Level.NOTE if hazard.alone else LEVEL,
        confidence=Confidence.HIGH if hazard.certain else Confidence.MEDIUM,
        reason=reason,
        message=f"{sync.call} synchronises the device and can meet {launch.call} in another "
        "thread, with no lock around both" + seen_in(hazard.seen),
        fix=f"hold one lock around {sync.call} and the launch, or use stream-ordered allocation",
        locks=tuple(sorted({h.lock for h in (*sync.held, *launch.held)})),
        participants=(
            participant(sync, f"{sync.call}, for the whole device", graph),
            participant(launch, f"the launch by {launch.call}", graph),
        ),
        fingerprint=fingerprint(ID, (), (sync.call, sync.chain[-1].function)),
    )


def participant(doing: Doing, waits: str, graph: LockGraph) -> Participant:
    """One side, with the locks it holds."""
    held = tuple(
        Acquisition(h.lock, (), h.mode, instance=h.instance)
        for h in doing.held
        if h.lock in graph.locks
    )
    return Participant(who=doing.who, held=held, waits=waits, chain=doing.chain)
