"""Threads that were waited for: nobody waits for one of them again.

``stop()`` waits for its worker if that still runs, and so does the destructor, which calls it once
more.  After the first call the second one finds what the first one left: either the thread was
waited for, or there was nothing to wait for, and neither has changed since.  That holds for a wait
whose function asks nothing but its object, and only sets what it asks to one number, so that
calling it again does nothing new.  A thread that is waited for on every way is over for any wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import conditions
from lockorder.static.interp.evaluations import operands
from lockorder.static.interp.known import Over, Place
from lockorder.static.interp.summary import Site, State, Unended
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.written import passing

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def is_over(state: State, thread: Path, place: Place) -> bool:
    """Whether *thread* was waited for, on every way or by a wait at *place*."""
    return Over(thread) in state.facts or Over(thread, place) in state.facts


def are_over(state: State, paths: Paths, site: Site) -> bool:
    """Whether nobody has to wait for the threads at *paths* any more, at *site*."""
    return bool(paths) and all(is_over(state, path, place_of(site)) for path in paths)


def waited(act: Walk, state: State, paths: Paths, site: Site) -> State:
    """*state* after a wait for the threads at *paths*, in the function itself."""
    if len(paths) != 1 or not _is_named(act, paths[0]):
        return state
    path, place = paths[0], place_of(site)
    if _is_asked_alone(act, path):
        act.waited[path, place] = None
    if path.is_one_of_many:
        return state
    return state.but(facts={**state.facts, Over(path): True})


def needed(act: Walk, paths: Paths, site: Site) -> frozenset[Unended]:
    """What must be so for a wait for *paths* at *site* to happen."""
    if len(paths) != 1 or not _is_named(act, paths[0]):
        return frozenset()
    return frozenset((Unended(paths[0], place_of(site)),))


def place_of(site: Site) -> Place:
    """Where a wait stands."""
    return site.function, site.line, site.column


def waited_for(act: Walk, states: Sequence[State]) -> frozenset[Over]:
    """What callers know of threads after a call that ends in one of *states*."""
    first, *others = states
    over = {fact for fact in first.facts if isinstance(fact, Over) and _is_named(act, fact.path)}
    for other in others:
        over = {fact for fact in over if fact in other.facts}
    if act.engine.starts_threads(act.function.usr):
        return frozenset(over)
    return frozenset(over.union(Over(path, place) for path, place in act.waited))


def as_before(before: State, after: State) -> State:
    """*after*, where no thread is known to be over that was not so in *before*."""
    new = {k for k in after.facts if isinstance(k, Over) and k not in before.facts}
    return after.without(new)


def after_call(act: Walk, state: State, callee: str) -> State:
    """*state* after *callee*, which may have started a thread, or set what stands for one."""
    over = [fact for fact in state.facts if isinstance(fact, Over)]
    if not over:
        return state
    written = act.engine.written
    perhaps = written.perhaps.get(callee, 0)
    starts = act.engine.starts_threads(callee)
    stale = {o for o in over if starts or written.is_put(perhaps, o.path.declarations)}
    return state.without(stale)


def anew(state: State) -> State:
    """*state* after a thread was started: which one is not asked."""
    return state.without([fact for fact in state.facts if isinstance(fact, Over)])


def _is_named(act: Walk, path: Path) -> bool:
    """Whether callers know the object by a name, too."""
    if path.is_plain or path.is_unknown:
        return False
    return path.root == act.values.this.root or act.engine.nameable(act.function, path)


# -- what a function asks -------------------------------------------------------------------------


def _is_asked_alone(act: Walk, path: Path) -> bool:
    """Whether the function asks nothing but the object that *path* is in, and counts nothing."""
    if any(usr != path.variable for usr in act.function.params):
        return False
    globally = act.program.is_lasting(path.variable)
    known = act.asks_itself.get(globally)
    if known is None:
        known = act.asks_itself[globally] = _sets_once(act, act.function, globally, set())
    return known


def _sets_once(act: Walk, function: f.Function, globally: bool, seen: set[str]) -> bool:
    """Whether a function sets each number to one constant at most, and its conditions do, too.

    Where the thread is in a global, so may be what it asks and sets: they are as one object.
    """
    seen.add(function.usr)
    set_to: dict[str, str] = {}
    calls: dict[int, f.Call] = {}
    for statement in f.walk(function.body):
        if isinstance(statement, f.Assign) and isinstance(statement.target, f.Field | f.Var):
            usr = statement.target.usr
            if not _is_number(act, usr) or not _is_kept(act, statement.target):
                continue
            text = statement.value.text if isinstance(statement.value, f.Lit) else ""
            if not _is_constant(text) or set_to.setdefault(usr, text) != text:
                return False
        elif isinstance(statement, f.Call):
            calls[statement.id] = statement
            if not _only_sets(act, statement):
                return False
            if act.program.called(statement) in act.knowledge.atomics:
                set_to.update(dict.fromkeys(_asked_of(act, statement), ""))
    conditions_there = (
        s.cond for s in f.walk(function.body) if isinstance(s, f.If | f.Loop | f.Switch)
    )
    asked = set[int]()
    numbers = set[str]()
    for condition in conditions_there:
        numbers.update(_numbers(act, function, condition, calls))
        elses = {usr for usr in _variables(condition) if _is_elses(act, usr)}
        if elses and not (globally and elses <= set_to.keys()):
            return False
        asked.update(_results(condition))
    written = act.engine.written
    if any(written.has(written.anywhere, (usr,)) for usr in numbers - set_to.keys()):
        return False  # others set it in between
    locals_there = (s for s in f.walk(function.body) if isinstance(s, f.Local | f.Assign))
    asked.update(r for s in locals_there for r in _results(s.value))
    for number in asked & calls.keys():
        target = calls[number].target
        for body in act.program.body_of(target.usr) if isinstance(target, f.Fn) else ():
            if body in seen:
                continue
            if not _sets_once(act, act.program.functions[body], globally, seen):
                return False
    return True


def _numbers(
    act: Walk, function: f.Function, condition: f.Value | None, calls: Mapping[int, f.Call]
) -> Iterator[str]:
    """Members that a condition asks, at once or as a local was set to what they are."""
    pending = list(f.parts_of(condition)) if condition is not None else []
    seen = set[str]()
    for value in pending:  # which grows meanwhile
        if isinstance(value, f.Field) and _is_number(act, value.usr):
            yield value.usr
        elif isinstance(value, f.Result) and value.call in calls:
            yield from _asked_of(act, calls[value.call])
        elif isinstance(value, f.Var) and value.usr not in seen:
            seen.add(value.usr)
            for s in f.walk(function.body):
                own = isinstance(s, f.Local) and s.usr == value.usr
                if own or (isinstance(s, f.Assign) and s.target == value):
                    told = s.value if isinstance(s, f.Local | f.Assign) else None
                    pending.extend(f.parts_of(told) if told is not None else ())


def _asked_of(act: Walk, call: f.Call) -> Iterator[str]:
    """The member that a function of a library reads or sets in one step."""
    base = call.target.base if isinstance(call.target, f.Fn) else None
    if isinstance(base, f.Field) and _is_number(act, base.usr):
        yield base.usr


def _is_kept(act: Walk, target: f.Field | f.Var) -> bool:
    """Whether a later call finds what is written there."""
    return isinstance(target, f.Field) or act.program.is_lasting(target.usr)


def _only_sets(act: Walk, call: f.Call) -> bool:
    """Whether a call of a function of a library leaves in a number of its own nothing but a
    constant, if it writes to one."""
    target = call.target
    if not isinstance(target, f.Fn) or act.program.body_of(target.usr):
        return True
    known = act.knowledge.atomics.get(act.program.name_of(target.usr))
    if known is not None:
        given = call.args[known.sets] if known.sets is not None else None
        return given is None or (isinstance(given, f.Lit) and _is_constant(given.text))
    base = target.base
    if not isinstance(base, f.Field) or not _is_atomic(act, base.usr):
        return True
    return not passing(act.program, target.usr)[0]  # declared const: it looks


def _is_atomic(act: Walk, usr: str) -> bool:
    cls = act.program.split(act.program.plain(act.program.type_of(usr)))[0]
    return any(name.rpartition("::")[0] == cls for name in act.knowledge.atomics)


def _is_number(act: Walk, usr: str) -> bool:
    return conditions.is_plain(act.program, usr) or _is_atomic(act, usr)


def _is_constant(text: str) -> bool:
    return text not in ("", "%")


def _is_elses(act: Walk, usr: str) -> bool:
    """Whether a variable is no part of the object, and can change."""
    variable = act.program.variables.get(usr)
    known = variable is not None and variable.kind in ("global", "static")
    return known and not act.program.type_of(usr).startswith("const ")


def _variables(value: f.Value | None) -> Iterator[str]:
    """Keys of the variables that *value* is made of."""
    return (v.usr for v in operands(value) if isinstance(v, f.Var))


def _results(value: f.Value | None) -> Iterator[int]:
    """Numbers of the calls whose results *value* is made of."""
    for each in operands(value):
        if isinstance(each, f.Result):
            yield each.call
        elif isinstance(each, f.AnyOf):
            for one in each.values:
                yield from _results(one)
