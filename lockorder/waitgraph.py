"""Who can end whose wait, over all threads of a job: what goes on, and what nothing can wake.

A wait for a lock ends by its owner; a wait for a condition, a queue, an event or a semaphore by any
thread that can reach it; a wait for a pipe by the processes at its other end.  So these waits are
edges to *all* who could end them, and a thread is dead if none of them can go on: a knot of the
resource graph (Holt, "Some Deadlock Properties of Computer Systems", 1972), computed as what is
left when all that can be reached from somebody who goes on is taken away.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from lockorder.model import ProcessState, ThreadState, Wait


class Node(msgspec.Struct, frozen=True):
    """A thread of a process with what it waits for; None: nothing that is known."""

    process: ProcessState
    thread: ThreadState
    wait: Wait | None

    @property
    def who(self) -> str:
        """The thread's name in the whole job."""
        return self.thread.who

    @property
    def is_stopped(self) -> bool:
        """Whether a signal or a debugger has stopped it."""
        return self.thread.state in ("T", "t") or self.thread.doing.startswith("is stopped")

    @property
    def is_asleep(self) -> bool:
        """Whether it waits for time alone."""
        wait = self.wait
        return wait is not None and wait.kind in ("sleep", "io") and wait.lock in SLEEPS

    @property
    def sleeps(self) -> bool:
        """Whether it waits for time alone, and not for very long."""
        return self.is_asleep and self.wait is not None and self.wait.timed

    @property
    def polls(self) -> bool:
        """Whether its wait ends by itself, and it looks again: for something that others do."""
        return self.wait is not None and self.wait.timed and not self.sleeps


#: Calls that wait for time alone.
SLEEPS = ("nanosleep", "sleep")
#: Kinds of waits that end by somebody who is no thread here: a rank, maybe elsewhere, or a GPU.
FAR = ("ranks", "gpu")


