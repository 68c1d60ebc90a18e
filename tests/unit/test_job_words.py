"""Threads of a hung job in words."""

from __future__ import annotations

import re
import time

import pytest

from jobs import graph, line, process, thread, waits, who
from lockorder.model import Frame, ThreadState, Wait
from lockorder.rules import job_words as words
from lockorder.waitgraph import Node


def node(wait: Wait | None = None, **more: object) -> Node:
    """The first thread of process 1, at train.py:88."""
    options: dict[str, object] = {"line": line("train.py", 88), **more}
    return graph(process(1, thread(1, wait, **options))).nodes[who(1, 1)]


@pytest.mark.parametrize(
    ("wait", "more", "says"),
    [
        (None, {"moved": "works"}, "is computing at train.py:88"),
        (None, {"state": "R"}, "is computing at train.py:88"),
        (None, {}, "goes on at train.py:88"),
        (None, {"line": None, "doing": "is idle"}, "is idle"),
        (waits(), {"operation": "Queue.get"}, "is in Queue.get (it is empty) at train.py:88"),
        (waits(), {"operation": "Queue.put"}, "is in Queue.put (it is full) at train.py:88"),
        (waits("io", what="a pipe"), {"operation": "Connection.recv"},
         "is in Connection.recv (a pipe) at train.py:88"),
        (waits("io", what="time"), {"operation": "sleep"}, "is in sleep at train.py:88"),
        (waits("io", what="a pipe"), {"doing": "waits in read"},
         "waits in read (a pipe) at train.py:88"),
        (waits("io", what="a signal"), {"doing": "waits for a signal"},
         "waits for a signal at train.py:88"),
        # Who has the lock is the more telling.
        (waits(owners=("thread 1:2",)), {"operation": "Lock.acquire", "doing": "waits for lock a"},
         "waits for lock a at train.py:88"),
        (waits("join", owners=("thread 1:2",)), {"operation": "Thread.join", "doing": "waits"},
         "is in Thread.join at train.py:88"),
        (waits("task", lock="Queue q"), {"kind": "task", "operation": "Queue.get"},
         "awaits Queue.get (Queue q) at train.py:88"),
        (waits("task"), {"kind": "task"}, "awaits a future at train.py:88"),
        (waits(), {"kind": "loop", "operation": "Queue.get"},
         "is in Queue.get (it is empty) at train.py:88, inside of the event loop that it runs"),
        (waits("io", lock="epoll_wait"), {"kind": "loop", "doing": "waits in epoll_wait"},
         "waits in epoll_wait at train.py:88"),
        (waits(), {"state": "T", "doing": "is stopped by a signal"},
         "is stopped by a signal at train.py:88"),
        (waits(), {"state": "t", "doing": ""}, "is stopped at train.py:88"),
        (waits("sleep", lock="nanosleep"), {"line": None}, "waits"),
    ],
)  # fmt: skip
def test_doing(wait: Wait | None, more: dict[str, object], says: str) -> None:
    assert words.doing(node(wait, **more)) == says


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (line("train.py", 88), "train.py:88"),
        (Frame("f", "train.py", 0), ""),
        (Frame("f"), ""),
        (None, ""),
    ],
)
def test_places(frame: Frame | None, says: str) -> None:
    assert words.place(frame) == says


def test_processes_by_their_ranks() -> None:
    assert words.process(process(7)) == "process 7"
    assert words.process(process(7, rank=3, role="rank")) == "rank 3"
    assert words.process(process(7, rank=3, role="worker")) == "a worker of rank 3 (process 7)"


def test_threads_by_their_names() -> None:
    task = ThreadState(who="task 1:t", tid=1, name="feed", kind="task")
    found = graph(
        process(
            1,
            thread(1, name="MainThread"),
            thread(2, name="loader"),
            thread(3),
            (task, None),
            rank=4,
        )
    ).nodes.values()
    assert [words.name(n, others=False) for n in found] == [
        "MainThread", "thread loader", "thread 3", "task feed",
    ]  # fmt: skip
    assert [words.name(n, others=True) for n in found] == [
        "rank 4", "thread loader of rank 4", "thread 3 of rank 4", "task feed of rank 4",
    ]  # fmt: skip


def test_many_ranks_are_few_words() -> None:
    assert words.ranks([0, 1, 2, 7]) == "ranks 0-2, 7"
    assert words.ranks(range(512)) == "ranks 0-511"
    assert words.ranks(range(0, 512, 2)) == "ranks 0, 2, 4, 6, 8, 10, 12, 14 and 248 more"
    assert words.ranks([n for n in range(512) if n % 4]) == (
        "ranks 1-3, 5-7, 9-11, 13-15, 17-19, 21-23, 25-27, 29-31 and 360 more"
    )


def test_a_story_names_processes_where_there_are_several() -> None:
    found = graph(
        process(
            1,
            thread(1, waits(owners=(who(1, 2),)), name="Main", doing="waits for lock a"),
            thread(2, waits(owners=(who(1, 1),)), name="loader", doing="waits for lock b"),
        ),
        process(3, thread(3, waits("io", by=(1,)), doing="waits in read")),
    )
    assert words.story(found.chain(found.nodes[who(1, 1)])) == (
        "Main waits for lock a at train.py:1, for thread loader, and thread loader waits for lock "
        "b at train.py:2, for Main again"
    )
    assert words.story(found.chain(found.nodes[who(3, 3)])).startswith(
        "process 3 waits in read at train.py:3, for process 1, and process 1 waits for lock a"
    )


def test_a_story_of_one() -> None:
    assert words.story([node(waits(), operation="Queue.get")]) == (
        "process 1 is in Queue.get (it is empty) at train.py:88"
    )


def test_alike_threads_are_told_together() -> None:
    made = graph(
        process(
            1,
            *[
                thread(n, waits(by=(1,)), name=f"w{n}", operation="Queue.get", line=line("w.py", 3))
                for n in range(2, 9)
            ],
            *[
                thread(n, None, name=f"c{n}", moved="works", line=line("c.py", n))
                for n in (20, 21, 22)
            ],
        )
    )
    assert words.together(made.nodes.values(), several=False) == (
        "thread w2 and 6 more are in Queue.get (it is empty) at w.py:3; "
        "thread c20 is computing at c.py:20; thread c21 is computing at c.py:21; and 1 more thread"
    )
    assert words.together([], several=False) == ""


def test_since_when() -> None:
    def of(seconds: float) -> str:
        return words.since(ThreadState(who="", tid=1, since=time.time() - seconds))

    assert re.fullmatch(r"since \d\d:\d\d:\d\d", of(5))
    assert re.fullmatch(r"since \d\d:\d\d:\d\d \(10 min\)", of(600))
    assert of(-60) == ""  # a clock that was put back
    assert words.since(ThreadState(who="", tid=1)) == ""
