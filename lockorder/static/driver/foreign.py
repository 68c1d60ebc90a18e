"""Headers that a folder's search met and that are no C or C++.

``.h`` is also the ending of Fortran's includes, of Objective-C's headers and of templates that a
build fills in.  A search cannot tell, so that these are counted and told, and are no problem.
Who names such a file wants it read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from lockorder.static.discovery.sources import HEADERS
from lockorder.static.parse.declarations import Facts


def foreign_headers(units: Iterable[Facts], paths: Sequence[Path]) -> frozenset[str]:
    """Headers among *units* that nobody named in *paths* and in which nothing is C or C++."""
    named = {os.path.abspath(p) for p in paths}
    found = (u.main for u in units if u.foreign and u.main not in named)
    return frozenset(x for x in found if os.path.splitext(x)[1] in HEADERS)
