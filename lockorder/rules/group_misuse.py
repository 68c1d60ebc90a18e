"""A call that does not belong between ncclGroupStart and ncclGroupEnd.

## What it does
Reports, inside a group: waiting for a stream, an event or the device; and the creation of a
communicator in one group with collectives or point-to-point calls. Several ncclCommInitRank
alone in a group are how one thread initialises several GPUs, and are fine. In a recorded run, calls
that were made while their thread had a group open.

## Why it hangs
What is issued in a group is launched by ncclGroupEnd. Waiting for the stream before that waits
for work that is not there (or for other work whose partner is in this very group). Initialisation
needs all ranks to arrive, and is not merged with other calls of a group.

Often the wait is not to be seen at the call: a logging or timing helper that synchronises a stream
is called between the two, several functions away.

## Example
```cpp
#include <nccl.h>

void exchange(float *out, float *in, int peer, ncclComm_t comm, cudaStream_t stream)
{
    ncclGroupStart();
    ncclSend(out, 1024, ncclFloat, peer, comm, stream);
    cudaStreamSynchronize(stream);      // the send has not been launched
    ncclRecv(in, 1024, ncclFloat, peer, comm, stream);
    ncclGroupEnd();
}
```

## Instead
Synchronise after ncclGroupEnd; initialise in a group of its own.

```cpp
#include <nccl.h>

void exchange(float *out, float *in, int peer, ncclComm_t comm, cudaStream_t stream)
{
    ncclGroupStart();
    ncclSend(out, 1024, ncclFloat, peer, comm, stream);
    ncclRecv(in, 1024, ncclFloat, peer, comm, stream);
    ncclGroupEnd();
    cudaStreamSynchronize(stream);
}
```

## References
* NCCL User Guide, "Group Calls":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/groups.html
* NCCL User Guide, "Creating a Communicator":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Confidence, Finding, Level, Participant, fingerprint
from lockorder.rules.evidence import Evidence, seen_in

ID = "group-misuse"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each call and group."""
    for misuse in evidence.observed.misuses:
        who = misuse.who or misuse.begin[0].function
        yield Finding(
            rule=ID,
            level=LEVEL,
            confidence=Confidence.HIGH,
            reason="recorded between the begin of the group and its end"
            if misuse.seen
            else "the call is reached between the begin of the group and its end",
            message=f"{misuse.call} inside an {misuse.group} {misuse.problem}"
            + seen_in(misuse.seen),
            fix=f"call {misuse.call} outside the group",
            locks=(),
            participants=(
                Participant(
                    who=who, held=(), waits=f"the {misuse.group} it begins", chain=misuse.begin
                ),
                Participant(who=who, held=(), waits=misuse.call, chain=misuse.chain),
            ),
            fingerprint=fingerprint(ID, (), (misuse.call, misuse.chain[-1].function)),
        )
