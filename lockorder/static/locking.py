"""Lock semantics: acquire, release, guards and condition waits, on one state at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.load import GuardType, LockFunction, Operation, Wait
from lockorder.model import How, LockKind, Mode
from lockorder.static.paths import GUARDED, Path, Paths
from lockorder.static.summary import Gate, Guard, Held, Order, Site, State, Taken

if TYPE_CHECKING:
    from lockorder.static.activation import Activation


def acquire(
    act: Activation,
    state: State,
    paths: Paths,
    mode: Mode,
    how: How,
    site: Site,
    guard: Path | None = None,
) -> State:
    """Take every lock of *paths* together: no order arises among them ([thread.lock.algorithm]).

    Several paths also stand for "one of these": each may be the one.
    """
    before = state.held
    for path in paths:
        if path in state.released:
            # The caller's own lock, given up for a while, is taken back.
            note_taken(act, state, before, path, mode, how, site)
            state = state.but(released=state.released - {path})
            continue
        note_taken(act, state, before, path, mode, how, site)
        state = state.but(held=(*state.held, Held(path, mode, how, site, guard)))
    return state


def note_taken(
    act: Activation,
    state: State,
    before: Sequence[Held],
    path: Path,
    mode: Mode,
    how: How,
    site: Site,
) -> None:
    """Record that *path* is taken while *before* is held, and the orders that follow."""
    inside = frozenset(Gate(h.path, h.mode) for h in before)
    taken = Taken(path, mode, how, site, inside, state.released)
    act.record_taken(taken)
    for held in before:
        if held.path == path:
            same_lock_again(act, held, taken)
        else:
            gates = inside - {Gate(held.path, held.mode)}
            act.record_order(Order(held, taken, gates))


def same_lock_again(act: Activation, held: Held, taken: Taken) -> None:
    """The thread already holds this very lock: a deadlock with itself, unless it may."""
    if taken.how is not How.BLOCKING:
        return
    if held.mode is Mode.SHARED and taken.mode is Mode.SHARED:
        return
    act.record_self_deadlock(held, taken)


def release(act: Activation, state: State, paths: Paths, mode: Mode | None = None) -> State:
    """Give up every lock of *paths*; one that was not taken here belongs to the caller."""
    for path in paths:
        index = _find_held(act, state, path, mode)
        if index is not None:
            state = state.but(held=state.held[:index] + state.held[index + 1 :])
        else:
            state = state.but(released=state.released | {path})
    return state


def _find_held(act: Activation, state: State, path: Path, mode: Mode | None) -> int | None:
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
    ]
    return same[0] if len(same) == 1 else None


# -- guards -----------------------------------------------------------------------------------


def construct_guard(
    act: Activation, state: State, guard: Path, known: GuardType, args: Sequence[Paths], site: Site
) -> list[State]:
    """``std::unique_lock<M> guard(mutex, tag)`` and its like; what may fail leaves two states."""
    names = {n for a in args for p in a for n in _tag_names(act, p)}
    locks: list[Path] = []
    for argument in args:
        for path in argument:
            if path in state.guards:  # moved from another guard
                return [move_guard(state, path, guard)]
        if not _is_tag(act, known, argument):
            locks.extend(p for p in argument if not p.root.startswith(("lit:", "fn:")))
    if not known.all:
        locks = locks[:1] if len(args) < 2 or len(args[0]) < 2 else list(args[0])
    paths = tuple(locks)
    if not paths:
        return [with_guard(state, guard, Guard((), False, known.mode))]
    lost = with_guard(state, guard, Guard(paths, False, known.mode))
    if names & set(known.defer):
        return [lost]
    state = with_guard(state, guard, Guard(paths, True, known.mode))
    if names & set(known.adopt):
        return [state]
    if names & set(known.try_tag):
        held = (*state.held, *(Held(p, known.mode, How.TRY, site, guard) for p in paths))
        return [state.but(held=held), lost]
    if known.timed and len(args) > 1 and not known.all:  # a duration or a point in time
        return [acquire(act, state, paths, known.mode, How.TIMED, site, guard), lost]
    return [acquire(act, state, paths, known.mode, How.BLOCKING, site, guard)]


def _tag_names(act: Activation, path: Path) -> tuple[str, str]:
    """What a tag argument can be recognised by: its own name and its type's."""
    return act.variable_name(path), act.identities.class_of(path)


def _is_tag(act: Activation, known: GuardType, argument: Paths) -> bool:
    tags = {*known.adopt, *known.defer, *known.try_tag}
    return any(name in tags for path in argument for name in _tag_names(act, path))


def with_guard(state: State, path: Path, guard: Guard) -> State:
    """*state* in which *path* is *guard*."""
    return state.but(guards={**state.guards, path: guard})


