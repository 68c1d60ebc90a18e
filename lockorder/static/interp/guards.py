"""Guards: RAII objects that hold locks, by what is known of their types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.load import Operation
from lockorder.knowledge.schema import GuardType
from lockorder.model import How, Mode
from lockorder.static.interp import dependence, levels, locking
from lockorder.static.interp.collected import innermost
from lockorder.static.interp.locking import behind, with_guard
from lockorder.static.interp.summary import Guard, Held, Site, State, Taken
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import GUARDED

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def construct_guard(
    act: Walk, state: State, guard: Path, known: GuardType, args: Sequence[Paths], site: Site
) -> list[State]:
    """``std::unique_lock<M> guard(mutex, tag)`` and its like; what may fail leaves two states."""
    old = state.guards.get(guard)
    after = _construct(act, state, guard, known, args, site)
    if old is None or not guard.is_one_of_many:
        return after
    return [with_guard(s, guard, _beside(old, s.guards[guard])) for s in after]


def _beside(old: Guard, new: Guard) -> Guard:
    """What the guards of a container own, after one more came: they are one to us."""
    if not (old.owned and old.paths):
        return new
    return old._replace(paths=tuple(dict.fromkeys((*old.paths, *new.paths))))


def _construct(
    act: Walk, state: State, guard: Path, known: GuardType, args: Sequence[Paths], site: Site
) -> list[State]:
    if known.of or known.inverse:
        return [_construct_special(act, state, guard, known, args, site)]
    names = {n for a in args for p in a for n in _tag_names(act, p)}
    locks: list[Path] = []
    for argument in args:
        moved = [p for p in argument if p in state.guards]
        if moved:  # from another guard, or from one of several
            act.engine.found.takes_nothing.add(innermost(site)[:3])
            return [move_guard(state, path, guard) for path in moved]
        if not _is_tag(act, known, argument):
            locks.extend(p for p in argument if not p.is_plain)
    if not known.all:  # the first argument that is a lock, or one of several
        locks = next((found for a in args if (found := [p for p in a if p in locks])), [])
    given = [p for p in locks if not dependence.does_nothing(act.engine, p)]
    paths = act.identities.outers(tuple(q for p in given for q in _taken_by(act, state, p, known)))
    if not paths:
        if not args or locks:
            act.engine.found.takes_nothing.add(innermost(site)[:3])
        return [with_guard(state, guard, Guard((), False, known.mode))]
    lost = with_guard(state, guard, Guard(paths, False, known.mode))
    if names & {*known.defer, *known.adopt}:
        act.engine.found.takes_nothing.add(innermost(site)[:3])
    if names & set(known.defer):
        return [lost]
    state = with_guard(state, guard, Guard(paths, True, known.mode))
    if names & set(known.adopt):
        return [state]
    for path in given:
        _meanwhile(act, state, path, _method(known.mode), site)
    if names & set(known.try_tag):
        for path in paths:
            act.engine.found.note_site(Taken(path, known.mode, How.TRY, site))
        held = (*state.held, *(Held(p, known.mode, How.TRY, site, guard) for p in paths))
        return locking.tried(act, state.but(held=held), lost, paths, known.mode, site)
    if known.timed and len(args) > 1 and not known.all:  # a duration or a point in time
        state = locking.acquire(act, state, paths, known.mode, How.TIMED, site, guard)
        return locking.tried(act, state, lost, paths, known.mode, site)
    together = known.all and len(paths) == len(args)
    return [
        locking.acquire(act, state, paths, known.mode, How.BLOCKING, site, guard, together=together)
    ]


def _taken_by(act: Walk, state: State, path: Path, known: GuardType) -> Paths:
    """What the method of an object takes that a guard calls: itself, or locks that it leads to."""
    cls = act.identities.class_of(path)
    if cls in act.knowledge.locks or cls not in act.program.classes:
        return (path,)
    method = _method(known.mode)
    if any(map(act.engine.contracts.is_capability, act.program.nearest(cls, method))):
        return (path,)
    taken = left_locked(act, cls, method)
    found = dict.fromkeys(q for held, own in taken for q in _inside(state, path, held, own))
    return tuple(found) or (path,)


def _method(mode: Mode, gives: str = "") -> str:
    """The method by which a guard takes its lock in that mode, or *gives* ("un") it up."""
    return f"{gives}lock" if mode is Mode.EXCLUSIVE else f"{gives}lock_shared"


def _meanwhile(act: Walk, state: State, path: Path, method: str, site: Site) -> None:
    """A guard calls that method of an object: what that takes and gives back on its way.

    A lock of a library takes nothing, and what is a lock by its methods alone takes itself.
    """
    cls = act.identities.class_of(path)
    if cls not in act.program.classes or cls in act.knowledge.locks:
        return
    if act.engine.wrappers.kind_of(cls) is not None or act.engine.is_lockable(cls):
        return
    for body in act.program.nearest(cls, method):
        if not act.engine.contracts.is_capability(body):
            act.call_meanwhile(state, body, path, site)


def left_locked(act: Walk, cls: str, method: str) -> list[tuple[Path, bool]]:
    """What a method of *cls* leaves locked, and whether it is a part of its object."""
    return [
        (held.path, held.path.method == body)
        for body in act.program.nearest(cls, method)
        for outcome in act.summary_of(body).outcomes
        for held in outcome.held
        if isinstance(held.path, Path)
    ]


def _inside(state: State, path: Path, held: Path, own: bool) -> Paths:
    """*held*, which is named from within the object at *path* if it is its *own*."""
    if not own:
        return (held,)
    here: Paths = (path,)
    for step in held.steps:
        here = tuple(q for p in here for q in state.env.get(p.then(step), (p.then(step),)))
    return here


def _construct_special(
    act: Walk, state: State, guard: Path, known: GuardType, args: Sequence[Paths], site: Site
) -> State:
    """A guard of a named lock, or one that gives up what it is given until it dies."""
    if known.of:
        paths: Paths = (Path.of_named(known.of),)
    else:
        paths = tuple(q for a in args[:1] for p in a for q in behind(state, p))
    if not known.inverse:
        state = with_guard(state, guard, Guard(paths, True, known.mode))
        return locking.acquire(act, state, paths, known.mode, How.BLOCKING, site, guard)
    given = paths
    if known.of:
        state, given = levels.give_up(act, state, paths)
    else:
        state = locking.release(act, state, paths)
    return with_guard(state, guard, Guard(given, False, known.mode, True, site))


def swap_guards(state: State, a: Path, b: Path) -> State:
    """``std::swap(a, b)``: each holds what the other held."""
    if a not in state.guards or b not in state.guards:
        return state
    other = {a: b, b: a}
    guards = {**state.guards, a: state.guards[b], b: state.guards[a]}
    held = tuple(h._replace(guard=other[h.guard]) if h.guard in other else h for h in state.held)
    return state.but(guards=guards, held=held)


def _tag_names(act: Walk, path: Path) -> tuple[str, str]:
    """What a tag argument can be recognised by: its own name and its type's."""
    return act.variable_name(path), act.identities.class_of(path)


