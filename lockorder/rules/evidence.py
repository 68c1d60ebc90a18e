"""What the rules look at: the same, whether it was read from sources or recorded in a run."""

from __future__ import annotations

import msgspec

from lockorder.cycles import CycleReport, find_cycles
from lockorder.declared import Orders
from lockorder.model import Acquisition, Frame, HeldLock, LockGraph

Chain = tuple[Frame, ...]


class SelfAcquisition(msgspec.Struct, frozen=True):
    """One thread took ``taken`` while it held the very same lock as ``held``."""

    held: Acquisition
    taken: Acquisition
    certainty: int = 3
    why: str = ""


class Waker(msgspec.Struct, frozen=True):
    """Who would end a wait needs the lock that is held over it: takes it at the end of *chain*."""

    who: str
    chain: Chain


class BlockedCall(msgspec.Struct, frozen=True):
    """``call`` waits for ``waits_for`` at the end of *chain*, with ``held`` held."""

    held: Acquisition
    call: str
    chain: Chain
    waits_for: str
    timed: bool = False
    certainty: int = 3
    why: str = ""
    waker: Waker | None = None


class Doing(msgspec.Struct, frozen=True):
    """Somebody's part of a story: ``call`` at the end of *chain*, with *held* around it."""

    who: str
    call: str
    chain: Chain
    held: tuple[HeldLock, ...] = ()


class DeviceSync(msgspec.Struct, frozen=True):
    """``sync`` synchronises the device while ``launch`` can be half done in another thread."""

    sync: Doing
    launch: Doing
    certain: bool


class UnorderedCollectives(msgspec.Struct, frozen=True):
    """Two threads issue collectives on one communicator with nothing that orders them."""

    communicator: str
    first: Doing
    second: Doing


class Kept(msgspec.Struct, frozen=True):
    """A path out of a function keeps what its other paths give up.

    ``taken`` is where it was taken; its lock is a lock's id, or the name of a group of calls.
    """

    taken: Acquisition
    function: str
    leaves: Frame
    how: str
    group: bool = False


class GroupMisuse(msgspec.Struct, frozen=True):
    """``call`` does not belong between the begin (end of *begin*) and the end of a group."""

    group: str
    begin: Chain
    call: str
    chain: Chain
    problem: str


class Observed(msgspec.Struct, frozen=True):
    """Everything beside the lock-order graph."""

    self_acquisitions: tuple[SelfAcquisition, ...] = ()
    blocked: tuple[BlockedCall, ...] = ()
    device_syncs: tuple[DeviceSync, ...] = ()
    collectives: tuple[UnorderedCollectives, ...] = ()
    kept: tuple[Kept, ...] = ()
    misuses: tuple[GroupMisuse, ...] = ()


class Evidence:
    """A lock-order graph and what was seen beside it; derived things are computed once."""

    def __init__(
        self,
        graph: LockGraph,
        observed: Observed | None = None,
        orders: Orders | None = None,
    ) -> None:
        self.graph = graph
        self.observed = observed or Observed()
        self.orders = orders or Orders()
        self._cycles: CycleReport | None = None

    @property
    def cycles(self) -> CycleReport:
        """Feasible cycles of the graph."""
        if self._cycles is None:
            self._cycles = find_cycles(self.graph)
        return self._cycles
