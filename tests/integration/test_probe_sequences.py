"""The order of NCCL's operations, as the probe writes it, against the scripts that were played.

fixtures/fake_cuda/programs/sequence.c plays them: bytes, an operation on one of three
communicators each, or the begin or end of a group.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import test_fake_cuda
from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.layout import CallFlag, HeaderFlag, LaunchFlag, SequenceKind
from runtime_probe.records import Trace
from runtime_probe.trace import FILE_PATTERN, read_trace
from sequences import compress

fakes = test_fake_cuda.fakes
SOURCES = test_fake_cuda.SOURCES
BEGIN, END = 0xFE, 0xFF
ALL_REDUCE, SEND, RECV, OTHER_STREAM, SPLIT = 0, 4, 5, 6, 7
#: By operation: its function, how many elements. Those on the second stream are 6 and 8.
OPERATIONS = {
    0: ("ncclAllReduce", 4), 1: ("ncclAllReduce", 8), 2: ("ncclBroadcast", 4),
    3: ("ncclAllGather", 2), 4: ("ncclSend", 4), 5: ("ncclRecv", 4), 6: ("ncclAllReduce", 6),
    7: ("ncclCommSplit", 0), 8: ("ncclReduceScatter", 2),
}  # fmt: skip
CODES = {facts: number for number, facts in OPERATIONS.items()}
PEERS = {SEND, RECV}
#: A training step, an evaluation: 31 operations, 8.
STEP = [*[0] * 24, BEGIN, 4, 5, END, 1, 0x11, 2, 6, 8]
EVALUATION = [*[3] * 5, 8, 3, 0x12]
STEP_SIZE, EVALUATION_SIZE = 31, 8

Play = Callable[..., list[Trace]]


@pytest.fixture(scope="session")
def program(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sequence") / "sequence"
    flags = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
    flags += ["-fno-optimize-sibling-calls", f"-I{SOURCES / 'include'}"]
    source = SOURCES / "programs" / "sequence.c"
    subprocess.run([*c_compiler, *flags, "-o", made, source, "-ldl"], check=True)
    return made


@pytest.fixture
def play(program: Path, fakes: Path, tmp_path: Path) -> Play:
    """Plays scripts, one a thread; the traces of the process and, where it forks, its child."""

    def played(*scripts: list[int], times: int = 1, kill: int = 0, fork: int = 0) -> list[Trace]:
        folder = tmp_path / f"played-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        files = [folder / str(number) for number in range(len(scripts))]
        for file, script in zip(files, scripts, strict=True):
            file.write_bytes(bytes(script))
        done = subprocess.run(
            [program, fakes, str(times), str(kill), str(fork), *files],
            env=preload_environment(os.environ, shim_path(), folder),
            capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == (-signal.SIGKILL if kill else 0), done.stderr
        traces = [read_trace(path) for path in folder.glob(FILE_PATTERN)]
        assert not any(t.damage or t.torn for t in traces)
        return sorted(traces, key=lambda t: t.header.flags & HeaderFlag.FORKED)

    return played


def operations(script: list[int], comm: int, peers: bool) -> list[int]:
    """What *script* does on communicator *comm*, from 0."""
    codes = (c for c in script if c < BEGIN and c >> 4 == comm)
    return [c & 15 for c in codes if ((c & 15) in PEERS) == peers]


def launches(script: list[int]) -> Iterator[tuple[int, int, int]]:
    """Communicator, how it is grouped, whether it is the host's alone."""
    depth = issued = 0
    for code in script:
        if code < BEGIN:
            yield code >> 4, (0 if not depth else 2 if issued else 1), (code & 15) == SPLIT
            issued = depth
        else:
            depth += 1 if code == BEGIN else -1
            issued = issued and depth


