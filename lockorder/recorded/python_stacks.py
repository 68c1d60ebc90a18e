"""Functions of Python among the native frames of a recorded stack.

Each call of the interpreter's loop (``_PyEval_EvalFrameDefault``) runs one or more functions of
Python, the outermost of which is marked as its entry: they stand in its place.  The interpreter's
own frames say nothing besides and are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from lockorder.model import Frame
from runtime_probe.records import Place, PythonFrame

_LOOP = "_PyEval_EvalFrameDefault"
_INTERPRETER = re.compile(r"(lib)?python\d?[\d.]*[a-z]*(\.so[\d.]*)?$")
_EXTENSIONS = re.compile(r"/lib-dynload/|/_multiprocessing\.")
#: Functions of an interpreter that is linked into a program.
_OWN = re.compile(r"_?Py[A-Z_]|_?Py[A-Z]?[a-z]+_")

_MAKERS = ("__init__", "__new__")
#: Functions of CPython that make locks, by what Python calls those.
_NATIVE = (
    ("rlock_new", "RLock"),
    ("thread_PyThread_allocate_lock", "Lock"),
    ("lock_new", "Lock"),
    ("newlockobject", "Lock"),
    ("simplequeue_new", "SimpleQueue"),
    ("_multiprocessing_SemLock", "multiprocessing semaphore"),
)


class Interpreters:
    """The modules of a process that are interpreters of Python."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def own(self, path: str, function: str) -> bool:
        """Whether a function is the interpreter's own."""
        known = self._known.get(path)
        if known is None:
            name = os.path.basename(path)
            known = bool(_INTERPRETER.match(name) or _EXTENSIONS.search(path))
            self._known[path] = known
        return known or bool(_OWN.match(function))


def is_loop(function: str) -> bool:
    """Whether a native function is the one that runs functions of Python."""
    return function.startswith(_LOOP)


def is_standard(file: str) -> bool:
    """Whether a file is Python's own: what it does, it does for its callers."""
    return Frame("", file).is_standard


def shown(frame: PythonFrame) -> Frame | None:
    """A function of Python as it is told; None: the machinery of imports."""
    place = frame.place
    if place.file.startswith("<frozen "):
        return None
    return Frame(place.function, place.file, place.line)


class Functions:
    """The functions of Python in one stack, taken by calls of the loop, innermost first."""

    def __init__(self, python: Sequence[PythonFrame]) -> None:
        self._left = list(python)
        self._at = 0

    def of_loop(self) -> list[Frame]:
        """Those that the next call of the loop runs."""
        found = []
        while self._at < len(self._left):
            frame = self._left[self._at]
            self._at += 1
            found.append(shown(frame))
            if frame.entry:
                break
        return [each for each in found if each is not None]

    def rest(self) -> list[Frame]:
        """Those whose calls of the loop were not seen, where the native stack was cut short."""
        rest, self._at = self._left[self._at :], len(self._left)
        return [each for each in map(shown, rest) if each is not None]


def owner(python: Sequence[PythonFrame]) -> Place:
    """The innermost function that is not the standard library's; the outermost where all are."""
    own = (frame.place for frame in python if not is_standard(frame.place.file))
    return next(own, python[-1].place)


def lives_with_a_thread(made: Sequence[PythonFrame]) -> bool:
    """Whether what was made there is the lock that a thread of Python's holds all its life."""
    place = made[0].place
    return is_standard(place.file) and place.function.rpartition(".")[2] == "_set_tstate_lock"


def asked(python: Sequence[PythonFrame]) -> str:
    """The standard library's function that others' code calls here; empty where there is none."""
    found = ""
    for frame in python:
        if not is_standard(frame.place.file):
            break
        name = frame.place.function
        # Before 3.11 code does not know its class.
        found = name if "." in name else f"{name} ({os.path.basename(frame.place.file)})"
    return found


class Made(NamedTuple):
    """A lock of Python's: a ``Queue``'s, asked for in a file and line, made in ``inside``."""

    what: str
    function: str
    file: str
    line: int
    inside: str


def made(python: Sequence[PythonFrame], native: Sequence[str]) -> Made:
    """What a lock is, by the functions that made it.

    Args:
        python: innermost first.
        native: the interpreter's own functions, which say what is made without Python code.
    """
    place = owner(python)
    standard = [frame.place for frame in python]
    standard = standard[: standard.index(place)]
    inside = standard[0] if standard else None
    what = ""
    for each in standard:
        kind, _, method = each.function.rpartition(".")
        if method in _MAKERS:
            # Before 3.11 code does not know its class.
            what = kind.rpartition(".")[2] or os.path.basename(each.file)
    if not what and not standard:
        what = next((word for start, word in _NATIVE for f in native if f.startswith(start)), "")
    where = f"{os.path.basename(inside.file)}:{inside.line}" if inside is not None else ""
    return Made(what, place.function, place.file, place.line, where)
