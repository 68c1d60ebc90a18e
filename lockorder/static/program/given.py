"""Which functions an object was given when it was begun, and so cannot call others.

``pool_init(&cache->pool, &system_ops)`` keeps the table in the pool: what the pool of a cache asks
for memory is in that table, whatever other pools were given.  Code that all pools share calls
``pool->data->ops->more(pool)``, and only its callers know which pool it is.

An object is known by the member or the global that it lies in.  That is only said where every write
to the member that keeps the functions (or the table) is one of an object that has such a name, or
of a parameter of which all calls are here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.steps import ELEMENT, Step, Steps, is_element, member


class _Place(NamedTuple):
    """An object: what it is reached from, and by which members."""

    #: param, variable, new (nobody else has it), or somewhere
    kind: str
    usr: str = ""
    steps: Steps = ()

    def then(self, step: Step) -> _Place:
        return self._replace(steps=(*self.steps, step))


_SOMEWHERE = _Place("somewhere")
#: What an object may have been given where nobody can say.
_ANYTHING = ""
#: Between a parameter and a member of what it points to.
_MEMBER = "\0"


class _Gift(NamedTuple):
    """Parameter *param* of *function* leads by the members *way* to an object that is given this.

    *value* is a function or a table by key, or another parameter of the same function, or a member
    of what that points to.
    """

    function: str
    param: str
    way: Steps
    value: str


class Given:
    """Answers for one program."""

    def __init__(self, program: Program, taken: Iterable[str]) -> None:
        self._program = program
        self._taken = frozenset(taken)
        #: by member: assignments to it
        self._writes: dict[str, list[tuple[f.Function, f.Field, f.Value]]] = {}
        #: by function: calls of it
        self._calls: dict[str, list[tuple[f.Function, f.Call]]] = {}
        #: members that an initialiser fills, and those that are copied as a whole
        self._filled: set[str] = set()
        self._copied: set[str] = set()
        self._fresh: dict[str, bool] = {}
        #: by global, and member of it: the functions there
        self._tables: dict[str, dict[str, set[str]]] = {}
        self._values: dict[str, dict[str, list[f.Value]]] = {}
        self._results: dict[str, dict[int, f.Call]] = {}
        self._known: dict[Steps, dict[str, frozenset[str]] | None] = {}
        self._pointees: dict[str, frozenset[str] | None] = {}
        for function in program.functions.values():
            self._read(function)

    def functions(self, home: str, steps: Steps) -> frozenset[str] | None:
        """The functions that *steps* lead to from the object that lies in *home*.

        None where that can be any.
        """
        slot = self._slot(steps)
        if slot is None or home in self._copied or home in self._writes:
            return None
        homes = self.homes(steps[: slot + 1])
        values = homes.get(home) if homes is not None else None
        if values is None or _ANYTHING in values:
            return None
        found: set[str] = set()
        for value in values:
            found |= (
                self._tables[value].get(member(steps[-1]), set())
                if value in self._tables
                else {value}
            )
        return frozenset(found)

    def knows(self, steps: Steps) -> bool:
        """Whether callers can tell what is at *steps* from an object that they hand in."""
        slot = self._slot(steps)
        return slot is not None and self.homes(steps[: slot + 1]) is not None

    def home(self, root: str, steps: Steps) -> str:
        """The member or global in which the object at *steps* from variable *root* lies."""
        while steps and is_element(steps[-1]):
            steps = steps[:-1]
        key = member(steps[-1]) if steps else root
        variable = self._program.variables.get(key)
        if variable is None or variable.kind not in ("field", "global", "static", "member"):
            return ""
        return "" if self._program.is_indirect(variable.type) else key

    def behind(self, pointer: str, steps: Steps) -> frozenset[str] | None:
        """The functions that *steps* lead to from the objects that the member *pointer* leads to.

        None where that can be any.
        """
        if pointer not in self._pointees:
            self._pointees[pointer] = None  # meanwhile
            self._pointees[pointer] = self._find_pointees(pointer)
        homes = self._pointees[pointer]
        found: set[str] = set()
        for home in homes or ():
            functions = self.functions(home, steps)
            if functions is None:
                return None
            found |= functions
        return frozenset(found) if homes else None

    def _find_pointees(self, pointer: str) -> frozenset[str] | None:
        """The members and globals in which the objects lie that a pointer member leads to."""
        variable = self._program.variables.get(pointer)
        if variable is None or variable.kind != "field" or pointer in self._filled:
            return None
        if pointer in self._copied or not self._program.is_indirect(variable.type):
            return None
        homes: set[str] = set()
        for function, _, value in self.writes(pointer):
            for place in self.places(function, value):
                found = self._homes_of(function, place, frozenset())
                if not found:
                    return None
                homes |= found
        return frozenset(homes)

    def _homes_of(self, function: f.Function, place: _Place, seen: frozenset[str]) -> set[str]:
        """What the object at *place* lies in; nothing where that is not known."""
        if place.kind not in ("param", "variable"):
            return set()
        home = self.home(place.usr, place.steps)
        if home or place.steps or place.kind != "param" or place.usr in seen:
            return {home} if home else set()
        calls = self.calls(function.usr)
        at = function.params.index(place.usr)
        found: set[str] = set()
        for caller, call in calls or ():
            handed = self.places(caller, call.args[at]) if at < len(call.args) else {_SOMEWHERE}
            for each in handed:
                homes = self._homes_of(caller, each, seen | {place.usr})
                if not homes:
                    return set()
                found |= homes
        return found

    def _slot(self, steps: Steps) -> int | None:
        """Which of *steps* is written to when an object is begun; the others are the way there."""
        last = len(steps) - 1
        if steps[last] in self._writes:
            return last
        if last and steps[last - 1] in self._writes:
            return last - 1
        return None

    def homes(self, steps: Steps) -> dict[str, frozenset[str]] | None:
        """By member or global: what the objects there are given at *steps*; None: anybody may."""
        if steps not in self._known:
            closed = steps[-1] not in self._filled and self._is_way(steps[:-1])
            found = _Search(self, steps).run() if closed else None
            self._known[steps] = found
        return self._known[steps]

    def _is_way(self, steps: Steps) -> bool:
        """Whether each object has what is at *steps* for itself: a part, or new when it began."""
        return all(
            place.kind == "new"
            for step in steps
            for function, _, value in self._writes.get(member(step), ())
            for place in self.places(function, value)
        )

    # -- reading ----------------------------------------------------------------------------------

    def _read(self, function: f.Function) -> None:
        values: dict[str, list[f.Value]] = {}
        results: dict[int, f.Call] = {}
        begins = function.usr.startswith("init:")
        for statement in f.walk(function.body):
            if isinstance(statement, f.Local):
                if statement.value is not None:
                    values.setdefault(statement.usr, []).append(statement.value)
                    self._fill({}, statement.value)
            elif isinstance(statement, f.Written):
                if isinstance(statement.target, f.Var):
                    values.setdefault(statement.target.usr, []).append(f.Name(""))
            elif isinstance(statement, f.Assign):
                target = statement.target
                if isinstance(target, f.Field):
                    write = function, target, statement.value
                    self._writes.setdefault(target.usr, []).append(write)
                elif isinstance(target, f.Var):
                    values.setdefault(target.usr, []).append(statement.value)
                    self._fill(
                        self._tables.setdefault(target.usr, {}) if begins else {}, statement.value
                    )
            elif isinstance(statement, f.Call):
                results[statement.id] = statement
                if isinstance(statement.target, f.Fn):
                    bodies = self._program.body_of(statement.target.usr)
                    for body in bodies:
                        self._calls.setdefault(body, []).append((function, statement))
                    if not bodies:  # memcpy(&worker->pool, ...)
                        fields = [a.usr for a in statement.args[:1] if isinstance(a, f.Field)]
                        self._copied.update(fields)
        self._values[function.usr] = values
        self._results[function.usr] = results

    def _fill(self, table: dict[str, set[str]], value: f.Value) -> None:
        if not isinstance(value, f.AnyOf):
            return
        for each, field in zip(value.values, value.fields, strict=False):
            self._filled.add(field)
            self._fill(table, each)
            if isinstance(each, f.Fn):
                table.setdefault(field, set()).update(self._program.body_of(each.usr))
            elif not isinstance(each, f.AnyOf | f.Lit):
                table.setdefault(field, set()).add(_ANYTHING)

    def places(
        self, function: f.Function, value: f.Value | None, through: frozenset[str] = frozenset()
    ) -> set[_Place]:
        """The objects that *value* can be, or can point to; nothing where it is null.

        *through* are the locals that led here: what one gets from itself is nothing new.
        """
        if isinstance(value, f.Lit):
            return set()
        if isinstance(value, f.Field):
            return {p.then(value.usr) for p in self.places(function, value.base, through)}
        if isinstance(value, f.Elem):
            if self._is_of_pointers(value.base):
                return {_SOMEWHERE}
            return {p.then(ELEMENT) for p in self.places(function, value.base, through)}
        if isinstance(value, f.AnyOf):
            return {p for v in value.values for p in self.places(function, v, through)}
        if isinstance(value, f.Made):
            return {_Place("new")}
        if isinstance(value, f.Result):
            call = self._results[function.usr].get(value.call)
            target = call.target if call is not None else None
            bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ("",)
            return {_Place("new") if all(map(self._makes, bodies)) else _SOMEWHERE}
        if not isinstance(value, f.Var):
            return {_SOMEWHERE}
        variable = self._program.variables.get(value.usr)
        assigned = self._values[function.usr].get(value.usr, [])
        if variable is not None and variable.kind == "param":
            own = {_Place("param", value.usr) if value.usr in function.params else _SOMEWHERE}
            return own | ({_SOMEWHERE} if assigned else set())
        if variable is None or not self._program.is_indirect(variable.type):
            return {_Place("variable", value.usr)}
        if variable.kind != "local" or not assigned:
            return {_SOMEWHERE}
        if value.usr in through:
            return set()
        through |= {value.usr}
        return {p for v in assigned for p in self.places(function, v, through)}

    def _is_of_pointers(self, array: f.Value) -> bool:
        """Whether elements only point to objects, as far as that is known."""
        if not isinstance(array, f.Var | f.Field):
            return True
        spelling = self._program.type_of(array.usr)
        element = self._program.element_type(spelling)
        return not element or spelling.count("*") > 1 or self._program.is_indirect(element)

    def _makes(self, function: str) -> bool:
        """Whether a function returns new memory or null, and nothing else."""
        known = self._fresh.get(function)
        if known is None:
            self._fresh[function] = False  # meanwhile, where it calls itself
            body = self._program.functions.get(function)
            if body is None:
                return False
            returned = [s.value for s in f.walk(body.body) if isinstance(s, f.Return)]
            known = bool(returned) and all(
                p == _Place("new") for value in returned for p in self.places(body, value)
            )
            self._fresh[function] = known
        return known

    def value(self, function: f.Function, value: f.Value) -> str | None:
        """A function, a table, a parameter or a member of one by key; None for null."""
        if isinstance(value, f.Lit):
            return None
        if isinstance(value, f.Fn):
            bodies = self._program.body_of(value.usr)
            return bodies[0] if len(bodies) == 1 else _ANYTHING
        if isinstance(value, f.Var):
            known = self.places(function, value) == {_Place("variable", value.usr)}
            if known and value.usr in self._tables:
                return value.usr
            if self.places(function, value) == {_Place("param", value.usr)}:
                return value.usr
        base = value.base if isinstance(value, f.Field) else None
        if isinstance(base, f.Var) and isinstance(value, f.Field):
            own = {_Place("param", base.usr)}
            return f"{base.usr}{_MEMBER}{value.usr}" if self.places(function, base) == own else ""
        return _ANYTHING

    def handed(self, caller: f.Function, argument: f.Value, value: str) -> set[str | None]:
        """What *value*, a parameter of a function or a member of one, is where *argument* is it."""
        _, _, field = value.partition(_MEMBER)
        if not field:
            return {self.value(caller, argument)}
        places = self.places(caller, argument)
        if len(places) != 1 or field in self._filled or field in self._copied:
            return {_ANYTHING}
        (place,) = places
        if place.kind == "param" and not place.steps:
            return {f"{place.usr}{_MEMBER}{field}"}
        variable = self._program.variables.get(place.usr)
        if place.kind != "variable" or place.steps or variable is None or variable.kind != "local":
            return {_ANYTHING}
        # The caller's own structure: what it writes there itself is what it hands over, unless a
        # function that it was handed to may write something else.
        written: set[str | None] = set()
        for function, target, given in self.writes(field):
            found = self.places(function, target.base)
            if function is caller and found == places:
                written.add(self.value(function, given))
                continue
            others = any(p.kind != "variable" for p in found)
            if others and self.value(function, given) is not None:
                return {_ANYTHING}
        return written or {_ANYTHING}

    def writes(self, field: str) -> list[tuple[f.Function, f.Field, f.Value]]:
        """Assignments to a member."""
        return self._writes.get(field, [])

    def is_copied(self, field: str) -> bool:
        """Whether a call without a body gets a member's address, as memcpy does."""
        return field in self._copied

    def values(self, function: str) -> dict[str, list[f.Value]]:
        """By variable: what *function* gives it."""
        return self._values.get(function, {})

    def call(self, function: str, number: int) -> f.Call | None:
        """The call of that number in *function*."""
        return self._results.get(function, {}).get(number)

    def calls(self, function: str) -> list[tuple[f.Function, f.Call]] | None:
        """Calls of a function; None where others are possible."""
        return None if function in self._taken else self._calls.get(function, [])

    def is_parameter(self, usr: str) -> bool:
        """Whether *usr* is one."""
        variable = self._program.variables.get(usr)
        return variable is not None and variable.kind == "param"

    def params(self, function: str) -> list[str]:
        """The parameters of a function."""
        return self._program.functions[function].params


