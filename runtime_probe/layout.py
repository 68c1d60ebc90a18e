"""Where each number of a trace file lies: csrc/trace.h in Python's terms, for both byte orders.

Tests compile csrc/trace.h and compare: a change there that is not made here fails.
"""

from __future__ import annotations

import enum
import functools
from struct import Struct

MAGIC = b"LOTRACE\n"
VERSION = 4
#: Versions that can be read. 1 has no calls of NCCL, and a blocked record without its last time; 2
#: has no sequences, 3 no frames of Python and no programs that were started.
READABLE = (1, 2, 3, 4)
PAGE = 4096
COUNTERS = 32
BLOCK_MAGIC = 0x4B424F4C
ENDIAN = 0x01020304
POINTER_SIZE = 8
MAX_HELD = (2 * PAGE - 256) // 16
#: Programs that a header has room for, and bytes of their paths.
MAX_STARTED, STARTED_PATH = 16, 124

#: Names of the header's counters, in their order; the rest of the 32 are not used yet.
COUNTER_NAMES = (
    "threads_dropped", "locks_dropped", "edges_dropped", "stacks_dropped", "records_dropped",
    "held_overflow", "locks_seen", "edges_seen", "threads_seen", "stacks_seen", "deaths_by_free",
    "deaths_by_stack", "deaths_by_destroy", "deaths_by_unmap", "objects_patched", "slots_patched",
    "edges_folded", "nccl_dropped", "nccl_operations_dropped", "nccl_unsequenced",
    "places_dropped", "locks_passed", "left_out", "inner_passed",
)  # fmt: skip


class State(enum.IntEnum):
    """What became of the process, as far as it could say."""

    RUNNING = 1
    EXITED = 2
    EXECED = 3


class BlockKind(enum.IntEnum):
    """What a block holds."""

    RECORDS = 1
    THREAD = 2
    RING = 3


class RecordType(enum.IntEnum):
    """What a record says."""

    MODULE = 1
    STACK = 2
    LOCK = 3
    EDGE = 4
    BLOCKED = 5
    MISUSE = 6
    STAT = 7
    NAME = 8
    COMMUNICATOR = 9
    NCCL_TOTAL = 10
    GROUP_MISUSE = 11
    STACK_ON = 12
    NCCL_OPERATION = 13
    NCCL_LAUNCH = 14
    NCCL_SEQUENCE = 15
    FOOTPRINT = 16
    ENVIRONMENT = 17
    PLACE = 18
    PYTHON = 19


class Kind(enum.IntEnum):
    """What sort of lock."""

    MUTEX = 1
    RWLOCK = 2
    SPIN = 3
    ONCE = 4
    STATIC_INIT = 5
    SEMAPHORE = 6
    GIL = 7
    PYTHON_LOCK = 8


class LockFlag(enum.IntFlag):
    """Properties of a lock."""

    RECURSIVE = 1
    ERRORCHECK = 2
    ROBUST = 4
    PSHARED = 8
    ON_STACK = 16
    SIGNAL = 32
    WRITTEN = 64


class MisuseKind(enum.IntEnum):
    """What was done wrong with a lock."""

    UNLOCK_NOT_HELD = 1
    DESTROY_HELD = 2
    EXIT_HELD = 3
    FORK_HELD = 4
    SELF_DEADLOCK = 5
    WAIT_NOT_HELD = 6


class GroupMisuseKind(enum.IntEnum):
    """What was done wrong with a group of NCCL calls."""

    NOT_BEGUN = 1
    SYNC = 2
    MIXED = 3
    EXIT = 4


class CallFlag(enum.IntFlag):
    """Properties of a named function."""

    DEVICE_SYNC = 1
    LAUNCH = 2
    TIMED = 4
    SYNC = 8
    COLLECTIVE = 16
    PEER = 32
    CREATES = 64
    ENDS = 128
    GROUP_BEGIN = 256
    GROUP_END = 512


