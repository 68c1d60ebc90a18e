"""The ranks that everyone else waits for, and why they do not come.

## What it does
Looks at a hung job for ranks that wait in an operation for others, and says for whom: by the
stacks, who is in a collective and who is not, and by what the ranks issued, where a recorded run or
a flight-recorder dump tells (operation n of communicator c, to which rank r never came). What the
rank that is waited for does instead is told with it: the lock that it waits for and who has it,
the circle that it is in, the call that it is in. It is a note, and no deadlock, where that rank
computes, sleeps or is in I/O: in a job that is well, ranks wait for each other in each step.

## Why it hangs
A collective ends when all ranks have come. One that is stuck elsewhere holds up the whole job, and
all that the others show is that they wait: their stacks are all alike, and say nothing of the
cause. PyTorch's tutorial on its flight recorder shows the commonest case, a rank that issues one
operation more than the others.

## Example
```text
rank 0, 1, 3: in all_reduce
rank 2: thread 17 waits for cache_mutex, which thread 18 has; 18 waits for what 17 has
```

```python
if rank == 0:
    dist.all_reduce(metric)  # no other rank comes
dist.all_reduce(gradients)
```

## Instead
Mend what keeps that rank; the others go on by themselves. Where ranks decide by themselves whether
to take part, let all of them decide by one value:

```python
stop = torch.tensor([loader_is_empty], dtype=torch.int32, device=device)
dist.all_reduce(stop, op=dist.ReduceOp.MAX)
if stop.item():  # the same on every rank
    break
dist.all_reduce(gradients)
```

## References
* PyTorch tutorial, "Flight Recorder for Debugging Stuck Jobs":
  https://docs.pytorch.org/tutorials/unstable/flight_recorder_tutorial.html
* NCCL User Guide, "Troubleshooting":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from lockorder.collectives.blame import Blame
from lockorder.collectives.compare import divergences
from lockorder.model import Confidence, End, Finding, Level, Participant, Wait, fingerprint
from lockorder.rules.deadlock import circles, named, story
from lockorder.rules.evidence import Evidence
from lockorder.rules.rank_story import communicator, operation, ranks_of, ranks_text

ID = "stuck-rank"
LEVEL = Level.ERROR
RANKS = "ranks"
#: What is had by a thread until it gives it up. The GIL changes hands all the time.
_LOCKS = ("mutex", "rwlock", "once", "static-init", "python-lock", "spin lock")
#: A process' first thread, by how threads are named.
_FIRST = re.compile(r"\bthread (\d+):\1\b")


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for the ranks that are not where the others wait."""
    waiting: dict[int, Wait] = {}
    others: dict[int, list[Wait]] = defaultdict(list)
    for wait in evidence.waits:
        if wait.kind == RANKS and wait.rank >= 0:
            waiting.setdefault(wait.rank, wait)
    # Who waits for the GPU may wait for what others have not launched, if somebody is stuck.
    dead = {wait.rank for circle in circles(evidence.waits) for wait in circle}
    for wait in evidence.waits:
        if wait.kind == "gpu" and wait.rank >= 0 and dead - {-1, wait.rank}:
            waiting.setdefault(wait.rank, wait)
    for rank in dead:
        waiting.pop(rank, None)
    for wait in evidence.waits:
        if wait.rank >= 0 and wait.rank not in waiting:
            others[wait.rank].append(wait)
    idle = {rank for rank in evidence.ranks if rank not in waiting}
    if waiting and (others or idle):
        yield _by_stacks(evidence, waiting, others, sorted(idle | others.keys()))


