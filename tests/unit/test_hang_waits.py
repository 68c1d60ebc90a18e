"""What memory alone says of locks: made-up images, also of machines and Pythons not here."""

from __future__ import annotations

import random
import struct
import time
from collections.abc import Sequence

import pytest

from lockorder.hang import mutexes, pythons
from lockorder.hang.image import AARCH64, X86_64, Mapping, Stopped
from lockorder.hang.waits import Waits
from lockorder.hang.waits_frames import Kind, kind_of, wants_write
from lockorder.hang.waits_futex import Futex, futex_of
from lockorder.hang.waits_kinds import condition_at, is_guard, is_once, is_semaphore, parked_at

FUTEX = {X86_64: 202, AARCH64: 98}
AT = 0x7F00_0000_1000
BITSET, PRIVATE = 9, 128


class Made:
    """An image whose memory is what a test puts there."""

    def __init__(self, machine: str = X86_64) -> None:
        self.pid = self.outside = 10
        self.machine = machine
        self.exe = "/usr/bin/made"
        self.command: tuple[str, ...] = ()
        self.problems: list[str] = []
        self.memory = bytearray(1 << 16)
        self.stopped: list[Stopped] = []

    def threads(self) -> Sequence[Stopped]:
        return self.stopped

    def mappings(self) -> Sequence[Mapping]:
        return [Mapping(AT, AT + len(self.memory), "rw-p", 0, "[heap]")]

    def read(self, address: int, size: int) -> bytes | None:
        start = address - AT
        if start < 0 or start + size > len(self.memory):
            return None
        return bytes(self.memory[start : start + size])

    def put(self, address: int, layout: str, *values: int) -> None:
        struct.pack_into("<" + layout, self.memory, address - AT, *values)

    def waits(self, tid: int, address: int, operation: int, value: int, limit: int = 0) -> None:
        arguments = (address, operation, value, limit, 0, 0)
        number = FUTEX[self.machine]
        self.stopped.append(Stopped(tid, "made", "S", number, arguments, 0, AT + 0x8000, {}))

    def mutex(self, address: int, owner: int, lock: int = 2, kind: int = 0, users: int = 1) -> None:
        self.put(address, "IIiIi", lock, 0, owner, users, kind)


def seen(image: Made, **frames: Sequence[str]) -> list[tuple[int, Kind, int, int]]:
    known = {int(tid[1:]): names for tid, names in frames.items()}
    return [wait[:4] for wait in Waits(image).find(known)]


@pytest.mark.parametrize("machine", [X86_64, AARCH64])
def test_mutexes_of_a_core_file(machine: str) -> None:
    """An image that does not move is looked at once; both machines have one layout."""
    image = Made(machine)
    image.mutex(AT, 11)
    image.mutex(AT + 64, 10, lock=10 | 1 << 31, kind=16)  # robust
    image.waits(10, AT, PRIVATE, 2)
    image.waits(11, AT + 64, PRIVATE, 10 | 1 << 31)
    assert seen(image) == [(10, Kind.MUTEX, AT, 11), (11, Kind.MUTEX, AT + 64, 10)]


@pytest.mark.parametrize(
    "change",
    [
        {"lock": 0},
        {"lock": 1},
        {"users": 0},
        {"users": 900},
        {"kind": 1 << 12},
        {"owner": -5},
        {"lock": 12 | 1 << 31, "kind": 16},  # the word names another than the owner
        {"owner": 0x7F001234, "users": 0x7F00},  # stdio's lock: a pointer to its owner
    ],
)
def test_not_a_mutex(change: dict[str, int]) -> None:
    image = Made()
    image.mutex(AT, **({"owner": 11} | change))
    image.waits(10, AT, PRIVATE, 2)
    image.waits(11, AT + 64, PRIVATE, 7)
    assert [found[1::2] for found in seen(image)] == [(Kind.FUTEX, 0)] * 2


