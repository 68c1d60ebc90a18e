"""What expressions of Python can be, from what is known of the names in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from lockorder.python.keys import CONTAINERS, Keys, Unit
from lockorder.python.kinds import (
    ANYTHING,
    NOTHING,
    Callable,
    ClassItself,
    Container,
    Coroutine,
    Kind,
    Kinds,
    OfClass,
    OfLibrary,
    OfModule,
    Partial,
    Path,
    Super,
)
from lockorder.python.library import Library, Starts
from lockorder.python.matching import argument, field_names, given_in, matched
from lockorder.python.scopes import Class, Function, Names, Scope

_ANYTHING: Kinds = frozenset((ANYTHING,))
#: Calls of the language itself that give a container of what their argument has.
_COPIES = frozenset(
    ("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "filter", "dict", "copy")
)
_ADDS = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1, "put": 0}
_GIVES = frozenset(("pop", "popleft", "get", "setdefault", "popitem", "__getitem__"))
_ALL = frozenset(("values", "copy", "keys"))
_FACTORIES = ("field", "defaultdict")


class KindsOf(Keys):
    """Kinds of expressions; what calls hand over reaches parameters."""

    def __init__(self, names: Names, library: Library, known: Iterable[str]) -> None:
        super().__init__(names, library, known)
        #: by expression, while nothing changes: the node as well, so that no other has its number
        self._known: dict[int, tuple[ast.expr, Kinds]] = {}

    def inside(self, kinds: Kinds, number: int | None = None) -> Kinds:
        """Elements of containers; of the pairs of a dictionary only the second is known."""
        found: set[Kind] = set()
        for kind in kinds:
            if kind is ANYTHING:
                found.add(kind)
            if isinstance(kind, Container):
                if kind.items:
                    if number == 1:
                        found |= self.get(("e", kind.node))
                    elif number is None:
                        found.add(kind)
                    continue
                own = self.get(("e", kind.node, number)) if number is not None else NOTHING
                found |= own or self.get(("e", kind.node))
        return frozenset(found)

    def elements(self, node: ast.expr, unit: Unit) -> Kinds:
        """What a loop over *node* gives, one after the other."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "enumerate" and node.args:
                self._pair(node, [NOTHING, self.elements(node.args[0], unit)])
                return frozenset((Container(id(node)),))
            if node.func.id == "zip":
                self._pair(node, [self.elements(a, unit) for a in node.args])
                return frozenset((Container(id(node)),))
        found: set[Kind] = set()
        for kind in self.of(node, unit):
            if kind is ANYTHING or (isinstance(kind, Container) and kind.items):
                found.add(kind)
            elif isinstance(kind, Container):
                found |= self.get(("e", kind.node))
            elif isinstance(kind, OfClass):
                for name in ("__iter__", "__next__", "__getitem__"):
                    method = kind.cls.method(name)
                    if method is not None:
                        found |= self.get(("e", id(method)))
        return frozenset(found)

    def _pair(self, node: ast.AST, parts: Sequence[Kinds]) -> None:
        for number, kinds in enumerate(parts):
            self.put(("e", id(node), number), kinds)
            self.put(("e", id(node)), kinds)

    def entered(self, node: ast.expr, unit: Unit) -> Kinds:
        """What ``with ... as x`` binds."""
        found: set[Kind] = set()
        for kind in self.of(node, unit):
            if isinstance(kind, OfClass):
                begin = kind.cls.method("__enter__") or kind.cls.method("__aenter__")
                found |= self.get(("r", id(begin))) if begin is not None else {kind}
            elif isinstance(kind, Callable | Coroutine):
                continue
            else:
                found.add(kind)
        called = self._called(node, unit)
        for function in called:
            if function.is_context:
                found |= self.get(("e", id(function)))
        return frozenset(found)

    def _called(self, node: ast.expr, unit: Unit) -> list[Function]:
        if not isinstance(node, ast.Call):
            return []
        return [k.function for k in self.of(node.func, unit) if isinstance(k, Callable)]

    def of(self, node: ast.expr, unit: Unit) -> Kinds:
        """Everything that an expression can be."""
        # What has grown since it was asked for is asked for again with its whole unit.
        known = self._known.get(id(node))
        if known is None:
            kinds = self._of(node, unit)
            if ANYTHING in kinds:
                kinds = _ANYTHING
            known = self._known[id(node)] = node, kinds
        return known[1]

    def _of(self, node: ast.expr, unit: Unit) -> Kinds:
        if isinstance(node, ast.Name):
            return self._name(node, unit)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, unit)
        if isinstance(node, ast.Call):
            return self._call(node, unit)
        if isinstance(node, ast.Await):
            return self.awaited(self.of(node.value, unit))
        if isinstance(node, ast.IfExp):
            return self.of(node.body, unit) | self.of(node.orelse, unit)
        if isinstance(node, ast.BoolOp):
            return frozenset().union(*(self.of(v, unit) for v in node.values))
        if isinstance(node, ast.NamedExpr):
            return self.of(node.value, unit)
        if isinstance(node, ast.Lambda):
            return frozenset((Callable(self.names.functions[node]),))
        if isinstance(node, ast.Subscript):
            kinds = self.of(node.value, unit)
            index = node.slice.value if isinstance(node.slice, ast.Constant) else None
            found = self.inside(kinds, index if isinstance(index, int) else None)
            for kind in kinds:
                if isinstance(kind, OfClass):
                    method = kind.cls.method("__getitem__")
                    if method is not None:
                        found |= self.get(("r", id(method)))
            return found
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            for number, each in enumerate(node.elts):
                inner = each.value if isinstance(each, ast.Starred) else each
                kinds = self.of(inner, unit)
                if isinstance(each, ast.Starred):
                    kinds = self.inside(kinds)
                self.put(("e", id(node)), kinds)
                if isinstance(node, ast.Tuple):
                    self.put(("e", id(node), number), kinds)
            return frozenset((Container(id(node)),))
        if isinstance(node, ast.Dict):
            for key, each in zip(node.keys, node.values, strict=True):
                kinds = self.of(each, unit)
                self.put(("e", id(node)), kinds if key is not None else self.inside(kinds))
            return frozenset((Container(id(node)),))
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            value = node.value if isinstance(node, ast.DictComp) else node.elt
            self.put(("e", id(node)), self.of(value, unit))
            return frozenset((Container(id(node)),))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult | ast.BitOr):
            found = self.of(node.left, unit) | self.of(node.right, unit)
            return frozenset(k for k in found if isinstance(k, Container))
        if isinstance(node, ast.Starred):
            return self.of(node.value, unit)
        return NOTHING

    def awaited(self, kinds: Kinds) -> Kinds:
        """What ``await`` gives."""
        found: set[Kind] = set()
        for kind in kinds:
            if isinstance(kind, Coroutine):
                found |= self.get(("r", id(kind.function)))
            else:
                found.add(kind)
        return frozenset(found)

    def _name(self, node: ast.Name, unit: Unit) -> Kinds:
        home = unit.scope.home(node.id)
        if home is None:
            return self.at_path(node.id)
        return self.member_of_scope(home, node.id)

    def member_of_scope(self, scope: Scope, name: str) -> Kinds:
        """What a module or function calls *name*."""
        found: set[Kind] = set(self.get(("v", id(scope), name)))
        known = self.names.member(scope, name)
        if isinstance(known, Class):
            found.add(ClassItself(known))
        elif isinstance(known, Function):
            found.add(Callable(known, plain=known.has_self))
        elif isinstance(known, Scope):
            found.add(OfModule(known))
        elif isinstance(known, str):
            found |= self.at_path(known)
        elif name in scope.imports:
            file, what = scope.imports[name]
            module = self.names.modules.get(file)
            if module is not None and what:
                found |= self.get(("v", id(module), what))
        return frozenset(found)

    def _attribute(self, node: ast.Attribute, unit: Unit) -> Kinds:
        found: set[Kind] = set()
        for kind in self.of(node.value, unit):
            found |= self.attribute_of(kind, node.attr)
        return frozenset(found)

    def attribute_of(self, kind: Kind, name: str) -> Kinds:
        """What an attribute of one kind of value can be."""
        if kind is ANYTHING:
            return _ANYTHING
        if isinstance(kind, OfModule):
            return self.member_of_scope(kind.scope, name)
        if isinstance(kind, Path):
            return self.at_path(f"{kind.path}.{name}")
        if isinstance(kind, OfLibrary):
            return self.at_path(f"{kind.type}.{name}")
        if isinstance(kind, OfClass):
            method = kind.cls.method(name)
            found = self.get(self.attribute(kind.cls, name))
            if method is not None and method.is_property:
                return found | self.get(("r", id(method)))
            if method is not None:
                return found | {Callable(method, kind.cls)}
            inner = self._inner_class(kind.cls, name)
            if inner is not None:
                return found | {ClassItself(inner)}
            if not found and not self.has_attribute(kind.cls, name):
                return self._inherited(kind.cls, name)
            return found
        if isinstance(kind, ClassItself):
            method = kind.cls.method(name)
            found = self.get(self.attribute(kind.cls, name))
            if method is not None:
                of = kind.cls if method.is_of_class else None
                return found | {Callable(method, of, plain=method.has_self)}
            inner = self._inner_class(kind.cls, name)
            return found | {ClassItself(inner)} if inner is not None else found
        if isinstance(kind, Super):
            for cls in kind.cls.lineage[1:]:
                if name in cls.methods:
                    return frozenset((Callable(cls.methods[name], cls),))
            return self._inherited(kind.cls, name)
        return NOTHING

    def _inner_class(self, cls: Class, name: str) -> Class | None:
        for each in cls.lineage:
            if name in each.scope.classes:
                return each.scope.classes[name]
        return None

    def _inherited(self, cls: Class, name: str) -> Kinds:
        """A method that a base outside of the program has."""
        for each in cls.lineage:
            for path in each.foreign:
                made = self.library.makers.get(self.library.path(path))
                if made:
                    return self.at_path(f"{made}.{name}")
        return NOTHING

    def _call(self, node: ast.Call, unit: Unit) -> Kinds:
        for each in given_in(node):
            if isinstance(
                each, ast.Call | ast.Lambda | ast.ListComp | ast.Tuple | ast.List | ast.Dict
            ):
                self.of(each, unit)
        if isinstance(node.func, ast.Name) and unit.scope.home(node.func.id) is None:
            found = self._builtin(node.func.id, node, unit)
            if found is not None:
                return found
        found_kinds: set[Kind] = set()
        if isinstance(node.func, ast.Attribute):
            for base in self.of(node.func.value, unit):
                if isinstance(base, Container):
                    found_kinds |= self._container(base, node.func.attr, node, unit)
        for kind in self.of(node.func, unit):
            found_kinds |= self.result(kind, node, unit)
        return frozenset(found_kinds)

    def result(self, kind: Kind, node: ast.Call, unit: Unit) -> Kinds:
        """What the call of one kind of value gives; its arguments reach its parameters."""
        if kind is ANYTHING:
            return _ANYTHING
        if isinstance(kind, ClassItself):
            begin = kind.cls.method("__init__")
            if begin is not None:
                self._hand(begin, node, unit)
            else:
                self._fields(kind.cls, node, unit)
            return frozenset((OfClass(kind.cls),))
        if isinstance(kind, Callable):
            self._hand(kind.function, node, unit, skip=1 if kind.plain else 0)
            if kind.function.is_async and not kind.function.yields:
                return frozenset((Coroutine(kind.function),))
            if kind.function.yields:
                return frozenset((Container(id(kind.function)),))
            return self.get(("r", id(kind.function)))
        if isinstance(kind, Partial):
            found: set[Kind] = set()
            for inner in kind.kinds:
                if isinstance(inner, Callable):
                    self._hand(inner.function, node, unit, skip=0, after=len(kind.node.args) - 1)
                    found |= self.get(("r", id(inner.function)))
                elif isinstance(inner, ClassItself):
                    found.add(OfClass(inner.cls))
            return frozenset(found)
        if isinstance(kind, OfClass):
            method = kind.cls.method("__call__")
            if method is None:
                return NOTHING
            self._hand(method, node, unit)
            return self.get(("r", id(method)))
        if isinstance(kind, Path):
            return self._of_library(kind.path, node, unit)
        return NOTHING

    def _of_library(self, path: str, node: ast.Call, unit: Unit) -> Kinds:
        made = self.library.makers.get(path)
        starts = self.library.starters.get(path)
        if starts is not None:
            self._started(starts, node, unit)
        if made:
            return frozenset((OfLibrary(made),))
        if path == "functools.partial" and node.args:
            kinds = self.of(node.args[0], unit)
            for inner in kinds:
                if isinstance(inner, Callable):
                    moved = ast.Call(node.func, node.args[1:], node.keywords)
                    self._hand(inner.function, moved, unit)
            return frozenset((Partial(node, kinds),))
        if path.rpartition(".")[2] in _FACTORIES:
            return self._factory(node, unit)
        if path in CONTAINERS:
            kinds = self.inside(self.of(node.args[0], unit)) if node.args else NOTHING
            self.put(("e", id(node)), kinds)
            return frozenset((Container(id(node)),))
        if path in self.library.passes.calls and node.args:
            return self.of(node.args[0], unit)
        if path in self.library.coroutines.run and node.args:
            return self.awaited(self.of(node.args[0], unit))
        return self.at_path(f"{path}()")

    def _factory(self, node: ast.Call, unit: Unit) -> Kinds:
        """``field(default_factory=f)`` gives what f gives, ``defaultdict(f)`` a container of it."""
        empty = ast.copy_location(ast.Call(node.func, [], []), node)
        for each in node.keywords:
            if each.arg == "default_factory":
                return frozenset().union(
                    *(self.result(k, empty, unit) for k in self.of(each.value, unit))
                )
            if each.arg == "default":
                return self.of(each.value, unit)
        if node.args:
            for kind in self.of(node.args[0], unit):
                self.put(("e", id(node)), self.result(kind, empty, unit))
        return frozenset((Container(id(node)),))

    def _fields(self, cls: Class, node: ast.Call, unit: Unit) -> None:
        """Arguments of a class without ``__init__`` are its fields (dataclasses, named tuples)."""
        fields = field_names(cls)
        for name, value in zip(fields, node.args, strict=False):
            self.put(self.attribute(cls, name), self.of(value, unit))
        for each in node.keywords:
            if each.arg:
                self.put(self.attribute(cls, each.arg), self.of(each.value, unit))

    def _started(self, starts: Starts, node: ast.Call, unit: Unit) -> None:
        """Arguments that a thread's function is given reach its parameters."""
        if starts.coroutine:
            return
        what = argument(node, starts.callable, starts.number)
        if what is None:
            return
        given: list[ast.expr] = []
        if starts.rest:
            given = node.args[starts.number + 1 :]
        elif starts.args:
            found = argument(node, starts.args, starts.args_number)
            if isinstance(found, ast.Tuple | ast.List):
                given = list(found.elts)
        keywords = [k for k in node.keywords if starts.rest and k.arg != starts.callable]
        moved = ast.copy_location(ast.Call(what, given, keywords), node)
        for kind in self.of(what, unit):
            self.result(kind, moved, unit)
            if (
                starts.elements
                and isinstance(kind, Callable)
                and len(node.args) > starts.number + 1
            ):
                elements = self.elements(node.args[starts.number + 1], unit)
                for parameter in kind.function.parameters[:1]:
                    self.put(("v", id(kind.function.scope), parameter.arg), elements)

    def _hand(
        self, function: Function, node: ast.Call, unit: Unit, skip: int = 0, after: int = 0
    ) -> None:
        """What a call's arguments are, the function's parameters can be."""
        for parameter, value in matched(function, node, skip, after):
            self.put(("v", id(function.scope), parameter), self.of(value, unit))
        args = function.node.args
        if args.vararg is not None:
            room = len([*args.posonlyargs, *args.args]) - (1 if function.first else 0)
            key = ("e", id(args.vararg))
            for value in node.args[skip + room :]:
                self.put(key, self.of(value, unit))
            self.put(("v", id(function.scope), args.vararg.arg), [Container(id(args.vararg))])

    def _builtin(self, name: str, node: ast.Call, unit: Unit) -> Kinds | None:
        """Calls of the language itself; None for those that are no different."""
        if name == "super":
            function = unit.function
            while function is not None and function.cls is None:
                function = function.parent
            return frozenset((Super(function.cls),)) if function and function.cls else NOTHING
        if name in _COPIES:
            kinds: Kinds = NOTHING
            for each in node.args[-1:]:
                kinds = self.elements(each, unit)
            self.put(("e", id(node)), kinds)
            return frozenset((Container(id(node)),))
        if name in ("next", "min", "max") and node.args:
            return self.elements(node.args[0], unit)
        if name == "getattr" and len(node.args) > 1:
            text = node.args[1]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                return frozenset().union(
                    *(self.attribute_of(k, text.value) for k in self.of(node.args[0], unit))
                )
        if name in ("enumerate", "zip"):
            return self.elements(node, unit)
        return None

    def _container(self, kind: Container, method: str, node: ast.Call, unit: Unit) -> Kinds:
        """A method of a list, dictionary or set."""
        key = ("e", kind.node)
        number = _ADDS.get(method)
        if number is not None and number < len(node.args):
            self.put(key, self.of(node.args[number], unit))
        if method in ("extend", "update") and node.args:
            self.put(key, self.inside(self.of(node.args[0], unit)))
        if method in _GIVES:
            return self.get(key)
        if method == "items":
            return frozenset((Container(kind.node, items=True),))
        return frozenset((kind,)) if method in _ALL else NOTHING
