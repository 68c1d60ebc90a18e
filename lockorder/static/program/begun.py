"""Which functions an object was begun with, where only pointers lead to it.

``create(&attributes, &owner->pool)`` makes a pool that keeps a copy of the attributes, with the
functions in them; what is called by ``owner->pool`` later is what these attributes had.  All values
of the member ``pool`` are followed back: through the call that made the object, into the function
that did, and to the arguments of this one call.  A member that an initialiser leaves out is null.

Nothing is said where the functions of such objects are written to in any other place than where
they are begun.  A global table has the functions that its initialiser names, and what is set later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program.given import Given
from lockorder.static.program.link import Program
from lockorder.static.program.steps import ELEMENT, Steps, is_element, member

_FALSE = NULLS | {"false"}


class _Context(NamedTuple):
    """The call by which a function was entered, and the one by which its caller was."""

    caller: f.Function
    call: f.Call
    outer: _Context | None

    def __hash__(self) -> int:
        return hash((self.caller.usr, self.call.id, self.outer))

    def has(self, function: str) -> bool:
        """Whether *function* is being called already."""
        here: _Context | None = self
        while here is not None:
            if here.caller.usr == function:
                return True
            here = here.outer
        return False


class _Unknown(Exception):
    """A value that nobody follows."""


class Begun:
    """Answers for one program."""

    def __init__(self, program: Program, given: Given) -> None:
        self._program = program
        self._given = given
        #: by function, and local or parameter: members of it that the function sets
        self._set: dict[str, dict[str, list[tuple[Steps, f.Value]]]] = {}
        #: by function, and local or parameter: calls that get it, and as which argument
        self._handed: dict[str, dict[str, list[tuple[f.Call, int]]]] = {}
        #: by call, and variable: whether the call gets its address
        self._by_address: set[tuple[int, str]] = set()
        #: by pointer, a member or a global: calls that get its address
        self._lent: dict[str, list[tuple[f.Function, f.Call, int]]] = {}
        #: by global pointer: what is assigned to it
        self._globals: dict[str, list[tuple[f.Function, f.Value]]] = {}
        #: by pointer member: what initialisers have for it
        self._listed: dict[str, list[tuple[f.Function, f.Value]]] = {}
        self._initial: dict[str, f.Value | None] = {}
        self._closed: dict[str, bool] = {}
        self._known: dict[tuple[str, Steps], frozenset[str] | None] = {}
        self._asking: set[object] = set()
        for function in program.functions.values():
            self._read(function)

    def functions(self, home: str, steps: Steps) -> frozenset[str] | None:
        """What *steps* lead to from the objects that the pointer member *home* leads to, or from
        the global object *home*.

        None where that can be any function.
        """
        key = home, steps
        if key not in self._known:
            self._known[key] = None  # meanwhile, where it leads back to itself
            self._known[key] = self._find(home, steps)
        return self._known[key]

    def knows(self, steps: Steps) -> bool:
        """Whether callers can tell what is at *steps* from an object that they hand in."""
        return all(self._is_closed(member(s)) for s in steps)

    def is_empty(self, variable: str, steps: Steps) -> bool:
        """Whether a member of a global object is null: its initialiser leaves it out, or says so,
        and nothing sets it anywhere."""
        if (
            not steps
            or variable not in self._initial
            or not all(self._is_unset(member(s)) for s in steps)
        ):
            return False
        value = self._initial[variable]
        for step in steps:
            if not isinstance(value, f.AnyOf) or not value.fields:
                return False
            if step not in value.fields:
                return True
            value = value.values[value.fields.index(step)]
        return f.is_null(value)

    def _is_unset(self, member: str) -> bool:
        return not (self._given.writes(member) or member in self._lent or self._is_copied(member))

    def _is_copied(self, member: str) -> bool:
        """Whether a call without a body may write to a member; a pointer it may just follow."""
        return self._given.is_copied(member) and not self._is_pointer(member)

    # -- reading ----------------------------------------------------------------------------------

    def _read(self, function: f.Function) -> None:
        sets: dict[str, list[tuple[Steps, f.Value]]] = {}
        handed: dict[str, list[tuple[f.Call, int]]] = {}
        lent: dict[int, list[str]] = {}
        for statement in f.walk(function.body):
            if isinstance(statement, f.Assign):
                steps, base = _ways(statement.target)
                if isinstance(base, f.Var) and steps:
                    sets.setdefault(base.usr, []).append((steps, statement.value))
                elif isinstance(statement.target, f.Var) and self._is_global(statement.target.usr):
                    self._assigned_to(function, statement.target.usr, statement.value)
                self._list(function, statement.value)
            elif isinstance(statement, f.Local) and statement.value is not None:
                self._list(function, statement.value)
            elif isinstance(statement, f.Written) and isinstance(statement.target, f.Field | f.Var):
                lent.setdefault(statement.call, []).append(statement.target.usr)
                self._by_address.add((statement.call, statement.target.usr))
            elif isinstance(statement, f.Call):
                for at, argument in enumerate(statement.args):
                    if isinstance(argument, f.Var):
                        if self._is_global(argument.usr) and self._is_overwritten(
                            statement, at, argument.usr
                        ):
                            self._initial[argument.usr] = None
                        handed.setdefault(argument.usr, []).append((statement, at))
                    if not isinstance(argument, f.Field | f.Var):
                        continue
                    if argument.usr in lent.get(statement.id, ()):
                        self._lent.setdefault(argument.usr, []).append((function, statement, at))
        self._set[function.usr], self._handed[function.usr] = sets, handed

    def _is_global(self, usr: str) -> bool:
        variable = self._program.variables.get(usr)
        return variable is not None and variable.kind in ("global", "static", "member")

    def _assigned_to(self, function: f.Function, usr: str, value: f.Value) -> None:
        known = usr in self._initial or not function.usr.startswith("init:")
        self._initial[usr] = None if known else value
        self._globals.setdefault(usr, []).append((function, value))

    def _list(self, function: f.Function, value: f.Value) -> None:
        if isinstance(value, f.AnyOf):
            for each, field in zip(value.values, value.fields, strict=False):
                if self._is_pointer(field):
                    self._listed.setdefault(field, []).append((function, each))
                self._list(function, each)

    # -- which members are written to only where objects are begun --------------------------------

    def _is_closed(self, member: str) -> bool:
        known = self._closed.get(member)
        if known is None:
            variable = self._program.variables.get(member)
            known = variable is not None and variable.kind == "field"
            known = known and not self._is_copied(member)
            self._closed[member] = known and all(
                self._is_new(function, target.base, frozenset())
                for function, target, _ in self._given.writes(member)
            )
        return self._closed[member]

    def _is_new(self, function: f.Function, base: f.Value, seen: frozenset[str]) -> bool:
        """Whether what lies at *base* is only just made there, or is the function's own."""
        for place in self._given.places(function, base):
            steps = place.steps[:-1] if place.steps[-1:] == (ELEMENT,) else place.steps
            if any(not isinstance(s, str) or self._is_pointer(s) for s in steps):
                return False
            if place.kind == "variable":
                variable = self._program.variables.get(place.usr)
                if variable is None or variable.kind != "local":
                    return False
            elif place.kind == "param":
                calls = self._given.calls(function.usr)
                if not calls or place.usr in seen:
                    return False  # who calls it is not here
                at = function.params.index(place.usr)
                for caller, call in calls:
                    if at >= len(call.args):
                        return False
                    if not self._is_new(caller, call.args[at], seen | {place.usr}):
                        return False
            elif place.kind != "new":
                return False
        return True

    def _is_pointer(self, member: str) -> bool:
        return self._program.is_indirect(self._program.type_of(member))

    # -- values -----------------------------------------------------------------------------------

    def _find(self, home: str, steps: Steps) -> frozenset[str] | None:
        variable = self._program.variables.get(home)
        kept = variable is not None and (variable.kind == "field" or self._is_global(home))
        if variable is None or not kept:
            return None
        if not steps:
            return None
        if not self._is_pointer(home):
            return self._by_initialiser(home, steps)
        if not self.knows(steps):
            return None
        try:
            found, begun = set[str](), False
            for function, value in self._values_of(home):
                begun = True
                found |= self._at(function, value, None, steps)
            for function, call, at in self._lent.get(home, ()):
                begun = True
                found |= self._through(function, call, at, None, steps, must=True)
        except _Unknown:
            return None
        return frozenset(found) if begun else None

    def _by_initialiser(self, home: str, steps: Steps) -> frozenset[str] | None:
        """The functions at *steps* of a global object: its initialiser's, and what is set later."""
        if self._initial.get(home) is None or any(map(is_element, steps)):
            return None
        ((begins, initial),) = self._globals[home]
        last = member(steps[-1])
        if not all(self._is_unset(member(s)) for s in steps[:-1]) or self._is_replaced(home):
            return None
        if last in self._lent or self._is_copied(last):
            return None
        try:
            found = self._at(begins, initial, None, steps)
            for function, target, value in self._given.writes(last):
                if home in self._globals_at(function, target.base):
                    found |= self._at(function, value, None, ())
        except _Unknown:
            return None
        return frozenset(found)

    def _globals_at(self, function: f.Function, base: f.Value) -> Collection[str]:
        """The global objects that a member is written of: all of them where that is not known."""
        places = self._given.places(function, base)
        named = all(p.kind == "variable" and self._is_global(p.usr) for p in places)
        return {p.usr for p in places} if named else self._globals

    def _is_replaced(self, home: str) -> bool:
        """Whether a function that gets the address of an object may assign a whole one there."""
        if self._program.type_of(home).startswith("const "):
            return False
        seen, left = set[tuple[str, str]](), [(usr, home) for usr in self._handed]
        while left:
            function, usr = left.pop()
            if (function, usr) in seen:
                continue
            seen.add((function, usr))
            for call, at in self._handed[function].get(usr, ()):
                target = call.target
                for body in self._program.body_of(target.usr) if isinstance(target, f.Fn) else ():
                    callee = self._program.functions[body]
                    if at >= len(callee.params):
                        return True
                    if self._assigned(callee, callee.params[at]):
                        return True
                    left.append((body, callee.params[at]))
        return False

    def _values_of(self, home: str) -> Iterator[tuple[f.Function, f.Value]]:
        for function, _, value in self._given.writes(home):
            yield function, value
        yield from self._listed.get(home, ())
        yield from self._globals.get(home, ())

    def _at(
        self, function: f.Function, value: f.Value | None, context: _Context | None, steps: Steps
    ) -> set[str]:
        """The functions that *steps* lead to from *value*."""
        if isinstance(value, f.Lit) and value.text:
            return set()
        if isinstance(value, f.Made):
            return set()  # new memory: whatever is in it is set by name
        if isinstance(value, f.Fn) and not steps:
            return set(self._program.body_of(value.usr))
        if isinstance(value, f.AnyOf):
            return self._one_of(function, value, context, steps)
        if isinstance(value, f.Field):
            root = _ways(value)[1]
            inner = isinstance(root, f.Var) and self._is_own(function, root.usr, context)
            if inner and value.usr not in steps:
                return self._at(function, value.base, context, (value.usr, *steps))
            found = self.functions(value.usr, steps) if self._is_pointer(value.usr) else None
            if found is None:
                raise _Unknown
            return set(found)
        if isinstance(value, f.Result):
            return self._returned(function, value.call, context, steps)
        if isinstance(value, f.Var):
            key = function.usr, value.usr, context, steps
            if key in self._asking:
                return set()  # what it gets from itself is nothing new
            self._asking.add(key)
            try:
                return self._in(function, value.usr, context, steps)
            finally:
                self._asking.discard(key)
        raise _Unknown

    def _is_own(self, function: f.Function, usr: str, context: _Context | None) -> bool:
        """Whether a variable is an object of the function, or of the call that entered it."""
        variable = self._program.variables.get(usr)
        if variable is None or variable.kind not in ("local", "param"):
            return False
        if usr in function.params:
            return context is not None
        return not self._program.is_indirect(variable.type)

    def _one_of(
        self, function: f.Function, value: f.AnyOf, context: _Context | None, steps: Steps
    ) -> set[str]:
        if value.fields:
            if not steps:
                raise _Unknown
            if steps[0] not in value.fields:
                return set()  # null
            listed = value.values[value.fields.index(steps[0])]
            return self._at(function, listed, context, steps[1:])
        values = value.values
        chosen = self._truth(function, value.cond, context) if len(values) == 2 else None
        if chosen is not None:
            values = [values[0 if chosen else 1]]
        return {found for each in values for found in self._at(function, each, context, steps)}

    def _truth(
        self, function: f.Function, cond: f.Value | None, context: _Context | None
    ) -> bool | None:
        """What a condition is by the arguments of a call."""
        if isinstance(cond, f.Not):
            inner = self._truth(function, cond.value, context)
            return None if inner is None else not inner
        if isinstance(cond, f.Lit):
            known = cond.text in _FALSE or cond.text == "true" or cond.text.isdecimal()
            return cond.text not in _FALSE if known else None
        if isinstance(cond, f.Var) and context is not None and cond.usr in function.params:
            at = function.params.index(cond.usr)
            if at < len(context.call.args) and not self._assigned(function, cond.usr):
                return self._truth(context.caller, context.call.args[at], context.outer)
        return None

    def _assigned(self, function: f.Function, usr: str) -> list[f.Value]:
        return self._given.values(function.usr).get(usr, [])

    def _returned(
        self, function: f.Function, number: int, context: _Context | None, steps: Steps
    ) -> set[str]:
        call = self._given.call(function.usr, number)
        if call is None or not isinstance(call.target, f.Fn):
            raise _Unknown
        found: set[str] = set()
        for body in self._program.body_of(call.target.usr):
            callee = self._program.functions[body]
            inside = self._entered(function, call, callee, context)
            for statement in f.walk(callee.body):
                if isinstance(statement, f.Return):
                    found |= self._at(callee, statement.value, inside, steps)
        return found  # without a body: new memory

    @staticmethod
    def _entered(
        function: f.Function, call: f.Call, callee: f.Function, context: _Context | None
    ) -> _Context | None:
        """The call of *callee*; in a recursion any call of it."""
        again = callee.usr == function.usr or (context is not None and context.has(callee.usr))
        return None if again else _Context(function, call, context)

    def _in(
        self, function: f.Function, usr: str, context: _Context | None, steps: Steps
    ) -> set[str]:
        """The functions that *steps* lead to from a variable."""
        variable = self._program.variables.get(usr)
        if variable is None:
            raise _Unknown
        if variable.kind != "local" and usr not in function.params:
            if self._initial.get(usr) is None or not all(self._is_unset(member(s)) for s in steps):
                raise _Unknown
            return self._at(function, self._initial[usr], None, steps)
        found = self._own(function, usr, context, steps)
        for value in self._assigned(function, usr):
            if value != f.Name(""):  # what calls write is asked of them
                found |= self._at(function, value, context, steps)
        if usr in function.params:
            found |= self._from_callers(function, usr, context, steps)
        return found

    def _own(
        self, function: f.Function, usr: str, context: _Context | None, steps: Steps
    ) -> set[str]:
        """What *function*, and who it hands the variable to, put into it."""
        found: set[str] = set()
        for way, value in self._set[function.usr].get(usr, ()):
            if way == steps[: len(way)]:
                found |= self._at(function, value, context, steps[len(way) :])
        for call, at in self._handed[function.usr].get(usr, ()):
            if self._is_overwritten(call, at, usr):
                raise _Unknown
            found |= self._through(function, call, at, context, steps)
        return found

    def _is_overwritten(self, call: f.Call, at: int, usr: str) -> bool:
        """Whether a call without a body may put into a variable what nobody knows.

        It has the address of an object, or of a pointer, and more than numbers to put there.
        """
        if isinstance(call.target, f.Fn) and self._program.body_of(call.target.usr):
            return False
        if self._is_pointer(usr) and (call.id, usr) not in self._by_address:
            return False
        others = [a for number, a in enumerate(call.args) if number != at]
        return not all(isinstance(a, f.Lit) for a in others)

    def _from_callers(
        self, function: f.Function, usr: str, context: _Context | None, steps: Steps
    ) -> set[str]:
        at = function.params.index(usr)
        calls: Sequence[tuple[f.Function, f.Call]] | None
        if context is not None:
            calls = [(context.caller, context.call)]
        else:
            calls = self._given.calls(function.usr)
        if not calls:
            raise _Unknown  # who calls it is not here
        outer = context.outer if context is not None else None
        found: set[str] = set()
        for caller, call in calls:
            if at >= len(call.args):
                raise _Unknown
            found |= self._at(caller, call.args[at], outer, steps)
        return found

    def _through(
        self,
        function: f.Function,
        call: f.Call,
        at: int,
        context: _Context | None,
        steps: Steps,
        must: bool = False,
    ) -> set[str]:
        """What a call puts into the object, or the pointer, that is its argument number *at*.

        Where it *must* be followed nothing is known of a call without a body.
        """
        bodies = self._program.body_of(call.target.usr) if isinstance(call.target, f.Fn) else ()
        if must and not bodies:
            raise _Unknown
        found: set[str] = set()
        for body in bodies:
            callee = self._program.functions[body]
            if at >= len(callee.params):
                raise _Unknown
            param = callee.params[at]
            inside = self._entered(function, call, callee, context)
            key = body, param, inside, steps, "through"
            if key in self._asking:
                continue
            self._asking.add(key)
            try:
                found |= self._own(callee, param, inside, steps)
                if self._leads_to_pointer(param):
                    for value in self._assigned(callee, param):  # *param = value
                        if value != f.Name(""):
                            found |= self._at(callee, value, inside, steps)
            finally:
                self._asking.discard(key)
        return found

    def _leads_to_pointer(self, param: str) -> bool:
        """Whether a parameter is the address of a pointer."""
        return self._program.type_of(param).count("*") > 1


def _ways(value: f.Value) -> tuple[Steps, f.Value]:
    """The members by which a value is reached, and from what."""
    steps: list[str] = []
    while isinstance(value, f.Field):
        steps.append(value.usr)
        value = value.base
    return tuple(reversed(steps)), value
