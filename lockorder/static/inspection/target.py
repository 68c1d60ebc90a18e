"""What somebody asks about: a function by its name, or a place by file and line."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from lockorder.static.inspection.names import Names
from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.conditions import switched_off
from lockorder.static.program.link import Program

#: FILE:LINE, with the column that editors and compilers write behind it.
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::\d+)?:?$")
#: Names that are proposed, places that are listed.
_NAMED, _LISTED = 5, 12


class TargetError(Exception):
    """No such thing was read, or there are several; the text says what there is."""


class Target(msgspec.Struct, frozen=True):
    """The functions that are asked about, by key, and the line where one was named (else 0).

    *file* is absolute; empty where a function was named.
    """

    text: str
    functions: tuple[str, ...]
    file: str = ""
    line: int = 0


def find(text: str, program: Program, paths: Sequence[Path], base: str = "") -> Target:
    """What *text* means in *program*, which was read from *paths*; raises TargetError.

    Messages name files from *base* (default: the current folder).
    """
    place = _PLACE.match(text)
    if place is None and os.path.isfile(text.rstrip(":")):
        raise TargetError(f"{text} is a file: name a line of it, as {text.rstrip(':')}:LINE")
    if place is None:
        return Target(text, (_named(text, program, Names(program, base or os.getcwd())),))
    file = _file(place["file"], program, paths)
    line = int(place["line"])
    return Target(text, tuple(around(program, file, line)), file, line)


def around(program: Program, file: str, line: int) -> list[str]:
    """The innermost functions whose text has *line*, by key."""
    here = [x for x in program.functions.values() if _has(x, file, line)]
    least = min((_lines(x) for x in here), default=0)
    return sorted(x.usr for x in here if _lines(x) == least)


def nothing_there(program: Program, target: Target) -> TargetError:
    """What to say of a line that is in no function."""
    near = " and ".join(_nearest(program, target.file, target.line))
    text = f"{target.text}: is in no function that was read; the nearest: {near or 'none'}"
    if _is_off(target.file, target.line):
        text += ". The line seems to stand in a preprocessor branch that is off"
    return TargetError(text)


def _is_off(file: str, line: int) -> bool:
    """Whether a line is in a branch that is off where no flag says otherwise."""
    try:
        data = Path(file).read_bytes()
    except OSError:
        return False
    at = sum(len(row) for row in data.splitlines(keepends=True)[: line - 1])
    return any(start <= at < end for start, end in switched_off(data, ()))


def _nearest(program: Program, file: str, line: int) -> list[str]:
    """Functions of *file* around a line that is in none: the one before, and the one behind."""
    names = Names(program, os.getcwd())
    written = (u for u, x in program.functions.items() if x.file == file and u[:5] != "init:")
    known = [program.functions[usr] for usr in written]
    here = sorted((x.line, _last_line(x), x.usr) for x in known)
    before = [x for x in here if x[1] < line]
    behind = [x for x in here if x[0] > line]
    found = [*([max(before, key=lambda x: x[1])] if before else []), *behind[:1]]
    return [f"{names.function(usr)} (lines {first} to {last})" for first, last, usr in found]


def _has(function: f.Function, file: str, line: int) -> bool:
    return function.file == file and function.line <= line <= _last_line(function)


def _last_line(function: f.Function) -> int:
    return max(function.end, function.line)


def _lines(function: f.Function) -> int:
    return _last_line(function) - function.line


# -- by file and line -----------------------------------------------------------------------------


def _file(text: str, program: Program, paths: Sequence[Path]) -> str:
    """The file that *text* names, absolute: from here, or the one whose path ends so."""
    files = {x.file for x in program.functions.values()}
    files |= {x.file for x in program.variables.values() if x.file}
    full = os.path.realpath(text)
    if full in files or os.path.abspath(text) in files:
        return full if full in files else os.path.abspath(text)
    ending = f"{os.sep}{os.path.normpath(text)}"
    same = sorted(name for name in files if name.endswith(ending))
    if len(same) == 1:
        return same[0]
    if same:
        raise TargetError(f"{text}: several files are called so: {_list(same)}")
    if not os.path.exists(text):
        close = _similar(os.path.basename(text), {os.path.basename(n) for n in files})
        raise TargetError(f"{text}: no such file{close}")
    if any(Path(full).is_relative_to(os.path.realpath(path)) for path in paths):
        raise TargetError(
            f"{text}: no function was read there (`lockorder check -v` says how it was read)"
        )
    given = " ".join(map(str, paths))
    raise TargetError(f"{text}: is no part of what was read ({given}): give PATHS that include it")


# -- by name --------------------------------------------------------------------------------------


def _named(text: str, program: Program, names: Names) -> str:
    wanted = text.partition("(")[0].strip().removeprefix("::")
    functions = program.functions.values()
    found = [x for x in functions if x.name == wanted and x.kind != "lambda"]
    found = found or [x for x in functions if x.name.endswith(f"::{wanted}") and x.kind != "lambda"]
    if len(found) == 1:
        return found[0].usr
    if found:
        places = sorted(f"{names.shown(x.file)}:{x.line}" for x in found)
        raise TargetError(
            f"{len(found)} functions are called {wanted}: name one by its place: {_list(places)}"
        )
    if any(
        x.name.rpartition("::")[2] == wanted.rpartition("::")[2] for x in program.decls.values()
    ):
        seen = sorted({x.name for x in program.decls.values() if x.name.endswith(wanted)})
        what = seen[0] if seen else wanted
        raise TargetError(
            f"{what} is called in what was read, and its body is not there: "
            "ask about one of its callers, or give PATHS that include it"
        )
    close = _similar(wanted, {x.name for x in functions})
    raise TargetError(f"no function is called {wanted!r}{close}")


def _similar(wanted: str, known: Iterable[str]) -> str:
    """Names that are nearly *wanted*, whatever they are in, as the end of a message."""
    by_last: dict[str, set[str]] = {}
    for name in known:
        by_last.setdefault(name.rpartition("::")[2].lower(), set()).add(name)
    last = wanted.rpartition("::")[2].lower()
    close = difflib.get_close_matches(last, sorted(by_last), _NAMED)
    names = [name for each in close for name in sorted(by_last[each])][:_NAMED]
    return f": is one of these meant? {', '.join(names)}" if names else ""


def _list(found: Sequence[str]) -> str:
    rest = len(found) - _LISTED
    return ", ".join(found[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")