def _by_stacks(
    evidence: Evidence,
    waiting: Mapping[int, Wait],
    others: Mapping[int, list[Wait]],
    stuck: list[int],
) -> Finding:
    names = {lock.id: lock.name for lock in evidence.graph.locks.values()}
    among = [circle for circle in circles(evidence.waits) if circle[0].rank in stuck]
    where = sorted({w.lock for w in waiting.values() if w.lock})
    reasons = []
    for circle in among:
        reasons.append(f"rank {circle[0].rank} is deadlocked: {story(circle, names)}")
    told = {wait.who for circle in among for wait in circle}
    for rank in stuck:
        if any(circle[0].rank == rank for circle in among):
            continue
        telling = [w for w in others.get(rank, ()) if w.who not in told and _tells(w)]
        said = [_why(w, names) for w in telling]
        reasons.append(f"rank {rank} {evidence.ranks.get(rank) or 'is elsewhere'}")
        # What a process is at says more than the call that it is in.
        if said and not (evidence.ranks.get(rank) and all(w.kind == "io" for w in telling)):
            reasons[-1] = f"rank {rank}: {'; '.join(said[:3])}"
    collective = f" in {' and '.join(where)}" if where else ""
    known = _operations(evidence, stuck)
    sides = [
        Participant(
            who=ranks_text(waiting), held=(), waits=f"a wait for other ranks{collective}",
            chain=next(iter(waiting.values())).chain,
        )
    ]  # fmt: skip
    for rank in stuck:
        for wait in [w for w in others.get(rank, ()) if _tells(w)][:4]:
            sides.append(
                Participant(who=wait.who, held=(), waits=_why(wait, names), chain=wait.chain)
            )
    # A rank that works, sleeps or waits for the world comes in the end: others wait for it in each
    # step of a job that is well.
    still = {wait.who for wait in evidence.waits}
    sure = bool(among or known)
    serious = sure or any(_holds_up(w, still) for r in stuck for w in others.get(r, ()))
    return Finding(
        rule=ID,
        level=LEVEL if serious else Level.NOTE,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        reason="the others' stacks are in calls that wait for all ranks"
        + (f"; {known}" if known else ""),
        message=("" if serious else "not a deadlock: ")
        + f"{ranks_text(waiting)} {'wait' if len(waiting) > 1 else 'waits'}{collective} for "
        f"{ranks_text(stuck)}: " + "; ".join(reasons),
        fix=f"see what keeps {ranks_text(stuck)} from coming",
        locks=tuple(dict.fromkeys(w.lock for c in among for w in c if w.lock)),
        participants=tuple(sides),
        fingerprint=fingerprint(ID, where, sorted(f.function for s in sides for f in s.chain[-1:])),
    )


def _holds_up(wait: Wait, waiting: set[str]) -> bool:
    """Whether a wait does not end by itself: for a lock that nobody is known to have who runs."""
    if wait.timed or wait.kind not in _LOCKS:
        return False
    return bool(wait.gone) or all(owner.who in waiting for owner in wait.owners)


def _tells(wait: Wait) -> bool:
    """Whether a wait can be why a rank does not come: pools wait for work all the time."""
    if wait.kind == "io":  # libraries' own threads poll all their lives
        return bool(_FIRST.search(wait.who))
    return wait.kind not in ("condition", "semaphore", "futex", "sleep") or bool(wait.owners)


def _why(wait: Wait, names: Mapping[str, str]) -> str:
    if wait.kind == "join":
        whom = " and ".join(o.who for o in wait.owners) or "a thread"
        return f"{wait.who} waits for the end of {whom}"
    if wait.kind in ("io", "sleep", "computing", "condition"):
        return f"{wait.who} is in {wait.lock}" if wait.lock else f"{wait.who}: {wait.kind}"
    whom = ", which " + " and ".join(o.who for o in wait.owners) + " has" if wait.owners else ""
    return f"{wait.who} waits for {named(wait, names)}{whom}"


def _operations(evidence: Evidence, stuck: list[int]) -> str:
    """What the ranks issued, where it is known and says the same."""
    gathering = evidence.communication
    if gathering is None:
        return ""
    parted = list(divergences(gathering))
    blame = Blame(parted)
    for there, found in parted:
        missing = [r for s in found.sides if s.operation is None for r in s.ranks]
        issued = [s for s in found.sides if s.operation is not None]
        ours = missing and {there.label(r) for r in missing} <= set(stuck)
        # Of a run that was cut off while it worked, or still runs, it says nothing.
        ends = {gathering.logs[r.log].end for s in issued for r in s.ranks}
        if ends <= {End.CUT}:
            continue
        if ours and blame.instead(found) is None:
            return (
                f"operation {found.number:,} of the {communicator(there)}, "
                f"{operation(issued[0].operation)}, was never issued by " + ranks_of(there, missing)
            )
    return ""
