"""Findings as text, like a compiler's diagnostics: both sides, with call chains and sources."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from lockorder.model import (
    DECLARED,
    Acquisition,
    Document,
    EdgeWitness,
    Finding,
    Frame,
    Level,
    Mode,
    Participant,
    Table,
)
from lockorder.report.excerpts import Excerpts
from lockorder.report.sides import also, heading, same_cause

#: Longest source line shown.
MAX_EXCERPT = 160
#: Steps to the right; a recursion a thousand calls deep has to stay on the screen.
MAX_INDENT = 20
_STYLE = {Level.ERROR: "bold red", Level.WARNING: "bold yellow", Level.NOTE: "bold cyan"}


def write(document: Document, excerpts: Excerpts, console: Console, verbose: bool = False) -> None:
    """Print every finding of *document* to *console*; what is folded is listed where *verbose*."""
    names = {lock.id: lock.name for lock in document.locks}
    for finding in document.findings:
        _finding(finding, names, excerpts, console)
        _folded(finding, excerpts, console, verbose)
        _print(console, Text(""))


def _head(finding: Finding, excerpts: Excerpts) -> Text:
    place = finding.place
    head = Text()
    head.append(f"{excerpts.shown(place.file)}:{place.line}: " if place.file else "", "bold")
    head.append(finding.level.value, _STYLE[finding.level])
    head.append(": ")
    head.append(finding.message, "bold")
    head.append(f" [{finding.rule}]", "magenta")
    return head


def _folded(finding: Finding, excerpts: Excerpts, console: Console, verbose: bool) -> None:
    if not finding.folded:
        return

    def shown(frame: Frame) -> str:
        return f"{excerpts.shown(frame.file)}:{frame.line}" if frame.file else "?"

    if not verbose:
        _print(console, Text(f"  {same_cause(finding, shown)}"))
        return
    _print(console, Text(f"  and {len(finding.folded)} more with the same cause:"))
    for other in finding.folded:
        line = Text("    ")
        line.append_text(_head(other, excerpts))
        line.append(f" {other.confidence.value}, {other.fingerprint}", "dim")
        _print(console, line)


def _finding(
    finding: Finding, names: Mapping[str, str], excerpts: Excerpts, console: Console
) -> None:
    _print(console, _head(finding, excerpts))
    write_evidence(finding, names, excerpts, console)
    _print(console, Text(f"  confidence: {finding.confidence.value} ({finding.reason})"))
    if finding.owner:
        _print(console, Text(f"  whose: all of it is in {finding.owner}"))
    if finding.run:
        _print(console, Text(f"  in runs: {finding.run}", "bold"))
    _print(console, Text(f"  fix: {finding.fix}"))


def write_evidence(
    finding: Finding, names: Mapping[str, str], excerpts: Excerpts, console: Console
) -> None:
    """Print what each side of *finding* does; *names* are those of locks, by id."""
    threads = sum(p.who != DECLARED for p in finding.participants)
    number = 0
    for participant in finding.participants:
        if participant.who == DECLARED:
            _declaration(participant, names, excerpts, console)
            continue
        number += 1
        _participant(participant, number if threads > 1 else 0, names, excerpts, console)
    if finding.table is not None:
        heads = max((cell.count("\n") for cell in finding.table.columns), default=0)
        for line, row in enumerate(table_lines(finding.table)):
            _print(console, Text(f"    {row}", "bold" if line <= heads else ""))


def table_lines(table: Table) -> list[str]:
    """Columns side by side, not folded: a line of the table may be longer than the screen's."""
    rows = [[cell.split("\n") for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(len(line) for row in rows for line in row[i]) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        for line in range(max(map(len, row), default=0)):
            cells = [cell[line] if line < len(cell) else "" for cell in row]
            lines.append("  ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)).rstrip())
    return lines


def _participant(
    participant: Participant,
    number: int,
    names: Mapping[str, str],
    excerpts: Excerpts,
    console: Console,
) -> None:
    _print(console, Text(f"  {heading(participant, number)}", "bold"))
    for held in participant.held:
        _acquisition("holds", held, names, excerpts, console)
    if participant.taken is not None:
        _acquisition("and takes", participant.taken, names, excerpts, console)
    if participant.waits:
        verb = "and is at" if participant.held else "is at"
        _print(console, Text(f"    {verb} {participant.waits}"))
        _chain(participant.chain, excerpts, console)
    if participant.also:
        _print(console, Text(f"    {also(participant)}"))
    if participant.live is not None:
        write_live(participant.live, excerpts, console)


def write_live(live: EdgeWitness, excerpts: Excerpts, console: Console) -> None:
    """Print an order as a run showed it: whose stacks, and where."""
    _print(console, Text(f"    seen in a run, in thread {live.thread or '?'}: held since", "bold"))
    _chain(live.held.chain, excerpts, console)
    _print(console, Text("    when it was at", "bold"))
    _chain(live.taken.chain, excerpts, console)


def _declaration(
    declared: Participant, names: Mapping[str, str], excerpts: Excerpts, console: Console
) -> None:
    """An order that somebody declared: no thread, but the places that say so."""
    last = declared.taken or declared.held[-1]
    order = " before ".join(names.get(a.lock, a.lock) for a in (declared.held[0], last))
    _print(console, Text(f"  declared: {order}", "bold"))
    for frame in last.chain:
        _print(console, Text(f"      {excerpts.shown(frame.file)}:{frame.line}", "cyan"))
        _source(frame, "", excerpts, console)


def _acquisition(
    verb: str, taken: Acquisition, names: Mapping[str, str], excerpts: Excerpts, console: Console
) -> None:
    line = Text(f"    {verb} ")
    line.append(names.get(taken.lock, taken.lock), "bold")
    notes = [
        n for n in (_mode(taken), taken.how.value if taken.how.value != "blocking" else "") if n
    ]
    line.append(f" ({', '.join(notes)})" if notes else "")
    _print(console, line)
    _chain(taken.chain, excerpts, console)


def _chain(chain: tuple[Frame, ...], excerpts: Excerpts, console: Console) -> None:
    for depth, frame in enumerate(chain):
        arrow = "" if depth == 0 else "-> "
        indent = "  " * min(depth, MAX_INDENT)
        where = f"{excerpts.shown(frame.file)}:{frame.line}" if frame.file else "?"
        step = Text(f"      {indent}{arrow}")
        step.append(where, "cyan")
        step.append(f" in {frame.function}")
        _print(console, step)
        _source(frame, indent, excerpts, console)


def _source(frame: Frame, indent: str, excerpts: Excerpts, console: Console) -> None:
    source = excerpts.line(frame.file, frame.line).strip()
    if len(source) > MAX_EXCERPT:
        source = source[:MAX_EXCERPT] + " ..."
    if source:
        _print(console, Text(f"      {indent}   | {printable(source)}", "dim"))


def _mode(taken: Acquisition) -> str:
    return "shared" if taken.mode is Mode.SHARED else ""


def printable(text: str) -> str:
    """*text* with control and direction-changing characters made visible."""
    return "".join(c if c.isprintable() or c == "\t" else f"\\x{ord(c):02x}" for c in text)


def _print(console: Console, text: Text) -> None:
    text.plain = printable(text.plain) if not text.plain.isprintable() else text.plain
    console.print(text, soft_wrap=True, highlight=False, markup=False, emoji=False)
