"""Loops that go over all elements of a container by an iterator.

``for (auto it = all.begin(); it != all.end(); ++it)`` goes to each element once, and so does a
loop that erases: ``it = all.erase(it)``.  The text says so: the iterator begins where the container
does, only the loop moves it on, by one element a round, and it ends with the container.
"""

from __future__ import annotations

from collections.abc import Collection

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.written import how_passed, passing

_EQUAL = "operator=="
_COMPARING = {_EQUAL: True, "operator!=": False}
_ON = "operator++"
#: What else is called on an iterator and is known: it stays where it is, or is assigned to.
_OTHERS = ("operator*", "operator->", f.ASSIGNMENT, *_COMPARING)


class Iterations:
    """Answers about the loops of one function."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        self._body = function.body
        self._calls: dict[int, f.Call] = {}
        #: by object that is made of one value: that
        self._copies: dict[int, f.Value] = {}
        #: by variable: all that it is begun with or assigned
        self._given: dict[str, list[f.Value | None]] = {}
        #: variables of which is not known what becomes of them
        self._lost: set[str] = set()
        for statement in f.walk(function.body):
            self._read(statement)

    def over(self, loop: f.Loop) -> f.Value | None:
        """The container to each element of which *loop* goes; None where that is not known."""
        if loop.cond is None or loop.at_least_once:
            return None
        moved, end = self._compared(loop.cond)
        if moved is None or end is None or moved in self._lost:
            return None
        first, *others = self._given.get(moved, [None])
        container = self._of(first, self._program.knowledge.element_methods, 0)
        if container is None or self._end(end) != container:
            return None
        onwards = self._program.knowledge.goes_on
        if not all(self._of(value, onwards, 1) == container for value in others):
            return None
        inside = f.Block([loop.head, loop.body, loop.step])
        all_of_them = _moves(self._program, self._body, moved)
        if len(_moves(self._program, inside, moved)) != len(all_of_them):
            return None
        return container if _most(self._program, inside, moved) == 1 else None

    # -- reading ----------------------------------------------------------------------------------

    def _read(self, statement: f.Stmt) -> None:
        if isinstance(statement, f.Call):
            self._calls[statement.id] = statement
            target = statement.target
            self._hand(target.usr if isinstance(target, f.Fn) else "", statement.args)
            base = target.base if isinstance(target, f.Fn | f.Name) else None
            method = self._program.method_called(statement)
            if isinstance(base, f.Var) and method not in (_ON, *_OTHERS):
                self._lost.add(base.usr)
        elif isinstance(statement, f.Make):
            if len(statement.args) == 1:
                self._copies[statement.id] = statement.args[0]
            self._hand(statement.ctor, statement.args)
        elif isinstance(statement, f.Local):
            self._given.setdefault(statement.usr, []).append(statement.value)
        elif isinstance(statement, f.Assign) and isinstance(statement.target, f.Var):
            self._given.setdefault(statement.target.usr, []).append(statement.value)
        elif isinstance(statement, f.Written) and isinstance(statement.target, f.Var):
            self._lost.add(statement.target.usr)

    def _hand(self, callee: str, args: list[f.Value]) -> None:
        """A call may write to what it gets by reference."""
        passed = passing(self._program, callee)[1] if callee else ""
        for at, value in enumerate(args):
            if isinstance(value, f.Var) and how_passed(passed, at) in ("&", "*"):
                self._lost.add(value.usr)

    # -- what a loop goes by ----------------------------------------------------------------------

    def _compared(self, cond: f.Value, goes_on: bool = True) -> tuple[str | None, f.Value | None]:
        """The iterator that is not what it ends with as long as *cond* is so, and that."""
        if isinstance(cond, f.Not):
            return self._compared(cond.value, not goes_on)
        sides: list[f.Value] = []
        if isinstance(cond, f.Compare) and cond.equal is not goes_on:
            sides = [cond.left, cond.right]
        elif isinstance(cond, f.Result) and cond.call in self._calls:
            call = self._calls[cond.call]
            base = call.target.base if isinstance(call.target, f.Fn) else None
            if _COMPARING.get(self._program.method_called(call)) is (not goes_on):
                sides = [base, *call.args] if base is not None else call.args
        left, right = map(self._itself, sides) if len(sides) == 2 else (None, None)
        return (left.usr, right) if isinstance(left, f.Var) else (None, None)

    def _itself(self, value: f.Value | None) -> f.Value | None:
        """What a value is a copy of, or a conversion."""
        while isinstance(value, f.Made) and value.make in self._copies:
            value = self._copies[value.make]
        return value

    def _of(self, value: f.Value | None, methods: Collection[str], args: int) -> f.Value | None:
        """The object on which one of *methods* was called, with so many arguments, for *value*."""
        value = self._itself(value)
        call = self._calls.get(value.call) if isinstance(value, f.Result) else None
        if call is None or len(call.args) != args or not isinstance(call.target, f.Fn):
            return None
        return call.target.base if self._program.method_called(call) in methods else None

    def _end(self, value: f.Value) -> f.Value | None:
        """The container of which *value* is the end."""
        if isinstance(value, f.Var):
            given = self._given.get(value.usr, [])
            return self._end(given[0]) if len(given) == 1 and given[0] is not None else None
        return self._of(value, self._program.knowledge.ends_of_map, 0)


def _is_move(program: Program, statement: f.Stmt, usr: str) -> bool:
    """Whether a statement moves the iterator *usr* on."""
    if isinstance(statement, f.Assign):
        return statement.target == f.Var(usr)
    if not isinstance(statement, f.Call) or program.method_called(statement) != _ON:
        return False
    base = statement.target.base if isinstance(statement.target, f.Fn) else None
    return f.Var(usr) in (base, *statement.args[:1])


def _moves(program: Program, block: f.Block, usr: str) -> list[f.Stmt]:
    return [s for s in f.walk(block) if _is_move(program, s, usr)]


def _most(program: Program, block: f.Block, usr: str) -> int:
    """How often the iterator is moved on at most, on one way through a block; 2 for more often."""
    count = 0
    for statement in block.body:
        if isinstance(statement, f.If | f.Switch):
            count += max((_most(program, part, usr) for part in f.parts(statement)), default=0)
        elif isinstance(statement, f.Loop):
            count += 2 * bool(_moves(program, f.Block([statement]), usr))
        else:
            count += sum(_most(program, part, usr) for part in f.parts(statement))
            count += _is_move(program, statement, usr)
    return min(count, 2)
