"""Variables coming to life and being assigned: where an object is known by another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp import guards, handles, ownership, unseen
from lockorder.static.interp.known import (
    Chosen,
    Emptied,
    EndWaits,
    Equal,
    LastOwner,
    Less,
    NotAll,
    Took,
    moved_fact,
)
from lockorder.static.interp.summary import State, are_numbers
from lockorder.static.interp.values import forget
from lockorder.static.parse import facts as f
from lockorder.static.parse.names import array_element
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import Path, Paths, few
from lockorder.static.program.steps import ELEMENT, Element

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


#: Values that say how something came out.
_OUTCOMES = (f.Not, f.Both, f.Compare, f.Less, f.Op, f.AnyOf, f.Result)


def declare(act: Walk, local: f.Local, state: State) -> State:
    """A variable comes to life: it takes over a temporary, moves a guard, or holds a value.

    What a closure has captured goes where the closure goes.
    """
    path = Path.of_variable(local.usr)
    act.scopes[path] = act.depth
    state = _declare(act, local, path, state)
    if path in state.guards or not act.lifetimes.closures.is_handed_on(local.usr):
        return state
    return state.but(alive=tuple(p for p in state.alive if p != path))


def _declare(act: Walk, local: f.Local, path: Path, state: State) -> State:
    _note_initialiser(act, local.value, path)
    value = _begun(local.value, act.values.of(local.value, state), state)
    if isinstance(local.value, f.Var | f.Field) and are_numbers(value):
        value = _referred(act, local, value, state)
    if are_numbers(value) and (local.usr in act.lent or _is_lock(act, local)):
        value = ()
    truth = _outcome(act, local.value, state)
    state = ownership.anew(forget(state, path), path)
    if isinstance(local.value, f.Elem):
        for each in value:
            state = ownership.anew(state, each)  # another round, another element
    if isinstance(local.value, f.AnyOf) and local.value.cond is None:
        if local.value.fields:
            return _listed(act, local.usr, path, local.value, state)
        if array_element(act.program.type_of(local.usr)):
            return _elements(act, local.usr, path, local.value, state)
    if isinstance(local.value, f.Result):
        result = act.values.result(local.value.call)
        if state.facts.get(LastOwner(result)):
            state = ownership.last(state, path)
    if isinstance(local.value, (f.Made, f.Result, f.AnyOf)) and len(value) == 1:
        temporary = value[0]
        if temporary.is_made and not temporary.steps:
            owns = _owns(act, local.usr)
            if owns:
                return act.lives(rename(state, temporary, path), path)
    if len(value) == 1 and value[0] in state.guards and not _takes_over(act, local.usr, value[0]):
        act.engine.found.takes_nothing.add(act.site(local.line, local.column)[:3])
    elif len(value) == 1 and value[0] in state.guards:
        return act.lives(guards.move_guard(state, value[0], path), path)
    given = len(value) == 1 and value[0] != path and not _is_reference(act, local.usr)
    if given and guards.has_inside(state, value[0]):  # a container that is moved
        state = ownership.emptied(guards.move_inside(state, value[0], path), value[0])
        return act.lives(ownership.filled(state, path), path)
    env = dict(state.env)
    if value and value != (path,):
        env[path] = value
        if local.usr in act.identities.captured and not value[0].steps and len(value) == 1:
            act.identities.kept_in.setdefault(value[0].root, local.usr)
    else:
        env.pop(path, None)
    state = state.but(env=env)
    moved = given and _is_moved(act, local, path, state)
    if moved and Emptied(value[0]) in state.facts:
        state = state.but(facts={**state.facts, Took(path): True})
    spelling = act.program.type_of(local.usr)
    own = isinstance(local.value, f.Result) and ownership.ends_alone(act, spelling)
    if moved or own or ownership.owns(act, local.usr):
        state = act.lives(state, path)
    if isinstance(local.value, f.Result):
        state = _kept_status(state, act.values.result(local.value.call), path)
    return _told(act, local.value, truth, path, state)


def _listed(act: Walk, usr: str, path: Path, listed: f.AnyOf, state: State) -> State:
    """``Thing thing{a, b}`` without a constructor: each member begins as what is listed for it."""
    state = _new(path, state)
    for field, told in zip(listed.fields, listed.values, strict=False):
        value = act.values.of(told, state)
        if are_numbers(value) and _refers_to_number(act, act.program.type_of(field), told):
            value = act.values.places(told, state)
        elif are_numbers(value):
            value = value if usr not in act.lent else ()  # by other names it may be written to
        state = lent(act, field, told, state)
        if value:
            state = _stored(state, path.then(field), value)
    ends = act.lifetimes.destroyed(act.program.type_of(usr))
    return act.lives(state, path) if ends else state


def _elements(act: Walk, usr: str, path: Path, listed: f.AnyOf, state: State) -> State:
    """``Thing *all[] = {a, b}``: each element begins as what is listed for it."""
    state = _new(path, state)
    objects: list[Path] = []
    for number, told in enumerate(listed.values):
        value, place = act.values.of(told, state), path.then(Element(str(number)))
        if len(value) == 1 and value[0] in state.guards:
            state = guards.move_guard(state, value[0], place)
        elif value and not are_numbers(value):
            objects.extend(value)
            state = _stored(state, place, value)
    if objects:
        state = _stored(state, path.then(ELEMENT), few(objects, act.cut))
    ends = act.lifetimes.destroyed(act.program.type_of(usr))
    return act.lives(state, path) if ends else state


def _new(path: Path, state: State) -> State:
    """*state* in which nothing is known of what is in the object at *path*."""
    return state.but(env={p: v for p, v in state.env.items() if not p.is_within(path)})


def _outcome(act: Walk, value: f.Value | None, state: State) -> bool | None:
    return act.values.known(value, state) if isinstance(value, _OUTCOMES) else None


def _told(act: Walk, value: f.Value | None, truth: bool | None, place: Path, state: State) -> State:
    """What is known of a condition or a result is known of the *place* that it is kept in."""
    if not isinstance(value, _OUTCOMES):
        return state
    facts = dict(state.facts)
    if truth is not None:
        facts[place] = truth
    if isinstance(value, f.Result):
        result = act.values.result(value.call)
        for fact, known in state.facts.items():
            if isinstance(fact, (Equal, Less)) and result in fact[:2]:
                facts[fact.moved(lambda p: place if p == result else p)] = known
            elif isinstance(fact, Chosen) and fact.place == result:
                facts[fact._replace(place=place)] = known
            elif isinstance(fact, NotAll) and fact.names(result):
                facts[fact.moved(lambda p: place if p == result else p)] = known
    return state.but(facts=facts) if facts != state.facts else state


def _referred(act: Walk, local: f.Local, value: Paths, state: State) -> Paths:
    """What a reference or pointer to a number is bound to: the number's place."""
    assert isinstance(local.value, f.Var | f.Field)
    if _refers_to_number(act, act.program.type_of(local.usr), local.value):
        return act.values.places(local.value, state)
    return value


