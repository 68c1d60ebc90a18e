"""What communicators cost, as bars: the numbers are those of the finding's own table."""

from __future__ import annotations

import re
from typing import NamedTuple

from lockorder.model import Finding
from lockorder.report.text import printable

_RULE = "communicator-footprint"
#: The kinds of memory that are added up; other columns are no memory.
MEMORY = ("host", "pinned", "shared", "device")
_SIZE = re.compile(r"([\d,]+(?:\.\d+)?) (KiB|MiB|GiB|TiB)")
_UNIT = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
#: Pixels of the longest bar.
_WIDTH = 460


class Piece(NamedTuple):
    """A part of a bar; ``kind`` is one of ``MEMORY``."""

    kind: str
    x: float
    width: float
    text: str


class Bar(NamedTuple):
    """One line of the table."""

    name: str
    pieces: tuple[Piece, ...]


class Chart(NamedTuple):
    """All bars, to one scale."""

    bars: tuple[Bar, ...]
    kinds: tuple[str, ...]
    width: int = _WIDTH


def footprint(finding: Finding) -> Chart | None:
    """The bars of a finding about memory; None for any other."""
    table = finding.table
    if finding.rule != _RULE or table is None:
        return None
    columns = {name: i for i, name in enumerate(table.columns) if name in MEMORY}
    rows = [
        (row[0], {kind: (_bytes(row[i]), row[i]) for kind, i in columns.items() if i < len(row)})
        for row in table.rows
        if row
    ]
    most = max((sum(size for size, _ in cells.values()) for _, cells in rows), default=0)
    if not most:
        return None
    bars = []
    for name, cells in rows:
        x, pieces = 0.0, []
        for kind, (size, text) in cells.items():
            width = round(size / most * _WIDTH, 2)
            if size:
                pieces.append(Piece(kind, round(x, 2), width, f"{kind}: {printable(text)}"))
            x += width
        bars.append(Bar(printable(name), tuple(pieces)))
    return Chart(tuple(bars), tuple(columns))


def _bytes(text: str) -> float:
    match = _SIZE.fullmatch(text)
    return float(match[1].replace(",", "")) * _UNIT[match[2]] if match else 0.0
