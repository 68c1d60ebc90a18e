"""What objects keep for others, and which objects are so new that they keep nothing yet.

A future calls what was left with it: ``run.swap(this->next_)``, and each of ``run`` is called.  One
that a function has just made, and that nobody else has had, was left nothing with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.earlier import Earlier, Place
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import is_element, member
from lockorder.static.program.written import passing


class Kept:
    """Answers by the texts of functions."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        self._earlier = Earlier()
        self._known: dict[tuple[str, Place, Path], bool] = {}
        self._begun: dict[tuple[str, str, str], bool] = {}

    def source(self, function: f.Function, path: Path, place: Place) -> Path | None:
        """The member of the object of *function* that all at *path* was put into by others.

        *path* is called at *place*, or is in a local container that the member was emptied into
        before.  None where that cannot be said.
        """
        steps = path.steps
        while steps and is_element(steps[-1]):
            steps = steps[:-1]
        if path.is_this and len(steps) == 1:
            there = member(steps[0])
        elif path.is_variable and not steps and path.steps:
            found = self._emptied(function, path.variable)
            if found is None:
                return None
            there, place = found
        else:
            return None
        variable = self._program.variables.get(there)
        if variable is None or variable.kind != "field" or self._program.is_standard(there):
            return None
        whole = Path.of_this(function.usr).then(there)
        return whole if self.is_as_at_first(function, place, whole) else None

    def is_as_at_first(self, function: f.Function, place: Place, path: Path) -> bool:
        """Whether *function* does nothing to the object that has *path* before a call at *place*.

        It is its own object, or one that it makes or is handed.
        """
        key = function.usr, place, path
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._is_as_at_first(function, place, path)
        return known

    def is_new(self, function: f.Function, place: Place, path: Path) -> bool:
        """Whether the object that has *path* is made by *function*, and nobody else has had it
        before the call at *place*; its constructors put nothing there.
        """
        there = self.member_of(path)
        if not there or path.is_this:
            return False
        cls, ctor = self._made(function, path.base)
        if not cls or self._fills(cls, ctor, there):
            return False
        return self.is_as_at_first(function, place, path)

    # -- what a function does before a call -------------------------------------------------------

    def _is_as_at_first(self, function: f.Function, place: Place, path: Path) -> bool:
        there, names = self.member_of(path), self._names(function, path.base)
        if not there or names is None:
            return False
        before = self._earlier.before(function, place, names)
        if before is None or any(self._touches(s, names, there) for s in before):
            return False
        parts = [n for n in names if isinstance(n, f.Field)]
        return not parts or self._is_own(function, place, before)

    def member_of(self, path: Path) -> str:
        """The member that *path* is of the object that it begins at, or that this points to."""
        *inside, last = path.steps or ("",)
        for step in inside:  # what a smart pointer that was read has in itself
            variable = self._program.variables.get(member(step))
            owner = variable.name.rpartition("::")[0] if variable is not None else ""
            if owner not in self._knowledge.pointers:
                return ""
        return member(last) if last else ""

    def _names(self, function: f.Function, base: Path) -> list[f.Value] | None:
        """The object in terms of the function's text."""
        if base.is_this:
            return [f.This()]
        if base.is_variable:
            names: list[f.Value] = [f.Var(base.variable)]
            for statement, *_ in self._earlier.flat(function):
                if isinstance(statement, f.Local) and statement.usr == base.variable:
                    names += [v for v in (statement.value,) if isinstance(v, f.Made | f.Result)]
            return [*names, *self._pointed(function, names)]
        if base.is_made and base.maker[0] == function.usr:
            number = base.maker[1]
            digits = number.lstrip("r")
            if not digits.isdecimal():
                return None
            made: f.Value = f.Made(int(digits)) if number == digits else f.Result(int(digits))
            names = [made]
            for statement, *_ in self._earlier.flat(function):
                if isinstance(statement, f.Local) and statement.value == made:
                    names.append(f.Var(statement.usr))
                else:
                    names += self._part(function, statement, names)
            return [*names, *self._pointed(function, names)]
        return None

    def _part(
        self, function: f.Function, statement: f.Stmt, names: Sequence[f.Value]
    ) -> Iterator[f.Value]:
        """Where a constructor puts the object with these names in its own, which is as new."""
        if function.kind == "constructor" and isinstance(statement, f.Assign):
            target = statement.target
            mine = isinstance(target, f.Field) and target.base == f.This()
            if mine and statement.value in names:
                yield target

    def _is_own(self, function: f.Function, place: Place, before: Sequence[f.Stmt]) -> bool:
        """Whether nobody else has the object of a constructor yet where it makes a call.

        *before* is what it has done since it made a part of that.
        """
        if any(isinstance(s, f.Call) and _is_of_this(s) for s in before):
            return False  # a method may do anything with the part
        steps = self._earlier.before(function, place, ()) or ()
        if any(self._touches(statement, [f.This()], "") for statement in steps):
            return False
        bases = self._program.ancestors(function.cls) - {function.cls}
        return not any(self._fills(each, "", "") for each in bases)

    def _pointed(self, function: f.Function, names: Sequence[f.Value]) -> Iterator[f.Value]:
        """What ``->`` and ``get()`` of a smart pointer give: the object once more."""
        for statement, *_ in self._earlier.flat(function):
            if isinstance(statement, f.Call) and self._points(statement, names):
                yield f.Result(statement.id)

    def _points(self, call: f.Call, names: Sequence[f.Value]) -> bool:
        target = call.target
        if not isinstance(target, f.Fn) or target.base not in names or call.args:
            return False
        cls, _, last = self._program.name_of(target.usr).rpartition("::")
        own = bool(self._program.body_of(target.usr)) and cls not in self._knowledge.pointers
        return not own and last in self._knowledge.same_methods

    def _touches(self, statement: f.Stmt, names: Sequence[f.Value], there: str) -> bool:
        """Whether a statement may put something into the member, or hand the object out."""
        values = f.values(statement)
        for value in values:
            if isinstance(value, f.Closure):
                inner = self._program.functions.get(value.usr)
                if inner is not None and self._mentions(inner, names):
                    return True
        own = names[0] == f.This()
        if not own:
            if isinstance(statement, f.Call) and self._points(statement, names):
                return False
            return any(v in names for v in values) and not self._keeps(statement, names)
        if any(isinstance(v, f.Field) and v.usr == there for v in values):
            return True
        if isinstance(statement, f.Call):
            target = statement.target
            if isinstance(target, f.Fn) and target.base == f.This():
                return passing(self._program, target.usr)[0] or f.This() in statement.args
            if isinstance(target, f.Name) and target.base == f.This():
                return True
            return f.This() in statement.args
        handed: Iterable[f.Value | None] = ()
        if isinstance(statement, f.Assign | f.Local):
            handed = (statement.value,)
        elif isinstance(statement, f.Make):
            handed = statement.args
        return f.This() in handed

    def _keeps(self, statement: f.Stmt, names: Sequence[f.Value]) -> bool:
        """Whether a statement puts the object into a part that is one of its names."""
        if isinstance(statement, f.Assign):
            return isinstance(statement.target, f.Field) and statement.target in names
        target = statement.target if isinstance(statement, f.Call) else None
        if not isinstance(target, f.Fn) or not isinstance(statement, f.Call):
            return False
        cls, _, last = self._program.name_of(target.usr).rpartition("::")
        return (
            last == f.ASSIGNMENT
            and cls in self._knowledge.pointers
            and isinstance(target.base, f.Field)
            and target.base in names
        )

    def _mentions(self, function: f.Function, names: Sequence[f.Value]) -> bool:
        """Whether a lambda that is written here knows the object."""
        return any(
            v in names or (isinstance(v, f.Field) and v.base in names)
            for s, *_ in self._earlier.flat(function)
            for v in f.values(s)
        )

    # -- objects that are made --------------------------------------------------------------------

    def _made(self, function: f.Function, base: Path) -> tuple[str, str]:
        """The class of an object that the function makes; empty for any other.

        And the constructor, if only one can have been called.
        """
        names = self._names(function, base) or ()
        for statement, *_ in self._earlier.flat(function):
            if isinstance(statement, f.Make) and f.Made(statement.id) in names:
                cls, ctor = self._class_of(statement.type), statement.ctor
            elif isinstance(statement, f.Call) and statement.type:
                cls, ctor = self._class_of(statement.type), ""
                if f.Result(statement.id) not in names:
                    continue
            else:
                continue
            copied = any(self._is_of(function, each, cls) for each in statement.args)
            return ("", "") if copied else (cls, ctor)
        variable = self._program.variables.get(base.variable) if base.is_variable else None
        if variable is None or variable.kind != "local" or self._program.is_indirect(variable.type):
            return "", ""
        begun = [
            s
            for s, *_ in self._earlier.flat(function)
            if isinstance(s, f.Local) and s.usr == base.variable
        ]
        own = len(begun) == 1 and begun[0].value is None
        return (self._class_of(variable.type) if own else ""), ""

    def _is_of(self, function: f.Function, value: f.Value, cls: str) -> bool:
        """Whether a value is an object of *cls*, so that what is made of it is a copy."""
        if isinstance(value, f.Var | f.Field):
            own = self._program.split(self._program.pointee(self._program.type_of(value.usr)))[0]
            return own == cls
        if not isinstance(value, f.Result):
            return not isinstance(value, f.Lit | f.Closure | f.Made | f.Fn)
        for statement, *_ in self._earlier.flat(function):
            if isinstance(statement, f.Call) and statement.id == value.call:
                if self._program.called(statement) in self._knowledge.same_functions:
                    return any(self._is_of(function, each, cls) for each in statement.args)
                target = statement.target
                result = self._program.result_of(target.usr) if isinstance(target, f.Fn) else ""
                return not result or self._program.split(self._program.pointee(result))[0] == cls
        return True

    def _class_of(self, spelling: str) -> str:
        cls = self._program.split(self._program.pointee(spelling))[0]
        return cls if cls in self._program.classes else ""

    def _fills(self, cls: str, ctor: str, there: str) -> bool:
        """Whether the beginning of an object puts something into a member, or hands itself out."""
        key = cls, ctor, there
        if key not in self._begun:
            ancestors = self._program.ancestors(cls)
            self._begun[key] = any(
                self._fills_one(each, ctor if each == cls else "", there) for each in ancestors
            )
        return self._begun[key]

    def _fills_one(self, cls: str, ctor: str, there: str) -> bool:
        known = self._program.classes.get(cls)
        if known is None:
            return not cls.startswith("std::")
        if f"nsdmi:{there}" in self._program.functions:
            return True
        ctors = [ctor] if ctor in known.ctors else known.ctors
        bodies = (b for each in ctors for b in self._program.body_of(each))
        return any(
            self._touches(statement, [f.This()], there)
            for body in bodies
            for statement, *_ in self._earlier.flat(self._program.functions[body])
        )

    # -- containers -------------------------------------------------------------------------------

    def _emptied(self, function: f.Function, usr: str) -> tuple[str, Place] | None:
        """The member that a local container was filled from, and nothing else, and where."""
        variable, local = self._program.variables.get(usr), f.Var(usr)
        if variable is None or variable.kind != "local":
            return None
        found: set[tuple[str, Place]] = set()
        for statement, *_ in self._earlier.flat(function):
            if isinstance(statement, f.Local) and statement.usr == usr:
                if statement.value is None or isinstance(statement.value, f.Made):
                    continue  # empty, or filled by the call that follows
                source = self._member(function, statement.value)
            elif isinstance(statement, f.Assign) and statement.target == local:
                source = self._member(function, statement.value)
            elif isinstance(statement, f.Call):
                if not self._puts(statement, local):
                    continue
                source = self._swapped(statement, local)
            elif isinstance(statement, f.Make) and local in statement.args:
                continue  # a copy
            else:
                continue
            if source is None:
                return None
            found.add((source, self._place(statement)))
        return found.pop() if len(found) == 1 else None

    def _puts(self, call: f.Call, local: f.Value) -> bool:
        """Whether a call may put something into the container."""
        target = call.target
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        name = self._program.called(call)
        last = name.rpartition("::")[2]
        if base == local:
            return any(
                last in (*o.takes, *o.makes, "swap") for o in self._knowledge.owners.values()
            )
        return local in call.args and name not in self._knowledge.same_functions

    def _swapped(self, call: f.Call, local: f.Value) -> str | None:
        """The member with which a call swaps the container."""
        if self._program.method_called(call) != "swap":
            return None
        target = call.target
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        sides = [base, *call.args] if base is not None else call.args
        others = [v for v in sides if v != local]
        one = others[0] if len(sides) == 2 and len(others) == 1 else None
        return one.usr if isinstance(one, f.Field) and one.base == f.This() else None

    def _member(self, function: f.Function, value: f.Value) -> str | None:
        """The member of the function's object that a value is, copied or moved."""
        if isinstance(value, f.Result):
            for statement, *_ in self._earlier.flat(function):
                if isinstance(statement, f.Call) and statement.id == value.call:
                    same = self._program.called(statement) in self._knowledge.same_functions
                    return self._member(function, statement.args[0]) if same else None
        own = isinstance(value, f.Field) and value.base == f.This()
        return value.usr if own and isinstance(value, f.Field) else None

    @staticmethod
    def _place(statement: f.Stmt) -> Place:
        line = getattr(statement, "line", 0)
        return line, getattr(statement, "column", 0)


def _is_of_this(call: f.Call) -> bool:
    """Whether a call is one of a method of the function's own object."""
    return isinstance(call.target, f.Fn | f.Name) and call.target.base == f.This()
