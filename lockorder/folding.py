"""Findings with one cause are told as one: the best of them, and the rest folded under it.

(1) Rules find everything; what people say of findings (comments, a baseline, the configuration) has
been asked by the time anything is folded, so nobody hides what nobody accepted.  (2) The findings
are gone through from the best to the worst: the severest, of these the surest, then the shortest
story, then the first in the sources.  (3) One that shares a cause with a finding that stands
already is folded under it, the first one of several; one whose sides are all sides of a single
finding that is folded goes where that went; one that is a guess goes where all the functions
in which it happens are told to call one another in circles; and a wait in a call that is told to
wait goes where that went.  Any other stands for itself.

So what is folded is neither severer nor surer than what it is under, and without that it would
stand itself, or under another.  Nothing is lost: what stands and what is folded are all there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from lockorder.model import CONFIRMED, Confidence, Document, Finding, Frame, Level
from lockorder.rules import by_id
from lockorder.rules.causes import INSIDE, ROUND, SIDE, THROUGH, WAITING, Cause

_LEVELS, _SURE = list(Level), list(Confidence)


def fold(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding for each cause, in the order of *findings*, with the others as ``folded``."""
    whole = list(unfold(findings))
    ranked = sorted(range(len(whole)), key=lambda number: _rank(whole[number]))
    folded: dict[int, list[Finding]] = {}  # by place in ``ranked``: under those that stand
    standing: dict[Cause, int] = {}
    went: list[int] = []
    sides: dict[Cause, set[int]] = {}
    for place, number in enumerate(ranked):
        finding = whole[number]
        causes = _causes(finding)
        own = [c for c in causes if c[0] == SIDE]
        above = {standing[c] for c in causes if c in standing}
        above |= {at for c in causes if (at := _in_wait(c, standing)) is not None}
        above = above or {went[each] for each in _common(sides.get(c, set()) for c in own)}
        above = above or _common(_on_round(c, standing) for c in causes if c[0] == INSIDE)
        best = min(above, default=place)
        if best == place:
            folded[place] = []
            standing.update((c, place) for c in causes if c[0] not in (INSIDE, THROUGH))
        else:
            folded[best].append(finding)
            for cause in causes:
                if cause[0] in (ROUND, WAITING):
                    standing.setdefault(cause, best)
        went.append(best)
        for side in own:
            sides.setdefault(side, set()).add(place)
    under = {ranked[place]: tuple(rest) for place, rest in folded.items()}
    return tuple(
        msgspec.structs.replace(finding, folded=under[number]) if under[number] else finding
        for number, finding in enumerate(whole)
        if number in under
    )


def told(document: Document) -> Document:
    """*document* with its findings folded."""
    return msgspec.structs.replace(document, findings=fold(document.findings))


def unfold(findings: Iterable[Finding]) -> Iterator[Finding]:
    """All of *findings*, each for itself."""
    for finding in findings:
        if not finding.folded:
            yield finding
            continue
        yield msgspec.structs.replace(finding, folded=())
        yield from unfold(finding.folded)


def _causes(finding: Finding) -> frozenset[Cause]:
    rule = by_id(finding.rule)
    return frozenset(rule.causes(finding)) if rule is not None else frozenset()


def _on_round(inside: Cause, standing: Mapping[Cause, int]) -> set[int]:
    found = standing.get((ROUND, *inside[1:]))
    return set() if found is None else {found}


def _in_wait(through: Cause, standing: Mapping[Cause, int]) -> int | None:
    """The finding that tells of the call in which this one happens as of one that waits."""
    return standing.get((WAITING, *through[1:])) if through[0] == THROUGH else None


def _common(places: Iterable[set[int]]) -> set[int]:
    """Those in each of *places*; none where there are no places."""
    found: set[int] | None = None
    for each in places:
        found = each if found is None else found & each
    return found or set()


def _rank(finding: Finding) -> tuple[object, ...]:
    """The best comes first; a total order, so that it is the same in whatever order they come."""
    chains = [
        chain
        for p in finding.participants
        for chain in (
            *(held.chain for held in p.held),
            p.taken.chain if p.taken is not None else (),
            p.chain,
        )
    ]
    return (
        _LEVELS.index(finding.level),
        _SURE.index(finding.confidence),
        not finding.run.startswith(CONFIRMED),
        len(finding.participants),
        sum(map(len, chains)),
        _position(finding.place),
        [[_position(frame) for frame in chain] for chain in chains],
        msgspec.json.encode(finding),
    )


def _position(frame: Frame) -> tuple[str, int, int]:
    return frame.file, frame.line, frame.column
