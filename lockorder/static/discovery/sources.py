"""Which files to analyse, and what can be said of each before any compiler looks at it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lockorder.model.coverage import PYTHON
from lockorder.static.discovery import device_code, named_files
from lockorder.static.discovery.annotations import Macro as Said
from lockorder.static.discovery.annotations import classes, macros_used, own_macros
from lockorder.static.discovery.blanks import COMMENT, blanked

if TYPE_CHECKING:
    from lockorder.globs import Globs

SOURCES = frozenset((".c", ".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", ".cu", ".hip"))
HEADERS = frozenset((".h", ".hh", ".hpp", ".hxx", ".h++", ".H", ".cuh", ".inl", ".ipp", ".tpp"))
_NAMES = (os.path.abspath, os.path.realpath)
CUDA = frozenset((".cu", ".cuh", ".hip"))
_ANY = SOURCES | HEADERS
_WANTED = _ANY.union(PYTHON)
_SKIPPED_FOLDERS = frozenset(("__pycache__", "node_modules", ".git", ".hg", ".svn", ".venv"))
_INCLUDE = re.compile(
    rb'^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*([<"])([^>"\n]+)[>"]', re.M
)
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)", re.M)
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b([^\n]*)", re.M)
_NAME = re.compile(rb"\b[A-Za-z_]\w*\b")
_CXX20 = re.compile(
    rb"#\s*include\s*<(?:concepts|span|barrier|latch|semaphore|stop_token|ranges|coroutine|format|"
    rb"source_location|compare|numbers|expected|print)>|\bconsteval\b|\bconstinit\b|\bco_await\b|"
    rb"\bstd::jthread\b|\bconcept\s+\w+\s*=|\)\s*requires\b"
)
#: A word alone on a line that cannot be the type of what follows, nor be where it stands at all.
_KEYWORD = (
    rb"typedef|extern|static|inline|const|volatile|struct|union|enum|class|template|namespace|using|"
    rb"void|bool|char|short|int|long|float|double|signed|unsigned|auto"
)
_OPENS = re.compile(
    rb"^[ \t]*([A-Za-z_]\w*)[ \t]*\r?$(?=\s*(?:(?:"
    + _KEYWORD
    + rb")\b|[A-Za-z_]\w*(?:\s+|\s*[*&]+\s*)"
    rb"[A-Za-z_]))",
    re.M,
)
_CLOSES = re.compile(rb"[;}]\s*^[ \t]*([A-Za-z_]\w*)[ \t]*\r?$(?=\s*(?:#|\Z))", re.M)
_WORDS = frozenset(_KEYWORD.split(b"|")) | {
    b"do", b"else", b"return", b"try", b"public", b"private", b"protected", b"virtual", b"friend",
    b"constexpr", b"explicit", b"mutable", b"register", b"case", b"goto", b"new", b"delete",
    b"throw", b"break", b"continue",
}  # fmt: skip
_GUARDED = re.compile(
    rb"^\s*(?:#[^\n]*\n\s*)*?(?:#\s*pragma\s+once\b|"
    rb"#\s*(?:ifndef\s+(\w+)|if\s+!\s*defined\s*\(?\s*(\w+)\s*\)?)\s*\n\s*#\s*define\s+(?:\1|\2)\b)"
)
_MACRO = re.compile(rb"^[ \t]*#[ \t]*define(?:\\\r?\n|[^\n])*", re.M)
_PREPROCESSED = re.compile(
    rb"^[ \t]*#[ \t]*(?:include|include_next|import|define|undef|if|ifdef|ifndef|elif|else|endif)\b"
    rb"(?:\\\r?\n|[^\n])*",
    re.M,
)
_LAUNCH = re.compile(rb"<<<(?:[^<>;]|->|<(?!<<)[^<>;]*>)*?>>>", re.S)


class SourceError(Exception):
    """A path that cannot be analysed: the text names it and says why."""


class Scan(msgspec.Struct, frozen=True):
    """What a lexical look at one file finds (comments blanked out)."""

    path: str
    includes: tuple[tuple[bool, str], ...] = ()
    defines: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    wrapped_by: str = ""
    cxx20: bool = False
    rewritten: bool = False
    guarded: bool = False
    digest: str = ""
    #: thread-safety macros on declarations (see annotations.macros_used)
    annotations: tuple[str, ...] = ()
    #: macros alone on a line between declarations, which open or close a part of the file
    lone: tuple[str, ...] = ()
    #: macros of its own that stand for thread-safety attributes (see annotations.own_macros)
    said: tuple[Said, ...] = ()
    #: classes whose names look like macros (see annotations.classes)
    classes: tuple[str, ...] = ()


def discover(paths: Sequence[Path], excluded: Globs | None = None) -> tuple[list[Path], list[str]]:
    """Files of C, C++, CUDA and HIP under *paths*, and a message for each bad path.

    See discover_all: Python's files are left out, but not what is wrong with them.
    """
    files, problems = discover_all(paths, excluded)
    return [f for f in files if f.suffix not in PYTHON], problems


def discover_all(
    paths: Sequence[Path], excluded: Globs | None = None
) -> tuple[list[Path], list[str]]:
    """Files to analyse under *paths*, sorted and absolute; and a message for each bad path.

    Folders are searched for C, C++, CUDA, HIP and Python files by their endings; hidden folders
    are not entered, and what is *excluded* there is left out.  A folder that holds none, and a
    missing or unreadable path, is a problem.
    """
    found: dict[Path, None] = {}
    problems: list[str] = []
    for path in paths:
        absolute = Path(os.path.abspath(path))
        if absolute.is_dir():
            inside = _search(absolute)
            wanted = [x for x in inside if excluded is None or not excluded.match(x)]
            if not inside:
                problems.append(f"{path}: no C, C++, CUDA or Python source in this folder")
            elif not wanted:
                problems.append(f"{path}: all sources in this folder are excluded")
            for file in wanted:
                reason = _unusable(file)
                if reason:
                    problems.append(f"{_readable(file)}: {reason}")
                else:
                    found[file] = None
        elif _unusable(absolute) and absolute.exists():
            problems.append(f"{_readable(path)}: {_unusable(absolute)}")
        elif not absolute.exists():
            problems.append(f"{path}: no such file or folder")
        elif not absolute.is_file():
            problems.append(f"{path}: not a regular file")
        elif absolute.suffix not in _WANTED:
            kind = absolute.suffix or "no ending"
            problems.append(f"{path}: not a C, C++, CUDA or Python source by its name ({kind})")
        else:
            found[absolute] = None
    return sorted(found), problems


def asked(paths: Sequence[Path], files: Iterable[Path]) -> Callable[[str], bool]:
    """Whether a file is among what *paths* ask to be checked; *files* were found there.

    Who names a file alone wants to know of all that it includes.
    """
    if not all(path.is_dir() for path in paths):
        return lambda _: True
    # Compilers may tell a file by another name than a search: by that of a link to its folder.
    folders = {os.path.join(name(path), "") for path in paths for name in _NAMES}
    found = {name(file) for file in files for name in _NAMES}

    def is_asked(file: str) -> bool:
        inside = any(file.startswith(folder) for folder in folders)
        return file in found or (inside and not is_source(file))

    return is_asked


def is_source(name: str) -> bool:
    """Whether a file is a source or a header by its name."""
    return os.path.splitext(name)[1] in _ANY


def _unusable(path: Path) -> str:
    """Why a path cannot even be opened as a source; empty where it can."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    return "not a regular file" if is_endless(str(path)) else ""


