"""What a trace file says, in plain types: numbers name other records, 0 is "not known"."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from runtime_probe.footprint_records import Environment, Footprint
from runtime_probe.layout import MisuseKind, State, WaitsFor, addresses
from runtime_probe.nccl_records import Communicator, GroupMisuse, NcclCall, NcclTotal, Ring
from runtime_probe.nccl_sequences import NcclLaunch, NcclOperation, NcclSequence, SequenceKind


class Started(NamedTuple):
    """A program that a process went on as, or that a child of it did."""

    pid: int
    path: str


class Header(NamedTuple):
    """The process.  Times are nanoseconds; `rank`, `local_rank`, `world_size`: -1 not known.

    `flags`: `layout.HeaderFlag`s.
    """

    pid: int
    parent: int
    rank: int
    local_rank: int
    world_size: int
    flags: int
    start_real_ns: int
    start_monotonic_ns: int
    state: State
    end_monotonic_ns: int
    host: str
    rank_variable: str
    exe: str
    command: str
    #: The first of the programs that were started, and how many more there were.
    started: tuple[Started, ...] = ()
    started_more: int = 0
    #: Children of fork that could not begin a trace.
    forks_unrecorded: int = 0


class HeldLock(NamedTuple):
    """An entry of a thread's list of held locks; `pc` returns from the call that took it."""

    lock: int
    mode: int
    how: int
    times: int
    pc: int


class PassingLock(NamedTuple):
    """A lock that is held and of which nothing is told yet, by where it lies."""

    address: int
    kind: int
    mode: int
    how: int
    pc: int


class Thread(NamedTuple):
    """A thread's last known state.

    `wait_object` is the address of what it waits for; of a join the thread (`pthread`).
    """

    number: int
    tid: int
    pthread: int
    start_ns: int
    end_ns: int
    name: str
    creator: int
    creation_stack: int
    waits_for: int
    wait_mode: int
    gil: int
    wait_call: int
    wait_stack: int
    wait_since_ns: int
    wait_object: int
    operations: int
    group_depth: int
    group_stack: int
    group_pc: int
    group_since_ns: int
    held: tuple[HeldLock, ...]
    created_ns: int = 0
    passing: tuple[PassingLock, ...] = ()


class Module(NamedTuple):
    """A mapped object; an address minus `bias` is the link-time one."""

    number: int
    bias: int
    start: int
    end: int
    build_id: str
    path: str


class Lock(NamedTuple):
    """An (address, generation) pair; stacks are numbers, 0 not known."""

    number: int
    kind: int
    flags: int
    generation: int
    address: int
    creation_stack: int
    first_stack: int
    time_ns: int


class Place(NamedTuple):
    """A line of Python; 0: it has none."""

    file: str
    function: str
    line: int


class PythonFrame(NamedTuple):
    """A function of Python in a stack; ``entry``: the interpreter was called for it."""

    place: Place
    entry: bool


#: A frame whose file and line there was no room for.
UNKNOWN_PLACE = Place("", "?", 0)
_ENTRY = 1 << 31


class Gate(NamedTuple):
    """A further lock that was held."""

    lock: int
    mode: int
    how: int


class Edge(NamedTuple):
    """`target` was taken, or asked for, while `source` was held."""

    thread: int
    source: int
    target: int
    source_mode: int
    target_mode: int
    source_how: int
    target_how: int
    source_stack: int
    target_stack: int
    source_pc: int
    time_ns: int
    gates: tuple[Gate, ...]


class HeldAt(NamedTuple):
    """A lock that is held over a call; `stack` 0: only `pc` is known."""

    lock: int
    mode: int
    how: int
    pc: int
    stack: int


class Blocked(NamedTuple):
    """A call that waits, made with `held`; `own` is the mutex that a condition gives up.

    `time_ns` is the begin of the first, `last_ns` that of the last one that has returned; 0 where
    none has, or the version does not say.
    """

    thread: int
    call: int
    stack: int
    object: int
    times: int
    total_ns: int
    longest_ns: int
    time_ns: int
    own: int
    last_ns: int
    held: tuple[HeldAt, ...]


