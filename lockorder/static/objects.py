"""Objects: what their construction and destruction does, written or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.schema import Owner
from lockorder.static import calls, guards, locking, obligations
from lockorder.static import facts as f
from lockorder.static.apply import Frame, apply
from lockorder.static.paths import ELEMENT, GUARDED, UNKNOWN, Path, Paths, is_element
from lockorder.static.summary import Site, State

if TYPE_CHECKING:
    from lockorder.static.activation import Activation

#: Members of members of members whose construction and destruction is followed.
MAX_DEPTH = 4
MAYBE = "the pointer that is assigned to may own nothing"
FRESH = "the key may be new, and its entry owns nothing then"
SHARED = "a shared pointer's release may not be the last"

# -- construction ---------------------------------------------------------------------------------


def make(act: Activation, event: f.Make, state: State) -> list[State]:
    """A construction: of a guard, of a thread, of a class with a body, or of something else."""
    act.engine.count_call()
    act.engine.count_resolved()
    made = act.values.made(event.id)
    args = [act.values.of(a, state) for a in event.args]
    site = act.site(event.line, event.column)
    source = act.place(event.args[0]) if event.moves else None
    states = construct(act, state, made, event.type, event.ctor, args, site)
    return states if source is None else [emptied(s, source) for s in states]


def construct(
    act: Activation,
    state: State,
    made: Path,
    spelling: str,
    ctor: str,
    args: Sequence[Paths],
    site: Site,
) -> list[State]:
    """An object of type *spelling* comes to life at *made*."""
    if not made.steps:
        act.identities.made_types[made.root] = spelling
    name = act.program.split(spelling)[0]
    k = act.knowledge
    guard = k.guards.get(name)
    if guard is not None:
        return guards.construct_guard(act, state, made, guard, args, site)
    callables = calls.callables_of(act, args)
    if name in k.starter_types:
        if callables:
            act.engine.spawn(act.function, callables, args[1:], site, made)
        return [state]
    entry = k.binders.get(name)
    if entry is not None:
        act.engine.enter(act.function, entry, callables, args, site)
    act.engine.held_type(act.function, spelling, site)
    if name in k.owners:
        taken = next((p for a in args for p in a if p in state.guards), None)
        if taken is not None:  # std::pair(std::move(guard), value)
            return [guards.move_guard(state, taken, made)]
        state = emptied(state, made) if not args else state
    bodies = act.program.body_of(ctor) if ctor else ()
    if not ctor and name in act.program.classes:
        written = act.lifetimes.constructor(name, len(args))
        bodies = (written,) if written is not None else ()
    if ctor and act.engine.contracts.functions:
        promised = obligations.without_body(act, state, ctor, (made,), args, made, site, made)
        if promised is not None:
            return promised
    if bodies:
        frame = Frame(tuple(args), (made,), made, site, 3)
        return [t for b in bodies for t in apply(act, state, b, frame, constructs=True)]
    if name in k.same_types and args and args[0]:
        return [state.but(env={**state.env, made: args[0]})]
    copied = len(args) == 1 and len(args[0]) == 1 and name in act.program.classes
    if copied and act.identities.class_of(args[0][0]) == name:
        return [state.but(env={**state.env, made: args[0]})]
    if act.lifetimes.constructed(name):
        return _default(act, state, made, name, site, 0)
    return [state]


def _default(
    act: Activation, state: State, path: Path, cls: str, site: Site, depth: int
) -> list[State]:
    """``C c;`` where *path* is the new object."""
    if depth > MAX_DEPTH or not act.lifetimes.constructed(cls):
        return [state]
    written = act.lifetimes.default_constructor(cls)
    if written is not None:
        return apply(act, state, written, Frame((), (path,), UNKNOWN, site, 3), constructs=True)
    return implied(act, state, path, cls, site, frozenset(), depth)


def implied(
    act: Activation,
    state: State,
    path: Path,
    cls: str,
    site: Site,
    written: frozenset[str],
    depth: int = 0,
) -> list[State]:
    """Bases and members of a new object of *cls*, but for those *written* out ([class.base.init]).

    *written* are names of bases and keys of fields.
    """
    states = [state]
    known = act.program.classes.get(cls)
    if known is None or not act.lifetimes.implied(cls):
        return states
    for base in known.bases:
        if base not in written:
            states = [t for s in states for t in _default(act, s, path, base, site, depth + 1)]
    for field in known.fields:
        if field in written or not act.lifetimes.member(field):
            continue
        start = f"nsdmi:{field}"
        if start in act.program.functions:
            frame = Frame((), (path,), UNKNOWN, site, 3)
            states = [t for s in states for t in apply(act, s, start, frame, constructs=True)]
            continue
        inner = act.program.split(act.program.type_of(field))[0]
        member = path.then(field)
        states = [t for s in states for t in _default(act, s, member, inner, site, depth + 1)]
    return states


def made_by_call(
    act: Activation, event: f.Call, state: State, result: Path, args: Sequence[Paths], site: Site
) -> list[State] | None:
    """``std::make_unique<T>(args...)`` runs a constructor of T."""
    owned = act.lifetimes.owned(event.type)
    if not owned:
        return None
    cls = act.program.split(owned[0])[0]
    starts = cls in act.knowledge.starter_types or cls in act.knowledge.guards
    if cls not in act.program.classes and not starts:
        return None
    found = construct(act, state, result, owned[0], "", args, site)
    act.identities.made_types[result.root] = event.type
    return [s.but(env={**s.env, result: (result,)}) for s in found]


# -- what owners do -------------------------------------------------------------------------------


def owner_call(
    act: Activation,
    state: State,
    method: str,
    base: Paths,
    place: Path | None,
    declared: str,
    args: Sequence[Paths],
    site: Site,
) -> list[State] | None:
    """A method of a smart pointer or container that makes or destroys what it owns.

    *place* is the variable it is called on, *declared* its type; *base* what that stands for.
    """
    if len(base) != 1:
        return None
    spelling = act.program.plain(declared or act.identities.type_of(base[0]))
    path = base[0] if place is None else place
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    if owner is None:
        return None
    if method in owner.makes:
        state = _filled(state, path)
        return _make_element(act, state, base[0], spelling, args, site)
    if method == "operator=" and path in state.guards:
        return [_filled(state, path)]  # the assignment has seen to what it held
    if method == "operator=" and args:
        for given in args[0]:
            if given.root.startswith("made:") and given != path:
                state = emptied(state, given)  # a temporary, which hands on what it owns
    if method in owner.destroys:
        within = [k for k in state.facts if _is_inside(k, path)]
        if within:  # what is erased was moved from
            state = state.but(facts={k: v for k, v in state.facts.items() if k not in within})
        elif owner.pointer and _is_entry(act, path, method) and not is_empty(state, path):
            state = _destroy_pointee(act, state, path, spelling, owner, site, 0, FRESH)
        elif owner.pointer and method == "operator=" and args and not _is_null(args[0]):
            if not is_empty(state, path):
                doubt = MAYBE if not owner.shared else ""
                state = _destroy_pointee(act, state, path, spelling, owner, site, 0, doubt, 2)
        elif not is_empty(state, path):
            end = _destroy_pointee if owner.pointer else _destroy_elements
            state = end(act, state, path, spelling, owner, site, 0)
        null = bool(args) and _is_null(args[0])
        if not null and (method == "operator=" or (method in ("reset", "assign") and args)):
            return [_filled(state, path)]
        ends = method in ("reset", "clear") or null
        return [emptied(state, path)] if ends else [state]
    return None


def _is_inside(key: object, path: Path) -> bool:
    """Whether a fact says that a part of *path* was moved from."""
    if not isinstance(key, tuple) or key[0] != "moved":
        return False
    moved = key[1]
    assert isinstance(moved, Path)
    steps = len(path.steps)
    return moved.root == path.root and moved.steps[:steps] == path.steps and moved != path


def indexed(act: Activation, state: State, base: Paths, declared: str, site: Site) -> list[State]:
    """``map[key]`` constructs the value that is not there yet."""
    spelling = act.program.plain(declared)
    name, arguments = act.program.split(spelling)
    if len(arguments) < 2 or not name.endswith("map") or len(base) != 1:
        return [state]
    value = act.program.split(arguments[1])[0]
    return _default(act, state, base[0].then(ELEMENT), value, site, 0)


def is_pointer(act: Activation, spelling: str) -> bool:
    """Whether a type is a smart pointer."""
    owner = act.knowledge.owners.get(act.program.split(act.program.plain(spelling))[0])
    return owner is not None and owner.pointer


def last(state: State, path: Path) -> State:
    """What *path* stands for may be the last owner of what it shares."""
    return state.but(facts={**state.facts, ("only", path): True})


def started(act: Activation, state: State, name: str, result: Path) -> State:
    """``std::async`` gives a future whose end waits for the function."""
    if name != "std::async":
        return state
    act.identities.made_types[result.root] = "std::future"
    return state.but(
        env={**state.env, result: (result,)}, facts={**state.facts, ("async", result): True}
    )


def _is_entry(act: Activation, path: Path, method: str) -> bool:
    """``map[key] = value``: mostly a new key, whose entry owned nothing."""
    if method != "operator=" or not path.is_one_of_many:
        return False
    steps = path.steps
    while steps and not is_element(steps[-1]):
        steps = steps[:-1]
    container = act.program.plain(act.identities.type_of(Path(path.root, steps[:-1])))
    return act.program.split(container)[0].endswith("map")


def _is_null(value: Paths) -> bool:
    return bool(value) and all(p.root.startswith("lit:") for p in value)


def emptied(state: State, path: Path) -> State:
    """The owner at *path* owns nothing from now on."""
    return state.but(facts={**state.facts, ("moved", path): True})


def is_empty(state: State, path: Path) -> bool:
    """Moved from, tested to be null, or set to null."""
    if state.facts.get(("moved", path)) or state.facts.get(path) is False:
        return True
    value = state.env.get(path, ())
    if len(value) == 1 and state.facts.get(value[0]) is False:
        return True
    return bool(value) and all(p.root in ("lit:nullptr", "lit:NULL", "lit:0") for p in value)


def _filled(state: State, path: Path) -> State:
    key = ("moved", path)
    if key not in state.facts:
        return state
    return state.but(facts={k: v for k, v in state.facts.items() if k != key})


def _make_element(
    act: Activation, state: State, base: Path, spelling: str, args: Sequence[Paths], site: Site
) -> list[State] | None:
    owned = act.lifetimes.owned(spelling)
    for each in reversed(owned[:2]):
        name = act.program.split(each)[0]
        k = act.knowledge
        known = name in act.program.classes or name in k.starter_types or name in k.guards
        if not known or _is_copy(act, name, args):
            continue
        whole = act.program.split(spelling)[0].endswith("optional")
        place = base if whole else base.then(ELEMENT)
        # A map's key comes before what its value is made of.
        return construct(act, state, place, each, "", args[len(owned) - 1 :] or args, site)
    return None


def _is_copy(act: Activation, name: str, args: Sequence[Paths]) -> bool:
    return len(args) == 1 and any(act.identities.class_of(p) == name for p in args[0])


# -- destruction ----------------------------------------------------------------------------------


def destroy(act: Activation, state: State, path: Path) -> State:
    """An object that is no known guard dies: its destructor runs, then its members'."""
    spelling = act.program.plain(act.identities.type_of(path))  # a reference keeps what it names
    if not spelling or spelling.rstrip().endswith("*"):
        return state
    if is_empty(state, path):
        return state
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    if owner is not None and owner.shared and not state.facts.get(("only", path)):
        return state  # a copy of a pointer that somebody else has as well
    return _destroy_as(act, state, path, spelling, act.site(_end(act)), 0)


