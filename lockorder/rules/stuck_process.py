"""A process that stands still, and what it stands at, where no lock cycle is the cause.

## What it does
Looks at a live job twice, some seconds apart, and follows what its main thread waits for to the
end: the thread that it joins, the worker process, the other end of a pipe, a socket or a queue, the
holder of a file's lock, the child that it waits for. The finding shows that chain by the lines of
your own code.

* The last one is stopped, by a signal or a debugger: an error, with the command that continues it.
* The last one is in the kernel (state D), looks for something again and again that nobody is left
  to do, or waits for a partner that does not come: a warning.
* The last one has Python's GIL while it waits, and other threads wait for that: a warning.
* Several could end the wait, and none of them moves: a warning that says since when nothing moves,
  that the cause is not seen, and how to learn more.
* The last one works, sleeps, or waits for anybody from outside, as a server does: a note.

Warnings and errors give exit code 1, notes 0. Waits that nothing can end any more are deadlock.

## Why it hangs
Most jobs that hang are in no lock cycle: a producer has ended, a child is stopped, another job
holds a file's lock. The stack of the main thread shows only that it waits.

## Example
```python
item = queue.get()  # the thread that puts has ended with an exception
```

## Instead
Give waits a limit, and look after it whether who should end them is still there.

```python
while True:
    try:
        item = queue.get(timeout=60)
        break
    except Empty:
        if not producer.is_alive():
            raise RuntimeError("the producer has ended")
```

## References
* proc(5): https://man7.org/linux/man-pages/man5/proc.5.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockorder.model import Confidence, Finding, Level, Participant, fingerprint
from lockorder.rules import job_words as words
from lockorder.rules.evidence import Evidence
from lockorder.waitgraph import Node, WaitGraph

ID = "stuck-process"
LEVEL = Level.ERROR
#: Roles of processes that are asked for themselves; workers are told of where somebody waits.
_ROLES = ("rank", "", "launcher")


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each process that stands still for a reason of its own."""
    graph = evidence.waiting
    found: dict[str, Finding] = {}
    behind: set[str] = set()
    for process in graph.processes:
        main = graph.main(process)
        if process.role not in _ROLES or main is None or process.source != "live":
            continue
        if main.thread.goes_on and main.thread.kind != "loop":
            continue
        if main.wait is not None and main.wait.kind in ("ranks", "gpu"):
            continue
        for finding in _of(graph, main):
            found[main.who] = finding
            behind.update(p.who for p in finding.participants if p.who != main.who)
    # Who is at the end of another one's chain is told there.
    for who, finding in found.items():
        if who not in behind:
            yield finding


def _of(graph: WaitGraph, main: Node) -> Iterator[Finding]:
    way = graph.stopped(main)
    speaker = graph.speaker(main)
    if way:
        way = [speaker, *way[1:]] if len(way) > 1 else way
    looks = main.wait is not None and main.wait.kind == "poll" and main.who in graph.hopeless
    if way and (main.who in graph.dead or main.is_stopped or looks):
        yield _finding(
            way, Level.ERROR, Confidence.HIGH, words.story(way), "the process is stopped",
            f"let it go on: kill -CONT {way[-1].process.pid}; a debugger: detach it",
        )  # fmt: skip
        return
    if main.who in graph.dead:
        return  # told as deadlock
    chain = graph.chain(main)
    if speaker is not main:
        own = graph.chain(speaker)
        chain = own if len(own) > 1 else [speaker, *chain[1:]] if len(chain) > 1 else chain
    end = chain[-1]
    said = words.story(chain)
    since = words.since(main.thread)
    partner = end.wait is not None and end.wait.expects
    starved = [n for n in graph.nodes.values() if n.process is end.process and _wants_gil(n)]
    if end.thread.gil and not end.thread.moved and starved:
        who = words.together(starved, False)
        yield _finding(
            chain, Level.WARNING, Confidence.HIGH, f"{said} and has the GIL meanwhile: {who}",
            "it did not run between two looks, and the interpreter says that it has the GIL",
            "release the GIL around the call: Py_BEGIN_ALLOW_THREADS, gil_scoped_release, CDLL and "
            "not PyDLL",
        )  # fmt: skip
    elif end.thread.state == "D":
        yield _finding(
            chain, Level.WARNING, Confidence.MEDIUM, f"{said}, in the kernel {since}".rstrip(),
            "the kernel waits for a device or a file server", "look at dmesg and at the server",
        )  # fmt: skip
    elif end.who in graph.hopeless and end.polls and _asks(end):
        yield _finding(
            chain, Level.WARNING, Confidence.MEDIUM,
            f"{said}, again and again, and nobody else is there who could end that",
            "every other thread waits, too", "see who should end it, and why that one does not",
        )  # fmt: skip
    elif end.thread.goes_on or end.wait is None:
        if len(chain) > 1:
            yield _slow(chain, said)
    elif end.sleeps or (end.is_asleep and (_is_server(chain) or not end.thread.chain)):
        yield _slow(chain, f"{said}, and goes on by itself")
    elif end.wait.outside and not partner and _is_server(chain):
        yield _slow(chain, f"{said}: it waits for {end.wait.outside}, from outside of the job")
    elif end.wait.outside:
        yield _finding(
            chain, Level.WARNING, Confidence.MEDIUM,
            f"{said}{words.ended(chain)}; that ends only by {end.wait.outside}",
            "followed from the main thread to who does not go on",
            f"see why {end.wait.outside} does not come",
        )  # fmt: skip
    elif main.polls:
        yield _slow(chain, f"{said}, and looks again by itself")
    else:
        yield from _several(graph, chain, said, since)


