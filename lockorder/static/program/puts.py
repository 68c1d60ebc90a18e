"""What one function does with an object whose contents are asked for: see ``contents``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from lockorder.static.parse import facts as f
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program.held_classes import HeldClasses, parts_of
from lockorder.static.program.link import Program
from lockorder.static.program.written import how_passed, passing

#: By parameter: the classes of what an argument points to.
_Given = frozenset[tuple[str, frozenset[str]]]


class Visit(NamedTuple):
    """A function that has the object: as ``this``, as a variable, or in a member that it reads.

    Of a member, *holder* is the class of the object that it is a member of, where that is known.
    """

    function: str
    known_as: f.Value | str
    given: _Given = frozenset()
    holder: str = ""

    def __hash__(self) -> int:
        known_as = self.known_as
        name = known_as.usr if isinstance(known_as, f.Var) else str(known_as)
        return hash((self.function, name, self.given, self.holder))


#: A holder of another class, whose own member is not meant.
STRANGE = "-"


class Unknown(Exception):
    """The object, or what it has, goes where nobody follows it."""


class Search(Protocol):
    """Finds all that is put into *member* of one object."""

    program: Program
    held: HeldClasses
    member: str
    classes: set[str]
    #: functions that return the object to those who have it
    returning: set[str]

    def bodies(self, call: f.Call) -> Sequence[str]:
        """What a call of a function or method may run."""

    def with_lambdas(self, function: str) -> Iterator[f.Function]:
        """A function and the lambdas in it."""

    def visit(self, visit: Visit) -> None:
        """Look at a function that has the object."""

    def kept_in(self, field: str, holder: str) -> None:
        """The object is written down in a member of a new object of class *holder*."""

    def returns(self, function: str) -> None:
        """A function returns the object to those who have it."""


class Body:
    """What one function does with the object."""

    def __init__(self, search: Search, visit: Visit) -> None:
        self._search = search
        self._program = search.program
        self._held = search.held
        self._visit = visit
        self._given = dict(visit.given)
        self._calls: dict[int, f.Call] = {}
        self._makes: dict[int, f.Make] = {}
        #: variables that the object is, or that point to it
        self._names: set[str] = set()
        if isinstance(visit.known_as, f.Var):
            self._names.add(visit.known_as.usr)
        #: constructions of bases of the function's own object
        self._bases: set[int] = set()
        #: local names of the member
        self._members: set[str] = set()

    def read(self) -> None:
        bodies = list(self._search.with_lambdas(self._visit.function))
        names = -1
        while names != len(self._names) + len(self._members):
            names = len(self._names) + len(self._members)
            for function in bodies:
                for statement in f.walk(function.body):
                    self._note(statement)
        for function in bodies:
            self._calls, self._makes = {}, {}
            for statement in f.walk(function.body):
                self._note(statement)
                self._statement(statement)

    def begins(self, value: f.Value | None) -> None:
        """The object begins as *value* in the function that has just been read."""
        for statement in f.walk(self._program.functions[self._visit.function].body):
            self._note(statement)
        while isinstance(value, f.Made | f.Result):
            if isinstance(value, f.Result) and (made := self._made(self._calls[value.call])):
                self._begun(self._constructors("", made), self._calls[value.call].args, made)
                return
            if not isinstance(value, f.Made):
                break
            make = self._makes[value.make]
            cls = self._program.split(make.type)[0]
            if cls in self._program.classes:
                bodies = self._program.body_of(make.ctor) if make.ctor else ()
                self._begun(bodies, make.args, cls)
                return
            if not self._is_pointer(make.type) or len(make.args) != 1:
                break
            value = make.args[0]
        raise Unknown

    def _begun(self, bodies: Sequence[str], args: Sequence[f.Value], cls: str) -> None:
        for body in bodies:
            self._search.visit(Visit(body, f.This(), self._arguments(body, args), cls))

    # -- names ------------------------------------------------------------------------------------

    def _note(self, statement: f.Stmt) -> None:
        if isinstance(statement, f.Call):
            self._calls[statement.id] = statement
        elif isinstance(statement, f.Make):
            self._makes[statement.id] = statement
        elif isinstance(statement, f.Local) and statement.value is not None:
            if self._is_object(statement.value):
                self._names.add(statement.usr)
            elif self._is_member(statement.value) and self._refers(statement.usr):
                self._members.add(statement.usr)
        elif isinstance(statement, f.Assign):
            if isinstance(statement.target, f.Var) and self._is_object(statement.value):
                self._names.add(statement.target.usr)
            elif isinstance(statement.target, f.This) and isinstance(statement.value, f.Made):
                self._bases.add(statement.value.make)

    def _refers(self, usr: str) -> bool:
        spelling = self._program.type_of(usr).rstrip()
        return spelling.endswith(("&", "*")) and not spelling.startswith("const ")

    def _is_object(self, value: f.Value | None) -> bool:
        """Whether *value* is the object, or leads to it."""
        if isinstance(value, f.Var):
            return value.usr in self._names
        if isinstance(value, f.This):
            return isinstance(self._visit.known_as, f.This)
        if isinstance(value, f.Field):
            own = isinstance(value.base, f.This)
            strange = own and self._visit.holder == STRANGE
            return value.usr == self._visit.known_as and not strange
        if isinstance(value, f.AnyOf):
            return not value.fields and any(map(self._is_object, value.values))
        if isinstance(value, f.Made) and value.make in self._makes:
            make = self._makes[value.make]
            return self._is_pointer(make.type) and any(map(self._is_object, make.args))
        if isinstance(value, f.Result) and value.call in self._calls:
            call = self._calls[value.call]
            return self._returns(call) or self._is_object(self._same(call))
        return False

    def _returns(self, call: f.Call) -> bool:
        """Whether a call is one of a function that returns the object."""
        return not self._search.returning.isdisjoint(self._search.bodies(call))

    def _same(self, call: f.Call) -> f.Value | None:
        """What a call returns as it is: ``std::move(x)``, ``x.get()``."""
        target = call.target
        if not isinstance(target, f.Fn) or call.type or self._program.body_of(target.usr):
            return None
        name = self._program.name_of(target.usr)
        if name in self._held.knowledge.same_functions or name in self._held.moves:
            return call.args[0] if call.args else None
        cls, _, method = name.rpartition("::")
        owner = self._held.knowledge.owners.get(cls)
        same = method in self._held.knowledge.same_methods
        return target.base if same or (owner is not None and method in owner.plain) else None

    def _is_member(self, value: f.Value | None) -> bool:
        """Whether *value* is the member of the object, or an element of it."""
        while isinstance(value, f.Elem):
            value = value.base
        if isinstance(value, f.Var):
            return value.usr in self._members
        if isinstance(value, f.Result) and value.call in self._calls:
            return self._is_member(self._same(self._calls[value.call]))
        return (
            isinstance(value, f.Field)
            and value.usr == self._search.member
            and self._is_object(value.base)
        )

    def _is_pointer(self, spelling: str) -> bool:
        name = self._program.split(self._program.plain(spelling))[0]
        owner = self._held.knowledge.owners.get(name)
        return owner is not None and owner.pointer

    # -- statements -------------------------------------------------------------------------------

    def _statement(self, statement: f.Stmt) -> None:
        if isinstance(statement, f.Call):
            self._call(statement)
        elif isinstance(statement, f.Make):
            self._make(statement)
        elif isinstance(statement, f.Assign):
            self._assign(statement)
        elif isinstance(statement, f.Written) and self._is_member(statement.target):
            raise Unknown
        elif isinstance(statement, f.Return) and self._is_object(statement.value):
            self._search.returns(self._visit.function)

    def _assign(self, assign: f.Assign) -> None:
        target = assign.target
        if self._is_member(target):
            self._put(assign.value)
        elif self._is_object(assign.value) and not self._is_local(target):
            if not isinstance(target, f.Field):
                raise Unknown
            own = isinstance(target.base, f.This)
            holder = self._visit.holder if own and self._visit.holder != STRANGE else ""
            self._search.kept_in(target.usr, holder)

    def _is_local(self, value: f.Value) -> bool:
        variable = self._program.variables.get(value.usr) if isinstance(value, f.Var) else None
        return variable is not None and variable.kind in ("local", "param")

    def _make(self, make: f.Make) -> None:
        for at, arg in enumerate(make.args):
            if not self._is_object(arg) or self._is_pointer(make.type):
                continue
            cls = self._program.split(make.type)[0]
            bodies = self._constructors(make.ctor, cls)
            whole = self._visit.holder if make.id in self._bases else cls
            self._enter(bodies, at, make.args, whole)

    def _constructors(self, ctor: str, cls: str) -> list[str]:
        """Bodies that an object may be begun with, by its constructor or by any."""
        known = self._program.classes.get(cls)
        named = [ctor] if ctor or known is None else known.ctors
        bodies = [b for c in named for b in self._program.body_of(c)]
        if not bodies:
            raise Unknown
        return bodies

    def _made(self, call: f.Call) -> str:
        """The class of the object that a call makes, as ``std::make_unique`` does."""
        target = call.target
        known = isinstance(target, f.Fn) and not self._program.body_of(target.usr)
        cls = self._class(call.type) if known and self._is_pointer(call.type) else ""
        return cls if cls in self._program.classes else ""

    def _call(self, call: f.Call) -> None:
        target = call.target
        mine = [at for at, arg in enumerate(call.args) if any(map(self._is_object, parts_of(arg)))]
        if not isinstance(target, f.Fn):
            if any(map(self._is_member, call.args)):
                raise Unknown
            self._by_name(target, call, mine)
            return
        if self._same(call) is not None:
            return
        if made := self._made(call):
            for at in mine:
                self._enter(self._constructors("", made), at, call.args, made)
            return
        bodies = self._search.bodies(call)
        if self._is_member(target.base):
            self._on_member(call, target)
        elif self._is_object(target.base):
            for body in bodies:
                given = self._arguments(body, call.args)
                holder = self._visit.holder if isinstance(target.base, f.This) else ""
                self._search.visit(Visit(body, f.This(), given, holder))
        own = passing(self._program, target.usr)[1]
        for at, arg in enumerate(call.args):
            if self._is_member(arg) and how_passed(own, at) != "-" and self._is_whole(arg):
                raise Unknown
        if mine and not bodies and self._keeps(target):
            raise Unknown
        for at in mine:
            holder = self._visit.holder if isinstance(target.base, f.This) else ""
            self._enter(bodies, at, call.args, holder)

    def _by_name(self, target: f.Value, call: f.Call, mine: Sequence[int]) -> None:
        """A call of a name that is not bound, as in a template."""
        inside = isinstance(target, f.Name) and self._is_object(target.base)
        if not (mine or inside):
            return
        if not isinstance(target, f.Name):
            raise Unknown
        base = target.base
        known = base.usr if isinstance(base, f.Var | f.Field) else ""
        cls = self._class(self._program.type_of(known)) if known else None
        bodies = self._program.by_bare_name(target.text, cls, len(call.args))
        if inside and not bodies:
            raise Unknown
        for body in bodies if inside else ():
            self._search.visit(Visit(body, f.This(), self._arguments(body, call.args)))
        for at in mine:
            self._enter(bodies, at, call.args)

    def _class(self, spelling: str) -> str:
        return self._program.split(self._program.pointee(spelling))[0]

    def _is_whole(self, value: f.Value) -> bool:
        return not isinstance(value, f.Elem)

    def _keeps(self, target: f.Fn) -> bool:
        """Whether a function of a library keeps what it gets."""
        cls, _, method = self._program.name_of(target.usr).rpartition("::")
        owner = self._held.knowledge.owners.get(cls)
        return owner is not None and method in (*owner.takes, *owner.makes, *owner.fills)

    def _on_member(self, call: f.Call, target: f.Fn) -> None:
        cls, _, method = self._program.name_of(target.usr).rpartition("::")
        owner = self._held.knowledge.owners.get(cls)
        if owner is None:
            return  # of what the pointer leads to
        if call.args and method in (*owner.takes, *owner.makes, *owner.fills):
            self._put(call.args[-1])
        elif not self._held.only_looks(target, method, owner):
            raise Unknown

    def _enter(
        self, bodies: Sequence[str], at: int, args: Sequence[f.Value], holder: str = ""
    ) -> None:
        """The object is argument *at* of a call of *bodies*."""
        for body in bodies:
            params = self._program.functions[body].params
            if not params:
                raise Unknown
            pack = "..." in self._program.type_of(params[-1])
            if at >= len(params) and not pack:
                raise Unknown
            known_as = f.Var(params[min(at, len(params) - 1)])
            self._search.visit(Visit(body, known_as, self._arguments(body, args), holder))

    # -- values -----------------------------------------------------------------------------------

    def _put(self, value: f.Value) -> None:
        classes = self._classes(value)
        if classes is None:
            raise Unknown
        self._search.classes |= classes

    def _arguments(self, body: str, args: Sequence[f.Value]) -> _Given:
        """By parameter: the classes of what is handed over to a function."""
        found = []
        for usr, arg in zip(self._program.functions[body].params, args, strict=False):
            classes = self._classes(arg)
            if classes:
                found.append((usr, classes))
        return frozenset(found)

    def _classes(self, value: f.Value) -> frozenset[str] | None:
        """Classes of what a pointer points to."""
        if isinstance(value, f.Lit):
            return frozenset() if value.text in NULLS else None
        if isinstance(value, f.Var) and value.usr in self._given:
            return self._given[value.usr]
        if isinstance(value, f.Var | f.Field):
            return self._below(self._program.type_of(value.usr))
        if isinstance(value, f.Made) and value.make in self._makes:
            make = self._makes[value.make]
            if make.heap:
                cls = self._program.split(make.type)[0]
                return frozenset((cls,)) if cls in self._program.classes else None
            if not make.args:
                return frozenset()
            return self._classes(make.args[0]) if self._is_pointer(make.type) else None
        if isinstance(value, f.Result) and value.call in self._calls:
            call = self._calls[value.call]
            same = self._same(call)
            if same is not None:
                return self._classes(same)
            target = call.target
            if made := self._made(call):
                return frozenset((made,))
            result = self._program.result_of(target.usr) if isinstance(target, f.Fn) else ""
            return self._below(call.type or result)
        return None

    def _below(self, spelling: str) -> frozenset[str] | None:
        cls = self._class(spelling)
        return self._held.derived(cls) if cls else None
