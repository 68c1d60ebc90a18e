"""Which classes the objects have that a plain pointer leads to, by all that is put into it.

``pointer = new Derived`` and ``pointer = make("derived")``, where the constants that a function is
given decide which object it makes: a member or global of which all is known leads to no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program import decided
from lockorder.static.program.held_classes import parts_of
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import member
from lockorder.static.program.written import how_passed, is_given_another, passing

#: How many functions are asked after one another for what they make.
_DEEP = 4


class Pointed:
    """Answers by member or global that is a plain pointer to a class with derived ones."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: None where anything may be put
        self._held: dict[str, frozenset[str] | None] = {
            usr: frozenset()
            for usr, v in program.variables.items()
            if v.kind in ("field", "member", "global", "static") and self._is_pointer(v.type)
        }
        self._named: dict[str, list[str]] = {}
        for usr in self._held:
            name = program.variables[usr].name.rpartition("::")[2]
            self._named.setdefault(name, []).append(usr)
        for function in program.functions.values() if self._held else ():
            self._read(function)

    def of(self, path: Path) -> frozenset[str] | None:
        """Classes of what the pointer at *path* leads to; None where nobody knows."""
        usr = member(path.steps[-1]) if path.steps else path.variable
        return self._held.get(usr) or None

    def _is_pointer(self, spelling: str) -> bool:
        text = spelling.removesuffix("const").rstrip()
        if not text.endswith("*") or text.endswith("**"):
            return False
        cls = text[:-1].strip().removeprefix("const ")
        return cls in self._program.classes and len(self._program.derived(cls)) > 1

    def _put(self, place: f.Value | None, classes: frozenset[str] | None) -> None:
        """Objects of *classes*, or any, are put into what *place* names."""
        for each in parts_of(place):
            if isinstance(each, f.Name):
                for usr in self._named.get(each.text.rpartition("::")[2], ()):
                    self._held[usr] = None
            elif isinstance(each, f.Var | f.Field) and each.usr in self._held:
                held = self._held[each.usr]
                if held is not None and classes is not None and each is place:
                    self._held[each.usr] = held | classes
                else:
                    self._held[each.usr] = None

    def _read(self, function: f.Function) -> None:
        made = _Made(self._program, function)
        for statement in f.walk(function.body):
            if isinstance(statement, f.Assign):
                self._put(statement.target, made.classes(statement.value, {}, _DEEP))
                if isinstance(statement.target, f.Var | f.Field):
                    self._lend(statement.value, self._program.type_of(statement.target.usr))
            elif isinstance(statement, f.Written):
                self._put(statement.target, None)
            elif isinstance(statement, f.Local):
                self._lend(statement.value, self._program.type_of(statement.usr))
                if statement.usr in self._held:
                    classes = made.classes(statement.value, {}, _DEEP)
                    self._put(f.Var(statement.usr), classes)
            elif isinstance(statement, f.Return):
                self._lend(statement.value, self._program.result_of(function.usr))
            elif isinstance(statement, f.Call):
                target = statement.target
                self._hand(target.usr if isinstance(target, f.Fn) else "", statement.args)
            elif isinstance(statement, f.Make):
                self._hand(statement.ctor, statement.args)

    def _lend(self, value: f.Value | None, spelling: str) -> None:
        """What is kept as another name, or as a pointer to the pointer, may be written to there."""
        if "&" in spelling or spelling.count("*") > 1:
            self._put(value, None)

    def _hand(self, callee: str, args: Sequence[f.Value]) -> None:
        how = passing(self._program, callee)[1]
        for at, value in enumerate(args):
            if how_passed(how, at) in ("", "&"):  # else only what it points to is written to
                self._put(value, None)


class _Made:
    """What is made of which class in one function."""

    def __init__(self, program: Program, function: f.Function, body: f.Block | None = None) -> None:
        self._program = program
        statements = f.walk(function.body if body is None else body)
        self._makes = {s.id: s for s in statements if isinstance(s, f.Make)}
        self._calls = {s.id: s for s in statements if isinstance(s, f.Call)}
        self._returned = [s.value for s in statements if isinstance(s, f.Return)]

    def returned(self, known: Mapping[str, str], deep: int) -> frozenset[str] | None:
        """Classes of the objects that are returned; None where nobody knows."""
        found = [self.classes(v, known, deep) for v in self._returned]
        return None if None in found or not found else frozenset().union(*(x or () for x in found))

    def classes(
        self, value: f.Value | None, known: Mapping[str, str], deep: int
    ) -> frozenset[str] | None:
        """Classes of what a pointer leads to that is *value*, where constants are *known*."""
        if isinstance(value, f.Lit) and value.text in NULLS:
            return frozenset()
        if isinstance(value, f.Made) and value.make in self._makes:
            made = self._makes[value.make]
            cls = self._program.split(made.type)[0]
            return frozenset((cls,)) if made.heap and cls in self._program.classes else None
        if not isinstance(value, f.Result) or value.call not in self._calls or not deep:
            return None
        call = self._calls[value.call]
        bodies = self._program.body_of(call.target.usr) if isinstance(call.target, f.Fn) else ()
        if call.virtual or len(bodies) != 1:
            return None
        callee = self._program.functions[bodies[0]]
        given = {
            usr: text
            for usr, arg in zip(callee.params, call.args, strict=False)
            if (text := _constant(arg, known)) and not is_given_another(f.walk(callee.body), usr)
        }
        body = decided.where(callee.body, lambda v: _constant(v, given))
        return _Made(self._program, callee, body).returned(given, deep - 1)


def _constant(value: f.Value, known: Mapping[str, str]) -> str | None:
    if isinstance(value, f.Lit):
        return value.text or None
    return known.get(value.usr) if isinstance(value, f.Var) else None
