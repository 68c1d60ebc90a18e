"""The machine's compilers, for tests that build programs."""

from __future__ import annotations

import os
import shlex
import shutil

#: Suffix of a source: variable that names the compiler, usual names, what to do without one.
_COMPILERS = {
    ".c": ("CC", ("cc", "gcc", "clang"), "no C compiler: install gcc or clang, or set CC"),
    ".cpp": ("CXX", ("c++", "g++", "clang++"), "no C++ compiler: install g++, or set CXX"),
}


class CannotBuildError(Exception):
    """What a program needs is not on this machine; the text says what."""


def compiler(suffix: str) -> list[str]:
    """The compiler for sources with *suffix*, as the start of a command line.

    Raises CannotBuildError where there is none.
    """
    variable, names, missing = _COMPILERS[suffix]
    if variable in os.environ:
        return shlex.split(os.environ[variable])
    for name in names:
        if found := shutil.which(name):
            return [found]
    raise CannotBuildError(missing)
