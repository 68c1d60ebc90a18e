"""What the rules look at: the same, whether it was read from sources or recorded in a run.

What was recorded says in ``seen`` which processes showed it, and in ``who`` which thread; both are
empty for what was read from sources.
"""

from __future__ import annotations

from functools import cached_property

import msgspec

from lockorder.collectives.gather import Gathering
from lockorder.cycles import CycleReport, find_cycles, with_next
from lockorder.declared import Orders
from lockorder.footprint import Footprints, StaticCreation, StaticSetting
from lockorder.model import (
    Absent,
    Acquisition,
    Certainty,
    Confidence,
    Frame,
    HeldLock,
    Launches,
    LockGraph,
    ProcessState,
    Wait,
)
from lockorder.waitgraph import WaitGraph

Chain = tuple[Frame, ...]

#: How much a finding is to be believed, by the least certain step on its way.
CONFIDENCE = {
    Certainty.CERTAIN: Confidence.HIGH,
    Certainty.POSSIBLE: Confidence.MEDIUM,
    Certainty.GUESSED: Confidence.LOW,
    Certainty.SELDOM: Confidence.LOW,
    Certainty.UNLIKELY: Confidence.LOW,
}
#: Why a way is in doubt, where whoever found it did not say more.
DOUBTS = {
    Certainty.POSSIBLE: "a call on the way has several possible targets",
    Certainty.GUESSED: "a call on the way was joined by name alone",
    Certainty.SELDOM: "an object on the way ends only with the last of several owners",
    Certainty.UNLIKELY: "a call on the way has many possible targets",
}


class SelfAcquisition(msgspec.Struct, frozen=True):
    """One thread took ``taken`` while it held the very same lock as ``held``.

    It *interrupts* itself where a handler of signals does so, at any time.
    """

    held: Acquisition
    taken: Acquisition
    certainty: Certainty = Certainty.CERTAIN
    why: str = ""
    who: str = ""
    seen: str = ""
    interrupts: bool = False


class Waker(msgspec.Struct, frozen=True):
    """Who would end a wait needs the lock that is held over it: takes it at the end of *chain*."""

    who: str
    chain: Chain


class BlockedCall(msgspec.Struct, frozen=True):
    """``call`` waits for ``waits_for`` at the end of *chain*, with ``held`` held.

    ``longest_ns`` is the longest of the ``times`` waits that were recorded, in nanoseconds.
    """

    held: Acquisition
    call: str
    chain: Chain
    waits_for: str
    timed: bool = False
    certainty: Certainty = Certainty.CERTAIN
    why: str = ""
    waker: Waker | None = None
    who: str = ""
    seen: str = ""
    times: int = 0
    longest_ns: int = 0
    #: it happens only in a call that ends the program
    lost: bool = False
    #: what is held is a thread of a pool, and no lock
    in_pool: bool = False
    #: the thread that ends the wait, and needs nothing for which it would have to wait for the lock
    served: str = ""
    #: nothing that was read makes the calls that it would have to wait for
    unmet: bool = False
    #: whose code makes the call, in a recorded run; empty for the job's own
    owner: str = ""


class Doing(msgspec.Struct, frozen=True):
    """Somebody's part of a story: ``call`` at the end of *chain*, with *held* around it."""

    who: str
    call: str
    chain: Chain
    held: tuple[HeldLock, ...] = ()


class DeviceSync(msgspec.Struct, frozen=True):
    """``sync`` synchronises the device while ``launch`` can be half done in another thread.

    *alone*: the process has one communicator, as one of its ranks, as far as a run was recorded.
    """

    sync: Doing
    launch: Doing
    certain: bool
    seen: str = ""
    alone: bool = False


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
    #: others that keep it too, where nothing in the program gives it up
    never: tuple[tuple[str, Acquisition], ...] = ()


class GroupMisuse(msgspec.Struct, frozen=True):
    """``call`` does not belong between the begin (end of *begin*) and the end of a group."""

    group: str
    begin: Chain
    call: str
    chain: Chain
    problem: str
    who: str = ""
    seen: str = ""


class OpenGroup(msgspec.Struct, frozen=True):
    """Thread ``who`` began ``group`` (end of *begin*) and left it open when ``leaves``.

    ``chain`` is where the process was ended from, where that is what it says.
    """

    group: str
    who: str
    begin: Chain
    leaves: str
    chain: Chain = ()
    seen: str = ""


class StrayGroupEnd(msgspec.Struct, frozen=True):
    """Thread ``who`` ended a ``group`` that it had not begun."""

    group: str
    call: str
    who: str
    chain: Chain
    seen: str = ""


class LockMisuse(msgspec.Struct, frozen=True):
    """``rule`` says what thread ``who`` did wrong with ``lock`` at the end of *chain*.

    ``taken`` is where ``holder`` took it, where that is known.
    """

    rule: str
    lock: str
    who: str
    chain: Chain
    taken: Acquisition | None = None
    holder: str = ""
    seen: str = ""
    why: str = "recorded in a run"
    #: It waited for a condition, which releases its mutex.
    waits: bool = False
    #: Whose code it is, in a recorded run; empty for the job's own.
    owner: str = ""
    #: It may be so, at the wrong moment.
    perhaps: bool = False
    #: What then waits for it for ever, where that is known.
    waits_for_it: Chain = ()


