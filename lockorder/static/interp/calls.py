"""Calls: what they do by knowledge, by the callee's summary, or by its destructor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.bounds import INSTANCES, NAMESAKES
from lockorder.knowledge.schema import Check
from lockorder.model import Certainty, How
from lockorder.static.interp import (
    bodiless,
    copies,
    dependence,
    emptiness,
    exits,
    flagged,
    flags,
    library,
    lock_functions,
    lock_methods,
    lockables,
    locking,
    misuse,
    obligations,
    ownership,
    questions,
    registries,
    swapped,
    versions,
    waiting,
)
from lockorder.static.interp.apply import apply, call_callables
from lockorder.static.interp.callees import callables_of
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import EndWaits, Fact, Keeps, Receives
from lockorder.static.interp.summary import Deferred, Site, State
from lockorder.static.interp.values import forget
from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.synthesis import MADE_UP
from lockorder.static.program.effects import Wait
from lockorder.static.program.paths import UNKNOWN, Path, Paths
from lockorder.static.program.steps import Method, is_element

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


_UNMADE = "nothing in what was read makes an object of {}"
_FACTORIES = frozenset(("init", "init_alias", "new_", "pickle"))


def call(act: Walk, event: f.Call, state: State) -> list[State]:
    """One call event on one state."""
    act.engine.count_call(act.function, event.id)
    result = act.values.result(event.id)
    if act.engine.loops and state.facts:
        state = forget(state, result)  # an earlier round's
    args = [act.values.of(a, state) for a in event.args]
    site = act.site(event.line, event.column)
    act.line, act.place_of_call = event.line, (event.line, event.column)
    target = event.target
    known = _by_object(act, event, state, args, result, site)
    if known is not None:
        act.engine.count_call(act.function, event.id, resolved=True)
        return known
    if isinstance(target, f.Fn):
        name = act.program.name_of(target.usr)
        base = act.values.of(target.base, state) if target.base is not None else ()
        if target.base is not None and not base:
            base = (UNKNOWN,)
        if base and name.startswith(MADE_UP):
            name = _of_its_own_type(act, name, base)
        state = swapped.after(
            act, _given_away(act, event, state, args), name, base, args, result, site
        )
        if act.knowledge.speaks_of(name, bool(act.program.body_of(target.usr))):
            state = waiting_calls(act, event, state, name, base, args, result, site)
            known = _by_knowledge(act, state, name, base, args, result, site)
        if known is None:
            known = library.by_lifetime(act, event, state, name, base, args, result, site)
        if known is not None:
            act.engine.count_call(act.function, event.id, resolved=True)
            return emptiness.after(act, event, known, name, base)
        if act.engine.contracts.functions:
            obligations.check_excluded(act, state, target.usr, base, args, site)
        bodies = _bodies(act, target, event.virtual, base)
        promised = _promised(act, state, target.usr, bodies, base, args, result, site)
        if promised is not None:
            act.engine.count_call(act.function, event.id, resolved=True)
            return promised
        if bodies and lock_methods.is_own_lock(act, name, bodies):
            operation = act.knowledge.any_lockable.get(name.rpartition("::")[2])
            if operation is not None:
                act.engine.count_call(act.function, event.id, resolved=True)
                return locking.operate_lock(act, state, base, operation, result, site)
        if bodies:
            act.engine.count_call(act.function, event.id, resolved=True)
            return _apply_all(act, state, bodies, args, base, result, site, event)
        declared = lock_methods.on_declared(act, state, name, base, args, result, site)
        if declared is not None:
            act.engine.count_call(act.function, event.id, resolved=True)
            return declared
        if _calls_what_is_kept(act, event, name) and not bodiless.is_of_library(act, base):
            act.engine.count_call(act.function, event.id, resolved=True)
            return call_callables(act, state, base, args, result, site)
        act.engine.count_call(act.function, event.id, resolved=True)
        return _without_body(act, event, state, name, base, args, result, site)
    if isinstance(target, f.Name):
        return _by_name(act, event, target, state, args, result, site)
    callees = act.values.of(target, state)
    if callees:
        act.engine.count_call(act.function, event.id, resolved=True)
    return call_callables(act, state, callees, args, result, site)


def _by_object(
    act: Walk, event: f.Call, state: State, args: Sequence[Paths], result: Path, site: Site
) -> list[State] | None:
    """What a call does by what is known of its object: a flag, or one that has nothing."""
    known = flags.call(act, event, state, args, result, site)
    return ownership.on_nothing(act, event, state) if known is None else known


def _without_body(
    act: Walk,
    event: f.Call,
    state: State,
    name: str,
    base: Paths,
    args: list[Paths],
    result: Path,
    site: Site,
) -> list[State]:
    """A call of a function that nobody knows, but for its declaration."""
    state = copies.assigned(act, event, state, name, base, args)
    usr = event.target.usr if isinstance(event.target, f.Fn) else ""
    after = bodiless.outside(act, state, name, base, _callable(act, usr, args), result, site)
    return emptiness.after(act, event, after, name, base)


def _given_away(act: Walk, event: f.Call, state: State, args: Sequence[Paths]) -> State:
    """Futures that go into a parameter, or into what is shared, end elsewhere."""
    target = event.target
    ends = {k.path for k in state.facts if isinstance(k, EndWaits)}
    if not ends or not isinstance(target, f.Fn):
        return state
    decl = act.program.decls.get(target.usr)
    types = decl.types if decl is not None else []
    bodies = act.program.body_of(target.usr)
    if bodies and not types:
        types = _handed_on(act, bodies[0])
    gone = [
        path
        for spelling, paths in zip(types, args, strict=False)
        if not spelling.rstrip().endswith(("&", "*"))
        for path in paths
    ]
    if target.base is not None and act.program.name_of(target.usr) in act.knowledge.shares:
        gone.extend(act.values.of(target.base, state))
    return ownership.over(state, tuple(p for p in gone if p in ends))


def _handed_on(act: Walk, body: str) -> list[str]:
    """Types of a function's parameters; of those that it does not move on, references to them."""
    function, moves = act.program.functions[body], act.knowledge.moves
    moved = [
        value
        for s in f.walk(function.body)
        if isinstance(s, f.Call) and act.program.called(s) in moves
        for value in s.args
    ]
    types = [act.program.type_of(usr) for usr in function.params]
    return [
        t if f.Var(u) in moved else f"{t} &" for u, t in zip(function.params, types, strict=True)
    ]


