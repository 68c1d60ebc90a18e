"""Names of a Python program: functions, classes, and which scope a name belongs to.

As the language reference has it ("Naming and binding"): a name that is bound anywhere in a
function is local there, unless ``global`` or ``nonlocal`` says otherwise; classes' names are not
seen from their methods.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator

import msgspec

from lockorder.python.modules import Program, Source

Def = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Class(msgspec.Struct, eq=False):
    """A class of the program; *name* is ``module.Class``."""

    name: str
    node: ast.ClassDef
    source: Source
    scope: Scope
    methods: dict[str, Function] = {}
    #: names that its body binds, other than methods
    statics: set[str] = set()
    #: the program's classes that it is derived from, nearest first, and names of other ones
    bases: list[Class] = []
    foreign: list[str] = []
    #: its lineage, once all bases are known
    line: list[Class] = []

    @property
    def lineage(self) -> list[Class]:
        """It and its bases, in the order in which methods are looked for."""
        if self.line:
            return self.line
        found: list[Class] = [self]
        for base in self.bases:
            found += [c for c in base.lineage if c not in found]
        return found

    def method(self, name: str) -> Function | None:
        """The version of a method that its objects have."""
        for cls in self.lineage:
            if name in cls.methods:
                return cls.methods[name]
        return None

    def is_from(self, names: Iterable[str]) -> bool:
        """Whether it is derived from a library's class of one of those names."""
        wanted = set(names)
        return any(wanted & set(c.foreign) for c in self.lineage)


class Scope(msgspec.Struct, eq=False):
    """What one module, class or function binds."""

    name: str
    source: Source
    parent: Scope | None = None
    kind: str = "module"
    names: set[str] = set()
    #: declared as ``global`` here, or as ``nonlocal``
    globals: set[str] = set()
    nonlocals: set[str] = set()
    functions: dict[str, Function] = {}
    classes: dict[str, Class] = {}
    #: what imports bind: the file's name and the member of it, or a library's path
    imports: dict[str, tuple[str, str]] = {}

    def home(self, name: str) -> Scope | None:
        """The scope that *name* belongs to, seen from here; None for what is built in."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            if scope.kind == "class" and not first:
                scope = scope.parent
                continue
            if name in scope.globals:
                return scope.module
            if name in scope.names and name not in scope.nonlocals:
                return scope
            first = False
            scope = scope.parent
        return None

    @property
    def every_import(self) -> list[tuple[str, str]]:
        """What is imported here and in all scopes inside."""
        inner = [f.scope for f in self.functions.values()]
        inner += [c.scope for c in self.classes.values()]
        return [*self.imports.values(), *(i for s in inner for i in s.every_import)]

    @property
    def module(self) -> Scope:
        """The scope of the module that it lies in."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


class Function(msgspec.Struct, eq=False):
    """A function, method or lambda; *usr* names it, *name* is how it is told."""

    usr: str
    name: str
    node: Def
    scope: Scope
    source: Source
    cls: Class | None = None
    #: the function that it is written in
    parent: Function | None = None
    decorators: list[str] = []
    #: it has ``yield`` of its own
    yields: bool = False
    #: another function stands in its place, and calls it
    is_wrapped: bool = False

    @property
    def short(self) -> str:
        return getattr(self.node, "name", "(lambda)")

    @property
    def is_async(self) -> bool:
        """A call of it makes a coroutine, and runs nothing."""
        return isinstance(self.node, ast.AsyncFunctionDef)

    @property
    def is_static(self) -> bool:
        return "staticmethod" in self.decorators

    @property
    def is_of_class(self) -> bool:
        return "classmethod" in self.decorators or self.short == "__new__"

    @property
    def has_self(self) -> bool:
        """Whether its first parameter is the object."""
        return self.cls is not None and not (self.is_static or self.is_of_class)

    @property
    def is_property(self) -> bool:
        return any(d in ("property", "cached_property") for d in map(_last, self.decorators))

    @property
    def is_context(self) -> bool:
        """A ``with`` runs it up to its ``yield``, and the rest afterwards."""
        wanted = ("contextmanager", "asynccontextmanager")
        return any(d in wanted for d in map(_last, self.decorators))

    @property
    def parameters(self) -> list[ast.arg]:
        """All parameters by position and by name, but for the object."""
        a = self.node.args
        found = [*a.posonlyargs, *a.args]
        if self.cls is not None and not self.is_static:
            found = found[1:]
        return [*found, *a.kwonlyargs]

    @property
    def defaults(self) -> dict[str, ast.expr]:
        """Parameters that have a value where nothing is given for them."""
        args = self.node.args
        given = [*args.posonlyargs, *args.args]
        found = list(zip(reversed(given), reversed(args.defaults), strict=False))
        named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        found += [(each, value) for each, value in named if value is not None]
        return {each.arg: value for each, value in found}

    @property
    def is_inner(self) -> bool:
        """Whether it is written inside of another, or has no name: what it uses comes with it."""
        return self.parent is not None or isinstance(self.node, ast.Lambda)

    @property
    def first(self) -> str:
        """The name of the parameter that is the object, or the class."""
        a = [*self.node.args.posonlyargs, *self.node.args.args]
        return a[0].arg if self.cls is not None and not self.is_static and a else ""

    @property
    def body(self) -> list[ast.stmt]:
        if isinstance(self.node, ast.Lambda):
            return [ast.copy_location(ast.Return(self.node.body), self.node.body)]
        return self.node.body


