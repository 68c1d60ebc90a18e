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

from lockorder.static.interp import conditions, questions, untouched
from lockorder.static.interp.asked import Answer
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import AtFirst, Fact, Runs
from lockorder.static.interp.summary import Outcome, Premise, Site, State, Summary
from lockorder.static.interp.translation import Translation
from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.program.paths import Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def tested(
    act: Walk, branch: f.If | f.Switch, condition: f.Value | None, truth: bool, state: State
) -> State:
    """*state* on one way of a branch, with what that says of the members as they were at first.

    There *condition* is *truth*.
    """
    found: dict[Fact, bool] = {
        AtFirst(path, literal): is_true
        for value, literal, is_true in _tests(act, condition, truth)
        for path in _asked(act, value, state)
        if untouched.is_untouched(act, branch, path)
    }
    return state.but(facts={**state.facts, **found}) if found else state


def premises(act: Walk, state: State) -> frozenset[Premise | Runs]:
    """What was so at first, on this way; what is behind the members of tables is so at any time."""
    return act.at_first(state) | {fact for fact in state.facts if isinstance(fact, Runs)}


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
    here = names.paths(premise.path)
    return untouched.known(act, state, here, premise) in (None, premise.truth)


def _tests(
    act: Walk, condition: f.Value | None, truth: bool
) -> Iterator[tuple[f.Field | f.Var, str, bool]]:
    """Members that *condition* is about, what they are compared with (or nothing), and whether
    that is so where *condition* is *truth*."""
    condition = questions.behind(act, condition)
    if isinstance(condition, f.Not):
        yield from _tests(act, condition.value, not truth)
    elif isinstance(condition, f.Both) and condition.either != truth:
        yield from _tests(act, condition.left, truth)
        yield from _tests(act, condition.right, truth)
    elif isinstance(condition, f.Field | f.Var):
        yield condition, "", truth
    elif isinstance(condition, f.Compare):
        condition = conditions.turned(condition)
        left = questions.behind(act, condition.left)
        if isinstance(left, f.Field | f.Var) and isinstance(condition.right, f.Lit):
            literal = condition.right.text
            same = truth == condition.equal
            if literal in ("nullptr", "NULL", "false", "0"):
                yield left, "", not same
            elif literal == "true":
                yield left, "", same
            elif literal:
                yield left, numbers.plain(literal), same


def _asked(act: Walk, value: f.Field | f.Var, state: State) -> Paths:
    """Where the member is that a test is about, if callers may know it."""
    places = act.values.places(value, state)
    if len(places) != 1 or act.is_constant(places[0]):
        return ()
    root = places[0].base
    known = places[0].is_this or act.engine.is_parameter(root) or _is_own_flag(act, places[0])
    return places if known else ()


def _is_own_flag(act: Walk, place: Path) -> bool:
    """Whether it is in a global, and the function may set what it tests there."""
    written = act.engine.written
    perhaps = written.perhaps.get(act.function.usr, 0)
    return act.program.is_lasting(place.variable) and written.has(perhaps, place.declarations)


def _single(paths: Paths) -> Paths:
    """What is one certain object: of one of several nobody knows which was found so."""
    return paths if len(paths) == 1 else ()


def carried(act: Walk, site: Site, outcome: Outcome, names: Translation) -> dict[Fact, bool]:
    """What a callee found at first was so at first here, too, if nothing wrote to it before."""
    runs = [p for p in outcome.premises if isinstance(p, Runs)]
    act.running.update(dict.fromkeys(runs))
    told: dict[Fact, bool] = dict.fromkeys(runs, True)
    tests = [p for p in outcome.premises if isinstance(p, Premise)]
    return told | {
        AtFirst(path, literal): truth
        for premise, literal, truth in tests
        for path in _single(names.paths(premise))
        if path.steps or act.program.is_lasting(path.variable)
        if untouched.is_as_at_first(act, site, path)
    }


def of_arguments(act: Walk, outcome: Outcome, names: Translation) -> dict[Fact, bool]:
    """What a call that ended so tells of its arguments: whether a pointer was null, say."""
    found: dict[Fact, bool] = {}
    for premise in outcome.premises:
        if isinstance(premise, Runs) or premise.literal or premise.path.steps:
            continue
        asked = act.program.is_indirect(act.program.type_of(premise.path.variable))
        for path in _single(names.paths(premise.path)):
            spelling = "" if path.is_literal else act.identities.type_of(path)
            if spelling and act.program.is_indirect(spelling) == asked:
                found[path] = premise.truth  # and not the address of an object
    return found


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
        there = names.paths(path)
        truth = untouched.known(act, state, there, Premise(path, literal, True))
        if truth is not None:
            known.add(((path, literal), truth))
            continue
        if len(there) == 1 and untouched.is_as_at_first(act, frame.site, there[0]):
            asks.add(((path, literal), (there[0], literal)))
    found = Answer(act.function.usr, frozenset(known), frozenset(asks), act.at_first(state))
    engine.asked.answer(callee, found)


def owning(act: Walk, state: State, site: Site, path: Path) -> tuple[State, tuple[Fact, ...]]:
    """*state* in which the owner at *path* has something that a call at *site* ends.

    If it is as it was at first it had that when the function began: a fact that is new then.
    """
    fact = AtFirst(path, "")
    if fact in state.facts or not untouched.is_as_at_first(act, site, path):
        return state, ()
    act.owning[path] = None
    return state.but(facts={**state.facts, fact: True}), (fact,)
