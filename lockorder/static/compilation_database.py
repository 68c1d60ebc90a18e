"""Flags as a build gave them: compilation databases (compile_commands.json)."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from lockorder.static.flags import Flags, language_of

_FLAG_WITH_VALUE = frozenset(
    ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-D", "-U", "-std", "-x",
     "-isysroot", "--sysroot", "-F", "-iframework")
)  # fmt: skip
_KEPT_PREFIXES = ("-I", "-D", "-U", "-std=", "-isystem", "-iquote", "-idirafter", "-include",
                  "-imacros", "-isysroot", "--sysroot", "-stdlib=", "-fms-", "-fblocks",
                  "-fchar8_t", "-fcoroutines", "-m32", "-pthread", "-fopenmp", "-F")  # fmt: skip


class FlagsError(Exception):
    """A compilation database that cannot be used; the text names the file and the reason."""


def load_database(path: Path, read: set[str] | None = None) -> dict[str, list[str]]:
    """Arguments by absolute source path from a compile_commands.json, or the folder that has one.

    The files that were read for them are added to *read*.

    Raises FlagsError naming the file for anything that is not such a database
    (https://clang.llvm.org/docs/JSONCompilationDatabase.html).
    """
    file = path / "compile_commands.json" if path.is_dir() else path
    read = set() if read is None else read
    read.add(str(file))
    try:
        entries = json.loads(file.read_bytes())
    except OSError as error:
        raise FlagsError(f"{file}: {error.strerror or error}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FlagsError(f"{file}: not a compilation database: {error}") from None
    if not isinstance(entries, list):
        raise FlagsError(f"{file}: not a compilation database: a list of commands is expected")
    found: dict[str, list[str]] = {}
    for number, entry in enumerate(entries):
        where = f"{file}: entry {number}"
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            raise FlagsError(f"{where}: no file")
        folder = entry.get("directory", "")
        arguments = entry.get("arguments")
        if arguments is None:
            if not isinstance(entry.get("command"), str):
                raise FlagsError(f"{where}: neither command nor arguments")
            try:
                arguments = shlex.split(entry["command"])
            except ValueError as error:
                raise FlagsError(f"{where}: {error}") from None
        if not isinstance(arguments, list) or not all(isinstance(a, str) for a in arguments):
            raise FlagsError(f"{where}: arguments are not a list of strings")
        if not isinstance(folder, str):
            raise FlagsError(f"{where}: directory is not a string")
        source = os.path.normpath(os.path.join(folder, entry["file"]))
        found[source] = _absolute(_expand(arguments[1:], folder, read), folder)
    return found


def find_database(root: Path) -> Path | None:
    """A compile_commands.json where builds usually leave it: the root or its build folders."""
    for name in (".", "build", "out", "cmake-build-debug", "cmake-build-release", "Build"):
        candidate = root / name / "compile_commands.json"
        if candidate.is_file():
            return candidate
    return None


def database_or_none(
    root: Path, asked: Path | None, read: set[str] | None = None
) -> tuple[dict[str, list[str]], list[str]]:
    """The database *asked* for, else the one under *root*, else nothing; and what to say of it.

    The files that were read for it are added to *read*.

    Raises FlagsError where the one that was asked for cannot be used; another one that cannot is
    worth a note.
    """
    file = asked or find_database(root)
    if file is None:
        return {}, []
    try:
        return load_database(file, read), []
    except FlagsError as error:
        if asked is not None:
            raise
        return {}, [f"flags are guessed: {error}"]


def _expand(arguments: Sequence[str], folder: str, read: set[str]) -> list[str]:
    """Response files (@file, and nvcc's --options-file) replaced by what they hold."""
    found: list[str] = []
    for argument in arguments:
        if argument.startswith("@"):
            file = Path(folder, argument[1:])
            read.add(str(file))
            try:
                found.extend(shlex.split(file.read_text()))
                continue
            except (OSError, ValueError):
                pass
        found.append(argument)
    return found


def _absolute(arguments: Sequence[str], folder: str) -> list[str]:
    """Only flags that matter to the front end, paths made absolute; nvcc's own are dropped."""
    found: list[str] = []
    pending = iter(arguments)
    for argument in pending:
        if argument in ("-Xcompiler", "--compiler-options"):
            for inner in next(pending, "").split(","):
                if inner.startswith(_KEPT_PREFIXES):
                    found.append(inner)
            continue
        if argument.startswith(("-Xcompiler=", "--compiler-options=")):
            inner_flags = argument.split("=", 1)[1].split(",")
            found.extend(i for i in inner_flags if i.startswith(_KEPT_PREFIXES))
            continue
        if argument == "--std":
            argument = "-std"
        if argument in _FLAG_WITH_VALUE:
            value = next(pending, "")
            if argument in ("-std",):
                found.append(f"-std={value}")
            elif argument in ("-D", "-U", "-x"):
                found += [argument, value]
            elif value:
                found += [argument, os.path.normpath(os.path.join(folder, value))]
            continue
        if argument.startswith("--std="):
            argument = argument[1:]
        if argument.startswith(("-I", "-isystem")):
            name = "-I" if argument.startswith("-I") else "-isystem"
            found.append(name + os.path.normpath(os.path.join(folder, argument[len(name) :])))
        elif argument.startswith(_KEPT_PREFIXES):
            found.append(argument)
    return found


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
            language = "c" if next(pending, "") == "c" else "c++"
        else:
            rest.append(argument)
    if not standard:
        standard = "gnu17" if language == "c" else "gnu++17"
    return Flags(language, standard, tuple(rest), guessed=False)
