"""A process forks while another of its threads holds a lock.

## What it does
Reports fork() where a thread other than the caller holds a lock at that moment. The Python GIL,
which the interpreter makes anew in the child, is left alone.

In Python sources it is told where the child takes the lock: where the process that forks holds it
then, and where a thread that was started before takes it at any time (medium confidence). Forks are
those of os.fork, and of multiprocessing where the start method is "fork", by what the program says
or by default (Linux up to Python 3.13). A lock that a hook of os.register_at_fork sees to is left
alone, and so are those of multiprocessing, which processes share.

## Why it hangs
The child gets a copy of the locked lock, and of its threads only the one that called fork: the
holder is not there, so the lock stays locked for ever. Anything in the child that takes it (a
logger, an allocator, a CUDA or NCCL call, a data loader's queue) hangs before it has said a word.
Data loaders that fork workers out of a process with busy threads are the usual place.

python/cpython #50970 has collected such hangs for years: a child that is stuck in its first print
or log line, since another thread of the parent was in one when it forked.

## Example
```cpp
#include <atomic>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static std::mutex log_mu;
static std::atomic<bool> writing{false}, forked{false};

static void logger()
{
    std::lock_guard<std::mutex> hold(log_mu);
    writing = true;
    while (!forked)                     // stands for a slow disk
        std::this_thread::yield();
}

int main()
{
    std::thread thread(logger);
    while (!writing)
        std::this_thread::yield();
    pid_t child = fork();
    if (child == 0)
        _exit(0);                       // to log here would hang: log_mu is locked for ever
    forked = true;
    thread.join();
    waitpid(child, nullptr, 0);
}
```

## Instead
Fork before threads are started, or call exec at once in the child (posix_spawn; in Python the
"spawn" or "forkserver" start method). A library that must survive a fork takes its locks in
pthread_atfork's prepare handler and releases them on both sides.

```cpp
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static std::mutex log_mu;

static void logger() { std::lock_guard<std::mutex> hold(log_mu); }

int main()
{
    pid_t child = fork();               // no thread yet
    if (child == 0)
        _exit(0);
    std::thread thread(logger);
    thread.join();
    waitpid(child, nullptr, 0);
}
```

## References
* fork(2): https://man7.org/linux/man-pages/man2/fork.2.html
* pthread_atfork(3): https://man7.org/linux/man-pages/man3/pthread_atfork.3.html
* Python, multiprocessing, "Contexts and start methods":
  https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods
* Python: https://github.com/python/cpython/issues/50970
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
    return lock_misuse.findings(ID, evidence, _message, "a fork", _fix)


def _message(lock: str, misuse: LockMisuse) -> str:
    holder = misuse.holder or "another thread"
    if misuse.perhaps:
        return f"{lock} may be held by {holder} when the process forks, and the child takes it"
    return f"{lock} is held by {holder} when the process forks"


def _fix(lock: str, misuse: LockMisuse) -> str:
    if misuse.chain[-1].file.endswith(".py"):
        if misuse.holder == misuse.who:
            return f"start the process after {lock} is released"
        return (
            'fork before threads are started, or start processes by "spawn" or "forkserver"; '
            f"else take {lock} in a hook of os.register_at_fork"
        )
    return (
        "fork before threads are started, or use posix_spawn; else take "
        f"{lock} in a pthread_atfork handler"
    )
