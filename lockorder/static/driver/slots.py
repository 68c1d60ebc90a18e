"""Processes that read units, each by itself: one that libclang ends takes no other's work along."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Generic, TypeVar

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")

#: Tasks given to a process at a time: one that it works on and one that is there when it is done.
_AHEAD = 2


class _Slot(Generic[_Task, _Answer]):
    """One process and what it was given, in order."""

    def __init__(self, begin: Callable[[], None]) -> None:
        self._begin = begin
        self.pool = ProcessPoolExecutor(1, initializer=begin)
        self.given: deque[tuple[_Task, Future[_Answer]]] = deque()

    def renew(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = ProcessPoolExecutor(1, initializer=self._begin)


class Slots(Generic[_Task, _Answer]):
    """*count* processes that apply *work* to tasks; with none, this process does."""

    def __init__(
        self, count: int, work: Callable[[_Task], _Answer], begin: Callable[[], None]
    ) -> None:
        self._work = work
        self._slots: list[_Slot[_Task, _Answer]] = [_Slot(begin) for _ in range(count)]
        self._here: deque[tuple[_Task, _Answer | None]] = deque()

    def __enter__(self) -> Slots[_Task, _Answer]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for slot in self._slots:
            slot.pool.shutdown(wait=kind is None, cancel_futures=True)

    @property
    def busy(self) -> bool:
        """Whether something was given and has not come back."""
        return bool(self._here) or any(slot.given for slot in self._slots)

    @property
    def free(self) -> bool:
        """Whether somebody can be given a task."""
        if not self._slots:
            return not self._here
        return any(len(slot.given) < _AHEAD for slot in self._slots)

    def start(self, task: _Task) -> None:
        """Have *task* done by whoever has least to do."""
        if not self._slots:
            self._here.append((task, self._work(task)))
            return
        slot = min(self._slots, key=lambda s: len(s.given))
        try:
            future = slot.pool.submit(self._work, task)
        except BrokenProcessPool:  # it died with nothing to do, or is about to say so
            future = Future()
            future.set_exception(BrokenProcessPool())
        slot.given.append((task, future))

    def done(self) -> list[tuple[_Task, _Answer | None]]:
        """Wait for answers: each task with its answer, None where its process died of it."""
        if not self._slots:
            found = list(self._here)
            self._here.clear()
            return found
        wait([f for slot in self._slots for _, f in slot.given], return_when=FIRST_COMPLETED)
        found = []
        for slot in self._slots:
            while slot.given and slot.given[0][1].done():
                task, future = slot.given.popleft()
                try:
                    found.append((task, future.result()))
                except BrokenProcessPool:
                    found.append((task, None))
                    self._again(slot)
                    break
        return found

    def _again(self, slot: _Slot[_Task, _Answer]) -> None:
        """A new process for *slot*, with what the old one was given and did not come to."""
        waiting = [task for task, _ in slot.given]
        slot.given.clear()
        slot.renew()
        for task in waiting:
            slot.given.append((task, slot.pool.submit(self._work, task)))
