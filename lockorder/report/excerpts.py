"""Source lines to show beside a place."""

from __future__ import annotations

from pathlib import Path


class Excerpts:
    """Reads lines of the analysed project; a file that is gone simply has none.

    *base* is the folder that the reader stands in (the current one by default).
    """

    def __init__(self, root: Path, base: Path | None = None) -> None:
        self._root = root
        self._base = base or Path.cwd()
        self._files: dict[str, list[str]] = {}

    def shown(self, file: str) -> str:
        """*file* as the reader can open it: from the base folder where it lies below it."""
        full = self._root / file
        return str(full.relative_to(self._base) if full.is_relative_to(self._base) else full)

    def line(self, file: str, number: int) -> str:
        """Line *number* (1-based) of *file*, which is relative to the root; empty if unknown."""
        lines = self._files.get(file)
        if lines is None:
            try:
                text = (self._root / file).read_text(encoding="utf-8", errors="replace")
            except OSError:
                text = ""
            lines = self._files[file] = text.splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""
