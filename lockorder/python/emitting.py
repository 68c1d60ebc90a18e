"""What the emitters of facts have in common: blocks, branches, loops, and calls of what is known.

A value is emitted where it is computed, so that events stand in the order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Callable as Calls
from collections.abc import Iterable, Sequence

import msgspec

from lockorder.python.infer import Types
from lockorder.python.keys import Unit
from lockorder.python.kinds import (
    Kind,
    OfClass,
    OfLibrary,
)
from lockorder.python.matching import given_in
from lockorder.python.scopes import Function
from lockorder.python.tables import Tables
from lockorder.static.parse import facts as f

#: A value of which nothing is known.
UNKNOWN = f.Lit("")
#: The guard that ``with`` makes of a lock.
WITH = "python::With"


class Finaliser(msgspec.Struct):
    """What runs when a block is left: *emit*; *loop* marks where loops begin."""

    emit: Calls[[], object] | None = None
    loop: bool = False


class Emitting:
    """Turns the body of one function, or of a module, into facts."""

    def __init__(self, tables: Tables, unit: Unit, function: Function | None) -> None:
        self.tables = tables
        self.types: Types = tables.types
        self.unit = unit
        self.function = function
        self.out: list[f.Stmt] = []
        self.calls = 0
        self.makes = 0
        self.seen = 0
        self.all = 0
        self.finalisers: list[Finaliser] = []
        self.temporary = 0
        #: by its first statement: a branch that only a copy of the process takes
        self.elsewhere: set[int] = set()
        #: the variable of the callable that a ``yield`` runs
        self.hook = ""

    def block(self, body: Iterable[ast.stmt], end: int = 0) -> f.Block:
        """A list of statements."""
        return self.collect(lambda: self.statements(body), end)

    def collect(self, work: Calls[[], object], end: int = 0) -> f.Block:
        """What *work* emits, as a block."""
        kept, self.out = self.out, []
        work()
        found, self.out = self.out, kept
        return f.Block(found, end)

    def statements(self, body: Iterable[ast.stmt]) -> None:
        """One statement after the other."""
        for each in body:
            if id(each) in self.elsewhere:
                return
            self.statement(each)

    def store(self, target: ast.expr, value: f.Value, line: int) -> None:
        """Put *value* into a place, or its parts into several."""
        raise NotImplementedError

    def default(self, function: Function, parameter: ast.arg) -> f.Value:
        """What a parameter is where nothing is given for it."""
        value = function.defaults.get(parameter.arg)
        return literal(value.value) if isinstance(value, ast.Constant) else UNKNOWN

    def evaluated(self, node: ast.Call) -> list[f.Value]:
        """The values of all arguments of a call."""
        return [self.value(each) for each in given_in(node)]

    def inner(
        self, usr: str, work: Calls[[], object], line: int, parameters: Sequence[str] = ()
    ) -> f.Value:
        """A function of its own that does what *work* emits: what is left there is left in it."""
        kept, self.finalisers = self.finalisers, []
        block = self.collect(work)
        self.finalisers = kept
        self.tables.add_lambda(self, usr, block, line, parameters)
        return f.Closure(usr)

    def rounds(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        body: Calls[[], object],
    ) -> None:
        """The loops of a comprehension, around *body*."""

        def inside(number: int) -> None:
            if number == len(node.generators):
                body()
                return
            each = node.generators[number]

            def one() -> None:
                for test in each.ifs:
                    self.value(test)
                inside(number + 1)

            self.loop(each.target, each.iter, one, node.lineno)

        inside(0)

    def statement(self, node: ast.stmt) -> None:
        handler = getattr(self, f"_{type(node).__name__.lower()}", None)
        if handler is not None:
            handler(node)

    def _unwind(self, down_to: int) -> None:
        """Run what blocks have for their ends, from the inner one out."""
        kept = self.finalisers
        for number in range(len(kept) - 1, down_to - 1, -1):
            each = kept[number]
            if each.emit is not None:
                self.finalisers = kept[:number]
                each.emit()
        self.finalisers = kept

    def _loop_depth(self) -> int:
        return next(
            (n + 1 for n in range(len(self.finalisers) - 1, -1, -1) if self.finalisers[n].loop), 0
        )

    def branch(
        self,
        test: ast.expr,
        then: Calls[[], object],
        orelse: Calls[[], object] | None,
    ) -> None:
        """Two ways on, by a condition whose parts are evaluated one after the other.

        Where a part tries to take a lock, each part is a branch of its own: what comes after it is
        written down once for each.
        """
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and tries(test.operand):
            self.branch(test.operand, orelse or (lambda: None), then)
            return
        if isinstance(test, ast.BoolOp) and tries(test):
            first, rest = test.values[0], test.values[1:]
            others = rest[0] if len(rest) == 1 else ast.BoolOp(test.op, rest)
            if isinstance(test.op, ast.And):
                self.branch(first, lambda: self.branch(others, then, orelse), orelse)
            else:
                self.branch(first, then, lambda: self.branch(others, then, orelse))
            return
        cond = known(self.value(test))
        first_block = self.collect(then)
        second = self.collect(orelse) if orelse is not None else None
        self.out.append(f.If(cond, first_block, second))

    def loop(self, target: ast.expr, over: ast.expr, body: Calls[[], object], line: int) -> None:
        """``for target in over``."""
        each, source = self._iterated(target, over)
        methods = self._methods(over, "__iter__")
        if methods:
            self._call_each(methods, over, [], line, over.col_offset)
        usr = ""
        self.finalisers.append(Finaliser(loop=True))
        if isinstance(each, ast.Name):
            usr = self.tables.variable(self.unit, each.id) or ""

        def inner() -> None:
            for method in ("__next__", "__anext__"):
                steps = self._methods(over, method)
                if steps:
                    self._call_each(steps, over, [], line, over.col_offset)
            if source is not None and each is not None:
                if usr:
                    self.out.append(f.Local(usr, f.Elem(source), line))
                else:
                    self.store(each, f.Elem(source), line)
            body()

        block = self.collect(inner)
        self.finalisers.pop()
        self.out.append(f.Loop(f.Block([]), None, block, f.Block([]), line=line, each=usr))

    def _iterated(self, target: ast.expr, over: ast.expr) -> tuple[ast.expr | None, f.Value | None]:
        """The variable that stands for elements, and of what: through enumerate, items, list."""
        if isinstance(over, ast.Call):
            name = over.func.id if isinstance(over.func, ast.Name) else ""
            method = over.func.attr if isinstance(over.func, ast.Attribute) else ""
            pair = isinstance(target, ast.Tuple | ast.List) and len(target.elts) == 2
            if name == "enumerate" and over.args and pair:
                return self._iterated(target.elts[1], over.args[0])  # type: ignore[attr-defined]
            if name in ("list", "tuple", "sorted", "reversed", "iter", "set") and over.args:
                return self._iterated(target, over.args[0])
            if isinstance(over.func, ast.Attribute):
                if method == "items" and pair:
                    return target.elts[1], self.value(over.func.value)  # type: ignore[attr-defined]
                if method in ("values", "copy"):
                    return target, self.value(over.func.value)
        value = self.value(over)
        self.consumed(over, value)
        return target, value

    def consumed(self, node: ast.expr, value: f.Value) -> None:
        """All elements of *node* are asked for: some objects wait for each."""
        elements = self.types.library.elements
        for kind in self.kinds(node):
            if isinstance(kind, OfLibrary) and kind.type in elements.names:
                name = f"{kind.type}.{elements.wait}".replace(".", "::")
                self._named(name, value, [], node.lineno, node.col_offset)

    def _around(self, leave: Calls[[], object], inside: Calls[[], object], line: int) -> None:
        """*inside*, and then *leave*, on whichever way it ends."""
        self.finalisers.append(Finaliser(emit=leave))
        block = self.collect(inside)
        self.finalisers.pop()
        again = self.collect(leave)
        again.body.append(f.Throw(line))
        self.out.append(f.Try(block, [again]))
        leave()

    def kinds(self, node: ast.expr) -> list[Kind]:
        """Everything that an expression can be, in an order that is the same in every run."""
        return self.types.in_order(node, self.unit)

    def value(self, node: ast.expr) -> f.Value:
        """Emit what an expression does; the value that it denotes."""
        handler = getattr(self, f"_value_{type(node).__name__.lower()}", None)
        if handler is not None:
            found = handler(node)
            return found if found is not None else UNKNOWN
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return UNKNOWN

    def suspend(self, line: int, column: int = 0) -> None:
        """The thread goes on with other tasks."""
        self._named("asyncio::await", None, [], line, column)

    def _direct(
        self,
        function: Function,
        base: f.Value | None,
        args: list[f.Value],
        line: int,
        column: int,
        directly: bool = False,
    ) -> f.Value:
        """A call of a function of the program; *directly*: of this version of it."""
        virtual = function.cls is not None and not directly and self.tables.is_overridden(function)
        return self._target(reference(function, base), args, line, column, virtual)

    def _target(
        self, target: f.Value, args: list[f.Value], line: int, column: int, virtual: bool = False
    ) -> f.Value:
        self.calls += 1
        number = self.calls - 1
        self.out.append(f.Call(number, target, args, line, column, virtual))
        return f.Result(number)

    def _named(
        self, name: str, base: f.Value | None, args: list[f.Value], line: int, column: int
    ) -> f.Value | None:
        """A call of a library's function."""
        usr = self.tables.outside(name, len(args))
        return self._target(f.Fn(usr, base), args, line, column)

    def _methods(self, node: ast.expr, name: str) -> list[Function]:
        """Methods of that name of the objects that an expression can be."""
        found = [k.cls.method(name) for k in self.kinds(node) if isinstance(k, OfClass)]
        return list(dict.fromkeys(m for m in found if m is not None))

    def _results(
        self, methods: Sequence[Function], base: f.Value, line: int, column: int
    ) -> f.Value | None:
        """Call each of some methods without arguments; what the last one gives."""
        found: f.Value | None = None
        for method in methods:
            args = [self.default(method, p) for p in method.parameters]
            found = self._direct(method, base, args, line, column)
        return found

    def shown(self, node: ast.expr, names: Sequence[str] = ("__str__", "__repr__")) -> None:
        """A value is made a text: by the first of some methods that its class has."""
        for kind in self.kinds(node):
            if isinstance(kind, OfClass):
                found = [m for m in map(kind.cls.method, names) if m is not None]
                self._results(found[:1], self.value(node), node.lineno, node.col_offset)

    def _call_each(
        self,
        methods: Sequence[Function],
        owner: ast.expr,
        args: Sequence[ast.expr],
        line: int,
        column: int,
    ) -> f.Value | None:
        base = self.value(owner)
        values = [self.value(a) for a in args]
        found: f.Value | None = None
        for method in methods:
            given = values[: len(method.parameters)]
            given += [UNKNOWN] * (len(method.parameters) - len(given))
            found = self._direct(method, base, given, line, column)
        return found

    def _make(
        self,
        type_: str,
        ctor: str,
        args: list[f.Value],
        line: int,
        column: int,
        heap: bool = False,
    ) -> int:
        self.makes += 1
        ctor = ctor or self.tables.outside(f"{type_}::{type_.rpartition('::')[2]}", len(args))
        number = self.makes - 1
        self.out.append(f.Make(number, type_, ctor, args, line, column, heap))
        return number

    def _fresh(self) -> int:
        self.temporary += 1
        return self.temporary


def literal(value: object) -> f.Value:
    """A constant as conditions know it."""
    if value is True:
        return f.Lit("true")
    if value is False:
        return f.Lit("false")
    if value is None:
        return f.Lit("nullptr")
    if isinstance(value, int):
        return f.Lit(str(value))
    if isinstance(value, str):
        return f.Lit(f'"{value}"')
    return UNKNOWN


def known(value: f.Value) -> f.Value | None:
    """A condition, where anything is known of it."""
    return value if value != UNKNOWN else None


def reference(function: Function, base: f.Value | None = None) -> f.Value:
    """A function as a value, with the object that it is bound to."""
    return f.Closure(function.usr) if function.is_inner else f.Fn(function.usr, base)


def tries(node: ast.expr) -> bool:
    """Whether a lock may be taken in a condition."""
    return any(isinstance(n, ast.Attribute) and n.attr == "acquire" for n in ast.walk(node))


def has_calls(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Call | ast.Await | ast.Yield) for n in ast.walk(node))
