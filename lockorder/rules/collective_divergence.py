"""A collective that not every rank reaches, or not in the same order.

## What it does
Runs the program on paper once for every rank of small jobs (two, three and four ranks), follows
what depends on the rank or on what only one rank has (its data, its files, its clock, a random
number, an exception), and plays the operations of all ranks against each other. It reports a
collective, or the creation of a group, for which some rank waits and that another one does not
issue: it has left, issues another one first, or names another root or operation.

So are calls that a library refuses on one rank: on a communicator that the rank is not in
(`MPI_COMM_NULL`), behind `MPI_Finalize`, with what the root alone may give (`gather_list`), with
`MPI_IN_PLACE` on some ranks only, and with counts of which one rank sends another number than
another one receives. So are, of MPI, calls that no rank may make: with an operation that is not
defined for the type (`MPI_MAXLOC` of single numbers), a root that is no rank, fewer elements than
none, a type that is not committed, a handle that was freed; edges of a graph that one end names
and the other does not; what was begun and is never waited for. Two threads of a rank that issue on
one communicator at a time are a warning.

Options (of the command line, of the environment) have any value, the same on all ranks. Where who
is in which group depends on them, the program is run once more with their defaults, and that run
counts for what it comes to; what only that run shows says so.

Python scripts and C and C++ sources are read: torch.distributed and what is built on it, JAX,
mpi4py, Horovod, Ray, NCCL, MPI and c10d.

## Why it hangs
A collective ends when all ranks of its communicator have come to it. A rank that takes the other
branch, returns early, has one batch less or swallows an exception never comes; the others wait
until the watchdog ends the job. Where the branch holds another collective, the two are matched
with each other: a hang, or wrong numbers.

## Example
```python
import torch
import torch.distributed as dist


def report(loss: torch.Tensor) -> None:
    if dist.get_rank() == 0:
        dist.all_reduce(loss)  # the other ranks never come here
        print(loss.item())
```

## Instead
All ranks issue it, and one uses what it gives.

```python
import torch
import torch.distributed as dist


def report(loss: torch.Tensor) -> None:
    dist.all_reduce(loss)
    if dist.get_rank() == 0:
        print(loss.item())
```

Where a decision is a rank's own (a loss that is not a number, a file that is not there), let all
ranks know of it before anybody acts on it: all_reduce a flag, or broadcast rank 0's answer.

## References
* PyTorch, "Distributed communication package":
  https://docs.pytorch.org/docs/stable/distributed.html
* MPI 4.1, section 6.14, "Correctness": https://www.mpi-forum.org/docs/
* NCCL User Guide, "Collective Operations":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/collectives.html
* PARCOACH: E. Saillard, P. Carribault, D. Barthou, "PARCOACH: Combining static and dynamic
  validation of MPI collective communications", IJHPCA 28(4), 2014
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Confidence, Finding, Level, Participant, fingerprint
from lockorder.model.locks import Frame, users_place
from lockorder.rules.evidence import ROOT_ONLY, Divergence, Evidence, RankSide

ID = "collective-divergence"
LEVEL = Level.ERROR
#: What to do where a rank is named that is not in the group.
STRANGER = "name a member of the group, by its rank in the whole job (or by group_src, group_dst)"


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each place at which ranks part."""
    for story in evidence.observed.divergences:
        if not story.p2p:
            level = LEVEL if story.sure else Level.NOTE if story.slight else Level.WARNING
            yield finding(ID, level, story, _message(story), _fix(story))


def finding(rule: str, level: Level, story: Divergence, message: str, fix: str) -> Finding:
    """The finding of a story, with both of its sides."""
    first, second = story.sides
    functions = (
        *(f.function for f in first.chain[-1:]), *(f.function for f in second.chain[-1:]),
        *(f.function for s in story.sides for f in s.turn[-1:]),
    )  # fmt: skip
    return Finding(
        rule=rule, level=level,
        confidence=_confidence(story),
        reason=_reason(story), message=message + _options(story), fix=fix, locks=(),
        participants=(participant(first), participant(second)),
        fingerprint=fingerprint(
            rule, (first.call, second.call, *(s.written for s in story.sides)), functions
        ),
    )  # fmt: skip


def _confidence(story: Divergence) -> Confidence:
    if story.sure:
        return Confidence.HIGH
    return Confidence.LOW if story.slight else Confidence.MEDIUM


def participant(side: RankSide) -> Participant:
    """One rank's side, as reports show it."""
    if side.call:
        return Participant(who=side.who, held=(), waits=side.call, chain=side.chain)
    return Participant(who=side.who, held=(), waits="another way, without it", chain=side.turn)


