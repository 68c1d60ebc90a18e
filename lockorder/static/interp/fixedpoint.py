"""Summaries of functions that call each other: the least fixed point, by rounds.

The idea in three steps.  (1) At first nothing is known of any function of the group: a call of one
does not come back (the bottom of the lattice), so only what does not recurse is walked.  (2) In
each round every function sees the summaries of the round before, never those of the same round:
the result cannot depend on the order of the functions (Jacobi's iteration).  Where only the
effects of a callee grew (what it takes, orders, deferred calls), its callers are not walked again:
what is new is applied at the calls that were seen (semi-naive evaluation; Bancilhon, "Naive
Evaluation of Recursively Defined Relations", 1986).  Where it can end in a new way, they are.
(3) A function that no way leaves without calling into the group is one of two things: it runs for
ever, or the way out is a target that is not known.  Silence would hide what comes after its
calls, so all of these are taken to come back unchanged, and the rounds go on.

What a call takes meanwhile does not decide how it ends, and there is far more of it.  So the rounds
first find out the ways alone, from walks that need not carry the rest; then nothing is walked any
more, and what each function takes is handed from calls to callers until there is nothing new.

Nothing is reported meanwhile.  When the rounds are over every function is walked once more, with
all that is known, and that walk reports.  These walks do not see each other either.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from lockorder.bounds import ROUNDS, Cuts
from lockorder.static.interp.summary import BOTTOM, Summary
from lockorder.static.program.paths import Path

#: From this round on, what is new of objects that callers hand in is of some object: it came by so
#: many calls, round a circle of them, that which object it is has no meaning left.  Locks in what
#: is handed in itself stay what they are: there are no more of these than are declared.
WIDENED = 4


class Draft(Protocol):
    """A walk of one function with what is known so far."""

    waits_for_group: bool

    @property
    def inside(self) -> Collection[str]:
        """Functions of the group that it calls."""

    @property
    def summary(self) -> Summary:
        """What the function does, as far as is known."""

    def catch_up(self, grown: Mapping[str, Summary]) -> None:
        """Record what calls of functions of the group do beyond what was known at the walk."""

    def forget(self) -> None:
        """Nothing more is asked of this walk: its memory can go."""


class Walks(Protocol):
    """What makes walks, and keeps what is known."""

    cuts: Cuts

    def is_parameter(self, path: Path) -> bool:
        """Whether *path* starts at a parameter, so that only a caller knows what it is."""

    def drafting(self) -> AbstractContextManager[None]:
        """Meanwhile nothing is reported."""

    def draft(self, usr: str) -> Draft | None:
        """Walk a function of the group; None where that fails, which is told as a problem."""

    def learn(self, summaries: Mapping[str, Summary]) -> None:
        """These are known now."""

    def report(self, usr: str) -> Summary:
        """Walk a function with all that is known, and report; what it does."""


def solve(engine: Walks, group: Sequence[str]) -> None:
    """Summarise the functions of *group*, which call each other."""
    walks: dict[str, Draft] = {}
    with engine.drafting():
        _iterate(engine, group, walks)
    for walk in walks.values():
        walk.forget()
    engine.learn({usr: engine.report(usr) for usr in group})


def _iterate(engine: Walks, group: Sequence[str], walks: dict[str, Draft]) -> None:
    assumed: set[str] = set()
    summaries = dict.fromkeys(group, BOTTOM)
    engine.learn(summaries)
    walk_again, grown = set(group), dict[str, Summary]()
    tells, begun = False, 0
    for number in range(ROUNDS.limit):
        after: dict[str, Summary] = {}
        for usr in group:
            if usr in walk_again:
                walk = engine.draft(usr)
                if walk is None:
                    continue  # told as a problem
                if usr in walks:
                    walks[usr].forget()
                walks[usr], found = walk, walk.summary
            elif usr in walks and not grown.keys().isdisjoint(walks[usr].inside):
                walks[usr].catch_up(grown)
                found = summaries[usr].with_effects(walks[usr].summary)
            else:
                continue
            if number - begun >= WIDENED:
                found = found.widened(summaries[usr], engine.is_parameter)
            if not tells:
                found = found.hiding()
            if usr in assumed and not found.ends:
                found = found.returning()
            joined = summaries[usr].joined(found)
            if joined is not summaries[usr]:
                after[usr] = joined
        if not after and not tells:
            stuck = [u for u, w in walks.items() if w.waits_for_group and not summaries[u].ends]
            assumed.update(stuck)
            after = {u: summaries[u].returning() for u in stuck}
        if not after and not tells:
            tells, begun = True, number
            after = {u: summaries[u].telling(w.summary) for u, w in walks.items()}
            ended = set[str]()
        else:
            ended = {u for u, s in after.items() if not s.same_ways(summaries[u])}
        if not after:
            return
        grown = {u: s.beyond(summaries[u]) for u, s in after.items()}
        summaries.update(after)
        engine.learn(after)
        walk_again = {u for u, walk in walks.items() if not ended.isdisjoint(walk.inside)}
    for usr in group:
        engine.cuts.note(ROUNDS, usr)
