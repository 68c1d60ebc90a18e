"""A process forks while another of its threads holds a lock.

## What it does
Reports fork() where a thread other than the caller holds a lock at that moment. The Python GIL,
which the interpreter makes anew in the child, is left alone.

## Why it hangs
The child gets a copy of the locked lock, and of its threads only the one that called fork: the
holder is not there, so the lock stays locked for ever. Anything in the child that takes it (a
logger, an allocator, a CUDA or NCCL call, a data loader's queue) hangs before it has said a word.
Data loaders that fork workers out of a process with busy threads are the usual place.

## Example
    std::thread logger([] { for (;;) { std::lock_guard<std::mutex> l(log_mu); flush(); } });
    if (fork() == 0) log("child");          // log_mu may be locked, and nobody will unlock it

## Instead
Fork before threads are started, or call exec at once in the child (posix_spawn; in Python the
"spawn" or "forkserver" start method). A library that must survive a fork takes its locks in
pthread_atfork's prepare handler and releases them on both sides.

## References
fork(2); pthread_atfork(3p), Rationale; Python multiprocessing, "Contexts and start methods".
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules import lock_misuse
from lockorder.rules.evidence import Evidence, LockMisuse

ID = "lock-held-across-fork"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each lock and place."""
    return lock_misuse.findings(
        ID, evidence, _message, "a fork",
        lambda lock: "fork before threads are started, or use posix_spawn; else take "
        f"{lock} in a pthread_atfork handler",
    )  # fmt: skip


def _message(lock: str, misuse: LockMisuse) -> str:
    return f"{lock} is held by {misuse.holder or 'another thread'} when the process forks"
