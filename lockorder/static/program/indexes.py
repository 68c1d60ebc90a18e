"""Numbers that tell elements of one table apart, by the text of the functions that use them.

An access path leads to "an element": which one is not part of it, since indexes change.  Where two
elements of one table are used by one function, their indexes stand in its text: if they are two
numbers that its callers choose, nothing says which is the lower one, unless they are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.written import how_passed, passing

#: Methods that give an element by its index or key.
INDEXING = ("operator[]", "at")
#: Variables (by key) and calls (by number) that were followed on the way to an object.
_Seen = AbstractSet[str | int]


class _Call(NamedTuple):
    caller: f.Function
    args: Sequence[f.Value]


class Indexes:
    """What the text of functions says of the indexes that they use."""

    def __init__(self, program: Program, taken: set[str]) -> None:
        self._program = program
        #: Functions whose address is taken: anybody may call them.
        self._taken = taken
        self._bodies: dict[str, Body] = {}
        self._callers: dict[str, list[_Call]] | None = None

    def body(self, function: f.Function) -> Body:
        """What is known of the text of *function*."""
        found = self._bodies.get(function.usr)
        if found is None:
            found = self._bodies[function.usr] = Body(self._program, function)
        return found

    def are_free(self, function: f.Function, one: f.Value, other: f.Value) -> bool:
        """Whether two numbers can be in either order: nobody has compared them, or made them so.

        Where both are what the callers pass, these are asked, and theirs, each once.
        """
        pending = [(function, one, other)]
        asked = set[tuple[str, int, int]]()
        while pending:
            where, first, second = pending.pop()
            found = self._ask(where, first, second)
            if isinstance(found, bool):
                if found:
                    return True
            elif (where.usr, *found) not in asked:
                asked.add((where.usr, *found))
                pending.extend(
                    (call.caller, call.args[found[0]], call.args[found[1]])
                    for call in self._calls_of(where.usr)
                    if max(found) < len(call.args)
                )
        return False

    def _ask(self, function: f.Function, one: f.Value, other: f.Value) -> bool | tuple[int, int]:
        """The same, as one function tells; the numbers of the parameters if its callers decide."""
        body = self.body(function)
        one, other = body.origin(one), body.origin(other)
        if one == other or body.compares(one, other):
            return False
        if not (body.is_given(one) and body.is_given(other)):
            return body.are_alike(one, other)
        numbers = [
            function.params.index(v.usr)
            for v in (one, other)
            if isinstance(v, f.Var) and v.usr in function.params
        ]
        calls = self._calls_of(function.usr)
        if len(numbers) < 2 or not calls or function.usr in self._taken:
            return True
        return numbers[0], numbers[1]

    def _calls_of(self, usr: str) -> Sequence[_Call]:
        if self._callers is None:
            self._callers = {}
            for caller in self._program.functions.values():
                for statement in walk(caller.body):
                    if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                        for body in self._program.body_of(statement.target.usr):
                            call = _Call(caller, statement.args)
                            self._callers.setdefault(body, []).append(call)
        return self._callers.get(usr, ())


class Body:
    """A function: which elements it uses, where its numbers come from, what it compares."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        self._function = function
        self._named: dict[str, f.Value] = {}
        self._calls: dict[int, f.Call] = {}
        self._written: set[str] = set()
        self._compared: list[tuple[f.Value, f.Value]] = []
        self._places: dict[tuple[int, int], list[f.Call | f.Make]] = {}
        for statement in walk(function.body):
            self._note(statement)

    def _note(self, statement: f.Stmt) -> None:
        if isinstance(statement, f.Local) and statement.value is not None:
            self._named[statement.usr] = statement.value
        elif isinstance(statement, f.Assign | f.Written):
            if isinstance(statement.target, f.Var | f.Field):
                self._written.add(statement.target.usr)
        elif isinstance(statement, f.Call | f.Make):
            self._places.setdefault((statement.line, statement.column), []).append(statement)
            if isinstance(statement, f.Make):
                callee = statement.ctor
            else:
                self._calls[statement.id] = statement
                callee = statement.target.usr if isinstance(statement.target, f.Fn) else ""
            passed = passing(self._program, callee)[1] if callee else ""
            for at, argument in enumerate(statement.args):
                if isinstance(argument, f.Var | f.Field) and how_passed(passed, at) == "&":
                    self._written.add(argument.usr)
        for condition in _conditions(statement):
            self._compared.extend(_comparisons(condition))

    def index_at(self, line: int, column: int) -> f.Value | None:
        """The index by which the call there comes to an element; None if it is not just one."""
        found: list[f.Value] = []
        for event in self._places.get((line, column), ()):
            values = list(event.args)
            if isinstance(event, f.Call) and isinstance(event.target, f.Fn | f.Name):
                values += [event.target.base] if event.target.base is not None else []
            for value in values:
                found.extend(v for v in self._indexes(value, frozenset()) if v not in found)
        return found[0] if len(found) == 1 else None

    def _indexes(self, value: f.Value | None, seen: _Seen) -> Iterator[f.Value]:
        """Indexes on the way to an object."""
        if isinstance(value, f.Field | f.Whole):
            yield from self._indexes(value.base, seen)
        elif isinstance(value, f.Elem):
            if value.index is not None:
                yield value.index
            yield from self._indexes(value.base, seen)
        elif isinstance(value, f.Var) and value.usr not in seen and value.usr in self._named:
            yield from self._indexes(self._named[value.usr], seen | {value.usr})
        elif isinstance(value, f.Result) and value.call not in seen:
            call = self._calls.get(value.call)
            if call is not None and isinstance(call.target, f.Fn):
                name = self._program.name_of(call.target.usr).rpartition("::")[2]
                if name in INDEXING:
                    yield from call.args[:1]
                yield from self._indexes(call.target.base, seen | {value.call})

    def origin(self, value: f.Value) -> f.Value:
        """What a number is a copy of."""
        seen = set[str]()
        while isinstance(value, f.Var) and not {value.usr} & (self._written | seen):
            if not isinstance(self._named.get(value.usr), f.Var | f.Field | f.Result | f.Op):
                break
            seen.add(value.usr)
            value = self._named[value.usr]
        return value

    def is_given(self, value: f.Value) -> bool:
        """Whether a number comes from outside, and the function leaves it as it is."""
        if isinstance(value, f.Var):
            return value.usr in self._function.params and value.usr not in self._written
        return isinstance(value, f.Field) and value.usr not in self._written

    def are_alike(self, one: f.Value, other: f.Value) -> bool:
        """Whether two numbers come by one function, or remainder, from different given ones."""
        if isinstance(one, f.Op) and isinstance(other, f.Op):
            left = self.origin(one.left), self.origin(other.left)
            same = (one.text, self.origin(one.right)) == (other.text, self.origin(other.right))
            return same and left[0] != left[1] and all(map(self.is_given, left))
        if not (isinstance(one, f.Result) and isinstance(other, f.Result)):
            return False
        calls = self._calls.get(one.call), self._calls.get(other.call)
        if calls[0] is None or calls[1] is None:
            return False
        first, second = ([self.origin(a) for a in c.args] for c in calls if c is not None)
        return (
            calls[0].target == calls[1].target
            and first != second
            and all(map(self.is_given, (*first, *second)))
        )

    def compares(self, one: f.Value, other: f.Value) -> bool:
        """Whether the function asks anywhere which of two numbers is the lower one."""
        both = (one, other), (other, one)
        return any((self.origin(a), self.origin(b)) in both for a, b in self._compared)


def _conditions(statement: f.Stmt) -> Iterator[f.Value | None]:
    if isinstance(statement, f.If | f.Loop | f.Switch):
        yield statement.cond
    elif isinstance(statement, f.Local | f.Assign | f.Return):
        yield statement.value
    elif isinstance(statement, f.Call | f.Make):
        yield from statement.args


def _comparisons(value: f.Value | None) -> Iterator[tuple[f.Value, f.Value]]:
    """The pairs of which a condition says which is lower."""
    if isinstance(value, f.Less):
        yield value.left, value.right
    elif isinstance(value, f.Not):
        yield from _comparisons(value.value)
    elif isinstance(value, f.Both):
        yield from _comparisons(value.left)
        yield from _comparisons(value.right)
    elif isinstance(value, f.AnyOf):
        yield from _comparisons(value.cond)
        for each in value.values:
            yield from _comparisons(each)