def owns(act: Activation, usr: str) -> bool:
    """Whether the end of a variable is the end of something that it only points to."""
    spelling = act.program.type_of(usr)
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    return owner is not None and owner.pointer and bool(act.lifetimes.destroyed(spelling))


def _end(act: Activation) -> int:
    return act.function.end or act.function.line


def _destroy_as(
    act: Activation, state: State, path: Path, spelling: str, site: Site, depth: int
) -> State:
    if path in state.guards:
        return guards.drop_guard(act, state, path)
    if depth > MAX_DEPTH or not act.lifetimes.destroyed(spelling):
        return state
    text = spelling.strip()
    name = act.program.split(text)[0]
    owner = act.knowledge.owners.get(name)
    if owner is not None:
        if owner.pointer:
            return _destroy_pointee(act, state, path, text, owner, site, depth)
        return _destroy_elements(act, state, path, text, owner, site, depth)
    if name == "std::jthread":
        act.block_by_name(state, "std::jthread::join", (path,), site)
        return state
    if name == "std::future":
        if state.facts.get(("async", path)):  # [futures.async]/5: the last future waits
            act.block_by_name(state, "std::future::wait", (path,), site)
        return state
    if not act.lifetimes.destroyed(name):
        return state
    return _destroy_class(act, state, path, name, site, depth)


