"""What recorded processes did with their locks, beside the orders and the findings."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Started(msgspec.Struct, frozen=True, omit_defaults=True):
    """A program that a process went on as, or that a child of it did."""

    pid: int
    path: str


class Unrecorded(msgspec.Struct, frozen=True, omit_defaults=True):
    """Processes of the job that have no trace: ``count`` of them, started ``by`` a recorded one.

    ``path`` is the end of the program's path, empty for children of a fork; ``pid`` 0: not known.
    """

    by: str
    path: str = ""
    pid: int = 0
    count: int = 1


class Inner(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happens inside of a library alone, and is counted and not told: how many findings.

    ``short``: they are told where their waits are long; its own affair they are not.
    """

    owner: str
    count: int
    short: bool = False


class ProcessSummary(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One recorded process.

    ``rank`` is -1 where none is known; ``state`` is running (also after a kill), exited or
    execed; ``torn`` says that its file ends early.  ``lost`` counts what was not recorded, by
    the names of the trace's counters.
    """

    file: str
    host: str = ""
    pid: int = 0
    rank: int = -1
    command: str = ""
    state: str = ""
    torn: bool = False
    threads: int = 0
    locks: int = 0
    orders: int = 0
    lost: dict[str, int] = {}
    parent: int = 0
    forked: bool = False
    start_ns: int = 0
    started: tuple[Started, ...] = ()
    started_more: int = 0
    forks_unrecorded: int = 0


class LockStatistics(msgspec.Struct, frozen=True, omit_defaults=True):
    """A lock class in all processes: sums, and the longest and deepest of all; nanoseconds."""

    lock: str
    acquisitions: int = 0
    contended: int = 0
    wait_ns: int = 0
    longest_wait_ns: int = 0
    longest_hold_ns: int = 0
    deepest: int = 0


class Run(msgspec.Struct, frozen=True, omit_defaults=True):
    """All processes of a recorded run, and the locks in them."""

    processes: tuple[ProcessSummary, ...] = ()
    statistics: tuple[LockStatistics, ...] = ()
    unrecorded: tuple[Unrecorded, ...] = ()
    inner: tuple[Inner, ...] = ()


def unrecorded(processes: Iterable[ProcessSummary]) -> tuple[Unrecorded, ...]:
    """The processes that recorded ones started and that have no trace."""
    known = list(processes)
    found: list[Unrecorded] = []
    for process in known:
        by = f"{process.pid} {process.command or process.file}".strip()
        begun = [p for p in known if p.host == process.host and p.start_ns >= process.start_ns]
        pids = {p.pid for p in begun if p is not process}
        missing = [s for s in process.started if s.pid not in pids]
        found += [Unrecorded(by, s.path, s.pid) for s in missing]
        # Of those that there was no room for, how many have a trace is known, and not which.
        # A child of fork lists in its own trace what it goes on as.
        listed = {s.pid for s in process.started} | {p.pid for p in begun if p.forked}
        others = sum(
            p.parent == process.pid and not p.forked and p.pid not in listed for p in begun
        )
        if process.started_more > others:
            found.append(Unrecorded(by, "?", 0, process.started_more - others))
        if process.forks_unrecorded:
            found.append(Unrecorded(by, "", 0, process.forks_unrecorded))
    return tuple(found)


def duration(nanoseconds: int) -> str:
    """A time as people say it: ``340 ns``, ``1.2 ms``, ``4.0 s``, ``12 min``."""
    if nanoseconds < 1000:
        return f"{nanoseconds} ns"
    for limit, unit, size in (
        (10**6, "µs", 10**3),
        (10**9, "ms", 10**6),
        (120 * 10**9, "s", 10**9),
    ):
        if nanoseconds < limit:
            return f"{nanoseconds / size:.1f} {unit}"
    return f"{nanoseconds // (60 * 10**9)} min"


def ranges(numbers: Iterable[int], most: int = 0) -> str:
    """Numbers as people say them: ``0-3, 7``.

    With *most*, so many of these at most, and the rest is counted: ``0, 2, 4 and 253 more``.
    """
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = runs[:most] if 0 < most < len(runs) else runs
    left = sum(b - a + 1 for a, b in runs[len(shown) :])
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in shown)
    return f"{text} and {left} more" if left else text


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``13th``."""
    teens = number % 100 // 10 == 1
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
