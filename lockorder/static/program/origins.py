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
from lockorder.knowledge.schema import Owner
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.steps import is_element, member

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
        self._all_read = False
        self._calls: dict[str, list[tuple[f.Function, f.Call | f.Make]]] = {}
        self._closures: dict[str, list[tuple[f.Function, f.Stmt]]] = {}
        self._writes: dict[str, list[tuple[f.Function, f.Value | None]]] = {}
        self._changed: set[str] = set()
        #: by call that finds an element, and by reference to one: the container
        self._found: dict[tuple[str, int], str] = {}
        self._referring: dict[str, str] = {}

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
        self._read_all()
        makers = {function.usr: function for function, _ in self._closures.get(closure, ())}
        found: set[Origin] = set()
        for function in makers.values():
            for base in self._receivers(function, closure, kept_in):
                found |= self._of(function, base, set())
        if not found:
            raise UnknownOriginError
        return frozenset(found)

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
            if not self._is_row(self._program.type_of(value.usr)):
                raise UnknownOriginError
            self._read_all()
            self._writes.setdefault(_inside(value.usr), [])
            if value.usr in self._changed:
                raise UnknownOriginError
            return self._written(_inside(value.usr), seen)
        for statement in f.walk(function.body):
            if isinstance(statement, f.Make) and value == f.Made(statement.id):
                return self._all(((function, f.Elem(v)) for v in statement.args), seen)
            if not isinstance(statement, f.Call) or value != f.Result(statement.id):
                continue
            if self._program.called(statement) in self._knowledge.same_functions:
                return self._all(((function, f.Elem(v)) for v in statement.args), seen)
        raise UnknownOriginError

    def _is_row(self, spelling: str) -> bool:
        """Whether elements of such a container come there by its methods alone."""
        return self._row(spelling) is not None

    def _row(self, spelling: str) -> Owner | None:
        owner = self._knowledge.owners.get(self._program.split(self._program.plain(spelling))[0])
        if owner is None or owner.pointer or owner.callable or owner.map or owner.numbered:
            return None
        return owner

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
        self._read_all()
        calls = self._calls.get(function.usr, ())
        if function.kind == "lambda" or function.usr in self._points_to.taken or not calls:
            raise UnknownOriginError
        return calls

    def _written(self, usr: str, seen: _Seen) -> Origins:
        """Where all that a variable or member is begun with or assigned was made."""
        self._read_all()
        if usr in self._changed or usr not in self._writes:
            raise UnknownOriginError
        return self._all(self._writes[usr], seen)

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

    # -- the text ---------------------------------------------------------------------------------

    def _read_all(self) -> None:
        if self._all_read:
            return
        self._all_read = True
        for function in self._program.functions.values():
            for statement in f.walk(function.body):
                self._read(function, statement)

    def _read(self, function: f.Function, statement: f.Stmt) -> None:
        for value in f.values(statement):
            if isinstance(value, f.Closure):
                self._closures.setdefault(value.usr, []).append((function, statement))
            elif isinstance(value, f.AnyOf):  # of a class, what is listed for each member
                for field, listed in zip(value.fields, value.values, strict=False):
                    self._write(function, field, listed)
        if isinstance(statement, f.Local):
            self._write(function, statement.usr, statement.value)
            within = self._container(function, statement.value)
            if within and self._program.type_of(statement.usr).endswith("&"):
                self._referring[statement.usr] = within
        elif isinstance(statement, f.Assign):
            within = self._container(function, statement.target)
            if isinstance(statement.target, f.Var | f.Field):
                self._write(function, statement.target.usr, statement.value)
                within = self._referring.get(statement.target.usr, "")
            if within:
                self._write(function, _inside(within), statement.value)
        elif isinstance(statement, f.Written):
            if isinstance(statement.target, f.Var | f.Field):
                self._changed.add(statement.target.usr)
        elif isinstance(statement, f.Make):
            for body in self._program.body_of(statement.ctor) if statement.ctor else ():
                self._called(body, function, statement)
            made = self._program.classes.get(self._program.split(statement.type)[0])
            if made is not None and not made.ctors:
                for field, given in zip(made.fields, statement.args, strict=False):
                    self._write(function, field, given)
        elif isinstance(statement, f.Call):
            self._read_call(function, statement)

    def _read_call(self, function: f.Function, call: f.Call) -> None:
        target = call.target
        if isinstance(target, f.Fn):
            bodies = list(self._program.body_of(target.usr))
            if call.virtual:
                bodies += self._program.overriders(target.usr)
            for body in dict.fromkeys(bodies):
                self._called(body, function, call)
            cls, _, last = self._program.called(call).rpartition("::")
            base = target.base
            if isinstance(base, f.Var | f.Field) and not bodies:
                self._read_row(function, call, base.usr, last)
            if isinstance(base, f.Var | f.Field) and cls in self._knowledge.pointers:
                if last in ("operator=", "reset"):
                    self._write(function, base.usr, call.args[0] if call.args else f.Lit("nullptr"))
                elif last not in self._knowledge.same_methods:
                    self._changed.add(base.usr)
        name = self._program.called(call)
        if name in self._knowledge.same_functions:
            return
        for value in call.args:  # by a reference to the pointer, another one may come there
            if isinstance(value, f.Var | f.Field) and self._may_change(call, value):
                self._changed.add(value.usr)

    def _container(self, function: f.Function, value: f.Value | None) -> str:
        """The container of which a value is an element; empty for any other value."""
        if isinstance(value, f.Elem) and isinstance(value.base, f.Var | f.Field):
            return value.base.usr
        if isinstance(value, f.Result):
            return self._found.get((function.usr, value.call), "")
        return ""

    def _read_row(self, function: f.Function, call: f.Call, usr: str, last: str) -> None:
        """A method of a container: something goes into it, or an element is found."""
        owner = self._row(self._program.type_of(usr))
        if owner is None:
            return
        if last in self._knowledge.element_methods:
            self._found[function.usr, call.id] = usr
        if last == "operator=" and len(call.args) == 1:
            self._write(function, _inside(usr), f.Elem(call.args[0]))
        elif last in (*owner.makes, *owner.takes) and len(call.args) == 1:
            self._write(function, _inside(usr), call.args[0])
        elif last in (*owner.makes, *owner.takes, "swap"):
            self._changed.add(usr)

    def _may_change(self, call: f.Call, value: f.Var | f.Field) -> bool:
        """Whether a call is handed a pointer by a reference through which it may change it."""
        target = call.target
        spelling = self._program.plain(self._program.type_of(value.usr))
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        if not spelling.endswith("*") and owner is None:
            return False
        bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()
        at = call.args.index(value)
        for body in bodies:
            params = self._program.functions[body].params
            taken = self._program.type_of(params[at]) if at < len(params) else "&"
            if taken.endswith("&") and not taken.startswith("const ") and not taken.endswith("&&"):
                return True
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        return not bodies and base is None and not call.type

    def _write(self, function: f.Function, usr: str, value: f.Value | None) -> None:
        if value is not None and self._is_row(self._program.type_of(usr)):
            self._writes.setdefault(_inside(usr), []).append((function, f.Elem(value)))
        self._writes.setdefault(usr, []).append((function, value or f.Lit("nullptr")))

    def _called(self, body: str, function: f.Function, call: f.Call | f.Make) -> None:
        self._calls.setdefault(body, []).append((function, call))


def _inside(usr: str) -> str:
    """What elements of a container are written to as."""
    return f"{usr}[]"


def _given(statement: f.Stmt) -> Sequence[f.Value]:
    return statement.args if isinstance(statement, f.Call | f.Make) else ()
