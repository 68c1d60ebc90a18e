"""Ways that meet: states that agree on what is locked go on as one."""

from __future__ import annotations

from collections.abc import Callable

from lockorder.bounds import FEW_WAYS, STATES, Bound
from lockorder.static.interp import clauses, conditions, ownership
from lockorder.static.interp.known import (
    Among,
    Emptied,
    EndWaits,
    Equal,
    Fact,
    LastOwner,
    Less,
    Over,
    Term,
)
from lockorder.static.interp.summary import State
from lockorder.static.interp.values import number_truth
from lockorder.static.program.paths import Path, Paths, few

Cut = Callable[[Bound], None]


def merge(states: list[State], cut: Cut) -> list[State]:
    """Join states that agree on what is locked; *cut* is told what was too much.

    Values that differ are kept side by side, facts that differ are forgotten.
    """
    states = [s for s in states if not s.waits]
    if len(states) < 2:
        return states
    joined: dict[object, State] = {}
    alike: dict[object, list[State]] = {}
    for state in states:
        key = state.key()
        old = joined.get(key)
        if old is None:
            joined[key] = state
        elif old is not state:
            alike.setdefault(key, [old]).append(state)
            joined[key] = join(old, state, cut)
    for key, met in alike.items():
        others = [s for k, s in joined.items() if k != key]
        if found := clauses.between(met, others):
            joined[key] = joined[key].but(facts={**joined[key].facts, **found})
    kept = paired(list(joined.values())) if len(joined) > 2 else list(joined.values())
    if len(kept) > FEW_WAYS:
        kept = _widened(kept, cut)
    if len(kept) > STATES.limit:
        cut(STATES)
        kept.sort(key=lambda s: len(s.held) + len(s.released))
    return kept[: STATES.limit]


def _widened(states: list[State], cut: Cut) -> list[State]:
    """One for those that differ only in what they gave up of the caller's: what each did."""
    joined: dict[object, State] = {}
    for state in states:
        key = state.key(released=False)
        old = joined.get(key)
        if old is not None:
            both = old.released & state.released
            state = join(old.but(released=both), state.but(released=both), cut)
        joined[key] = state
    return list(joined.values())


def paired(states: list[State]) -> list[State]:
    """*states* without those in which one of two calls that belong together did nothing.

    A callee that takes a lock on some of its ways only, and one that gives it up on some, ask the
    same thing (the mode of the object, whether it is its own owner already), which callers do not
    see.  They show it by what comes out: ways that took the lock and kept it, ways that gave up
    what they never had, and ways that did both.  Only these are real, and ways that did neither.
    """
    released = frozenset[Path]().union(*(s.released for s in states))
    if not released:
        return states
    taken = {h.path for s in states for h in s.held if h.guard is None and h.site.inner is not None}
    for path in sorted(taken & released):
        kept = [s for s in states if path not in s.released and all(h.path != path for h in s.held)]
        if any(path in s.freed for s in kept):
            states = kept
    return states


def _is_literal(value: Paths) -> bool:
    return all(p.is_number for p in value)


def join(a: State, b: State, cut: Cut) -> State:
    """Both ways: values that differ are kept side by side, facts that differ are forgotten."""
    env = a.env
    if a.env is not b.env:
        env = dict(a.env)
        for path in [p for p, v in env.items() if p not in b.env and _is_literal(v)]:
            del env[path]  # known on one way only
        for path, value in b.env.items():
            mine = env.get(path)
            if mine is None:
                if not _is_literal(value):
                    env[path] = value
            elif mine != value:
                if both := few((*mine, *value), cut):
                    env[path] = both
                else:
                    del env[path]
    facts = a.facts
    if a.facts is not b.facts or env is not a.env:
        facts = {**_joined_facts(a, b), **_agreed(a, b)}
        if env is not a.env:
            facts.update(_ordered(a, b))
    freed = a.freed if a.freed is b.freed else a.freed | b.freed
    return a.but(env=env, facts=facts, freed=freed)


def _agreed(a: State, b: State) -> dict[Fact, bool]:
    """What was set on one way to what it was found to be on the other: true, say.

    A way that was set to one and found to be the other tells nothing against the other way.
    """
    here, there = _set_as_found(a, b), _set_as_found(b, a)
    return {k: v for k, v in {**here, **there}.items() if here.get(k, v) == there.get(k, v)}


