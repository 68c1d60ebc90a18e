"""Whether a thread waits for other ranks, by the functions that it is in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lockorder.model import Frame

#: Variables in which launchers tell a process its rank, first to last (torchrun, Open MPI, PMIx,
#: Slurm, MPICH).
RANK_VARIABLES = (
    "RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID",
)  # fmt: skip

#: Functions that are over when other ranks have come: Gloo, NCCL, RCCL, MPI, UCC, c10d's works.
_WAITS = re.compile(
    r"^(?:gloo::|p?(?:nccl|rccl)[A-Z]|MPI_|PMPI_|ucc_|nvshmem)"
    r"|^c10d::.*(?:Work|Backend|ProcessGroup).*::(?:wait|synchronize)"
    r"|^c10d::.*(?:Store|Handler).*::(?:wait|get|doWait|doGet)\b"
)
#: Threads of libraries that wait for work, or carry it out, whether ranks wait or not.
_SERVICES = re.compile(
    r"^gloo::transport::.*(?:Loop|Listener)::|^(?:nccl|rccl)(?:Proxy|Ras|Ib|Async|Socket|Topo)"
    r"|^c10d::.*(?:Watchdog|Heartbeat|Monitor|Daemon|BackgroundThread)"
)
#: Functions that wait for the device, on which a collective may be.
_DEVICE = re.compile(r"^(?:cuda|hip)(?:Device|Stream|Event)Synchronize|^cu(?:Ctx|Stream|Event)Sync")
#: Python's names of them, in torch.distributed, mpi4py and their like.
_COLLECTIVE = re.compile(
    r"^(?:all_?reduce|all_?gather|reduce_?scatter|broadcast|barrier|all_?to_?all|reduce|gather"
    r"|scatter|send|recv|isend|irecv|monitored_barrier|init_process_group|new_group)"
)
_LIBRARIES = re.compile(r"/torch/distributed/|/mpi4py/|/horovod/|/deepspeed/comm/")


def is_service(chain: Sequence[Frame]) -> bool:
    """Whether a thread belongs to a communication library, and works for whoever asks it."""
    return any(_SERVICES.search(frame.function) for frame in chain)


def is_collective(name: str) -> bool:
    """Whether a function of that name waits for other ranks, or starts what does."""
    return bool(_COLLECTIVE.match(name))


def rank_of(environment: Mapping[str, str]) -> int:
    """The global rank that a launcher gave a process; -1: none."""
    for name in RANK_VARIABLES:
        value = environment.get(name, "")
        if value.isdecimal() and len(value) < 10:
            return int(value)
    return -1


def collective(chain: Sequence[Frame]) -> str | None:
    """What a thread waits in for other ranks, by the most telling name; None: it does not.

    Where Python is inside of a collective of a library's, it waits there, in whatever way.
    """
    if any(_SERVICES.search(frame.function) for frame in chain):
        return None
    name = ""
    for frame in reversed(chain):
        if _LIBRARIES.search(frame.file) and _COLLECTIVE.match(_last(frame.function)):
            name = _last(frame.function)
    waits = any(_WAITS.search(frame.function) for frame in chain)
    if name:
        return name
    if not waits:
        return None
    for frame in chain:
        if _WAITS.search(frame.function):
            return _last(frame.function.partition("(")[0]) or frame.function
    return ""


def _last(function: str) -> str:
    return re.split(r"[.:]", function)[-1]


def device_wait(chain: Sequence[Frame]) -> str | None:
    """The call in which a thread waits for the device; None: in none."""
    return next((f.function for f in chain if _DEVICE.match(f.function)), None)