class WaitGraph:
    """The threads of all processes that were looked at."""

    def __init__(self, processes: Iterable[ProcessState]) -> None:
        self.processes = list(processes)
        self.nodes: dict[str, Node] = {}
        self.of_process: dict[str, list[Node]] = defaultdict(list)
        for process in self.processes:
            waits = {w.who: w for w in process.waits}
            for thread in process.threads:
                node = Node(process, thread, waits.get(thread.who))
                self.nodes[thread.who] = node
                self.of_process[process.process].append(node)
        mains = (self.main(p) for p in self.processes if p.rank >= 0 and p.role != "worker")
        self._ranks = [node for node in mains if node is not None]
        self.dead = self._dead(pollers=False)
        #: The same where looking again and again counts for nothing.
        self.hopeless = self._dead(pollers=True)

    def main(self, process: ProcessState) -> Node | None:
        """The thread that a process is known by: its first, else its only one that says much."""
        nodes = self.of_process[process.process]
        first = next((n for n in nodes if n.thread.is_main), None)
        if first is not None:
            return first
        return min(nodes, key=lambda n: (n.thread.tid != process.pid, n.thread.tid), default=None)

    def goes_on(self, node: Node, pollers: bool = False) -> bool:
        """Whether a thread can do something by itself, as far as is known.

        With *pollers* one that only looks again and again, and finds nothing, cannot.
        """
        wait = node.wait
        if node.is_stopped or self._blocked_loop(node) is not None:
            return False
        if node.thread.goes_on or wait is None or node.is_asleep or wait.outside:
            return True
        if wait.timed or wait.kind in FAR:
            return not pollers or (wait.kind == "ranks" and not self._others(node))
        # Nothing is known of who could end it: then anybody could.
        return not (wait.owners or wait.by or wait.gone)

    def enders(self, node: Node) -> list[Node]:
        """The threads that could end its wait, as far as they were looked at."""
        wait, loop = node.wait, self._blocked_loop(node)
        if loop is not None:
            return [loop]
        if wait is None or wait.gone:
            return []
        if wait.owners:
            return [self.nodes[o.who] for o in wait.owners if o.who in self.nodes]
        found = [n for name in wait.by for n in self.of_process.get(name, ())]
        if wait.kind == "ranks":
            found += [n for n in self._others(node) if n not in found]
        return [n for n in found if n is not node]

    def _others(self, node: Node) -> list[Node]:
        """The first threads of the other ranks that were looked at."""
        return [n for n in self._ranks if n.process.rank != node.process.rank]

    def _blocked_loop(self, task: Node) -> Node | None:
        """The thread of a task's event loop, where it is in something else than its loop.

        Then no task of it can go on, whatever it awaits.
        """
        if task.thread.kind != "task":
            return None
        for node in self.of_process[task.process.process]:
            if node.thread.kind == "loop" and node.thread.tid == task.thread.tid:
                inside = node.wait is None or node.wait.kind == "io" or node.thread.goes_on
                return None if inside else node
        return None

    def speaker(self, main: Node) -> Node:
        """Whose words tell what a main thread waits for: of an event loop its only task that waits
        for no other task; else the thread itself.
        """
        if main.thread.kind != "loop" or main.wait is None or main.wait.kind != "io":
            return main
        leaves = [
            n
            for n in self.of_process[main.process.process]
            if n.thread.kind == "task" and n.wait is not None and not n.wait.owners
        ]
        return leaves[0] if len(leaves) == 1 else main

    def way_on(self, start: Node) -> list[Node]:
        """The shortest way from *start* over who could end each wait to somebody who goes on.

        *start* is first; empty: there is no such way.  A library's own threads wake up all the
        time: that says nothing, and the way goes on beyond them.
        """
        came: dict[str, Node | None] = {start.who: None}
        ready = deque([start])
        while ready:
            here = ready.popleft()
            if here is not start and self.goes_on(here) and not self.is_idle(here):
                way = [here]
                while (before := came[way[-1].who]) is not None:
                    way.append(before)
                return way[::-1]
            # Who is at something of the program's own is more telling.
            for other in sorted(self.enders(here), key=self.is_idle):
                if other.who not in came and not other.is_stopped:
                    came[other.who] = here
                    ready.append(other)
        return []

    def stopped(self, start: Node) -> list[Node]:
        """The shortest way from *start* over who could end each wait to somebody who is stopped."""
        came: dict[str, list[Node]] = {start.who: [start]}
        ready = deque([start])
        while ready:
            here = ready.popleft()
            if here.is_stopped:
                return came[here.who]
            for other in self.enders(here):
                if other.who not in came:
                    came[other.who] = [*came[here.who], other]
                    ready.append(other)
        return []

    def _dead(self, pollers: bool) -> frozenset[str]:
        """Threads that wait and that nothing can wake."""
        wakes: dict[str, list[str]] = defaultdict(list)
        ready: deque[str] = deque()
        for node in self.nodes.values():
            if self.goes_on(node, pollers):
                ready.append(node.who)
            else:
                for ender in self.enders(node):
                    wakes[ender.who].append(node.who)
        alive = set(ready)
        while ready:
            for who in wakes.pop(ready.popleft(), ()):
                if who not in alive and not self.nodes[who].is_stopped:
                    alive.add(who)
                    ready.append(who)
        return frozenset(self.nodes.keys() - alive)

    def chain(self, start: Node) -> list[Node]:
        """From *start* over who alone can end each wait, as far as there is one; *start* is first.

        The last one goes on, or waits for what several could end, or is in it for the second time.
        """
        found, seen = [start], {start.who}
        while True:
            following = self.next(found[-1])
            if following is None:
                return found
            found.append(following)
            if following.who in seen:
                return found
            seen.add(following.who)

    def next(self, node: Node) -> Node | None:
        """Who alone can end the wait of *node*; None: nobody, or one of several."""
        if node.wait is None or node.wait.kind == "ranks" or self._is_over(node):
            return None
        if node.wait.owners:
            found = self.enders(node)
            return found[0] if found else None
        elsewhere = [n for n in node.wait.by if n != node.process.process]
        if elsewhere:
            others = [p for p in self.processes if p.process in elsewhere]
            return self.main(others[0]) if others else None
        candidates = [n for n in self.enders(node) if not self.is_idle(n) and not _alike(n, node)]
        return candidates[0] if len(candidates) == 1 else None

    def _is_over(self, node: Node) -> bool:
        return node.thread.goes_on or node.sleeps

    def is_idle(self, node: Node) -> bool:
        """Whether a thread only stands by: a library's, or a pool's that waits for work.

        Nothing of the program's own is on its stack; or it runs an event loop, and tasks tell more.
        """
        if node.thread.kind == "loop" and node.wait is not None and node.wait.kind == "io":
            return True
        if node.thread.kind == "pool worker" and node.is_asleep:
            return False  # what it was given to do is to sleep
        if node.thread.is_main or node.thread.line is not None:
            return False
        threads = (other.thread for other in self.of_process[node.process.process])
        if any(t.chain or t.line is not None for t in threads):
            return True
        # Without any stack of the process nobody knows whose it is: what it does tells.
        return not (node.thread.goes_on or node.is_asleep)

    def knots(self, dead: frozenset[str]) -> Iterator[list[Node]]:
        """Dead threads that could only be ended by each other, put together."""
        left = {who: self.nodes[who] for who in dead}
        near: dict[str, set[str]] = defaultdict(set)
        for who, node in left.items():
            for other in self.enders(node):
                near[who].add(other.who)
                near[other.who].add(who)
        while left:
            start = next(iter(left))
            group, ready = {start}, [start]
            while ready:
                for who in near[ready.pop()]:
                    if who in left and who not in group:
                        group.add(who)
                        ready.append(who)
            yield [left.pop(who) for who in list(left) if who in group]


def _alike(first: Node, second: Node) -> bool:
    """Whether two threads wait for the very same thing: neither ends it for the other."""
    a, b = first.wait, second.wait
    return a is not None and b is not None and bool(a.lock) and (a.kind, a.lock) == (b.kind, b.lock)


def first_of(nodes: Sequence[Node]) -> Node:
    """Of dead threads the one to tell of: a rank's or the job's first thread before others."""
    return min(
        nodes,
        key=lambda n: (
            not (n.thread.is_main or n.thread.kind == "task"),
            n.process.role not in ("rank", ""), n.thread.line is None,
            n.process.pid, n.thread.tid,
        ),
    )  # fmt: skip