def place(frame: Frame) -> str:
    """``file:line`` of a frame."""
    return f"{frame.file}:{frame.line}"


def parting(story: Divergence) -> str:
    """Where the two ranks go different ways; empty where that is not known."""
    for side in story.sides:
        if side.turn and side.written:
            return f"; they part at {place(users_place(side.turn))} (`{side.written}`)"
    return ""


def nobody(story: Divergence) -> str:
    """A call on a communicator that the rank has not, behind the last one that is allowed, or that
    its library refuses."""
    first = story.sides[0]
    if story.kind in ("refused", "range"):
        return f"{first.call} of {first.who} {story.what}"
    if story.kind == "over":
        return f"{first.who} calls {first.call} behind {story.what}{parting(story)}"
    return (
        f"{first.who} calls {first.call} on a communicator that it is not in (it is null there)"
        f"{parting(story)}"
    )


#: What to do about a call that its library refuses.
ALLOWED = "hand it what its library allows there"


def only_there(story: Divergence) -> str:
    """What to do where a rank calls on a communicator that it has not."""
    return f"call {story.sides[0].call} on the ranks of the communicator alone"


def stranger(story: Divergence) -> str:
    """That an operation on a group names a rank that is not in it."""
    first = story.sides[0]
    return (
        f"{first.call} on {story.communicator} names rank {story.what} of the job, which is not in "
        f"the group of {first.who}"
    )


def _message(story: Divergence) -> str:
    first, second = story.sides
    if story.kind == "beside":
        return (
            f"two threads of a rank issue {first.call} and {second.call} "
            f"({place(users_place(second.chain))}) on {story.communicator} at a time: which comes "
            f"first may differ from rank to rank"
        )
    if story.kind in ("nobody", "over", "refused", "range"):
        return nobody(story)
    if story.kind == "stranger":
        return stranger(story)
    if story.what.startswith(ROOT_ONLY):
        what = story.what.removeprefix(ROOT_ONLY)
        return (
            f"{what} of {first.call} on {story.communicator} is given by {first.who} and by "
            f"{second.who}: the root alone may give it{parting(story)}"
        )
    if story.kind == "differs" and story.what != "operation":
        return (
            f"ranks do not agree on the {_name(story.what)} of {first.call} on "
            f"{story.communicator}: {first.who} and {second.who} differ{parting(story)}"
        )
    other = f"issues {second.call} instead" if second.call else "does not come to it"
    where = f" ({place(users_place(second.chain))})" if second.call and second.chain else ""
    return (
        f"{first.call} on {story.communicator} is not reached by all ranks: {first.who} issues it, "
        f"{second.who} {other}{where}{parting(story)}"
    )


def _options(story: Divergence) -> str:
    """With which options it is so, where it is not so with any."""
    return " (with the defaults of the program's options)" if story.defaults else ""


def _name(what: str) -> str:
    names = {
        "src": "root (src)", "dst": "root (dst)", "data": "order of the data",
        "edges": "edges between two ranks, as one sends there and the other receives from it,",
        "in place": "use of MPI_IN_PLACE", "shape": "size of the tensors",
        "splits": "split sizes (how much each rank sends to each)",
        "shares": "number of elements that one sends and another receives",
    }  # fmt: skip
    return names.get(what, what)


def _reason(story: Divergence) -> str:
    if story.sure:
        return f"played with {story.world}: both sides are in the sources"
    whose = ", ".join(story.why[:3]) or "what only the run shows"
    if story.slight and any(each.startswith("the file system") for each in story.why):
        return f"it depends on {whose}, of a file that nothing here makes: ranks mostly share it"
    if story.slight:
        return f"it depends on {whose}: nothing here says that ranks differ in it"
    return f"it depends on {whose}, which ranks have to themselves"


def _fix(story: Divergence) -> str:
    first = story.sides[0]
    if story.kind == "beside":
        return "give each thread a communicator of its own (MPI_Comm_dup), or wait for the thread"
    if story.kind == "over":
        return f"end what {first.call} ends before {story.what}"
    if story.kind in ("refused", "range"):
        return ALLOWED
    if story.kind == "nobody":
        return only_there(story)
    if story.kind == "stranger":
        return STRANGER
    if story.what.startswith(ROOT_ONLY):
        return f"give {story.what.removeprefix(ROOT_ONLY)} on the root, and nothing on other ranks"
    if story.kind == "differs" and story.what != "operation":
        return f"give the same {_name(story.what)} to {first.call} on all ranks"
    if story.sure:
        return (
            f"let all ranks issue {first.call}, in the same order, and only use its result on one"
        )
    return (
        f"let all ranks agree before they decide (all_reduce or broadcast the answer), "
        f"so that all or none issue {first.call}"
    )
