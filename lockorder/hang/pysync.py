"""What Python's threads wait for, and who has it: objects of threading, queue, multiprocessing.

A thread waits for a word of memory (see `lockorder.hang.waits`); here it gets the lock object that
has the word, the object that was asked (an Event, a Queue, a Thread), its name in the program, and
the threads that have the lock: an RLock and a multiprocessing lock say so themselves, of all others
it is known by the ``with`` blocks that threads are inside of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from lockorder import meaning
from lockorder.hang.pyframes import Look, PyFrame, Thread
from lockorder.hang.pyheld import Held, held, suspended
from lockorder.hang.pynames import Named, Naming

LOCK, RLOCK, SEMAPHORE = "_thread.lock", "_thread.RLock", "_multiprocessing.SemLock"
_HANDLE, _QUEUE = "_thread._ThreadHandle", "_queue.SimpleQueue"
#: Attributes in which an object has the lock that its ``with`` takes.
_TAKEN = {
    "Condition": "_lock",
    "Lock": "_semlock",
    "RLock": "_semlock",
    "Semaphore": "_semlock",
    "_ModuleLockManager": "_lock",
}
#: Attributes in which locks are, of objects that wait by them.
_PARTS = (
    "_lock", "_cond", "_condition", "mutex", "not_empty", "not_full", "all_tasks_done", "_semlock",
    "_tstate_lock", "_handle", "_started", "_block", "_rlock", "_wlock", "_shutdown_lock",
)  # fmt: skip
_NEAR = 2


class Holder(NamedTuple):
    """A thread that has a lock; ``held`` is the ``with`` block, None: the lock itself says so."""

    thread: Thread
    held: Held | None


class Waiting(NamedTuple):
    """What a thread is in.

    ``frame`` is the program's own innermost frame, and ``operation`` what it has called there
    (``Queue.get``), "": it waits by itself.  ``object`` is what that is of (the Queue), 0: not
    known; ``kind`` is its class; ``lock`` is the lock object that the thread waits for in the end,
    0: not known.  ``named`` is how the frame calls the object.
    """

    thread: Thread
    frame: PyFrame | None
    operation: str
    object: int
    kind: str
    lock: int
    named: Named | None


def operation_of(inside: Sequence[PyFrame]) -> str:
    """The name of what the program is in, by the library's frames, innermost first."""
    # A ``with`` enters by what it is named for.
    named = [f for f in inside if f.code.name not in ("__enter__", "__aenter__")]
    return meaning.operation([f.shown for f in reversed(named or inside)])


