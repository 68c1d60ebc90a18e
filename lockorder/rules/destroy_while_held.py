"""A lock is destroyed, or its memory is given back, while it is held.

## What it does
Reports the end of a lock that a thread holds: destroyed, initialised again, freed with the memory
that it lies in, or unmapped with its library.

## Why it hangs
Whoever waits for the lock sleeps on an address that means nothing any more: the wake-up that would
come with the release never does, or goes to a lock that was made there since. The usual cause is an
object that is deleted by one thread while another is still in one of its methods, so the crash or
hang comes later and elsewhere.

## Example
    void Session::finish() {
      std::lock_guard<std::mutex> hold(mu_);
      registry.erase(this);                  // the last reference: ~Session runs here, under mu_
    }

## Instead
Keep the object alive for as long as its lock is held: take a reference before the lock, and drop
it after (declare the guard after the shared_ptr, so that it goes first). Join the threads that use
an object before it is destroyed.

## References
[thread.mutex.class] in the C++ standard; pthread_mutex_destroy(3p), Rationale.
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules import lock_misuse
from lockorder.rules.evidence import Evidence, LockMisuse

ID = "destroy-while-held"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each lock and place."""
    return lock_misuse.findings(
        ID, evidence, _message, "the end of it",
        lambda lock: f"release {lock}, and let nobody take it any more, before its object goes",
    )  # fmt: skip


def _message(lock: str, misuse: LockMisuse) -> str:
    return f"{lock} is destroyed while {misuse.holder or 'a thread'} holds it"
