"""What statements do."""

from __future__ import annotations

import ast
import functools
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from lockorder.ranks import conditions
from lockorder.ranks.calls import _TRAITS, KEPT, Calls, generates
from lockorder.ranks.conditions import Condition
from lockorder.ranks.effects import Attempt, Loop, Scope, acts, matters, raises
from lockorder.ranks.expressions import LEAST, NO_VALUE, written
from lockorder.ranks.machine import MISSING, Key, Pointer, StepsSpentError, changed_by, leaves
from lockorder.ranks.values import (
    CAUGHT,
    COUNT,
    LOCAL,
    NONE,
    Class,
    Comm,
    Const,
    Deps,
    Function,
    Module,
    Obj,
    Received,
    Request,
    Rows,
    Tup,
    Unknown,
    Value,
    depends,
    differs,
    lasting,
    named,
    of_rank,
    same,
)

#: Rounds of a loop that are run one by one where what they run over is known.
UNROLLED = 24
#: The same, where each round says whether there is another one.
_ROUNDS = 64
#: Exceptions that all ranks have, or none: of what is installed and of how a program is written.
_COMMON = frozenset(
    [
        "ImportError",
        "ModuleNotFoundError",
        "AttributeError",
        "KeyboardInterrupt",
        "StopIteration",
        "NameError",
        "NotImplementedError",
        "KeyError",
        "AssertionError",
        "TypeError",
        "SystemExit",
        "GeneratorExit",
        "TypeError",
        "StopAsyncIteration",
    ]
)
#: Exceptions that say something of data: of the same data all ranks have them, or none.
_OF_DATA = frozenset(
    [
        "ValueError",
        "LookupError",
        "IndexError",
        "ArithmeticError",
        "OverflowError",
        "ZeroDivisionError",
        "FloatingPointError",
        "UnicodeError",
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "JSONDecodeError",
    ]
)


