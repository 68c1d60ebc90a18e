"""A trainer with data loaders: ``loaders.py nccl|gloo [STEPS]``; prints the last loss.

DDP over a small transformer in bfloat16, batches by workers that pin memory, a sampler that
gives each rank its part, a checkpoint by rank 0 with a barrier around it, and an evaluation.
"""

from __future__ import annotations

import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

WIDTH, LENGTH, BATCH = 128, 64, 8


class Tokens(Dataset[torch.Tensor]):
    """Made up, the same in each process."""

    def __len__(self) -> int:
        return 512

    def __getitem__(self, number: int) -> torch.Tensor:
        return (torch.arange(LENGTH + 1) * (number + 3)) % 97


def model() -> nn.Module:
    layer = nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, batch_first=True, dropout=0.0)
    blocks = nn.TransformerEncoder(layer, 2)
    return nn.Sequential(nn.Embedding(97, WIDTH), blocks, nn.Linear(WIDTH, 97))


def main(backend: str, steps: int) -> None:
    rank, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local) if backend == "nccl" else torch.device("cpu")
    torch.manual_seed(1)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    dist.init_process_group(backend)
    ids = [local] if device.type == "cuda" else None
    net = DistributedDataParallel(model().to(device), device_ids=ids)
    optimizer = torch.optim.AdamW(net.parameters())
    sampler = DistributedSampler(Tokens())
    pinned = device.type == "cuda"
    loader = DataLoader(Tokens(), BATCH, sampler=sampler, num_workers=2, pin_memory=pinned)
    done, loss = 0, torch.zeros(())
    while done < steps:
        sampler.set_epoch(done)
        for batch in loader:
            tokens = batch.to(device, non_blocking=True)
            with torch.autocast(device.type, torch.bfloat16):
                scores = net(tokens[:, :-1])
            loss = nn.functional.cross_entropy(
                scores.float().flatten(0, 1), tokens[:, 1:].flatten()
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            done += 1
            if done >= steps:
                break
    if rank == 0:
        with tempfile.TemporaryFile() as file:
            torch.save(net.module.state_dict(), file)
    dist.barrier()
    mean = loss.detach().clone()
    dist.all_reduce(mean)
    if rank == 0:
        print(f"loss {mean.item() / dist.get_world_size():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100)
