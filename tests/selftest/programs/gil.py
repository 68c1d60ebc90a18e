"""gil.py ACT[+ACT]...: each thread calls functions of the extension module, thread after thread.

Acts that are joined by a plus are done by one thread, one after another.
"""

from __future__ import annotations

import sys

import selftest_gil
from turns import Act, in_turn


def thread(names: str) -> Act:
    """What one thread does."""
    return lambda: [getattr(selftest_gil, name)() for name in names.split("+")]


in_turn(*(thread(names) for names in sys.argv[1:]))
print("done")
