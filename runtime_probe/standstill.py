"""A note beside the traces of a job that did not move any more: what was cut off was stuck.

What a process did last says little about one that was killed at some moment, and all about one
that had stood still for a time.  ``lockorder run --hang-timeout`` leaves this note; a job that
goes on after all takes it away again.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

NAME = "standstill.json"
_VERSION = 1
_MAX_BYTES = 1 << 24


def note(folder: Path, traces: Iterable[Path], seconds: float) -> None:
    """Say that the processes of *traces* have not moved for *seconds*.  Failing to is no harm."""
    content = {
        "version": _VERSION,
        "seconds": round(seconds, 1),
        "traces": sorted(t.name for t in traces),
    }
    new = folder / f".{NAME}.{os.getpid()}"
    with contextlib.suppress(OSError):
        new.write_text(json.dumps(content))
        new.replace(folder / NAME)


def forget(folder: Path) -> None:
    """The job moves again."""
    with contextlib.suppress(OSError):
        (folder / NAME).unlink()


def standing(folder: Path) -> frozenset[str]:
    """Names of the traces whose processes stood still; none where nobody says so, legibly."""
    path = folder / NAME
    try:
        if path.stat().st_size > _MAX_BYTES:
            return frozenset()
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return frozenset()
    names = content.get("traces") if isinstance(content, dict) else None
    return (
        frozenset(n for n in names if isinstance(n, str))
        if isinstance(names, list)
        else frozenset()
    )