class Sync:
    """What the objects of one look mean."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.naming = Naming(look)
        self._words: dict[int, int] = {}

    # -- locks ------------------------------------------------------------------------------------

    def word(self, lock: int) -> int:
        """The address that threads wait for to get a lock; 0: it is no lock that is known.

        Of a thread's handle it is what its end is waited for by, of a SimpleQueue what an item is.
        """
        memory, layout = self.look.memory, self.look.layout
        kind = self.look.objects.type_name(lock)
        if kind == LOCK:
            return memory.word(lock + layout["lockobject.lock_lock"])
        if kind == RLOCK:
            return memory.word(lock + layout["rlockobject.rlock_lock"])
        if kind == SEMAPHORE:
            return memory.word(lock + layout["_multiprocessing:SemLockObject.handle"])
        if kind == _QUEUE:
            at = lock + layout["_queue:simplequeueobject.lock"]
            return memory.word(at) if layout.version <= 12 else at
        if kind == _HANDLE:
            handle = memory.word(lock + layout["PyThreadHandleObject.handle"])
            return handle + layout["ThreadHandle.thread_is_exiting"] if handle else 0
        return 0

    def taken(self, thing: int) -> int:
        """The lock that a ``with`` of an object takes: that of a Condition, or it itself."""
        objects = self.look.objects
        name = _TAKEN.get(objects.class_name(thing))
        inside = objects.attribute(thing, name) if name else 0
        return inside or thing

    def owner(self, lock: int) -> Thread | None:
        """The thread that a lock itself says has it; None: nobody, or it does not say."""
        memory, layout = self.look.memory, self.look.layout
        kind = self.look.objects.type_name(lock)
        if kind == RLOCK:
            count = memory.word(lock + layout["rlockobject.rlock_count"])
            ident = memory.word(lock + layout["rlockobject.rlock_owner"])
        elif kind == SEMAPHORE:
            # Of a lock that processes share this process knows only whether it has it itself.
            count = memory.number(lock + layout["_multiprocessing:SemLockObject.count"]) or 0
            ident = memory.word(lock + layout["_multiprocessing:SemLockObject.last_tid"])
        elif self.look.objects.class_name(lock) == "_ModuleLock":
            number = self.look.objects.integer(self.look.objects.attribute(lock, "owner"))
            count, ident = 1, number or 0
        else:
            return None
        return self.by_ident.get(ident) if 0 < count < 1 << 32 else None

    def is_locked(self, lock: int) -> bool | None:
        """Whether a lock is taken; None: it does not say."""
        memory, layout = self.look.memory, self.look.layout
        kind = self.look.objects.type_name(lock)
        if kind == LOCK:
            return bool(memory.number(lock + layout["lockobject.locked"], 1))
        if kind == RLOCK:
            return bool(memory.word(lock + layout["rlockobject.rlock_count"]))
        return None

    def holders(self, lock: int) -> list[Holder]:
        """The threads that have a lock, by the lock itself, else by ``with`` blocks."""
        owner = self.owner(lock)
        inside = self.holding.get(lock, [])
        if owner is None and self.look.objects.type_name(lock) == RLOCK:
            return []
        if owner is not None:
            own = [h for h in inside if h.thread.state == owner.state]
            return own[-1:] or [Holder(owner, None)]
        if self.is_locked(lock) is False:
            return []
        return inside or self._in_generators.get(lock, [])

    def guards(self, lock: int) -> list[Holder]:
        """Threads inside of an object of the program's own whose ``__exit__`` releases the lock.

        That is by the names in its code, and so less sure than what `holders` says.
        """
        if self.is_locked(lock) is False:
            return []
        found = []
        for thing, inside in self.holding.items():
            for name, value in self.look.objects.attributes(thing).items():
                if value == lock and {name, "release"} <= self._names_in_exit(thing):
                    found += inside
        return found

    def _names_in_exit(self, thing: int) -> set[str]:
        """The attributes that the ``__exit__`` of an object's class has to do with."""
        objects, layout, memory = self.look.objects, self.look.layout, self.look.memory
        for kind in objects.mro(objects.type_of(thing)):
            function = objects.class_attribute(kind, "__exit__")
            if function and objects.type_name(function) == "function":
                code = memory.word(function + layout["PyFunctionObject.func_code"])
                names = memory.word(code + layout["PyCodeObject.co_names"])
                return {objects.text(each) or "" for each in objects.items(names) or ()}
        return set()

    @cached_property
    def _in_generators(self) -> dict[int, list[Holder]]:
        """By lock, threads with a generator at hand that is suspended inside of a ``with`` of it.

        Who runs the generator on, or lets it go, gives the lock back.
        """
        found: dict[int, list[Holder]] = {}
        for thread in self.look.threads:
            things = {thing for frame in thread.frames for thing in self.at_hand(frame)}
            for thing in sorted(things):
                inside = suspended(self.look, thing)
                for each in held(self.look, inside) if inside is not None else ():
                    for lock in {each.object, self.taken(each.object)}:
                        found.setdefault(lock, []).append(Holder(thread, each))
        return found

    @cached_property
    def holding(self) -> dict[int, list[Holder]]:
        """By lock, the threads that are inside of a ``with`` block of it, or of its Condition.

        Who waits for a Condition has given its lock back, and is inside of it all the same.
        """
        found: dict[int, list[Holder]] = {}
        for thread in self.look.threads:
            given_back = set(self._given_back(thread))
            for frame in reversed(thread.frames):
                for each in held(self.look, frame):
                    if each.object in given_back:
                        continue
                    for lock in {each.object, self.taken(each.object)} - given_back:
                        found.setdefault(lock, []).append(Holder(thread, each))
        return found

    def _given_back(self, thread: Thread) -> Iterator[int]:
        """The Conditions that a thread waits for, and their locks."""
        objects = self.look.objects
        for frame in thread.frames[:3]:
            if frame.code.name == "wait" and meaning.is_standard(frame.code.file):
                condition = self.look.locals(frame).get("self", 0)
                waiters = objects.attribute(condition, "_waiters") if condition else 0
                if waiters:
                    yield condition
                    yield objects.attribute(condition, "_lock")

    # -- threads ----------------------------------------------------------------------------------

    @cached_property
    def by_ident(self) -> dict[int, Thread]:
        """The threads by threading's idents."""
        return {thread.ident: thread for thread in self.look.threads if thread.tid}

    def thread_of(self, thing: int) -> Thread | None:
        """The thread of a ``threading.Thread`` object; None: it has not begun, or has ended."""
        objects = self.look.objects
        ident = objects.integer(objects.attribute(thing, "_ident"))
        return self.by_ident.get(ident) if ident is not None else None

    def name_of_thread(self, thing: int) -> str:
        """The name of a ``threading.Thread`` object, also of one that has ended."""
        objects = self.look.objects
        return objects.text(objects.attribute(thing, "_name")) or ""

    def runner(self, future: int) -> Thread | None:
        """The thread that is in the function whose result a future of a pool of threads gets."""
        for thread in self.look.threads:
            for frame in thread.frames:
                if frame.code.name != "run" or not meaning.is_standard(frame.code.file):
                    continue
                item = self.look.locals(frame).get("self", 0)
                if item and self.look.objects.attribute(item, "future") == future:
                    return thread
        return None

    def workers(self, future: int) -> list[Thread]:
        """The threads of the pool that has the function still to do whose result a future gets."""
        objects = self.look.objects
        queued: dict[int, bool] = {}
        found = []
        for thread in self.look.threads:
            for frame in thread.frames:
                if frame.code.name != "_worker" or not meaning.is_standard(frame.code.file):
                    continue
                queue = self.look.locals(frame).get("work_queue", 0)
                if queue not in queued:
                    items = objects.items(queue) or []
                    queued[queue] = any(objects.attribute(i, "future") == future for i in items)
                if queued[queue]:
                    found.append(thread)
        return found

    def responsible(self, waiting: Waiting) -> list[Thread]:
        """The threads that must go on before a thread can, as far as objects say which they are."""
        for lock in {waiting.lock, self.taken(waiting.object)} - {0}:
            holders = self.holders(lock)
            if holders:
                return [holder.thread for holder in holders]
        ended = self.thread_of(waiting.object)
        runner = self.runner(waiting.object)
        found = [each for each in (ended, runner) if each is not None]
        return found or self.workers(waiting.object)

    def child(self, thing: int) -> int:
        """The id of the process that a Process or a Popen object is of; 0: it is none, or ended.

        It is as the process itself knows it.
        """
        objects = self.look.objects
        started = objects.attribute(thing, "_popen") or thing
        if objects.integer(objects.attribute(started, "returncode")) is not None:
            return 0
        number = objects.integer(objects.attribute(started, "pid"))
        return number if number is not None and 0 < number < 1 << 22 else 0

    # -- waits ------------------------------------------------------------------------------------

    def waiting(self, thread: Thread, word: int = 0) -> Waiting:
        """What a thread is in; *word* is the address that it waits for, 0: not known."""
        shown = meaning.since_fork([f.shown for f in reversed(thread.frames)])
        frames = thread.frames[: len(shown)]
        own = next((n for n, f in enumerate(frames) if meaning.is_own(f.shown)), None)
        if own is None:
            files = [frame.code.file for frame in frames]
            own = next((n for n, f in enumerate(files) if not meaning.is_standard(f)), None)
        inside = frames[: own if own is not None else len(frames)]
        if own is None:
            # All of it is Python's own: the thread was begun with what it is in.
            inside = tuple(f for f in inside if f.code.name not in meaning.BEGINS)
        frame = frames[own] if own is not None else None
        lock = self._lock(frames[: own + 1] if own is not None else frames, word)
        objects, thing, operation = self.look.objects, 0, ""
        if inside:
            # A function that is of no object calls a method of one.
            operation = operation_of(inside)
            outer = [f for f in reversed(inside) if operation.endswith(f.shown.function)] or [
                *reversed(inside)
            ]
            owners = (self.look.locals(f).get("self", 0) for f in outer)
            thing = next(filter(None, owners), 0)
        thing = thing or lock
        wanted = [each for each in (thing, lock) if each]
        names = self.naming.of(wanted, frames[own:]) if wanted and own is not None else {}
        kind = objects.type_name(thing) if thing else ""
        return Waiting(thread, frame, operation, thing, kind, lock, names.get(thing or lock))

    def _lock(self, frames: tuple[PyFrame, ...], word: int) -> int:
        """The lock object that has *word*, near to the innermost of *frames*; 0: none is."""
        if not word:
            return 0
        for frame in frames:
            for thing in self._near(frame):
                if self.word(thing) == word:
                    return thing
        return 0

    def at_hand(self, frame: PyFrame) -> list[int]:
        """The objects on a frame's stack, or whose methods are there, and those in its variables.

        What is left over on the stack is among them.
        """
        look, found = self.look, []
        for value in look.memory.words(frame.stack, min(frame.code.stack_size, 1 << 12)) or ():
            kind, at = look.objects.type_name(value), value
            if kind == "builtin_function_or_method":
                at = look.memory.word(value + look.layout["PyCFunctionObject.m_self"])
            elif kind == "method":
                at = look.memory.word(value + look.layout["PyMethodObject.im_self"])
            found.append(at)
        return [*found, *look.locals(frame).values()]

    def _near(self, frame: PyFrame) -> Iterator[int]:
        """The objects that a frame has at hand, and what is in these."""
        look, objects = self.look, self.look.objects
        seen: set[int] = set()
        level = self.at_hand(frame)
        for step in range(_NEAR + 1):
            following: list[int] = []
            for value in level:
                if value in seen or not objects.type_name(value):
                    continue
                seen.add(value)
                yield value
                if step < _NEAR:
                    parts = objects.attributes(value)
                    following += [parts[name] for name in _PARTS if name in parts]
            level = following
        for name in frame.code.names[:1]:
            if name == "self" and seen:
                yield from objects.attributes(look.locals(frame).get("self", 0)).values()
        yield from look.globals(frame).values()
