"""Classes of which the program has one object: a singleton's ``this`` and its global are the same.

There is one where a class is made at one place, which is passed once (a global, a static variable
of a function, or a ``new`` in the initialiser of one of these), and nobody is handed an object of
it: as a parameter, or by a call of what was not read (``calloc``, a function of another library).
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.parse import facts as f
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
        once: dict[str, int] = {}
        often: set[str] = set()
        for variable in program.variables.values():
            name, arguments = program.split(variable.type)
            held = [program.split(a)[0] for a in arguments]
            indirect = program.is_indirect(variable.type)
            if variable.kind == "param":  # who is handed one may have another
                often.add(program.split(program.pointee(variable.type))[0])
            owner = program.knowledge.owners.get(name)
            if owner is None or not owner.pointer:
                often.update(h for h in held if h in program.classes)  # elements
            element = innermost_element(variable.type)
            if element != variable.type:  # an array has many
                often.add(program.split(element)[0])
                continue
            if indirect or name not in program.classes:
                continue
            if variable.kind in _ONCE:
                once[name] = once.get(name, 0) + 1
            else:
                often.add(name)
        for function in program.functions.values():
            often.update(self._from_outside(function))
            inits = [s for s in f.walk(function.body) if isinstance(s, f.StaticInit)]
            first = {id(m) for s in inits for m in f.walk(s.body)}
            for statement in f.walk(function.body):
                if isinstance(statement, f.Call) and statement.type:
                    often.update(program.split(a)[0] for a in program.split(statement.type)[1])
                if not isinstance(statement, f.Make):
                    continue
                element = innermost_element(statement.type)
                name = program.split(element)[0]
                if element != statement.type:
                    often.add(name)
                elif name not in program.classes:
                    often.update(program.split(a)[0] for a in program.split(statement.type)[1])
                elif id(statement) not in first and not function.usr.startswith("init:"):
                    often.add(name)
                elif statement.heap:
                    once[name] = once.get(name, 0) + 1
        for name, number in once.items():
            derived = program.family(name) - program.ancestors(name)
            if number == 1 and name not in often and not derived:
                yield name

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
                if result.replace(" ", "") == "void*":
                    untyped.add(statement.id)
                elif not program.knowledge.is_standard(program.called(statement)):
                    yield program.split(program.pointee(result))[0]
            elif isinstance(statement, f.Local | f.Assign):
                value, own = statement.value, statement
                if isinstance(value, f.Result) and value.call in untyped:
                    place = own.target if isinstance(own, f.Assign) else f.Var(own.usr)
                    if isinstance(place, f.Var | f.Field):
                        yield program.split(program.pointee(program.type_of(place.usr)))[0]
