"""Waits that a thread of the program's own ends, which nothing keeps back meanwhile.

Whoever waits with a lock held keeps out all who want it.  Where a thread notifies what is waited
for and, in all that it runs, takes neither that lock nor one that others hold while they take it,
the wait ends: the lock is held for long, and nobody hangs.  That thread may wait itself, for what
somebody notifies who needs none of these either; any other wait of its speaks against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lockorder.static.interp.collected import Event
from lockorder.static.interp.engine import Engine
from lockorder.static.program.effects import Wait


class Served:
    """Answers about one analysed program.

    *notifiers* gives who wakes those that wait for an object, by its declaration; *needs* says
    whether one of them has to get a lock before.
    """

    def __init__(
        self,
        engine: Engine,
        notifiers: Callable[[str], list[Event]],
        needs: Callable[[Event, str], bool],
    ) -> None:
        self._engine = engine
        self._notifiers = notifiers
        self._needs = needs
        self._runs: dict[str, frozenset[str]] = {}
        self._takes: dict[str, frozenset[str]] = {}
        self._before: dict[str, frozenset[str]] = {}

    def by(self, lock: str, condition: str, waiter: str) -> str | None:
        """The thread's function that ends a wait for *condition* in *waiter* with *lock* held."""
        if lock in self._engine.knowledge.named:
            return None  # whole programs stand still without an interpreter's lock
        woken = {e.function for e in self._notifiers(condition)}
        for thread in sorted(self._engine.contexts.thread_functions):
            runs = self._run_by(thread)
            if waiter in runs or woken.isdisjoint(runs):
                continue
            if self._takes_none_of(runs, self._leading_to(lock)) and self._goes_on(runs, lock):
                return thread
        return None

    def _run_by(self, thread: str) -> frozenset[str]:
        """Every function that *thread* can come to."""
        found = self._runs.get(thread)
        if found is None:
            reached = self._engine.contexts.reached_from({thread})
            found = self._runs[thread] = frozenset(reached)
        return found

    def _leading_to(self, lock: str) -> frozenset[str]:
        """*lock*, and all that somebody may hold while he takes one of them."""
        found = self._before.get(lock)
        if found is None:
            seen, pending = {lock}, [lock]
            while pending:
                here = pending.pop()
                for source, target in self._engine.found.orders:
                    if target == here and source not in seen:
                        seen.add(source)
                        pending.append(source)
            found = self._before[lock] = frozenset(seen)
        return found

    def _takes_none_of(self, runs: frozenset[str], locks: frozenset[str]) -> bool:
        """Signals are no locks: whoever posts them may be kept back, so that none counts here."""
        taken = [self._taken_in(usr) for usr in runs]
        return all(t.isdisjoint(locks) and t.isdisjoint(self._engine.found.signals) for t in taken)

    def _taken_in(self, usr: str) -> frozenset[str]:
        """What the function itself waits for, of locks."""
        if not self._takes:
            found: dict[str, set[str]] = {}
            for (function, _, _), locks in self._engine.found.waited_at.items():
                found.setdefault(function, set()).update(h.lock for h in locks)
            self._takes = {k: frozenset(v) for k, v in found.items()}
        return self._takes.get(usr, frozenset())

    def _goes_on(self, runs: frozenset[str], lock: str) -> bool:
        """Whether somebody ends each wait in *runs* who does not need *lock* for it."""
        for wait in {w for usr in runs for w in self._waits(usr)}:
            known = self._engine.knowledge.blocking(wait.name)
            if known is not None or not wait.about:
                return False
            wakers = self._notifiers(wait.about[0])
            if all(self._needs(e, lock) for e in wakers):
                return False
        return True

    def _waits(self, usr: str) -> Iterator[Wait]:
        known = self._engine.knowledge.waiting
        for variants in self._engine.summary(usr).taken.values():
            for taken in variants:
                if isinstance(taken.path, Wait) and taken.path.name in known:
                    yield taken.path
