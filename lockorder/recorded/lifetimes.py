"""Sides of a cycle that did not meet in the run that was recorded: it is less certain then.

Of an order only the first times are recorded, at which a thread went that way.  So an order that
came after another thread's end is known not to have met it, but one that came before its beginning
may have come again.  Main's are judged by that all the same: what it does before it starts the
others is mostly done once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from lockorder.cycles import Cycle
from lockorder.model import Certainty, EdgeWitness
from lockorder.recorded.process import Process
from runtime_probe.records import Edge

_CERTAINTY = Certainty.POSSIBLE
_APART = "the threads of two sides never ran at the same time in this run"
_BEFORE = (
    "main was seen to go this way only before the other threads were started (it may come here "
    "again later)"
)
_AFTER = "one side was seen only after a thread of another had ended"
_EVER = 1 << 63


class _Life(NamedTuple):
    begin: int
    start: int  # when the thread itself was first seen
    end: int
    main: bool


class Lifetimes:
    """When threads were there, and when each of the *core*'s orders was seen."""

    def __init__(self, process: Process, core: Iterable[Edge]) -> None:
        pid = process.trace.header.pid
        self._lives = {
            process.thread(number): _Life(
                thread.created_ns or thread.start_ns, thread.start_ns, thread.end_ns or _EVER,
                thread.tid == pid,
            )
            for number, thread in process.trace.threads.items()
        }  # fmt: skip
        #: By thread and locks, the first and the last of an order's records.
        self._seen: dict[tuple[str | None, str, str], tuple[int, int]] = {}
        for edge in core:
            key = process.thread(edge.thread), str(edge.source), str(edge.target)
            first, last = self._seen.get(key, (edge.time_ns, edge.time_ns))
            self._seen[key] = min(first, edge.time_ns), max(last, edge.time_ns)
        self._others = [
            life
            for name in {name for name, *_ in self._seen}
            if (life := self._lives.get(name or "")) is not None and not life.main
        ]

    def alone(self, witness: EdgeWitness) -> bool:
        """Whether main showed an order while none of the other threads with orders was there."""
        life, seen = self._of(witness)
        if life is None or not life.main or not self._others:
            return False
        begin, end = (min(o.begin for o in self._others), max(o.end for o in self._others))
        return seen[1] < begin or seen[0] > end

    def judged(self, cycle: Cycle) -> Cycle:
        """The cycle; where two of its sides did not meet, as one that is likely, and why."""
        why = next(self._apart(cycle), "")
        if not why:
            return cycle
        weaker = tuple(
            msgspec.structs.replace(w, certainty=_CERTAINTY, why=why) for w in cycle.witnesses
        )
        return msgspec.structs.replace(cycle, witnesses=weaker)

    def _apart(self, cycle: Cycle) -> Iterator[str]:
        known = [(life, seen) for life, seen in map(self._of, cycle.witnesses) if life is not None]
        for life, seen in known:
            others = [other for other, _ in known if other is not life]
            if any(life.end < other.start for other in others):
                yield _APART
            if any(other.end < seen[0] for other in others):
                yield _AFTER
            if life.main and others and seen[1] < min(other.begin for other in others):
                yield _BEFORE

    def _of(self, witness: EdgeWitness) -> tuple[_Life | None, tuple[int, int]]:
        key = witness.thread, witness.held.lock, witness.taken.lock
        return self._lives.get(witness.thread or ""), self._seen.get(key, (0, _EVER))
