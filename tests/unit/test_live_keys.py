"""Keys of the live view, and that a view which fails leaves the terminal and the job alone."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from lockorder.commands.live import LiveView
from lockorder.commands.live_state import State
from lockorder.commands.watching import Watching
from lockorder.report.keys import Keys
from runtime_probe.live import LiveRun


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """What a person has, what programs have."""
    person, programs = pty.openpty()
    fcntl.ioctl(programs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    yield person, programs
    os.close(person)
    os.close(programs)


def pressed(terminal: tuple[int, int], data: bytes) -> list[str]:
    keys = Keys(terminal[1])
    keys.open()
    os.write(terminal[0], data)
    found = keys.read()
    keys.close()
    return found


def test_keys_have_names(terminal: tuple[int, int]) -> None:
    assert pressed(terminal, b"q+\t\x1b[Z\x1b[A\x1bOB\x1b[1;5C-") == [
        "q", "+", "right", "left", "up", "down", "\x1b[1;5C", "-",
    ]  # fmt: skip


def test_no_key_is_no_key(terminal: tuple[int, int]) -> None:
    assert pressed(terminal, b"") == []


def test_modes_are_given_back(terminal: tuple[int, int]) -> None:
    before = termios.tcgetattr(terminal[1])
    keys = Keys(terminal[1])
    keys.open()
    keys.open()
    during = termios.tcgetattr(terminal[1])
    assert not during[3] & (termios.ECHO | termios.ICANON)
    assert during[3] & termios.ISIG
    keys.close()
    keys.close()
    assert termios.tcgetattr(terminal[1]) == before


def test_where_there_is_no_terminal_there_are_no_keys(tmp_path: Path) -> None:
    with open(tmp_path / "file", "w") as file:
        keys = Keys(file.fileno())
        keys.open()
        assert keys.read() == []
        keys.close()


def test_a_view_that_fails_is_left(
    terminal: tuple[int, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = termios.tcgetattr(terminal[1])
    with os.fdopen(os.dup(terminal[1]), "w") as stream:
        watching = Watching(LiveRun(tmp_path), None, LiveView(stream), 0, "report")
        watching.look(os.getpid())
        assert termios.tcgetattr(terminal[1]) != before

        def fail(*_: object) -> None:
            raise ZeroDivisionError("by \x1b[2J")

        monkeypatch.setattr(State, "sections", fail)
        while watching.every < 1:
            watching.look(os.getpid())
        watching.look(os.getpid())
        watching.close()
    assert termios.tcgetattr(terminal[1]) == before
    assert r"the live view failed: ZeroDivisionError: by \x1b[2J" in capsys.readouterr().err
