"""What a call leaves in the members that it may have set, on whichever way it ends.

``if (!active_) return; active_ = false;``: it is false afterwards, as it was set or found so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import ended, joining
from lockorder.static.interp.known import Emptied, Equal, Fact, Over, moved_fact
from lockorder.static.interp.summary import Outcome, State
from lockorder.static.interp.translation import Translation
from lockorder.static.interp.values import forget
from lockorder.static.program.paths import UNKNOWN, Path
from lockorder.static.program.steps import ELEMENT

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

_Left = frozenset[tuple[Fact, bool]]


def by_each(act: Walk, outcomes: Sequence[Outcome], states: Sequence[State]) -> list[Outcome]:
    """*outcomes*, each with what is so in the state of its way and of all that do the same."""
    alike: dict[object, list[State]] = {}
    for outcome, state in zip(outcomes, states, strict=True):
        alike.setdefault(outcome.key, []).append(state)
    known = {key: _of(act, each) for key, each in alike.items()}
    return [o._replace(left=known[o.key]) if known[o.key] else o for o in outcomes]


def _of(act: Walk, states: Sequence[State]) -> _Left:
    """What callers know after any of these ways."""
    over = frozenset((fact, True) for fact in ended.waited_for(act, states))
    perhaps = act.engine.written.perhaps.get(act.function.usr, 0)
    # What all of them leave is known on one of them at least; mostly there is nothing.
    said = {k for k in {k for s in states for k in s.facts} if _is_set(act, k, perhaps)}
    if not said:
        return over
    both, *others = states
    for other in others:
        both = joining.join(both, other, act.cut)
    return over.union((k, v) for k, v in both.facts.items() if k in said)


def _is_set(act: Walk, fact: Fact, perhaps: int) -> bool:
    """Whether *fact* is about a member of what callers know, or a global, that may be set here."""
    path = place(fact)
    if path is None or isinstance(fact, Over):
        return False
    if isinstance(fact, Emptied):
        path = _container(fact)
    if path.is_one_of_many or not all(isinstance(s, str) for s in path.steps):
        return False
    of_all = act.program.is_lasting(path.variable)
    of_caller = path.is_this or act.engine.is_argument(act.function, path.base)
    if not (of_all or (path.steps and of_caller)):
        return False
    # What an owner had is given up by its methods: no statement sets it.
    by_calls = isinstance(fact, Emptied) or path in act.set_by_calls
    return by_calls or act.engine.written.has(perhaps, path.declarations)


def _container(fact: Emptied) -> Path:
    """What is empty, or has nothing but elements that are: one container."""
    return fact.path.owner if fact.every and fact.path.steps[-1:] == (ELEMENT,) else fact.path


def carried(act: Walk, state: State, outcome: Outcome, names: Translation) -> State:
    """*state* with what a call that ended so has left there."""
    told = dict(_translated(outcome, names))
    for fact in told:
        path = place(fact)
        if path is not None and not isinstance(fact, Over | Emptied):
            state = forget(state, path)
            act.set_by_calls.add(path)
    return state.but(facts={**state.facts, **told})


def place(fact: Fact) -> Path | None:
    """The one place that *fact* is about: a flag, a number, an owner, a thread."""
    if isinstance(fact, Path):
        return fact
    if isinstance(fact, Over | Emptied):
        return fact.path
    number = isinstance(fact, Equal) and isinstance(fact.right, Path) and fact.right.is_literal
    left = fact.left if isinstance(fact, Equal) and number else None
    return left if isinstance(left, Path) else None


def _translated(outcome: Outcome, names: Translation) -> Iterator[tuple[Fact, bool]]:
    for fact, truth in outcome.left:
        path = place(fact)
        here = names.paths(path) if path is not None else ()
        if path is None or len(here) != 1 or here[0].is_plain or here[0] == UNKNOWN:
            continue
        there = here[0]
        many = there.is_one_of_many and not path.is_one_of_many
        if isinstance(fact, Emptied) and path.is_one_of_many:
            many = there.owner.is_one_of_many
        if isinstance(fact, Over):
            yield fact._replace(path=there, one=fact.one or many), truth
        elif not many:
            yield moved_fact(fact, _renaming(path, there)), truth


def _renaming(path: Path, place: Path) -> Callable[[Path], Path]:
    return lambda p: place if p == path else p
