"""Names, places and source lines as the page shows them: one line each, without anything that acts.

Markup is the template's business (it escapes everything), and the script's (it makes text nodes
only).  What is done here is what neither would: control and direction-changing characters.
"""

from __future__ import annotations

from typing import NamedTuple

from lockorder.model import Acquisition, Document, Frame, Mode
from lockorder.report.excerpts import Excerpts
from lockorder.report.text import printable

#: Characters of a source line, and of a lock's name in a box.
MAX_SOURCE, MAX_LABEL = 200, 36
#: Lines before and behind the one that counts.
_AROUND = 2


class Line(NamedTuple):
    """A line of a source; *here*: the one that is meant."""

    number: int
    text: str
    here: bool


class Shown:
    """What is shown of the things that *document* names."""

    def __init__(self, document: Document, excerpts: Excerpts) -> None:
        self._excerpts = excerpts
        self._names = {lock.id: printable(lock.name) for lock in document.locks}

    def lock(self, lock: str) -> str:
        """A lock by its name."""
        return self._names.get(lock) or printable(lock)

    def place(self, file: str, line: int) -> str:
        """``file:line``; empty where no file is known."""
        if not file:
            return ""
        name = printable(self._excerpts.shown(file))
        return f"{name}:{line}" if line > 0 else name

    def taken(self, taken: Acquisition) -> str:
        """How a lock was taken, where that is not the usual way: ``shared, try``."""
        notes = [Mode.SHARED.value] if taken.mode is Mode.SHARED else []
        return ", ".join(notes + ([taken.how.value] if taken.how.value != "blocking" else []))

    def source(self, frame: Frame) -> str:
        """The line that *frame* is at, without its indentation."""
        return self._line(frame.file, frame.line).strip()

    def around(self, frame: Frame) -> tuple[Line, ...]:
        """That line and some around it, with the indentation that they share taken off."""
        if not self._line(frame.file, frame.line).strip():
            return ()
        numbers = range(max(frame.line - _AROUND, 1), frame.line + _AROUND + 1)
        lines = [(n, self._line(frame.file, n)) for n in numbers]
        while lines and not lines[-1][1].strip():
            lines.pop()
        while lines and not lines[0][1].strip():
            lines.pop(0)
        shared = min(len(text) - len(text.lstrip()) for _, text in lines if text.strip())
        return tuple(Line(n, text[shared:], n == frame.line) for n, text in lines)

    def _line(self, file: str, number: int) -> str:
        text = self._excerpts.line(file, number).rstrip().expandtabs(4) if file else ""
        return printable(text if len(text) <= MAX_SOURCE else text[:MAX_SOURCE] + " ...")


def label(name: str) -> str:
    """*name*, short enough for a box: what is left out is in the middle."""
    if len(name) <= MAX_LABEL:
        return name
    # The end says most: Class::field.
    return f"{name[: MAX_LABEL // 3]}…{name[-(MAX_LABEL - MAX_LABEL // 3 - 1) :]}"


def box_width(text: str) -> int:
    """Pixels of a box with *text*: characters of a 12 pixel monospaced font, and margins."""
    # Wide characters (CJK, emoji) take two; which ones exactly does not matter for a box.
    return round(sum(7.25 if ord(c) < 0x1100 else 14 for c in label(text))) + 20
