"""The self-test's table: program, kind and shape, and the rules that must fire for them.

In the manner of Linux's locking self-tests: every order that must be reported has a twin that
must not be, since a tool that cries wolf is switched off. A case passes if the rules that fire
with level error or warning are exactly those in its line.

How scripts are written is explained in programs/script.h.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

Rules = frozenset[str]

CLEAN: Rules = frozenset()
CYCLE = frozenset({"lock-order-cycle"})
GIL = frozenset({"gil-lock-cycle"})
SELF = frozenset({"self-deadlock"})
WAITS = frozenset({"blocking-under-lock"})
UNLOCK = frozenset({"unlock-not-held"})
DESTROY = frozenset({"destroy-while-held"})
EXIT = frozenset({"lock-held-at-thread-exit"})
FORK = frozenset({"lock-held-across-fork"})


class Case(NamedTuple):
    """One run: ``program`` with ``arguments``; the program's source is programs/``program``.*."""

    program: str
    kind: str
    shape: str
    arguments: tuple[str, ...]
    rules: Rules

    def __str__(self) -> str:
        return f"{self.kind}-{self.shape}"


def words(*lists: str) -> tuple[str, ...]:
    """Several lists of words, each in one string, as one."""
    return tuple(" ".join(lists).split())


# ---- kinds of locks --------------------------------------------------------------------------

#: No owner is checked: an unlock by another thread does what it says.
UNCHECKED = words("mutex normal adaptive pshared")
CHECKED = words("errorcheck recursive robust")
RWLOCKS = words("rwlock rwlock-writers")
MUTEXES = words(*UNCHECKED, *CHECKED, "inherit")
C = words(*MUTEXES, *RWLOCKS, "spin semaphore")
CXX_SHARED = words("std::shared_mutex std::shared_timed_mutex")
CXX = words(
    "std::mutex std::recursive_mutex std::timed_mutex std::recursive_timed_mutex", *CXX_SHARED
)
ALL = words(*C, *CXX)
SHARED = words(*RWLOCKS, *CXX_SHARED)
RECURSIVE = words("recursive std::recursive_mutex std::recursive_timed_mutex")
LIMITED = words("mutex errorcheck robust rwlock semaphore std::timed_mutex", *CXX_SHARED[1:])
FEW = words("mutex rwlock spin semaphore std::mutex")
INITIALISED = words("normal errorcheck recursive robust rwlock spin semaphore")
OWNED = words(*UNCHECKED, "errorcheck recursive inherit", *RWLOCKS, "spin std::mutex")
PYTHON = words("threading.Lock threading.RLock")

#: Where an uncontended acquisition makes a call of the C library that can be seen: not where the
#: lock is a PyMutex, which is a byte (CPython 3.13 for Lock, 3.14 for RLock).
PYTHON_SEEN = words(
    "threading.Lock" if sys.version_info < (3, 13) else "",
    "threading.RLock" if sys.version_info < (3, 14) else "",
)
PYTHON_UNSEEN = tuple(kind for kind in PYTHON if kind not in PYTHON_SEEN)

# ---- scripts ---------------------------------------------------------------------------------

