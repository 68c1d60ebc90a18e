"""Attempts to take a lock, as the walk of one function comes to them."""

from __future__ import annotations

from typing import NamedTuple

from lockorder.model import Mode
from lockorder.static.interp.known import Tried
from lockorder.static.interp.summary import Site, State
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import Paths


class Try(NamedTuple):
    """An attempt to take locks."""

    paths: Paths
    mode: Mode
    site: Site

    @property
    def key(self) -> Tried:
        """What says in a state whether the last attempt at this place worked."""
        return Tried(self.site.line, self.site.column)


class Log:
    """What one walk tried and gave back so far, in order."""

    def __init__(self) -> None:
        self.tries: list[Try] = []
        self.given: list[Holdable] = []

    def mark(self) -> tuple[int, int]:
        """This point of the walk."""
        return len(self.tries), len(self.given)


class Round(NamedTuple):
    """A loop that was walked: what it tried and gave back begins at *mark* of the log.

    *entering* are the states before it, *back* those that go round after the first time, *left* all
    that leave it.
    """

    mark: tuple[int, int]
    entering: list[State]
    back: list[State]
    left: list[State]
