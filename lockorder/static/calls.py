"""Calls: what they do by knowledge, by the callee's summary, or by its destructor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static import facts as f
from lockorder.static import locking
from lockorder.static.apply import Frame, apply, call_callables
from lockorder.static.paths import ELEMENT, UNKNOWN, Path, Paths
from lockorder.static.summary import Site, State

if TYPE_CHECKING:
    from lockorder.static.activation import Activation


def call(act: Activation, event: f.Call, state: State) -> list[State]:
    """One call event on one state."""
    act.engine.count_call()
    result = act.values.result(event.id)
    args = [act.values.of(a, state) for a in event.args]
    site = act.site(event.line, event.column)
    target = event.target
    if isinstance(target, f.Fn):
        name = act.program.name_of(target.usr)
        base = act.values.of(target.base, state) if target.base is not None else ()
        if target.base is not None and not base:
            base = (UNKNOWN,)
        known = _by_knowledge(act, state, name, base, args, result, site)
        if known is not None:
            act.engine.count_resolved()
            return known
        bodies = _bodies(act, target, event.virtual, base)
        if bodies:
            act.engine.count_resolved()
            return _apply_all(act, state, bodies, args, base, result, site, event)
        if name.endswith("operator()"):
            act.engine.count_resolved()
            return call_callables(act, state, base, args, result, site)
        act.engine.count_resolved()
        return _outside(act, state, name, base, args, result, site)
    if isinstance(target, f.Name):
        return _by_name(act, event, target, state, args, result, site)
    callees = act.values.of(target, state)
    if callees:
        act.engine.count_resolved()
    return call_callables(act, state, callees, args, result, site)


def _bodies(act: Activation, target: f.Fn, virtual: bool, base: Paths) -> list[str]:
    bodies = list(act.program.body_of(target.usr))
    if virtual:
        for over in act.program.overriders(target.usr):
            if over not in bodies:
                bodies.append(over)
        if len(bodies) > 1:
            bodies = _narrow(act, bodies, base)
    return bodies


def _narrow(act: Activation, bodies: list[str], base: Paths) -> list[str]:
    """Class hierarchy analysis: only the object's own class, its bases and what derives from it."""
    classes = {act.identities.class_of(p) for p in base}
    if not classes or "" in classes or not all(c in act.program.classes for c in classes):
        return bodies
    family = set().union(*(act.program.family(c) for c in classes))
    kept = [b for b in bodies if act.program.functions[b].cls in family]
    if base == (act.values.this,):
        kept = [b for b in kept if act.program.can_reach(act.function, b)]
    return kept or bodies


def _apply_all(
    act: Activation,
    state: State,
    bodies: Sequence[str],
    args: Sequence[Paths],
    base: Paths,
    result: Path,
    site: Site,
    event: f.Call,
) -> list[State]:
    certainty = 3 if len(bodies) == 1 else 2
    frame = Frame(tuple(args), base, result, site, certainty)
    found: list[State] = []
    for body in bodies:
        found.extend(apply(act, state, body, frame))
    return found


def _by_name(
    act: Activation,
    event: f.Call,
    target: f.Name,
    state: State,
    args: list[Paths],
    result: Path,
    site: Site,
) -> list[State]:
    """A call whose callee the front end could not resolve."""
    if target.base is None:
        base: Paths = ()
        cls: str | None = None
        known = _by_knowledge(act, state, target.text, base, args, result, site)
        if known is None:
            known = _by_knowledge(act, state, f"std::{target.text}", base, args, result, site)
    else:
        base = act.values.of(target.base, state) or (UNKNOWN,)
        cls = act.identities.class_of(base[0])
        name = f"{cls}::{target.text}" if cls else target.text
        known = _by_knowledge(act, state, name, base, args, result, site)
        if known is None and not cls:
            known = _untyped_lock(act, state, target.text, base, args, result, site)
    if known is not None:
        act.engine.count_resolved()
        return known
    bodies = act.program.by_bare_name(target.text, cls, len(event.args))
    if bodies:
        act.engine.count_resolved()
        frame = Frame(tuple(args), base, result, site, 1)
        return [t for b in bodies for t in apply(act, state, b, frame)]
    return _outside(act, state, target.text, base, args, result, site)


def _untyped_lock(
    act: Activation,
    state: State,
    method: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State] | None:
    """``x.lock()`` where the type of x is a template parameter or was lost: read it as a lock."""
    if base and base[0] in state.guards:
        operation = act.knowledge.operation("std::unique_lock", method)
        if operation is not None:
            return locking.operate_guard(act, state, base[0], operation, result, site)
    if args or method not in ("lock", "unlock", "lock_shared", "unlock_shared", "try_lock"):
        return None
    operation = act.knowledge.operation("std::shared_mutex", method)
    if operation is None or base == (UNKNOWN,):
        return None
    return locking.operate_lock(act, state, base, operation, result, site)


# -- by knowledge ---------------------------------------------------------------------------------