def _destroy_class(
    act: Activation,
    state: State,
    path: Path,
    cls: str,
    site: Site,
    depth: int,
    certainty: int = 3,
    why: str = "",
) -> State:
    known = act.program.classes.get(cls)
    if known is None:
        return state
    if known.dtor:
        for body in act.program.body_of(known.dtor):
            frame = Frame((), (path,), UNKNOWN, site, certainty, why)
            states = apply(act, state, body, frame)
            if states:
                state = states[0]
    for field, spelling in act.lifetimes.parts(cls):
        state = _destroy_as(act, state, path.then(field), spelling, site, depth + 1)
    for base in reversed(known.bases):
        state = _destroy_as(act, state, path, base, site, depth + 1)
    return state


def _destroy_pointee(
    act: Activation,
    state: State,
    path: Path,
    spelling: str,
    owner: Owner,
    site: Site,
    depth: int,
    doubt: str = "",
    at_most: int = 1,
) -> State:
    """What a smart pointer owns dies: by its deleter, or as what it is."""
    if path in state.guards:
        return guards.drop_guard(act, state, path)
    arguments = act.program.split(spelling)[1]
    deleters = [d for d in act.engine.deleters(path) if _deletes(act, d, arguments)]
    if arguments and act.program.split(arguments[0])[0] in act.knowledge.guards:
        return locking.release(act, state, (path.then(GUARDED),))  # made by another function
    found = state.env.get(path, ())
    path = found[0] if len(found) == 1 else path
    copy = _copy_of(act, state, path) if owner.shared else None
    if copy is not None:
        return last(state, copy)  # then that one may be
    # A pointer inside what dies is one of many to the same object more often than not.
    certainty, why = (2 if depth < 2 else 1, SHARED) if owner.shared else (3, "")
    if doubt:
        certainty, why = at_most, doubt
    deleters += [
        body
        for each in arguments[1:]
        for body in act.program.call_operators(act.program.split(each)[0])
    ]
    if deleters:
        for body in dict.fromkeys(deleters):
            frame = Frame(((path,),), (UNKNOWN,), UNKNOWN, site, certainty, why)
            states = apply(act, state, body, frame)
            state = states[0] if states else state
        return state
    pointee = act.program.split(arguments[0])[0] if arguments else ""
    classes = act.lifetimes.owned_as(pointee, owner.shared) if pointee else []
    for cls in classes:
        if act.lifetimes.destroyed(cls):
            state = _destroy_class(act, state, path, cls, site, depth, certainty, why)
    return state


