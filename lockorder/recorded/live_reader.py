"""What the records of a running job say, read by a process of its own.

Names need symbol tables and debug information of large libraries, and Python's threads share one
interpreter: who draws several times a second cannot do that beside it. The process here has the
lowest priority (setpriority(2)), so that it takes nothing from the job, and can be ended where it
takes too long.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from lockorder.recorded.live_orders import LiveOrders
from lockorder.recorded.process import Process
from lockorder.recorded.symbolize import Symbolizer
from runtime_probe.errors import TraceError
from runtime_probe.live_records import LiveRecords
from runtime_probe.processes import thread_name
from runtime_probe.records import Edge
from runtime_probe.symbols import Symbols

#: Bytes of records that are read for one answer: of one trace, of all.
_MOST_OF_ONE, _MOST = 256 << 10, 1 << 20
#: Seconds for which names are looked up for one answer; one that was begun is finished.
_FOR_NAMES = 0.3
#: Rows of one process in one answer; communicators of all of them.
_ROWS, _MOST_ISSUED = 64, 256
#: Seconds without an answer after which no more is expected.
PATIENCE = 60.0
_LOWEST_PRIORITY = 19

#: A lock: its trace, its number there.
Key = tuple[Path, int]


class Order(NamedTuple):
    """A lock order that is new, when it was recorded (CLOCK_MONOTONIC, ns), and whose it is."""

    trace: Path
    source: int
    target: int
    thread: str
    time_ns: int


class Cycle(NamedTuple):
    """A lock-order cycle; `threads` are those of its orders, in their order."""

    trace: Path
    locks: tuple[int, ...]
    threads: tuple[str, ...]
    timed: bool


class Contention(NamedTuple):
    """How often a lock was waited for; `taken` is what is known of at least. Times in ns."""

    trace: Path
    lock: int
    taken: int
    waited: int
    total_ns: int
    longest_ns: int


class Issued(NamedTuple):
    """What one process has issued on a communicator of NCCL."""

    trace: Path
    number: int
    unique: int
    rank: int
    ranks: int
    collectives: int
    peers: int
    ended: bool


class Question(NamedTuple):
    """The traces that are of interest, and the locks whose names are wanted."""

    traces: tuple[Path, ...]
    names: tuple[Key, ...]


class Answer(NamedTuple):
    """What is new: orders, cycles, names; and what stands now: contention, communicators."""

    orders: tuple[Order, ...]
    cycles: tuple[Cycle, ...]
    contention: tuple[Contention, ...]
    issued: tuple[Issued, ...]
    names: dict[Key, str]


class LiveReader:
    """The process, as those see it who ask it.

    ``ask`` never waits for an answer; ``close`` ends the process.

    Attributes:
        working: answers can be expected.
    """

    def __init__(self) -> None:
        sys.stdout.flush()  # or both processes would write what is left in the buffer
        sys.stderr.flush()
        context = multiprocessing.get_context("fork")  # nothing to load again; no threads here
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._pipe), daemon=True)
        self._process.start()
        theirs.close()
        self._asked = 0.0
        self.working = True

    def ask(self, question: Question) -> Answer | None:
        """The answer to the last question, where it is there; only then is another one asked."""
        answer = None
        try:
            if self._asked and not self._pipe.poll():
                if time.monotonic() - self._asked > PATIENCE:
                    self.close()
                return None
            if self._asked:
                answer = self._pipe.recv()
            self._pipe.send(question)
            self._asked = time.monotonic()
        except (OSError, EOFError):  # it has ended
            self.working = False
        assert answer is None or isinstance(answer, Answer)
        return answer

    def close(self) -> None:
        """End it; what it was doing is of no more use."""
        self.working = False
        if self._process.is_alive():
            self._process.kill()  # it blocks other signals, as we did when it began
            self._process.join()
        self._pipe.close()


def _serve(pipe: Connection, theirs: Connection) -> None:
    theirs.close()  # or the end of the other side would not be seen
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, _LOWEST_PRIORITY)
    # Blocked where signals are passed on; multiprocessing ends what is left by this one.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    desk = Desk()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(desk.answer(pipe.recv()))


class _Case:
    """One trace."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = LiveRecords(path)
        self.orders = LiveOrders()
        self.readable = True

    def look(self, most: int) -> list[Edge]:
        if not self.readable:
            return []
        try:
            return self.records.look(most)
        except TraceError:
            # What was read counts; the analysis will say what is wrong. One that is being made
            # has no records yet.
            self.readable = self.records.trace is None
            return []

    def thread(self, number: int) -> str:
        thread, trace = self.records.thread(number), self.records.trace
        if thread is None or trace is None:
            return f"#{number}"
        # The trace has the name from the thread's begin, until it ends.
        name = "" if thread.end_ns else thread_name(trace.header.pid, thread.tid)
        return f"{thread.tid} {name or thread.name}".rstrip()