def test_owner_is_not_there() -> None:
    image = Made()
    image.mutex(AT, 4711)
    image.waits(10, AT, PRIVATE, 2)
    (wait,) = Waits(image).find()
    assert wait[:4] == (10, Kind.MUTEX, AT, 0)
    assert "thread 4711, which is not there" in wait.detail


def test_frames_decide() -> None:
    """The same memory: a mutex, unless the thread is known to wait for something else."""
    image = Made()
    image.mutex(AT, 11)
    image.waits(10, AT, PRIVATE, 2)
    image.waits(11, AT + 64, PRIVATE, 3)
    lock = ("futex_wait", "__lll_lock_wait", "___pthread_mutex_lock", "main")
    once = ("futex_wait", "__pthread_once_slow", "main")
    assert seen(image, t10=lock)[0] == (10, Kind.MUTEX, AT, 11)
    assert seen(image, t10=once)[0] == (10, Kind.ONCE, AT, 0)


def test_functions() -> None:
    wait = ("__futex_abstimed_wait_common", "__GI___futex_abstimed_wait64")
    cases: list[tuple[tuple[str, ...], Kind | None]] = [
        ((*wait, "__pthread_cond_wait_common", "___pthread_cond_wait", "f"), Kind.CONDITION),
        ((*wait, "__pthread_cond_timedwait", "PyCOND_TIMEDWAIT", "take_gil"), Kind.GIL),
        (("__lll_lock_wait", "pthread_mutex_lock", "take_gil"), Kind.MUTEX),
        ((*wait, "__new_sem_wait_slow64", "PyThread_acquire_lock_timed"), Kind.PYTHON_LOCK),
        ((*wait, "do_sem_wait", "sem_wait", "f"), Kind.SEMAPHORE),
        ((*wait, "__pthread_clockjoin_ex", "std::thread::join()"), Kind.JOIN),
        (("syscall", "__cxa_guard_acquire", "f"), Kind.GUARD),
        (("__lll_lock_wait", "__pthread_mutex_cond_lock", "pthread_cond_wait"), Kind.MUTEX),
        (("syscall", "std::__atomic_wait", "f"), None),
    ]
    for functions, kind in cases:
        assert kind_of(functions) is kind, functions
    assert wants_write(("futex_wait", "__pthread_rwlock_wrlock_full64")) is True
    assert wants_write(("futex_wait", "pthread_rwlock_rdlock")) is False
    assert wants_write(("futex_wait",)) is None


def rwlock(image: Made, *words: int, flags: int = 0) -> None:
    image.put(AT, "IIIIIIii", *words)
    image.put(AT + 48, "I", flags)


def test_rwlocks() -> None:
    tids = {10, 11, 12}
    image = Made()
    rwlock(image, 3, 0, 3, 3, 0, 0, 11, 0)  # written by 11
    reader = mutexes.rwlock_at(image, AT + 8, 3, tids)
    assert reader == mutexes.Rwlock(AT, 11, 0, wants_write=False)
    writer = mutexes.rwlock_at(image, AT + 12, 3, tids)
    assert writer == mutexes.Rwlock(AT, 11, 0, wants_write=True)
    rwlock(image, 2 | 2 << 3, 0, 2, 1, 0, 0, 0, 0)  # two read, one wants to write
    first = mutexes.rwlock_at(image, AT + 8, 2, tids)
    assert first == mutexes.Rwlock(AT, 0, 2, wants_write=True)
    rwlock(image, 3, 0, 3, 3, 0, 0, 99, 0)  # by nobody who lives
    assert mutexes.rwlock_at(image, AT + 8, 3, tids) is None


@pytest.mark.parametrize(("machine", "tid_at"), [(X86_64, 0x2D0), (AARCH64, 0xD0)])
def test_joins(machine: str, tid_at: int) -> None:
    image = Made(machine)
    image.put(AT + 0x10, "Q", AT)
    image.put(AT + tid_at, "I", 11)
    image.waits(10, AT + tid_at, BITSET | 256, 11)
    image.waits(11, AT + 0x4000, PRIVATE, 7)
    assert seen(image)[0] == (10, Kind.JOIN, 0, 11)
    image.put(AT + tid_at, "I", 12)
    assert seen(image)[0][3] == 0