#: shape, script, kinds, rules
SCRIPTS: tuple[tuple[str, str, tuple[str, ...], Rules], ...] = (
    # Orders that close a cycle, and those that do not.
    ("ABBA", "1+A+B-B-A 2+B+A-A-B", ALL, CYCLE),
    ("ABBCCA", "1+A+B-B-A 2+B+C-C-B 3+C+A-A-C", ALL, CYCLE),
    ("ABCABC", "1+A+B-B-A 2+C+A-A-C 3+B+C-C-B", ALL, CYCLE),
    ("ABBCCDDA", "1+A+B-B-A 2+B+C-C-B 3+C+D-D-C 4+D+A-A-D", ALL, CYCLE),
    ("ABCDBCDA", "1+A+B-B-A 2+C+D-D-C 3+B+C-C-B 4+D+A-A-D", ALL, CYCLE),
    ("ABCDBDDA", "1+A+B-B-A 2+C+D-D-C 3+B+D-D-B 4+D+A-A-D", ALL, CYCLE),
    ("ABC-CA", "1+A+B+C-C-B-A 2+C+A-A-C", FEW, CYCLE),
    ("ABBA-main", "0+A+B-B-A 1+B+A-A-B", FEW, CYCLE),
    ("ABBA-joined", "1+A+B-B-A. 2+B+A-A-B.", FEW, CYCLE),
    ("ABBA-crossed-release", "1+A+B-A-B 2+B+A-B-A", FEW, CYCLE),
    ("ABAB", "1+A+B-B-A 2+A+B-B-A", ALL, CLEAN),
    ("ABBCAC", "1+A+B-B-A 2+B+C-C-B 3+A+C-C-A", ALL, CLEAN),
    ("ABBCCDAD", "1+A+B-B-A 2+B+C-C-B 3+C+D-D-C 4+A+D-D-A", ALL, CLEAN),
    ("ABCD", "1+A+B-B-A 2+C+D-D-C", FEW, CLEAN),
    ("A-B-B-A", "1+A-A+B-B 2+B-B+A-A", ALL, CLEAN),
    ("ABBA-one-thread", "1+A+B-B-A+B+A-A-B", ALL, CLEAN),
    # Three orders need three threads to meet.
    ("ABBCCA-two-threads", "1+A+B-B-A+B+C-C-B 2+C+A-A-C", FEW, CLEAN),
    ("hand-over-hand", "1+A+B-A+C-B-C 2+C+A-A-C", FEW, CLEAN),
    ("hand-over-hand-twice", "1+A+B-A+C-B-C 2+A+B-A+C-B-C 3+C+A-A-C", FEW, CYCLE),
    # Try: no edge into it, but what it won is held.
    ("ABBA-try-both", "1+A?B-B-A 2+B?A-A-B", ALL, CLEAN),
    ("ABBA-try-one", "1+A+B-B-A 2+B?A-A-B", ALL, CLEAN),
    ("ABBA-try-in-vain", "1+A 2!A+B-B 1-A+B+A-A-B", ALL, CLEAN),
    ("ABBA-held-by-try", "1?A+B-B-A 2?B+A-A-B", ALL, CYCLE),
    # A time limit ends the wait: a note at most.
    ("ABBA-timed-both", "1+AtB-B-A 2+BtA-A-B", LIMITED, CLEAN),
    ("ABBA-timed-one", "1+A+B-B-A 2+BtA-A-B", LIMITED, CLEAN),
    ("ABBA-clock-one", "1+A+B-B-A 2+BcA-A-B", LIMITED, CLEAN),
    ("ABBA-timed-out", "1+A 2TA+B-B 1-A+B+A-A-B", LIMITED, CLEAN),
    ("ABBA-clock-out", "1+A 2CA+B-B 1-A+B+A-A-B", LIMITED, CLEAN),
    ("ABBA-held-by-timed", "1tA+B-B-A 2tB+A-A-B", LIMITED, CYCLE),
    ("ABBA-held-by-clock", "1cA+B-B-A 2cB+A-A-B", LIMITED, CYCLE),
    ("ABBA-timed-beside", "1+AtB-B-A+A+B-B-A 2+BtA-A-B+B+A-A-B", LIMITED, CYCLE),
    # Gates.
    ("gate", "1+E+A+B-B-A-E 2+E+B+A-A-B-E", ALL, CLEAN),
    ("gate-by-try", "1?E+A+B-B-A-E 2?E+B+A-A-B-E", FEW, CLEAN),
    ("gate-two-of-three", "1+E+A+B-B-A-E 2+E+B+C-C-B-E 3+C+A-A-C", FEW, CLEAN),
    ("gate-one-side", "1+E+A+B-B-A-E 2+B+A-A-B", FEW, CYCLE),
    ("gates-differ", "1+E+A+B-B-A-E 2+F+B+A-A-B-F", FEW, CYCLE),
    ("gate-given-up", "1+E+A-E+B-B-A 2+E+B+A-A-B-E", FEW, CYCLE),
    ("gate-inside", "1+A+E+B-B-E-A 2+B+E+A-A-E-B", FEW, CYCLE),
    ("gate-forgotten-later", "1+E+A+B-B-A-E+A+B-B-A 2+E+B+A-A-B-E 3+B+A-A-B", FEW, CYCLE),
    ("gate-forgotten-once", "1+E+A+B-B-A-E+A+B-B-A 2+E+B+A-A-B-E", FEW, CYCLE),
    ("gate-read", "1rE+A+B-B-A-E 2rE+B+A-A-B-E", SHARED, CYCLE),
    ("gate-read-write", "1rE+A+B-B-A-E 2+E+B+A-A-B-E", SHARED, CLEAN),
    # Readers and writers: the first two letters are what the first thread does with A and B, the
    # others what the second does with B and A.
    ("RRRR", "1rArB-B-A 2rBrA-A-B", SHARED, CLEAN),
    ("RWRR", "1rA+B-B-A 2rBrA-A-B", SHARED, CLEAN),
    ("WRRR", "1+ArB-B-A 2rBrA-A-B", SHARED, CLEAN),
    ("RWRW", "1rA+B-B-A 2rB+A-A-B", SHARED, CYCLE),
    ("WRWR", "1+ArB-B-A 2+BrA-A-B", SHARED, CYCLE),
    ("RRWW", "1rArB-B-A 2+B+A-A-B", SHARED, CYCLE),
    ("RWWW", "1rA+B-B-A 2+B+A-A-B", SHARED, CYCLE),
    ("RWRW-same", "1rA+B-B-A 2rA+B-B-A", SHARED, CLEAN),
    ("RRRR-writers", "1rArB-B-A 2rBrA-A-B 3+A-A+B-B", SHARED, CYCLE),
    ("RRRR-one-writer", "1rArB-B-A 2rBrA-A-B 3+A-A", SHARED, CLEAN),
    ("RRRR-try-writers", "1rArB-B-A 2rBrA-A-B 3?A-A?B-B", SHARED, CLEAN),
    ("RWRW-held-by-try", "1uA+B-B-A 2uB+A-A-B", SHARED, CYCLE),
    ("WRWR-try", "1+AuB-B-A 2+BuA-A-B", SHARED, CLEAN),
    # The holder again.
    ("AA-recursive", "1+A+A-A-A", RECURSIVE, CLEAN),
    ("AA-recursive-inside", "1+A+B+A-A-B-A 2+A+B-B-A", RECURSIVE, CLEAN),
    ("AA-recursive-all-released", "1+A+A-A-A+B-B 2+B+A-A-B", RECURSIVE, CLEAN),
    ("AA-recursive-half-released", "1+A+A-A+B-B-A 2+B+A-A-B", RECURSIVE, CYCLE),
    ("AABB-recursive", "1+A+A+B+B-B-B-A-A 2+B+A-A-B", RECURSIVE, CYCLE),
    ("AA-told", "1+AeA-A", words("errorcheck", *SHARED), SELF),
    ("AA-told-reader", "1+AEA-A", SHARED, SELF),
    ("AA-timed", "1+ATA-A", words(*UNCHECKED, "robust semaphore std::timed_mutex"), CLEAN),
    ("AA-try", "1+A!A-A", words("mutex errorcheck robust spin semaphore", *RWLOCKS), CLEAN),
    ("AA-readers", "1rArA-A-A", RWLOCKS, CLEAN),
    ("upgrade-by-try", "1rA!A-A", RWLOCKS, CLEAN),
    # Lives of locks.
    ("ABBA-made-again", "1+A+B-B-A 0iA 2+B+A-A-B", C, CLEAN),
    ("ABBA-destroyed-made-again", "1+A+B-B-A 0dAiA 2+B+A-A-B", C, CLEAN),
    ("ABBA-made-before", "0dAiA 1+A+B-B-A 2+B+A-A-B", INITIALISED, CYCLE),
    # Misuse.
    ("unlock-by-another", "1+A 2pA", words(*UNCHECKED, "spin"), UNLOCK),
    ("unlock-by-another", "1+A 2pA 1-A", words("recursive robust"), UNLOCK),
    ("unlock-by-another", "1+A 2pA 1-A", ("errorcheck",), CLEAN),
    ("unlock-by-another", "1+A 2pA 1+A-A", ("semaphore",), CLEAN),
    ("unlock-twice", "1+A-ApA", words(*UNCHECKED, "recursive robust spin"), UNLOCK),
    ("unlock-twice", "1+A-ApA", ("errorcheck",), CLEAN),
    ("unlock-as-often", "1+A+A-A-A", RECURSIVE, CLEAN),
    ("unlock-then-another", "1+A-A 2+A-A", OWNED, CLEAN),
    ("destroy-held", "1+A 0dA 1-A", words(*UNCHECKED, "errorcheck recursive"), DESTROY),
    ("destroy-own-in-vain", "1+AdA-A", words(*UNCHECKED, "errorcheck recursive"), DESTROY),
    ("destroy-held", "1+A 0dA", words(*RWLOCKS, "spin"), DESTROY),
    ("destroy", "1+A-A 0dA", C, CLEAN),
    ("thread-ends-with-it", "1+A.", OWNED, EXIT),
    ("thread-ends-with-it", "1+A. 0-A", ("semaphore",), CLEAN),
    ("thread-ends-with-it", "1+A. 2oA-A", ("robust",), CLEAN),
    ("thread-ends-reading", "1rA.", SHARED, EXIT),
    ("thread-ends-without", "1+A-A.", OWNED, CLEAN),
    ("thread-ends-after-others", "1+A. 2oA-A 3+A+B-B-A", ("robust",), CLEAN),
    ("recovered-ABBA", "1+A. 2oA+B-B-A 3+B+A-A-B", ("robust",), CYCLE),
    # A semaphore that somebody posts without having waited is a signal.
    ("signals-ABBA", "1+A+B 2-A-B 1+A+B 2-B-A+B+A 1-A-B", ("semaphore",), CLEAN),
    # The locks of Python's threading module.
    ("ABBA", "1+A+B-B-A 2+B+A-A-B", PYTHON_SEEN, CYCLE),
    ("ABBCCA", "1+A+B-B-A 2+B+C-C-B 3+C+A-A-C", PYTHON_SEEN, CYCLE),
    ("gate-one-side", "1+E+A+B-B-A-E 2+B+A-A-B", PYTHON_SEEN, CYCLE),
    ("ABBA-unseen", "1+A+B-B-A 2+B+A-A-B", PYTHON_UNSEEN, CLEAN),
    ("ABAB", "1+A+B-B-A 2+A+B-B-A", PYTHON, CLEAN),
    ("ABBA-one-thread", "1+A+B-B-A+B+A-A-B", PYTHON, CLEAN),
    ("ABBA-try-both", "1+A?B-B-A 2+B?A-A-B", PYTHON, CLEAN),
    ("gate", "1+E+A+B-B-A-E 2+E+B+A-A-B-E", PYTHON, CLEAN),
    ("gil-taken-again", "1+AyA-A 2+AyA-A", PYTHON, CLEAN),
    ("AA-recursive", "1+A+A-A-A", ("threading.RLock",), CLEAN),
)
#: Shapes in which there is more, or less, to be seen than locks that are taken.
NO_MODEL = {"signals-ABBA", "ABBA-unseen"}

