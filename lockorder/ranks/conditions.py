"""Conditions on what is not known: formulas over questions, each with one name on all ranks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

_LONG = 160
#: Larger formulas are one question.
_LARGE = 60


class Condition(msgspec.Struct, frozen=True):
    """One of: a question (*key*), a constant (*truth*), or ``not``, ``and``, ``or`` of *parts*."""

    kind: str
    key: str = ""
    truth: bool = False
    parts: tuple[Condition, ...] = ()
    #: whether the answer may differ from rank to rank
    differs: bool = False
    #: how it is written, for people
    written: str = ""
    #: how many questions and operators it has
    size: int = 1
    #: it was too large, and is a question whose name other ranks do not have
    opaque: bool = False
    #: of a question about a message: how it is compared (``Eq``, ``Lt``, ``true``), and what
    compared: tuple[str, Any, Any] | None = None
    #: of a question whether what nobody knows is this number: its name, and the number
    pinned: tuple[str, int] | None = None
    #: of a question whether something has come or ended: the operations that are done then
    tested: tuple[Any, ...] = ()
    #: of a question about what ranks have told each other before
    exchanged: bool = False

    @property
    def text(self) -> str:
        """A name of the formula."""
        return str(self.truth) if self.kind == "const" else self.key

    def holds(self, ask: Callable[[Condition], bool]) -> bool:
        """The truth, with answers to the questions that matter for it."""
        if self.kind == "const":
            return self.truth
        if self.kind == "ask":
            return ask(self)
        if self.kind == "not":
            return not self.parts[0].holds(ask)
        if self.kind == "and":
            return all(p.holds(ask) for p in self.parts)
        return any(p.holds(ask) for p in self.parts)


TRUE = Condition("const", truth=True)
FALSE = Condition("const", truth=False)


def constant(truth: bool) -> Condition:
    """What is known."""
    return TRUE if truth else FALSE


def ask(
    key: str,
    differs: bool = False,
    written: str = "",
    compared: tuple[str, Any, Any] | None = None,
    tested: tuple[Any, ...] = (),
    pinned: tuple[str, int] | None = None,
    exchanged: bool = False,
) -> Condition:
    """A question."""
    return Condition(
        "ask", key=key, differs=differs, written=written, compared=compared, tested=tested,
        pinned=pinned, exchanged=exchanged,
    )  # fmt: skip


def pin(name: str, number: int, written: str = "") -> Condition:
    """The question whether *name*, which nobody knows, is *number*."""
    return ask(f"{number}={name}", written=written, pinned=(name, number))


def is_pin(key: str) -> bool:
    """Whether that is the name of such a question."""
    return key.partition("=")[0].isdigit()


def pinned_to(given: Mapping[str, bool], name: str) -> int:
    """Which number *name* is by these answers: the first one, where they say nothing of it."""
    for key, truth in given.items():
        number, _, what = key.partition("=")
        if truth and what == name and number.isdigit():
            return int(number)
    return 0


def with_pin(given: Mapping[str, bool], question: Condition) -> dict[str, bool]:
    """The answers where what such a question asks is so, and nothing else of what it is about."""
    assert question.pinned is not None
    what = question.pinned[0]
    rest = {k: v for k, v in given.items() if not (is_pin(k) and k.partition("=")[2] == what)}
    return {**rest, question.key: True}


def done_where(condition: Condition, truth: bool = True) -> tuple[Any, ...]:
    """The operations that are surely done where *condition* has this truth."""
    if condition.kind == "ask":
        return condition.tested if truth else ()
    if condition.kind == "not":
        return done_where(condition.parts[0], not truth)
    if condition.kind == ("and" if truth else "or"):
        return tuple(op for part in condition.parts for op in done_where(part, truth))
    return ()


def supposing(condition: Condition, fact: Condition) -> Condition:
    """*condition* where *fact* is known to hold."""
    if condition.key == fact.key and condition.kind == fact.kind:
        return TRUE
    if condition.kind == "not":
        return negated(supposing(condition.parts[0], fact))
    if condition.kind == "and":
        found = TRUE
        for part in condition.parts:
            found = both(found, supposing(part, fact))
        return found
    if condition.kind == "or":
        return negated(supposing(_joined("and", tuple(map(negated, condition.parts))), fact))
    return condition


def asks_what_was_exchanged(condition: Condition) -> bool:
    """Whether what ranks have told each other before answers a part of it."""
    return condition.exchanged or any(map(asks_what_was_exchanged, condition.parts))


def asks_a_message(condition: Condition) -> bool:
    """Whether what another rank sends answers a part of it."""
    if condition.kind == "ask":
        return condition.compared is not None
    return any(map(asks_a_message, condition.parts))


def _joined(kind: str, parts: tuple[Condition, ...]) -> Condition:
    key = f"{kind}({','.join(p.text for p in parts)})"
    if len(key) > _LONG:
        key = key[:40] + "#" + hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
    differs = any(p.differs for p in parts)
    size = 1 + sum(p.size for p in parts)
    if size > _LARGE:
        # A question of its own, as nobody could tell what it comes to.
        written = next((p.written for p in parts if p.written), "")
        return Condition("ask", key=key, differs=differs, written=written, opaque=True)
    opaque = any(p.opaque for p in parts)
    return Condition(kind, key=key, parts=parts, differs=differs, size=size, opaque=opaque)


def negated(condition: Condition) -> Condition:
    """``not``."""
    if condition.kind == "const":
        return constant(not condition.truth)
    if condition.kind == "not":
        return condition.parts[0]
    return _joined("not", (condition,))


def both(first: Condition, second: Condition) -> Condition:
    """``and``."""
    if first.kind == "const":
        return second if first.truth else FALSE
    if second.kind == "const":
        return first if second.truth else FALSE
    if first.key == second.key:
        return first
    return _joined("and", (first, second))


def either(first: Condition, second: Condition) -> Condition:
    """``or``."""
    return negated(both(negated(first), negated(second)))
