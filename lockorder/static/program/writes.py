"""What pointers, and rows of pointers, are begun with and assigned, by the texts of all functions.

With it all calls of each function, and where each lambda is written.
"""

from __future__ import annotations

from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import Owner
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program


class Writes:
    """All of them, once they are read."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        self._all_read = False
        #: by function: who calls it, and how
        self.calls: dict[str, list[tuple[f.Function, f.Call | f.Make]]] = {}
        self.closures: dict[str, list[tuple[f.Function, f.Stmt]]] = {}
        #: by variable or member, and ``inside`` such
        self.writes: dict[str, list[tuple[f.Function, f.Value | None]]] = {}
        #: by member: functions that name it, by key
        self.naming: dict[str, dict[str, f.Function]] = {}
        #: by class: functions that make an object of it from something else, by key
        self.copying: dict[str, dict[str, f.Function]] = {}
        #: variables and members that something else may come into
        self.changed: set[str] = set()
        #: by call that finds an element, and by reference to one: the container
        self._found: dict[tuple[str, int], str] = {}
        self._referring: dict[str, str] = {}

    def read(self) -> None:
        """Read all functions, the first time."""
        if self._all_read:
            return
        self._all_read = True
        for function in self._program.functions.values():
            for statement in f.walk(function.body):
                self._read(function, statement)

    def _read(self, function: f.Function, statement: f.Stmt) -> None:
        made_of_another = copied(self._program, statement)
        if made_of_another:
            self.copying.setdefault(made_of_another, {})[function.usr] = function
        for value in f.values(statement):
            if isinstance(value, f.Field):
                self.naming.setdefault(value.usr, {})[function.usr] = function
            elif isinstance(value, f.Closure):
                self.closures.setdefault(value.usr, []).append((function, statement))
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
                self._write(function, inside(within), statement.value)
        elif isinstance(statement, f.Written):
            if isinstance(statement.target, f.Var | f.Field):
                self.changed.add(statement.target.usr)
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
                    self.changed.add(base.usr)
        elif isinstance(target, f.Name) and isinstance(target.base, f.Var | f.Field):
            # A method that is declared nowhere.
            known = target.text in self._knowledge.same_methods
            self.changed.update(() if known else (target.base.usr,))
        name = self._program.called(call)
        if name in self._knowledge.same_functions:
            return
        if name.rpartition("::")[2] == "swap":
            self.changed.update(v.usr for v in call.args if isinstance(v, f.Var | f.Field))
        for value in call.args:  # by a reference to the pointer, another one may come there
            if isinstance(value, f.Var | f.Field) and self._may_change(call, value):
                self.changed.add(value.usr)

    def _container(self, function: f.Function, value: f.Value | None) -> str:
        """The container of which a value is an element; empty for any other value."""
        if isinstance(value, f.Elem) and isinstance(value.base, f.Var | f.Field):
            return value.base.usr
        if isinstance(value, f.Result):
            return self._found.get((function.usr, value.call), "")
        return ""

    def _read_row(self, function: f.Function, call: f.Call, usr: str, last: str) -> None:
        """A method of a container: something goes into it, or an element is found."""
        owner = self.row(self._program.type_of(usr))
        if owner is None:
            return
        if last in self._knowledge.element_methods:
            self._found[function.usr, call.id] = usr
        if last == "operator=" and len(call.args) == 1:
            self._write(function, inside(usr), f.Elem(call.args[0]))
        elif last in (*owner.makes, *owner.takes) and len(call.args) == 1:
            self._write(function, inside(usr), call.args[0])
        elif last in (*owner.makes, *owner.takes, "swap"):
            self.changed.add(usr)

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
        if value is not None and self.is_row(self._program.type_of(usr)):
            self.writes.setdefault(inside(usr), []).append((function, f.Elem(value)))
        self.writes.setdefault(usr, []).append((function, value or f.Lit("nullptr")))

    def _called(self, body: str, function: f.Function, call: f.Call | f.Make) -> None:
        self.calls.setdefault(body, []).append((function, call))

    def is_row(self, spelling: str) -> bool:
        """Whether elements of such a container come there by its methods alone."""
        return self.row(spelling) is not None

    def row(self, spelling: str) -> Owner | None:
        """What is known of such a container; None of any other type."""
        owner = self._knowledge.owners.get(self._program.split(self._program.plain(spelling))[0])
        if owner is None or owner.pointer or owner.callable or owner.map or owner.numbered:
            return None
        return owner


def inside(usr: str) -> str:
    """What elements of a container are written to as."""
    return f"{usr}[]"


def copied(program: Program, statement: f.Stmt) -> str:
    """The class of which *statement* makes an object from something else; empty where it does not.

    No reference or pointer is one, nor is what begins with a literal.
    """
    if isinstance(statement, f.Make):
        given = statement.args[0] if len(statement.args) == 1 else f.Lit("")
        return "" if isinstance(given, f.Lit) else program.split(statement.type)[0]
    if isinstance(statement, f.Local) and isinstance(statement.value, f.Var | f.Field):
        own = program.type_of(statement.usr).removeprefix("const ").rstrip()
        return "" if own.endswith(("&", "*")) else program.split(own)[0]
    return ""
