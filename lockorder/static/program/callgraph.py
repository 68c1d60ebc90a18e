"""In which order functions are summarised: callees first, as far as the call graph is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.parse.names import innermost_element
from lockorder.static.program.components import components
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.link import Program
from lockorder.static.program.own_ends import OwnEnds
from lockorder.static.program.pointsto import REGISTRY, PointsTo


class CallGraph:
    """Which functions a function can call, over-approximated by syntax and points-to sets."""

    def __init__(self, program: Program, points_to: PointsTo, lifetimes: Lifetimes) -> None:
        self.program = program
        self.points_to = points_to
        self.lifetimes = lifetimes
        self.knowledge = lifetimes.knowledge
        self.own_ends = OwnEnds(program, self.knowledge)
        #: By function: what it calls by name on others' objects, and what it calls that may, too.
        self._names: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {}
        self._callees: dict[str, Sequence[str]] = {}
        self._callers: dict[str, list[str]] | None = None

    def groups(self) -> list[list[str]]:
        """Strongly connected components, callees first."""
        functions = self.program.functions
        return list(components({u: self.callees(functions[u]) for u in sorted(functions)}))

    def callees(self, function: f.Function) -> Sequence[str]:
        """Keys of the functions that *function* can call or hand on."""
        known = self._callees.get(function.usr)
        if known is None:
            known = self._callees[function.usr] = self._find_callees(function)
        return known

    def callers(self, usr: str) -> Sequence[str]:
        """Keys of the functions that can call *usr* or hand it on."""
        if self._callers is None:
            self._callers = {}
            for each in self.program.functions.values():
                for callee in self.callees(each):
                    self._callers.setdefault(callee, []).append(each.usr)
        return self._callers.get(usr, ())

    def _find_callees(self, function: f.Function) -> Sequence[str]:
        found: dict[str, None] = {}
        if function.kind == "constructor":
            found.update(dict.fromkeys(self.lifetimes.implied(function.cls)))
        elif function.kind == "destructor":
            self._type_ended(function.cls, found)
        for statement in walk(function.body):
            if isinstance(statement, f.Call):
                self._callees_of_call(function, statement, found)
                values = statement.args
            elif isinstance(statement, f.Make):
                found.update(dict.fromkeys(self.program.body_of(statement.ctor)))
                made = self.program.split(innermost_element(statement.type))[0]
                found.update(dict.fromkeys(self.program.call_operators(made)))
                known = self.program.body_of(statement.ctor)
                others = self.lifetimes.constructed if known else self.lifetimes.constructors
                found.update(dict.fromkeys(others(made)))
                self._type_ended(statement.type, found)
                values = statement.args
                if made in self.knowledge.guards:
                    for given in values:  # whose lock() and unlock() it calls
                        self._handed(given, frozenset(self.knowledge.any_lockable), found)
            elif isinstance(statement, f.Local):
                self._ended(statement.usr, found)
                values = [statement.value] if statement.value is not None else []
            elif isinstance(statement, f.Assign):
                values = [statement.value]
            elif isinstance(statement, f.Delete):
                self._deleted(function, statement.value, found)
                continue
            else:
                continue
            for value in values:
                self._mentioned(value, found)
        return [u for u in found if u in self.program.functions]

    def called(self, function: f.Function, call: f.Call) -> Sequence[str]:
        """Keys of the functions that one call in *function* can call."""
        found: dict[str, None] = {}
        self._callees_of_call(function, call, found)
        return [u for u in found if u in self.program.functions]

    def _callees_of_call(self, function: f.Function, call: f.Call, found: dict[str, None]) -> None:
        target = call.target
        if self.knowledge.runs:
            for number in self.knowledge.runs.get(self.program.called(call), ()):
                found.update(dict.fromkeys(self.points_to.functions(f"{REGISTRY}{number}")))
        if isinstance(target, f.Fn):
            bodies = self.program.body_of(target.usr)
            if not bodies:
                self._owner(target.base, found)
                self._assigned(target, found)
                if self.program.name_of(target.usr) in self.knowledge.puts:
                    self._replaced(call.args[:1], found)
            for owned in self.lifetimes.owned(call.type) if call.type else ():
                made = self.program.split(owned)[0]
                found.update(dict.fromkeys(self.lifetimes.constructors(made)))
            found.update(dict.fromkeys(bodies))
            if not self.lifetimes.deleting.isdisjoint(bodies):
                for given in (*call.args, target.base):
                    self._deleted(function, given, found)
            wanted = self._wanted(bodies)
            for given in (*call.args, target.base) if wanted else ():
                self._handed(given, wanted, found)
            if call.virtual:
                found.update(dict.fromkeys(self.program.overriders(target.usr)))
            if not bodies:
                self._mentioned(target.base, found)  # a lambda that is called where it stands
                node = self.points_to.node(function, target.base)
                if node is not None:
                    found.update(dict.fromkeys(self.points_to.functions(node)))
        elif isinstance(target, f.Name) and target.text != f.ASSIGNMENT:
            cls = None if target.base is None else ""
            bodies = self.program.by_bare_name(target.text, cls, len(call.args))
            found.update(dict.fromkeys(bodies))
            for each in self._classes(function, target.base):
                methods = self.program.of_class(target.text, each, len(call.args))
                found.update(dict.fromkeys(methods))
        else:
            self._mentioned(target, found)
            node = self.points_to.node(function, target)
            if node is not None:
                found.update(dict.fromkeys(self.points_to.functions(node)))

    def _classes(self, function: f.Function, value: f.Value | None) -> Iterable[str]:
        """Classes that an object may have by its type, or that its type is about."""
        while isinstance(value, f.Elem):
            value = value.base
        if isinstance(value, f.This):
            home = self.program.home(function)
            return self._about(home.cls) if home is not None else []
        return self._about_variable(value) if isinstance(value, f.Var | f.Field) else []

    def _about_variable(self, value: f.Var | f.Field) -> list[str]:
        return self._about(self.program.pointee(self.program.type_of(value.usr)))

    def _about(self, spelling: str) -> list[str]:
        """The class of a type, and those of its template's arguments."""
        name, arguments = self.program.split(spelling)
        return [name, *(self.program.split(each)[0] for each in arguments)]

    def _wanted(self, bodies: Sequence[str]) -> frozenset[str]:
        """Methods that templates call on what they are given, by name: who gives it knows which."""
        found: set[str] = set()
        seen, pending = set(bodies), list(bodies)
        while pending:
            usr = pending.pop()
            known = self._names.get(usr)
            if known is None:
                known = self._names[usr] = self._named(usr)
            names, templates = known
            found.update(names)
            fresh = [t for t in templates if t not in seen]
            seen.update(fresh)
            pending.extend(fresh)
        return frozenset(found)

    def _named(self, usr: str) -> tuple[frozenset[str], tuple[str, ...]]:
        """What a function calls by name on objects that it has from its caller, and what templates
        it calls itself."""
        decl, function = self.program.decls.get(usr), self.program.functions.get(usr)
        if function is None or decl is None or not (decl.tparams or decl.cls):
            return frozenset(), ()
        names: set[str] = set()
        templates: dict[str, None] = {}
        for statement in walk(function.body):
            if not isinstance(statement, f.Call):
                continue
            target = statement.target
            if isinstance(target, f.Name) and target.base is not None:
                names.add(target.text)
            elif isinstance(target, f.Fn):
                templates.update(dict.fromkeys(self.program.body_of(target.usr)))
        return frozenset(names), tuple(templates) if names or decl.tparams else ()

    def _handed(self, value: f.Value | None, names: frozenset[str], found: dict[str, None]) -> None:
        """Methods of those names of an object, or of what its type is about."""
        if isinstance(value, f.Var | f.Field):
            for cls in self._about_variable(value):
                for method in names if cls in self.program.classes else ():
                    found.update(dict.fromkeys(self.program.methods(cls, method)))

    def _ended(self, usr: str, found: dict[str, None]) -> None:
        """The end of a variable, or of what it owns."""
        self._type_ended(self.program.type_of(usr), found)
        found.update(dict.fromkeys(self.points_to.deleters(usr)))

    def _type_ended(self, spelling: str, found: dict[str, None]) -> None:
        found.update(dict.fromkeys(self.lifetimes.destroyed(spelling)))
        for each in self.lifetimes.ended(spelling):
            found.update(dict.fromkeys(self.own_ends.of(each)))

    def _owner(self, value: f.Value | None, found: dict[str, None]) -> None:
        """A method of a smart pointer or container may make or destroy what it owns."""
        while isinstance(value, f.Elem):
            value = value.base
        if isinstance(value, (f.Var, f.Field)):
            spelling = self.program.plain(self.program.type_of(value.usr))
            if self.program.split(spelling)[0] in self.knowledge.owners:
                self._ended(value.usr, found)
                self._type_ended(spelling, found)
                for owned in self.lifetimes.owned(spelling):
                    cls = self.program.split(owned)[0]
                    found.update(dict.fromkeys(self.lifetimes.constructors(cls)))

    def _assigned(self, target: f.Fn, found: dict[str, None]) -> None:
        """Of an object that is assigned to as a whole, what its members had may end."""
        cls, _, method = self.program.name_of(target.usr).rpartition("::")
        if method == f.ASSIGNMENT:
            self._let_go(cls, found)

    def _let_go(self, cls: str, found: dict[str, None]) -> None:
        for way, spelling in self.lifetimes.let_go(cls):
            self._type_ended(spelling, found)
            found.update(dict.fromkeys(self.points_to.deleters(way[-1])))

    def _replaced(self, values: Sequence[f.Value], found: dict[str, None]) -> None:
        """What was in an owner, or in an object's members, may end where something else is put."""
        for value in values:
            self._owner(value, found)
            if isinstance(value, f.Var | f.Field):
                cls = self.program.plain(self.program.type_of(value.usr))
                self._let_go(self.program.split(cls)[0], found)

    def _deleted(self, function: f.Function, value: f.Value | None, found: dict[str, None]) -> None:
        """The end of what a value points to, or what a template's object is about."""
        for each in self._classes(function, value) if not isinstance(value, f.Elem) else ():
            for cls in self.program.deleted_as(each) if each else ():
                found.update(dict.fromkeys(self.lifetimes.destroyed(cls)))

    def _mentioned(self, value: f.Value | None, found: dict[str, None]) -> None:
        if isinstance(value, f.Closure):
            found[value.usr] = None
        elif isinstance(value, f.Fn):
            found.update(dict.fromkeys(self.program.body_of(value.usr)))
        elif isinstance(value, f.AnyOf):
            for each in value.values:
                self._mentioned(each, found)
