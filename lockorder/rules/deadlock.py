"""Threads that wait for each other in a cycle, or that nothing can wake any more.

## What it does
Looks at a hung job (live processes, a core file, snapshots, the traces of a run that was killed)
and asks of each wait who can end it. It reports three things:

* A cycle: each thread waits for what the next one holds. That is a mutex or the writer's side of a
  reader-writer lock, a Python lock, a lock of asyncio, a thread to be joined, a static initialiser,
  or the GIL.
* An owner that is gone: a mutex whose owner has ended without unlocking it, or was a thread of the
  parent that a fork left behind.
* A closed world: threads none of which holds what another wants, but which all wait without a limit
  for what only they could do. The queue is empty and every thread that could fill it waits, too;
  every worker of a pool waits for a task of the same pool. A condition, a queue, an event or a
  semaphore counts as something that every thread of its process can end, and of the processes that
  share it; a pipe or a socket as something that the processes at its other end can. Threads are
  reported if none of those who could end their waits can go on. One thread that works, sleeps, or
  waits for the outside (a terminal, a client, another machine) is enough for no finding.

The confidence is high if an owner is read from memory, or if every thread takes part. It is medium
where a Python lock's owner is known only by the source around a frame, and where threads stand by
for work and are taken for idle: such a thread could be woken in a way that is not seen.

Waits with a limit of less than 600 seconds end by themselves and are in no cycle.

## Why it hangs
It hangs already, and waiting does not help. Where a run was recorded, the lock orders that led
there are reported beside it as lock-order-cycle; without one, `lockorder check` finds the orders
that the sources can take.

In PyTorch #22173 there is such a cycle: one thread in ProcessGroupNCCL::collective holds the free
mutex and waits for the allocator's mutex in recordStream; another in emptyCache or malloc holds the
allocator's mutex and waits for the free mutex in free_blocks.

## Example
```text
thread 1: holds free_mutex, waits for mutex (recordStream)
thread 2: holds mutex, waits for free_mutex (free_blocks)
```

```cpp
#include <mutex>

std::mutex mutex, free_mutex;

void collective()
{
    std::lock_guard<std::mutex> no_frees(free_mutex);
    std::lock_guard<std::mutex> hold(mutex);            // thread 1 stands here
}

void empty_cache()
{
    std::lock_guard<std::mutex> hold(mutex);
    std::lock_guard<std::mutex> no_frees(free_mutex);   // and thread 2 here
}
```

A closed world, in Python:

```python
def load(batches):
    for path in files:
        batches.put(read(path))  # raises for the third file: this thread has ended


threading.Thread(target=load, args=(batches,)).start()
while True:
    train(batches.get())  # the queue is empty, and nobody is left who could fill it
```

## Instead
Take the locks in one order everywhere, or together; release what is held before waiting for a
thread. Let whoever fills a queue say that it has ended, in `finally`; give a wait a limit, and look
afterwards whether the one who should end it is still there. Never wait in a pool's task for another
task of the same pool.

```cpp
#include <mutex>

std::mutex mutex, free_mutex;

void collective() { std::scoped_lock both(free_mutex, mutex); }
void empty_cache() { std::scoped_lock both(free_mutex, mutex); }
```

## References
* Coffman, Elphick, Shoshani, "System Deadlocks", ACM Computing Surveys 3(2), 1971:
  https://doi.org/10.1145/356586.356588
* Holt, "Some Deadlock Properties of Computer Systems", ACM Computing Surveys 4(3), 1972 (knots):
  https://doi.org/10.1145/356603.356607
* PyTorch: https://github.com/pytorch/pytorch/pull/22173
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from lockorder import meaning
from lockorder.model import (
    Acquisition,
    Confidence,
    Finding,
    How,
    Level,
    Participant,
    Wait,
    fingerprint,
)
from lockorder.rules import job_words as words
from lockorder.rules.evidence import Evidence
from lockorder.waitgraph import Node, WaitGraph, first_of

ID = "deadlock"
LEVEL = Level.ERROR
#: Waiters for the same that are told one by one.
_SHOWN = 4
#: Threads of one standstill whose stacks are told.
_MOST = 16
#: Words for what is waited for.
KINDS = {
    "mutex": "mutex", "rwlock": "reader-writer lock", "once": "once flag",
    "static-init": "static initialiser", "semaphore": "semaphore", "gil": "GIL",
    "python-lock": "Python lock", "join": "end of thread",
}  # fmt: skip


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each circle of two threads or more."""
    names = {lock.id: lock.name for lock in evidence.graph.locks.values()}
    for circle in circles(evidence.waits):
        if len(circle) > 1:
            yield _finding(circle, names)
    gone: dict[tuple[str, str, str], list[Wait]] = {}
    for wait in evidence.waits:
        if wait.gone and not wait.timed:
            gone.setdefault((wait.process, wait.lock, wait.gone), []).append(wait)
    for waits in gone.values():
        yield _gone(waits, names)
    yield from _knots(evidence)


