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
    has_messages,
)
from lockorder.ranks.groups import UNDEFINED
from lockorder.ranks.sizes import EXCHANGED
from lockorder.ranks.values import (
    CAUGHT,
    LOCAL,
    MESSAGE,
    THREAD,
    Comm,
    Const,
    Either,
    Obj,
    Received,
    Tup,
    Value,
    differs,
)

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
    #: what messages say decides in it, or names a peer
    talked: bool = False
    #: nobody knows how often it sends or receives in a loop
    loose: bool = False
    #: there was no end to what messages say
    talks_on: bool = False

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
        if condition.pinned is not None:
            name, number = condition.pinned
            return number == conditions.pinned_to(self.given, name)
        truth = self.given.get(condition.key)
        if truth is None:
            # The first answer counts for all ranks, and for all that comes later.
            truth = self.usual.setdefault(condition.key, default)
        return truth != (is_odd and condition.key == self.odd)


class Message(msgspec.Struct, frozen=True):
    """A message that has come: from which rank of the communicator, and what it says."""

    source: int
    tag: Value | None = None
    data: Value | None = None
    count: Value | None = None
    #: of a wait for one of several: which one it was, where that is known; UNDEFINED where there
    #: was none
    index: int | None = None


class UnheardError(Exception):
    """What a rank does next is decided by a message that has not come yet."""


#: By the name of a receive: the messages that it got, in order; None is one that has not come.
Heard = dict[str, list[Message | None]]