def _refers_to_number(act: Walk, kind: str, told: f.Value) -> bool:
    """Whether what has type *kind* refers to the variable *told*, and does not copy its value."""
    if not isinstance(told, f.Var | f.Field):
        return False
    kind, told_kind = kind.rstrip(), act.program.type_of(told.usr).rstrip()
    return kind.endswith("&") or (kind.endswith("*") and not told_kind.endswith(("*", "* const")))


def lent(act: Walk, field: str, told: f.Value, state: State) -> State:
    """A member refers to a variable from now on: what is in that may change by this name."""
    if not _refers_to_number(act, act.program.type_of(field), told):
        return state
    for place in act.values.places(told, state):
        if are_numbers(state.env.get(place, ())):
            state = _stored(forget(state, place), place, ())
    return state


def _begun(told: f.Value | None, value: Paths, state: State) -> Paths:
    """Of the temporaries that ``?:`` makes, the one that this way made: guards tell."""
    made = isinstance(told, f.AnyOf) and all(isinstance(v, f.Made | f.Result) for v in told.values)
    if not made or len(value) < 2:
        return value
    return tuple(p for p in value if p in state.guards)[:1] or value


def _is_null_owner(act: Walk, target: f.Value, value: Paths) -> bool:
    """``pointer = nullptr`` of a smart pointer: its operator sees to what it owned."""
    return _is_owner(act, target) and all(p.is_literal for p in value)


def _is_owner(act: Walk, target: f.Value, callables: bool = True) -> bool:
    """Whether a variable is a smart pointer or container, whose operator= does the rest.

    Or one of the *callables*, whose operator= ends what was in it.
    """
    if not isinstance(target, (f.Var, f.Field)):
        return False
    name = act.program.split(act.program.plain(act.program.type_of(target.usr)))[0]
    owner = act.knowledge.owners.get(name)
    return owner is not None and (callables or not owner.callable)


def _lets_go(act: Walk, target: f.Value) -> bool:
    """Whether what is assigned to a variable ends what that owned, itself or in its members."""
    if _is_owner(act, target):
        return True
    spelling = act.program.type_of(target.usr) if isinstance(target, f.Var | f.Field) else ""
    return bool(act.lifetimes.let_go(act.program.split(act.program.plain(spelling))[0]))


