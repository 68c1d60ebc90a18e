"""Baselines: what was there when a code base began to be checked, so that only new findings count.

A baseline is a JSON file that is committed: sorted, an entry a fingerprint, with the number of
findings that have it.  Neither lines nor times are in it, so it changes only where findings do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from lockorder.model import Accepted, Finding
from lockorder.static.discovery import named_files

_FORMAT = "lockorder-baseline"
VERSION = 1
#: Nobody has so many findings, and nobody wants to read the number.
_MOST = 1_000_000_000
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class BaselineError(ValueError):
    """A file that is no baseline; the text names it and the reason."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """*count* findings of one fingerprint; the rest is for people who read the file."""

    file: str = ""
    rule: str = ""
    fingerprint: str
    message: str = ""
    count: int = 1


class Baseline(msgspec.Struct):
    """The entries of *path*; ``problems`` are entries that cannot be used."""

    path: str
    entries: list[Entry]
    problems: list[str] = []


class _File(msgspec.Struct, kw_only=True):
    format: str = ""
    version: int = 0
    findings: list[object] = []


def read(path: Path, shown: str) -> Baseline:
    """Read a baseline, which messages call *shown*; entries that are broken are left out.

    Raises BaselineError where the file as a whole cannot be used.
    """
    try:
        data = named_files.read(path)
    except FileNotFoundError:
        raise BaselineError(
            f"{shown}: no such baseline: --write-baseline {shown} makes one of what is there now"
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise BaselineError(f"{shown}: cannot read the baseline: {reason}") from None
    try:
        file = msgspec.json.decode(data, type=_File)
    except _UNREADABLE as error:
        raise BaselineError(f"{shown}: not a baseline: {error}") from None
    if file.format != _FORMAT:
        raise BaselineError(f"{shown}: not a baseline: no format field with {_FORMAT!r}")
    if file.version != VERSION:
        raise BaselineError(
            f"{shown}: baseline version {file.version}, this lockorder reads {VERSION}: "
            "move it away, and --write-baseline writes it again"
        )
    found = Baseline(shown, [])
    for number, raw in enumerate(file.findings):
        try:
            entry = msgspec.convert(raw, Entry)
        except (msgspec.ValidationError, RecursionError) as error:
            found.problems.append(f"{shown}: findings[{number}]: {error}")
            continue
        if not 1 <= entry.count <= _MOST:
            reason = f"count is not a number from 1 to {_MOST:,}"
            found.problems.append(f"{shown}: findings[{number}]: {reason}")
        else:
            found.entries.append(entry)
    return found


class Applied(msgspec.Struct):
    """Findings that are new, those that were known, and entries with fewer findings than then."""

    findings: list[Finding]
    accepted: list[Accepted]
    stale: list[Entry]


def apply(findings: Iterable[Finding], baseline: Baseline) -> Applied:
    """Take out of *findings*, for each fingerprint, as many as the baseline counts."""
    left: Counter[str] = Counter()
    for entry in baseline.entries:
        left[entry.fingerprint] += entry.count
    result = Applied([], [], [])
    for finding in findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
            result.accepted.append(Accepted(finding=finding, by="baseline", place=baseline.path))
        else:
            result.findings.append(finding)
    for entry in baseline.entries:
        gone = min(left[entry.fingerprint], entry.count)
        if gone > 0:
            left[entry.fingerprint] -= gone
            result.stale.append(msgspec.structs.replace(entry, count=gone))
    return result


def written(findings: Iterable[Finding], kept: Iterable[Entry] = ()) -> bytes:
    """The text of a baseline of *findings*, and of *kept*, entries that nobody looked at again."""
    counts: dict[Entry, int] = {}
    for finding in findings:
        entry = Entry(
            fingerprint=finding.fingerprint,
            rule=finding.rule,
            file=finding.place.file,
            message=finding.message,
        )
        counts[entry] = counts.get(entry, 0) + 1
    entries = [*kept, *(msgspec.structs.replace(e, count=n) for e, n in counts.items())]
    body = {
        "format": _FORMAT,
        "version": VERSION,
        "findings": [msgspec.to_builtins(e) for e in sorted(entries)],
    }
    return msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n"


def unseen(
    entries: Iterable[Entry], rules: Callable[[str], bool], files: Callable[[str], bool]
) -> list[Entry]:
    """Entries that a run could not have found again: of a rule or a file it did not look at."""
    return [e for e in entries if not (rules(e.rule) and files(e.file))]
