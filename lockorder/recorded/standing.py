"""Who waited for whom when a recorded process was killed: its threads' areas are always current."""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.model import Frame, Owner, Wait
from lockorder.recorded.process import Process
from runtime_probe.layout import Kind, State, WaitsFor
from runtime_probe.records import Thread

_KINDS = {
    Kind.MUTEX: "mutex", Kind.RWLOCK: "rwlock", Kind.SPIN: "spin lock", Kind.ONCE: "once",
    Kind.STATIC_INIT: "static-init", Kind.SEMAPHORE: "semaphore", Kind.GIL: "gil",
    Kind.PYTHON_LOCK: "python-lock",
}  # fmt: skip
_TIMED = 2


def waits(process: Process) -> Iterator[Wait]:
    """What the threads of a process that did not end by itself waited for at the end."""
    if process.trace.header.state is not State.RUNNING or process.trace.execed:
        return
    for number, thread in sorted(process.trace.threads.items()):
        if thread.end_ns:
            continue
        if thread.waits_for in process.classes:
            yield _lock(process, number, thread)
        elif thread.wait_call:
            call = process.trace.calls.get(thread.wait_call)
            if call is not None and call.waits_for == WaitsFor.THREAD:
                yield _join(process, number, thread)


def _lock(process: Process, number: int, thread: Thread) -> Wait:
    lock = thread.waits_for
    owners = tuple(
        Owner(who(process, other), taken(process, other, lock, held.pc))
        for other, there in sorted(process.trace.threads.items())
        for held in there.held
        if held.lock == lock
        and not there.end_ns
        # Readers keep out writers only.
        and (held.mode == 0 or thread.wait_mode == 0)
    )
    ways = {e.target_how for e in process.trace.edges if e.target == lock and e.thread == number}
    return Wait(
        who=who(process, number),
        process=process_name(process),
        rank=process.trace.header.rank,
        kind=_KINDS.get(Kind(process.kind(lock)), "mutex"),
        lock=process.classes[lock],
        owners=owners,
        timed=ways == {_TIMED},
        chain=taken(process, number, lock, 0),
    )


def taken(process: Process, number: int, lock: int, pc: int) -> tuple[Frame, ...]:
    """Where a thread took a lock, or asked for it: at *pc*, with the way there if one is known."""
    for edge in process.trace.edges:
        if edge.thread != number or lock not in (edge.source, edge.target):
            continue
        stack = edge.target_stack if edge.target == lock else edge.source_stack
        pcs = process.trace.stack(stack)
        if pcs and pc in (0, *pcs):
            return process.chain(stack)
    return process.places.chain((pc,)) if pc else ()


def _join(process: Process, number: int, thread: Thread) -> Wait:
    owners = tuple(
        Owner(who(process, other))
        for other, there in sorted(process.trace.threads.items())
        if there.pthread == thread.wait_object and not there.end_ns
    )
    return Wait(
        who=who(process, number),
        process=process_name(process),
        rank=process.trace.header.rank,
        kind="join",
        owners=owners,
    )


def who(process: Process, number: int) -> str:
    """A thread in the whole job."""
    rank = process.trace.header.rank
    return (f"rank {rank}, " if rank >= 0 else "") + f"thread {process.thread(number)}"


def process_name(process: Process) -> str:
    """A process in the whole job."""
    header = process.trace.header
    rank = f"rank {header.rank}, " if header.rank >= 0 else ""
    return f"{rank}process {header.pid} on {header.host}"