def is_endless(path: str) -> bool:
    """Whether *path* is a pipe or a device, which a compiler that opens it may read for ever."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _readable(path: Path) -> str:
    return str(path).encode(errors="backslashreplace").decode()


def _search(folder: Path) -> list[Path]:
    found: list[Path] = []
    for here, folders, files in os.walk(folder):
        folders[:] = _entered(folders, files, here == str(folder))
        found.extend(Path(here) / f for f in files if Path(f).suffix in _WANTED)
    return found


def _entered(folders: Sequence[str], files: Sequence[str], first: bool) -> list[str]:
    """Which of *folders*, in a folder that has *files* as well, belong to the sources.

    What is installed in a virtual or a conda environment is not the project's, wherever that
    stands, unless the search is asked to begin there (*first*).
    """
    if not first and ("pyvenv.cfg" in files or "conda-meta" in folders):
        return []
    return sorted(d for d in folders if d not in _SKIPPED_FOLDERS and not d.startswith("."))


def read(path: str) -> bytes:
    """The bytes of a source file.

    Raises SourceError for what cannot be read and for what is not text at all.
    """
    try:
        data = named_files.read(Path(path))
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from None
    at = data.find(b"\0")
    if at >= 0:
        raise SourceError(f"{path}: not text (a NUL byte at offset {at})")
    return data


def digest(data: bytes) -> str:
    """Names a content: equal for equal bytes only."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def blank_launches(data: bytes) -> bytes:
    """CUDA's ``kernel<<<...>>>(...)`` as a plain call, every byte at its old offset."""
    return blanked(_LAUNCH, data) if b"<<<" in data else data


def host_code(data: bytes) -> bytes:
    """The text of a CUDA file as clang can read it, every byte and line at its old place.

    It has the host's code only (see device_code), and launches as plain calls.
    """
    return device_code.blanked(blank_launches(data))


def readable_host_code(path: str) -> str:
    """The text of a file for clang (see host_code).

    Raises SourceError, as read does.
    """
    return host_code(read(path)).decode(errors="replace")


def directives(data: bytes) -> bytes:
    """*data* without anything but what the preprocessor acts on; pragmas are left out too."""
    code = blanked(COMMENT, data)
    return b"\n".join(m.group(0) for m in _PREPROCESSED.finditer(code)) + b"\n"


def _has_launch(path: str, code: bytes) -> bool:
    """Whether kernels are launched; a header's macros that would are nothing until they are used.

    A file with launches has to be replaced when it is parsed, and where it is precompiled.
    """
    if Path(path).suffix in HEADERS:
        code = _MACRO.sub(b"", code)
    return bool(_LAUNCH.search(code))


