"""What a call found when it began: tests of members that nothing had written to before.

A guard of one's own gives its lock up if a flag says that it has it.  Its caller knows the flag
where it made the guard, or has called what clears the flag: of the ways in which the call can end,
those are left that fit what the caller knows.

A test is of what callers know if it comes before every write to the member in the function's text,
and no loop around it writes to the member.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lockorder.static.interp import conditions, ownership
from lockorder.static.interp.asked import Answer
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import AtFirst, Fact, Runs
from lockorder.static.interp.summary import Outcome, Premise, Site, State, Summary
from lockorder.static.interp.translation import Translation
from lockorder.static.interp.values import number_truth
from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.facts import parts, walk
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import member
from lockorder.static.program.written import passing

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


#: Where a call may write to whatever there is.
ANYTHING = "*"
#: Before the key of a variable or member that a call has got, or that a method may have changed.
HANDED = "handed:"


def tested(
    act: Walk, branch: f.If | f.Switch, condition: f.Value | None, truth: bool, state: State
) -> State:
    """*state* on one way of a branch, with what that says of the members as they were at first.

    There *condition* is *truth*.
    """
    written = first_writes(act).get(id(branch))
    if written is None:
        return state
    found: dict[Fact, bool] = {
        AtFirst(premise.path, premise.literal): premise.truth
        for value, literal, is_true in _tests(condition, truth)
        if value.usr not in written
        for premise in _premise(act, value, literal, is_true, state)
    }
    return state.but(facts={**state.facts, **found}) if found else state


def premises(state: State) -> frozenset[Premise | Runs]:
    """What was so at first, on this way; what is behind the members of tables is so at any time."""
    found: list[Premise | Runs] = []
    for fact, truth in state.facts.items():
        if isinstance(fact, AtFirst):
            found.append(Premise(fact.path, fact.literal, truth))
        elif isinstance(fact, Runs):
            found.append(fact)
    return frozenset(found)


def fitting(act: Walk, state: State, summary: Summary, names: Translation) -> Summary:
    """*summary* without ways of coming back that do not fit what is known in *state*."""
    if len(summary.outcomes) < 2 or not any(o.premises for o in summary.outcomes):
        return summary
    left = tuple(
        o for o in summary.outcomes if all(_fits(act, state, p, names) for p in o.premises)
    )
    if not left or len(left) == len(summary.outcomes):
        return summary
    return summary.coming_back(left)


def _fits(act: Walk, state: State, premise: Premise | Runs, names: Translation) -> bool:
    if isinstance(premise, Runs):
        return act.engine.may_run(state, premise)
    return _known(act, state, premise, names) in (None, premise.truth)


def _known(act: Walk, state: State, premise: Premise, names: Translation) -> bool | None:
    """Whether a premise's test is true in the caller, as far as it knows."""
    found = {_is(act, state, path, premise) for path in names.paths(premise.path)}
    return found.pop() if len(found) == 1 else None


def _is(act: Walk, state: State, path: Path, premise: Premise) -> bool | None:
    if not premise.literal and ownership.is_empty(state, path):
        return False
    if premise.literal:
        return conditions.is_number(state, path, Path.of_literal(premise.literal))
    if path.is_literal:
        return number_truth(path.literal)
    known = state.facts.get(path)
    last = premise.path.last if premise.path.steps else premise.path.variable
    if known is None and act.program.is_indirect(act.program.type_of(last)):
        spelling = act.identities.type_of(path)
        if spelling and not act.program.is_indirect(spelling):
            return True  # the address of an object
    return known


def _tests(condition: f.Value | None, truth: bool) -> Iterator[tuple[f.Field, str, bool]]:
    """Members that *condition* is about, what they are compared with (or nothing), and whether
    that is so where *condition* is *truth*."""
    if isinstance(condition, f.Not):
        yield from _tests(condition.value, not truth)
    elif isinstance(condition, f.Both) and condition.either != truth:
        yield from _tests(condition.left, truth)
        yield from _tests(condition.right, truth)
    elif isinstance(condition, f.Field):
        yield condition, "", truth
    elif isinstance(condition, f.Compare):
        condition = conditions.turned(condition)
        if isinstance(condition.left, f.Field) and isinstance(condition.right, f.Lit):
            literal = condition.right.text
            same = truth == condition.equal
            if literal in ("nullptr", "NULL", "false", "0"):
                yield condition.left, "", not same
            elif literal == "true":
                yield condition.left, "", same
            elif literal:
                yield condition.left, numbers.plain(literal), same


def _premise(
    act: Walk, value: f.Field, literal: str, truth: bool, state: State
) -> Iterator[Premise]:
    places = act.values.places(value, state)
    if len(places) == 1 and len(places[0].steps) == 1:
        path = places[0]
        if path.is_this or act.engine.is_parameter(path):
            yield Premise(path, literal, truth)


def _single(paths: Paths) -> Paths:
    """What is one certain object: of one of several nobody knows which was found so."""
    return paths if len(paths) == 1 else ()


def carried(act: Walk, site: Site, outcome: Outcome, names: Translation) -> dict[Fact, bool]:
    """What a callee found at first was so at first here, too, if nothing wrote to it before."""
    runs = [p for p in outcome.premises if isinstance(p, Runs)]
    act.running.update(dict.fromkeys(runs))
    told: dict[Fact, bool] = dict.fromkeys(runs, True)
    tests = [p for p in outcome.premises if isinstance(p, Premise)]
    written = first_writes(act).get((site.line, site.column)) if tests else None
    if written is None:
        return told
    return told | {
        AtFirst(path, literal): truth
        for premise, literal, truth in tests
        for path in _single(names.paths(premise))
        if len(path.steps) == 1
        and path.steps[0] not in written
        and (path.root == act.values.this.root or act.engine.is_argument(act.function, path))
    }


