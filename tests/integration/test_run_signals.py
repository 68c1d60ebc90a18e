"""``lockorder run`` stands aside: signals, exit codes, runs inside of runs."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(60)
RUN = [sys.executable, "-m", "lockorder", "run", "-q", "-o"]
#: Says that it is ready, and which signals came, each once; ends with "end" on its stdin.
LISTENER = """
import os, select, signal, sys
def say(line):
    os.write(1, line.encode())  # whole: print() may write the end of a line by itself
# Not told by the handlers: one that is called just before a read begins would wait for its end.
told, tell = os.pipe()
os.set_blocking(tell, False)
signal.set_wakeup_fd(tell)
for name in sys.argv[1:]:
    signal.signal(getattr(signal, name), lambda number, frame: None)
say("ready\\n")
while True:
    ready, _, _ = select.select([0, told], [], [])
    if told in ready:
        for number in os.read(told, 64):
            say(signal.Signals(number).name + "\\n")
    if 0 in ready:
        lines = os.read(0, 4096).decode()
        if lines in ("", "end\\n"):
            sys.exit(7 if lines else 0)
        say("said " + lines)
"""


@pytest.fixture
def listener(tmp_path: Path) -> Path:
    path = tmp_path / "listener.py"
    path.write_text(LISTENER)
    return path


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGQUIT"])
def test_signals_are_passed_on(listener: Path, tmp_path: Path, name: str) -> None:
    command = [*RUN, str(tmp_path / "traces"), "--", sys.executable, str(listener), name]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        run.send_signal(getattr(signal, name))
        assert run.stdout.readline() == f"{name}\n"
        run.stdin.write("end\n")
        run.stdin.close()
        assert run.stdout.read() == ""
    assert run.returncode == 7


def test_a_signal_that_ends_the_child_is_its_exit_code(listener: Path, tmp_path: Path) -> None:
    command = [*RUN, str(tmp_path / "traces"), "--", sys.executable, str(listener)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        run.terminate()
        assert run.wait() == 128 + signal.SIGTERM
    assert list((tmp_path / "traces").glob("*.lot"))


def test_what_is_ignored_stays_ignored(listener: Path, tmp_path: Path) -> None:
    command = [*RUN, str(tmp_path / "traces"), "--", sys.executable, str(listener), "SIGUSR1"]
    pipe = subprocess.PIPE
    with subprocess.Popen(["nohup", *command], stdin=pipe, stdout=pipe, text=True) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        run.send_signal(signal.SIGHUP)  # would end a child that does not ignore it
        run.send_signal(signal.SIGUSR1)
        assert run.stdout.readline() == "SIGUSR1\n"
        run.stdin.write("end\n")
        run.stdin.close()
        assert run.wait() == 7


def test_ctrl_c_reaches_the_child_once(listener: Path, tmp_path: Path) -> None:
    """The terminal sends it to the child by itself."""
    command = [*RUN, str(tmp_path / "traces"), "--", sys.executable, str(listener), "SIGINT"]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    with open(terminal, "r+b", buffering=0) as screen:
        text = b""

        def until(wanted: bytes) -> None:
            nonlocal text
            while wanted not in text:
                text += screen.read(1024)

        until(b"ready\r\n")
        screen.write(b"\x03")
        until(b"SIGINT\r\n")
        screen.write(b"again\n")
        until(b"said again\r\n")
        screen.write(b"end\n")
        _, status = os.waitpid(pid, 0)
    assert text.count(b"SIGINT") == 1
    assert os.waitstatus_to_exitcode(status) == 7


def test_a_run_inside_a_run(build_program: Callable[[str], Path], tmp_path: Path) -> None:
    program = str(build_program("count_locks"))
    inner = [*RUN, str(tmp_path / "inner"), "--", program]
    done = subprocess.run(
        [*RUN, str(tmp_path / "outer"), "--", *inner], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "locked and unlocked\n", "")
    assert len(list((tmp_path / "inner").glob("*.lot"))) == 1
    assert len(list((tmp_path / "outer").glob("*.lot"))) == 1  # the inner lockorder itself
