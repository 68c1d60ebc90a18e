"""Rows of the live view: names as they come, cycles marked, communicators by rank."""

from __future__ import annotations

import os
from pathlib import Path

from lockorder.commands.live_state import State
from lockorder.recorded.live_reader import Answer, Contention, Cycle, Issued, Order
from runtime_probe.layout import State as ProcessState
from runtime_probe.layout import WaitsFor
from runtime_probe.live import LiveProcess, LiveTrace
from traces import Recording


def process(folder: Path, wait: bool = False) -> LiveProcess:
    made = Recording(pid=os.getpid(), rank=3)
    made.state = ProcessState.RUNNING
    a, b = made.named("lock_a"), made.named("lock_b")
    call = made.call("ncclGroupEnd", WaitsFor.RANKS)
    made.thread("main", wait_call=call)
    made.thread("one", held=[(a, 0, 0, 1, 0)], waits_for=b, tid=1 << 30)
    made.thread("two", held=[(b, 0, 0, 1, 0)], waits_for=a if wait else 0, tid=(1 << 30) + 1)
    return LiveTrace(made.write(folder)).look()


def answer(path: Path, **what: object) -> Answer:
    return Answer((), (), (), (), {})._replace(**what)  # type: ignore[arg-type]


def rows(state: State, process: LiveProcess, title: str) -> list[tuple[str, ...]]:
    (found,) = [s for s in state.sections([process]) if s.title == title]
    return [row.cells for row in found.rows]


def test_who_waits_and_who_has_it(tmp_path: Path) -> None:
    state, one = State(), process(tmp_path)
    waiting = rows(state, one, "Waiting")
    assert [(w[0].split()[1], w[2], w[4]) for w in waiting] == [
        ("3", "ncclGroupEnd", ""),
        ("3", "lock 2", f"{(1 << 30) + 1} two"),
    ]
    assert state.wanted() == ((one.path, 2),)
    state.take(answer(one.path, names={(one.path, 2): "lock_b"}))
    state.take(answer(one.path, names={(one.path, 2): "lock_b"}))  # again
    assert rows(state, one, "Waiting")[1][2] == "lock_b"
    assert state.wanted() == ()
    assert state.alarms([one]) == ()


def test_threads_in_a_circle_are_an_alarm(tmp_path: Path) -> None:
    state, one = State(), process(tmp_path, wait=True)
    (alarm,) = state.alarms([one])
    assert alarm.startswith(f"DEADLOCK rank 3 ({os.getpid()}): ")
    assert rows(state, one, "Processes")[0][1] == "DEADLOCK"


def test_an_order_is_marked_when_another_closes_the_cycle(tmp_path: Path) -> None:
    state, one = State(), process(tmp_path)
    path = one.path
    state.take(answer(path, orders=(Order(path, 1, 2, "7 one", 5),)))
    assert [row[-1] for row in rows(state, one, "New orders")] == [""]
    cycle = Cycle(path, (1, 2), ("7 one", "8 two"), timed=False)
    state.take(answer(path, orders=(Order(path, 2, 1, "8 two", 6),), cycles=(cycle,)))
    assert [row[-1] for row in rows(state, one, "New orders")] == ["CYCLE", "CYCLE"]
    assert [row[1] for row in rows(state, one, "New orders")] == ["8 two", "7 one"]
    (alarm,) = state.alarms([one])
    assert alarm.endswith("lock 1 → lock 2 → lock 1; threads 7 one, 8 two")


def test_cycles_of_one_class_are_told_once_and_its_objects_apart(tmp_path: Path) -> None:
    state, one = State(), process(tmp_path)
    path = one.path
    rows(state, one, "Processes")
    found = tuple(Cycle(path, locks, ("7", "8"), timed=False) for locks in ((1, 2), (3, 4)))
    names = {(path, n): "mutex made in Pool" for n in range(1, 5)}
    state.take(answer(path, cycles=found, names=names))
    (alarm,) = state.alarms([one])
    assert "#3 mutex made in Pool → #4 mutex made in Pool" in alarm


def test_contention_and_communicators(tmp_path: Path) -> None:
    state, one = State(), process(tmp_path)
    path = one.path
    rows(state, one, "Processes")
    contention = (Contention(path, 1, 500, 30, 2_000_000_000, 70_000_000),)
    issued = (Issued(path, 1, 9, 3, 8, 1234, 0, ended=False),)
    state.take(answer(path, contention=contention, issued=issued))
    where = f"rank 3 ({os.getpid()})"
    assert rows(state, one, "Contention") == [(where, "500", "30", "70 ms", "2.0 s", "lock 1")]
    assert rows(state, one, "NCCL") == [(where, "1", "3", "8", "1,234", "0", "")]
