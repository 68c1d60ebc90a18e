"""Writing files that a person names: where that fails, nothing is lost."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path


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
