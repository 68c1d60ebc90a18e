"""Traces that are torn or damaged, at every place: what is whole counts, and nothing else happens.

Files of two kinds: what the tests' own writer makes, with a bit of everything, and what the probe
recorded of a program.
"""

from __future__ import annotations

import os
import random
import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lockorder.recorded.analyse import read_files, to_document
from runtime_probe import layout
from runtime_probe.errors import TraceError
from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.records import Trace
from runtime_probe.trace import read_trace
from test_trace_reader import sample
from traces import Program

BuildProgram = Callable[[str], Path]
_SAMPLE = sample().data()


@pytest.fixture(scope="session")
def recorded(build_program: BuildProgram, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What the probe wrote of fixtures/programs/count_locks.c."""
    folder = tmp_path_factory.mktemp("recorded")
    environment = preload_environment(os.environ, shim_path(), folder)
    command = [str(build_program("count_locks"))]
    subprocess.run(command, env=environment, capture_output=True, check=False)
    (path,) = folder.iterdir()
    return path.read_bytes()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "trace-node1-1-0.lot"


def read(file: Path, data: bytes) -> Trace | None:
    """The trace; None: it was refused, by the one error that there is for that."""
    file.write_bytes(data)
    try:
        trace = read_trace(file)
    except TraceError:
        return None
    assert all(isinstance(pc, int) for n in trace.stacks() for pc in trace.stack(n))
    return trace


def contents(trace: Trace) -> list[list[object]]:
    """What a trace says, part by part, in the order of the file."""
    locks = [lock._replace(flags=0) for lock in trace.locks.values()]  # learnt bit by bit
    parts = [trace.modules, trace.edges, trace.blocked, trace.misuses, locks]
    return [*map(list, parts), [trace.stack(n) for n in trace.stacks()]]


def used(data: bytes) -> Iterator[int]:
    """Places that say something, and a few of those that do not."""
    return (at for at in range(len(data)) if data[at] or at % 97 == 0)


# -- torn ------------------------------------------------------------------------------------------


def test_a_file_that_ends_anywhere_keeps_what_is_complete(file: Path, recorded: bytes) -> None:
    whole = read(file, recorded)
    assert whole is not None
    allocated = int.from_bytes(recorded[88:96], "little")
    everywhere = [*range(0, layout.PAGE, 7), *range(layout.PAGE - 9, layout.PAGE + 600)]
    chance = random.Random(1)
    for size in [*everywhere, *(chance.randrange(layout.PAGE, allocated) for _ in range(300))]:
        trace = read(file, recorded[:size])
        assert (trace is None) == (size < layout.PAGE), size
        if trace is not None:
            assert trace.torn
            assert not trace.damage
            for part, all_of_it in zip(contents(trace), contents(whole), strict=True):
                assert part == all_of_it[: len(part)]


# -- damaged ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("flip", [0x01, 0x80, 0xFF])
def test_a_flipped_byte_anywhere(file: Path, flip: int) -> None:
    refused = 0
    for at in used(_SAMPLE):
        trace = read(file, _SAMPLE[:at] + bytes([_SAMPLE[at] ^ flip]) + _SAMPLE[at + 1 :])
        refused += trace is None
        assert trace is not None or at < layout.PAGE, at
    assert refused > 0


def test_records_before_a_range_of_zeros_are_kept(file: Path, recorded: bytes) -> None:
    whole = read(file, recorded)
    assert whole is not None
    allocated = int.from_bytes(recorded[88:96], "little")
    for at in range(layout.PAGE, allocated, 512):
        trace = read(file, recorded[:at] + bytes(512) + recorded[at + 512 :])
        assert trace is not None
        before = read(file, recorded[:at])
        assert before is not None
        for part, all_of_it in zip(contents(before), contents(trace), strict=True):
            assert part == all_of_it[: len(part)]


def test_blocks_after_a_damaged_one_are_read(file: Path) -> None:
    first = layout.PAGE
    trace = read(file, _SAMPLE[: first + 4] + b"\x63" + _SAMPLE[first + 5 :])
    assert trace is not None
    assert trace.damage == f"damaged: a block of kind 99 at byte {first}"
    assert list(trace.threads) == [2]
    assert len(trace.edges) == 1


_RANGE = st.tuples(
    st.integers(0, len(_SAMPLE)), st.integers(1, 300), st.sampled_from([0, 0xFF, 0x7F])
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ranges=st.lists(_RANGE, min_size=1, max_size=4))
def test_analysis_takes_any_damage(file: Path, ranges: list[tuple[int, int, int]]) -> None:
    data = bytearray(_SAMPLE)
    for at, size, value in ranges:
        data[at : at + size] = bytes([value]) * len(data[at : at + size])
    file.write_bytes(data)
    batch = read_files([file], Program())
    to_document(batch)
    assert len(batch.processes) == 1 or len(batch.problems) == 1


def test_analysis_takes_a_flipped_byte_anywhere(file: Path) -> None:
    for at in used(_SAMPLE):
        file.write_bytes(_SAMPLE[:at] + bytes([_SAMPLE[at] ^ 0xFF]) + _SAMPLE[at + 1 :])
        to_document(read_files([file], Program()))


def test_memory_is_bounded_by_the_file(file: Path) -> None:
    """Counts and sizes that promise gigabytes are believed as far as the file goes."""
    data = bytearray(_SAMPLE)
    data[88:96] = (1 << 40).to_bytes(8, "little")
    for at in range(layout.PAGE, len(data), layout.PAGE):
        data[at + 6 : at + 8] = b"\xff\xff"
    tracemalloc.start()
    try:
        read(file, bytes(data))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
