"""Loops that wait for somebody else: ``while (!done) yield();``.

Such a loop does nothing but look at what others write, and pass the time.  It ends when one of them
writes what it looks for; which statements do that is asked of the whole program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.number_types import INTEGERS
from lockorder.static.parse.numbers import number_of
from lockorder.static.program.link import Program
from lockorder.static.program.written import how_passed, passing


class Poll(NamedTuple):
    """A loop at *line* of *function*, and what it looks at: any of *flags* can end it."""

    function: str
    line: int
    flags: tuple[str, ...]
    #: what *flags*, where it is one, is compared with, and whether that ends the loop
    literal: str = ""
    equal: bool = True
    #: the call that says whether it is over, which knowledge has; there are no *flags* then
    asked: f.Call | None = None


class Write(NamedTuple):
    """*function* writes *literal* (empty: who knows) to *flag* at a place."""

    function: str
    flag: str
    line: int
    column: int
    literal: str


class _Body(NamedTuple):
    """What is looked through: its calls by number, and the locals that it changes itself."""

    calls: dict[int, f.Call]
    changed: frozenset[str]
    #: what is put into each variable
    given: dict[str, list[f.Value | None]]


class _Test(NamedTuple):
    flags: frozenset[str]
    literal: str = ""
    equal: bool = True
    asked: f.Call | None = None


class Polls:
    """Answers about one program."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        self._idle: dict[str, bool] = {}
        self._read: dict[str, frozenset[str] | None] = {}
        #: by loop, as an object
        self.loops: dict[int, Poll] = {}
        for function in program.functions.values():
            for statement in f.walk(function.body):
                if isinstance(statement, f.Loop):
                    found = self._poll(function, statement)
                    if found is not None:
                        self.loops[id(statement)] = found
        #: calls, as objects, whose loop waits, and not they themselves
        self.asked = {id(p.asked) for p in self.loops.values() if p.asked is not None}
        self._writes: dict[str, list[Write]] | None = None

    def ends(self, poll: Poll) -> list[Write]:
        """What can end a loop: writes to what it looks at, but for those that let it go on."""
        found = [w for flag in poll.flags for w in self.writes().get(flag, ())]
        if not poll.literal:
            return found
        return [w for w in found if _same(w.literal, poll.literal) in (poll.equal, None)]

    # -- loops ------------------------------------------------------------------------------------

    def _poll(self, function: f.Function, loop: f.Loop) -> Poll | None:
        tests: list[_Test] = []
        blocks = (loop.head, loop.body, loop.step)
        body = _looked_through(blocks)
        if loop.cond is None or self._leaves(loop.body):
            return None
        if not self._tested(loop.cond, body, False, tests):
            return None
        if not all(self._waits(block, body, tests) for block in blocks):
            return None
        flags = frozenset[str]().union(*(t.flags for t in tests))
        asked = [t.asked for t in tests if t.asked is not None]
        if not flags or asked:
            if len(tests) == len(asked) == 1:  # nothing else ends it
                return Poll(function.usr, loop.line, (), asked=asked[0])
            return None
        only = tests[0] if len(tests) == 1 and len(flags) == 1 else _Test(flags)
        return Poll(function.usr, loop.line, tuple(sorted(flags)), only.literal, only.equal)

    def _waits(self, block: f.Block, body: _Body, tests: list[_Test]) -> bool:
        """Whether a part of a loop only looks and passes the time; *tests* get how it leaves."""
        for statement in block.body:
            if isinstance(statement, f.If):
                left = [self._leaves(part) for part in f.parts(statement)]
                if any(left):
                    if statement.cond is None or left != [True, *[False] * (len(left) - 1)]:
                        return False
                    if not self._tested(statement.cond, body, True, tests):
                        return False
                if not all(self._waits(part, body, tests) for part in f.parts(statement)):
                    return False
            elif isinstance(statement, f.Block):
                if not self._waits(statement, body, tests):
                    return False
            elif isinstance(statement, f.Call):
                if not self._is_idle(statement):
                    return False
            elif isinstance(statement, f.Make):
                if not self._knowledge.is_standard(self._program.split(statement.type)[0]):
                    return False
                if self._program.split(statement.type)[0] in self._knowledge.guards:
                    return False
            elif isinstance(statement, f.Assign):
                if not (isinstance(statement.target, f.Var) and self._is_own(statement.target.usr)):
                    return False
            elif not isinstance(
                statement, f.Local | f.EndTemporaries | f.Break | f.Return | f.Continue
            ):
                return False
        return True

    def _leaves(self, block: f.Block) -> bool:
        return any(isinstance(s, f.Break | f.Return) for s in block.body)

    def _is_own(self, usr: str) -> bool:
        variable = self._program.variables.get(usr)
        return variable is not None and variable.kind == "local"

    # -- what a loop looks at ---------------------------------------------------------------------

    def _tested(
        self,
        value: f.Value,
        body: _Body,
        truth: bool,
        tests: list[_Test],
    ) -> bool:
        """Note what decides that *value* is *truth*; False where others do not decide it alone."""
        if isinstance(value, f.Lit):
            number = number_of(value.text)
            return not value.text if number is None else bool(number) != truth
        if isinstance(value, f.Not):
            return self._tested(value.value, body, not truth, tests)
        if isinstance(value, f.Both):
            return all(self._tested(v, body, truth, tests) for v in (value.left, value.right))
        if isinstance(value, f.Compare) and isinstance(value.left, f.Lit):
            value = f.Compare(value.right, value.left, value.equal)
        asked = self._asks(value.left if isinstance(value, f.Compare) else value, body)
        if asked is not None:
            tests.append(_Test(frozenset(), asked=asked))
            return not isinstance(value, f.Compare) or isinstance(value.right, f.Lit)
        if isinstance(value, f.Compare) and isinstance(value.right, f.Lit):
            flags = self._flags(value.left, body)
            if not flags:
                return False
            text = value.right.text if self._is_read_here(value.left, body) else ""
            tests.append(_Test(flags, text, value.equal == truth))
            return True
        if isinstance(value, f.Compare | f.Less):
            flags = frozenset[str]()
            for side in (value.left, value.right):
                if not isinstance(side, f.Lit):
                    found = self._flags(side, body)
                    if not found and not self._stays(side, body):
                        return False
                    flags |= found
            if not flags:
                return False
            tests.append(_Test(flags))
            return True
        flags = self._flags(value, body)
        if not flags:
            return False
        tests.append(_Test(flags, "0" if self._is_read_here(value, body) else "", not truth))
        return True

    def _asks(self, value: f.Value | None, body: _Body) -> f.Call | None:
        """The call that a value is the answer of, where it says whether something is over."""
        if isinstance(value, f.Var) and self._is_own(value.usr):
            given = body.given.get(value.usr, [])
            value = given[0] if len(given) == 1 else None
        call = body.calls.get(value.call) if isinstance(value, f.Result) else None
        return call if call is not None and self._name(call) in self._knowledge.asked else None

    def _is_read_here(self, value: f.Value, body: _Body) -> bool:
        """Whether a value is what a variable has, and not what a function makes of it."""
        return not isinstance(value, f.Result) or self._reads(body.calls[value.call])

    def _flags(self, value: f.Value | None, body: _Body) -> frozenset[str]:
        """The variables and members that a value is read from; none where it is not read alone."""
        if isinstance(value, f.Field):
            return frozenset() if self._moves(value, body) else frozenset((value.usr,))
        if isinstance(value, f.Var):
            variable = self._program.variables.get(value.usr)
            shared = variable is not None and variable.kind in ("global", "static", "member")
            return frozenset((value.usr,)) if shared else frozenset()
        if isinstance(value, f.Elem):
            fixed = isinstance(value.index, f.Lit) and value.index.text.isdecimal()
            return self._flags(value.base, body) if fixed else frozenset()
        if not isinstance(value, f.Result) or value.call not in body.calls:
            return frozenset()
        call = body.calls[value.call]
        if self._reads(call):
            return self._flags(_object(call), body)
        bodies = self._bodies(call)
        found = [self._returned(b) for b in bodies]
        if not found or any(not each for each in found):
            return frozenset()
        return frozenset[str]().union(*(each or frozenset() for each in found))

    def _stays(self, value: f.Value, body: _Body) -> bool:
        """Whether a value is a local or a number of the caller's that the loop leaves alone."""
        if not isinstance(value, f.Var) or value.usr in body.changed:
            return False
        return self._is_own(value.usr) or self._is_given(value.usr)

    def _is_given(self, usr: str) -> bool:
        """Whether it is a parameter that has a copy of what the caller hands in."""
        variable = self._program.variables.get(usr)
        by_value = variable is not None and variable.kind == "param"
        return by_value and not self._program.is_indirect(self._program.type_of(usr))

    def _moves(self, value: f.Value | None, body: _Body) -> bool:
        """Whether the object of a member is another one in each round: the loop goes on."""
        while isinstance(value, f.Field | f.Elem):
            value = value.base
        if isinstance(value, f.Result):
            call = body.calls.get(value.call)
            return call is None or self._moves(_object(call), body)
        return isinstance(value, f.Var) and value.usr in body.changed

    def _returned(self, usr: str) -> frozenset[str] | None:
        """What a function that only reads returns is read from: ``return pending_ == 0``."""
        if usr not in self._read:
            self._read[usr] = None
            self._read[usr] = self._find_returned(self._program.functions[usr])
        return self._read[usr]

    def _find_returned(self, function: f.Function) -> frozenset[str] | None:
        body = _looked_through([function.body])
        flags: frozenset[str] = frozenset()
        for statement in f.walk(function.body):
            if isinstance(statement, f.Return) and statement.value is not None:
                tests: list[_Test] = []
                if not self._tested(statement.value, body, True, tests):
                    return None
                flags = flags.union(*(t.flags for t in tests))
            elif isinstance(statement, f.Call):
                if not (self._reads(statement) or self._is_idle(statement)):
                    return None
            elif not isinstance(statement, f.EndTemporaries | f.Block):
                return None
        return flags or None

    # -- calls ------------------------------------------------------------------------------------

    def _name(self, call: f.Call) -> str:
        return self._program.called(call)

    def _bodies(self, call: f.Call) -> list[str]:
        target = call.target
        if not isinstance(target, f.Fn) or call.virtual:
            return []
        return list(self._program.body_of(target.usr))

    def _reads(self, call: f.Call) -> bool:
        """Whether a call reads a number that others may write, and does nothing else."""
        name = self._name(call)
        method = name.rpartition("::")[2]
        if not self._knowledge.is_standard(name) and name not in self._knowledge.reads:
            return False
        base = isinstance(call.target, f.Fn) and call.target.base is not None
        return name in self._knowledge.reads or (
            base and (method in self._knowledge.same_methods or method.startswith("operator "))
        )

    def _is_idle(self, call: f.Call) -> bool:
        """Whether a call passes the time, or only reads."""
        name = self._name(call)
        if name in self._knowledge.idle or name in self._knowledge.asked or self._reads(call):
            return True
        bodies = self._bodies(call)
        if not bodies:
            plain = not any(isinstance(a, f.Closure | f.Fn | f.Field) for a in call.args)
            target = call.target
            free = isinstance(target, f.Fn) and target.base is None
            waits = name in self._knowledge.blocks or name in self._knowledge.waits
            return self._knowledge.is_standard(name) and plain and free and not waits
        return all(self._passes(usr) for usr in bodies)

    def _passes(self, usr: str) -> bool:
        if usr not in self._idle:
            self._idle[usr] = False
            if self._returned(usr):
                self._idle[usr] = True
            else:
                inside = f.walk(self._program.functions[usr].body)
                self._idle[usr] = all(
                    self._is_idle(s)
                    if isinstance(s, f.Call)
                    else isinstance(s, f.EndTemporaries | f.Return | f.If | f.Block | f.Loop)
                    for s in inside
                )
        return self._idle[usr]

    # -- who writes -------------------------------------------------------------------------------

    def writes(self) -> dict[str, list[Write]]:
        """Every statement that may write to what a loop looks at, but for those that make it."""
        if self._writes is None:
            self._writes = {}
            flags = {flag for poll in self.loops.values() for flag in poll.flags}
            for function in self._program.functions.values() if flags else ():
                if function.usr.startswith(("nsdmi:", "init:")):
                    continue
                for write in self._written(function):
                    if write.flag in flags:
                        self._writes.setdefault(write.flag, []).append(write)
        return self._writes

    def _written(self, function: f.Function) -> Iterator[Write]:
        made = function.kind == "constructor"
        assigned: set[tuple[int, str]] = set()
        for statement in f.walk(function.body):
            if isinstance(statement, f.Assign | f.Written):
                flag = _key(statement.target)
                assigned.add((statement.line, flag))
                literal = _literal(statement.value) if isinstance(statement, f.Assign) else ""
                if not (made and _is_of_this(statement.target)):
                    yield Write(function.usr, flag, statement.line, 0, literal)
            elif isinstance(statement, f.Call) and not self._reads(statement):
                name = self._name(statement)
                for value in self._changed(statement):
                    flag = _key(value)
                    # An assignment by an operator is there twice: as what it does, and as a call.
                    twice = "operator" in name and (statement.line, flag) in assigned
                    if not flag or twice or (made and _is_of_this(value)):
                        continue
                    known = self._knowledge.atomics.get(name)
                    sets = known.sets if known is not None else None
                    at = None if sets is None else dict(enumerate(statement.args)).get(sets)
                    place = statement.line, statement.column
                    yield Write(function.usr, flag, *place, _literal(at))

    def _changed(self, call: f.Call) -> Iterator[f.Value | None]:
        """What a call may write to: its object, and what it is not given a copy of."""
        target = call.target
        if isinstance(target, f.Fn | f.Name) and not self._is_number(_key(target.base)):
            yield target.base
        passed = passing(self._program, target.usr)[1] if isinstance(target, f.Fn) else ""
        for at, value in enumerate(call.args):
            if how_passed(passed, at) == "&" or not self._is_number(_key(value)):
                yield value

    def _is_number(self, flag: str) -> bool:
        """Whether a variable is a number itself: who is handed that has a copy."""
        return self._program.type_of(flag).removeprefix("volatile ") in INTEGERS


