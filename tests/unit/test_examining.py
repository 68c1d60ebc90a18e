"""An examination that cannot be had: said in one line, and in time."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lockorder.commands import examining
from lockorder.commands.common import console_of
from lockorder.hang import stacks


def told(examination: examining.Examination) -> list[str]:
    examination.join()
    return examination.tell(console_of(io.StringIO()))


def test_a_process_that_is_not_there(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    examination = examining.Examination(ended.pid, tmp_path, attach=False, stood=0.1)
    (line,) = told(examination)
    assert line.startswith(f"lockorder: the job could not be looked at: process {ended.pid}: ")
    assert examination.files == []


def test_a_mistake_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "examine", lambda *_, **__: 1 / 0)
    (line,) = told(examining.Examination(os.getpid(), tmp_path, attach=False, stood=0.1))
    assert line == (
        "lockorder: the job could not be looked at: ZeroDivisionError: division by zero"
    )


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        gone = tmp_path / "gone"
        (line,) = told(examining.Examination(process.pid, gone, attach=False, stood=0.1))
        process.kill()
    assert line.endswith("No such file or directory")
    assert str(gone) in line


def test_what_takes_too_long_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "PATIENCE", -1.0)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        examination = examining.Examination(process.pid, tmp_path, attach=True, stood=0.1)
        assert examination.over
        (line,) = examination.tell(console_of(io.StringIO()))
        assert line == "lockorder: looking at the job was cut off after -1 s"
        process.kill()
        examination.join()
    assert examination.files == []


def test_no_tool_is_begun_when_time_is_over() -> None:
    found = stacks.of_process(os.getpid(), True, until=time.monotonic())
    assert found.threads == {}
    assert all("no time was left" in problem or "install" in problem for problem in found.problems)
