"""Both sides of a finding, step by step, for formats that link each step to its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from lockorder.model import (
    DECLARED,
    Acquisition,
    EdgeWitness,
    Finding,
    Frame,
    Level,
    Mode,
    Participant,
)

#: Places of findings of one cause that are named; the rest are only counted.
MAX_SAME = 4
#: The order in which findings are told where there is no room for all.
_LEVELS = list(Level)


class Step(NamedTuple):
    """*says* (``holds A (shared)``, ``takes B``) happens at the end of *chain*, outermost first.

    ``kind`` is ``hold``, ``take``, ``wait`` or ``declare``.
    """

    kind: str
    says: str
    chain: tuple[Frame, ...]


class Side(NamedTuple):
    """One participant: *title* is its thread, or what was declared."""

    title: str
    steps: tuple[Step, ...]
    more: str = ""
    declared: bool = False
    #: the same as a run showed it
    live: tuple[Step, ...] = ()

    @property
    def end(self) -> Frame:
        """Where the side ends; ``Frame("")`` where nobody knows."""
        return next((s.chain[-1] for s in reversed(self.steps) if s.chain), Frame(""))


_RANK = re.compile(r"rank \d+ of \d+")


def sides(finding: Finding, names: Mapping[str, str]) -> list[Side]:
    """The participants of *finding*; *names* are those of locks, by id."""
    threads = [p for p in finding.participants if p.who != DECLARED]
    found = []
    for participant in finding.participants:
        if participant.who == DECLARED:
            found.append(_declared(participant, names))
            continue
        # Not index(): two threads may do the same.
        number = sum(not side.declared for side in found) + 1
        title = heading(participant, number if len(threads) > 1 else 0)
        found.append(_thread(participant, title, names))
    return found


def heading(participant: Participant, number: int) -> str:
    """Whose side it is: thread *number* (0 where there is one alone), or a rank of a job."""
    if _RANK.fullmatch(participant.who):
        return participant.who
    return f"thread {number}, in {participant.who}" if number else f"in {participant.who}"


def _thread(participant: Participant, title: str, names: Mapping[str, str]) -> Side:
    steps = [Step("hold", f"holds {_lock(held, names)}", held.chain) for held in participant.held]
    if participant.taken is not None:
        taken = participant.taken
        steps.append(Step("take", f"takes {_lock(taken, names)}", taken.chain))
    if participant.waits:
        steps.append(Step("wait", f"is at {participant.waits}", participant.chain))
    return Side(title, tuple(steps), also(participant), live=live_steps(participant.live))


def live_steps(live: EdgeWitness | None) -> tuple[Step, ...]:
    """An order as a run showed it; nothing where none did."""
    if live is None:
        return ()
    seen = f"seen in a run, in thread {live.thread or '?'}: held since"
    return Step("hold", seen, live.held.chain), Step("take", "when it was at", live.taken.chain)


def _declared(participant: Participant, names: Mapping[str, str]) -> Side:
    taken = participant.taken or (participant.held[-1] if participant.held else None)
    if taken is None:
        return Side("declared", (), declared=True)
    first = participant.held[0] if participant.held else taken
    order = f"{names.get(first.lock, first.lock)} before {names.get(taken.lock, taken.lock)}"
    # Each frame says it at its own place: they do not call one another.
    steps = tuple(Step("declare", f"declares {order}", (frame,)) for frame in taken.chain)
    return Side(f"declared: {order}", steps, declared=True)


def _lock(taken: Acquisition, names: Mapping[str, str]) -> str:
    notes = [Mode.SHARED.value] if taken.mode is Mode.SHARED else []
    notes += [taken.how.value] if taken.how.value != "blocking" else []
    return names.get(taken.lock, taken.lock) + (f" ({', '.join(notes)})" if notes else "")


def also(participant: Participant) -> str:
    """``the same order in f, g, and 3 more``; empty where nobody else shows it."""
    if not participant.also:
        return ""
    more = participant.also - len(participant.others)
    if not participant.others:
        return f"the same order in {more} more places"
    tail = f", and {more} more" if more > 0 else ""
    return f"the same order in {', '.join(participant.others)}{tail}"


def same_cause(finding: Finding, shown: Callable[[Frame], str], most: int = MAX_SAME) -> str:
    """``and 6 more with the same cause: a.cpp:1, ..., and 2 elsewhere``; empty where there is none.

    Each is named by the first of its places that *finding* does not have; *shown* writes one.
    """
    if not finding.folded:
        return ""
    own = set(_ends(finding))
    apart = (next((f for f in _ends(x) if f not in own), x.place) for x in finding.folded)
    named = list(dict.fromkeys(map(shown, apart)))
    more = len(named) - most
    tail = f", and {more} more places" if more > 0 else ""
    return f"and {len(finding.folded)} more with the same cause: {', '.join(named[:most])}{tail}"


def _ends(finding: Finding) -> list[Frame]:
    """Where a finding's sides end, its own place first."""
    found = [finding.place]
    for participant in finding.participants:
        taken = participant.taken.chain if participant.taken is not None else ()
        chains = (taken, *(held.chain for held in participant.held), participant.chain)
        found += [chain[-1] for chain in chains if chain]
    return found


def by_weight(findings: tuple[Finding, ...]) -> list[Finding]:
    """Severest first, then the surest; else in the order given."""
    sure = {"high": 0, "medium": 1, "low": 2}
    return sorted(findings, key=lambda f: (_LEVELS.index(f.level), sure[f.confidence.value]))


def sentence(text: str) -> str:
    """*text* with a full stop: services show the first sentence of a message as its title."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
