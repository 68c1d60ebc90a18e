"""A hung job on one screen: of one process and of 512 ranks, word by word and by its size."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs import line, process, thread, waits, who
from lockorder.commands.hang import diagnosis
from lockorder.hang.collected import Collected
from lockorder.model import Document, Level, ProcessState
from lockorder.recorded.merge import Batch
from lockorder.report import formats
from lockorder.report.excerpts import Excerpts
from report_documents import texts

#: Rows and columns of a terminal that is not large.
ROWS, COLUMNS = 50, 200


def judged(processes: Sequence[ProcessState]) -> Document:
    found = Collected()
    found.processes = list(processes)
    return diagnosis(Batch(), found)


def screen(document: Document, root: Path = Path("/nowhere")) -> list[str]:
    data = formats.render(document, "text", Excerpts(root)).data
    return [each.rstrip() for each in data.decode().splitlines()]


def rank(number: int, at: int = 88, operation: str = "all_reduce", **more: object) -> ProcessState:
    """A rank that waits for others, with a thread of a library's."""
    pid = 1000 + number
    stack = (line("train.py", 9), line("train.py", at, "step"))
    first = thread(
        pid, waits("ranks", lock=operation, timed=True), operation=operation, line=stack[-1],
        chain=stack,
    )  # fmt: skip
    other = thread(pid + 100_000, waits(by=(pid,)), name="pt_autograd", line=None)
    name = f"rank {number}, process {pid} on a"
    return process(pid, first, other, rank=number, role="rank", name=name, **more)


def crossed(pid: int, **more: object) -> ProcessState:
    """A process of two threads in a cycle."""
    sides = [
        thread(
            tid, waits(owners=(who(pid, other),), lock=lock), name=name, chain=(at,), line=at,
            doing=f"waits for Python lock {lock}",
        )
        for tid, other, lock, name, at in (
            (pid, 7, "cache_lock", "MainThread", line("train.py", 2)),
            (7, pid, "queue_lock", "loader", line("load.py", 50, "fill")),
        )
    ]  # fmt: skip
    return process(pid, *sides, **more)


def test_one_process(tmp_path: Path) -> None:
    """Sources are shown where they are there."""
    (tmp_path / "job").mkdir()
    (tmp_path / "job/train.py").write_text("import cache\n    with cache_lock:  # <b>\n")
    document = judged([crossed(5)])
    for place in document.findings[0].participants:
        assert place.taken is not None
    assert screen(document) == [
        "2 threads of process 5 are deadlocked: thread 5:5 waits for the Python lock cache_lock at "
        "train.py:2, which thread 5:7 has; thread 5:7 waits for the Python lock queue_lock at "
        "load.py:50, which thread 5:5 has",
        "",
        "MainThread  waits for Python lock cache_lock at train.py:2",
        "loader      waits for Python lock queue_lock at load.py:50",
        "",
        "thread 5:5",
        "  /job/train.py:2 in main",
        "thread 5:7",
        "  /job/load.py:50 in fill",
        "confidence: high (each waits for what the next one has, and no wait ends by itself before "
        "long)",
        "fix: take the locks in one order everywhere, and wait for threads with none held",
    ]


def test_source_lines_are_shown(tmp_path: Path) -> None:
    at = tmp_path / "train.py"
    at.write_text("import queue\n    item = work.get()\n")
    frame = line("train.py", 2)
    frame = type(frame)("step", str(at), 2)
    document = judged(
        [process(5, thread(5, waits(by=(5,)), operation="Queue.get", line=frame, chain=(frame,)))]
    )
    text = screen(document, tmp_path)
    assert text[0].startswith("nothing can wake process 5 any more: ")
    assert "is in Queue.get (it is empty) at train.py:2" in text[0]
    assert "    | item = work.get()" in text


def test_512_ranks_of_which_one_does_not_come() -> None:
    odd = crossed(1003, rank=3, role="rank", name="rank 3, process 1003 on a")
    document = judged([*(rank(n) for n in range(512) if n != 3), odd])
    text = screen(document)
    assert text[0].startswith("rank 3 holds up the job: rank 3 is deadlocked: thread 1003:1003 ")
    assert text[0].endswith(
        ". ranks 0-2, 4-511 in all_reduce at train.py:88, called at train.py:9 wait for it"
    )
    assert text[2:4] == [
        "ranks 0-2, 4-511  all_reduce at train.py:88",
        "rank 3            waits for Python lock cache_lock at train.py:2",
    ]
    fits(text)


