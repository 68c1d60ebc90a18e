"""What a change is: the lines that differ from a revision, asked of git."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_NAMED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


class ChangeError(Exception):
    """A revision that cannot be compared with; the text says why and what would help."""


class Change(msgspec.Struct, frozen=True):
    """The difference between commit *base* and the files as they are now.

    ``top`` is the repository's folder; ``lines`` are ranges (first, last; 1-based) of changed
    lines by path from there.  Where lines were only taken away, it is the lines on both sides.
    """

    top: Path
    base: str
    lines: Mapping[str, tuple[tuple[int, int], ...]]

    def touches(self, path: str, line: int) -> bool:
        """Whether *line* of the file *path* (absolute, or from the top) was changed."""
        name = os.path.relpath(path, self.top) if os.path.isabs(path) else path
        return any(first <= line <= last for first, last in self.lines.get(name, ()))


def since(revision: str, folder: Path) -> Change:
    """What has changed around *folder* since its history left that of *revision*.

    As a pull request shows it, with what is not committed yet, new files included.  Raises
    ChangeError where git cannot say.
    """
    folder = folder if folder.is_dir() else folder.parent
    top = Path(os.fsdecode(git(["rev-parse", "--show-toplevel"], folder)).rstrip("\n"))
    wanted = f"{revision}^{{commit}}"
    commit = _text(["rev-parse", "--verify", "--quiet", "--end-of-options", wanted], top)
    if not commit:
        raise ChangeError(
            f"{revision}: git knows no such revision in {top}: fetch it first (in a CI job: a "
            "checkout with the whole history, fetch-depth: 0)"
        )
    base = _text(["merge-base", commit, "HEAD"], top) or commit
    flags = ["--no-color", "--no-ext-diff", "--no-textconv", "-U0", "-M", "--src-prefix=a/",
             "--dst-prefix=b/", "--no-relative", "--ignore-submodules"]  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="lockorder-") as place:
        # New files count, and one that was moved is not new: git sees that in an index only, and
        # this one is not the user's.
        index = Path(place, "index")
        own = top / os.fsdecode(git(["rev-parse", "--git-path", "index"], top)).rstrip("\n")
        if own.is_file():
            shutil.copy(own, index)
        git(["add", "--intent-to-add", "--", "."], top, GIT_INDEX_FILE=str(index))
        command = ["-c", "core.quotePath=false", "diff", *flags, base, "--"]
        return Change(top, base, _ranges(git(command, top, GIT_INDEX_FILE=str(index))))


def git(arguments: Sequence[str], folder: Path, **environment: str) -> bytes:
    """What git prints; raises ChangeError with what it complains about."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", **environment},
        )
    except OSError as error:
        raise ChangeError(f"git: {error.strerror or error}: --changed-since needs it") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise ChangeError(f"git {arguments[0]} in {folder}: {said[-1] if said else 'failed'}")
    return done.stdout


def _text(arguments: Sequence[str], folder: Path) -> str:
    """One line of git's, empty where it fails."""
    try:
        return git(arguments, folder).decode(errors="replace").strip()
    except ChangeError:
        return ""


def _ranges(diff: bytes) -> dict[str, tuple[tuple[int, int], ...]]:
    """Changed lines by file of a diff without context."""
    found: dict[str, list[tuple[int, int]]] = {}
    name, left, right = "", 0, 0
    for line in diff.split(b"\n"):
        if left > 0 or right > 0:  # inside a hunk a line may look like anything
            left -= line.startswith(b"-")
            right -= line.startswith(b"+")
            continue
        if line.startswith(b"+++ "):
            name = _name(line[4:])
        elif name and (hunk := _HUNK.match(line)) is not None:
            counts = re.findall(rb"[-+]\d+(?:,(\d+))?", hunk.group())
            left, right = (int(n) if n else 1 for n in counts)
            first = int(hunk.group(1))
            found.setdefault(name, []).append(
                (first, first + right - 1) if right else (first, first + 1)
            )
    return {name: tuple(ranges) for name, ranges in found.items()}


def _name(text: bytes) -> str:
    """A path as git writes it after ``+++``: with its prefix, in quotes where it must be."""
    text = text.rstrip(b"\r").split(b"\t")[0]
    if text.startswith(b'"'):
        text = _ESCAPED.sub(_character, text[1:-1])
    return os.fsdecode(text[2:]) if text.startswith(b"b/") else ""


def _character(match: re.Match[bytes]) -> bytes:
    inner = match.group(1)
    return bytes([int(inner, 8)]) if len(inner) == 3 else _NAMED.get(inner, inner)