def _knots(evidence: Evidence) -> Iterable[Finding]:
    """Threads that nothing can wake, in no cycle of owners: nobody is left who could end a wait."""
    graph = evidence.waiting
    told = {wait.who for circle in circles(evidence.waits) for wait in circle}
    told |= {wait.who for wait in evidence.waits if wait.gone}
    for knot in graph.knots(graph.dead):
        # Who only stands by waits for work, and is no news; nor are those who wait for a cycle.
        ours = [n for n in knot if not graph.is_idle(n) and not n.is_stopped]
        ends = {node.who for n in ours for node in graph.chain(n)}
        # Ranks that wait for each other are told as ranks.
        for_ranks = any(n.wait is not None and n.wait.kind in ("ranks", "gpu") for n in ours)
        if ours and not for_ranks and not any(n.is_stopped for n in knot) and not ends & told:
            yield _knot(graph, ours, knot)


def _knot(graph: WaitGraph, ours: list[Node], knot: list[Node]) -> Finding:
    first = first_of(ours)
    chain = graph.chain(first)
    others = [n for n in ours if n.who not in {c.who for c in chain}]
    several = len({n.process.process for n in knot}) > 1
    idle = len(knot) - len(ours)
    said = words.story(chain)
    if others:
        said += f"; {words.together(others, several)}"
    where = " and ".join(sorted({n.process.process for n in knot}))
    said += words.ended(ours)
    if len(knot) > 1:
        verb = "are" if several else "is"
        message = f"{where} {verb} deadlocked: {said}, and nobody is left who could end these waits"
    else:
        message = f"nothing can wake {where} any more: {said}, and no other thread is there"
    return Finding(
        rule=ID,
        level=LEVEL,
        confidence=Confidence.MEDIUM if idle else Confidence.HIGH,
        reason="each of its threads waits without a limit for what only these threads can do"
        + (f"; {idle} of them are taken to stand by for work" if idle else ""),
        message=message,
        fix="see who should have ended that wait, and why it is not there any more or waits itself",
        locks=tuple(dict.fromkeys(n.wait.lock for n in ours if n.wait is not None and n.wait.lock)),
        participants=tuple(
            Participant(who=n.who, held=(), waits=words.doing(n), chain=n.thread.chain)
            for n in (*chain, *others)[:_MOST]
        ),
        fingerprint=fingerprint(
            ID, sorted({n.thread.operation for n in ours}),
            sorted({words.place(n.thread.line) for n in ours}),
        ),
    )  # fmt: skip


def circles(waits: Iterable[Wait]) -> list[list[Wait]]:
    """A shortest circle through each thread that is in one and in none before.

    A thread that waits for itself is a circle of one.  Waits that end by themselves make none.
    """
    by_thread = {w.who: w for w in waits if not w.timed}
    done: set[str] = set()
    found: list[list[Wait]] = []
    for start in sorted(by_thread):
        if start in done:
            continue
        came: dict[str, str] = {}
        ready = deque([start])
        while ready and start not in came:
            here = ready.popleft()
            for owner in by_thread[here].owners:
                if owner.who in by_thread and owner.who not in came:
                    came[owner.who] = here
                    ready.append(owner.who)
        if start not in came:
            continue
        circle = [start]
        while came[circle[-1]] != start:
            circle.append(came[circle[-1]])
        done.update(circle)
        # Each waits for the next.
        found.append([by_thread[who] for who in (circle[0], *reversed(circle[1:]))])
    return found


