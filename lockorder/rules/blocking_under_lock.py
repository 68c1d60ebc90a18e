"""A call that waits for a thread, the GPU or other ranks is made while a lock is held.

## What it does
Reports calls that wait for somebody else (thread joins, futures, conditions other than the lock's
own, CUDA calls that synchronise, NCCL initialisation, destruction and abort, stores, sockets) while
a lock is held, the GIL included, through any chain of calls, callbacks and destructors. It is an
error where whoever ends the wait needs that lock: the joined thread takes it, or the condition is
only ever notified under it, or after the waker has taken it. A loop that does nothing but look at
what others write (`while (!done) yield();`) is told where all who write that need the lock. A wait
with a time limit is a note, and so is one for a condition that a thread of the program ends which
never takes the lock, nor one that others hold while they take it: who wants the lock waits long,
and nobody hangs. Destroying an event, or launching a graph, waits for the driver's lock: for no
kernel, but for a thread that is in a call which synchronises the device; where nothing that was
read makes such a call, it is a note. A lock that orders NCCL launches against device-synchronising
calls, because it is held around both, may be held there. Calls that one step under the lock leads
to are told as one: what has to be moved is the same. The end of an object that waits is a note
where a part of what dies shares it, other members keep such objects too, and nobody is known to
need the lock: that release is seldom the last.
A thread of a pool is such a lock for its tasks: a task that waits for another task of its pool
(Python's executors) keeps the thread that the other one needs. Where the pool has several threads
it takes as many such tasks at once: medium confidence.

## Why it hangs
The wait lasts as long as a kernel, a peer or a network does, and everyone else who wants the lock
waits too: the watchdog, the other streams' allocations, the thread that would have ended the wait.

With the GIL held the whole interpreter stands still. pybind11 runs destructors with the GIL held;
one that joins its worker, while the worker wants the GIL for a last callback, waits for ever
(pybind11 #1446). PyTorch #112850 attaches hooks to the CUDA caching allocator that register
memory with NCCL: the allocator calls them with its own mutex held, so ncclCommRegister, which may
wait for peers, holds up every allocation on that device.

## Example
```cpp
#include <mutex>
#include <thread>

class Pool {
  public:
    Pool() : worker_([this] { run(); }) {}

    void close()
    {
        std::lock_guard<std::mutex> hold(mu_);
        closed_ = true;
        worker_.join();                 // waits for run(), which waits for mu_
    }

  private:
    void run()
    {
        std::lock_guard<std::mutex> hold(mu_);
        if (!closed_)
            ++done_;
    }

    std::mutex mu_;
    bool closed_ = false;
    int done_ = 0;
    std::thread worker_;
};
```

## Instead
Take what the wait needs out of the locked state, release the lock, then wait. Release the GIL
around anything that blocks (py::call_guard<py::gil_scoped_release>()).

```cpp
#include <mutex>
#include <thread>

class Pool {
  public:
    Pool() : worker_([this] { run(); }) {}

    void close()
    {
        {
            std::lock_guard<std::mutex> hold(mu_);
            closed_ = true;
        }
        worker_.join();
    }

  private:
    void run()
    {
        std::lock_guard<std::mutex> hold(mu_);
        if (!closed_)
            ++done_;
    }

    std::mutex mu_;
    bool closed_ = false;
    int done_ = 0;
    std::thread worker_;
};
```

## References
* pybind11, "Blocking destructors and the GIL": https://github.com/pybind/pybind11/issues/1446
* PyTorch: https://github.com/pytorch/pytorch/pull/112850, read in
  docs/case-studies/pytorch-112850.md
* CUDA Runtime API, "API synchronization behavior":
  https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html
* Williams, "C++ Concurrency in Action", 3.2 (calls of code that one does not control)
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import (
    Certainty,
    Finding,
    Frame,
    Level,
    Participant,
    duration,
    fingerprint,
)
from lockorder.rules.causes import of_waits
from lockorder.rules.evidence import (
    CONFIDENCE,
    BlockedCall,
    Evidence,
    call_beyond,
    is_long,
    seen_in,
)

ID = "blocking-under-lock"
LEVEL = Level.WARNING
causes = of_waits
#: Further places that reach one call under one lock and are named; the rest are only counted.
MAX_OTHERS = 4


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each lock and blocking call under it, however many ways end in the call."""
    same: dict[object, list[BlockedCall]] = {}
    for blocked in evidence.observed.blocked:
        key = (blocked.held.lock, blocked.call, blocked.chain[-1])
        same.setdefault(key, []).append(blocked)
    for calls in same.values():
        best = min(calls, key=_rank)
        yield _finding(best, calls, evidence.graph.locks[best.held.lock].name)


