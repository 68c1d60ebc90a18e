"""Starts a program of the table, waits until it stands, looks at it, ends it with its group."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lockorder.hang.procfs import tree
from scenarios import ACCUSES, Scenario, command, environment

_LIMIT = 60.0  # seconds until a program stands; ranks import PyTorch
_CPU = 300  # seconds of CPU time after which one that nobody has ended is


@dataclass(frozen=True)
class Started:
    """A program that stands, with the processes that it told of."""

    scenario: Scenario
    pid: int
    processes: dict[str, int]


@contextlib.contextmanager
def started(scenario: Scenario) -> Iterator[Started]:
    process = subprocess.Popen(
        command(scenario),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment(scenario),
        start_new_session=True,
    )
    try:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (_CPU, _CPU))
        yield Started(scenario, process.pid, _said(process))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _said(process: subprocess.Popen[bytes]) -> dict[str, int]:
    assert process.stdout is not None
    output, text, end = process.stdout.fileno(), b"", time.monotonic() + _LIMIT
    while not text.endswith(b"ready\n"):
        if not select.select([output], [], [], max(0.0, end - time.monotonic()))[0]:
            raise AssertionError(f"{process.pid}: not ready after {_LIMIT:.0f} s: {text!r}")
        got = os.read(output, 4096)
        if not got:
            raise AssertionError(f"{process.pid}: ended with {process.wait()}: {text!r}")
        text += got
    lines = [line.split() for line in text.decode().splitlines()[:-1]]
    return {line[0]: int(line[1]) for line in lines if len(line) == 2}


#: Of each thread: CPU time in nanoseconds, voluntary switches.
Look = dict[tuple[int, int], tuple[int, int]]


def look(pid: int) -> Look:
    """How far each thread of a tree has come."""
    found: Look = {}
    for process in tree(pid):
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{process}/task").iterdir():
                ran = int((task / "schedstat").read_text().split()[0])
                status = (task / "status").read_text()
                switches = int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
                found[process, int(task.name)] = ran, switches
    return found


def moved(before: Look, after: Look) -> bool:
    return before != after


@dataclass(frozen=True)
class Answer:
    """What `lockorder hang` says of a program."""

    line: str
    code: int
    seconds: float
    wrong: tuple[str, ...]  # what it should have said, or should not

    @property
    def right(self) -> bool:
        return not self.wrong


_HANG = (sys.executable, "-m", "lockorder.cli", "hang")


def first_line(program: Started) -> Answer:
    """Asks for the program and all below it; the first line and what is wrong with it."""
    return _asked(program, [*_HANG, "--wait", "1", "--pid", str(program.pid)])


def of_cores(program: Started) -> Answer:
    """The same of cores of all its processes, which gdb's gcore writes."""
    with tempfile.TemporaryDirectory(prefix="cores-") as folder:
        words = list(_HANG)
        for pid in tree(program.pid):
            subprocess.run(
                ["gcore", "-o", f"{folder}/core", str(pid)], capture_output=True, check=False
            )
            if Path(f"{folder}/core.{pid}").exists():  # one that has ended has none
                words += ["--core", f"{folder}/core.{pid}"]
        return _asked(program, words)


def _asked(program: Started, words: list[str]) -> Answer:
    begun = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=180)
    except subprocess.TimeoutExpired:
        return Answer("", -1, time.monotonic() - begun, ("an answer",))
    seconds = time.monotonic() - begun
    line = (done.stdout.splitlines() or [""])[0]
    return Answer(line, done.returncode, seconds, judged(program, line, done.returncode))


def judged(program: Started, line: str, code: int) -> tuple[str, ...]:
    """What is wrong: patterns that are missing, words that accuse who is well, the exit code."""
    scenario = program.scenario
    wrong = scenario.missing(line, program.processes)
    if not scenario.hung and (accused := ACCUSES.search(scenario.words(line))):
        wrong.append(f"not {json.dumps(accused[0])}")
    if "not a deadlock" in line:  # which says nothing of what it is instead
        wrong.append('not "not a deadlock"')
    if code != int(scenario.hung) and not (scenario.claim == "outside" and code == 0):
        wrong.append(f"exit {int(scenario.hung)}")
    return tuple(wrong)
