"""Whose affair a lock is that is held over a call: the job's, or a library's."""

from __future__ import annotations

import pytest

from lockorder.model import Frame
from lockorder.recorded.whose import JOB, Owners

OWNERS = Owners()


def chain(*functions: str) -> tuple[tuple[Frame, str], ...]:
    """Functions by name and line, ``torch.init:3``; those of the job have no owner before a dot."""
    found = []
    for text in functions:
        name, _, line = text.partition(":")
        owner, _, rest = name.rpartition(".")
        found.append((Frame(rest, "f.py", int(line or 1), 1), owner or JOB))
    return tuple(found)


@pytest.mark.parametrize(
    ("taken", "later", "sure", "owner"),
    [
        # In a function of the job that is in both.
        (("main:1", "torch.lock"), ("main:2", "torch.sync"), True, JOB),
        # In one of a library.
        (("main:1", "torch.step:1", "torch.lock"), ("main:1", "torch.step:4", "x"), True, JOB),
        (("main:1", "torch.step:1", "torch.lock"), ("main:1", "torch.step:4"), True, "torch"),
        # The first time it was taken during an import: that says nothing of this time.
        (("main:1", "torch.lock"), ("main:9", "torch.init"), False, "torch"),
        (("main:1", "lock"), ("main:9", "torch.init"), False, JOB),
        (("main:1", "torch.lock"), ("main:9", "wait"), False, JOB),
    ],
)
def test_whose_a_hold_is(
    taken: tuple[str, ...], later: tuple[str, ...], sure: bool, owner: str
) -> None:
    assert OWNERS.of_hold(chain(*taken), chain(*later), sure) == owner