class _Unknown(Exception):
    """An object without a name is given something."""


class _Search:
    """Finds all that is given at *steps* of objects, from where it is written up to who says so."""

    def __init__(self, given: Given, steps: Steps) -> None:
        self._given = given
        self._steps = steps
        self._found: dict[str, set[str]] = {}
        self._seen: set[_Gift] = set()

    def run(self) -> dict[str, frozenset[str]] | None:
        try:
            for function, target, value in self._given.writes(member(self._steps[-1])):
                kept = self._given.value(function, value)
                if kept is not None:
                    places = self._given.places(function, target.base)
                    self._give(function, places, self._steps[:-1], kept)
        except _Unknown:
            return None
        return {home: frozenset(values) for home, values in self._found.items()}

    def _give(self, function: f.Function, places: set[_Place], way: Steps, value: str) -> None:
        """What *way* leads to from an object is at *places* of *function*, and is given *value*."""
        for place in places:
            left, steps = way, place.steps
            while left and steps and left[-1] == steps[-1]:
                left, steps = left[:-1], steps[:-1]
            if place.kind == "param" and not steps:
                self._hand_up(_Gift(function.usr, place.usr, left, value))
            elif left:
                raise _Unknown
            elif home := self._given.home(place.usr, steps):
                for each in self._values(function.usr, value, frozenset()):
                    self._found.setdefault(home, set()).add(each)
            elif steps[-1:] != (ELEMENT,) and (steps or place.kind == "somewhere"):
                raise _Unknown  # behind a pointer; elements of arrays are no parts of others

    def _hand_up(self, gift: _Gift) -> None:
        """Go on in the callers of a function."""
        if gift in self._seen:
            return
        self._seen.add(gift)
        calls = self._given.calls(gift.function)
        if calls is None:
            raise _Unknown
        for function, call in calls:
            given = self._argument(gift.function, call, gift.param)
            if given is None:
                raise _Unknown
            for value in self._handed(gift.function, function, call, gift.value):
                if value is not None:
                    self._give(function, self._given.places(function, given), gift.way, value)

    def _handed(
        self, function: str, caller: f.Function, call: f.Call, value: str
    ) -> set[str | None]:
        """What *value* of a function is, in the terms of one of its callers."""
        param = value.partition(_MEMBER)[0]
        if not self._given.is_parameter(param):
            return {value}
        argument = self._argument(function, call, param)
        if argument is None:
            return {_ANYTHING}
        return self._given.handed(caller, argument, value)

    def _argument(self, function: str, call: f.Call, param: str) -> f.Value | None:
        at = self._given.params(function).index(param)
        return call.args[at] if at < len(call.args) else None

    def _values(self, function: str, value: str, seen: frozenset[str]) -> Iterator[str]:
        """What *value* is, where it is a parameter: whatever callers hand in."""
        if not self._given.is_parameter(value.partition(_MEMBER)[0]):
            yield value
            return
        calls = self._given.calls(function)
        if calls is None or value in seen:
            yield from () if calls is not None else (_ANYTHING,)
            return
        for caller, call in calls:
            for known in self._handed(function, caller, call, value):
                if known is not None:
                    yield from self._values(caller.usr, known, seen | {value})
