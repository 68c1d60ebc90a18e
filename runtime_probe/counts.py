"""Reads the count files that the shim writes (csrc/report.c documents the format).

Strict on purpose: a file that is torn or that something else wrote is an error, never an empty
result, because an empty result reads as "no locks".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from runtime_probe.errors import CountFileError, LaunchError

FORMAT_VERSION = 1
FILE_PATTERN = "counts-*.txt"

_MAGIC = "lockorder-counts"
_MAX_BYTES = 1 << 16  # the shim's own buffer is smaller; a larger file is not ours
_NUMBER = "([0-9]{1,20})"  # the digits of a 64-bit counter
_HEADER = re.compile(f"{_MAGIC} {_NUMBER}")
_FIELD = re.compile(f"([a-z_]+) {_NUMBER}")
_CALL = re.compile(f"call ([A-Za-z_][A-Za-z_0-9]*) {_NUMBER}")
_FIELDS = ("pid", "threads", "max_depth")


@dataclass(frozen=True, slots=True)
class ProcessCounts:
    """What one process did until it exited.

    Attributes:
        pid: the process, in its own PID namespace.
        threads: how many threads called an interposed function.
        max_depth: the most locks that one thread held at once.
        calls: calls of each interposed function, those never called included.
    """

    pid: int
    threads: int
    max_depth: int
    calls: dict[str, int]


def read_counts(path: Path) -> ProcessCounts:
    """Reads one count file.

    Raises:
        CountFileError: it cannot be read, is torn, foreign, or of another version.
    """
    lines = _read_lines(path)
    _check_header(path, lines[0])
    if lines[-1] != "end":
        raise CountFileError(path, "torn: the process stopped while writing it (no end line)")
    body = lines[1:-1]
    fields = _parse_fields(path, body[: len(_FIELDS)])
    calls = _parse_calls(path, body[len(_FIELDS) :])
    return ProcessCounts(calls=calls, **fields)


def read_counts_dir(trace_dir: Path) -> list[ProcessCounts]:
    """Reads all count files of a run, ordered by file name.

    Raises:
        CountFileError: one of them cannot be believed.
        LaunchError: the folder cannot be read.
    """
    try:
        names = [entry.name for entry in trace_dir.iterdir()]
    except OSError as error:
        raise LaunchError(f"cannot read the folder {trace_dir}: {error.strerror}") from error
    found = sorted(name for name in names if Path(name).match(FILE_PATTERN))
    return [read_counts(trace_dir / name) for name in found]


def _read_lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise CountFileError(path, f"cannot be read: {error.strerror}") from error
    if not content:
        raise CountFileError(path, "torn: it is empty")
    if len(content) > _MAX_BYTES or not content.isascii():
        raise CountFileError(path, "not a count file of lockorder")
    # Only whole lines count: the last one of a torn file may be half a number.
    text = content.decode("ascii")
    return text.removesuffix("\n").split("\n") if text.endswith("\n") else [*text.split("\n"), ""]


def _check_header(path: Path, line: str) -> None:
    header = _HEADER.fullmatch(line)
    if header is None:
        raise CountFileError(path, f"not a count file of lockorder (it starts with {line[:40]!r})")
    if int(header[1]) != FORMAT_VERSION:
        raise CountFileError(
            path, f"format version {header[1]}; this lockorder reads version {FORMAT_VERSION}"
        )


def _parse_fields(path: Path, lines: list[str]) -> dict[str, int]:
    fields: dict[str, int] = {}
    for expected, line in zip(_FIELDS, lines, strict=False):
        match = _FIELD.fullmatch(line)
        if match is None or match[1] != expected:
            raise CountFileError(path, f"line {line[:40]!r} should be {expected!r} and a number")
        fields[expected] = int(match[2])
    if len(fields) != len(_FIELDS):
        raise CountFileError(path, f"no {_FIELDS[len(fields)]!r} line")
    return fields


def _parse_calls(path: Path, lines: list[str]) -> dict[str, int]:
    calls: dict[str, int] = {}
    for line in lines:
        match = _CALL.fullmatch(line)
        if match is None:
            raise CountFileError(path, f"line {line[:40]!r} should be 'call', a name and a number")
        if match[1] in calls:
            raise CountFileError(path, f"{match[1]} is there twice")
        calls[match[1]] = int(match[2])
    return calls
