"""One row of operations for one answer to each question: branches, loops, attempts and exits."""

from __future__ import annotations

import pytest

from lockorder import bounds
from lockorder.model import Frame
from lockorder.ranks.conditions import Condition, ask, negated
from lockorder.ranks.effects import (
    Attempt,
    Choice,
    Decision,
    Exit,
    Item,
    Loop,
    MayRaise,
    Op,
    Scope,
)
from lockorder.ranks.flatten import FEW, ROUNDS, Answers, Flattener, Row, number
from lockorder.ranks.values import LOCAL, MESSAGE, NONE, RANK, Comm, Const, Either, Unknown

MINE = frozenset((LOCAL + "data",))
Q = ask("q", True, "q is so")


def op(name: str) -> Op:
    return Op(kind="collective", name=name, chain=())


A, B, C = op("a"), op("b"), op("c")


def choice(first: list[Item], second: list[Item], condition: Condition = Q) -> Choice:
    return Choice(condition, MINE, (), first, second)


def loop(
    body: list[Item], orelse: list[Item] | None = None, count: int | None = None,
    at_least_once: bool = False, endless: bool = False, less: int = 0, local: bool = False,
) -> Loop:  # fmt: skip
    deps = MINE if local else NONE
    return Loop(7, "k", deps, (), body, orelse or [], count, at_least_once, endless, less)


def flat(items: list[Item], odd: str = "", is_odd: bool = False, **given: bool) -> Row:
    answers = Answers(given=given, odd=odd, asked={}, usual={})
    return Flattener(answers, is_odd).run(items)


def names(row: Row) -> str:
    return "".join(o.name for o in row.ops)


# -- choices --------------------------------------------------------------------------------------


def test_a_choice_goes_as_it_is_answered() -> None:
    item = choice([A], [B])
    assert names(flat([item, C], q=True)) == "ac"
    assert names(flat([item, C], q=False)) == "bc"


def test_a_choice_of_a_rank_s_own_leaves_a_decision() -> None:
    (decision, _) = flat([choice([A], [B])], q=True).steps
    assert isinstance(decision, Decision)
    assert (decision.taken, decision.written, decision.key) == (True, "q is so", "q")


def test_a_choice_that_all_make_alike_leaves_none() -> None:
    item = Choice(ask("q"), NONE, (), [A], [B])
    assert names(flat([item], q=True)) == "a"
    assert not [s for s in flat([item], q=True).steps if isinstance(s, Decision)]


def test_the_odd_rank_answers_otherwise() -> None:
    item = choice([A], [B])
    assert names(flat([item], odd="q", is_odd=True, q=True)) == "b"
    assert names(flat([item], odd="q", is_odd=False, q=True)) == "a"
    assert names(flat([item], odd="other", is_odd=True, q=True)) == "a"


def test_negated_conditions_are_asked_by_their_question() -> None:
    item = choice([A], [B], negated(Q))
    row = flat([item], q=True)
    assert names(row) == "b"
    (decision, _) = row.steps
    assert isinstance(decision, Decision)
    assert (decision.taken, decision.key) == (False, "q")


def test_a_program_goes_on_where_it_is_free_to() -> None:
    """An arm that gives up, and one without operations, are not what is tried first."""
    assert names(flat([choice([Exit("return", 1)], []), A])) == "a"
    assert names(flat([choice([], [Exit("raise")]), A])) == "a"
    assert names(flat([choice([A], []), B])) == "ab"
    assert names(flat([choice([], [A]), B])) == "ab"


def test_an_answer_that_is_given_counts_more() -> None:
    assert names(flat([choice([Exit("return", 1)], []), A], q=True)) == ""
    assert names(flat([choice([A], []), B], q=False)) == "b"


def test_questions_are_noted() -> None:
    answers = Answers(given={}, asked={}, usual={})
    Flattener(answers, False).run([choice([A], [B]), loop([C])])
    assert {k: c.differs for k, c in answers.asked.items()} == {
        "q": True, **{f"again k#{i}": False for i in range(ROUNDS + 1)}
    }  # fmt: skip


