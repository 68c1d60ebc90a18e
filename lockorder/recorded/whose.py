"""Whose code a recorded place is: the job's own, or a library's, by knowledge/libraries.toml."""

from __future__ import annotations

import fnmatch
import functools
import os
from collections.abc import Callable, Iterable

from lockorder.knowledge.load import builtin_files
from lockorder.knowledge.schema import Library
from lockorder.model import Frame
from lockorder.recorded import python_stacks

#: The owner of what no table speaks of.
JOB = ""
#: Functions of a chain, outermost first, each with its owner.
Owned = tuple[tuple[Frame, str], ...]
#: Whose part in a story says nothing of it: they do what they are asked to.
_SERVANTS = ("the C library", "the C++ library")


def sampled_modules(declared: Iterable[Library] = ()) -> list[str]:
    """Patterns of the files of libraries whose own locks need not all be recorded."""
    return [
        pattern
        for library in (*declared, *_known())
        if library.sampled
        for pattern in library.modules
    ]


class Owners:
    """Answers by files; *declared* tables come before those that are known anyway."""

    def __init__(self, declared: Iterable[Library] = ()) -> None:
        self._libraries = (*declared, *_known())
        self._inner = {library.name for library in self._libraries if library.inner}
        self._modules: dict[str, str] = {}
        self._files: dict[str, str] = {}

    def of_module(self, path: str) -> str:
        """The owner of a mapped object."""
        if path not in self._modules:
            name = os.path.basename(path)
            self._modules[path] = self._first(
                lambda each: _fits(name, each.modules) or _fits(path, each.files)
            )
        return self._modules[path]

    def of_file(self, file: str) -> str:
        """The owner of a Python source."""
        if file not in self._files:
            standard = python_stacks.is_standard(file)
            self._files[file] = self._first(
                lambda each: (each.standard and standard) or _fits(file, each.files)
            )
        return self._files[file]

    def is_inner(self, owner: str) -> bool:
        """Whether that is a library whose inner affairs nobody here can change."""
        return owner in self._inner

    def of_hold(self, taken: Owned, later: Owned, sure: bool = True) -> str:
        """Whose affair it is that a lock, taken at the end of one chain, is held at another's.

        It is held by the innermost function that both chains are in.  If that, and all that it
        calls on both, is libraries', it is theirs; else the job's.  Where it is not *sure* that it
        was taken there this time, the ends of both chains say whose it is.
        """
        holder = 0
        for (first, _), (second, _) in zip(taken, later, strict=False) if sure else ():
            if (first.function, first.file) != (second.function, second.file):
                break
            holder += 1
            if first != second:
                break
        if holder == 0:  # where it was taken is not known, or only by its call
            parts = [innermost(taken), innermost(later)]
        else:
            parts = [owner for _, owner in (*taken[holder - 1 :], *later[holder - 1 :])]
        if JOB in parts:
            return JOB
        speaking = [owner for owner in parts if owner not in _SERVANTS]
        outer = [owner for owner in speaking if owner not in self._inner]
        return (outer or speaking or parts or [JOB])[0]

    def _first(self, fits: Callable[[Library], bool]) -> str:
        return next((each.name for each in self._libraries if fits(each)), JOB)


def innermost(chain: Owned) -> str:
    """The owner of the last function that is not the system's; the system's if all are."""
    owners = [owner for _, owner in chain]
    speaking = [owner for owner in owners if owner not in _SERVANTS]
    return (speaking or owners or [JOB])[-1]


def _fits(text: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns)


@functools.lru_cache(maxsize=1)
def _known() -> tuple[Library, ...]:
    return tuple(library for file in builtin_files() for library in file.library)
