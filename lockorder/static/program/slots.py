"""How many threads a semaphore lets in at once, as those say who begin it.

One for several is no gate: two threads can be behind it, and wait for each other there.  What is
said by the parameters of a function is said by its callers; the rest goes by the variable or
member, as what is known of recursive locks does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.places import THIS, Place, argument_for, near, place_of
from lockorder.static.program.steps import member


class _Said(NamedTuple):
    """That what is at *place* lets *room* in, or as many as the parameter *by* says.

    Without either nobody can tell.
    """

    place: Place
    room: int | None
    by: str = ""


class Slots:
    """Answers for the semaphores of one program."""

    def __init__(
        self, program: Program, knowledge: Knowledge, outer: Callable[[Path], Path]
    ) -> None:
        """*outer*: the lock that what is at a path is inside of."""
        self._program = program
        self._knowledge = knowledge
        self._outer = outer
        self._texts: dict[str, _Text] = {}
        self._said: dict[str, dict[_Said, None]] = {}
        self._called: set[str] = set()
        for function in program.functions.values():
            for said in self._begun(function):
                self._said.setdefault(function.usr, {})[said] = None
        self._spread()
        #: by variable or member: the counts with which it is begun
        self._counts = self._resolve()

    def lets_in_several(self, path: Path) -> bool | None:
        """Whether several threads can have the semaphore at once; None where it may be so.

        Of one that nobody is seen to begin it is not so: most are made to let one in.
        """
        counts = self._counts.get(_key(path))
        if not counts:
            return False
        several = {count is None or count > 1 for count in counts}
        if several == {True} and None not in counts:
            return True
        return False if several == {False} else None

    def empty(self) -> frozenset[str]:
        """Variables and members whose semaphores all begin with room for nobody: signals."""
        return frozenset(key for key, counts in self._counts.items() if set(counts) == {0})

    # -- what functions say -----------------------------------------------------------------------

    def _begun(self, function: f.Function) -> Iterator[_Said]:
        """The semaphores that a function begins."""
        for statement in walk(function.body):
            if isinstance(statement, f.Make):
                yield from self._made(function, statement, statement.type, f.Made(statement.id))
            elif isinstance(statement, f.Call):
                yield from self._begun_by(function, statement)

    def _made(
        self, function: f.Function, made: f.Make | f.Call, spelling: str, target: f.Value
    ) -> Iterator[_Said]:
        lock = self._knowledge.locks.get(self._program.split(spelling)[0])
        if lock is not None and lock.count is not None:
            yield from self._say(function, target, made.args, lock.count, spelling)

    def _begun_by(self, function: f.Function, call: f.Call) -> Iterator[_Said]:
        """What a call begins: what it is given, what it returns, what a smart pointer gets."""
        name = self._program.called(call)
        counted = self._knowledge.counted.get(name)
        if counted is None:
            if call.type and name in self._knowledge.same_functions - self._knowledge.moves:
                made = self._program.pointee(call.type)
                yield from self._made(function, call, made, f.Result(call.id))
            return
        target: f.Value | None = f.Result(call.id)
        if isinstance(counted.lock, int):
            target = call.args[counted.lock] if counted.lock < len(call.args) else None
        if target is not None and counted.count < len(call.args):  # else it opens another's
            yield from self._say(function, target, call.args, counted.count)

    def _say(
        self,
        function: f.Function,
        target: f.Value,
        args: list[f.Value],
        at: int,
        spelling: str = "",
    ) -> Iterator[_Said]:
        place = self._place(function, target)
        if place is None:
            return
        value = self._text(function).value(args[at]) if at < len(args) else None
        if isinstance(value, f.Var) and self._program.is_indirect(self._program.type_of(value.usr)):
            return  # it is not begun, but handed on
        number = numbers.number_of(value.text) if isinstance(value, f.Lit) else None
        by = value.usr if isinstance(value, f.Var) and value.usr in function.params else ""
        if number is None and not by and "1" in self._program.split(spelling)[1][:1]:
            number = 1  # its type has room for no more
        yield _Said(place, number, by)

    def _text(self, function: f.Function) -> _Text:
        found = self._texts.get(function.usr)
        if found is None:
            found = self._texts[function.usr] = _Text(function)
        return found

    def _place(self, function: f.Function, value: f.Value | None) -> Place | None:
        text = self._text(function)
        value = text.kept_in(value)
        found = place_of(self._program, function, value, text.named, locals_too=True)
        return self._whole(found) if found is not None else None

    def _whole(self, place: Place) -> Place:
        """The lock that what is at *place* is inside of."""
        path = self._outer(Path.of_variable(place.root, place.steps))
        return Place(place.root, path.steps)

    # -- what their callers say -------------------------------------------------------------------

    def _spread(self) -> None:
        if not self._said:
            return
        callers: dict[str, list[tuple[f.Function, f.Call | f.Make]]] = {}
        for function in self._program.functions.values():
            for statement in walk(function.body):
                usr = ""
                if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                    usr = statement.target.usr
                elif isinstance(statement, f.Make):
                    usr = statement.ctor
                if usr and isinstance(statement, f.Call | f.Make):
                    for body in self._program.body_of(usr):
                        callers.setdefault(body, []).append((function, statement))
        self._called.update(callers)
        pending = deque(sorted(self._said))
        while pending:
            callee = pending.popleft()
            for caller, call in callers.get(callee, ()):
                if self._pass_on(callee, caller, call) and caller.usr not in pending:
                    pending.append(caller.usr)

    def _pass_on(self, usr: str, caller: f.Function, call: f.Call | f.Make) -> bool:
        """Say of a caller what it lets its callee do."""
        callee = self._program.functions[usr]
        known = self._said.setdefault(caller.usr, {})
        before = len(known)
        for said in list(self._said[usr]):
            if not (said.by or self._is_callers(callee, said.place)):
                continue
            place = self._translated(said.place, callee, caller, call)
            if place is None:
                continue
            count, by = said.room, said.by
            if by:
                count, by = self._given(argument_for(by, callee, call)[1], caller)
            known[_Said(place, count, by)] = None
        return len(known) > before

    def _given(self, value: f.Value | None, caller: f.Function) -> tuple[int | None, str]:
        """What an argument says: a number, or the parameter of the caller that it is."""
        value = self._text(caller).value(value)
        if isinstance(value, f.Lit):
            return numbers.number_of(value.text), ""
        is_parameter = isinstance(value, f.Var) and value.usr in caller.params
        return None, value.usr if isinstance(value, f.Var) and is_parameter else ""

    def _is_callers(self, function: f.Function, place: Place) -> bool:
        """Whether only the callers of *function* can say what is at *place*."""
        return place.root in (THIS, *function.params) and not place.steps

    def _translated(
        self, place: Place, callee: f.Function, caller: f.Function, call: f.Call | f.Make
    ) -> Place | None:
        mine, value = argument_for(place.root, callee, call)
        if not mine:
            return place
        if place.root == THIS and isinstance(call, f.Make):
            value = f.Made(call.id)
        base = self._place(caller, value)
        if base is None:  # of some object: it is known by its member
            return place if place.steps else None
        return self._whole(near(self._program, place.within(base)))

    def _resolve(self) -> dict[str, set[int | None]]:
        found: dict[str, set[int | None]] = {}
        for usr, all_said in self._said.items():
            function = self._program.functions[usr]
            for said in all_said:
                if self._is_callers(function, said.place):
                    continue
                if said.by and usr in self._called:
                    continue  # callers say how many
                found.setdefault(said.place.key, set()).add(said.room)
        return found


class _Text:
    """A function: what its names stand for, and where what it makes and is given ends up."""

    def __init__(self, function: f.Function) -> None:
        self.named: dict[str, f.Value | None] = {}
        self._kept: dict[tuple[str, int], f.Value] = {}
        self._written: set[str] = set()
        for statement in walk(function.body):
            if isinstance(statement, f.Local):
                self.named[statement.usr] = statement.value
                self._keep(statement.value, f.Var(statement.usr))
            elif isinstance(statement, f.Assign):
                self._keep(statement.value, statement.target)
                if isinstance(statement.target, f.Var):
                    self._written.add(statement.target.usr)

    def _keep(self, value: f.Value | None, where: f.Value) -> None:
        key = _number(value)
        if key is not None:
            self._kept[key] = where

    def kept_in(self, value: f.Value | None) -> f.Value | None:
        """The variable or member that has what *value* is."""
        key = _number(value)
        return value if key is None else self._kept.get(key, value)

    def value(self, value: f.Value | None) -> f.Value | None:
        """What a number is a copy of."""
        seen = set[str]()
        while isinstance(value, f.Var) and value.usr not in self._written | seen:
            if self.named.get(value.usr) is None:
                break
            seen.add(value.usr)
            value = self.named[value.usr]
        return value


def _number(value: f.Value | None) -> tuple[str, int] | None:
    """Which object that a function makes, or call that it makes, a value comes from."""
    if isinstance(value, f.Made):
        return "made", value.make
    return ("result", value.call) if isinstance(value, f.Result) else None


def _key(path: Path) -> str:
    """The variable or member that a path ends in."""
    return next((m for m in map(member, reversed(path.steps)) if m), path.variable)