# -- loops ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 5, FEW])
def test_a_loop_has_as_many_rounds_as_are_known(count: int) -> None:
    assert names(flat([loop([A], count=count)])) == "a" * count


def test_long_loops_are_shortened_alike() -> None:
    """Two of the same number have the same rounds, two of neighbouring numbers have not."""
    rounds = [len(flat([loop([A], count=n)]).ops) for n in (1000, 1000, 1001)]
    assert rounds[0] == rounds[1] != rounds[2]
    assert FEW <= min(rounds) <= max(rounds) < 2 * FEW


def test_a_loop_of_unknown_length_has_some_rounds() -> None:
    assert names(flat([loop([A]), B])) == "a" * ROUNDS + "b"


def test_how_often_is_a_question() -> None:
    row = Answers(given={"again k#0": False}, asked={}, usual={})
    assert names(Flattener(row, False).run([loop([A]), B])) == "b"
    row = Answers(given={"again k#1": False}, asked={}, usual={})
    assert names(Flattener(row, False).run([loop([A]), B])) == "ab"


def test_a_rank_s_own_loop_leaves_decisions() -> None:
    row = flat([loop([A], local=True)])
    taken = [s.taken for s in row.steps if isinstance(s, Decision)]
    assert taken == [True] * ROUNDS + [False]
    assert not [s for s in flat([loop([A])]).steps if isinstance(s, Decision)]


def test_the_odd_rank_has_a_round_less() -> None:
    item = loop([A], local=True)
    assert len(flat([item], odd="again k#1", is_odd=True).ops) == 1
    assert len(flat([item], odd="again k#1").ops) == ROUNDS


def test_at_least_once() -> None:
    answers = Answers(given={"again k#0": False, "again k#1": False}, asked={}, usual={})
    assert names(Flattener(answers, False).run([loop([A], at_least_once=True)])) == "a"


@pytest.mark.parametrize("less", [-1, 0, 1, 2])
def test_so_many_rounds_fewer(less: int) -> None:
    """``range(n - 1)`` beside ``range(n)``: one question for both."""
    assert len(flat([loop([A], less=less)]).ops) == ROUNDS - less


def test_an_endless_loop_goes_on() -> None:
    row = flat([loop([A], endless=True), B])
    assert set(names(row)) == {"a"}
    assert row.end == "goes on"


def test_an_endless_loop_is_left_by_a_break() -> None:
    row = flat([loop([A, choice([Exit("break", 7)], [])], endless=True), B], q=True)
    assert (names(row), row.end) == ("ab", "end")


def test_else_of_a_loop_runs_unless_it_is_broken() -> None:
    assert names(flat([loop([A], [B], count=1), C])) == "abc"
    assert names(flat([loop([A, Exit("break", 7)], [B], count=2), C])) == "ac"


def test_continue_ends_a_round() -> None:
    inner = Scope(8, [A, choice([Exit("continue", 8)], []), B])
    assert names(flat([loop([inner], count=2), C], q=True)) == "aac"
    assert names(flat([loop([inner], count=2), C], q=False)) == "ababc"


def test_return_leaves_all_loops() -> None:
    inside = loop([A, Exit("return", 3)], count=5)
    assert names(flat([Scope(3, [loop([inside], count=5), B]), C])) == "ac"


def test_a_row_is_not_without_end() -> None:
    row = flat([loop([loop([loop([A], count=24)], count=24)], count=24), B])
    assert row.cut
    assert row.end == "goes on"
    assert len(row.steps) == bounds.RANK_OPERATIONS.limit


# -- ends and attempts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "end"), [("raise", "fail"), ("fail", "fail"), ("end", "end"), ("return", "end")]
)
def test_how_a_program_ends(kind: str, end: str) -> None:
    row = flat([A, Exit(kind), B])
    assert (names(row), row.end) == ("a", end)
    assert flat([A]).end == "end"


def test_a_raise_is_caught() -> None:
    assert names(flat([Attempt([A, Exit("raise"), B], [C], []), A])) == "aca"
    assert names(flat([Attempt([A], [C], []), B])) == "ab"


