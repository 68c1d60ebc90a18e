"""The result of one check."""

from __future__ import annotations

import enum

import msgspec


class State(str, enum.Enum):
    """How it went; a note is worth knowing and is no reason to do anything."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    PROBLEM = "problem"


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was looked at, how it went, and where it went badly: what that means, and what to do.

    `subject` is a program, library or folder; "" for this machine.
    """

    name: str
    state: State
    found: str
    means: str = ""
    do: str = ""
    subject: str = ""


def serious(checks: list[Check]) -> bool:
    """Whether one of them is more than a note."""
    return any(c.state in (State.WARNING, State.PROBLEM) for c in checks)
