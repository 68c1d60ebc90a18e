"""What is known of an owner: whether it owns anything, and whether it is the last to do so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.knowledge.schema import End
from lockorder.static.interp.known import Emptied, EndWaits, Fact, Inside, LastOwner, Over, Took
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import ELEMENT

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


#: Marks that concern one object, and nothing that has its name afterwards.
_MARKS = (LastOwner, Took, EndWaits, Emptied)


def has_nothing(act: Walk, value: f.Value | None) -> bool:
    """Whether *value* is a pointer or a thread that nothing is ever put into, or leads through one.

    No call is made through such a one.
    """
    if isinstance(value, f.Result):
        call = act.values.calls.get(value.call)
        target = call.target if call is not None else None
        if not isinstance(target, f.Fn) or call is None:
            return False
        through = act.program.method_called(call) in act.knowledge.same_methods
        return through and has_nothing(act, target.base)
    return isinstance(value, f.Var | f.Field) and value.usr in act.identities.vacant


def on_nothing(act: Walk, event: f.Call, state: State) -> list[State] | None:
    """*state* after a call on what nothing is ever put into; None for any other call.

    What it asks is answered, and nothing is done.
    """
    base = event.target.base if isinstance(event.target, f.Fn | f.Name) else None
    if base is None or not act.identities.vacant or not has_nothing(act, base):
        return None
    k, name, spelling = act.knowledge, act.program.called(event), ""
    if isinstance(base, f.Var | f.Field):
        spelling = act.program.plain(act.program.type_of(base.usr))
    own = name.rpartition("::")[2] in k.same_methods and points(act, spelling)
    null = own or name in k.says_whether or name in k.gives_up
    result = act.values.result(event.id)
    return [state.with_value(result, (Path.of_literal("nullptr"),) if null else ())]


def gives_up(act: Walk, spelling: str, method: str) -> bool:
    """Whether a method of an object of that type, a smart pointer, hands on what it owns."""
    cls = act.program.split(act.program.plain(spelling))[0]
    return f"{cls}::{method}" in act.knowledge.gives_up


def points(act: Walk, spelling: str) -> bool:
    """Whether an object of that type is a smart pointer."""
    owner = act.knowledge.owners.get(act.program.split(act.program.plain(spelling))[0])
    return owner is not None and owner.pointer


def end_of(act: Walk, spelling: str) -> End | None:
    """How the end of an object of that type waits, where it does."""
    return act.knowledge.ends.get(act.program.split(act.program.plain(spelling))[0])


def last(state: State, path: Path) -> State:
    """What *path* stands for may be the last owner of what it shares."""
    return state.but(facts={**state.facts, LastOwner(path): True})


def emptied(state: State, path: Path) -> State:
    """The owner at *path* owns nothing from now on."""
    facts = {**state.facts, Emptied(path): True}
    if facts.get(path):
        del facts[path]  # it had something
    return state.but(facts=facts)


def is_empty(state: State, path: Path) -> bool:
    """Moved from, tested to be null, or set to null."""
    if state.facts.get(Emptied(path)) or state.facts.get(path) is False:
        return True
    of_all = Emptied(path.owner), Emptied(path, True)
    if path.steps[-1:] == (ELEMENT,) and any(fact in state.facts for fact in of_all):
        return True
    value = state.env.get(path, ())
    if len(value) == 1 and state.facts.get(value[0]) is False:
        return Took(path) not in state.facts
    return bool(value) and all(p.literal in NULLS for p in value)


def is_nothing(state: State, path: Path) -> bool:
    """Whether what is at *path* owns nothing; of elements, whether none of them does."""
    if path.steps[-1:] == (ELEMENT,):
        return Emptied(path.owner) in state.facts or Emptied(path, True) in state.facts
    return Emptied(path) in state.facts


def is_null_argument(state: State, argument: Path) -> bool | None:
    """Whether a pointer that a call is given is null, where that is known.

    What is moved into the call owns nothing here any more; there it does.
    """
    if argument.is_made and state.facts.get(Emptied(argument)):
        return True
    known = state.facts.get(argument)
    return None if known is None else not known


def filled(state: State, path: Path) -> State:
    stale: list[Fact] = [
        k
        for k in (Emptied(path), Emptied(path.then(ELEMENT)), Emptied(path.then(ELEMENT), True))
        if k in state.facts
    ]
    stale += [k for k in state.facts if isinstance(k, Over) and k.path.is_within(path)]
    if state.facts.get(path) is False:
        stale.append(path)
    return state.without(stale)


def anew(state: State, path: Path) -> State:
    """Another object has the name *path* from now on, in the next round of a loop, say."""
    return state.without([k for mark in _MARKS if (k := mark(path)) in state.facts])


def over(state: State, waited: Paths) -> State:
    """What runs behind the futures *waited* has ended: their own end waits no more."""
    return state.without([k for p in waited if (k := EndWaits(p)) in state.facts])


def ends_later(state: State, path: Path, target: Path) -> State:
    """What *path* waits for at its end is waited for at the end of *target*, which has it now."""
    if EndWaits(path) not in state.facts:
        return state
    state = state.without([EndWaits(path)])
    return state.but(facts={**state.facts, EndWaits(target): True})


def put_inside(act: Walk, state: State, made: Path, args: list[f.Value]) -> State:
    """A copy of an owner that may be the last goes into the object *made* (a pair, say)."""
    places = [act.place(a) for a in args]
    kept = [p for p in places if p is not None and state.facts.get(LastOwner(p))]
    if not kept:
        return state
    facts = dict(state.facts)
    for place in kept:
        facts[Inside(made, place)] = True
    return state.but(facts=facts)


def copied(act: Walk, state: State, target: Path, args: list[f.Value]) -> State:
    """*args* are copied to *target*: of what lives longer, the copy is the last and not they.

    A temporary hands on what it owns, and the end of an element that was copied ends nothing.
    """
    for value in args:
        element = _shared_element(act, state, value)
        if element is not None and not element.is_within(target):
            state = emptied(state, element)
        for path in _sources(act, state, value):
            if target == path or not _outlives(state, target, path):
                continue
            facts = {k: v for k, v in state.facts.items() if k != LastOwner(path)}
            state = state.but(facts=facts)
            if target in state.alive:
                state = last(filled(state, target), target)
        if isinstance(value, f.Made):
            state = emptied(state, act.values.made(value.make))
        elif isinstance(value, f.Result):
            made = act.values.result(value.call)
            if state.env.get(made) == (made,) and not _gives_up(act, made):
                state = emptied(state, made)
    return state


def _gives_up(act: Walk, path: Path) -> bool:
    """Whether the end of what is at *path* gives locks up: where that lives on is not followed."""
    return any(
        outcome.released
        for usr in act.lifetimes.destroyed(act.identities.type_of(path))
        if usr in act.program.functions
        for outcome in act.summary_of(usr).outcomes
    )


def _shared_element(act: Walk, state: State, value: f.Value) -> Path | None:
    """The element that *value* is, of a container of pointers that share what they own.

    Of a map it is an element's value.
    """
    paths = act.values.of(value, state) if isinstance(value, f.Var | f.Elem | f.Field) else ()
    if len(paths) != 1 or container_of(act, paths[0]) is None:
        return None
    name = act.program.split(act.program.plain(_spelling(act, value, paths[0])))[0]
    owner = act.knowledge.owners.get(name)
    return paths[0] if owner is not None and owner.pointer and owner.shared else None


def _spelling(act: Walk, value: f.Value, path: Path) -> str:
    """The type of *value*, which is at *path*: in ``auto &[a, b] = pair`` a part of the pair."""
    part = value.index if isinstance(value, f.Elem) else None
    if isinstance(part, f.Lit) and isinstance(value, f.Elem) and isinstance(value.base, f.Var):
        return act.program.element_type(act.program.type_of(value.base.usr), part.text)
    return act.identities.type_of(path)


def container_of(act: Walk, path: Path) -> Path | None:
    """The container of which *path* is all that an element has that could end.

    That is the element itself, or a map's value.
    """
    if path.steps[-1:] == (ELEMENT,):
        return path.owner
    if path.steps[-2:-1] != (ELEMENT,):
        return None
    container = path.owner.owner
    kind = act.program.split(act.program.plain(act.identities.type_of(container)))[0]
    return container if act.knowledge.is_map(kind) else None


def _sources(act: Walk, state: State, value: f.Value) -> list[Path]:
    """Owners that may be the last, and that *value* is or has a copy of."""
    place = act.place(value)
    if place is not None:
        return [place] if state.facts.get(LastOwner(place)) else []
    if not isinstance(value, f.Made):
        return []
    made = act.values.made(value.make)
    return [k.path for k in state.facts if isinstance(k, Inside) and k.owner == made]


def _outlives(state: State, target: Path, path: Path) -> bool:
    """Whether *target* dies after the local *path*: it is older, or no local object at all."""
    place = target.base
    if place not in state.alive or path not in state.alive:
        return True
    return state.alive.index(place) < state.alive.index(path)


def owns(act: Walk, usr: str) -> bool:
    """Whether the end of a variable is the end of something that it only points to."""
    spelling = act.program.type_of(usr)
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    return owner is not None and owner.pointer and bool(act.lifetimes.destroyed(spelling))


def ends_alone(act: Walk, spelling: str) -> bool:
    """Whether the end of an object of that type, by value, ends all that it has: nothing shares it.

    Guards are none of these: they give up what they have at their own places.
    """
    if not spelling or spelling.rstrip()[-1:] in ("&", "*"):
        return False
    return bool(act.lifetimes.destroyed(spelling)) and not _shares(act, spelling)


def _shares(act: Walk, spelling: str) -> bool:
    name, arguments = act.program.split(act.program.plain(spelling))
    owner = act.knowledge.owners.get(name)
    shared = owner is not None and (owner.shared or owner.callable)
    return shared or any(_shares(act, a) for a in arguments)


def is_null(value: Paths) -> bool:
    return bool(value) and all(p.is_literal for p in value)