class Flattener:
    """Makes the row of one rank.

    What messages say decides where *heard* has them; without it such questions have any answer.
    """

    def __init__(
        self, answers: Answers, is_odd: bool, heard: Heard | None = None,
        marks: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.answers, self.is_odd, self.heard, self.marks = answers, is_odd, heard, marks
        self.row = Row(steps=[], asked=set())
        self.attempts = 0
        #: how often each receive was come to; questions that messages answered, and that none did
        self.received: dict[str, int] = {}
        self.told = self.guessed = 0
        #: in a loop that does nothing with others until something has come or ended
        self.spins = False
        #: the question of what has come before which a round of a loop does nothing with others
        self.poll: Choice | None = None
        self.waited: set[str] = set()

    def ask(self, condition: Condition) -> bool:
        truth = self._told(condition)
        if truth is not None:
            self.told += 1
            self.row.talked = True
            return truth
        self.guessed += 1
        self.row.asked.add(condition.key)
        return self.answers.of(condition, self.is_odd)

    def _decided(self, condition: Condition) -> tuple[bool, bool]:
        """The truth of a condition, and whether messages, and nothing else, have told it."""
        told, guessed = self.told, self.guessed
        truth = condition.holds(self.ask)
        return truth, self.told > told and self.guessed == guessed

    def _told(self, condition: Condition) -> bool | None:
        """The answer, where a message gives it."""
        if condition.key in self.waited:
            return True
        if condition.compared is None or self.heard is None:
            return None
        how, *sides = condition.compared
        left, right = map(self.said, sides)
        found = compared(how, left, right)
        if found is None and how == "Eq" and any(map(self._is_mark, (left, right))):
            return False
        return found

    def _is_mark(self, value: Value | None) -> bool:
        """Whether some rank sends just that: what else is sent is taken to be something else."""
        return isinstance(value, Const) and repr(value.value) in self.marks

    def said(self, value: Value | None) -> Value | None:
        """*value*, or what a message says in its place."""
        value = self.resolved(value)
        if not isinstance(value, Received) or self.heard is None:
            return value
        times = self.received.get(value.receipt, 0)
        messages = self.heard.get(value.receipt, [])
        if not times:
            return value
        message = messages[times - 1] if times <= len(messages) else None
        if message is None:
            raise UnheardError
        found = part_of(message, value.part)
        self.row.talked |= found is not None
        if found is not None and value.plus:
            known = number(found)
            return Const(known + value.plus) if known is not None else value
        return value if found is None else found

    def run(self, items: list[Item]) -> Row:
        """The row of a whole program; up to a question that only a message answers."""
        try:
            signal = self.block(items)
        except UnheardError:
            self.row.end = "asks"
            return self.row
        if signal is not None:
            kind = signal[0]
            self.row.end = {"raise": "fail", "fail": "fail", "goes on": "goes on"}.get(kind, "end")
        return self.row

    def block(self, items: list[Item]) -> Signal | None:
        for at, item in enumerate(items):
            around = self.poll
            if isinstance(item, Scope) and _goes_on(items[at + 1 :]):
                self.poll = poll_of([item])
            signal = self._item(item)
            self.poll = around
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
            if item is self.poll:
                return self._waited_for(item)
            done = conditions.done_where(item.condition)
            if done and self.spins and exits(item.first):
                # A loop that does nothing else asks until it is so.
                return self.block([*done, *item.first])
            self._go_on(item)
            truth, told = self._decided(item.condition)
            self.row.by_message |= MESSAGE in item.deps and not told
            self.row.by_message |= THREAD in item.deps
            # Who has told the others how much it sends, and who sends, may say so in two ways.
            self.row.by_message |= _was_told(item) and has_messages(item)
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

    def _waited_for(self, item: Choice) -> Signal | None:
        """What comes once something has come or ended, in a loop that asks for it and no more."""
        ready = bool(conditions.done_where(item.condition))
        done = conditions.done_where(item.condition, ready)
        self.waited.update(q.key for q in _questions(item.condition) if q.tested)
        return self.block([*done, *(item.first if ready else item.second)])

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
            if q.key not in answers.given and q.key not in answers.usual and self._told(q) is None
        ]  # fmt: skip
        tries = [{}, *({k: True} for k in free), dict.fromkeys(free, True)]
        for more in tries:

            def ask(q: Condition, extra: dict[str, bool] = more) -> bool:
                truth = self._told(q)
                known = {**answers.usual, **answers.given}
                return known.get(q.key, extra.get(q.key, False)) if truth is None else truth

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
        peer, picked = self.said(op.peer), op.picked
        slot = (op.slot[0], self.said(op.slot[1]) or op.slot[1]) if op.slot is not None else None
        if op.receipt:
            times = self.received.get(op.receipt, 0)
            self.received[op.receipt] = times + 1
            got = (self.heard or {}).get(op.receipt, [])[times : times + 1]
            if got and got[0] is not None and op.kind == "wait":
                picked = got[0].index if got[0].index is not None else -1
            elif got and got[0] is not None:
                peer = Const(got[0].source)  # it gets in each play what it got in the first
        self.row.steps.append(
            msgspec.structs.replace(
                op, comm=comm, agreed=agreed, peer=peer, tag=self.said(op.tag),
                slot=slot, picked=picked,
                root=self.resolved(op.root),
                data=self._passed_on(op.data), count=self._passed_on(op.count),
                sizes=tuple(map(self.resolved, op.sizes)),
            )
        )  # fmt: skip
        return None

    def _passed_on(self, value: Value | None) -> Value | None:
        """What is sent: perhaps what was received before, as far as it is known."""
        try:
            return self.said(value)
        except UnheardError:
            return value

    def resolved(self, value: Value | None) -> Value | None:
        while isinstance(value, Either):
            value = value.first if value.condition.holds(self.ask) else value.second
        return value

    def _loop(self, item: Loop) -> Signal | None:
        local = differs(item.deps)
        rounds = told = 0
        number_of_rounds = number(self.said(item.times)) if item.times is not None else None
        if number_of_rounds is None and (item.tests is None or self.heard is None):
            self.row.by_message |= MESSAGE in item.deps
        while True:
            if item.endless:
                # What messages decide goes on for as long as they come.
                if rounds > ROUNDS and self.told == told:
                    return "goes on", 0
                told = self.told
            elif number_of_rounds is not None:
                if rounds >= number_of_rounds:
                    break
            elif item.tests is not None and self.heard is not None:
                truth, by_messages = self._decided(item.tests[min(rounds, 1)])
                if not by_messages:
                    self.row.by_message = self.row.loose = True
                    truth = truth and rounds <= ROUNDS
                if not truth:
                    break
            elif item.count is not None:
                going = rounds < _rounds(item.count)
                if local:
                    # Rounds that were left out may be another loop's, on another rank.
                    self.row.by_message |= item.count > FEW and has_messages(item)
                    self.row.steps.append(
                        Decision(item.chain, going, item.deps, "one more round of the loop")
                    )
                if not going:
                    break
            elif rounds or not item.at_least_once:
                at = rounds + item.less
                question = conditions.ask(f"again {item.key}#{at}", local, "the loop goes on")
                if at > ROUNDS:
                    break
                truth = at < 0 or self.answers.of(question, self.is_odd, at < ROUNDS)
                self.row.loose |= has_messages(item)
                if local:
                    self.row.steps.append(
                        Decision(
                            item.chain, truth, item.deps, "one more round of the loop", question.key
                        )
                    )
                if not truth:
                    break
            rounds += 1
            around = self.spins, self.poll
            self.spins = item.endless and _spins(item)
            self.poll = poll_of(item.body) if item.endless or item.tests is not None else None
            signal = self.block(item.body)
            self.spins, self.poll = around
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
        slight = LOCAL + CAUGHT in item.deps
        deps = frozenset((LOCAL + (CAUGHT if slight else f"an exception of {item.what}"),))
        self.row.steps.append(Decision(item.chain, True, deps, f"{item.what} raises", question.key))
        return "raise", 0


