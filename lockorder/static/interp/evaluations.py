"""Conditions that are evaluated in parts: ``a || try_lock()`` calls only where ``a`` is false.

In facts that is a branch on ``a`` around the call, and then the branch on the whole.  The program
reads ``a`` once for both, so that a volatile variable, which may be another number at every
reading, is the same one there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lockorder.static.interp.known import compared
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path


class Evaluations:
    """Of one function: the volatile variables that branches of it read once, by the branch."""

    def __init__(self, function: f.Function, is_volatile: Callable[[str], bool]) -> None:
        self._is_volatile = is_volatile
        #: By a branch that is a part, or the whole: what is read.
        self.read: dict[int, frozenset[str]] = {}
        self.wholes: set[int] = set()
        for statement in (function.body, *f.walk(function.body)):
            for block in f.parts(statement):
                self._look(block)

    def _look(self, block: f.Block) -> None:
        for at, whole in enumerate(block.body):
            if not isinstance(whole, f.If) or not at:
                continue
            lefts = [b.left for b in operands(whole.cond) if isinstance(b, f.Both)]
            read = frozenset(u for left in lefts for u in _variables(left) if self._is_volatile(u))
            if not read:
                continue
            for part in reversed(block.body[:at]):
                if not self._is_part(part, lefts):
                    break
                self._note(part, lefts, read)
                self.read[id(whole)] = read
                self.wholes.add(id(whole))

    def _is_part(self, statement: f.Stmt, lefts: list[f.Value]) -> bool:
        if not isinstance(statement, f.If) or statement.orelse is not None:
            return False
        cond = statement.cond
        return cond in lefts or (isinstance(cond, f.Not) and cond.value in lefts)

    def _note(self, part: f.Stmt, lefts: list[f.Value], read: frozenset[str]) -> None:
        assert isinstance(part, f.If)
        self.read[id(part)] = read
        for inner in part.then.body:
            if self._is_part(inner, lefts):
                self._note(inner, lefts, read)


def over(state: State, read: frozenset[str]) -> State:
    """*state* without what was known of variables that were *read*: the next reading is another."""
    return state.without([k for k in state.facts if any(_is_of(p, read) for p in compared(k))])


def _is_of(path: Path, read: frozenset[str]) -> bool:
    return (path.last if path.steps else path.variable) in read


def operands(value: f.Value | None) -> Iterator[f.Value]:
    """*value*, and what it is made of by operators."""
    if value is None:
        return
    yield value
    if isinstance(value, f.Not):
        yield from operands(value.value)
    elif isinstance(value, f.Both | f.Compare | f.Less | f.Op):
        yield from operands(value.left)
        yield from operands(value.right)


def _variables(value: f.Value) -> Iterator[str]:
    for part in operands(value):
        if isinstance(part, f.Var | f.Field):
            yield part.usr
