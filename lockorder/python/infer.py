"""What Python's names can stand for: a fixed point over all functions of a program.

Flow-insensitive, with one set of kinds for each variable of a scope, each attribute of a class,
each function's result, and the elements of each container, by where it is made (Andersen).  A
function is looked at again when something that it has asked for has grown.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Container as Container_
from collections.abc import Iterable

from lockorder.python.keys import Key, Unit
from lockorder.python.kinds import (
    NOTHING,
    ClassItself,
    Container,
    Kind,
    Kinds,
    OfClass,
    OfLibrary,
    OfModule,
    place,
)
from lockorder.python.kinds_of import KindsOf
from lockorder.python.library import Library
from lockorder.python.matching import paired
from lockorder.python.scopes import Class, Function, Names, own_nodes

_SAYING = (
    ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension, ast.With,
    ast.AsyncWith, ast.Return, ast.Yield, ast.Call,
)  # fmt: skip


class Types(KindsOf):
    """Kinds of all values of a program, and where attributes of classes belong."""

    def __init__(
        self,
        names: Names,
        library: Library,
        known: Iterable[str] = (),
        files: Container_[str] | None = None,
    ) -> None:
        """*known*: names of further functions of libraries that somebody asks for.

        *files*: those whose functions are looked at; all of them, where nothing else is said.
        """
        super().__init__(names, library, known)
        self.files = names.modules.keys() if files is None else files
        #: what was put into a variable or an attribute, as it is written
        self.written: dict[Key, dict[int, tuple[ast.expr, Unit]]] = {}
        #: calls whose result a ``with`` binds to it
        self.entered_by: dict[Key, list[tuple[ast.Call, Unit]]] = {}
        self.units: list[Unit] = []
        self._find_units()
        self._solve()
        #: whether anything may make a copy of the process
        words = {w.rpartition(".")[2] for w in (*library.forks.calls, *library.forks.processes)}
        words.update(w.rpartition(".")[2] for w in (*library.forks.pools, *library.forks.executors))
        self.forking = any(words & s.source.words for s in names.modules.values())

    def _find_units(self) -> None:
        for scope in self.names.modules.values():
            if scope.source.file in self.files:
                self.units.append(Unit(scope, scope.source.tree.body))
        for cls in self.names.classes.values():
            if cls.source.file in self.files:
                self.units.append(Unit(cls.scope, cls.node.body, None, cls))
            self._attributes[id(cls)] = set(cls.statics)
        for function in self.names.functions.values():
            if function.source.file in self.files:
                self.units.append(Unit(function.scope, function.body, function))
            if function.has_self or function.is_of_class:
                self._note_attributes(function)

    def _note_attributes(self, function: Function) -> None:
        if function.cls is None:
            return
        first = function.first
        found = self._attributes.setdefault(id(function.cls), set())
        for node in ast.walk(function.node):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Store)
                and isinstance(node.value, ast.Name)
                and node.value.id == first
            ):
                found.add(node.attr)

    def _solve(self) -> None:
        todo = deque(range(len(self.units)))
        waiting = set(todo)
        while todo:
            number = todo.popleft()
            waiting.discard(number)
            self._current = number
            self._grown.clear()
            self._known.clear()
            self._look(self.units[number])
            for key in self._grown:
                for other in sorted(self.asked.get(key, ())):
                    if other not in waiting:
                        waiting.add(other)
                        todo.append(other)
        self._current = -1
        self._known.clear()

    def _look(self, unit: Unit) -> None:
        function = unit.function
        if function is not None:
            self._enter(function)
        if unit.nodes is None:
            unit.nodes = [n for n in own_nodes(unit.body) if isinstance(n, _SAYING)]
        for node in unit.nodes:
            self._statement(node, unit)

    def _enter(self, function: Function) -> None:
        args = function.node.args
        if function.cls is not None and function.first:
            kind: Kind = OfClass(function.cls)
            if function.is_of_class:
                kind = ClassItself(function.cls)
            self.put(("v", id(function.scope), function.first), [kind])
        unit = Unit(function.scope.parent or function.scope, [])
        for each in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            if each.annotation is not None:
                self.put(("v", id(function.scope), each.arg), self.annotated(each.annotation, unit))
        for name, value in function.defaults.items():
            self.put(("v", id(function.scope), name), self.of(value, unit))

    def annotated(self, node: ast.expr, unit: Unit) -> Kinds:
        """Objects of the class that an annotation names."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return NOTHING
        if isinstance(node, ast.BinOp):
            return self.annotated(node.left, unit) | self.annotated(node.right, unit)
        if isinstance(node, ast.Subscript):
            if ast.unparse(node.value).rpartition(".")[2] in ("Optional", "Final", "ClassVar"):
                return self.annotated(node.slice, unit)
            return NOTHING
        if not isinstance(node, ast.Name | ast.Attribute):
            return NOTHING
        found = self.names.resolve(node, unit.scope)
        if isinstance(found, Class):
            return frozenset((OfClass(found),))
        if isinstance(found, str):
            made = self.library.makers.get(self.library.path(found))
            return frozenset((OfLibrary(made),)) if made else NOTHING
        return NOTHING

    def _statement(self, node: ast.AST, unit: Unit) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value, unit)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self._assign(node.target, node.value, unit)
            self._bind(node.target, self.annotated(node.annotation, unit), unit)
        elif isinstance(node, ast.NamedExpr):
            self._assign(node.target, node.value, unit)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            self._unpack(node.target, self.elements(node.iter, unit), unit)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                kinds = self.entered(item.context_expr, unit)
                if item.optional_vars is not None:
                    self._unpack(item.optional_vars, kinds, unit)
                    self._note_entered(item.optional_vars, item.context_expr, unit)
        elif isinstance(node, ast.Return):
            if node.value is not None and unit.function is not None:
                self.put(("r", id(unit.function)), self.of(node.value, unit))
        elif isinstance(node, ast.Yield):
            if node.value is not None and unit.function is not None:
                self.put(("e", id(unit.function)), self.of(node.value, unit))
        elif isinstance(node, ast.Call):
            self.of(node, unit)

    def _assign(self, target: ast.expr, value: ast.expr, unit: Unit) -> None:
        pairs = paired(target, value)
        if pairs is not None:
            for one, of in pairs:
                self._assign(one, of, unit)
            return
        self._unpack(target, self.of(value, unit), unit)
        for key in self._places(target, unit):
            self.written.setdefault(key, {})[id(value)] = value, unit

    def _note_entered(self, target: ast.expr, value: ast.expr, unit: Unit) -> None:
        for key in self._places(target, unit) if isinstance(value, ast.Call) else ():
            known = self.entered_by.setdefault(key, [])
            if all(v is not value for v, _ in known):
                known.append((value, unit))  # type: ignore[arg-type]

    def in_order(self, node: ast.expr, unit: Unit) -> list[Kind]:
        """Everything that an expression can be, in an order that is the same in every run."""
        return sorted(self.of(node, unit), key=place)

    def key_of(self, node: ast.expr, unit: Unit) -> Key | None:
        """Under which key it is known what a variable or an attribute can have."""
        if isinstance(node, ast.Name):
            return self.variable(unit.scope, node.id)
        if isinstance(node, ast.Attribute):
            for kind in self.in_order(node.value, unit):
                if isinstance(kind, OfClass | ClassItself):
                    return self.attribute(kind.cls, node.attr)
        return None

    def given_to(self, node: ast.expr, unit: Unit) -> list[tuple[ast.expr, Unit]]:
        """All that a variable or an attribute is given anywhere, with where that stands."""
        key = self.key_of(node, unit)
        return list(self.written.get(key, {}).values()) if key is not None else []

    def _places(self, target: ast.expr, unit: Unit) -> list[Key]:
        if isinstance(target, ast.Name):
            key = self.variable(unit.scope, target.id)
            found = [] if key is None else [key]
            if unit.cls is not None:
                found.append(self.attribute(unit.cls, target.id))
            return found
        if isinstance(target, ast.Attribute):
            return [
                self.attribute(k.cls, target.attr)
                for k in self.of(target.value, unit)
                if isinstance(k, OfClass | ClassItself)
            ]
        return []

    def _bind(self, target: ast.expr, kinds: Kinds, unit: Unit) -> None:
        """What *kinds* are, *target* can be."""
        if not kinds:
            return
        if isinstance(target, ast.Subscript):
            for kind in self.of(target.value, unit):
                if isinstance(kind, Container):
                    self.put(("e", kind.node), kinds)
            return
        for key in self._places(target, unit):
            self.put(key, kinds)
        if isinstance(target, ast.Attribute):
            for kind in self.of(target.value, unit):
                if isinstance(kind, OfModule):
                    self.put(("v", id(kind.scope), target.attr), kinds)

    def _unpack(self, target: ast.expr, kinds: Kinds, unit: Unit) -> None:
        if isinstance(target, ast.Starred):
            target = target.value
        if isinstance(target, ast.Tuple | ast.List):
            for number, each in enumerate(target.elts):
                self._unpack(each, self.inside(kinds, number), unit)
            return
        self._bind(target, kinds, unit)
