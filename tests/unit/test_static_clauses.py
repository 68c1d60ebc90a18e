"""What of several tests is left where ways meet on which nothing, or the same, is locked."""

from __future__ import annotations

import pytest

from lockorder.bounds import Bound
from lockorder.static.interp import clauses, conditions, joining, unseen
from lockorder.static.interp.known import Among, AtFirst, Equal, Fact, NotAll, compared, is_void
from lockorder.static.interp.summary import State
from lockorder.static.interp.values import forget
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from walks import Walking, walking

FLAG, OTHER, MODE = (Path.of_variable(name) for name in ("flag", "other", "mode"))
Facts = dict[Fact, bool]


def no_cut(bound: Bound) -> None:
    raise AssertionError(bound)


def equal(number: int, path: Path = MODE) -> Equal:
    return Equal(path, Path.of_literal(str(number)))


def never(**truths: bool) -> NotAll:
    """``never(flag=True, other=False)``: these are not so at once."""
    return NotAll(frozenset((Path.of_variable(name), truth) for name, truth in truths.items()))


def between(states: list[Facts], *others: Facts) -> Facts:
    return clauses.between([State(facts=s) for s in states], [State(facts=o) for o in others])


LOCKED: Facts = {FLAG: True, equal(1): True}


@pytest.mark.parametrize(
    ("states", "found"),
    [
        ([{FLAG: False}, {FLAG: True, equal(1): False}], True),
        ([{FLAG: False}, {FLAG: True, equal(2): True}], True),  # which is not 1
        ([{FLAG: False}, {FLAG: False, equal(1): False}], False),  # one fact tells as much
        ([{FLAG: False}, {FLAG: True}], False),  # it may be the way on which it was locked
        ([{OTHER: False}, {equal(1): False}], False),
    ],
)
def test_what_tells_ways_from_another(states: list[Facts], found: bool) -> None:
    clause = NotAll(frozenset(LOCKED.items()))
    assert between(states, LOCKED) == ({clause: True} if found else {})


def test_the_order_of_ways_makes_no_difference() -> None:
    ways: list[Facts] = [{FLAG: False}, {FLAG: True, equal(1): False}, {equal(2): True}]
    assert between(ways, LOCKED) == between([*reversed(ways)], LOCKED) != {}


def test_only_what_can_be_asked_again() -> None:
    at_first = AtFirst(FLAG, "")
    states: list[Facts] = [{at_first: False}, {at_first: True, equal(1): False}]
    assert between(states, {at_first: True, equal(1): True}) == {}


def test_a_clause_that_is_so_on_all_ways_is_kept() -> None:
    known = never(flag=True, other=True)
    assert between([{known: True}, {FLAG: False}]) == {known: True}
    assert between([{known: True}, {known: True}]) == {known: True}
    assert between([{known: True}, {FLAG: True}]) == {}


def test_one_that_tells_as_much_is_enough() -> None:
    known = NotAll(frozenset(LOCKED.items()))
    assert between([{known: True, OTHER: True}, {known: True, OTHER: False}], LOCKED) == {
        known: True
    }


# -- what follows ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "more"),
    [
        ({FLAG: True}, {OTHER: False}),
        ({OTHER: True}, {FLAG: False}),
        ({FLAG: False}, {}),
        ({}, {}),
        ({FLAG: True, OTHER: True}, None),
    ],
)
def test_what_follows_from_a_clause(facts: Facts, more: Facts | None) -> None:
    state = State(facts={never(flag=True, other=True): True, **facts})
    found = clauses.settled(state)
    expected = None if more is None else {**state.facts, **more}
    assert (None if found is None else found.facts) == expected


def test_what_follows_from_what_follows() -> None:
    first, second = never(flag=True, other=True), never(other=False, mode=True)
    found = clauses.settled(State(facts={first: True, second: True, FLAG: True}))
    assert found is not None
    assert found.facts[MODE] is False


