"""Members that lead only to younger objects: what is put there was made for it, after its owner.

``parent->children.push_back(new Node)``, ``list_add(&parent->children, fresh)``: where all that the
program ever puts into a member is made by the very function that puts it there, after the object
whose member it is, no way over such members comes back to where it began.  Objects that are linked
in a ring need a link that is set from what was there before.

All places that mention the member are looked at; functions that get it are followed, with which
of their parameters are new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.ages import (
    Age,
    Ages,
    Given,
    Text,
    is_member,
    is_null,
    leads_nowhere,
)
from lockorder.static.program.link import Program
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.written import how_passed, passing


class Younger(Ages):
    """Answers for the members of one program."""

    def __init__(self, program: Program, knowledge: Knowledge, points_to: PointsTo) -> None:
        super().__init__(program, knowledge, points_to)
        self._known: dict[str, Age] = {}
        self._inside: dict[str, dict[str, Age]] = {}
        self._mentions: dict[str, list[str]] | None = None

    def of(self, member: str) -> Age:
        """Whether *member* leads to younger objects only."""
        known = self._known.get(member)
        if known is None:
            self._known[member] = Age.OLD  # meanwhile
            puts = _Puts(self, member)
            known = self._known[member] = puts.find()
            self._inside[member] = puts.inside
        return known

    def hands_on(self, link: str, home: str) -> Age:
        """Whether what lies in *home* leads by *link* only to what was put there with it.

        The nodes of a list point to what they are made for: functions that get the list set that.
        """
        found = self.of(home)
        given = self._inside[home]
        at_all = False
        for usr in self.mentions(link):
            text = self.text(usr)
            for value in self.listed_for(text, link):
                at_all = True
                found = min(found, self.age(text, value, given))
            for statement in text.statements:
                if isinstance(statement, f.Assign) and is_member(statement.target, link):
                    at_all = True
                    found = min(found, self.age(text, statement.value, given))
                elif isinstance(statement, f.Written) and is_member(statement.target, link):
                    return Age.OLD
        return found if at_all else Age.OLD

    def listed(self, entry: str, home: str) -> Age:
        """Whether objects that hang in the list *home* by their member *entry* are new there.

        All that is hung beside one that hangs there already is asked for as well.
        """
        found = self.of(home)
        given = self._inside[home]
        for usr in self.mentions(entry):
            text = self.text(usr)
            for statement in text.statements:
                if isinstance(statement, f.Assign):
                    base = _owner_of(statement.target, entry)
                    if base is not None:
                        found = min(found, self.age(text, base, given))
                elif isinstance(statement, f.Call):
                    found = min(found, self._hung(text, statement, entry, given))
        return found

    def _hung(self, text: Text, call: f.Call, entry: str, given: Given) -> Age:
        """Whether a call that gets the *entry* of an object hangs only new ones."""
        bases = [_owner_of(argument, entry) for argument in call.args]
        found = Age.NEW
        for at, base in enumerate(bases):
            if base is None or self.age(text, base, given) is Age.NEW:
                continue
            others = [a for i, a in enumerate(call.args) if i != at]
            found = min((found, *(self.age(text, a, given) for a in others if not is_null(a))))
        return found

    def listed_for(self, text: Text, member: str) -> Iterator[f.Value]:
        """What lists in braces have for *member*."""
        for statement in text.statements:
            for value in f.values(statement):
                if isinstance(value, f.AnyOf) and member in value.fields:
                    yield from (
                        each
                        for each, field in zip(value.values, value.fields, strict=False)
                        if field == member
                    )

    def mentions(self, member: str) -> Sequence[str]:
        """Functions in whose text *member* stands."""
        if self._mentions is None:
            found: dict[str, dict[str, None]] = {}
            for usr, function in self.program.functions.items():
                for field in _fields(function.body):
                    found.setdefault(field, {})[usr] = None
            self._mentions = {field: list(users) for field, users in found.items()}
        return self._mentions.get(member, ())


class _Puts:
    """Finds all that is put into one member, wherever it stands."""

    def __init__(self, all_: Younger, member: str) -> None:
        self._all = all_
        self._program = all_.program
        self._member = member
        spelling = self._program.type_of(member)
        #: a pointer is read as a value; of all else whoever has it can change it
        self._is_pointer = self._program.is_indirect(spelling)
        cls = self._program.split(spelling)[0]
        own = cls in self._program.classes and not self._is_pointer
        self._cls = cls if own and cls not in all_.knowledge.owners and "[" not in spelling else ""
        self._found: Age | None = None
        #: parameters of functions that get the member: how new what they lead to is
        self.inside: dict[str, Age] = {}
        #: functions that return what they get of it
        self.returning: set[str] = set()
        self._seen: set[object] = set()
        self._pending: list[tuple[str, str, dict[str, Age]]] = []

    def find(self) -> Age:
        """How new all is that is put there; old where nothing is."""
        known = -1
        while known != len(self.returning):
            known = len(self.returning)
            self._seen.clear()
            self._pending = [(usr, "", {}) for usr in self._all.mentions(self._member)]
            while self._pending and self._found is not Age.OLD:
                _Visit(self, self._all, *self._pending.pop()).read()
        return self._found if self._found is not None else Age.OLD

    def put(self, age: Age) -> None:
        """Something of that age is put there."""
        self._found = age if self._found is None else min(self._found, age)

    def follow(self, usr: str, alias: str, given: dict[str, Age]) -> None:
        """A function gets the member as its parameter *alias*."""
        for parameter, age in given.items():
            self.inside[parameter] = min(age, self.inside.get(parameter, age))
        key = usr, alias, tuple(sorted(given.items()))
        if key not in self._seen:
            self._seen.add(key)
            self._pending.append((usr, alias, given))

    @property
    def member(self) -> str:
        """The key of the member."""
        return self._member

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer, smart or not."""
        return self._is_pointer

    @property
    def cls(self) -> str:
        """The program's own class that it is an object of, if it is one."""
        return self._cls


