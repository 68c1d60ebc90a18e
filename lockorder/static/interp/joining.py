"""Ways that meet: states that agree on what is locked go on as one."""

from __future__ import annotations

from lockorder.static.interp import ownership
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path, Paths


def merge(states: list[State], limit: int = 12) -> list[State]:
    """Join states that agree on what is locked; past *limit*, the last ones are given up.

    Values that differ are kept side by side (up to three), facts that differ are forgotten.
    """
    if len(states) < 2:
        return states
    joined: dict[object, State] = {}
    for state in states:
        key = state.key()
        old = joined.get(key)
        if old is None:
            joined[key] = state
        elif old is not state:
            joined[key] = _join(old, state)
    return list(joined.values())[:limit]


def _is_literal(value: Paths) -> bool:
    return all(p.root.startswith("lit:") for p in value)


def _join(a: State, b: State) -> State:
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
                env[path] = tuple(dict.fromkeys((*mine, *value)))[:3]
    facts = a.facts if a.facts is b.facts else _joined_facts(a, b)
    freed = a.freed if a.freed is b.freed else a.freed | b.freed
    return a.but(env=env, facts=facts, freed=freed)


def _joined_facts(a: State, b: State) -> dict[object, bool]:
    """What holds on both ways; of owners also what follows from different facts on each."""
    facts = {k: v for k, v in a.facts.items() if b.facts.get(k) == v}
    for key in (*a.facts, *b.facts):
        if key in facts or not isinstance(key, tuple) or len(key) != 2:
            continue
        kind, path = key
        if kind == "moved" and ownership.is_empty(a, path) and ownership.is_empty(b, path):
            facts[key] = True  # moved from on one way, null on the other
        elif kind in ownership.POSSIBLE and (_has(a, kind, path) or _has(b, kind, path)):
            facts[key] = True
    return facts


def _has(state: State, kind: str, path: Path) -> bool:
    """Whether an owner that is not empty is known to be the last, or to wait at its end."""
    return bool(state.facts.get((kind, path))) and not ownership.is_empty(state, path)
