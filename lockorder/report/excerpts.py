"""Source lines to show beside a place."""

from __future__ import annotations

import re
from pathlib import Path

#: What ends a line for a compiler and for an editor.  str.splitlines knows more (form feeds, which
#: GNU sources have between functions; U+2028), and would count differently.
_LINE_END = re.compile(rb"\r\n?|\n")
#: A larger file is no source that anybody wrote.
MAX_BYTES = 64 << 20


class Excerpts:
    """Reads lines of the analysed project; a file that is gone simply has none.

    *base* is the folder that the reader stands in (the current one by default).
    """

    def __init__(self, root: Path, base: Path | None = None) -> None:
        self.root = root
        self._base = base or Path.cwd()
        self._files: dict[str, list[bytes]] = {}

    def shown(self, file: str) -> str:
        """*file* as the reader can open it: from the base folder where it lies below it."""
        full = self.root / file
        return str(full.relative_to(self._base) if full.is_relative_to(self._base) else full)

    def line(self, file: str, number: int) -> str:
        """Line *number* (1-based) of *file*, which is relative to the root; empty if unknown."""
        return self._line(file, number).decode("utf-8", "replace")

    def utf16_column(self, file: str, number: int, column: int) -> int:
        """Where *column*, 1-based in bytes as compilers count, is in UTF-16 code units.

        Editors, GitHub and SARIF count so by default.  The same number where the line is unknown;
        never behind the line's end.
        """
        before = self._line(file, number)[: column - 1] if column > 0 else b""
        if not before:
            return max(column, 1)
        return len(before.decode("utf-8", "replace").encode("utf-16-le")) // 2 + 1

    def _line(self, file: str, number: int) -> bytes:
        lines = self._files.get(file)
        if lines is None:
            try:
                path = self.root / file
                # Results may come from anywhere, and so do the names in them: no device, no pipe.
                source = path.is_file() and path.stat().st_size <= MAX_BYTES
                data = path.read_bytes() if source else b""
            except (OSError, ValueError):  # ValueError: a null byte in the name
                data = b""
            lines = self._files[file] = _LINE_END.split(data)
        return lines[number - 1] if 0 < number <= len(lines) else b""
