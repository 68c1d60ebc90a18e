"""A terminal's screen, as far as the tests' programs use one: what a reader sees in the end."""

from __future__ import annotations

import re

_SEQUENCE = re.compile(r"\x1b(?:\[([0-9;?]*)([A-Za-z])|([78DM]))")


class Screen:
    """Rows of text; scrolled-off lines are kept in ``history``."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.lines = [""] * rows
        self.history: list[str] = []
        self.row = self.column = 0
        self.top, self.bottom = 0, rows - 1
        self._saved = (0, 0)

    def feed(self, text: str) -> None:
        """What a program wrote; sequences must be whole."""
        at = 0
        while at < len(text):
            found = _SEQUENCE.match(text, at)
            if found is not None:
                self._obey(
                    found[2] or found[3], [int(n or 0) for n in (found[1] or "0").split(";")]
                )
                at = found.end()
                continue
            character = text[at]
            assert character != "\x1b", f"not known: {text[at : at + 8]!r}"
            if character == "\n":
                self._down()
            elif character == "\r":
                self.column = 0
            else:
                self._put(character)
            at += 1

    def _put(self, character: str) -> None:
        if self.column == self.columns:
            self.column = 0
            self._down()
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[: self.column] + character + line[self.column + 1 :]
        self.column += 1

    def _down(self) -> None:
        if self.row == self.bottom:
            self.history.append(self.lines.pop(self.top))
            self.lines.insert(self.bottom, "")
        elif self.row < self.rows - 1:
            self.row += 1

    def _obey(self, what: str, numbers: list[int]) -> None:
        first = numbers[0]
        if what == "7":
            self._saved = (self.row, self.column)
        elif what == "8":
            self.row, self.column = self._saved
        elif what == "D":
            self._down()
        elif what == "A":
            limit = self.top if self.row >= self.top else 0
            self.row = max(limit, self.row - max(first, 1))
        elif what == "H":
            self.row, self.column = min(max(first, 1), self.rows) - 1, 0
        elif what == "K":
            assert first == 2
            self.lines[self.row] = ""
        elif what == "r":
            last = numbers[1] if len(numbers) > 1 else self.rows
            self.top, self.bottom = max(first, 1) - 1, min(last or self.rows, self.rows) - 1
            self.row = self.column = 0
        else:
            assert what == "m", f"not known: {what}"
