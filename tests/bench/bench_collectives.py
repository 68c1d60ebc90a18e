"""Comparing the operations of a large job: time, CPU time and peak memory of `lockorder analyze`.

Writes traces of 4,096 ranks with 64 communicators and 10,000 operations on each (a training loop
of 40 buckets, interrupted now and then), 64 ranks to most communicators and one of all ranks, into
a temporary folder.  One operation in the middle differs in one rank of one communicator, one rank
misses the last operation of another.  A table shows how cost grows; the peer is reading the bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))

from runtime_probe.layout import CallFlag, SequenceKind
from sequences import compress
from traces import Program, Recording

BUCKETS, EVERY = 40, 100
SIZE = 64


def operations(number: int) -> list[int]:
    """Symbols, from 1: a loop over the buckets' four sizes, and a barrier every hundred steps."""
    step = [1 + bucket % 4 for bucket in range(BUCKETS)]
    symbols: list[int] = []
    while len(symbols) < number:
        symbols += step
        if len(symbols) // BUCKETS % EVERY == 0:
            symbols.append(5)
    return symbols[:number]


class Writer:
    """Writes ranks' traces; what all of them have alike is made once."""

    def __init__(self, ranks: int, communicators: int, number: int) -> None:
        self.ranks, self.communicators, self.number = ranks, communicators, number
        self.program = Program()
        self.loop = operations(number)
        self.usual = compress(self.loop)
        wrong = list(self.loop)
        wrong[number // 2] = 1 + wrong[number // 2] % 4
        self.wrong = compress(wrong)
        self.short = compress(self.loop[:-1])
        order = [
            c
            for _ in range(number // BUCKETS)
            for c in range(communicators)
            for _ in range(BUCKETS)
        ]
        self.launches = compress([1 + c for c in order[: communicators * BUCKETS * 3]])
        what, length = self.launches[-1]
        self.launches[-1] = (what, length + number * communicators - communicators * BUCKETS * 3)

    def members(self, communicator: int, rank: int) -> tuple[int, int, int]:
        """Which of the communicators of that place, the rank in it, its size."""
        if communicator == 0:
            return 0, rank, self.ranks
        # Neighbours, or every so many ranks: rows and columns of a grid.
        if communicator % 2:
            return rank // SIZE, rank % SIZE, min(SIZE, self.ranks)
        stride = max(1, self.ranks // SIZE)
        return rank % stride, rank // stride, min(SIZE, self.ranks)

    def write(self, folder: Path, rank: int) -> None:
        r = Recording(self.program, pid=1000 + rank, rank=rank)
        thread = r.thread("trainer")
        collective = CallFlag.COLLECTIVE | CallFlag.LAUNCH
        reduce, barrier = (
            r.call("ncclAllReduce", 0, collective),
            r.call("ncclBroadcast", 0, collective),
        )
        init = r.call("ncclCommInitRank", 0, CallFlag.CREATES)
        for place in range(self.communicators):
            which, mine, size = self.members(place, rank)
            tokens = self.usual
            total = self.number
            if (place, rank) == (self.communicators // 2, self.ranks // 2):
                tokens = self.wrong
            if (place, rank) == (self.communicators - 1, self.ranks - 1):
                tokens, total = self.short, self.number - 1
            comm = r.communicator(
                0x7000_0000 + 64 * place, 1 + place * self.ranks + which, ranks=size, rank=mine,
                made_by=init, collectives=total,
            )  # fmt: skip
            symbols = [
                r.nccl_operation(comm, reduce, elements=1 << (10 + i), kind=7, reduction=0,
                                 thread=thread, at=("reduce_bucket", "train.py", 10 + i))
                for i in range(4)
            ]  # fmt: skip
            symbols.append(
                r.nccl_operation(comm, barrier, elements=1, kind=0, root=0, thread=thread,
                                 at=("evaluate", "train.py", 90))
            )  # fmt: skip
            r.nccl_launch(comm, stream=1 + place % 4, thread=thread)
            moved = [(w if w >> 31 else symbols[w - 1], n) for w, n in tokens]
            r.nccl_tokens(comm, SequenceKind.COLLECTIVES, moved)
        r.nccl_tokens(0, SequenceKind.LAUNCHES, self.launches)
        r.write(folder)


def measure(ranks: int, communicators: int, number: int, jobs: int, dask: str) -> None:
    with tempfile.TemporaryDirectory(prefix="lockorder-bench-") as name:
        folder = Path(name)
        writer = Writer(ranks, communicators, number)
        for rank in range(ranks):
            writer.write(folder, rank)
        started = time.perf_counter()
        total = sum(len(path.read_bytes()) for path in folder.iterdir())
        reading = time.perf_counter() - started
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        command = [sys.executable, "-m", "lockorder", "analyze", "-q", "-j", str(jobs), name]
        command += ["--format", "json", "--select", "collective-mismatch,communicator-order-cycle"]
        command += ["--dask", dask] if dask else []
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        wall = time.perf_counter() - started
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    found = sorted(f["message"] for f in json.loads(done.stdout)["findings"])
    print(
        f"{ranks:6} {communicators:5} {number:8} {total / 1e6:8.0f} {reading:9.1f} {wall:8.1f} "
        f"{cpu:7.1f} {used.ru_maxrss / 1024:9.0f}",
        flush=True,
    )
    middle = f"operation {number // 2 + 1:,} "
    if len(found) != 2 or not any(middle in f for f in found):
        sys.exit(f"what was planted was not found: {found}")


def main() -> None:
    """Write, analyse, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[256, 1024, 4096])
    parser.add_argument("--communicators", type=int, default=64)
    parser.add_argument("--operations", type=int, nargs="+", default=[10_000])
    parser.add_argument("--dask", default="", help="a scheduler's address")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    print(" ranks comms each(ops)       MB reading s   wall s   CPU s  largest MiB")
    for number in args.operations:
        for ranks in args.ranks:
            measure(ranks, args.communicators, number, args.jobs, args.dask)


if __name__ == "__main__":
    main()
