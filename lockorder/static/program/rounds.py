"""Which way the loops of a function go through a table: up, or down.

A loop that takes the locks of all elements, one after the other, takes them in the order of the
table or against it.  The text says which: what it counts, or its iterator, goes on by `++` or `--`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.program.link import Program

#: The operators by which an iterator goes on, and by how much.
_STEPS = {"operator++": 1, "operator--": -1}


class _Loop(NamedTuple):
    """What goes on in a loop, by variable, and by how much; 0 where nobody can tell.

    *each* are variables that stand for one element after the other, in the order of a container.
    """

    moves: dict[str, set[int]]
    each: set[str]
    #: number of the loop that it is in, of all
    inside: int | None


class Rounds:
    """The loops of one function."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        self._loops: list[_Loop] = []
        #: by place of a call or construction: the loop around it
        self._around: dict[tuple[int, int], int] = {}
        #: what iterators begin as
        self._begun: dict[str, f.Value | None] = {}
        self._calls: dict[int, f.Call] = {}
        self._collect(function.body, None)

    def around(self, line: int, column: int) -> int | None:
        """The number of the innermost loop around a place; None where there is none."""
        return self._around.get((line, column))

    def goes_on(self, usr: str) -> bool:
        """Whether a variable goes on in some loop, from one element to the next."""
        return any(usr in loop.each or usr in loop.moves for loop in self._loops)

    def moved(self, loop: int | None, usr: str) -> int | None:
        """By how much a variable goes on in each round of a loop, or of one around that.

        None where it stays as it is, 0 where it goes both ways, or nobody can tell.
        """
        while loop is not None:
            here = self._loops[loop]
            if usr in here.each:
                return 1
            if usr in here.moves:
                by = here.moves[usr]
                turned = self._turned(usr)
                return by.copy().pop() * turned if len(by) == 1 else 0
            loop = here.inside
        return None

    def _turned(self, usr: str) -> int:
        """-1 for an iterator that goes the other way: `++` leads to the element before."""
        value = self._begun.get(usr)
        call = self._calls.get(value.call) if isinstance(value, f.Result) else None
        if call is None:
            return 1
        method = self._program.called(call).rpartition("::")[2]
        return -1 if method in self._program.knowledge.backward_methods else 1

    # -- what is in them --------------------------------------------------------------------------

    def _collect(self, block: f.Block, loop: int | None) -> None:
        for statement in block.body:
            self._note(statement, loop)
            inner = loop
            if isinstance(statement, f.Loop):
                inner = len(self._loops)
                each = {statement.each} if statement.each else set[str]()
                self._loops.append(_Loop({}, each, loop))
            for part in f.parts(statement):
                self._collect(part, inner)

    def _note(self, statement: f.Stmt, loop: int | None) -> None:
        if isinstance(statement, f.Local):
            self._begun[statement.usr] = statement.value
        elif isinstance(statement, f.Call):
            self._calls[statement.id] = statement
        if loop is None:
            return
        if isinstance(statement, f.Call | f.Make):
            self._around.setdefault((statement.line, statement.column), loop)
        for usr, by in _moves(self._program, statement):
            self._loops[loop].moves.setdefault(usr, set()).add(by)
            # What a loop inside of another one does it does in each round of that one, too.
            outer = self._loops[loop].inside
            while outer is not None:
                self._loops[outer].moves.setdefault(usr, set()).add(0)
                outer = self._loops[outer].inside


def _moves(program: Program, statement: f.Stmt) -> Iterator[tuple[str, int]]:
    """What a statement moves on, and by how much."""
    if isinstance(statement, f.Assign) and isinstance(statement.target, f.Var):
        yield statement.target.usr, statement.by or _sum_of(statement.target, statement.value)
    elif isinstance(statement, f.Written) and isinstance(statement.target, f.Var):
        yield statement.target.usr, 0
    elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn | f.Name):
        base = statement.target.base
        by = _STEPS.get(program.called(statement).rpartition("::")[2])
        if by is not None:
            moved = base if base is not None else statement.args[0] if statement.args else None
            if isinstance(moved, f.Var):
                yield moved.usr, by


def _sum_of(target: f.Var, value: f.Value) -> int:
    """By how much ``i = i + 1`` moves on."""
    base, more = parted(value)
    return more if base == target else 0


def parted(value: f.Value) -> tuple[f.Value, int]:
    """A sum of something and a number as these two."""
    if isinstance(value, f.Op) and value.text in ("+", "-") and isinstance(value.right, f.Lit):
        number = numbers.number_of(value.right.text)
        if number is not None:
            base, more = parted(value.left)
            return base, more + (number if value.text == "+" else -number)
    return value, 0
