"""Holds and waits around a finding, a lane a thread, where the result has times.

What is asked of a timeline is written down here (``Times``): any model with these names will do.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from lockorder.model import Finding, duration
from lockorder.report.html.shown import Shown
from lockorder.report.text import printable


class Span(Protocol):
    """What a thread did for a time: kind is ``hold``, ``wait`` or ``collective``."""

    @property
    def process(self) -> str:
        """The process, by its name in the job."""

    @property
    def thread(self) -> str:
        """The thread, by its name in the process."""

    @property
    def kind(self) -> str | enum.Enum:
        """What it was."""

    @property
    def lock(self) -> str:
        """The lock's id; of a collective its name."""

    @property
    def start_ns(self) -> int:
        """When it began."""

    @property
    def end_ns(self) -> int:
        """When it ended; not behind ``start_ns``: it had not ended."""


class Times(Protocol):
    """A timeline."""

    @property
    def spans(self) -> Sequence[Span]:
        """In any order."""


#: Threads, spans of a strip, and pixels of its times.
MAX_LANES, MAX_SPANS, WIDTH = 16, 600, 720
LANE, _LEFT = 26, 210
#: Kinds that are drawn; moments and threads' lives are not.
_DRAWN = ("hold", "wait", "block", "collective")
#: Colours that locks take by turns.
COLOURS = 6


class Block(NamedTuple):
    """A span as it is drawn; ``colour`` is the lock's number, modulo ``COLOURS``."""

    kind: str
    x: float
    y: float
    width: float
    colour: int
    text: str


class Lane(NamedTuple):
    """A thread."""

    name: str
    y: int


class Tick(NamedTuple):
    """A time on the axis."""

    x: float
    text: str


class Strip(NamedTuple):
    """A finding's time; pixels."""

    width: int
    height: int
    left: int
    lanes: tuple[Lane, ...]
    blocks: tuple[Block, ...]
    ticks: tuple[Tick, ...]
    locks: tuple[tuple[int, str], ...]
    left_out: int


def strip(timeline: Times, finding: Finding, shown: Shown) -> Strip | None:
    """What *timeline* has of the locks of *finding*, from the first wait to the last."""
    about = [s for s in timeline.spans if s.lock in finding.locks and _kind(s) in _DRAWN]
    if not about:
        return None
    last = max(max(s.start_ns, s.end_ns) for s in timeline.spans)
    waits = [s for s in about if _kind(s) == "wait"] or about
    begin = min(s.start_ns for s in waits)
    end = max(_end(s, last) for s in waits)
    margin = max((end - begin) // 8, 1)
    begin, end = begin - margin, end + margin
    near = sorted(
        (s for s in about if s.start_ns < end and _end(s, last) > begin),
        key=lambda s: (s.start_ns, s.process, s.thread, _kind(s), s.lock),
    )
    # Threads that wait are what it is about.
    waiting = {(s.process, s.thread) for s in near if _kind(s) == "wait"}
    threads = sorted({(s.process, s.thread) for s in near}, key=lambda t: (t not in waiting, t))
    lane = {t: i for i, t in enumerate(sorted(threads[:MAX_LANES]))}
    near = [s for s in near if (s.process, s.thread) in lane]
    scale = WIDTH / (end - begin)
    blocks = []
    for span in near[:MAX_SPANS]:
        start, stop = max(span.start_ns, begin), min(_end(span, last), end)
        name, kind = shown.lock(span.lock), _kind(span)
        lasted = duration(_end(span, last) - span.start_ns)
        open_ = "" if span.end_ns > span.start_ns else ", and had not ended"
        blocks.append(
            Block(
                kind,
                round(_LEFT + (start - begin) * scale, 2),
                lane[span.process, span.thread] * LANE + 4,
                round(max((stop - start) * scale, 1.5), 2),
                finding.locks.index(span.lock) % COLOURS,
                f"{kind} {name}: {lasted}{open_}",
            )
        )
    return Strip(
        _LEFT + WIDTH + 40,
        len(lane) * LANE + 34,
        _LEFT,
        tuple(Lane(printable(f"{p} {t}".strip()), i * LANE) for (p, t), i in lane.items()),
        tuple(blocks),
        tuple(
            Tick(round(_LEFT + WIDTH * i / 4, 1), f"+{duration((end - begin) * i // 4)}")
            for i in range(5)
        ),
        tuple((i % COLOURS, shown.lock(lock)) for i, lock in enumerate(finding.locks)),
        max(len(near) - MAX_SPANS, 0),
    )


def _kind(span: Span) -> str:
    return str(span.kind.value) if isinstance(span.kind, enum.Enum) else span.kind


def _end(span: Span, last: int) -> int:
    return span.end_ns if span.end_ns > span.start_ns else max(last, span.start_ns)
