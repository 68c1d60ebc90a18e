"""Members and variables that nothing is ever put into: null pointers, threads that never start.

``if (conn->listener && conn->listener->joinable())``: where all that the program ever puts into
``listener`` is null, what stands behind that does not run.  The same holds for a smart pointer
that is only ever reset, and for a ``std::thread`` that nothing is moved into.

It is said only of what nobody but functions that were read can name: a member of a class in a
source file, a private one of a class whose methods were all read and that has no friends, a global
of one file, a static of a function.  An address or a reference to one may put anything there, as
far as it is known, and so may a library into a pointer to what it alone can make.  A copy of an
object has what the object had, which is nothing.  Where the compiler's front end found errors in a
file that has to do with it, something may have been dropped there.  Nor is it said of what some
function uses without a question (``tested``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import Owner
from lockorder.static.discovery.sources import SOURCES
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Class, Variable
from lockorder.static.program import tested
from lockorder.static.program.link import Program
from lockorder.static.program.uncalled import Open
from lockorder.static.program.written import how_passed, passed_as, passing

#: In the key of what has internal linkage, before its file.
_OF_FILE = "!"
_LAMBDA = "lambda:"
_NAMED = (f.Var, f.Field, f.Name)
_END_OF_ARGUMENT = re.compile("[,>]")
#: What nobody follows.
_ANYTHING = f.Name("")


class Vacant:
    """Which ones these are, of one program."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self.program = program
        self.knowledge = knowledge
        #: the types of those that may be, by key
        self.types = dict(self._candidates())
        self._by_name: dict[str, list[str]] = {}
        for usr in self.types:
            self._by_name.setdefault(self._last_name(usr), []).append(usr)
        self._filled: set[str] = set()
        #: those that something null is put into, and who gets what they have
        self._begun: set[str] = set()
        self._given_to: dict[str, set[str]] = {}
        #: references that lambdas may have captured, and those that they declare
        self._referring: dict[str, str] = {}
        self.declared: set[str] = set()
        if self.types:
            self._read()
            self._spread()
        self.all = frozenset(u for u in self.types if u not in self._filled)

    def starts(self) -> dict[str, f.Lit]:
        """The variables among them, each with what it has for good."""
        variables = (u for u in self.all if self.program.variables[u].kind != "field")
        return dict.fromkeys(variables, f.Lit("nullptr"))

    def is_plain(self, usr: str) -> bool:
        """Whether it is a plain pointer, and no object."""
        return self.types[usr].endswith("*")

    def owner(self, usr: str) -> Owner | None:
        """What is known of a smart pointer's type; None for a plain pointer and a thread."""
        return self.knowledge.owners.get(self.program.split(self.types[usr])[0])

    # -- which may be -----------------------------------------------------------------------------

    def _candidates(self) -> Iterator[tuple[str, str]]:
        classes = {c.usr: c for c in self.program.classes.values()}
        open_ = Open(self.program)
        damaged = self._damaged()
        for usr, variable in self.program.variables.items():
            spelling = self._kind(variable)
            if not spelling or variable.file in self.program.damaged:
                continue
            if variable.kind == "static" or (variable.kind == "global" and _OF_FILE in usr):
                yield usr, spelling
            elif variable.kind == "field" and usr not in self.program.overlaid:
                cls = classes.get(variable.owner)
                if (
                    cls is not None
                    and cls.name not in damaged
                    and self._is_read(variable, cls, open_)
                ):
                    yield usr, spelling

    def _damaged(self) -> set[str]:
        """Classes of which something may not have been read: in a file with errors."""
        functions = self.program.functions.values()
        homes = (self.program.home(x) or x for x in functions if x.file in self.program.damaged)
        return {home.cls for home in homes}

    def _kind(self, variable: Variable) -> str:
        """The type of a pointer, a smart pointer or a thread; empty for any other."""
        spelling = variable.type.strip()
        if spelling.endswith("*"):
            return spelling if self._is_known(self.program.pointee(spelling)) else ""
        if spelling in self.knowledge.single_threads:
            return spelling
        owner = self.knowledge.owners.get(self.program.split(spelling)[0])
        known = owner is not None and owner.pointer and not spelling.endswith(("&", "]", "const"))
        return spelling if known else ""

    def _is_known(self, pointee: str) -> bool:
        """Whether objects of a type are made here, and not by a library that alone knows them."""
        name = self.program.split(pointee)[0]
        return name in self.program.classes or name in self.knowledge.single_threads

    def _is_read(self, variable: Variable, cls: Class, open_: Open) -> bool:
        """Whether all that can name a member was read."""
        if cls.union:
            return False
        if PurePath(cls.file).suffix in SOURCES:
            return True
        return variable.private and not open_.is_one(cls.name)

    # -- reading ----------------------------------------------------------------------------------

    def _read(self) -> None:
        for usr, variable in self.program.variables.items():
            self._look_at(usr, variable)
        for usr in self.program.copies:  # which end with the arguments of their templates
            self.look_for_members(usr)
        for usr, text in self.program.starts.items():
            if usr in self.types:
                self._put_value(usr, f.Lit(text))
        for function in self.program.functions.values():
            _Body(self, function).read()

    def _spread(self) -> None:
        """Leave those out that something comes into by another one, or that nobody asks about."""
        captured = {t for u, t in self._referring.items() if u not in self.declared}
        self.fill(u for u, spelling in self.types.items() if spelling in captured)
        # What nobody begins and nobody writes to may have been filled as bytes are.
        self.fill(u for u in self.types if self.is_plain(u) and u not in self._begun)
        left = self.types.keys() - self._filled
        told = tested.find(self.program, self.knowledge, left)
        self.fill(told.untested)
        pending = list(self._filled)
        while pending:
            for usr in self._given_to.get(pending.pop(), ()):
                if usr not in self._filled:
                    self._filled.add(usr)
                    pending.append(usr)
        # Who has to do with the others may not have been read.
        self._filled.update(left - told.tested)

    def _look_at(self, usr: str, variable: Variable) -> None:
        """What a variable says: an object that is begun with zeros, parts of one by other names, a
        reference of a lambda's, a pointer to a member as a template's argument."""
        spelling = variable.type
        if variable.kind in ("global", "static"):
            if usr in self.types:
                self._begun.add(usr)
            else:
                self.begin(self._fields_of(spelling))
        elif variable.kind == "local" and spelling.endswith("&"):
            if variable.name.startswith("["):
                self.fill(self._fields_of(spelling))
            elif variable.owner.startswith(_LAMBDA):
                self._referring[usr] = spelling.rstrip("& ")
        if "<" in spelling:
            self.look_for_members(spelling)

    def look_for_members(self, spelling: str) -> None:
        """A pointer to a member (``&C::member``) that is a template's argument leads to it."""
        for part in spelling.split("&")[1:] if "::" in spelling else ():
            name = _END_OF_ARGUMENT.split(part)[0]
            self.fill(self.named(name.rpartition("::")[2].strip()) if "::" in name else ())

    def _fields_of(self, spelling: str) -> list[str]:
        cls = self.program.classes.get(self.program.split(self.program.plain(spelling))[0])
        return cls.fields if cls is not None else []

    def _last_name(self, usr: str) -> str:
        return self.program.variables[usr].name.rpartition("::")[2]

    def named(self, text: str) -> list[str]:
        """Those of that name."""
        return self._by_name.get(text, [])

    def fill(self, usrs: Iterable[str]) -> None:
        """Something may be put into these."""
        self._filled.update(u for u in usrs if u in self.types)

    def begin(self, usrs: Iterable[str]) -> None:
        """These are begun with null."""
        self._begun.update(u for u in usrs if u in self.types)

    def give(self, usr: str, source: str) -> None:
        """What *source* has is put into *usr*."""
        self._given_to.setdefault(source, set()).add(usr)
        if self.is_plain(usr):
            self._begun.add(usr)

    def _put_value(self, usr: str, value: f.Value) -> None:
        if f.is_null(value):
            self._begun.add(usr)
        else:
            self._filled.add(usr)


