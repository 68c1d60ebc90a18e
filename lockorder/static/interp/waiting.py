"""Waiting: conditions, threads, devices and other ranks, with whatever is held meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge import schema
from lockorder.knowledge.schema import Blocks, LockFunction, Once, Which
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp import (
    clauses,
    ended,
    locking,
    ownership,
    patience,
    unseen,
    untouched,
)
from lockorder.static.interp.apply import call_callables
from lockorder.static.interp.known import AtFirst, Equal
from lockorder.static.interp.locking import behind
from lockorder.static.interp.summary import (
    NO_NEEDS,
    Gate,
    Held,
    Needs,
    Order,
    Site,
    State,
    Taken,
    gates_of,
)
from lockorder.static.parse import facts as f
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program import roots
from lockorder.static.program.effects import Group, Holdable, Issued, Wait
from lockorder.static.program.paths import ENTRY, UNKNOWN, Path, Paths
from lockorder.static.program.steps import BESIDE, HERE, STATUS
from lockorder.static.program.threads import handle

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def which(number: Which | None, base: Paths, args: Sequence[Paths]) -> Paths:
    """The object of a call that a knowledge file speaks of."""
    if number is None:
        return ()
    if number == "this":
        return base
    return args[number] if number < len(args) else ()


def wait_on_condition(
    act: Walk,
    state: State,
    name: str,
    known: schema.Wait,
    base: Paths,
    args: Sequence[Paths],
    site: Site,
) -> State:
    """The wait gives up one lock and takes it again with all others still held."""
    how = How.TIMED if known.timed else How.BLOCKING
    about = _signal(act, which(known.condition, base, args))
    for path in which(known.lock, base, args):
        for lock in act.identities.outers(behind(state, path)):
            state = give_up(act, state, lock, site)
            others = state.but(
                held=tuple(h for h in state.held if h.path != lock),
                released=state.released | {lock} if known.every_level else _released(state, lock),
            )
            wait(act, others, Wait(name, about), how, site)
    return unseen.elsewhere(act, state, tests=True)


def _signal(act: Walk, paths: Paths) -> tuple[str, ...]:
    """What the object is called by which others wake a thread."""
    return tuple(d for p in paths[:1] if (d := act.engine.node_of(p) or act.declaration(p)))


def _released(state: State, lock: Path) -> frozenset[Holdable]:
    """What callers have lost while *lock* is given up: nothing where it was taken here."""
    own = any(h.path == lock and h.guard != ENTRY for h in state.held)
    return state.released if own else state.released | {lock}


def give_up(
    act: Walk,
    state: State,
    lock: Path,
    site: Site,
    certainty: Certainty = Certainty.CERTAIN,
    why: str = "",
) -> State:
    """*lock* is released for a while and taken again with all others still held.

    Taking it again waits without limit, whatever the limit of the wait.
    """
    others = [h for h in state.held if h.path != lock]
    mode = next((h.mode for h in state.held if h.path == lock), Mode.EXCLUSIVE)
    inside = gates_of(others)
    released = _released(state, lock)
    taken = Taken(
        lock, mode, How.BLOCKING, site, inside, released, certainty, why, act.needs(state)
    )
    act.record_taken(taken)
    for held in others:
        order = Order(held, taken, inside - {Gate(held.path, held.mode)})
        act.record_order(order, act.at_first(state))
    act.log.given.append(lock)
    return state.but(freed=state.freed | {lock})


def wait(
    act: Walk,
    state: State,
    waits: Wait,
    how: How,
    site: Site,
    doubt: tuple[Certainty, str] = (Certainty.CERTAIN, ""),
    once: Needs = NO_NEEDS,
) -> None:
    """Record that somebody else is waited for while *state* holds, if *once* is so."""
    # No lock in common keeps a wait from being one: gates do not matter, but for groups.
    needs = act.needs(state) | once
    own = gates_of(_groups_ended(act, state, waits.name))
    taken = Taken(waits, Mode.EXCLUSIVE, how, site, own, state.released, *doubt, needs=needs)
    act.record_taken(taken)
    for held in state.held:
        act.record_order(Order(held, taken, frozenset()), act.at_first(state))


def block(
    act: Walk,
    state: State,
    name: str,
    known: Blocks,
    base: Paths,
    args: Sequence[Paths],
    site: Site,
) -> State:
    """A call that waits: for a thread (then for which), the GPU, other ranks, ...

    What was waited for to its end keeps nobody waiting again.
    """
    if known.immediate is not None:
        number, value = known.immediate
        given = args[number] if number < len(args) else ()
        if given and all(p.is_literal for p in given):
            zero = [p.literal in NULLS for p in given]
            if all(zero) if value == "0" else not any(zero):
                return state  # asks, and does not wait
    joined = which(known.joins, base, args)
    if joined and not known.timed and all(is_ready(state, p, known.ready) for p in joined):
        return ownership.over(state, joined)
    if ended.are_over(state, joined, site):
        return state
    targets = sorted({t for p in joined for t in act.engine.callable_targets(p)})
    timed = known.timed or patience.gives_up(act, known, site)
    how = How.TIMED if timed else How.BLOCKING
    about = tuple(targets) or _signal(act, which(known.waker, base, args))
    other = bool(targets) and all(_is_other(state, p) for p in joined)
    once = NO_NEEDS if known.timed else ended.needed(act, joined, site)
    wait(act, state, Wait(name, about, other), how, site, once=once)
    if known.joins is not None:
        handles = [n for p in joined for n in (act.declaration(p), handle(p))]
        act.engine.joined(act.function, list(dict.fromkeys(handles)))
        for target in targets if act.engine.copies_itself and not known.timed else ():
            act.note("over", name, target, site, state)
    if known.device_sync:
        act.note("sync", name, "", site, state)
    if known.launch_end:
        act.note("end", name, "", site, state)
    if known.timed:
        return state
    return ended.waited(act, ownership.over(state, joined), joined, site)


def polled(act: Walk, states: Sequence[State], call: f.Call, site: Site) -> None:
    """A loop calls what says whether something is over until it is."""
    target = call.target
    name = act.program.called(call)
    for state in states:
        of = target.base if isinstance(target, f.Fn | f.Name) else None
        base = act.values.of(of, state) if of is not None else ()
        args = [act.values.of(a, state) for a in call.args]
        block(act, state, name, act.knowledge.asked[name], base, args, site)


def told_apart(
    act: Walk, state: State, name: str, args: Sequence[Paths], result: Path
) -> State | None:
    """What a comparison of two threads' ids says, where one is that of the thread itself."""
    equal = act.knowledge.same_thread.get(name)
    if equal is None or len(args) != 2 or any(len(paths) != 1 for paths in args):
        return None
    (first,), (second,) = args
    here = [p.returned in act.knowledge.own_thread and not p.steps for p in (first, second)]
    if here[0] == here[1]:
        return None
    thread = second if here[0] else first
    return state.with_value(result, (thread.then(HERE if equal else BESIDE),))


