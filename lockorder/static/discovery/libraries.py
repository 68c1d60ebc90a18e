"""The libraries whose declarations are shipped with this package, and where else they are from.

A check reads what is shipped, whatever is installed beside it: the same sources give the same
findings in any environment, and no two versions of a library mix.  Headers of an installed library
are read only where a build names their folder (a compilation database, CPATH, an option), and then
that library is taken from there whole: none of its shipped declarations are used.
"""

from __future__ import annotations

import fnmatch
import functools
import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from lockorder import __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: What this package brings of headers: of libraries, and of standard libraries.
SHIPPED = Path(os.path.abspath(__file__)).parents[2] / "headers"
STUBS = SHIPPED / "libraries"
#: What stands for headers of the compiler itself.
INTRINSICS = "compiler intrinsics"


class Library(msgspec.Struct, frozen=True):
    """One library: its name and version, where its files lie in STUBS, and their names there."""

    name: str
    version: str
    entries: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name with the version, as people are told."""
        return f"{self.name} {self.version}".rstrip()


@functools.cache
def shipped() -> tuple[Library, ...]:
    """All libraries that STUBS has declarations of, by name."""
    table = tomllib.loads((STUBS / "libraries.toml").read_text(encoding="utf-8"))
    patterns = [(row["name"], row.get("version", ""), row["files"]) for row in table["library"]]
    files: dict[str, list[str]] = {name: [] for name, *_ in patterns}
    for here, folders, names in os.walk(STUBS):
        folders.sort()
        for name in sorted(names):
            file = os.path.relpath(os.path.join(here, name), STUBS)
            for library, _, wanted in patterns:
                if any(fnmatch.fnmatchcase(file, pattern) for pattern in wanted):
                    files[library].append(file)
                    break
    return tuple(
        Library(name, version, _entries(files[name]), tuple(files[name]))
        for name, version, _ in sorted(patterns)
    )


def _entries(files: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(file.partition(os.sep)[0] for file in files))


@functools.cache
def library_of(header: str) -> Library | None:
    """The library whose shipped declarations ``#include <header>`` reads; None where there are
    none."""
    return next((each for each in shipped() if header in each.files), None)


def found_in(folders: Sequence[str]) -> dict[str, str]:
    """The libraries that *folders* have headers of, by name, each with the first such folder."""
    found: dict[str, str] = {}
    for folder in folders:
        for name in _in_folder(folder):
            found.setdefault(name, folder)
    return found


@functools.lru_cache(maxsize=256)
def _in_folder(folder: str) -> tuple[str, ...]:
    try:
        there = set(os.listdir(folder))
    except OSError:
        return ()
    return tuple(
        each.name
        for each in shipped()
        if not there.isdisjoint(each.entries)
        and any(os.path.isfile(os.path.join(folder, file)) for file in each.files)
    )


def names() -> set[str]:
    """Names of files and folders by which found_in tells a library."""
    return {part for each in shipped() for file in each.files for part in file.split(os.sep)}


def folder_without(left_out: Iterable[str], place: Path) -> Path:
    """The shipped declarations but those of the libraries *left_out*, under *place*.

    Raises OSError where *place* cannot be written.
    """
    apart = frozenset(left_out)
    if not apart:
        return STUBS
    text = "\0".join((__version__, str(STUBS), *sorted(apart)))
    folder = place / f"headers-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"
    entries = [e for each in shipped() if each.name not in apart for e in each.entries]
    if folder.is_dir() and sorted(os.listdir(folder)) == sorted(entries):
        return folder
    partial = place / f"{folder.name}.{os.getpid()}.part"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for entry in entries:
        (partial / entry).symlink_to(STUBS / entry)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        partial.rename(folder)
    except OSError:  # somebody else was quicker
        shutil.rmtree(partial, ignore_errors=True)
        if not folder.is_dir():
            raise
    return folder


@functools.lru_cache(maxsize=4096)
def is_of_c_library(path: str) -> bool:
    """Whether a system header is one of the C library's, by its name among the folders of these."""
    parts = path.split("/")
    known = _c_headers()
    return any("/".join(parts[-length:]) in known for length in (1, 2, 3))


@functools.cache
def _c_headers() -> frozenset[str]:
    folder = SHIPPED / "stdlib" / "c"
    return frozenset(p.relative_to(folder).as_posix() for p in folder.rglob("*.h"))
