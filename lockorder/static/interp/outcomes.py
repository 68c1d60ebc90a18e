"""How a call can end, in the caller's terms: what is held, what is known, who owns what."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from lockorder.static.interp import (
    chosen,
    copies,
    failures,
    left,
    lockables,
    locking,
    ownership,
    premises,
)
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import Fact
from lockorder.static.interp.summary import Held, Outcome, State, Summary
from lockorder.static.interp.translation import Translation
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import ENTRY, RETURNED, UNKNOWN, Path, Paths
from lockorder.static.program.steps import CALLED, LOCKED, Out

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def after_call(
    act: Walk,
    state: State,
    callee: str,
    summary: Summary,
    names: Translation,
    frame: Frame,
    constructs: bool,
) -> list[State]:
    """One state for each way the call can end; exceptions leave by the caller's handlers."""
    failed = failures.in_callee(state, frame) if summary.thrown else state
    for outcome in summary.thrown if not _is_plain(summary) else ():
        after = _after(act, failed, callee, summary, outcome, names, frame, True)
        fresh = len(failed.held)
        held = tuple(h._replace(leaked=True) if i >= fresh else h for i, h in enumerate(after.held))
        act.throw(after.but(held=held), frame.site.line)
    if not summary.ends:
        return []
    after_each: list[State] = []
    for outcome in summary.outcomes:
        after = _after(act, state, callee, summary, outcome, names, frame, constructs)
        # What a callable gives up is not known as long as no call of it comes back.
        if not (names.waits and any(_is_of_call(p) for p in outcome.released)):
            after_each.append(after)
    return _without_strangers(state, after_each)


def _is_of_call(what: Holdable) -> bool:
    return isinstance(what, Path) and CALLED in what.steps


def _without_strangers(before: State, after: list[State]) -> list[State]:
    """*after* without what only some ways do to locks of objects that have no name here.

    Nothing that follows could give them back, or be seen to take them: see Walk.
    """
    if len(after) < 2:
        return after
    mine = len(before.held)
    taken = [{h.path for h in s.held if h.path.is_unknown} for s in after]
    given = [frozenset(p for p in s.released - before.released if p.is_unknown) for s in after]
    taken_always, given_always = set.intersection(*taken), frozenset.intersection(*given)
    found = []
    for state, some_taken, some_given in zip(after, taken, given, strict=True):
        if some_taken - taken_always:
            held = tuple(
                h
                for i, h in enumerate(state.held)
                if i < mine or not h.path.is_unknown or h.guard or h.path in taken_always
            )
            state = state.but(held=held)
        if some_given - given_always:
            state = state.but(released=state.released - (some_given - given_always))
        found.append(state)
    return found


def _left_locked(
    state: State, outcome: Outcome, restored: Collection[Holdable], names: Translation, frame: Frame
) -> tuple[State, list[Held]]:
    """What the callee leaves locked, in the caller's names; objects that own it now do so."""
    taken: list[Held] = []
    for h in outcome.held:
        if h.path in restored:
            continue
        owner = _object(h.path, names)
        state = lockables.owning(state, owner, True)
        taken += _taken(h, names.held(h.path), owner, frame, state)
    return state, taken


def _taken_back(act: Walk, state: State, taken: list[Held]) -> tuple[State, list[Held]]:
    """Of what a callee leaves locked, the callers' own that was given up here is theirs again."""
    back = frozenset(h.path for h in taken if not h.either) & state.released
    if not back:
        return state, taken
    kept = [h._replace(guard=ENTRY) if h.path in back else h for h in taken]
    state = state.but(released=state.released - back)
    return state, [h for h in kept if h.path not in back or h.path in act.needed]


