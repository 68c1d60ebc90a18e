"""A status line below a program that writes to the same terminal by itself.

The terminal's last row is taken out of the region that scrolls (DECSTBM), as apt(8) does: whatever
the program writes scrolls above it, and nothing of it is overwritten. A line that is drawn where
the cursor is would be mixed with what the program writes next.

Each drawing is one write(2) that puts the cursor back where it was.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TextIO

from rich.console import Console
from rich.text import Text

_SAVE, _RESTORE = "\x1b7", "\x1b8"
_ERASE_LINE = "\x1b[0m\x1b[2K"
#: Fewer rows are all the program's.
_FEWEST_ROWS = 4


def can_show(stream: TextIO) -> bool:
    """Whether *stream* is a terminal that understands cursor movements."""
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown", ""):
        return False
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


class StatusLine:
    """The last row of the terminal behind *stream*, from the first ``show`` to ``close``."""

    def __init__(self, stream: TextIO) -> None:
        self._descriptor = stream.fileno()
        self._console = Console(file=stream, force_terminal=True, highlight=False)
        self._rows = 0

    def show(self, text: Text) -> None:
        """Draw *text*, cut to the terminal's width; nothing while we are in the background."""
        if not self._in_foreground():
            self.close()
            return
        try:
            columns, rows = os.get_terminal_size(self._descriptor)
        except OSError:
            return
        if rows < _FEWEST_ROWS or columns < 2:
            self.close()
            return
        sequence = "" if rows == self._rows else self._reserve(rows)
        self._rows = rows
        line = self._rendered(text, columns - 1)
        self._write(f"{sequence}{_SAVE}\x1b[{rows};1H{_ERASE_LINE}{line}{_RESTORE}")

    def close(self) -> None:
        """Erase the line and give its row back."""
        if self._rows:
            # The region's end moves the cursor home, so it is saved around it.
            bottom = f"\x1b[{self._rows};1H{_ERASE_LINE}"
            self._write(f"{_SAVE}\x1b[r{bottom}{_RESTORE}")
            self._rows = 0

    def _reserve(self, rows: int) -> str:
        """Down and up again first: were the cursor in the last row, all would scroll by one."""
        return f"\x1bD\x1b[A{_SAVE}\x1b[1;{rows - 1}r{_RESTORE}"

    def _rendered(self, text: Text, columns: int) -> str:
        with self._console.capture() as capture:
            self._console.print(text, end="", no_wrap=True, overflow="ellipsis", width=columns)
        return capture.get().replace("\n", "")

    def _in_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self._descriptor) == os.getpgrp()
        except OSError:  # not our controlling terminal: nobody manages jobs on it
            return True

    def _write(self, sequence: str) -> None:
        # A shell in the background may not write where `stty tostop` is set, and would be stopped.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        with contextlib.suppress(OSError):  # the terminal is gone: nobody is left to tell
            os.write(self._descriptor, sequence.encode("utf-8", "replace"))
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
