"""What was found before a change: the same check of the revision that it starts from.

The revision's files are laid out in a folder of their own in the cache, by git and with an index
of their own, so neither the user's files nor their index are touched; there they stay, so that
the next change from a near revision costs what differs.  What is not in the revision (submodules,
what a build made) is taken from the user's files as it is now.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from lockorder.changes import Change, ChangeError, git
from lockorder.commands.checked import Progress, check_sources
from lockorder.config import Config
from lockorder.model import Finding
from lockorder.static.cache import folder as cache_folder
from lockorder.static.discovery import named_files
from lockorder.static.discovery.compilation_database import find_database
from lockorder.static.discovery.inputs import GRACE
from lockorder.static.driver.options import Options

#: What may stand before a path in a command.
_BEFORE_PATH = re.compile(r"(?:^|[\s\"'=,]|(?:^|\s)-\w+)$")
#: Seconds after which a revision's files that nobody asked for again may go.
_UNUSED = 30 * 24 * 3600


def findings_before(
    change: Change,
    paths: Sequence[Path],
    root: Path,
    options: Options,
    config: Config,
    progress: Progress | None = None,
) -> tuple[Finding, ...]:
    """Findings of all rules in the commit that *change* starts from; *root* is the project's.

    Raises changes.ChangeError where its files cannot be laid out or analysed.
    """
    with _laid_out(change) as folder:

        def there(path: Path | str) -> Path:
            return folder / os.path.relpath(os.path.realpath(path), change.top)

        asked = [there(p) for p in paths]
        asked = [p for p in asked if p.exists()]
        if not asked:
            return ()  # all of it is new
        database = options.database or find_database(root)
        options = msgspec.structs.replace(options, root=there(root), database=None)
        if database is not None:
            mapped = _mapped(database, change.top, folder)
            options = msgspec.structs.replace(options, database=mapped)
        if config.file:
            # Patterns in it are relative to where it stands.
            config = msgspec.structs.replace(config, file=str(there(config.file)))
        return check_sources(asked, options, config, progress).document.findings


@contextlib.contextmanager
def _laid_out(change: Change) -> Iterator[Path]:
    """A folder with the files of the commit; nobody else changes it meanwhile."""
    place = cache_folder.folder()
    if not cache_folder.usable(place):
        raise ChangeError(
            f"{place}: no cache can be kept there, and --changed-since needs one: "
            "set LOCKORDER_CACHE_DIR to a folder of your own"
        )
    revisions = place / cache_folder.REVISIONS
    name = hashlib.blake2b(os.fsencode(change.top), digest_size=8).hexdigest()
    folder = revisions / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(revisions / f"{name}.lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            index = revisions / f"{name}.index"
            before = _content(index)
            _lay_out(change, folder, index)
            if _content(index) != before:
                # What is as young as the run that reads it is not kept, as it may still change:
                # the next run would read all of it again.
                time.sleep(2 * GRACE / 1e9)
            os.utime(folder)
            _forget(revisions)
            yield folder
    except OSError as error:
        raise ChangeError(f"{folder}: {error.strerror or error}") from None


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _lay_out(change: Change, folder: Path, index: Path) -> None:
    common = Path(os.fsdecode(git(["rev-parse", "--absolute-git-dir"], change.top)).rstrip("\n"))
    settings = ["-c", "core.sparseCheckout=false", "-c", "core.hooksPath=/dev/null",
                "-c", "submodule.recurse=false", "-c", "advice.detachedHead=false"]  # fmt: skip
    environment = {
        "GIT_DIR": str(common),
        "GIT_WORK_TREE": str(folder),
        "GIT_INDEX_FILE": str(index),
        "GIT_LFS_SKIP_SMUDGE": "1",
    }
    links = _submodules(change)
    for path in links:  # or git would find a link where it expects a folder
        if (folder / path).is_symlink():
            (folder / path).unlink()
    git([*settings, "read-tree", "--reset", "-u", change.base], folder, **environment)
    for path in links:
        here, now = folder / path, change.top / path
        if now.is_dir():
            if here.is_dir() and not here.is_symlink():
                here.rmdir()
            here.parent.mkdir(parents=True, exist_ok=True)
            here.symlink_to(now)


def _submodules(change: Change) -> list[str]:
    listed = git(["ls-tree", "-r", "-z", change.base], change.top).split(b"\0")
    return [os.fsdecode(line.split(b"\t", 1)[1]) for line in listed if line.startswith(b"160000 ")]


def _mapped(database: Path, top: Path, folder: Path) -> Path:
    """A copy of *database* (or of the one in that folder) for the files that lie in *folder*.

    Every path in it that the revision has is the revision's; others, of what a build made, stay.
    """
    file = database / "compile_commands.json" if database.is_dir() else database
    prefix = f"{top}{os.sep}"

    def moved(text: str) -> str:
        found, *parts = text.split(prefix)
        for part in parts:
            name = re.split(r"[\s\"']", part, maxsplit=1)[0]
            own = _BEFORE_PATH.search(found) is not None and (folder / name).exists()
            found += (f"{folder}{os.sep}" if own else prefix) + part
        return found

    def convert(value: object) -> object:
        if isinstance(value, str):
            return moved(value)
        if isinstance(value, list):
            return [convert(each) for each in value]
        return value

    try:
        entries = json.loads(named_files.read(file))
    except (OSError, ValueError, RecursionError):
        return file  # flags are guessed for both revisions, and this one need not say so again
    if isinstance(entries, list):
        entries = [
            {key: convert(value) for key, value in e.items()} if isinstance(e, dict) else e
            for e in entries
        ]
    target = folder.with_suffix(".json")
    data = json.dumps(entries).encode()
    if not target.is_file() or target.read_bytes() != data:
        target.write_bytes(data)
    return target


def _forget(revisions: Path) -> None:
    """Remove the files of revisions that nobody asked for in a long time."""
    for each in revisions.iterdir():
        with contextlib.suppress(OSError):
            if each.is_dir() and each.stat().st_mtime < time.time() - _UNUSED:
                shutil.rmtree(each)
                for other in revisions.glob(f"{each.name}.*"):
                    other.unlink()
