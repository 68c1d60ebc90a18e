"""What can go wrong with the probe, and what the user can do about it."""

from __future__ import annotations

from pathlib import Path


class ProbeError(Exception):
    """Base of the package's errors. `help` names the next thing to try."""

    help: str = ""

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}\n{self.help}" if self.help else message


class ShimMissingError(ProbeError):
    """The shared library was not installed, so nothing can be preloaded."""

    help = (
        "The probe needs Linux with glibc, and a C compiler when it is installed from source "
        "(Debian, Ubuntu: apt-get install gcc libc6-dev). Install lockorder again once it is there."
    )


class ShimPathError(ProbeError):
    """The loader cannot be given this path: LD_PRELOAD splits it (ld.so(8))."""

    help = "Install lockorder in a folder whose path has no space, tab, newline or colon."


class LaunchError(ProbeError):
    """The command, or the folder for its records, cannot be used."""


class TraceError(ProbeError):
    """A trace file that cannot be believed: foreign, damaged, or of another version."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
