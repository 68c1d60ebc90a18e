"""Where what earlier runs found is kept: the user's cache folder, its size, whether it will do."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from pathlib import Path

import platformdirs

#: MiB kept between runs, where the user does not say.
DEFAULT_SIZE = 2048
#: The folder in it where files of earlier revisions lie, which are no results.
REVISIONS = "revisions"
_FOLDER, _SIZE = "LOCKORDER_CACHE_DIR", "LOCKORDER_CACHE_SIZE"
#: Bytes of the checksum that an entry begins with.
_CHECKED = 16


class CacheError(Exception):
    """A setting of the cache that means nothing; the text names it and says what would."""


def folder() -> Path:
    """Where facts and precompiled headers are kept."""
    given = os.environ.get(_FOLDER, "")
    if given:
        return Path(os.path.abspath(given))
    try:
        return platformdirs.user_cache_path("lockorder")
    except RuntimeError:
        return Path("~")  # as older versions do for a user without a home: see usable


def size() -> int:
    """Bytes that may be kept; 0 keeps nothing.

    Raises CacheError where the environment asks for something that is not a size.
    """
    given = os.environ.get(_SIZE, "").strip()
    if not given:
        return DEFAULT_SIZE << 20
    if not (given.isascii() and given.isdecimal()):
        raise CacheError(f"{_SIZE}={given}: a number of MiB is expected (0 turns the cache off)")
    return int(given) << 20


def usable(place: Path) -> bool:
    """Whether *place* can be written; it is made, for this user only."""
    if not place.is_absolute():
        return False  # a folder called ~ here is not what is meant
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.stat().st_mode & 0o077:
            with contextlib.suppress(OSError):
                place.chmod(0o700)
        if place.stat().st_mode & 0o022:
            return False  # somebody else could put anything there
        for name in ("facts", "prefix", "scans", "results"):
            (place / name).mkdir(mode=0o700, exist_ok=True)
            if not os.access(place / name, os.W_OK | os.X_OK):
                return False
        handle, probe = tempfile.mkstemp(dir=place, prefix="probe-")
        os.close(handle)
        os.unlink(probe)
    except OSError:
        return False
    return True


def write(path: Path, data: bytes) -> None:
    """Write *path* whole or not at all, whoever else writes it at the same time.

    Raises OSError where it cannot be written.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def leave(path: Path, body: bytes) -> bool:
    """Keep *body* at *path* with a checksum; False where that folder cannot be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write(path, _checksum(body) + body)
    except OSError:
        return False
    return True


def left(path: Path) -> bytes | None:
    """What ``leave`` has kept at *path*; None where nothing is there, or not as it was written."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body = data[_CHECKED:]
    return body if _checksum(body) == data[:_CHECKED] else None


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECKED).digest()
