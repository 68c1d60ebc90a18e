"""Which lock a function returns for which arguments, where its callers know something of these.

``lane(n)`` returns one lock for numbers in its table, another one for all others.  What is so of a
parameter at each ``return`` is told of the caller's argument: the result is that lock only where
this is so.  A state in which one of them is taken knows what must have been so, and another call
for a number that is known to be higher, say, cannot return each of them any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lockorder.static.interp import conditions, correlated
from lockorder.static.interp.clauses import assumed, followed
from lockorder.static.interp.known import TESTED, Chosen, Fact, compared
from lockorder.static.interp.summary import Choice, State, Summary
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import UNKNOWN, Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Jump, Walk


# -- of a function --------------------------------------------------------------------------------


def of(act: Walk, returned: Iterable[Jump]) -> tuple[Choice, ...]:
    """What is so of parameters wherever the function returns each of several objects."""
    if not _refers(act, act.function.usr) or act.function.usr in act.engine.group:
        return ()
    found: dict[Path, frozenset[tuple[Fact, bool]]] = {}
    for jump in returned:
        if not jump.value or any(p.is_literal for p in jump.value):
            return ()
        here = frozenset(_of_parameters(act, jump.state))
        for path in jump.value:
            found[path] = found[path] & here if path in found else here
    if len(found) < 2 or not any(found.values()):
        return ()
    return tuple(Choice(path, needed) for path, needed in found.items())


def _refers(act: Walk, usr: str) -> bool:
    return act.program.result_of(usr).rstrip().endswith(("&", "*"))


def _of_parameters(act: Walk, state: State) -> Iterator[tuple[Fact, bool]]:
    """What *state* knows of the numbers and flags that the function was given."""
    for fact, truth in state.facts.items():
        if not isinstance(fact, TESTED):
            continue
        asked = [p for p in compared(fact) if not p.is_literal]
        if asked and all(
            act.is_constant(p) and conditions.is_plain(act.program, p.variable) for p in asked
        ):
            yield fact, truth


# -- at a call ------------------------------------------------------------------------------------


def told(act: Walk, event: f.Call, before: State, after: State) -> State:
    """*after* a call of such a function, with what must be so for each object that it returns."""
    target, result = event.target, act.values.result(event.id)
    if len(after.env.get(result, ())) < 2 or not isinstance(target, f.Fn) or event.virtual:
        return after
    bodies = act.program.body_of(target.usr)
    if len(bodies) != 1 or not _refers(act, bodies[0]):
        return after
    summary = act.summary_of(bodies[0])
    names = _objects(act, target, summary, before) if summary.choices else {}
    given = _given(act, bodies[0], event, before) if names else {}
    facts: dict[Fact, bool] = {}
    for path, needed in summary.choices if given else ():
        for fact, truth in needed:
            if all(p.is_literal or p in given for p in compared(fact)):
                here = given_as(fact, given)
                facts[Chosen(result, names[path], here, truth)] = True
    if not facts:
        return after
    act.chooses = True
    return after.but(facts={**after.facts, **facts})


def given_as(fact: Fact, given: dict[Path, Path]) -> Fact:
    """*fact*, of parameters, as one of what these are *given*."""
    if isinstance(fact, Path):
        return given[fact]
    return fact.moved(lambda path: given.get(path, path))


def _objects(act: Walk, target: f.Fn, summary: Summary, state: State) -> dict[Path, Path]:
    """What the caller calls each object that is returned; nothing where two may be the same."""
    base = act.values.of(target.base, state) if target.base is not None else ()
    found: dict[Path, Path] = {}
    for path in summary.returns:
        if path.is_this and len(base) == 1:
            found[path] = Path(base[0].root, (*base[0].steps, *path.steps))
        elif path.is_variable and not act.engine.is_parameter(path):
            found[path] = path
        else:
            return {}
    return found if len(set(found.values())) == len(found) else {}


def _given(act: Walk, body: str, event: f.Call, state: State) -> dict[Path, Path]:
    """What facts call the arguments, by parameter: those that only change where this shows."""
    found: dict[Path, Path] = {}
    for usr, value in zip(act.program.functions[body].params, event.args, strict=False):
        term = act.values.term(value, state) if conditions.is_lasting(act.values, value) else None
        if isinstance(term, Path):
            found[Path.of_variable(usr)] = term
    return found


# -- where the object is used ---------------------------------------------------------------------


def parted(act: Walk, event: f.Call | f.Make, state: State) -> list[tuple[State, Paths]]:
    """*state* without objects that cannot be what *event* is about, by what is known by now.

    One for each of those that are left, where it takes a lock: with all of them then.  What gives
    it up, or gives it up for a while, by the same name means the same one.
    """
    states: list[tuple[State, Paths]] = [(state, ())]
    takes = takes_a_lock(act, event)
    for place in _places(act, event) if takes or act.chooses or correlated.choices(act) else ():
        states = [
            (each, (*others, *left))
            for s, others in states
            for each, left in _parted(act, correlated.decided(act, place, s), place, takes)
        ]
    return states


def _parted(act: Walk, state: State, place: Path, takes: bool) -> list[tuple[State, Paths]]:
    needed: dict[Path, list[Chosen]] = {}
    for fact in state.facts:
        if isinstance(fact, Chosen) and fact.place == place:
            needed.setdefault(fact.path, []).append(fact)
    value = state.env.get(place, ())
    if len(value) < 2 or not (needed or (takes and all(map(_is_object, value)))):
        return [(state, ())]
    ways = {path: way for path in value if (way := _where(state, needed.get(path, ()))) is not None}
    if not ways:
        return [(state, ())]
    left = tuple(ways)
    if not takes and len(ways) > 1:
        return [(state.with_value(place, left), ())]
    others = left if len(left) > 1 else ()
    return [
        (correlated.learned(act, place, path, way.with_value(place, (path,))), others)
        for path, way in ways.items()
    ]


def _is_object(path: Path) -> bool:
    return path.is_object and path != UNKNOWN


def _where(state: State, needed: Iterable[Chosen]) -> State | None:
    """*state* where all that is needed is so; None where that cannot be."""
    here: State | None = state
    for each in needed:
        here = assumed(here, each.needed, each.so) if here is not None else None
    return None if here is None else followed(here)


def _places(act: Walk, event: f.Call | f.Make) -> list[Path]:
    """Results and variables that the object and the arguments of *event* come from."""
    target = event.target if isinstance(event, f.Call) else None
    base = target.base if isinstance(target, f.Fn | f.Name) else None
    found: dict[Path, None] = {}
    for value in (base, *event.args):
        while isinstance(value, f.Field | f.Elem | f.Whole):
            value = value.base
        if isinstance(value, f.Result):
            found[act.values.result(value.call)] = None
        elif isinstance(value, f.Var):
            found[Path.of_variable(value.usr)] = None
    return list(found)


def takes_a_lock(act: Walk, event: f.Call | f.Make) -> bool:
    """Whether *event* takes a lock, by what is known of its library."""
    k = act.knowledge
    if isinstance(event, f.Make):
        guard = k.guards.get(act.program.split(event.type)[0])
        return guard is not None and not guard.inverse
    name = act.program.called(event)
    function = k.functions.get(name)
    if function is not None:
        return function.acquires is not None and function.releases is None
    cls, _, method = name.rpartition("::")
    operation = k.operation(cls, method) if cls else None
    return operation is not None and operation.what == "acquire"
