"""Macros replaced by what they stand for, in files that libclang cannot read.

Known are the macros that a file and the project's headers that it includes define, and those of the
flags.  What replaces a macro stands on its line, and all lines keep their numbers.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lockorder.static.discovery import sources
from lockorder.static.discovery.annotations import is_thread_safety
from lockorder.static.discovery.blanks import COMMENT
from lockorder.static.discovery.inputs import FOLDER_FLAGS
from lockorder.static.parse.recovery.conditions import given, switched_off

#: Macros inside macros that are replaced, and the longest text that one may become.
_DEEPEST = 12
_LONGEST = 20_000
#: Headers whose macros are looked at, at most.
_MOST_HEADERS = 400
_TOKEN = re.compile(
    rb"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|"
    rb"(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\r?\n|[^\n])*|\b[A-Za-z_]\w*",
    re.S | re.M,
)
_DEFINE = re.compile(rb"^\s*#\s*define\s+(\w+)(\(([^)]*)\))?((?:\\\r?\n|[^\n])*)", re.S)
_UNDEFINE = re.compile(rb"^\s*#\s*undef\s+(\w+)")
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[\"<]([^\">\n]+)[\">]", re.M)
_WORD = re.compile(rb"\b[A-Za-z_]\w*\b")


class Macro(NamedTuple):
    """What a macro stands for; *parameters* is None where it takes none."""

    parameters: tuple[bytes, ...] | None
    text: bytes


Macros = Mapping[bytes, Macro]


def of_flags(flags: Sequence[str]) -> dict[bytes, Macro]:
    """The macros that flags define."""
    return {
        n.encode(): Macro(None, v.encode()) for n, v in given(flags).items() if n.isidentifier()
    }


def included(files: Iterable[str], flags: Sequence[str], left_out: Iterable[str]) -> list[str]:
    """Headers that *files* include, found beside them or in the folders that *flags* name.

    Folders in *left_out* are those of the compiler and the like.
    """
    folders = _folders(flags, set(left_out))
    pending, found = list(files), dict.fromkeys(files)
    while pending and len(found) < _MOST_HEADERS:
        here = pending.pop(0)
        try:
            data = sources.read(here)
        except sources.SourceError:
            continue
        for match in _INCLUDE.finditer(data):
            name = match.group(1).decode(errors="replace")
            for folder in (os.path.dirname(here), *folders):
                path = os.path.normpath(os.path.join(folder, name))
                if path in found:
                    break
                if os.path.isfile(path):
                    found[path] = None
                    pending.append(path)
                    break
    return [p for p in found if p not in set(files)]


def _folders(flags: Sequence[str], left_out: set[str]) -> list[str]:
    found: list[str] = []
    pending = iter(flags)
    for flag in pending:
        name = next((n for n in FOLDER_FLAGS if flag.startswith(n)), None)
        if name is not None:
            folder = next(pending, "") if flag == name else flag[len(name) :]
            if folder and folder not in left_out and not folder.startswith("/usr/"):
                found.append(folder)
    return found


def defined(data: bytes, flags: Sequence[str], known: Macros) -> dict[bytes, Macro]:
    """The macros *known*, and those that *data* defines."""
    found = dict(known)
    for directive in _directives(data, tuple(flags)) if b"define" in data else ():
        _directive(directive, found)
    return found


@functools.lru_cache(maxsize=256)
def _directives(data: bytes, flags: tuple[str, ...]) -> tuple[bytes, ...]:
    """The directives of *data* in branches that are on: of a header, the same in many units."""
    off = switched_off(data, flags)
    return tuple(
        m.group(0)
        for m in _TOKEN.finditer(data)
        if m.group(0).lstrip()[:1] == b"#" and not _inside(off, m.start())
    )


def _inside(ranges: Sequence[tuple[int, int]], at: int) -> bool:
    return any(a <= at < b for a, b in ranges)


def _directive(text: bytes, macros: dict[bytes, Macro]) -> None:
    match = _DEFINE.match(text)
    if match is None:
        gone = _UNDEFINE.match(text)
        if gone is not None:
            macros.pop(gone.group(1), None)
        return
    name, opened, listed, rest = match.groups()
    if is_thread_safety(name.decode()):
        return
    body = COMMENT.sub(b" ", re.sub(rb"\\\r?\n", b" ", rest)).strip()
    parameters = None
    if opened is not None:
        parameters = tuple(p.strip() for p in listed.split(b",") if p.strip())
    if body != name:
        macros[name] = Macro(parameters, body)


def expanded(data: bytes, flags: Sequence[str], known: Macros) -> bytes:
    """*data* with macros replaced: those *known* and its own, from their definitions on."""
    macros = dict(known)
    if not macros and b"define" not in data:
        return data
    off = switched_off(data, flags) if b"#" in data else []
    out: list[bytes] = []
    at = 0
    for match in _TOKEN.finditer(data):
        if match.start() < at:
            continue
        text = match.group(0)
        if text.lstrip()[:1] == b"#":
            if not _inside(off, match.start()):
                _directive(text, macros)
            continue
        if text not in macros or _inside(off, match.start()):
            continue
        replaced = _replaced(data, match.start(), match.end(), macros, frozenset())
        if replaced is None:
            continue
        new, end = replaced
        lines = data.count(b"\n", match.start(), end)
        out += [data[at : match.start()], new, b"\n" * lines]
        at = end
    out.append(data[at:])
    return b"".join(out)


def _replaced(
    data: bytes, start: int, end: int, macros: Macros, inside: frozenset[bytes]
) -> tuple[bytes, int] | None:
    """What stands for the macro at *start*, and where its use ends; None where it is no use."""
    name = data[start:end]
    macro = macros[name]
    arguments: list[bytes] = []
    if macro.parameters is not None:
        opened = re.compile(rb"\s*\(").match(data, end)
        if opened is None:
            return None
        closed = _arguments(data, opened.end(), arguments)
        if closed is None:
            return None
        end = closed
    text = _substituted(macro, arguments, macros, inside)
    if len(inside) < _DEEPEST and len(text) < _LONGEST:
        text = _again(text, macros, inside | {name})
    return (text, end) if len(text) < _LONGEST else None


def _arguments(data: bytes, at: int, found: list[bytes]) -> int | None:
    """Split the arguments from *at* on; returns where their list ends."""
    depth, start = 0, at
    limit = min(len(data), at + _LONGEST)
    while at < limit:
        token = _TOKEN.match(data, at)
        if token is not None and token.end() > at:
            at = token.end()
            continue
        c = data[at : at + 1]
        if c in (b"(", b"[", b"{"):
            depth += 1
        elif c in (b"]", b"}") or (c == b")" and depth):
            depth -= 1
        elif (c == b"," and depth == 0) or c == b")":
            found.append(b" ".join(COMMENT.sub(b" ", data[start:at]).split()))
            start = at + 1
            if c == b")":
                return at + 1
        at += 1
    return None


def _substituted(
    macro: Macro, arguments: list[bytes], macros: Macros, inside: frozenset[bytes]
) -> bytes:
    if macro.parameters is None:
        return macro.text
    names = list(macro.parameters)
    values = dict(zip(names, arguments, strict=False))
    if names and names[-1].endswith(b"..."):
        rest = b", ".join(arguments[len(names) - 1 :])
        values[names[-1].removesuffix(b"...") or b"__VA_ARGS__"] = rest
    text = re.sub(rb"(?<!#)#\s*([A-Za-z_]\w*)", b'""', macro.text)
    text = re.sub(rb",\s*##\s*__VA_ARGS__", b", __VA_ARGS__" if values.get(b"__VA_ARGS__") else b"",
                  text)  # fmt: skip
    pasted = {m.group(0) for m in re.finditer(rb"\w+(?=\s*##)|(?<=##)\w+", text)}
    pasted |= {m.group(1) for m in re.finditer(rb"##\s*(\w+)", text)}

    def value(match: re.Match[bytes]) -> bytes:
        name = match.group(0)
        if name not in values:
            return name
        given_ = values[name]
        return given_ if name in pasted else _again(given_, macros, inside)

    return re.sub(rb"\s*##\s*", b"", _WORD.sub(value, text))


def _again(text: bytes, macros: Macros, inside: frozenset[bytes]) -> bytes:
    """*text* with further macros replaced, apart from those that it is *inside* of."""
    out: list[bytes] = []
    at = 0
    for match in _TOKEN.finditer(text):
        name = match.group(0)
        if match.start() < at or name not in macros or name in inside:
            continue
        replaced = _replaced(text, match.start(), match.end(), macros, inside)
        if replaced is not None:
            out += [text[at : match.start()], replaced[0]]
            at = replaced[1]
    out.append(text[at:])
    return b"".join(out)