def move_guard(state: State, source: Path, target: Path) -> State:
    """``target = std::move(source)``: the locks change hands, none is released."""
    guards = dict(state.guards)
    moved = guards.get(source)
    if moved is None:
        return state
    guards[target] = moved
    guards[source] = Guard((), False, moved.mode)
    held = tuple(h._replace(guard=target) if h.guard == source else h for h in state.held)
    return state.but(guards=guards, held=held)


def drop_guard(act: Activation, state: State, path: Path) -> State:
    """A guard dies: what it owns is released."""
    guard = state.guards.get(path)
    if guard is None:
        return state
    if guard.owned:
        state = release(act, state, guard.paths, guard.mode)
    guards = dict(state.guards)
    del guards[path]
    return state.but(guards=guards)


def operate_guard(
    act: Activation, state: State, path: Path, operation: Operation, result: Path, site: Site
) -> list[State]:
    """``guard.lock()``, ``guard.unlock()``, ``guard.try_lock()``, ``guard.owns_lock()``, ..."""
    guard = state.guards.get(path)
    if guard is None:
        # A guard that came from the caller: it stands for a lock that only the caller can name.
        guard = Guard((path.then(GUARDED),), True, operation.mode)
    if operation.what == "owns":
        return [state.but(facts={**state.facts, result: guard.owned})]
    if operation.what == "disown":
        state = with_guard(state, path, guard._replace(owned=False))
        return [state.but(env={**state.env, result: guard.paths})]
    if operation.what == "release":
        state = with_guard(state, path, guard._replace(owned=False))
        return [release(act, state, guard.paths, guard.mode)]
    owned = with_guard(state, path, guard._replace(owned=True))
    return attempt(act, owned, state, guard.paths, guard.mode, operation.how, result, site, path)


def operate_lock(
    act: Activation, state: State, paths: Paths, operation: Operation, result: Path, site: Site
) -> list[State]:
    """``mutex.lock()``, ``mutex.unlock()``, ``mutex.try_lock()``, ..."""
    if operation.what == "release":
        return [release(act, state, paths, operation.mode)]
    return attempt(act, state, state, paths, operation.mode, operation.how, result, site)


def attempt(
    act: Activation,
    won: State,
    lost: State,
    paths: Paths,
    mode: Mode,
    how: How,
    result: Path,
    site: Site,
    guard: Path | None = None,
    success: bool = True,
) -> list[State]:
    """An acquisition that may fail leaves two states, told apart by the call's result."""
    won = acquire(act, won, paths, mode, how, site, guard)
    if how is How.BLOCKING:
        return [won]
    return [
        won.but(facts={**won.facts, result: success}),
        lost.but(facts={**lost.facts, result: not success}),
    ]


# -- free functions ---------------------------------------------------------------------------


def call_lock_function(
    act: Activation,
    state: State,
    known: LockFunction,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State]:
    """``pthread_mutex_lock(&m)``, ``std::lock(a, b)`` and their like."""
    if known.releases is not None:
        paths = args[known.releases] if known.releases < len(args) else ()
        return [release(act, state, paths)]
    if known.acquires == "all":
        locks = [p for a in args for p in a]
        paths = tuple(q for p in locks for q in _behind_guard(state, p))
        won = state
        for path in locks:
            if path in state.guards:
                won = with_guard(won, path, state.guards[path]._replace(owned=True))
    else:
        index = known.acquires or 0
        paths = args[index] if index < len(args) else ()
        won = state
    success = known.succeeds_with != 0
    return attempt(act, won, state, paths, known.mode, known.how, result, site, success=success)


def _behind_guard(state: State, path: Path) -> Paths:
    guard = state.guards.get(path)
    return guard.paths if guard is not None else (path,)


def wait_on_condition(
    act: Activation, state: State, known: Wait, args: Sequence[Paths], site: Site
) -> State:
    """The wait gives up one lock and takes it again with all others still held."""
    if known.lock >= len(args):
        return state
    how = How.BLOCKING  # taking the mutex again waits without limit, whatever the wait's limit
    for path in args[known.lock]:
        for lock in _behind_guard(state, path):
            others = [h for h in state.held if h.path != lock]
            mode = next((h.mode for h in state.held if h.path == lock), Mode.EXCLUSIVE)
            gone = state.but(released=state.released | {lock})
            inside = frozenset(Gate(h.path, h.mode) for h in others)
            taken = Taken(lock, mode, how, site, inside, gone.released)
            act.record_taken(taken)
            for held in others:
                act.record_order(Order(held, taken, inside - {Gate(held.path, held.mode)}))
    return state


def may_lock_again(kind: LockKind) -> bool:
    """Whether the holder of such a lock may take it again."""
    return kind in (LockKind.RECURSIVE, LockKind.SEMAPHORE)
