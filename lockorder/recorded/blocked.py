"""Calls that wait, and launches that a device synchronisation can meet, in one process."""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.model import Frame
from lockorder.recorded import python_stacks
from lockorder.recorded.process import Process
from lockorder.rules.evidence import BlockedCall, DeviceSync, Doing, Waker
from runtime_probe.layout import CallFlag, Kind, WaitsFor
from runtime_probe.records import Blocked, Call, HeldAt

_EXCLUSIVE, _TRY = 0, 1
#: What a call waits for, as the knowledge files say it.
WAITS_FOR = {
    WaitsFor.NOTHING: "",
    WaitsFor.THREAD: "a thread",
    WaitsFor.CONDITION: "a condition",
    WaitsFor.GPU: "the GPU",
    WaitsFor.RANKS: "other ranks",
    WaitsFor.SEMAPHORE: "a semaphore",
    WaitsFor.PROCESS: "a process",
}


def blocked_calls(process: Process) -> Iterator[tuple[BlockedCall, bool]]:
    """A call for each lock that is held over it, and whether a lock that orders launches and
    device synchronisations may be: see ``ordering_locks``."""
    for record, call in _known(process):
        if not call.waits_for:
            continue
        orderly = bool(call.flags & (CallFlag.LAUNCH | CallFlag.DEVICE_SYNC))
        for held in record.held:
            if held.lock == record.own or held.lock not in process.classes:
                continue
            if _lives_with_a_thread(process, held.lock):
                continue
            # Whoever else comes to a call_once that joins a thread wants to wait for that too.
            if not (call.waits_for == WaitsFor.THREAD and process.kind(held.lock) == Kind.ONCE):
                yield _call(process, record, call, held), orderly


def _lives_with_a_thread(process: Process, lock: int) -> bool:
    """Each Python thread holds a lock all its life up to 3.12 (threading.py, ``_set_tstate_lock``),
    which whoever joins the thread waits for; where it is not known who made a lock of Python's, it
    is one that was hardly ever taken."""
    stat = process.trace.stats.get(lock)
    python = process.kind(lock) == Kind.PYTHON_LOCK
    record = process.trace.locks[lock]
    made = process.trace.python_frames(record.creation_stack)
    if python and made:
        return python_stacks.lives_with_a_thread(made)
    return python and stat is not None and stat.acquisitions <= 3


def ordering_locks(process: Process) -> set[str]:
    """Classes of locks of which one is held around launches and around device synchronisations.

    That is what such a lock is there for. The GIL is held around anything by chance, and is none.
    """
    around: dict[CallFlag, set[int]] = {CallFlag.LAUNCH: set(), CallFlag.DEVICE_SYNC: set()}
    for record, call in _known(process):
        for flag, locks in around.items():
            if call.flags & flag:
                locks.update(h.lock for h in record.held if process.kind(h.lock) != Kind.GIL)
    both = around[CallFlag.LAUNCH] & around[CallFlag.DEVICE_SYNC]
    return {process.classes[lock] for lock in both if lock in process.classes}


def device_syncs(process: Process) -> Iterator[DeviceSync]:
    """Synchronising calls that another thread's launch can meet, with no lock held in both.

    What NCCL allocates and frees itself, in threads of its own, it has to order itself.
    """
    records = [(r, c) for r, c in _known(process) if not process.made_by_nccl(r.stack)]
    launches = [(r, c) for r, c in records if c.flags & CallFlag.LAUNCH]
    alone = len(process.trace.communicators) == 1
    told: set[object] = set()
    for sync, call in records:
        if not call.flags & CallFlag.DEVICE_SYNC:
            continue
        for launch, region in launches:
            if launch.thread == sync.thread or _kept_apart(process, sync, launch):
                continue
            doing = _doing(process, sync, call)
            place = (doing.call, doing.chain[-1])
            if place not in told:
                told.add(place)
                other = _doing(process, launch, region)
                yield DeviceSync(doing, other, certain=True, alone=alone)
            break


