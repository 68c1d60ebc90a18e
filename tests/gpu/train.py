"""A training loop over NCCL, timed: ``train.py ddp|fsdp [STEPS]``; prints losses and step times.

The process group's place comes from the environment, as torchrun sets it; with one GPU a group of
one rank still goes through NCCL, the allocator, the watchdog and backward's threads.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

LAYERS, WIDTH, BATCH, WARM = 24, 1024, 256, 20


def wrapped(kind: str, model: nn.Module, device: int) -> nn.Module:
    if kind == "ddp":
        return DistributedDataParallel(model, device_ids=[device], bucket_cap_mb=4)
    for layer in model:
        fully_shard(layer)
    fully_shard(model)
    return model


def main(kind: str, steps: int) -> None:
    rank, local = int(os.environ.get("RANK", "0")), int(os.environ.get("LOCAL_RANK", "0"))
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29517")
    os.environ.setdefault("WORLD_SIZE", "1")
    os.environ.setdefault("RANK", "0")
    torch.manual_seed(7)
    torch.cuda.set_device(local)
    dist.init_process_group("nccl", device_id=torch.device("cuda", local))
    blocks = (nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU()) for _ in range(LAYERS))
    model = wrapped(kind, nn.Sequential(*blocks).cuda(), local)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    inputs = torch.randn(BATCH, WIDTH, device="cuda")
    times = []
    for step in range(steps):
        start = time.perf_counter()
        loss = model(inputs).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()
        if step >= WARM:
            times.append(time.perf_counter() - start)
        if step % 50 == 0 and rank == 0:
            print(f"step {step} loss {loss.item():.9f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()
    if rank == 0:
        print(f"median step {statistics.median(times) * 1e3:.4f} ms", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300)
