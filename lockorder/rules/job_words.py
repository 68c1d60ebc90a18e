"""Threads of a job in words: who is where, in what, for whom; by the program's own lines."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence

from lockorder import meaning
from lockorder.model import Frame, ProcessState, ThreadState, Wait
from lockorder.rules.rank_story import ranks_text
from lockorder.waitgraph import Node

#: What native waits are for, by their kind.
_NATIVE = {
    "mutex": "mutex", "rwlock": "reader-writer lock", "condition": "condition",
    "semaphore": "semaphore", "barrier": "barrier",
}  # fmt: skip
#: What it says of a thing that one waits in these.
_SAYS = {"Queue.put": "it is full", "Queue.get": "it is empty", "LifoQueue.put": "it is full"}
_POOL_WORKER = "pool worker"
#: Threads that are named one by one.
_SHOWN = 3
#: Runs of ranks that are named where many of them are at the same.
FEW = 8
#: From so many seconds on a standstill is told with its length as well as its begin.
_LONG = 120


def place(frame: Frame | None) -> str:
    """``train.py:88``; "" where no source line is known."""
    if frame is None or not frame.file or not frame.line:
        return ""
    return f"{os.path.basename(frame.file)}:{frame.line}"


def own_line(chain: Sequence[Frame]) -> str:
    """The program's own line on a stack; "" where it has none."""
    return place(meaning.of(chain).line)


def process(of: ProcessState) -> str:
    """A process by its rank, where it has one."""
    if of.rank >= 0:
        return f"{'a worker of ' if of.role == 'worker' else ''}rank {of.rank}" + (
            f" (process {of.pid})" if of.role == "worker" else ""
        )
    return f"process {of.pid}"


def ranks(numbers: Iterable[int]) -> str:
    """Ranks by their numbers, in few words however many they are."""
    return ranks_text(numbers, FEW)


def name(node: Node, others: bool) -> str:
    """A thread; with *others* its process is said, too."""
    thread = node.thread
    if thread.kind == "task":
        return f"task {thread.name}" + (f" of {process(node.process)}" if others else "")
    if thread.is_main:
        worker = f"{thread.kind} " if thread.kind == _POOL_WORKER else ""
        return worker + (process(node.process) if others else thread.name or process(node.process))
    called = f"{thread.kind or 'thread'} {thread.name or thread.tid}"
    return f"{called} of {process(node.process)}" if others else called


def doing(node: Node) -> str:
    """What a thread is at: ``is in Queue.get at train.py:88``."""
    thread, wait = node.thread, node.wait
    at = place(thread.line)
    where = f" at {at}" if at else ""
    if node.is_stopped:
        return f"{thread.doing or 'is stopped'}{where}"
    if thread.moved == "works" or (wait is None and thread.state == "R"):
        return f"is computing{where}"
    if wait is None:
        return f"{thread.doing or 'goes on'}{where}"
    if wait.kind == "poll":
        return f"loops {wait.what}{where}"
    if wait.kind == "ranks" and wait.key:
        return f"waits for the key {wait.key} of the store in {wait.lock or 'a wait'}{where}"
    words = thread.doing
    if thread.kind == _POOL_WORKER and thread.line is None:
        return "waits for work"
    if node.sleeps:
        return f"{'awaits ' + thread.operation if thread.kind == 'task' else 'sleeps'}{where}"
    if wait.what and wait.what not in ("time", *words.split(" for ")) and not thread.operation:
        words += f" ({wait.what})"
    if thread.kind == "task":
        lock = f" ({wait.lock})" if wait.lock and wait.lock != thread.operation else ""
        words = f"awaits {thread.operation or 'a future'}{lock}"
    elif thread.operation and not wait.owners:
        words = f"is in {thread.operation}" if meaning.is_named(thread.operation) else "waits"
        more = wait.what if wait.what != "time" else ""
        more = more or _SAYS.get(thread.operation, "") or _native(wait, thread.operation)
        if more and words == "waits":
            words, more = f"waits for {more}", ""
        words += f" ({more})" if more else ""
    elif thread.operation and wait.kind == "join":
        words = f"is in {thread.operation}"
    if thread.after:
        where += f", after {thread.after}"
    if thread.is_main and meaning.is_ending(thread.chain):
        words = f"has run to its end, and the interpreter, which shuts down, {words or 'waits'}"
    if thread.kind == "loop" and wait.kind not in ("io", "sleep"):
        where += ", inside of the event loop that it runs"
    return f"{words or 'waits'}{where}"


