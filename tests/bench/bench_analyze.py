"""Merging the traces of a large job: time, CPU time and peak memory of `lockorder analyze`.

Writes 4,096 ranks' traces of 2,000 lock orders each (300 lock objects, stacks of 10 frames, one
cycle through two locks in every rank) into a temporary folder, about 1.2 GB unless --ranks says
less, and analyses them.  The peer is reading the same bytes and doing nothing: what the disk and
Python's file objects cost.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))

from traces import Program, Recording

LOCKS, DEPTH = 300, 10


def rank(program: Program, number: int, orders: int) -> Recording:
    """One rank's recording: an order that has no circle, and one circle beside it."""
    r = Recording(program, pid=1000 + number, rank=number, bias=0x5500_0000_0000)
    threads = [r.thread(f"thread{i}") for i in range(8)]
    locks = [
        r.lock(0x7000_0000_0000 + 64 * i, first=r.stack((f"Object{i % 97}::use()", "o.cpp", i)))
        for i in range(LOCKS)
    ]
    for i in range(orders):
        a = i % (LOCKS - 1)
        b = a + 1 + (i * 7) % (LOCKS - 1 - a)
        frames = [(f"f{(i + depth) % 700}()", "app.cpp", depth) for depth in range(DEPTH)]
        r.edge(threads[i % 8], locks[a], locks[b], target_stack=r.stack(*frames))
    pair = r.named("cache"), r.named("queue")
    r.edge(threads[0], *pair)
    r.edge(threads[1], *reversed(pair))
    for lock in locks:
        r.stat(lock, 1000 + number, 3, 5000, 3000, 900, 15, 2)
    return r


def main() -> None:
    """Write, analyse, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ranks", type=int, default=4096)
    parser.add_argument("--orders", type=int, default=2000)
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lockorder-bench-") as name:
        folder = Path(name)
        template = rank(Program(), 0, args.orders).data()
        for number in range(args.ranks):
            # Only pid and rank differ: what is measured does not depend on more.
            data = bytearray(template)
            data[32:36] = (1000 + number).to_bytes(4, "little")
            data[40:44] = number.to_bytes(4, "little")
            (folder / f"trace-rank{number}-node-{1000 + number}-0.lot").write_bytes(data)
        started = time.perf_counter()
        total = sum(len(path.read_bytes()) for path in folder.iterdir())
        reading = time.perf_counter() - started
        started = time.perf_counter()
        command = [sys.executable, "-m", "lockorder", "analyze", "-j", str(args.jobs), name]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        wall = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    found = done.stdout.decode().count("[lock-order-cycle]")
    print(f"{args.ranks} traces of {args.orders} orders, {total / 1e6:.0f} MB; {args.jobs} jobs")
    print(f"  reading the bytes alone {reading:8.1f} s")
    print(f"  analyze, wall           {wall:8.1f} s   {wall / max(reading, 1e-9):.1f} x reading")
    print(f"  analyze, CPU            {cpu:8.1f} s   {1000 * cpu / args.ranks:.1f} ms a trace")
    print(f"  largest process         {used.ru_maxrss / 1024:8.0f} MiB")
    print(f"  exit code {done.returncode}, {found} cycle")
    if (done.returncode, found) != (1, 1):
        sys.exit("the cycle of the ranks was not found once")


if __name__ == "__main__":
    main()
