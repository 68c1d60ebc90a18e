"""Ranks issue operations of several communicators, or messages, in orders that can deadlock.

## What it does
Plays the operations of all ranks as they were issued: one after the other in a stream, a group of
calls at once, each over when all its ranks have come to it. Where ranks are stuck in a circle, each
in an operation that the next only comes to later, that circle is told. It is played a second time
with all of a device's operations in one line: two communicators that are used in streams of their
own must still be used in one order on all ranks.

## Why it hangs
Communicators are to ranks what locks are to threads. Rank 0 is in an operation of A and comes to B
next, rank 1 is in B and comes to A next: neither is ever over. With a stream for each the kernels
may run side by side, until a device has no room for both. A send waits in its stream for its
receive just so, except for small messages, which NCCL may have buffered.

NCCL's guide says so: before 2.26 the operations of several communicators on one device had to be
put into one total order, the same everywhere, or deadlocks could follow.

## Example
```cpp
#include <nccl.h>

void step(int rank, float *x, ncclComm_t tensor, ncclComm_t data, cudaStream_t stream)
{
    ncclComm_t first = rank == 0 ? tensor : data;
    ncclComm_t second = rank == 0 ? data : tensor;
    ncclAllReduce(x, x, 1024, ncclFloat, ncclSum, first, stream);
    ncclAllReduce(x, x, 1024, ncclFloat, ncclSum, second, stream);
}
```

## Instead
Use communicators in one order on all ranks; put sends and receives that belong together into one
group (ncclGroupStart, batch_isend_irecv). NCCL 2.26 and newer can order launches of several
communicators by the order of the host's calls: NCCL_LAUNCH_ORDER_IMPLICIT=1. That order must still
be the same on all ranks.

```cpp
#include <nccl.h>

void step(float *x, ncclComm_t tensor, ncclComm_t data, cudaStream_t stream)
{
    ncclAllReduce(x, x, 1024, ncclFloat, ncclSum, tensor, stream);
    ncclAllReduce(x, x, 1024, ncclFloat, ncclSum, data, stream);
}
```

## References
* NCCL User Guide, "Using multiple NCCL communicators concurrently":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html
* NCCL User Guide, "Point-to-point communication":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/p2p.html
* NCCL User Guide, "Environment Variables":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.collectives.blame import Blame, Wait
from lockorder.collectives.compare import divergences
from lockorder.collectives.gather import Gathering
from lockorder.collectives.order import OrderCycle, Part, order_cycles
from lockorder.collectives.peers import mismatches
from lockorder.model import Confidence, End, Finding, Level, Participant, fingerprint
from lockorder.rules.evidence import Evidence
from lockorder.rules.rank_story import communicator, function, operation, ranks_of, ranks_text

ID = "communicator-order-cycle"
LEVEL = Level.ERROR


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each circle; what a mismatch tells is left out."""
    gathering = evidence.communication
    if gathering is None:
        return
    parted = list(divergences(gathering))
    for circle in Blame(parted).circles:
        yield _waiting(gathering, circle)
    limits = {there.key: found.number for there, found in parted}
    limits.update((f"{there.key}/", 0) for there, _ in mismatches(gathering))
    for cycle in order_cycles(gathering, limits):
        yield _finding(gathering, cycle)


def _finding(gathering: Gathering, cycle: OrderCycle) -> Finding:
    finished = all(gathering.logs[p.log].end is End.FINISHED for p in cycle.parts)
    confidence, reason = Confidence.HIGH, "one stream each, and nobody is late"
    if not cycle.certain:
        confidence = Confidence.MEDIUM
        reason = "in streams of their own: it hangs where a device does not run both at once"
    elif finished:
        confidence = Confidence.MEDIUM
        reason = "in one stream each; this run got through, as small messages do"
    names = list(dict.fromkeys(_name(gathering, p.waits_on) for p in cycle.parts))
    ranks = ranks_text(gathering.logs[p.log].rank for p in cycle.parts)
    what = "sends and receives" if cycle.messages else "operations"
    on = " and the ".join(names)
    return Finding(
        rule=ID,
        level=Level.WARNING if cycle.messages and finished else LEVEL,
        confidence=confidence,
        reason=reason,
        message=f"{ranks} issue {what} of the {on} in orders that can deadlock",
        fix="put the sends and receives into one group on each rank"
        if cycle.messages
        else "issue operations of all communicators in one order on all ranks",
        locks=(),
        participants=tuple(side for p in cycle.parts for side in _sides(gathering, p)),
        fingerprint=fingerprint(
            ID,
            sorted({gathering.communicators[p.waits_on].name for p in cycle.parts}),
            sorted({function(p.waits) for p in cycle.parts}),
        ),
    )


def _waiting(gathering: Gathering, circle: list[Wait]) -> Finding:
    """Ranks that came to communicators in different orders, and waited for each before the next."""
    names = list(dict.fromkeys(communicator(w.there) for w in circle))
    logs = [gathering.logs[w.rank.log] for w in circle]
    level = LEVEL if any(log.end is not End.CUT for log in logs) else Level.WARNING
    sides = []
    for wait in circle:
        (issued,) = (s.operation for s in wait.found.sides if wait.rank in s.ranks)
        sides.append(
            Participant(
                who=ranks_of(wait.there, [wait.rank]),
                held=(),
                waits=f"{operation(issued)}, number {wait.found.number} of the {wait.there.name}, "
                f"to which {ranks_of(wait.there, wait.missing)} has not come",
                chain=issued.chain if issued is not None else (),
            )
        )
    ranks = ranks_text(w.there.label(w.rank) for w in circle)
    return Finding(
        rule=ID,
        level=level,
        confidence=Confidence.HIGH if level is LEVEL else Confidence.LOW,
        reason="each is in an operation that the next has not come to",
        message=f"{ranks} wait for each other in operations of the {' and the '.join(names)}",
        fix="issue operations of all communicators in one order on all ranks",
        locks=(),
        participants=tuple(sides),
        fingerprint=fingerprint(
            ID,
            sorted({w.there.name for w in circle}),
            sorted({p.chain[-1].function for p in sides if p.chain}),
        ),
    )


def _name(gathering: Gathering, key: str) -> str:
    return communicator(gathering.communicators[key])


def _sides(gathering: Gathering, part: Part) -> tuple[Participant, Participant]:
    """What a rank is in, and what it comes to only after that."""
    log = gathering.logs[part.log]
    who = f"rank {log.rank}" if log.rank >= 0 else log.who
    return (
        Participant(
            who=who,
            held=(),
            waits=f"{operation(part.waits)}, number {part.waits_number} of the "
            + gathering.communicators[part.waits_on].name,
            chain=part.waits.chain,
        ),
        Participant(
            who=f"{who}, after that",
            held=(),
            waits=f"{operation(part.holds_up)}, number {part.holds_up_number} of the "
            + gathering.communicators[part.holds_up_on].name,
            chain=part.holds_up.chain,
        ),
    )
