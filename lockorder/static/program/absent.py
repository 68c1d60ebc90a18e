"""Entries of maps that are new when they are filled, since their key was looked for before.

``if (map.find(key) == map.end()) map[key] = value;``: what is assigned to was made there and then,
so that nothing of an earlier value ends.  The text says which tests tell that; whether one of them
came out so is for a walk to know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.callgraph import CallGraph
from lockorder.static.program.link import Program

#: Line and column of a call.
Place = tuple[int, int]
#: The number of a call, and what its result is where the key is not there.
Test = tuple[int, bool]
#: Comparisons of two iterators, and what they say of the same.
_COMPARING = {"operator==": True, "operator!=": False}
#: Whatever the test says: what is there is taken out before.
TAKEN_OUT: Test = (-1, True)
_NAMED = (f.Var, f.Field)
#: A statement with the blocks and the loops around it.
_Step = tuple[f.Stmt, tuple[int, ...], tuple[int, ...]]


class Absent:
    """Answers by the texts of functions."""

    def __init__(self, program: Program, knowledge: Knowledge, calls: CallGraph) -> None:
        self._program = program
        self._knowledge = knowledge
        self._calls = calls
        self._tests: dict[tuple[str, Place], tuple[Test, ...]] = {}
        #: by member: functions that may put something into it, or call such
        self._filling: dict[str, frozenset[str]] = {}
        self._callers: dict[str, list[str]] | None = None
        #: by member: functions that do more with it than look
        self._putting: dict[str, set[str]] | None = None

    def tests(self, function: f.Function, place: Place) -> tuple[Test, ...]:
        """Tests of *function* each of which says that what is assigned to at *place* is new."""
        key = function.usr, place
        if key not in self._tests:
            self._tests[key] = tuple(self._find(list(_steps(function.body, (), ())), place))
        return self._tests[key]

    def _find(self, steps: Sequence[_Step], place: Place) -> Iterator[Test]:
        entry = next((e for e in self._entries(steps, place)), None)
        if entry is None:
            return
        at, container, key = entry
        for i, (statement, blocks, loops) in enumerate(steps[:at]):
            if not (isinstance(statement, f.Call) and self._looks(statement, container)):
                continue
            if statement.args != [key] or loops != steps[at][2]:
                continue
            if steps[at][1][: len(blocks)] != blocks:
                continue  # what keeps others away may end with an inner block
            between = [s for s, *_ in steps[i + 1 : at]]
            if any(self._fills(s, container, key) for s in between):
                continue
            tests = [(statement.id, False), *self._compared(statement, container, between)]
            yield from tests
            if any(self._is_taken_out(s, tests, statement, between) for s in between):
                yield TAKEN_OUT

    def _is_taken_out(
        self, branch: f.Stmt, tests: Sequence[Test], lookup: f.Call, between: Sequence[f.Stmt]
    ) -> bool:
        """Whether a branch on one of *tests* takes the value that is there out of the map."""
        if not isinstance(branch, f.If):
            return False
        cond, truth = branch.cond, True
        while isinstance(cond, f.Not):
            cond, truth = cond.value, not truth
        absent = dict(tests).get(cond.call) if isinstance(cond, f.Result) else None
        there = branch.then if truth is not absent else branch.orelse
        if absent is None or there is None:
            return False
        names = {
            s.usr for s in between if isinstance(s, f.Local) and s.value == f.Result(lookup.id)
        }
        through = {
            c.id: c.target.base
            for c in between
            if isinstance(c, f.Call) and isinstance(c.target, f.Fn) and not c.args
        }
        for call in (c for c in there.body if isinstance(c, f.Call) and len(c.args) == 1):
            value = call.args[0]
            if self._program.called(call) not in self._knowledge.moves:
                continue
            if isinstance(value, f.Field) and isinstance(value.base, f.Result):
                found = through.get(value.base.call)
                if isinstance(found, f.Var) and found.usr in names:
                    return True
        return False

    def _entries(
        self, steps: Sequence[_Step], place: Place
    ) -> Iterator[tuple[int, f.Value, f.Value]]:
        """Where an entry is found for what is assigned at *place*; in which map, by which key."""
        for number, (statement, *_) in enumerate(steps):
            if not isinstance(statement, f.Call) or (statement.line, statement.column) != place:
                continue
            map_ = self._base(statement, self._knowledge.replaces)
            if map_ is not None and len(statement.args) == 2 and _is_key(statement.args[0]):
                yield number, map_, statement.args[0]
            target = statement.target
            found = target.base if isinstance(target, f.Fn | f.Name) else None
            if not isinstance(found, f.Result):
                continue
            for at, (call, *_) in enumerate(steps):
                if not isinstance(call, f.Call) or call.id != found.call:
                    continue
                base = self._base(call, ("operator[]",))
                if base is not None and len(call.args) == 1 and _is_key(call.args[0]):
                    yield at, base, call.args[0]

    def _base(self, call: f.Call, names: Collection[str]) -> f.Value | None:
        """The map that a call of a method with one of *names* is about."""
        target = call.target
        if not isinstance(target, f.Fn) or self._program.method_called(call) not in names:
            return None
        base = target.base
        own = isinstance(base, f.Var) or (isinstance(base, f.Field) and base.base == f.This())
        if not own or not isinstance(base, f.Var | f.Field):
            return None
        spelling = self._program.plain(self._program.type_of(base.usr))
        return base if self._knowledge.is_map(self._program.split(spelling)[0]) else None

    def _looks(self, call: f.Call, container: f.Value) -> bool:
        return self._base(call, self._knowledge.looks_up) == container

    def _compared(
        self, lookup: f.Call, container: f.Value, between: Sequence[f.Stmt]
    ) -> Iterator[Test]:
        """Comparisons of what was found with the end."""
        found: list[f.Value] = [f.Result(lookup.id)]
        ends: list[f.Value] = []
        for statement in between:
            if isinstance(statement, f.Local) and statement.value in found:
                found.append(f.Var(statement.usr))
            elif isinstance(statement, f.Assign | f.Written):
                found = [v for v in found if v != statement.target]
            elif isinstance(statement, f.Call):
                target = statement.target
                base = target.base if isinstance(target, f.Fn) else None
                sides = [base, *statement.args] if base is not None else statement.args
                last = self._program.method_called(statement)
                if self._base(statement, self._knowledge.ends_of_map) == container:
                    ends.append(f.Result(statement.id))
                elif last in _COMPARING and len(sides) == 2:
                    one, other = sides
                    if (one in found and other in ends) or (one in ends and other in found):
                        yield statement.id, _COMPARING[last]

    # -- what comes between -----------------------------------------------------------------------

    def _fills(self, statement: f.Stmt, container: f.Value, key: f.Value) -> bool:
        """Whether a statement may put something into the map, or let others, or change the key."""
        if isinstance(statement, f.Assign | f.Written) and statement.target in (key, container):
            return True
        if isinstance(statement, f.Label | f.Delete):
            return True
        if isinstance(statement, f.Make):
            bodies = self._program.body_of(statement.ctor) if statement.ctor else ()
            return container in statement.args or self._reaches(bodies, container)
        if not isinstance(statement, f.Call):
            return any(
                isinstance(v, f.Closure) and self._reaches((v.usr,), container)
                for v in f.values(statement)
            )
        if container in statement.args:
            return True
        target = statement.target
        if not isinstance(target, f.Fn):
            return True
        if target.base == container:
            return not self._only_looks(self._program.method_called(statement), container)
        over = self._program.overriders(target.usr) if statement.virtual else ()
        bodies = (*self._program.body_of(target.usr), *over)
        return self._reaches(bodies, container) if bodies else self._gives_up(statement)

    def _only_looks(self, method: str, container: f.Value) -> bool:
        """Whether a method of a map leaves no more in it than there was."""
        if method in self._knowledge.looks_up or method in self._knowledge.ends_of_map:
            return True
        spelling = self._program.type_of(container.usr) if isinstance(container, _NAMED) else ""
        owner = self._knowledge.owners.get(self._program.split(self._program.plain(spelling))[0])
        return owner is not None and method in owner.destroys and method != f.ASSIGNMENT

    def _gives_up(self, call: f.Call) -> bool:
        """Whether a call may give a lock up, so that others come to the map."""
        name = self._program.called(call)
        cls, _, last = name.rpartition("::")
        known = self._knowledge
        if name in known.waits or cls in known.guards:
            return True
        return known.operation(cls, last) is not None

    def _reaches(self, bodies: Sequence[str], container: f.Value) -> bool:
        """Whether one of these functions puts something into the map, or what it calls."""
        if not isinstance(container, f.Field) or not bodies:
            return False
        return not self._all_filling(container.usr).isdisjoint(bodies)

    def _all_filling(self, member: str) -> frozenset[str]:
        known = self._filling.get(member)
        if known is None:
            callers = self._called_by()
            found = set(self._puts().get(member, ()))
            pending = list(found)
            while pending:
                for caller in callers.get(pending.pop(), ()):
                    if caller not in found:
                        found.add(caller)
                        pending.append(caller)
            known = self._filling[member] = frozenset(found)
        return known

    def _puts(self) -> dict[str, set[str]]:
        """By member: functions that do more with it than look."""
        if self._putting is None:
            self._putting = {}
            harmless = (*self._knowledge.looks_up, *self._knowledge.ends_of_map)
            for function in self._program.functions.values():
                for statement in f.walk(function.body):
                    if (
                        isinstance(statement, f.Call)
                        and self._program.method_called(statement) in harmless
                    ):
                        continue
                    for value in f.values(statement):
                        if isinstance(value, f.Field):
                            self._putting.setdefault(value.usr, set()).add(function.usr)
        return self._putting

    def _called_by(self) -> dict[str, list[str]]:
        if self._callers is None:
            self._callers = {}
            for function in self._program.functions.values():
                for callee in self._calls.callees(function):
                    self._callers.setdefault(callee, []).append(function.usr)
        return self._callers


def _is_key(value: f.Value) -> bool:
    """Whether a key is the same again, if nothing is written to it."""
    return isinstance(value, f.Var | f.Lit)


def _steps(block: f.Block, blocks: tuple[int, ...], loops: tuple[int, ...]) -> Iterator[_Step]:
    """Statements in order, with the blocks and the loops around them."""
    here = (*blocks, id(block))
    for statement in block.body:
        yield statement, here, loops
        inside = (*loops, id(statement)) if isinstance(statement, f.Loop) else loops
        for part in f.parts(statement):
            yield from _steps(part, here, inside)