# ---- programs with cases of their own --------------------------------------------------------

#: program: case, rules
NAMED: dict[str, tuple[tuple[str, Rules], ...]] = {
    "lifetimes": (
        ("heap-reused", CLEAN),
        ("heap-kept", CYCLE),
        ("heap-inside-reused", CLEAN),
        ("heap-inside-kept", CYCLE),
        ("destroyed-and-made-again", CLEAN),
        ("made-again", CLEAN),
        ("made-once", CYCLE),
        ("thread-stack-reused", CLEAN),
        ("frame-reused", CLEAN),
        ("frame-reused-by-another", CLEAN),
        ("frame-kept", CYCLE),
        ("frames-one-in-another", CLEAN),
        ("frame-reused-while-held", CLEAN),
        ("frame-reused-and-both-ways", CYCLE),
        ("frame-kept-around-arguments", CYCLE),
        ("mapping-reused", CLEAN),
        ("mapping-kept", CYCLE),
        ("library-closed", CLEAN),
        ("library-kept", CYCLE),
        ("late-library-orders", CYCLE),
        ("late-library-order", CLEAN),
    ),
    "objects": (
        ("there-and-back", CYCLE),
        ("in-a-row", CLEAN),
        ("in-a-ring", CYCLE),
        ("pairs-apart", CLEAN),
        ("pairs-same", CYCLE),
        ("crowd-in-order", CLEAN),
        ("crowd-out-of-order", CYCLE),
        ("many-come-and-go", CLEAN),
        ("many-come-and-go-then-orders", CYCLE),
    ),
    "waits": (
        ("condition-alone", CLEAN),
        ("condition-alone-timed", CLEAN),
        ("condition-under-lock", WAITS),
        ("condition-under-lock-timed", CLEAN),
        ("condition-under-lock-clock", CLEAN),
        ("condition-takes-again", CYCLE | WAITS),
        ("condition-gives-up", CLEAN),
        ("cancelled-tidily", CLEAN),
        ("cancelled-with-the-lock", EXIT),
        ("join-under-lock", WAITS),
        ("join-under-another-lock", WAITS),
        ("join-under-lock-timed", CLEAN),
        ("join-alone", CLEAN),
        ("semaphore-signal", CLEAN),
        ("semaphore-signal-under-lock", WAITS),
        ("child-under-lock", WAITS),
        ("child-alone", CLEAN),
    ),
    "threads": (
        ("before-main-orders", CYCLE),
        ("before-main-order", CLEAN),
        ("after-main-orders", CYCLE),
        ("after-main-order", CLEAN),
        ("handler-orders", CYCLE),
        ("handler-order", CLEAN),
        ("destructor-orders", CYCLE),
        ("destructor-order", CLEAN),
        ("destructor-unlocks", CLEAN),
        ("ends-holding", EXIT),
        ("detached-orders", CYCLE),
        ("process-ends-around-holder", CLEAN),
        ("process-killed-holding", CLEAN),
        ("first-thread-exits", CYCLE),
        ("small-stack-orders", CYCLE),
        ("small-stack-order", CLEAN),
        ("once-orders", CYCLE),
        ("once-order", CLEAN),
        ("once-completed-orders", CYCLE),
        ("once-completed-around", CYCLE),
        ("once-completed-order", CLEAN),
        ("once-completed-alone", CLEAN),
    ),
    "processes": (
        ("fork-orders", CYCLE),
        ("fork-order", CLEAN),
        ("fork-apart", CLEAN),
        ("fork-apart-in-threads", CLEAN),
        ("fork-orders-and-exit-at-once", CYCLE),
        ("fork-with-lock-of-another", FORK),
        ("fork-with-own-lock", WAITS),
        ("fork-with-handlers", CLEAN),
        ("fork-handlers-orders", CYCLE | WAITS),
        ("daemon-orders", CYCLE),
        ("daemon-order", CLEAN),
        ("closed-files-orders", CYCLE),
        ("closed-files-order", CLEAN),
        ("exec-orders", CYCLE),
        ("exec-order", CLEAN),
        ("exec-apart", CLEAN),
        ("orders-then-exec", CYCLE),
        ("vfork-orders", CYCLE),
        ("vfork-order", CLEAN),
        ("vfork-between", CYCLE),
        ("spawn-orders", CYCLE),
        ("spawn-order", CLEAN),
        ("spawn-with-lock-of-another", CLEAN),
    ),
    "std_library": (
        ("guard-moved-and-held", CYCLE),
        ("guard-moved-and-gone", CLEAN),
        ("guard-released", CYCLE),
        ("guard-deferred", CLEAN),
        ("guard-adopted", CYCLE),
        ("scoped-lock-both", CLEAN),
        ("std-lock-both", CLEAN),
        ("scoped-lock-one-by-one", CYCLE),
        ("scoped-lock-inside", CYCLE),
        ("scoped-lock-apart", CLEAN),
        ("readers", CLEAN),
        ("reader-writer", CYCLE),
        ("exception-unwound", CLEAN),
        ("exception-inside", CYCLE),
        ("call-once-orders", CYCLE),
        ("call-once-order", CLEAN),
        ("call-once-completed", CYCLE),
        ("static-init-orders", CYCLE),
        ("static-init-order", CLEAN),
        ("static-init-completed", CLEAN),
        ("static-init-of-another", CLEAN),
    ),
    "std_endings": (
        ("condition-alone", CLEAN),
        ("condition-any-alone", CLEAN),
        ("condition-under-lock", WAITS),
        ("condition-takes-again", CYCLE | WAITS),
        ("condition-at-thread-exit", CLEAN),
        ("join-under-lock", WAITS),
        ("join-alone", CLEAN),
        ("future-alone", CLEAN),
        ("future-under-lock", WAITS),
        ("thread-local-orders", CYCLE),
        ("thread-local-order", CLEAN),
        ("static-destructor-orders", CYCLE),
        ("static-destructor-order", CLEAN),
    ),
}