def scan(path: str, data: bytes) -> Scan:
    """Look at *data*, the bytes of *path*, without a compiler."""
    code = blanked(COMMENT, data)
    includes = tuple(
        (m.group(1) == b"<", m.group(2).decode(errors="replace").strip())
        for m in _INCLUDE.finditer(code)
    )
    defines: dict[str, None] = {}
    macros: dict[str, None] = {}
    for match in _DEFINE.finditer(code):
        name = match.group(1).decode()
        defines[name] = None
        if match.group(2):
            macros[name] = None
    conditions: dict[str, None] = {}
    for match in _CONDITION.finditer(code):
        if match.group(1) in (b"ifdef", b"if", b"elif", b"ifndef"):
            conditions.update((n.decode(), None) for n in _NAME.findall(match.group(2)))
    conditions.pop("defined", None)
    return Scan(
        path,
        includes,
        tuple(defines),
        tuple(macros),
        tuple(conditions),
        _wrapper(code),
        bool(_CXX20.search(code)),
        (b"<<<" in code and _has_launch(path, code)) or device_code.has_any(code),
        bool(_GUARDED.search(code)),
        digest(data),
        macros_used(code),
        _lone(code),
        own_macros(code),
        classes(code),
    )


def _lone(code: bytes) -> tuple[str, ...]:
    """Words alone on a line that can only be macros: they open or close a part of the file.

    No declaration begins with two types, and nothing but a macro stands between declarations.  Such
    a macro stands nowhere else: a name that does, as an argument of another macro, is none.
    """
    found = {m.group(1) for pattern in (_OPENS, _CLOSES) for m in pattern.finditer(code)} - _WORDS
    return tuple(sorted(name.decode() for name in found if _is_always_alone(name, code)))


def _is_always_alone(name: bytes, code: bytes) -> bool:
    used = len(re.findall(rb"\b" + name + rb"\b", code))
    return used == len(re.findall(rb"^[ \t]*" + name + rb"[ \t]*\r?$", code, re.M))


def _wrapper(code: bytes) -> str:
    """The macro of an ``#ifdef`` that encloses (nearly) everything in a file, or empty.

    At most includes and pragmas may stand outside; an include guard (#ifndef) is no wrapper.
    """
    depth, opened, name = 0, -1, b""
    for match in _CONDITION.finditer(code):
        word = match.group(1)
        if word in (b"ifdef", b"if", b"ifndef"):
            if depth == 0 and opened < 0:
                text = match.group(2).strip()
                positive = word == b"ifdef" or (
                    word == b"if" and text.startswith(b"defined") and b"||" not in text
                )
                names = [n for n in _NAME.findall(text) if n != b"defined"]
                if positive and names:
                    opened, name = match.start(), names[0]
                elif word != b"ifndef":
                    opened = -2
            depth += 1
        elif word == b"endif":
            depth -= 1
            if depth == 0 and opened >= 0:
                outside = code[:opened] + code[match.end() :]
                rest = re.sub(rb"^[ \t]*#[^\n]*", b"", outside, flags=re.M)
                return name.decode() if not rest.strip() else ""
    return ""


class Tree:
    """Finds the project's own headers by the names that sources include them by."""

    def __init__(self, root: Path) -> None:
        self._by_name: dict[str, list[str]] = {}
        #: every folder that was searched
        self.folders: list[str] = []
        for here, folders, files in os.walk(root):
            self.folders.append(here)
            folders[:] = _entered(folders, files, here == str(root))
            for name in sorted(files):
                if os.path.splitext(name)[1] in _ANY:
                    self._by_name.setdefault(name, []).append(os.path.join(here, name))

    def find(self, name: str, near: str) -> list[str]:
        """Files whose path ends with *name*, nearest to the file *near* first."""
        wanted = os.sep + os.path.normpath(name)
        matches = [p for p in self._by_name.get(os.path.basename(name), ()) if p.endswith(wanted)]
        matches.sort(key=lambda p: (-len(commonpath([p, near])), len(p), p))
        return matches


def project_root(paths: Iterable[Path]) -> Path:
    """The folder that holds the project of *paths*.

    The topmost folder above them that is marked as a project (version control, a build system's
    top file); else the current folder where it holds them all; else their common parent.
    """
    absolute = [Path(os.path.abspath(p)) for p in paths]
    common = Path(os.path.commonpath([str(p if p.is_dir() else p.parent) for p in absolute]))
    home = Path(os.path.expanduser("~"))  # ~ itself where a container's user has no home
    best: Path | None = None
    for folder in (common, *common.parents):
        if folder in (folder.parent, home):
            break
        if (folder / ".git").exists():
            return folder
        if any((folder / mark).exists() for mark in _MARKS):
            best = folder
    if best is not None:
        return best
    here = Path.cwd()
    return here if common.is_relative_to(here) and here != here.parent else common


_MARKS = (
    "CMakeLists.txt", "WORKSPACE", "MODULE.bazel", "meson.build", "setup.py", "pyproject.toml",
    "configure.ac", "BUCK", "Makefile", "compile_commands.json",
)  # fmt: skip