def story(circle: list[Wait], names: Mapping[str, str]) -> str:
    """The circle in one line: who waits for what, which who has; *names* of locks are by ids."""
    steps = []
    lines = [words.own_line(wait.chain) for wait in circle]
    for wait, following, line in zip(circle, [*circle[1:], circle[0]], lines, strict=True):
        at = f" at {line}" if line else ""
        if line and lines.count(line) > 1:
            at += _called(wait, [w for w in circle if w is not wait])
        if wait.kind == "task":
            steps.append(f"{wait.who} awaits {wait.lock}{at}, which {following.who} has")
        elif wait.kind == "join":
            call = meaning.of(wait.chain).operation
            by = f" ({call})" if call else ""
            steps.append(f"{wait.who} waits for the end of {following.who}{at}{by}")
        else:
            steps.append(
                f"{wait.who} waits for {named(wait, names)}{at}, which {following.who} has"
            )
    return "; ".join(steps)


def _called(wait: Wait, others: Sequence[Wait]) -> str:
    """The innermost line of the program's own that none of *others*, at the same one, is in."""
    shared = {words.place(f) for other in others for f in other.chain}
    own = [f for f in wait.chain if meaning.is_own(f) and words.place(f) not in shared]
    return f", called at {words.place(own[-1])}" if own else ""


def named(wait: Wait, names: Mapping[str, str]) -> str:
    """What is waited for."""
    word = KINDS.get(wait.kind, wait.kind)
    if wait.kind == "gil":
        return "the GIL"
    name = names.get(wait.lock, wait.lock)
    return f"the {word} {name}".replace(f"the {word} {word} ", f"the {word} ") if name else word


def _finding(circle: list[Wait], names: Mapping[str, str]) -> Finding:
    sides = []
    for place, wait in enumerate(circle):
        before = circle[place - 1]
        # What the one before waits for is what this one has.
        held = [
            Acquisition(before.lock, owner.chain)
            for owner in before.owners
            if owner.who == wait.who and before.kind != "join"
        ]
        taken = None
        if wait.kind != "join":
            taken = Acquisition(wait.lock, wait.chain, how=How.BLOCKING)
        sides.append(
            Participant(
                who=wait.who,
                held=tuple(held),
                taken=taken,
                waits="" if taken is not None else f"a join of {_next(circle, place)}",
                chain=() if taken is not None else wait.chain,
            )
        )
    inferred = any(wait.inferred for wait in circle)
    locks = tuple(dict.fromkeys(w.lock for w in circle if w.lock))
    where = {w.process for w in circle}
    return Finding(
        rule=ID,
        level=LEVEL,
        confidence=Confidence.MEDIUM if inferred else Confidence.HIGH,
        reason="who has a Python lock is told by the source around the threads' frames"
        if inferred
        else "each waits for what the next one has, and no wait ends by itself before long",
        message=f"{len(circle)} threads of {' and '.join(sorted(where))} are deadlocked: "
        + story(circle, names),
        fix="take the locks in one order everywhere, and wait for threads with none held",
        locks=locks,
        participants=tuple(sides),
        fingerprint=fingerprint(
            ID, sorted(locks), sorted({w.chain[-1].function for w in circle if w.chain})
        ),
    )


def _gone(waits: list[Wait], names: Mapping[str, str]) -> Finding:
    """Threads that wait for what nobody can give back."""
    wait = waits[0]
    more = f" (and {len(waits) - 1} more)" if len(waits) > 1 else ""
    line = words.own_line(wait.chain)
    at = f" at {line}" if line else ""
    return Finding(
        rule=ID,
        level=LEVEL,
        confidence=Confidence.HIGH,
        reason="the lock names its owner, and no thread of the process has this id",
        message=f"{wait.who}{more} waits for {named(wait, names)}{at}, and who took that is not "
        f"there any more: {wait.gone}",
        fix="release it on every way out of the thread that takes it; after a fork, take no lock "
        "in the child that others may have had (pthread_atfork, or exec at once)",
        locks=(wait.lock,) if wait.lock else (),
        participants=(
            *(
                Participant(
                    who=each.who, held=(), taken=Acquisition(each.lock, each.chain),
                )
                for each in waits[:_SHOWN]
            ),
            Participant(who=wait.gone, held=(Acquisition(wait.lock, ()),)),
        ),
        fingerprint=fingerprint(ID, (wait.lock,), tuple(f.function for f in wait.chain[-1:])),
    )  # fmt: skip


def _next(circle: list[Wait], place: int) -> str:
    return circle[(place + 1) % len(circle)].who
