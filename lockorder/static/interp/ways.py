"""What is wrong on every way to a place of a function."""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.static.interp.summary import Held, Site
from lockorder.static.program.paths import Path


class Ways:
    """What was found at each place of a function, on each way to it."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Path, Site], list[Held | bool]] = {}

    def note(self, rule: str, path: Path, site: Site, found: Held | bool) -> None:
        """One way to *site*: *found* is false where nothing is wrong with *path*."""
        self._found.setdefault((rule, path, site), []).append(found)

    def wrong(self) -> Iterable[tuple[str, Path, Site, Held | None]]:
        """Where something is wrong on every way."""
        for (rule, path, site), found in self._found.items():
            if all(found):
                yield rule, path, site, next((h for h in found if isinstance(h, Held)), None)

    def in_doubt(self, rule: str) -> Iterable[tuple[Path, Site, list[Site]]]:
        """Where something is wrong on some ways only, and all places where it was right with it."""
        for (each, path, site), found in self._found.items():
            if each == rule and any(found) and not all(found):
                others = [
                    s
                    for (r, p, s), told in self._found.items()
                    if r == rule and p is path and s != site and not all(told)
                ]
                yield path, site, others
