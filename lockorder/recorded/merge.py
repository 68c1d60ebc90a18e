"""Many processes as one: what several of them show is told once, with who they are.

A ``Batch`` is what a worker makes of some traces, and what batches are joined into.  The first
process that shows something tells the story, so the order of batches is that of the files.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, TypeVar

import msgspec

from lockorder.collectives.gather import Gathering
from lockorder.cycles import Cycle
from lockorder.footprint import ProcessCost
from lockorder.model import (
    Certainty,
    EdgeWitness,
    Frame,
    HeldLock,
    Lock,
    LockStatistics,
    ProcessSummary,
    Wait,
    ranges,
)
from lockorder.recorded.parts import Part, kept
from lockorder.rules.evidence import (
    BlockedCall,
    DeviceSync,
    GroupMisuse,
    LockMisuse,
    OpenGroup,
    SelfAcquisition,
    StrayGroupEnd,
)

Observation = (
    SelfAcquisition
    | BlockedCall
    | DeviceSync
    | LockMisuse
    | GroupMisuse
    | OpenGroup
    | StrayGroupEnd
)
#: A process: its rank, or -1, and what else tells it apart.
Who = tuple[int, str, int]
_T = TypeVar("_T")


class Batch:
    """What some processes recorded."""

    def __init__(self) -> None:
        self.processes: list[ProcessSummary] = []
        self.locks: dict[str, Lock] = {}
        self.writers: set[str] = set()
        self.edges: dict[tuple[object, ...], EdgeWitness] = {}
        self.cycles: dict[object, Cycle] = {}
        self.observed: dict[object, Observation] = {}
        self.statistics: dict[str, LockStatistics] = {}
        #: Classes of locks that order launches and device synchronisations in some process, and
        #: the observations of calls over which such a lock may be held.
        self.ordering: set[str] = set()
        self.orderly: set[object] = set()
        #: Who showed a cycle or an observation.
        self.seen: dict[object, set[Who]] = defaultdict(set)
        self.problems: list[str] = []
        self.notes: list[str] = []
        self.communication = Gathering()
        self.waits: list[Wait] = []
        self.footprints: list[ProcessCost] = []
        self.timelines: list[Part] = []

    def add_cycle(self, cycle: Cycle, who: Who) -> None:
        """A cycle that one process showed."""
        self.seen[self._cycle(cycle)].add(who)

    def add_observation(self, observation: Observation, who: Who, orderly: bool = False) -> None:
        """Something beside the orders that one process showed."""
        key = self._observation(observation)
        self.seen[key].add(who)
        if orderly:
            self.orderly.add(key)

    def observations(self) -> dict[object, Observation]:
        """What was observed, without calls under the locks that are there for them."""
        return {
            key: o
            for key, o in self.observed.items()
            if not (
                isinstance(o, BlockedCall) and key in self.orderly and o.held.lock in self.ordering
            )
        }

    def _cycle(self, cycle: Cycle) -> object:
        key = ("cycle", cycle.edges, cycle.timed)
        known = self.cycles.get(key)
        # A process in which the threads met tells more than one in which they did not.
        if known is None or _certainty(cycle) > _certainty(known):
            self.cycles[key] = cycle
        return key

    def _observation(self, observation: Observation) -> object:
        key = _key(observation)
        known = self.observed.get(key)
        self.observed[key] = observation if known is None else _longest(known, observation)
        return key

    def add_statistics(self, more: LockStatistics) -> None:
        """A lock's statistics: sums, and maxima."""
        known = self.statistics.get(more.lock)
        if known is not None:
            more = LockStatistics(
                more.lock,
                known.acquisitions + more.acquisitions,
                known.contended + more.contended,
                known.wait_ns + more.wait_ns,
                max(known.longest_wait_ns, more.longest_wait_ns),
                max(known.longest_hold_ns, more.longest_hold_ns),
                max(known.deepest, more.deepest),
            )
        self.statistics[more.lock] = more

    def take(self, other: Batch) -> None:
        """Add a batch of later files."""
        self.processes += other.processes
        self.problems += other.problems
        self.notes += [note for note in other.notes if note not in self.notes]
        self.writers |= other.writers
        self.ordering |= other.ordering
        self.orderly |= other.orderly
        for name, lock in other.locks.items():
            self.locks.setdefault(name, lock)
        for order, edge in other.edges.items():
            self.edges.setdefault(order, edge)
        for cycle in other.cycles.values():
            self._cycle(cycle)
        for observation in other.observed.values():
            self._observation(observation)
        for key, who in other.seen.items():
            self.seen[key] |= who
        for statistics in other.statistics.values():
            self.add_statistics(statistics)
        self.communication.take(other.communication)
        self.waits += other.waits
        self.footprints += other.footprints
        self.timelines = kept([*self.timelines, *other.timelines])


