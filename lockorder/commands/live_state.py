"""What the live view shows, row by row, from what was read of the job."""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lockorder.recorded.live_reader import Answer, Contention, Cycle, Issued, Key, Order
from lockorder.report.live_view import Row, Section, clock, duration
from runtime_probe.live import LiveProcess
from runtime_probe.processes import Tasks, thread_name
from runtime_probe.records import Header, Thread
from runtime_probe.syscalls import Rest
from runtime_probe.waits import Waiting, circle, holders, waits_in

_MOST_ORDERS, _MOST_CYCLES, _MOST_NAMES = 200, 100, 64
#: Seconds from which on a wait that only the kernel names is told: all programs read and write.
_LASTS = 1.0
#: How such a wait is told where that is not the name of a call.
_WORDS = {"wait": "the end of a child"}
_HANG, _CYCLE = "bold red", "bold red"


class _Progress(NamedTuple):
    """What was last seen of a process, since when (s, monotonic), and how fast it takes locks."""

    sign: tuple[int, int]
    since: float
    looked: float
    rate: float


class _Rests(NamedTuple):
    """A first thread that is in a call of the kernel's, and in nothing that was recorded."""

    call: str
    seconds: float
    sleeps: bool


class State:
    """What the view shows, from what was read."""

    def __init__(self) -> None:
        self._names: dict[Key, str] = {}
        self._alike: Counter[tuple[Path, str]] = Counter()
        self._wanted: dict[Key, None] = {}
        self._orders: deque[tuple[Order, bool]] = deque(maxlen=_MOST_ORDERS)
        self._cycles: deque[Cycle] = deque(maxlen=_MOST_CYCLES)
        self._contention: tuple[Contention, ...] = ()
        self._issued: tuple[Issued, ...] = ()
        self._progress: dict[Path, _Progress] = {}
        self._headers: dict[Path, Header] = {}
        self._tasks = Tasks()
        self._calls: dict[Path, tuple[str, float]] = {}

    def wanted(self) -> tuple[Key, ...]:
        """Locks whose names were asked for and are not known."""
        return tuple(self._wanted)[:_MOST_NAMES]

    def take(self, answer: Answer) -> None:
        """What was read."""
        closing = set()
        for cycle in answer.cycles:
            self._cycles.appendleft(cycle)
            following = cycle.locks[1:] + cycle.locks[:1]
            pairs = zip(cycle.locks, following, strict=True)
            closing |= {(cycle.trace, source, target) for source, target in pairs}
        # Orders that are shown already may turn out to be on a cycle.
        known = [(o, on or (o.trace, o.source, o.target) in closing) for o, on in self._orders]
        self._orders = deque(known, maxlen=_MOST_ORDERS)
        for order in answer.orders:
            on = (order.trace, order.source, order.target) in closing
            self._orders.appendleft((order, on))
        self._contention, self._issued = answer.contention, answer.issued
        for key, name in answer.names.items():
            if key not in self._names:  # asked for again, before the answer was there
                self._alike[key[0], name] += 1
            self._names[key] = name
        # What could not be named comes last the next time.
        for key in tuple(self._wanted)[:_MOST_NAMES]:
            del self._wanted[key]

    def name(self, trace: Path, lock: int) -> str:
        """A lock's name, its number until that is known."""
        key = trace, lock
        known = self._names.get(key)
        if known is None:
            self._wanted[key] = None
            return f"lock {lock}"
        # Objects of one class: the number tells which, in front, where it is not cut off.
        return f"#{lock} {known}" if self._alike[trace, known] > 1 else known

    def sections(self, processes: Sequence[LiveProcess]) -> tuple[Section, ...]:
        """All tables, those without rows, too."""
        for process in processes:
            self._headers[process.path] = process.header
        waits = waits_in(processes)
        stuck = {(p.path, t.tid) for p in processes for t in circle(p)}
        told = {w.process.path for w in waits if w.thread.tid == w.process.header.pid}
        rests = {p.path: r for p in processes if p.path not in told and (r := self._rests(p))}
        return (
            Section("Processes", (
                "", "state", " threads", " wait", " locks", " orders", " taken/s", " last progress",
                "command",
            ), tuple(self._process(p, waits, stuck, rests.get(p.path)) for p in processes)),
            Section("Waiting", ("", "thread", "for", " since", "held by"),
                    self._waiting(waits, stuck) + self._resting(processes, rests)),
            Section("New orders", ("", "thread", "held", "taken under it", " ago", ""),
                    self._new_orders()),
            Section("Contention", ("", " taken ≥", " waited", " longest", " all waits", "lock"),
                    self._contended()),
            Section("NCCL", ("", " comm", " rank", " of", " collectives", " send/recv", ""),
                    self._communicators()),
        )  # fmt: skip

    def alarms(self, processes: Sequence[LiveProcess]) -> tuple[str, ...]:
        """What nobody should miss: threads in a circle, cycles with the newest first."""
        found = []
        for process in processes:
            threads = circle(process)
            if threads:
                steps = ", ".join(
                    f"{_who(process, t)} waits for {self.name(process.path, t.waits_for)}"
                    for t in threads
                )
                found.append(f"DEADLOCK {_place(process.header)}: {steps}")
        told: dict[tuple[str, ...], tuple[str, Cycle]] = {}
        for cycle in self._cycles:
            names = [self.name(cycle.trace, lock) for lock in cycle.locks]
            classes = tuple(self._names.get((cycle.trace, lock), "") for lock in cycle.locks)
            told.setdefault(classes, (" → ".join([*names, names[0]]), cycle))
        for way, cycle in told.values():  # objects of one class close many
            limit = " (a time limit breaks it)" if cycle.timed else ""
            found.append(
                f"LOCK-ORDER CYCLE {self._where(cycle.trace)}: {way}{limit}; "
                f"threads {', '.join(dict.fromkeys(cycle.threads))}"
            )
        return tuple(found)

    def _process(
        self,
        process: LiveProcess,
        waits: Sequence[Waiting],
        stuck: set[tuple[Path, int]],
        rests: _Rests | None,
    ) -> Row:
        header, counters = process.header, process.counters
        own = [w for w in waits if w.process is process]
        progress = self._moved(process)
        if any(path == process.path for path, _ in stuck):
            state, style = "DEADLOCK", _HANG
        elif any(w.thread.tid == header.pid for w in own):
            state, style = "waits", "yellow"
        elif rests is not None:
            state, style = ("sleeps", "") if rests.sleeps else ("waits", "yellow")
        else:
            state, style = "runs", ""
        still = time.monotonic() - progress.since
        return Row(
            (
                _place(header), state, str(len(process.threads)),
                str(len(own) + (rests is not None and not rests.sleeps)),
                f"{counters['locks_seen']:,}", f"{counters['edges_seen']:,}",
                f"{progress.rate:,.0f}", f"{clock(still)} ago" if still >= 1 else "now",
                f"{os.path.basename(header.exe)} {header.command.partition(' ')[2]}",
            ),
            style,
        )  # fmt: skip

    def _rests(self, process: LiveProcess) -> _Rests | None:
        """What its first thread is in by the kernel; None: it works, or goes from wait to wait."""
        task = self._tasks.first(process.header.pid)
        if task.works or task.wait is None:
            self._calls.pop(process.path, None)
            return None
        now, call = time.monotonic(), _WORDS.get(task.wait.name, task.wait.name)
        before, since = self._calls.get(process.path, ("", now))
        if before != call:
            since = now
        self._calls[process.path] = call, since
        sleeps = task.wait.rest is Rest.SLEEP
        if task.wait.rest is Rest.FOREVER:
            # What waits without a limit and has run meanwhile goes on.
            since = max(since, task.still_since_ns / 1e9)
        return _Rests(call, now - since, sleeps) if now - since >= _LASTS else None

    def _resting(
        self, processes: Sequence[LiveProcess], rests: Mapping[Path, _Rests]
    ) -> tuple[Row, ...]:
        """First threads that wait for what no hook shows."""
        found = [(p, rests[p.path]) for p in processes if p.path in rests]
        return tuple(
            Row((
                _place(process.header), _named(process.header.pid, process.header.pid, ""),
                rest.call, duration(rest.seconds), "",
            ))
            for process, rest in found
            if not rest.sleeps
        )  # fmt: skip

    def _moved(self, process: LiveProcess) -> _Progress:
        """When it last took a lock or recorded anything."""
        now = time.monotonic()
        taken = sum(t.operations for t in process.threads)
        sign = taken, sum(process.counters.values())
        last = self._progress.get(process.path)
        if last is None:
            made = _Progress(sign, now, now, 0.0)
        else:
            past = max(now - last.looked, 1e-3)
            rate = max(0, taken - last.sign[0]) / past  # threads that ended take theirs along
            made = _Progress(sign, last.since if sign == last.sign else now, now, rate)
        self._progress[process.path] = made
        return made

    def _waiting(self, waits: Sequence[Waiting], stuck: set[tuple[Path, int]]) -> tuple[Row, ...]:
        rows = []
        held: dict[Path, dict[int, list[Thread]]] = {}
        for wait in sorted(waits, key=lambda w: w.thread.wait_since_ns):
            process, thread = wait.process, wait.thread
            owners: Mapping[int, list[Thread]] = held.setdefault(process.path, holders(process))
            call = process.call(thread)
            what = call.name if call is not None else "?"
            by = ""
            if thread.waits_for:
                what = self.name(process.path, thread.waits_for)
                by = _several([_who(process, t) for t in owners.get(thread.waits_for, ())])
            style = _HANG if (process.path, thread.tid) in stuck else ""
            cells = (
                _place(process.header),
                _who(process, thread),
                what,
                duration(wait.seconds),
                by,
            )
            rows.append(Row(cells, style))
        return tuple(rows)

    def _new_orders(self) -> tuple[Row, ...]:
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        return tuple(
            Row(
                (
                    self._where(order.trace), order.thread, self.name(order.trace, order.source),
                    self.name(order.trace, order.target),
                    clock(max(0, now - order.time_ns) / 1e9), "CYCLE" if on else "",
                ),
                _CYCLE if on else "",
            )
            for order, on in self._orders
        )  # fmt: skip

    def _contended(self) -> tuple[Row, ...]:
        return tuple(
            Row((
                self._where(c.trace), f"{c.taken:,}", f"{c.waited:,}", duration(c.longest_ns / 1e9),
                duration(c.total_ns / 1e9), self.name(c.trace, c.lock),
            ))
            for c in self._contention
        )  # fmt: skip

    def _communicators(self) -> tuple[Row, ...]:
        return tuple(
            Row((
                self._where(c.trace), str(c.number), _known(c.rank), _known(c.ranks),
                f"{c.collectives:,}", f"{c.peers:,}", "ended" if c.ended else "",
            ), "dim" if c.ended else "")
            for c in self._issued
        )  # fmt: skip

    def _where(self, trace: Path) -> str:
        header = self._headers.get(trace)
        return _place(header) if header is not None else "?"


def _place(header: Header) -> str:
    return f"rank {header.rank} ({header.pid})" if header.rank >= 0 else f"{header.pid}"


def _who(process: LiveProcess, thread: Thread) -> str:
    # The trace has the name from the thread's begin, until it ends.
    return _named(process.header.pid, thread.tid, thread.name)


def _named(pid: int, tid: int, name: str) -> str:
    return f"{tid} {thread_name(pid, tid) or name}".rstrip()


def _several(names: Sequence[str]) -> str:
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "") if names else "?"


def _known(number: int) -> str:
    return str(number) if number >= 0 else "?"
