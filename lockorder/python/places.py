"""Names, attributes and elements as places, and what is put there."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lockorder.python.emitting import (
    UNKNOWN,
    Emitting,
    reference,
)
from lockorder.python.keys import Key
from lockorder.python.kinds import (
    Callable,
    ClassItself,
    OfClass,
    OfModule,
    Partial,
    Super,
)
from lockorder.python.matching import paired
from lockorder.static.parse import facts as f


class Places(Emitting):
    """Reads and writes places."""

    def assign(self, target: ast.expr, value: ast.expr, line: int) -> None:
        """``target = value``."""
        pairs = paired(target, value)
        if pairs is not None:
            for one, of in pairs:
                self.assign(one, of, line)
            return
        if self.tables.is_in_place(self.key_of(target)) and isinstance(value, ast.Call):
            self.evaluated(value)
            return  # the lock is a part of its object
        if isinstance(target, ast.Name) and isinstance(value, ast.List | ast.Dict | ast.Set):
            key = self.key_of(target)
            once = key is not None and len(self.types.written.get(key, {})) == 1
            if once and not value_parts(value):
                return  # what is put into it later is known by the variable's name alone
        found = self.value(value)
        self.store(target, found, line)

    def store(self, target: ast.expr, value: f.Value, line: int) -> None:
        """Put *value* into a place, or its parts into several."""
        if isinstance(target, ast.Starred):
            target = target.value
        if isinstance(target, ast.Tuple | ast.List):
            for number, each in enumerate(target.elts):
                self.store(each, f.Elem(value, f.Lit(str(number))), line)
            return
        if isinstance(target, ast.Subscript):
            method = self._methods(target.value, "__setitem__")
            if method:
                self._call_each(method, target.value, [target.slice], line, target.col_offset)
                return
        place = self.place(target)
        if place is not None:
            self.out.append(f.Assign(place, value, line))

    def place(self, target: ast.expr) -> f.Value | None:
        """Where an assignment goes."""
        if isinstance(target, ast.Name):
            usr = self.tables.variable(self.unit, target.id)
            return f.Var(usr) if usr else None
        if isinstance(target, ast.Attribute):
            return self._member(target)
        if isinstance(target, ast.Subscript):
            base = self.value(target.value)
            return f.Elem(base, self._index(target.slice))
        return None

    def key_of(self, target: ast.expr) -> Key | None:
        """Under which key it is known what a place can have."""
        if isinstance(target, ast.Name) and self.unit.cls is not None:
            return self.types.attribute(self.unit.cls, target.id)
        return self.types.key_of(target, self.unit)

    def _value_name(self, node: ast.Name) -> f.Value | None:
        if self.tables.is_function(self.unit, node.id):
            return self._callable(node)
        if self.function is not None and self._is_object(node.id):
            return f.This()
        usr = self.tables.variable(self.unit, node.id)
        return f.Var(usr) if usr else None

    def _is_object(self, name: str) -> bool:
        function = self.function
        scope = self.unit.scope.home(name)
        while function is not None:
            if function.scope is scope:
                return function.has_self and function.first == name
            function = function.parent
        return False

    def _value_attribute(self, node: ast.Attribute) -> f.Value | None:
        properties = [m for m in self._methods(node.value, node.attr) if m.is_property]
        if properties:
            value = self.value(node.value)
            return self._results(properties, value, node.lineno, node.col_offset)
        is_place = any(
            isinstance(k, OfClass) and self.types.has_attribute(k.cls, node.attr)
            for k in self.kinds(node.value)
        )
        methods = None if is_place else self._callable(node, node.value)
        return methods if methods is not None else self._member(node)

    def _member(self, node: ast.Attribute) -> f.Value | None:
        """An attribute as a place: of an object, of a class, or of a module."""
        for kind in self.kinds(node.value):
            if isinstance(kind, OfClass | ClassItself | Super):
                usr = self.tables.field(kind.cls, node.attr)
                if self.tables.is_static(kind.cls, node.attr):
                    self.value(node.value)
                    return f.Var(usr)
                if isinstance(kind, ClassItself):
                    return f.Var(usr)
                return f.Field(self.value(node.value), usr)
            if isinstance(kind, OfModule):
                return f.Var(self.tables.of_module(kind.scope, node.attr))
        base = self.value(node.value)
        if isinstance(base, f.Lit | f.Fn | f.Closure):
            return None
        return f.Field(base, self.tables.loose(node.attr))

    def _callable(self, node: ast.expr, base: ast.expr | None = None) -> f.Value | None:
        """The functions that an expression can be, with the object that they are bound to."""
        found: list[f.Value] = []
        for kind in self.kinds(node):
            if isinstance(kind, Callable):
                function = kind.function
                bound = function.has_self and not function.is_inner and kind.of is not None
                of = self.value(base) if bound and base is not None else None
                found.append(reference(function, of))
            elif isinstance(kind, Partial):
                usr = self.tables.partial(kind.node)
                if usr:
                    found.append(f.Closure(usr))
        if not found:
            return None
        return found[0] if len(found) == 1 else f.AnyOf(found)

    def _index(self, node: ast.expr) -> f.Value | None:
        found = self.value(node)
        return found if isinstance(found, f.Lit | f.Var) and found != UNKNOWN else None

    def _collection(self, node: ast.expr, values: Sequence[f.Value]) -> f.Value:
        """A list, tuple or dictionary as something that has elements."""
        plain = all(v == UNKNOWN or isinstance(v, f.Lit) for v in values)
        if plain and not isinstance(node, ast.List | ast.Dict | ast.Set):
            return UNKNOWN
        usr = self.tables.temporary(self.unit, self.kinds(node), self._fresh())
        place = f.Var(usr)
        numbered = isinstance(node, ast.Tuple)
        for number, value in enumerate(values):
            if value != UNKNOWN:
                index = f.Lit(str(number)) if numbered else None
                self.out.append(f.Assign(f.Elem(place, index), value, node.lineno))
        return place

    def lock(self, node: ast.expr) -> f.Value:
        """The lock that an expression is, or that its condition works with."""
        other = self.tables.lock_of_condition(self, node)
        return other if other is not None else self.value(node)


def value_parts(node: ast.List | ast.Dict | ast.Set) -> list[ast.expr]:
    """What stands in a container where it is made."""
    return node.values if isinstance(node, ast.Dict) else node.elts
