"""A training loop over NCCL, timed: ``train.py ddp|fsdp|gpt2 [STEPS]``; prints losses and times.

``ddp`` and ``fsdp`` are small layers, so that launches take the time; ``gpt2`` is a decoder of
the size of GPT-2 small under DDP in bfloat16.

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
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

LAYERS, WIDTH, BATCH, WARM = 24, 1024, 256, 20
#: GPT-2 small (Radford and others, 2019), and how many texts of what length a step has.
BLOCKS, HEADS, HIDDEN, WORDS, TEXTS, LENGTH = 12, 12, 768, 50304, 8, 512


class Block(nn.Module):
    """Attention and a feed-forward layer, each behind a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(HIDDEN), nn.LayerNorm(HIDDEN)
        self.ask, self.answer = nn.Linear(HIDDEN, 3 * HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.feed = nn.Sequential(
            nn.Linear(HIDDEN, 4 * HIDDEN), nn.GELU(), nn.Linear(4 * HIDDEN, HIDDEN)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        texts, length, _ = x.shape
        rows = self.ask(self.before(x)).view(texts, length, 3, HEADS, HIDDEN // HEADS)
        query, key, value = rows.permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.answer(found.transpose(1, 2).reshape(texts, length, HIDDEN))
        return x + self.feed(self.between(x))


class Decoder(nn.Module):
    """Words in, the mean of the squared scores out: a loss that needs no texts."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, HIDDEN), nn.Embedding(LENGTH, HIDDEN)
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.last = nn.LayerNorm(HIDDEN)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            places = torch.arange(words.shape[1], device=words.device)
            x = self.blocks(self.words(words) + self.places(places))
            return functional.linear(self.last(x), self.words.weight)


def wrapped(kind: str, model: nn.Module, device: int) -> nn.Module:
    if kind == "gpt2":
        return DistributedDataParallel(model, device_ids=[device])
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
    if kind == "gpt2":
        plain: nn.Module = Decoder()
        inputs = torch.randint(0, WORDS, (TEXTS, LENGTH), device="cuda")
    else:
        plain = nn.Sequential(
            *(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU()) for _ in range(LAYERS))
        )
        inputs = torch.randn(BATCH, WIDTH, device="cuda")
    model = wrapped(kind, plain.cuda(), local)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    times = []
    for step in range(steps):
        start = time.perf_counter()
        loss = model(inputs).float().square().mean()
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
