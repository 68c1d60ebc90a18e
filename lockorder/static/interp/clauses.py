"""What cannot be so all at once: what is left of several tests where ways meet.

``if (c->shared) { if (c->mode == SPIN) lock(c); }``: the ways on which nothing is locked meet, some
of which know that it is not shared, the others that the mode is another one.  Neither is so on all
of them, but that both are so, as where it was locked, is so on none.  Whoever asks the same two
questions later unlocks nothing there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lockorder.static.interp.conditions import told
from lockorder.static.interp.known import TESTED, Equal, Fact, Less, NotAll, Operation
from lockorder.static.interp.ordering import ZERO
from lockorder.static.interp.summary import State


def between(states: Sequence[State], others: Iterable[State]) -> dict[Fact, bool]:
    """What all of *states*, which go on as one, leave of what tells them from each of *others*.

    Nothing where one fact that they all have tells as much.
    """
    found: dict[Fact, bool] = dict.fromkeys(_kept(states), True)
    known = [_Told(s) for s in states]
    for other in others:
        tests = [(k, v) for k, v in other.facts.items() if isinstance(k, TESTED)]
        against = list[Sequence[tuple[Fact, bool]]]()
        for told_there in known:
            differing = [t for t in tests if told_there[t[0]] is (not t[1])]
            if not differing:
                break
            against.append(differing)
        else:
            if _needed(against) and not any(_excludes(clause, tests) for clause in found):
                found[NotAll(frozenset(_hitting(against)))] = True
    return found


class _Told(dict[Fact, bool | None]):
    """What a state tells of each fact that it is asked for: many others know the same ones."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def __missing__(self, fact: Fact) -> bool | None:
        answer = self[fact] = told(self._state, fact)
        return answer


def _kept(states: Sequence[State]) -> Iterator[NotAll]:
    """Clauses of one of *states* that are so in all others as well."""
    for fact in dict.fromkeys(k for s in states for k in s.facts if isinstance(k, NotAll)):
        if all(_holds(s, fact) for s in states):
            yield fact


def _holds(state: State, clause: NotAll) -> bool:
    return clause in state.facts or any(told(state, f) is (not v) for f, v in clause.parts)


def _excludes(clause: Fact, tests: Sequence[tuple[Fact, bool]]) -> bool:
    return isinstance(clause, NotAll) and clause.parts <= frozenset(tests)


def _needed(against: Sequence[Sequence[tuple[Fact, bool]]]) -> bool:
    """Whether the states do not all differ from the other one by the same fact."""
    return not frozenset.intersection(*map(frozenset, against))


def _hitting(against: Sequence[Sequence[tuple[Fact, bool]]]) -> list[tuple[Fact, bool]]:
    """As few facts as come to mind of which each state has one the other way round.

    Of those that serve equally many states it is the one that was known first.
    """
    left, found = list(against), list[tuple[Fact, bool]]()
    while left:
        often: dict[tuple[Fact, bool], int] = {}
        for each in left:
            for fact in each:
                often[fact] = often.get(fact, 0) + 1
        best = max(often, key=lambda fact: often[fact])
        found.append(best)
        left = [each for each in left if best not in each]
    return found


def settled(state: State) -> State | None:
    """*state* with what follows from its clauses; None where one of them is not so."""
    if NotAll not in map(type, state.facts):
        return state  # as mostly
    clauses = [k for k in state.facts if isinstance(k, NotAll)]
    while clauses:
        left: list[NotAll] = []
        news: dict[Fact, bool] = {}
        for clause in clauses:
            truths = [(fact, truth, told(state, fact)) for fact, truth in clause.parts]
            if any(known is (not truth) for _, truth, known in truths):
                continue  # nothing more follows
            open_ones = [(fact, truth) for fact, truth, known in truths if known is None]
            if not open_ones:
                return None
            if len(open_ones) == 1:
                fact, truth = open_ones[0]
                if news.setdefault(fact, not truth) is truth:
                    return None
            else:
                left.append(clause)
        if not news:
            return state
        state = state.but(facts={**state.facts, **news})
        clauses = left
    return state


# -- a fact that is so ----------------------------------------------------------------------------


def assumed(state: State, fact: Fact, truth: bool) -> State | None:
    """*state* with *fact* known to be *truth*, and its parts; None where that cannot be."""
    if isinstance(fact, Operation):
        if fact.text in ("&&", "||"):
            return _both(state, fact, truth)
        if fact.text == "<":
            fact = Less(fact.left, fact.right)
        elif fact.text in ("==", "!="):
            truth = truth == (fact.text == "==")
            if isinstance(fact.left, Operation) and fact.right == ZERO:
                return assumed(state, fact.left, not truth)
            fact = Equal(fact.left, fact.right)
    known = told(state, fact)
    if known is not None:
        return state if known == truth else None
    return state.but(facts={**state.facts, fact: truth})


def followed(state: State) -> State | None:
    """*state* with what follows from its conditions with parts; None where one cannot be so."""
    here: State | None = settled(state)
    for fact, truth in state.facts.items():
        if here is not None and isinstance(fact, Operation):
            here = assumed(here, fact, truth)
    return here


def _both(state: State, fact: Operation, truth: bool) -> State | None:
    """The same of two conditions: ``a && b`` that is so, or ``a || b`` that is not, is both."""
    if (fact.text == "||") != truth:
        after = assumed(state, fact.left, truth)
        return None if after is None else assumed(after, fact.right, truth)
    if state.facts.get(fact, truth) != truth:
        return None
    left, right = assumed(state, fact.left, truth), assumed(state, fact.right, truth)
    if left is None or right is None:
        return right if left is None else left
    return state.but(facts={**state.facts, fact: truth})
