"""Patterns for files, as a .gitignore has them, relative to one folder.

The grammar is gitignore(5)'s: ``*`` and ``?`` stop at slashes, ``**`` does not, a pattern without
a slash but at its end matches at any depth, one that names a folder matches all in it, and a later
``!pattern`` takes files out again.  The library pathspec does the matching.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class GlobError(ValueError):
    """A pattern that cannot match anything: the text says which and why."""


class Globs:
    """Some patterns, relative to *folder*; files elsewhere match none of them.

    Raises GlobError.
    """

    def __init__(self, folder: Path, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._folder = os.path.abspath(folder)
        for pattern in self.patterns:
            reason = _useless(pattern)
            if reason:
                raise GlobError(f"{pattern!r}: {reason}")
        self._spec = _compiled(self.patterns) if self.patterns else None

    def match(self, file: Path | str) -> bool:
        """Whether *file* (absolute, or relative to the current folder) is meant."""
        if self._spec is None:
            return False
        below = self._below(file)
        return below is not None and self._spec.match_file(below)

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def _below(self, file: Path | str) -> str | None:
        full = os.path.abspath(file)
        start = self._folder.rstrip(os.sep) + os.sep
        return full[len(start) :] if full.startswith(start) else None


def _compiled(patterns: Iterable[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415  # most checks have no pattern

    return GitIgnoreSpec.from_lines(patterns)


def _useless(pattern: str) -> str:
    """Why *pattern* matches nothing; empty where it may match something."""
    if not pattern.strip():
        return "an empty pattern matches nothing"
    if pattern.startswith("#"):
        return "a pattern that starts with # is a comment; write \\#"
    if ".." in pattern.split("/"):
        return "patterns are relative to the configuration's folder and match nothing above it"
    if "\n" in pattern:
        return "a pattern is one line"
    try:
        (compiled,) = _compiled([pattern]).patterns
    except (ValueError, re.error) as error:  # the latter: a range like [z-a]
        return str(error)
    return "" if compiled.include is not None else "this pattern matches nothing"
