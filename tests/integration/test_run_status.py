"""The status line of ``lockorder run``, and that the job's own output stays whole beside it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from screens import Screen
from terminals import Terminal

pytestmark = pytest.mark.timeout(60)
ROWS, COLUMNS = 8, 120
STATUS = re.compile(r"lockorder .*[0-9]+:[0-9][0-9]  1 process  ")
#: Writes numbered lines and one without an end; goes on with each byte on its stdin.
WRITER = """
import sys, threading
lock = threading.Lock()
for number in range(20):
    print(f"line {number}")
print("an open", end=" ", flush=True)
sys.stdin.read(1)
print("line")
for number in range(20, 40):
    print(f"line {number}", flush=True)
sys.stdin.read(1)
"""
OUTPUT = [f"line {n}" for n in range(20)] + ["an open line"] + [f"line {n}" for n in range(20, 40)]


def on_terminal(tmp_path: Path, *arguments: str, term: str = "xterm") -> Terminal:
    script = tmp_path / "writer.py"
    script.write_text(WRITER)
    run = [sys.executable, "-m", "lockorder", "run", "-o", str(tmp_path / "traces"), *arguments]
    return Terminal([*run, "--", sys.executable, str(script)], ROWS, COLUMNS, term=term)


def test_the_jobs_output_stays_whole_beside_the_line(tmp_path: Path) -> None:
    terminal = on_terminal(tmp_path)
    terminal.until(STATUS.pattern)
    seen = Screen(ROWS, COLUMNS)
    seen.feed(terminal.written.decode())
    assert STATUS.match(seen.lines[-1])
    assert seen.lines[-2] == "an open "
    assert (seen.row, seen.column) == (ROWS - 2, len("an open "))
    assert len(seen.lines[-1]) < COLUMNS
    terminal.send(b"x")
    terminal.until("line 39")
    at = len(terminal.written)
    while STATUS.search(terminal.written[at:].decode()) is None:
        assert terminal.read()
    terminal.send(b"x")
    assert terminal.end() == 0
    shown = [*terminal.screen.history, *terminal.screen.lines]
    start = shown.index("line 0")
    assert shown[start : start + len(OUTPUT)] == OUTPUT
    assert not any(STATUS.search(line) for line in shown)
    assert (terminal.screen.top, terminal.screen.bottom) == (0, ROWS - 1)


@pytest.mark.parametrize(("arguments", "term"), [(["-q"], "xterm"), ([], "dumb")])
def test_no_line_where_it_is_not_wanted(tmp_path: Path, arguments: list[str], term: str) -> None:
    terminal = on_terminal(tmp_path, *arguments, "--hang-timeout", "1", term=term)
    terminal.until("nothing has moved")  # so it was looked at
    terminal.send(b"xx")
    assert terminal.end() == 0
    assert b"\x1b" not in terminal.written


def test_no_line_where_stderr_is_no_terminal(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lockorder", "run", "-o", str(tmp_path / "traces"),
               "--hang-timeout", "1", "--"]  # fmt: skip
    program = [sys.executable, "-c", "import sys; sys.stdin.read(1)"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *program], stdin=pipe, stderr=pipe, text=True) as run:
        assert run.stdin is not None
        assert run.stderr is not None
        first = run.stderr.readline()
        run.stdin.close()
        rest = run.stderr.read()
    assert "nothing has moved" in first
    assert "\x1b" not in first + rest


def test_the_longest_wait_is_named(build_program: Callable[[str], Path], tmp_path: Path) -> None:
    program = str(build_program("standing"))
    terminal = Terminal(
        [sys.executable, "-m", "lockorder", "run", "-o", str(tmp_path / "traces"),
         "--hang-timeout", "3", "--on-hang", "kill", "--", "env", "RANK=3", program, "deadlock"],
        ROWS, COLUMNS,
    )  # fmt: skip
    assert terminal.end() == 124
    text = terminal.written.decode()
    assert re.search(
        r"of 1 rank .* 3 threads wait, longest 0:\d\d for (a lock|lock_[ab]|pthread_join)", text
    )
    assert "(rank 3)" in text
    assert text.index("nothing has moved") > text.index("threads wait")