def _rank(blocked: BlockedCall) -> tuple[object, ...]:
    return (
        blocked.lost,
        bool(blocked.served) or blocked.unmet,
        blocked.waker is None,
        blocked.timed,
        -blocked.certainty,
        -blocked.longest_ns,
        len(blocked.chain),
        tuple((f.file, f.line, f.column) for f in (*blocked.held.chain, *blocked.chain)),
    )


def _level(blocked: BlockedCall) -> Level:
    guessed = blocked.certainty <= Certainty.GUESSED and not blocked.who
    far = guessed and is_long(blocked.held.chain, blocked.chain)
    ends = blocked.timed or blocked.served or blocked.unmet
    if ends or blocked.lost or far or blocked.certainty is Certainty.UNLIKELY:
        return Level.NOTE
    if blocked.certainty < Certainty.GUESSED and blocked.waker is None:
        return Level.NOTE  # it hardly ever happens, and nobody is known to need the lock
    sure = blocked.waker is not None and blocked.certainty > Certainty.GUESSED
    return Level.ERROR if sure else LEVEL


def _finding(blocked: BlockedCall, calls: list[BlockedCall], lock: str) -> Finding:
    who = blocked.who or blocked.held.chain[0].function
    others = list(dict.fromkeys(_entry(b) for b in calls if _entry(b) != _entry(blocked)))
    first = Participant(
        who=who, held=(blocked.held,), waits=f"{blocked.call}, for {blocked.waits_for}",
        chain=blocked.chain, also=len(others), others=tuple(others[:MAX_OTHERS]),
    )  # fmt: skip
    participants = [first]
    message = f"{blocked.call} waits for {blocked.waits_for} while {lock} is held"
    if blocked.waker is not None:
        message += f", which {blocked.waker.who} needs to end the wait"
        participants.append(
            Participant(
                who=blocked.waker.who, held=(), waits=f"{lock}, before it can end that wait",
                chain=blocked.waker.chain,
            )
        )  # fmt: skip
    if blocked.times:
        often = f" of {blocked.times}" if blocked.times > 1 else ""
        message += f"; the longest wait{often} was {duration(blocked.longest_ns)}"
    if blocked.timed:
        message += "; the wait has a time limit"
    if blocked.unmet:
        message += "; nothing here makes a call that has it for long"
    if blocked.served:
        message += f"; {blocked.served} ends it and needs no lock that leads there"
    message += seen_in(blocked.seen)
    return Finding(
        rule=ID,
        level=_level(blocked),
        confidence=CONFIDENCE[blocked.certainty],
        reason=blocked.why
        or (
            "recorded in a run"
            if blocked.who
            else "every step from the lock to the call is resolved"
        ),
        message=message,
        fix=_fix(blocked, lock),
        locks=(blocked.held.lock,),
        participants=tuple(participants),
        fingerprint=fingerprint(
            ID, (blocked.held.lock,), (blocked.call, blocked.chain[-1].function)
        ),
        owner=blocked.owner,
    )


def _entry(blocked: BlockedCall) -> str:
    first: Frame = blocked.chain[0]
    return f"{first.function} ({first.file}:{first.line})"


def _fix(blocked: BlockedCall, lock: str) -> str:
    if lock == "Python GIL":
        return f"release the GIL (gil_scoped_release) before {blocked.call}"
    if blocked.in_pool:
        return "give the tasks that are waited for to a pool of their own, or call them here"
    call = blocked.chain[1].function if len(blocked.chain) > 1 else ""
    if blocked.who:
        call = call_beyond(blocked.held.chain, blocked.chain)
    if call:
        return f"call {call} after {lock} is released"
    return f"release {lock} before {blocked.call}"
