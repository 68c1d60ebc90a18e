"""gil.py ACT[+ACT]...: each thread calls functions of the extension module, thread after thread.

Acts that are joined by a plus are done by one thread, one after another; "locked:" before one has
a lock of Python code around it, of its own.
"""

from __future__ import annotations

import sys
import threading

import selftest_gil
from turns import Act, in_turn


def act(name: str) -> None:
    """One act."""
    if name.startswith("locked:"):
        own = threading.Lock()
        with own:
            act(name.removeprefix("locked:"))
    else:
        getattr(selftest_gil, name)()


def thread(names: str) -> Act:
    """What one thread does."""
    return lambda: [act(name) for name in names.split("+")]


in_turn(*(thread(names) for names in sys.argv[1:]))
print("done")