def _after(
    act: Walk,
    state: State,
    callee: str,
    summary: Summary,
    outcome: Outcome,
    names: Translation,
    frame: Frame,
    constructs: bool,
) -> State:
    """*state* after one way the call can end."""
    after = state
    mine = {h.path for h in state.held}
    # Given up and taken again: nothing has changed for a caller that does not hold it.
    restored = {
        h.path
        for h in outcome.held
        if h.path in outcome.released and mine.isdisjoint(names.held(h.path))
    }
    for path in sorted(outcome.released - restored):
        after = locking.release(act, after, names.held(path), here=False)
        after = lockables.owning(after, _object(path, names), False)
    after, taken = _left_locked(after, outcome, restored, names, frame)
    after, taken = _taken_back(act, after, taken)
    env = _bound(act, after, callee, outcome, names, frame)
    guards = after.guards
    if outcome.guards or names.moved_guards:
        guards = dict(guards)
    for moved in names.moved_guards:
        if moved in guards:
            guards[moved] = guards[moved]._replace(owned=False)
    for path, guard in outcome.guards:
        target = names.one(path)
        paths = tuple(dict.fromkeys(q for p in guard.paths for q in names.paths(p)))
        guards[target] = guard._replace(paths=paths)
        if guard.owned:
            after, env = _filled(after, env, target)
        taken = _by_guard(taken, target, paths)
    facts = after.facts
    if outcome.premises:
        told = premises.carried(act, frame.site, outcome, names)
        facts = {**facts, **told, **premises.of_arguments(act, outcome, names)}
    if outcome.left:
        after = after.but(facts=facts)
        facts = left.carried(act, after, outcome, names).facts
    if not constructs:
        result = frame.result
        if outcome.guard is not None:
            paths = tuple(q for p in outcome.guard.paths for q in names.paths(p))
            guards = {**guards, result: outcome.guard._replace(paths=paths)}
            taken = _by_guard(taken, result, paths if outcome.guard.owned else ())
            env = _with(env, result, (result,))
        else:
            returns = outcome.found or chosen.returns(act, callee, frame, summary)
            returned = names.few(q for p in returns for q in names.paths(p))
            if outcome.value:
                returned = (Path.of_literal(outcome.value),)
            if outcome.found:  # no lock is in what is null
                facts = {**facts, **dict.fromkeys(returned, True)}
            env = _with(env, result, returned)
        if (result,) == env.get(result) and result not in guards:
            act.identities.made_types[result.root] = act.program.result_of(callee)
        if outcome.flag is not None:
            facts = {**facts, result: outcome.flag}
        if outcome.compared:
            facts = {**facts, **_compared(outcome, result)}
    held = (*after.held, *taken) if taken else after.held
    return after.but(held=held, env=env, guards=guards, facts=facts)


def _with(env: dict[Path, Paths], name: Path, value: Paths) -> dict[Path, Paths]:
    """*env* in which *name* stands for *value* (nothing known: empty); itself where that is so."""
    if value:
        return {**env, name: value}
    return {p: v for p, v in env.items() if p is not name} if name in env else env


def _bound(
    act: Walk, state: State, callee: str, outcome: Outcome, names: Translation, frame: Frame
) -> dict[Path, Paths]:
    """What names of *state* stand for once the callee has bound some of them."""
    env = state.env
    for binding in outcome.bindings:
        target, known = names.bound(binding)
        if not binding[0].steps:
            target = _written_through(act, callee, binding[0], frame)
        if target == UNKNOWN or not known or known == (target,):
            continue
        if env is state.env:
            env = dict(env)
        env[target] = known
        source = known[0]
        apart = not (source.is_plain or target.is_within(source) or source.is_within(target))
        if len(known) == 1 and apart and copies.is_copied(act, binding[0]):
            copies.into(env, source, target)
    return env


def _compared(outcome: Outcome, result: Path) -> dict[Fact, bool]:
    """How what was returned, at *result* now, compares with numbers."""
    return {
        fact.moved(lambda path: result if path == RETURNED else path): truth
        for fact, truth in outcome.compared
    }


def _taken(
    held: Held, locks: tuple[Holdable, ...], owner: Path | None, frame: Frame, state: State
) -> list[Held]:
    """*held*, which the callee leaves locked, as the caller has it: *locks* that it can be.

    All of what the object *owner* refers to; else one of several.
    """
    by = owner if owner is not None and owner in state.guards else None
    either = held.either or (owner is None and len(locks) > 1)
    site = frame.inside(held.site)
    found = locks if owner is not None else locks or (UNKNOWN,)
    return [
        Held(p, held.mode, held.how, site, by, either=either, chosen=held.chosen) for p in found
    ]


def _by_guard(taken: list[Held], guard: Path, paths: Paths) -> list[Held]:
    """*taken* of which *guard* has those at *paths* that no other has."""
    return [h._replace(guard=guard) if h.guard is None and h.path in paths else h for h in taken]


def _filled(state: State, env: dict[Path, Paths], guard: Path) -> tuple[State, dict[Path, Paths]]:
    """An owner that was empty has a *guard* now, or has what that is a part of."""
    for length in range(len(guard.steps) + 1):
        owner = Path(guard.root, guard.steps[:length])
        state = ownership.filled(state, owner)
        if ownership.is_null(env.get(owner, ())):
            env = _with(env, owner, ())
    return state, env


def _written_through(act: Walk, callee: str, parameter: Path, frame: Frame) -> Path:
    """Where what was written through a parameter is kept, until it goes to the argument."""
    if not frame.result.is_made or frame.result.steps:
        return UNKNOWN
    number = act.program.functions[callee].params.index(parameter.variable)
    return frame.result.then(Out(str(number)))


def _object(path: Holdable, names: Translation) -> Path | None:
    """The object in the caller whose own method was called to lock or unlock it."""
    if not isinstance(path, Path) or path.steps[-1:] != (LOCKED,):
        return None
    return names.one(path.owner)


def _is_plain(summary: Summary) -> bool:
    return summary.thrown == (Outcome(),) and not (
        summary.taken or summary.orders or summary.deferred
    )