def _last(name: str) -> str:
    return name.rpartition(".")[2]


class Names:
    """All scopes of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.modules: dict[str, Scope] = {}
        self.functions: dict[ast.AST, Function] = {}
        self.classes: dict[ast.AST, Class] = {}
        for source in program.sources:
            if not source.c:
                self.modules[source.file] = self._module(source)
        for cls in self.classes.values():
            self._bases(cls)
        lines = [(cls, cls.lineage) for cls in self.classes.values()]
        for cls, line in lines:
            cls.line = line
        for function in self.functions.values():
            if not isinstance(function.node, ast.Lambda):
                function.decorators = [_dotted(d) for d in function.node.decorator_list]
        for function in list(self.functions.values()):
            self._wrap(function)

    def _module(self, source: Source) -> Scope:
        scope = Scope(source.name, source)
        self._bind(source.tree.body, scope, None, None)
        return scope

    # -- what is bound where ----------------------------------------------------------------------

    def _bind(
        self, body: Iterable[ast.AST], scope: Scope, cls: Class | None, function: Function | None
    ) -> None:
        for node in body:
            self._bind_one(node, scope, cls, function)

    def _bind_one(
        self, node: ast.AST, scope: Scope, cls: Class | None, function: Function | None
    ) -> None:
        if isinstance(node, _DEFS):
            self._define(node, scope, cls, function)
            return
        if isinstance(node, ast.ClassDef):
            self._class(node, scope, function)
            return
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node, scope)
        elif isinstance(node, ast.Global):
            scope.globals.update(node.names)
            scope.module.names.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            scope.nonlocals.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            scope.names.add(node.id)
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, ast.MatchAs | ast.MatchStar) and node.name
        ):
            scope.names.add(node.name)
        elif isinstance(node, ast.Yield | ast.YieldFrom) and function is not None:
            function.yields = True
        self._bind(ast.iter_child_nodes(node), scope, cls, function)

    def _define(
        self, node: Def, scope: Scope, cls: Class | None, function: Function | None
    ) -> None:
        args = node.args
        for default in (*args.defaults, *args.kw_defaults):
            if default is not None:
                self._bind_one(default, scope, cls, function)
        name = getattr(node, "name", "(lambda)")
        if not isinstance(node, ast.Lambda):
            scope.names.add(name)
            for each in node.decorator_list:
                self._bind_one(each, scope, cls, function)
        inner = Scope(f"{scope.name}.{name}", scope.source, scope, "function")
        own = cls if scope.kind == "class" and not isinstance(node, ast.Lambda) else None
        usr = f"py:{scope.source.file}:{node.lineno}:{node.col_offset}:{name}"
        made = Function(usr, inner.name, node, inner, scope.source, own, function)
        self.functions[node] = made
        if not isinstance(node, ast.Lambda):
            scope.functions[name] = made  # of several the last, as it is where the module is done
            if own is not None and (name not in own.methods or not _sets(node)):
                own.methods[name] = made
        given = (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg)
        inner.names.update(a.arg for a in given if a is not None)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        self._bind(body, inner, None, made)

    def _class(self, node: ast.ClassDef, scope: Scope, function: Function | None) -> None:
        scope.names.add(node.name)
        name = f"{scope.name}.{node.name}"
        inner = Scope(name, scope.source, scope, "class")
        made = Class(name, node, scope.source, inner)
        scope.classes[node.name] = made
        self.classes[node] = made
        for each in (*node.decorator_list, *node.bases):
            self._bind_one(each, scope, None, function)
        self._bind(node.body, inner, made, function)
        made.statics = {n for n in inner.names if n not in made.methods}

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        by = scope.source
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                scope.names.add(bound)
                path = alias.name if alias.asname else bound
                scope.imports[bound] = self._found(path, by, "")
            return
        base = node.module or ""
        for alias in node.names:
            bound = alias.asname or alias.name
            scope.names.add(bound)
            if node.level:
                folder = by.file.rpartition("/")[0]
                for _ in range(node.level - 1):
                    folder = folder.rpartition("/")[0]
                inner = self.program.at(folder, f"{base}.{alias.name}".strip("."))
                module = inner or self.program.at(folder, base)
                what = "" if inner is not None else alias.name
                path = module.file if module is not None else ""
                scope.imports[bound] = (path, what) if path else ("", f"{base}.{alias.name}")
            else:
                scope.imports[bound] = self._found(base, by, alias.name)

    def _found(self, module: str, by: Source, what: str) -> tuple[str, str]:
        """A file of the program and a name in it, or no file and a library's path."""
        if what:
            inner = self.program.find(f"{module}.{what}", by)
            if inner is not None:
                return inner.file, ""
        source = self.program.find(module, by)
        if source is not None:
            return source.file, what
        return "", f"{module}.{what}" if what else module

    # -- decorators -------------------------------------------------------------------------------

    def _wrap(self, function: Function) -> None:
        """A decorator of the program that returns a function of its own puts that one in place.

        Each decorated function has a copy of it, so that what one is given is not another's.
        """
        if isinstance(function.node, ast.Lambda):
            return
        home = function.scope.parent
        for each in reversed(function.node.decorator_list):
            inner = self._wrapper(each, home) if home is not None else None
            if inner is None or home is None:
                continue
            made, given = inner
            node = copy.deepcopy(made.node)
            if isinstance(node, ast.Lambda):
                continue
            node.decorator_list = []
            names = {given} if given else set[str]()
            between = Scope(
                made.scope.name, made.source, made.scope.parent, "function", names=names,
                functions={given: function} if given else {},
            )  # fmt: skip
            self._define(node, between, None, None)
            copied = self.functions[node]
            copied.usr = f"{copied.usr}[{function.usr}]"
            copied.name, copied.cls = function.name, function.cls
            copied.decorators = function.decorators
            function.is_wrapped = True
            short = function.short
            if function.cls is not None and function.cls.methods.get(short) is function:
                function.cls.methods[short] = copied
            elif home.functions.get(short) is function:
                home.functions[short] = copied
            return

    def _wrapper(self, decorator: ast.expr, scope: Scope) -> tuple[Function, str] | None:
        """The function that a decorator returns, and the name by which that calls what it wraps."""
        called = isinstance(decorator, ast.Call)
        found = self.resolve(
            decorator.func if isinstance(decorator, ast.Call) else decorator, scope
        )
        if not isinstance(found, Function):
            return None
        if called:
            inner = self._returned(found)
            if inner is None:
                return None
            found = inner
        wrapper = self._returned(found)
        parameters = found.parameters
        if wrapper is None or not parameters:
            return None
        return wrapper, parameters[0].arg

    def _returned(self, function: Function) -> Function | None:
        """The function inside of it that a function returns."""
        for node in own_nodes(function.body):
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
                return function.scope.functions.get(node.value.id)
        return None

    # -- classes ----------------------------------------------------------------------------------

    def _bases(self, cls: Class) -> None:
        for node in cls.node.bases:
            found = self.resolve(node, cls.scope.parent or cls.scope)
            if isinstance(found, Class) and found is not cls and cls not in found.lineage:
                cls.bases.append(found)
            elif isinstance(found, str):
                cls.foreign.append(found)

    def resolve(self, node: ast.expr, scope: Scope) -> Class | Function | Scope | str | None:
        """What a dotted name stands for, without a look at assignments; text: of a library."""
        if isinstance(node, ast.Subscript):
            return self.resolve(node.value, scope)
        if isinstance(node, ast.Name):
            home = scope.home(node.id)
            return self.member(home, node.id) if home is not None else node.id
        if isinstance(node, ast.Attribute):
            base = self.resolve(node.value, scope)
            if isinstance(base, str):
                return f"{base}.{node.attr}"
            if isinstance(base, Scope):
                return self.member(base, node.attr)
            if isinstance(base, Class):
                return base.method(node.attr) or base.scope.classes.get(node.attr)
        return None

    def member(
        self, scope: Scope, name: str, seen: int = 0
    ) -> Class | Function | Scope | str | None:
        """What a module, or a scope, calls *name*."""
        if name in scope.classes:
            return scope.classes[name]
        if name in scope.functions:
            return scope.functions[name]
        found = scope.imports.get(name)
        if found is None or seen > len(self.modules):
            return None
        file, what = found
        if not file:
            return what
        module = self.modules.get(file)
        if module is None or not what:
            return module
        return self.member(module, what, seen + 1)


def _sets(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether it is the second half of a property (``@x.setter``)."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return any(isinstance(d, ast.Attribute) and d.attr in ("setter", "deleter") for d in decorators)


def _dotted(node: ast.expr) -> str:
    """The name of a decorator as it is written, without arguments."""
    if isinstance(node, ast.Call):
        node = node.func
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of a body, but for those of functions and classes in it."""
    todo = list(body)
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, (*_DEFS, ast.ClassDef)):
            continue
        todo.extend(ast.iter_child_nodes(node))
