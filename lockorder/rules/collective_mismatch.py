"""Ranks disagree on the n-th operation of a communicator, or one never came to it.

## What it does
Compares what all ranks issued on each communicator, operation by operation, and tells the first
one on which they part: another operation, count, type, reduction or root, or a rank that never
issued it. Sends and receives are compared pair by pair of ranks: the k-th send from a to b with
the k-th receive of b from a. Recorded runs have whole sequences, flight-recorder dumps the newest
operations. What only one rank had issued when the run was cut off is a note: it may just have been
late.

## Why it hangs
A collective is over when all ranks have come to it. If one rank's n-th operation is another, each
side waits for the other for ever; if only the counts differ, some ranks wait for data that nobody
sends, or memory is overwritten.

The usual causes are a rank that skips or adds a step by itself (one has no data left, one logs a
metric), and threads that issue in the order in which they happen to be ready, an order of its own
on each rank (the review of PyTorch #3435).

## Example
```cpp
#include <nccl.h>

void step(int rank, float *a, float *b, ncclComm_t comm, cudaStream_t stream)
{
    if (rank == 0) {
        ncclAllReduce(a, a, 100, ncclFloat, ncclSum, comm, stream);
        ncclAllReduce(b, b, 200, ncclFloat, ncclSum, comm, stream);
    } else {
        ncclAllReduce(b, b, 200, ncclFloat, ncclSum, comm, stream);
        ncclAllReduce(a, a, 100, ncclFloat, ncclSum, comm, stream);
    }
}
```

## Instead
Issue collectives in an order that only depends on what all ranks know: from one thread, sorted by
an index that they share. Decide about skipping one by a value that was itself reduced.

```cpp
#include <nccl.h>

void step(float *a, float *b, ncclComm_t comm, cudaStream_t stream)
{
    ncclAllReduce(a, a, 100, ncclFloat, ncclSum, comm, stream);
    ncclAllReduce(b, b, 200, ncclFloat, ncclSum, comm, stream);
}
```

## References
* NCCL User Guide, "Collective Operations":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/collectives.html
* PyTorch tutorial, "Flight Recorder for Debugging Stuck Jobs":
  https://docs.pytorch.org/tutorials/unstable/flight_recorder_tutorial.html
* PyTorch: https://github.com/pytorch/pytorch/pull/3435
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.collectives.blame import Blame, Wait
from lockorder.collectives.compare import Divergence, Side, divergences
from lockorder.collectives.gather import Gathered, Gathering, Rank
from lockorder.collectives.peers import PeerMismatch, mismatches
from lockorder.model import (
    Confidence,
    End,
    Finding,
    Level,
    Operation,
    Participant,
    Table,
    fingerprint,
    ordinal,
)
from lockorder.rules import collective_places
from lockorder.rules.evidence import Evidence
from lockorder.rules.rank_story import (
    absent,
    at,
    communicator,
    function,
    last_step,
    operation,
    place,
    ranks_of,
)

ID = "collective-mismatch"
LEVEL = Level.ERROR
#: Columns of the table; ranks beyond are only counted.
MAX_SIDES = 6


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each communicator whose ranks part, and for each pair that does."""
    yield from collective_places.apart(evidence)
    gathering = evidence.communication
    if gathering is None:
        return
    parted = list(divergences(gathering))
    blame = Blame(parted)
    for there, found in parted:
        if not blame.in_circle(found):
            yield _collective(gathering, there, found, blame.instead(found))
    for there, message in mismatches(gathering):
        yield _message(gathering, there, message)


def _collective(
    gathering: Gathering, there: Gathered, found: Divergence, instead: Wait | None
) -> Finding:
    issued = [s for s in found.sides if s.operation is not None]
    missing = [s for s in found.sides if s.operation is None]
    about = f"operation {found.number:,} of the {communicator(there)}"
    if found.differs:
        level, confidence, reason = LEVEL, Confidence.HIGH, "compared operation by operation"
        said = [
            f"{ranks_of(there, s.ranks)} issued {operation(s.operation)}{at(s.operation)}"
            for s in issued[:3]
        ]
        message = f"ranks disagree on {about}: {', '.join(said)}"
        fix = (
            "issue the operations of a communicator in one order on all ranks, with the same "
            + ", ".join(found.differs if found.differs != ("name",) else ("operation",))
        )
    else:
        waiting = [r for s in issued for r in s.ranks]
        level, confidence, reason = _never_came(gathering, waiting, found.sure)
        verb = "never came" if level is LEVEL else "had not come"
        message = (
            f"{ranks_of(there, [r for s in missing for r in s.ranks])} {verb} to {about}: "
            f"{ranks_of(there, waiting)} issued {operation(issued[0].operation)}"
            f"{at(issued[0].operation)}"
        )
        fix = "let every rank of the communicator issue it, or none"
        if instead is not None:
            level = Level.NOTE
            reason = "it follows from another wait"
            message += (
                f"; {ranks_of(instead.there, [instead.rank])} waits in operation "
                f"{instead.found.number:,} of the {instead.there.name} for "
                f"{ranks_of(instead.there, instead.missing)}"
            )
            fix = "see what keeps those ranks from coming"
    return Finding(
        rule=ID,
        level=level,
        confidence=confidence,
        reason=reason,
        message=message + absent(there),
        fix=fix,
        locks=(),
        participants=tuple(_side(gathering, there, s, found) for s in found.sides[:MAX_SIDES]),
        fingerprint=fingerprint(
            ID, (there.name,), sorted({function(s.operation) for s in found.sides})
        ),
        table=_table(there, found),
    )


