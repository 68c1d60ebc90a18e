"""Locks that a thread surely had to get on its way to a place, whether it still holds them or not.

What stands before a place in its own block, or in one around it, runs before it.  So do the calls
there, with all that each of their ways takes; and so does what stands before every call of the
function that the place is in, up to where threads begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.model import HeldLock
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Site
from lockorder.static.parse import facts as f

_Locks = frozenset[HeldLock]
_NONE: _Locks = frozenset()
_LEAVES = (f.Return, f.Throw, f.Goto, f.Break, f.Continue)


class Passed:
    """Answers about the places of one analysed program."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._always: dict[str, _Locks] = {}
        self._open: set[tuple[str, str]] = set()
        self._before: dict[str, _Locks] = {}

    def before(self, function: str, site: Site) -> _Locks:
        """Locks that are taken on every way to *site* in *function*, by callers as well."""
        known = self._engine.program.functions.get(function)
        if known is None:
            return _NONE
        return self._until(known, site.line, site.column) | self._entering(function)

    # -- on the way to a function -----------------------------------------------------------------

    def _entering(self, usr: str) -> _Locks:
        """What all callers of *usr* have passed."""
        found = self._before.get(usr)
        if found is None and ("in", usr) not in self._open:
            self._open.add(("in", usr))  # a library may call back whom it is called by
            found = self._before[usr] = self._by_callers(usr)
            self._open.discard(("in", usr))
        return found or _NONE

    def _in_circle(self, one: str, other: str) -> bool:
        """Whether two functions can call each other: a call says nothing of what was before."""
        circle = self._engine.circle
        return circle.get(one) == circle.get(other)

    def _by_callers(self, usr: str) -> _Locks:
        contexts = self._engine.contexts
        callers = contexts.callers(usr)
        if not callers or contexts.is_entered(usr) or usr in self._engine.points_to.taken:
            return _NONE
        ways: list[_Locks] = []
        for caller in sorted(callers):
            known = self._engine.program.functions.get(caller)
            if known is None:
                return _NONE
            calls = list(self._calls(known, usr))
            here = [self._until(known, c.line, c.column) for c in calls] or [_NONE]
            before = _NONE if self._in_circle(usr, caller) else self._entering(caller)
            ways.append(frozenset.intersection(*here) | before)
        return frozenset.intersection(*ways)

    def _calls(self, function: f.Function, usr: str) -> Iterator[f.Call]:
        for statement in f.walk(function.body):
            if isinstance(statement, f.Call) and usr in self._callees(statement):
                yield statement

    def _callees(self, call: f.Call) -> Sequence[str]:
        target = call.target
        if isinstance(target, f.Closure):
            return (target.usr,)
        if not isinstance(target, f.Fn):
            return ()
        bodies = self._engine.program.body_of(target.usr)
        return (*bodies, *self._engine.program.overriders(target.usr)) if call.virtual else bodies

    def _stored(self, function: f.Function, call: f.Call) -> Sequence[str]:
        """Functions that a call of a variable can run: all that may be stored in it."""
        target = call.target
        value = target.base if isinstance(target, f.Fn) else target
        if isinstance(target, f.Fn):
            name = self._engine.program.name_of(target.usr)
            if not name.endswith("operator()"):
                return ()
        node = self._engine.points_to.node(function, value)
        return self._engine.points_to.functions(node) if node is not None else ()

    # -- on the way through a function ------------------------------------------------------------

    def _until(self, function: f.Function, line: int, column: int) -> _Locks:
        """What is taken before the event at that place in *function*."""
        found = self._in_block(function, function.body, line, column)
        return _NONE if found is None else found

    def _in_block(
        self, function: f.Function, block: f.Block, line: int, column: int
    ) -> _Locks | None:
        """What is taken in *block* before that place; None where it is not in there."""
        passed: set[HeldLock] = set()
        for statement in block.body:
            if isinstance(statement, f.Call | f.Make):
                if (statement.line, statement.column) == (line, column):
                    return frozenset(passed)
            elif isinstance(statement, f.Assign) and statement.line == line and column == 0:
                return frozenset(passed)
            elif isinstance(statement, f.Label):
                passed.clear()  # who jumps here has not come by
            for part in f.parts(statement):
                inner = self._in_block(function, part, line, column)
                if inner is not None:
                    return frozenset(passed) | inner | self._heads(function, statement, part)
            passed |= self._of(function, statement)
        return None

    def _heads(self, function: f.Function, statement: f.Stmt, part: f.Block) -> _Locks:
        """What a loop's head has taken before the body begins."""
        if isinstance(statement, f.Loop) and part is not statement.head:
            return _NONE if statement.at_least_once else self._through(function, statement.head)
        return _NONE

    def _of(self, function: f.Function, statement: f.Stmt) -> _Locks:
        """What is taken on every way through *statement*."""
        if isinstance(statement, f.Call | f.Make):
            place = function.usr, statement.line, statement.column
            own = self._engine.found.waited_at.get(place, set())
            found = frozenset(own) if len(own) == 1 else _NONE
            callees: Sequence[str]
            if isinstance(statement, f.Make):
                callees = self._engine.program.body_of(statement.ctor)
            else:
                callees = self._callees(statement) or self._stored(function, statement)
            if callees and not any(self._in_circle(c, function.usr) for c in callees):
                found |= frozenset.intersection(*(self._through_call(c) for c in callees))
            return found
        if isinstance(statement, f.If):
            if statement.orelse is None:
                return _NONE
            ways = (statement.then, statement.orelse)
            return frozenset.intersection(*(self._through(function, way) for way in ways))
        if isinstance(statement, f.Block):
            return self._through(function, statement)
        if isinstance(statement, f.Loop):
            once = statement.body if statement.at_least_once else statement.head
            return self._through(function, once)
        return _NONE

    def _through(self, function: f.Function, block: f.Block) -> _Locks:
        passed: set[HeldLock] = set()
        for statement in block.body:
            if isinstance(statement, f.Label):
                passed.clear()
            passed |= self._of(function, statement)
            if isinstance(statement, _LEAVES) or any(
                isinstance(s, _LEAVES) for p in f.parts(statement) for s in f.walk(p)
            ):
                break
        return frozenset(passed)

    def _through_call(self, usr: str) -> _Locks:
        """What every call of *usr* takes."""
        found = self._always.get(usr)
        if found is None and ("by", usr) not in self._open:
            self._open.add(("by", usr))
            known = self._engine.program.functions.get(usr)
            found = self._through(known, known.body) if known is not None else _NONE
            self._always[usr] = found
            self._open.discard(("by", usr))
        return found or _NONE
