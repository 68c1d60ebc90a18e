"""Conditions on what is not known: formulas over questions, each with one name on all ranks."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


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

    @property
    def text(self) -> str:
        """A name of the formula."""
        if self.kind == "ask":
            return self.key
        if self.kind == "const":
            return str(self.truth)
        return f"{self.kind}({','.join(p.text for p in self.parts)})"

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


def ask(key: str, differs: bool = False, written: str = "") -> Condition:
    """A question."""
    return Condition("ask", key=key, differs=differs, written=written)


def negated(condition: Condition) -> Condition:
    """``not``."""
    if condition.kind == "const":
        return constant(not condition.truth)
    if condition.kind == "not":
        return condition.parts[0]
    return Condition("not", parts=(condition,), differs=condition.differs)


def both(first: Condition, second: Condition) -> Condition:
    """``and``."""
    if first.kind == "const":
        return second if first.truth else FALSE
    if second.kind == "const":
        return first if second.truth else FALSE
    return Condition("and", parts=(first, second), differs=first.differs or second.differs)


def either(first: Condition, second: Condition) -> Condition:
    """``or``."""
    return negated(both(negated(first), negated(second)))