def _copy_of(act: Activation, state: State, path: Path) -> Path | None:
    """A local copy of a shared pointer that lives on: its release is not the last."""
    for local, value in state.env.items():
        if local.steps or local == path or local not in state.alive:
            continue
        if any(_overlap(v, path) for v in value):
            owner = act.knowledge.owners.get(
                act.program.split(act.program.plain(act.program.type_of(local.root[2:])))[0]
            )
            if owner is not None and owner.shared:
                return local
    return None


def _overlap(a: Path, b: Path) -> bool:
    """Whether one path leads through the other; an element stands for any."""
    if a.root != b.root or not a.steps or not b.steps:
        return False
    shorter = min(len(a.steps), len(b.steps))
    return a.steps[:shorter] == b.steps[:shorter]


def _deletes(act: Activation, deleter: str, arguments: tuple[str, ...]) -> bool:
    """Whether a function can be the deleter of a pointer to the first of *arguments*."""
    function = act.program.functions.get(deleter)
    if function is None or not function.params or not arguments:
        return False
    taken = act.program.pointee(act.program.type_of(function.params[0]))
    cls = act.program.split(taken)[0]
    pointee = act.program.split(arguments[0])[0]
    if cls in ("void", "auto") or pointee in ("void", cls):
        return True
    return cls in act.program.family(pointee)


def _destroy_elements(
    act: Activation,
    state: State,
    path: Path,
    spelling: str,
    owner: Owner,
    site: Site,
    depth: int,
) -> State:
    name = act.program.split(spelling)[0]
    single = name.endswith("optional")
    for each in act.lifetimes.owned(spelling):
        inner = act.program.split(each)[0]
        interesting = act.lifetimes.destroyed(each) or inner in act.knowledge.guards
        if interesting:
            place = path if single else path.then(ELEMENT)
            state = _destroy_as(act, state, place, each, site, depth + 1)
    return state


def destroy_held(act: Activation, state: State, spelling: str, site: Site) -> None:
    """The object behind a binding of *spelling* dies: by its holder where one is named."""
    arguments = act.program.split(spelling)[1]
    holders = [a for a in arguments[1:] if act.program.split(a)[0] in act.knowledge.owners]
    path = Path(f"made:{act.function.usr}:held")
    for each in holders or arguments[:1]:
        _destroy_as(act, state, path, each, site, 0)


def delete(act: Activation, event: f.Delete, state: State) -> State:
    """``delete p``: the destructor of what p points to, virtual or not."""
    for path in act.values.of(event.value, state)[:1]:
        if path in state.guards:
            return guards.drop_guard(act, state, path)
        cls = act.identities.class_of(path)
        for each in act.program.deleted_as(cls) if cls else ():
            state = _destroy_as(act, state, path, each, act.site(event.line), 0)
    return state
