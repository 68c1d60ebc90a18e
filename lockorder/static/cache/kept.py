"""Whole results of earlier runs: where nothing has changed, there is nothing to do again.

A result is found by what was asked (paths, options, configuration) and by who answers (this
package, its libraries, the machine), and may be used where everything that was looked at for it is
as it was: the files that were read, and the folders that were searched, whether or not what was
looked for was there.  Looking at their times of change is enough where those have not moved (as
make(1) does, with the time of the inode's change beside it, which cp -p and touch -d cannot set
back); else their contents are compared.

Where something has changed and the facts that are read are the same all the same (a comment; a file
that is again what it was), a result is found by a digest of them (commands/checked): its name says
all that it was made from, and nothing is compared.

Nothing here loads the compiler: a run with nothing to do is over before that would be.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

import lockorder
from lockorder.model.coverage import PYTHON
from lockorder.static.cache import folder as cache_folder
from lockorder.static.discovery import named_files, sources

_VARIABLES = ("PATH", "HOME", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CC",
              "CCC_OVERRIDE_OPTIONS")  # fmt: skip
_COMPILERS = ("cc", "gcc", "clang")
_DIGEST = 16

#: Size, times of the last change of content and of inode (ns); all -1 where there is nothing.
Stamp = tuple[int, int, int]
_GONE: Stamp = (-1, -1, -1)


class Looked(msgspec.Struct, frozen=True):
    """What a result was made from.

    ``files`` have digests of their contents (empty: it could not be read); ``folders`` were
    searched for ``names`` or for sources; a folder that was not there counts as well.
    """

    files: Mapping[str, str]
    folders: Collection[str]
    names: Collection[str]


#: What a result was made from whose name says all of it.
NOTHING = Looked({}, (), ())


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    files: list[tuple[str, Stamp, str]]
    folders: list[tuple[str, Stamp, str]]
    names: list[str]
    result: bytes


def key(paths: Sequence[Path], files: Iterable[Path], problems: Iterable[str], asked: bytes) -> str:
    """The name of a result: *files* are what lies under *paths* now, *asked* all that was asked."""
    state = hashlib.blake2b(digest_size=_DIGEST)
    for part in (
        sys.version,
        *_sites(),
        *(f"{name}={os.environ.get(name, '')}" for name in _VARIABLES),
        *(f"{path} {_stamp(path)}" for path in _compilers()),
        *(f"{path} {_stamp(path)}" for path in _own_files()),
        os.getcwd(),
        "paths", *map(str, paths),
        "files", *map(str, files),
        "problems", *problems,
    ):  # fmt: skip
        state.update(part.encode(errors="surrogatepass") + b"\0")
    state.update(asked)
    return state.hexdigest()


def load(folder: Path, name: str) -> bytes | None:
    """The result *name* in *folder*, if all that it was made from is as it was."""
    path = _path(folder, name)
    body = cache_folder.left(path)
    if body is None:
        return None
    try:
        entry = msgspec.msgpack.decode(body, type=_Entry)
    except msgspec.DecodeError:
        return None
    moved = False
    for file, stamp, digest in entry.files:
        if _stamp(file) != stamp:
            moved = True
            if _content(file) != digest:
                return None
    names = frozenset(entry.names)
    for place, stamp, digest in entry.folders:
        if _stamp(place) != stamp:
            moved = True
            if _listing(place, names) != digest:
                return None
    if moved:
        cache_folder.leave(path, msgspec.msgpack.encode(_stamped(entry)))
    else:
        with contextlib.suppress(OSError):
            os.utime(path)
    return entry.result


def store(folder: Path, name: str, looked: Looked, result: bytes) -> None:
    """Keep *result* under *name*; a folder that cannot be written costs time, nothing else."""
    names = frozenset(looked.names)
    entry = _Entry(
        [(f, _stamp(f), looked.files[f]) for f in sorted(looked.files)],
        [(f, _stamp(f), _listing(f, names)) for f in sorted({*looked.folders, *_sites()})],
        sorted(names),
        result,
    )
    cache_folder.leave(_path(folder, name), msgspec.msgpack.encode(entry))


def _stamped(entry: _Entry) -> _Entry:
    """*entry* with the times that its files have now, which were just found to be as they were."""
    return _Entry(
        [(f, _stamp(f), d) for f, _, d in entry.files],
        [(f, _stamp(f), d) for f, _, d in entry.folders],
        entry.names,
        entry.result,
    )


def _path(folder: Path, name: str) -> Path:
    return folder / "results" / f"{name}.result"


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return _GONE
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _content(path: str) -> str:
    """As inputs.Disk names contents."""
    try:
        return sources.digest(named_files.read(Path(path)))
    except OSError:
        return ""


def _listing(folder: str, names: frozenset[str]) -> str:
    """A digest of what in *folder* could be found: *names*, sources, and folders to look into."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                f"{e.name}{'/' if e.is_dir() else ''}"
                for e in entries
                if e.name in names
                or sources.is_source(e.name)
                or e.name.endswith(PYTHON)
                or e.is_dir()
            )
    except (OSError, ValueError):
        return ""
    return sources.digest("\0".join(found).encode(errors="surrogatepass"))


def _compilers() -> list[str]:
    """Whose headers are used is asked of these (see headers)."""
    given = os.environ.get("CC", "").split(" ")[0]
    found = (shutil.which(name) for name in (given, *_COMPILERS) if name)
    return [os.path.realpath(path) for path in found if path]


def _own_files() -> list[str]:
    """The files and folders of this package that decide a result, its headers apart."""
    found = []
    for here, folders, names in os.walk(Path(lockorder.__file__).parent):
        folders[:] = [f for f in folders if f != "__pycache__"]
        found.append(here)
        found += [os.path.join(here, n) for n in names if n.endswith((".py", ".toml"))]
    return sorted(found)


def _sites() -> list[str]:
    """Where this package's libraries are installed, in folders called by their versions."""
    return [entry for entry in sys.path if Path(entry).name == "site-packages"]
