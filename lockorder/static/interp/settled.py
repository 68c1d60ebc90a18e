"""Acquisitions in calls that mean the same to every caller, and what was told of them already.

A function high up in a program takes hundreds of locks by what it calls, and nearly all of them
have names that do not depend on who calls.  A walk comes to such a call in many states, which
differ in what is held and given up around it; what one of them adds to those before is decided
once for all of these acquisitions together, and mostly it is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lockorder.static.interp.summary import (
    Began,
    Bits,
    Compared,
    Flag,
    Gate,
    Held,
    Premise,
    Summary,
    Taken,
    gates_of,
    members,
)
from lockorder.static.parse import facts as f
from lockorder.static.program import roots
from lockorder.static.program.effects import Holdable, Issued
from lockorder.static.program.paths import RETURNED, Path
from lockorder.static.program.steps import Method

_ASSIGNED = Method(f.ASSIGNMENT)


class Parts(NamedTuple):
    """What a call takes: *settled* means the same to every caller; only callers name *rest*.

    With *asks*, what is known of numbers may decide what happens, and so may what is known of the
    members that *began* is about.  *assigned* are what a template
    assigns to, where only callers know what that is.  *decided* are parameters that decide what
    happens, or how the call ends.
    """

    summary: Summary
    settled: tuple[Taken, ...]
    rest: tuple[Taken, ...]
    asks: bool
    began: tuple[Began, ...]
    assigned: tuple[Path, ...]
    decided: frozenset[str]


def parts_of(function: f.Function, summary: Summary) -> Parts:
    """The acquisitions of a call of *function*, parted by whether a caller has to name anything."""
    own = {
        RETURNED.root,
        roots.This(function.usr),
        *(roots.Variable(usr) for usr in function.params),
    }
    settled: list[Taken] = []
    rest: list[Taken] = []
    for variants in summary.taken.values():
        for taken in variants:
            same = not (taken.needs or isinstance(taken.path, Issued)) and not any(
                p.root in own or p.is_numbered for p in _paths(taken)
            )
            (settled if same else rest).append(taken)
    called = dict.fromkeys(d.callee for d in summary.deferred)
    return Parts(
        summary,
        tuple(settled),
        tuple(rest),
        bool(called) or any(True for taken in rest for _ in members(taken)),
        tuple({n: None for taken in rest for n in taken.needs if isinstance(n, Began)}),
        tuple(path.owner for path in called if path.steps[-1:] == (_ASSIGNED,)),
        frozenset(_decided(rest, summary)),
    )


def _decided(taken: Sequence[Taken], summary: Summary) -> Iterator[str]:
    """Parameters that decide what of *taken* happens, or how the call ends."""
    for need in {need for each in taken for need in each.needs}:
        if isinstance(need, Flag | Bits | Compared):
            yield need.parameter
    for premise in {p for o in summary.outcomes for p in o.premises}:
        if isinstance(premise, Premise):
            yield premise.path.variable


def _paths(taken: Taken) -> Iterator[Path]:
    """All that is named; a collective is of a communicator, which may be the caller's."""
    named = (taken.path, *(gate.path for gate in taken.inside), *taken.released)
    yield from (what for what in named if isinstance(what, Path))


class _Told(NamedTuple):
    own: frozenset[Gate]
    held: frozenset[Held]
    released: frozenset[Holdable]


class News(NamedTuple):
    """What a call in one state adds: its acquisitions, and orders after some of what is held."""

    taken: bool
    held: tuple[Held, ...]


class Told:
    """What one walk has told of settled acquisitions: by call, and by what makes a difference."""

    def __init__(self) -> None:
        self._told: dict[object, tuple[Summary, list[_Told]]] = {}

    def news(
        self,
        summary: Summary,
        label: object,
        held: Sequence[Held],
        released: frozenset[Holdable],
    ) -> News:
        """What a call that does *summary* adds to earlier ones with the same *label*.

        An earlier one with less held around it, and less given up, has told of the acquisitions;
        and of the orders after what was held then.
        """
        _, known = self._told.setdefault((id(summary), label), (summary, []))
        own = gates_of(held)
        given = released - {h.path for h in held}
        before = [t for t in known if t.own <= own and t.released <= given]
        done = frozenset[Held]().union(*(t.held for t in before))
        news = News(not before, tuple(h for h in held if h not in done))
        if news.taken or news.held:
            known.append(_Told(own, frozenset(held), given))
        return news