class SequenceKind(enum.IntEnum):
    """Which operations a sequence is of."""

    COLLECTIVES = 1
    PEERS = 2
    LAUNCHES = 3


class LaunchFlag(enum.IntFlag):
    """Properties of a launch."""

    #: Nothing reaches the device: the call makes or ends a communicator, or registers memory.
    HOST = 1
    #: A send or receive; else a collective.
    PEER = 2


#: What the last two bits of a ring entry's word say; 0 is that nobody writes there.
ENTRY_FILLED, ENTRY_ENDED = 1, 2


class WaitsFor(enum.IntEnum):
    """What a named function waits for."""

    NOTHING = 0
    THREAD = 1
    CONDITION = 2
    GPU = 3
    RANKS = 4
    SEMAPHORE = 5
    PROCESS = 6


class HeaderFlag(enum.IntFlag):
    """Properties of a process."""

    FORKED = 1
    PYTHON = 2
    PYTHON_READ = 4
    PYTHON_UNKNOWN = 8


#: Highest values of a mode (0 exclusive, 1 shared) and a how (0 blocking, 1 try, 2 timed).
MAX_MODE, MAX_HOW = 1, 2


class Layout:
    """The structures in one byte order; *order* is ``<`` or ``>``."""

    def __init__(self, order: str, version: int = VERSION) -> None:
        self.order = order
        self.header = Struct(f"{order}8sIIIIQIIiiiIQQIIQQ{COUNTERS}Q64s32s256s512s")
        self.starts = Struct(f"{order}IIII")
        self.started = Struct(f"{order}I{STARTED_PATH}s")
        self.block = Struct(f"{order}IHHIIQQ")
        self.area = Struct(f"{order}IIQQQ16sIIIIBBHIQQQIIQQQI4x")
        self.held = Struct(f"{order}IBBHQ")
        self.record = Struct(f"{order}HHI")
        self.module = Struct(f"{order}QQQHHI")
        self.stack = Struct(f"{order}II")
        self.stack_on = Struct(f"{order}IIII")
        self.place = Struct(f"{order}IHH")
        self.python = Struct(f"{order}IIII")
        self.lock = Struct(f"{order}BBHIQIIQ")
        self.edge = Struct(f"{order}IIBBBBIIIQQ")
        self.gate = Struct(f"{order}IBBH")
        self.blocked = Struct(f"{order}HHIQQQQQII" + ("Q" if version > 1 else ""))
        self.held_stack = Struct(f"{order}IBBHQII")
        self.misuse = Struct(f"{order}IIIIQIIQ")
        self.stat = Struct(f"{order}QQQQQII")
        self.name = Struct(f"{order}HHI")
        self.communicator = Struct(f"{order}QQIIiiiiHHIIIQQQQ")
        self.nccl_total = Struct(f"{order}HHiQII9Q")
        self.group_misuse = Struct(f"{order}HHIIIQQQ")
        self.nccl_operation = Struct(f"{order}QQIIIiiIhHI")
        self.nccl_launch = Struct(f"{order}QIIIHH")
        self.nccl_sequence = Struct(f"{order}QHHI")
        self.usage = Struct(f"{order}14Q4I")
        self.footprint = Struct(f"{order}HHIIIII")
        self.environment = Struct(f"{order}IIQQQQ")
        self.ring = Struct(f"{order}IIQQQ")
        self.entry = Struct(f"{order}7QIIIIiiHHhhQ")


#: Where a thread's area keeps its list of held locks.
AREA_HELD = 256
LITTLE, BIG = Layout("<"), Layout(">")
LAYOUTS = {(o, v): Layout(o, v) for o in "<>" for v in READABLE}


@functools.lru_cache(maxsize=1024)
def addresses(order: str, count: int) -> Struct:
    """*count* addresses one after another."""
    return Struct(f"{order}{count}Q")
