"""What ``lockorder export`` makes beside the formats of reports, and of what."""

from __future__ import annotations

import enum


class Needs(enum.Enum):
    """What an export is made of."""

    RESULT = "a result, or traces"
    TRACES = "traces, or a result of them"  # which has only the newest of what they have


#: By name; the module of that name beside this one has ``render(document) -> bytes``.
_NEEDS = {"dot": Needs.RESULT, "perfetto": Needs.TRACES}


def is_picture(name: str) -> bool:
    """Whether the module of that name makes bytes of the result alone."""
    return name in _NEEDS


def needs(name: str) -> Needs:
    """What the export of that name is made of; raises KeyError for one that is not known.

    For ``TRACES`` ``recorded.timeline.read_whole`` reads traces; a result has to have a timeline.
    """
    return _NEEDS[name]
