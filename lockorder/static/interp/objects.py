"""Objects: what their construction does, written or not, and what their owners' methods do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.schema import GuardType, Owner
from lockorder.model import Certainty
from lockorder.static.interp import (
    destruction,
    ended,
    guards,
    obligations,
    ownership,
    premises,
    registries,
    snapshots,
)
from lockorder.static.interp.apply import apply
from lockorder.static.interp.callees import callables_of
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import Emptied, EndWaits, Fact
from lockorder.static.interp.summary import Site, State
from lockorder.static.parse import facts as f
from lockorder.static.parse.names import array_element, refers
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program.absent import TAKEN_OUT
from lockorder.static.program.paths import UNKNOWN, Path, Paths
from lockorder.static.program.steps import ELEMENT, is_element

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

MAYBE = "the pointer that is assigned to may own nothing"
FRESH = "the key may be new, and its entry owns nothing then"

# -- construction ---------------------------------------------------------------------------------


def make(act: Walk, event: f.Make, state: State) -> list[State]:
    """A construction: of a guard, of a thread, of a class with a body, or of something else."""
    act.engine.count_call(act.function, ~event.id)
    act.engine.count_call(act.function, ~event.id, resolved=True)
    made = act.values.made(event.id)
    args = [act.values.of(a, state) for a in event.args]
    site = act.site(event.line, event.column)
    source = act.place(event.args[0]) if event.moves else None
    state = ownership.anew(state, made)
    if not event.moves:
        state = ownership.put_inside(act, state, made, event.args)
    states = construct(act, state, made, event.type, event.ctor, args, site)
    if source is not None and act.program.split(event.type)[0] in act.knowledge.owners:
        states = [guards.move_inside(s, source, made) for s in states]
    gone = _taken_in(act, event) if source is None else [source]
    for path in gone:
        states = [ownership.emptied(s, path) for s in states]
    return states


def _taken_in(act: Walk, event: f.Make) -> list[Path]:
    """Temporaries that a template of a library is made of, and moves into itself.

    Such as ``return Handle(...)`` where an optional is returned: what dies there owns nothing.
    """
    name, arguments = act.program.split(event.type)
    if not arguments or name in act.program.classes or act.program.body_of(event.ctor):
        return []
    kept = {act.program.split(a)[0] for a in arguments}
    paths = [act.values.made(a.make) for a in event.args if isinstance(a, f.Made)]
    classes = [(p, act.identities.class_of(p)) for p in paths]
    return [p for p, cls in classes if cls in kept and act.program.is_movable(cls)]


def construct(
    act: Walk,
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
    if guard is None and not act.program.body_of(ctor):
        guard = _inherited(act, name)
    if guard is not None:
        return guards.construct_guard(act, state, made, guard, args, site)
    callables = callables_of(act, args)
    if name in k.starter_types:
        if callables:
            act.engine.spawn(act.function, callables, args[1:], site, made)
            state = ended.anew(state)
        return [state]
    if name in k.registers:
        registries.register(act, name, site)
    entry = k.binders.get(name)
    if entry is not None:
        act.engine.enter(act.function, entry, callables, args, site)
    act.engine.held_type(act.function, spelling, site)
    if name in k.owners:
        taken = next((p for a in args for p in a if p in state.guards), None)
        if taken is not None:  # std::pair(std::move(guard), value)
            return [guards.move_guard(state, taken, made)]
        if not args and k.owners[name].fixed:
            return _all_parts(act, state, made, spelling, site)
        if k.is_single(name) and args and not act.program.body_of(ctor):
            return [_optional(act, state, made, args[0])]
        if _is_null(args) and not _keeps_null(act, name, args):
            state = ownership.emptied(state, made)  # of nothing, or of null
    bodies = act.program.body_of(ctor) if ctor else ()
    if not ctor and name in act.program.classes:
        copies = any(act.identities.class_of(p) == name for a in args[:1] for p in a)
        written = act.lifetimes.constructor(name, len(args), copies)
        bodies = (written,) if written is not None else ()
    if ctor and act.engine.contracts.functions:
        promised = obligations.without_body(act, state, ctor, (made,), args, made, site, made)
        if promised is not None:
            return promised
    if bodies:
        frame = Frame(tuple(args), (made,), made, site)
        states = [t for b in bodies for t in apply(act, state, b, frame, constructs=True)]
        optional = k.is_single(name) and len(args) == 1
        return [_given(act, s, made, args[0]) for s in states] if optional else states
    if name in k.same_types and args and args[0] and not _keeps_null(act, name, args):
        return [state.but(env={**state.env, made: args[0]})]
    copied = len(args) == 1 and len(args[0]) == 1 and name in act.program.classes
    if copied and act.identities.class_of(args[0][0]) == name:
        return [state.but(env={**state.env, made: args[0]})]
    if args and _is_aggregate(act, name):
        return [_aggregate(act, state, made, name, args)]
    return _unseen(act, state, made, spelling, ctor, args, site)


def _unseen(
    act: Walk,
    state: State,
    made: Path,
    spelling: str,
    ctor: str,
    args: Sequence[Paths],
    site: Site,
) -> list[State]:
    """An object is made whose constructor has no body here, or is one that the compiler writes."""
    name = act.program.split(spelling)[0]
    one, element = _first(made, spelling)
    if one is not made:  # what is listed made itself
        name = act.program.split(element)[0] if not (args or refers(element)) else ""
    known = act.program.classes.get(name)
    elsewhere = one is made and known is not None and ctor in known.ctors
    if act.lifetimes.constructed(name):
        return _default(act, state, one, name, site, (), elsewhere=elsewhere)
    if not (args or elsewhere):
        state = declared_starts(act, state, one, name)
    for path in (p for a in args for p in a):
        act.engine.found.hand_out(path)
    return [state]


def _optional(act: Walk, state: State, made: Path, given: Paths) -> State:
    """*state* with an optional at *made* that is begun with what is *given*."""
    after = _given(act, state, made, given)
    if any(act.identities.class_of(p) for p in given) and after is state:
        return state.but(env={**state.env, made: given})  # another name for what it has
    return after


def _is_null(args: Sequence[Paths]) -> bool:
    """Whether a pointer is made of nothing, or of null."""
    return all(len(a) == 1 and a[0].literal in NULLS for a in args[:1])


def _keeps_null(act: Walk, name: str, args: Sequence[Paths]) -> bool:
    """Whether a shared pointer is made of null and of what ends that, which runs all the same."""
    owner = act.knowledge.owners.get(name)
    shared = owner is not None and owner.shared and len(args) > 1
    return shared and all(p.literal in NULLS for p in args[0])


def _given(act: Walk, state: State, made: Path, given: Paths) -> State:
    """*state* in which an optional at *made* has what is *given*, if that is known to be there."""
    if not given:
        return state
    names = {n for p in given for n in (act.variable_name(p), act.identities.class_of(p))}
    if len(given) == 1 and not names.isdisjoint(act.knowledge.nothings):
        return ownership.emptied(state, made)
    if any(map(act.knowledge.is_single, names)):
        return state  # of another optional
    return state.but(facts={**state.facts, made: True})


def _inherited(act: Walk, name: str) -> GuardType | None:
    """The guard that a class of the program is by its base, whose constructors it has.

    A specialisation may have another one of its own template as base, which is one class here.
    """
    pending, seen = [name], {name}
    while pending:
        known = act.program.classes.get(pending.pop(0))
        for base in known.bases if known is not None and not known.ctors else ():
            of = act.program.split(base)[0]
            if of in act.knowledge.guards:
                return act.knowledge.guards[of]
            if of not in seen:
                seen.add(of)
                pending.append(of)
    return None


def _is_aggregate(act: Walk, name: str) -> bool:
    known = act.program.classes.get(name)
    return known is not None and not (known.ctors or known.bases)


def _aggregate(act: Walk, state: State, made: Path, name: str, args: Sequence[Paths]) -> State:
    """Members take their values in order ([dcl.init.aggr])."""
    for field, value in zip(act.program.classes[name].fields, args, strict=False):
        if len(value) == 1 and value[0] in state.guards:
            state = guards.move_guard(state, value[0], made.then(field))
        elif value:
            state = state.but(env={**state.env, made.then(field): value})
    return state


def declared_starts(
    act: Walk, state: State, path: Path, cls: str, written: frozenset[str] = frozenset()
) -> State:
    """*state* in which members of the new object of *cls* at *path* begin as they are declared.

    But for those *written* by its constructor.
    """
    known = act.program.classes.get(cls)
    starts = act.program.starts
    env = dict(state.env)
    for field in known.fields if known is not None else ():
        if field in written or f"nsdmi:{field}" in act.program.functions:
            continue
        if field in starts and not act.values.is_volatile(field):
            env[path.then(field)] = (Path.of_literal(starts[field]),)
        owner = act.knowledge.owners.get(act.program.split(act.program.type_of(field))[0])
        if owner is not None and (owner.pointer or owner.single) and field not in starts:
            state = ownership.emptied(state, path.then(field))
    return state.but(env=env) if len(env) > len(state.env) else state


def _default(
    act: Walk,
    state: State,
    path: Path,
    cls: str,
    site: Site,
    within: tuple[str, ...],
    elsewhere: bool = False,
) -> list[State]:
    """``C c;`` where *path* is the new object.

    What members begin with is not known where a constructor is written *elsewhere*, unseen.
    """
    if cls in within:
        return [state]
    written = None if elsewhere else act.lifetimes.default_constructor(cls)
    if written is None and not elsewhere:
        state = declared_starts(act, state, path, cls)
    if not act.lifetimes.constructed(cls):
        return [state]
    if written is not None:
        return apply(act, state, written, Frame((), (path,), UNKNOWN, site), constructs=True)
    return implied(act, state, path, cls, site, frozenset(), (*within, cls))


def implied(
    act: Walk,
    state: State,
    path: Path,
    cls: str,
    site: Site,
    written: frozenset[str],
    within: tuple[str, ...] = (),
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
            states = [t for s in states for t in _default(act, s, path, base, site, within)]
    for field in known.managed:
        if field in written or not act.lifetimes.member(field):
            continue
        start = f"nsdmi:{field}"
        if start in act.program.functions:
            frame = Frame((), (path,), UNKNOWN, site)
            states = [t for s in states for t in apply(act, s, start, frame, constructs=True)]
            continue
        member, spelling = _first(path.then(field), act.program.type_of(field))
        inner = act.program.split(spelling)[0]
        states = [t for s in states for t in _default(act, s, member, inner, site, within)]
    return states


def _all_parts(act: Walk, state: State, made: Path, spelling: str, site: Site) -> list[State]:
    """An array, pair or tuple whose elements all begin without arguments."""
    states = [state]
    for each in act.lifetimes.owned(spelling):
        cls = act.program.split(each)[0] if not refers(each) else ""
        one = made.then(ELEMENT)
        states = [t for s in states for t in _default(act, s, one, cls, site, ())]
    return states


def _first(path: Path, spelling: str) -> tuple[Path, str]:
    """The object at *path* and its type; of an array an element, which stands for all of them."""
    while element := array_element(spelling):
        path, spelling = path.then(ELEMENT), element
    return path, spelling


def made_by_call(
    act: Walk, event: f.Call, state: State, result: Path, args: Sequence[Paths], site: Site
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
    act: Walk,
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
    named = args and base[0] in args[0]
    path = place if place is not None and named else owner_at(act, place, declared, base)
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    if owner is None:
        return None
    if owner.callable:
        return _callable_call(act, state, method, path, owner, args, site)
    if method in owner.makes:
        state = ownership.filled(state, path)
        return _make_element(act, state, base[0], spelling, args, site)
    if method == "operator=" and path in state.guards:
        return [ownership.filled(state, path)]  # the assignment has seen to what it held
    if method == "operator=" and args:
        for given in args[0]:
            if given.is_made and given != path:
                state = ownership.emptied(state, given)  # a temporary, which hands on what it owns
    if method in owner.replaces:
        return [_value_replaced(act, state, path, spelling, site)]
    if method in owner.destroys:
        if snapshots.has_all_elsewhere(act, state, path):
            return [state]
        state, begun = premises.owning(act, state, site, path)
        within = [k for k in state.facts if _is_inside(k, path)]
        all_of_them = any(isinstance(k, Emptied) and k.every for k in within)
        if within and (all_of_them or method not in owner.empties):  # what ends was moved from
            state = state.without(within)
        elif owner.pointer and _is_entry(act, path, method):
            if not (ownership.is_empty(state, path) or _is_absent(act, state, site)):
                state = destruction.destroy_pointee(
                    act, state, path, spelling, owner, site, (), FRESH
                )
        elif owner.pointer and method == "operator=" and args and not ownership.is_null(args[0]):
            if not ownership.is_empty(state, path):
                doubt = MAYBE if not owner.shared else ""
                after = destruction.destroy_pointee(
                    act, state, path, spelling, owner, site, (), doubt, Certainty.POSSIBLE
                )
                state = ended.as_before(state, after)  # the name is the new object's
        elif not ownership.is_empty(state, path) and not _still_has(act, spelling, path, args):
            end = destruction.destroy_pointee if owner.pointer else destruction.destroy_elements
            state = end(act, state, path, spelling, owner, site, ())
        state = state.without(begun)
        null = bool(args) and ownership.is_null(args[0])
        if not null and (method == "operator=" or (method in owner.fills and args)):
            return [ownership.filled(state, path)]
        ends = method in owner.empties or null
        return [ownership.emptied(state, path)] if ends else [state]
    return None


def owner_at(act: Walk, place: Path | None, declared: str, base: Paths) -> Path:
    """The owner whose method is called: the variable or member *place* if there is one.

    Of a local reference to an element, say, that element: what is known is known of that.
    """
    if place is None:
        return base[0]
    refers = declared.rstrip().endswith("&") and not act.engine.is_parameter(place)
    return base[0] if refers and len(base) == 1 else place


def _still_has(act: Walk, spelling: str, path: Path, args: Sequence[Paths]) -> bool:
    """``set.erase(pointer)``: whoever asks has a pointer of its own to what that one shared."""
    name, held = act.program.split(spelling)
    if len(args) != 1 or not args[0] or not held or act.knowledge.is_map(name):
        return False
    kind = act.program.plain(held[0])
    owner = act.knowledge.owners.get(act.program.split(kind)[0])
    if owner is None or not owner.pointer or not owner.shared:
        return False
    own = act.identities.type_of
    return all(not p.is_within(path) and act.program.plain(own(p)) == kind for p in args[0])


def _callable_call(
    act: Walk,
    state: State,
    method: str,
    path: Path,
    owner: Owner,
    args: Sequence[Paths],
    site: Site,
) -> list[State] | None:
    """What a std::function had in it ends where it is given something else, or nothing."""
    if method not in owner.destroys:
        return None
    given = args[0] if args else ()
    null = not args or ownership.is_null(given)
    null = null or (bool(given) and all(ownership.is_empty(state, p) for p in given))
    if not null:  # mostly the first that is put there; what was there before is not known
        return [ownership.filled(state, path)]
    if not ownership.is_empty(state, path):
        state = destruction.destroy_closures(act, state, path, site, ())
    state = ownership.emptied(state, path)
    return [state.but(env={**state.env, path: (Path.of_literal("nullptr"),)})]


def takes(act: Walk, method: str, base: Paths, declared: str) -> bool:
    """Whether a method of a smart pointer or container keeps copies of its arguments."""
    if len(base) != 1:
        return False
    spelling = act.program.plain(declared or act.identities.type_of(base[0]))
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    return owner is not None and (method in owner.takes or method in owner.makes)


def _is_inside(fact: Fact, path: Path) -> bool:
    """Whether a fact says that a part of *path* was moved from."""
    return isinstance(fact, Emptied) and fact.path.is_within(path) and fact.path != path


def indexed(act: Walk, state: State, base: Paths, declared: str, site: Site) -> list[State]:
    """``map[key]`` constructs the value that is not there yet."""
    spelling = act.program.plain(declared)
    name, arguments = act.program.split(spelling)
    if len(arguments) < 2 or not act.knowledge.is_map(name) or len(base) != 1:
        return [state]
    if act.program.is_indirect(arguments[1]):
        return [state]  # a null pointer is made, and no object
    value = act.program.split(arguments[1])[0]
    return _default(act, state, base[0].then(ELEMENT), value, site, ())


def started(act: Walk, state: State, name: str, result: Path) -> State:
    """``std::async`` gives a future whose end waits for the function."""
    end = act.knowledge.ends_made.get(name)
    if end is None:
        return state
    act.identities.made_types[result.root] = end.types[0]
    return state.but(
        env={**state.env, result: (result,)}, facts={**state.facts, EndWaits(result): True}
    )


def _is_entry(act: Walk, path: Path, method: str) -> bool:
    """``map[key] = value``: mostly a new key, whose entry owned nothing."""
    if method != "operator=" or not path.is_one_of_many:
        return False
    steps = path.steps
    while steps and not is_element(steps[-1]):
        steps = steps[:-1]
    container = act.program.plain(act.identities.type_of(Path(path.root, steps[:-1])))
    return act.knowledge.is_map(act.program.split(container)[0])


def _value_replaced(act: Walk, state: State, path: Path, spelling: str, site: Site) -> State:
    """``map.insert_or_assign(key, value)``: mostly a new key, whose entry owned nothing."""
    value = act.lifetimes.owned(spelling)[1:2]
    within = [k for k in state.facts if _is_inside(k, path)]
    if within or not value or ownership.is_empty(state, path) or _is_absent(act, state, site):
        return state.without(within)
    place = path.then(ELEMENT)
    return destruction.destroy_value(act, state, place, value[0], site, Certainty.GUESSED, FRESH)


def _is_absent(act: Walk, state: State, site: Site) -> bool:
    """Whether the key of the entry that is assigned to was looked for before, and is not there."""
    tests = act.engine.absent.tests(act.function, (site.line, site.column))
    if TAKEN_OUT in tests:
        return True
    return any(state.facts.get(act.values.result(call)) is truth for call, truth in tests)


def _make_element(
    act: Walk, state: State, base: Path, spelling: str, args: Sequence[Paths], site: Site
) -> list[State] | None:
    container = act.program.split(spelling)[0]
    keyed = act.knowledge.is_map(container)
    for at, each in reversed(list(enumerate(act.lifetimes.owned(spelling)[:2]))):
        name = act.program.split(each)[0]
        k = act.knowledge
        # A map's key comes before what its value is made of.
        given = args if not keyed else args[1:] if at else args[:1]
        known = name in act.program.classes or name in k.starter_types or name in k.guards
        if not known or _is_copy(act, name, given) or (keyed and not given):
            continue
        place = base if act.knowledge.is_single(container) else base.then(ELEMENT)
        return construct(act, state, place, each, "", given, site)
    return None


def _is_copy(act: Walk, name: str, args: Sequence[Paths]) -> bool:
    return len(args) == 1 and any(act.identities.class_of(p) == name for p in args[0])
