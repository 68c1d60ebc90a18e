"""Locks that a thread surely had to get on its way to a place, whether it still holds them or not.

What stands before a place in its own block, or in one around it, runs before it.  So do the calls
there, with all that each of their ways takes; and so does what stands before every call of the
function that the place is in, up to where threads begin.  Functions that call each other are asked
together: what one of them takes on every way that comes back is what no round takes away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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
        waited = engine.found.waited_at.values()
        self._always = _Solved(self._taken, waited)
        self._before = _Solved(self._by_callers, waited)
        self._calls_in: dict[str, dict[str, list[tuple[int, int]]]] = {}

    def before(self, function: str, site: Site) -> _Locks:
        """Locks that are taken on every way to *site* in *function*, by callers as well."""
        known = self._engine.program.functions.get(function)
        if known is None:
            return _NONE
        return self._until(known, site.line, site.column) | self._entering(function)

    # -- on the way to a function -----------------------------------------------------------------

    def _entering(self, usr: str) -> _Locks:
        """What all callers of *usr* have passed."""
        return self._before.of(usr)

    def _by_callers(self, usr: str) -> _Locks:
        callers = self._engine.contexts.callers(usr)
        if self._begins(usr) or not self._is_reached(usr):
            return _NONE
        ways: list[_Locks] = []
        for caller in sorted(callers):
            known = self._engine.program.functions.get(caller)
            if known is None:
                return _NONE
            here = [self._until(known, *at) for at in self._calls(known).get(usr, ())] or [_NONE]
            ways.append(frozenset.intersection(*here) | self._entering(caller))
        return frozenset.intersection(*ways)

    def _begins(self, usr: str) -> bool:
        """Whether somebody may call *usr* of whom nothing is known."""
        contexts = self._engine.contexts
        entered = contexts.is_entered(usr) or usr in self._engine.points_to.taken
        return entered or not contexts.callers(usr)

    def _is_reached(self, usr: str) -> bool:
        """Whether calls lead to *usr* from functions that begin, and not only in a circle."""
        seen, pending = {usr}, [usr]
        while pending:
            here = pending.pop()
            if self._begins(here):
                return True
            more = self._engine.contexts.callers(here) - seen
            seen |= more
            pending.extend(more)
        return False

    def _calls(self, function: f.Function) -> dict[str, list[tuple[int, int]]]:
        """Where *function* calls which others."""
        known = self._calls_in.get(function.usr)
        if known is None:
            known = self._calls_in[function.usr] = {}
            for statement in f.walk(function.body):
                if isinstance(statement, f.Call):
                    for usr in dict.fromkeys(self._callees(statement)):
                        known.setdefault(usr, []).append((statement.line, statement.column))
        return known

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
        return _NONE if found is None else found[0]

    def _in_block(
        self, function: f.Function, block: f.Block, line: int, column: int
    ) -> tuple[_Locks, bool] | None:
        """What is taken in *block* before that place, and whether a jump may lead past what stands
        before *block*; None where the place is not in there."""
        passed: set[HeldLock] = set()
        jumped = False
        for statement in block.body:
            if isinstance(statement, f.Call | f.Make):
                if (statement.line, statement.column) == (line, column):
                    return frozenset(passed), jumped
            elif isinstance(statement, f.Assign) and statement.line == line and column == 0:
                return frozenset(passed), jumped
            elif isinstance(statement, f.Label):
                passed.clear()  # who jumps here has not come by
                jumped |= _jumps(function.body, statement) > _jumps(block, statement)
            for part in f.parts(statement):
                inner = self._in_block(function, part, line, column)
                if inner is not None and inner[1]:
                    return inner
                if inner is not None:
                    heads = self._heads(function, statement, part)
                    return frozenset(passed) | inner[0] | heads, jumped
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
            if callees:
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
        return self._always.of(usr)

    def _taken(self, usr: str) -> _Locks:
        known = self._engine.program.functions.get(usr)
        return self._through(known, known.body) if known is not None else _NONE


def _jumps(block: f.Block, label: f.Label) -> int:
    """How many statements in *block* jump to *label*."""
    return sum(isinstance(s, f.Goto) and s.label == label.name for s in f.walk(block))


class _Solved:
    """Locks by function, each by *ask*, which may ask for those of other functions.

    Where functions ask for each other, the answers are the largest sets that agree: each begins as
    all locks, and who has asked for one that became smaller is asked again.
    """

    def __init__(self, ask: Callable[[str], _Locks], waited: Iterable[Iterable[HeldLock]]) -> None:
        self._ask = ask
        self._waited = waited
        self._every: _Locks | None = None
        self._found: dict[str, _Locks] = {}
        #: while a question is asked: what is known so far, who has asked for it, who asks now,
        #: and who is to be asked again
        self._open: dict[str, _Locks] = {}
        self._askers: dict[str, set[str]] = {}
        self._asking: list[str] = []
        self._again: dict[str, None] = {}

    def of(self, usr: str) -> _Locks:
        """The locks of *usr*."""
        if usr in self._found:
            return self._found[usr]
        if usr not in self._open:
            if self._every is None:
                self._every = frozenset(lock for locks in self._waited for lock in locks)
            self._open[usr] = self._every
            self._update(usr)
            if not self._asking:
                self._settle()
                return self._found[usr]
        self._askers.setdefault(usr, set()).add(self._asking[-1])
        return self._open[usr]

    def _update(self, usr: str) -> None:
        self._asking.append(usr)
        now = self._ask(usr)
        self._asking.pop()
        if now != self._open[usr]:
            self._open[usr] = now
            self._again.update(dict.fromkeys(self._askers.get(usr, ())))

    def _settle(self) -> None:
        while self._again:
            usr = next(iter(self._again))
            del self._again[usr]
            self._update(usr)
        self._found.update(self._open)
        self._open.clear()
        self._askers.clear()