def futex(address: int, value: int, operation: int = 0, private: bool = True) -> Futex:
    return Futex(address, operation, value, private, False)


def test_conditions_of_both_layouts() -> None:
    """Up to glibc 2.40, and from 2.41 on; either group."""
    for group in (0, 1):
        old, new = Made(), Made()
        references = [0, 0]
        references[group] = 2 << 1
        old.put(AT, "QQ8I", 4 << 1, 0, *references, 2, 0, 2, 2 << 3, 0, 0)
        new.put(AT, "QQ8I", 4 << 1, 0, 2, 0, 2, 2 << 3, 0, 0, 0, 0)
        assert condition_at(old, futex(AT + 40 + 4 * group, 0, BITSET), 3) == AT
        assert condition_at(new, futex(AT + 32 + 4 * group, 0, BITSET), 3) == AT
        assert condition_at(old, futex(AT + 40 + 4 * group, 0, BITSET), 1) == 0


def test_semaphores_guards_and_once() -> None:
    image = Made()
    image.put(AT, "III", 0, 1, 0)
    assert is_semaphore(image, futex(AT, 0, BITSET), 3)
    assert not is_semaphore(image, futex(AT, 0), 3)
    image.put(AT, "II", 0x10100, 0)
    assert is_guard(image, futex(AT, 0x10100, private=False))
    image.put(AT, "III", 1, 0, 0)
    assert is_once(image, futex(AT, 1))
    image.put(AT, "III", 1, 4, 0)  # a barrier for four threads
    assert not is_once(image, futex(AT, 1))


def test_parked() -> None:
    """An entry in a list of waiters on the own stack, behind the lock's address."""
    image = Made()
    image.waits(10, AT + 0x8010 + 16, BITSET | PRIVATE, 0)
    entry, head = AT + 0x8010, AT + 0x100
    word = futex(entry + 16, 0, BITSET)
    image.put(entry, "QQ", 0, AT + 0x40)
    image.put(entry + 48, "QQ", head, head)
    image.put(head, "QQ", entry + 48, entry + 48)
    assert parked_at(image, image.stopped[0], word) == AT + 0x40
    image.put(head, "QQ", head, head)
    assert parked_at(image, image.stopped[0], word) == 0


def test_several_words() -> None:
    image = Made()
    image.put(AT, "QQIIQQII", 2, AT + 0x100, 2 | PRIVATE, 0, 2, AT + 0x200, 2 | PRIVATE, 0)
    thread = Stopped(10, "made", "S", 449, (AT, 2, 0, 0, 0, 0), 0, 0, {})
    assert futex_of(image, thread) == Futex(AT + 0x100, 0, 2, True, False, (AT + 0x200,))


@pytest.mark.parametrize(
    ("operation", "clock"),
    [
        (0, None),
        (BITSET, time.CLOCK_MONOTONIC),
        (BITSET | 256, time.CLOCK_REALTIME),
        (6, time.CLOCK_REALTIME),  # FUTEX_LOCK_PI knows no other
        (13, time.CLOCK_MONOTONIC),
        (13 | 256, time.CLOCK_REALTIME),
    ],
)
def test_a_limit_counts_that_is_near(operation: int, clock: int | None) -> None:
    """By the time that the kernel measures it with; one that cannot be read counts, too."""
    now = int(time.clock_gettime(clock)) if clock is not None else 0
    for seconds, nanoseconds, limited in (
        (now + 5, 0, True),
        (now - 5, 0, True),  # over, and not yet awake
        (now + 3600, 0, False),
        (now + 3600, 1 << 40, True),  # no time at all
    ):
        image = Made()
        image.put(AT + 0x100, "qq", seconds, nanoseconds)
        image.waits(10, AT, operation | PRIVATE, 2, AT + 0x100)
        found = futex_of(image, image.stopped[0])
        assert found is not None
        assert found.limited == limited, seconds - now
    image.waits(11, AT, operation | PRIVATE, 2, 8)
    found = futex_of(image, image.stopped[1])
    assert found is not None
    assert found.limited


