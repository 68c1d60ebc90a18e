"""The jobs that run on this machine: processes that a launcher gave a rank, or that have NCCL."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from lockorder.hang import watches
from lockorder.hang.examine import environment_of
from lockorder.hang.ranks import rank_of
from runtime_probe.processes import ancestors

#: Where ranks of one job meet, and what their launchers call it.
_MEETING = (
    "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "SLURM_JOB_ID", "SLURM_STEP_ID",
    "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",
)  # fmt: skip
#: Libraries by which a process takes part in a job, whatever started it.
_LIBRARIES = ("libnccl.so", "librccl.so", "libtorch_cpu.so", "libmpi.so", "libnvshmem")


def here() -> list[list[int]]:
    """The jobs that may be looked at, each by its processes; of a tree the topmost that belong.

    Ranks are of one job if they meet at one place, by the variables of their launcher, or have one
    parent.  lockorder's own process, and what started it, are none.
    """
    own = {os.getpid(), *ancestors(os.getpid())}
    return _jobs([pid for pid in _mine() if pid not in own and _is_of_a_job(pid)])


def of(pid: int) -> list[int]:
    """The job that *pid* belongs to, as ``here`` has it; itself alone where that is of none."""
    for job in _jobs([p for p in _mine() if p != os.getpid() and _is_of_a_job(p)]):
        if not {pid, *ancestors(pid)}.isdisjoint(job):
            return job
    return [pid]


def is_rank(pid: int) -> bool:
    """Whether a launcher has given a process a rank."""
    return rank_of(environment_of(pid)) >= 0


def _jobs(found: list[int]) -> list[list[int]]:
    members = set(found)
    jobs: dict[object, list[int]] = {}
    for pid in found:
        if not members.intersection(ancestors(pid)):
            jobs.setdefault(_job(pid), []).append(pid)
    return list(jobs.values())


def told(job: list[int]) -> str:
    """A job in words: its processes and the command of the first."""
    named = f"--pid {' '.join(map(str, job))}"
    with contextlib.suppress(OSError):
        raw = Path(f"/proc/{job[0]}/cmdline").read_bytes()
        command = " ".join(os.fsdecode(part) for part in raw.split(b"\0") if part)[:100]
        return f"{named}   ({command})"
    return named


def _job(pid: int) -> object:
    environment = environment_of(pid)
    met = tuple(environment.get(name, "") for name in _MEETING)
    return met if any(met) else (ancestors(pid) or [pid])[0]


def _mine() -> Iterator[int]:
    """Processes whose memory this user may read, by their ids."""
    with contextlib.suppress(OSError):
        for name in sorted(filter(str.isdecimal, os.listdir("/proc")), key=int):
            with contextlib.suppress(OSError):
                if os.geteuid() in (0, os.stat(f"/proc/{name}").st_uid):
                    yield int(name)


def _is_of_a_job(pid: int) -> bool:
    environment = environment_of(pid)
    if watches.VARIABLE in environment:
        return False
    if rank_of(environment) >= 0:
        return True
    with contextlib.suppress(OSError, IndexError):
        for line in Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines():
            # Who only reads such a file (a debugger, lockorder itself) runs none of its code.
            if line.split(maxsplit=2)[1][2] == "x" and any(name in line for name in _LIBRARIES):
                return True
    return False
