"""Classes of which the program has one object: a singleton's ``this`` and its global are the same.

There is one where a class is made at one place, which is passed once (a global, a static variable
of a function, or a ``new`` in the initialiser of one of these), and nobody is handed an object of
it: as a parameter, or by a call of what was not read (``calloc``, a function of another library).

A local of main is made once as well, outside of its loops.  Where its class stands in main's own
source, in which no other can name it, parameters are handed nothing but that one object.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from lockorder.static.discovery.sources import SOURCES
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Variable
from lockorder.static.parse.names import innermost_element
from lockorder.static.program.link import Program

_ONCE = ("global", "static", "member")


class Singles:
    """Answers about one program; nothing is looked for before somebody asks."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: frozenset[str] | None = None

    def is_single(self, cls: str) -> bool:
        """Whether there is one object of class *cls*, and none that is derived from it."""
        if self._found is None:
            self._found = frozenset(self._find())
        return cls in self._found

    def _find(self) -> Iterator[str]:
        program = self._program
        tally = _Tally(program)
        for variable in program.variables.values():
            tally.declared(variable)
        for function in program.functions.values():
            tally.often.update(self._from_outside(function))
            tally.read(function)
        # Who is handed one may have another.
        closed = self._closed(tally.mains) if tally.mains else set[str]()
        often = tally.often | {name for name in tally.handed if not self._is_of(name, closed)}
        for name, number in tally.once.items():
            derived = program.family(name) - program.ancestors(name)
            if number == 1 and name not in often and not derived:
                yield name

    def _is_of(self, cls: str, files: set[str]) -> bool:
        """Whether no source but these can name a class."""
        known = self._program.classes.get(cls)
        return known is not None and known.file in files

    def _closed(self, mains: list[f.Function]) -> set[str]:
        """Sources of main in which nothing was dropped, and no object begins as untyped memory."""
        files = {m.file for m in mains if PurePath(m.file).suffix in SOURCES}
        files -= self._program.damaged
        for function in self._program.functions.values():
            if function.file in files and any(map(self._is_untyped, f.walk(function.body))):
                files.discard(function.file)
        return files

    def _is_untyped(self, statement: f.Stmt) -> bool:
        """Whether a call of what was not read gives untyped memory."""
        if not isinstance(statement, f.Call) or not isinstance(statement.target, f.Fn):
            return False
        usr = statement.target.usr
        known = self._program.body_of(usr) or self._program.overriders(usr)
        return not known and self._program.result_of(usr).replace(" ", "") == "void*"

    def _from_outside(self, function: f.Function) -> Iterator[str]:
        """Classes of objects to which calls of what was not read give pointers in *function*."""
        program = self._program
        untyped: set[int] = set()
        for statement in f.walk(function.body):
            if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                usr = statement.target.usr
                if program.body_of(usr) or program.overriders(usr):
                    continue
                result = program.result_of(usr)
                if self._is_untyped(statement):
                    untyped.add(statement.id)
                elif not program.knowledge.is_standard(program.called(statement)):
                    yield program.split(program.pointee(result))[0]
            elif isinstance(statement, f.Local | f.Assign):
                value, own = statement.value, statement
                if isinstance(value, f.Result) and value.call in untyped:
                    place = own.target if isinstance(own, f.Assign) else f.Var(own.usr)
                    if isinstance(place, f.Var | f.Field):
                        yield program.split(program.pointee(program.type_of(place.usr)))[0]


class _Tally:
    """Classes by how objects of them come to be."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: made at a place that is passed once: at how many
        self.once: dict[str, int] = {}
        self.often: set[str] = set()
        #: of a parameter
        self.handed: set[str] = set()
        functions = program.functions.values()
        self.mains = [x for x in functions if x.kind == "function" and x.name == "main"]
        statements = [s for main in self.mains for s in _once(main)]
        self._passed_once = {id(s) for s in statements}
        self._of_main = {s.usr for s in statements if isinstance(s, f.Local)}

    def _count(self, name: str) -> None:
        self.once[name] = self.once.get(name, 0) + 1

    def declared(self, variable: Variable) -> None:
        """What a variable, member or parameter is, or has in it."""
        program = self._program
        name, arguments = program.split(variable.type)
        held = [program.split(a)[0] for a in arguments]
        indirect = program.is_indirect(variable.type)
        if variable.kind == "param":
            self.handed.add(program.split(program.pointee(variable.type))[0])
        owner = program.knowledge.owners.get(name)
        if owner is None or not owner.pointer:
            self.often.update(h for h in held if h in program.classes)  # elements
        element = innermost_element(variable.type)
        if element != variable.type:  # an array has many
            self.often.add(program.split(element)[0])
        elif not indirect and name in program.classes:
            if variable.kind in _ONCE:
                self._count(name)
            elif variable.usr not in self._of_main:
                self.often.add(name)

    def read(self, function: f.Function) -> None:
        """What a function makes."""
        inits = [s for s in f.walk(function.body) if isinstance(s, f.StaticInit)]
        first = {id(m) for s in inits for m in f.walk(s.body)}
        for statement in f.walk(function.body):
            once = id(statement) in self._passed_once
            if isinstance(statement, f.Call) and statement.type:
                self._owned(statement.type, once)
            elif isinstance(statement, f.Local) and statement.usr in self._of_main:
                self._local(statement)
            elif isinstance(statement, f.Make):
                begins = id(statement) in first or function.usr.startswith("init:")
                self._made(statement, once, begins)

    def _owned(self, spelling: str, once: bool) -> None:
        """``std::make_unique<T>()``."""
        for argument in self._program.split(spelling)[1]:
            name = self._program.split(argument)[0]
            if once:
                self._count(name)
            else:
                self.often.add(name)

    def _local(self, local: f.Local) -> None:
        """A variable of main that nothing is made for has what it has by itself, or a copy."""
        name = self._program.split(self._program.type_of(local.usr))[0]
        if local.value is None:
            self._count(name)
        elif not isinstance(local.value, f.Made):
            self.often.add(name)

    def _made(self, make: f.Make, once: bool, begins: bool) -> None:
        program = self._program
        element = innermost_element(make.type)
        name = program.split(element)[0]
        if element != make.type:
            self.often.add(name)
        elif name not in program.classes:
            self.often.update(program.split(a)[0] for a in program.split(make.type)[1])
        elif once or (begins and make.heap):
            self._count(name)
        elif not begins:
            self.often.add(name)


def _once(main: f.Function) -> Iterator[f.Stmt]:
    """Statements that main passes once at most."""
    if any(isinstance(s, f.Label) for s in f.walk(main.body)):
        return
    pending = [main.body]
    while pending:
        for statement in pending.pop().body:
            yield statement
            if not isinstance(statement, f.Loop):
                pending.extend(f.parts(statement))
