"""Findings: what a rule says, with both sides of its story."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable

import msgspec

from lockorder.model.locks import Acquisition, EdgeWitness, Frame, users_place


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


#: How what runs say of a finding begins, where they show it.
CONFIRMED = "confirmed by a run"
#: Who stands for an order that somebody declared, where no thread was seen to follow it.
DECLARED = "declared order"


class Participant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thread's (or entry point's) side: what it held when it took or waited for ``taken``.

    ``waits`` says in words what else it does, at the end of ``chain``.  ``also`` counts further
    places that show the same order; ``others`` names some of them.
    ``DECLARED`` is no thread: it takes the locks in the order that was declared, and its chains
    are the places that say so.  ``live`` is the same order as a run showed it.
    """

    who: str
    held: tuple[Acquisition, ...]
    taken: Acquisition | None = None
    waits: str = ""
    also: int = 0
    others: tuple[str, ...] = ()
    chain: tuple[Frame, ...] = ()
    live: EdgeWitness | None = None


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is best seen side by side: a column for each of several ranks, say."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One reported problem.

    ``locks`` are lock ids in the order of the story; ``fingerprint`` identifies the finding
    across runs and moved lines.  ``folded`` are findings of the same cause that are told as this
    one, the best first; none of them has any of its own.
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
    #: what runs say of it, where it was compared with some
    run: str = ""
    folded: tuple[Finding, ...] = ()
    #: the library whose own affair it is, in a recorded run; empty where the job has a part in it
    owner: str = ""

    @property
    def place(self) -> Frame:
        """Where a reader looks first: the acquisition or call that completes the story.

        That of the last participant; where it only tells who else is concerned, of the first.
        ``Frame("")`` where nobody's place is known.
        """
        if not self.participants:
            return Frame("")
        first, last = self.participants[0], self.participants[-1]
        for participant in (last, first):
            taken = participant.taken.chain if participant.taken is not None else ()
            for chain in (taken, participant.chain if participant is first else ()):
                if chain:
                    return users_place(chain)
        return Frame("")


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that does not count, and who said so.

    ``by`` is ``comment`` (in the sources), ``baseline`` (was there when the baseline was written)
    or ``unchanged`` (the change that is looked at neither made nor touches it).  ``place`` is the
    comment's ``file:line``, the baseline's file, or the revision; ``reason`` what the comment says.
    """

    finding: Finding
    by: str
    place: str = ""
    reason: str = ""


def fingerprint(rule: str, locks: Iterable[str], functions: Iterable[str]) -> str:
    """Name a finding by what it is about, never by where its lines stand.

    *locks* are ids in canonical order; *functions* the qualified names of the functions that
    take them.  32 hexadecimal digits, stable across moved lines, reformatting and renamed files.
    """
    text = "\0".join((rule, *locks, "", *functions))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
