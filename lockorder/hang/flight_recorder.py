"""Dumps of PyTorch's flight recorder: which files are some, and what is in them.

A process group's recorder keeps the last operations in a ring and writes it as
``$TORCH_FR_DUMP_TEMP_FILE<rank>`` (before 2.8: ``TORCH_NCCL_DEBUG_INFO_TEMP_FILE``) when a watchdog
runs out of patience: a pickled dictionary, or JSON without frames.  Its keys are those of
torch/csrc/distributed/c10d/FlightRecorder.hpp, versions 2.3 to 2.10.

No field is believed: what is missing or of another type is as if it were not known.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from lockorder.hang import json_reader, pickle_reader
from lockorder.hang.errors import DataError, DumpError

LARGEST = 1 << 30  # bytes of a file; a ring of 2,000 entries takes one or two million
NEWEST = (2, 10)
REQUIRED = ("entries", "version", "pg_config")
# Also XCCL's and other recorders', which name their library's state and version after it.
_KEYS = (b"entries", b"version", b"pg_config", b"pg_status", b"comm_lib_version", b"nccl_version")

_HEAD = 4096
_RANK = re.compile(r"(\d{1,9})$")
_SUFFIX = re.compile(r"\.(json|pkl|pickle|bin|dump|trace|txt)$", re.IGNORECASE)
_RANKS = re.compile(r"\s*\[?[\d\s,]*\]?\s*")


class Group(NamedTuple):
    """A process group: its *name* is the same in all ranks; *ranks* are global, by group rank."""

    name: str
    description: str
    ranks: tuple[int, ...]


class Status(NamedTuple):
    """Sequence numbers of the last operations of a process group; -1: none, or not known."""

    enqueued: int = -1
    started: int = -1
    completed: int = -1


@dataclass(frozen=True)
class Dump:
    """One rank's dump.

    ``rank`` is what the file's name ends with, or -1.  ``groups`` are by name, ``status`` by the
    recorder's number of a group as text.  ``entries`` are as they were recorded, oldest first; each
    has a process group and a profiling name, nothing else is certain; ``unread`` counts the others.
    ``size`` is the file's, in bytes, ``written_ns`` its time of change.  ``notes`` say what could
    not be read.
    """

    path: Path
    version: str
    library: str
    rank: int
    groups: dict[str, Group]
    status: dict[str, Status]
    entries: list[dict[str, Any]]
    state: dict[str, Any]
    truncated: bool
    unread: int
    size: int
    written_ns: int
    notes: tuple[str, ...]


def is_dump(path: Path) -> bool:
    """Whether the file at *path* looks like a dump: by its first and last bytes, nothing is run."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with path.open("rb") as file:
            head = file.read(_HEAD)
            # JSON's members are sorted: "pg_config" and "version" come last.
            file.seek(max(0, path.stat().st_size - _HEAD))
            tail = file.read(_HEAD)
    except OSError:
        return False
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return any(key in head[:256] for key in _KEYS)
    if head.lstrip()[:1] != b"{":
        return False
    return sum(b'"%s"' % key in head or b'"%s"' % key in tail for key in _KEYS) >= 2


def dumps_in(given: Path) -> list[Path]:
    """The dumps in the folder *given* and those in it, by rank and path; or the dump it is."""
    if not given.is_dir():
        return [given] if is_dump(given) else []
    found = [
        path
        for parent, _, names in os.walk(given)
        for name in names
        if is_dump(path := Path(parent, name))
    ]
    return sorted(found, key=lambda path: (rank_of(path), path))


def rank_of(path: Path) -> int:
    """The number at the end of the file's name, suffixes like .json aside; -1: there is none."""
    match = _RANK.search(_SUFFIX.sub("", path.name))
    return int(match[1]) if match else -1


def read_dump(path: Path) -> Dump:
    """The dump at *path*.

    Takes no more than seconds and some gigabytes, whatever the file says.  Raises ``DumpError``.
    """
    try:
        data, written = _bytes(path)
        value, truncated = _value(data)
    except DataError as error:
        raise DumpError(path, str(error)) from None
    except MemoryError:
        raise DumpError(path, "there is not enough memory to read it") from None
    if type(value) is not dict:
        raise DumpError(path, "it is no dump of the flight recorder: not a dictionary")
    notes = ["it breaks off: what was written last is not known"] if truncated else []
    missing = [key for key in REQUIRED if key not in value]
    # Neither the JSON form nor a dump without collectives has entries where there are none.
    if missing:
        without = " and no ".join(missing)
        if missing != ["entries"] and not (truncated and len(missing) < len(REQUIRED)):
            raise DumpError(path, f"it is no dump of the flight recorder: no {without}")
        notes.append(f"it has no {without}")
    entries, unread = _entries(value.get("entries"), notes)
    library = value.get("comm_lib_version", value.get("nccl_version"))
    state = value.get("nccl_comm_state")
    return Dump(
        path=path,
        version=_version(value.get("version"), notes),
        library=library if type(library) is str else "",
        rank=rank_of(path),
        groups=_groups(value.get("pg_config"), notes),
        status=_statuses(value.get("pg_status")),
        entries=entries,
        state=state if type(state) is dict else {},
        truncated=truncated,
        unread=unread,
        size=len(data),
        written_ns=written,
        notes=tuple(notes),
    )


