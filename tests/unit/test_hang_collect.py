"""Looks at processes: what a tool that attaches does to those that stood still."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from lockorder.hang import looks
from lockorder.hang.collected import Collected
from lockorder.hang.image import Stopped
from lockorder.hang.looks import Looks
from lockorder.hang.motion import Motion


class Made:
    """A process whose threads are in other states at each look; the last one stays."""

    def __init__(self, *looks: str) -> None:
        self._looks = list(looks)
        self.asked = 0

    def threads(self) -> Sequence[Stopped]:
        self.asked += 1
        states = self._looks.pop(0) if len(self._looks) > 1 else self._looks[0]
        return [Stopped(n, "made", s, 202, (), 0, 0, {}) for n, s in enumerate(states, 1)]


def rested(image: Made, *stood: str) -> float:
    """Seconds until the threads that stood in these states wait again; "": one that moved."""
    looks = Looks(Collected(), frozenset(), lambda _: None)
    looks.images[1] = image  # type: ignore[assignment]
    motions = {
        n: Motion(0.0 if state else 1.0, 0, 2.0, 0.0, state or "R")
        for n, state in enumerate(stood, 1)
    }
    begun = time.monotonic()
    looks._rest(1, motions)
    return time.monotonic() - begun


def test_who_stood_still_is_given_time_to_do_so_again() -> None:
    image = Made("tS", "RS", "RS", "SS")
    assert rested(image, "S", "S") < 0.5
    assert image.asked == 4


@pytest.mark.parametrize(("now", "before"), [("RS", ("", "S")), ("SD", ("S", "D")), ("T", ("T",))])
def test_of_others_nothing_is_expected(now: str, before: tuple[str, ...]) -> None:
    image = Made(now)
    assert rested(image, *before) < 0.5
    assert image.asked == 1


def test_it_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "_RESTS", 0.2)
    assert 0.1 < rested(Made("R"), "S") < 2
