"""The live view of a run: a heading, alarms, and tables that share the rows there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lockorder.report.text import printable

#: Between two columns.
_GAP = 2
#: Columns are not made narrower than this to give others room.
_NARROWEST = 8
#: Rows that a table has before another one has more.
_FAIR = 4
_ALARM = "bold white on red"
_TITLE, _CHOSEN, _FOOT = "bold cyan", "bold black on cyan", "dim"


class Row(NamedTuple):
    """Cells of a table, with text from outside as it is."""

    cells: tuple[str, ...]
    style: str = ""


class Section(NamedTuple):
    """A table; columns whose name begins with a space are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class View(NamedTuple):
    """What is to be seen; `chosen` is the section that has the keys, `first` its first row."""

    heading: str
    alarms: tuple[str, ...]
    sections: tuple[Section, ...]
    chosen: int
    first: int
    foot: str


def draw(view: View, height: int, width: int) -> list[Text]:
    """*height* lines, at most *width* cells long, in which nothing from outside is obeyed."""
    lines = [Text(printable(view.heading), "bold", no_wrap=True)]
    room = height - 2
    for alarm in view.alarms[: max(1, room // 3)]:
        lines.append(Text(printable(alarm), _ALARM, no_wrap=True))
    room -= len(lines) - 1
    for number, rows in shares(view, room):
        chosen = number == view.chosen
        lines += _section(view.sections[number], rows, view.first if chosen else 0, width, chosen)
    lines = lines[: height - 1]
    lines += [Text("")] * (height - 1 - len(lines))
    return [*lines, Text(view.foot, _FOOT, no_wrap=True)]


def shares(view: View, room: int) -> list[tuple[int, int]]:
    """Sections that are shown, and how many of *room* lines each has, its title included."""
    needs = {n: 1 + len(s.rows) for n, s in enumerate(view.sections) if s.rows}
    order = sorted(needs, key=lambda n: n != view.chosen)
    given: dict[int, int] = {}
    for number in order:
        share = min(needs[number], _FAIR, room)
        if share > 1:
            given[number] = share
            room -= share
    for number in order:  # the chosen one first
        more = min(needs[number] - given.get(number, needs[number]), room)
        if number in given:
            given[number] += more
            room -= more
    return sorted(given.items())


def _section(section: Section, height: int, first: int, width: int, chosen: bool) -> list[Text]:
    shown = height - 1
    first = max(0, min(first, len(section.rows) - shown))
    rows = section.rows[first : first + shown]
    cells = [[printable(cell) for cell in row.cells] for row in rows]
    title = section.title
    if len(rows) < len(section.rows):
        title += f" ({first + 1}-{first + len(rows)} of {len(section.rows)})"
    names = [name.strip() for name in section.columns]
    names[0] = f"{title}: {names[0]}" if names[0] else title
    widths = _widths([names, *cells], width)
    right = [name.startswith(" ") for name in section.columns]
    lines = [Text(_line(names, widths, right), _CHOSEN if chosen else _TITLE, no_wrap=True)]
    for row, texts in zip(rows, cells, strict=True):
        lines.append(Text(_line(texts, widths, right), row.style, no_wrap=True))
    return lines


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Of columns: as wide as needed; the widest give way where that is too much."""
    widths = [max(cell_len(row[i]) for row in rows) for i in range(len(rows[0]))]
    over = sum(widths) + _GAP * (len(widths) - 1) - width
    while over > 0:
        widest = max(range(len(widths)), key=lambda i: widths[i])
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
        over -= 1
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    made = []
    for cell, width, end in zip(cells, widths, right, strict=True):
        if cell_len(cell) > width:
            cell = set_cell_size(cell, width - 1) + "…"
        padding = " " * (width - cell_len(cell))
        made.append(padding + cell if end else cell + padding)
    return (" " * _GAP).join(made).rstrip()


def clock(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def duration(seconds: float) -> str:
    """A short or a long time, in two or three digits."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.1f} s" if seconds < 60 else clock(seconds)


def count(number: int, one: str, many: str) -> str:
    """A number of things."""
    return f"{number:,} {one if number == 1 else many}"
