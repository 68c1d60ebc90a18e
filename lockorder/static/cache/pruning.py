"""The size of the user's cache: what was used longest ago goes.

Facts are thousands of small files, which are counted only now and then: their size as it was then,
with what was added since, is noted in a file.  The rest is few files, and is counted each time.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lockorder.static.cache import folder as cache_folder

#: Seconds after which what somebody was writing is nobody's, and after which all is counted again.
_ABANDONED, _RECOUNT = 3600, 24 * 3600
#: What is left of the bound where it was passed, so that the next runs need not count.
_LEFT = 0.9
_FACTS, _NOTE = "facts", "size"


class _Noted(NamedTuple):
    """The size of all facts, in bytes, and when it was counted, in seconds of the epoch."""

    size: int
    counted: int


class _File(NamedTuple):
    folder: str
    name: str
    size: int
    used: float


def keep_within(place: Path, bound: int, added: int, now: float) -> None:
    """Keep the cache at *place* below *bound* bytes, *added* of which are facts of this run.

    *now* is when the run began, in seconds of the epoch.  Raises OSError where the note of the size
    cannot be written.
    """
    noted = _read(place / _NOTE)
    if noted is None or not now - _RECOUNT < noted.counted <= now + _RECOUNT:
        noted = None
    else:
        noted = noted._replace(size=noted.size + added)
    if noted is None or noted.size + sum(f.size for f in _files(place, _FACTS)) > bound:
        noted = _Noted(_prune(place, bound, now), int(now))
    cache_folder.write(place / _NOTE, f"{noted.size} {noted.counted}\n".encode())


def _read(note: Path) -> _Noted | None:
    """What was noted last; None where that cannot be read."""
    try:
        size, counted = note.read_text("ascii").split()
        return _Noted(int(size), int(counted))
    except (OSError, ValueError):
        return None


def _files(place: Path, without: str = "") -> Iterator[_File]:
    """The files of the cache, but for those of revisions, which are no results."""
    for here, folders, names in os.walk(place):
        folders[:] = [f for f in folders if f not in (cache_folder.REVISIONS, without)]
        for name in names:
            with contextlib.suppress(OSError):
                status = os.stat(os.path.join(here, name))
                yield _File(here, name, status.st_size, status.st_mtime)


def _prune(place: Path, bound: int, now: float) -> int:
    """Remove what was used longest ago if there is more than *bound*; the size of facts then.

    A precompiled header goes with all that belongs to it.
    """
    things: dict[str, list[_File]] = {}
    for file in _files(place):
        if file.name.endswith(".part"):
            if file.used + _ABANDONED < now:
                _remove(file)
        elif file.name != _NOTE:
            thing = os.path.join(file.folder, re.split("[-.]", file.name)[0])
            things.setdefault(thing, []).append(file)
    total = sum(f.size for files in things.values() for f in files)
    room = bound * _LEFT if total > bound else bound
    for thing in sorted(things, key=lambda t: (max(f.used for f in things[t]), t)):
        if total <= room:
            break
        for file in things.pop(thing):
            _remove(file)
            total -= file.size
    facts = os.path.join(place, _FACTS, "")
    return sum(f.size for files in things.values() for f in files if f.folder.startswith(facts))


def _remove(file: _File) -> None:
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(file.folder, file.name))
