"""Which tool gives native stacks, by what is there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lockorder.hang import stacks

GDB = """#!/bin/sh
echo "$0 $*" >> {log}
echo 'Thread 1 (Thread 0x7f00 (LWP 41) "main"):'
echo '#0  futex_wait (word=...) at futex.c:12'
echo '#1  main () at main.c:7'
"""


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A search path with nothing but what a test puts there, and a place for what is said."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def waiting() -> Iterator[int]:
    """A process that waits until it is told to end."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid
        process.communicate(b"\n")


def put(folder: Path, tool: str) -> Path:
    log = folder.parent / f"{tool}.log"
    (folder / tool).write_text(GDB.format(log=log))
    (folder / tool).chmod(0o755)
    return log


@pytest.fixture(autouse=True)
def plain_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    assert os.access("/bin/sh", os.X_OK)


def test_cuda_gdb_serves_where_nothing_else_is(tools: Path, waiting: int) -> None:
    log = put(tools, "cuda-gdb")
    found = stacks.of_process(waiting, python=False)
    assert found.tool == "cuda-gdb"
    assert [f.function for f in found.threads[41].chain] == ["main", "futex_wait"]
    assert f"-p {waiting}" in log.read_text()


def test_gdb_comes_first(tools: Path, waiting: int) -> None:
    put(tools, "gdb")
    log = put(tools, "cuda-gdb")
    assert stacks.of_process(waiting, python=False).tool == "gdb"
    assert not log.exists()


def test_it_never_stops_a_process_with_cuda_in_it(
    tools: Path, waiting: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = put(tools, "cuda-gdb")
    monkeypatch.setattr(stacks, "_has_cuda", lambda _pid: True)
    found = stacks.of_process(waiting, python=False)
    assert not found.threads
    assert any("gdb" in problem for problem in found.problems)
    assert not log.exists()


def test_a_process_that_cannot_be_looked_at_may_have_it() -> None:
    assert stacks._has_cuda(2**22 + 1)
    assert not stacks._has_cuda(os.getpid())


def test_of_a_core_it_reads_whatever_was_in_it(tools: Path, tmp_path: Path) -> None:
    log = put(tools, "cuda-gdb")
    found = stacks.of_core(tmp_path / "core.41", Path("/bin/true"), python=False)
    assert found.tool == "cuda-gdb"
    assert f"-c {tmp_path}/core.41" in log.read_text()
