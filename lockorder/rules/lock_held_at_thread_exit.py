"""A thread ends with a lock held.

## What it does
Reports a thread that returns, calls pthread_exit or is cancelled while it holds a lock. A process
that is killed by a signal is no thread that ends; robust mutexes, which pass to the next one with
EOWNERDEAD, are left alone.

## Why it hangs
Nobody is left who could release it: the next thread that wants the lock waits for ever, and an
owner field that names a dead thread tells whoever looks at the hang nothing.

## Example
    void *worker(void *) {
      pthread_mutex_lock(&mu);
      if (stopping) return nullptr;      // mu stays locked
      work();
      pthread_mutex_unlock(&mu);
      return nullptr;
    }

## Instead
Release on every way out: a guard object does, also when an exception passes or the thread is
cancelled (pthread_cleanup_push in C). Use a robust mutex where threads or processes really can die.

## References
pthread_exit(3p); pthread_mutexattr_setrobust(3p); pthread_cleanup_push(3p).
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules import lock_misuse
from lockorder.rules.evidence import Evidence, LockMisuse

ID = "lock-held-at-thread-exit"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each lock and place."""
    return lock_misuse.findings(
        ID, evidence, _message, "its end",
        lambda lock: f"release {lock} on every way out of the thread: let a guard do it",
    )  # fmt: skip


def _message(lock: str, misuse: LockMisuse) -> str:
    return f"{lock} is still held when the thread that took it ends"
