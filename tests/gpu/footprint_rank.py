"""A rank of footprint.py: process groups, each used once, and what that cost by others' word.

    torchrun --nproc-per-node 2 footprint_rank.py FOLDER NUMBER

It writes FOLDER/seen-RANK.json: what it has more after NUMBER groups, in MiB, and numbers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import torch
import torch.distributed as dist

MIB = 1 << 20


def looked_at(device: int) -> dict[str, float]:
    """This process, and its GPU, as others show them; MiB, or a number."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    driver = shared = 0
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, mode, _, _, _, *rest = line.split(None, 5)
        path = rest[0] if rest else ""
        if mode.startswith("--"):
            continue
        start, end = (int(x, 16) for x in span.split("-"))
        if path.startswith(("/dev/nvidia", "/dev/zero")):
            driver += end - start
        elif path.startswith(("/dev/shm/", "/memfd:")):
            shared += end - start
    smi = subprocess.run(
        ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits",
         "-i", str(device)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return {
        "anonymous": int(status["RssAnon"].split()[0]) / 1024,
        "driver mappings": driver / MIB,
        "shared mappings": shared / MIB,
        "nvidia-smi": float(smi),
        "threads": int(status["Threads"]),
        "descriptors": len(os.listdir("/proc/self/fd")) - 1,
    }


def work(number: int, out: Path) -> None:
    """One rank: *number* groups besides the default one, each used once."""
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    data = torch.ones(1 << 20, device="cuda")
    dist.all_reduce(data)  # what all share: the first communicator, kernels
    torch.cuda.synchronize()
    before = looked_at(rank)
    groups = [dist.new_group([0, 1]) for _ in range(number)]
    for group in groups:
        dist.all_reduce(data, group=group)
    torch.cuda.synchronize()
    after = looked_at(rank)
    out.joinpath(f"seen-{rank}.json").write_text(
        json.dumps({name: after[name] - before[name] for name in before})
    )
    dist.destroy_process_group()


if __name__ == "__main__":
    work(int(sys.argv[2]), Path(sys.argv[1]))
