"""Which of its locks an object uses: a member of it says so, as long as it lives.

``if (c->mode == SPIN) lock(&c->spin); else lock(&c->mutex);`` takes one of two locks.  Who calls it
may know the mode, since it has asked before: where it holds the one lock the other one is not
taken, nor any of them where it found that the object has none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from lockorder.static.interp import conditions
from lockorder.static.interp.known import Equal, Fact
from lockorder.static.interp.summary import Member, Needs, State, Taken, members
from lockorder.static.interp.values import number_truth
from lockorder.static.program.effects import What
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

_NOTHING: Needs = frozenset()


def needs(act: Walk, state: State, lock: What) -> Needs:
    """What is known of the object of *lock* where it is taken, as conditions for callers.

    So it is with what never changes of the program.
    """
    if not (isinstance(lock, Path) and state.facts):
        return _NOTHING
    program = act.engine.fixed.is_of_program
    if not (lock.steps and _is_callers(act, lock)):
        return _numbers(state, program)

    def says(asked: Path) -> bool:
        of_object = bool(asked.steps) and asked.root is lock.root and lock.is_within(asked.owner)
        return lasts(act, asked) if of_object else program(asked)

    return _numbers(state, says)


def fixed(act: Walk, state: State) -> frozenset[Member]:
    """What *state* knows that never changes, of the program or of an object."""
    known = act.engine.fixed
    return _numbers(state, lambda asked: known.is_member(asked) or known.is_of_program(asked))


def _numbers(state: State, asks: Callable[[Path], bool]) -> frozenset[Member]:
    """What *state* tells of the numbers that *asks* says to be of interest."""
    found: dict[Path, set[Member]] = {}
    for fact, truth in state.facts.items():
        asked = fact.left if isinstance(fact, Equal) else fact
        literal = _literal(fact)
        if isinstance(asked, Path) and literal is not None and asks(asked):
            found.setdefault(asked, set()).add(Member(asked, literal, truth))
    return frozenset(need for asked in found.values() for need in _least(asked))


def _literal(fact: Fact) -> str | None:
    """What *fact* says a number is, or is not; empty for true, None where it tells no number."""
    if not isinstance(fact, Equal):
        return ""
    right = fact.right
    return right.literal if isinstance(right, Path) and conditions.is_decided(right) else None


def around(act: Walk, state: State) -> frozenset[str]:
    """Locks taken by such a member here of which the thread has one, or whose object has another.

    By name: of each object that this function locks so, the lock is held, or the member says that
    it is not used.
    """
    if not act.by_mode:
        return frozenset()
    had: dict[str, bool] = {}
    held = {h.path for h in state.held if not h.either}
    for path in act.by_mode:
        spared = path in held or all(map(partial(_is_spared, state), act.taken_at(path)))
        for found in act.identities.of(path):
            had[found.lock] = had.get(found.lock, True) and spared
    for lock in held:
        had.update((found.lock, True) for found in act.identities.of(lock) if found.lock in had)
    return frozenset(name for name, all_of_them in had.items() if all_of_them)


def _is_spared(state: State, taken: Taken) -> bool:
    """Whether *state* tells that *taken* does not happen, by a member of the lock's object."""
    return any(
        need.is_of(taken.lock) and told(state, need.path, need) is (not need.truth)
        for need in members(taken)
    )


def _least(asked: set[Member]) -> set[Member]:
    """What says all that is known of one member: that it is a number is enough."""
    numbers = {need for need in asked if need.literal and need.truth}
    return numbers or asked


def lasts(act: Walk, path: Path) -> bool:
    """Whether what is at *path* is the same during all of a call: nothing there writes to it.

    Pointers that lead to one object for as long as they live are followed.
    """
    if act.engine.fixed.is_of_program(path):
        return True
    if not _is_callers(act, path) or not all(isinstance(s, str) for s in path.steps):
        return False
    program, written = act.program, act.engine.written
    if program.is_indirect(program.type_of(path.last)):
        return False  # a pointer says what there is, and not which lock is used
    perhaps = written.perhaps.get(act.function.usr, 0)
    steady = act.identities.steady
    return not any(
        written.has(perhaps, (usr,))
        for usr in path.members
        if usr == path.last or not steady.is_steady(usr)
    )


def _is_callers(act: Walk, path: Path) -> bool:
    """Whether *path* begins at what the function's callers hand in."""
    if path.is_this:
        return path.root == act.values.this.root
    return path.is_variable and act.is_constant(path.base)


def told(state: State, path: Path, need: Member) -> bool | None:
    """Whether *path*, the member of *need* in a caller, has its number, as far as *state* tells."""
    if need.literal:
        literal = Path.of_literal(need.literal)
        if path.is_literal:
            return conditions.is_number(state, path, literal)
        return conditions.told(state, Equal(path, conditions.plain(literal)))
    return number_truth(path.literal) if path.is_literal else conditions.told(state, path)
