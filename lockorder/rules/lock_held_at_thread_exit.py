"""A thread ends with a lock held.

## What it does
Reports a thread that returns, calls pthread_exit or is cancelled while it holds a lock; in sources,
a function that threads are started in and that returns with one. A process that is killed by a
signal is no thread that ends; robust mutexes, which pass to the next one with EOWNERDEAD, are left
alone.

## Why it hangs
Nobody is left who could release it: the next thread that wants the lock waits for ever, and an
owner field that names a dead thread tells whoever looks at the hang nothing.

Python did this to other people's threads: up to 3.13 a thread that asked for the GIL while the
interpreter was being finalized was ended on the spot with pthread_exit, and what no destructor
released stayed locked; since 3.14 such a thread hangs instead (python/cpython #87135).

## Example
```cpp
#include <pthread.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static bool stopping = true;
static int done;

static void *worker(void *)
{
    pthread_mutex_lock(&mu);
    if (stopping)
        return nullptr;                 // mu stays locked
    ++done;
    pthread_mutex_unlock(&mu);
    return nullptr;
}

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, worker, nullptr);
    pthread_join(thread, nullptr);
}
```

## Instead
Release on every way out: a guard object does, also when an exception passes or the thread is
cancelled (pthread_cleanup_push in C). Use a robust mutex where threads or processes really can die.

```cpp
#include <mutex>
#include <thread>

static std::mutex mu;
static bool stopping = true;
static int done;

static void worker()
{
    std::lock_guard<std::mutex> hold(mu);
    if (stopping)
        return;
    ++done;
}

int main()
{
    std::thread thread(worker);
    thread.join();
}
```

## References
* Python: https://github.com/python/cpython/issues/87135
* POSIX, pthread_exit:
  https://pubs.opengroup.org/onlinepubs/9699919799/functions/pthread_exit.html
* POSIX, pthread_mutexattr_setrobust:
  https://pubs.opengroup.org/onlinepubs/9699919799/functions/pthread_mutexattr_setrobust.html
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
        lambda lock, _: f"release {lock} on every way out of the thread: let a guard do it",
    )  # fmt: skip


def _message(lock: str, misuse: LockMisuse) -> str:
    return f"{lock} is still held when the thread that took it ends"
