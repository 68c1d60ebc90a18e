"""The checks of ``lockorder doctor`` for people, and for machines."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lockorder import __version__
from lockorder.doctor.check import Check, State
from lockorder.report.text import printable

_STYLES = {
    State.OK: "green",
    State.NOTE: "cyan",
    State.WARNING: "yellow",
    State.PROBLEM: "bold red",
}


class _Result(msgspec.Struct):
    format: str
    version: int
    tool: str
    checks: Sequence[Check]


def encode(checks: Sequence[Check]) -> bytes:
    """JSON, a format of its own: ``lockorder-doctor``, version 1."""
    result = _Result("lockorder-doctor", 1, f"lockorder {__version__}", checks)
    return msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"


def write(checks: Sequence[Check], console: Console) -> None:
    """A line for each check, under what it is about; below those that are not well, what that
    means and what to do."""
    subjects = dict.fromkeys(c.subject for c in checks)
    for number, subject in enumerate(subjects):
        if number:
            console.print()
        console.print(Text(printable(subject or "this machine"), "bold"), soft_wrap=True)
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for name in ("state", "check"):
            table.add_column(name, no_wrap=True)
        table.add_column("found", overflow="fold")
        for check in checks:
            if check.subject == subject:
                table.add_row(
                    Text(f"  {check.state.value}", _STYLES[check.state]), check.name, _told(check)
                )
        console.print(table)


def _told(check: Check) -> Text:
    lines = [check.found]
    if check.means:
        lines.append(f"means: {check.means}")
    if check.do:
        lines.append(f"do: {check.do}")
    return Text("\n".join(map(printable, lines)))


def summary(checks: Sequence[Check]) -> str:
    """The closing line."""
    counts = {state: sum(c.state is state for c in checks) for state in State}
    parts = [f"{counts[State.OK]} ok"]
    for state in (State.NOTE, State.WARNING, State.PROBLEM):
        if counts[state]:
            parts.append(f"{counts[state]} {state.value}{'s' if counts[state] != 1 else ''}")
    return f"lockorder: {', '.join(parts)}"
