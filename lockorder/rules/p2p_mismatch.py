"""Sends and receives that cannot pair, or that all block first.

## What it does
Plays the sends and receives of all ranks of small jobs against each other, with the peers that the
program computes from the rank. It reports a receive that nobody sends to, a send that nobody
receives, a peer that is no rank, and ranks that all wait first: for a message, or, where every
send waits until it is received, in their sends.

What a message says decides what its receiver does next, as far as that is known: its sender, tag,
number of elements and content. A receive from any sender gets the message that comes first: the
job is played once for each rank that moves first, unless what the message says decides something.

Of MPI it also plays locks of windows (`MPI_Win_lock`), epochs (`MPI_Win_post`, `start`, `complete`,
`wait`), messages in parts (`MPI_Pready`), loops that test (`while (!flag) MPI_Test(...)`) and the
two sides of an inter-communicator. It reports a message that is longer than its receive has room
for, or of elements of another kind, where both are known. Which of several requests a wait has
ended (`MPI_Waitany`) is known once it is played. A request that is begun again while it is under
way, and one that nobody waits for before `MPI_Finalize`, is told, too.

## Why it hangs
A receive waits until a message with its source and tag is there. A blocking send may return at
once or wait for its receive: that depends on the size of the message, on the library and on its
settings, so that a ring in which everybody sends first works with small messages and hangs with
large ones.

## Example
```python
import torch
import torch.distributed as dist


def shift(mine: torch.Tensor, theirs: torch.Tensor) -> None:
    rank, world = dist.get_rank(), dist.get_world_size()
    dist.send(mine, (rank + 1) % world)  # all of them may wait here
    dist.recv(theirs, (rank - 1) % world)
```

## Instead
```python
import torch
import torch.distributed as dist


def shift(mine: torch.Tensor, theirs: torch.Tensor) -> None:
    rank, world = dist.get_rank(), dist.get_world_size()
    sent = dist.isend(mine, (rank + 1) % world)
    dist.recv(theirs, (rank - 1) % world)
    sent.wait()
```

Or let even ranks send first and odd ranks receive first; in MPI, `MPI_Sendrecv`; in NCCL, both in
one group.

## References
* MPI 4.1, section 3.5, "Semantics of point-to-point communication": https://www.mpi-forum.org/docs/
* PyTorch, "Point-to-point communication":
  https://docs.pytorch.org/docs/stable/distributed.html#point-to-point-communication
* NCCL User Guide, "Point-to-point communication":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/p2p.html
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.model.locks import users_place
from lockorder.rules.collective_divergence import (
    ALLOWED,
    STRANGER,
    finding,
    nobody,
    only_there,
    parting,
    place,
    stranger,
)
from lockorder.rules.evidence import Divergence, Evidence

ID = "p2p-mismatch"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each place at which messages do not meet."""
    for story in evidence.observed.divergences:
        if story.p2p:
            yield finding(ID, LEVEL, story, _message(story), _fix(story))


def _message(story: Divergence) -> str:
    first, second = story.sides
    if story.kind == "stranger":
        return stranger(story)
    if story.kind == "outside":
        return f"{first.call}: there is no rank {story.what} in a job of {story.world}"
    if story.kind in ("nobody", "over", "refused", "range"):
        return nobody(story)
    if story.kind == "differs":
        where = f" ({place(users_place(second.chain))})" if second.chain else ""
        return (
            f"{first.call} of {first.who} carries {story.what}: {second.call} of {second.who}"
            f"{where}{parting(story)}"
        )
    if story.kind == "unmatched":
        return (
            f"{first.call} of {first.who} meets nothing: {second.who} ends without its part of it"
        )
    if story.strict:
        return (
            f"{first.call} of {first.who} may wait until it is received, and {second.who} is in "
            f"{second.call or 'nothing that receives it'} then{parting(story)}"
        )
    where = f" ({place(users_place(second.chain))})" if second.call and second.chain else ""
    other = f"waits in {second.call}{where}" if second.call else "has ended"
    return f"{first.call} of {first.who} waits for ever: {second.who} {other}{parting(story)}"


def _fix(story: Divergence) -> str:
    if story.kind == "stranger":
        return STRANGER
    if story.kind == "outside":
        return "compute the peer modulo the number of ranks, or leave out the ranks at the ends"
    if story.kind == "over":
        return f"call {story.what} behind it"
    if story.kind in ("refused", "range"):
        return ALLOWED
    if story.kind == "nobody":
        return only_there(story)
    if story.kind == "differs":
        return "give both sides the same type of elements, and the receive room for all of them"
    if story.what == "lock":
        return (
            "give the lock up before waiting for other ranks, and take several locks in one order"
        )
    if story.strict:
        return (
            "begin the sends without waiting (isend, MPI_Sendrecv, one group), or let half of the "
            "ranks receive first"
        )
    return "give each receive one send with the same peer, tag and communicator, in the same order"