def _bytes(path: Path) -> tuple[bytes, int]:
    """All of the file, unless it is too large, and when it was written."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise DataError("it is not a file")
        if about.st_size > LARGEST:
            raise DataError(f"it has {about.st_size:,} bytes, more than {LARGEST:,}")
        with path.open("rb") as file:
            # Reading more would take that memory first.
            return file.read(about.st_size), about.st_mtime_ns
    except OSError as error:
        raise DataError(error.strerror or "it cannot be read") from None


def _value(data: bytes) -> tuple[Any, bool]:
    if not data:
        raise DataError("it is empty")
    if data[:1] == b"\x80":
        return pickle_reader.loads(data)
    if data[:64].lstrip()[:1] == b"{":
        return json_reader.loads(data)
    raise DataError("it is neither a pickle nor JSON")


def _version(value: Any, notes: list[str]) -> str:
    if type(value) is not str:
        notes.append("its version is not known")
        return ""
    try:
        major, minor = (int(part) for part in value.split("."))
    except ValueError:
        notes.append(f"its version is {value[:20]!r}, read as {NEWEST[0]}.{NEWEST[1]}")
        return value
    if (major, minor) > NEWEST:
        notes.append(f"it is of version {value[:20]}, read as {NEWEST[0]}.{NEWEST[1]}")
    return value


def _groups(value: Any, notes: list[str]) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    unread = 0
    for key, about in value.items() if type(value) is dict else ():
        if type(about) is not dict or type(key) is not str:
            unread += 1
            continue
        name = about.get("name")
        description = about.get("desc")
        ranks = _ranks(about.get("ranks"))
        if ranks:  # Gloo's recorder of PyTorch 2.13 has one without a name and ranks
            groups[key] = Group(
                name if type(name) is str and name else key,
                description if type(description) is str else "",
                ranks,
            )
    if unread:
        notes.append(f"{unread} process groups could not be read")
    return groups


def _ranks(value: Any) -> tuple[int, ...]:
    """Ranks as they are written: ``"[0, 1]"``, or a list; empty: not known."""
    if type(value) is str:
        return _parsed_ranks(value)
    if type(value) in (list, tuple) and all(type(r) is int and 0 <= r < 1 << 31 for r in value):
        return tuple(value)
    return ()


@lru_cache(maxsize=4096)
def _parsed_ranks(text: str) -> tuple[int, ...]:
    if not _RANKS.fullmatch(text):
        return ()
    return tuple(int(rank) for rank in re.findall(r"\d+", text) if len(rank) < 10)


def _statuses(value: Any) -> dict[str, Status]:
    if type(value) is not dict:
        return {}
    return {
        str(key): Status(
            _sequence(about.get("last_enqueued_collective")),
            _sequence(about.get("last_started_collective")),
            _sequence(about.get("last_completed_collective")),
        )
        for key, about in value.items()
        if type(about) is dict and type(key) in (str, int)
    }


def _sequence(value: Any) -> int:
    """A sequence number; JSON has it as text."""
    if type(value) is str and len(value) < 20 and value.isascii() and value.isdigit():
        value = int(value)
    return value if type(value) is int and 0 <= value < 1 << 62 else -1


def _entries(value: Any, notes: list[str]) -> tuple[list[dict[str, Any]], int]:
    """The entries that can be read at all, in the order in which they were recorded."""
    if type(value) is not list:
        if value is not None:
            notes.append("its entries are no list")
        return [], 0
    entries = []
    unread: list[int] = []
    in_order = True
    last = -1
    for place, entry in enumerate(value):
        if (
            type(entry) is not dict
            or type(entry.get("profiling_name")) is not str
            or not _has_group(entry.get("process_group"))
        ):
            unread.append(place)
            continue
        record = entry.get("record_id")
        if type(record) is not int:
            record = last + 1
        in_order = in_order and record > last
        last = record
        entries.append(entry)
    if unread:
        some = ", ".join(str(place) for place in unread[:5])
        more = ", ..." if len(unread) > 5 else ""
        notes.append(f"{len(unread)} of {len(value)} entries could not be read: {some}{more}")
    if not in_order:  # a ring that was written from its beginning, not from its oldest entry
        entries.sort(key=lambda entry: _number(entry.get("record_id")))
    return entries, len(unread)


def _number(value: Any) -> int:
    return value if type(value) is int else -1


def _has_group(value: Any) -> bool:
    """Whether *value* begins with a process group's name."""
    return type(value) in (tuple, list) and len(value) > 0 and type(value[0]) is str
