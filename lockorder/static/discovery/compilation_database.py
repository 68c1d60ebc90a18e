"""Flags as a build gave them: compilation databases (compile_commands.json)."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from lockorder.static.discovery import named_files
from lockorder.static.discovery.flags import Flags, language_of
from lockorder.static.discovery.sources import is_endless

_INCLUDED = ("-include", "-imacros")
_FOLDERS = (
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "--sysroot",
    "-F",
    "-iframework",
)
#: options of the host compiler, handed on by nvcc, and of the preprocessor
_HANDED_ON = ("-Xcompiler", "-Wp")
_NAMED_FLAG = frozenset(
    (*_INCLUDED, *_FOLDERS, "-Xcompiler", "-D", "-U", "-std", "-x", "-include-pch")
)
#: The long spellings of nvcc, gcc and clang.
_LONG = {
    "--sysroot": "--sysroot", "--std": "-std", "--x": "-x", "--compiler-options": "-Xcompiler",
    "--include-path": "-I", "--include-directory": "-I", "--system-include": "-isystem",
    "--define-macro": "-D", "--undefine-macro": "-U", "--pre-include": "-include",
    "--include": "-include", "--imacros": "-imacros",
}  # fmt: skip
_KEPT_PREFIXES = ("-stdlib=", "-fms-", "-fblocks", "-fchar8_t", "-fcoroutines", "-m32", "-pthread",
                  "-fopenmp")  # fmt: skip
#: nvcc's way to name a file with further options
_OPTIONS_FILE = frozenset(("--options-file", "-optf"))
#: Broken entries that are named before the rest is only counted.
_NAMED = 5


class FlagsError(Exception):
    """A compilation database that cannot be used; the text names the file and the reason."""


class Commands(msgspec.Struct):
    """Arguments by absolute source path, what is wrong with where they are from, what to say."""

    commands: dict[str, list[str]]
    problems: list[str] = []
    notes: list[str] = []
    file: Path | None = None


class Database(msgspec.Struct):
    """Arguments by absolute source path; ``problems`` are entries that cannot be used, or in part.

    A source of which no entry could be used has no arguments.
    """

    commands: dict[str, list[str]]
    problems: list[str] = []


def load_database(path: Path, read: set[str] | None = None) -> Database:
    """A compile_commands.json, or the one in the folder *path*.

    The files that were read for it are added to *read*.

    Raises FlagsError naming the file for anything that is not such a database
    (https://clang.llvm.org/docs/JSONCompilationDatabase.html).
    """
    file = _file(path)
    read = set() if read is None else read
    read.add(str(file))
    try:
        entries = json.loads(named_files.read(file))
    except OSError as error:
        raise FlagsError(f"{file}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise FlagsError(f"{file}: not a compilation database: {error}") from None
    if not isinstance(entries, list):
        raise FlagsError(f"{file}: not a compilation database: a list of commands is expected")
    found = Database({})
    for number, entry in enumerate(entries):
        try:
            source, arguments, lost = _command(entry, read)
        except FlagsError as error:
            found.problems.append(f"{file}: entry {number}: {error}")
            continue
        found.commands[source] = arguments
        found.problems += [f"{file}: entry {number}: {reason}" for reason in lost]
    return found


def _command(entry: object, read: set[str]) -> tuple[str, list[str], list[str]]:
    """One entry's source, its flags, and what of them is lost; raises FlagsError with a reason."""
    if not isinstance(entry, dict):
        raise FlagsError("not an object with file, directory and a command")
    if not isinstance(entry.get("file"), str):
        raise FlagsError("no file")
    folder = entry.get("directory", "")
    if not isinstance(folder, str):
        raise FlagsError("directory is not a string")
    arguments = entry.get("arguments")
    if arguments is None:
        if not isinstance(entry.get("command"), str):
            raise FlagsError("neither command nor arguments")
        try:
            arguments = shlex.split(entry["command"])
        except ValueError as error:
            raise FlagsError(str(error)) from None
    if not isinstance(arguments, list) or not all(isinstance(a, str) for a in arguments):
        raise FlagsError("arguments are not a list of strings")
    try:
        "".join((entry["file"], folder, *arguments)).encode(errors="surrogateescape")
    except UnicodeEncodeError as error:  # half a character, by an escape that JSON allows
        raise FlagsError(str(error)) from None
    expanded, lost = _expand(arguments[1:], folder, read)
    source = os.path.normpath(os.path.join(folder, entry["file"]))
    flags, endless = _without_pipes(_absolute(expanded, folder), folder)
    return source, flags, [*lost, *endless]


def _file(path: Path) -> Path:
    return path / "compile_commands.json" if path.is_dir() else path


def find_database(root: Path) -> Path | None:
    """A compile_commands.json where builds usually leave it: the root or its build folders."""
    for name in (".", "build", "out", "cmake-build-debug", "cmake-build-release", "Build"):
        candidate = root / name / "compile_commands.json"
        if candidate.is_file():
            return candidate
    return None


def commands_for(root: Path, asked: Path | None, read: set[str] | None = None) -> Commands:
    """The database *asked* for, else the one under *root*, else nothing; and what to say of it.

    The files that were read for it are added to *read*.
    """
    file = asked or find_database(root)
    if file is None:
        return Commands({})
    try:
        found = load_database(file, read)
    except FlagsError as error:
        said, commands = [f"{error}: flags are guessed instead"], {}
    else:
        said, commands = _shortened(found.problems, _file(file)), found.commands
    if asked is not None:
        return Commands(commands, said, file=_file(file))
    return Commands(commands, notes=said, file=_file(file))


def _shortened(problems: list[str], file: Path) -> list[str]:
    if not problems:
        return []
    said = problems[:_NAMED]
    if len(problems) > _NAMED:
        said.append(f"{file}: and {len(problems) - _NAMED} more of its entries are broken")
    said[-1] += ": what they do not tell is guessed"
    return said


def _expand(arguments: Sequence[str], folder: str, read: set[str]) -> tuple[list[str], list[str]]:
    """Response files (@file, and nvcc's --options-file) replaced by what they hold.

    Also why some could not be read.
    """
    found: list[str] = []
    lost: list[str] = []
    pending = iter(arguments)
    for argument in pending:
        if argument.startswith("@"):
            names = argument[1:]
        elif argument in _OPTIONS_FILE:
            names = next(pending, "")
        else:
            found.append(argument)
            continue
        for name in [names] if argument.startswith("@") else names.split(","):
            file = Path(folder, name)
            read.add(str(file))
            try:
                found.extend(shlex.split(named_files.read(file).decode()))
            except OSError as error:
                lost.append(f"{file}: {error.strerror or error}")
            except ValueError as error:
                lost.append(f"{file}: {error}")
    return found, lost


def _absolute(arguments: Sequence[str], folder: str) -> list[str]:
    """Only flags that matter to the front end, paths made absolute; nvcc's own are dropped."""
    found: list[str] = []
    pending = iter([a for a in arguments if a != "-Xclang"])
    for argument in pending:
        name, value = _split(argument)
        joined = value is not None and not argument.startswith("--")
        if name in _NAMED_FLAG and value is None:
            value = next(pending, "")
        if name in _HANDED_ON:
            inner = (w.strip("\"'") for part in (value or "").split(",") for w in part.split())
            found += _absolute(list(inner), folder)
        elif name in ("-D", "-U", "-x"):
            found += [argument] if joined and name != "-x" else [name, value or ""]
        elif name == "-std":
            found.append(f"-std={value}")
        elif name in _INCLUDED and value:
            # what is not in the build's folder is looked for like #include "..."
            beside = os.path.normpath(os.path.join(folder, value))
            path = beside if os.path.exists(beside) else value
            found += [name + path] if joined else [name, path]
        elif name in _FOLDERS and value:
            path = os.path.normpath(os.path.join(folder, value))
            found += [name + path] if joined else [name, path]
        elif name == "" and argument.startswith(_KEPT_PREFIXES):
            found.append(argument)
    return found


def _split(argument: str) -> tuple[str, str | None]:
    """A flag that is followed by a value, in the spelling of most compilers, and that value.

    The value is None where it is the next word; the name is empty where there is no such flag.
    """
    if argument.startswith("--"):
        long, equals, value = argument.partition("=")
        return _LONG.get(long, ""), value if equals else None
    if argument.startswith("-Wp,"):
        return "-Wp", argument[4:]
    name = max((n for n in _NAMED_FLAG if argument.startswith(n)), key=len, default="")
    if argument == name:
        return name, None
    value = argument[len(name) :]
    if name in ("-std", "-Xcompiler"):
        return (name, value[1:]) if value.startswith("=") else ("", None)
    if name == "-include-pch":
        return "", None
    return name, value.removeprefix("=") if name in _FOLDERS else value


def _without_pipes(flags: Iterable[str], folder: str) -> tuple[list[str], list[str]]:
    """*flags* without files to include that clang would read for ever; also what these are."""
    found: list[str] = []
    lost: list[str] = []
    for flag in flags:
        name = flag
        for option in _INCLUDED:
            name = name.removeprefix(option)
        joined = os.path.join(folder, name)
        if (
            name
            and "\0" not in name
            and is_endless(joined)
            and (name != flag or (found and found[-1] in _INCLUDED))
        ):
            lost.append(f"{joined}: not a regular file")
            if name == flag:
                found.pop()
        else:
            found.append(flag)
    return found, lost


def from_database(path: str, arguments: Sequence[str]) -> Flags:
    """Flags of one file as its build gave them."""
    standard = ""
    language = language_of(path)
    rest: list[str] = []
    pending = iter(arguments)
    for argument in pending:
        if argument.startswith("-std="):
            standard = argument[5:]
        elif argument == "-x":
            language = "c" if next(pending, "") in ("c", "c-header", "cpp-output") else "c++"
        else:
            rest.append(argument)
    if language == "c" and standard.startswith(("c++", "gnu++")):
        language = "c++"  # by a compiler that takes every source for C++
    if not standard:
        standard = "gnu17" if language == "c" else "gnu++17"
    return Flags(language, standard, tuple(rest), guessed=False)
