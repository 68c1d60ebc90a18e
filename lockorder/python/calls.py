"""Calls: of functions and classes of the program, and of libraries."""

from __future__ import annotations

import ast
from collections.abc import Callable as Calls
from collections.abc import Sequence

from lockorder.python.emitting import (
    UNKNOWN,
    reference,
)
from lockorder.python.kinds import (
    Callable,
    ClassItself,
    Container,
    Kind,
    OfClass,
    Partial,
    Path,
    Super,
)
from lockorder.python.matching import argument, field_names, matched
from lockorder.python.places import Places
from lockorder.python.scopes import Class, Function
from lockorder.static.parse import facts as f

#: Functions of the language that call what they are given before they return, or soon after.
_CALLERS = frozenset(("map", "filter", "sorted", "min", "max", "reduce", "iter"))
#: Functions and methods of the language that ask for all elements of what they are given.
_CONSUMERS = frozenset((
    "list", "tuple", "set", "frozenset", "dict", "sorted", "sum", "min", "max", "any", "all",
    "next", "zip", "reduce", "extend", "update", "join",
))  # fmt: skip
#: Methods that functions of the language call.
_DUNDERS = {
    "len": "__len__", "str": "__str__", "repr": "__repr__", "bool": "__bool__", "hash": "__hash__",
    "iter": "__iter__", "next": "__next__",
}  # fmt: skip