def _note_initialiser(act: Walk, value: f.Value | None, place: Path) -> None:
    if isinstance(value, f.Lit) and value.text.startswith(act.knowledge.recursive_initialisers):
        act.identities.make_recursive(place)


def _kept_status(state: State, result: Path, place: Path) -> State:
    """What a call returned is kept in *place*: that is what tells now whether it failed."""
    if not any(h.undo == result for h in state.held):
        return state
    held = tuple(h._replace(undo=place) if h.undo == result else h for h in state.held)
    return state.but(held=held)


def _is_reference(act: Walk, usr: str) -> bool:
    return act.program.type_of(usr).rstrip().endswith(("&", "*"))


def _owns(act: Walk, usr: str) -> bool:
    """Whether a variable is the object, and not a pointer or reference to one.

    A reference bound to a temporary keeps it alive, which comes to the same.
    """
    return not act.program.type_of(usr).rstrip().endswith("*")


def _is_moved(act: Walk, local: f.Local, path: Path, state: State) -> bool:
    """Whether *local* has from now on what another object owned, and ends that at its own end."""
    if LastOwner(path) not in state.facts:
        return False
    return bool(act.lifetimes.destroyed(act.program.plain(act.program.type_of(local.usr))))


def _takes_over(act: Walk, usr: str, guard: Path) -> bool:
    """Whether a variable has the *guard* from now on: a reference does of a temporary one."""
    temporary = guard.is_made and not guard.steps
    return _owns(act, usr) and (temporary or not _is_reference(act, usr))


def assign(act: Walk, assign: f.Assign, state: State) -> State:
    """A value is written to a place; a guard that is written to gives up what it owned."""
    value = act.values.of(assign.value, state)
    state = unseen.overlaid(act, assign.target, state)
    if are_numbers(value) and isinstance(assign.target, f.Var):
        value = _pointing(act, assign.target, assign.value, value, state)
        if are_numbers(value) and assign.target.usr in act.lent:
            value = ()
    truth = _outcome(act, assign.value, state)
    if are_numbers(value) and _is_lock(act, assign.target):
        value = ()  # it is begun, and stays the lock that it is
    if isinstance(assign.target, f.This) and len(value) == 1 and value[0] in state.guards:
        return guards.move_guard(state, value[0], act.values.this)  # its base is a guard
    target = _place(act, assign.target, state)
    if target is None:
        return _into_element(act, assign.target, value, state)
    if isinstance(assign.target, f.Field):
        state = _into_member(act, assign.target.usr, assign.value, target, state)
    if isinstance(assign.target, f.Var | f.Field) and act.values.is_volatile(assign.target.usr):
        value = ()
    # Its operator= comes next and has to know what it finds there.
    was_empty = _lets_go(act, assign.target) and ownership.is_empty(state, target)
    state = handles.replaced(act, assign, target, value, state)
    through = _pointed_at(act, assign, value, state)
    if len(through) > 1:  # one of them, and the others keep what they have
        value = ()
    for place in through:
        told = () if place.variable in act.lent else value
        state = _stored(forget(state, place), place, told)
    if through:
        return state
    state = forget(state, target)
    if was_empty:
        state = ownership.emptied(state, target)
    _note_initialiser(act, assign.value, target)
    if len(value) == 1 and value[0] in state.guards and not _is_address(act, assign.target, value):
        if target in state.guards and value[0] != target:
            state = guards.drop_guard(act, state, target)
        return guards.move_guard(state, value[0], target)
    made = len(value) == 1 and value[0].is_made and not value[0].steps
    lasting = isinstance(assign.target, f.Field) or (
        not target.steps and act.program.is_lasting(target.variable)
    )
    goes = lasting or act.program.split(act.identities.type_of(target))[0] in act.knowledge.ends
    if made and isinstance(assign.value, f.Made) and goes:
        if _is_owner(act, assign.target, False):
            return state
        library = act.identities.class_of(value[0]) not in act.program.classes
        state = rename(state, value[0], target)
        return ownership.emptied(state, value[0]) if library else state  # it was moved from
    if len(value) == 1 and isinstance(assign.value, f.Result):
        local = isinstance(assign.target, f.Var) and not act.program.is_lasting(target.variable)
        if local and EndWaits(target) not in state.facts:
            state = ownership.ends_later(state, value[0], target)  # a future that was empty
    env = dict(state.env)
    if value and value != (target,) and not _is_null_owner(act, assign.target, value):
        env[target] = value
    else:
        env.pop(target, None)
    if isinstance(assign.value, f.Result):
        state = _kept_status(state, act.values.result(assign.value.call), target)
    return _told(act, assign.value, truth, target, state.but(env=env))


