"""What a function has made itself, and which of two objects was there first, by its text.

A new object is what ``new`` makes, or memory from an allocator, a call that returns such, or writes
it to what it is given the address of; a local that never is anything else; and in a constructor
the object itself.  Calls are followed, whatever they are made through.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.leads import is_scalar
from lockorder.static.program.link import Program
from lockorder.static.program.pointsto import PointsTo


class Age(enum.IntEnum):
    """Whether an object is new: no, perhaps (code makes it that was not read), surely."""

    OLD = 0
    PERHAPS = 1
    NEW = 2


#: By parameter: how new what it leads to is.
Given = Mapping[str, Age]
NONE: Given = {}
#: When the object of a constructor was made, in the numbers of its statements; all before that.
_BEGUN, _BEFORE = 0, -1


class Ages:
    """Answers for the functions of one program."""

    def __init__(self, program: Program, knowledge: Knowledge, points_to: PointsTo) -> None:
        self.program = program
        self.knowledge = knowledge
        self.points_to = points_to
        self._texts: dict[str, Text] = {}
        self._ages: dict[object, Age] = {}

    def text(self, usr: str) -> Text:
        """What stands in a function."""
        known = self._texts.get(usr)
        if known is None:
            known = self._texts[usr] = Text(self.program.functions[usr])
        return known

    def targets(self, text: Text, call: f.Call) -> Sequence[str] | None:
        """Bodies that a call may run; None where nobody knows of all."""
        target = call.target
        if isinstance(target, f.Fn):
            bodies = self.program.body_of(target.usr)
            found = (*bodies, *self.program.overriders(target.usr)) if call.virtual else bodies
            return found or None
        if isinstance(target, f.Closure):
            return (target.usr,)
        node = self.points_to.node(text.function, target)
        return (self.points_to.functions(node) if node is not None else ()) or None

    # -- what is new ------------------------------------------------------------------------------

    def age(self, text: Text, value: f.Value | None, given: Given = NONE) -> Age:
        """Whether all objects that *value* can lead to are made by its function, or none."""
        if isinstance(value, f.Var):
            return self._of_variable(text, value.usr, given)
        if isinstance(value, f.This):
            made = text.function.kind == "constructor"
            return Age.NEW if made else Age.OLD
        if isinstance(value, f.Field):
            spelling = self.program.type_of(value.usr)
            if _is_plain(self.program, spelling):
                return Age.NEW
            inside = not self.program.is_indirect(spelling)
            return self.age(text, value.base, given) if inside else Age.OLD
        if isinstance(value, f.Whole):
            return self.age(text, value.base, given)
        if isinstance(value, f.AnyOf):
            return min((self.age(text, v, given) for v in value.values), default=Age.NEW)
        if isinstance(value, f.Made):
            return self._of_made(text, value, given)
        if isinstance(value, f.Result):
            return self._of_result(text, value, given)
        led = isinstance(value, f.This | f.Elem | f.Name)
        return Age.OLD if led or value is None else Age.NEW

    def _of_variable(self, text: Text, usr: str, given: Given) -> Age:
        variable = self.program.variables.get(usr)
        if variable is None:
            return Age.OLD
        if _is_plain(self.program, variable.type):
            return Age.NEW
        if usr in text.function.params:
            return Age.OLD if usr in text.given else given.get(usr, Age.OLD)
        if variable.kind != "local" or variable.owner != text.function.usr:
            return Age.OLD
        if not self.program.is_indirect(variable.type):
            if not self._is_object(variable.type):
                return Age.OLD  # a container, with whatever it was given
            if usr not in text.given:
                return Age.NEW  # an object of its own
        key = text.function.usr, usr
        known = self._ages.get(key) if not given else None
        if known is None:
            self._ages[key] = Age.NEW  # meanwhile, where it is made of itself
            known = self._joined(text, usr, given)
            if given:
                del self._ages[key]
            else:
                self._ages[key] = known
        return known

    def _is_object(self, spelling: str) -> bool:
        """Whether a type is a class of the program's own, which holds no others as a container."""
        name = self.program.split(spelling)[0]
        own = name in self.program.classes and name not in self.knowledge.owners
        return own and "[" not in spelling and not self.program.knowledge.is_standard(name)

    def _joined(self, text: Text, usr: str, given: Given) -> Age:
        ages = [self.age(text, v, given) for v in text.given.get(usr, ())]
        ages += [self.written(text, text.calls[c], at) for c, at in text.lent.get(usr, ())]
        return min(ages, default=Age.OLD)

    def _of_made(self, text: Text, value: f.Made, given: Given) -> Age:
        make = text.makes.get(value.make)
        if make is None:
            return Age.OLD
        name = self.program.split(self.program.plain(make.type))[0]
        if make.heap or (name in self.program.classes and name not in self.knowledge.owners):
            return Age.NEW
        return min((self.age(text, a, given) for a in make.args), default=Age.NEW)

    def _of_result(self, text: Text, value: f.Result, given: Given) -> Age:
        call = text.calls.get(value.call)
        if call is None:
            return Age.OLD
        name = self.program.called(call)
        if call.type or name in self.knowledge.allocates:
            return Age.NEW
        if name in self.knowledge.moves or name in self.knowledge.same_functions:
            return self.age(text, call.args[0] if call.args else None, given)
        bodies = self.targets(text, call)
        if bodies is None:
            target = call.target
            base = target.base if isinstance(target, f.Fn | f.Name) else None
            return self.age(text, base, given) if base is not None else Age.PERHAPS
        return min(self._returned(body) for body in bodies)

    def _returned(self, usr: str) -> Age:
        key = "return", usr
        known = self._ages.get(key)
        if known is None:
            self._ages[key] = Age.NEW  # meanwhile, where it calls itself
            text = self.text(usr)
            returns = [s.value for s in text.statements if isinstance(s, f.Return)]
            known = min((self.age(text, v) for v in returns), default=Age.OLD)
            self._ages[key] = known
        return known

    def written(self, text: Text, call: f.Call, at: int) -> Age:
        """Whether all that a call writes to its argument number *at* is new."""
        bodies = self.targets(text, call)
        if bodies is None:
            return Age.PERHAPS
        return min(self._written_by(body, at) for body in bodies)

    def _written_by(self, usr: str, at: int) -> Age:
        key = usr, at
        known = self._ages.get(key)
        if known is not None:
            return known
        self._ages[key] = found = Age.NEW  # meanwhile, where it calls itself
        text = self.text(usr)
        params = text.function.params
        if at >= len(params):
            return self._ages.setdefault(key, Age.PERHAPS)
        out = f.Var(params[at])
        for statement in text.statements:
            if isinstance(statement, f.Assign) and _same(statement.target, out):
                found = min(found, self.age(text, statement.value))
            elif isinstance(statement, f.Call):
                for number, argument in enumerate(statement.args):
                    if argument == out:
                        found = min(found, self.written(text, statement, number))
        self._ages[key] = found
        return found

    # -- which of two was first -------------------------------------------------------------------

    def since(self, text: Text, value: f.Value | None) -> int:
        """The number of the first statement at which what *value* leads to can have been made."""
        if isinstance(value, f.Made):
            return text.numbers[f.Make, value.make]
        if isinstance(value, f.Result):
            return text.numbers[f.Call, value.call]
        if isinstance(value, f.Field | f.Whole):
            return self.since(text, value.base)
        if isinstance(value, f.AnyOf):
            return min((self.since(text, v) for v in value.values if not is_null(v)), default=0)
        if isinstance(value, f.Var):
            given = [
                n if v is None or _leads_to(v, value.usr) else self.since(text, v)
                for v, n in text.places(value.usr)
                if not is_null(v)
            ]
            lent = [text.numbers[f.Call, c] for c, _ in text.lent.get(value.usr, ())]
            return min((*given, *lent), default=_BEGUN)
        return _BEGUN

    def until(self, text: Text, value: f.Value | None) -> int:
        """The number of the statement by which what *value* leads to is there for sure."""
        if isinstance(value, f.This):
            return _BEGUN if text.function.kind == "constructor" else _BEFORE
        if isinstance(value, f.Made):
            return text.numbers[f.Make, value.make]
        if isinstance(value, f.Result):
            return text.numbers[f.Call, value.call]
        if isinstance(value, f.Field):
            set_here = [
                text.numbers[f.Assign, id(s)]
                for s in text.statements
                if isinstance(s, f.Assign) and is_member(s.target, value.usr)
            ]
            inside = not self.program.is_indirect(self.program.type_of(value.usr))
            before = self.until(text, value.base)
            return before if inside else max((before, *set_here))
        if isinstance(value, f.Whole | f.Elem):
            return self.until(text, value.base)
        if isinstance(value, f.Var):
            variable = self.program.variables.get(value.usr)
            if variable is None or variable.kind != "local":
                return _BEFORE
            given = [
                n if v is None or _leads_to(v, value.usr) else min(n, self.until(text, v))
                for v, n in text.places(value.usr)
                if not is_null(v)
            ]
            lent = [text.numbers[f.Call, c] for c, _ in text.lent.get(value.usr, ())]
            return max((*given, *lent), default=_BEGUN)
        return len(text.statements)


