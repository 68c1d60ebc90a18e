"""Jobs of two GPUs that hang, and one that is well, each looked at by ``lockorder hang``.

    python tests/gpu/hangs.py            all of them, a line each
    python tests/gpu/hangs.py mismatch   one rank's part, as the driver starts it

Nothing is prepared: neither the probe nor the flight recorder.  The driver waits until every rank
has said ``ready`` and stands, looks, and prints the first line, the exit code and the seconds.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LOOKS = 20
#: Seconds from the last rank's word until the job stands in the kernels.
SETTLE = 6.0


def _dist():
    import torch  # noqa: PLC0415  (the driver does without)
    import torch.distributed as dist  # noqa: PLC0415

    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", timeout=dt.timedelta(hours=1))
    value = torch.ones(1024, device="cuda")
    dist.all_reduce(value)
    torch.cuda.synchronize()
    return torch, dist, rank, value


def ready():
    print("ready", flush=True)


def mismatch():
    torch, dist, rank, value = _dist()
    for step in range(1000):
        if rank == 0 and step == 5:
            parts = [torch.empty_like(value) for _ in range(2)]
            ready()
            dist.all_gather(parts, value)  # only rank 0
        if rank == 1 and step == 5:
            ready()
        dist.all_reduce(value)
        value.sum().item()


def loading():
    _torch, dist, rank, value = _dist()
    ready()
    if rank == 1:
        _left, right = socket.socketpair()
        right.recv(1)  # the shard never comes
    dist.all_reduce(value)
    value.sum().item()


def killed():
    torch, dist, rank, value = _dist()
    ready()
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.all_reduce(value)
    torch.cuda.synchronize()


def crossed():
    torch, dist, rank, value = _dist()
    groups = [dist.new_group([0, 1]), dist.new_group([0, 1])]
    for group in groups:
        dist.all_reduce(value, group=group)
    torch.cuda.synchronize()
    ready()
    for group in groups if rank == 0 else groups[::-1]:
        dist.all_reduce(value, group=group)
        torch.cuda.synchronize()


def receives():
    torch, dist, rank, value = _dist()
    ready()
    dist.recv(value, src=1 - rank)
    torch.cuda.synchronize()


def store_wait():
    torch, dist, rank, value = _dist()
    store = dist.distributed_c10d._get_default_store()
    ready()
    if rank == 0:
        store.wait(["checkpoint/done"])
    dist.all_reduce(value)
    torch.cuda.synchronize()


def swallowed():
    _torch, dist, rank, value = _dist()
    ready()
    for step in range(1000):
        try:
            if rank == 1 and step == 3:
                raise ValueError("bad sample")
            dist.all_reduce(value)
            value.sum().item()
        except ValueError:
            continue
        if step == 10:
            dist.barrier()
            value.sum().item()


def item():
    _torch, dist, rank, value = _dist()
    ready()
    if rank == 0:
        dist.all_reduce(value)
        value.sum().item()  # only rank 0
    else:
        time.sleep(3600)


def healthy():
    torch, dist, _rank, _value = _dist()
    ready()
    while True:
        weights = torch.randn(2048, 2048, device="cuda")
        for _ in range(20):
            weights = torch.tanh(weights @ weights)
        dist.all_reduce(weights)
        weights.sum().item()


HUNG = (mismatch, loading, killed, crossed, receives, store_wait, swallowed, item)


@contextlib.contextmanager
def job(name):
    """Two ranks of a scenario, started with nothing but the variables of a launcher."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    ranks = [
        subprocess.Popen(
            [sys.executable, __file__, name], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "RANK": str(r), "LOCAL_RANK": str(r), "WORLD_SIZE": "2",
                 "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port},
        )
        for r in range(2)
    ]  # fmt: skip
    try:
        for rank in ranks:
            while "ready" not in (rank.stdout.readline() or "ready"):
                pass
        time.sleep(SETTLE)
        yield ranks
    finally:
        for rank in ranks:
            rank.kill()
            rank.wait()


def look(ranks, folder, name):
    """The first line, the exit code and the seconds; all that was said is kept in *folder*."""
    alive = [str(r.pid) for r in ranks if r.poll() is None]
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "hang", "--pid", *alive],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    took = time.monotonic() - begin
    (folder / f"{name}.txt").write_text(done.stdout + "\n--\n" + done.stderr)
    return done.stdout.partition("\n")[0], done.returncode, took


def ras(folder, name):
    """NCCL's own answers, as they are."""
    for kind, question in (("text", b"verbose status\n"),
                           ("json", b"set format json\nverbose status\n")):  # fmt: skip
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("localhost", 28028), 2) as peer,
        ):
            peer.settimeout(5)
            peer.sendall(question)
            said = b""
            while part := peer.recv(1 << 16):
                said += part
            (folder / f"{name}-ras.{kind}").write_bytes(said)


def main():
    folder = Path(os.environ.get("OUT") or tempfile.mkdtemp())
    wanted = re.compile(os.environ.get("ONLY", "."))
    for scenario in HUNG:
        if not wanted.search(scenario.__name__):
            continue
        with job(scenario.__name__) as ranks:
            first, code, took = look(ranks, folder, scenario.__name__)
            ras(folder, scenario.__name__)
        print(f"{scenario.__name__}: exit {code}, {took:.1f} s\n    {first}", flush=True)
    if wanted.search("healthy"):
        with job("healthy") as ranks:
            codes = [look(ranks, folder, f"healthy{n}") for n in range(LOOKS)]
        bad = [first for first, code, _ in codes if code]
        print(f"healthy: {len(codes) - len(bad)} of {len(codes)} looks with exit 0")
        print("\n".join(f"    {first}" for first in bad or [codes[0][0]]))


if __name__ == "__main__":
    globals()[sys.argv[1]]() if len(sys.argv) > 1 else main()