class Misuse(NamedTuple):
    """Something done wrong with `lock` at `stack`; `other_stack` or `pc` is where it was taken."""

    thread: int
    kind: MisuseKind
    lock: int
    stack: int
    other_stack: int
    pc: int
    holder: int
    times: int
    time_ns: int


class Stat(NamedTuple):
    """What a lock went through."""

    acquisitions: int
    contended: int
    wait_ns: int
    longest_wait_ns: int
    longest_hold_ns: int
    holds_timed: int
    deepest: int


class Call(NamedTuple):
    """A function that has a hook: its name, what it waits for, `layout.CallFlag`s."""

    name: str
    waits_for: WaitsFor
    flags: int


@dataclass(slots=True)
class Trace:
    """One recorded process.

    Attributes:
        torn: the file ends before what its header says.
        damage: why some of it could not be read, empty: all of it could.
        execed: a forked child that went on to be another program.
        threads, modules, locks, stats, calls, communicators: by their numbers.
        nccl_operations, nccl_launches: by the numbers that stand for them in sequences.
        nccl_sequences: what was called on a communicator, and (communicator 0) what the process
            launched, from the first one on.
        nccl_calls: the newest ones, in the order in which they began.
        nccl_forgotten: how many of NCCL's calls are not among these.
        footprints: what making and first using communicators cost, as it was written.
        environment: what decides over that beside the program; None where NCCL was not used.
        counters: by the names in `layout.COUNTER_NAMES`.
    """

    path: Path
    header: Header
    counters: dict[str, int]
    torn: bool = False
    damage: str = ""
    execed: bool = False
    threads: dict[int, Thread] = field(default_factory=dict)
    modules: list[Module] = field(default_factory=list)
    locks: dict[int, Lock] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    misuses: list[Misuse] = field(default_factory=list)
    stats: dict[int, Stat] = field(default_factory=dict)
    calls: dict[int, Call] = field(default_factory=dict)
    communicators: dict[int, Communicator] = field(default_factory=dict)
    nccl_totals: list[NcclTotal] = field(default_factory=list)
    group_misuses: list[GroupMisuse] = field(default_factory=list)
    nccl_operations: dict[int, NcclOperation] = field(default_factory=dict)
    nccl_launches: dict[int, NcclLaunch] = field(default_factory=dict)
    nccl_sequences: dict[tuple[int, SequenceKind], NcclSequence] = field(default_factory=dict)
    footprints: list[Footprint] = field(default_factory=list)
    environment: Environment | None = None
    places: dict[int, Place] = field(default_factory=dict)
    #: Of stacks by number, innermost first: places, with a bit for entries.
    python: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _data: bytes = field(default=b"", repr=False)
    _order: str = field(default="<", repr=False)
    _ring: Ring | None = field(default=None, repr=False)
    #: Where its own frames are, how many; the stack that its outermost frames are from, how many.
    _stacks: dict[int, tuple[int, int, int, int]] = field(default_factory=dict, repr=False)

    def stack(self, number: int) -> tuple[int, ...]:
        """Return addresses of a stack, innermost first; empty where it was not kept."""
        own, base, shared = self._own_frames(number)
        # Of a stack that is lost to damage, the outer frames are, too. No base has one itself.
        outer = self._own_frames(base)[0] if shared else ()
        return own + outer[max(0, len(outer) - shared) :]

    def python_frames(self, number: int) -> tuple[PythonFrame, ...]:
        """The functions of Python that a stack is in, innermost first."""
        return tuple(
            PythonFrame(self.places.get(each & ~_ENTRY, UNKNOWN_PLACE), bool(each & _ENTRY))
            for each in self.python.get(number, ())
        )

    def _own_frames(self, number: int) -> tuple[tuple[int, ...], int, int]:
        at, frames, base, shared = self._stacks.get(number, (0, 0, 0, 0))
        return addresses(self._order, frames).unpack_from(self._data, at), base, shared

    @property
    def nccl_calls(self) -> list[NcclCall]:
        """Read anew each time: there are thousands, and few readers want them."""
        return self._ring.calls(self._data, self._order) if self._ring is not None else []

    @property
    def nccl_forgotten(self) -> int:
        """Of all calls that were begun."""
        return self._ring.last - len(self.nccl_calls) if self._ring is not None else 0

    def stacks(self) -> list[int]:
        """The numbers of all stacks."""
        return list(self._stacks)