@pytest.mark.parametrize("places", [2, 3, 64, 512])
def test_512_ranks_in_different_places(places: int) -> None:
    """However they are mixed, and where each is somewhere else."""
    ranks = [rank(n, 80 + n % places, f"operation_{n % places}") for n in range(512)]
    text = screen(judged(ranks))
    assert text[0].startswith("ranks wait in different collectives: ")
    assert len(text[0]) < 3 * COLUMNS
    fits(text)


def test_512_ranks_with_workers_that_move() -> None:
    now = time.time()
    ranks = [rank(n) for n in range(512)]
    workers = [
        process(
            5000 + n, thread(5000 + n, waits("io", by=(1000 + n // 2,)), operation="Queue.get"),
            rank=n // 2, role="worker", name=f"worker {n}",
        )
        for n in range(1024)
    ]  # fmt: skip
    launcher = process(
        1, thread(1, waits("sleep", timed=True), doing="sleeps", since=now - 600), role="launcher"
    )
    text = screen(judged([launcher, *ranks, *workers]))
    assert "ranks 0-511" in "\n".join(text)
    fits(text)


def test_workers_of_no_rank() -> None:
    """Their parent has none, either."""
    parent = process(1, thread(1, waits("io", by=(2, 3)), operation="Queue.get"))
    workers = [
        process(n, thread(n, waits("io", by=(1,)), line=None), role="worker") for n in (2, 3)
    ]
    text = "\n".join(screen(judged([parent, *workers])))
    assert "workers 2, 3" in text
    assert "some rank" not in text


def test_many_threads_that_stand_by_are_one_row() -> None:
    since = time.time() - 600
    first = thread(
        1, waits(by=(1,), lock="q"), name="MainThread", operation="Queue.get", since=since,
        line=line("t.py", 5),
    )  # fmt: skip
    pool = [thread(n, waits(by=(1,), lock="p"), line=None, name=f"w-{n}") for n in range(2, 300)]
    document = judged([process(1, first, *pool)])
    text = screen(document)
    assert text[2].startswith("MainThread  Queue.get (it is empty) at t.py:5")
    assert text[2].endswith("(10 min)")
    assert text[3] == "298 more    stand by for work (w-10, w-100, w-101 ...)"
    assert "298 of them are taken to stand by" in "\n".join(text)
    fits(text)


def test_what_moves_is_said_to() -> None:
    moving = [rank(n) for n in (0, 1)]
    working = process(
        1002, thread(1002, moved="works", line=line("train.py", 5)), rank=2, role="rank",
        name="rank 2",
    )  # fmt: skip
    document = judged([*moving, working])
    text = screen(document)
    assert all(f.level is Level.NOTE for f in document.findings)
    assert [each.split("  ")[0] for each in text[2:4]] == ["ranks 0-1", "rank 2"]
    assert text[3].split("  ")[-1].strip() == "moves"
    assert "computing at train.py:5" in text[3]


def fits(text: Sequence[str]) -> None:
    """All of it is on one screen, lines that are longer than it is wide counted as they are."""
    assert sum(1 + max(0, len(each) - 1) // COLUMNS for each in text) <= ROWS, "\n".join(text)


_names = texts | st.sampled_from(["", "x" * 300])


@given(
    st.lists(
        st.tuples(_names, _names, st.integers(-1, 3), st.sampled_from(["", "rank", "worker"])),
        min_size=1, max_size=30,
    )
)  # fmt: skip
def test_any_names(facts: list[tuple[str, str, int, str]]) -> None:
    """Whatever stands in names and lines: nothing that a terminal obeys comes out."""
    job = [
        process(
            n, thread(n, waits(by=(n,), what=what), name=name, operation=what, doing=name),
            rank=number, role=role, name=f"process {n}",
        )
        for n, (name, what, number, role) in enumerate(facts, 1)
    ]  # fmt: skip
    text = formats.render(judged(job), "text", Excerpts(Path("/nowhere"))).data.decode()
    assert not set("\x1b\x07\x00\u202e\u2066") & set(text)