def _looked_through(blocks: Sequence[f.Block]) -> _Body:
    statements = [s for block in blocks for s in f.walk(block)]
    calls = {s.id: s for s in statements if isinstance(s, f.Call)}
    changed = {_key(s.target) for s in statements if isinstance(s, f.Assign | f.Written)}
    changed |= {s.usr for s in statements if isinstance(s, f.Local)}
    given: dict[str, list[f.Value | None]] = {}
    for s in statements:
        if isinstance(s, f.Assign | f.Written):
            given.setdefault(_key(s.target), []).append(
                s.value if isinstance(s, f.Assign) else None
            )
        elif isinstance(s, f.Local) and s.value is not None:
            given.setdefault(s.usr, []).append(s.value)
    return _Body(calls, frozenset(changed), given)


def _object(call: f.Call) -> f.Value | None:
    target = call.target
    if isinstance(target, f.Fn | f.Name) and target.base is not None:
        return target.base
    return call.args[0] if call.args else None


def _key(value: f.Value | None) -> str:
    while isinstance(value, f.Elem):
        value = value.base
    return value.usr if isinstance(value, f.Var | f.Field) else ""


def _is_of_this(value: f.Value | None) -> bool:
    """Whether something is a member of the function's own object."""
    while isinstance(value, f.Field | f.Elem):
        value = value.base
    return isinstance(value, f.This)


def _literal(value: f.Value | None) -> str:
    return value.text if isinstance(value, f.Lit) else ""


def _same(one: str, other: str) -> bool | None:
    """Whether two literals are the same number; None where one is none, or only a name."""
    if one == other:
        return True
    left, right = number_of(one), number_of(other)
    if left is None or right is None:
        return None
    return left == right