def test_a_raise_that_nobody_catches_ends_the_job() -> None:
    row = flat([Attempt([Exit("raise")], None, [B]), C])
    assert (names(row), row.end) == ("b", "fail")


def test_finally_runs_at_any_end_but_the_job_s() -> None:
    for exit_ in (Exit("return", 3), Exit("break", 4), Exit("raise")):
        assert names(flat([Attempt([A, exit_], None, [B])])) == "ab"
    assert names(flat([Attempt([A, Exit("fail")], [C], [B])])) == "a"


def test_finally_that_leaves_wins() -> None:
    items: list[Item] = [
        Scope(3, [loop([Attempt([Exit("return", 3)], None, [Exit("break", 7)])], count=1), A])
    ]
    assert names(flat(items)) == "a"


def test_a_raise_in_the_handler_leaves() -> None:
    row = flat([Attempt([Exit("raise")], [A, Exit("raise")], [B]), C])
    assert (names(row), row.end) == ("ab", "fail")


RISK = MayRaise((Frame("f", "a.py", 3),), "load")


def test_what_can_fail_is_asked_only_where_it_is_caught() -> None:
    """And it does not fail where nothing else is asked for."""
    cases: list[tuple[list[Item], bool]] = [
        ([RISK, A], False),
        ([Attempt([RISK, A], [B], [])], True),
    ]
    for items, asked in cases:
        answers = Answers(given={}, asked={}, usual={})
        row = Flattener(answers, False).run(items)
        assert names(row) == "a"
        assert list(answers.asked) == (["raise load@a.py:3"] if asked else [])


def test_what_fails_on_one_rank_goes_to_its_handler() -> None:
    items: list[Item] = [Attempt([RISK, A], [B], []), C]
    row = flat(items, odd="raise load@a.py:3", is_odd=True)
    assert names(row) == "bc"
    (decision, *_) = row.steps
    assert isinstance(decision, Decision)
    assert decision.written == "load raises"
    assert decision.deps == {LOCAL + "an exception of load"}


def test_finally_with_an_operation_is_reason_enough_to_ask() -> None:
    answers = Answers(given={}, asked={}, usual={})
    Flattener(answers, False).run([Attempt([RISK], None, [A])])
    assert answers.asked
    answers = Answers(given={}, asked={}, usual={})
    Flattener(answers, False).run([Attempt([RISK], None, [])])
    assert not answers.asked


# -- operations -----------------------------------------------------------------------------------


def test_what_an_operation_names_is_chosen_by_the_answers() -> None:
    first, second = Comm("one", (0,)), Comm("two", (0, 1))
    either = Either(Q, MINE, first, second)
    root = Either(Q, MINE, Const(0), Either(negated(Q), MINE, Const(1), Const(2)))
    one = Op(
        kind="send", name="x", chain=(), comm=either, agreed=(("root", root),), peer=root, tag=root
    )
    (made,) = flat([one], q=True).ops
    assert made.comm is first
    assert [getattr(v, "value", None) for v in (made.agreed[0][1], made.peer, made.tag)] == [
        0,
        0,
        0,
    ]
    (made,) = flat([one], q=False).ops
    assert made.comm is second
    assert getattr(made.peer, "value", None) == 1


def test_who_is_not_asked_to_is_no_member() -> None:
    comm = Comm("some", None, asked=ask("member"))
    item = Op(kind="collective", name="a", chain=(), comm=comm)
    assert names(flat([item, B], member=True)) == "ab"
    assert names(flat([item, B], member=False)) == "b"


def test_what_a_message_decides_is_noted() -> None:
    by_message = Choice(ask("q"), frozenset((MESSAGE,)), (), [A], [B])
    assert flat([by_message]).by_message
    assert not flat([choice([A], [B])]).by_message


def test_numbers() -> None:
    assert number(Const(3, frozenset((RANK,)))) == 3
    assert number(Const("a")) is None
    assert number(Unknown("x")) is None
    assert number(None) is None