def _by_knowledge(
    act: Activation,
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
    wait = k.waits.get(name)
    if wait is not None:
        state = locking.wait_on_condition(act, state, wait, args, site)
        callables = tuple(p for a in args for p in a if p.root.startswith("fn:"))
        return call_callables(act, state, callables, (), result, site) if callables else [state]
    function = k.functions.get(name)
    if function is not None:
        return locking.call_lock_function(act, state, function, args, result, site)
    if not base or "::" not in name:
        return None
    cls, method = name.rsplit("::", 1)
    operation = k.operation(cls, method)
    if operation is None:
        return None
    if cls in k.guards:
        found: list[State] = [state]
        for path in base[:1]:
            found = locking.operate_guard(act, state, path, operation, result, site)
        return found
    return locking.operate_lock(act, state, base, operation, result, site)


def _outside(
    act: Activation,
    state: State,
    name: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State]:
    """A function without a body: hand on objects, start threads, run callables."""
    k = act.knowledge
    _cls, _, method = name.rpartition("::")
    if not name.startswith("std::"):
        act.engine.alone = False  # who knows what it starts
    callables = _callables(act, args)
    if name in k.starters:
        handed = next((i + 1 for i, a in enumerate(args) if set(a) & set(callables)), 0)
        act.engine.spawn(act.function, callables, args[handed:], site)
        return [state]
    if base and base != (UNKNOWN,):
        if method in k.same_methods:
            return [_keep(state, result, base)]
        if method in k.element_methods:
            return [_keep(state, result, tuple(p.then(ELEMENT) for p in base))]
    elif name in k.same_functions or f"std::{name}" in k.same_functions:
        return [_keep(state, result, args[0] if args else ())]
    if not base and callables and name not in k.keepers:
        # Algorithms and their like call back before they return.
        return call_callables(act, state, callables, (), result, site)
    if base:
        act.engine.escape(callables)
        return [_keep(state, result, tuple(p.then(f"{method}()") for p in base))]
    return [_keep(state, result, (Path(f"of:{name}"),) if name and not args else ())]


def _callables(act: Activation, args: Sequence[Paths]) -> Paths:
    """Functions, lambdas and function objects among the arguments of a call."""
    found: list[Path] = []
    for path in (p for a in args for p in a):
        if path.root.startswith("fn:"):
            found.append(path)
        else:
            cls = act.identities.class_of(path)
            found.extend(Path(f"fn:{u}") for u in act.program.call_operators(cls))
    return tuple(dict.fromkeys(found))


def _keep(state: State, result: Path, value: Paths) -> State:
    if not value:
        if result not in state.env:
            return state
        env = dict(state.env)
        del env[result]
        return state.but(env=env)
    return state.but(env={**state.env, result: value})


# -- objects --------------------------------------------------------------------------------------


def make(act: Activation, event: f.Make, state: State) -> list[State]:
    """A construction: of a guard, of a thread, of a class with a body, or of something else."""
    act.engine.count_call()
    act.engine.count_resolved()
    made = act.values.made(event.id)
    act.identities.made_types[made.root] = event.type
    args = [act.values.of(a, state) for a in event.args]
    site = act.site(event.line, event.column)
    name = act.program.split(event.type)[0]
    k = act.knowledge
    guard = k.guards.get(name)
    if guard is not None:
        return locking.construct_guard(act, state, made, guard, args, site)
    callables = _callables(act, args)
    if name in k.starter_types:
        act.engine.spawn(act.function, callables, args[1:], site)
        return [state]
    bodies = act.program.body_of(event.ctor) if event.ctor else ()
    if bodies:
        frame = Frame(tuple(args), (made,), made, site, 3)
        return [t for b in bodies for t in apply(act, state, b, frame, constructs=True)]
    if name in k.same_types and args and args[0]:
        return [state.but(env={**state.env, made: args[0]})]
    copied = len(args) == 1 and len(args[0]) == 1 and name in act.program.classes
    if copied and act.identities.class_of(args[0][0]) == name:
        return [state.but(env={**state.env, made: args[0]})]
    return [state]


def destroy(act: Activation, state: State, path: Path) -> State:
    """An object that is no guard dies: its destructor runs, then its members'."""
    spelling = act.identities.type_of(path)
    if not spelling or spelling.rstrip().endswith(("*", "&")):
        return state
    return _destroy_as(act, state, path, act.program.split(spelling)[0], 0)


def _destroy_as(act: Activation, state: State, path: Path, cls: str, depth: int) -> State:
    known = act.program.classes.get(cls)
    if known is None or depth > 3:
        return state
    if known.dtor:
        for body in act.program.body_of(known.dtor):
            line = act.program.functions[body].line
            site = act.site(act.function.end or line)
            frame = Frame((), (path,), UNKNOWN, site, 3)
            states = apply(act, state, body, frame)
            if states:
                state = states[0]
    for field in reversed(known.fields):
        member = path.then(field)
        if member in state.guards:
            state = locking.drop_guard(act, state, member)
            continue
        variable = act.program.variables.get(field)
        if variable is None or variable.type.rstrip().endswith(("*", "&")):
            continue
        inner = act.program.split(variable.type)[0]
        if inner in act.knowledge.guards:
            continue
        if inner in act.program.classes:
            state = _destroy_as(act, state, member, inner, depth + 1)
    for base in known.bases:
        state = _destroy_as(act, state, path, base, depth + 1)
    return state


def delete(act: Activation, event: f.Delete, state: State) -> State:
    """``delete p``: the destructor of what p points to, virtual or not."""
    for path in act.values.of(event.value, state)[:1]:
        cls = act.identities.class_of(path)
        if path in state.guards:
            return locking.drop_guard(act, state, path)
        for each in act.program.deleted_as(cls) if cls else ():
            state = _destroy_as(act, state, path, each, 0)
    return state