class CallEmitter(Places):
    """Emits calls."""

    # What starts functions elsewhere stands above (see starts).

    def make_partial(self, node: ast.Call) -> f.Value | None:
        """``functools.partial(f, x)``."""
        raise NotImplementedError

    def entered(self, node: ast.Call) -> f.Value | None:
        """``stack.enter_context(x)``."""
        raise NotImplementedError

    def start(self, path: str, node: ast.Call) -> f.Value | None:
        """A thread, process or task is told what to run."""
        raise NotImplementedError

    def run_own(self, path: str, node: ast.Call) -> f.Value | None:
        """``x.start()``, where x may have a method of its own to run."""
        raise NotImplementedError

    def fork(self, node: ast.Call) -> f.Value | None:
        """``os.fork()``."""
        raise NotImplementedError

    def called_back(self, name: str, node: ast.Call) -> f.Value | None:
        """``future.add_done_callback(f)``."""
        raise NotImplementedError

    def logged(self, node: ast.Call) -> f.Value | None:
        """``log.info(...)``, and ``log.addHandler(x)``."""
        raise NotImplementedError

    def at_fork(self, node: ast.Call) -> f.Value | None:
        """``os.register_at_fork(before=f)``."""
        raise NotImplementedError

    def run(self, node: ast.Call) -> f.Value | None:
        """A coroutine runs to its end."""
        raise NotImplementedError

    def tasks(self, nodes: Sequence[ast.expr]) -> f.Value:
        """Coroutines run beside this function."""
        raise NotImplementedError

    def spawn(
        self, function: Function, base: f.Value | None, args: list[f.Value], line: int, column: int
    ) -> f.Value:
        """A coroutine that nobody awaits here."""
        raise NotImplementedError

    def _value_call(self, node: ast.Call) -> f.Value | None:
        return self.call(node)

    def call(self, node: ast.Call, runs: bool = False) -> f.Value | None:
        """A call; *runs*: of an ``async def`` that is awaited at once."""
        self.all += 1
        kinds = self.kinds(node.func)
        if isinstance(node.func, ast.Attribute):
            found = self._of_container(node, self.kinds(node.func.value))
            if found is not None:
                self.seen += 1
                return found
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            self.seen += 1
            return f.This()
        if isinstance(node.func, ast.Name) and node.func.id in _DUNDERS and node.args:
            found_methods = self._methods(node.args[0], _DUNDERS[node.func.id])
            if found_methods:
                self.seen += 1
                return self._call_each(
                    found_methods, node.args[0], [], node.lineno, node.col_offset
                )
        ways: list[Calls[[], f.Value | None]] = []
        for kind in kinds:
            way = self._way(kind, node, runs)
            if way is not None:
                ways.append(way)
        if ways:
            self.seen += 1
            return self._either(ways, node)
        if self.tables.foreign.knows(node.func, self.unit):
            self.seen += 1  # a library's, which does nothing to locks that is known
        return self._unknown(node)

    def _either(self, ways: Sequence[Calls[[], f.Value | None]], node: ast.expr) -> f.Value | None:
        """One of several things happens, and nothing says which."""
        if len(ways) == 1:
            return ways[0]()
        place = f.Var(self.tables.temporary(self.unit, self.kinds(node), self._fresh()))
        cases = []
        for way in ways:

            def one(way: Calls[[], f.Value | None] = way) -> None:
                value = way()
                if value is not None and value != UNKNOWN:
                    self.out.append(f.Assign(place, value, node.lineno))
                self.out.append(f.Break())

            cases.append(self.collect(one))
        self.out.append(f.Switch(cases, total=True))
        return place

    def _way(self, kind: Kind, node: ast.Call, runs: bool) -> Calls[[], f.Value | None] | None:
        """How one kind of value is called."""
        line, column = node.lineno, node.col_offset
        if isinstance(kind, ClassItself):
            return lambda: self._construct(kind.cls, node)
        if isinstance(kind, Callable) and self._is_kept(kind, node.func):
            # A variable or an attribute has it, with the object that it was put there with.
            def kept() -> f.Value | None:
                target = self.value(node.func)
                args = self._arguments(kind.function, node)
                return self._target(target, args, line, column)

            return kept
        if isinstance(kind, Callable):
            function = kind.function

            def plain() -> f.Value | None:
                base: f.Value | None = None
                args = self._arguments(function, node, 1 if kind.plain else 0)
                if function.has_self:
                    base = (
                        self.value(node.args[0]) if kind.plain and node.args else self._object(node)
                    )
                if function.is_async and not runs and not function.yields:
                    return self.spawn(function, base, args, line, column)
                directly = kind.plain or self._is_super(node.func)
                return self._direct(function, base, args, line, column, directly)

            return plain
        if isinstance(kind, OfClass):
            method = kind.cls.method("__call__")
            if method is None:
                return None
            return lambda: self._direct(
                method, self.value(node.func), self._arguments(method, node), line, column
            )
        if isinstance(kind, Partial):
            usr = self.tables.partial(kind.node)
            return (lambda: self._target(f.Closure(usr), [], line, column)) if usr else None
        if isinstance(kind, Path):
            return self._library_way(kind.path, node, runs)
        return None

    def _is_kept(self, kind: Callable, func: ast.expr) -> bool:
        """Whether what is called is no definition by its name, but a value that is kept."""
        if isinstance(func, ast.Name):
            return not self.tables.is_function(self.unit, func.id)
        if isinstance(func, ast.Attribute):
            return all(
                not isinstance(k, OfClass | ClassItself | Super) or k.cls.method(func.attr) is None
                for k in self.kinds(func.value)
            ) and any(isinstance(k, OfClass) for k in self.kinds(func.value))
        return isinstance(func, ast.Subscript) and kind.of is not None

    def _library_way(
        self, path: str, node: ast.Call, runs: bool
    ) -> Calls[[], f.Value | None] | None:
        library = self.types.library
        starts = library.starters.get(path)
        made = library.makers.get(path)
        if path == "functools.partial":
            return lambda: self.make_partial(node)
        if path.rpartition(".")[2] == "enter_context" and node.args:
            return lambda: self.entered(node)
        if starts is not None:
            return lambda: self.start(path, node)
        if path in library.runners:
            return lambda: self.run_own(path, node)
        if path in library.forks.calls:
            return lambda: self.fork(node)
        if path in library.handlers.registers or path in library.handlers.calls:
            return lambda: self.logged(node)
        if path in library.forks.hooks:
            return lambda: self.at_fork(node)
        if path in library.coroutines.together:
            return lambda: self.tasks(node.args)
        if path in library.coroutines.run and node.args:
            inner = node.args[0]
            if isinstance(inner, ast.Call):
                return lambda: self.run(inner)
        if made:
            return lambda: self._library_object(made, node, path)
        if path in library.coroutines.methods and not runs:
            return lambda: self.unstarted(node)
        if self.tables.is_known(path):
            return lambda: self._library_call(path, node)
        return None

    def unstarted(self, node: ast.Call) -> f.Value:
        """A coroutine that is made here, and does nothing yet: only what it is given."""
        self.evaluated(node)
        return UNKNOWN

    def _library_object(self, made: str, node: ast.Call, path: str = "") -> f.Value:
        self.evaluated(node)
        name = made.replace(".", "::")
        line, column = node.lineno, node.col_offset
        value = f.Made(self._make(name, "", [], line, column, heap=True))
        if path in self.types.library.forks.pools and self.tables.forks.copies(node, self.unit):
            for task in self.tables.pools.tasks_of(node):
                self._named("python::fork", None, [reference(task)], line, column)
        return value

    def _library_call(self, path: str, node: ast.Call) -> f.Value | None:
        """A method or function of Python's library."""
        base: f.Value | None = None
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        type_ = path.rpartition(".")[0]
        lock: f.Value | None = None
        if owner is not None and type_ in self.types.library.makes:
            base = (
                self.lock(owner) if path.endswith((".acquire", ".release")) else self.value(owner)
            )
            if type_ in self.types.library.conditions.names:
                lock = self.lock(owner)
        args = self.evaluated(node)[: len(node.args)]
        name = self._variant(path, node, owner)
        method = path.rpartition(".")[2]
        if lock is not None and method in ("wait", "wait_for"):
            args = [lock]
        elif lock is not None and method in ("acquire", "release") and base is not None:
            of = self.tables.lock_type(self, owner) if owner is not None else ""
            name = f"{of or type_}.{method}" if name == path else name
        if name.replace(".", "::") in self.tables.knowledge.perhaps:
            return self.called_back(name.replace(".", "::"), node)
        found = self._named(name.replace(".", "::"), base, args, node.lineno, node.col_offset)
        if path in self.types.library.passes.calls and args:
            return args[0]
        if name.endswith(".acquire"):
            return f.Lit("true")  # whoever waits for it without a limit has it afterwards
        return found

    def _variant(self, path: str, node: ast.Call, owner: ast.expr | None) -> str:
        """The name of the call with its limits: `acquire_for`, `get_limited`, `put_bounded`."""
        library = self.types.library
        limits = library.limited.get(path)
        type_, _, method = path.rpartition(".")
        if limits is not None:
            flag = None
            for name in limits.flag:
                flag = flag or argument(node, name, limits.flag_number)
            timeout = (
                argument(node, limits.timeout, limits.timeout_number) if limits.timeout else None
            )
            endless = isinstance(timeout, ast.Constant) and timeout.value is None
            if isinstance(timeout, ast.UnaryOp):
                endless = True  # acquire(timeout=-1) has no limit
            if flag is not None and not (isinstance(flag, ast.Constant) and flag.value is True):
                return f"{type_}.try_{method}" if method == "acquire" else f"{path}_nowait"
            if timeout is not None and not endless:
                return f"{path}_for" if method == "acquire" else f"{path}_limited"
        waits = type_ in library.bounded.names and method in library.bounded.waits
        if waits and owner is not None and self.tables.is_bounded(self, owner):
            return f"{path}_bounded"
        return path

    def _of_container(self, node: ast.Call, kinds: Sequence[Kind]) -> f.Value | None:
        """Methods of lists and dictionaries, on their elements."""
        if not isinstance(node.func, ast.Attribute) or not any(
            isinstance(k, Container) for k in kinds
        ):
            return None
        method, line = node.func.attr, node.lineno
        base = self.value(node.func.value)
        args = self.evaluated(node)[: len(node.args)]
        if method in ("append", "add", "appendleft", "insert", "setdefault") and args:
            value = args[-1]
            if value != UNKNOWN:
                self.out.append(f.Assign(f.Elem(base), value, line))
            return f.Elem(base) if method == "setdefault" else UNKNOWN
        if method in ("pop", "popleft", "get"):
            index = args[0] if args and isinstance(args[0], f.Lit | f.Var) else None
            return f.Elem(base, index if index != UNKNOWN else None)
        if method in ("values", "copy", "items", "keys"):
            return base
        if method in ("extend", "update") and args and args[0] != UNKNOWN:
            self.out.append(f.Assign(f.Elem(base), f.Elem(args[0]), line))
        return UNKNOWN

    def _construct(self, cls: Class, node: ast.Call) -> f.Value:
        begin = cls.method("__init__")
        line, column = node.lineno, node.col_offset
        if begin is not None:
            args = self._arguments(begin, node)
            number = self._make(cls.name, begin.usr, args, line, column, heap=True)
        else:
            values = {
                name: self.value(value)
                for name, value in zip(field_names(cls), node.args, strict=False)
            }
            for each in node.keywords:
                found = self.value(each.value)
                if each.arg:
                    values[each.arg] = found
            number = self._make(cls.name, "", [], line, column, heap=True)
            for name, value in values.items():
                if value != UNKNOWN and self.types.has_attribute(cls, name):
                    place = f.Field(f.Made(number), self.tables.field(cls, name))
                    self.out.append(f.Assign(place, value, line))
        return f.Made(number)

    def _is_super(self, func: ast.expr) -> bool:
        return isinstance(func, ast.Attribute) and any(
            isinstance(k, Super) for k in self.kinds(func.value)
        )

    def _object(self, node: ast.Call) -> f.Value | None:
        """The object of a method call."""
        func = node.func
        if isinstance(func, ast.Attribute):
            return f.This() if self._is_super(func) else self.value(func.value)
        found = self.value(func)
        return found.base if isinstance(found, f.Fn) else None

    def _arguments(self, function: Function, node: ast.Call, skip: int = 0) -> list[f.Value]:
        """A value for each parameter; those of other arguments are evaluated as well."""
        given = dict(matched(function, node, skip))
        used = {id(v) for v in given.values()}
        values: dict[str, f.Value] = {}
        names = {id(v): name for name, v in given.items()}
        for each in (*node.args[skip:], *(k.value for k in node.keywords)):
            value = self.value(each.value if isinstance(each, ast.Starred) else each)
            if id(each) in used:
                values[names[id(each)]] = value
        return [
            values[p.arg] if p.arg in values else self.default(function, p)
            for p in function.parameters
        ]

    def _unknown(self, node: ast.Call) -> f.Value | None:
        """A call of which nothing is known: what its parts do, and callables that it is given."""
        target: f.Value | None = None
        if isinstance(node.func, ast.Name):
            usr = self.tables.variable(self.unit, node.func.id)
            target = f.Var(usr) if usr else None
        elif isinstance(node.func, ast.Attribute):
            found = self._member(node.func)
            target = found if isinstance(found, f.Field | f.Var) else None
        elif isinstance(node.func, ast.expr):
            found = self.value(node.func)
            target = found if isinstance(found, f.Elem | f.Result) else None
        args = self.evaluated(node)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in _CONSUMERS or (isinstance(node.func, ast.Name) and node.func.id in _CONSUMERS):
            for given, value in zip(node.args, args, strict=False):
                self.consumed(given, value)
        if target is not None and self.tables.may_be_called(self, node.func):
            return self._target(target, args, node.lineno, node.col_offset)
        callables = [a for a in args if isinstance(a, f.Fn | f.Closure)]
        if callables and isinstance(node.func, ast.Name) and node.func.id in _CALLERS:
            name = f"python.{node.func.id}"
            return self._named(name, None, args, node.lineno, node.col_offset)
        for each in callables:  # a method of nobody knows what keeps it for later
            self.out.append(f.Assign(f.Var(self.tables.kept()), each, node.lineno))
        return UNKNOWN
