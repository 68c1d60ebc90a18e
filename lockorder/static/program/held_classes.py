"""Which classes the objects have to which a member holds pointers, said to be of their base.

``owners[id] = pointer`` of every place in the program, by what types show: the pointer that is put
there is one to a derived class, or a virtual function that answers the same for all objects of a
class has just said what it points to.  A member of which all is known holds no other class.

Parameters that point to such a pointer are looked at in the same way: what a function puts there is
in the members that its callers hand it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import Owner
from lockorder.static.parse import facts as f
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program.indexes import INDEXING
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import is_element, member
from lockorder.static.program.written import passing


class HeldClasses:
    """Answers by member, for those that hold pointers to a class with derived ones."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self.knowledge = knowledge
        self.moves = knowledge.moves
        self.pointers = [owner for owner in knowledge.owners.values() if owner.pointer]
        #: by member: the class that it is said to point to
        self._members = {
            usr: pointee
            for usr, v in program.variables.items()
            if v.kind == "field"
            and not program.is_standard(usr)
            and (pointee := self._pointee(v.type))
        }
        #: the same of parameters that point to such members
        self._members.update(
            (usr, pointee)
            for usr, v in program.variables.items()
            if v.kind == "param"
            and (inner := _referred(v.type))
            and (pointee := self._pointee(inner))
        )
        self._held: dict[str, set[str]] = {usr: set() for usr in self._members}
        #: what is put into the first is put into the second as well
        self._flows: dict[str, set[str]] = {}
        self._answers: dict[str, dict[str, bool]] = {}
        #: classes to which something is put that nobody knows where
        self._elsewhere: set[str] = set()
        for function in program.functions.values() if self._members else ():
            _Body(self, program, function).read()
        for usr in [u for u, p in self._members.items() if p in self._elsewhere]:
            self._held.pop(usr, None)
        self._spread()

    def _spread(self) -> None:
        """What is put somewhere by a parameter is where all callers say: until nothing is new."""
        pending = list(self._flows)
        while pending:
            source = pending.pop()
            for target in self._flows.get(source, ()):
                known = self._held.get(target)
                there = self._held.get(source)
                if known is None or (there is not None and there <= known):
                    continue
                self.put(target, frozenset(there) if there is not None else None)
                pending.append(target)

    def hand(self, member: str, parameter: str) -> bool:
        """A function gets *member* as a *parameter* that is looked at; False if it is not."""
        if parameter in self._members:
            self._flows.setdefault(parameter, set()).add(member)
        return parameter in self._members

    def refers(self, spelling: str) -> bool:
        """Whether a variable of that type points to a pointer that is looked at."""
        return spelling.rstrip().endswith("*") and bool(self._pointee(_referred(spelling)))

    def of(self, path: Path) -> frozenset[str] | None:
        """Classes of what the pointer or container at *path* holds; None where nobody knows."""
        steps = path.steps
        while steps and (is_element(steps[-1]) or self._program.is_standard(member(steps[-1]))):
            steps = steps[:-1]
        usr = member(steps[-1]) if steps else ""
        held = self._held.get(usr)
        if not held or held >= (self.derived(self._members[usr]) or set()):
            return None  # nothing is put there, or anything may be
        return frozenset(held)

    def is_member(self, usr: str) -> bool:
        """Whether a member is looked at."""
        return usr in self._held

    def is_told(self, path: Path) -> bool:
        """Whether whoever knows the object may know what is in its member at *path*."""
        steps = [s for s in path.steps if not is_element(s)]
        return len(steps) == 1 and (steps[0] in self._members or self._is_open(member(steps[0])))

    def _is_open(self, field: str) -> bool:
        """Whether a member's class is a parameter of its class template, which the object has."""
        names = self._program.template_parameters_of_member(field)
        spelling = self._program.pointee(self._program.type_of(field)) if names else ""
        return self._program.split(spelling)[0] in names

    def only_looks(self, target: f.Fn, method: str, owner: Owner | None) -> bool:
        """Whether a method of a member, or of a pointer in it, puts nothing there."""
        constant = target.usr in self._program.decls and not passing(self._program, target.usr)[0]
        takes_out = owner is not None and method in owner.destroys
        finds = method in self.knowledge.element_methods
        return constant or takes_out or finds or method in self.knowledge.same_methods

    def put(self, usr: str, classes: frozenset[str] | None) -> None:
        """Objects of *classes*, or any, are put into the member *usr*."""
        if classes is None:
            self._held.pop(usr, None)
        elif usr in self._held:
            self._held[usr].update(classes)

    def put_somewhere(self, spelling: str) -> None:
        """Something of that type goes into a pointer of which nobody knows where it is."""
        cls = self._program.split(self._program.pointee(spelling))[0]
        self._elsewhere.update(self._program.ancestors(cls))

    def _pointee(self, spelling: str) -> str:
        """The class that the pointers in an object of a type point to, if it has derived ones."""
        text = self._program.plain(spelling)
        name, arguments = self._program.split(text)
        owner = self.knowledge.owners.get(name)
        if owner is None or owner.callable:
            return ""
        inner = arguments[:1] if owner.pointer else arguments[1:2] if owner.map else arguments[:1]
        if not owner.pointer:
            return self._pointee(inner[0]) if inner and self._is_pointer(inner[0]) else ""
        cls = self._program.split(inner[0])[0] if inner else ""
        return cls if len(self._program.deleted_as(cls)) > 1 else ""

    def _is_pointer(self, spelling: str) -> bool:
        owner = self.knowledge.owners.get(self._program.split(self._program.plain(spelling))[0])
        return owner is not None and owner.pointer

    def derived(self, cls: str) -> frozenset[str] | None:
        """*cls* and all that is derived from it."""
        return self._program.derived(cls) if cls in self._program.classes else None

    def answering(self, method: str, truth: bool, cls: str) -> frozenset[str] | None:
        """Classes below *cls* for which a virtual function returns *truth*; None if it may vary."""
        known = self._answers.get(method)
        if known is None:
            known = self._answers[method] = self._find_answers(method)
        below = self.derived(cls)
        if below is None or not known:
            return None
        found = set[str]()
        for each in below:
            told = {known[c] for c in self._program.ancestors(each) if c in known}
            if known.get(each) is truth or (each not in known and truth in told):
                found.add(each)
        return frozenset(found)

    def _find_answers(self, method: str) -> dict[str, bool]:
        found: dict[str, bool] = {}
        for usr in (*self._program.body_of(method), *self._program.overriders(method)):
            function = self._program.functions[usr]
            body = [s for s in f.walk(function.body) if not isinstance(s, f.Block)]
            only = body[0] if len(body) == 1 else None
            value = only.value if isinstance(only, f.Return) else None
            if not isinstance(value, f.Lit) or value.text not in ("true", "false"):
                return {}
            found[function.cls] = value.text == "true"
        return found


