"""What a process did wrong with single locks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from lockorder.model import Acquisition
from lockorder.recorded.build import signals
from lockorder.recorded.process import Process
from lockorder.rules.evidence import LockMisuse, SelfAcquisition
from runtime_probe.layout import Kind, LockFlag, MisuseKind
from runtime_probe.records import Misuse

_RULES = {
    MisuseKind.UNLOCK_NOT_HELD: "unlock-not-held",
    MisuseKind.DESTROY_HELD: "destroy-while-held",
    MisuseKind.EXIT_HELD: "lock-held-at-thread-exit",
    MisuseKind.FORK_HELD: "lock-held-across-fork",
    MisuseKind.WAIT_NOT_HELD: "unlock-not-held",
}
_TAKE_AGAIN = LockFlag.RECURSIVE | LockFlag.ERRORCHECK
_EXCLUSIVE, _SHARED, _BLOCKING = 0, 1, 0
_CAME_BACK = (
    "recorded: it was asked for again, and the call came back: an error-checking mutex or a "
    "reader-writer lock refuses (EDEADLK)"
)


def misuses(process: Process) -> Iterator[LockMisuse]:
    """Misuse of locks, apart from self-deadlocks."""
    others_release = signals(process.trace)
    # One mistake, told once: the thread that ended with the lock left it to others to release.
    told = {
        r.lock
        for r in process.trace.misuses
        if r.kind in (MisuseKind.UNLOCK_NOT_HELD, MisuseKind.DESTROY_HELD)
    }
    for record in process.trace.misuses:
        if record.kind is MisuseKind.EXIT_HELD and record.lock in told:
            continue
        rule = _RULES.get(record.kind)
        if rule is None or record.lock not in process.classes or record.lock in others_release:
            continue
        if _is_fine(process, record):
            continue
        holder = process.thread(record.holder) if record.holder else ""
        yield LockMisuse(
            rule=rule,
            lock=process.classes[record.lock],
            who=process.thread(record.thread),
            chain=process.chain(record.stack),
            taken=_taken(process, record),
            holder=holder,
            waits=record.kind is MisuseKind.WAIT_NOT_HELD,
            owner=process.owner(record.stack),
        )


def _is_fine(process: Process, record: Misuse) -> bool:
    """What its kind of lock is made for, or checks by itself."""
    lock = process.trace.locks[record.lock]
    if record.kind is MisuseKind.UNLOCK_NOT_HELD:
        return lock.kind == Kind.SEMAPHORE or bool(lock.flags & LockFlag.ERRORCHECK)
    if record.kind is MisuseKind.EXIT_HELD:
        return lock.kind == Kind.SEMAPHORE or bool(lock.flags & LockFlag.ROBUST)
    if record.kind is MisuseKind.WAIT_NOT_HELD:
        return bool(lock.flags & LockFlag.ERRORCHECK)
    if record.kind is MisuseKind.FORK_HELD:
        # A child that went on to exec has left the lock behind.
        return lock.kind in (Kind.GIL, Kind.SEMAPHORE) or process.trace.execed
    return lock.kind == Kind.SEMAPHORE


def _taken(process: Process, record: Misuse) -> Acquisition | None:
    if not record.other_stack and not record.pc:
        return None
    return process.acquisition(
        record.lock, _EXCLUSIVE, _BLOCKING, record.other_stack, record.pc,
        process.chain(record.stack),
    )  # fmt: skip


def self_deadlocks(process: Process) -> Iterator[SelfAcquisition]:
    """Locks taken again by their holder: as they were recorded, and as threads still stand."""
    told = set()
    for record in process.trace.misuses:
        if record.kind is not MisuseKind.SELF_DEADLOCK or record.lock not in process.classes:
            continue
        told.add((record.thread, record.lock))
        thread = process.trace.threads.get(record.thread)
        again = _again(
            process, record.thread, record.lock, _EXCLUSIVE, _EXCLUSIVE,
            record.stack, record.other_stack, record.pc,
        )  # fmt: skip
        stands = thread is not None and thread.waits_for == record.lock
        yield again if stands else msgspec.structs.replace(again, why=_CAME_BACK)
    for number, thread in process.trace.threads.items():
        lock = process.trace.locks.get(thread.waits_for)
        if lock is None or lock.flags & _TAKE_AGAIN or (number, lock.number) in told:
            continue
        if lock.kind in (Kind.SEMAPHORE, Kind.GIL):
            continue  # not the holder's own to give back
        for held in thread.held:
            both_shared = held.mode == _SHARED and thread.wait_mode == _SHARED
            if held.lock == lock.number and not both_shared:
                yield _again(
                    process, number, lock.number, held.mode, thread.wait_mode & 1,
                    thread.wait_stack, 0, held.pc,
                )  # fmt: skip
                break


def _again(
    process: Process,
    thread: int,
    lock: int,
    held_mode: int,
    mode: int,
    stack: int,
    held_stack: int,
    pc: int,
) -> SelfAcquisition:
    taken = process.acquisition(lock, mode, _BLOCKING, stack)
    held = process.acquisition(lock, held_mode & 1, _BLOCKING, held_stack, pc, taken.chain)
    return SelfAcquisition(held, taken, who=process.thread(thread))
