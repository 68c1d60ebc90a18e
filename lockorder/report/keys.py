"""Keys, as they are pressed: the terminal hands them over one by one and does not show them.

Ctrl-C, Ctrl-Z and Ctrl-\\ stay signals for whoever is in the foreground (termios(3), ISIG).
"""

from __future__ import annotations

import contextlib
import os
import re
import termios

from lockorder.report.bottom_rows import in_foreground, not_stopped

_SEQUENCE = re.compile(rb"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[^\x1b]|\x1b")
_NAMES = {
    b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left", b"\x1b[Z": "left",
    b"\x1bOA": "up", b"\x1bOB": "down", b"\x1bOC": "right", b"\x1bOD": "left", b"\t": "right",
}  # fmt: skip
_MOST = 256


class Keys:
    """The keyboard of the terminal behind *descriptor*, from ``open`` to ``close``."""

    def __init__(self, descriptor: int) -> None:
        self._terminal = descriptor
        self._keyboard = -1
        self._before: list[int | list[bytes | int]] | None = None

    def open(self) -> None:
        """Take the keyboard; again and again does no harm. Without one, there are no keys."""
        if self._before is not None or not in_foreground(self._terminal):
            return
        self.close()
        with contextlib.suppress(OSError, termios.error), not_stopped():
            # An open file of our own: O_NONBLOCK on a shared one would be everybody's.
            flags = os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
            self._keyboard = os.open(os.ttyname(self._terminal), flags)
            before = termios.tcgetattr(self._keyboard)
            mode = [*before[:3], before[3] & ~(termios.ECHO | termios.ICANON), *before[4:]]
            mode[6] = list(before[6])
            mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
            termios.tcsetattr(self._keyboard, termios.TCSANOW, mode)
            self._before = before

    def read(self) -> list[str]:
        """Names of what was pressed since: a character, or up, down, left, right."""
        if self._before is None or not in_foreground(self._terminal):
            return []
        try:
            with not_stopped():
                data = os.read(self._keyboard, _MOST)
        except OSError:  # nothing; or the terminal has gone
            return []
        found = _SEQUENCE.findall(data)
        return [_NAMES.get(key) or key.decode("utf-8", "replace") for key in found]

    def close(self) -> None:
        """Give the keyboard back as it was found."""
        if self._before is not None and in_foreground(self._terminal):
            # In the background, the modes are those of whoever is in the foreground.
            with contextlib.suppress(OSError, termios.error), not_stopped():
                termios.tcsetattr(self._keyboard, termios.TCSANOW, self._before)
        self._before = None
        if self._keyboard >= 0:
            os.close(self._keyboard)
            self._keyboard = -1
