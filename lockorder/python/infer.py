"""What Python's names can stand for: a fixed point over all functions of a program.

Flow-insensitive, with one set of kinds for each variable of a scope, each attribute of a class,
each function's result, and the elements of each container, by where it is made (Andersen).  A
function is looked at again when something that it has asked for has grown.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Container as Container_
from collections.abc import Iterable, Sequence

import msgspec

from lockorder import bounds
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
from lockorder.python.library import Library, Starts, prefixes
from lockorder.python.scopes import Class, Function, Names, Scope, own_nodes

Key = tuple[object, ...]
_ANYTHING: Kinds = frozenset((ANYTHING,))
#: Calls of the language itself that give a container of what their argument has.
_COPIES = frozenset(
    ("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "filter", "dict", "copy")
)
_ADDS = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1, "put": 0}
_GIVES = frozenset(("pop", "popleft", "get", "setdefault", "popitem", "__getitem__"))
_ALL = frozenset(("values", "copy", "keys"))
_CONTAINERS = frozenset(("collections.deque", "collections.OrderedDict", "weakref.WeakSet"))
_FACTORIES = ("field", "defaultdict")
_MAKERS = ("functools.partial", "dataclasses.field", "collections.defaultdict", "attr.field")


_SAYING = (
    ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension, ast.With,
    ast.AsyncWith, ast.Return, ast.Yield, ast.Call,
)  # fmt: skip


class Unit(msgspec.Struct, eq=False):
    """What is looked at in one go: a module's own statements, a class's, or a function."""

    scope: Scope
    body: list[ast.stmt]
    function: Function | None = None
    cls: Class | None = None
    #: what in it says something of values
    nodes: list[ast.AST] | None = None


class Types:
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
        self.files = names.modules.keys() if files is None else files
        self.names = names
        self.library = library
        self.leading = library.leading | {p for name in known for p in prefixes(name)}
        self.leading |= {p for name in (*_CONTAINERS, *_MAKERS) for p in prefixes(name)}
        self.values: dict[Key, set[Kind]] = {}
        self.asked: dict[Key, set[int]] = {}
        #: what was put into a variable or an attribute, as it is written
        self.written: dict[Key, dict[int, tuple[ast.expr, Unit]]] = {}
        self.units: list[Unit] = []
        #: what can be more than is told apart
        self.too_many: set[Key] = set()
        self._current = 0
        self._grown: set[Key] = set()
        #: by expression, while nothing changes: the node as well, so that no other has its number
        self._known: dict[int, tuple[ast.expr, Kinds]] = {}
        self._attributes: dict[int, set[str]] = {}
        self._owners: dict[tuple[int, str], Class] = {}
        self._find_units()
        self._solve()

    # -- the fixed point --------------------------------------------------------------------------

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

    def get(self, key: Key) -> Kinds:
        """What is known of *key*; whoever asks is asked again where it grows."""
        if self._current >= 0:
            self.asked.setdefault(key, set()).add(self._current)
        return frozenset(self.values.get(key, ()))

    def put(self, key: Key, kinds: Iterable[Kind]) -> None:
        old = self.values.setdefault(key, set())
        if ANYTHING in old:
            return
        size = len(old)
        old.update(kinds)
        if ANYTHING in old or len(old) > bounds.PYTHON_KINDS.limit:
            old.clear()
            old.add(ANYTHING)
            self.too_many.add(key)
            self._grown.add(key)
        elif len(old) != size:
            self._grown.add(key)

    def at_path(self, path: str) -> Kinds:
        """What a library calls so, if that or anything below it is of interest.

        There are not many of those, and so the sets of kinds stay small.
        """
        path = self.library.path(path)
        return frozenset((Path(path),)) if path in self.leading else NOTHING

    # -- keys -------------------------------------------------------------------------------------

    def variable(self, scope: Scope, name: str) -> Key | None:
        """The key of a name as *scope* sees it; None for what is built in."""
        home = scope.home(name)
        return ("v", id(home), name) if home is not None else None

    def owner(self, cls: Class, attribute: str) -> Class:
        """The class that an attribute of an object belongs to: the last base that has it."""
        key = id(cls), attribute
        found = self._owners.get(key)
        if found is None:
            own = [c for c in cls.lineage if attribute in self._attributes.get(id(c), ())]
            found = self._owners[key] = own[-1] if own else cls
        return found

    def attribute(self, cls: Class, name: str) -> Key:
        return ("a", id(self.owner(cls, name)), name)

    def has_attribute(self, cls: Class, name: str) -> bool:
        return any(name in self._attributes.get(id(c), ()) for c in cls.lineage)

    # -- statements -------------------------------------------------------------------------------

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

    # -- expressions ------------------------------------------------------------------------------

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

    # -- calls ------------------------------------------------------------------------------------

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
        if path in _CONTAINERS:
            kinds = self.inside(self.of(node.args[0], unit)) if node.args else NOTHING
            self.put(("e", id(node)), kinds)
            return frozenset((Container(id(node)),))
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


def field_names(cls: Class) -> list[str]:
    """Fields of a dataclass in the order in which its ``__init__`` takes them."""
    found: list[str] = []
    for each in reversed(cls.lineage):
        for node in each.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.append(node.target.id)
    return list(dict.fromkeys(found))


def paired(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    """``a, b = x, y`` as two assignments; None for all others."""
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(value, ast.Tuple | ast.List):
        return None
    if len(target.elts) != len(value.elts):
        return None
    if any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts)):
        return None
    return list(zip(target.elts, value.elts, strict=True))


def given_in(node: ast.Call) -> list[ast.expr]:
    """All arguments of a call, those with a name last."""
    return [*node.args, *(k.value for k in node.keywords)]


def argument(node: ast.Call, name: str, number: int | None) -> ast.expr | None:
    """An argument by its name, or by its number."""
    for each in node.keywords:
        if each.arg == name:
            return each.value
    if number is not None and number < len(node.args):
        return node.args[number]
    return None


def matched(
    function: Function, node: ast.Call, skip: int = 0, after: int = 0
) -> list[tuple[str, ast.expr]]:
    """Parameters of a function with the arguments that a call gives for them.

    *skip* arguments are not for parameters (the object of a method that is called by its class),
    *after* parameters have theirs already.
    """
    args = function.node.args
    given = [a.arg for a in (*args.posonlyargs, *args.args)]
    if function.cls is not None and not function.is_static:
        given = given[1:]
    found: list[tuple[str, ast.expr]] = []
    for parameter, value in zip(given[after:], node.args[skip:], strict=False):
        if isinstance(value, ast.Starred):
            break
        found.append((parameter, value))
    names = {*given, *(a.arg for a in args.kwonlyargs)}
    found += [(k.arg, k.value) for k in node.keywords if k.arg in names]
    return found
