"""What a format makes of a result."""

from __future__ import annotations

from typing import NamedTuple


class Rendered(NamedTuple):
    """The bytes to write; *cut* says, a line each, what had no room in them."""

    data: bytes
    cut: tuple[str, ...] = ()
