"""ncclGroupStart without its ncclGroupEnd on some path.

## What it does
Follows groups of calls as it follows locks: a path (early return, error-check macro, exception)
on which a group that was begun is not ended, where other paths end it; and functions that never
end what they begin where nothing in the sources does it for them. RAII groups and pairs of begin
and end functions are understood. In a recorded run: a thread that ended, or ended the process, with
a group open, and an ncclGroupEnd that NCCL refused since no group was open.

## Why it hangs
Between ncclGroupStart and ncclGroupEnd nothing is launched. A group that stays open swallows
every later collective of the thread; the peers launch theirs and wait for ever, far from the
place where the error was handled.

In PyTorch 1.13.1, all2all and scatter of torch/csrc/cuda/nccl.cpp throw for a type that NCCL does
not know, between the two calls; whoever catches the exception and goes on has a group open
(docs/case-studies/findings.md).

## Example
```cpp
#include <nccl.h>

bool reduce_all(float **data, ncclComm_t *comms, cudaStream_t *streams, int n)
{
    ncclGroupStart();
    for (int i = 0; i < n; ++i)
        if (ncclAllReduce(data[i], data[i], 1024, ncclFloat, ncclSum, comms[i], streams[i])
            != ncclSuccess)
            return false;               // the group stays open
    ncclGroupEnd();
    return true;
}
```

## Instead
A guard whose destructor calls ncclGroupEnd, or one exit that always does.

```cpp
#include <nccl.h>

bool reduce_all(float **data, ncclComm_t *comms, cudaStream_t *streams, int n)
{
    ncclResult_t result = ncclSuccess;
    ncclGroupStart();
    for (int i = 0; i < n && result == ncclSuccess; ++i)
        result = ncclAllReduce(data[i], data[i], 1024, ncclFloat, ncclSum, comms[i], streams[i]);
    ncclResult_t launched = ncclGroupEnd();
    return result == ncclSuccess && launched == ncclSuccess;
}
```

## References
* NCCL User Guide, "Group Calls":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/groups.html
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Confidence, Finding, Level, Participant, fingerprint
from lockorder.rules.causes import of_kept
from lockorder.rules.evidence import Evidence, OpenGroup, StrayGroupEnd, seen_in
from lockorder.rules.lock_not_released import story

ID = "group-imbalance"
LEVEL = Level.WARNING
causes = of_kept


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each way out of a group that stays open."""
    for kept in evidence.observed.kept:
        if kept.group:
            name = kept.taken.lock
            yield story(ID, kept, name, f"the {name} stays open", "end the group", ())
    for left in evidence.observed.open_groups:
        yield _left_open(left)
    for stray in evidence.observed.stray_ends:
        yield _stray(stray)


def _left_open(left: OpenGroup) -> Finding:
    begin = left.begin[-1]
    sides = [
        Participant(
            who=left.who, held=(), waits=f"the {left.group} it begins here", chain=left.begin
        )
    ]
    if left.chain:
        sides.append(
            Participant(
                who=left.who, held=(), waits=f"its end, with the {left.group} open",
                chain=left.chain,
            )
        )  # fmt: skip
    return _recorded(
        "recorded in a run",
        f"the {left.group} begun in {begin.function} is still open when {left.leaves}"
        + seen_in(left.seen),
        "end the group on every way out, or use a guard",
        sides,
        left.group,
    )


def _stray(stray: StrayGroupEnd) -> Finding:
    place = stray.chain[-1]
    side = Participant(
        who=stray.who, held=(), waits=f"{stray.call}, with no group open", chain=stray.chain
    )
    return _recorded(
        "recorded in a run; NCCL refused the call",
        f"{stray.call} in {place.function} ends an {stray.group} that its thread has not"
        f" begun{seen_in(stray.seen)}",
        "begin and end a group in one thread, once each, or use a guard",
        [side],
        stray.call,
    )


def _recorded(reason: str, message: str, fix: str, sides: list[Participant], what: str) -> Finding:
    """What a run showed; a finding is the same where *what* goes wrong in the same function."""
    return Finding(
        rule=ID,
        level=LEVEL,
        confidence=Confidence.HIGH,
        reason=reason,
        message=message,
        fix=fix,
        locks=(),
        participants=tuple(sides),
        fingerprint=fingerprint(ID, (what,), (sides[0].chain[-1].function,)),
    )
