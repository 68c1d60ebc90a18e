"""What of one process' recording has times: held, waited for, called, by which thread and when.

A trace has no event for each lock that is taken: that would be another probe.  What it has times of
is what threads wait for at the end, calls that wait under locks (the first and the last from each
place), the newest calls of NCCL, the first time of each lock order, misuse, and how long threads
lived.  What follows from these is told as what it is: ``approximate`` says where a time is a bound.

Times are those of the trace (CLOCK_MONOTONIC, nanoseconds; 0: not known, or still going).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lockorder.model import SpanKind, duration
from lockorder.recorded.communication import reduction_name, type_name
from lockorder.recorded.process import Process
from runtime_probe.layout import CallFlag, GroupMisuseKind, MisuseKind, State, WaitsFor
from runtime_probe.nccl_records import NcclCall
from runtime_probe.records import Blocked, HeldLock, Thread

AT_LEAST = "held at least for this long: only the call made under it has times"
SINCE_WAIT = "held at the latest from here, where its thread begins to wait"
SINCE_ASKED = "held from here or earlier: others wait for it since then"
REPEATED = "from the begin of the first to the begin of the last"
_SHARED = 1
_MISUSES = {
    MisuseKind.UNLOCK_NOT_HELD: "unlocks what it does not hold",
    MisuseKind.DESTROY_HELD: "destroys a lock that is held",
    MisuseKind.EXIT_HELD: "ends with a lock held",
    MisuseKind.FORK_HELD: "forks while another thread holds a lock",
    MisuseKind.SELF_DEADLOCK: "takes a lock that it holds",
    MisuseKind.WAIT_NOT_HELD: "waits for a condition with a mutex that it does not hold",
}
_GROUP_MISUSES = {
    GroupMisuseKind.NOT_BEGUN: "ends an NCCL group that was not begun",
    GroupMisuseKind.SYNC: "waits for the device inside an NCCL group",
    GroupMisuseKind.MIXED: "makes a communicator in an NCCL group with other calls",
    GroupMisuseKind.EXIT: "ends the process inside an NCCL group",
}


class Moment(NamedTuple):
    """A span in the trace's own numbers: ``lock``, ``stack``, ``thread``; ``how`` and ``pc`` of a
    hold are those of the acquisition."""

    kind: SpanKind
    thread: int
    start: int
    end: int
    lock: int = 0
    name: str = ""
    mode: int = 0
    how: int = 0
    held: tuple[int, ...] = ()
    stack: int = 0
    pc: int = 0
    detail: str = ""
    times: int = 1
    approximate: str = ""

    @property
    def going(self) -> bool:
        """Whether it had not ended when the recording did."""
        return not self.end and not self.kind.momentary


class Link(NamedTuple):
    """Who is waited for, since when at the latest, and who waits since when; ``lock`` 0: a join."""

    holder: int
    held_from: int
    waiter: int
    since: int
    lock: int = 0


class Moments(NamedTuple):
    """All of a process, by begin.  *missing* counts, by what it is, what has no times."""

    moments: list[Moment]
    links: list[Link]
    missing: dict[str, int]


def moments(process: Process) -> Moments:
    """What *process* did, as far as it has times."""
    return _Reader(process).read()


class _Reader:
    def __init__(self, process: Process) -> None:
        self.process = process
        self.trace = process.trace
        header = self.trace.header
        # What nobody ended ends with the process; of one that was killed nobody knows when.
        self.end = header.end_monotonic_ns if header.state is not State.RUNNING else 0
        self.live = {n: t for n, t in sorted(self.trace.threads.items()) if not t.end_ns}
        # One after another may have had an identifier.
        self.by_pthread: dict[int, list[int]] = defaultdict(list)
        for number, thread in self.trace.threads.items():
            self.by_pthread[thread.pthread].append(number)
        self.links: list[Link] = []
        self.missing: dict[str, int] = defaultdict(int)
        self.ring = self.trace.nccl_calls

    def read(self) -> Moments:
        blocked = list(self._blocked())
        holds = [*self._held_now(), *_held_over(blocked)]
        found = [
            *self._threads(), *_joined(holds), *self._waits(), *self._orders(), *self._misuses(),
            *_told_once(list(self._calls()), [moment for _, moment in blocked]),
        ]  # fmt: skip
        if self.trace.nccl_forgotten:
            self.missing["calls of NCCL before the newest"] = self.trace.nccl_forgotten
        contended = sum(s.contended for s in self.trace.stats.values())
        if contended:
            self.missing["waits for locks that were over before the end"] = contended
        found = [m for m in found if m.start and (not m.end or m.end >= m.start)]
        found.sort(key=lambda m: (m.start, m.thread, -m.end, m.kind.value, m.lock, m.name))
        return Moments(found, self.links, dict(self.missing))

    def _threads(self) -> Iterator[Moment]:
        for number, thread in self.trace.threads.items():
            yield Moment(
                SpanKind.THREAD, number, thread.start_ns, thread.end_ns or self.end,
                name=thread.name, stack=thread.creation_stack,
            )  # fmt: skip

    # -- at the end -------------------------------------------------------------------------------

    def _waits(self) -> Iterator[Moment]:
        """What threads waited for when the recording ended."""
        for number, thread in self.live.items():
            held = tuple(h.lock for h in thread.held if h.lock in self.process.classes)
            if thread.waits_for in self.process.classes:
                yield Moment(
                    SpanKind.WAIT, number, thread.wait_since_ns, self.end, thread.waits_for,
                    mode=thread.wait_mode, held=held, stack=thread.wait_stack,
                )  # fmt: skip
                continue
            call = self.trace.calls.get(thread.wait_call) if thread.wait_call else None
            if call is None:
                continue
            # NCCL's calls are in the ring, with more about them.
            if any(self._same(c, number, thread) for c in self.ring):
                continue
            if call.waits_for == WaitsFor.THREAD:
                self._link_join(number, thread.wait_object, thread.wait_since_ns)
            yield Moment(
                SpanKind.BLOCK, number, thread.wait_since_ns, self.end, name=call.name, held=held,
                stack=thread.wait_stack or self._stack_of(number, thread.wait_call),
            )  # fmt: skip

    def _same(self, call: NcclCall, number: int, thread: Thread) -> bool:
        return (call.thread, call.call, call.end_ns) == (number, thread.wait_call, 0)

    def _stack_of(self, thread: int, call: int) -> int:
        """Where a thread last began to make *call* under locks."""
        there = [r for r in self.trace.blocked if (r.thread, r.call) == (thread, call)]
        return max(there, key=lambda r: r.time_ns).stack if there else 0

    def _held_now(self) -> Iterator[Moment]:
        asking: dict[int, list[int]] = defaultdict(list)
        for number, thread in self.live.items():
            if thread.waits_for and thread.wait_since_ns:
                asking[thread.waits_for].append(number)
        for number, thread in self.live.items():
            waits = thread.waits_for or thread.wait_call
            own = thread.wait_since_ns if waits else 0
            for held in thread.held:
                if held.lock not in self.process.classes:
                    continue
                since = [
                    (self.live[other].wait_since_ns, other)
                    for other in asking[held.lock]
                    if other != number and not held.mode == self.live[other].wait_mode == _SHARED
                ]
                start = min([t for t in (own, *(s for s, _ in since)) if t], default=0)
                if not start:
                    self.missing["locks that are held at the end, since an unknown time"] += 1
                    continue
                for begin, other in since:
                    self.links.append(Link(number, start, other, begin, held.lock))
                why = SINCE_WAIT if start == own else SINCE_ASKED
                yield _hold(number, held, start, self.end, why)

    # -- calls ------------------------------------------------------------------------------------

    def _blocked(self) -> Iterator[tuple[Blocked, Moment]]:
        """Calls that wait, under locks: one by one where there was one, else all of a place."""
        for record in self.trace.blocked:
            call = self.trace.calls.get(record.call)
            if call is None or not record.times:
                continue
            begin = record.time_ns
            if record.times == 1:
                begin = record.last_ns or begin
                end, why, detail = begin + record.total_ns, "", ""
                if call.waits_for == WaitsFor.THREAD:
                    self._link_join(record.thread, record.object, begin)
            else:
                end, why = record.last_ns, REPEATED
                detail = (
                    f"{record.times} calls, {duration(record.total_ns)} together, "
                    f"the longest {duration(record.longest_ns)}"
                )
                if not end:  # version 1 does not say
                    self.missing["calls that wait, without the time of the last"] += record.times
                    continue
            held = [h for h in record.held if h.lock in self.process.classes]
            kind = SpanKind.COLLECTIVE if _of_ranks(call.flags) else SpanKind.BLOCK
            yield record, Moment(
                kind, record.thread, begin, max(begin, end), name=call.name,
                held=tuple(h.lock for h in held if h.lock != record.own), stack=record.stack,
                detail=detail, times=record.times, approximate=why,
            )  # fmt: skip

    def _calls(self) -> Iterator[Moment]:
        for call in self.ring:
            named = self.trace.calls.get(call.call)
            if named is not None:
                yield Moment(
                    SpanKind.COLLECTIVE if _of_ranks(named.flags) else SpanKind.CALL,
                    call.thread, call.begin_ns, call.end_ns or self.end, name=named.name,
                    stack=call.stack, pc=call.pc, detail=self._detail(call),
                )  # fmt: skip

    def _detail(self, call: NcclCall) -> str:
        parts = []
        communicator = self.trace.communicators.get(call.communicator)
        if communicator is not None:
            name = f"{communicator.unique:016x}" if communicator.unique else f"{call.communicator}"
            parts.append(f"communicator {name}")
        if call.order:
            parts.append(f"operation {call.order}")
        if call.type >= 0:
            parts.append(f"{call.elements} elements of {type_name(call.type)}")
        if call.reduction >= 0:
            parts.append(reduction_name(call.reduction))
        if call.root >= 0:
            parts.append(f"root or peer {call.root}")
        if call.group:
            parts.append(f"in group {call.group}")
        if call.end_ns and call.status:
            parts.append(f"returned {call.status}")
        return ", ".join(parts)

    def _link_join(self, waiter: int, pthread: int, since: int) -> None:
        for number in self.by_pthread[pthread]:
            thread = self.trace.threads[number]
            there = thread.start_ns <= since <= (thread.end_ns or since)
            if number != waiter and there:
                self.links.append(Link(number, thread.start_ns, waiter, since))

    # -- moments ----------------------------------------------------------------------------------

    def _orders(self) -> Iterator[Moment]:
        """When a thread first took one lock under another."""
        for edge in self.trace.edges:
            held = (edge.source, *(g.lock for g in edge.gates))
            if edge.target in self.process.classes:
                yield Moment(
                    SpanKind.ORDER, edge.thread, edge.time_ns, edge.time_ns, edge.target,
                    mode=edge.target_mode, stack=edge.target_stack,
                    held=tuple(dict.fromkeys(n for n in held if n in self.process.classes)),
                )  # fmt: skip

    def _misuses(self) -> Iterator[Moment]:
        for misuse in self.trace.misuses:
            yield Moment(
                SpanKind.MISUSE, misuse.thread, misuse.time_ns, misuse.time_ns,
                misuse.lock if misuse.lock in self.process.classes else 0,
                name=_MISUSES[misuse.kind], stack=misuse.stack,
            )  # fmt: skip
        for group in self.trace.group_misuses:
            yield Moment(
                SpanKind.MISUSE, group.thread, group.time_ns, group.time_ns,
                name=_GROUP_MISUSES[group.kind], stack=group.stack,
            )  # fmt: skip


def _of_ranks(flags: int) -> bool:
    return bool(flags & (CallFlag.COLLECTIVE | CallFlag.PEER))


def _hold(thread: int, held: HeldLock, start: int, end: int, why: str) -> Moment:
    return Moment(
        SpanKind.HOLD, thread, start, end, held.lock, mode=held.mode, how=held.how, pc=held.pc,
        approximate=why,
    )  # fmt: skip


def _held_over(blocked: Iterable[tuple[Blocked, Moment]]) -> Iterator[Moment]:
    """What is held over calls of which the begin and the end are known."""
    for record, moment in blocked:
        for held in record.held if moment.times == 1 else ():
            if held.lock in moment.held:
                yield Moment(
                    SpanKind.HOLD, record.thread, moment.start, moment.end, held.lock,
                    mode=held.mode, how=held.how, stack=held.stack, pc=held.pc,
                    approximate=AT_LEAST,
                )  # fmt: skip


def _told_once(calls: list[Moment], blocked: list[Moment]) -> list[Moment]:
    """Both, without what is in both, which gets from *blocked* what was held meanwhile.

    A thread is in one call of a function at a time: what overlaps is the same.
    """
    places: dict[tuple[int, str], list[int]] = defaultdict(list)
    for at, call in enumerate(calls):
        places[call.thread, call.name].append(at)
    alone = []
    for moment in blocked:
        same = [
            at
            for at in (places[moment.thread, moment.name] if moment.times == 1 else ())
            if calls[at].start <= moment.end and moment.start <= (calls[at].end or moment.start)
        ]
        if same:
            calls[same[0]] = calls[same[0]]._replace(held=moment.held)
        else:
            alone.append(moment)
    return calls + alone


def _joined(holds: list[Moment]) -> list[Moment]:
    """*holds* with those that overlap, of one lock by one thread, as one."""
    found: dict[tuple[int, int], list[Moment]] = defaultdict(list)
    for hold in sorted(holds, key=lambda m: (m.start, m.end or 1 << 64)):
        known = found[hold.thread, hold.lock]
        if known and (not known[-1].end or known[-1].end >= hold.start):
            last = known[-1]
            end = max(last.end, hold.end) if last.end and hold.end else 0
            known[-1] = last._replace(end=end, stack=last.stack or hold.stack)
        else:
            known.append(hold)
    return [hold for each in found.values() for hold in each]
