"""``lockorder run --live``: what is seen, the keys, and a terminal that is left as it was."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from terminals import Terminal

pytestmark = pytest.mark.timeout(60)
ROWS, COLUMNS = 24, 120
#: Its first thread waits for the next step; that is told when it has lasted for a second.
READY = r"^\d+ +(?:runs|waits) +3 "
LOCKORDER = [sys.executable, "-m", "lockorder", "run"]


class Job:
    """The program with two threads and two locks (fixtures/programs/inversion.c), step by step."""

    def __init__(self, program: Path, folder: Path) -> None:
        fifo = folder / "steps"
        os.mkfifo(fifo)
        self.command = [str(program), str(fifo)]
        self.run = [*LOCKORDER, "-o", str(folder / "traces"), "--live", "--", *self.command]
        # Both ways: it is there before the program opens it, and never at its end.
        self._steps = os.open(fifo, os.O_RDWR)

    def step(self) -> None:
        os.write(self._steps, b"\n")

    def close(self) -> None:
        os.close(self._steps)


@pytest.fixture
def job(build_program: Callable[[str], Path], tmp_path: Path) -> Iterator[Job]:
    made = Job(build_program("inversion"), tmp_path)
    yield made
    made.close()


@pytest.fixture
def view(job: Job) -> Terminal:
    return Terminal(job.run, ROWS, COLUMNS, cooked=True)


def echoes(terminal: Terminal) -> bool:
    return bool(terminal.modes()[3] & termios.ECHO) and bool(terminal.modes()[3] & termios.ICANON)


def test_a_cycle_is_told_at_once_and_a_wait_with_its_holder(job: Job, view: Terminal) -> None:
    view.until_seen(READY)
    job.step()
    first = view.until_seen(r"lock_a +lock_b")
    assert not any("CYCLE" in line for line in first.lines)
    job.step()
    view.until_seen(r"LOCK-ORDER CYCLE \d+: lock_[ab] → lock_[ab] → lock_[ab]; threads \d+ ")
    view.until_seen(r"lock_b +lock_a +.* CYCLE$")
    job.step()
    shown = view.until_seen(r"lock_a +\d.* s +\d+ holder$")
    assert shown.lines[0] == "step 1 done"  # and what the command wrote stands above
    assert shown.bottom < ROWS - 8
    # A name that would clear the screen is text.
    assert any(r"evil\x1b[2J\x1b]0;x" in line for line in shown.lines)
    assert b"\x1b[2J" not in view.written
    job.step()
    assert view.end() == 3
    assert "[lock-order-cycle]" in view.written.decode()
    assert (view.screen.top, view.screen.bottom) == (0, ROWS - 1)


def test_a_wait_that_no_hook_shows_is_a_wait(job: Job, view: Terminal) -> None:
    shown = view.until_seen(r"^\d+ +waits +3 +1 ")
    assert any(re.match(r"\d+ +\d+ inversion +read +\d\.\d s$", line) for line in shown.lines)
    for _ in range(4):
        job.step()
    assert view.end() == 3


def test_q_leaves_the_view_and_not_the_job(job: Job, view: Terminal) -> None:
    view.until_seen("q leave the view")
    assert not echoes(view)
    view.send(b"q")
    screen = view.until_seen(r"^lockorder \d:\d\d  1 process ")
    assert STATUS_LINE.search(screen.lines[-1])
    assert screen.bottom == ROWS - 2
    assert not any("q leave" in line for line in screen.lines)
    assert echoes(view)
    for _ in range(4):
        job.step()
    assert view.end() == 3


STATUS_LINE = re.compile(r"^lockorder \d:\d\d  1 process ")


def test_tab_chooses_a_table_and_plus_makes_room(job: Job, view: Terminal) -> None:
    view.until_seen("q leave the view")
    before = len(view.written)
    job.step()
    view.until_seen(r"lock_a +lock_b")
    view.send(b"\t")
    # The first thread's own wait is a table, too, where it has lasted.
    chosen = r"\x1b\[1;30;46m(?:New orders|Waiting)"
    view.until(chosen, before)
    low = view.until_seen("New orders").bottom
    view.send(b"-")
    while view.until_seen("New orders").bottom == low:
        assert view.read()
    for _ in range(3):
        job.step()
    assert view.end() == 3


def test_the_terminal_is_as_it_was(job: Job, view: Terminal) -> None:
    before = view.modes()
    view.until_seen("q leave the view")
    assert view.modes() != before
    for _ in range(4):
        job.step()
    view.until("traces: ")
    assert view.modes() == before
    assert view.end() == 3
    assert (view.screen.top, view.screen.bottom) == (0, ROWS - 1)


def test_a_job_that_is_killed(job: Job, view: Terminal) -> None:
    before = view.modes()
    shown = view.until_seen(READY)
    (line,) = [line for line in shown.lines if re.match(READY, line)]
    os.kill(int(line.split()[0]), 9)
    view.until("traces: ")
    assert view.modes() == before
    assert view.end() == 128 + 9
    assert (view.screen.top, view.screen.bottom) == (0, ROWS - 1)


def test_ctrl_c_goes_to_the_job(job: Job, view: Terminal) -> None:
    before = view.modes()
    view.until_seen(READY)
    view.send(b"\x03")
    view.until("traces: ")
    assert view.modes() == before
    assert view.end() == 128 + 2


def test_another_size(job: Job, view: Terminal) -> None:
    view.until_seen("q leave the view")
    at = len(view.written)
    view.resize(ROWS + 6, COLUMNS)
    view.until(rf"\x1b\[{ROWS + 6};1H", at)
    view.resize(5, 40)  # no room: all is the command's
    view.until(r"\x1b\[r", at)
    at = len(view.written)
    view.resize(ROWS, COLUMNS)
    view.until(rf"\x1b\[{ROWS};1H", at)
    for _ in range(4):
        job.step()
    assert view.end() == 3


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell that manages jobs")
def test_ctrl_z_gives_the_terminal_back(job: Job) -> None:
    bash = shutil.which("bash") or ""
    script = f"set -m; {shlex.join(job.run)}; echo stopped; read line; fg >/dev/null; echo code $?"
    view = Terminal([bash, "-c", script], ROWS, COLUMNS, cooked=True)
    before = view.modes()
    view.until_seen("q leave the view")
    view.send(b"\x1a")
    screen = view.until_seen("^stopped")
    assert (screen.top, screen.bottom) == (0, ROWS - 1)
    assert not any("q leave" in line for line in screen.lines)
    assert view.modes()[3] == before[3]
    view.send(b"\n")
    view.until_seen("q leave the view")
    assert not echoes(view)
    for _ in range(4):
        job.step()
    view.until("code 3")
    assert view.end() == 0
    assert (view.screen.top, view.screen.bottom) == (0, ROWS - 1)


def test_threads_in_a_deadlock(build_program: Callable[[str], Path], tmp_path: Path) -> None:
    run = [*LOCKORDER, "-o", str(tmp_path), "--live", "--", str(build_program("standing"))]
    view = Terminal([*run, "deadlock"], ROWS, COLUMNS)
    view.until_seen(
        r"^DEADLOCK \d+: \d+ standing waits for lock_[ab], \d+ standing waits for lock_"
    )
    view.send(b"\x03")
    assert view.end() == 128 + 2


@pytest.mark.parametrize("term", ["", "dumb"])
def test_without_a_terminal_nothing_is_run(tmp_path: Path, term: str) -> None:
    ran = tmp_path / "ran"
    command = [*LOCKORDER, "-o", str(tmp_path / "traces"), "--live", "--", "touch", str(ran)]
    if term:
        view = Terminal(command, ROWS, COLUMNS, term=term)
        assert (view.end(), b"--live needs a terminal" in view.written) == (2, True)
    else:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, "--live needs a terminal" in done.stderr) == (2, True)
    assert not ran.exists()
