"""Ranks over Gloo that leave a dump of the flight recorder each, as pickle and as JSON.

Arguments: the rank, the number of ranks, the file through which they meet, the folder for dumps,
and what goes wrong: ``nothing``, ``size`` or ``order`` (the last rank's), or ``missing`` (the last
rank does not come to the last collective).  A dump is made while the ranks hang, or when all is
done.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import _dump_fr_trace, _dump_fr_trace_json


def first(group: dist.ProcessGroup, rank: int, ranks: int) -> None:
    """A bit of everything, on the default group and on *group*, the first two ranks'."""
    tensor = torch.ones(6, 4)
    several = [torch.empty_like(tensor) for _ in range(ranks)]
    dist.all_reduce(tensor)
    dist.broadcast(tensor, 0)
    dist.all_gather(several, tensor)
    dist.gather(tensor, several if rank == 0 else None, 0)
    dist.scatter(tensor, several if rank == 0 else None, 0)
    dist.all_to_all_single(torch.empty(ranks * 2), torch.ones(ranks * 2))
    dist.barrier()
    if rank < 2:
        dist.all_reduce(tensor, group=group)


def last(wrong: str, rank: int, ranks: int) -> None:
    """The collective that goes wrong; it need not come back."""
    odd = rank == ranks - 1
    if wrong == "size" and odd:
        time.sleep(3)  # the others are gone: Gloo aborts a rank that receives too much
    tensor = torch.ones(5 if wrong == "size" and odd else 4)
    if wrong == "order" and odd:
        dist.broadcast(tensor, 0, async_op=True)
    elif wrong != "missing" or not odd:
        dist.all_reduce(tensor, async_op=True)


def main(rank: int, ranks: int, meeting: str, folder: Path, wrong: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=ranks)
    group = dist.new_group([0, 1], group_desc="pair")
    first(group, rank, ranks)
    last(wrong, rank, ranks)
    time.sleep(1)
    (folder / f"trace_{rank}").write_bytes(_dump_fr_trace())
    (folder / f"trace_{rank}.json").write_bytes(_dump_fr_trace_json())
    if wrong != "size":
        time.sleep(1)  # a rank that ends fails the others' collectives
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4]), sys.argv[5])
