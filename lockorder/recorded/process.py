"""One recorded process: its locks by class, its threads by name, its acquisitions as chains."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from lockorder.model import Acquisition, Frame, HeldLock, How, Instance, Lock, LockKind, Mode
from lockorder.recorded import python_stacks, whose
from lockorder.recorded.symbolize import Places, Symbolizer
from lockorder.recorded.whose import Owners
from runtime_probe import layout
from runtime_probe.layout import LockFlag
from runtime_probe.records import Edge, Trace

MODES = (Mode.EXCLUSIVE, Mode.SHARED)
HOWS = (How.BLOCKING, How.TRY, How.TIMED)
GIL = "Python GIL"
KINDS = {
    layout.Kind.MUTEX: LockKind.MUTEX, layout.Kind.RWLOCK: LockKind.SHARED,
    layout.Kind.SPIN: LockKind.SPIN, layout.Kind.ONCE: LockKind.ONCE,
    layout.Kind.STATIC_INIT: LockKind.STATIC_INIT, layout.Kind.SEMAPHORE: LockKind.SEMAPHORE,
    layout.Kind.GIL: LockKind.GIL, layout.Kind.PYTHON_LOCK: LockKind.MUTEX,
}  # fmt: skip
_WORDS = {
    layout.Kind.MUTEX: "mutex", layout.Kind.RWLOCK: "reader-writer lock",
    layout.Kind.SPIN: "spin lock", layout.Kind.ONCE: "once flag",
    layout.Kind.STATIC_INIT: "initialiser", layout.Kind.SEMAPHORE: "semaphore",
    layout.Kind.GIL: "GIL", layout.Kind.PYTHON_LOCK: "Python lock",
}  # fmt: skip
#: Separates the parts of a class's id until ``merge`` gives it one for people.
SEPARATOR = "\x1f"
_NCCL = re.compile(r"lib[nr]ccl\b")
_NOWHERE = (Frame("?"),)
#: A step of a chain: a frame, or one with its owner.
_Step = TypeVar("_Step")
_Name = Callable[[_Step], str]


class Process:
    """A trace, read: what its numbers mean."""

    def __init__(self, trace: Trace, symbolizer: Symbolizer, owners: Owners | None = None) -> None:
        self.trace = trace
        self.owners = owners or Owners()
        self._owners: dict[tuple[int, int, int, int], str] = {}
        self.places = Places(trace.modules, symbolizer)
        #: Classes of the locks by number, and what is known of each class.
        self.classes: dict[int, str] = {}
        self.declared: dict[str, Lock] = {}
        for number in trace.locks:
            lock = self._class(number)
            self.classes[number] = lock.id
            self.declared.setdefault(lock.id, lock)
        self._instances: dict[int, Instance] = {}
        self._held: dict[tuple[int, int], HeldLock] = {}
        self._gates: dict[int, tuple[tuple[HeldLock, ...], frozenset[int]]] = {}
        self._chains: dict[int, tuple[Frame, ...]] = {}
        tids = Counter(t.tid for t in trace.threads.values())
        self._threads = {
            number: f"{trace.header.pid}:{t.tid}"
            # A thread's id is used again after its end.
            + (f"#{number}" if tids[t.tid] > 1 else "")
            + (f" {t.name}" if t.name else "")
            for number, t in trace.threads.items()
        }

    def thread(self, number: int) -> str:
        """A thread by its ids and name."""
        return self._threads.get(number) or f"{self.trace.header.pid}:thread {number}"

    def kind(self, lock: int) -> int:
        """The kind of a lock; 0 where nothing is known of it."""
        known = self.trace.locks.get(lock)
        return known.kind if known is not None else 0

    def instance(self, lock: int) -> Instance:
        """The object: its address, and which of those that lived there."""
        known = self._instances.get(lock)
        if known is None:
            record = self.trace.locks[lock]
            owner = f"{record.address:#x}"
            if record.generation > 1:
                owner += f" ({record.generation})"
            known = self._instances[lock] = Instance(owner, absolute=True)
        return known

    def held(self, lock: int, mode: int) -> HeldLock:
        """A lock that is held, by its class."""
        known = self._held.get((lock, mode))
        if known is None:
            known = HeldLock(self.classes[lock], MODES[mode], self.instance(lock))
            self._held[lock, mode] = known
        return known

    def gates(self, edge: Edge) -> tuple[HeldLock, ...]:
        """What was held besides, by class."""
        # Orders of one acquisition share the tuple, which the trace keeps: no need to compare them.
        known = self._gates.get(id(edge.gates))
        if known is None:
            of = [g for g in edge.gates if g.lock in self.classes]
            held = tuple(self.held(g.lock, g.mode) for g in of)
            known = self._gates[id(edge.gates)] = (held, frozenset(g.lock for g in of))
        held, locks = known
        if locks.isdisjoint((edge.source, edge.target)):
            return held
        return tuple(
            self.held(g.lock, g.mode)
            for g in edge.gates
            if g.lock in locks and g.lock not in (edge.source, edge.target)
        )

    def chain(self, stack: int) -> tuple[Frame, ...]:
        """A stack as a chain; one frame that says nothing where it was not kept."""
        known = self._chains.get(stack)
        if known is None:
            pcs, python = self.trace.stack(stack), self.trace.python_frames(stack)
            known = self._chains[stack] = self.places.chain(pcs, python) or _NOWHERE
        return known

    def made_by_nccl(self, stack: int) -> bool:
        """Whether the call at the end of a stack is made by NCCL (or RCCL) itself."""
        module = self.places.caller(self.trace.stack(stack))
        return module is not None and bool(_NCCL.match(os.path.basename(module.path)))

    def acquisition(
        self,
        lock: int,
        mode: int,
        how: int,
        stack: int,
        pc: int = 0,
        later: tuple[Frame, ...] = (),
    ) -> Acquisition:
        """A lock's taking at *stack*, else at *pc* on the way that *later* went on from.

        A stack is that of the first time that it was taken while the same was held. Where that is
        no way to *later*, and the function that took it this time is on that, it is that one.
        """
        chain = self.chain(stack)
        if pc and not _leads_to(chain, later, _function):
            at = self.places.chain((pc,))
            this_time = _on_the_way(at, later, _function)
            chain = this_time or (at if chain == _NOWHERE else chain) or _NOWHERE
        return Acquisition(self.classes[lock], chain, MODES[mode], HOWS[how], self.instance(lock))

    def owner(self, stack: int) -> str:
        """Whose code makes a call: the innermost that is not the system's; "" for the job's."""
        return whose.innermost(self._owned(stack))

    def owner_of_hold(self, lock: int, held: int, pc: int, later: int) -> str:
        """Whose affair it is that *lock* is held at *later*: taken at *held*, or else at *pc*."""
        key = lock, held, pc, later
        if key not in self._owners:
            way, after = self._owned(held), self._owned(later)
            known = _leads_to(way, after, _owned_function)
            if pc and not known:
                at = self.places.owned((pc,), (), self.owners)
                this_time = _on_the_way(at, after, _owned_function)
                way, known = this_time or way or at, bool(this_time)
            sure = known or not self._is_taken_again(lock)
            self._owners[key] = self.owners.of_hold(way, after, sure)
        return self._owners[key]

    def _is_taken_again(self, lock: int) -> bool:
        """Whether it is a lock of Python's, which is taken in the interpreter, more than once: the
        place of the first time says nothing of this time."""
        stat = self.trace.stats.get(lock)
        return self.kind(lock) == layout.Kind.PYTHON_LOCK and (
            stat is not None and stat.acquisitions > 1
        )

    def _owned(self, stack: int) -> whose.Owned:
        pcs, python = self.trace.stack(stack), self.trace.python_frames(stack)
        return self.places.owned(pcs, python, self.owners)

    # -- classes ----------------------------------------------------------------------------------

    def _class(self, number: int) -> Lock:
        """What the lock is called in every process that has the like of it."""
        record = self.trace.locks[number]
        kind = KINDS[layout.Kind(record.kind)]
        if kind is LockKind.GIL:
            return Lock(GIL, GIL, kind)
        if kind is LockKind.MUTEX and record.flags & LockFlag.RECURSIVE:
            kind = LockKind.RECURSIVE
        word = _WORDS[layout.Kind(record.kind)]
        if not record.flags & LockFlag.ON_STACK:
            name = self.places.global_at(record.address)
            if name is not None:
                return Lock(_id("global", name, word), name, kind)
        for how, stack in (("made", record.creation_stack), ("first taken", record.first_stack)):
            lock = self._of_python(how, stack, word, kind)
            if lock is not None:
                return lock
            site = self.site(stack)
            if site is not None:
                where = f"{os.path.basename(site.file)}:{site.line}" if site.file else ""
                name = f"{word} {how} in {site.function}" + (f" ({where})" if where else "")
                key = _id("place", site.function, word, site.file, str(site.line))
                return Lock(key, name, kind, site.file, site.line)
        name = f"{word} of unknown origin"
        return Lock(_id("global", name, word), name, kind)

    def _of_python(self, how: str, stack: int, word: str, kind: LockKind) -> Lock | None:
        """A lock that Python's own code made, by the line that asked for it."""
        pcs, python = self.trace.stack(stack), self.trace.python_frames(stack)
        if not self.places.is_python(pcs, python):
            return None
        made = python_stacks.made(python, self.places.interpreters(pcs))
        if made.file == "":
            return None
        # Which of Lock and RLock it is only the interpreter's functions say.
        what = made.what or ("Lock" if word == _WORDS[layout.Kind.PYTHON_LOCK] else word)
        name = f"{what} {how} at {os.path.basename(made.file)}:{made.line}"
        if made.inside:
            name += f" (in {made.inside})"
        line = f"{made.line} {made.inside}"
        key = _id("place", made.function, what, made.file, line)
        return Lock(key, name, kind, made.file, made.line)

    def site(self, stack: int) -> Frame | None:
        """The innermost place of the program itself in a stack; None where it was not kept."""
        pcs = self.trace.stack(stack)
        return self.places.site(pcs, self.trace.python_frames(stack)) if pcs else None


def _id(*parts: str) -> str:
    return SEPARATOR.join(("", *parts))


def _function(frame: Frame) -> str:
    return frame.function


def _owned_function(step: tuple[Frame, str]) -> str:
    return step[0].function


def _leads_to(taken: tuple[_Step, ...], later: tuple[_Step, ...], name: _Name[_Step]) -> bool:
    """Whether the function at the end of *taken* is still running at *later*, called the same."""
    outer = len(taken) - 1
    if outer < 0 or outer >= len(later) or taken[:outer] != later[:outer]:
        return False
    return name(taken[outer]) == name(later[outer])


def _on_the_way(
    taken: tuple[_Step, ...], later: tuple[_Step, ...], name: _Name[_Step]
) -> tuple[_Step, ...]:
    """The chain to *taken*, a function that is still running at *later*; empty if it is not."""
    for depth in range(len(later) - 1, -1, -1) if taken else ():
        if name(later[depth]) == name(taken[0]):
            return (*later[:depth], *taken)
    return ()