def _wants_gil(node: Node) -> bool:
    return node.wait is not None and node.wait.kind == "gil"


def _asks(node: Node) -> bool:
    """Whether a wait with a limit is for somebody: one for an Event is a way to sleep.

    So is one for what comes from outside of the process.
    """
    lock = node.wait is not None and node.wait.kind in (
        "python-lock", "mutex", "rwlock", "join", "poll",
    )  # fmt: skip
    return lock and not node.thread.operation.endswith(".wait")


def _is_server(chain: list[Node]) -> bool:
    """Whether who waits for anybody from outside is what was asked for, or serves for it.

    The parent of servers waits for their end, and for nothing that they should do.
    """
    return len(chain) == 1 or all(
        n.wait is not None and n.wait.what == "the end of a child process" for n in chain[:-1]
    )


def _several(graph: WaitGraph, chain: list[Node], said: str, since: str) -> Iterator[Finding]:
    """Where one of several could end the wait."""
    end = chain[-1]
    way = graph.way_on(end)
    others = [n for n in graph.enders(end) if not graph.is_idle(n) and n.who != end.who]
    several = len({n.process.process for n in (*others, *chain)}) > 1
    if way and any(_tells(n) for n in way[-1:]):
        yield _slow(chain, f"{said}; {words.story(way[1:])}, and so that can end")
    elif end.polls:
        yield _slow(chain, f"{said}, and looks again by itself")
    else:
        known = f"; of those who could end it {words.together(others, several)}" if others else ""
        yield _finding(
            chain, Level.WARNING, Confidence.LOW,
            f"no lock cycle found; it stands still {since or 'while it was looked at'}: {said}"
            f"{known}{words.ended([*chain, *others])}; cause not seen",
            "nothing moved between two looks", "to learn more: look again with -v, or with gdb",
        )  # fmt: skip


def _tells(node: Node) -> bool:
    """Whether who goes on does something, and is not just a thread of which nothing is known."""
    return node.thread.goes_on or node.sleeps


def _slow(chain: list[Node], message: str) -> Finding:
    return _finding(
        chain, Level.NOTE, Confidence.MEDIUM, message, "by two looks, some seconds apart", ""
    )


def _finding(
    chain: list[Node], level: Level, confidence: Confidence, message: str, reason: str, fix: str
) -> Finding:
    sides = {n.who: n for n in chain}
    return Finding(
        rule=ID,
        level=level,
        confidence=confidence,
        reason=reason,
        message=message,
        fix=fix or "nothing to do, unless it takes longer than it should",
        locks=(),
        participants=tuple(
            Participant(who=n.who, held=(), waits=words.doing(n), chain=n.thread.chain)
            for n in sides.values()
        ),
        fingerprint=fingerprint(
            ID, [n.thread.operation for n in chain], [words.place(n.thread.line) for n in chain]
        ),
    )