#: shape, what each thread does (programs/selftest_gil.c), rules
GIL_ACTS: tuple[tuple[str, str, Rules], ...] = (
    ("restore-under-mutex", "gil_then_mutex mutex_then_restore", GIL),
    ("ensure-under-mutex", "gil_then_mutex mutex_then_ensure", GIL),
    ("ensure-in-native-thread", "gil_then_mutex native_thread_mutex_then_gil", GIL),
    ("ensure-with-gil-and-restore", "mutex_then_ensure_with_gil mutex_then_restore", GIL),
    ("under-python-lock", "locked:gil_then_mutex mutex_then_restore", GIL),
    ("under-python-locks", "locked:gil_then_mutex locked:mutex_then_ensure", GIL),
    ("gil-first-under-python-locks", "locked:gil_then_mutex locked:gil_then_mutex", CLEAN),
    ("mutex-first-under-python-locks", "locked:mutex_then_ensure locked:mutex_then_restore", CLEAN),
    ("released-under-python-lock", "locked:mutex_without_gil mutex_then_ensure", CLEAN),
    ("gate-one-side", "gate_gil_mutex mutex_then_restore", GIL),
    ("gate", "gate_gil_mutex gate_mutex_gil", CLEAN),
    ("gil-first", "gil_then_mutex gil_then_mutex", CLEAN),
    ("mutex-first", "mutex_then_ensure mutex_then_restore", CLEAN),
    ("released", "mutex_without_gil mutex_then_ensure", CLEAN),
    ("try", "gil_then_trylock mutex_then_ensure", CLEAN),
    ("one-thread", "gil_then_mutex+mutex_then_restore", CLEAN),
    ("ensure-with-gil", "mutex_then_ensure_with_gil gil_then_mutex", CLEAN),
    ("native-thread-gil-alone", "native_thread_gil_alone gil_then_mutex", CLEAN),
    ("join-with-gil", "join_with_gil", WAITS),
    ("join-without-gil", "join_without_gil", CLEAN),
)

#: Programs that print what they can see of themselves; compared with and without the probe.
BEHAVIOURS: tuple[tuple[str, ...], ...] = (
    ("behave_returns",),
    ("behave_signals",),
    ("behave_resources",),
    ("behave_order",),
    ("behave_order", "terminate"),
    *(
        ("behave_exit", how)
        for how in words(
            "return exit _exit quick_exit pthread_exit thread busy abort segv term kill"
        )
    ),
)


def cases() -> Iterator[Case]:
    """Every case once, in the table's order."""
    for shape, script, which, rules in SCRIPTS:
        for kind in which:
            yield Case(_program_of(kind), kind, shape, (kind, script), rules)
    for program, named in NAMED.items():
        for name, rules in named:
            yield Case(program, program, name, (name,), rules)
    for shape, acts, rules in GIL_ACTS:
        yield Case("gil", "gil", shape, tuple(acts.split()), rules)


def _program_of(kind: str) -> str:
    if kind in PYTHON:
        return "python_locks"
    return "std_orders" if kind in CXX else "orders"
