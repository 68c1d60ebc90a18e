"""What one look at an interpreter says of its threads' waits, and of asyncio's tasks as threads.

A suspended task is told as a thread is: it stands at a line, waits for something, and others wait
for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

import msgspec

from lockorder.hang import polling, pytasks
from lockorder.hang.pyframes import Look, PyFrame
from lockorder.hang.pyheld import Held
from lockorder.hang.pysync import Sync, Waiting
from lockorder.model import Frame, Owner, ThreadState, Wait

#: What of asyncio's a task awaits for time alone.
_SLEEP = ("sleep",)
_OBJECTS = ("Lock", "Semaphore", "BoundedSemaphore", "Condition", "Event", "Queue", "Barrier")
_LOCKS = ("Lock",)


class Known(NamedTuple):
    """What is known of a thread's wait for a lock of Python's.

    ``lock`` is its name in the program, "": none; ``owners`` have it; ``joins`` is the thread whose
    end is waited for, 0: none; ``kind`` is the class of what is waited for.
    """

    lock: str = ""
    owners: tuple[Owner, ...] = ()
    joins: int = 0
    kind: str = ""


class PythonWaits:
    """Answers about one look.

    *who* names a thread by its id, *process* another process by the id that this one knows it by,
    "": nobody looked at it.
    """

    def __init__(
        self, look: Look, who: Callable[[int], str], process: Callable[[int], str]
    ) -> None:
        self.look, self._who, self._named = look, who, process
        self._sync = Sync(look)
        self._threads = {t.tid: t for t in look.threads if t.tid and t.frames}

    def of(self, tid: int, word: int) -> Known:
        """What is known of the wait of thread *tid* for the lock that has *word*."""
        thread = self._threads.get(tid)
        if thread is None:
            return Known()
        waiting = self._sync.waiting(thread, word)
        if waiting.operation.endswith("Thread.join") and waiting.object:
            joined = self._sync.thread_of(waiting.object)
            return Known(joins=joined.tid if joined is not None else 0, kind=waiting.kind)
        name = waiting.named.name if waiting.named is not None else ""
        owners = self._owners(waiting.lock) if waiting.lock and self._is_for_lock(waiting) else ()
        return Known(name, owners, kind=waiting.kind)

    def _is_for_lock(self, waiting: Waiting) -> bool:
        """Whether who has the lock can end the wait: a Condition's waiter has one of its own."""
        return not waiting.operation.rpartition(".")[2].startswith("wait")

    def _owners(self, lock: int) -> tuple[Owner, ...]:
        found = {}
        for holder in self._sync.holders(lock):
            chain = (_frame(holder.held),) if holder.held is not None else ()
            found[holder.thread.tid] = Owner(self._who(holder.thread.tid), chain)
        for task, held in pytasks.holders(self._sync, self._tasks, lock):
            found.setdefault(-task.address, Owner(self._task_name(task), (_frame(held),)))
        return tuple(found.values())

    # -- tasks ------------------------------------------------------------------------------------

    @cached_property
    def _tasks(self) -> list[pytasks.Task]:
        return pytasks.tasks(self._sync)

    def loops(self) -> set[int]:
        """The threads that run event loops which have tasks."""
        return {t.thread.tid for t in self._tasks if t.thread is not None}

    def closed_loops(self) -> set[int]:
        """The threads of loops that only their own process can wake: nothing else is registered.

        A loop registers one end of a pair of its own, by which other threads wake it, and counts
        such (asyncio/selector_events.py: ``_internal_fds``); all else comes from elsewhere, and so
        does a signal that it handles (unix_events.py: ``_signal_handlers``).
        """
        return {
            task.thread.tid
            for task in self._tasks
            if task.thread is not None and self._is_closed(task.loop)
        }

    def _is_closed(self, loop: int) -> bool:
        objects = self.look.objects
        own = objects.integer(objects.attribute(loop, "_internal_fds"))
        registered = objects.entries(objects.path(loop, "_selector", "_fd_to_key"))
        signals = objects.entries(objects.attribute(loop, "_signal_handlers"))
        return own is not None and registered is not None and len(registered) <= own and not signals

    def tasks(self, process: str, rank: int) -> Iterator[tuple[ThreadState, Wait | None]]:
        """Suspended tasks, as threads, with what each awaits."""
        by_address = {task.address: task for task in self._tasks}
        for task in self._tasks:
            if task.running is not None:
                continue
            who, chain = self._task_name(task), _chain(task.frames)
            needed = [by_address[n] for n in task.needs if n in by_address]
            owners = tuple(Owner(self._task_name(n)) for n in needed)
            what = _qualified(task) or (
                f"await {task.name_of_object}" if task.name_of_object else ""
            )
            if not owners and task.kind.rpartition(".")[2] in _LOCKS:
                inside = pytasks.holders(self._sync, self._tasks, task.object)
                owners = tuple(Owner(self._task_name(t), (_frame(h),)) for t, h in inside)
            line = task.frame.shown if task.frame is not None else None
            state = ThreadState(
                who=who, tid=task.thread.tid if task.thread is not None else 0, name=task.name,
                doing=f"awaits {what}" if what else "is ready", chain=chain, state="S", line=line,
                operation=what, kind="task",
            )  # fmt: skip
            cls = task.kind.rpartition(".")[2]
            sleeps = _sleeps(task)
            poll = polling.of(line) if sleeps and line is not None else None
            if poll is not None and task.frame is not None:
                poll = polling.checked(poll, self.look, task.frame)
            if poll is not None and self._has_timers(task.loop):
                poll = None  # one of them may set what it looks for
            if poll is not None:
                yield (
                    msgspec.structs.replace(state, doing=f"loops {poll.text}"),
                    Wait(
                        who=who, process=process, rank=rank, kind="poll", lock=poll.text,
                        timed=True, chain=chain, by=(process,), what=poll.text,
                    ),
                )  # fmt: skip
                continue
            if not task.future:
                yield state, None
                continue
            child = self._named(task.child) if task.child else ""
            yield state, Wait(
                who=who, process=process, rank=rank, kind="io" if child else _kind(cls, sleeps),
                lock=task.name_of_object or task.operation if not sleeps else "sleep",
                owners=owners, chain=chain, timed=sleeps,
                by=() if owners else (child or process,),
                what="the end of a child process" if child else "",
            )  # fmt: skip

    def _has_timers(self, loop: int) -> bool:
        """Whether an event loop has more to do later than to wake tasks that sleep."""
        objects = self.look.objects
        timers = objects.items(objects.attribute(loop, "_scheduled")) or []
        asleep = [t for t in self._tasks if t.loop == loop and _sleeps(t)]
        return len(timers) > len(asleep)

    def _task_name(self, task: pytasks.Task) -> str:
        of = f" of {self._who(task.thread.tid)}" if task.thread is not None else ""
        return f"task {task.name}{of}"


def _sleeps(task: pytasks.Task) -> bool:
    return task.operation.rpartition(".")[2] in _SLEEP


def _kind(cls: str, sleeps: bool) -> str:
    if sleeps:
        return "sleep"
    return f"asyncio.{cls}" if cls in _OBJECTS else "task"


def _qualified(task: pytasks.Task) -> str:
    """An operation with its library, where that is asyncio: others have classes of these names."""
    inner = task.frames[0].code.file if task.frames else ""
    return (
        f"asyncio.{task.operation}" if task.operation and "/asyncio/" in inner else task.operation
    )


def _frame(held: Held) -> Frame:
    shown = held.frame.shown
    return Frame(shown.function, shown.file, held.line or shown.line)


def _chain(frames: tuple[PyFrame, ...]) -> tuple[Frame, ...]:
    return tuple(frame.shown for frame in reversed(frames))