def _is_other(state: State, thread: Path) -> bool:
    """Whether *thread*, one certain object, is known not to stand for the thread itself."""
    if thread.is_one_of_many:
        return False
    return any(
        state.facts.get(path) is truth
        for asked, truth in ((thread.then(HERE), False), (thread.then(BESIDE), True))
        for path in (asked, *(p for p, value in state.env.items() if value == (asked,)))
    )


def asked(state: State, known: Blocks, base: Paths, args: Sequence[Paths], result: Path) -> State:
    """What a wait with a time limit returns says whether what it waited for has come."""
    joined = which(known.joins, base, args)
    return state.with_value(result, (joined[0].then(STATUS),) if len(joined) == 1 else ())


def is_ready(state: State, path: Path, literals: Collection[str]) -> bool:
    """Whether a wait for *path* with a time limit has found it ready, which *literals* say.

    Where there is nothing nobody waits: ``if (f.valid() && f.wait_for(0s) != ready) return;``.
    """
    status = path.then(STATUS)
    there = clauses.assumed(state, path, truth=True)
    there = None if there is None else clauses.followed(there)
    if there is None:
        return True
    truth = there.facts.get(status)
    if (truth is False and "0" in literals) or (truth is True and "true" in literals):
        return True
    return any(there.facts.get(Equal(status, Path.of_literal(text))) for text in literals)


def notify(act: Walk, state: State, name: str, about: Paths, site: Site) -> None:
    """Somebody who waits on a condition is woken."""
    waited = (h for h in state.held if h.how is How.BLOCKING)  # no other can keep it waiting
    needed = state.but(held=tuple(waited))
    for signal in _signal(act, about):
        act.note("notify", name, signal, site, needed)


def copied(act: Walk, state: State, name: str, args: Sequence[Paths], site: Site) -> None:
    """The process is copied, or a thread goes on from here that a copy would not have."""
    for path in args[0] if args else ():
        if name in act.knowledge.spares:
            act.note("spare", name, act.declaration(path), site, state)
            continue
        kind = "fork" if name in act.knowledge.forks else "begin"
        targets = (path.function,) if path.is_function else act.engine.callable_targets(path)
        for target in targets:
            act.note(kind, name, target, site, state)


