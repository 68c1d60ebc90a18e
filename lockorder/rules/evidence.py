"""What the rules look at: the same, whether it was read from sources or recorded in a run."""

from __future__ import annotations

import msgspec

from lockorder.cycles import CycleReport, find_cycles
from lockorder.declared import Orders
from lockorder.model import Acquisition, LockGraph


class SelfAcquisition(msgspec.Struct, frozen=True):
    """One thread took ``taken`` while it held the very same lock as ``held``."""

    held: Acquisition
    taken: Acquisition
    certainty: int = 3


class Evidence:
    """A lock-order graph and what was seen beside it; derived things are computed once."""

    def __init__(
        self,
        graph: LockGraph,
        self_acquisitions: tuple[SelfAcquisition, ...] = (),
        orders: Orders | None = None,
    ) -> None:
        self.graph = graph
        self.self_acquisitions = self_acquisitions
        self.orders = orders or Orders()
        self._cycles: CycleReport | None = None

    @property
    def cycles(self) -> CycleReport:
        """Feasible cycles of the graph."""
        if self._cycles is None:
            self._cycles = find_cycles(self.graph)
        return self._cycles
