"""python_locks.py KIND SCRIPT: lives through a script (script.h) with locks of threading.

Understood here: + (take), ? (try, and get it), t (with a time limit), - (give up), and y (give the
GIL away and take it again, with whatever is held). A thread's steps stand together.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from typing import Any

from turns import Act, in_turn

KINDS: dict[str, Callable[[], Any]] = {
    "threading.Lock": threading.Lock,
    "threading.RLock": threading.RLock,
}


def main(kind: str, script: str) -> None:
    """Split the script into threads, and run them."""
    locks = {name: KINDS[kind]() for name in "ABCDEF"}

    def act(steps: str) -> Act:
        def do() -> None:
            for what, lock in re.findall(r"(\S)([A-F])", steps):
                step(what, locks[lock])

        return do

    in_turn(*(act(steps) for steps in re.split(r"\d", script)[1:]))
    print("done")


def step(what: str, lock: Any) -> None:
    """Do one step; it must succeed."""
    if what == "-":
        lock.release()
    elif what == "y":
        os.sched_yield()
    elif what == "+":
        lock.acquire()
    elif not (lock.acquire(False) if what == "?" else lock.acquire(True, 3600)):
        os._exit(3)


main(*sys.argv[1:])