def _known(process: Process) -> Iterator[tuple[Blocked, Call]]:
    for record in process.trace.blocked:
        call = process.trace.calls.get(record.call)
        if call is not None:
            yield record, call


def _call(process: Process, record: Blocked, call: Call, held: HeldAt) -> BlockedCall:
    chain = process.chain(record.stack)
    # Who runs has the GIL: since when says nothing.
    since = record.stack if process.kind(held.lock) == Kind.GIL else held.stack
    taken = process.acquisition(held.lock, held.mode, held.how, since, held.pc, chain)
    asked = _asked(process, record)
    waits_for = WAITS_FOR[call.waits_for]
    if asked and call.waits_for == WaitsFor.SEMAPHORE:
        waits_for = "another thread"  # which gives what is waited for
    return BlockedCall(
        held=taken,
        call=asked or call.name,
        chain=chain,
        waits_for=waits_for,
        timed=bool(call.flags & CallFlag.TIMED),
        waker=_waker(process, record, call, held),
        who=process.thread(record.thread),
        times=record.times,
        longest_ns=record.longest_ns,
        owner=process.owner_of_hold(held.lock, since, held.pc, record.stack),
    )


def _asked(process: Process, record: Blocked) -> str:
    """What of Python's standard library waits, as its caller knows it: ``Queue.get``."""
    pcs, python = process.trace.stack(record.stack), process.trace.python_frames(record.stack)
    if not process.places.is_python(pcs, python):
        return ""
    return python_stacks.asked(python) or "acquire"


def _waker(process: Process, record: Blocked, call: Call, held: HeldAt) -> Waker | None:
    """The thread that is joined, where it was seen to take the lock that is held meanwhile."""
    if call.waits_for != WaitsFor.THREAD:
        return None
    for number, thread in process.trace.threads.items():
        ended = thread.end_ns or 1 << 63
        if thread.pthread != record.object or not thread.start_ns <= record.time_ns <= ended:
            continue
        for edge in process.trace.edges:
            if edge.thread == number and edge.target == held.lock and edge.target_how != _TRY:
                return Waker(process.thread(number), process.chain(edge.target_stack))
    return None


def _doing(process: Process, record: Blocked, call: Call) -> Doing:
    held = tuple(process.held(h.lock, h.mode) for h in _held(process, record))
    chain: tuple[Frame, ...] = process.chain(record.stack)
    return Doing(process.thread(record.thread), call.name, chain, held)


def _held(process: Process, record: Blocked) -> list[HeldAt]:
    return [h for h in record.held if h.lock in process.classes and h.lock != record.own]


def _kept_apart(process: Process, a: Blocked, b: Blocked) -> bool:
    """Whether one lock is held in both, by one of them exclusively; or the threads never met."""
    first, second = ({h.lock: h.mode for h in _held(process, r)} for r in (a, b))
    if any(_EXCLUSIVE in (first[k], second[k]) for k in first.keys() & second.keys()):
        return True
    return any(_over_before(process, x, y) for x, y in ((a, b), (b, a)))


def _over_before(process: Process, a: Blocked, b: Blocked) -> bool:
    """Whether the thread of *a* had ended when *b* was first called, or the thread of *b* was
    started by that of *a*, or by one that it started, after *a* was called for the last time."""
    threads = process.trace.threads
    first, second = threads.get(a.thread), threads.get(b.thread)
    if first is None or second is None:
        return False
    if first.end_ns and first.end_ns < max(second.start_ns, b.time_ns):
        return True
    last = a.last_ns or (a.time_ns if a.times == 1 else 0)
    began, seen = second, set()
    while began.creator not in (0, a.thread) and began.number not in seen:
        seen.add(began.number)
        began = threads.get(began.creator, began)
    if began.creator != a.thread or first.wait_call == a.call:
        return False  # it is there now
    if began.created_ns:
        return 0 < last < began.created_ns
    return last > 0 and last + a.longest_ns < began.start_ns
