"""Where files lie in their repository: what services that show a repository want to be told."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote_from_bytes

from lockorder.model import Finding, Frame, Participant
from lockorder.report.excerpts import Excerpts


class Places:
    """Files of a result, as seen from the repository that holds them.

    *top* is that repository; by default the nearest folder upward from the result's root with a
    ``.git`` (a folder, or a file as worktrees and submodules have), else the root itself.
    """

    def __init__(self, excerpts: Excerpts, top: Path | None = None) -> None:
        self.excerpts = excerpts
        self.top = _absolute(top) if top is not None else repository(excerpts.root)
        self._known: dict[str, str | None] = {}

    def relative(self, file: str) -> str | None:
        """*file* from the repository's top, with ``/``; None where it lies outside."""
        if file not in self._known:
            self._known[file] = self._relative(file)
        return self._known[file]

    def _relative(self, file: str) -> str | None:
        full = _absolute(self.excerpts.root / file)
        # A symbolic link is no file to GitHub: it shows nothing there, but can show its target.
        try:
            candidates = [(full.resolve(), self.top.resolve()), (full, self.top)]
        except (OSError, ValueError, RuntimeError):  # a null byte, a loop of links
            candidates = [(full, self.top)]
        for path, top in candidates:
            if path != top and path.is_relative_to(top):
                return path.relative_to(top).as_posix()
        return None

    def uri(self, file: str) -> tuple[str, bool]:
        """A percent-encoded URI, and whether it is relative to the repository's top."""
        inside = self.relative(file)
        if inside is not None:
            return quote_from_bytes(_bytes(inside), safe="/"), True
        return "file://" + quote_from_bytes(
            _bytes(str(_absolute(self.excerpts.root / file)))
        ), False

    def shown(self, frame: Frame) -> str:
        """``file:line`` for people, from the repository's top; ``?`` where nothing is known."""
        if not frame.file:
            return "?"
        inside = self.relative(frame.file)
        name = inside if inside is not None else str(self.excerpts.root / frame.file)
        return f"{name}:{frame.line}" if frame.line > 0 else name


def repository(root: Path) -> Path:
    """The nearest folder from *root* upward that is a repository's; *root* if there is none."""
    start = _absolute(root)
    return next((f for f in (start, *start.parents) if (f / ".git").exists()), start)


def ends(participant: Participant) -> Frame:
    """Where a participant is at the end of its story; ``Frame("")`` if nobody knows."""
    return next((chain[-1] for chain in _chains(participant) if chain), Frame(""))


def anchor(finding: Finding) -> Frame:
    """``finding.place``, or the next best that has a file, for formats that must have one."""
    places = [finding.place, *(ends(p) for p in finding.participants)]
    places += [f for p in finding.participants for chain in _chains(p) for f in reversed(chain)]
    return next((f for f in places if f.file), finding.place)


def _chains(participant: Participant) -> list[tuple[Frame, ...]]:
    taken = [participant.taken.chain] if participant.taken is not None else []
    return [*taken, participant.chain, *(a.chain for a in reversed(participant.held))]


def _absolute(path: Path) -> Path:
    """Without ``..``, and without looking at the disk."""
    return Path(os.path.abspath(path))


def _bytes(path: str) -> bytes:
    """A name as the file system has it; names of other machines may be none here."""
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        return path.encode("utf-8", "replace")
