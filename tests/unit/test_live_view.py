"""The live view's lines: who gets how many rows, and that nothing from outside is obeyed."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from lockorder.report.live_view import Row, Section, View, draw, duration, shares


def section(title: str, rows: int) -> Section:
    made = tuple(Row((f"{title}-{n}", str(n))) for n in range(rows))
    return Section(title, ("", " number"), made)


def view(*sections: Section, chosen: int = 0, first: int = 0, alarms: int = 0) -> View:
    told = tuple(f"alarm {n}" for n in range(alarms))
    return View("heading", told, sections, chosen, first, "foot")


@pytest.mark.parametrize("height", range(3, 40))
@pytest.mark.parametrize("alarms", [0, 1, 9])
def test_lines_fit_the_room(height: int, alarms: int) -> None:
    made = view(section("a", 30), section("b", 0), section("c", 3), alarms=alarms)
    for width in (1, 5, 10, 40, 200):
        lines = draw(made, height, width)
        assert len(lines) == height
    assert lines[0].plain == "heading"
    assert lines[-1].plain == "foot"


def test_every_table_has_some_rows_and_the_chosen_one_the_rest() -> None:
    assert shares(view(section("a", 30), section("b", 30)), 20) == [(0, 16), (1, 4)]
    assert shares(view(section("a", 30), section("b", 30), chosen=1), 20) == [(0, 4), (1, 16)]
    assert shares(view(section("a", 2), section("b", 0), section("c", 5)), 20) == [(0, 3), (2, 6)]


def test_a_table_scrolls_to_its_end_and_says_where() -> None:
    lines = [line.plain for line in draw(view(section("a", 30), first=99), 10, 80)]
    assert lines[1].startswith("a (24-30 of 30)")
    assert lines[8].split() == ["a-29", "29"]


def test_names_from_outside_are_text() -> None:
    rows = (Row(("\x1b[2J\u202eevil\n", "[bold]1[/bold]")),)
    made = View("h\x1b]0;x\x07", ("\x9b2J",), (Section("t", ("", "name"), rows),), 0, 0, "foot")
    for line in draw(made, 8, 80):
        assert line.plain.isprintable()
    assert any("[bold]1[/bold]" in line.plain for line in draw(made, 8, 80))


@pytest.mark.parametrize("name", ["x" * 300, "\u754c" * 100])
def test_long_names_give_way(name: str) -> None:
    rows = (Row(("1", name, "end")),)
    lines = draw(View("h", (), (Section("t", ("", "name", "last"), rows),), 0, 0, "f"), 6, 60)
    assert all(cell_len(line.plain) <= 60 for line in lines)
    assert lines[2].plain.endswith("end")


def test_durations_are_short() -> None:
    times = (5e-6, 0.0123, 2.25, 75)
    assert [duration(t) for t in times] == ["5 µs", "12.3 ms", "2.2 s", "1:15"]
