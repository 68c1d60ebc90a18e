"""libclang in a process of its own, for what must not end with it when it crashes.

Most crashes libclang catches itself and says so; the rest (an abort, a fault outside of the parser)
end the process.  Both are a ``Crash`` here.  With *inline* all is done in this process.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lockorder.static.parse import clang, clang_trail, memory
from lockorder.static.parse.unit import Job

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Crash(Exception):
    """libclang crashed."""


def call(inline: bool, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What *function* returns; raises Crash where libclang crashes in it."""
    try:
        if inline:
            return function(*args, **kwargs)
        with ProcessPoolExecutor(1, initializer=begin) as pool:
            return pool.submit(function, *args, **kwargs).result()
    except (clang.ClangError, BrokenProcessPool) as error:
        raise Crash(str(error)) from None


def begin() -> None:
    """A process that reads starts with a copy of everything here, which it need not look through.

    Its memory has a limit.
    """
    gc.freeze()
    memory.limit()


def parses(inline: bool, header: str, flags: Sequence[str]) -> bool:
    """Whether libclang comes to the end of *header* by itself."""
    try:
        return call(inline, _parse, header, tuple(flags))
    except Crash:
        return False


def _parse(header: str, flags: tuple[str, ...]) -> bool:
    clang.parse(Path(header), flags)
    return True


def suspects(inline: bool, job: Job) -> list[str]:
    """The files in which libclang may crash on *job*, the likeliest first; none: it does not."""
    handle, name = tempfile.mkstemp(prefix="lockorder-")
    os.close(handle)
    notes = Path(name)
    replaced = dict.fromkeys((*job.blank, *job.crashing), "")
    arguments: tuple[Any, ...] = (job.main, job.flags, job.header, replaced, notes)
    try:
        if call(inline, clang_trail.follow, *arguments):
            return []
    except Crash:
        pass
    finally:
        found = clang_trail.suspects(notes)
        notes.unlink(missing_ok=True)
    return found
