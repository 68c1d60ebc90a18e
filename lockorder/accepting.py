"""Which findings do not count: accepted by comments, by a baseline, or not of this change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from lockorder.comments import Suppression
from lockorder.model import Accepted, Finding, Frame


class Split(msgspec.Struct):
    """Findings that count, and those that do not."""

    findings: list[Finding]
    accepted: list[Accepted]


def places(finding: Finding) -> list[Frame]:
    """Where a finding shows: a comment on any of these lines speaks of it.

    Every step to what is taken or waited for, and the acquisition of what is held meanwhile; how
    a thread came to the latter is another story.
    """
    found: dict[Frame, None] = {finding.place: None}
    for participant in finding.participants:
        if participant.taken is not None:
            found.update(dict.fromkeys(participant.taken.chain))
        found.update(dict.fromkeys(participant.chain))
        found.update(dict.fromkeys(h.chain[-1] for h in participant.held if h.chain))
    return [frame for frame in found if frame.file]


def by_comments(
    findings: Iterable[Finding], suppressions: Sequence[Suppression]
) -> tuple[Split, list[Suppression]]:
    """Take out what comments accept; also the suppressions that no finding needed."""
    split = Split([], [])
    used: set[Suppression] = set()
    by_rule: dict[tuple[str, str], list[Suppression]] = {}
    for each in suppressions:
        by_rule.setdefault((each.rule, each.file), []).append(each)
    for finding in findings:
        fitting = [
            s
            for frame in places(finding)
            for s in by_rule.get((finding.rule, frame.file), ())
            if s.first <= frame.line <= s.last
        ]
        if not fitting:
            split.findings.append(finding)
            continue
        used.update(fitting)
        first = fitting[0]
        split.accepted.append(
            Accepted(finding=finding, by="comment", place=first.place, reason=first.reason)
        )
    return split, [s for s in suppressions if s not in used]
