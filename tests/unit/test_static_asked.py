"""What callers answer when they are asked whether something can happen in a call."""

from __future__ import annotations

from lockorder.bounds import QUESTIONS, Cuts
from lockorder.static.interp.asked import Answer, Asked
from lockorder.static.interp.summary import Premise
from lockorder.static.program.paths import Path

FLAG = Path.of_variable("flag"), ""
OTHER = Path.of_variable("other"), ""
SET = frozenset((Premise(*FLAG, True),))


def _answer(
    caller: str,
    known: bool | None = None,
    asks: bool = False,
    needs: frozenset[Premise] = SET - SET,
) -> Answer:
    told = frozenset() if known is None else frozenset(((FLAG, known),))
    return Answer(caller, told, frozenset(((FLAG, OTHER),)) if asks else frozenset(), needs)


def _may_be(asked: Asked, *entered: str) -> bool:
    return asked.may_be("callee", SET, lambda function: function in entered)


def test_one_caller_is_enough() -> None:
    """Callers that know better are outvoted by one that lets it be so, or does not know."""
    asked = Asked(Cuts())
    asked.answer("callee", _answer("one", known=False))
    assert not _may_be(asked)
    asked.answer("callee", _answer("two"))
    assert _may_be(asked)


def test_the_question_is_handed_on() -> None:
    """A caller that hands its own parameter on is believed what its callers know."""
    asked = Asked(Cuts())
    asked.answer("callee", _answer("middle", asks=True))
    assert list(asked.questions("middle")) == [OTHER]
    asked.answer("middle", Answer("top", frozenset(((OTHER, False),)), frozenset(), frozenset()))
    assert not _may_be(asked)
    asked.answer("middle", Answer("top", frozenset(((OTHER, True),)), frozenset(), frozenset()))
    assert _may_be(asked)


def test_what_the_caller_needs_itself() -> None:
    """A call that happens only where the caller's flag is not set cannot hand on that it is."""
    asked = Asked(Cuts())
    asked.answer("callee", _answer("middle", asks=True, needs=frozenset((Premise(*OTHER, False),))))
    assert not _may_be(asked)


def test_who_is_entered_otherwise() -> None:
    """Threads, callbacks and callers that could not be asked do not answer: perhaps."""
    asked = Asked(Cuts())
    assert _may_be(asked)
    asked.answer("callee", _answer("one", known=False))
    assert _may_be(asked, "callee")
    asked.opened("callee")
    assert _may_be(asked)


def test_callers_that_call_each_other() -> None:
    """A ring of callers that only hand the question round does not let it be so."""
    asked = Asked(Cuts())
    asked.answer("callee", Answer("callee", frozenset(), frozenset(((FLAG, FLAG),)), frozenset()))
    assert not _may_be(asked)


def test_the_bound_is_told() -> None:
    """Where too many would have to be asked the answer is perhaps, and the cut is noted."""
    cuts = Cuts()
    asked = Asked(cuts)
    callee = "callee"
    for number in range(QUESTIONS.limit + 1):
        caller = f"caller{number}"
        asked.answer(callee, Answer(caller, frozenset(), frozenset(((FLAG, FLAG),)), frozenset()))
        callee = caller
    asked.answer(callee, _answer("top", known=False))
    assert _may_be(asked)
    assert [bound for bound, _ in cuts.rows()] == [QUESTIONS]
