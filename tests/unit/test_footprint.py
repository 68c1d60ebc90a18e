"""The cost of communicators: the line through it, variables that multiply it, how it is told."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from lockorder.footprint import Budget, Line, fit, size, version_text
from lockorder.knowledge import builtin
from lockorder.model import Confidence, Document, Finding, Level, decode, encode
from lockorder.recorded.analyse import read_files, to_document
from lockorder.report import text
from lockorder.report.excerpts import Excerpts
from lockorder.rules.footprint_settings import effects
from runtime_probe.footprint_records import FootprintFlag, Known, Phase, Usage
from traces import Program, Recording

GOLDEN = Path(__file__).parents[1] / "golden" / "footprint.txt"
RULE = "communicator-footprint"
MIB, GIB = 1 << 20, 1 << 30
EVERYTHING = Known.STATUS | Known.MAPS | Known.FILES | Known.DEVICE
EMPTY = Usage(1, *[0] * 9, 80 * GIB, 80 * GIB, 0, 0, 10, 20, EVERYTHING)


def more(usage: Usage, **gained: int) -> Usage:
    """*usage* a nanosecond later, with so much more of each."""
    values = {name: getattr(usage, name) + much for name, much in gained.items()}
    return usage._replace(time_ns=usage.time_ns + 1, **values)


# -- the line --------------------------------------------------------------------------------------

AMOUNTS = st.integers(0, 10**10).map(float)


@given(base=AMOUNTS, each=AMOUNTS, number=st.integers(2, 200))
def test_a_line_is_found(base: float, each: float, number: int) -> None:
    """The first one pays for what all share."""
    line = fit([(8, base + each)] + [(8, each)] * (number - 1))
    assert line.points == number
    assert line.each == pytest.approx(each, rel=1e-6, abs=1e-3 * (1 + base))
    assert line.at(1000, 8) == pytest.approx(base + 1000 * each, rel=1e-3, abs=1)
    assert line.fit == pytest.approx(1, abs=1e-6)


@given(
    base=AMOUNTS, each=AMOUNTS, per_rank=AMOUNTS,
    sizes=st.lists(st.integers(1, 4096), min_size=6, max_size=100, unique=True),
)  # fmt: skip
def test_ranks_count_where_they_vary(
    base: float, each: float, per_rank: float, sizes: list[int]
) -> None:
    rows = [(n, each + per_rank * n + (base if i == 0 else 0)) for i, n in enumerate(sizes)]
    line = fit(rows)
    assert line.fit == pytest.approx(1, abs=1e-6)
    total, ranks = sum(cost for _, cost in rows), sum(sizes)
    told = line.at(len(sizes), ranks / len(sizes))
    assert told == pytest.approx(total, rel=1e-4, abs=1)


@given(
    rows=st.lists(st.tuples(st.integers(1, 64), AMOUNTS), min_size=2, max_size=40),
    wrong=st.tuples(*[st.floats(-1e8, 1e8)] * 3),
)
def test_no_other_line_is_nearer(
    rows: list[tuple[int, float]], wrong: tuple[float, float, float]
) -> None:
    line = fit(rows)

    def left(base: float, each: float, per_rank: float) -> float:
        total = ranks = error = 0.0
        for number, (mine, cost) in enumerate(rows, 1):
            total, ranks = total + cost, ranks + mine
            error += (total - base - each * number - per_rank * ranks) ** 2
        return error

    best = left(line.base, line.each, line.per_rank)
    # A line without ranks is not compared with those that have them.
    rank = wrong[2] if line.per_rank else 0.0
    other = left(line.base + wrong[0], line.each + wrong[1], line.per_rank + rank)
    assert best <= other * (1 + 1e-6) + 1
    assert line.fit <= 1


def test_few_points() -> None:
    assert fit([]) == Line()
    assert fit([(2, 5.0)]) == Line(each=5.0, points=1)
    assert fit([(2, 7.0), (4, 5.0)]) == Line(2.0, 5.0, points=2)
    assert fit([(2, 0.0)] * 5).fit == 1


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0"), (300, "0"), (340 << 10, "340 KiB"), (3 * MIB // 2, "1.5 MiB"), (2 * GIB, "2.0 GiB"),
     (3 << 40, "3.0 TiB"), (1023.99 * MIB, "1,024.0 MiB")],
)  # fmt: skip
def test_sizes(number: float, said: str) -> None:
    assert size(number) == said


# -- variables -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "version", "pinned", "said"),
    [
        ("NCCL_WORK_FIFO_DEPTH=4194304", 22005, 2 * GIB, "2.0 GiB of pinned host memory"),
        ("NCCL_WORK_FIFO_DEPTH=0x400000", 22105, 2 * GIB, "(65,536 by default)"),
        ("NCCL_WORK_FIFO_DEPTH=4194305", 22105, 32 * MIB, "32.0 MiB"),  # ignored: no power of two
        ("NCCL_WORK_FIFO_DEPTH=4194304", 22203, 0, "does nothing in NCCL 2.22.3: gone as of 2.22"),
        ("NCCL_WORK_FIFO_DEPTH=4194304", 2708, 0, "does nothing in NCCL 2.7.8: not there yet"),
        ("NCCL_WORK_FIFO_DEPTH=4194304", 0, 2 * GIB, "in NCCL 2.13 and newer, before 2.22"),
        ("NCCL_WORK_FIFO_BYTES=4294967296", 22809, GIB, "1.0 GiB"),  # 1 GiB at most
        ("NCCL_BUFFSIZE=8388608", 22809, 0, "(4,194,304 by default)"),
        ("NCCL_SHM_DISABLE=1", 22809, 0, "over the network"),
    ],
)
def test_variables(variable: str, version: int, pinned: int, said: str) -> None:
    (found,) = effects(dict([variable.split("=")]), version, builtin().settings)
    assert (found.bytes, found.multiplies) == (pinned, "does nothing" not in said)
    assert found.text.startswith(variable)
    assert said in found.text


@pytest.mark.parametrize(
    "variable",
    ["NCCL_WORK_FIFO_DEPTH=65536", "NCCL_BUFFSIZE=1048576", "NCCL_BUFFSIZE=lots", "NCCL_DEBUG=INFO",
     "NCCL_SHM_DISABLE=0", "NCCL_MAX_NCHANNELS=4", "NCCL_COMM_SPLIT_SHARE_RESOURCES=1"],
)  # fmt: skip
def test_variables_that_cost_nothing(variable: str) -> None:
    version = 22105
    assert not effects(dict([variable.split("=")]), version, builtin().settings)


def test_every_variable_has_a_range_of_versions() -> None:
    for name, setting in builtin().settings.items():
        assert name.startswith("NCCL_")
        bounds = [tuple(map(int, b.split("."))) for b in (setting.since, setting.until) if b]
        assert bounds == sorted(bounds)


@pytest.mark.parametrize(("number", "said"), [(22809, "2.28.9"), (2708, "2.7.8"), (0, "")])
def test_versions(number: int, said: str) -> None:
    assert version_text(number) == said


# -- what is told ----------------------------------------------------------------------------------


def rank(
    number: int,
    program: Program,
    communicators: int = 4,
    pinned: int = 2 * GIB,
    settings: dict[str, str] | None = None,
    flags: int = 0,
    memory: int = 1 << 40,
    shm: int = 512 * GIB,
) -> Recording:
    """A rank that makes communicators in a loop, and uses them."""
    r = Recording(program, pid=100 + number, rank=number, bias=0x5500_0000_0000 + (number << 32))
    r.thread("main")
    init, reduce = r.call("ncclCommInitRank", 4, 64), r.call("ncclAllReduce", 0, 18)
    stack = r.stack(("init_groups", "groups.cpp", 41), ("main", "train.cpp", 7))
    r.environment(settings, version=22105, memory=memory, shm=shm)
    usage = EMPTY
    numbers = []
    for n in range(communicators):
        comm = r.communicator(0xC0 + n, n + 1, ranks=8, rank=number, made_by=init)
        numbers.append(comm)
        after = more(usage, driver_mapped=pinned, anonymous=3 * MIB, shared_mapped=8 * MIB,
                     threads=2, files=5, device_free=-20 * MIB)  # fmt: skip
        r.footprint([comm], usage, after, call=init, stack=stack, flags=flags)
        usage = after
    for comm in numbers:
        after = more(usage, device_free=-100 * MIB, anonymous=MIB)
        r.footprint([comm], usage, after, phase=Phase.FIRST_COLLECTIVE, call=reduce)
        usage = after
    return r


def judged(folder: Path, *ranks: Recording, budget: Budget | None = None) -> Document:
    paths = [r.write(folder) for r in ranks]
    batch = read_files(paths, ranks[0].program)
    assert not batch.problems
    document = to_document(batch, frozenset({RULE}), budget=budget)
    assert decode(encode(document)) == document
    return document


def only(document: Document) -> Finding:
    (found,) = document.findings
    return found


def test_golden_text(tmp_path: Path) -> None:
    program = Program()
    fifo = {"NCCL_WORK_FIFO_DEPTH": "4194304", "NCCL_BUFFSIZE": "16777216"}
    ranks = [rank(n, program, settings=fifo, memory=1 << 39) for n in range(2)]
    ranks.append(rank(2, program, 5, settings=fifo, memory=1 << 39))
    out = io.StringIO()
    console = Console(file=out, width=100)
    text.write(judged(tmp_path, *ranks), Excerpts(tmp_path), console)
    assert out.getvalue().replace(f"{tmp_path}/", "") == GOLDEN.read_text()


def test_enough_room_is_a_note(tmp_path: Path) -> None:
    found = only(judged(tmp_path, rank(0, Program(), pinned=MIB)))
    assert (found.level, found.confidence) == (Level.NOTE, Confidence.HIGH)


def test_what_was_seen_is_too_much(tmp_path: Path) -> None:
    found = only(judged(tmp_path, rank(0, Program()), budget=Budget(8000)))
    assert found.level is Level.WARNING
    assert "8.0 GiB in rank 0, more than 7.8 GiB, the limit that is configured" in found.message


def test_ranks_of_a_machine_share_its_memory(tmp_path: Path) -> None:
    """64 of them: 128 GiB, of 1 TiB: enough for one rank, not for four."""
    program = Program()
    (tmp_path / "one").mkdir()
    assert only(judged(tmp_path / "one", rank(0, program))).level is Level.NOTE
    found = only(judged(tmp_path, *[rank(n, program) for n in range(4)]))
    assert found.level is Level.WARNING
    assert "a quarter of the machine's memory, over 4 ranks" in found.message
    assert "a line through 4 communicators explains 100.0%" in found.reason


def test_shared_memory_has_a_limit_of_its_own(tmp_path: Path) -> None:
    found = only(judged(tmp_path, rank(0, Program(), pinned=MIB, shm=64 * MIB)))
    assert found.level is Level.WARNING
    assert "more than the 64.0 MiB of /dev/shm" in found.message
    assert "--shm-size" in found.fix


def test_one_communicator_is_no_line(tmp_path: Path) -> None:
    """What the first one costs says little of the next, unless a variable says it."""
    (tmp_path / "measured").mkdir()
    found = only(judged(tmp_path / "measured", rank(0, Program(), 1), budget=Budget(4096)))
    assert found.level is Level.NOTE
    fifo = {"NCCL_WORK_FIFO_DEPTH": "4194304"}
    asked = rank(0, Program(), 1, pinned=MIB, settings=fifo)
    found = only(judged(tmp_path, asked, budget=Budget(4096)))
    assert (found.level, found.confidence) == (Level.WARNING, Confidence.MEDIUM)
    assert "by the size that the variable asks for" in found.reason
    assert found.fix.startswith("unset NCCL_WORK_FIFO_DEPTH")


@pytest.mark.parametrize("flag", [FootprintFlag.OVERLAPPED, FootprintFlag.IN_PROGRESS])
def test_what_spoils_a_measurement_is_said(tmp_path: Path, flag: FootprintFlag) -> None:
    assert only(judged(tmp_path, rank(0, Program(), flags=flag))).confidence is Confidence.LOW


def test_what_failed_costs_nothing(tmp_path: Path) -> None:
    found = only(judged(tmp_path, rank(0, Program(), flags=FootprintFlag.FAILED)))
    assert "2.0 GiB" not in found.message


def test_pinned_memory_is_counted_once(tmp_path: Path) -> None:
    """Seen in a mapping of the driver, or asked for and resident: never both."""
    r = Recording(rank=0)
    init = r.call("ncclCommInitRank", 4, 64)
    stack = r.stack(("init", "a.cpp", 4), ("main", "a.cpp", 7))
    gains = [
        {"driver_mapped": 64 * MIB, "host_asked": 64 * MIB, "anonymous": 2 * MIB},
        {"anonymous": 66 * MIB, "host_asked": 64 * MIB},
        {"anonymous": 66 * MIB, "pinned": 64 * MIB},
        {"zero_mapped": 64 * MIB, "anonymous": 2 * MIB},
    ]
    for number, gained in enumerate(gains):
        comm = r.communicator(0xC0 + number, 1, ranks=1, made_by=init)
        r.footprint([comm], EMPTY, more(EMPTY, **gained), call=init, stack=stack)
    (process,) = read_files([r.write(tmp_path)], r.program).footprints
    assert (process.total.pinned, process.total.host) == (4 * 64 * MIB, 4 * 2 * MIB)


def test_the_limit_of_a_control_group_counts(tmp_path: Path) -> None:
    r = rank(0, Program())
    r.environment(memory=1 << 40, limit=1 << 33)
    (process,) = read_files([r.write(tmp_path)], r.program).footprints
    assert process.memory == 1 << 33