def told(trace: Trace, comm: int, kind: SequenceKind, thread: int = 0) -> list[int]:
    """The same as `operations`, as the trace tells it; of one thread, or of all."""
    sequence = trace.nccl_sequences.get((comm + 1, kind))
    if sequence is None:
        return []
    found = []
    for symbol in filter(None, sequence.expand()):  # 0: it is counted as lost
        operation = trace.nccl_operations[symbol]
        assert operation.communicator == comm + 1
        if thread in (0, operation.thread):
            found.append(CODES[trace.calls[operation.call].name, operation.elements])
    return found


def told_launches(trace: Trace, thread: int = 0) -> list[tuple[int, int, int]]:
    sequence = trace.nccl_sequences.get((0, SequenceKind.LAUNCHES))
    symbols = [] if sequence is None else sequence.expand()
    found = [trace.nccl_launches[symbol] for symbol in symbols if symbol]
    return [
        (launch.communicator - 1, launch.grouped, launch.flags & LaunchFlag.HOST)
        for launch in found
        if thread in (0, launch.thread)
    ]


def check(trace: Trace, script: list[int]) -> None:
    """That *trace*, of one thread, tells of *script* and of nothing else."""
    for comm in range(3):
        for kind in (SequenceKind.COLLECTIVES, SequenceKind.PEERS):
            expected = operations(script, comm, kind is SequenceKind.PEERS)
            assert told(trace, comm, kind) == expected
            record = trace.communicators[comm + 1]
            counted = record.peers if kind is SequenceKind.PEERS else record.collectives
            assert counted == len(expected)
    assert told_launches(trace) == list(launches(script))
    assert lost(trace) == 0


def lost(trace: Trace) -> int:
    return trace.counters["nccl_unsequenced"] + trace.counters["nccl_operations_dropped"]


def scripts(seed: int, size: int) -> list[int]:
    """A random one: operations by themselves, and groups of them that may nest."""
    chance = random.Random(seed)
    script: list[int] = []

    def some(depth: int) -> None:
        for _ in range(chance.randrange(1, 6)):
            comm = chance.randrange(3) << 4
            if depth < 3 and chance.random() < 0.15:
                script.append(BEGIN)
                some(depth + 1)
                script.append(END)
            elif chance.random() < 0.1:
                script.extend((BEGIN, comm | SEND, comm | RECV, END))
            elif depth == 0 or chance.random() < 0.9:
                script.append(comm | chance.choice([0, 0, 0, 1, 2, 3, 6, 8]))

    while len(script) < size:
        some(0)
        if chance.random() < 0.05:
            script.append(SPLIT)
        if chance.random() < 0.2:
            script.extend(script[-chance.randrange(1, 60) :] if script.count(BEGIN) == 0 else [])
    return script


# -- one thread ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_a_random_order(play: Play, seed: int) -> None:
    script = scripts(seed, 3000)
    (trace,) = play(script)
    check(trace, script)


_ANY = st.sampled_from([0, 1, 2, 3, 6, 7, 8, 0x10, 0x11, 0x22])


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(parts=st.lists(st.tuples(st.lists(_ANY, max_size=12), st.integers(1, 60)), max_size=8))
# Two contexts of eight operations here have one hash; and one has that of a loop of 33 rounds.
@example(parts=[([2, 2, 0, 1, 0, 2, 0, 0, 1, 0], 2), ([0, 2], 2)])
@example(
    parts=[
        ([0x10, 0, 6, 7, 6, 6, 0x22, 0, 6, 0, 0x22], 1), ([0x22], 33),
        ([0, 0, 0x10, 0, 0x10, 0, 0, 0], 33), ([6, 6, 0x22, 0, 6, 0, 0x22], 2), ([0x22], 1),
    ]
)  # fmt: skip
def test_repeated_parts(play: Play, parts: list[tuple[list[int], int]]) -> None:
    """Tokens are those of the tests' own writer."""
    script = [code for part, times in parts for code in part * times]
    (trace,) = play(script)
    check(trace, script)
    for sequence in trace.nccl_sequences.values():
        tokens = list(zip(sequence.whats, sequence.lengths, strict=True))
        assert tokens == compress(sequence.expand())


