"""What had to be so at first for something to happen in a call, and which callers rule that out.

An order of two globals is told where it arises, and so is a lock that is taken again: no caller is
needed to name them.  A caller may still know that the way to it is never gone: it hands in a
constant, or has tested what the callee tests.  Something is told if one caller lets all of it be
so, whose own callers do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from lockorder.bounds import QUESTIONS, Cuts
from lockorder.static.interp.summary import Needs, Premise
from lockorder.static.program.paths import Path

Question = tuple[Path, str]

#: Why something is left out.
EXCLUDED = "every caller knows that it does not come to this"


class Answer(NamedTuple):
    """What a caller says at a call: what it knows, and what the other questions are there.

    It comes there only if *needs* were so when it began itself.
    """

    caller: str
    known: frozenset[tuple[Question, bool]]
    asks: frozenset[tuple[Question, Question]]
    needs: frozenset[Premise]


class Asked:
    """Questions that functions have of their callers, and the answers."""

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts
        self._questions: dict[str, set[Question]] = {}
        self._answers: dict[str, set[Answer]] = {}
        #: Functions of which a call is not known like this.
        self._open: set[str] = set()

    def ask(self, function: str, premises: Iterable[Premise]) -> None:
        """Something in *function* happens only if *premises* are so."""
        for path, literal, _ in premises:
            self._questions.setdefault(function, set()).add((path, literal))

    def questions(self, function: str) -> Collection[Question]:
        """What *function* wants to know of each call."""
        return self._questions.get(function, ())

    def answer(self, callee: str, answer: Answer) -> None:
        """A call of *callee*."""
        self._answers.setdefault(callee, set()).add(answer)
        self.ask(answer.caller, (Premise(*question, True) for _, question in answer.asks))

    def opened(self, callee: str) -> None:
        """*callee* is called by somebody who could not be asked."""
        self._open.add(callee)

    def may_be(
        self, function: str, premises: frozenset[Premise], is_entered: Callable[[str], bool]
    ) -> bool:
        """Whether some call of *function* may find all *premises* so."""
        start = function, premises
        seen, pending = {start}, [start]
        while pending:
            if len(seen) > QUESTIONS.limit:
                self._cuts.note(QUESTIONS, function)
                return True
            here, wanted = pending.pop()
            answers = self._answers.get(here)
            if not wanted or not answers or here in self._open or is_entered(here):
                return True
            for answer in answers:
                further = _further(answer, wanted)
                if further is not None and (answer.caller, further) not in seen:
                    seen.add((answer.caller, further))
                    pending.append((answer.caller, further))
        return False


def _further(answer: Answer, wanted: frozenset[Premise]) -> frozenset[Premise] | None:
    """What must be so when the caller begins; None where *wanted* cannot be so at this call."""
    known, asks = dict(answer.known), dict(answer.asks)
    found = {(path, literal): truth for path, literal, truth in answer.needs}
    for path, literal, truth in wanted:
        if known.get((path, literal), truth) != truth:
            return None
        question = asks.get((path, literal))
        if question is not None and found.setdefault(question, truth) != truth:
            return None
    return frozenset(Premise(*question, truth) for question, truth in found.items())


def premises_of(needs: Needs) -> frozenset[Premise]:
    """The premises among the conditions of something that happens."""
    return frozenset(need for need in needs if isinstance(need, Premise))
