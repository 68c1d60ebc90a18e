"""Python threads that run one after another, kept in order by nothing that a tool could see.

A thread that waits for its turn spins: every lock, event and join of the threading module would be
an order of its own.
"""

from __future__ import annotations

import _thread
import os
from collections.abc import Callable

Act = Callable[[], object]


def in_turn(*acts: Act) -> None:
    """Run each act in a thread of its own; all are alive from the first act to the last."""
    turn, done, gone = [0], [0], [0]

    def thread(number: int, act: Act) -> None:
        while turn[0] < number:
            os.sched_yield()
        act()
        done[0] = number
        while turn[0] <= len(acts):
            os.sched_yield()
        gone[0] += 1

    for number, act in enumerate(acts, 1):
        _thread.start_new_thread(thread, (number, act))
    for number in range(1, len(acts) + 1):
        turn[0] = number
        while done[0] < number:
            os.sched_yield()
    turn[0] = len(acts) + 1
    while gone[0] < len(acts):
        os.sched_yield()