def test_what_an_operation_and_a_launch_say(play: Play) -> None:
    (trace,) = play([0, BEGIN, SEND, RECV, END, OTHER_STREAM, SPLIT])
    by_code = {
        CODES[trace.calls[o.call].name, o.elements]: o for o in trace.nccl_operations.values()
    }
    first, send, other = by_code[ALL_REDUCE], by_code[SEND], by_code[OTHER_STREAM]
    assert (first.type, first.reduction, first.root, first.thread) == (7, 0, -1, 1)
    assert (send.reduction, send.root, other.reduction) == (-1, 0, 2)
    assert first.stream == send.stream != other.stream
    assert by_code[SPLIT].stream == 0
    for operation in by_code.values():
        assert operation.pc in trace.stack(operation.stack)
    stated = [
        (launch.stream, launch.grouped, launch.flags) for launch in trace.nccl_launches.values()
    ]
    here, there = first.stream, other.stream
    assert stated == [(here, 0, 0), (here, 1, 2), (here, 2, 2), (there, 0, 0), (0, 0, 1)]
    assert {k.handle != 0 for k in trace.nccl_launches.values() if k.stream} == {True}
    assert all(
        trace.calls[o.call].flags & (CallFlag.COLLECTIVE | CallFlag.PEER) for o in by_code.values()
    )


# -- loops -----------------------------------------------------------------------------------------


def sizes(trace: Trace) -> int:
    """Bytes of all tokens."""
    return sum(8 * len(s.whats) for s in trace.nccl_sequences.values())


def test_a_loop_is_a_handful_of_tokens(play: Play) -> None:
    (trace,) = play(STEP, times=4000)
    assert told_launches(trace) == list(launches(STEP)) * 4000
    assert told(trace, 0, SequenceKind.COLLECTIVES) == operations(STEP, 0, False) * 4000
    assert trace.nccl_sequences[0, SequenceKind.LAUNCHES].total == 4000 * STEP_SIZE > 100_000
    assert sizes(trace) < 300
    assert lost(trace) == 0


def test_a_loop_with_evaluations(play: Play) -> None:
    (trace,) = play(STEP * 100 + EVALUATION, times=30)
    launched = trace.nccl_sequences[0, SequenceKind.LAUNCHES]
    assert launched.total == 30 * (100 * STEP_SIZE + EVALUATION_SIZE)
    assert sizes(trace) < 500
    # Evaluations that are further apart than the window reaches back.
    (trace,) = play(STEP * 400 + EVALUATION, times=10)
    assert told_launches(trace) == list(launches(STEP * 400 + EVALUATION)) * 10
    assert sizes(trace) < 3000


def test_many_chunks(play: Play) -> None:
    """No order at all, and more tokens than the largest chunk has room for."""
    chance = random.Random(7)
    script = [chance.choice([0, 1, 2, 3, 6, 8]) for _ in range(20_000)]
    (trace,) = play(script)
    check(trace, script)
    assert len(trace.nccl_sequences[1, SequenceKind.COLLECTIVES].whats) > 5000


def test_a_sequence_that_takes_too_much_room_ends(play: Play) -> None:
    """What all others need is left; what it has counts."""
    chance = random.Random(8)
    script = [chance.choice([0, 1, 2, 3, 6, 8]) for _ in range(700_000)]
    (trace,) = play([0x10, *script, *STEP])
    sequence = trace.nccl_sequences[1, SequenceKind.COLLECTIVES]
    expected = operations([*script, *STEP], 0, False)
    assert 500_000 < sequence.total < len(expected) == trace.communicators[1].collectives
    assert told(trace, 0, SequenceKind.COLLECTIVES) == expected[: sequence.total]
    assert lost(trace) == len(expected) - sequence.total
    assert told(trace, 1, SequenceKind.COLLECTIVES) == [0, 1]
    assert trace.nccl_sequences[0, SequenceKind.LAUNCHES].total == 1 + len(script) + STEP_SIZE


