"""Lock semantics: acquire and release, on one state at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.load import Operation
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp import correlated, elements, misuse, of_object, unseen
from lockorder.static.interp.collected import innermost
from lockorder.static.interp.summary import (
    Gate,
    Guard,
    Held,
    Order,
    Rank,
    Site,
    State,
    Taken,
    gates_of,
)
from lockorder.static.interp.tries import Try
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import ENTRY, Path, Paths

#: Why a second reader of one thread is kept out.
READS_AGAIN = "a writer that waits for the first reader keeps the second one out"

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def acquire(
    act: Walk,
    state: State,
    paths: Paths,
    mode: Mode,
    how: How,
    site: Site,
    guard: Path | None = None,
    undo: Path | None = None,
    together: bool = False,
) -> State:
    """Take every lock of *paths* together: no order arises among them ([thread.lock.algorithm]).

    Several paths that are not taken *together* stand for "one of these": each may be the one.
    """
    either = len(set(paths)) > 1 or any(p in act.one_of for p in paths)
    paths = act.identities.outers(paths)
    if not (state.held or state.released) and not state.freed.isdisjoint(paths):
        # Others had it meanwhile: what was tested under it is tested again.
        state = unseen.elsewhere(act, state, tests=True)
    held_before = state.held
    either = either and not together
    for path in paths:
        before = held_before
        chosen = not either and any(path.is_within(p) for p in act.one_of)
        if either or chosen:  # neither the same one as before, nor in an order that anybody knows
            before = tuple(h for h in before if not _is_another(h, path, site))
        if path in state.released:
            # The caller's own lock, given up for a while, is taken back.
            note_taken(act, state, before, path, mode, how, site)
            state = state.but(released=state.released - {path})
            if path in act.needed:
                again = Held(path, mode, how, site, ENTRY)
                state = state.but(held=(*state.held, again))
            continue
        note_taken(act, state, before, path, mode, how, site)
        state = state.but(
            held=(
                *state.held,
                Held(path, mode, how, site, guard, undo, either=either, chosen=chosen),
            )
        )
    return state


def _is_another(held: Held, path: Path, site: Site) -> bool:
    """Whether one of several that is *held* is another one than *path*, which is one as well.

    Where a loop takes one after the other, their table says in which order.
    """
    several = held.either or held.chosen
    return several and (held.path == path or held.site == site)


def note_taken(
    act: Walk,
    state: State,
    before: Sequence[Held],
    path: Path,
    mode: Mode,
    how: How,
    site: Site,
) -> None:
    """Record that *path* is taken while *before* is held, and the orders that follow."""
    path = act.identities.outer(path)
    if _held_again(act, before, path):
        act.engine.found.note_site(Taken(path, mode, how, site))
        return
    act.engine.note_around(site, of_object.around(act, state))
    inside = gates_of(before)
    needs = act.needs(state) | of_object.needs(act, state, path)
    taken = Taken(path, mode, how, site, inside, state.released, needs=needs)
    act.record_taken(taken)
    for held in before:
        gates = inside - {Gate(held.path, held.mode)}
        if held.path == path:
            same_lock_again(act, state, held, taken)
            two_elements(act, state, Order(held, taken, gates))
        else:
            record_order(act, state, Order(held, taken, gates))


def record_order(act: Walk, state: State, order: Order) -> None:
    """An order arises, if no comparison of the two objects gives them their places."""
    both = order.locks if state.ranks else None
    rank = _rank(state, *both) if both is not None else None
    if rank is None:
        act.record_order(order, act.at_first(state))
    elif not act.engine.alone:
        act.engine.found.ranked(act.function, order, rank)


def two_elements(act: Walk, state: State, order: Order) -> None:
    """One path may lead to two elements of a table: an order arises, if nothing ranks them."""
    if order.taken.how is How.BLOCKING and not act.engine.alone:
        for rank in elements.ranks(act, state, order):
            act.engine.found.ranked(act.function, order, rank)


def _rank(state: State, a: Path, b: Path) -> Rank | None:
    """How the program has compared the two objects (or their addresses)."""
    if a.steps[-1:] != b.steps[-1:]:
        return None
    for rank in sorted(state.ranks):
        upward = a.is_within(rank.low) and b.is_within(rank.high)
        if upward or (b.is_within(rank.low) and a.is_within(rank.high)):
            return rank
    return None


def _held_again(act: Walk, before: Sequence[Held], path: Path) -> bool:
    """A lock that its holder may take again is had at once: nobody is waited for."""
    return any(h.path == path for h in before) and act.identities.reentrant(path)


def same_lock_again(act: Walk, state: State, held: Held, taken: Taken) -> None:
    """The thread already holds this very lock: a deadlock with itself, unless it may."""
    if taken.how is not How.BLOCKING:
        return
    if held.mode is Mode.SHARED and taken.mode is Mode.SHARED:
        certainty = min(taken.certainty, Certainty.POSSIBLE)
        taken = taken._replace(certainty=certainty, why=taken.why or READS_AGAIN)
    act.record_self_deadlock(held, taken, act.at_first(state))


def release(
    act: Walk,
    state: State,
    paths: Sequence[Holdable],
    mode: Mode | None = None,
    here: bool = True,
) -> State:
    """Give up every lock of *paths*; one that was not taken here belongs to the caller.

    *here*: by this function, and not by one that it calls.
    """
    act.log.given.extend(paths := _outers(act, paths))
    for path in paths:
        act.engine.found.given.update(i.lock for i in act.identities.of(path))
        index = _find_held(act, state, path, mode)
        if index is not None:
            gone = state.held[index]
            held = state.held[:index] + state.held[index + 1 :]
            if gone.leaked:
                act.confirm(gone)
            if gone.site.inner is not None:
                act.engine.found.handed_over.add(innermost(gone.site))
            state = state.but(held=held, freed=state.freed | {gone.path})
            if gone.guard == ENTRY:  # the caller's, who has it no longer
                state = state.but(released=state.released | {gone.path})
        else:
            state = state.but(released=state.released | {path})
            if here and isinstance(path, Path) and act.identities.is_semaphore(path):
                about = act.engine.node_of(path) or act.declaration(path)
                act.note("notify", "", about, act.site(*act.place_of_call), state)
    return state


def _outers(act: Walk, paths: Sequence[Holdable]) -> tuple[Holdable, ...]:
    outer = act.identities.outer
    return tuple(dict.fromkeys(outer(p) if isinstance(p, Path) else p for p in paths))


def ended(act: Walk, state: State, paths: Paths) -> State:
    """One of *paths* is destroyed: nobody holds that lock any more."""
    paths = act.identities.outers(paths)
    if len(paths) != 1:
        return state
    held = tuple(h for h in state.held if h.path != paths[0])
    if len(held) < len(state.held):
        return state.but(held=held)
    return state.but(released=state.released | {paths[0]})


def handed_out(act: Walk, state: State, args: Sequence[Paths]) -> State:
    """Locks among *args* go to code that is not here, which may give them up.

    They were held all the time if this function gives them up itself later.
    """
    given = {act.identities.outer(p) for a in args for p in a}
    if not any(h.path in given and h.guard is None for h in state.held):
        return state
    held = tuple(
        h._replace(leaked=True) if h.path in given and h.guard is None else h for h in state.held
    )
    return state.but(held=held)


def _find_held(act: Walk, state: State, path: Holdable, mode: Mode | None) -> int | None:
    last: int | None = None
    for i, held in enumerate(state.held):
        if held.path == path and (mode is None or held.mode is mode or last is None):
            last = i
    if last is not None:
        return last
    # The same lock can be reached by two expressions; by class, if that leaves one choice.
    wanted = {i.lock for i in act.identities.of(path)}
    if not wanted:
        return None
    same = [
        i
        for i, held in enumerate(state.held)
        if wanted & {x.lock for x in act.identities.of(held.path)}
        and not (_beside(held, path) or correlated.are_two(act, state, held.path, path))
    ]
    return same[0] if len(same) == 1 else None


def _beside(held: Held, path: Holdable) -> bool:
    """Whether *path* is beside the object that was chosen."""
    if not held.chosen or not isinstance(path, Path) or not isinstance(held.path, Path):
        return False
    return path.root is held.path.root and not path.is_one_of_many


# -- operations on locks ---------------------------------------------------------------------


def operate_lock(
    act: Walk, state: State, paths: Paths, operation: Operation, result: Path, site: Site
) -> list[State]:
    """``mutex.lock()``, ``mutex.unlock()``, ``mutex.try_lock()``, ..."""
    if operation.what == "release":
        misuse.unlocked(act, state, paths, site)
        return [release(act, state, paths, operation.mode)]
    if operation.what == "guard":
        state = acquire(act, state, paths, operation.mode, How.BLOCKING, site, result)
        guards = {**state.guards, result: Guard(paths, True, operation.mode)}
        return [state.but(guards=guards, env={**state.env, result: (result,)})]
    return attempt(act, state, state, paths, operation.mode, operation.how, result, site)


def attempt(
    act: Walk,
    won: State,
    lost: State,
    paths: Paths,
    mode: Mode,
    how: How,
    result: Path,
    site: Site,
    guard: Path | None = None,
    success: bool = True,
    together: bool = False,
) -> list[State]:
    """An acquisition that may fail leaves two states, told apart by the call's result."""
    paths = act.identities.outers(paths)
    undo = None if guard else result
    won = acquire(act, won, paths, mode, how, site, guard, undo, together)
    if how is How.BLOCKING:
        # what an earlier round of a loop knew of the result is not true of this one
        return [won.but(facts={k: v for k, v in won.facts.items() if k != result})]
    won, lost = tried(act, won, lost, paths, mode, site)
    return [
        won.but(facts={**won.facts, result: success}),
        lost.but(facts={**lost.facts, result: not success}),
    ]


def tried(act: Walk, won: State, lost: State, paths: Paths, mode: Mode, site: Site) -> list[State]:
    """The two ways an attempt ends, which remember how."""
    attempt = Try(paths, mode, site)
    act.log.tries.append(attempt)
    return [
        won.but(facts={**won.facts, attempt.key: True}),
        lost.but(facts={**lost.facts, attempt.key: False}),
    ]


def behind(state: State, path: Path) -> Paths:
    """The locks of a guard; anything else is the lock itself."""
    guard = state.guards.get(path)
    return guard.paths if guard is not None else (path,)


def with_guard(state: State, path: Path, guard: Guard) -> State:
    """*state* in which *path* is *guard*."""
    return state.but(guards={**state.guards, path: guard})