class Statements(Calls):
    """What statements do."""

    def block(self, body: Sequence[ast.stmt]) -> bool:
        """Run statements in order; whether the end is reached."""
        return all(self.run_statement(node) for node in body)

    def run_statement(self, node: ast.stmt) -> bool:
        """Run one; whether what comes next is reached."""
        self.step()
        self.top.line = node.lineno
        method = getattr(self, "_do_" + type(node).__name__, None)
        if method is None:
            return True
        alive: bool = method(node)
        return alive

    # -- simple ones ------------------------------------------------------------------------------

    def _do_Expr(self, node: ast.Expr) -> bool:
        self.ended = False
        self.eval(node.value)
        return not self._has_ended()

    def _has_ended(self) -> bool:
        ended, self.ended = self.ended, False
        return ended

    ended = False

    def _do_Assign(self, node: ast.Assign) -> bool:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value)
        return True

    def _do_AnnAssign(self, node: ast.AnnAssign) -> bool:
        if node.value is not None:
            maker = _default_maker(node.value) if self.owners else None
            if maker is not None and isinstance(node.target, ast.Name):
                self.set(self.place(f"{node.target.id}()"), self.eval(maker))
            usual = _keyword(node.value, ("default",)) if self.owners else None
            value = self.eval(usual if usual is not None else node.value)
            if isinstance(value, Unknown) and not value.path:
                typed = self.annotated(node.annotation)
                if typed:
                    value = Unknown(value.name, value.deps, typed, value.base)
            self.assign(node.target, value)
        return True

    def _do_AugAssign(self, node: ast.AugAssign) -> bool:
        load = _loaded(node.target)
        old = self.eval(load)
        value = self.eval(node.value)
        if isinstance(old, Obj) and old.kind == "list" and isinstance(node.op, ast.Add):
            self.extend(old, value)
            return True
        self.assign(node.target, self.binary(type(node.op), old, value, self.site(node)))
        return True

    def _do_Return(self, node: ast.Return) -> bool:
        value = self.eval(node.value) if node.value is not None else NO_VALUE
        label = self.returning[-1] if self.returning else 0
        if label:
            self.set((label, "return"), self.under(value, "return"))
            self.top.returns.append(value)
        self.leave("return", label)
        return False

    def _do_Raise(self, node: ast.Raise) -> bool:
        if node.exc is not None:
            self.eval(node.exc)
            if "SystemExit" in written(node.exc):
                code = (
                    node.exc.args[0] if isinstance(node.exc, ast.Call) and node.exc.args else None
                )
                zero = code is None or (isinstance(code, ast.Constant) and not code.value)
                self.leave("end" if zero else "fail")
                return False
        self.leave("raise")
        return False

    def _do_Assert(self, node: ast.Assert) -> bool:
        condition, _ = self.condition(node.test)
        if self.defaults and condition.kind == "const" and not condition.truth:
            # Else it is seen what the program does in a job of another size.
            self.leave("raise")
            return False
        return True

    def _do_Break(self, node: ast.Break) -> bool:
        self.leave("break", self.breaking[-1] if self.breaking else 0)
        return False

    def _do_Continue(self, node: ast.Continue) -> bool:
        self.leave("continue", self.continuing[-1] if self.continuing else 0)
        return False

    breaking: list[int]
    continuing: list[int]

    def _do_Global(self, node: ast.Global) -> bool:
        self.top.globals.update(node.names)
        return True

    def _do_Nonlocal(self, node: ast.Nonlocal) -> bool:
        self.top.nonlocals.update(node.names)
        return True

    def _do_Delete(self, node: ast.Delete) -> bool:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.set(self.place(target.id), MISSING)
        return True

    # -- definitions ------------------------------------------------------------------------------

    def _do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        owner = self.owners[-1] if self.owners else None
        prefix = f"{owner.name}." if isinstance(owner, Class) else ""
        traits: set[str] = set()
        others: list[Value] = []
        only = ""
        for decorator in node.decorator_list:
            text = written(decorator).partition("(")[0]
            if text in _TRAITS:
                traits.update(_TRAITS[text].split())
            elif text.endswith((".setter", ".deleter", ".getter")):
                return True
            else:
                value = self.eval(decorator)
                self.decorated(node, value)
                path = value.path if isinstance(value, Unknown) else ""
                told = self.known.find(path.removesuffix("()")) if path else None
                if told is not None and told.only:
                    only = told.only
                elif told is not None and told.gives == "together":
                    traits.add("together")
                elif path in _TRAITS:
                    traits.update(_TRAITS[path].split())
                else:
                    others.append(value)
        around = self._around() if self.owners else self.top
        source = getattr(node, "source", self.top.source)
        found: Value = Function(
            node, source, prefix + node.name, around, None, owner, frozenset(traits), only
        )
        for value in reversed(others):
            if isinstance(value, Function | Class):
                made = self.call(value, [found], {}, None)
                if isinstance(made, Function):
                    found = Function(
                        made.node, made.module, made.name, made.frame, made.bound, owner,
                        made.traits | frozenset(traits), made.only,
                    )  # fmt: skip
        self.set(self.place(node.name), found)
        return True

    _do_AsyncFunctionDef = _do_FunctionDef

    def decorated(self, node: ast.AST, decorator: Value) -> None:
        """Note what a decorator says of a function's parameters."""

    def _around(self) -> Any:
        here = self.top
        return here.parent if here.parent is not None else here

    def _do_ClassDef(self, node: ast.ClassDef) -> bool:
        bases = tuple(self.eval(b) for b in node.bases)
        outer = self.owners[-1].name + "." if self.owners else ""
        module = self.top.source.name
        number = self.number()
        found = Class(node, self.top.source, f"{outer}{node.name}", bases, self.top, number)
        self.classes[number] = found
        self.set(self.place(node.name), found)
        from lockorder.ranks.machine import Activation  # noqa: PLC0415

        frame = Activation(
            number, f"{module}.{node.name}", self.top.source, self.top, node.lineno,
            globals=set(), nonlocals=set(), returns=[], aliases={}, shown=False,
        )  # fmt: skip
        self.stack.append(frame)
        self.owners.append(found)
        try:
            self.block(node.body)
        finally:
            self.owners.pop()
            self.stack.pop()
        return True

    # -- imports ----------------------------------------------------------------------------------

    def _do_Import(self, node: ast.Import) -> bool:
        for alias in node.names:
            found = self._own(alias.name, self.program.find(alias.name, self.top.source))
            if alias.asname or "." not in alias.name:
                value = self._imported(alias.name, found)
                self.set(self.place(alias.asname or alias.name), value)
                continue
            head = alias.name.partition(".")[0]
            first = self._own(head, self.program.find(head, self.top.source))
            self.set(self.place(head), self._imported(head, first))
        return True

    def _imported(self, name: str, found: Any) -> Value:
        if found is None:
            return Unknown(name, path=name)
        self.load(found)
        return Module(found)

    def _do_ImportFrom(self, node: ast.ImportFrom) -> bool:
        name = self._absolute(node)
        folder = self._folder(node)
        found = self._own(name, self.program.find(name, self.top.source)) if name else None
        if folder:
            found = self.program.at(folder, node.module or "") or found
        if found is not None:
            self.load(found)
        for alias in node.names:
            target = alias.asname or alias.name
            if alias.name == "*":
                self._import_all(found)
                continue
            if found is not None:
                value = self.get((found.number, alias.name))
                inner = self.program.by_name.get(f"{found.name}.{alias.name}")
                if inner is None:
                    inner = self.program.find(f"{name}.{alias.name}", self.top.source)
                if value is None and inner is not None:
                    self.load(inner)
                    value = Module(inner)
                if value is None:
                    value = Unknown(f"{name}.{alias.name}", path=f"{name}.{alias.name}")
            else:
                inner = self.program.find(f"{name}.{alias.name}", self.top.source) if name else None
                inner = self._own(name, inner)
                if folder:
                    inside = f"{node.module}.{alias.name}" if node.module else alias.name
                    inner = self.program.at(folder, inside) or inner
                path = f"{name}.{alias.name}"
                value = self.told(path, None)
                if value is None:
                    value = Module(inner) if inner is not None else Unknown(path, path=path)
                if inner is not None:
                    self.load(inner)
            self.set(self.place(target), value)
        return True

    def _import_all(self, found: Any) -> None:
        if found is None:
            return
        for name, value in self.parts(found.number):
            if not name.startswith("_"):
                self.set(self.place(name), value)

    def _own(self, name: str, found: Any) -> Any:
        """A module of the program, but for a declared library that is used from outside of it."""
        root = name.partition(".")[0]
        if found is None or root not in self.known.libraries:
            return found
        own = self.top.source.name.partition(".")[0]
        return found if own == root else None

    def _folder(self, node: ast.ImportFrom) -> str:
        """The folder that a relative import begins at."""
        if not node.level:
            return ""
        folder = os.path.dirname(self.top.source.file)
        for _ in range(node.level - 1):
            folder = os.path.dirname(folder)
        return folder

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        source = self.top.source
        parts = source.name.split(".")
        parts = parts[: len(parts) - node.level + (1 if source.package else 0)]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def load(self, source: Any) -> None:
        """Run a module's own statements, once for each rank."""
        if source.number in self.loaded:
            return
        self.loaded.add(source.number)
        from lockorder.ranks.machine import Activation  # noqa: PLC0415

        frame = Activation(
            source.number, source.name, source, None, 1,
            globals=set(), nonlocals=set(), returns=[], aliases={},
        )  # fmt: skip
        kept = (
            self.journals, self.out, self.control, self.loops, self.tries, self.owners,
            self.breaking, self.continuing, self.returning, self.stack, self.steps,
            self.path, self.held, self.ducks, self.limit, self.dry, self.unrolled, self.acting,
            self.data_tries,
        )  # fmt: skip
        # What a module defines must not depend on who imports it first.
        self.path, self.held, self.ducks, self.limit = [], [], {}, self.STEPS
        self.dry, self.unrolled, self.acting, self.data_tries = 0, 1, [], 0
        self.journals, self.out, self.control, self.loops, self.tries = [], [], [], [], 0
        self.owners, self.breaking, self.continuing, self.returning = [], [], [], []
        self.stack = [frame]
        self.steps = 0
        self.set((source.number, "__name__"), Const(source.name))
        self.set((source.number, "__file__"), Const(source.file))
        try:
            self.defined(source.tree.body)
        except StepsSpentError:
            self.spent = True
        finally:
            (
                self.journals, self.out, self.control, self.loops, self.tries, self.owners,
                self.breaking, self.continuing, self.returning, self.stack, steps,
                self.path, self.held, self.ducks, self.limit, self.dry, self.unrolled, self.acting,
                self.data_tries,
            ) = kept  # fmt: skip
            self.steps = steps

    loaded: set[int]

    def defined(self, body: Sequence[ast.stmt]) -> None:
        """What a module defines, without what it does besides."""
        for node in body:
            if isinstance(node, ast.If):
                if _asks_for_main(node.test):
                    continue
                condition, deps = self.condition(node.test)
                if condition.kind == "const":
                    self.defined(node.body if condition.truth else node.orelse)
                else:
                    self.branch(
                        condition, deps, written(node.test),
                        functools.partial(self._defines, node.body),
                        functools.partial(self._defines, node.orelse),
                    )  # fmt: skip
            elif isinstance(node, ast.Try):
                self.defined(node.body)
            elif not isinstance(node, ast.For | ast.While | ast.With | ast.Expr | ast.AsyncFor):
                self.run_statement(node)

    def _defines(self, body: Sequence[ast.stmt]) -> bool:
        self.defined(body)
        return True

    # -- branches ---------------------------------------------------------------------------------

    def _do_If(self, node: ast.If) -> bool:
        if _asks_for_main(node.test):
            return self.block(node.body if self.as_main(self.top.source) else node.orelse)
        if _type_checking(node.test):
            return self.block(node.body)
        condition, deps = self.condition(node.test)
        alive = self.branch(
            condition, deps, written(node.test),
            lambda: self.block(node.body), lambda: self.block(node.orelse),
        )  # fmt: skip
        if condition.kind == "const" and differs(deps):
            self._touch(changed_by(node), deps)
            left = node.orelse if condition.truth else node.body
            how = leaves(left)
            if how:
                self.part(deps, how)
        return alive

    def _touch(self, targets: Sequence[ast.expr], deps: Deps) -> None:
        """Names that one arm gives a value depend on which arm it was."""
        self.control.append(deps)
        for target in targets:
            if isinstance(target, ast.Name):
                key = self.place(target.id)
                value = self.get(key)
                if value is not None and isinstance(value, Obj) and value.kind != "object":
                    key = value.number, "[]"
                    value = self.get(key)
                if value is not None:
                    self.set(key, self.under(value, target.id))
                else:
                    self.unset.add(key)
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                base = self.eval(target.value)
                if isinstance(base, Obj):
                    own = self.get((base.number, target.attr))
                    if own is None and self.defaults and not self._has(base, target.attr):
                        self.unset.add((base.number, target.attr))
                        continue
                    value = self.member(base, target.attr)
                    if not isinstance(value, Function):
                        self.set((base.number, target.attr), self.under(value, target.attr))
        self.control.pop()

    def _has(self, base: Obj, name: str) -> bool:
        """Whether the class of an object may have a member of that name."""
        cls = base.cls
        return not isinstance(cls, Class) or bool(
            self.in_class(cls, name) is not None or self.outer_bases(cls)
        )

    def as_main(self, source: Any) -> bool:
        """Whether *source* is the program that is run."""
        return self.main is source

    main: Any = None

    def annotated(self, node: ast.expr | None, what: Function | None = None) -> str:
        raise NotImplementedError

    def _do_Match(self, node: Any) -> bool:
        subject = self.eval(node.subject)

        def case(at: int) -> bool:
            if at == len(node.cases):
                return True
            one = node.cases[at]
            pattern = one.pattern
            if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and one.guard is None:
                if pattern.name:
                    self.assign(ast.Name(pattern.name, ast.Store()), subject)
                return self.block(one.body)
            options = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
            condition, deps = conditions.FALSE, subject.depends
            for option in options:
                if isinstance(option, ast.MatchValue):
                    value = self.compare(
                        ast.Eq, subject, self.eval(option.value), written(option.value)
                    )
                    condition = conditions.either(condition, self.truth(value))
                elif isinstance(option, ast.MatchSingleton):
                    value = self.compare(ast.Is, subject, Const(option.value), "match")
                    condition = conditions.either(condition, self.truth(value))
                else:
                    asked = conditions.ask(
                        named(f"match({subject.id},{ast.dump(option)})"), differs(deps)
                    )
                    condition = conditions.either(condition, asked)
            return self.branch(
                condition, deps, f"match {written(node.subject)}",
                lambda: self.block(one.body), lambda: case(at + 1),
            )  # fmt: skip

        return case(0)

    # -- loops ------------------------------------------------------------------------------------

    def _do_For(self, node: ast.For | ast.AsyncFor) -> bool:
        return self._looped(lambda: self._for(node))

    _do_AsyncFor = _do_For

    def _looped(self, loop: Callable[[], bool]) -> bool:
        """Run a loop: behind it are all who have not left the function."""
        here = self.top
        control, broken = here.control, here.broken
        here.broken = NONE
        try:
            return loop()
        finally:
            here.control, here.broken = control | here.left, broken

    def _in_round(self, label: int, body: Callable[[], bool]) -> bool:
        """Run one round, the construct *label*: the next is begun by all who are in the loop."""
        here = self.top
        control = here.control
        try:
            return self.scoped(label, body)
        finally:
            here.control = control | here.left | here.broken

    def _for(self, node: ast.For | ast.AsyncFor) -> bool:
        orelse = (lambda: self.block(node.orelse)) if node.orelse else None
        if isinstance(node.iter, ast.Call):
            what = self.eval(node.iter.func)
            if isinstance(what, Function) and "context" not in what.traits and generates(what.node):
                return self._for_generator(node, what, node.iter)
        value = self.eval(node.iter)
        before = self.shared.get(value.id, "")
        if self._ends_by_agreement(node):
            self.shared[value.id] = LEAST
        try:
            return self.iterate(node, node.target, value, lambda: self.block(node.body), orelse)
        finally:
            self.shared[value.id] = before

    def _ends_by_agreement(self, node: ast.For | ast.AsyncFor) -> bool:
        """Whether a loop that counts is left after as many rounds as each rank has at least."""
        if not isinstance(node.target, ast.Tuple) or not isinstance(node.target.elts[0], ast.Name):
            return False
        index = node.target.elts[0].id
        for one in node.body:
            test = one.test if isinstance(one, ast.If) and _breaks(one) else None
            if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.GtE | ast.Eq):
                continue
            counted = {n.id for n in ast.walk(test.left) if isinstance(n, ast.Name)}
            limit = test.comparators[0]
            if counted == {index} and all(map(self._is_still, ast.walk(limit))):
                return self.shared.get(self.eval(limit).id) == LEAST
        return False

    def _is_still(self, node: ast.AST) -> bool:
        """Whether an expression does nothing; to ask a tensor for its number is nothing."""
        if not isinstance(node, ast.Call) or node.keywords:
            return isinstance(node, _STILL)
        asked = node.func
        if isinstance(asked, ast.Attribute):
            return not node.args and self.known.parts.get(asked.attr) == "data"
        return isinstance(asked, ast.Name) and asked.id in ("int", "len") and len(node.args) == 1

    def _for_generator(self, node: ast.For | ast.AsyncFor, what: Function, made: ast.Call) -> bool:
        """The rounds of a loop over what a generator of the program's own yields."""
        outer = self.construct()

        def round_of(value: Value) -> bool:
            inner = self.construct()
            self.breaking.append(outer)
            self.continuing.append(inner)
            try:
                self.assign(node.target, value)
                self._in_round(inner, lambda: self.block(node.body))
            finally:
                self.breaking.pop()
                self.continuing.pop()
            return True

        def rounds() -> bool:
            self._through(what, made, round_of)
            return self.block(node.orelse)

        return self.scoped(outer, rounds)

    def iterate(
        self, node: ast.AST, target: ast.AST, value: Value, body: Callable[[], bool],
        orelse: Callable[[], bool] | None,
    ) -> bool:  # fmt: skip
        """``for target in value``."""
        sides = self.sides(value)
        if sides is not None:
            return self.branch(
                sides.condition, sides.deps, sides.condition.text,
                lambda: self.iterate(node, target, sides.first, body, orelse),
                lambda: self.iterate(node, target, sides.second, body, orelse),
            )  # fmt: skip
        items = self.items(value)
        if (
            items is not None
            and len(items) <= UNROLLED
            and (len(items) * self.unrolled <= UNROLLED * 4 and not (self.dry and len(items) > 2))
        ):
            if (
                isinstance(value, Obj)
                and value.kind == "set"
                and not all(_numeric(x) for x in items)
            ):
                # Texts have another hash in each process: a set of them has another order.
                order: Deps = frozenset((LOCAL + "the order of a set",))
                if self.rank % 2:
                    items = tuple(reversed(items))
                items = tuple(_marked(x, order, i) for i, x in enumerate(items))
            # How many rounds there are is no matter of what is in the row.
            deps = value.deps if isinstance(value, Tup) else value.depends
            return self._unrolled(target, items, deps, body, orelse)
        element = self.each(value)
        deps = self.count_of(value)
        key, less = _fewer(value)
        return self._abstract(
            node, named(f"rounds({key})"), deps,
            lambda: self.assign(target, element), body, orelse,
            count=len(items) if items is not None and all(map(of_rank, deps)) else None, less=less,
            times=_times(value),
        )  # fmt: skip

    def _unrolled(
        self, target: ast.AST, items: Sequence[Value], deps: Deps, body: Callable[[], bool],
        orelse: Callable[[], bool] | None,
    ) -> bool:  # fmt: skip
        outer = self.construct()
        counts = differs(deps)
        before, self.unrolled = self.unrolled, self.unrolled * max(len(items), 1)

        def rounds() -> bool:
            for i, item in enumerate(items):
                inner = self.construct()
                self.breaking.append(outer)
                self.continuing.append(inner)
                self.path.append(f"#{i}")
                if counts:
                    self.control.append(deps)
                try:
                    self.assign(target, item)
                    alive = self._in_round(inner, body)
                finally:
                    if counts:
                        self.control.pop()
                    self.path.pop()
                    self.breaking.pop()
                    self.continuing.pop()
                if not alive:
                    return False
            return orelse() if orelse is not None else True

        try:
            return self.scoped(outer, rounds)
        finally:
            self.unrolled = before

    def _abstract(
        self, node: ast.AST, key: str, deps: Deps, begin: Callable[[], object],
        body: Callable[[], bool], orelse: Callable[[], bool] | None, count: int | None = None,
        at_least_once: bool = False, endless: bool = False, less: int = 0,
        times: Value | None = None,
        tests: Callable[[], tuple[Condition, Condition] | None] = lambda: None,
    ) -> bool:  # fmt: skip
        """A loop of which one round stands for all."""
        chain = self.chain()
        site = self.site(node)
        widened: dict[Key, Value] = {}
        for _ in range(1 if self.dry else 3):
            marks = {k: len(v) for k, v in self.pendings.items()}
            returns = len(self.top.returns)
            self.dry += 1
            try:
                _, changed, _ = self._round(site, deps, begin, body)
            finally:
                self.dry -= 1
            for label in list(self.pendings):
                del self.pendings[label][marks.get(label, 0) :]
            del self.top.returns[returns:]
            grown = False
            for name, value in changed.items():
                before = self.store.get(name, MISSING)
                if same(before, value) or (before is MISSING and _begins_anew(name)):
                    continue
                wide = self._widened(name, before, value, site)
                if name not in widened or not same(widened[name], wide):
                    widened[name] = wide
                    grown = True
            for name, value in widened.items():
                self.set(name, value)
            if not grown:
                break
        if self.dry:
            # Somebody only wants to know what changes: one round has told it.
            return True
        outer = self.construct()
        _alive, changed, items = self._round(site, deps, begin, body, outer)
        for name, value in changed.items():
            before = self.store.get(name, MISSING)
            if not same(before, value):
                self.set(name, self._widened(name, before, value, site))
        kept, self.out = self.out, []
        end = orelse() if orelse is not None else True
        after, self.out = self.out, kept
        if matters(items) or matters(after) or raises(items):
            self.out.append(Loop(
                outer, key, deps, chain, items, after, count, at_least_once, endless, less,
                tests(), times,
            ))  # fmt: skip
        end = end and not endless
        if differs(deps):
            for name in changed:
                value_now = self.store.get(name, MISSING)
                if isinstance(value_now, Unknown) and value_now is not MISSING:
                    self.set(
                        name,
                        Unknown(
                            value_now.name, value_now.deps | deps, value_now.path, value_now.base
                        ),
                    )
        return self.arrive(outer, end)

    #: how many loops around are only run to see what they change
    dry = 0
    #: rounds of loops around that are run one by one
    unrolled = 1

    def _round(
        self, site: str, deps: Deps, begin: Callable[[], object], body: Callable[[], bool],
        outer: int = 0,
    ) -> tuple[bool, dict[Key, Value], list[Any]]:  # fmt: skip
        """One round, undone again."""
        kept, self.out = self.out, []
        self.open()
        outer = outer or self.construct()
        inner = self.construct()
        self.breaking.append(outer)
        self.continuing.append(inner)
        self.loops.append((outer, site))
        self.path.append(f"@{site}")
        self.control.append(deps)
        try:
            begin()
            alive = self._in_round(inner, body)
        finally:
            self.control.pop()
            self.path.pop()
            self.loops.pop()
            self.breaking.pop()
            self.continuing.pop()
            changed = self.close()
            items, self.out = self.out, kept
        return alive, changed, items

    def _widened(self, key: Key, before: Value, after: Value, site: str) -> Value:
        if before is MISSING or isinstance(after, Function | Class | Module):
            return after
        if isinstance(after, Obj) and (isinstance(before, Obj) or _is_none(before)):
            return after
        if isinstance(after, Comm) and (isinstance(before, Comm) or _is_none(before)):
            return after
        if isinstance(after, Request) and isinstance(before, Request | Const):
            return after
        if after is MISSING:
            return before
        if isinstance(before, Tup) and isinstance(after, Tup) and key[1] == "[]":
            pairs = list(zip(before.items, after.items, strict=False))
            if len(before.items) == len(after.items):  # as many as before, each perhaps another
                return Tup(tuple(
                    b if same(b, a) else self._widened((key[0], f"[{i}]"), b, a, site)
                    for i, (b, a) in enumerate(pairs)
                ))  # fmt: skip
        path = getattr(after, "path", "")
        deps = lasting(before.depends | after.depends)
        return Unknown(named(f"~{key[1]}@{site}"), deps, path)

    def _do_While(self, node: ast.While) -> bool:
        return self._looped(lambda: self._while(node))

    def _while(self, node: ast.While) -> bool:
        begin = _do_nothing
        always = isinstance(node.test, ast.Constant) and bool(node.test.value)
        step = getattr(node, "step", [])
        at_least_once = getattr(node, "at_least_once", False)
        rounds = 0
        outer = self.construct()
        kept, self.out = self.out, []
        going = True
        while going and rounds < (1 if self.dry else _ROUNDS):
            condition, deps = self.condition(node.test)
            if condition.kind != "const" and not (at_least_once and rounds == 0):
                break
            if always and not self._counts(node):
                break
            if rounds == 0 and self._long(node.test):
                break
            if not condition.truth and not (at_least_once and rounds == 0):
                going = False
                break
            inner = self.construct()
            self.breaking.append(outer)
            self.continuing.append(inner)
            self.path.append(f"#{rounds}")
            if differs(deps):
                self.control.append(deps)
            alive = self._in_round(inner, lambda: self.block(node.body))
            if differs(deps):
                self.control.pop()
            self.path.pop()
            self.breaking.pop()
            self.continuing.pop()
            rounds += 1
            if not alive:
                going = False
                after = self.out
                self.out = kept
                if matters(after):
                    self.out.append(Scope(outer, after))
                return self.arrive(outer, False)
            self.block(step)
        alive = True
        if going:
            self.breaking.append(outer)
            first = conditions.TRUE if at_least_once and rounds == 0 else condition
            alive = self._unknown_while(
                node, begin, step, always, at_least_once and rounds == 0, first
            )
            self.breaking.pop()
        elif node.orelse:
            alive = self.block(node.orelse)
        after, self.out = self.out, kept
        if matters(after):
            self.out.append(Scope(outer, after))
        return self.arrive(outer, alive)

    def _long(self, test: ast.expr) -> bool:
        """Whether a loop that counts has more rounds than are run one by one."""
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return False
        if not all(isinstance(x, _STILL) for x in ast.walk(test)):
            return False  # it would be counted twice
        pair = [self.eval(test.left), self.eval(test.comparators[0])]
        numbers = [
            v.value for v in pair if isinstance(v, Const) and isinstance(v.value, int | float)
        ]
        return len(numbers) == 2 and abs(numbers[0] - numbers[1]) > UNROLLED

    def _counts(self, node: ast.While) -> bool:
        """Whether an endless loop is left by what is known."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.If) and leaves([*inner.body, *inner.orelse]):
                self.open()
                kept, self.out = self.out, []
                try:
                    condition, _ = self.condition(inner.test)
                finally:
                    self.close()
                    self.out = kept
                return condition.kind == "const"
        return False

    def _unknown_while(
        self, node: ast.While, begin: Callable[[], object], step: Sequence[ast.stmt], always: bool,
        at_least_once: bool, first: Condition,
    ) -> bool:  # fmt: skip
        deps: Deps = frozenset()
        key = ""
        if not always:
            # What the body changes decides, too: what the test depends on is known after a round.
            self.open()
            kept, self.out = self.out, []
            value = self.eval(node.test)
            key = named(f"while({self.site(node)})")
            self.out = kept
            self.close()
            deps = value.depends
            if not self.dry:
                self.dry += 1
                try:
                    deps |= self._deps_of(node, step)
                finally:
                    self.dry -= 1
        again: list[Condition] = []
        #: what holds where a round begins
        holding: list[Condition] = []

        def orelse() -> bool:
            # A loop that asks until something has come or ended is over once it has.
            last = again[-1] if again else first
            self.out += conditions.done_where(last, False) if not always else ()
            return self.block(node.orelse) if node.orelse else True

        def tests() -> tuple[Condition, Condition] | None:
            """Whether there is a first round, and one more, where a message says so."""
            asked = again and any(map(conditions.asks_a_message, (first, again[-1])))
            # What a variable is in any round has the loop's name, and is not what it is behind it.
            if asked and not at_least_once and f"@{self.site(node)}" in holding[-1].key:
                return first, conditions.supposing(again[-1], holding[-1])
            return (first, again[-1]) if asked else None

        def body() -> bool:
            if not always and not at_least_once:
                holding.append(self._asked_now(node.test))
            if not self.block([*node.body, *step]):
                return False
            again.append(self.condition(node.test)[0])
            return True

        self.whiles += 1
        try:
            return self._abstract(
                node, key, deps, begin, body, orelse, at_least_once=at_least_once, endless=always,
                tests=tests,
            )  # fmt: skip
        finally:
            self.whiles -= 1

    def _asked_now(self, test: ast.expr) -> Condition:
        """A condition as it is here, with nothing done for it."""
        self.open()
        kept, self.out = self.out, []
        try:
            return self.condition(test)[0]
        finally:
            self.close()
            self.out = kept

    def _deps_of(self, node: ast.While, step: Sequence[ast.stmt]) -> Deps:
        """What the test depends on after a round."""
        found: Deps = frozenset()
        self.open()
        kept, self.out = self.out, []
        marks = {k: len(v) for k, v in self.pendings.items()}
        try:
            outer, inner = self.construct(), self.construct()
            self.breaking.append(outer)
            self.continuing.append(inner)
            self.loops.append((outer, ""))
            for _ in range(2):
                self.scoped(inner, lambda: self.block([*node.body, *step]))
                found |= self.eval(node.test).depends
            self.loops.pop()
            self.breaking.pop()
            self.continuing.pop()
        finally:
            self.close()
            self.out = kept
            for label in list(self.pendings):
                del self.pendings[label][marks.get(label, 0) :]
        return frozenset(d for d in found if not d.startswith(COUNT))

    # -- with and try -----------------------------------------------------------------------------

    def _do_With(self, node: ast.With | ast.AsyncWith) -> bool:
        return self._entered(node, 0)

    _do_AsyncWith = _do_With

    def _entered(self, node: ast.With | ast.AsyncWith, at: int) -> bool:
        if at == len(node.items):
            return self.block(node.body)
        item = node.items[at]
        manager = item.context_expr

        def inside(value: Value) -> bool:
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value)
            return self._entered(node, at + 1)

        if isinstance(manager, ast.Call):
            what = self.eval(manager.func)
            if isinstance(what, Function) and "context" in what.traits:
                return self._through(what, manager, inside)
            path = what.path if isinstance(what, Unknown) else ""
            if path in ("contextlib.suppress", "suppress"):
                handler = ast.ExceptHandler(
                    type=ast.Tuple(manager.args, ast.Load()),
                    name=None,
                    body=[ast.Pass(lineno=node.lineno, col_offset=0)],
                )
                return self._attempt(node, lambda: inside(NO_VALUE), [handler], [], [])
            value = self.eval(manager)
            told = self.known.find(path) if path else None
            if told is not None and told.around:
                return self.around(told, what, lambda: inside(value))
        else:
            value = self.eval(manager)
        made = value.path if isinstance(value, Unknown) and value.path.endswith("()") else ""
        told = self.known.find(made[:-2]) if made else None
        if told is not None and told.quiet:
            self.quiet += 1
            try:
                return inside(value)
            finally:
                self.quiet -= 1
        return self.inside(node, value, inside)

    def inside(self, node: ast.AST, value: Value, run: Callable[[Value], bool]) -> bool:
        """Run what is inside of a context manager."""
        if isinstance(value, Obj) and isinstance(value.cls, Class):
            enter, leave = self.member(value, "__enter__"), self.member(value, "__exit__")
            got: Value = value
            if isinstance(enter, Function):
                got = self.run(enter, [], {})
            kept, self.out = self.out, []
            alive = run(got)
            body, self.out = self.out, []
            if isinstance(leave, Function):
                self.run(leave, [NO_VALUE, NO_VALUE, NO_VALUE], {})
            last, self.out = self.out, kept
            if matters(last):
                # However what is inside is left, it is left through the manager's end.
                self.out.append(Attempt(body, None, last))
            else:
                self.out += body
            return alive
        return run(value)

    def around(self, told: Any, what: Value, run: Callable[[], bool]) -> bool:
        raise NotImplementedError

    def _through(self, what: Function, node: ast.Call, inside: Callable[[Value], bool]) -> bool:
        """A context manager that is a generator of the program's own."""
        alive: list[bool] = []
        outer, returning = self.top, self.returning[:]
        args = [self.eval(a) for a in node.args]
        named_args = {k.arg: self.eval(k.value) for k in node.keywords if k.arg is not None}

        def act(value: Value) -> bool:
            frame, labels = self.stack.pop(), self.returning
            self.returning = returning
            try:
                alive.append(inside(value))
            finally:
                self.stack.append(frame)
                self.returning = labels
            return True

        del outer
        self.run_generator(what, args, named_args, act)
        return alive[-1] if alive else True

    def run_generator(
        self, what: Function, args: list[Value], named_args: dict[str, Value],
        act: Callable[[Value], bool],
    ) -> None:  # fmt: skip
        """Run a generator, with what is done for each value."""
        self.acting = [act]
        try:
            self.run(what, args, named_args)
        finally:
            self.acting = []

    acting: list[Callable[[Value], bool]]

    def _do_Try(self, node: Any) -> bool:
        return self._attempt(
            node, lambda: self.block(node.body), node.handlers, node.orelse, node.finalbody
        )

    _do_TryStar = _do_Try

    def _attempt(
        self, node: ast.AST, body: Callable[[], bool], handlers: list[ast.ExceptHandler],
        orelse: list[ast.stmt], final: list[ast.stmt],
    ) -> bool:  # fmt: skip
        kept, self.out = self.out, []
        caught = [h for h in handlers if not _is_common(h)]
        self.open()
        watched = bool(caught) or bool(final)
        of_data = watched and not final and all(_is_of(h, _COMMON | _OF_DATA) for h in caught)
        self.tries += watched and not of_data
        self.data_tries += of_data
        alive = body()
        self.tries -= watched and not of_data
        self.data_tries -= of_data
        if alive and orelse:
            alive = self.block(orelse)
        tried = self.out
        done = self.close()
        arms: list[tuple[bool, dict[Key, Value], list[Any]]] = []
        for handler in handlers:
            self.out = []
            self.open()
            for key, value in done.items():
                before = self.store.get(key, MISSING)
                if before is not MISSING and not same(before, value):
                    path = getattr(value, "path", "") or getattr(before, "path", "")
                    if isinstance(before, Const | Unknown):
                        value = Unknown(
                            named(f"({before.id}|{value.id})"), depends(before, value), path
                        )
                self.set(key, value)
            if handler.name:
                self.set(
                    self.place(handler.name),
                    Unknown(self.site(handler), frozenset((LOCAL + "an exception",))),
                )
            swallows = self.block(handler.body)
            arms.append((swallows, self.close(), self.out))
        self.out = []
        alone = bool(caught) and raises(tried)
        deps: Deps = frozenset((LOCAL + CAUGHT,)) if alone else frozenset()
        question = conditions.ask(named(f"raised({self.site(node)})"), alone)
        first = next((i for i, h in enumerate(handlers) if not _is_common(h)), 0)
        if arms:
            lived, written_there, handled = arms[first]
            self.merge(question, deps, written_there if lived else None, done if alive else None)
            after = alive or lived
        else:
            handled, after = [], alive
            self.keep(done)
        if final:
            ended = self.block(final)
            after = after and ended
        last, self.out = self.out, kept
        passed = [] if not caught and alive else handled
        if matters(tried) or matters(passed) or matters(last):
            catches = passed if handlers and (caught or not alive) else None
            if (
                acts(tried)
                or matters(last)
                or (catches is not None and matters(catches))
                or matters(tried)
            ):
                self.out.append(Attempt(tried, catches, last))
        return after