class RankSide(msgspec.Struct, frozen=True):
    """One rank's side: the operation that it issues at the end of *chain*, or none.

    *turn* is where it goes another way than the other side: *written* is true for it, or not.
    """

    who: str
    call: str
    chain: Chain = ()
    turn: Chain = ()
    taken: bool = True
    written: str = ""


#: How *what* of a `Divergence` begins where several ranks give what the root alone may give.
ROOT_ONLY = "root only: "


class Divergence(msgspec.Struct, frozen=True, kw_only=True):
    """Ranks whose operations do not meet: the first side's is one that the other does not issue.

    *kind*: ``stuck`` (they wait for ever), ``differs`` (two operations that do not fit, in *what*),
    ``unmatched`` (begun, and never met), ``outside`` (the peer *what* is no rank), ``stranger``
    (the peer or root *what* is none of the group), ``nobody`` (a communicator that the rank is not
    in), ``over`` (a call behind *what*), ``refused`` or ``range`` (a call that its library does not
    take, because of *what*), ``beside`` (two threads of a rank on one communicator).
    *strict*: only where no send returns before it is received.  *why* is on what it depends who
    does what.
    """

    sides: tuple[RankSide, RankSide]
    world: str
    communicator: str
    kind: str
    what: str = ""
    p2p: bool = False
    strict: bool = False
    sure: bool = True
    #: a file decides that ranks mostly share
    slight: bool = False
    #: it was seen where the program's options have their defaults
    defaults: bool = False
    why: tuple[str, ...] = ()
    entry: str = ""


class Observed(msgspec.Struct, frozen=True):
    """Everything beside the lock-order graph."""

    self_acquisitions: tuple[SelfAcquisition, ...] = ()
    blocked: tuple[BlockedCall, ...] = ()
    device_syncs: tuple[DeviceSync, ...] = ()
    collectives: tuple[UnorderedCollectives, ...] = ()
    kept: tuple[Kept, ...] = ()
    misuses: tuple[GroupMisuse, ...] = ()
    open_groups: tuple[OpenGroup, ...] = ()
    stray_ends: tuple[StrayGroupEnd, ...] = ()
    lock_misuses: tuple[LockMisuse, ...] = ()
    creations: tuple[StaticCreation, ...] = ()
    settings: tuple[StaticSetting, ...] = ()
    divergences: tuple[Divergence, ...] = ()


class Dropped(msgspec.Struct, frozen=True):
    """What might have been a finding of *rule*, and the fact that keeps it from being one.

    *chain* ends where it would have been told, where that is one place.
    """

    rule: str
    why: str
    locks: tuple[str, ...]
    chain: Chain = ()


def seen_in(seen: str) -> str:
    """The end of a message: which processes recorded it."""
    return f"; seen in {seen}" if seen else ""


def beyond(held: Chain, then: Chain) -> Chain:
    """The part of *then* after the function in which *held* ends its way: what that calls.

    Recorded chains begin where the thread does, so that both have their first frames in common.
    """
    common = 0
    for ours, theirs in zip(held[:-1], then[:-1], strict=False):
        if ours != theirs:
            break
        common += 1
    return then[common:]


#: Calls from which on a way that rests on a guess is mostly ruled out by conditions on it, which
#: are not all followed: of 59 such findings read in twelve libraries 45 were false and 2 true.
LONG = 4


def is_long(*chains: Chain, limit: int = LONG) -> bool:
    """Whether one of the ways has so many calls that with a guess on it it is not likely."""
    return any(len(chain) >= limit for chain in chains)


def call_beyond(held: Chain, then: Chain) -> str:
    """What the function that took the lock calls on the way to *then*; empty if nothing is sure."""
    rest = beyond(held, then)
    direct = len(rest) > 1 and rest[0].function == held[-1].function
    return rest[1].function if direct else ""


class Evidence:
    """A lock-order graph and what was seen beside it; derived things are computed once.

    *cycles* are given where they were looked for among single objects, process by process: the
    classes of all processes together would close circles that no process has.
    """

    def __init__(
        self,
        graph: LockGraph,
        observed: Observed | None = None,
        orders: Orders | None = None,
        cycles: CycleReport | None = None,
        communication: Gathering | None = None,
        waits: tuple[Wait, ...] = (),
        footprints: Footprints | None = None,
        dropped: list[Dropped] | None = None,
        processes: tuple[ProcessState, ...] = (),
        launches: tuple[Launches, ...] = (),
        absent: tuple[Absent, ...] = (),
    ) -> None:
        self.graph = graph
        self.observed = observed or Observed()
        self.orders = orders or Orders()
        self._cycles = cycles
        #: What ranks did on their communicators, where that is known.
        self.communication = communication
        #: Who waited for whom when a process was looked at, or ended.
        self.waits = waits
        #: The processes themselves that were looked at while they hung.
        self.processes = processes
        #: What ranks launched unequally often, by what NCCL itself says.
        self.launches = launches
        #: Ranks that NCCL does not reach.
        self.absent = absent
        #: What communicators cost, where that was measured.
        self.footprints = footprints
        #: Where somebody asks: what rules looked at and did not tell.
        self.dropped = dropped

    @cached_property
    def waiting(self) -> WaitGraph:
        """Who can end whose wait, in the processes that were looked at."""
        return WaitGraph(self.processes)

    @property
    def cycles(self) -> CycleReport:
        """Feasible cycles of the graph, and what is left of each without one of its orders."""
        if self._cycles is None:
            self._cycles = with_next(self.graph, find_cycles(self.graph))
        return self._cycles
