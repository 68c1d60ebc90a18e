"""One row of operations of a rank, for one answer to each question that its program asks."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from lockorder import bounds
from lockorder.ranks import conditions
from lockorder.ranks.conditions import Condition
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
    acts,
    exits,
)
from lockorder.ranks.values import LOCAL, MESSAGE, Comm, Const, Either, Value, differs

#: Operations of one row, and rounds of a loop of which it is known how many there are.

#: Rounds of a loop of which it is not known how many there are.
ROUNDS = 2
#: Loops of more rounds than these are shortened; of two with the same number, both alike.
FEW = 24


class Row(msgspec.Struct):
    """What a rank issues: operations and decisions; *end* is ``end``, ``fail`` or ``goes on``."""

    steps: list[Op | Decision] = []
    end: str = "end"
    #: a message decides what it does
    by_message: bool = False
    #: the questions that it has asked
    asked: set[str] = set()
    cut: bool = False

    @property
    def ops(self) -> list[Op]:
        return [s for s in self.steps if isinstance(s, Op)]


Signal = tuple[str, int]


class Answers(msgspec.Struct):
    """Answers to questions: the same for all ranks, but for one question on one rank.

    *asked* are the questions that came up, with whether the answers may differ from rank to rank.
    """

    given: dict[str, bool] = {}
    odd: str = ""
    asked: dict[str, Condition] = {}
    #: answers with which a program goes on, where nothing else is asked for
    usual: dict[str, bool] = {}

    def of(self, condition: Condition, is_odd: bool, default: bool = False) -> bool:
        self.asked.setdefault(condition.key, condition)
        truth = self.given.get(condition.key)
        if truth is None:
            # The first answer counts for all ranks, and for all that comes later.
            truth = self.usual.setdefault(condition.key, default)
        return truth != (is_odd and condition.key == self.odd)


class Flattener:
    """Makes the row of one rank."""

    def __init__(self, answers: Answers, is_odd: bool) -> None:
        self.answers, self.is_odd = answers, is_odd
        self.row = Row(steps=[], asked=set())
        self.attempts = 0

    def ask(self, condition: Condition) -> bool:
        self.row.asked.add(condition.key)
        return self.answers.of(condition, self.is_odd)

    def run(self, items: list[Item]) -> Row:
        """The row of a whole program."""
        signal = self.block(items)
        if signal is not None:
            kind = signal[0]
            self.row.end = {"raise": "fail", "fail": "fail", "goes on": "goes on"}.get(kind, "end")
        return self.row

    def block(self, items: list[Item]) -> Signal | None:
        for item in items:
            signal = self._item(item)
            if signal is not None:
                return signal
        return None

    def _item(self, item: Item) -> Signal | None:
        if isinstance(item, Op):
            return self._op(item)
        if isinstance(item, Decision):
            self.row.steps.append(item)
            return None
        if isinstance(item, Exit):
            return item.kind, item.label
        if isinstance(item, Choice):
            self._go_on(item)
            truth = item.condition.holds(self.ask)
            self.row.by_message |= MESSAGE in item.deps
            if differs(item.deps):
                text = _written(item.condition)
                self.row.steps.append(
                    Decision(
                        item.chain, truth, item.deps, text, _key(item.condition, self.answers.odd)
                    )
                )
            return self.block(item.first if truth else item.second)
        if isinstance(item, Scope):
            signal = self.block(item.body)
            return None if signal is not None and signal[1] == item.label else signal
        if isinstance(item, Loop):
            return self._loop(item)
        if isinstance(item, Attempt):
            return self._attempt(item)
        return self._may_raise(item)

    def _go_on(self, item: Choice) -> None:
        """Answer so that the program goes on, where it is free to; other answers come later."""
        wanted = _wanted(item)
        if wanted is None:
            wanted = _not_skipped(item)
        if wanted is None:
            return
        answers = self.answers
        free = [
            q.key for q in _questions(item.condition)
            if q.key not in answers.given and q.key not in answers.usual
        ]  # fmt: skip
        tries = [{}, *({k: True} for k in free), dict.fromkeys(free, True)]
        for more in tries:

            def ask(q: Condition, extra: dict[str, bool] = more) -> bool:
                known = {**answers.usual, **answers.given}
                return known.get(q.key, extra.get(q.key, False))

            if item.condition.holds(ask) == wanted:
                for key in free:
                    answers.usual[key] = more.get(key, False)
                return

    def _op(self, op: Op) -> Signal | None:
        if len(self.row.steps) >= bounds.RANK_OPERATIONS.limit:
            self.row.cut = True
            return "goes on", 0
        comm = self.resolved(op.comm)
        if isinstance(comm, Comm) and comm.asked is not None and not comm.asked.holds(self.ask):
            return None
        agreed = tuple((k, self.resolved(v)) for k, v in op.agreed)
        self.row.steps.append(
            msgspec.structs.replace(
                op, comm=comm, agreed=agreed, peer=self.resolved(op.peer), tag=self.resolved(op.tag)
            )
        )
        return None

    def resolved(self, value: Value | None) -> Value | None:
        while isinstance(value, Either):
            value = value.first if value.condition.holds(self.ask) else value.second
        return value

    def _loop(self, item: Loop) -> Signal | None:
        local = differs(item.deps)
        self.row.by_message |= MESSAGE in item.deps
        rounds = 0
        while True:
            if item.endless:
                if rounds > ROUNDS:
                    return "goes on", 0
            elif item.count is not None:
                if rounds >= _rounds(item.count):
                    break
            elif rounds or not item.at_least_once:
                at = rounds + item.less
                question = conditions.ask(f"again {item.key}#{at}", local, "the loop goes on")
                if at > ROUNDS:
                    break
                truth = at < 0 or self.answers.of(question, self.is_odd, at < ROUNDS)
                if local:
                    self.row.steps.append(
                        Decision(
                            item.chain, truth, item.deps, "one more round of the loop", question.key
                        )
                    )
                if not truth:
                    break
            rounds += 1
            signal = self.block(item.body)
            if signal is not None:
                return None if signal[1] == item.label else signal
            if self.row.cut:
                return "goes on", 0
        return self.block(item.orelse)

    def _attempt(self, item: Attempt) -> Signal | None:
        catches = item.handler is not None
        watched = catches or acts(item.final)
        self.attempts += watched
        signal = self.block(item.body)
        self.attempts -= watched
        if signal is not None and signal[0] == "raise" and item.handler is not None:
            signal = self.block(item.handler)
        if signal is not None and signal[0] in ("fail", "goes on"):
            return signal
        last = self.block(item.final)
        return last if last is not None else signal

    def _may_raise(self, item: MayRaise) -> Signal | None:
        if not self.attempts:
            return None
        where = item.chain[-1] if item.chain else None
        place = f"{where.file}:{where.line}" if where is not None else ""
        question = conditions.ask(f"raise {item.what}@{place}", True, f"{item.what} raises")
        if not self.answers.of(question, self.is_odd):
            return None
        deps = frozenset((LOCAL + f"an exception of {item.what}",))
        self.row.steps.append(Decision(item.chain, True, deps, f"{item.what} raises", question.key))
        return "raise", 0


def _questions(condition: Condition) -> list[Condition]:
    if condition.kind == "ask":
        return [condition]
    return [q for part in condition.parts for q in _questions(part)]


def _not_skipped(item: Choice) -> bool | None:
    """The truth with which a round of a loop is gone through to its end; None: with either.

    The answer counts for all rounds here, and not all of them are skipped.
    """
    first, second = (
        not acts(arm) and bool(exits(arm)) and all(kind == "continue" for kind, _ in exits(arm))
        for arm in (item.first, item.second)
    )
    return second if first != second else None


def _wanted(item: Choice) -> bool | None:
    """The truth with which a program goes on; None where it does with either."""
    first, second = _gives_up(item.first), _gives_up(item.second)
    if first != second:
        return second
    if acts(item.first) != acts(item.second):
        return acts(item.first)
    return None


def _gives_up(items: list[Item]) -> bool:
    """Whether an arm leaves without having done anything with others."""
    if not items or acts(items):
        return False
    last = items[-1]
    return isinstance(last, Exit) and last.kind in ("raise", "fail", "end", "return")


def _rounds(count: int) -> int:
    """Rounds for a loop that has *count*: as many for the same count, and other ones for others."""
    return count if count <= FEW else FEW + count % 8


def _key(condition: Condition, wanted: str) -> str:
    """The question *wanted*, where the condition asks it; else its own."""
    if condition.kind == "ask":
        return condition.key
    keys = [_key(p, wanted) for p in condition.parts]
    return wanted if wanted in keys else keys[0] if keys else ""


def _written(condition: Condition) -> str:
    if condition.kind == "ask":
        return condition.written or condition.key
    for part in condition.parts:
        text = _written(part)
        if text:
            return text
    return ""


def number(value: Value | None) -> int | None:
    """A rank or tag as a number; None where it is not known."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return int(value.value)
    return None


__all__ = ["Answers", "Callable", "Flattener", "Row", "number"]