def _is_tag(act: Walk, known: GuardType, argument: Paths) -> bool:
    tags = {*known.adopt, *known.defer, *known.try_tag}
    return any(name in tags for path in argument for name in _tag_names(act, path))


def move_guard(state: State, source: Path, target: Path) -> State:
    """``target = std::move(source)``: the locks change hands, none is released."""
    guards = dict(state.guards)
    moved = guards.get(source)
    if moved is None:
        return state
    kept = guards.get(target) if target.is_one_of_many else None
    guards[target] = moved if kept is None else _beside(kept, moved)
    guards[source] = Guard((), False, moved.mode)
    held = tuple(h._replace(guard=target) if h.guard == source else h for h in state.held)
    return state.but(guards=guards, held=held)


def has_inside(state: State, owner: Path) -> bool:
    """Whether guards are parts of *owner*: a container's elements."""
    return any(g != owner and g.is_within(owner) for g in state.guards)


def move_inside(state: State, source: Path, target: Path) -> State:
    """The container *target* takes over what *source* has: the guards in it as well."""
    length = len(source.steps)
    for guard in [g for g in state.guards if g != source and g.is_within(source)]:
        state = move_guard(state, guard, Path(target.root, target.steps + guard.steps[length:]))
    return state


def drop_guard(act: Walk, state: State, path: Path) -> State:
    """A guard dies: what it owns is released."""
    guard = state.guards.get(path)
    if guard is None:
        return state
    guards = dict(state.guards)
    del guards[path]
    if guard.inverse and not guard.owned and guard.site is not None:
        again = state.but(guards=guards)
        return locking.acquire(act, again, guard.paths, guard.mode, How.BLOCKING, guard.site)
    if guard.owned:
        for given in guard.paths:
            _meanwhile(act, state, given, _method(guard.mode, "un"), act.site(act.line))
        # Guards that are one to us may have one lock more than once: an element of a table.
        mine = [h.path for h in state.held if h.guard == path] if path.is_one_of_many else []
        paths = (*mine, *(p for p in guard.paths if p not in mine))
        state = locking.release(act, state, paths, guard.mode)
    return state.but(guards=guards)


def operate_guard(
    act: Walk, state: State, path: Path, operation: Operation, result: Path, site: Site
) -> list[State]:
    """``guard.lock()``, ``guard.unlock()``, ``guard.try_lock()``, ``guard.owns_lock()``, ..."""
    guard = state.guards.get(path)
    if guard is None:
        # A guard that came from the caller: it stands for a lock that only the caller can name.
        guard = Guard((path.then(GUARDED),), True, operation.mode)
    if operation.what == "owns":
        return [state.but(facts={**state.facts, result: guard.owned})]
    if operation.what == "lend":
        return [state.with_value(result, guard.paths)]
    if operation.what == "disown":
        state = with_guard(state, path, guard._replace(owned=False))
        return [state.but(env={**state.env, result: guard.paths})]
    if operation.what == "release":
        for given in guard.paths:
            _meanwhile(act, state, given, _method(guard.mode, "un"), site)
        state = with_guard(state, path, guard._replace(owned=False))
        return [locking.release(act, state, guard.paths, guard.mode)]
    for each in guard.paths if operation.how is How.BLOCKING else ():
        _meanwhile(act, state, each, _method(guard.mode), site)
    owned = with_guard(state, path, guard._replace(owned=True))
    return locking.attempt(
        act, owned, state, guard.paths, guard.mode, operation.how, result, site, path
    )
