"""A small picture of a finding: locks, and an arrow for each side that holds one and takes another.

It is part of the page itself, so that it is there in print and without a script.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from lockorder.model import DECLARED, Finding
from lockorder.report.html.shown import Shown, box_width, label

#: Locks that a picture has room for.
MAX_LOCKS = 8
_HEIGHT = 30


class Box(NamedTuple):
    """A lock; *x* and *y* are its middle."""

    x: float
    y: float
    width: int
    name: str
    label: str


class Arrow(NamedTuple):
    """An order; *path* is SVG's, *x* and *y* are the middle of what is written at it."""

    path: str
    x: float
    y: float
    text: str
    declared: bool


class Picture(NamedTuple):
    """All of it, in pixels."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    box_height: int = _HEIGHT


def picture(finding: Finding, shown: Shown) -> Picture | None:
    """The picture of *finding*; None where there is nothing to see, or too much."""
    orders: dict[tuple[str, str], tuple[list[str], bool]] = {}
    thread = 0
    several = sum(p.who != DECLARED for p in finding.participants) > 1
    for participant in finding.participants:
        declared = participant.who == DECLARED
        thread += not declared
        if participant.taken is None or not participant.held:
            continue
        who = "declared" if declared else (f"thread {thread}" if several else "")
        for held in participant.held:
            order = (held.lock, participant.taken.lock)
            orders.setdefault(order, ([], declared))[0].append(who)
    locks = list(dict.fromkeys(end for order in orders for end in order))
    if not locks or len(locks) > MAX_LOCKS:
        return None
    boxes = _boxes(locks, shown)
    arrows = tuple(
        _arrow(boxes[a], boxes[b], ", ".join(filter(None, who)), declared, (b, a) in orders)
        for (a, b), (who, declared) in orders.items()
    )
    width = max(b.x + b.width / 2 for b in boxes.values()) + 8
    loops = any(a == b for a, b in orders)
    height = max(b.y for b in boxes.values()) + _HEIGHT / 2 + (12 if len(locks) > 2 else 44)
    return Picture(
        round(width + (40 if loops else 0)), round(height), tuple(boxes.values()), arrows
    )


def _boxes(locks: list[str], shown: Shown) -> dict[str, Box]:
    """Two beside each other, more on an ellipse, the first on top."""
    names = [shown.lock(lock) for lock in locks]
    widths = [box_width(name) for name in names]
    widest = max(widths)
    count = len(locks)
    middles: list[tuple[float, float]]
    if count <= 2:
        middles = [(8 + widths[0] / 2, 56), (8 + widths[0] + 170 + widths[-1] / 2, 56)]
    else:
        across, down = max(widest / 2 + 90, 40 * count), 46 + 26 * count
        middles = []
        for i in range(count):
            angle = 2 * math.pi * i / count - math.pi / 2
            middles.append(
                (across * (1 + math.cos(angle)) + widest / 2 + 8, down * (1 + math.sin(angle)) + 24)
            )
    return {
        lock: Box(round(x, 1), round(y, 1), width, name, label(name))
        for lock, (x, y), width, name in zip(locks, middles, widths, names, strict=False)
    }


def _arrow(a: Box, b: Box, text: str, declared: bool, both: bool) -> Arrow:
    if a is b or a == b:
        x = a.x + a.width / 2
        path = f"M{x - 16:.1f} {a.y - 15:.1f} c0 -34 52 -34 52 10 q0 8 -34 8"
        return Arrow(path, x + 10, a.y - 40, text, declared)
    x1, y1 = _edge_of(a, b)
    x2, y2 = _edge_of(b, a)
    dx, dy = x2 - x1, y2 - y1
    length = math.hypot(dx, dy) or 1
    # Two that meet go past each other, each on its own left.
    bow = 34 if both else 0
    mx, my = (x1 + x2) / 2 + dy / length * bow, (y1 + y2) / 2 - dx / length * bow
    shift = 7 if both else 0
    x1, y1 = x1 + dy / length * shift, y1 - dx / length * shift
    x2, y2 = x2 + dy / length * shift, y2 - dx / length * shift
    path = f"M{x1:.1f} {y1:.1f} Q{mx:.1f} {my:.1f} {x2:.1f} {y2:.1f}"
    # The curve goes half the way to its control point; the text lies beyond.
    away = 14 if dx >= 0 else -20
    tx = (x1 + x2) / 4 + mx / 2 + dy / length * abs(away) * (1 if both else 0)
    ty = (y1 + y2) / 4 + my / 2 - dx / length * abs(away)
    return Arrow(path, round(tx, 1), round(ty, 1), text, declared)


def _edge_of(box: Box, other: Box) -> tuple[float, float]:
    """Where the line from the middle of *box* to that of *other* leaves it, and a bit more."""
    dx, dy = other.x - box.x, other.y - box.y
    across = (box.width / 2 + 5) / abs(dx) if dx else math.inf
    down = (_HEIGHT / 2 + 5) / abs(dy) if dy else math.inf
    share = min(across, down)
    return box.x + dx * share, box.y + dy * share
