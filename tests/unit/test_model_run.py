"""Which processes of a job have no trace, by what those that have one started."""

from __future__ import annotations

from typing import Any

import pytest

from lockorder.model import ProcessSummary, Started, Unrecorded, unrecorded

DATE = Started(7, "/bin/date")
BY = "5 train.sh"


def process(pid: int, start_ns: int = 0, **facts: Any) -> ProcessSummary:
    return ProcessSummary(file=f"trace-{pid}", host="node1", pid=pid, start_ns=start_ns, **facts)


def starter(**facts: Any) -> ProcessSummary:
    """Process 5, from moment 10 on."""
    return process(5, 10, command="train.sh", **facts)


#: Processes in a job; who is missing in it.
MATRIX = {
    "nothing was started": ([starter()], []),
    "it is recorded": ([starter(started=(DATE,)), process(7, 11)], []),
    "it is not": ([starter(started=(DATE,))], [Unrecorded(BY, "/bin/date", 7)]),
    "another one is recorded": (
        [starter(started=(DATE,)), process(8, 11)], [Unrecorded(BY, "/bin/date", 7)]
    ),
    "one of that number ended before": (
        [process(7, 9), starter(started=(DATE,))], [Unrecorded(BY, "/bin/date", 7)]
    ),
    "one of that number runs elsewhere": (
        [starter(started=(DATE,)), ProcessSummary(file="", host="node2", pid=7, start_ns=11)],
        [Unrecorded(BY, "/bin/date", 7)],
    ),
    "two, of which one is recorded": (
        [starter(started=(DATE, Started(8, "/bin/sh"))), process(8, 11)],
        [Unrecorded(BY, "/bin/date", 7)],
    ),
    "it went on as another program": (
        [starter(started=(Started(5, "/bin/sh"),)), process(5, 12)], []
    ),
    "it went on as one that is not recorded": (
        [starter(started=(Started(5, "still"),))], [Unrecorded(BY, "still", 5)]
    ),
    "it went on twice, then unrecorded": (
        [
            starter(started=(Started(5, "sh"),)),
            process(5, 12, command="sh", started=(Started(5, "still"),)),
        ],
        [Unrecorded("5 sh", "still", 5)],
    ),
    "it was started by a forked child": (
        [starter(), process(7, 11, parent=5, forked=True, started=(DATE,)), process(7, 12)], []
    ),
    "a forked child is no program": (
        [starter(started=(DATE,)), process(8, 11, parent=5, forked=True)],
        [Unrecorded(BY, "/bin/date", 7)],
    ),
    "it has no name": (
        [process(5, started=(DATE,))], [Unrecorded("5 trace-5", "/bin/date", 7)]
    ),
    "more than are listed": ([starter(started_more=3)], [Unrecorded(BY, "?", 0, 3)]),
    "more, of which some are recorded": (
        [starter(started_more=3), process(8, 11, parent=5), process(9, 12, parent=5)],
        [Unrecorded(BY, "?", 0, 1)],
    ),
    "more, all recorded": (
        [starter(started_more=2), process(8, 11, parent=5), process(9, 12, parent=5)], []
    ),
    "more, and a listed one is recorded": (
        [starter(started=(DATE,), started_more=1), process(7, 11, parent=5)],
        [Unrecorded(BY, "?", 0, 1)],
    ),
    "more, and recorded ones of others": (
        [starter(started_more=1), process(8, 11, parent=6), process(9, 9, parent=5)],
        [Unrecorded(BY, "?", 0, 1)],
    ),
    "more, and a forked child": (
        [starter(started_more=1), process(8, 11, parent=5, forked=True)],
        [Unrecorded(BY, "?", 0, 1)],
    ),
    "more, and what a forked child went on as": (
        [
            starter(started_more=1),
            process(8, 11, parent=5, forked=True, started=(Started(8, "sh"),)),
            process(8, 12, parent=5),
        ],
        [Unrecorded(BY, "?", 0, 1)],
    ),
    "children of a fork": ([starter(forks_unrecorded=2)], [Unrecorded(BY, "", 0, 2)]),
    "all at once": (
        [starter(started=(DATE,), started_more=1, forks_unrecorded=1)],
        [Unrecorded(BY, "/bin/date", 7), Unrecorded(BY, "?", 0, 1), Unrecorded(BY, "", 0, 1)],
    ),
    "by two": (
        [starter(started=(DATE,)), process(6, 10, started=(Started(9, "still"),))],
        [Unrecorded(BY, "/bin/date", 7), Unrecorded("6 trace-6", "still", 9)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MATRIX)
def test_who_is_missing(case: str) -> None:
    processes, missing = MATRIX[case]
    assert list(unrecorded(processes)) == missing
    assert sorted(map(str, unrecorded(reversed(processes)))) == sorted(map(str, missing))