def _native(wait: Wait, operation: str) -> str:
    """What is waited for, by its kind and its name, where the function's name does not say so."""
    kind, lock = _NATIVE.get(wait.kind, ""), wait.lock
    if not kind:
        return ""
    if lock and " at 0x" not in lock:
        return f"the {kind} {lock}" if lock not in operation else ""
    return "" if wait.kind[:3] in operation.lower() else f"a {kind}"


def ended(nodes: Iterable[Node]) -> str:
    """The children of these threads' processes that have ended, as the end of a sentence."""
    found = {(process(n.process), pid) for n in nodes for pid in n.process.ended}
    parts = [f"process {pid}, a child of {of}, has ended" for of, pid in sorted(found)[:_SHOWN]]
    return "".join(f"; {part}" for part in parts)


def are(who: str, node: Node, number: int) -> str:
    """*who*, of whom *node* is one of *number*, with what they are at."""
    said = doing(node)
    if number == 1:
        return f"{who} {said}"
    verb, _, rest = said.partition(" ")
    plural = {"is": "are", "waits": "wait", "sleeps": "sleep", "goes": "go", "awaits": "await"}
    return f"{who} {plural.get(verb, verb)} {rest}".rstrip()


def _for(node: Node, following: Node, several: bool, again: bool) -> str:
    """For whom a thread waits: who has what it waits for, or is the only one who could end it."""
    who = name(following, several)
    if following.process is not node.process and node.wait is not None and _is_an_end(node.wait):
        return f", for {who}{' again' if again else ''}, which has its other end open"
    if node.wait is not None and not node.wait.owners and node.process is following.process:
        return f", which only {who} could end"
    return f", for {who}{' again' if again else ''}"


def _is_an_end(wait: Wait) -> bool:
    """Whether what is waited for has another end, that somebody else has open."""
    return wait.kind == "io" and wait.what.startswith(("a pipe", "a socket"))


def story(chain: Sequence[Node]) -> str:
    """A chain of waits in one sentence: who is in what, for whom, and what that one is at."""
    several = len({n.process.process for n in chain}) > 1
    steps: list[str] = []
    seen: set[str] = set()
    for at, node in enumerate(chain):
        if node.who in seen:
            break
        seen.add(node.who)
        who = name(node, several)
        steps.append(f"{who} {doing(node)}" if at == 0 else f"and {who} {doing(node)}")
        if at + 1 < len(chain):
            steps[-1] += _for(node, chain[at + 1], several, chain[at + 1].who in seen)
    return ", ".join(steps)


def together(nodes: Iterable[Node], several: bool) -> str:
    """Threads that are at the same put together, the first few in words."""
    alike: dict[str, list[Node]] = {}
    for node in nodes:
        alike.setdefault(doing(node), []).append(node)
    told = []
    for words, found in list(alike.items())[:_SHOWN]:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        verb = words.replace("is ", "are ", 1) if more else words
        told.append(f"{name(found[0], several)}{more} {verb}")
    left = sum(len(found) for found in list(alike.values())[_SHOWN:])
    return "; ".join(told) + (f"; and {left} more thread{'s' * (left > 1)}" if left else "")


def since(thread: ThreadState) -> str:
    """Since when a thread stands still; "" where nobody knows."""
    if not thread.since:
        return ""
    long = time.time() - thread.since
    at = time.strftime("%H:%M:%S", time.localtime(thread.since))
    if long < 0:
        return ""
    if long >= _LONG:
        return f"since {at} ({long / 60:.0f} min)"
    return f"since {at}"