def _set_as_found(a: State, b: State) -> dict[Fact, bool]:
    """What *a* was set to and *b* was found to be."""
    return {
        key: truth
        for key, truth in b.facts.items()
        if isinstance(key, Path)
        and len(value := a.env.get(key, ())) == 1
        and value[0].is_literal
        and number_truth(value[0].literal) is truth
    }


def _is_nothing(state: State, path: Path) -> bool:
    """Whether what should lead to *path* is null, or has nothing in it."""
    return any(
        ownership.is_empty(state, Path(path.root, path.steps[:n])) for n in range(len(path.steps))
    )


def _joined_facts(a: State, b: State) -> dict[Fact, bool]:
    """What holds on both ways, and what follows from different facts on each: of owners, and of
    numbers that are one on the one way and another on the other.
    """
    facts = {k: v for k, v in a.facts.items() if b.facts.get(k) == v}
    for key in (*a.facts, *b.facts):
        if key in facts:
            continue
        if isinstance(key, Emptied):
            if ownership.is_empty(a, key.path) and ownership.is_empty(b, key.path):
                facts[key] = True  # moved from on one way, null on the other
        elif isinstance(key, Over):
            if _is_nothing(a if key in b.facts else b, key.path):
                facts[key] = True  # waited for on one way, not there on the other
        elif isinstance(key, (LastOwner, EndWaits)) and (_has(a, key) or _has(b, key)):
            facts[key] = True
        elif isinstance(key, Path):
            if len(key.steps) > 1 and _is_nothing(a if key in b.facts else b, key):
                facts[key] = a.facts.get(key, b.facts.get(key, False))  # nobody asks there
        elif isinstance(key, Equal | Among):
            facts.update(_compared(a, b, key))
        elif isinstance(key, Less):
            truth = conditions.told(a, key)
            if truth is not None and truth == conditions.told(b, key):
                facts[key] = truth
    return facts


def _ordered(a: State, b: State) -> dict[Fact, bool]:
    """How numbers are ordered that are others on each way: ``low`` is a copy of the lower one."""
    terms = _in_orders(a), _in_orders(b)
    if not all(terms):
        return {}
    copies: dict[Term, tuple[Term, Term]] = {
        place: (value[0], there[0])
        for place, value in a.env.items()
        if len(value) == len(there := b.env.get(place, ())) == 1
        and value != there
        and not (value[0].steps or there[0].steps)
        and value[0] in terms[0]
        and there[0] in terms[1]
    }
    names = {t: (t, t) for t in {**terms[0], **terms[1]}} | copies
    pairs = [(p, q) for p in copies for q in names if p != q]
    found: dict[Fact, bool] = {}
    for left, right in (*pairs, *((q, p) for p, q in pairs)):
        truth = conditions.told(a, Less(names[left][0], names[right][0]))
        if truth is not None and truth == conditions.told(b, Less(names[left][1], names[right][1])):
            found[Less(left, right)] = truth
    return found


def _in_orders(state: State) -> dict[Term, None]:
    """What *state* knows to be higher or lower than something else."""
    return {t: None for fact in state.facts if isinstance(fact, Less) for t in fact[:2]}


def _compared(a: State, b: State, key: Equal | Among) -> dict[Fact, bool]:
    """What is known on both ways of a number that *key*, a fact of one of them, is about."""
    values = conditions.values_of(a, key.left), conditions.values_of(b, key.left)
    if all(values):
        return {Among(key.left, values[0] | values[1]): True}
    truth = conditions.told(a, key) if isinstance(key, Equal) else None
    if truth is not None and truth == conditions.told(b, key):
        return {key: truth}  # found so on one way, and set so on the other
    number = key.right if isinstance(key, Equal) and isinstance(key.right, Path) else None
    if number is not None and all(conditions.differs(s, key.left, number) for s in (a, b)):
        return {key: False}  # not this one, or another one
    return {}


def _has(state: State, mark: LastOwner | EndWaits) -> bool:
    """Whether an owner that is not empty is known to be the last, or to wait at its end."""
    return bool(state.facts.get(mark)) and not ownership.is_empty(state, mark.path)