# -- threads ---------------------------------------------------------------------------------------


def is_part_of(some: Iterable[object], whole: Iterable[object]) -> bool:
    """Whether *some* come in this order in *whole*, with others between."""
    rest = iter(whole)
    return all(one in rest for one in some)


@pytest.mark.parametrize("count", [2, 4])
def test_threads_at_once(play: Play, count: int) -> None:
    """Of each thread, on each communicator, what it did in its order.

    A thread that the system does not let go on for long enough holds up the others' operations,
    and it may be that there is no room for all of them: which is counted.
    """
    played = [scripts(100 + n, 4000) for n in range(count)]
    (trace,) = play(*played, times=5)
    threads = sorted({o.thread for o in trace.nccl_operations.values()})
    assert len(threads) == count
    missing = 0
    remaining = list(enumerate(played))
    for thread in threads:  # numbered in the order in which they began to run
        found = told_launches(trace, thread)
        number, script = next(
            (n, s) for n, s in remaining if is_part_of(found, list(launches(s)) * 5)
        )
        remaining.remove((number, script))
        missing += 5 * len(list(launches(script))) - len(found)
        for comm in range(3):
            for kind in (SequenceKind.COLLECTIVES, SequenceKind.PEERS):
                expected = operations(script, comm, kind is SequenceKind.PEERS) * 5
                part = told(trace, comm, kind, thread)
                assert is_part_of(part, expected)
                missing += len(expected) - len(part)
    assert missing == lost(trace)
    assert missing < 50_000
    for comm in trace.communicators.values():
        for kind, counted in (
            (SequenceKind.COLLECTIVES, comm.collectives),
            (SequenceKind.PEERS, comm.peers),
        ):
            if counted:
                assert trace.nccl_sequences[comm.number, kind].total == counted


# -- ends ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_killed_process_leaves_what_it_had(play: Play, seed: int) -> None:
    """It kills itself in one thread, whatever the other is doing."""
    chance = random.Random(seed)
    other, last = scripts(seed, 5000), scripts(seed + 50, 3000)
    after = chance.randrange(1, len(last))
    (trace,) = play(other, last, kill=after)
    done = last[:after]

    def begins(part: list[Any], whole: list[Any]) -> bool:
        return is_part_of(part, whole) if lost(trace) else part == whole[: len(part)]

    assert trace.nccl_operations
    for number in sorted({o.thread for o in trace.nccl_operations.values()}):
        whole = other if number == 1 else done
        assert begins(told_launches(trace, number), list(launches(whole)))
        for comm in range(3):
            for kind in (SequenceKind.COLLECTIVES, SequenceKind.PEERS):
                part = told(trace, comm, kind, number)
                expected = operations(whole, comm, kind is SequenceKind.PEERS)
                assert begins(part, expected)


def test_one_killed_thread_leaves_all(play: Play) -> None:
    script = scripts(3, 3000)
    for after in (1, 57, 1234, len(script)):
        (trace,) = play(script, kill=after)
        check(trace, script[:after])


def test_a_forked_child_starts_anew(play: Play) -> None:
    script = [code for code in scripts(5, 2000) if code & 15 != SPLIT]
    parent, child = play(script, fork=1)
    check(parent, script)
    assert {o.thread for o in child.nccl_operations.values()} == {1}
    # Communicators that were made before are found at their first use, all in one group.
    order = list(dict.fromkeys(code >> 4 for code in script if code < BEGIN))
    for number, comm in enumerate(order):
        for kind in (SequenceKind.COLLECTIVES, SequenceKind.PEERS):
            expected = operations(script, comm, kind is SequenceKind.PEERS)
            assert told(child, number, kind) == expected
    grouped = [group for _, group, _ in told_launches(child)]
    assert grouped == [1] + [2] * (len(grouped) - 1)
