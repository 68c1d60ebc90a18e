"""``lockorder analyze`` on flight-recorder dumps: the same verdicts with no probe at all."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))

from dumps import START, VERSIONS, Job, forget, stuck
from lockorder import cli

MISMATCH, CYCLE = "collective-mismatch", "communicator-order-cycle"


def analysed(folder: Path, code: int) -> list[dict[str, Any]]:
    result = folder.with_suffix(".json")
    options = ["-q", "--format", "json", "--output", str(result)]
    assert cli.main(["analyze", *options, str(folder)]) == code
    found: list[dict[str, Any]] = json.loads(result.read_bytes()).get("findings", [])
    return found


def equal(job: Job) -> None:
    for step in range(5):
        job.collective("all_reduce", (4, 8), line=10)
        job.collective("all_gather_into_tensor", (8,), output=(32,), line=20 + step % 2)


def order(job: Job) -> None:
    equal(job)
    job.collective("all_reduce", (1,), ranks=[0, 1, 2], line=31)
    job.collective("broadcast", (2,), ranks=[0, 1, 2], line=32)
    job.collective("broadcast", (2,), ranks=[3], line=32)
    job.collective("all_reduce", (1,), ranks=[3], line=31)


def size(job: Job) -> None:
    equal(job)
    job.collective("all_reduce", (3, 3), ranks=[0, 2, 3], line=41)
    job.collective("all_reduce", (3, 4), ranks=[1], line=41)


def behind(job: Job) -> None:
    equal(job)
    job.collective("all_reduce", (7,), ranks=[0, 1, 3], line=51)
    for rank in (0, 1, 3):
        stuck(job.entries[rank])


def pipeline(job: Job) -> None:
    for _ in range(3):
        for rank in range(3):
            job.pair(rank, rank + 1)


def unanswered(job: Job) -> None:
    job.pair(0, 1)
    job.pair(0, 1, ends="send")


CASES: dict[str, tuple[Callable[[Job], None], str, str]] = {
    "equal": (equal, "", ""),
    "pipeline": (pipeline, "", ""),
    "order": (order, MISMATCH, "operation 11 "),
    "size": (size, MISMATCH, "operation 11 "),
    "behind": (behind, MISMATCH, "rank 2 never came to operation 11 "),
    "unanswered": (unanswered, MISMATCH, "2nd message from rank 0 to rank 1"),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("form", ["pickle", "json"])
@pytest.mark.parametrize("case", CASES)
def test_verdicts(case: str, form: str, version: str, tmp_path: Path) -> None:
    fill, rule, text = CASES[case]
    job = Job(4, version)
    fill(job)
    folder = tmp_path / "dumps"
    folder.mkdir()
    job.write(folder, form)
    found = analysed(folder, 1 if rule else 0)
    assert [f["rule"] for f in found] == ([rule] if rule else [])
    if rule:
        assert text in found[0]["message"]
    if case == "order" and form == "pickle":
        row = next(r for r in found[0]["table"]["rows"] if r[0].startswith(">"))
        assert [cell.partition("at ")[2] for cell in row[1:]] == ["train.py:31", "train.py:32"]


def test_a_truncated_buffer_and_a_missing_rank_are_named(tmp_path: Path) -> None:
    job = Job(4)
    size(job)
    forget(job.entries[0], 4)
    forget(job.entries[2], 7)
    folder = tmp_path / "dumps"
    folder.mkdir()
    for path in job.write(folder):
        if path.name.endswith("3"):
            path.unlink()
    (found,) = analysed(folder, 1)
    assert "operation 11 " in found["message"]
    assert found["message"].endswith("nothing is known of rank 3")


def test_overdue_is_sure(tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    job = Job(4)
    behind(job)
    for path in job.write(folder):
        late = START + 3600 * 10**9
        os.utime(path, ns=(late, late))
    (found,) = analysed(folder, 1)
    assert found["confidence"] == "high"


def test_one_bad_dump_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    job = Job(4)
    size(job)
    first, *_ = job.write(folder)
    first.write_bytes(first.read_bytes()[:20] + b"\x81" * 40)
    found = analysed(folder, 2)
    assert [f["rule"] for f in found] == [MISMATCH]
    assert f"error: {first}" in capsys.readouterr().err


def test_nothing_to_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert cli.main(["analyze", str(tmp_path)]) == 2
    assert "no dump of PyTorch's flight recorder" in capsys.readouterr().err