def _promised(
    act: Walk,
    state: State,
    usr: str,
    bodies: Sequence[str],
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """What the annotations of a function say that it does to locks."""
    contracts = act.engine.contracts
    if not contracts.functions or (bodies and not contracts.is_capability(usr)):
        return None
    return obligations.without_body(act, state, usr, base, args, result, site)


def _calls_what_is_kept(act: Walk, event: f.Call, name: str) -> bool:
    """Whether an ``operator()`` without a body calls what its object holds.

    Of one that is virtual an override is called, which may not be here.
    """
    if event.virtual or not name.endswith("operator()"):
        return False
    return name not in act.knowledge.same_functions


def _callable(act: Walk, usr: str, args: list[Paths]) -> list[Paths]:
    """*args* without functions where the callee takes a pointer to anything: it calls none."""
    decl = act.program.decls.get(usr)
    if decl is None or not decl.opaque:
        return args
    return [
        tuple(p for p in arg if not p.is_function) if i in decl.opaque else arg
        for i, arg in enumerate(args)
    ]


def _of_its_own_type(act: Walk, name: str, base: Paths) -> str:
    """A method of a type that no header declares, by that type and not by what stands in for it."""
    cls = act.identities.class_of(base[0])
    return f"{cls}::{name.rpartition('::')[2]}" if cls else name


def _bodies(act: Walk, target: f.Fn, virtual: bool, base: Paths) -> list[str]:
    if act.knowledge.asks_single(act.program.name_of(target.usr)):
        return []  # an optional's answer is what is known of it, whoever wrote the optional
    bodies = list(act.program.body_of(target.usr))
    if target.usr in act.program.too_many:
        act.cut(NAMESAKES)
    if target.usr in act.program.uncopied:
        act.cut(INSTANCES)
    if virtual:
        for over in act.program.overriders(target.usr):
            if over not in bodies:
                bodies.append(over)
        bodies = act.engine.other_means.among(_narrow(act, bodies, base))
    return bodies


def _is_its_own(act: Walk, event: f.Call, base: Paths) -> bool:
    """Whether a call on ``this`` goes to a body that is here, and to no override of it.

    What is known of an interface by name stands for its overrides.  Where all that there are belong
    to objects that never are in this version of the caller, the body says what the call does.
    """
    target = event.target
    if not (event.virtual and isinstance(target, f.Fn) and base == (act.values.this,)):
        return False
    over = act.program.overriders(target.usr)
    if not over or not act.program.body_of(target.usr):
        return False
    return not any(act.program.can_reach(act.function, each) for each in over)


def _narrow(act: Walk, bodies: list[str], base: Paths) -> list[str]:
    """Class hierarchy analysis: only the object's own class, its bases and what derives from it."""
    held = [act.engine.held_classes.of(p) or act.engine.pointed.of(p) for p in base]
    if held and None not in held:  # what they point to has one of these classes, and no other
        lines = [act.program.ancestors(c) for each in held for c in each or ()]
        kept = [b for b in bodies if any(act.program.functions[b].cls in line for line in lines)]
        bodies = kept or bodies
    classes = {act.identities.class_of(p) for p in base}
    if not classes or "" in classes or not all(c in act.program.classes for c in classes):
        return bodies
    family = set().union(*(act.program.family(c) for c in classes))
    kept = [b for b in bodies if act.program.functions[b].cls in family]
    if base == (act.values.this,):
        kept = [b for b in kept if act.program.can_reach(act.function, b)] or kept
    return kept


def _apply_all(
    act: Walk,
    state: State,
    bodies: Sequence[str],
    args: Sequence[Paths],
    base: Paths,
    result: Path,
    site: Site,
    event: f.Call,
) -> list[State]:
    kept = _kept(act, args, site)
    if kept:
        for each in kept:
            act.receiving[each] = None
        so: dict[Fact, bool] = dict.fromkeys(kept, True)
        state = state.but(facts={**state.facts, **so})
        found = _apply_each(act, state, bodies, args, base, result, site, event)
        return [s.without(kept) for s in found]
    found = _apply_each(act, state, bodies, args, base, result, site, event)
    if len(bodies) > 1 or event.id not in act.asked:
        return found
    found = questions.told_by_ways(state, found, result)
    return [questions.answered(act, event, bodies[0], result, s) for s in found]


def _kept(act: Walk, args: Sequence[Paths], site: Site) -> dict[Keeps, None]:
    """What must have been left with an object, so that there are callables to hand to a call."""
    place = site.line, site.column
    sources = (
        act.engine.kept.source(act.function, path, place)
        for paths in args
        for path in paths
        if path.steps and is_element(path.steps[-1]) and act.engine.callable_targets(path)
    )
    return {Keeps(source): None for source in sources if source is not None}


def _apply_each(
    act: Walk,
    state: State,
    bodies: Sequence[str],
    args: Sequence[Paths],
    base: Paths,
    result: Path,
    site: Site,
    event: f.Call,
) -> list[State]:
    certainty = Certainty.CERTAIN if len(bodies) == 1 else Certainty.POSSIBLE
    frame = Frame(tuple(args), base, result, site, certainty)
    after: list[tuple[str, list[State]]] = []
    unmade = _unmade(act, bodies) if event.virtual else {}
    for body in bodies:
        here = frame
        if body in unmade:
            here = frame._replace(certainty=Certainty.GUESSED, why=_UNMADE.format(unmade[body]))
        fact = _receives(act, base, body, len(bodies)) if event.virtual else None
        if fact is None:
            after.append((body, apply(act, state, body, here)))
            continue
        act.receiving[fact] = None
        so = state.but(facts={**state.facts, fact: True})
        after.append((body, [s.without([fact]) for s in apply(act, so, body, here)]))
    found = [s for _, states in after for s in states]
    if event.virtual and len(bodies) > 1 and len(base) == 1:
        found = versions.shared(act, state, base[0], after)
    if not found and event.virtual and act.engine.group.isdisjoint(bodies):
        return [state]  # none of these comes back, but a class that is not here may override it
    return found


def _unmade(act: Walk, bodies: Sequence[str]) -> dict[str, str]:
    """Of the versions of a virtual function those of classes of which nobody makes an object.

    By body.  Empty where it is so of all of them: who makes their objects was not read, then.
    """
    classes = {b: act.program.functions[b].cls for b in bodies}
    unmade = {b: cls for b, cls in classes.items() if not act.engine.made.has(cls)}
    return unmade if len(unmade) < len(bodies) else {}


def _receives(act: Walk, base: Paths, body: str, several: int) -> Receives | None:
    """What a caller can rule out: an object has only one version of a virtual function."""
    if len(base) != 1:
        return None
    root = base[0].base
    given = act.engine.is_parameter(root) and root.variable in act.function.params
    if given and not base[0].steps:
        return Receives(base[0], body)
    told = several > 1 and dependence.is_told(act, base[0])
    return Receives(base[0], body) if told else None


def _by_name(
    act: Walk,
    event: f.Call,
    target: f.Name,
    state: State,
    args: list[Paths],
    result: Path,
    site: Site,
) -> list[State]:
    """A call whose callee the front end could not resolve."""
    check = act.knowledge.checks.get(target.text) if target.base is None else None
    if check is not None:
        act.engine.count_call(act.function, event.id, resolved=True)
        return _check(act, event, state, check, site.line)
    if target.base is None:
        base: Paths = ()
        cls: str | None = None
        state = waiting_calls(act, event, state, target.text, base, args, result, site)
        known = _by_knowledge(act, state, target.text, base, args, result, site)
        if known is None:
            for space in act.knowledge.namespaces:
                name = space + target.text
                if known is None:
                    known = _by_knowledge(act, state, name, base, args, result, site)
    else:
        base = act.values.of(target.base, state) or (UNKNOWN,)
        cls = act.identities.class_of(base[0])
        name = f"{cls}::{target.text}" if cls else target.text
        state = waiting_calls(act, event, state, name, base, args, result, site) if cls else state
        known = _by_knowledge(act, state, name, base, args, result, site)
        if known is None and not cls:
            known = lockables.untyped(act, state, target.text, base, args, result, site)
    if known is not None:
        act.engine.count_call(act.function, event.id, resolved=True)
        return known
    if (
        cls
        and cls not in act.program.classes
        and dependence.is_template_parameter(act.engine, base[0])
    ):
        act.record_deferred(
            Deferred(base[0].then(Method(target.text)), tuple(args), state.held, site,
                     state.released)
        )  # fmt: skip
        act.engine.count_call(act.function, event.id, resolved=True)
        state = state.with_value(result, ())
        return lockables.operate(act, state, target.text, base, args, result, site) or [state]
    if target.text == f.ASSIGNMENT:
        return [state.with_value(result, base)]  # every class has one: a name says nothing
    bodies = act.program.of_class(target.text, cls, len(event.args)) if cls else ()
    if cls and not bodies:
        bodies = act.program.of_derived(target.text, cls, len(event.args))
    certainty = Certainty.CERTAIN if len(bodies) == 1 else Certainty.POSSIBLE
    if not bodies:
        bodies = act.program.by_bare_name(target.text, cls, len(event.args))
        certainty = Certainty.GUESSED
    if bodies:
        act.engine.count_call(act.function, event.id, resolved=True)
        frame = Frame(tuple(args), base, result, site, certainty)
        return [t for b in bodies for t in apply(act, state, b, frame)]
    if act.program.is_cut(target.text, cls, len(event.args)):
        act.cut(NAMESAKES)
    name = target.text
    for space in act.knowledge.namespaces if not base else ():
        if space + name in act.knowledge.same_functions:
            name = space + name  # nothing declares it: move(x), read without its header
            break
    return bodiless.outside(act, state, name, base, args, result, site)


def _check(act: Walk, event: f.Call, state: State, check: Check, line: int) -> list[State]:
    """A macro that throws or returns where what it checks fails."""
    checked = event.args[0] if event.args else None
    failed = act.values.assume(checked, not check.condition, state)
    passed = act.values.assume(checked, check.condition, state)
    if failed is not None:
        if check.leaves == "throw":
            act.throw(failed, line)
        else:
            act.leave(failed, line)
    return [] if passed is None else [passed]


# -- by knowledge ---------------------------------------------------------------------------------


def _by_knowledge(
    act: Walk,
    state: State,
    name: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """What the knowledge files say of *name*; None where they say nothing."""
    k = act.knowledge
    if name in k.never_returns:
        return []
    if name in k.copying and name not in k.starters:
        return [state]
    if name in k.perhaps:
        doubt = Certainty.POSSIBLE, k.perhaps[name]
        callees = args[0] if args else ()
        return call_callables(act, state, callees, args[1:], result, site, doubt=doubt)
    asks = k.asking(name)
    if asks is not None:
        return [waiting.asked(state, asks, base, args, result)]
    if name in k.registers and (name in k.declared or not act.program.named(name)):
        registries.register(act, name, site)
        return [state.with_value(result, (Path.of_call(name),))]
    if name in k.thread_ids:
        return [state.with_value(result, base)]
    told = waiting.told_apart(act, state, name, args, result)
    if told is not None:
        return [told]
    entry = k.binders.get(name)
    if entry is not None:
        callables = callables_of(act, args)
        factory = not base and name.rpartition("::")[2] in _FACTORIES
        if not factory:  # what a factory makes is bound by def, with its guards
            act.engine.enter(act.function, entry, callables, args, site)
        made = Path.of_call(name) if not base and not callables else None
        if base and any(p.returned in k.binders for a in args for p in a):
            bound = act.program.split(act.identities.type_of(base[0]))[1]
            cls = act.program.split(bound[0])[0] if bound else ""
            act.engine.enter_constructors(act.function, entry, cls, args, site)
        return [state.with_value(result, (made,) if made else base or callables)]
    if name in k.throws:
        act.throw(state, site.line)
        return []
    wait = k.waits.get(name)
    if wait is not None:
        state = waiting.wait_on_condition(act, state, name, wait, base, args, site)
        tests = tuple(q for a in args for p in a for q in _predicates(act, p))
        return call_callables(act, state, tests, (), result, site) if tests else [state]
    once = k.onces.get(name)
    if once is not None:
        return waiting.once(act, state, once, base, args, site)
    if name in k.recursive_set or name in k.recursive_init:
        lock_functions.make_recursive(act, name, args)
    end = k.lock_ends.get(name)
    if end is not None:
        paths = act.identities.outers(args[end]) if end < len(args) else ()
        return [locking.ended(act, misuse.destroyed(act, state, paths, site), paths)]
    function = k.functions.get(name)
    if function is not None:
        if function.checks:
            return [waiting.has(state, function.checks, result)]
        if function.yields:
            return [waiting.yields(act, state, function, site)]
        return lock_functions.call_lock_function(act, state, function, base, args, result, site)
    if not base or "::" not in name:
        return None
    cls, method = name.rsplit("::", 1)
    operation = k.operation(cls, method)
    if operation is None:
        return None
    if cls in k.guards:
        return lock_methods.on_guard(act, state, cls, base[0], operation, result, site)
    if operation.what == "with":
        functions = tuple(p for a in args for p in a if p.is_function)
        return waiting.under(act, state, base, operation.mode, functions, (base,), site)
    return locking.operate_lock(act, state, base, operation, result, site)


def _predicates(act: Walk, path: Path) -> Paths:
    """Functions that a wait calls to see whether it is over: handed in, or inside an object."""
    if path.is_function:
        return (path,)
    if path.is_made and not path.steps:
        return tuple(Path.of_function(t) for t in act.engine.callable_targets(path))
    return ()


def waiting_calls(
    act: Walk,
    event: f.Call,
    state: State,
    name: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> State:
    """What else the knowledge files say of *name*: waits, wake-ups, groups, collectives, callbacks.

    All of it is beside what the call does otherwise: a body that is here is followed as well.
    """
    k = act.knowledge
    blocks = k.blocks.get(name)
    again = id(event) in act.engine.polls.asked
    for_nobody = again or _is_its_own(act, event, base) or waiting.is_inner_end(act, state, name)
    if blocks is not None and not for_nobody:
        ways = flagged.waiting(act, event, blocks, state)
        if ways is None:
            state = waiting.block(act, state, name, blocks, base, args, site)
        for way in ways or ():
            waiting.block(act, way, name, blocks, base, args, site)
    condition = k.notifies.get(name)
    if condition is not None:
        waiting.notify(act, state, name, waiting.which(condition, base, args), site)
    collective = k.collectives.get(name)
    if collective is not None:
        about = args[collective.communicator] if collective.communicator < len(args) else ()
        waiting.launch(act, state, name, about, collective.p2p, site)
    if name in k.copying:
        waiting.copied(act, state, name, args, site)
    if name in k.thread_ends:
        misuse.thread_ends(act, state, site)
    end = exits.how_sure(k, name, args)
    if name in k.exits:
        waiting.wait(act, state, Wait(name), How.BLOCKING, site, end)
    if name in k.runs:
        registries.run(act, state, name, site, end)
    if name in k.group_alone:
        waiting.mark(act, state, Wait(name), site)
    group = k.group_begin.get(name)
    if group is not None:
        return waiting.begin_group(act, state, group.name, result, site)
    group = k.group_end.get(name)
    if group is not None:
        return waiting.end_group(act, state, group.name)
    return state
