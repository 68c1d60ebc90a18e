"""A result as Markdown, for the summary of a job: ``>> "$GITHUB_STEP_SUMMARY"``.

A table of findings, then each in a part that opens. Whatever came from sources or processes is
shown and never obeyed: see ``inert``.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping

from rich.console import Console

from lockorder.model import Document, Finding, Level
from lockorder.report import comparison, hang, summary, text
from lockorder.report import run as recorded
from lockorder.report.excerpts import Excerpts
from lockorder.report.inert import block, code, inert, table
from lockorder.report.places import Places, anchor
from lockorder.report.rendered import Rendered
from lockorder.report.sides import by_weight, same_cause

#: A step's summary is refused when it has more than 1 MiB; other tools may write to it, too.
MAX_BYTES = 1_000_000
#: Of these, bytes for the table: it has to leave room for what is behind it.
MAX_TABLE = 300_000
#: Bytes for what is said once: problems, coverage.
MAX_ENDS = 100_000


def render(document: Document, excerpts: Excerpts) -> Rendered:
    """*document* as GitHub-flavoured Markdown, with the severest findings first."""
    places = Places(excerpts)
    names = {lock.id: lock.name for lock in document.locks}
    ordered = by_weight(document.findings)
    head, _ = _fit(_head(document), MAX_ENDS)
    tail, _ = _fit(_tail(document), MAX_ENDS)
    rows, listed = _fit((_row(f, places) for f in ordered), MAX_TABLE)
    listing = _listing(rows, len(ordered) - listed)
    room = MAX_BYTES - MAX_TABLE - 2 * MAX_ENDS - 1000
    parts, told = _fit((_details(f, names, excerpts, places) for f in ordered), room)
    cut: tuple[str, ...] = ()
    if told < len(ordered):
        said = (
            f"{len(ordered) - told} of {len(ordered)} findings are not told in full: a job's "
            "summary has room for 1 MiB; --format text has all"
        )
        parts += f"_{said}_\n\n"
        cut = (said,)
    return Rendered((head + listing + parts + tail).encode("utf-8", "replace"), cut)


def _fit(parts: Iterable[str], room: int) -> tuple[str, int]:
    """As many of *parts*, from the first, as go into *room* bytes, and how many these are."""
    taken: list[str] = []
    for part in parts:
        room -= len(part.encode("utf-8", "replace"))
        if room < 0:
            break
        taken.append(part)
    return "".join(taken), len(taken)


def _head(document: Document) -> list[str]:
    counts = Counter(f.level for f in document.findings)
    said = ", ".join(
        f"{counts[level]} {level.value}{'s' if counts[level] != 1 else ''}" for level in Level
    )
    found = [f"## lockorder: {said if document.findings else 'nothing found'}\n\n"]
    if document.headline:
        found.append(f"**{inert(document.headline)}**\n\n")
    if document.problems:
        found.append("**Not everything could be analysed:**\n\n")
        found += [f"- {inert(problem)}\n" for problem in document.problems]
        found.append("\n")
    return found


def _row(finding: Finding, places: Places) -> str:
    place = anchor(finding)
    cells = (
        finding.level.value,
        code(finding.rule),
        code(places.shown(place)) if place.file else "",
        inert(finding.message),
    )
    return f"| {' | '.join(cells)} |\n"


def _listing(rows: str, more: int) -> str:
    if not rows:
        return ""
    tail = f"_and {more} more_\n\n" if more else ""
    return f"{table(('level', 'rule', 'place', 'what'), ())}{rows}\n{tail}"


def _console(out: io.StringIO) -> Console:
    return Console(file=out, width=200, highlight=False, color_system=None)


def _details(finding: Finding, names: Mapping[str, str], excerpts: Excerpts, places: Places) -> str:
    place = anchor(finding)
    where = f" {code(places.shown(place))}" if place.file else ""
    same = same_cause(finding, places.shown)
    out = io.StringIO()
    text.write_evidence(finding, names, excerpts, _console(out))
    return (
        f"<details><summary>{finding.level.value}: {code(finding.rule)}{where}</summary>\n\n"
        f"{inert(finding.message)}\n\n"
        f"{block(out.getvalue())}\n"
        + (f"**Same cause:** {inert(same)}<br>\n" if same else "")
        + (f"**In runs:** {inert(finding.run)}<br>\n" if finding.run else "")
        + f"**Fix:** {inert(finding.fix)}<br>\n"
        f"**Confidence:** {finding.confidence.value} ({inert(finding.reason)})\n\n"
        "</details>\n\n"
    )


def _tail(document: Document) -> list[str]:
    """What was seen, what does not count, and what to do next."""
    said = summary.kept_back(document) + comparison.lines(document)
    if document.coverage is not None:
        said += summary.coverage_lines(document)
    elif document.run is not None:
        said += recorded.coverage_lines(document)
    found = [f"- {inert(line.strip())}\n" for line in (*said, *document.notes)]
    if document.processes:
        out = io.StringIO()
        hang.write(document, _console(out))
        threads = "<details><summary>what each thread is at</summary>\n\n"
        found.append(f"\n{threads}{block(out.getvalue())}\n</details>\n\n")
    if document.findings:
        rule = by_weight(document.findings)[0].rule
        found.append(f"\nNext: {code(f'lockorder explain {rule}')} says what to do about it.\n")
    return found
