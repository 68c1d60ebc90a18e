"""What runs say of a static result, on the page: recall, and orders that were not predicted."""

from __future__ import annotations

from typing import NamedTuple

from lockorder.model import Document, Verdict
from lockorder.report import comparison
from lockorder.report.html.shown import Shown
from lockorder.report.html.stories import StepView, step_view
from lockorder.report.sides import live_steps
from lockorder.report.text import printable


class Missed(NamedTuple):
    """An order that a run showed and that nothing predicted."""

    name: str
    why: str
    steps: tuple[StepView, ...]


class Beside(NamedTuple):
    """The summary, a line each, and the blind spots."""

    lines: tuple[str, ...]
    missed: tuple[Missed, ...]


def beside(document: Document, shown: Shown) -> Beside | None:
    """What the page has of a comparison; None where there was none."""
    found = document.comparison
    if found is None:
        return None
    names = comparison.names_of(document)
    missed = tuple(
        Missed(
            printable(comparison.order_name(order, names)),
            printable(order.why),
            tuple(step_view(step, shown) for step in live_steps(order.witness)),
        )
        for order in found.orders
        if order.verdict is Verdict.MISSED
    )
    return Beside(tuple(map(printable, comparison.lines(document))), missed)
