"""Conditions over questions: simplified, and still the same truth as the formula they come from."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.ranks.conditions import (
    FALSE,
    TRUE,
    Condition,
    ask,
    both,
    constant,
    either,
    negated,
)

A, B = ask("a"), ask("b", True, "b is small")
QUESTIONS = "abc"


def answers(**truths: bool) -> Callable[[Condition], bool]:
    return lambda question: truths[question.key]


def test_constants() -> None:
    assert constant(True) is TRUE
    assert constant(False) is FALSE
    assert (TRUE.text, FALSE.text) == ("True", "False")


def test_constants_decide_without_a_question() -> None:
    assert both(FALSE, A) is FALSE
    assert both(A, FALSE) is FALSE
    assert both(TRUE, A) is A
    assert both(A, TRUE) is A
    assert either(TRUE, A) == TRUE
    assert either(A, TRUE) == TRUE
    assert either(FALSE, A) == A
    assert either(A, FALSE) == A
    assert negated(TRUE) == FALSE


def test_not_twice_is_nothing() -> None:
    assert negated(negated(A)) is A
    assert negated(A) != A


def test_a_question_twice_is_one() -> None:
    assert both(A, A) is A
    assert either(A, A) == A


def test_a_formula_has_one_name() -> None:
    """The same formula has the same name, another one another."""
    assert both(A, B).key == both(A, B).key
    assert len({both(A, B).key, either(A, B).key, negated(A).key, A.key, B.key}) == 5


def test_what_differs_spreads() -> None:
    assert not A.differs
    for formula in (B, negated(B), both(A, B), either(B, A)):
        assert formula.differs
    assert not both(A, negated(ask("c"))).differs


@pytest.mark.parametrize(("a", "b"), list(itertools.product((False, True), repeat=2)))
def test_truth_tables(a: bool, b: bool) -> None:
    asked = answers(a=a, b=b)
    assert both(A, B).holds(asked) is (a and b)
    assert either(A, B).holds(asked) is (a or b)
    assert negated(A).holds(asked) is (not a)
    assert A.holds(asked) is a


def test_only_what_matters_is_asked() -> None:
    """What stands behind a false ``and`` is no question of the program."""
    asked: list[str] = []

    def answer(question: Condition) -> bool:
        asked.append(question.key)
        return False

    both(A, B).holds(answer)
    assert asked == ["a"]
    TRUE.holds(answer)
    assert asked == ["a"]


def test_a_long_name_is_cut() -> None:
    long, longer = ask("x" * 200), ask("x" * 200 + "y")
    assert len(both(A, long).key) < 100
    assert both(A, long).key != both(A, longer).key


def test_a_large_formula_becomes_a_question() -> None:
    """It keeps what it is called, how it is written, and whether ranks may answer differently."""
    formula = B
    for i in range(40):
        formula = both(formula, ask(f"q{i}"))
    assert formula.size <= 62
    kinds = set()
    todo = [formula]
    while todo:
        one = todo.pop()
        kinds.add((one.kind, one.key[:1]))
        todo += one.parts
    assert ("ask", "a") in kinds, "no formula was folded"
    assert formula.differs


Formula = tuple[object, ...]
formulas: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from(QUESTIONS)),
        st.tuples(st.just("const"), st.booleans()),
    ),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(("and", "or")), inner, inner),
    ),
    max_leaves=8,
)


def built(formula: Formula) -> Condition:
    kind = formula[0]
    if kind == "ask":
        return ask(str(formula[1]))
    if kind == "const":
        return constant(bool(formula[1]))
    parts = [built(p) for p in formula[1:] if isinstance(p, tuple)]
    if kind == "not":
        return negated(parts[0])
    return (both if kind == "and" else either)(parts[0], parts[1])


def truth(formula: Formula, truths: dict[str, bool]) -> bool:
    """The formula by Python's own operators."""
    kind = formula[0]
    if kind == "ask":
        return truths[str(formula[1])]
    if kind == "const":
        return bool(formula[1])
    parts = [truth(p, truths) for p in formula[1:] if isinstance(p, tuple)]
    if kind == "not":
        return not parts[0]
    return all(parts) if kind == "and" else any(parts)


@given(formulas)
def test_a_built_formula_has_the_formula_s_truth_table(formula: Formula) -> None:
    condition = built(formula)
    for row in itertools.product((False, True), repeat=len(QUESTIONS)):
        truths = dict(zip(QUESTIONS, row, strict=True))
        assert condition.holds(answers(**truths)) is truth(formula, truths)


@given(formulas, formulas)
def test_one_name_is_one_truth(first: Formula, second: Formula) -> None:
    """Two formulas of one name are true for the same answers: ranks agree on them by name."""
    ours, theirs = built(first), built(second)
    if ours.text != theirs.text:
        return
    for row in itertools.product((False, True), repeat=len(QUESTIONS)):
        truths = dict(zip(QUESTIONS, row, strict=True))
        assert truth(first, truths) == truth(second, truths)
