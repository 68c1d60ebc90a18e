"""From a command line to the programs that it starts, as far as its words tell."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence

from lockorder.doctor.check import Check, State

#: Programs that run the rest of their command line.
_WRAPPERS = frozenset((
    "env", "nice", "nohup", "timeout", "taskset", "numactl", "stdbuf", "setsid", "time", "chrt",
    "ionice", "mpirun", "mpiexec", "srun", "sudo",
))  # fmt: skip
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PYTHON = re.compile(r"python(\d+(\.\d+)*t?)?$")
#: The kernel follows #! lines to this depth (execve(2), fs/exec.c).
_MAX_SCRIPTS = 5


class NoProgramError(Exception):
    """There is nothing that could be started; the text says why."""


def programs(command: Sequence[str]) -> list[str]:
    """Paths of the files that *command* executes, a wrapper's first; scripts among them.

    Raises:
        NoProgramError: the command is not found, or cannot be executed.
    """
    return list(dict.fromkeys(_started(command)))


def is_python(path: str) -> bool:
    """Whether a program is called like an interpreter of Python."""
    return _PYTHON.match(os.path.basename(path)) is not None


def _started(command: Sequence[str]) -> Iterator[str]:
    yield _resolve(command[0])
    if os.path.basename(command[0]) not in _WRAPPERS:
        return
    # Options' values look like commands, too: what can be executed is.
    for position, word in enumerate(command[1:], 1):
        if word.startswith("-") or _ASSIGNMENT.match(word):
            continue
        try:
            _resolve(word)
        except NoProgramError:
            continue
        yield from _started(command[position:])
        return


def _resolve(name: str) -> str:
    path = shutil.which(name)
    if path is not None:
        return path
    if "/" in name and os.path.exists(name):
        raise NoProgramError(f"{name}: not executable: chmod +x, or name its interpreter")
    raise NoProgramError(f"{name}: not found: give its path, or put it in PATH")


def interpreter(path: str) -> str:
    """*path*, or for a script the program that its first line names, through env(1).

    Raises:
        NoProgramError: an interpreter that is not there.
    """
    for _ in range(_MAX_SCRIPTS):
        words = _first_line(path)
        if not words:
            return path
        rest = words[1:]
        if os.path.basename(words[0]) == "env":
            rest = [w for w in " ".join(rest).split() if not w.startswith("-")]
            rest = [w for w in rest if not _ASSIGNMENT.match(w)]
            words = rest or words
        path = _resolve(words[0])
    raise NoProgramError(f"{path}: scripts that name scripts as their interpreters, too deep")


def _first_line(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            line = file.readline(4096)
    except OSError as error:
        raise NoProgramError(f"{path}: cannot be read: {error.strerror or error}") from None
    return line[2:].decode("utf-8", "replace").split() if line.startswith(b"#!") else []


def privileges(path: str) -> Check:
    """Whether starting it changes privileges, so that the loader drops LD_PRELOAD (ld.so(8))."""
    status = os.stat(path)
    gained = ""
    if os.geteuid() != 0:  # who is root already gains nothing, and keeps the environment
        if status.st_mode & stat.S_ISUID and status.st_uid != os.geteuid():
            gained = "set-user-ID"
        elif status.st_mode & stat.S_ISGID and status.st_gid != os.getegid():
            gained = "set-group-ID"
        elif _has_capabilities(path):
            gained = "has file capabilities"
    if not gained:
        return Check("privileges", State.OK, "keeps those of its caller", subject=path)
    return Check(
        "privileges", State.PROBLEM, gained,
        "the loader drops LD_PRELOAD: neither it nor, mostly, what it starts is recorded",
        "run a copy without these rights, or run it as the user that it changes to",
        path,
    )  # fmt: skip


def _has_capabilities(path: str) -> bool:
    try:
        return bool(os.getxattr(path, "security.capability"))
    except OSError:
        return False
