"""What decided a result: the files that were read, and where names of headers were looked up.

A result may be used again when every one of those files has the same content and every name would
be found in the same places: a header that is new in an earlier include folder, and one that was
missing and is there now, change the second although no file that was read has changed.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from lockorder.static.discovery import named_files, sources

#: Nanoseconds: a change less than this before a run may be one that came after its start.  The
#: clock that stamps files ticks every 10 ms at most, two seconds where it counts whole seconds.
GRACE = 100_000_000
GRACE_COARSE = 2_000_000_000
_SECOND = 1_000_000_000

_GAP = rb"(?:[ \t]|\\\r?\n|/\*.*?\*/)*"
_NAMED = rb'(?:<([^>\n]+)>|"([^"\n]+)"|([^\s<"]))'
_INCLUDE = re.compile(
    rb"(?:#|%:)" + _GAP + rb"(?:include_next|include|import)\b" + _GAP + _NAMED, re.S
)
_ASKED = re.compile(rb"(?<!define )__has_include(?:_next)?\s*\(\s*" + _NAMED)
#: A macro that hands what it is given on to ``__has_include``, as fmt's FMT_HAS_INCLUDE does.
_HANDS_ON = re.compile(
    rb"(?:#|%:)" + _GAP + rb"define" + _GAP + rb"(\w+)\(" + _GAP + rb"(\w+)" + _GAP + rb"\)" + _GAP
    + rb"__has_include(?:_next)?" + _GAP + rb"\(" + _GAP + rb"\2" + _GAP + rb"\)", re.S
)  # fmt: skip
FOLDER_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter", "-iframework", "-F")
_FILE_FLAGS = ("-include", "-imacros")
_ROOT_FLAGS = ("-isysroot", "--sysroot")
_IN_ROOT = ("include", "include/c++/*", "usr/local/include", "usr/include", "usr/include/*-linux*",
            "usr/include/c++/*", "usr/include/c++/*/*-linux*", "usr/include/*-linux*/c++/*",
            "usr/lib*/gcc/*/*/include")  # fmt: skip


class Inputs(msgspec.Struct, frozen=True, array_like=True):
    """The files with digests of their contents, the names looked up, and a digest of the finds.

    ``names`` are looked up through the include folders, ``beside`` in the folder of a file.
    ``askers`` are macros of these files that ask for the header that they are given.
    """

    files: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    beside: tuple[tuple[str, tuple[str, ...]], ...]
    finds: str
    askers: tuple[str, ...] = ()


class Lookups(msgspec.Struct):
    """Names of headers in the text of one file; whether one is computed by macros.

    ``askers`` are macros that the file defines and that ask for what they are given.
    """

    anywhere: set[str]
    quoted: set[str]
    askers: tuple[str, ...] = ()
    computed: bool = False
    #: ``__has_include`` of something computed: nothing tells what was asked
    unknown: bool = False


def lookups(data: bytes) -> Lookups:
    """All names that *data* may look up; comments and branches that are off count too."""
    handed_on = list(_HANDS_ON.finditer(data)) if b"__has_include" in data else []
    found = Lookups(set(), set(), tuple(sorted({m.group(1).decode() for m in handed_on})))
    for match in (*_INCLUDE.finditer(data), *_ASKED.finditer(data)):
        if match.re is _INCLUDE or not any(m.start() < match.start() < m.end() for m in handed_on):
            _take(match, found)
    return found


def lookups_by(asker: str, data: bytes) -> Lookups:
    """All names that *data* may look up by the macro *asker*."""
    found = Lookups(set(), set())
    name = asker.encode()
    if name in data:
        used = rb"(define" + _GAP + rb")?(?<!\w)" + name + rb"\s*\(\s*" + _NAMED
        for match in re.finditer(used, data, re.S):
            if match.group(1) is None:
                _take(match, found)
    return found


def _take(match: re.Match[bytes], found: Lookups) -> None:
    angled, quoted, other = match.groups()[-3:]
    if other is not None:
        found.computed = True
        found.unknown |= match.re is not _INCLUDE
        return
    name = (angled or quoted).decode(errors="replace").strip()
    found.anywhere.add(name)
    if quoted is not None:
        found.quoted.add(name)


class Disk:
    """The disk as one run sees it: everything is looked at once.

    What was looked at is what the run's compilers saw where it is ``settled``.
    """

    def __init__(self) -> None:
        self.began = time.time_ns()
        self._digests: dict[str, str] = {}
        self._lookups: dict[str, Lookups] = {}
        self._lookups_by: dict[tuple[str, str], Lookups] = {}
        self._listings: dict[str, frozenset[str] | None] = {}
        self._places: dict[tuple[tuple[str, ...], str], list[tuple[int, str]]] = {}
        self._finds: dict[tuple[tuple[str, ...], str], str] = {}

    def digest(self, path: str) -> str:
        """A digest of the content of *path*; empty where it cannot be read."""
        found = self._digests.get(path)
        if found is None:
            try:
                found = sources.digest(named_files.read(Path(path)))
            except OSError:
                found = ""
            self._digests[path] = found
        return found

    def note(self, path: str, digest: str) -> None:
        """Take the digest of a file that somebody else has just read."""
        self._digests.setdefault(path, digest)

    def lookups(self, path: str) -> Lookups:
        """The names of headers in the text of *path*."""
        found = self._lookups.get(path)
        if found is None:
            try:
                found = lookups(named_files.read(Path(path)))
            except OSError:
                found = Lookups(set(), set())
            self._lookups[path] = found
        return found

    def lookups_by(self, asker: str, path: str) -> Lookups:
        """The names of headers that the text of *path* looks up by the macro *asker*."""
        key = (asker, path)
        found = self._lookups_by.get(key)
        if found is None:
            try:
                found = lookups_by(asker, named_files.read(Path(path)))
            except OSError:
                found = Lookups(set(), set())
            self._lookups_by[key] = found
        return found

    def seen(self) -> tuple[dict[str, str], dict[str, bool], set[str]]:
        """Digests of all files, whether each folder was there, and names that were looked up."""
        folders = {f: names is not None for f, names in self._listings.items()}
        return dict(self._digests), folders, {os.path.basename(name) for _, name in self._finds}

    def settled(self, path: str) -> bool:
        """Whether *path* is there and has not changed since this run began."""
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            return False
        for stamp in (status.st_mtime_ns, status.st_ctime_ns):
            grace = GRACE if stamp % _SECOND else GRACE_COARSE
            if stamp > self.began - grace:
                return False
        return True

    def find(self, folders: tuple[str, ...], name: str) -> str:
        """In which of *folders* the file *name* is, and whether it can be read; a short text."""
        key = (folders, name)
        found = self._finds.get(key)
        if found is None:
            inner, base = os.path.split(name)
            found = self._finds[key] = ",".join(
                f"{number}{_kind(os.path.join(folder, base))}"
                for number, folder in self.places(folders, inner)
                if base in (self._listing(folder) or ())
            )
        return found

    def places(self, folders: tuple[str, ...], inner: str) -> list[tuple[int, str]]:
        """The folders *inner* that are inside *folders*, with the number of the outer one."""
        key = (folders, inner)
        found = self._places.get(key)
        if found is None:
            inside = ((i, os.path.join(f, inner) if inner else f) for i, f in enumerate(folders))
            found = self._places[key] = [(i, f) for i, f in inside if self._listing(f) is not None]
        return found

    def _listing(self, folder: str) -> frozenset[str] | None:
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder))
            except (OSError, ValueError):
                self._listings[folder] = None
        return self._listings[folder]


def _kind(path: str) -> str:
    return "f" if os.path.isfile(path) and os.access(path, os.R_OK) else "x"


def folders(flags: Sequence[str], implied: Sequence[str]) -> tuple[str, ...]:
    """All folders that *flags* have clang search, then *implied*; the order is not clang's."""
    found = [os.path.abspath(f) for f in _values(flags, FOLDER_FLAGS)]
    for root in _values(flags, _ROOT_FLAGS):
        found += sorted(f for p in _IN_ROOT for f in glob.glob(os.path.join(root, p)))
    return tuple(dict.fromkeys((*found, *implied)))


