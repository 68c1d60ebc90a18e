"""For each thread of a process, what it waits for and who has that.

What a live process shows moves while one looks.  So it is looked at twice, and a wait is reported
only if its thread has slept in the same call all the time, the memory says the same both times, and
no other waiter for the same object has been woken: a lock that is given up wakes one of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from lockorder.hang import mutexes, pythons, waits_frames, waits_kinds
from lockorder.hang.image import AARCH64, RESTART, X86_64, Image, Stopped
from lockorder.hang.procfs import Mark
from lockorder.hang.waits_frames import Kind
from lockorder.hang.waits_futex import (
    LOCK_PI,
    LOCK_PI2,
    WAIT,
    Futex,
    futex_of,
    sleeps_long,
)
from lockorder.hang.waits_names import Names
from runtime_probe.syscalls import KernelWait, Rest, kernel_wait

#: Seconds between two looks.
PAUSE = 0.01
#: Looks for those who wait for the GIL: so many, and more while none was met, for on a busy
#: machine a waiter is found between two waits time and again.
_GIL_LOOKS, _GIL_MOST = 8, 40
_GIL_PAUSE = 0.001
_KERNEL_NAMES = {X86_64: "x86_64", AARCH64: "aarch64"}

#: By thread, the functions that it is in, innermost first.
Frames = Mapping[int, Sequence[str]]
#: By the address of an object that has no owner in memory, the thread that is known to have it:
#: whose stack is inside a static's initialiser, or which Python says.
Holders = Mapping[int, int]


class Wait(NamedTuple):
    """A thread that waits.

    ``address`` is the object's (of FUTEX, the word's; of CALL and JOIN 0), and ``owner_tid`` the
    thread that alone can end the wait, 0: not known, nobody, or several (``owner_tids``).
    ``limited``: it ends by itself after a time.  ``detail`` is for people.  ``gone_tid`` had it,
    and is no thread of this process any more; ``foreign_tid`` has it by what the lock says, and may
    be another process' thread.  ``shared``: the word may be in memory that processes share.
    """

    tid: int
    kind: Kind
    address: int
    owner_tid: int = 0
    owner_tids: tuple[int, ...] = ()
    detail: str = ""
    limited: bool = False
    gone_tid: int = 0
    foreign_tid: int = 0
    shared: bool = False


@runtime_checkable
class Live(Protocol):
    """An image of a process that runs."""

    def look(self) -> Sequence[tuple[Stopped, Mark]]:
        """See `lockorder.hang.procfs.LiveImage.look`."""


class Waits:
    """Looks at one process, as often as it is asked."""

    def __init__(self, image: Image, names: Names | None = None) -> None:
        self._image = image
        self.names = names if names is not None else Names(image)
        self._code = waits_kinds.Code(image, self.names)
        #: The interpreter in the process, if there is one.
        self.python = pythons.find(image, self.names)

    def find(
        self,
        frames: Frames | None = None,
        holders: Holders | None = None,
        pause: float = PAUSE,
        sleep: Callable[[float], None] = time.sleep,
    ) -> list[Wait]:
        """What is certain, by thread; threads that run, or just moved, are not in it.

        Args:
            frames: decide where an address alone could be several things.
            holders: owners that memory does not name.
            pause: seconds between the two looks at a live process.
            sleep: what waits for so long.
        """
        frames, holders = frames or {}, holders or {}
        image = self._image
        if not isinstance(image, Live):
            found = self._look(image.threads(), frames)
        else:
            before = list(image.look())
            first = self._look([thread for thread, _ in before], frames)
            sleep(pause)
            second = self._look([thread for thread, _ in before], frames)
            after = list(image.look())
            found = _stable(before, first, second, after)
            found += self._for_gil(image, frames, found, sleep)
        found = [_with_holder(wait, holders) for wait in found]
        return sorted(found, key=lambda wait: wait.tid)

    def _for_gil(
        self, image: Live, frames: Frames, found: Sequence[Wait], sleep: Callable[[float], None]
    ) -> list[Wait]:
        """Who waits for the GIL: they look again every five milliseconds, and so never stand.

        As long as the lock's count of switches stays the same, none of them has got it, and so
        none of them has done anything else.
        """
        if self.python is None:
            return []
        known = {wait.tid for wait in found}
        rounds: list[dict[int, Wait]] = []
        gils = self.python.gils(self._tids(image.look()))
        if not any(gil.locked for gil in gils):
            return []
        for _ in range(2):
            seen: dict[int, Wait] = {}
            for number in range(_GIL_MOST):
                threads = [thread for thread, _ in image.look()]
                for wait in self._look(threads, frames):
                    if wait.kind is Kind.GIL and wait.tid not in known:
                        seen[wait.tid] = wait
                sleep(_GIL_PAUSE)
                if seen.keys() >= rounds[0].keys() if rounds else seen and number >= _GIL_LOOKS:
                    break
            rounds.append(seen)
        if self.python.gils(self._tids(image.look())) != gils:
            return []
        return [wait for tid, wait in rounds[0].items() if rounds[1].get(tid) == wait]

    def _tids(self, looked: Sequence[tuple[Stopped, Mark]]) -> set[int]:
        return {thread.tid for thread, _ in looked}

    def _look(self, threads: Sequence[Stopped], frames: Frames) -> list[Wait]:
        tids = {thread.tid for thread in threads if thread.state not in ("Z", "X")}
        gils = self.python.gils(tids) if self.python is not None else []
        moment = _Moment(self._image, self._code, tids, gils)
        found = []
        for thread in threads:
            wait = moment.wait(thread, frames.get(thread.tid, ()))
            if wait is not None:
                found.append(wait)
        return found


class _Moment:
    """One look at all threads."""

    def __init__(
        self, image: Image, code: waits_kinds.Code, tids: set[int], gils: Sequence[pythons.Gil]
    ) -> None:
        self._image, self._code, self._tids, self._gils = image, code, tids, gils

    def wait(self, thread: Stopped, frames: Sequence[str]) -> Wait | None:
        futex = futex_of(self._image, thread)
        if futex is None:
            return self._call(thread)
        for gil in self._gils:
            if gil.is_waited_for_at(futex.address):
                return Wait(thread.tid, Kind.GIL, gil.address, gil.holder)
        named = waits_frames.kind_of(frames)
        found = self._named(thread, futex, named, frames) if named else self._guess(thread, futex)
        if futex.others:
            found = found._replace(owner_tid=0, detail=f"one of {len(futex.others) + 1} words")
        return found._replace(limited=futex.limited, shared=not futex.private)

    def _call(self, thread: Stopped) -> Wait | None:
        """A wait in the kernel that is for no word of memory."""
        if thread.call == RESTART.get(self._image.machine) and len(thread.arguments) >= 6:
            return Wait(thread.tid, Kind.CALL, 0, limited=True)
        wait = kernel_call(self._image, thread)
        if wait is None:
            return None
        limited = wait.rest in (Rest.LIMITED, Rest.SLEEP)
        if wait.rest is Rest.SLEEP:
            limited = not sleeps_long(self._image, thread)
        return Wait(thread.tid, Kind.CALL, 0, detail=wait.name, limited=limited)

    def _named(self, thread: Stopped, futex: Futex, kind: Kind, frames: Sequence[str]) -> Wait:
        """The frames say what it is: memory only says where it begins and who has it."""
        if kind is Kind.MUTEX:
            mutex = mutexes.mutex_at(self._image, futex.address, self._tids)
            if mutex is not None:
                return _for_mutex(thread, mutex, futex)
        elif kind is Kind.RWLOCK:
            wants = waits_frames.wants_write(frames)
            found = self._rwlock(thread, futex, wants)
            if found is not None:
                return found
        elif kind is Kind.JOIN:
            return self._join(thread, futex) or Wait(thread.tid, kind, 0)
        elif kind is Kind.CONDITION:
            at = waits_kinds.condition_at(self._image, futex, len(self._tids))
            return Wait(thread.tid, kind, at or futex.address)
        elif kind is Kind.PYTHON_LOCK:
            at = waits_kinds.parked_at(self._image, thread, futex)
            return Wait(thread.tid, kind, at or futex.address)
        return Wait(thread.tid, kind, futex.address)

    def _guess(self, thread: Stopped, futex: Futex) -> Wait:
        """Nothing but memory and the way of waiting says what it is."""
        if waits_kinds.is_guard(self._image, futex):
            return Wait(thread.tid, Kind.GUARD, futex.address)
        if self._code.is_own_wait(thread):
            return Wait(thread.tid, Kind.FUTEX, futex.address)
        found = None
        if not futex.private:
            found = self._join(thread, futex)
        if found is None and _may_be_mutex(futex):
            mutex = mutexes.mutex_at(self._image, futex.address, self._tids)
            found = _for_mutex(thread, mutex, futex) if mutex is not None else None
        if found is None and futex.operation == WAIT and waits_kinds.is_once(self._image, futex):
            found = Wait(thread.tid, Kind.ONCE, futex.address)
        if found is None:
            found = self._rwlock(thread, futex)
        return found or self._ownerless(thread, futex)

    def _ownerless(self, thread: Stopped, futex: Futex) -> Wait:
        """A semaphore or a condition, where only one of them fits."""
        threads = len(self._tids)
        condition = waits_kinds.condition_at(self._image, futex, threads)
        semaphore = waits_kinds.is_semaphore(self._image, futex, threads)
        if semaphore:
            parked = waits_kinds.parked_at(self._image, thread, futex)
            if parked:
                return Wait(thread.tid, Kind.PYTHON_LOCK, parked)
            if self._code.is_python_lock(thread):
                return Wait(thread.tid, Kind.PYTHON_LOCK, futex.address)
        if semaphore and not condition:
            return Wait(thread.tid, Kind.SEMAPHORE, futex.address)
        if condition and not semaphore:
            return Wait(thread.tid, Kind.CONDITION, condition)
        return Wait(thread.tid, Kind.FUTEX, futex.address)

    def _join(self, thread: Stopped, futex: Futex) -> Wait | None:
        tid = mutexes.joined_at(self._image, futex.address, futex.value, self._tids)
        return Wait(thread.tid, Kind.JOIN, 0, tid) if tid and tid != thread.tid else None

    def _rwlock(self, thread: Stopped, futex: Futex, wants: bool | None = None) -> Wait | None:
        lock = mutexes.rwlock_at(self._image, futex.address, futex.value, self._tids)
        if lock is None:
            return None
        writes = lock.wants_write if wants is None else wants
        detail = "to write" if writes else "to read"
        if lock.readers and not lock.writer:
            detail += f", {lock.readers} read"
        return Wait(thread.tid, Kind.RWLOCK, lock.address, lock.writer, detail=detail)


def kernel_call(image: Image, thread: Stopped) -> KernelWait | None:
    """The call in which *thread* waits in the kernel; None: it is in none that is known to wait."""
    if thread.call < 0 or len(thread.arguments) < 6:
        return None
    words = " ".join(hex(each) for each in thread.arguments)
    return kernel_wait(f"{thread.call} {words} 0x0 0x0", _KERNEL_NAMES.get(image.machine, ""))


def _may_be_mutex(futex: Futex) -> bool:
    """Whether it is how pthread_mutex_lock waits: 2, a thread's id with a bit, or by priority."""
    if futex.operation in (LOCK_PI, LOCK_PI2):
        return True
    return futex.value == 2 or futex.value >> 31 == 1


