"""Text from outside (names, paths, source lines) that Markdown and HTML show and never obey.

Backslashes and code spans have different rules in tables, in HTML blocks and elsewhere; numeric
entities are plain text in all of them (CommonMark 0.31, section 2.5), so they are used everywhere.
What GitHub does with the finished text, such as linking @names, notifies nobody in a summary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lockorder.model import Table
from lockorder.report.text import printable

#: What can begin anything within a line, in Markdown, its extensions (tables, links without
#: brackets, mathematics) or HTML; and what can at a line's beginning (lists, headings, code).
_ACTIVE = re.compile(r"[\\`*_\[\]<>#|&~$@\t]|:(?=/)|(?<=www)\.|^[-+=0-9.) ]+", re.IGNORECASE)


def inert(text: str) -> str:
    """*text* in one line, to be shown as it is."""
    return _ACTIVE.sub(lambda m: "".join(f"&#{ord(c)};" for c in m[0]), printable(text))


def code(text: str) -> str:
    """*text* in one line, as code."""
    return f"<code>{inert(text)}</code>"


def block(text: str) -> str:
    """*text* as it is, in a fence that is longer than any in it; lines end with a newline."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}\n"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already, without line ends in them."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def inert_table(shown: Table) -> str:
    """A finding's own table; lines within its cells are joined."""
    rows = [[_cell(cell) for cell in row] for row in (shown.columns, *shown.rows)]
    return table(rows[0], rows[1:])


def _cell(text: str) -> str:
    # No <br>: who shows SARIF need not take HTML (section 3.11.4).
    return "; ".join(inert(line) for line in text.split("\n"))
