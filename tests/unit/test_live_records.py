"""Records of traces that grow: each is read once, and what they say of orders is said at once."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from lockorder.recorded.live_orders import LiveOrders
from lockorder.recorded.live_reader import Desk, LiveReader, Question
from runtime_probe import layout
from runtime_probe.layout import Kind, State
from runtime_probe.live_records import LiveRecords
from runtime_probe.trace import read_trace
from traces import SHARED, TIMED, TRY, Recording

ALL = 1 << 30


def recording() -> Recording:
    made = Recording(pid=os.getpid())
    made.state = State.RUNNING
    return made


def inversion(**second: object) -> Recording:
    """Thread 1 takes b under a, thread 2 a under b."""
    made = recording()
    one, two = made.thread("one"), made.thread("two")
    a, b = made.named("lock_a"), made.named("lock_b")
    made.edge(one, a, b)
    made.edge(two, b, a, **second)  # type: ignore[arg-type]
    return made


def cycles(made: Recording, folder: Path) -> list[tuple[int, ...]]:
    records, orders = LiveRecords(made.write(folder)), LiveOrders()
    found = []
    for edge in records.look(ALL):
        orders.add(edge)
        assert records.trace is not None
        found += [cycle.locks for cycle in orders.closes(edge, records.trace)]
    return found


def test_bit_by_bit_it_is_what_the_reader_reads(tmp_path: Path) -> None:
    made = recording()
    thread = made.thread("one")
    locks = [made.named(f"lock_{n}") for n in range(100)]
    for a, b in itertools.pairwise(locks):
        made.edge(thread, a, b)
        made.stat(b, 5, 3, 10, 7, 0, 0, 1)
    path = made.write(tmp_path)
    whole, records = read_trace(path), LiveRecords(path)
    edges, looks = [], 0
    while len(edges) < len(whole.edges):
        edges += records.look(1)  # a block at a time
        looks += 1
        assert looks < 100
    assert edges == whole.edges
    assert records.look(ALL) == []
    assert records.trace is not None
    assert records.trace.locks == whole.locks
    assert records.trace.stats == whole.stats
    for number in whole.stacks():
        assert records.trace.stack(number) == whole.stack(number)
    found = records.thread(thread)
    assert found is not None
    assert found.name == "one"


def test_what_was_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = recording()
    thread = made.thread("one")
    locks = [made.named(f"lock_{n}") for n in range(200)]
    for a, b in itertools.pairwise(locks):
        made.edge(thread, a, b)
    records = LiveRecords(made.write(tmp_path))
    records.look(ALL)
    sizes: list[int] = []
    read = os.pread

    def counted(descriptor: int, size: int, at: int) -> bytes:
        sizes.append(size)
        return read(descriptor, size, at)

    monkeypatch.setattr(os, "pread", counted)
    records.look(ALL)
    assert sum(sizes) <= layout.PAGE + 2 * layout.LITTLE.block.size  # the header, the last block


def test_figures_that_change_in_place_are_followed(tmp_path: Path) -> None:
    made = recording()
    lock = made.named("lock_a")
    made.stat(lock, 5, 3, 10, 7, 0, 0, 1)
    path = made.write(tmp_path)
    records = LiveRecords(path)
    records.look(ALL)
    old = layout.LITTLE.stat.pack(5, 3, 10, 7, 0, 0, 1)
    path.write_bytes(
        path.read_bytes().replace(old, layout.LITTLE.stat.pack(50, 30, 99, 70, 0, 0, 1))
    )
    records.look(ALL)
    assert records.trace is not None
    assert records.trace.stats[lock].contended == 30


def test_an_inversion_is_a_cycle(tmp_path: Path) -> None:
    assert cycles(inversion(), tmp_path) == [(1, 2)]


@pytest.mark.parametrize("how", [TRY, TIMED])
def test_what_gives_up_is_none_or_says_so(tmp_path: Path, how: int) -> None:
    made = inversion(hows=(0, how))
    records, orders = LiveRecords(made.write(tmp_path)), LiveOrders()
    edges = records.look(ALL)
    assert records.trace is not None
    found = []
    for edge in edges:
        orders.add(edge)
        found += orders.closes(edge, records.trace)
    assert [cycle.timed for cycle in found] == ([True] if how == TIMED else [])


def test_no_cycle_in_one_thread_until_another_comes(tmp_path: Path) -> None:
    made = recording()
    one, two = made.thread("one"), made.thread("two")
    a, b = made.named("lock_a"), made.named("lock_b")
    made.edge(one, a, b)
    made.edge(one, b, a)
    assert cycles(made, tmp_path) == []
    made.edge(two, a, b)
    assert cycles(made, tmp_path) == [(1, 2)]


def test_no_cycle_under_a_gate(tmp_path: Path) -> None:
    made = recording()
    one, two = made.thread("one"), made.thread("two")
    gate, a, b = (made.named(name) for name in ("gate", "lock_a", "lock_b"))
    made.edge(one, a, b, gates=[(gate, 0)])
    made.edge(two, b, a, gates=[(gate, 0)])
    assert cycles(made, tmp_path) == []


def test_no_cycle_of_readers(tmp_path: Path) -> None:
    made = recording()
    one, two = made.thread("one"), made.thread("two")
    a, b = (made.named(name, Kind.RWLOCK) for name in ("lock_a", "lock_b"))
    made.edge(one, a, b, modes=(SHARED, SHARED))
    made.edge(two, b, a, modes=(SHARED, SHARED))
    assert cycles(made, tmp_path) == []
    made.edge(two, made.named("other"), a)  # a writer queues between them
    made.edge(one, made.named("another"), b)
    made.edge(two, b, a, modes=(SHARED, SHARED), gates=[])
    assert cycles(made, tmp_path) == [(1, 2)]


def test_no_cycle_of_semaphores(tmp_path: Path) -> None:
    made = recording()
    one, two = made.thread("one"), made.thread("two")
    a, b = made.named("lock_a"), made.named("items", Kind.SEMAPHORE)
    made.edge(one, a, b)
    made.edge(two, b, a)
    assert cycles(made, tmp_path) == []


def test_the_desk_answers_with_all_that_is_new(tmp_path: Path) -> None:
    made = inversion()
    made.stat(1, 5, 3, 10, 7, 0, 0, 1)
    path = made.write(tmp_path)
    desk = Desk()
    answer = desk.answer(Question((path,), ((path, 1),)))
    assert [(o.source, o.target) for o in answer.orders] == [(1, 2), (2, 1)]
    assert [c.locks for c in answer.cycles] == [(1, 2)]
    assert [(c.lock, c.waited) for c in answer.contention] == [(1, 3)]
    assert set(answer.names) == {(path, 1)}
    again = desk.answer(Question((path,), ()))
    assert (again.orders, again.cycles) == ((), ())


def test_what_is_no_trace_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "trace-x-1-0.lot"
    path.write_bytes(b"#!/bin/sh" * 1000)
    answer = Desk().answer(Question((path, tmp_path / "gone"), ((path, 1),)))
    assert answer.orders == ()


def test_damage_ends_the_reading_of_that_trace(tmp_path: Path) -> None:
    made = inversion()
    made.record(99, 1, b"")
    path = made.write(tmp_path)
    desk = Desk()
    for _ in range(2):
        assert desk.answer(Question((path,), ())).cycles == ()


def test_the_process_that_reads(tmp_path: Path) -> None:
    path = inversion().write(tmp_path)
    reader = LiveReader()
    answer = None
    while answer is None:
        answer = reader.ask(Question((path,), ()))
    assert [c.locks for c in answer.cycles] == [(1, 2)]
    reader.close()
    assert reader.ask(Question((path,), ())) is None
