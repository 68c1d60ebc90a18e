"""Rows at the bottom of a terminal to which a program writes by itself.

They are taken out of the region that scrolls (DECSTBM), as apt(8) does: whatever the program
writes scrolls above them, and nothing of it is overwritten. What is drawn where the cursor is, or
on the alternate screen, would be mixed with what the program writes next.

Each drawing is one write(2) that puts the cursor back where it was.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from rich.console import Console
from rich.text import Text

_SAVE, _RESTORE = "\x1b7", "\x1b8"
_ERASE_LINE = "\x1b[0m\x1b[2K"
#: Rows that are left to the program at least.
PROGRAMS_ROWS = 3
#: Rendered rows that are kept: most are the same the next time.
_KEPT = 512


def can_show(stream: TextIO) -> bool:
    """Whether *stream* is a terminal that understands cursor movements."""
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown", ""):
        return False
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def in_foreground(descriptor: int) -> bool:
    """Whether the terminal is ours: no shell has put us into the background."""
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:  # not our controlling terminal: nobody manages jobs on it
        return True


@contextlib.contextmanager
def not_stopped() -> Iterator[None]:
    """A background process that writes to its terminal (stty tostop), reads from it or changes it
    is stopped; within this, the call fails or does what it should."""
    stops = [signal.SIGTTOU, signal.SIGTTIN]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Size(NamedTuple):
    """A terminal's."""

    columns: int
    rows: int


class BottomRows:
    """The last rows of the terminal behind *stream*, from the first ``show`` to ``close``."""

    def __init__(self, stream: TextIO) -> None:
        self.descriptor = stream.fileno()
        self._console = Console(file=stream, force_terminal=True, highlight=False)
        self._screen = Size(0, 0)
        self._count = 0
        self._shown: list[str] = []
        self._rendered: dict[tuple[str, str, int], str] = {}

    def size(self) -> Size | None:
        """The terminal's; None where it has gone."""
        try:
            return Size(*os.get_terminal_size(self.descriptor))
        except OSError:
            return None

    def show(self, lines: Sequence[Text]) -> None:
        """Draw *lines*, each cut to the terminal's width; nothing while we are in the background,
        or where too little would be left to the program."""
        if not in_foreground(self.descriptor):
            self.close()
            return
        size = self.size()
        if size is None:
            return
        if size.rows < len(lines) + PROGRAMS_ROWS or size.columns < 2 or not lines:
            self.close()
            return
        sequence = ""
        if (size, len(lines)) != (self._screen, self._count):
            sequence = self._released() + self._reserved(size.rows, len(lines))
            self._screen, self._count, self._shown = size, len(lines), []
        first = size.rows - len(lines) + 1
        drawn = [self._line(line, size.columns - 1) for line in lines]
        before = self._shown or [""] * len(drawn)
        changed = "".join(
            f"\x1b[{first + number};1H{_ERASE_LINE}{line}"
            for number, line in enumerate(drawn)
            if not self._shown or line != before[number]
        )
        self._shown = drawn
        if sequence or changed:
            self._write(f"{sequence}{_SAVE}{changed}{_RESTORE}")

    def close(self) -> None:
        """Erase the rows and give them back."""
        if self._count:
            self._write(self._released())
            self._screen, self._count, self._shown = Size(0, 0), 0, []

    def _released(self) -> str:
        """Give the rows back; "" where none are taken."""
        if not self._count:
            return ""
        first = max(1, self._screen.rows - self._count + 1)
        erase = "".join(f"\x1b[{first + n};1H{_ERASE_LINE}" for n in range(self._count))
        # The region's end moves the cursor home, so it is saved around it.
        return f"{_SAVE}\x1b[r{erase}{_RESTORE}"

    def _reserved(self, rows: int, count: int) -> str:
        """Down and up again first: were the cursor in the last rows, all would scroll by some."""
        room = "\x1bD" * count + f"\x1b[{count}A"
        return f"{room}{_SAVE}\x1b[1;{rows - count}r{_RESTORE}"

    def _line(self, text: Text, columns: int) -> str:
        key = text.plain, f"{text.style}{text.spans}", columns
        known = self._rendered.get(key)
        if known is None:
            if len(self._rendered) >= _KEPT:
                self._rendered.clear()
            with self._console.capture() as capture:
                self._console.print(text, end="", no_wrap=True, overflow="ellipsis", width=columns)
            known = self._rendered[key] = capture.get().replace("\n", "")
        return known

    def _write(self, sequence: str) -> None:
        with not_stopped(), contextlib.suppress(OSError):  # it is gone: nobody is left to tell
            os.write(self.descriptor, sequence.encode("utf-8", "replace"))
