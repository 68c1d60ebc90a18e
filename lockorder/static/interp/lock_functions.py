"""Functions that take or release locks: an argument, their object, or a named one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.load import Operation
from lockorder.knowledge.schema import LockFunction
from lockorder.static.interp import levels, locking, misuse
from lockorder.static.interp.known import Equal, Less
from lockorder.static.interp.summary import Site, State
from lockorder.static.parse import numbers
from lockorder.static.program.paths import Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def call_lock_function(
    act: Walk,
    state: State,
    known: LockFunction,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State]:
    """``pthread_mutex_lock(&m)``, ``std::lock(a, b)`` and their like."""
    if known.releases is not None and known.acquires is not None:
        both = _lock_of(known.acquires, base, args)
        inner = locking.acquire(act, state, both, known.mode, known.how, site)
        return [locking.release(act, inner, both, known.mode)]
    if known.releases is not None:
        given = _lock_of(known.releases, base, args)
        if known.every_level:
            return [levels.save(act, state, given, site)]
        misuse.unlocked(act, state, given, site)
        return [locking.release(act, state, given)]
    won = state
    if known.acquires == "all":
        locks = [p for a in args for p in a]
        paths = tuple(q for p in locks for q in locking.behind(state, p))
        for path in locks:
            if path in state.guards:
                won = locking.with_guard(won, path, state.guards[path]._replace(owned=True))
    else:
        won, paths = levels.restored(won, _lock_of(known.acquires or 0, base, args))
    if known.returns_guard:
        return locking.operate_lock(act, state, paths, Operation("guard", known.mode), result, site)
    success = known.succeeds_with != 0
    after = locking.attempt(
        act,
        won,
        state,
        paths,
        known.mode,
        known.how,
        result,
        site,
        success=success,
        together=known.acquires == "all",
    )
    if known.succeeds_with in (None, 0, 1) or len(after) < 2:
        return after
    return _told_by_number(after[0], after[1], str(known.succeeds_with), result)


def _told_by_number(won: State, lost: State, number: str, result: Path) -> list[State]:
    """``std::try_lock``: -1 is success, and every other number says what failed."""
    own, zero = Path.of_literal(number), Path.of_literal("0")
    facts = {k: v for k, v in lost.facts.items() if k != result}
    if number.startswith("-"):
        facts.update({Less(result, zero): False, Less(own, result): True})
    return [
        won.but(env={**won.env, result: (own,)}),
        lost.but(facts={**facts, Equal(result, own): False}),
    ]


def make_recursive(act: Walk, name: str, args: Sequence[Paths]) -> None:
    """``pthread_mutexattr_settype``, and what makes a mutex with such an attribute."""
    values = {n for a in args[1:] for p in a for n in numbers.names_of(p.literal)}
    attributes = act.engine.recursive_attributes
    if name in act.knowledge.recursive_set:
        if values & act.knowledge.recursive_values:
            attributes.update(args[0] if args else ())
    elif values & act.knowledge.recursive_values or attributes & {p for a in args[1:] for p in a}:
        for path in args[0] if args else ():
            act.identities.make_recursive(path)


def _lock_of(which: int | str, base: Paths, args: Sequence[Paths]) -> Paths:
    """The lock that a function is about: an argument, its object, or a named one."""
    if which == "this":
        return base
    if isinstance(which, str):
        return (Path.of_named(which),)
    return args[which] if which < len(args) else ()
