"""Applying a callee's summary at a call: names are translated, orders follow, states go on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.bounds import CALLBACK_DEPTH, TARGETS
from lockorder.model import Certainty
from lockorder.static.interp import (
    dependence,
    failures,
    locking,
    misuse,
    of_object,
    outcomes,
    ownership,
    parts,
    premises,
    unseen,
    untouched,
)
from lockorder.static.interp.callees import fitting, operators_of
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import Among, Equal, Fact, IsPart, Keeps, Receives, runs
from lockorder.static.interp.lock_functions import call_lock_function
from lockorder.static.interp.settled import Parts
from lockorder.static.interp.summary import (
    NO_GATES,
    Deferred,
    Gate,
    Held,
    Member,
    Order,
    Outcome,
    Site,
    State,
    Summary,
    Taken,
    gates_of,
)
from lockorder.static.interp.translation import Translation
from lockorder.static.parse import facts as f
from lockorder.static.program import deletions
from lockorder.static.program.effects import Issued, Wait, What
from lockorder.static.program.paths import ENTRY, UNKNOWN, Path, Paths
from lockorder.static.program.steps import CALLED, Method, member

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

#: More callables in one place than this: any one of them is a guess.
MANY = 12


def apply(
    act: Walk,
    state: State,
    callee: str,
    frame: Frame,
    constructs: bool = False,
    depth: int = 0,
) -> list[State]:
    """The states after a call of *callee*; everything it does to locks is recorded."""
    if act.sole:
        frame = frame._replace(ending=(*frame.ending, *act.sole))
    summary = act.summary_of(callee)
    act.waits_for_group |= not summary.ends and callee in act.engine.group
    fixed = _note(act, state, callee, frame)
    if summary.gone:
        state = misuse.gone_after(act, state, callee, summary.gone, frame)
    if not (summary.taken or summary.orders or summary.deferred):
        if summary.thrown == (Outcome(),):
            act.throw(failures.in_callee(state, frame), frame.site.line)
        if callee not in act.calls_inside:
            simple = _simple(
                unseen.by_callee(act, state, callee, frame.base), summary, frame, constructs
            )
            if simple is not None:
                return simple
    names = Translation(act, state, callee, frame)
    known = act.engine.parts(callee, summary)
    written = _owners_written(act, known, names)
    empty = tuple(ownership.is_empty(state, path) for path in written)
    # Two states that differ only in what the call does not see would record the same again.
    begun = act.at_first(state) if state.held or summary.orders else None
    key = (
        frame.site,
        callee,
        state.held,
        names.key(),
        act.needs(state),
        empty,
        begun,
        _tested(state, known),
        fixed,
        tuple(untouched.known(act, state, names.paths(n.path), n) for n in known.began),
    )
    before = act.recorded.setdefault(key, [])
    # Nor is there anything new where more was given up of the caller's.
    if not any(released <= state.released for released in before):
        before.append(state.released)
        record_call(act, state, callee, summary, names, frame, depth)
    start = unseen.by_callee(act, state, callee, frame.base)
    summary = premises.fitting(act, state, summary, names)
    after = outcomes.after_call(act, start, callee, summary, names, frame, constructs)
    for path in written:
        after = [ownership.filled(each, path) for each in after]
    return after


def _note(act: Walk, state: State, target: str, frame: Frame) -> frozenset[Member]:
    """Remember a call of *target* in *state*, and answer what that asks of its callers.

    Returns what is known there that never changes.
    """
    around, fixed = of_object.around(act, state), of_object.fixed(act, state)
    act.engine.note_call(act.function, target, state, frame, around, fixed)
    premises.answer(act, state, target, frame)
    return fixed


def _tested(state: State, callee: Parts) -> frozenset[tuple[Fact, bool]]:
    """What is known of numbers, where what a callee does may depend on that."""
    known = state.facts.items() if callee.asks else ()
    return frozenset((k, v) for k, v in known if isinstance(k, Equal | Path | Among))


def _owners_written(act: Walk, callee: Parts, names: Translation) -> list[Path]:
    """Smart pointers and containers of the caller that a template assigns to."""
    paths = (q for path in callee.assigned for q in names.paths(path))
    return [path for path in dict.fromkeys(paths) if act.engine.is_owner(path)]


def _simple(state: State, summary: Summary, frame: Frame, constructs: bool) -> list[State] | None:
    """Most calls touch no lock and return nothing of interest."""
    if not summary.ends:
        return []
    if summary.outcomes == (Outcome(),) and not summary.returns:
        return [state if constructs else state.with_value(frame.result, ())]
    return None


def record_call(
    act: Walk,
    state: State,
    callee: str,
    summary: Summary,
    names: Translation,
    frame: Frame,
    depth: int,
) -> None:
    """Record a call of *callee*, and remember it while more may become known of that."""
    if callee in act.engine.failing:
        name = act.program.name_of(callee)
        why = f"it happens only where {name} ends the program"
        frame = frame._replace(certainty=min(frame.certainty, Certainty.GUESSED), why=why)
    inside = act.calls_inside.get(callee)
    if inside is not None:

        def again(grown: Summary) -> None:
            record(act, state, callee, grown, names, frame, depth)

        inside.append(again)
    record(act, state, callee, summary, names, frame, depth)


def record(
    act: Walk,
    state: State,
    callee: str,
    summary: Summary,
    names: Translation,
    frame: Frame,
    depth: int,
) -> None:
    """Record everything that *summary*, of *callee*, does to locks, as at *frame* in *state*."""
    if summary.taken:
        _take_all(act, state, callee, summary, names, frame)
    for order in summary.orders:
        _order(act, state, order, names, frame)
    for deferred in summary.deferred:
        _defer(act, state, deferred, names, frame, depth)


def _take_all(
    act: Walk, state: State, callee: str, summary: Summary, names: Translation, frame: Frame
) -> None:
    parts = act.engine.parts(callee, summary)
    settled: Sequence[Taken] = parts.settled
    if names.is_plain and settled:
        needs = act.needs(state)
        begun = act.at_first(state) if state.held else None
        label = (
            frame.certainty, frame.why, frame.last, needs, state.ranks, act.engine.alone, begun
        )  # fmt: skip
        news = act.told.news(summary, label, state.held, state.released)
        if not (news.taken or news.held):
            settled = ()
        elif not (state.held or state.released or needs or frame.last):
            settled = _hand_on(act, callee, settled, frame)
    for taken in (*settled, *parts.rest):
        _take(act, state, callee, taken, names, frame)


def _hand_on(act: Walk, callee: str, settled: Sequence[Taken], frame: Frame) -> list[Taken]:
    """Hand acquisitions on as they are; those that cannot be are returned."""
    handed_on, others = act.engine.handed_on, list[Taken]()
    for taken in settled:
        if handed_on.is_settled(taken):
            act.hand_on(handed_on.doubted(taken, *_doubt(taken, frame)))
        else:
            others.append(taken)
    handed_on.note(act.function.usr, callee, frame)
    return others


def _take(
    act: Walk,
    state: State,
    callee: str,
    taken: Taken,
    names: Translation,
    frame: Frame,
) -> None:
    """Record an acquisition in a call, and the orders after what is held around it."""
    needs = names.needs(taken.needs)
    if needs is None:
        return
    released = names.released(taken.released)
    inside = names.gates(taken.inside)
    held_here: Sequence[Held] = state.held
    given = state.released | released if released else state.released
    if held_here and given:
        given -= {h.path for h in held_here if h.guard != ENTRY}
    still = [h for h in held_here if h.path not in released] if released else held_here
    around = gates_of(still) if still else NO_GATES
    certainty, why = _doubt(taken, frame)
    for path in names.effects(taken.path):
        if path == UNKNOWN:
            continue
        if isinstance(path, Wait):
            if inside and any(Gate(h.path, h.mode) in inside for h in still):
                continue  # the end of a group in one that the caller has begun waits for nobody
            if frame.last:
                path = path.at_end(frame.last)
        own = NO_GATES if isinstance(path, Wait) else around
        of_its_object = of_object.needs(act, state, path)
        moved = Taken(
            path,
            taken.mode,
            taken.how,
            taken.site,
            own | inside if own and inside else own or inside,
            given,
            certainty,
            why,
            needs | of_its_object if of_its_object else needs,  # a set that many others share
        )
        if isinstance(path, Issued):
            moved = moved._replace(site=act.chain(frame, callee, taken))
            if not _issued(act, path, moved):
                act.record_taken(moved)
            continue
        if still and any(h.path == path for h in still) and act.identities.reentrant(path):
            continue  # its holder has it at once
        if still and isinstance(path, Path) and any(_are_rivals(act, h, path) for h in still):
            continue  # the object has the other lock
        if not (state.ranks or frame.ending):
            begun = act.at_first(state) if still else frozenset()
            if act.is_told(moved, still, begun):
                act.taken_again(callee, taken, path, begun)
                continue
        moved = moved._replace(site=act.chain(frame, callee, taken))
        alone = bool(frame.ending) and _is_alone(act, frame, path)
        if not alone and act.engine.nameable(act.function, path):
            act.record_taken(moved)
        for held in still:
            gates = (own | inside) - {Gate(held.path, held.mode)}
            if alone and held.path != path:
                continue
            if held.path == path:
                locking.same_lock_again(act, state, held, moved)
                locking.two_elements(act, state, Order(held, moved, gates))
            else:
                locking.record_order(act, state, Order(held, moved, gates))


def _are_rivals(act: Walk, held: Held, path: Path) -> bool:
    return isinstance(held.path, Path) and act.identities.are_rivals(held.path, path)


def _is_alone(act: Walk, frame: Frame, path: What) -> bool:
    """Whether a lock is a part of an object that ends with its last reference.

    Nobody else can have it, so that nobody waits for it and it keeps nobody waiting.
    """
    return isinstance(path, Path) and any(
        path.is_within(owner)
        and not any(
            act.program.is_indirect(act.program.type_of(member(s)))
            for s in path.steps[len(owner.steps) :]
        )
        for owner in frame.ending
    )


def _doubt(taken: Taken, frame: Frame) -> tuple[Certainty, str]:
    """How certain an acquisition in a call is, and why not more."""
    if frame.certainty == taken.certainty == Certainty.POSSIBLE and (frame.why or taken.why):
        if frame.why == taken.why:
            return Certainty.SELDOM, f"{frame.why}, twice on the way"
        return (
            Certainty.GUESSED,
            f"{frame.why or taken.why}, and a call has several possible targets",
        )
    if frame.certainty < taken.certainty:
        return frame.certainty, frame.why
    return taken.certainty, taken.why


def _issued(act: Walk, issued: Issued, taken: Taken) -> bool:
    """A collective on a communicator that the caller may know by its declaration."""
    communicator = act.communicator(issued.communicator)
    if not communicator:
        return not act.engine.nameable(act.function, issued)
    held = tuple(Held(g.path, g.mode, taken.how, taken.site) for g in sorted(taken.inside))
    act.note("collective", issued.name, communicator, taken.site, State(held))
    return True


def _order(act: Walk, state: State, order: Order, names: Translation, frame: Frame) -> None:
    needs = names.needs(order.taken.needs)
    if needs is None:
        return
    held_paths = names.held(order.held.path)
    taken_paths = names.effects(order.taken.path)
    released = names.released(order.taken.released)
    own = gates_of(h for h in state.held if h.path not in released)
    own |= names.gates(order.gates)
    certainty, why = _doubt(order.taken, frame)
    for held_path in held_paths:
        for taken_path in taken_paths:
            held = order.held._replace(path=held_path, site=frame.inside(order.held.site))
            taken = order.taken._replace(
                path=taken_path,
                site=frame.inside(order.taken.site),
                released=released,
                certainty=certainty,
                why=why,
                needs=needs,
            )
            if held_path == taken_path:
                locking.same_lock_again(act, state, held, taken)
            elif not any(_is_alone(act, frame, p) for p in (held_path, taken_path)):
                locking.record_order(act, state, Order(held, taken, own))


def _defer(
    act: Walk,
    state: State,
    deferred: Deferred,
    names: Translation,
    frame: Frame,
    depth: int,
) -> None:
    """The callee calls something that was handed to it: now it can be known what."""
    if depth >= CALLBACK_DEPTH.limit:
        act.cut(CALLBACK_DEPTH)
        return
    released = names.released(deferred.released)
    held = [h for h in state.held if h.path not in released]
    for h in deferred.held:
        path, site = names.one_held(h.path), frame.inside(h.site)
        held.append(Held(path, h.mode, h.how, site, either=h.either))
    inner = state.but(held=tuple(held), released=state.released | released)
    args = tuple(names.few(q for p in a for q in names.paths(p)) for a in deferred.args)
    site = frame.inside(deferred.site)
    callees, doubt = names.paths(deferred.callee), (frame.certainty, frame.why)
    call_callables(act, inner, callees, args, UNKNOWN, site, depth + 1, doubt)


def frame_of(
    act: Walk,
    target: str,
    args: Sequence[Paths],
    result: Path,
    site: Site,
    certainty: Certainty = Certainty.CERTAIN,
    why: str = "",
) -> Frame:
    """A call through a pointer: a member function's object is the first argument."""
    function = act.program.functions[target]
    if function.kind == "method" and not function.static and len(args) > len(function.params):
        return Frame(tuple(args[1:]), args[0], result, site, certainty, why)
    return Frame(tuple(args), (), result, site, certainty, why)


