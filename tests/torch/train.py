"""A training run as people have it: ranks over Gloo, backward threads, loader workers.

Prints the losses of every step, so that two runs can be compared; the arguments are the rank, the
number of ranks and the file through which they meet.
"""

from __future__ import annotations

import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset

STEPS = 6


def main(rank: int, ranks: int, meeting: str) -> None:
    torch.manual_seed(7)
    torch.set_num_threads(2)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=ranks)
    layers = [m for _ in range(6) for m in (nn.Linear(64, 64), nn.ReLU())]
    model = DistributedDataParallel(nn.Sequential(*layers, nn.Linear(64, 1)), bucket_cap_mb=0.02)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = TensorDataset(torch.randn(STEPS * 16, 64), torch.randn(STEPS * 16, 1))
    loader = DataLoader(data, batch_size=16, num_workers=2, persistent_workers=False)
    for step, (inputs, wanted) in enumerate(loader):
        loss = nn.functional.mse_loss(model(inputs), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"rank {rank} step {step} loss {loss.item():.9f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
