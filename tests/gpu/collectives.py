"""Ranks over real NCCL that do not fit, or do: ``collectives.py KIND`` under torchrun.

mismatch: an all_reduce and a broadcast, the other way round on rank 1; hangs.
crossed: two groups, one after the other and waited for, the other way round on rank 1; hangs.
late: rank 1 never comes to the last all_reduce; hangs.
clean: a data-parallel loop with a tensor-parallel group in its forward pass; ends.
"""

from __future__ import annotations

import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

WIDTH, STEPS = 256, 30


def mismatch(rank: int) -> None:
    big, small = torch.ones(1 << 20, device="cuda"), torch.ones(16, device="cuda")
    steps = [lambda: dist.all_reduce(big), lambda: dist.broadcast(small, 0)]
    for step in steps if rank == 0 else reversed(steps):
        step()
    torch.cuda.synchronize()


def crossed(rank: int) -> None:
    groups = [dist.new_group(), dist.new_group()]
    data = torch.ones(1 << 20, device="cuda")
    for group in groups:  # both work
        dist.all_reduce(data, group=group)
        torch.cuda.synchronize()
    for group in groups if rank == 0 else reversed(groups):
        dist.all_reduce(data, group=group)
        torch.cuda.synchronize()


def late(rank: int) -> None:
    data = torch.ones(1 << 20, device="cuda")
    for _ in range(3):
        dist.all_reduce(data)
    if rank == 0:
        dist.all_reduce(data)
    torch.cuda.synchronize()
    if rank == 1:
        sys.stdin.read()  # stands in for whatever keeps it


class Halves(nn.Module):
    """A linear layer whose output is summed over the ranks of a group."""

    def __init__(self, group: dist.ProcessGroup) -> None:
        super().__init__()
        self.linear = nn.Linear(WIDTH, WIDTH)
        self.group = group

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.linear(x)
        with torch.no_grad():
            shared = out.detach().clone()
            dist.all_reduce(shared, group=self.group)
        return torch.relu(out + 0.01 * shared)


def clean(rank: int) -> None:
    group = dist.new_group()
    model = nn.Sequential(*(Halves(group) for _ in range(6))).cuda()
    parallel = DistributedDataParallel(model, device_ids=[rank], bucket_cap_mb=1)
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.01)
    x = torch.randn(32, WIDTH, device="cuda")
    for _ in range(STEPS):
        optimizer.zero_grad()
        parallel(x).square().mean().backward()
        optimizer.step()
    torch.cuda.synchronize()


def main() -> None:
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    dist.barrier()
    {"mismatch": mismatch, "crossed": crossed, "late": late, "clean": clean}[sys.argv[1]](rank)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
