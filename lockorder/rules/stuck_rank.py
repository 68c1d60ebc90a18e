"""The ranks that everyone else waits for, and why they do not come.

## What it does
Looks at all ranks of a hung job for those that the others wait for. By their stacks, some main
threads are in an operation that needs every rank (a collective, a barrier, a receive, a wait for
the store) and some are elsewhere. Where a recorded run or a flight-recorder dump is there, too, it
adds which operation of which communicator was never issued.

It then follows what the late rank waits for to the end: the lock and who holds it, the thread that
it joins, its worker process, the other end of a pipe, the holder of a file's lock. The finding
shows that chain by the lines of your own code.

It is an error if that chain ends in a deadlock, in a process that is stopped, in a wait that nobody
who was looked at can end, or, for more than a minute, in a wait for a partner outside of the job.
It is a note, which leaves exit code 0, if the late rank computes, sleeps, or waits for somebody who
does: in a healthy job, ranks wait for each other in every step.

A rank that NCCL's RAS service does not reach any more, or that is missing by the launcher's number
of ranks, is reported with what the others are at.

Ranks that all wait, but in different operations, are collective-mismatch. Where a rank that waits
for the GPU may wait for others or for a long kernel, it counts as waiting for others only if some
other rank stands still.

## Why it hangs
A collective completes only once every rank has entered it. One rank that is stuck elsewhere holds
up the whole job, and the others' stacks are all alike and do not show the cause. PyTorch's tutorial
on its flight recorder shows the commonest case, a rank that issues one operation more than the
others.

## Example
```text
rank 0, 1, 3: in all_reduce
rank 2: waits in Queue.get at train.py:31, for its loader, which waits in read at loader.py:12
```

```python
if rank == 0:
    dist.all_reduce(metric)  # no other rank comes
dist.all_reduce(gradients)
```

## Instead
Fix whatever holds that rank up; the others will continue. Where each rank decides by itself whether
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

import time
from collections.abc import Iterable, Mapping, Sequence

from lockorder.collectives.blame import Blame
from lockorder.collectives.compare import divergences
from lockorder.model import Absent, Confidence, End, Finding, Level, Participant, fingerprint
from lockorder.rules import job_words as words
from lockorder.rules.deadlock import circles, story
from lockorder.rules.evidence import Evidence
from lockorder.rules.rank_story import communicator, operation, ranks_of
from lockorder.rules.ranks_now import RankAt, by_place, key_story, ranks_at
from lockorder.waitgraph import Node, WaitGraph

ID = "stuck-rank"
LEVEL = Level.ERROR
#: Seconds that a rank may wait for an answer from outside.
_PATIENCE = 60.0
#: Ranks of a job that are counted one by one.
_MOST_RANKS = 4096
#: Ranks and places that are told one by one.
_SHOWN = 3


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for the ranks that are not where the others wait."""
    if not evidence.processes:
        return  # a recording says what ranks issued: see collective-mismatch
    graph = evidence.waiting
    found = ranks_at(graph)
    if evidence.absent and found and not any(a.node.thread.goes_on for a in found.values()):
        yield _absent(evidence.absent, found)
        return
    missing = _missing(graph, found)
    if missing and all(at.operation or at.gpu for at in found.values()):
        yield _absent(missing, found)
        return
    waiting = {rank: at for rank, at in found.items() if at.operation}
    elsewhere = {rank: at for rank, at in found.items() if not at.operation}
    dead = {node.process.rank for knot in graph.knots(graph.dead) for node in knot}
    stuck = {rank: at for rank, at in elsewhere.items() if not at.gpu or rank in dead}
    # Who waits for the GPU may wait for what others have not launched, if somebody stands still.
    if any(not at.node.thread.goes_on for at in stuck.values()):
        waiting |= {r: at for r, at in elsewhere.items() if at.gpu and r not in stuck}
    if waiting and stuck:
        yield _by_stacks(evidence, waiting, stuck)


def _gone(absent: Absent) -> str:
    who = f"rank {absent.rank}" if absent.rank >= 0 else "a rank"
    if not absent.pid:
        return f"{who} is not there: it has ended, or was not looked at"
    where = f" on {absent.host}" if absent.host else ""
    state = "has ended" if absent.ended else "is not reached any more"
    return f"{who} (process {absent.pid}{where}) {state}"


def _missing(graph: WaitGraph, found: Mapping[int, RankAt]) -> list[Absent]:
    """Ranks that the job should have, and that were not looked at, where the others stand still."""
    world = max((p.world for p in graph.processes), default=-1)
    if any(at.node.thread.goes_on for at in found.values()) or not 1 < world <= _MOST_RANKS:
        return []
    hosts = {at.node.process.host for at in found.values()}
    if len(hosts) == 1 and len(found) * 2 <= world:
        return []  # this is one of several machines, most likely
    return [Absent("the launcher's variables", r, 0) for r in range(world) if r not in found]


