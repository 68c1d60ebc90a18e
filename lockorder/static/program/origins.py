"""Where objects that keep callables were made: a callable is only called by those it was left with.

A future calls what was left with it (see ``kept``).  Of two futures that are made at different
places one never calls what was left with the other.  Pointers are followed backwards from where a
callable is left, and from where an object calls what it has, to the places where their objects are
made: over locals, parameters (to all callers), results (to what is returned) and members (to all
that is assigned to them).  Where that leads anywhere else, nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.map_values import MapValues, UnknownValuesError
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.steps import is_element, member
from lockorder.static.program.writes import Writes, copied, inside

#: A function, and the number of a call or, below zero, of another construction in it.
Origin = tuple[str, int]
Origins = frozenset[Origin]
_Seen = set[tuple[str, str]]


class UnknownOriginError(Exception):
    """Nobody can say where an object was made."""


class Birthplaces:
    """Answers for one program; what was asked is remembered."""

    def __init__(self, program: Program, knowledge: Knowledge, points_to: PointsTo) -> None:
        self._program = program
        self._knowledge = knowledge
        self._points_to = points_to
        self._values: dict[tuple[str, str], Origins | None] = {}
        self._left: dict[tuple[str, str], Origins] = {}
        self._texts = Writes(program, knowledge)
        self._maps = MapValues(program, knowledge, self._texts)
        #: by member: whether what is there may come to another object
        self._over: dict[str, bool] = {}

    def left_with(self, closure: str, kept_in: str) -> Origins:
        """Where all objects were made in whose member *kept_in* others leave a lambda.

        Empty where nobody can say.
        """
        key = closure, kept_in
        if key not in self._left:
            try:
                self._left[key] = self._left_with(closure, kept_in)
            except UnknownOriginError:
                self._left[key] = frozenset()
        return self._left[key]

    def of_path(self, path: Path) -> Origins | None:
        """Where the object was made that *path* stands for, or is a pointer to.

        None where nobody can say.
        """
        steps = path.steps
        while steps and self._is_of_pointer(member(steps[-1])):
            steps = steps[:-1]
        if len(steps) > 2 and is_element(steps[-2]) and self._maps.is_value(member(steps[-1])):
            return self._of_map(member(steps[-3]), member(steps[-1]))
        if steps:
            return None if is_element(steps[-1]) else self._of_member(member(steps[-1]))
        if path.is_variable:
            return self._of_named(path.variable)
        if not path.is_made:
            return None
        owner, number = path.maker
        digits = number.removeprefix("r")
        if not digits.isdecimal():
            return None
        return frozenset({(owner, int(digits) if number != digits else ~int(digits))})

    def _is_of_pointer(self, usr: str) -> bool:
        """Whether a member is what a smart pointer, which was read, has in itself."""
        variable = self._program.variables.get(usr)
        owner = variable.name.rpartition("::")[0] if variable is not None else ""
        return owner in self._knowledge.pointers

    def _of_member(self, usr: str) -> Origins | None:
        variable = self._program.variables.get(usr)
        if variable is None or variable.kind != "field":
            return None
        if not self._is_pointer(variable.type):
            return None  # a part of the object
        key = "", usr
        if key not in self._values:
            try:
                self._values[key] = self._written(usr, set())
            except UnknownOriginError:
                self._values[key] = None
        return self._values[key]

    def _of_map(self, usr: str, part: str) -> Origins | None:
        """Where the objects were made to which the values of a map in a member are pointers."""
        key = part, usr
        if key not in self._values:
            try:
                self._values[key] = self._all(self._maps.of(usr, part), set())
            except (UnknownOriginError, UnknownValuesError):
                self._values[key] = None
        return self._values[key]

    def _is_pointer(self, spelling: str) -> bool:
        plain = self._program.plain(spelling)
        return plain.endswith("*") or self._program.split(plain)[0] in self._knowledge.pointers

    def _of_named(self, usr: str) -> Origins | None:
        variable = self._program.variables.get(usr)
        if variable is None:
            return None
        key = variable.owner, usr
        if key not in self._values:
            function = self._program.functions.get(variable.owner)
            try:
                found = None if function is None else self._of(function, f.Var(usr), set())
            except UnknownOriginError:
                found = None
            self._values[key] = found
        return self._values[key]

    # -- callables --------------------------------------------------------------------------------

    def _left_with(self, closure: str, kept_in: str) -> Origins:
        self._texts.read()
        if self._is_handed_over(kept_in):
            raise UnknownOriginError
        makers = {function.usr: function for function, _ in self._texts.closures.get(closure, ())}
        found: set[Origin] = set()
        for function in makers.values():
            for base in self._receivers(function, closure, kept_in):
                found |= self._of(function, base, set())
        if not found:
            raise UnknownOriginError
        return frozenset(found)

    def _is_handed_over(self, kept_in: str) -> bool:
        """Whether one object may get from another one what that keeps in a member."""
        known = self._over.get(kept_in)
        if known is None:
            owner = self._program.variables[kept_in].name.rpartition("::")[0]
            texts = self._texts
            functions = {**texts.naming.get(kept_in, {}), **texts.copying.get(owner, {})}
            known = self._over[kept_in] = any(
                self._hands_over(function, statement, kept_in, owner)
                for function in functions.values()
                for statement in f.walk(function.body)
            )
        return known

    def _hands_over(
        self, function: f.Function, statement: f.Stmt, kept_in: str, owner: str
    ) -> bool:
        values = f.values(statement)
        here = [v for v in values if isinstance(v, f.Field) and v.usr == kept_in]
        if any(v.base != f.This() for v in here):
            return True  # of two objects, perhaps
        if isinstance(statement, f.Assign) and statement.target in here:
            return not isinstance(statement.value, f.Made | f.Lit)
        if here and isinstance(statement, f.Call):
            last = self._program.method_called(statement)
            others = [v for v in values if isinstance(v, f.Var)]
            if last in ("swap", "operator=") and not all(map(self._is_local, others)):
                return True
        if copied(self._program, statement) != owner:
            return False
        return isinstance(statement, f.Local) or (
            isinstance(statement, f.Make) and self._leads_to(function, statement.args[0], owner)
        )

    def _is_local(self, value: f.Var) -> bool:
        variable = self._program.variables.get(value.usr)
        if variable is None or variable.kind != "local":
            return False
        return not variable.type.rstrip().endswith(("&", "*"))

    def _receivers(self, function: f.Function, closure: str, kept_in: str) -> Iterator[f.Value]:
        """Objects that a function leaves its lambda with, if it does nothing else with it."""
        names: list[f.Value] = [f.Closure(closure)]
        for statement in f.walk(function.body):
            places = [i for i, v in enumerate(_given(statement)) if v in names]
            if isinstance(statement, f.Make) and places:
                owner = self._knowledge.owners.get(self._program.split(statement.type)[0])
                if owner is None or not owner.callable:
                    raise UnknownOriginError
                names.append(f.Made(statement.id))
            elif isinstance(statement, f.Local) and statement.value in names:
                names.append(f.Var(statement.usr))
            elif isinstance(statement, f.Call) and places:
                if self._program.called(statement) in self._knowledge.same_functions:
                    names.append(f.Result(statement.id))
                else:
                    yield self._receiver(statement, places, kept_in)
            elif any(v in names for v in f.values(statement)):
                raise UnknownOriginError

    def _receiver(self, call: f.Call, places: Sequence[int], kept_in: str) -> f.Value:
        target = call.target
        base = target.base if isinstance(target, f.Fn) else None
        bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()
        if base is None or not bodies or call.virtual:
            raise UnknownOriginError
        if not all(self._keeps_in(body, at, kept_in) for body in bodies for at in places):
            raise UnknownOriginError
        return base

    def _keeps_in(self, usr: str, at: int, kept_in: str) -> bool:
        """Whether a method puts its parameter *at* into a member, or calls it, and nothing else."""
        function = self._program.functions[usr]
        if at >= len(function.params):
            return False
        names: list[f.Value] = [f.Var(function.params[at])]
        for statement in f.walk(function.body):
            if isinstance(statement, f.EndTemporaries):
                continue
            if not any(v in names for v in f.values(statement)):
                continue
            if not isinstance(statement, f.Call):
                return False
            target = statement.target
            base = target.base if isinstance(target, f.Fn | f.Name) else target
            if self._program.called(statement) in self._knowledge.same_functions:
                names.append(f.Result(statement.id))
            elif not (base == f.This() or base == f.Field(f.This(), kept_in) or base in names):
                return False
        return True

    # -- objects ----------------------------------------------------------------------------------

    def _of(self, function: f.Function, value: f.Value | None, seen: _Seen) -> Origins:
        """Where the objects of *value* were made, but for what is being asked already."""
        if isinstance(value, f.Lit):
            return frozenset()
        if value is None or (key := (function.usr, repr(value))) in seen:
            return frozenset()
        seen.add(key)
        if isinstance(value, f.Var):
            return self._of_variable(value.usr, seen)
        if isinstance(value, f.This):
            return self._of_this(function, seen)
        if isinstance(value, f.Field):
            return self._written(value.usr, seen)
        if isinstance(value, f.Result | f.Made):
            return self._of_result(function, value, seen)
        if isinstance(value, f.Elem):
            return self._elements(function, value.base, seen)
        raise UnknownOriginError

    def _elements(self, function: f.Function, value: f.Value, seen: _Seen) -> Origins:
        """Where the objects were made to which the elements of a container are pointers."""
        if isinstance(value, f.Var):
            variable = self._program.variables.get(value.usr)
            owner = self._program.functions.get(variable.owner) if variable is not None else None
            if owner is not None and value.usr in owner.params:
                at = owner.params.index(value.usr)
                calls = self._known_calls(owner)
                if any(at >= len(call.args) for _, call in calls):
                    raise UnknownOriginError
                return self._all(((c, f.Elem(call.args[at])) for c, call in calls), seen)
        if isinstance(value, f.Var | f.Field):
            if not self._texts.is_row(self._program.type_of(value.usr)):
                raise UnknownOriginError
            self._texts.read()
            self._texts.writes.setdefault(inside(value.usr), [])
            if value.usr in self._texts.changed:
                raise UnknownOriginError
            return self._written(inside(value.usr), seen)
        for statement in f.walk(function.body):
            if isinstance(statement, f.Make) and value == f.Made(statement.id):
                return self._all(((function, f.Elem(v)) for v in statement.args), seen)
            if not isinstance(statement, f.Call) or value != f.Result(statement.id):
                continue
            if self._program.called(statement) in self._knowledge.same_functions:
                return self._all(((function, f.Elem(v)) for v in statement.args), seen)
        raise UnknownOriginError

    def _all(self, found: Iterable[tuple[f.Function, f.Value | None]], seen: _Seen) -> Origins:
        return frozenset().union(*(self._of(function, value, seen) for function, value in found))

    def _of_variable(self, usr: str, seen: _Seen) -> Origins:
        variable = self._program.variables.get(usr)
        function = self._program.functions.get(variable.owner) if variable is not None else None
        if variable is None or function is None:
            raise UnknownOriginError
        if usr not in function.params:
            if variable.kind != "local":
                raise UnknownOriginError
            return self._written(usr, seen)
        at = function.params.index(usr)
        calls = self._known_calls(function)
        if any(at >= len(call.args) for _, call in calls):
            raise UnknownOriginError
        return self._all(((caller, call.args[at]) for caller, call in calls), seen)

    def _of_this(self, function: f.Function, seen: _Seen) -> Origins:
        while function.parent:  # a lambda has the object of the function that it is written in
            function = self._program.functions[function.parent]
        if function.kind != "method" or function.static:
            raise UnknownOriginError
        calls = [(c, s.target) for c, s in self._known_calls(function) if isinstance(s, f.Call)]
        return self._all(((c, t.base if isinstance(t, f.Fn) else t) for c, t in calls), seen)

    def _known_calls(self, function: f.Function) -> Sequence[tuple[f.Function, f.Call | f.Make]]:
        """All calls of a function, where no others can be."""
        self._texts.read()
        calls = self._texts.calls.get(function.usr, ())
        if function.kind == "lambda" or function.usr in self._points_to.taken or not calls:
            raise UnknownOriginError
        return calls

    def _written(self, usr: str, seen: _Seen) -> Origins:
        """Where all that a variable or member is begun with or assigned was made."""
        self._texts.read()
        if usr in self._texts.changed or usr not in self._texts.writes:
            raise UnknownOriginError
        return self._all(self._texts.writes[usr], seen)

    def _of_result(self, function: f.Function, value: f.Result | f.Made, seen: _Seen) -> Origins:
        for statement in f.walk(function.body):
            if isinstance(statement, f.Make) and value == f.Made(statement.id):
                if statement.heap:
                    return frozenset({(function.usr, ~statement.id)})
                name, arguments = self._program.split(statement.type)
                if name not in self._knowledge.pointers:
                    return frozenset({(function.usr, ~statement.id)})
                cls = self._program.split(arguments[0])[0] if arguments else ""
                if not all(self._leads_to(function, v, cls) for v in statement.args[:1]):
                    raise UnknownOriginError
                return self._all(((function, v) for v in statement.args[:1]), seen)
            if isinstance(statement, f.Call) and value == f.Result(statement.id):
                return self._of_call(function, statement, seen)
        raise UnknownOriginError

    def _of_call(self, function: f.Function, call: f.Call, seen: _Seen) -> Origins:
        name = self._program.called(call)
        cls, _, last = name.rpartition("::")
        target = call.target
        if not isinstance(target, f.Fn):
            raise UnknownOriginError
        if call.type:
            return frozenset({(function.usr, call.id)})
        finds = last in self._knowledge.element_methods and not self._program.body_of(target.usr)
        if finds and target.base is not None:
            return self._elements(function, target.base, seen)
        if name in self._knowledge.same_functions and len(call.args) == 1:
            return self._of(function, call.args[0], seen)
        own = bool(self._program.body_of(target.usr)) and cls not in self._knowledge.pointers
        leads = target.base is not None and last in self._knowledge.same_methods and not call.args
        if leads and not own:
            return self._of(function, target.base, seen)
        bodies = list(self._program.body_of(target.usr))
        if call.virtual:
            bodies += [u for u in self._program.overriders(target.usr) if u not in bodies]
        if not bodies:
            raise UnknownOriginError
        returned = [
            (body, s.value)
            for usr in bodies
            for body in (self._program.functions[usr],)
            for s in f.walk(body.body)
            if isinstance(s, f.Return)
        ]
        return self._all(returned, seen)

    def _leads_to(self, function: f.Function, value: f.Value, cls: str) -> bool:
        """Whether what a smart pointer is made of is a pointer to objects of its class."""
        spelling = ""
        if isinstance(value, f.Var | f.Field):
            spelling = self._program.type_of(value.usr)
        for statement in f.walk(function.body):
            if isinstance(statement, f.Make) and value == f.Made(statement.id):
                spelling = f"{statement.type} *" if statement.heap else statement.type
            elif isinstance(statement, f.Call) and value == f.Result(statement.id):
                if self._program.called(statement) in self._knowledge.same_functions:
                    return all(self._leads_to(function, v, cls) for v in statement.args)
                target = statement.target
                result = self._program.result_of(target.usr) if isinstance(target, f.Fn) else ""
                spelling = statement.type or result
        found = self._program.split(self._program.pointee(spelling))[0] if spelling else ""
        return isinstance(value, f.Lit) or found in self._program.family(cls)


def _given(statement: f.Stmt) -> Sequence[f.Value]:
    return statement.args if isinstance(statement, f.Call | f.Make) else ()