def _breaks(node: ast.If) -> bool:
    return isinstance(node.body[-1], ast.Break)


def _begins_anew(key: Key) -> bool:
    """Whether a round of a loop knows nothing of a place that the last one gave a value.

    What is computed once is computed in a round of this loop; and what is a part of something by
    another's name (``rows[name].grad``) is a part of something else in the next round.
    """
    home: object = key[0]
    return key[1].startswith(KEPT) or (isinstance(home, str) and home.startswith("u:"))


def _default_maker(value: ast.expr) -> ast.expr | None:
    """What makes the default of a record's field (``field(default_factory=...)``)."""
    return _keyword(value, ("default_factory", "factory"))


def _keyword(value: ast.expr, names: tuple[str, ...]) -> ast.expr | None:
    """What a call is handed by one of these names."""
    for keyword in value.keywords if isinstance(value, ast.Call) else ():
        if keyword.arg in names:
            return keyword.value
    return None


#: Nodes whose evaluation changes nothing.
_STILL = (
    ast.Compare, ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.operator, ast.cmpop,
    ast.expr_context, ast.UnaryOp, ast.unaryop,
)  # fmt: skip


def _do_nothing() -> None:
    return None


def _is_common(handler: ast.ExceptHandler) -> bool:
    """Whether a handler is for what the program or its configuration decides, on all ranks alike.

    So is one that first looks at what it has got and passes all else on (``if ...: raise``), but
    for one that looks for want of memory: that is a rank's own.
    """
    if handler.type is None:
        return False
    first = handler.body[0]
    if isinstance(first, ast.If) and len(first.body) == 1:
        only = first.body[0]
        if isinstance(only, ast.Raise) and only.exc is None:
            return "memory" not in ast.unparse(first.test).lower()
    return _is_of(handler, _COMMON)