def _into_member(act: Walk, field: str, told: f.Value, target: Path, state: State) -> State:
    """A member is written to, perhaps while its object is locked."""
    if state.held:
        act.engine.found.changed(target.owner, field, state.held)
    return lent(act, field, told, state)


def _into_element(act: Walk, target: f.Value, value: Paths, state: State) -> State:
    """``locks[i] = std::unique_lock(mutex)``: the element has the guard's lock from now on."""
    if len(value) != 1 or value[0] not in state.guards:
        return state
    places = act.values.of(target, state) if isinstance(target, f.Elem | f.Result) else ()
    if len(places) != 1 or not places[0].is_one_of_many:
        return state
    container = places[0].owner
    return guards.move_guard(ownership.filled(state, container), value[0], places[0])


def _is_lock(act: Walk, target: f.Value | f.Local) -> bool:
    """Whether *target* is a lock, as in ``pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER``."""
    return isinstance(target, f.Var | f.Field | f.Local) and act.identities.holds_lock(target.usr)


def _is_address(act: Walk, target: f.Value, value: Paths) -> bool:
    """Whether a pointer or reference is set to where a variable is: that stays what it is there."""
    if not isinstance(target, f.Var | f.Field) or not value[0].is_variable:
        return False
    if isinstance(target, f.Field) and act.program.type_of(target.usr).rstrip().endswith("&"):
        return True
    if not act.program.type_of(target.usr).rstrip().endswith("*"):
        return False
    there = act.identities.type_of(value[0]).rstrip()
    # A pointer can itself be what has a lock; one to a guard only leads to it.
    return not there.endswith("*") or _is_guard(act, act.program.pointee(there))


def _is_guard(act: Walk, spelling: str) -> bool:
    return act.program.split(act.program.plain(spelling))[0] in act.knowledge.guards


def _pointing(act: Walk, target: f.Var, told: f.Value, value: Paths, state: State) -> Paths:
    """What a pointer is set to: the number's place, and not its *value*."""
    pointer = act.program.type_of(target.usr).rstrip().endswith("*")
    if pointer and _refers_to_number(act, act.program.type_of(target.usr), told):
        return act.values.places(told, state)
    return value


def _pointed_at(act: Walk, assign: f.Assign, value: Paths, state: State) -> Paths:
    """The numbers that ``*pointer = value`` writes to, where that is known: facts have no ``*``.

    A number is no address, so it goes to where the pointer points.
    """
    if not isinstance(assign.target, f.Var) or not all(_is_number(p) for p in value):
        return ()
    if not act.program.type_of(assign.target.usr).rstrip().endswith("*"):
        return ()
    found = state.env.get(Path.of_variable(assign.target.usr), ())
    known = (p for p in found if p.is_variable or p.is_this)
    return tuple(p for p in known if not act.identities.type_of(p).rstrip().endswith("*"))


def _is_number(path: Path) -> bool:
    return path.is_literal and path.literal not in ("nullptr", "NULL")


def _stored(state: State, place: Path, value: Paths) -> State:
    env = dict(state.env)
    if value:
        env[place] = value
    else:
        env.pop(place, None)
    return state.but(env=env)


def _place(act: Walk, target: f.Value, state: State) -> Path | None:
    """The one place that an assignment writes to."""
    if isinstance(target, f.Var):
        found = act.values.places(target, state)
        return found[0] if len(found) == 1 else None
    if isinstance(target, f.Field):
        bases = act.values.of(target.base, state)
        return bases[0].then(target.usr) if len(bases) == 1 else None
    if isinstance(target, f.Elem):
        bound = act.values.places(target, state)
        return bound[0] if len(bound) == 1 else None
    return None


def rename(state: State, old: Path, new: Path) -> State:
    """The object made as *old* is from now on known as *new*."""

    def moved(path: Path) -> Path:
        return Path(new.root, new.steps + path.steps) if path.root == old.root else path

    def moved_lock(what: Holdable) -> Holdable:
        return moved(what) if isinstance(what, Path) else what

    if old.steps:
        return state
    env = {}
    for path, value in state.env.items():
        if path.root == old.root and not path.steps:
            continue  # the temporary's own entry
        env[moved(path)] = tuple(moved(p) for p in value)
    env.pop(new, None)
    facts = {moved_fact(k, moved): v for k, v in state.facts.items()}
    guards = {
        moved(p): g._replace(paths=tuple(moved(q) for q in g.paths))
        for p, g in state.guards.items()
    }
    held = tuple(
        h._replace(path=moved_lock(h.path), guard=moved(h.guard) if h.guard is not None else None)
        for h in state.held
    )
    return state.but(env=env, guards=guards, held=held, facts=facts)