class _Body:
    """The text of one function."""

    def __init__(self, all_: Vacant, function: f.Function) -> None:
        self._all = all_
        self._program = all_.program
        self._knowledge = all_.knowledge
        self._function = function
        self._calls: dict[int, f.Call] = {}
        self._makes: dict[int, f.Make] = {}

    def read(self) -> None:
        """Note what is put where, and whose place is told."""
        inside = self._function.usr.startswith(_LAMBDA)
        for statement in f.walk(self._function.body):
            if isinstance(statement, f.Call):
                self._calls[statement.id] = statement
                self._call(statement)
            elif isinstance(statement, f.Assign):
                self._put(statement.target, statement.value)
                self._lent(self._kind(statement.target), statement.value)
            elif isinstance(statement, f.Local):
                if inside:
                    self._all.declared.add(statement.usr)
                self._lent(self._program.type_of(statement.usr), statement.value)
            elif isinstance(statement, f.Make):
                self._makes[statement.id] = statement
                self._make(statement)
            elif isinstance(statement, f.Written):
                self._all.fill(self._those(statement.target))
            elif isinstance(statement, f.Return):
                # Of a lambda it is not known whether it returns a reference.
                kind = "" if inside else self._program.result_of(self._function.usr)
                self._lent(kind, statement.value)

    def _those(self, value: f.Value | None) -> list[str]:
        """The members or variables that *value* can be."""
        if isinstance(value, f.Var | f.Field):
            return [value.usr] if value.usr in self._all.types else []
        if isinstance(value, f.Name):
            return self._all.named(value.text.rpartition("::")[2])
        if isinstance(value, f.AnyOf) and not value.fields:
            return [usr for each in value.values for usr in self._those(each)]
        return []

    def _kind(self, target: f.Value) -> str:
        """The type of what is assigned to; what may refer to anything where it is not known."""
        if isinstance(target, f.Var | f.Field):
            return self._program.type_of(target.usr)
        if isinstance(target, f.Elem) and isinstance(target.base, f.Var | f.Field):
            row = self._program.plain(self._program.type_of(target.base.usr)).rstrip()
            if row.endswith("]"):
                return row.partition("[")[0]
            return row[:-1] if row.endswith("*") else self._program.element_type(row)
        return ""

    # -- what is put there ------------------------------------------------------------------------

    def _put(self, target: f.Value | None, value: f.Value | None) -> None:
        for usr in self._those(target):
            for each in self._parts(value, usr):
                sources = self._those(each)
                if sources:
                    for source in sources:
                        self._all.give(usr, source)
                elif f.is_null(each):
                    self._all.begin((usr,))
                else:
                    self._all.fill((usr,))

    def _parts(self, value: f.Value | None, usr: str) -> Iterator[f.Value]:
        """What can be put into *usr* as *value*: null, another one, or anything else."""
        if isinstance(value, f.AnyOf):
            if not value.values:
                yield f.Lit("nullptr")
            for each in value.values:
                yield from self._parts(each, usr)
        elif isinstance(value, f.Made):
            yield from self._made(value, usr)
        elif isinstance(value, f.Result):
            yield from self._parts(self._returned(value), usr)
        else:
            yield value if value is not None else _ANYTHING

    def _made(self, value: f.Made, usr: str) -> Iterator[f.Value]:
        """An object that is begun from nothing, or from one other, is as that is."""
        make = self._makes.get(value.make)
        if make is None or make.heap or self._program.body_of(make.ctor):
            yield _ANYTHING
        elif not make.args:
            yield f.Lit("nullptr")
        elif len(make.args) == 1:
            yield from self._parts(make.args[0], usr)
        else:
            yield _ANYTHING

    def _returned(self, value: f.Result) -> f.Value:
        """What a call returns that hands on what is handed in, or what its object has."""
        call = self._calls.get(value.call)
        if call is None:
            return _ANYTHING
        name = self._program.called(call)
        known = self._knowledge
        if name in known.moves or name in known.casts or name in known.puts:
            return call.args[0] if call.args else _ANYTHING
        base = call.target.base if isinstance(call.target, f.Fn) else None
        method = name.rpartition("::")[2]
        if self._those(base) and (method in known.same_methods or name in known.gives_up):
            return base or _ANYTHING
        return _ANYTHING

    # -- whose place is told ----------------------------------------------------------------------

    def _lent(self, kind: str, value: f.Value | None) -> None:
        """*value* begins something of type *kind*, which may be a reference to it."""
        if isinstance(value, f.AnyOf) and value.fields:
            self._listed(value)
            return
        if isinstance(value, f.AnyOf):
            for each in value.values:
                self._lent(kind, each)
            return
        for usr in self._those(value):
            if self._refers(kind, usr):
                self._all.fill((usr,))

    def _refers(self, kind: str, usr: str) -> bool:
        """Whether a value of type *kind* that *usr* begins refers to it."""
        if not kind or "auto" in kind:
            return True
        passed = passed_as(kind)
        if passed == "&":
            return True
        return kind.count("*") > self._all.types[usr].count("*")

    def _listed(self, value: f.Value) -> None:
        """Members that a list in braces begins, and those that it leaves out."""
        if not isinstance(value, f.AnyOf):
            return
        if not value.fields:
            for each in value.values:
                self._listed(each)
        for field, each in zip(value.fields, value.values, strict=False):
            self._put(f.Var(field), each)
            self._lent(self._program.type_of(field), each)
        for field in value.fields[:1]:
            variable = self._program.variables.get(field)
            cls = variable.name.rpartition("::")[0] if variable is not None else ""
            known = self._program.classes.get(cls)
            left = (u for u in known.fields if u not in value.fields) if known is not None else ()
            self._all.begin(left)

    # -- calls ------------------------------------------------------------------------------------

    def _make(self, make: f.Make) -> None:
        self._handed(make.ctor, make.args)
        cls = self._program.classes.get(self._program.split(make.type)[0])
        if cls is None or cls.ctors or not make.args:
            return
        aligned = not cls.bases and not any(
            self._program.type_of(u).endswith("]") for u in cls.fields
        )
        if len(make.args) == 1 and not aligned:
            return  # a copy
        for at, field in enumerate(cls.fields):
            given = make.args[at : at + 1] if aligned else make.args
            for each in given:
                if not self._is_copied(each, make):
                    self._put(f.Var(field), each)

    def _is_copied(self, value: f.Value, make: f.Make) -> bool:
        """Whether an object is made as a copy of *value*."""
        kind = ""
        if isinstance(value, f.Var | f.Field):
            kind = self._program.pointee(self._program.type_of(value.usr))
        elif isinstance(value, f.Made) and value.make in self._makes:
            kind = self._makes[value.make].type
        return self._program.split(kind)[0] == self._program.split(make.type)[0]

    def _call(self, call: f.Call) -> None:
        target = call.target
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        if isinstance(target, f.Instance):
            for spelling in (*target.args, *target.outer):
                self._all.look_for_members(spelling)
        name = self._program.called(call)
        last = name.rpartition("::")[2]
        if last in self._knowledge.swap_names or name in self._knowledge.swaps:
            sides = [v for v in (base, *call.args) if v is not None]
            sides += [_ANYTHING] * (2 - len(sides))  # which clang dropped
            for one, other in zip(sides[:2], reversed(sides[:2]), strict=True):
                self._put(one, other)
            return
        if name in self._knowledge.puts and len(call.args) > 1:
            self._put(call.args[0], call.args[1])
            return
        for usr in self._those(base):
            self._method(call, usr, name)
        if name not in self._knowledge.moves:
            self._handed(target.usr if isinstance(target, f.Fn) else "", call.args)

    def _method(self, call: f.Call, usr: str, name: str) -> None:
        """A method of a smart pointer or a thread may put something there."""
        last = name.rpartition("::")[2]
        owner = self._all.owner(usr)
        if self._all.is_plain(usr):
            return  # of what it points to
        cls = self._program.split(self._all.types[usr])[0]
        if isinstance(call.target, f.Name) and not (
            self._knowledge.is_own(cls, last) or last == f.ASSIGNMENT
        ):
            return  # of what it points to, in a template
        if last == f.ASSIGNMENT or (owner is not None and last in owner.empties):
            # A default argument has no text.
            given = [v for v in call.args if v != f.Lit("")]
            self._put(f.Var(usr), given[0] if given else f.Lit("nullptr"))
        elif owner is not None and not self._looks(call, name):
            self._all.fill((usr,))

    def _looks(self, call: f.Call, name: str) -> bool:
        """Whether a method of a smart pointer puts nothing there."""
        known = self._knowledge
        if name.rpartition("::")[2] in known.same_methods or name in known.gives_up:
            return True
        usr = call.target.usr if isinstance(call.target, f.Fn) else ""
        return usr in self._program.decls and not passing(self._program, usr)[0]

    def _handed(self, callee: str, args: Iterable[f.Value]) -> None:
        """Arguments that a callee may write to, or tell others the place of."""
        passed = passing(self._program, callee)[1] if callee else ""
        for at, arg in enumerate(args):
            self._listed(arg)
            for usr in self._those(arg):
                how = how_passed(passed, at)
                beyond = bool(passed) and at >= len(passed) and not passed.endswith("+")
                value = how == "-" or beyond or (how == "*" and self._all.is_plain(usr))
                if not value or self._forwards(callee, at) or self._points_to_it(arg):
                    self._all.fill((usr,))

    def _forwards(self, callee: str, at: int) -> bool:
        """Whether a template that was read may have a reference to its argument."""
        for body in self._program.body_of(callee):
            params = self._program.functions[body].params
            if at < len(params) and self._program.type_of(params[at]).endswith("&&"):
                return True
        return False

    def _points_to_it(self, value: f.Value) -> bool:
        """Whether it is a pointer to a member, which has no object: ``&C::member``."""
        own = isinstance(value, f.Field) and isinstance(value.base, f.This)
        return own and (self._function.static or not self._has_object())

    def _has_object(self) -> bool:
        function = self._program.home(self._function)
        return function is not None and bool(function.cls)
