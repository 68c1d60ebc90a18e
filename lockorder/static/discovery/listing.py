"""Which files a check would read, found as a check finds them, without reading any."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lockorder.globs import Globs
from lockorder.model.coverage import PYTHON
from lockorder.static.discovery import sources
from lockorder.static.discovery.compilation_database import commands_for, from_database
from lockorder.static.discovery.flags import is_header, language_of

_CUDA, _HIP = frozenset((".cu", ".cuh")), frozenset((".hip",))


class Listed(msgspec.Struct, frozen=True):
    """A file of a check.

    ``file`` starts as the path was given; ``language`` is ``c``, ``c++``, ``cuda``, ``hip`` or
    ``python``, which has no flags.
    ``flags`` says where a source's flags come from: ``database`` or ``guessed``.  A header's are
    ``includer``: those of the first source that includes it, guessed where none does.
    """

    file: str
    language: str
    flags: str


def list_files(
    paths: Sequence[Path], database: Path | None = None, excluded: Globs | None = None
) -> tuple[list[Listed], list[str], list[str]]:
    """The files under *paths*, sorted by name; what is wrong with the paths; what is worth saying.

    *database* is the compilation database that was asked for, or its folder; what is *excluded* in
    folders is left out.
    """
    names: dict[Path, str] = {}
    problems: list[str] = []
    for given in paths:
        inner, wrong = sources.discover_all([given], excluded)
        problems += wrong
        for file in inner:
            inside = os.path.relpath(file, os.path.abspath(given))
            names.setdefault(file, os.path.normpath(os.path.join(given, inside)))
    root = sources.project_root([f for f in names if sources.is_source(f.name)] or paths)
    found = commands_for(root, database)
    listed = [_listed(str(f), names[f], found.commands.get(str(f))) for f in names]
    return sorted(listed, key=lambda x: x.file), [*problems, *found.problems], found.notes


def _listed(path: str, name: str, command: Sequence[str] | None) -> Listed:
    ending = os.path.splitext(path)[1]
    if ending in PYTHON:
        return Listed(name, "python", "")
    if ending in _CUDA | _HIP:
        language = "hip" if ending in _HIP else "cuda"
    elif command is not None:
        language = from_database(path, command).language
    else:
        language = language_of(path)
    if command is not None:
        return Listed(name, language, "database")
    return Listed(name, language, "includer" if is_header(path) else "guessed")