def _for_mutex(thread: Stopped, mutex: mutexes.Mutex, futex: Futex) -> Wait:
    if mutex.gone:
        detail = (
            f"held by thread {mutex.owner}, which is not there: it ended without unlocking, or "
            "this is a child of a fork that happened meanwhile"
        )
        # One that processes share may be another's.
        gone, foreign = (mutex.owner, 0) if futex.private else (0, mutex.owner)
        return Wait(
            thread.tid, Kind.MUTEX, mutex.address, detail=detail, gone_tid=gone,
            foreign_tid=foreign,
        )  # fmt: skip
    return Wait(thread.tid, Kind.MUTEX, mutex.address, mutex.owner, detail=mutex.type)


def _with_holder(wait: Wait, holders: Holders) -> Wait:
    if wait.owner_tid or not wait.address:
        return wait
    return wait._replace(owner_tid=holders.get(wait.address, 0))


def _stable(
    before: Sequence[tuple[Stopped, Mark]],
    first: Sequence[Wait],
    second: Sequence[Wait],
    after: Sequence[tuple[Stopped, Mark]],
) -> list[Wait]:
    """The waits that are the same in two looks, of threads that have not moved between them."""
    ends = {thread.tid: (thread, mark) for thread, mark in after}
    moved: set[int] = set()
    started: dict[int, int] = {}
    for thread, mark in before:
        started[thread.tid] = mark.started
        end = ends.get(thread.tid)
        if end is None or end[1] != mark or _place(end[0]) != _place(thread):
            moved.add(thread.tid)
    later = {wait.tid: wait for wait in second}
    unstable = {wait.tid for wait in first if wait.tid in moved or later.get(wait.tid) != wait}
    # Of several waiters, the one that a release wakes shows that the object moved.
    moving = {wait.address for wait in first if wait.tid in unstable and wait.address}
    found = []
    for wait in first:
        if wait.tid in unstable or wait.address in moving:
            continue
        owner = wait.owner_tid
        if owner and (owner not in ends or ends[owner][1].started != started.get(owner)):
            continue  # its id belongs to another thread by now
        found.append(wait)
    return found


def _place(thread: Stopped) -> tuple[int, tuple[int, ...], int]:
    return thread.call, thread.arguments, thread.sp
