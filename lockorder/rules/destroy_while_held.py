"""A lock is destroyed, or its memory is given back, while it is held.

## What it does
Reports the end of a lock that a thread holds: destroyed, initialised again, freed with the memory
that it lies in, or unmapped with its library. In sources: an object that is deleted or freed, or a
lock that is destroyed, while on every way there that lock, or one in the object, is held; in a
callee, too, where that does so on all of its ways.

## Why it hangs
Whoever waits for the lock sleeps on an address that means nothing any more: the wake-up that would
come with the release never does, or goes to a lock that was made there since. The usual cause is an
object that is deleted by one thread while another is still in one of its methods, or that drops
its own last reference in a method; the crash or hang comes later and elsewhere.

## Example
```cpp
#include <memory>
#include <mutex>

struct Session {
    std::mutex mu;
    void finish();
};

static std::unique_ptr<Session> registry(new Session);

void Session::finish()
{
    std::lock_guard<std::mutex> hold(mu);
    registry.reset();                   // the last reference: mu is freed, and held
}

int main()
{
    registry->finish();
}
```

## Instead
Keep the object alive for as long as its lock is held: take a reference before the lock, and drop
it after (declare the guard after the pointer, so that it goes first). Join the threads that use an
object before it is destroyed.

```cpp
#include <memory>
#include <mutex>

struct Session {
    std::mutex mu;
    void finish();
};

static std::shared_ptr<Session> registry(new Session);

void Session::finish()
{
    std::shared_ptr<Session> keep = registry;
    std::lock_guard<std::mutex> hold(mu);       // released before keep
    registry.reset();
}

int main()
{
    registry->finish();
}
```

## References
* C++ standard, [thread.mutex.class]: https://eel.is/c++draft/thread.mutex.class
* POSIX, pthread_mutex_destroy, with its rationale:
  https://pubs.opengroup.org/onlinepubs/9699919799/functions/pthread_mutex_destroy.html
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
        lambda lock, _: f"release {lock}, and let nobody take it any more, before its object goes",
    )  # fmt: skip


def _message(lock: str, misuse: LockMisuse) -> str:
    return f"{lock} is destroyed while {misuse.holder or 'a thread'} holds it"
