"""Facts of earlier runs, kept in the user's cache folder and never used when they would be stale.

An entry is found by everything known before a unit is read: the code that reads (a digest of
this package), the compiler and its surroundings, the job, the contents of the files it is to read.
What is known only after it, the files that were included and the places where headers were looked
for, is inside the entry and compared when it is found (see inputs).  The precompiled header of a
job is named after its contents.

An entry is written whole or not at all; one that is broken does not count.  All problems with the
folder cost time, nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata, resources
from pathlib import Path

import msgspec

from lockorder import __version__
from lockorder.static.cache import folder as cache_folder
from lockorder.static.cache import kept, pruning
from lockorder.static.discovery import sources
from lockorder.static.discovery.inputs import Disk, Inputs, gather, hold, included_by
from lockorder.static.parse import clang, headers
from lockorder.static.parse.unit import Job

_DIGEST = 16
_ENDING = ".facts"


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    inputs: Inputs
    facts: bytes


#: The rooms that decide what facts of a unit are.
MAKES_FACTS = ("cache", "discovery", "driver", "parse")


@functools.cache
def tool() -> str:
    """A digest of the code that makes facts: of this package's sources and of what they use."""
    state = hashlib.blake2b(digest_size=_DIGEST)
    used = [f"{name} {metadata.version(name)}" for name in ("tree-sitter", "tree-sitter-cpp")]
    for text in (__version__, clang.version(), *used):
        state.update(text.encode() + b"\0")
    static = Path(str(resources.files("lockorder.static")))
    for module in sorted(p for room in MAKES_FACTS for p in (static / room).rglob("*.py")):
        name = module.relative_to(static).as_posix()
        state.update(name.encode() + b"\0" + module.read_bytes() + b"\0")
    return state.hexdigest()


class Cache:
    """The cache as one run uses it; without *bound*, what it holds is gone when it is closed."""

    def __init__(self, place: Path, bound: int) -> None:
        self.prefixes = place / "prefix"
        self.disk = Disk()
        self._place = place
        self._bound = bound
        self.changed = False
        self._added = 0
        #: off where something that was read is not said to be the same another time
        self.whole = bound > 0

    def load(self, job: Job) -> bytes | None:
        """The encoded facts of *job* if an earlier run left them and nothing has changed."""
        if not self._bound:
            return None
        path = self._path(job)
        body = cache_folder.left(path)
        if body is None:
            return None
        try:
            entry = msgspec.msgpack.decode(body, type=_Entry)
            if not hold(entry.inputs, job.flags, headers.implied(), self.disk):
                return None
            found = zlib.decompress(entry.facts)
        except (OSError, msgspec.DecodeError, zlib.error):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return found

    def store(
        self, job: Job, data: bytes, files: Mapping[str, str], missing: list[tuple[str, str]]
    ) -> None:
        """Keep *data*, the facts of *job*, made from *files* by digest and from what it names."""
        if not self._bound:
            return
        own = _own(job)
        others = {f: d for f, d in files.items() if f not in own}
        asking = () if job.loaded else (job.main, *(f for f in files if f in own))
        implied = headers.implied()
        inputs = gather(self.disk, others, asking, job.flags, implied, missing, job.askers)
        if inputs is None or not all(self.disk.settled(p) for p in own):
            self.whole = False
            return
        # Level 1 makes a ninth of it; what higher levels save costs more than it is worth.
        body = msgspec.msgpack.encode(_Entry(inputs, zlib.compress(data, 1)))
        if cache_folder.leave(self._path(job), body):
            self.changed = True
            self._added += len(body)

    def _path(self, job: Job) -> Path:
        state = hashlib.blake2b(digest_size=_DIGEST)
        state.update(f"{tool()}\0{headers.machine()}\0".encode(errors="replace"))
        if included_by(job.flags):
            state.update(os.getcwd().encode(errors="replace"))  # searched for them first
        state.update(msgspec.msgpack.encode(job))
        for path in _own(job):
            state.update(f"{path}\0{self.disk.digest(path)}\0".encode(errors="replace"))
        key = state.hexdigest()
        return self._place / "facts" / key[:2] / (key[2:] + _ENDING)

    def looked(
        self, read: Iterable[str], folders: Iterable[str], names: Iterable[str]
    ) -> kept.Looked | None:
        """What this run has looked at, these files and folders besides.

        None where it cannot be said that all of it is still what the run saw.
        """
        for path in read:
            self.disk.digest(path)
        files, listed, asked = self.disk.seen()
        own = f"{self._place}{os.sep}"  # changes all the time, and is named after contents
        files = {f: d for f, d in files.items() if not f.startswith(own)}
        looked_in = (f for f in {*listed, *folders} if not f"{f}{os.sep}".startswith(own))
        there = {f: listed.get(f, os.path.isdir(f)) for f in looked_in}
        settled = all(self.disk.settled(f) for f, digest in files.items() if digest) and all(
            self.disk.settled(f) if was else not os.path.exists(f) for f, was in there.items()
        )
        if not (self.whole and settled):
            return None
        return kept.Looked(files, there.keys(), asked | set(names))

    def scans(self, root: Path) -> dict[str, sources.Scan]:
        """Looks at the files under *root* that an earlier run took, by path."""
        body = cache_folder.left(self._scans(root)) if self._bound else None
        if body is None:
            return {}
        try:
            found = msgspec.msgpack.decode(body, type=list[sources.Scan])
        except msgspec.DecodeError:
            return {}
        return {s.path: s for s in found}

    def keep_scans(
        self, root: Path, known: Mapping[str, sources.Scan], scans: Mapping[str, sources.Scan]
    ) -> None:
        """Leave looks at files for the next run, which compares digests; *known* were there."""
        if not self._bound or all(known.get(p) == s for p, s in scans.items()):
            return
        merged = {p: s for p, s in known.items() if os.path.exists(p)} | dict(scans)
        body = msgspec.msgpack.encode([merged[p] for p in sorted(merged)])
        cache_folder.leave(self._scans(root), body)

    def _scans(self, root: Path) -> Path:
        name = f"{tool()}\0{root}".encode(errors="replace")
        key = hashlib.blake2b(name, digest_size=_DIGEST).hexdigest()
        return self._place / "scans" / f"{key}.scans"

    def close(self) -> None:
        """Remove what was used longest ago, down to the bound, if this run added anything."""
        if self.changed:
            with contextlib.suppress(OSError):
                pruning.keep_within(self._place, self._bound, self._added, self.disk.began / 1e9)


@contextlib.contextmanager
def opened(use: bool = True) -> Iterator[Cache]:
    """The user's cache; one that lasts as long as this run where *use* is off or it cannot be had.

    Raises CacheError where the environment asks for something that is not a size.
    """
    bound = cache_folder.size()
    place = cache_folder.folder()
    if use and bound and cache_folder.usable(place):
        cache = Cache(place, bound)
        try:
            yield cache
        finally:
            cache.close()
        return
    with tempfile.TemporaryDirectory(prefix="lockorder-", ignore_cleanup_errors=True) as name:
        yield Cache(Path(name), 0)


def _own(job: Job) -> tuple[str, ...]:
    """The files whose contents are known to matter before the unit is read."""
    main = () if job.loaded else (job.main,)  # a precompiled header is called after its contents
    return tuple(dict.fromkeys((*main, *job.own, *job.rewritten)))
