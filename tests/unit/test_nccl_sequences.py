"""Sequences of NCCL's operations: tokens written, read and expanded; loops small; damage named."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from runtime_probe.layout import PAGE, LaunchFlag, SequenceKind, State
from runtime_probe.nccl_sequences import (
    COPY,
    MAX_EXPANDED,
    WINDOW,
    NcclLaunch,
    NcclOperation,
    SequenceTooLongError,
)
from runtime_probe.records import Trace
from runtime_probe.trace import read_trace
from sequences import compress
from test_trace_reader import read, sample
from traces import Recording

KEY = (1, SequenceKind.COLLECTIVES)
FEW = st.lists(st.integers(0, 3) | st.sampled_from([1, 65535]), max_size=300)
BLOCKS = st.lists(st.lists(st.integers(0, 5), max_size=30), max_size=6)
#: A training step: the forward pass has 24 equal operations, the backward pass others between.
STEP = [1] * 24 + [2, 1] * 23 + [3, 3, 4]
EVALUATION = [5] * 7 + [6, 1, 7]


# -- writing and reading ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", "<>")
def test_sequences_are_read(tmp_path: Path, order: str) -> None:
    recording = sample(order)
    trace = read(tmp_path, recording.data())
    pc = recording.pc(("operate", "app.cpp", 85))
    stack = trace.nccl_operations[1].stack
    assert trace.nccl_operations == {
        n: NcclOperation(n, 1, 2, 7, -1, -1, elements, 1, pc, stack, 1)
        for n, elements in ((1, 100), (2, 4))
    }
    assert trace.stack(stack)[0] == pc
    assert trace.nccl_launches == {
        1: NcclLaunch(1, 1, 1, 0x5701, 1, 0, 0),
        2: NcclLaunch(2, 1, 0, 0x5700, 1, 0, LaunchFlag.HOST),
    }
    collectives = trace.nccl_sequences[1, SequenceKind.COLLECTIVES]
    assert (collectives.first, collectives.total) == (1, 6)
    assert collectives.tokens == ((1, 2, False), (2, 1, False), (2, 1, True), (1, 1, True),
                                  (3, 1, True))  # fmt: skip
    assert list(collectives.expand()) == [1, 1, 2] * 2
    launches = trace.nccl_sequences[0, SequenceKind.LAUNCHES]
    assert list(launches.expand()) == [1] * 5 + [2]
    assert len(trace.nccl_sequences) == 2


def written(tmp_path: Path, symbols: list[int], capacity: int = 1016) -> Trace:
    r = Recording()
    r.nccl_sequence(*KEY, symbols, capacity=capacity)
    return read_trace(r.write(tmp_path))


def of_tokens(tmp_path: Path, *tokens: tuple[int, int]) -> Trace:
    r = Recording()
    r.nccl_tokens(*KEY, tokens)
    return read_trace(r.write(tmp_path))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    symbols=FEW
    | BLOCKS.flatmap(lambda b: st.lists(st.sampled_from(b or [[]]), max_size=20)).map(
        lambda parts: [symbol for part in parts for symbol in part]
    ),
    capacity=st.sampled_from([1, 2, 32, 1016]),
)
def test_what_is_written_is_read(tmp_path: Path, symbols: list[int], capacity: int) -> None:
    trace = written(tmp_path, symbols, capacity)
    assert not trace.damage
    if not symbols:
        assert trace.nccl_sequences == {}
        return
    sequence = trace.nccl_sequences[KEY]
    assert list(sequence.expand()) == symbols
    assert (sequence.first, sequence.total) == (1, len(symbols))
    assert sum(length for _, length, _ in sequence.tokens) == len(symbols)


def test_copies_do_not_reach_beyond_the_window(tmp_path: Path) -> None:
    symbols = [1, 2, 3, *range(10, 10 + WINDOW), 1, 2, 3]
    trace = written(tmp_path, symbols)
    assert not trace.damage
    assert list(trace.nccl_sequences[KEY].expand()) == symbols


# -- loops are small -------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    start=st.lists(st.integers(1, 4), max_size=20),
    period=st.lists(st.integers(1, 4), min_size=1, max_size=80),
)
@example([], STEP)
@example([9], [*[1] * 40, 2, *[1] * 50, 3, *[1] * 45, 2, *[1] * 60, 2, 4])
@example([1, 1, 2], [1, 1, 1, 2, 1, 2, 2, 2])  # each pair of its symbols is there twice
def test_a_loop_is_one_copy_once_it_has_come_twice(start: list[int], period: list[int]) -> None:
    """And a context more, where contexts are as long as the loop."""
    few, more = (compress(start + period * n) for n in (2 + -(-8 // len(period)), 30))
    assert more[:-1] == few[:-1]
    assert more[-1][0] == few[-1][0]


def test_a_loop_that_is_interrupted_now_and_then() -> None:
    """In a window of 8,192 the steps up to the next evaluation, and more of them than that."""
    within = compress((STEP * 100 + EVALUATION) * 10)
    beyond = compress((STEP * 150 + EVALUATION) * 10)
    assert len(STEP) * 100 < WINDOW < len(STEP) * 150
    assert len(within) < 30
    assert len(beyond) < 10 + 10 * 10


def test_expanding_ten_thousand_operations_takes_no_time(tmp_path: Path) -> None:
    sequence = written(tmp_path, STEP * 140).nccl_sequences[KEY]
    assert sequence.total > 10_000
    took = []
    for _ in range(20):
        started = time.perf_counter()
        sequence.expand()
        took.append(time.perf_counter() - started)
    assert min(took) < 0.001  # 20 us, and 50 times that on a machine with other things to do


# -- damage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token",
    [(COPY, 1), (COPY + 3, 1), (COPY + WINDOW, 1), (COPY + (1 << 30), 5), (7, 0), (COPY + 1, 0)],
)
def test_tokens_that_cannot_be(tmp_path: Path, token: tuple[int, int]) -> None:
    trace = of_tokens(tmp_path, (1, 1), (2, 1), token, (3, 1))
    assert trace.damage == "damaged: operation 3 of a sequence cannot be read"
    assert list(trace.nccl_sequences[KEY].expand()) == [1, 2]


def test_nothing_counts_after_a_gap(tmp_path: Path) -> None:
    r = Recording()
    r.nccl_tokens(*KEY, [(1, 5)])
    r.nccl_tokens(*KEY, [(2, 5)], first=11)
    r.nccl_tokens(2, SequenceKind.PEERS, [(3, 5)], first=2)
    trace = read_trace(r.write(tmp_path))
    assert trace.damage == "damaged: after operation 5 of a sequence comes 11"
    assert list(trace.nccl_sequences[KEY].expand()) == [1] * 5
    assert list(trace.nccl_sequences) == [KEY]


def test_chunks_lie_in_any_order(tmp_path: Path) -> None:
    """Each in a block of the thread that wrote it."""
    r = Recording()
    r.nccl_tokens(*KEY, [(COPY + 2, 3)], first=7)
    r.nccl_tokens(*KEY, [(1, 5), (2, 1)])
    trace = read_trace(r.write(tmp_path))
    assert not trace.damage
    assert list(trace.nccl_sequences[KEY].expand()) == [1] * 5 + [2, 1, 2, 1]


def test_a_process_that_goes_on_has_gaps(tmp_path: Path) -> None:
    r = Recording()
    r.state = State.RUNNING
    r.nccl_tokens(*KEY, [(1, 5)])
    r.nccl_tokens(*KEY, [(2, 5)], first=11)
    trace = read_trace(r.write(tmp_path))
    assert not trace.damage
    assert trace.nccl_sequences[KEY].total == 5


def test_billions_are_counted_and_not_written_out(tmp_path: Path) -> None:
    most = (1 << 32) - 1
    tracemalloc.start()
    try:
        trace = of_tokens(tmp_path, (1, 1), *[(COPY + 1, most)] * 100)
        sequence = trace.nccl_sequences[KEY]
        assert sequence.total == 1 + 100 * most
        with pytest.raises(SequenceTooLongError, match=f"more than {MAX_EXPANDED} are not"):
            sequence.expand()
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_ends_in_a_sequence_keeps_its_tokens(tmp_path: Path) -> None:
    r = Recording()
    r.nccl_tokens(*KEY, [(n, 1) for n in range(1, 101)], capacity=100)
    data = r.data()
    seen = set()
    for size in range(PAGE, len(data)):
        trace = read(tmp_path, data[:size])
        assert trace.torn
        assert not trace.damage
        whole = trace.nccl_sequences.get(KEY)
        symbols = [] if whole is None else list(whole.expand())
        assert symbols == list(range(1, len(symbols) + 1))
        seen.add(len(symbols))
    assert seen == set(range(101))
