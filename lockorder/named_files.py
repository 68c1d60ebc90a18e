"""Files that a person names: what is no file is refused at once, a failed write loses nothing."""

from __future__ import annotations

import contextlib
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


def write(path: Path, data: bytes) -> None:
    """Make *data* the content of *path*; where that fails, a file that was there is as it was.

    Raises OSError.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        path.write_bytes(data)  # a pipe or a device has nothing to lose
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        with contextlib.suppress(FileNotFoundError):
            old = target.stat()
            partial.chmod(stat.S_IMODE(old.st_mode))
            if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
                os.chown(partial, old.st_uid, old.st_gid)
        partial.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            raise
        # The folder is not ours to write in, the file is mounted by itself, ...: as shells do it.
        path.write_bytes(data)