class Text:
    """What stands in one function."""

    def __init__(self, function: f.Function) -> None:
        self.function = function
        self.statements = f.walk(function.body)
        self.calls: dict[int, f.Call] = {}
        self.makes: dict[int, f.Make] = {}
        #: by variable: what it is given, and to which calls its address
        self.given: dict[str, list[f.Value | None]] = {}
        self.lent: dict[str, list[tuple[int, int]]] = {}
        #: statements are numbered from 1 on
        self.numbers: dict[tuple[type, int], int] = {}
        self._given_at: dict[str, list[int]] = {}
        for number, statement in enumerate(self.statements, start=1):
            self._note(statement, number)

    def _note(self, statement: f.Stmt, number: int) -> None:
        if isinstance(statement, f.Call):
            self.calls[statement.id] = statement
            self.numbers[f.Call, statement.id] = number
        elif isinstance(statement, f.Make):
            self.makes[statement.id] = statement
            self.numbers[f.Make, statement.id] = number
        elif isinstance(statement, f.Local):
            if statement.value is not None:
                self._gives(statement.usr, statement.value, number)
        elif isinstance(statement, f.Assign):
            self.numbers[f.Assign, id(statement)] = number
            if isinstance(statement.target, f.Var):
                self._gives(statement.target.usr, statement.value, number)
        elif isinstance(statement, f.Written) and isinstance(statement.target, f.Var):
            to = self.lent.setdefault(statement.target.usr, [])
            to.append((statement.call, statement.argument))

    def _gives(self, usr: str, value: f.Value, number: int) -> None:
        self.given.setdefault(usr, []).append(value)
        self._given_at.setdefault(usr, []).append(number)

    def places(self, usr: str) -> Iterator[tuple[f.Value | None, int]]:
        """What a variable is given, and by which statement."""
        return zip(self.given.get(usr, ()), self._given_at.get(usr, ()), strict=True)