class _Visit:
    """One function that mentions the member, or has it as a parameter."""

    def __init__(self, puts: _Puts, all_: Younger, usr: str, alias: str, given: Given) -> None:
        self._puts = puts
        self._all = all_
        self._program = all_.program
        self._text = all_.text(usr)
        self._given = given
        self._aliases = {alias} if alias else set[str]()
        #: a visit of who has it as a parameter says nothing of other places where it is named
        self._by_name = not alias

    def read(self) -> None:
        known = -1
        while known != len(self._aliases):
            known = len(self._aliases)
            for statement in self._text.statements:
                self._name(statement)
        for statement in self._text.statements:
            self._statement(statement)
        listed = self._all.listed_for(self._text, self._puts.member) if self._by_name else ()
        for value in listed:
            if not is_null(value):
                self._puts.put(Age.OLD)  # in an object that begins with it

    # -- what the member goes by ------------------------------------------------------------------

    def _within(self, value: f.Value | None) -> tuple[bool, f.Value | None]:
        """Whether *value* is the member, or a part of it, and the object whose member it is."""
        while True:
            if isinstance(value, f.Elem):
                value = value.base
            elif isinstance(value, f.Field):
                if self._by_name and value.usr == self._puts.member:
                    return True, value.base
                if not self._puts.cls or self._class_of(value.usr) != self._puts.cls:
                    return False, None
                value = value.base
            elif isinstance(value, f.Var):
                return value.usr in self._aliases, None
            elif isinstance(value, f.Result):
                call = self._text.calls.get(value.call)
                target = call.target if call is not None else None
                if call is not None and self._returns(call):
                    return True, None
                if not isinstance(target, f.Fn) or self._program.body_of(target.usr):
                    return False, None
                value = target.base
            else:
                return False, None

    def _returns(self, call: f.Call) -> bool:
        """Whether a call gets the member, and returns a part of it."""
        if not self._puts.returning.isdisjoint(self._all.targets(self._text, call) or ()):
            return any(self._within(argument)[0] for argument in call.args)
        return False

    def _class_of(self, usr: str) -> str:
        variable = self._program.variables.get(usr)
        return variable.name.rpartition("::")[0] if variable is not None else ""

    def _name(self, statement: f.Stmt) -> None:
        """A local name of the member."""
        if isinstance(statement, f.Local):
            usr, value = statement.usr, statement.value
        elif isinstance(statement, f.Assign) and isinstance(statement.target, f.Var):
            usr, value = statement.target.usr, statement.value
        else:
            return
        if self._within(value)[0] and self._refers(usr):
            self._aliases.add(usr)

    def _refers(self, usr: str) -> bool:
        """Whether a variable that is given the member, or a part, can change it."""
        variable = self._program.variables.get(usr)
        if variable is None:
            return False
        spelling = variable.type.rstrip()
        if self._puts.cls:
            return self._program.split(self._program.pointee(spelling))[0] == self._puts.cls
        return spelling.endswith("&") and not spelling.startswith("const ")

    # -- what is put there ------------------------------------------------------------------------

    def _statement(self, statement: f.Stmt) -> None:
        if isinstance(statement, f.Assign):
            self._assigned(statement)
        elif isinstance(statement, f.Written):
            inside, base = self._within(statement.target)
            if inside and self._puts.is_pointer:
                call = self._text.calls[statement.call]
                self._put(base, f.Result(call.id), self._all.written(
                    self._text, call, statement.argument
                ))  # fmt: skip
        elif isinstance(statement, f.Call):
            self._called(statement)
        elif isinstance(statement, f.Make):
            how = passing(self._program, statement.ctor)[1] if statement.ctor else ""
            for at, argument in enumerate(statement.args):
                if self._may_change(argument, how_passed(how, at)):
                    self._puts.put(Age.OLD)
        elif isinstance(statement, f.Return) and self._within(statement.value)[0]:
            spelling = self._program.result_of(self._text.function.usr).rstrip()
            refers = spelling.endswith("&") or (spelling.endswith("*") and bool(self._puts.cls))
            if refers and not spelling.startswith("const "):
                if self._by_name:
                    self._puts.put(Age.OLD)
                else:
                    self._puts.returning.add(self._text.function.usr)

    def _may_change(self, value: f.Value | None, how: str) -> bool:
        """Whether who gets *value*, which is passed that way, can put something there."""
        inside = self._within(value)[0]
        return inside and (how == "&" if self._puts.is_pointer else how != "-")

    def _assigned(self, statement: f.Assign) -> None:
        inside, base = self._within(statement.target)
        if inside and not (
            isinstance(statement.target, f.Var) and not self._is_part(statement.target.usr)
        ):
            whole = self._puts.cls and is_member(statement.target, self._puts.member)
            if whole and not is_null(statement.value):
                self._puts.put(Age.OLD)  # with all that another has
            else:
                self._value(base, statement.value)
            return
        kept = isinstance(statement.target, f.Field) and self._within(statement.value)[0]
        if kept and isinstance(statement.target, f.Field) and self._puts.cls:
            spelling = self._program.type_of(statement.target.usr)
            if self._program.split(self._program.pointee(spelling))[0] == self._puts.cls:
                link = self._class_of(statement.target.usr) == self._puts.cls
                age = self._all.age(self._text, statement.target.base, self._given)
                self._puts.put(age if link else Age.OLD)  # others find it there

    def _is_part(self, usr: str) -> bool:
        """Whether a local name is a reference, which is written through."""
        return self._program.type_of(usr).rstrip().endswith("&")

    def _value(self, base: f.Value | None, value: f.Value) -> None:
        if isinstance(value, f.AnyOf) and not value.fields:
            for each in value.values:
                self._value(base, each)
        elif not isinstance(value, f.Lit) and not self._is_own(base, value):
            self._put(base, value, self._all.age(self._text, value, self._given))

    def _is_own(self, base: f.Value | None, value: f.Value) -> bool:
        """Whether *value* is in the same object's member already."""
        inside, other = self._within(value)
        return inside and other == base

    def _put(self, base: f.Value | None, value: f.Value, age: Age) -> None:
        """What is put there must be made after the object whose member it is."""
        self._puts.put(age if self._is_later(base, value) else Age.OLD)

    def _is_later(self, base: f.Value | None, value: f.Value) -> bool:
        if base is None:
            return True  # whoever has it as a parameter was handed it
        return self._all.since(self._text, value) > self._all.until(self._text, base)

    def _called(self, call: f.Call) -> None:
        target = call.target
        if isinstance(target, f.Fn):
            self._on_member(call, target)
        how = passing(self._program, target.usr)[1] if isinstance(target, f.Fn) else ""
        for at, argument in enumerate(call.args):
            inside, base = self._within(argument)
            if not inside:
                continue
            if self._puts.is_pointer:
                if how_passed(how, at) == "&":
                    self._puts.put(Age.OLD)
            elif how_passed(how, at) != "-":
                self._handed(call, at, base)

    def _handed(self, call: f.Call, at: int, base: f.Value | None) -> None:
        """A function gets the member: it may put there what else it gets."""
        bodies = self._all.targets(self._text, call)
        ages = {
            i: age if age is Age.OLD or self._is_later(base, a) or is_null(a) else Age.OLD
            for i, a in enumerate(call.args)
            if i != at
            for age in (self._all.age(self._text, a, self._given),)
        }
        if bodies is None:
            others = [a for i, a in enumerate(call.args) if i != at]
            if not all(leads_nowhere(self._program, a) for a in others):
                self._puts.put(min(ages.values()))
            return
        for body in bodies:
            params = self._program.functions[body].params
            if at < len(params):
                given = {params[i]: age for i, age in ages.items() if i < len(params)}
                self._puts.follow(body, params[at], given)

    def _on_member(self, call: f.Call, target: f.Fn) -> None:
        """A method of the member, or of an element."""
        inside, base = self._within(target.base)
        cls, _, method = self._program.name_of(target.usr).rpartition("::")
        if not inside or method == f.ASSIGNMENT:
            return
        if self._puts.cls:
            if passing(self._program, target.usr)[0]:
                self._puts.put(Age.OLD)  # a method of the program's own list is not followed
            return
        if cls not in self._all.knowledge.owners and not self._program.is_standard(target.usr):
            return  # of what it leads to
        owner = self._all.knowledge.owners.get(
            self._program.split(self._program.plain(self._program.type_of(self._puts.member)))[0]
        )
        puts = owner is not None and method in (*owner.takes, *owner.makes, *owner.fills)
        if not puts and (owner is None or owner.pointer or method not in owner.destroys):
            may_write, how = passing(self._program, target.usr)
            known = self._all.knowledge
            finds = method in known.element_methods or method in known.same_methods
            if finds or (how and not may_write):
                return
        elif not puts:
            return  # only takes out
        args = call.args[-1:] if owner is not None and owner.map else call.args
        for argument in args:
            self._value(base, argument)


def _owner_of(value: f.Value, member: str) -> f.Value | None:
    """The object whose *member* a value is, or is a part of."""
    while isinstance(value, f.Field):
        if value.usr == member:
            return value.base
        value = value.base
    return None


def _fields(block: f.Block) -> Iterator[str]:
    """Keys of all members that a text names."""
    for statement in f.walk(block):
        for value in f.values(statement):
            if isinstance(value, f.Field):
                yield value.usr
            elif isinstance(value, f.AnyOf):
                yield from value.fields