def once(
    act: Walk,
    state: State,
    known: Once,
    base: Paths,
    args: Sequence[Paths],
    site: Site,
) -> list[State]:
    """``call_once(flag, f, args...)``: the flag is a lock while f runs."""
    flags = which(known.flag, base, args)
    callees = args[known.callable] if known.callable < len(args) else ()
    rest = args[known.callable + 1 :]
    flag = flags[0] if len(flags) == 1 and _lasts(act, flags[0]) else None
    if flag is not None and state.facts.get(flag):
        return [state]  # it was called before
    first = flag is not None and untouched.is_as_at_first(act, site, flag)
    inner, at_first = state, AtFirst(flag or UNKNOWN, "")
    if first:
        inner = state.but(facts={**state.facts, at_first: False})
    after = under(act, inner, flags[:1], Mode.EXCLUSIVE, callees, rest, site)
    return [_called_once(act, s, flag, at_first) for s in after]


def _lasts(act: Walk, flag: Path) -> bool:
    """Whether it is a flag of an object or the program's: one that a later call finds as it was."""
    return bool(flag.steps) or act.program.is_lasting(flag.variable)


def _called_once(act: Walk, state: State, flag: Path | None, at_first: AtFirst) -> State:
    """*state* after the call that *flag* says, which may have been done before."""
    if flag is None or flag.is_one_of_many:
        return state
    act.set_by_calls.add(flag)
    facts = {k: v for k, v in state.facts.items() if k != at_first}
    return state.but(facts={**facts, flag: True})


def under(
    act: Walk,
    state: State,
    locks: Paths,
    mode: Mode,
    callees: Paths,
    args: Sequence[Paths],
    site: Site,
) -> list[State]:
    """Run callables with *locks* held around them."""
    locks = act.identities.outers(locks)
    inner = locking.acquire(act, state, locks, mode, How.BLOCKING, site)
    first = len(act.jumps)
    after = call_callables(act, inner, callees, args, UNKNOWN, site)
    act.release_thrown(first, locks)
    return [locking.release(act, s, locks, mode) for s in after]


def begin_group(act: Walk, state: State, name: str, result: Path, site: Site) -> State:
    """A group of calls is begun; a result that says so means that it was not."""
    group = Group(name)
    held = Held(group, Mode.EXCLUSIVE, How.BLOCKING, site, None, result)
    act.begun = held
    if group in state.released and not any(h.path == group for h in state.held):
        return state.but(released=state.released - {group})  # the caller's, which was ended here
    return state.but(held=(*state.held, held))


def is_inner_end(act: Walk, state: State, name: str) -> bool:
    """Whether *name* ends a group inside of another one, which only counts down."""
    return len(_groups_ended(act, state, name)) > 1


def _groups_ended(act: Walk, state: State, name: str) -> list[Held]:
    """The groups that *state* has begun and calls of *name* end."""
    group = act.knowledge.group_end.get(name)
    return [] if group is None else [h for h in state.held if h.path == Group(group.name)]


def end_group(act: Walk, state: State, name: str) -> State:
    """The group that was begun last is ended."""
    return locking.release(act, state, (Group(name),))


def yields(act: Walk, state: State, known: LockFunction, site: Site) -> State:
    """A named lock may be given up and taken again: by who runs Python code, the GIL."""
    certainty, why = Certainty.CERTAIN, ""
    if known.rarely:
        certainty = Certainty.GUESSED
        why = "only the last reference's end can run Python code"
    return give_up(act, state, Path.of_named(known.yields), site, certainty, why)


def has(state: State, name: str, result: Path) -> State:
    """``PyGILState_Check()``: whether the thread has the lock, as far as that is known."""
    lock = Path.of_named(name)
    if any(h.path == lock for h in state.held):
        return state.but(facts={**state.facts, result: True})
    if lock in state.released:
        return state.but(facts={**state.facts, result: False})
    # Only a caller knows: what is done on either branch carries the condition.
    return state.but(env={**state.env, result: (Path(roots.Holds(name)),)})


def mark(act: Walk, state: State, call: Wait, site: Site) -> None:
    """Record a call that does not wait, but that rules want to see inside a group."""
    inside = frozenset(Gate(h.path, h.mode) for h in state.held)
    taken = Taken(call, Mode.EXCLUSIVE, How.TRY, site, inside, state.released)
    act.record_taken(taken)
    for held in state.held:
        if isinstance(held.path, Group):
            act.record_order(Order(held, taken, frozenset()))


def launch(act: Walk, state: State, name: str, about: Paths, p2p: bool, site: Site) -> None:
    """Work of a communicator is launched."""
    mark(act, state, Wait(name), site)
    communicator = act.communicator(about[0]) if about else ""
    if not any(isinstance(h.path, Group) for h in state.held):
        act.note("launch", name, communicator, site, state)  # else at the group's end
    if p2p:
        return
    if communicator:
        act.note("collective", name, communicator, site, state)
    for path in about[:1]:
        if not communicator and not path.is_one_of_many:
            # A parameter: callers know which.
            inside = frozenset(Gate(h.path, h.mode) for h in state.held)
            issued = Issued(path, name)
            act.record_taken(Taken(issued, Mode.EXCLUSIVE, How.TRY, site, inside, state.released))