def _certainty(cycle: Cycle) -> Certainty:
    return min(w.certainty for w in cycle.witnesses)


def _key(observation: Observation) -> object:
    """What makes two observations the same."""
    kind = type(observation).__name__
    if isinstance(observation, SelfAcquisition):
        return kind, observation.held.lock, observation.held.chain[-1], observation.taken.chain[-1]
    if isinstance(observation, BlockedCall):
        held, timed = observation.held.lock, observation.timed
        return kind, held, observation.call, observation.chain, timed
    if isinstance(observation, DeviceSync):
        return kind, observation.sync.call, observation.sync.chain[-1]
    if isinstance(observation, GroupMisuse):
        return kind, observation.call, observation.begin[-1], observation.chain[-1]
    if isinstance(observation, OpenGroup):
        return kind, observation.leaves, observation.begin[-1]
    if isinstance(observation, StrayGroupEnd):
        return kind, observation.chain[-1]
    return kind, observation.rule, observation.lock, observation.chain[-1]


def _longest(known: Observation, more: Observation) -> Observation:
    """The first one, with the waits of both; of two blocking calls the one that has a waker, and
    of two hazards the one that a process with several ranks or communicators has."""
    if isinstance(known, DeviceSync) and isinstance(more, DeviceSync):
        return more if known.alone else known
    if not isinstance(known, BlockedCall) or not isinstance(more, BlockedCall):
        return known
    times, longest = known.times + more.times, max(known.longest_ns, more.longest_ns)
    best = more if known.waker is None and more.waker is not None else known
    return msgspec.structs.replace(best, times=times, longest_ns=longest)


def seen_text(who: set[Who]) -> str:
    """``rank 3``, ``ranks 0-3, 7``, ``12 processes``, ``process 4711``."""
    ranks = sorted({rank for rank, _, _ in who if rank >= 0})
    others = sorted({(host, pid) for rank, host, pid in who if rank < 0})
    parts = []
    if ranks:
        parts.append(f"rank{'s' if len(ranks) > 1 else ''} {ranges(ranks)}")
    if len(others) == 1:
        parts.append(f"process {others[0][1]}")
    elif others:
        parts.append(f"{len(others)} processes")
    return " and ".join(parts)


def renamed(value: _T, names: dict[str, str], memo: dict[Any, Any] | None = None) -> _T:
    """*value* with every string that is a key of *names* replaced, however deep it is.

    *memo*, of calls with the same names, keeps the small things that many large ones are made of.
    """
    if memo is None:
        memo = {}
    small = isinstance(value, HeldLock | Frame)
    if small and value in memo:
        known: _T = memo[value]
        return known
    changed: Any = value
    if isinstance(value, str):
        changed = names.get(value, value)
    elif isinstance(value, tuple):
        # Many large ones have the very same tuple; kept with it, its id stays its own.
        of, changed = memo.get(id(value), (None, None))
        if of is not value:
            parts = [renamed(v, names, memo) for v in value]
            same = all(a is b for a, b in zip(parts, value, strict=True))
            changed = value if same else tuple(parts)
            memo[id(value)] = (value, changed)
    elif isinstance(value, msgspec.Struct):
        before = {f: getattr(value, f) for f in value.__struct_fields__}
        after = {f: renamed(v, names, memo) for f, v in before.items()}
        if any(after[f] is not before[f] for f in before):
            changed = msgspec.structs.replace(value, **after)
    if small:
        memo[value] = changed
    result: _T = changed
    return result