def _absent(absent: Sequence[Absent], found: Mapping[int, RankAt]) -> Finding:
    """Ranks that nobody reaches any more, and what the others are at."""
    gone = [_gone(a) for a in absent]
    places = by_place(found)
    others = [
        words.are(words.ranks(ranks), found[ranks[0]].node, len(ranks)) for ranks in places.values()
    ]
    return Finding(
        rule=ID,
        level=LEVEL,
        confidence=Confidence.HIGH if any(a.ended for a in absent) else Confidence.MEDIUM,
        reason=f"by {absent[0].said_by}, and the others stand still",
        message=f"{'; '.join(gone[:_SHOWN])}"
        + (f"; and {len(gone) - _SHOWN} more ranks" if len(gone) > _SHOWN else "")
        + f", and {', '.join(others[:_SHOWN])}"
        + (f" and {len(others) - _SHOWN} more places" if len(others) > _SHOWN else ""),
        fix="see why that process ended: its log, dmesg (out of memory), its exit code",
        locks=(),
        participants=tuple(
            Participant(
                who=words.ranks(ranks), held=(), waits=words.doing(found[ranks[0]].node),
                chain=found[ranks[0]].node.thread.chain,
            )
            for ranks in places.values()
        ),
        fingerprint=fingerprint(ID, ["absent"], sorted({line for _, line in places})),
    )  # fmt: skip


def _by_stacks(
    evidence: Evidence, waiting: Mapping[int, RankAt], stuck: Mapping[int, RankAt]
) -> Finding:
    graph = evidence.waiting
    names = {lock.id: lock.name for lock in evidence.graph.locks.values()}
    among = [circle for circle in circles(evidence.waits) if circle[0].rank in stuck]
    reasons, levels = [], []
    for rank, at in stuck.items():
        circle = next((c for c in among if c[0].rank == rank), None)
        chain = graph.chain(at.node)
        if circle is not None:
            reasons.append(f"rank {rank} is deadlocked: {story(circle, names)}")
            levels.append(Level.ERROR)
            continue
        reasons.append(f"{words.story(chain)} (process {at.node.process.pid})")
        levels.append(_level(graph, chain))
    places = [f"{words.ranks(ranks)} in {waiting[ranks[0]].at}" if not waiting[ranks[0]].gpu else
              f"{words.ranks(ranks)}, which {words.doing(waiting[ranks[0]].node)}"
              for ranks in by_place(waiting).values()]  # fmt: skip
    known = _operations(evidence, sorted(stuck))
    serious = min(levels, key=list(Level).index)
    if known:
        serious = Level.ERROR
    sides = [
        Participant(
            who=words.ranks(ranks), held=(),
            waits=f"a wait for other ranks in {waiting[ranks[0]].at}",
            chain=waiting[ranks[0]].node.thread.chain,
        )
        for ranks in by_place(waiting).values()
    ]  # fmt: skip
    sides += [
        Participant(
            who=at.node.who, held=(), waits=words.doing(at.node), chain=at.node.thread.chain
        )
        for at in stuck.values()
    ]
    verb = "waits" if len(waiting) == 1 else "wait"
    message = (
        f"{words.ranks(stuck)} {'holds' if len(stuck) == 1 else 'hold'} up the job: "
        f"{'; '.join(reasons[:_SHOWN])}"
        + (f"; and {len(reasons) - _SHOWN} more ranks" if len(reasons) > _SHOWN else "")
        + f". {', '.join(places[:_SHOWN])} {verb} for {'it' if len(stuck) == 1 else 'them'}"
    )
    fix = f"see what keeps {words.ranks(stuck)} from coming"
    if all(at.key for at in waiting.values()) and not among:
        # Whoever only has the store is not who should have set a key in it.
        message = "; ".join([key_story(waiting), *reasons[:_SHOWN]])
        fix = "see who should set that key, and why it went on or ended without it"
    return Finding(
        rule=ID,
        level=serious,
        confidence=Confidence.HIGH if among or known else Confidence.MEDIUM,
        reason="the others' stacks are in calls that wait for all ranks"
        + (f"; {known}" if known else ""),
        message=message,
        fix=fix,
        locks=tuple(dict.fromkeys(w.lock for c in among for w in c if w.lock)),
        participants=tuple(sides),
        fingerprint=fingerprint(
            ID, sorted(at.operation for at in waiting.values()),
            sorted({at.line for at in stuck.values()}),
        ),
    )  # fmt: skip


def _level(graph: WaitGraph, chain: Sequence[Node]) -> Level:
    """How sure it is that a rank at the begin of *chain* does not come by itself.

    One that works or sleeps, or waits for somebody who does, comes in the end: others wait for it
    in each step of a job that is well.  So does one that waits for a partner from outside, such as
    a file server; after a minute of it nobody thinks so any more.
    """
    end = chain[-1]
    if end.who in graph.dead or end.is_stopped or chain[0].who in graph.hopeless:
        return Level.ERROR
    way = graph.way_on(end)
    comes = [end, *way[-1:]]
    if any(node.thread.goes_on or node.sleeps for node in comes):
        return Level.NOTE
    if end.wait is None:
        return Level.NOTE
    stands = time.time() - chain[0].thread.since if chain[0].thread.since else 0.0
    if end.wait.expects and stands < _PATIENCE:
        return Level.NOTE
    return Level.ERROR


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