def _was_told(item: Choice) -> bool:
    """Whether what ranks have told each other before decides."""
    told = any(d.endswith(EXCHANGED) for d in item.deps)
    return told or conditions.asks_what_was_exchanged(item.condition)


def _spins(item: Loop) -> bool:
    """Whether a loop does nothing with others but below a question of what has come or ended."""
    return not acts([
        x for x in item.body
        if not (isinstance(x, Choice) and conditions.done_where(x.condition) and exits(x.first))
    ])  # fmt: skip


def _goes_on(rest: list[Item]) -> bool:
    """Whether rounds of a loop that were run one by one are followed by as many as it takes."""
    scopes = 0
    while scopes < len(rest) and isinstance(rest[scopes], Scope):
        scopes += 1
    loop = rest[scopes] if scopes < len(rest) else None
    return isinstance(loop, Loop) and (loop.endless or loop.tests is not None)


def poll_of(body: list[Item], label: int = 0) -> Choice | None:
    """The question of what has come or ended, where a round does something only if it is so.

    *label* is what is around the round, which ``continue`` leaves.
    """
    for at, item in enumerate(body):
        if isinstance(item, Scope):
            if acts([item]):
                return poll_of(item.body, item.label) if not acts(body[at + 1 :]) else None
        elif isinstance(item, Choice):
            ready = bool(conditions.done_where(item.condition))
            if conditions.done_where(item.condition, ready):
                other = item.second if ready else item.first
                out = exits(other)
                if not acts(other) and out == {("continue", label)}:
                    return item
                return item if not other and not acts(body[at + 1 :]) else None
        if acts([item]) or exits([item]):
            return None
    return None


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


def compared(how: str, left: Value | None, right: Value | None) -> bool | None:
    """How two values compare (``Eq``, ``Lt``), or whether the first is true; None: not known."""
    if isinstance(left, Const) and how == "true":
        return bool(left.value)
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return bool(left.value == right.value if how == "Eq" else left.value < right.value)
        except TypeError:
            return None
    for one, other in ((left, right), (right, left)):
        if how == "Eq" and isinstance(one, Tup | Obj) and isinstance(other, Const):
            return False  # a row is no number and no text, and not nothing
    return bool(left.items) if how == "true" and isinstance(left, Tup) else None


def part_of(message: Message, part: str) -> Value | None:
    """What a message says: its ``source``, ``tag``, ``count``, ``data``, or an element of that."""
    if part == "source":
        return Const(message.source) if message.source >= 0 else None
    if part == "tag":
        return message.tag
    if part == "count":
        return message.count
    if part in ("index", "index[0]", "some"):
        none = message.index in (None, UNDEFINED)
        found = message.index if part != "some" or none else 1
        return Const(found) if found is not None else None
    data = message.data
    if part == "data":
        return data.items[0] if isinstance(data, Tup) and len(data.items) == 1 else data
    at = part.removeprefix("data[").removesuffix("]")
    if isinstance(data, Tup) and at.isdigit() and int(at) < len(data.items):
        return data.items[int(at)]
    return data if isinstance(data, Const) and at == "0" else None


def number(value: Value | None) -> int | None:
    """A rank or tag as a number; None where it is not known."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return int(value.value)
    return None


__all__ = ["Answers", "Callable", "Flattener", "Heard", "Message", "Row", "number"]