def included_by(flags: Sequence[str]) -> set[str]:
    """Names that *flags* themselves include, and what clang would take in their place."""
    named = set(_values(flags, _FILE_FLAGS))
    return named | {n + ending for n in named for ending in (".pch", ".gch")}


def _values(flags: Sequence[str], names: Sequence[str]) -> list[str]:
    """What the options *names* are given, in a word of its own or in the same."""
    found = []
    pending = iter(flags)
    for flag in pending:
        name = next((n for n in names if flag.startswith(n)), None)
        if name is not None:
            found.append(next(pending, "") if flag == name else flag[len(name) :].lstrip("="))
    return found


def gather(
    disk: Disk,
    files: Mapping[str, str],
    asking: Iterable[str],
    flags: Sequence[str],
    implied: Sequence[str],
    missing: Iterable[tuple[str, str]] = (),
    askers: Iterable[str] = (),
) -> Inputs | None:
    """What a result was made from, once it is made; None where that cannot be said.

    *files* were included, with digests where whoever read them made some; *asking* are further
    files whose text includes others, and whose contents the caller answers for; *askers* are macros
    of yet other files that ask for headers.  None where a
    file or the place of a header changed since the run began, where a file is not what *files*
    says, and where one asks for a header by a name that only the preprocessor knows.
    """
    if any(f.startswith("-fms-") for f in flags):
        return None  # there, names are looked up beside every file that is open
    named = Lookups(included_by(flags), set())
    beside: dict[str, set[str]] = {}
    if named.anywhere:
        beside[os.getcwd()] = set(named.anywhere)  # looked into before the include folders
    computed: list[str] = []
    paths = list(dict.fromkeys((*asking, *files)))
    every = [(path, disk.lookups(path)) for path in paths]
    by_macros = tuple(sorted({*askers, *(a for _, found in every for a in found.askers)}))
    every += [(path, disk.lookups_by(asker, path)) for asker in by_macros for path in paths]
    for path, found in every:
        if found.unknown:
            return None
        named.anywhere |= found.anywhere
        for name in found.quoted:
            folder = os.sep if os.path.isabs(name) else os.path.dirname(path)
            beside.setdefault(folder, set()).add(name)
        if found.computed:
            computed.append(os.path.dirname(path))
    for path, name in missing:
        named.anywhere.add(name)
        beside.setdefault(os.path.dirname(path), set()).add(name)
    searched = folders(flags, implied)
    if computed:
        inside = {p[len(f) + 1 :] for p in files for f in searched if p.startswith(f + os.sep)}
        named.anywhere |= inside
        for folder in computed:
            beside.setdefault(folder, set()).update(inside)
    inputs = Inputs(
        tuple(sorted((p, disk.digest(p)) for p in files)),
        tuple(sorted(n for n in named.anywhere if not os.path.isabs(n))),
        tuple((f, tuple(sorted(n))) for f, n in sorted(beside.items()) if n),
        "",
        by_macros,
    )
    for path, digest in inputs.files:
        if not digest or files[path] not in ("", digest):
            return None
    if not all(disk.settled(p) for p in (*files, *_looked_at(inputs, searched, disk))):
        return None
    return msgspec.structs.replace(inputs, finds=_finds(inputs, searched, disk))