def _by_type(
    act: Walk, state: State, method: str, owner: Path, args: Sequence[Paths], site: Site
) -> bool:
    """A method that nobody wrote: of a smart pointer or container, or the end of an object."""
    if method == deletions.END:
        return act.delete_later(state, owner, site)
    if not act.engine.is_owner(owner):
        return False
    act.owner_call(state, method, (owner,), args, site)
    return True


def _how_sure(targets: int, callees: int) -> tuple[Certainty, str]:
    if targets > MANY:
        return Certainty.UNLIKELY, f"one of {targets} callbacks that may be stored there"
    alone = targets == 1 and callees == 1
    return (Certainty.CERTAIN if alone else Certainty.POSSIBLE), ""


def _of_library(
    act: Walk,
    state: State,
    path: Path,
    owner: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """A function of a library that locks, by a pointer; None where *path* is something else.

    A table that can stand for functions that do nothing as well is about locks all the same.
    """
    known = act.engine.lock_functions(path) if not owner and site.inner is None else []
    each = (call_lock_function(act, state, k, (), args, result, site) for k in known)
    return [after for states in each for after in states] or None


def _only_effects(act: Walk, state: State, target: str, frame: Frame, depth: int) -> None:
    """A call whose states go on elsewhere: inside a callee, or with what every target leaves."""
    _note(act, state, target, frame)
    names = Translation(act, state, target, frame)
    record_call(act, state, target, act.summary_of(target), names, frame, depth)


def meanwhile(act: Walk, state: State, target: str, frame: Frame) -> None:
    """A call of which the states go on elsewhere, with the locks that it leaves locked.

    What it waits for is that its own object is free: who has that is known.
    """
    _note(act, state, target, frame)
    summary = act.summary_of(target)
    left = {held.path for outcome in summary.outcomes for held in outcome.held}
    taken = {
        key: each
        for key, each in summary.taken.items()
        if key[0] not in left and not isinstance(key[0], Wait)
    }
    names = Translation(act, state, target, frame)
    record_call(act, state, target, dataclasses.replace(summary, taken=taken), names, frame, 0)


def call_callables(
    act: Walk,
    state: State,
    callees: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
    depth: int = 0,
    doubt: tuple[Certainty, str] = (Certainty.CERTAIN, ""),
) -> list[State]:
    """Call whatever *callees* can be: functions, lambdas, or something that a caller handed in.

    It happens no more surely than *doubt* says, and for that reason.
    """
    if depth > CALLBACK_DEPTH.limit:
        act.cut(CALLBACK_DEPTH)
        return [state]
    found, called = list[State](), False
    for path in callees:
        owner: Paths = ()
        last = path.steps[-1] if path.steps else ""
        if isinstance(last, Method):
            owner = (thing := path.owner,)
            method = last.key
            targets: Sequence[str] = act.engine.methods(thing, method)
            if not targets and _by_type(act, state, method, thing, args, site):
                continue
            if not targets and dependence.is_template_parameter(act.engine, thing):
                act.record_deferred(Deferred(path, tuple(args), state.held, site, state.released))
                continue
        elif path.is_function:
            targets = [path.function]
        elif not path.steps and act.engine.is_parameter(path):
            if act.engine.is_argument(act.function, path):
                act.record_deferred(Deferred(path, tuple(args), state.held, site, state.released))
            continue
        elif act.function.kind == "destructor" and dependence.is_dependent(act.engine, path):
            act.record_deferred(Deferred(path, tuple(args), state.held, site, state.released))
            state = state.but(released=state.released | {path.then(CALLED)})
            continue
        else:
            targets = _stored(act, path, args)
            if not targets and (targets := operators_of(act, path)):
                owner = (path,)
        known = _of_library(act, state, path, owner, args, result, site)
        if known is not None:
            called = True
            found.extend(known)
            continue
        if not targets:
            act.engine.found.hand_out(*(p for a in args for p in a))
        certainty, why = min(_how_sure(len(targets), len(callees)), doubt, key=lambda d: d[0])
        if len(targets) > MANY and site.inner is None:
            # One of many: nobody who cannot know which goes on with what it left locked.
            found, called = [*found, state], True
        for target in act.engine.left(state, path, targets):
            if target not in act.program.functions:
                continue
            frame = frame_of(act, target, args, result, site, certainty, why)
            if owner:
                frame = frame._replace(args=tuple(args), base=owner)
            elif path.steps:
                frame = act.engine.kept_in(frame, path, target)
            whole = site.inner is None and len(targets) <= MANY
            called |= whole
            found += _call_one(act, state, path, targets, target, frame, depth, whole)
    return found if called else [state]


def _stored(act: Walk, path: Path, args: Sequence[Paths]) -> Sequence[str]:
    """What can be at *path* and is called with *args*."""
    targets = _given(act, path, act.engine.callable_targets(path))
    targets = act.engine.points_to.called_as(act.identities.type_of(path), targets)
    targets = parts.fitting(act, fitting(act, targets, len(args)), args)
    if len(targets) > TARGETS.limit:
        act.cut(TARGETS)
        return ()
    return targets


def _given(act: Walk, path: Path, targets: Sequence[str]) -> Sequence[str]:
    """Those of *targets* that the object was given which *path* leads through by its own name."""
    if act.engine.begun.is_empty(path.variable, path.steps):
        return []
    given = act.engine.given
    for at in range(len(path.steps)) if targets else ():
        home = given.home(path.variable, path.steps[:at]) if len(targets) > 1 else ""
        functions = given.functions(home, path.steps[at:]) if home else None
        if functions is not None:
            return [t for t in targets if t in functions] or targets
        pointer = member(path.steps[at - 1]) if at else path.variable
        functions = given.behind(pointer, path.steps[at:]) if at and len(targets) > 1 else None
        if functions is not None:
            return [t for t in targets if t in functions] or targets
        functions = act.engine.begun.functions(pointer, path.steps[at:])
        if functions is not None:
            return [t for t in targets if t in functions]
    return targets


def targets_of(act: Walk, called: f.Value, states: Sequence[State]) -> Sequence[str]:
    """All that a call of the callable *called* can run, where it is known of each; else nothing."""
    found: dict[str, None] = {}
    for path in dict.fromkeys(p for s in states for p in act.values.of(called, s)):
        if path.is_function:
            targets: Sequence[str] = (path.function,)
        elif not path.steps or isinstance(path.steps[-1], Method):
            return ()
        else:
            targets = _given(act, path, act.engine.callable_targets(path))
        if not targets or not all(t in act.program.functions for t in targets):
            return ()
        found.update(dict.fromkeys(targets))
    return tuple(found) if len(found) <= MANY else ()


def _has(act: Walk, path: Path, target: str, several: bool) -> Receives | None:
    """What a caller can rule out: the object that it hands in was given something else.

    It may have been begun without any function.
    """
    root = path.base
    asked = root == act.values.this or act.engine.is_parameter(root)
    member = path.last if len(path.steps) == 1 else ""
    if asked and member and act.engine.unset.lacking(member):
        return Receives(root, target, path.steps)
    if not path.steps or not act.engine.is_parameter(root):
        return None
    if path.variable not in act.function.params:
        return None
    given = several and act.engine.given.knows(path.steps)
    if not (given or act.engine.begun.knows(path.steps)):
        return None
    return Receives(root, target, path.steps)


def _call_one(
    act: Walk,
    state: State,
    path: Path,
    targets: Sequence[str],
    target: str,
    frame: Frame,
    depth: int,
    whole: bool,
) -> list[State]:
    """A call of *target*, one of what is at *path*; its *whole* effect, or nothing of its states.

    A table that has it has the rest of its row, too.
    """
    several = len(targets) > 1
    if whole and several and act.engine.tables.is_member(path):
        row = runs(path, target)
        act.running[row] = None
        state = state.but(facts={**state.facts, row: True})
    given = _has(act, path, target, several)
    facts: list[Receives | Keeps | IsPart] = [given] if given is not None else []
    place = frame.site.line, frame.site.column
    kept = act.engine.kept.source(act.function, path, place)
    if kept is not None:
        facts.append(Keeps(kept, act.engine.birthplaces.left_with(target, member(kept.steps[-1]))))
    facts += parts.wanted(act, target, targets, frame.args) if several else ()
    if facts:
        act.receiving.update(dict.fromkeys(facts))
        so: dict[Fact, bool] = dict.fromkeys(facts, True)
        state = state.but(facts={**state.facts, **so})
    if not whole:
        _only_effects(act, state, target, frame, depth)
        return []
    after = apply(act, state, target, frame, depth=depth)
    return [s.without(facts) for s in after]
