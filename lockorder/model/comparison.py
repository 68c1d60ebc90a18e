"""What a run says of a static result: which orders were seen, and what was not predicted."""

from __future__ import annotations

import enum

import msgspec

from lockorder.model.locks import EdgeWitness


class Verdict(enum.Enum):
    """What the static analysis had said of an order that a run showed.

    ``LEFT_OUT``: it saw the order, and why it cannot deadlock.  ``MISSED`` is a blind spot.
    """

    PREDICTED = "predicted"
    LEFT_OUT = "left out"
    MISSED = "missed"


class JoinedLock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A lock of the sources, the recorded classes that are it, and what showed that."""

    lock: str
    recorded: tuple[str, ...]
    by: str


class UnjoinedLock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A recorded lock class that is none of the sources' as far as can be told, and why."""

    name: str
    why: str


class LiveOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that a run showed, by the sources' locks.

    ``held`` and ``taken`` are ids; empty where the sources' analysis does not see that lock.
    ``witness`` is as it was recorded, ``seen`` counts how many recorded orders are this one.
    """

    held: str
    taken: str
    verdict: Verdict
    witness: EdgeWitness
    why: str = ""
    seen: int = 1


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """A static result and runs, joined.

    ``outside`` counts recorded orders in which a lock is taken by code that was not analysed;
    ``never_ran`` are the predicted orders, by id, that no run showed.
    """

    runs: tuple[str, ...] = ()
    joined: tuple[JoinedLock, ...] = ()
    unjoined: tuple[UnjoinedLock, ...] = ()
    orders: tuple[LiveOrder, ...] = ()
    never_ran: tuple[tuple[str, str], ...] = ()
    outside: int = 0

    def count(self, verdict: Verdict) -> int:
        """Live orders with that verdict."""
        return sum(order.verdict is verdict for order in self.orders)

    @property
    def recall(self) -> float:
        """Live orders that the static analysis had seen, over all of the sources'; 0 to 1."""
        missed = self.count(Verdict.MISSED)
        return 1 - missed / len(self.orders) if self.orders else 1.0
