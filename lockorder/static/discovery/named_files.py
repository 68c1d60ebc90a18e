"""Reading files that a person names: what is no file is refused at once."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read(path: Path) -> bytes:
    """All of a regular file, or of a pipe that somebody writes to already (``<(command)``, stdin).

    Raises OSError, for a named pipe and for devices too: reading one may never come to an end.
    """
    try:
        if _endless(path):
            raise OSError(errno.EINVAL, "not a regular file")
        return path.read_bytes()
    except ValueError as error:  # a name that no file can have
        raise OSError(errno.EINVAL, str(error)) from None


def _endless(path: Path) -> bool:
    mode = path.stat().st_mode
    if stat.S_ISFIFO(mode):
        # One without a name is open on both sides; the other may wait for a writer for ever.
        return not os.path.realpath(path).startswith("/proc/")
    return (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and os.path.realpath(path) != os.devnull