def leads_nowhere(program: Program, value: f.Value) -> bool:
    """Whether *value* leads to no object."""
    if isinstance(value, f.Var | f.Field):
        return _is_plain(program, program.type_of(value.usr))
    return isinstance(value, f.Lit | f.Fn | f.Not | f.Both | f.Compare | f.Less | f.Op)


def _is_plain(program: Program, spelling: str) -> bool:
    """Whether a type is that of numbers: one of the language, or an enumeration."""
    if is_scalar(spelling):
        return True
    name, arguments = program.split(program.plain(spelling))
    plain = not program.is_indirect(spelling) and "(" not in spelling and not arguments
    plain = plain and "*" not in spelling
    return plain and bool(name) and name not in program.classes and "::" not in name


def _same(value: f.Value, other: f.Value) -> bool:
    while isinstance(value, f.Elem):
        value = value.base
    return value == other


def _leads_to(value: f.Value, usr: str) -> bool:
    """Whether *value* begins at the variable itself."""
    while isinstance(value, f.Field | f.Whole | f.Elem):
        value = value.base
    return isinstance(value, f.Var) and value.usr == usr


def is_null(value: f.Value | None) -> bool:
    return isinstance(value, f.Lit)


def is_member(value: f.Value, member: str) -> bool:
    return isinstance(value, f.Field) and value.usr == member
