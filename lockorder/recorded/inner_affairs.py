"""What happens inside of libraries alone: counted, since nobody who runs a job can change it."""

from __future__ import annotations

import copy
from collections import Counter

from lockorder.cycles import Cycle
from lockorder.model import Inner
from lockorder.recorded.merge import Batch, Observation
from lockorder.recorded.whose import JOB, Owners
from lockorder.rules.evidence import BlockedCall, LockMisuse

#: Waits of libraries that are shorter hold nobody up: a thousandth of a training step or less.
SHORT_NS = 1_000_000


class Counted:
    """Of each library what was left out."""

    def __init__(self) -> None:
        self._inner: Counter[str] = Counter()
        self._short: Counter[str] = Counter()

    def without(self, batch: Batch, owners: Owners) -> Batch:
        """*batch* without what is told as a number."""
        kept = copy.copy(batch)
        kept.cycles = {k: c for k, c in batch.cycles.items() if not self._leaves(c, owners)}
        kept.observed = {k: o for k, o in batch.observed.items() if not self._leaves_out(o, owners)}
        return kept

    def told(self) -> tuple[Inner, ...]:
        """The numbers, those of the most first."""
        by_count = [Inner(owner, count) for owner, count in self._inner.most_common()]
        return (*by_count, *(Inner(o, count, short=True) for o, count in self._short.most_common()))

    def _leaves(self, cycle: Cycle, owners: Owners) -> bool:
        parts = {w.owner for w in cycle.witnesses}
        if not all(owners.is_inner(owner) for owner in parts):
            return False
        self._inner[min(parts)] += 1
        return True

    def _leaves_out(self, observation: Observation, owners: Owners) -> bool:
        if not isinstance(observation, BlockedCall | LockMisuse) or observation.owner == JOB:
            return False
        call = observation if isinstance(observation, BlockedCall) else None
        if call is not None and call.waker is not None:
            return False  # it has two sides, and is no matter of time
        if owners.is_inner(observation.owner):
            self._inner[observation.owner] += 1
            return True
        if call is not None and call.longest_ns < SHORT_NS:
            self._short[call.owner] += 1
            return True
        return False
