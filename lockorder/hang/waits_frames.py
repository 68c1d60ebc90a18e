"""What a thread waits for by the functions that it is in."""

from __future__ import annotations

import enum
from collections.abc import Sequence


class Kind(str, enum.Enum):
    """What a thread waits for; FUTEX: a word that is none of the others, CALL: no lock at all."""

    MUTEX = "mutex"
    RWLOCK = "rwlock"
    JOIN = "join"
    CONDITION = "condition"
    SEMAPHORE = "semaphore"
    BARRIER = "barrier"
    ONCE = "once"
    GUARD = "guard"
    PYTHON_LOCK = "python-lock"
    GIL = "gil"
    FUTEX = "futex"
    CALL = "call"


#: By how functions' names begin, without what glibc puts in front of them.
_STARTS = (
    ("pthread_mutex_", Kind.MUTEX),
    ("pthread_rwlock_", Kind.RWLOCK),
    ("pthread_cond_", Kind.CONDITION),
    ("pthread_barrier_", Kind.BARRIER),
    ("pthread_clockjoin", Kind.JOIN),
    ("pthread_timedjoin", Kind.JOIN),
    ("pthread_join", Kind.JOIN),
    ("pthread_once", Kind.ONCE),
    ("sem_", Kind.SEMAPHORE),
    ("new_sem_", Kind.SEMAPHORE),
    ("cxa_guard_acquire", Kind.GUARD),
)
_PYTHON_STARTS = (
    ("take_gil", Kind.GIL),
    ("PyThread_acquire_lock", Kind.PYTHON_LOCK),
    ("PyMutex_", Kind.PYTHON_LOCK),
    ("PyParkingLot_Park", Kind.PYTHON_LOCK),
    ("PySemaphore_", Kind.PYTHON_LOCK),
)
#: Who is in these may run what the program gave them.  They wait themselves only where nothing but
#: the kernel's word for it is further in.
_RUNNING = {
    Kind.ONCE: ("futex_", "lll_", "internal_syscall"),
    Kind.GUARD: ("futex_", "lll_", "internal_syscall", "syscall"),
}
_DEEP = 8  # frames from a system call to the function that a program calls
_PYTHON_DEEP = 4  # and from that to Python's own


def kind_of(functions: Sequence[str]) -> Kind | None:
    """What the functions say, innermost first; None where they say nothing."""
    for at, function in enumerate(functions[:_DEEP]):
        found = _match(_bare(function), _STARTS)
        if found is not None:
            below = _RUNNING.get(found, ("",))
            if not all(_bare(inner).startswith(below) for inner in functions[:at]):
                return None
            for outer in functions[at + 1 : at + 1 + _PYTHON_DEEP]:
                python = _match(_bare(outer), _PYTHON_STARTS)
                # A thread in take_gil may also wait for the mutex inside the lock.
                if python is not None and not (python is Kind.GIL and found is Kind.MUTEX):
                    return python
            return found
        python = _match(_bare(function), _PYTHON_STARTS)
        if python is not None:
            return python
    return None


def wants_write(functions: Sequence[str]) -> bool | None:
    """Whether a read-write lock is wanted for writing; None where no function says so."""
    for function in functions[:_DEEP]:
        name = _bare(function)
        if name.startswith("pthread_rwlock_"):
            return "wrlock" in name
    return None


def _bare(function: str) -> str:
    return function.removeprefix("__GI_").lstrip("_")


def _match(name: str, starts: Sequence[tuple[str, Kind]]) -> Kind | None:
    for start, kind in starts:
        if name.startswith(start):
            return kind
    return None
