"""What comes into a map as values, where that can be said of all of it.

All functions that name the map are looked at, and all that name the second part of its elements: a
value comes there by ``m[key] = value``, ``m.emplace(key, value)`` or ``found->second = value``.
Whatever else they do there but read and erase, nothing is known of the map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import Owner
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.writes import Writes

#: A value, and the function in whose text it stands.
Written = tuple[f.Function, f.Value | None]


class UnknownValuesError(Exception):
    """Something else may come into a map."""


class MapValues:
    """Answers for the maps in members of one program."""

    def __init__(self, program: Program, knowledge: Knowledge, texts: Writes) -> None:
        self._program = program
        self._knowledge = knowledge
        self._texts = texts

    def is_value(self, usr: str) -> bool:
        """Whether a member is what the elements of maps have as their values."""
        variable = self._program.variables.get(usr)
        if variable is None:
            return False
        owner, _, name = variable.name.rpartition("::")
        known = self._knowledge.owners.get(self._program.split(owner)[0])
        return known is not None and known.parts[1:] == [name]

    def of(self, usr: str, part: str) -> list[Written]:
        """All values that come into the map in member *usr*, whose elements have them in *part*.

        Raises UnknownValuesError where others may.
        """
        variable = self._program.variables.get(usr)
        spelling = self._program.plain(variable.type) if variable is not None else ""
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        if owner is None or not owner.map or variable is None or variable.kind != "field":
            raise UnknownValuesError
        self._texts.read()
        begun = self._texts.writes.get(usr, ())
        if usr in self._texts.changed or not all(self._is_empty(*each) for each in begun):
            raise UnknownValuesError
        found: list[Written] = []
        for function in self._texts.naming.get(usr, {}).values():
            for statement in f.walk(function.body):
                if any(_is_member(v, usr) for v in f.values(statement)):
                    found += self._named(function, statement, usr, owner)
        for function in self._texts.naming.get(part, {}).values():
            found += self._used(function, lambda v: _is_member(v, part))
        return found

    def _named(
        self, function: f.Function, statement: f.Stmt, usr: str, owner: Owner
    ) -> Iterator[Written]:
        """What a statement that names the map puts there."""
        if isinstance(statement, f.Local):
            value = statement.value
            if isinstance(value, f.Elem) and _is_member(
                value.base, usr
            ):  # each of them, one by one
                element = f.Var(statement.usr)
                if not _is_handed_on(function, element):
                    yield from self._used(
                        function, lambda v: isinstance(v, f.Elem) and v.base == element
                    )
                    return
        elif isinstance(statement, f.Assign):
            if _is_member(statement.target, usr):
                return  # what it begins with was looked at
        elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
            base = statement.target.base
            if base is not None and _is_member(base, usr):
                yield from self._called(function, statement, usr, owner)
                return
        raise UnknownValuesError

    def _called(
        self, function: f.Function, call: f.Call, usr: str, owner: Owner
    ) -> Iterator[Written]:
        """What a call of one of the map's own methods puts there."""
        k, last = self._knowledge, self._program.method_called(call)
        own = isinstance(call.target, f.Fn) and self._program.body_of(call.target.usr)
        if own or any(_is_member(v, usr) for arg in call.args for v in f.parts_of(arg)):
            raise UnknownValuesError
        if last in owner.makes:
            if len(call.args) != 2:
                raise UnknownValuesError
            yield function, call.args[1]
            self._follow(function, call, usr)
        elif last == f.ASSIGNMENT:
            if not all(self._is_empty(function, arg) for arg in call.args):
                raise UnknownValuesError
        elif last in owner.takes:
            raise UnknownValuesError
        elif last in k.looks_up or last in owner.destroys or not call.args:
            self._follow(function, call, usr)
        elif last in k.element_methods:
            yield from self._used(function, lambda v: v == f.Result(call.id))
        else:
            raise UnknownValuesError

    def _follow(self, function: f.Function, call: f.Call, usr: str) -> None:
        """See that what a method returned, an iterator perhaps, only leads to parts by their names.

        It may also be compared, go on, or be handed back to the map.
        """
        names: list[f.Value] = [f.Result(call.id)]
        for statement in f.walk(function.body):
            if not any(v in names for v in f.values(statement)):
                continue
            if isinstance(statement, f.Local) and statement.value in names:
                names.append(f.Var(statement.usr))
            elif isinstance(statement, f.Make) and all(v in names for v in statement.args):
                names.append(f.Made(statement.id))
            elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                last, base = self._program.method_called(statement), statement.target.base
                goes_on = last.startswith("operator") and last not in ("operator*", f.ASSIGNMENT)
                if not goes_on and not (base is not None and _is_member(base, usr)):
                    raise UnknownValuesError
            elif not isinstance(statement, f.If | f.Loop | f.EndTemporaries):
                raise UnknownValuesError

    def _is_empty(self, function: f.Function, value: f.Value | None) -> bool:
        """Whether *value* is a map, or a list, that was made of nothing."""
        return any(
            isinstance(s, f.Make) and value == f.Made(s.id) and not s.args
            for s in f.walk(function.body)
        )

    def _used(self, function: f.Function, is_it: Callable[[f.Value], bool]) -> Iterator[Written]:
        """What is written to a value of a map that the text of *function* has; it is read else."""
        for statement in f.walk(function.body):
            if isinstance(statement, f.EndTemporaries) or not any(map(is_it, f.values(statement))):
                continue
            if isinstance(statement, f.Assign) and is_it(statement.target):
                yield function, statement.value
            elif isinstance(statement, f.Call):
                yield from self._method(function, statement, is_it)
            elif not self._only_reads(function, statement, is_it):
                raise UnknownValuesError

    def _method(
        self, function: f.Function, call: f.Call, is_it: Callable[[f.Value], bool]
    ) -> Iterator[Written]:
        base = call.target.base if isinstance(call.target, f.Fn) else None
        cls, _, last = self._program.called(call).rpartition("::")
        if base is None or not is_it(base) or any(map(is_it, call.args)):
            raise UnknownValuesError
        if last == f.ASSIGNMENT and len(call.args) == 1 and cls in self._knowledge.pointers:
            yield function, call.args[0]
        elif last not in self._knowledge.same_methods or call.args:
            raise UnknownValuesError

    def _only_reads(
        self, function: f.Function, statement: f.Stmt, is_it: Callable[[f.Value], bool]
    ) -> bool:
        """Whether a statement takes no more than a copy, or asks."""
        if isinstance(statement, f.Make):
            return self._program.split(statement.type)[0] in self._knowledge.pointers
        if isinstance(statement, f.Local):
            spelling = self._program.type_of(statement.usr).removesuffix("const").rstrip()
            return not spelling.endswith(("&", "*"))
        if isinstance(statement, f.Return):
            return not self._program.result_of(function.usr).rstrip().endswith(("&", "*"))
        return isinstance(statement, f.If | f.Loop)


def _is_member(value: f.Value, usr: str) -> bool:
    return isinstance(value, f.Field) and value.usr == usr


def _is_handed_on(function: f.Function, value: f.Value) -> bool:
    """Whether the text of *function* gives *value* itself another name, or hands it to others."""
    for statement in f.walk(function.body):
        given = statement.args if isinstance(statement, f.Call | f.Make) else ()
        named = isinstance(statement, f.Local | f.Assign | f.Return) and statement.value == value
        if named or value in given:
            return True
    return False
