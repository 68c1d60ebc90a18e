"""The tasks of asyncio: where each of them is suspended, what it awaits, what it is inside of.

asyncio keeps its tasks in sets of weak references (asyncio/tasks.py: ``_all_tasks`` up to 3.11,
``_scheduled_tasks`` and ``_eager_tasks`` from 3.12 on).  A task has a coroutine, whose frame has on
the top of its stack what it awaits, and so on, to the future that is not done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lockorder import meaning
from lockorder.hang.pyframes import PyFrame, Thread
from lockorder.hang.pyheld import GENERATORS, Held, held, suspended
from lockorder.hang.pysync import Sync, operation_of

_SETS = ("_all_tasks", "_scheduled_tasks", "_eager_tasks")
_PENDING = 0  # fut_state
#: Awaits inside of awaits, tasks of one process.
_DEPTH, _TASKS = 500, 100_000
#: Variables of asyncio's functions, and attributes of its objects, with what must be done first.
_WAITED = ("fs", "fut", "children", "_children", "_tasks", "todo", "inner", "outer")


class Task(NamedTuple):
    """A task that is not done.

    ``frames`` are innermost first, as those of a thread; ``running`` is the thread that runs it
    now, None: it is suspended.  ``future`` is what it awaits in the end, 0: nothing, it is ready.
    ``frame`` is the program's own innermost frame and ``operation`` what it awaits there
    (``Lock.acquire``), of ``object`` (the Lock; the Task or Future itself where one is awaited
    directly), which is of class ``kind``; ``name_of_object`` is what the frame calls it.  ``needs``
    are the tasks and futures that must be done first, ``held`` what the frames are inside of.
    ``loop`` is the event loop, and ``thread`` the one that runs the loop, None: not known.
    """

    address: int
    name: str
    loop: int
    thread: Thread | None
    running: Thread | None
    frames: tuple[PyFrame, ...]
    future: int
    frame: PyFrame | None
    operation: str
    object: int
    kind: str
    name_of_object: str
    needs: tuple[int, ...]
    held: tuple[Held, ...]
    #: the child process that it waits for, 0: none
    child: int = 0


def tasks(sync: Sync) -> list[Task]:
    """All tasks that are not done, in no order."""
    return list(_Tasks(sync).all())


def holders(sync: Sync, found: list[Task], lock: int) -> list[tuple[Task, Held]]:
    """The tasks that are inside of an ``async with`` of a lock, or of its Condition."""
    inside = []
    for task in found:
        for each in task.held:
            if lock in (each.object, sync.taken(each.object)) and not _given_back(task, each):
                inside.append((task, each))
    return inside


def _given_back(task: Task, each: Held) -> bool:
    """Whether a task waits for the very Condition that it is inside of."""
    return task.operation.endswith(".wait") and task.object == each.object


class _Tasks:
    def __init__(self, sync: Sync) -> None:
        self.sync, self.look = sync, sync.look
        self.running = {
            frame.address: (thread, number)
            for thread in self.look.threads
            for number, frame in enumerate(thread.frames)
        }

    def all(self) -> Iterator[Task]:
        seen: set[int] = set()
        for interpreter in {thread.interpreter for thread in self.look.threads}:
            module = self.look.module(interpreter, "asyncio.tasks")
            for name in _SETS:
                for task in self._members(
                    self.look.objects.attribute(module, name) if module else 0
                ):
                    if task not in seen and len(seen) < _TASKS:
                        seen.add(task)
                        found = self._task(task)
                        if found is not None:
                            yield found

    def _members(self, weak: int) -> list[int]:
        """What is in a set, or in a WeakSet."""
        objects = self.look.objects
        inside = objects.attribute(weak, "data") if weak else 0
        references = objects.items(inside or weak) or [] if weak else []
        at = self.look.layout["PyWeakReference.wr_object"]
        is_weak = bool(inside)
        return [self.look.memory.word(each + at) if is_weak else each for each in references]

    # -- futures ----------------------------------------------------------------------------------

    def _field(self, thing: int, name: str) -> int:
        """A field of a future or a task: of C's, or of Python's own classes."""
        bases = self.look.objects.bases(thing)
        layout = self.look.layout
        if "_asyncio.Task" in bases and name in ("coro", "fut_waiter", "name", "loop", "state"):
            return thing + layout[f"_asyncio:TaskObj.task_{name}"]
        if "_asyncio.Future" in bases and name in ("loop", "state"):
            return thing + layout[f"_asyncio:FutureObj.fut_{name}"]
        return 0

    def _value(self, thing: int, name: str) -> int:
        at = self._field(thing, name)
        if at:
            return self.look.memory.word(at)
        return self.look.objects.attribute(thing, f"_{name}")

    def is_done(self, thing: int) -> bool | None:
        """Whether a future is done; None: it is none."""
        at = self._field(thing, "state")
        if at:
            return self.look.memory.number(at) != _PENDING
        state = self.look.objects.text(self.look.objects.attribute(thing, "_state"))
        return state != "PENDING" if state is not None else None

    # -- tasks ------------------------------------------------------------------------------------

    def _task(self, at: int) -> Task | None:
        objects, look = self.look.objects, self.look
        if not at or self.is_done(at) is not False:
            return None
        coroutine = self._value(at, "coro")
        future = self._value(at, "fut_waiter")
        future = 0 if objects.is_none(future) else future
        frames, running, last = self._frames(coroutine)
        label = self._value(at, "name")
        number = objects.integer(label)
        name = objects.text(label) or (f"Task-{number}" if number is not None else "")
        loop = self._value(at, "loop")
        ident = objects.integer(objects.attribute(loop, "_thread_id"))
        own = next((n for n, f in enumerate(frames) if meaning.is_own(f.shown)), None)
        inside = frames[:own] if own is not None else frames
        thing = look.locals(inside[-1]).get("self", 0) if inside else 0
        operation = operation_of(inside)
        thing = thing or (future if running is None else 0)
        frame = frames[own] if own is not None else None
        named = self.sync.naming.in_frame(frame, [thing]).get(thing) if frame and thing else None
        return Task(
            address=at, name=name, loop=loop,
            thread=self.sync.by_ident.get(ident) if ident is not None else None,
            running=running, frames=frames, future=future, frame=frame, operation=operation,
            object=thing, kind=objects.type_name(thing) if thing else "",
            name_of_object=named.name if named is not None else "",
            needs=tuple(self._needs(at, future, thing, inside, last)),
            held=tuple(h for f in reversed(frames) for h in held(look, f)),
            child=self._child(thing) if operation.endswith("Process.wait") else 0,
        )  # fmt: skip

    def _child(self, process: int) -> int:
        """The id of the child of an asyncio.subprocess.Process, as its parent knows it."""
        number = self.look.objects.integer(self.look.objects.attribute(process, "pid"))
        return number if number is not None and 0 < number < 1 << 22 else 0

    def _frames(self, coroutine: int) -> tuple[tuple[PyFrame, ...], Thread | None, int]:
        """A coroutine's frames, innermost first, the thread that runs it, what it awaits last."""
        found: list[PyFrame] = []
        at, seen = coroutine, set[int]()
        while at and at not in seen and len(seen) < _DEPTH:
            seen.add(at)
            at = self._of_wrapper(at)
            frame = self._suspended(at)
            if frame is None:
                running = self._running(at)
                if running is not None:
                    thread, number = running
                    return (*thread.frames[: number + 1], *reversed(found)), thread, 0
                break
            found.append(frame)
            at = self._top(frame)
        return tuple(reversed(found)), None, at

    def _suspended(self, at: int) -> PyFrame | None:
        frame = suspended(self.look, at)
        return frame if frame is not None and frame.address not in self.running else None

    def _running(self, at: int) -> tuple[Thread, int] | None:
        layout, memory = self.look.layout, self.look.memory
        if self.look.objects.type_name(at) not in GENERATORS:
            return None
        if layout.version <= 10:
            frame = memory.word(at + layout["PyGenObject.gi_frame"])
        else:
            frame = at + layout["PyGenObject.gi_iframe"]
        return self.running.get(frame)

    def _of_wrapper(self, at: int) -> int:
        """The coroutine or generator in what __await__ and __anext__ give."""
        kind, layout = self.look.objects.type_name(at), self.look.layout
        if kind == "coroutine_wrapper":
            return self.look.memory.word(at + layout["PyCoroWrapper.cw_coroutine"])
        if kind in ("async_generator_asend", "async_generator_athrow"):
            return self.look.memory.word(at + layout["PyAsyncGenASend.ags_gen"])
        return at

    def _top(self, frame: PyFrame) -> int:
        """What a suspended frame has on the top of its stack: what it awaits."""
        memory, layout = self.look.memory, self.look.layout
        if layout.version == 9:
            end = memory.word(frame.address + layout["PyFrameObject.f_stacktop"])
            return memory.word(end - 8) if end > frame.stack else 0
        if layout.version == 10:
            depth = memory.number(frame.address + layout["PyFrameObject.f_stacktop"]) or 0
            return memory.word(frame.stack + 8 * (depth - 1)) if depth > 0 else 0
        top = memory.number(frame.address + layout["_PyInterpreterFrame.stacktop"]) or 0
        at = frame.variables + 8 * (top - 1)
        return memory.word(at) if at >= frame.stack else 0

    # -- needs ------------------------------------------------------------------------------------

    def _needs(
        self, task: int, future: int, thing: int, inside: tuple[PyFrame, ...], last: int
    ) -> Iterator[int]:
        """The futures that are not done, and must be: what is awaited, and what that waits for."""
        objects = self.look.objects
        around: list[int] = [future]
        if objects.type_name(last).rpartition(".")[2] == "FutureIter":
            around.append(
                self.look.memory.word(last + self.look.layout["_asyncio:futureiterobject.future"])
            )
        for frame in inside:
            around += [v for n, v in self.look.locals(frame).items() if n in _WAITED]
        for each in (future, thing):
            attributes = objects.attributes(each) if each else {}
            around += [v for n, v in attributes.items() if n in _WAITED]
        seen = {task}
        for each in around:
            for one in [each, *(objects.items(each) or ())]:
                if one and one not in seen and self.is_done(one) is False:
                    seen.add(one)
                    yield one
