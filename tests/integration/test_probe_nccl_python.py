"""NCCL operations by the lines of Python that they are called from, through ctypes.

The library is that of fixtures/fake_cuda.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from selftest.support import record

import test_fake_cuda
from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.layout import SequenceKind
from runtime_probe.records import Trace
from runtime_probe.trace import FILE_PATTERN, read_trace

fakes = test_fake_cuda.fakes
SOURCES = test_fake_cuda.SOURCES

ALONE = """
import sys
from pathlib import Path
from ranks import Fakes, Size
fakes = Fakes(Path(sys.argv[1]))
(comm,), data = fakes.communicators(1), fakes.buffer([1.0] * 4)
stream, all_reduce = fakes.made("cudaStreamCreate"), fakes.collectives.ncclAllReduce
def reduce():
    all_reduce(data, data, Size(4), 7, 0, comm, stream)  # call
"""


def environment(tmp_path: Path, **settings: str) -> dict[str, str]:
    """That of a script which imports fixtures/fake_cuda/ranks.py."""
    of_ranks = {"PYTHONPATH": str(SOURCES), "TMPDIR": str(tmp_path)}
    return os.environ | of_ranks | settings


def line(path: Path, mark: str) -> int:
    """The line that ends with a comment."""
    lines = path.read_text().splitlines()
    (found,) = (n for n, text in enumerate(lines, start=1) if text.endswith(f"# {mark}"))
    return found


def play(fakes: Path, tmp_path: Path, text: str) -> tuple[Path, Trace]:
    """A script that goes on from `ALONE`, and what is recorded of it."""
    path, folder = tmp_path / "train.py", tmp_path / "traces"
    path.write_text(ALONE.lstrip("\n") + textwrap.dedent(text))
    command = [sys.executable, "-S", "-B", str(path), str(fakes)]
    done = record(command, environment(tmp_path), folder)
    assert done.code == 0, done.stderr
    (trace,) = folder.glob(FILE_PATTERN)
    return path, read_trace(trace)


def lines_of(trace: Trace, stack: int) -> list[int]:
    """The lines of the script that a stack is in, innermost first."""
    frames = trace.python_frames(stack)
    return [f.place.line for f in frames if f.place.file.endswith("/train.py")]


def told(trace: Trace) -> list[int]:
    """The operations of the communicator, in their order."""
    (sequence,) = (s for k, s in trace.nccl_sequences.items() if k[1] is SequenceKind.COLLECTIVES)
    return list(sequence.expand())


def test_two_lines_in_a_loop_are_two_operations(fakes: Path, tmp_path: Path) -> None:
    """Though the function that calls NCCL is the same."""
    path, trace = play(
        fakes,
        tmp_path,
        """
        for _ in range(5):
            reduce()  # one
            reduce()  # other
        """,
    )
    one, other = sorted(trace.nccl_operations)
    stacks = {n: trace.nccl_operations[n].stack for n in (one, other)}
    call = line(path, "call")
    assert lines_of(trace, stacks[one]) == [call, line(path, "one")]
    assert lines_of(trace, stacks[other]) == [call, line(path, "other")]
    assert told(trace) == [one, other] * 5


def test_a_loop_over_one_line_is_one_operation(fakes: Path, tmp_path: Path) -> None:
    path, trace = play(
        fakes,
        tmp_path,
        """
        def step():
            reduce()  # step
        for _ in range(100):
            step()  # loop
        """,
    )
    ((number, operation),) = trace.nccl_operations.items()
    marks = ("call", "step", "loop")
    assert lines_of(trace, operation.stack) == [line(path, mark) for mark in marks]
    assert told(trace) == [number] * 100


def test_a_line_that_is_come_to_from_two_is_two_operations(fakes: Path, tmp_path: Path) -> None:
    path, trace = play(
        fakes,
        tmp_path,
        """
        def forward():
            reduce()
        def train():
            forward()  # train
        def evaluate():
            forward()  # evaluate
        for work in (train, evaluate, train, train):
            work()
        """,
    )
    train, evaluate = sorted(trace.nccl_operations)
    for number, mark in ((train, "train"), (evaluate, "evaluate")):
        assert line(path, mark) in lines_of(trace, trace.nccl_operations[number].stack)
    assert told(trace) == [train, evaluate, train, train]


def test_calls_of_the_ring_have_the_stacks_of_their_lines(fakes: Path, tmp_path: Path) -> None:
    path, trace = play(
        fakes,
        tmp_path,
        """
        reduce()  # one
        reduce()  # other
        """,
    )
    calls = [c for c in trace.nccl_calls if trace.calls[c.call].name == "ncclAllReduce"]
    found = [lines_of(trace, call.stack)[-1] for call in calls]
    assert found == [line(path, "one"), line(path, "other")]


# -- two ranks ----------------------------------------------------------------------------------

#: Twelve lines; the collectives are in lines 8 and 10.
RANKS = """
import os, sys
from pathlib import Path
from ranks import Fakes, Size
fakes, rank = Fakes(Path(sys.argv[1])), int(os.environ["RANK"])
comm, data = fakes.communicator(rank, 2), fakes.buffer([1.0] * 4)
nccl, stream = fakes.collectives, fakes.made("cudaStreamCreate")
if rank == 0:
    nccl.ncclAllReduce(data, data, Size(4), 7, 0, comm, stream)
else:
    nccl.ncclBroadcast(data, data, Size(4), 7, 0, comm, stream)
print("issued", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def report(fakes: Path, tmp_path: Path) -> list[str]:
    """What ``lockorder analyze`` says of two ranks that were killed, the first finding first."""
    path, folder = tmp_path / "train.py", tmp_path / "traces"
    path.write_text(RANKS.lstrip("\n"))
    folder.mkdir()
    ranks = [
        subprocess.Popen(
            [sys.executable, "-S", "-B", path, fakes],
            env=preload_environment(environment(tmp_path, RANK=str(rank)), shim_path(), folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        test_fake_cuda.write(ranks[1], test_fake_cuda.read_line(ranks[0]))
        assert [test_fake_cuda.read_line(rank) for rank in ranks] == ["issued\n"] * 2
    finally:
        for rank in ranks:
            rank.kill()
            rank.communicate()
    command = [sys.executable, "-m", "lockorder", "analyze", folder]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1, done.stderr
    return done.stdout.splitlines()


def test_ranks_that_disagree_are_told_by_their_lines(report: list[str]) -> None:
    assert "[collective-mismatch]" in report[0]
    finding = report[: report.index("")]
    places = [m[1] for text in finding if (m := re.search(r"(train\.py:\d+) in <module>", text))]
    assert places == ["train.py:8", "train.py:10"]


def test_both_lines_are_in_the_first_five(report: list[str]) -> None:
    head = "\n".join(report[:5])
    assert {"train.py:8", "train.py:10"} <= set(re.findall(r"train\.py:\d+", head))