def _is_of(handler: ast.ExceptHandler, names: frozenset[str]) -> bool:
    """Whether a handler is for some of these exceptions, and no others."""
    if handler.type is None:
        return False
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return all(written(k).rpartition(".")[2] in names for k in kinds)


_FEWER = re.compile(r"range\((Sub|Add)\((.*),(\d)\)\)")


def _times(value: Value) -> Value | None:
    """What says how many rounds there are, where a message does: ``range`` of a number of it."""
    row = isinstance(value, Unknown) and isinstance(value.base, Received)
    return value.base if row and isinstance(value, Unknown) and value.path == "range()" else None


def _fewer(value: Value) -> tuple[str, int]:
    """The name of a row of numbers of unknown length, and how many fewer there are than that."""
    match = _FEWER.fullmatch(value.id)
    if match is None:
        return value.id, 0
    by = int(match.group(3))
    return f"range({match.group(2)})", by if match.group(1) == "Sub" else -by


def _numeric(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, int | float)


def _marked(value: Value, deps: Deps, at: int) -> Value:
    if isinstance(value, Const):
        return Const(value.value, value.deps | deps, f"element {at} of a set")
    return value


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def _asks_for_main(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
    )


def _type_checking(test: ast.expr) -> bool:
    return written(test).rpartition(".")[2] == "TYPE_CHECKING"


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load(), lineno=target.lineno, col_offset=target.col_offset)
    return target


__all__ = ["Pointer", "Rows", "Statements"]
