"""A status line: the last row of a terminal to which a program writes by itself."""

from __future__ import annotations

from rich.text import Text

from lockorder.report.bottom_rows import BottomRows


class StatusLine(BottomRows):
    """From the first ``tell`` to ``close``."""

    def tell(self, text: Text) -> None:
        """Draw *text*, cut to the terminal's width."""
        self.show([text])