class _Body:
    """What one function puts into members."""

    def __init__(self, held: HeldClasses, program: Program, function: f.Function) -> None:
        self._all = held
        self._program = program
        self._function = function
        self._calls: dict[int, f.Call] = {}
        self._makes: dict[int, f.Make] = {}
        #: variables that are written to
        self._changed = {
            s.target.usr
            for s in f.walk(function.body)
            if isinstance(s, f.Assign | f.Written) and isinstance(s.target, f.Var)
        }
        #: by local reference: the member that it leads to
        self._names: dict[str, str] = {}
        #: what tests around a statement say of variables
        self._known: dict[str, frozenset[str]] = {}

    def read(self) -> None:
        self._block(self._function.body)

    def _block(self, block: f.Block) -> None:
        for statement in block.body:
            if isinstance(statement, f.If):
                self._branch(statement.cond, True, statement.then)
                if statement.orelse is not None:
                    self._branch(statement.cond, False, statement.orelse)
                continue
            for part in f.parts(statement):
                self._block(part)
            self._statement(statement)

    def _branch(self, cond: f.Value | None, truth: bool, block: f.Block) -> None:
        before = self._known
        while isinstance(cond, f.Not):
            cond, truth = cond.value, not truth
        if isinstance(cond, f.Result) and cond.call in self._calls:
            asked = self._calls[cond.call]
            base = asked.target.base if isinstance(asked.target, f.Fn) else None
            who = self._through(base)
            steady = isinstance(who, f.Var) and who.usr not in self._changed
            if steady and isinstance(asked.target, f.Fn) and asked.virtual:
                assert isinstance(who, f.Var)
                cls = self._class(self._program.type_of(who.usr))
                told = self._all.answering(asked.target.usr, truth, cls)
                if told is not None:
                    self._known = {**before, who.usr: told}
        self._block(block)
        self._known = before

    def _through(self, value: f.Value | None) -> f.Value | None:
        """The smart pointer behind its ``operator->``."""
        if isinstance(value, f.Result) and value.call in self._calls:
            target = self._calls[value.call].target
            if (
                isinstance(target, f.Fn)
                and self._method(target) in self._all.knowledge.same_methods
            ):
                return target.base
        return value

    def _class(self, spelling: str) -> str:
        return self._program.split(self._program.pointee(spelling))[0]

    def _member(self, value: f.Value | None) -> str:
        """The member of which *value* is an element, or that it is."""
        while isinstance(value, f.Elem):
            value = value.base
        if isinstance(value, f.Result) and value.call in self._calls:
            target = self._calls[value.call].target
            if isinstance(target, f.Fn) and self._method(target) in INDEXING:
                return self._member(target.base)
        if isinstance(value, f.Var):
            known = value.usr if self._all.is_member(value.usr) else ""
            return self._names.get(value.usr, known)
        if isinstance(value, f.Field) and self._all.is_member(value.usr):
            return value.usr
        return ""

    def _statement(self, statement: f.Stmt) -> None:
        if isinstance(statement, f.Call):
            self._calls[statement.id] = statement
            self._call(statement)
        elif isinstance(statement, f.Make):
            self._makes[statement.id] = statement
            self._handed(statement.ctor, statement.args)
        elif isinstance(statement, f.Assign):
            self._assign(statement)
        elif isinstance(statement, f.Written):
            self._lost(statement.target)
        elif isinstance(statement, f.Local):
            spelling = self._program.type_of(statement.usr)
            if "&" in spelling and not spelling.startswith("const ") and not self._parted(spelling):
                self._name(statement)
            elif self._all.refers(spelling):
                self._lost(statement.value)
        elif isinstance(statement, f.Return):
            spelling = self._program.result_of(self._function.usr)
            refers = "&" in spelling or self._all.refers(spelling)
            if refers and not spelling.startswith("const "):
                self._lost(statement.value)

    def _name(self, local: f.Local) -> None:
        """A local name of a member, or of an element: what is written to it goes there."""
        member = self._member(local.value)
        if member and isinstance(local.value, f.Var | f.Field | f.Elem | f.Result):
            self._names[local.usr] = member
        else:
            self._lost(local.value)

    def _parted(self, spelling: str) -> bool:
        """Whether a type is a pair: what goes into it is seen where its parts are written to."""
        name = self._program.split(self._program.plain(spelling))[0]
        owner = self._all.knowledge.owners.get(name)
        return owner is not None and bool(owner.parts)

    def _assign(self, assign: f.Assign) -> None:
        member = self._member(assign.target)
        target = assign.target
        if isinstance(target, f.Var | f.Field) and self._all.refers(
            self._program.type_of(target.usr)
        ):
            self._lost(assign.value)
        if member:
            self._all.put(member, self._classes(assign.value))
        else:
            self._put_elsewhere(assign.target, assign.value)

    def _call(self, call: f.Call) -> None:
        target = call.target
        if not isinstance(target, f.Fn):
            for value in call.args:
                self._lost(value)
            if isinstance(target, f.Name) and target.base is not None:
                self._lost(target.base)
            return
        member, method = self._member(target.base), self._method(target)
        if member and method:
            owner = self._owner(method, member)
            puts = owner is not None and (method in owner.takes or method in owner.makes)
            puts = puts or (owner is not None and method in owner.fills)
            if puts and call.args:
                self._all.put(member, self._classes(call.args[-1]))
            elif not self._all.only_looks(target, method, owner):
                self._all.put(member, None)
        elif member:
            self._all.put(member, None)
        elif method and any(method in owner.fills for owner in self._all.pointers):
            for value in call.args[-1:]:
                self._put_elsewhere(target.base, value)
        self._handed(target.usr, call.args)

    def _method(self, target: f.Fn) -> str:
        """The name of a method of which is known what it does, or that nobody wrote here."""
        cls, _, name = self._program.name_of(target.usr).rpartition("::")
        known = cls in self._all.knowledge.owners
        return name if known or not self._program.body_of(target.usr) else ""

    def _owner(self, method: str, member: str) -> Owner | None:
        """What is known of the pointer that *member* is; of a container, or of a pointer in it.

        Which of the two a method is called on, its name says: what only looks changes neither.
        """
        spelling = self._program.plain(self._program.type_of(member))
        name, arguments = self._program.split(spelling)
        owners = self._all.knowledge.owners
        owner = owners.get(name)
        if (
            owner is None
            or owner.pointer
            or method in (*owner.takes, *owner.makes, *owner.destroys)
        ):
            return owner
        inner = arguments[1:2] if owner.map else arguments[:1]
        return owners.get(self._program.split(self._program.plain(inner[0]))[0]) if inner else None

    def _put_elsewhere(self, base: f.Value | None, value: f.Value) -> None:
        """What is written to by an iterator or a reference may be an element of any member."""
        if isinstance(base, f.Var) and "&" not in self._program.type_of(base.usr):
            return
        if isinstance(base, f.Field) and not self._program.is_standard(base.usr):
            return
        if base is not None and not isinstance(base, f.This):
            self._all.put_somewhere(self._spelling(value))

    def _spelling(self, value: f.Value) -> str:
        if isinstance(value, f.Var | f.Field):
            return self._program.type_of(value.usr)
        if isinstance(value, f.Made) and value.make in self._makes:
            return self._makes[value.make].type
        if isinstance(value, f.Result) and value.call in self._calls:
            call = self._calls[value.call]
            target = call.target
            if isinstance(target, f.Fn):
                if self._program.name_of(target.usr) in self._all.moves and call.args:
                    return self._spelling(call.args[0])
                return call.type or self._program.result_of(target.usr)
        return ""

    def _handed(self, callee: str, args: Sequence[f.Value]) -> None:
        how = passing(self._program, callee)[1] if callee else ""
        outside = not self._program.body_of(callee)
        for at, arg in enumerate(args):
            if how[at : at + 1] == "-" or self._follows(callee, at, arg):
                continue
            self._lost(arg)
            if outside and isinstance(arg, f.Var) and arg.usr not in self._names:
                spelling = self._program.type_of(arg.usr)
                if "&" in spelling and not spelling.startswith("const "):
                    self._all.put_somewhere(spelling)  # which a lambda may have from elsewhere

    def _follows(self, callee: str, at: int, value: f.Value) -> bool:
        """Whether what the one body of a call puts into its argument is known from its text."""
        member = self._member(value)
        bodies = self._program.body_of(callee)
        if not member or len(bodies) != 1 or self._program.overriders(callee):
            return False
        params = self._program.functions[bodies[0]].params
        return at < len(params) and self._all.hand(member, params[at])

    def _lost(self, value: f.Value | None) -> None:
        """Others may put something into what *value* leads to."""
        for each in parts_of(value):
            member = self._member(each)
            if member:
                self._all.put(member, None)

    def _classes(self, value: f.Value) -> frozenset[str] | None:
        """Classes of what a pointer points to that is put somewhere."""
        if isinstance(value, f.Lit):
            return frozenset() if value.text in NULLS else None
        if isinstance(value, f.Var):
            known = self._known.get(value.usr)
            if known is not None:
                return known
            return self._all.derived(self._class(self._program.type_of(value.usr)))
        if isinstance(value, f.Field):
            return self._all.derived(self._class(self._program.type_of(value.usr)))
        if isinstance(value, f.Made) and value.make in self._makes:
            make = self._makes[value.make]
            if make.heap:
                return frozenset((self._program.split(make.type)[0],))
            if not make.args:
                return frozenset()
            return self._classes(make.args[0]) if len(make.args) == 1 else None
        if isinstance(value, f.Result):
            given_up = self._given_up(value)
            if given_up is not None:
                return self._classes(given_up)
            return self._all.derived(self._class(self._spelling(value)))
        return None

    def _given_up(self, value: f.Result) -> f.Value | None:
        """The smart pointer whose object a call returns: ``pointer.release()``."""
        call = self._calls.get(value.call)
        target = call.target if call is not None else None
        if not isinstance(target, f.Fn) or not isinstance(target.base, f.Var | f.Field):
            return None
        cls, _, method = self._program.name_of(target.usr).rpartition("::")
        owner = self._all.knowledge.owners.get(cls)
        if owner is None or method not in (*owner.gives_up, *owner.plain):
            return None
        return target.base


def _referred(spelling: str) -> str:
    """The type that a parameter points to; empty where it cannot change it."""
    text = spelling.rstrip()
    return "" if text.startswith("const ") or not text.endswith("*") else text[:-1].rstrip()


def parts_of(value: f.Value | None) -> Iterator[f.Value]:
    """*value*, or what it is one of."""
    if isinstance(value, f.AnyOf):
        for each in value.values:
            yield from parts_of(each)
    elif value is not None:
        yield value
