"""Compiler flags of one source, and what its ending says of its language."""

from __future__ import annotations

import os

import msgspec

from lockorder.static.discovery.sources import CUDA, HEADERS


class Flags(msgspec.Struct, frozen=True):
    """What clang is given for one file: language, standard, then the rest in order."""

    language: str
    standard: str
    rest: tuple[str, ...] = ()
    guessed: bool = True

    @property
    def cxx(self) -> bool:
        """Whether this is C++ (or CUDA read as C++)."""
        return self.language == "c++"


def language_of(path: str) -> str:
    """C or C++ by the file's ending; CUDA and HIP are read as C++."""
    return "c" if path.endswith(".c") else "c++"


def is_header(path: str) -> bool:
    """Whether a file is a header by its ending."""
    return os.path.splitext(path)[1] in HEADERS


def is_cuda(path: str) -> bool:
    """Whether a file holds CUDA or HIP code by its ending."""
    return os.path.splitext(path)[1] in CUDA