def answer(act: Walk, state: State, callee: str, frame: Frame) -> None:
    """Say what *callee*, which is called in *state*, asks its callers."""
    engine = act.engine
    if engine.is_draft:
        return
    if not engine.is_walked(callee):
        engine.asked.opened(callee)  # what it asks is not known yet
        return
    questions = engine.asked.questions(callee)
    if not questions:
        return
    names = Translation(act, state, callee, frame)
    known, asks = set(), set()
    for path, literal in questions:
        truth = _known(act, state, Premise(path, literal, True), names)
        if truth is not None:
            known.add(((path, literal), truth))
            continue
        there = names.paths(path)
        if len(there) == 1 and is_as_at_first(act, frame.site, there[0]):
            asks.add(((path, literal), (there[0], literal)))
    found = Answer(act.function.usr, frozenset(known), frozenset(asks), act.at_first(state))
    engine.asked.answer(callee, found)


def is_as_at_first(act: Walk, site: Site, path: Path) -> bool:
    """Whether nothing has written to *path* from the function's begin to a call at *site*."""
    if act.is_constant(path):
        return True
    written = first_writes(act).get((site.line, site.column))
    if written is None or len(path.steps) > 1 or ANYTHING in written:
        return False
    if path.root == act.values.this.root and path.steps:
        known = act.program.classes.get(act.function.cls)
        if known is None or member(path.steps[0]) not in known.fields:
            return False  # what callees write to is not known of others
    elif path.steps or not act.engine.is_argument(act.function, path):
        return False
    usr = member(path.steps[0]) if path.steps else path.variable
    return usr not in written and HANDED + usr not in written


def owning(act: Walk, state: State, site: Site, path: Path) -> tuple[State, tuple[Fact, ...]]:
    """*state* in which the owner at *path* has something that a call at *site* ends.

    If it is as it was at first it had that when the function began: a fact that is new then.
    """
    fact = AtFirst(path, "")
    if fact in state.facts or not is_as_at_first(act, site, path):
        return state, ()
    return state.but(facts={**state.facts, fact: True}), (fact,)


def first_writes(act: Walk) -> dict[object, frozenset[str]]:
    """By branch, and by place of a call: the members that may have been written to before."""
    if act.first_writes is None:
        act.first_writes = {}
        if any(isinstance(s, f.If | f.Switch | f.Call) for s in walk(act.function.body)):
            _follow(act, act.function.body, set(), act.first_writes)
    return act.first_writes


def _follow(
    act: Walk, block: f.Block, written: set[str], found: dict[object, frozenset[str]]
) -> None:
    before: f.Stmt | None = None
    assigned = frozenset[str]()  # what was written to before an assignment
    for statement in block.body:
        if isinstance(statement, f.Loop | f.Label):
            return  # what comes round again is not followed
        if isinstance(statement, f.If | f.Switch):
            found[id(statement)] = frozenset(written)
        for part in parts(statement):
            _follow(act, part, written, found)
        if isinstance(statement, f.Assign | f.Written):
            assigned = frozenset(written)
            if isinstance(statement.target, f.Field):
                written.add(statement.target.usr)
            elif isinstance(statement.target, f.Var):
                written.add(HANDED + statement.target.usr)
        elif isinstance(statement, f.Call):
            target = statement.target
            bodies = act.program.body_of(target.usr) if isinstance(target, f.Fn) else ()
            own = isinstance(before, f.Assign) and _is_operator(target, before.target)
            found[statement.line, statement.column] = assigned if own else frozenset(written)
            for body in bodies:
                written.update(_written_by(act, body))
            written.update(_handed(act, statement))
        elif isinstance(statement, f.Make):
            written.update(HANDED + usr for arg in statement.args for usr in _named(arg))
        before = statement


def _is_operator(target: f.Value, assigned: f.Value) -> bool:
    """Whether a call is the operator= of what was just assigned to."""
    return isinstance(target, f.Fn | f.Name) and target.base == assigned


def _handed(act: Walk, call: f.Call) -> Iterator[str]:
    """Keys of what a call gets or a method may change, where nobody looks at which it does."""
    target = call.target
    own = isinstance(target, f.Name) and target.base == f.This()
    if own or not isinstance(target, f.Fn | f.Name):
        yield ANYTHING
    elif call.virtual and isinstance(target, f.Fn):
        for body in act.program.overriders(target.usr):
            yield from _written_by(act, body)
    for argument in call.args:
        yield from (HANDED + usr for usr in _named(argument))
    base = target.base if isinstance(target, f.Fn | f.Name) else None
    if isinstance(base, f.Var | f.Field) and not _only_looks(act, target):
        yield HANDED + base.usr


def _named(value: f.Value) -> Iterator[str]:
    if isinstance(value, f.Var | f.Field):
        yield value.usr
    elif isinstance(value, f.AnyOf):
        for each in value.values:
            yield from _named(each)


def _only_looks(act: Walk, target: f.Value) -> bool:
    """Whether a method leaves its object as it is: it is declared ``const``."""
    if not isinstance(target, f.Fn) or target.usr not in act.program.decls:
        return False
    return not passing(act.program, target.usr)[0]


def _written_by(act: Walk, body: str) -> Iterator[str]:
    """Members of the own class that a callee may write to."""
    perhaps = act.engine.written.perhaps.get(body, 0)
    known = act.program.classes.get(act.function.cls)
    for field in known.fields if perhaps and known is not None else ():
        if act.engine.written.has(perhaps, (field,)):
            yield field