def test_in_a_core_a_moment_counts_as_a_limit() -> None:
    """It does not say what the time was."""
    image = Made()
    image.outside = 0
    image.put(AT + 0x100, "qq", 3600, 0)
    image.waits(10, AT, BITSET | PRIVATE, 2, AT + 0x100)
    image.waits(11, AT, PRIVATE, 2, AT + 0x100)
    assert [f.limited for t in image.stopped if (f := futex_of(image, t)) is not None] == [
        True,
        False,  # a length
    ]


def runtime(
    image: Made, version: int, later: Sequence[int], free: int = 0, enabled: int = 1
) -> int:
    """An interpreter that describes itself: its lock, held by thread 11."""
    interpreter, state, gil, pthread = AT + 0x1000, AT + 0x2000, AT + 0x3000, AT + 0x4000
    inside = 7000
    shift = 8 * free  # a free-threaded build has one more field in front
    image.put(AT, "8s2Q", b"xdebugpy", 3 << 24 | version << 16, free)
    image.put(AT + 24, "3Q", 9000, 0, 640)
    about = [9000, 48, 56, 64, *later, 72, 80, 88, 96]
    lock = [120, inside, 0, inside + 16 + shift, inside + 8 + shift]
    more = [0, 0] if version >= 14 else []
    thread = [400, 0, 8, 16, 72, 152, 160, 0, 0]
    words = [*about, *lock, *more, *thread]
    image.put(AT + 48, f"{len(words)}Q", *words)
    image.put(AT + 640, "Q", interpreter)
    image.put(interpreter + 120, "Q", gil)
    image.put(gil, "I", enabled)
    image.put(gil + shift, "QQiIQ", 5000, state, 1, 0, 6)
    image.put(state + 16, "Q", interpreter)
    image.put(state + 152, "QQ", pthread, 99)
    image.put(pthread + 0x10, "Q", pthread)
    image.put(pthread + 0x2D0, "I", 11)
    return gil


@pytest.mark.parametrize(
    ("version", "later", "free"), [(13, [], 0), (13, [], 1), (14, [68], 0), (14, [68], 1)]
)
def test_interpreters_that_describe_themselves(version: int, later: list[int], free: int) -> None:
    image = Made()
    gil = runtime(image, version, later, free)
    layout = pythons._described(image, AT, version)
    assert layout is not None
    (found,) = pythons.Python(image, AT, version, layout).gils({10, 11})
    assert found[:4] == (gil, True, 11, 6)
    assert found.is_waited_for_at(gil + 8 * free + 32 + 40)
    assert not found.is_waited_for_at(gil + 8 * free + 80)


def test_no_gil() -> None:
    image = Made()
    runtime(image, 14, [68], free=1, enabled=0)
    layout = pythons._described(image, AT, 14)
    assert layout is not None
    assert pythons.Python(image, AT, 14, layout).gils({10, 11}) == []


def test_holder_that_does_not_live() -> None:
    image = Made()
    runtime(image, 13, [])
    layout = pythons._described(image, AT, 13)
    assert layout is not None
    (found,) = pythons.Python(image, AT, 13, layout).gils({10})
    assert found.holder == 0


def test_any_memory() -> None:
    """Noise: no exception, and no owner that is no thread."""
    random_bytes = random.Random(7)
    for machine in (X86_64, AARCH64):
        for _ in range(200):
            image = Made(machine)
            image.memory[:] = random_bytes.randbytes(len(image.memory))
            for tid in (10, 11, 12):
                place = AT + random_bytes.randrange(0, 1 << 16, 4)
                operation = random_bytes.choice((0, 6, 9, 13)) | random_bytes.choice((0, 128, 256))
                image.waits(tid, place, operation, random_bytes.choice((0, 1, 2, 3, 11)))
            assert all(wait.owner_tid in (0, 10, 11, 12) for wait in Waits(image).find())
