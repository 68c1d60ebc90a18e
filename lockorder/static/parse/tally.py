"""What was read of each file: texts, lines, and which calls and names became facts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from lockorder.static.parse.clang import Cursor, extent_offsets


class Tally:
    """Keeps count while a unit is read.  All offsets are bytes, all lines 1-based."""

    def __init__(self, skipped: Mapping[str, list[tuple[int, int]]]) -> None:
        self._skipped = skipped
        self._sources: dict[str, bytes] = {}
        self._lines: dict[str, list[int]] = {}
        self._file = ""
        #: By file: end offsets of call expressions, offsets of variables that were read.
        self.calls: dict[str, set[int]] = {}
        self.named: dict[str, set[int]] = {}
        #: By file: call expressions that were read from the syntax alone (end offsets).
        self.filled: dict[str, set[int]] = {}
        #: By file: offsets where the bodies start that were read, lambdas' included.
        self.bodies: dict[str, set[int]] = {}

    @property
    def file(self) -> str:
        """The file being read."""
        return self._file

    def enter(self, file: str) -> None:
        """From now on *file* is being read."""
        self._file = file
        self.calls.setdefault(file, set())
        self.named.setdefault(file, set())
        self.bodies.setdefault(file, set())
        self.filled.setdefault(file, set())

    def seen(self, end: int) -> bool:
        """Whether the call expression that ends at byte *end* is an event already."""
        return end in self.calls[self._file] or end in self.filled[self._file]

    def filled_call(self, end: int) -> None:
        """Note a call expression that was read from the syntax."""
        self.filled[self._file].add(end)

    def is_skipped(self, offset: int) -> bool:
        """Whether a byte of the current file is in a preprocessor branch that is off."""
        return any(a <= offset < b for a, b in self._skipped.get(self._file, ()))

    def text(self, cursor: Cursor) -> str:
        """The source text of *cursor*, as spelt in the file being read."""
        start, end = extent_offsets(cursor)
        return self.source(self._file)[start:end].decode(errors="replace")

    def between(self, start: int, end: int) -> str:
        """Source text of the file being read, from byte to byte."""
        return self.source(self._file)[start:end].decode(errors="replace")

    def source(self, file: str) -> bytes:
        """The bytes of a file."""
        if file not in self._sources:
            try:
                with open(file, "rb") as stream:
                    self._sources[file] = stream.read()
            except OSError:
                self._sources[file] = b""
        return self._sources[file]

    def read_as(self, file: str, data: bytes) -> None:
        """*data* is what is read of a file, in place of its bytes."""
        self._sources[file] = data
        self._lines.pop(file, None)

    def line_at(self, offset: int) -> int:
        """The line (1-based) of a byte offset in the file being read."""
        starts = self._lines.get(self._file)
        if starts is None:
            starts, at = [0], -1
            data = self.source(self._file)
            while (at := data.find(b"\n", at + 1)) >= 0:
                starts.append(at + 1)
            self._lines[self._file] = starts
        return bisect_right(starts, max(offset - 1, 0))

    def saw_call(self, end: int) -> None:
        """Note that the call expression that ends at byte *end* became an event."""
        self.calls[self._file].add(end)

    def saw_variable(self, offset: int) -> None:
        """Note that the variable named at byte *offset* became a fact."""
        self.named[self._file].add(offset)
