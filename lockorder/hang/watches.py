"""What marks processes that only watch a job, so that nobody takes them for a part of it."""

from __future__ import annotations

#: A variable of theirs; its value is the process that they watch.
VARIABLE = "LOCKORDER_WATCHES"
