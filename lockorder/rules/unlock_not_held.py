"""A thread releases a lock that it does not hold.

## What it does
Reports an unlock by a thread that did not take the lock: it was never taken, it was released
already, or another thread holds it. A wait for a condition releases its mutex, too.
In sources it is one that the function gave up before, on every way to the call or in a branch that
always leads there, and has not taken since. Semaphores, which anybody may post, are left alone, and
so are error-checking mutexes, which refuse such an unlock.

## Why it hangs
The standard calls it undefined. In practice the lock opens under the thread that holds it: two
threads are inside at once, and what they break (a queue's count, a list's links) is what a third
one waits for. An unlock too many of a reader-writer lock leaves a count that never reaches zero
again, and the next writer waits for ever. With one thread nothing happens at all, so tests pass.

## Example
```cpp
#include <mutex>
#include <queue>

static std::mutex mu;
static std::queue<int> packets;
static bool closed = true;

static void send(int packet)
{
    mu.lock();
    if (closed)
        mu.unlock();                    // no return: unlocked again below
    packets.push(packet);
    mu.unlock();
}

int main()
{
    send(1);
}
```

## Instead
Let a guard release what it took (std::lock_guard, std::unique_lock). Where a lock really has to
pass from one thread to another, use a semaphore.

```cpp
#include <mutex>
#include <queue>

static std::mutex mu;
static std::queue<int> packets;
static bool closed = true;

static void send(int packet)
{
    std::lock_guard<std::mutex> hold(mu);
    if (!closed)
        packets.push(packet);
}

int main()
{
    send(1);
}
```

## References
* C++ standard, [thread.mutex.requirements.mutex]:
  https://eel.is/c++draft/thread.mutex.requirements.mutex
* POSIX, pthread_mutex_unlock:
  https://pubs.opengroup.org/onlinepubs/9699919799/functions/pthread_mutex_unlock.html
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules import lock_misuse
from lockorder.rules.evidence import Evidence, LockMisuse

ID = "unlock-not-held"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each lock and place."""
    return lock_misuse.findings(
        ID, evidence, _message, _waits, _fix,
    )  # fmt: skip


def _waits(misuse: LockMisuse) -> str:
    return "a wait for a condition with it" if misuse.waits else "an unlock of it"


def _fix(lock: str, misuse: LockMisuse) -> str:
    if misuse.waits:
        return f"take {lock} before the wait, and change what is waited for under it"
    return f"release {lock} once, in the thread that took it: let a guard do it"


def _message(lock: str, misuse: LockMisuse) -> str:
    holder = f"; {misuse.holder} holds it" if misuse.holder else ""
    if misuse.waits:
        return f"a wait for a condition gives up {lock}, which the thread does not hold{holder}"
    return f"{lock} is released by a thread that does not hold it{holder}"
