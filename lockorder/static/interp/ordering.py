"""Which of two numbers is the lower one, by all comparisons that a state has of others.

Each says that one number lies no further above another one than so many: ``x < y`` that x is at
most y - 1, ``x >= 32`` that 0 is at most x - 32.  What follows is the shortest way from one number
to another (difference constraints: Cormen et al., Introduction to Algorithms, 24.4).  Only whole
numbers, and addresses, are compared so; signed and unsigned ones are not told apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.interp.known import Equal, Fact, Less, Operation, Term
from lockorder.static.interp.summary import State
from lockorder.static.parse import numbers
from lockorder.static.program.paths import Path

#: From one number to another: the first is at most the second and so much more.
_Steps = dict[Term, dict[Term, int]]
ZERO = Path.of_literal("0")
_COMPARED = Equal | Less
#: What the parts of a condition are: no numbers.
_CONDITIONS = frozenset(("&&", "||", "<", "==", "!="))


def is_less(state: State, left: Term, right: Term) -> bool | None:
    """Whether *left* is lower than *right*; None where nothing that is known says so."""
    (low, above), (high, below) = _place(left), _place(right)
    difference = below - above
    if low == high:
        return difference > 0
    if not any(isinstance(fact, Less) for fact in state.facts):
        return None
    steps = _steps(state)
    if low not in steps or high not in steps:
        return None
    most = _nearest(steps, low, high)
    if most is not None and most < difference:
        return True
    least = _nearest(steps, high, low)
    return False if least is not None and least <= -difference else None


def picked(state: State, lower: bool, one: Term, other: Term, place: Path) -> State:
    """*state* in which at *place* is the *lower* of two numbers, or the higher one.

    What is so of both is so of that, too.
    """
    facts: dict[Fact, bool] = {}
    for each in (one, other):
        facts[Less(each, place) if lower else Less(place, each)] = False
    for number in dict.fromkeys(p for fact in state.facts for p in _literals(fact)):
        below = is_less(state, one, number)
        if below is not None and below == is_less(state, other, number):
            facts[Less(place, number)] = below
        above = is_less(state, number, one)
        if above is not None and above == is_less(state, number, other):
            facts[Less(number, place)] = above
    return state.but(facts={**state.facts, **facts})


def _literals(fact: Fact) -> Iterator[Path]:
    for term in fact[:2] if isinstance(fact, _COMPARED) else ():
        if isinstance(term, Path) and term.is_literal:
            yield term


def _place(term: Term) -> tuple[Term, int]:
    """*term* as a place and what it is more than that; a number is so much more than 0."""
    literal = term.literal if isinstance(term, Path) and term.is_literal else ""
    number = numbers.number_of(literal)
    return (term, 0) if number is None else (ZERO, number)


def _steps(state: State) -> _Steps:
    found: _Steps = {}
    for fact, truth in state.facts.items():
        for left, right, more in _at_most(fact, truth):
            (low, above), (high, below) = _place(left), _place(right)
            if low == high:
                continue
            more += below - above
            there = found.setdefault(low, {})
            there[high] = min(more, there.get(high, more))
            found.setdefault(high, {})
    return found


def _at_most(fact: Fact, truth: bool) -> Iterator[tuple[Term, Term, int]]:
    """What a comparison says: one number is at most another one and so much more."""
    if not isinstance(fact, _COMPARED) or not all(map(_is_number, fact[:2])):
        return
    left, right = fact.left, fact.right
    if isinstance(fact, Less):
        yield (left, right, -1) if truth else (right, left, 0)
    elif truth:
        yield left, right, 0
        yield right, left, 0


def _is_number(term: Term) -> bool:
    return not (isinstance(term, Operation) and term.text in _CONDITIONS)


def _nearest(steps: _Steps, start: Term, end: Term) -> int | None:
    """How much *start* is above *end* at most; None where nothing is known (Bellman and Ford)."""
    known: dict[Term, int] = {start: 0}
    changed = [start]
    for _ in steps:
        again: dict[Term, None] = {}
        for here in changed:
            for there, more in steps[here].items():
                sum_ = known[here] + more
                if there not in known or sum_ < known[there]:
                    known[there] = sum_
                    again[there] = None
        changed = list(again)
        if not changed:
            break
    return known.get(end)