def _never_came(
    gathering: Gathering, waiting: list[Rank], ended: bool
) -> tuple[Level, Confidence, str]:
    ends = {gathering.logs[r.log].end for r in waiting}
    if ended:
        return LEVEL, Confidence.HIGH, "it had ended, and would not have come any more"
    if End.STUCK in ends:
        return LEVEL, Confidence.HIGH, "nothing had moved for a time when the job was looked at"
    if End.UNKNOWN in ends:
        return LEVEL, Confidence.MEDIUM, "dumps are made when an operation is overdue"
    return Level.NOTE, Confidence.LOW, "the run was cut off, and it may just have been behind"


def _side(gathering: Gathering, there: Gathered, side: Side, found: Divergence) -> Participant:
    first = min(side.ranks, key=lambda r: (there.label(r), r.log))
    log = gathering.logs[first.log]
    if side.operation is None:
        before = (
            side.context[found.number - found.begin - 1] if found.number > found.begin else None
        )
        stands = last_step(gathering, log)
        return Participant(
            who=ranks_of(there, side.ranks),
            held=(),
            waits=f"no operation {found.number:,}; {side.total:,} issued"
            + (f"; {stands}" if stands else ""),
            chain=before.chain if before is not None else (),
        )
    thread = f" by thread {side.operation.thread}" if side.operation.thread else ""
    return Participant(
        who=ranks_of(there, side.ranks),
        held=(),
        waits=f"{operation(side.operation)}, its {ordinal(found.number)}{thread}",
        chain=side.operation.chain,
    )


def _table(there: Gathered, found: Divergence) -> Table:
    sides = found.sides[:MAX_SIDES]
    more = len(found.sides) - len(sides)
    columns = ["operation", *(ranks_of(there, s.ranks) for s in sides)]
    rows = []
    for index, number in enumerate(range(found.begin, found.begin + len(sides[0].context))):
        cells = [_cell(s.context[index], s.total >= number) for s in sides]
        if number > found.number and not any(s.context[index] for s in sides):
            continue
        rows.append((f"{'>' if number == found.number else ' '} {number:,}", *cells))
    if more:
        columns.append(f"and {more} more")
        rows = [(*row, "") for row in rows]
    return Table(tuple(columns), tuple(rows))


def _cell(what: Operation | None, issued: bool) -> str:
    if what is None:
        return "(not kept)" if issued else "-"
    where = place(what)
    return operation(what) + (f"\n  at {where}" if where else "")


# -- messages -------------------------------------------------------------------------------------


def _message(gathering: Gathering, there: Gathered, found: PeerMismatch) -> Finding:
    sender, receiver = ranks_of(there, [found.sender]), ranks_of(there, [found.receiver])
    about = f"{ordinal(found.number)} message from {sender} to {receiver} on the "
    about += communicator(there)
    send, receive = found.send, found.receive
    if send is not None and receive is not None:
        level, confidence, reason = LEVEL, Confidence.HIGH, "compared message by message"
        message = f"the {about} is sent as {_content(send)} and received as {_content(receive)}"
        fix = f"send and receive with the same {' and '.join(found.differs)}"
    else:
        waiting = found.receiver if send is None else found.sender
        level, confidence, reason = _never_came(gathering, [waiting], found.sure)
        missing = "received and never sent" if send is None else "sent and never received"
        message = f"the {about} is {missing}"
        fix = "give each send its receive, on all ways through the program"
    return Finding(
        rule=ID,
        level=level,
        confidence=confidence,
        reason=reason,
        message=message,
        fix=fix,
        locks=(),
        participants=(
            _end(gathering, found.sender, sender, send),
            _end(gathering, found.receiver, receiver, receive),
        ),
        fingerprint=fingerprint(ID, (there.name, "message"), (function(send), function(receive))),
    )


def _content(what: Operation) -> str:
    return f"{what.count:,} {what.type}".rstrip() if what.count >= 0 else what.type


def _end(gathering: Gathering, rank: Rank, who: str, what: Operation | None) -> Participant:
    if what is not None:
        return Participant(who=who, held=(), waits=operation(what), chain=what.chain)
    stands = last_step(gathering, gathering.logs[rank.log])
    return Participant(who=who, held=(), waits=stands or "nothing that is known")