class Desk:
    """Who answers, in the process or without one."""

    def __init__(self) -> None:
        self._cases: dict[Path, _Case] = {}
        self._symbolizer = Symbolizer(Symbols())

    def answer(self, question: Question) -> Answer:
        """Reads what is new in all traces of *question*."""
        orders: list[Order] = []
        cycles: list[Cycle] = []
        contention: list[Contention] = []
        issued: list[Issued] = []
        room = _MOST
        for path in question.traces:
            case = self._cases.setdefault(path, _Case(path))
            if room > 0:
                edges = case.look(min(_MOST_OF_ONE, room))
                room -= 128 * len(edges)
                self._judge(case, edges, orders, cycles)
            contention += _contention(case)
            issued += _issued(case)
        orders.sort(key=lambda o: o.time_ns)
        contention.sort(key=lambda c: (-c.waited, -c.longest_ns))
        return Answer(
            tuple(orders[-_ROWS:]), tuple(cycles[:_ROWS]), tuple(contention[:_ROWS]),
            tuple(issued[:_MOST_ISSUED]), self._named(question.names),
        )  # fmt: skip

    def _judge(
        self, case: _Case, edges: list[Edge], orders: list[Order], cycles: list[Cycle]
    ) -> None:
        trace = case.records.trace
        new = [edge for edge in edges if case.orders.add(edge)]
        for edge in new[-_ROWS:]:
            thread = case.thread(edge.thread)
            orders.append(Order(case.path, edge.source, edge.target, thread, edge.time_ns))
        if trace is None:
            return
        # Another thread on an order that is known may close a cycle, too.
        for edge in edges:
            for found in case.orders.closes(edge, trace):
                threads = tuple(map(case.thread, found.threads))
                cycles.append(Cycle(case.path, found.locks, threads, found.timed))

    def _named(self, wanted: tuple[Key, ...]) -> dict[Key, str]:
        names: dict[Key, str] = {}
        until = time.monotonic() + _FOR_NAMES
        for path, number in wanted:
            if time.monotonic() >= until:
                break
            case = self._cases.get(path)
            trace = case.records.trace if case is not None else None
            lock = trace.locks.get(number) if trace is not None else None
            if trace is None or lock is None:
                continue  # its record may come
            process = Process(trace.only(lock), self._symbolizer)
            names[path, number] = process.declared[process.classes[number]].name
        return names


def _contention(case: _Case) -> list[Contention]:
    trace = case.records.trace
    waited = [(n, s) for n, s in trace.stats.items() if s.contended] if trace is not None else []
    waited.sort(key=lambda pair: -pair[1].contended)
    return [
        Contention(
            case.path, number, max(stat.acquisitions, stat.contended), stat.contended,
            stat.wait_ns, stat.longest_wait_ns,
        )
        for number, stat in waited[:_ROWS]
    ]  # fmt: skip


def _issued(case: _Case) -> list[Issued]:
    trace = case.records.trace
    found = list(trace.communicators.values())[-_ROWS:] if trace is not None else []
    return [
        Issued(
            case.path, c.number, c.unique, c.rank, c.ranks, c.collectives, c.peers, bool(c.ended_by)
        )
        for c in found
    ]
