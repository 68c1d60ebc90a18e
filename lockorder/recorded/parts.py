"""Timelines of single processes, and one timeline of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from lockorder.model import Arrow, Span, Timeline

#: Processes that a result keeps.
MAX_PROCESSES = 8


class Part(NamedTuple):
    """A process' part: times are nanoseconds since 1970; ``trouble``: something is wrong in it.

    ``left_out`` counts spans that there was no room for; ``missing`` what has no times, by what.
    """

    host: str
    spans: list[Span]
    arrows: list[Arrow]
    trouble: bool
    left_out: int
    missing: dict[str, int]


def has_room(parts: Sequence[Part], trouble: bool) -> bool:
    """Whether ``kept`` would keep one more part, with *trouble* or without."""
    return len(parts) < MAX_PROCESSES or (trouble and not all(p.trouble for p in parts))


def kept(parts: Iterable[Part]) -> list[Part]:
    """The parts that a result keeps: those with trouble, then the first ones.

    Of parts of which some were dropped before, it keeps the same.
    """
    return sorted(parts, key=lambda p: not p.trouble)[:MAX_PROCESSES]


def together(parts: Sequence[Part], processes: int) -> Timeline | None:
    """One timeline of *parts*, which are some of *processes*; None where nothing has times."""
    parts = _told_apart(parts)
    ends = [t for p in parts for s in p.spans for t in (s.start_ns, s.end_ns) if t]
    if not ends:
        return None
    first = min(ends) - 1
    notes = []
    if processes > len(parts):
        notes.append(f"of {processes} processes {len(parts)} are shown")
    left_out = sum(p.left_out for p in parts)
    if left_out:
        notes.append(f"not shown for want of room: {left_out} spans of these processes")
    missing: Counter[str] = Counter()
    for each in parts:
        missing.update(each.missing)
    notes += [f"not in it: {what}: {count}" for what, count in sorted(missing.items())]
    if len({p.host for p in parts}) > 1:
        notes.append("machines are put side by side by their clocks, which may differ")
    replace = msgspec.structs.replace
    spans = [
        replace(s, start_ns=s.start_ns - first, end_ns=s.end_ns - first if s.end_ns else 0)
        for p in parts
        for s in p.spans
    ]
    # Who is waited for was there before what is shown of it: a picture begins at the same place.
    arrows = [
        replace(a, from_ns=max(a.from_ns - first, 1), to_ns=max(a.to_ns - first, 1))
        for p in parts
        for a in p.arrows
    ]
    return Timeline(
        spans=tuple(spans), arrows=tuple(arrows), first_ns=first, last_ns=max(ends) - first,
        notes=tuple(notes),
    )  # fmt: skip


def _told_apart(parts: Sequence[Part]) -> list[Part]:
    """*parts* with names of their own: a process that called exec is another one after it."""
    seen: Counter[str] = Counter()
    found = []
    for each in parts:
        name = each.spans[0].process if each.spans else ""
        seen[name] += 1
        if seen[name] > 1:
            own = f"{name} (program {seen[name]})"
            each = each._replace(
                spans=[msgspec.structs.replace(s, process=own) for s in each.spans],
                arrows=[msgspec.structs.replace(a, process=own) for a in each.arrows],
            )
        found.append(each)
    return found
