"""Findings: what a rule says, with both sides of its story."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable

import msgspec

from lockorder.model.locks import Acquisition, Frame


class Level(enum.Enum):
    """SARIF's levels; errors and warnings decide the exit code, notes do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Confidence(enum.Enum):
    """How sure the tool is, and so how sure a reader may be before looking."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


#: Who stands for an order that somebody declared, where no thread was seen to follow it.
DECLARED = "declared order"


class Participant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thread's (or entry point's) side: what it held when it took or waited for ``taken``.

    ``waits`` says in words what else it does, at the end of ``chain``.  ``also`` counts further
    places that show the same order; ``others`` names some of them.
    ``DECLARED`` is no thread: it takes the locks in the order that was declared, and its chains
    are the places that say so.
    """

    who: str
    held: tuple[Acquisition, ...]
    taken: Acquisition | None = None
    waits: str = ""
    also: int = 0
    others: tuple[str, ...] = ()
    chain: tuple[Frame, ...] = ()


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is best seen side by side: a column for each of several ranks, say."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One reported problem.

    ``locks`` are lock ids in the order of the story; ``fingerprint`` identifies the finding
    across runs and moved lines.
    """

    rule: str
    level: Level
    confidence: Confidence
    reason: str
    message: str
    fix: str
    locks: tuple[str, ...]
    participants: tuple[Participant, ...]
    fingerprint: str
    table: Table | None = None


def fingerprint(rule: str, locks: Iterable[str], functions: Iterable[str]) -> str:
    """Name a finding by what it is about, never by where its lines stand.

    *locks* are ids in canonical order; *functions* the qualified names of the functions that
    take them.  32 hexadecimal digits, stable across moved lines, reformatting and renamed files.
    """
    text = "\0".join((rule, *locks, "", *functions))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
