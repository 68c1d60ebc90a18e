"""What can be wrong with a file of a hung job."""

from __future__ import annotations

from pathlib import Path


class DumpError(Exception):
    """A dump that cannot be believed: foreign, damaged, too large, or made to do harm."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason

    def __reduce__(self) -> tuple[type[DumpError], tuple[Path, str]]:
        # Exceptions cross from worker processes by their arguments.
        return (DumpError, (self.path, self.reason))


class DataError(Exception):
    """The reason alone, before the file's name is known."""
