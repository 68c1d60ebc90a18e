"""What can be looked at, as data: what was read, what functions do, orders, one place.

Texts name things as the sources do.  Paths of files are relative to the project's root; chains of
calls are outermost first.
"""

from __future__ import annotations

import msgspec

from lockorder.model import Certainty, Finding, Frame, HeldLock, How, Mode


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """Base of everything below."""


# -- facts ----------------------------------------------------------------------------------------


class Declared(View, frozen=True):
    """A name and its type."""

    name: str
    type: str = ""


class Step(View, frozen=True):
    """One statement or event, *depth* blocks deep; *line* is 0 where it has none of its own."""

    depth: int
    line: int
    text: str


class FunctionFacts(View, frozen=True):
    """What was read of one function.

    *reading* says how, where that was not by the compiler alone.
    """

    name: str
    kind: str
    file: str
    line: int
    end: int
    cls: str = ""
    inside: str = ""
    overrides: tuple[str, ...] = ()
    parameters: tuple[Declared, ...] = ()
    locals: tuple[Declared, ...] = ()
    reading: str = ""
    body: tuple[Step, ...] = ()


# -- summaries ------------------------------------------------------------------------------------


class Effect(View, frozen=True):
    """A lock that is taken (or waited for), by the name that the function has for it.

    *locks* are the ids that this stands for; empty where only a caller knows.  *under* was taken
    before it in the same call, *given_up* was the caller's.  *only_if* are the conditions on
    parameters.
    """

    lock: str
    locks: tuple[str, ...]
    chain: tuple[Frame, ...]
    mode: Mode = Mode.EXCLUSIVE
    how: How = How.BLOCKING
    under: tuple[str, ...] = ()
    given_up: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()
    certainty: Certainty = Certainty.CERTAIN
    why: str = ""


class OrderInside(View, frozen=True):
    """*taken* is taken while *held* is held; *open* where a caller is needed to name a lock."""

    held: Effect
    taken: Effect
    gates: tuple[str, ...] = ()
    open: bool = False


class CalledBack(View, frozen=True):
    """A call of something that a caller handed in, with what is held then."""

    what: str
    chain: tuple[Frame, ...]
    held: tuple[str, ...] = ()
    given_up: tuple[str, ...] = ()


class WayOut(View, frozen=True):
    """One way a call can end: what it keeps, what of the caller's it gave up, what it returns."""

    how: str
    returns: str = ""
    keeps: tuple[Effect, ...] = ()
    gives_up: tuple[str, ...] = ()
    guard: str = ""
    means: tuple[str, ...] = ()


class FunctionSummary(View, frozen=True):
    """What a call of one function does to locks; *group* are those that call each other with it."""

    name: str
    file: str
    line: int
    ends: bool
    group: tuple[str, ...] = ()
    takes: tuple[Effect, ...] = ()
    waits: tuple[Effect, ...] = ()
    orders: tuple[OrderInside, ...] = ()
    calls_back: tuple[CalledBack, ...] = ()
    ways_out: tuple[WayOut, ...] = ()
    bounds: tuple[str, ...] = ()


# -- orders ---------------------------------------------------------------------------------------


class ShownBy(View, frozen=True):
    """One place that shows an order: how both locks come about, and what is around them."""

    held: tuple[Frame, ...]
    taken: tuple[Frame, ...]
    held_mode: Mode
    mode: Mode
    how: How
    gates: tuple[HeldLock, ...] = ()
    thread: str = ""
    certainty: Certainty = Certainty.CERTAIN
    why: str = ""


class OrderView(View, frozen=True):
    """An order between two locks, with the places that were asked for.

    *further* counts the other places that show it.  *dropped* says why it is in no cycle;
    *findings* are those that tell it.
    """

    held: str
    taken: str
    shown_by: tuple[ShownBy, ...] = ()
    further: int = 0
    dropped: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


# -- one place ------------------------------------------------------------------------------------


class Candidate(View, frozen=True):
    """A function that a call may run; *followed* where its summary was applied."""

    function: str
    file: str = ""
    line: int = 0
    followed: bool = False
    why: str = ""


class CallView(View, frozen=True):
    """A call: what it names, how its targets were found, and what is missing where none was.

    *walked* is false of a call that no way comes to: what it resolves to there is not known.
    """

    text: str
    line: int
    column: int
    how: str
    resolved: bool
    candidates: tuple[Candidate, ...] = ()
    known: tuple[str, ...] = ()
    missing: str = ""
    walked: bool = True


class HeldView(View, frozen=True):
    """A lock that is held at a place, and where it was taken."""

    lock: str
    chain: tuple[Frame, ...]
    mode: Mode = Mode.EXCLUSIVE
    how: How = How.BLOCKING


class StateView(View, frozen=True):
    """What is known on one of the ways to a place."""

    held: tuple[HeldView, ...] = ()
    given_up: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


class ReachedView(View, frozen=True):
    """A statement, and the ways that come to it; *never* says why there is none."""

    line: int
    text: str
    states: tuple[StateView, ...] = ()
    never: str = ""


class Said(View, frozen=True):
    """A finding, and its *way* through the place; *accepted*: somebody said that it is none.

    *under* is the message of the finding of the same cause that it is told with.
    """

    finding: Finding
    way: tuple[Frame, ...]
    accepted: str = ""
    under: str = ""


class Candidacy(View, frozen=True):
    """What might have been a finding of *rule*, and the fact that rules it out."""

    rule: str
    why: str
    locks: tuple[str, ...] = ()
    chain: tuple[Frame, ...] = ()


class PlaceView(View, frozen=True):
    """Everything about one function, or one line of it."""

    name: str
    file: str
    line: int
    answer: tuple[str, ...]
    read: tuple[str, ...] = ()
    entered: tuple[str, ...] = ()
    reached: tuple[ReachedView, ...] = ()
    calls: tuple[CallView, ...] = ()
    orders: tuple[OrderView, ...] = ()
    findings: tuple[Said, ...] = ()
    dropped: tuple[Candidacy, ...] = ()
    bounds: tuple[str, ...] = ()


class Looked(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer, and as JSON a form of its own: ``lockorder-debug``, version 1.

    *question* is facts, summary, orders or why, *about* what was asked about, *line* the line that
    was named.
    """

    format: str
    version: int
    tool: str
    question: str
    about: str
    line: int = 0
    facts: tuple[FunctionFacts, ...] = ()
    summaries: tuple[FunctionSummary, ...] = ()
    orders: tuple[OrderView, ...] = ()
    places: tuple[PlaceView, ...] = ()