def hold(inputs: Inputs, flags: Sequence[str], implied: Sequence[str], disk: Disk) -> bool:
    """Whether the same files, with the same contents, would be read again."""
    return all(disk.digest(p) == d for p, d in inputs.files) and inputs.finds == _finds(
        inputs, folders(flags, implied), disk
    )


def _finds(inputs: Inputs, searched: tuple[str, ...], disk: Disk) -> str:
    state = hashlib.blake2b(digest_size=12)
    for name in inputs.names:
        state.update(f"{name}\0{disk.find(searched, name)}\0".encode(errors="replace"))
    for folder, names in inputs.beside:
        for name in names:
            state.update(f"{name}\0{disk.find((folder,), name)}\0".encode(errors="replace"))
    return state.hexdigest()


def _looked_at(inputs: Inputs, searched: tuple[str, ...], disk: Disk) -> set[str]:
    """The folders whose lists of files decided what was found.

    Where a folder inside an include folder is not there, it is the nearest above it that is.
    """
    found: set[str] = set()
    for around, names in ((searched, inputs.names), *(((f,), n) for f, n in inputs.beside)):
        for inner in {os.path.dirname(n) for n in names}:
            there = {number for number, _ in disk.places(around, inner)}
            found.update(folder for _, folder in disk.places(around, inner))
            above = inner
            while above and len(there) < len(around):
                above = os.path.dirname(above) if above != os.sep else ""
                more = [(n, f) for n, f in disk.places(around, above) if n not in there]
                found.update(folder for _, folder in more)
                there.update(number for number, _ in more)
    return found
