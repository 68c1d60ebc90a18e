"""Commands on a terminal of their own, for tests that look at what is drawn there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios
from collections.abc import Mapping
from typing import Any

from screens import Screen


class Terminal:
    """A command on a terminal of its own, and what a reader would see there."""

    def __init__(
        self,
        command: list[str],
        rows: int,
        columns: int,
        *,
        term: str = "xterm",
        cooked: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """*cooked*: as a terminal is at first, with lines and echo."""
        self.screen = Screen(rows, columns)
        self.written = b""
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            self._resize(0, rows, columns)
            if not cooked:
                attributes = termios.tcgetattr(0)
                attributes[3] &= ~(termios.ECHO | termios.ICANON)
                termios.tcsetattr(0, termios.TCSANOW, attributes)
            # COLUMNS and LINES, where somebody has exported them, outdo the terminal itself.
            kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
            os.execve(command[0], command, {**kept, **(environment or {}), "TERM": term})

    @staticmethod
    def _resize(descriptor: int, rows: int, columns: int) -> None:
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows: int, columns: int) -> None:
        self._resize(self._terminal, rows, columns)

    def modes(self) -> list[Any]:
        """As tcgetattr(3) says them."""
        return termios.tcgetattr(self._terminal)

    def read(self) -> bool:
        """Something more; False at the end."""
        try:
            data = os.read(self._terminal, 4096)
        except OSError:  # EIO: nobody has the other side open
            data = b""
        self.written += data
        return bool(data)

    def until(self, wanted: str, after: int = 0) -> None:
        """Read until *wanted* was written, behind the first *after* bytes."""
        while re.search(wanted.encode(), self.written[after:]) is None:
            assert self.read(), self.written

    def seen(self) -> Screen:
        """The screen as it is now; what was written must not end within a sequence."""
        screen = Screen(self.screen.rows, self.screen.columns)
        screen.feed(self.written.decode())
        return screen

    def until_seen(self, wanted: str) -> Screen:
        """Read until a line of the screen has *wanted* in it."""
        while True:
            whole = re.sub(rb"\x1b[^A-Za-z78]*$", b"", self.written)
            screen = Screen(self.screen.rows, self.screen.columns)
            screen.feed(whole.decode("utf-8", "ignore"))
            if any(re.search(wanted, line) for line in screen.lines):
                return screen
            assert self.read(), self.written

    def send(self, data: bytes) -> None:
        os.write(self._terminal, data)

    def end(self) -> int:
        """Read on to the end; the exit code."""
        while self.read():
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self._terminal)
        self.screen.feed(self.written.decode())
        return os.waitstatus_to_exitcode(status)
