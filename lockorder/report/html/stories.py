"""Findings as the page tells them: both sides, step by step, with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lockorder.model import Document, Finding, Frame, Level, Table
from lockorder.report.html.charts import Chart, footprint
from lockorder.report.html.picture import Picture, picture
from lockorder.report.html.shown import Line, Shown
from lockorder.report.html.timeline import Strip, Times, strip
from lockorder.report.places import anchor
from lockorder.report.sides import Step, sides
from lockorder.report.text import printable

#: Rules whose findings are circles: they come first.
CIRCLES = ("lock-order-cycle", "gil-lock-cycle", "deadlock", "communicator-order-cycle")
#: Frames of a chain that are shown; of a longer one the outer half and the inner half of these.
MAX_FRAMES = 60
#: How the line of a table begins that a rule points at.
_MARK = ">"
_LEVELS = list(Level)


class FrameView(NamedTuple):
    """One step of a chain: ``lines`` are more than one only where it ends."""

    function: str
    place: str
    lines: tuple[Line, ...]


class StepView(NamedTuple):
    """What a side does at the end of a chain."""

    kind: str
    says: str
    chain: tuple[FrameView, ...]
    left_out: int


class SideView(NamedTuple):
    """One participant."""

    title: str
    steps: tuple[StepView, ...]
    more: str
    declared: bool
    live: tuple[StepView, ...]


class Row(NamedTuple):
    """A line of a table, whether a rule points at it, and of each cell its lines and whether it is
    unlike most of this line."""

    marked: bool
    cells: tuple[tuple[tuple[str, ...], bool], ...]


class TableView(NamedTuple):
    """A finding's table."""

    columns: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]


class FoldedView(NamedTuple):
    """A finding of the same cause."""

    level: str
    rule: str
    place: str
    message: str
    fingerprint: str


class Story(NamedTuple):
    """A finding; ``number`` begins at 1 and names it in the page."""

    number: int
    rule: str
    level: str
    confidence: str
    reason: str
    run: str
    message: str
    fix: str
    place: str
    locks: tuple[str, ...]
    sides: tuple[SideView, ...]
    table: TableView | None
    picture: Picture | None
    chart: Chart | None
    strip: Strip | None
    fingerprint: str
    folded: tuple[FoldedView, ...] = ()


def ordered(document: Document) -> list[Finding]:
    """The severest first, of these the circles, then the surest; of a hung job as it is."""
    if document.origin == "hung":
        return list(document.findings)
    sure = {"high": 0, "medium": 1, "low": 2}
    return sorted(
        document.findings,
        key=lambda f: (_LEVELS.index(f.level), f.rule not in CIRCLES, sure[f.confidence.value]),
    )


def stories(
    document: Document, findings: Sequence[Finding], shown: Shown, timeline: Times | None
) -> list[Story]:
    """What is told of *findings*."""
    names = {lock.id: lock.name for lock in document.locks}
    told = []
    for number, finding in enumerate(findings, 1):
        place = anchor(finding)
        told.append(
            Story(
                number=number,
                rule=printable(finding.rule),
                level=finding.level.value,
                confidence=finding.confidence.value,
                reason=printable(finding.reason),
                run=printable(finding.run),
                message=printable(finding.message),
                fix=printable(finding.fix),
                place=shown.place(place.file, place.line),
                locks=tuple(map(shown.lock, finding.locks)),
                sides=tuple(
                    SideView(
                        printable(side.title),
                        tuple(step_view(step, shown) for step in side.steps),
                        printable(side.more),
                        side.declared,
                        tuple(step_view(step, shown) for step in side.live),
                    )
                    for side in sides(finding, names)
                ),
                table=_table(finding.table) if finding.table is not None else None,
                picture=picture(finding, shown),
                chart=footprint(finding),
                strip=strip(timeline, finding, shown) if timeline is not None else None,
                fingerprint=printable(finding.fingerprint),
                folded=tuple(_folded(other, shown) for other in finding.folded),
            )
        )
    return told


def _folded(finding: Finding, shown: Shown) -> FoldedView:
    place = anchor(finding)
    return FoldedView(
        finding.level.value, printable(finding.rule), shown.place(place.file, place.line),
        printable(finding.message), printable(finding.fingerprint),
    )  # fmt: skip


def step_view(step: Step, shown: Shown) -> StepView:
    """One step with its chain, the middle of a very long one left out."""
    chain = step.chain
    left_out = max(len(chain) - MAX_FRAMES, 0)
    if left_out:
        half = MAX_FRAMES // 2
        chain = (*chain[:half], *chain[-half:])
    last = len(chain) - 1
    frames = tuple(_frame(frame, i == last, shown) for i, frame in enumerate(chain))
    return StepView(step.kind, printable(step.says), frames, left_out)


def _frame(frame: Frame, last: bool, shown: Shown) -> FrameView:
    if last:
        lines = shown.around(frame)
    else:
        source = shown.source(frame)
        lines = (Line(frame.line, source, True),) if source else ()
    return FrameView(printable(frame.function), shown.place(frame.file, frame.line), lines)


def _table(table: Table) -> TableView:
    rows = []
    for row in table.rows:
        marked = bool(row) and row[0].startswith(_MARK)
        # What most ranks do is right, mostly; the others stand out.
        usual = max(row[1:], key=row[1:].count, default="")
        rows.append(
            Row(
                marked,
                tuple(
                    (_lines(cell), marked and i > 0 and cell != usual) for i, cell in enumerate(row)
                ),
            )
        )
    return TableView(tuple(map(_lines, table.columns)), tuple(rows))


def _lines(cell: str) -> tuple[str, ...]:
    return tuple(printable(line.strip()) for line in cell.split("\n"))