def test_two_that_cannot_be_both() -> None:
    first, second = never(flag=True, other=True), never(flag=True, other=False)
    assert clauses.settled(State(facts={first: True, second: True, FLAG: True})) is None


def test_a_write_ends_it() -> None:
    known = never(flag=True, other=True)
    assert is_void(known, FLAG)
    assert not is_void(known, MODE)
    assert forget(State(facts={known: True}), OTHER).facts == {}
    assert set(compared(known)) == {FLAG, OTHER}
    moved = known.moved(lambda path: MODE if path == FLAG else path)
    assert moved == never(mode=True, other=True)


# -- what a state tells of a fact ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "fact", "truth"),
    [
        ({equal(1): True}, equal(2), False),
        ({equal(1): False}, equal(2), None),
        ({Among(MODE, frozenset("12")): True}, equal(3), False),
        ({Among(MODE, frozenset("12")): True}, equal(1), None),
        ({Among(MODE, frozenset("12")): True}, MODE, True),
        ({Among(MODE, frozenset("01")): True}, MODE, None),
        ({MODE: False}, equal(1), False),
        ({MODE: True}, equal(1), None),
        ({FLAG: True}, FLAG, True),
        ({}, FLAG, None),
    ],
)
def test_told(facts: Facts, fact: Fact, truth: bool | None) -> None:
    assert conditions.told(State(facts=facts), fact) is truth


@pytest.mark.parametrize(("number", "truth"), [("0", (False, False)), ("1", (True, True))])
def test_told_by_what_was_assigned(number: str, truth: tuple[bool, bool]) -> None:
    state = State(env={MODE: (Path.of_literal(number),)})
    assert (conditions.told(state, MODE), conditions.told(state, equal(1))) == truth


# -- where ways meet -------------------------------------------------------------------------------

SOURCE = """
struct Queue { bool shared; int kind; std::mutex mutex; } queue;
void unseen(Queue *);
"""
ENTER = "if (q->shared) { if (q->kind == 3) q->mutex.lock(); }"
LEAVE = "if (q->shared) { if (q->kind == 3) q->mutex.unlock(); }"


def ends(body: str) -> tuple[Walking, list[State]]:
    here = walking(f"{SOURCE} void f(Queue *q, bool b) {{ {body} }}")
    return here, here.walk.block(here.function.body, [State()])


def test_nothing_is_given_up_that_was_not_taken() -> None:
    here, states = ends(ENTER + LEAVE)
    assert [(here.held(s), here.given_up(s)) for s in states] == [([], set())]


def test_a_write_between_is_seen() -> None:
    here, states = ends(f"{ENTER} q->kind = b ? 3 : 4; {LEAVE}")
    assert {"q.mutex"} in [here.given_up(s) for s in states]


def test_one_way_alone_is_joined_as_ever() -> None:
    ways: list[Facts] = [{FLAG: False}, {FLAG: True, equal(1): False}]
    (joined,) = joining.merge([State(facts=w) for w in ways], no_cut)
    assert joined.facts == {}


# -- what calls by pointers may write to -----------------------------------------------------------

TABLE = """
struct Box { int kind; }; struct Ops { void (*go)(Box *); };
static void idle(Box *) {} static void change(Box *b) { b->kind = 1; }
static Ops quiet = {idle}, busy = {change};
"""


@pytest.mark.parametrize(
    ("call", "known"),
    [("quiet.go(b)", True), ("busy.go(b)", False), ("ops->go(b)", False), ("any(b)", False)],
)
def test_what_is_known_after_a_call_by_a_pointer(call: str, known: bool) -> None:
    text = f"{TABLE} void f(Box *b, Ops *ops, void (*any)(Box *)) {{ {call}; }}"
    here = walking(text)
    state = State(facts={equal(2, here.at("b.kind")): True})
    (after,) = here.walk.block(here.function.body, [state])
    assert bool(after.facts) is known
    (called,) = here.statements(f.Call)
    handed = unseen.handed_to(here.walk, "", called.args, None, called.id, called=called.target)
    assert handed is not None
    assert handed.inside
