"""``lockorder run --live``: what the job's threads and locks do, while they do it.

The view takes the terminal's last rows, and the command goes on writing above them. What the
threads' areas in the traces say is read here, at each look; everything else comes from a process
of its own (`recorded.live_reader`), later where the machine is busy.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TextIO

from lockorder.commands.live_state import State
from lockorder.recorded.live_reader import LiveReader, Question
from lockorder.report.bottom_rows import BottomRows
from lockorder.report.keys import Keys
from lockorder.report.live_view import View, draw
from runtime_probe.live import LiveProcess

#: Seconds between two looks at the keyboard, and at the job.
KEYS_EVERY, LOOKS_EVERY = 0.1, 0.5
_FEWEST_ROWS, _MOST_ROWS = 8, 30
_FOOT = "q leave the view   tab ←→ table   ↑↓ scroll   + - height   Ctrl-C goes to the command"


class LiveView:
    """What is seen, from the first ``show`` to ``close``.

    Attributes:
        up: nobody has left it yet.
    """

    def __init__(self, stream: TextIO) -> None:
        self.up = True
        self._rows = BottomRows(stream)
        self._keys = Keys(stream.fileno())
        self._reader: LiveReader | None = None
        self._state = State()
        self._view = View("", (), (), 0, 0, _FOOT)
        self._height = 0
        self._due = 0.0

    def due(self) -> bool:
        """Whether it is time for a look at the job; keys are looked at each time."""
        for key in self._keys.read():
            if self.up:
                self._press(key)
        return not self.up or time.monotonic() >= self._due

    def show(self, heading: str, processes: Sequence[LiveProcess]) -> None:
        """Draw what is true now."""
        if self._reader is None:
            # Not earlier: signals that are blocked by now are not for it, either.
            self._reader = LiveReader()
        self._due = time.monotonic() + LOOKS_EVERY
        traces = tuple(p.path for p in processes)
        answer = self._reader.ask(Question(traces, self._state.wanted()))
        if answer is not None:
            self._state.take(answer)
        sections = self._state.sections(processes)
        if not self._reader.working:
            heading += "  (threads only: nobody reads the records any more)"
        self._view = self._view._replace(
            heading=heading, alarms=self._state.alarms(processes), sections=sections
        )
        self._keys.open()
        self._draw()

    def pause(self) -> None:
        """The terminal is somebody else's for a while."""
        self._keys.close()
        self._rows.close()

    def close(self) -> None:
        """Leave the view; the terminal is as it was."""
        self.up = False
        try:
            self.pause()
        finally:
            if self._reader is not None:
                self._reader.close()
                self._reader = None

    def _draw(self) -> None:
        size = self._rows.size()
        if size is None:
            return
        height = self._height or min(_MOST_ROWS, size.rows * 2 // 3)
        height = max(min(height, size.rows - 4), min(_FEWEST_ROWS, size.rows - 4))
        if height > 2:
            self._rows.show(draw(self._view, height, size.columns - 1))
        else:
            self._rows.close()

    def _press(self, key: str) -> None:
        view = self._view
        last = max(0, len(view.sections) - 1)
        if key == "q":
            self.close()
            return
        if key in ("left", "right"):
            step = 1 if key == "right" else -1
            chosen = (view.chosen + step) % (last + 1)
            # An empty one is not shown.
            for _ in range(last):
                if not view.sections or view.sections[chosen].rows:
                    break
                chosen = (chosen + step) % (last + 1)
            self._view = view._replace(chosen=chosen, first=0)
        elif key in ("up", "down"):
            rows = len(view.sections[view.chosen].rows) if view.sections else 0
            first = max(0, min(rows - 1, view.first + (1 if key == "down" else -1)))
            self._view = view._replace(first=first)
        elif key in ("+", "-"):
            size = self._rows.size()
            now = self._height or (min(_MOST_ROWS, size.rows * 2 // 3) if size else _FEWEST_ROWS)
            self._height = max(_FEWEST_ROWS, now + (2 if key == "+" else -2))
        else:
            return
        self._draw()
