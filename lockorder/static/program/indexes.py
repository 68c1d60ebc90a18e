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
from lockorder.static.parse.number_types import is_named_number
from lockorder.static.program.link import Program
from lockorder.static.program.rounds import Rounds, parted
from lockorder.static.program.written import how_passed, passing

#: Methods that give an element by its index or key.
INDEXING = ("operator[]", "at")
#: Variables (by key) and calls (by number) that were followed on the way to an object.
_Seen = AbstractSet[str | int]
#: Operators that say whether two objects are one, and nothing of their order.
_EQUAL = ("operator==", "operator!=")


class Used(NamedTuple):
    """How a call comes to an element: by its number or key, *through* functions that find it.

    *names* are the variables on the way there.
    """

    key: f.Value
    through: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()


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
        self._choosers: dict[str, int | None] = {}
        self._callers: dict[str, list[_Call]] | None = None

    def body(self, function: f.Function) -> Body:
        """What is known of the text of *function*."""
        found = self._bodies.get(function.usr)
        if found is None:
            found = self._bodies[function.usr] = Body(self._program, function, self)
        return found

    def chooser(self, usr: str) -> int | None:
        """The parameter by which a function finds the element that it returns, by number."""
        if usr not in self._choosers:
            self._choosers[usr] = None  # while it is looked for
            function = self._program.functions[usr]
            self._choosers[usr] = self.body(function).chooser()
        return self._choosers[usr]

    def gives_part(self, usr: str) -> bool:
        """Whether a method returns a member that lies in its object, and nothing else."""
        function = self._program.functions[usr]
        returned = [s.value for s in walk(function.body) if isinstance(s, f.Return)]
        return bool(returned) and all(map(self._is_part, returned))

    def _is_part(self, value: f.Value | None) -> bool:
        inside = False
        while isinstance(value, f.Field):
            if self._program.is_indirect(self._program.type_of(value.usr)):
                return False
            value, inside = value.base, True
        return inside and isinstance(value, f.This)

    def compares(self, usr: str) -> bool:
        """Whether a function asks which of two things is the lower one."""
        return self.body(self._program.functions[usr]).has_comparisons

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

    def __init__(self, program: Program, function: f.Function, others: Indexes) -> None:
        """*others*: what is known of the functions that it calls."""
        self._program = program
        self._function = function
        self._others = others
        self._rounds: Rounds | None = None
        #: by variable: where it is written to, as the number of a statement
        self._writes: dict[str, list[int]] = {}
        self._order: dict[tuple[int, int], int] = {}
        self._named: dict[str, f.Value] = {}
        self._calls: dict[int, f.Call] = {}
        self._written: set[str] = set()
        self._compared: list[tuple[f.Value, f.Value]] = []
        self._places: dict[tuple[int, int], list[f.Call | f.Make]] = {}
        self._conditions: list[f.Value] = []
        for number, statement in enumerate(walk(function.body)):
            self._note(statement, number)

    def _note(self, statement: f.Stmt, number: int) -> None:
        if isinstance(statement, f.Local) and statement.value is not None:
            self._named[statement.usr] = statement.value
        elif isinstance(statement, f.Assign | f.Written):
            if isinstance(statement.target, f.Var | f.Field):
                self._written.add(statement.target.usr)
                self._writes.setdefault(statement.target.usr, []).append(number)
        elif isinstance(statement, f.Call | f.Make):
            self._places.setdefault((statement.line, statement.column), []).append(statement)
            self._order.setdefault((statement.line, statement.column), number)
            if isinstance(statement, f.Make):
                callee = statement.ctor
            else:
                self._calls[statement.id] = statement
                callee = statement.target.usr if isinstance(statement.target, f.Fn) else ""
            passed = passing(self._program, callee)[1] if callee else ""
            for at, argument in enumerate(statement.args):
                if isinstance(argument, f.Var | f.Field) and how_passed(passed, at) == "&":
                    self._written.add(argument.usr)
                    self._writes.setdefault(argument.usr, []).append(number)
        for condition in _conditions(statement):
            self._compared.extend(_comparisons(condition))
        if isinstance(statement, f.If | f.Loop) and statement.cond is not None:
            self._conditions.append(statement.cond)

    def index_at(self, line: int, column: int) -> f.Value | None:
        """The index by which the call there comes to an element; None if it is not just one."""
        found = self.used_at(line, column)
        return found.key if found is not None else None

    def used_at(self, line: int, column: int) -> Used | None:
        """How the call there comes to an element; None if it is not just one."""
        found: list[Used] = []
        for event in self._places.get((line, column), ()):
            found.extend(used for used in self._used_by(event) if used not in found)
        return found[0] if len(found) == 1 else None

    def _used_by(self, event: f.Call | f.Make) -> Iterator[Used]:
        """The elements that a call is given, or that its callee finds by a number."""
        target = event.target if isinstance(event, f.Call) else None
        for value in event.args:
            number = isinstance(value, f.Var) and self._is_number(value.usr)
            through = (target.usr,) if number and isinstance(target, f.Fn) else ()
            for used in self._indexes(value, frozenset()):
                yield used._replace(through=through + used.through)
        if isinstance(target, f.Fn | f.Name):
            yield from self._indexes(target.base, frozenset())

    def _is_number(self, usr: str) -> bool:
        return is_named_number(self._program.type_of(usr).removeprefix("const "))

    def _indexes(self, value: f.Value | None, seen: _Seen) -> Iterator[Used]:
        """Indexes on the way to an object."""
        if isinstance(value, f.Field | f.Whole):
            yield from self._indexes(value.base, seen)
        elif isinstance(value, f.Elem):
            if value.index is not None:
                yield Used(value.index)
            yield from self._indexes(value.base, seen)
        elif isinstance(value, f.AnyOf):
            for each in value.values:
                yield from self._indexes(each, seen)
        elif isinstance(value, f.Var):
            yield from self._by_variable(value, seen)
        elif isinstance(value, f.Result) and value.call not in seen:
            call = self._calls.get(value.call)
            if call is not None and isinstance(call.target, f.Fn):
                yield from self._by_call(call, call.target, seen | {value.call})

    def _by_variable(self, value: f.Var, seen: _Seen) -> Iterator[Used]:
        """The same for what a variable stands for, which may be each element in turn."""
        if self.rounds.goes_on(value.usr):
            yield Used(value)
        elif value.usr not in self._written | seen and value.usr in self._named:
            for used in self._indexes(self._named[value.usr], seen | {value.usr}):
                yield used._replace(names=used.names | {value.usr})

    def _by_call(self, call: f.Call, target: f.Fn, seen: _Seen) -> Iterator[Used]:
        """The same for what a method of a container, or a function of the program, returns."""
        bodies = self._program.body_of(target.usr)
        for usr in bodies:
            at = self._others.chooser(usr)
            if at is not None and at < len(call.args):
                yield Used(call.args[at], (usr,))
        if bodies:
            if all(map(self._others.gives_part, bodies)):  # get(index).mutex()
                yield from self._indexes(target.base, seen)
            return
        name = self._program.name_of(target.usr).rpartition("::")[2]
        known = self._program.knowledge
        if name in INDEXING or (name in known.looks_up and name in known.element_methods):
            yield from map(Used, call.args[:1])
        yield from self._indexes(target.base, seen)

    def chooser(self) -> int | None:
        """The parameter by which this function finds the element that it returns, by number."""
        found = set[int | None]()
        for statement in walk(self._function.body):
            if isinstance(statement, f.Return) and not f.is_null(statement.value):
                used = list(self._indexes(statement.value, frozenset()))
                found.add(self._parameter(used[0].key) if len(used) == 1 else None)
        return found.pop() if len(found) == 1 else None

    def _parameter(self, index: f.Value) -> int | None:
        """The number of the one parameter that an index is made of."""
        params = self._function.params
        named = {v.usr for v in self._parts(index) if isinstance(v, f.Var) and v.usr in params}
        return params.index(named.pop()) if len(named) == 1 else None

    def _parts(self, value: f.Value) -> Iterator[f.Value]:
        """What a value is made of, the results of calls as well."""
        seen = set[str | int]()
        pending = [value]
        while pending:
            for part in f.parts_of(pending.pop()):
                yield part
                key: str | int | None = part.usr if isinstance(part, f.Var) else None
                key = part.call if isinstance(part, f.Result) else key
                if key is not None and key not in seen:
                    seen.add(key)
                    pending += self._behind(part)

    def _behind(self, value: f.Value) -> list[f.Value]:
        """What a variable stands for, and what a call was given."""
        if isinstance(value, f.Var):
            known = value.usr in self._named and value.usr not in self._written
            return [self._named[value.usr]] if known else []
        call = self._calls.get(value.call) if isinstance(value, f.Result) else None
        if call is None:
            return []
        base = call.target.base if isinstance(call.target, f.Fn | f.Name) else None
        return [*call.args, *([base] if base is not None else [])]

    # -- which way a function goes ----------------------------------------------------------------

    @property
    def rounds(self) -> Rounds:
        """The loops of the function."""
        if self._rounds is None:
            self._rounds = Rounds(self._program, self._function)
        return self._rounds

    @property
    def has_comparisons(self) -> bool:
        """Whether the function asks which of two things is the lower one."""
        return bool(self._compared)

    def way(self, first: tuple[int, int], then: tuple[int, int]) -> int | None:
        """Whether what is used *then* lies above (1) what is used *first*, or below it (-1).

        Each is the place of a call.  0 where it is the same, None where the text does not say.
        """
        one, other = self.used_at(*first), self.used_at(*then)
        if one is None or other is None or one.through != other.through:
            return None
        (base, here), (same, there) = self._parted(one.key), self._parted(other.key)
        if base != same:
            return None
        if isinstance(base, f.Lit):
            return _sign(there - here)
        start, end = self._order[first], self._order[then]
        moving = isinstance(base, f.Var) and self.rounds.goes_on(base.usr)
        if not moving:  # in another round it may be another number
            return _sign(there - here) if start < end and self.is_kept(base) else None
        assert isinstance(base, f.Var)
        if start < end:  # in one round, if nothing is written to it on the way
            writes = self._writes.get(base.usr, ())
            return None if any(start < at < end for at in writes) else _sign(there - here)
        by = self.rounds.moved(self.rounds.around(*then), base.usr)
        return by if by and (there - here) * by >= 0 else None

    def _parted(self, index: f.Value) -> tuple[f.Value, int]:
        """An index as what it is counted from, and how much it is more."""
        base, more = parted(self.origin(index))
        inner = self.origin(base)
        return (inner, more) if inner == base else _more(self._parted(inner), more)

    def is_kept(self, value: f.Value) -> bool:
        """Whether a number stays what it is as long as the function runs."""
        return isinstance(value, f.Var) and value.usr not in self._written

    def compares_objects(self, one: Used, other: Used) -> bool:
        """Whether the function asks anywhere which of the two comes first, by whatever they have.

        It may ask another function, which is given both.
        """
        mine, theirs = (used.names | self._named_in(used.key) for used in (one, other))
        mine, theirs = mine - theirs, theirs - mine
        sides = ((self._named_in(a), self._named_in(b)) for a, b in self._compared)
        if any((a & mine and b & theirs) or (a & theirs and b & mine) for a, b in sides):
            return True
        return any(
            self._named_in(call) & mine and self._named_in(call) & theirs and self._ranks(call)
            for condition in self._conditions
            for call in f.parts_of(condition)
            if isinstance(call, f.Result)
        )

    def _named_in(self, value: f.Value) -> frozenset[str]:
        return frozenset(part.usr for part in self._parts(value) if isinstance(part, f.Var))

    def _ranks(self, value: f.Result) -> bool:
        """Whether a call may say which of two objects comes first."""
        call = self._calls.get(value.call)
        if call is None or self._program.called(call).rpartition("::")[2] in _EQUAL:
            return False
        bodies = self._program.body_of(call.target.usr) if isinstance(call.target, f.Fn) else ()
        return not bodies or any(map(self._others.compares, bodies))

    # -- where its numbers come from --------------------------------------------------------------

    def origin(self, value: f.Value) -> f.Value:
        """What a number is a copy of."""
        seen = set[str]()
        while isinstance(value, f.Var) and not {value.usr} & (self._written | seen):
            if self.rounds.goes_on(value.usr):
                break
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


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _more(found: tuple[f.Value, int], more: int) -> tuple[f.Value, int]:
    return found[0], found[1] + more


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
