"""What runs elsewhere or later: threads, processes, pools, tasks, and ``await``."""

from __future__ import annotations

import ast
from collections.abc import Callable as Calls
from collections.abc import Sequence
from functools import partial

from lockorder.python.calls import CallEmitter
from lockorder.python.emitting import (
    UNKNOWN,
    WITH,
    reference,
)
from lockorder.python.forks import child_branches
from lockorder.python.keys import Unit
from lockorder.python.kinds import (
    Callable,
    Kind,
    OfClass,
    OfLibrary,
    Partial,
    Path,
    Super,
)
from lockorder.python.matching import argument, given_in
from lockorder.python.pools import functions_of, key_of
from lockorder.python.scopes import Function
from lockorder.static.parse import facts as f


class Starts(CallEmitter):
    """Emits what starts something, and waits for it."""

    def _value_await(self, node: ast.Await) -> f.Value | None:
        if isinstance(node.value, ast.Call):
            found = self._awaited_call(node.value)
            if found is not None:
                return found
        # What is no call: tasks, futures, and what nobody knows.
        value = self.value(node.value)
        is_task = any(isinstance(k, OfLibrary) for k in self.kinds(node.value))
        self._wait([value] if is_task else [], node.lineno, node.value.col_offset)
        return value

    def _wait(self, tasks: Sequence[f.Value], line: int, column: int) -> None:
        """The thread goes on with other tasks until *tasks* are over."""
        for each in tasks:
            self._named("asyncio::Task::wait", each, [], line, column)
        self.suspend(line, column)

    def _awaited_call(self, node: ast.Call) -> f.Value | None:
        """``await f(x)`` runs the coroutine here; ``await gather(...)`` waits for several."""
        coroutines = self.types.library.coroutines
        kinds = self.kinds(node.func)
        for kind in kinds:
            if isinstance(kind, Path):
                if kind.path in coroutines.together:
                    made = [self.task(a) for a in node.args]
                    self._wait(made, node.lineno, node.col_offset)
                    return UNKNOWN
                if kind.path in coroutines.run and node.args:
                    inner = node.args[0]
                    return self._value_await(ast.copy_location(ast.Await(inner), node))
                value = self.call(node, runs=True) or UNKNOWN
                made_type = self.types.library.makers.get(kind.path, "")
                is_task = made_type in ("asyncio.Task", "asyncio.Future")
                self._wait([value] if is_task else [], node.lineno, node.col_offset)
                return value
        if any(isinstance(k, Callable) for k in kinds):
            return self.call(node, runs=True)
        return None

    def tasks(self, nodes: Sequence[ast.expr]) -> f.Value:
        """Coroutines run beside this function."""
        for each in nodes:
            self.task(each)
        return UNKNOWN

    def task(self, node: ast.expr) -> f.Value:
        """A coroutine that runs beside this one."""
        if isinstance(node, ast.Starred):
            return self.task(node.value)
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            made: list[f.Value] = []
            self.rounds(node, lambda: made.append(self.task(node.elt)))
            return made[0] if made else UNKNOWN
        if isinstance(node, ast.List | ast.Tuple):
            for each in node.elts:
                self.task(each)
            return UNKNOWN
        return self.value(node)

    def run(self, node: ast.Call) -> f.Value | None:
        found = self._awaited_call(node)
        return found if found is not None else self.value(node)

    def start(self, path: str, node: ast.Call) -> f.Value | None:
        """A thread, process or task is told what to run."""
        library = self.types.library
        starts = library.starters[path]
        what = argument(node, starts.callable, starts.number)
        made = library.makers.get(path, "")
        line, column = node.lineno, node.col_offset
        pool = self.value(node.func.value) if isinstance(node.func, ast.Attribute) else UNKNOWN
        if starts.coroutine:
            return self.value(what) if what is not None else UNKNOWN
        given: list[f.Value] = []
        if starts.rest:
            given = [self.value(a) for a in node.args[starts.number + 1 :]]
        elif starts.args:
            found = argument(node, starts.args, starts.args_number)
            if isinstance(found, ast.Tuple | ast.List):
                given = [self.value(e) for e in found.elts]
            elif found is not None:
                self.value(found)
        elif starts.elements:
            given = [f.Elem(self.value(a)) for a in node.args[starts.number + 1 :]]
        callables: list[tuple[f.Value, list[f.Value]]] = []
        for kind in self.kinds(what) if what is not None else ():
            one = self._handed(kind, what, given, node)
            if one is not None:
                callables.append(one)
        if not callables:
            if what is not None:
                self.value(what)
            empty = ast.copy_location(ast.Call(node.func, [], []), node)
            return self._library_object(made, empty) if made else UNKNOWN
        if made in ("threading.Thread", "multiprocessing.Process"):
            result: f.Value = UNKNOWN
            for target, args in callables:
                name = made.replace(".", "::")
                number = self._make(name, "", [target, *args], line, column, heap=True)
                result = f.Made(number)
            return result
        worker = self._worker(node)
        value: f.Value = UNKNOWN
        for target, args in callables:
            if worker:
                target = self._as_task(worker, target, args, node)
            future = self._named("python::submit", None, [target, *args], line, column) or UNKNOWN
            value = f.Var(self.tables.temporary(self.unit, frozenset(), self._fresh()))
            self.out.append(f.Assign(value, future, line))  # whoever waits for it finds it by that
            if pool != UNKNOWN:  # the pool stands for all that it runs
                self._named("python::start", None, [pool, target, *args], line, column)
            self._begun(node, target)
        if starts.waits:
            self._named("concurrent::futures::Future::result", value, [], line, column)
        return value

    def _begun(self, node: ast.Call, target: f.Value) -> None:
        """A task is given to a pool: its threads run now, or its processes are made."""
        pool = node.func.value if isinstance(node.func, ast.Attribute) else None
        name = "python::begun"
        kinds = self.kinds(pool) if pool is not None else []
        forks = self.types.library.forks
        if any(isinstance(k, OfLibrary) and k.type in forks.pools for k in kinds):
            return  # its threads, or processes, were made with it
        if pool is not None and self.tables.forks.is_of_processes(pool, self.unit):
            name = "python::fork"
        self._named(name, None, [target], node.lineno, node.col_offset)

    def _worker(self, node: ast.Call) -> str:
        """The lock that a thread of a pool is, where tasks of it may wait for others of it."""
        key = key_of(self.types, node.func, self.unit)
        if self.tables.pools.threads(key) is None or not isinstance(node.func, ast.Attribute):
            return ""
        place = self.place(node.func.value)
        return self.tables.worker(place.usr, key) if isinstance(place, f.Var | f.Field) else ""

    def _as_task(
        self, worker: str, target: f.Value, args: Sequence[f.Value], node: ast.Call
    ) -> f.Value:
        """What a pool runs: *target*, with one of the pool's threads."""
        line, column = node.lineno, node.col_offset
        usr = self.tables.lambda_at(self.unit, f"task:{line}:{column}:{self._fresh()}")
        names = self.tables.parameters_like(usr, target, len(args), line)

        def body() -> None:
            number = self._make(WITH, "", [f.Var(worker)], line, column)
            guard = self.tables.guard(self.unit, line, column, self._fresh())
            self.out.append(f.Local(guard, f.Made(number), line))
            given: list[f.Value] = [f.Var(n) for n in names]
            if isinstance(target, f.Fn) and self.tables.has_object(target) and given:
                self._target(f.Fn(target.usr, given[0]), given[1:], line, column)
            else:
                self._target(target, given, line, column)

        return self.inner(usr, body, line, names)

    def run_own(self, path: str, node: ast.Call) -> f.Value | None:
        """``x.start()``, where x may be of a class that has a ``run`` of its own."""
        if not isinstance(node.func, ast.Attribute):
            return None
        library = self.types.library
        method, line, column = library.runners[path], node.lineno, node.col_offset
        owner = node.func.value
        base = self.value(owner)
        kinds = self.kinds(owner)
        own = [k.cls.method(method) for k in kinds if isinstance(k, OfClass | Super)]
        started: list[f.Value] = [f.Fn(run.usr) for run in own if run is not None]
        for run in started:
            self._named("python::start", None, [base, run, base], line, column)
        if path.rpartition(".")[0] in library.forks.processes:
            if self.tables.forks.copies(owner, self.unit):
                for each in started or [base]:
                    self._named("python::fork", None, [each], line, column)
        else:
            for each in started or [base]:
                self._named("python::begun", None, [each], line, column)
        return UNKNOWN

    def fork(self, node: ast.Call) -> f.Value | None:
        """``os.fork()``: what only the child does is a function of its own."""
        line, column = node.lineno, node.col_offset
        for call, branch in child_branches(self.unit.body):
            if call is node and branch:
                usr = self.tables.lambda_at(self.unit, f"child:{line}:{column}:{self._fresh()}")
                child = self.inner(usr, partial(self.statements, branch), line)
                self._named("python::copy", None, [child], line, column)
                self.elsewhere.add(id(branch[0]))
        return UNKNOWN

    def called_back(self, name: str, node: ast.Call) -> f.Value | None:
        """What a call is given first is run by it, or by another thread."""
        what = node.args[0] if node.args else None
        for kind in self.kinds(what) if what is not None else ():
            one = self._handed(kind, what, [UNKNOWN], node)
            if one is not None:
                target, args = one
                self._named(name, None, [target, *args], node.lineno, node.col_offset)
                self._named("python::submit", None, [target, *args], node.lineno, node.col_offset)
        return UNKNOWN

    def logged(self, node: ast.Call) -> f.Value | None:
        """A call of a library that calls objects of the program's, each with a lock of its own."""
        line, column = node.lineno, node.col_offset
        self.value(node.func)
        given = [(each, self.value(each)) for each in given_in(node)]
        handlers = self.tables.handlers
        if handlers.registers(node, self.unit):
            for each, value in given:
                for kind in self.kinds(each):
                    if isinstance(kind, OfClass) and handlers.is_handler(kind.cls):
                        place = f.Var(self.tables.registered(kind.cls)[0])
                        self.out.append(f.Assign(place, value, line))
            return UNKNOWN
        for each, _ in given[1:]:
            self.shown(each)
        for cls in handlers.called_by(node, self.unit):
            usr, lock = self.tables.registered(cls)
            method = cls.method(self.types.library.handlers.method)

            def handle(usr: str = usr, lock: str = lock, method: Function | None = method) -> None:
                number = self._make(WITH, "", [f.Field(f.Var(usr), lock)], line, column)
                guard = self.tables.guard(self.unit, line, column, self._fresh())
                self.out.append(f.Local(guard, f.Made(number), line))
                self._results([method] if method is not None else [], f.Var(usr), line, column)

            self.out.append(f.If(None, self.collect(handle)))
        return UNKNOWN

    def at_fork(self, node: ast.Call) -> f.Value | None:
        """``os.register_at_fork(before=f)``: locks that its hooks see to are left in order."""
        for each in (*node.args, *(k.value for k in node.keywords)):
            self.value(each)
            bodies: list[tuple[ast.AST, Unit]] = [(each, self.unit)]
            for kind in self.kinds(each):
                for function in functions_of(kind):
                    bodies.append((function.node, Unit(function.scope, function.body, function)))
            for body, unit in bodies:
                for inner in ast.walk(body):
                    if isinstance(inner, ast.Name | ast.Attribute) and any(
                        self.tables.is_lock(k) for k in self.types.of(inner, unit)
                    ):
                        usr = self.tables.declared(unit, inner)
                        if usr:
                            self._named("python::at_fork", None, [f.Var(usr)], node.lineno, 0)
        return UNKNOWN

    def _handed(
        self, kind: Kind, what: ast.expr | None, given: list[f.Value], node: ast.Call
    ) -> tuple[f.Value, list[f.Value]] | None:
        """A callable as a thread is given it, with its arguments."""
        if isinstance(kind, Callable):
            function = kind.function
            padded = self._padded(function, given, node)
            if function.has_self and not function.is_inner and isinstance(what, ast.Attribute):
                padded = [self.value(what.value), *padded]
            return reference(function), padded
        if isinstance(kind, Partial):
            usr = self.tables.partial(kind.node)
            return (f.Closure(usr), []) if usr else None
        if isinstance(kind, OfClass) and what is not None:
            method = kind.cls.method("__call__")
            return (f.Fn(method.usr), [self.value(what), *given]) if method is not None else None
        return None

    def _padded(self, function: Function, given: list[f.Value], node: ast.Call) -> list[f.Value]:
        parameters = function.parameters
        found = given[: len(parameters)]
        named = {k.arg: k.value for k in node.keywords}
        kwargs = named.get("kwargs")
        inside = {}
        if isinstance(kwargs, ast.Dict):
            inside = {
                k.value: v
                for k, v in zip(kwargs.keys, kwargs.values, strict=True)
                if isinstance(k, ast.Constant)
            }
        for each in parameters[len(found) :]:
            value = inside.get(each.arg)
            found.append(self.value(value) if value is not None else self.default(function, each))
        return found

    def entered(self, node: ast.Call) -> f.Value | None:
        """``stack.enter_context(lock)``: taken here, and given up where the stack ends."""
        what = node.args[0]
        if any(self.tables.is_lock(k) for k in self.kinds(what)):
            value = self.lock(what)
            of = self.tables.lock_type(self, what).replace(".", "::")
            self._named(f"{of}::acquire", value, [], node.lineno, node.col_offset)
            for each in reversed(self.finalisers):
                if each.emit is not None:
                    inner = each.emit

                    def leave(inner: Calls[[], object] = inner) -> None:
                        self._named(f"{of}::release", value, [], node.lineno, node.col_offset)
                        inner()

                    each.emit = leave
                    break
            return value
        return self.value(what)

    def make_partial(self, node: ast.Call) -> f.Value | None:
        """``functools.partial(f, x)`` as a callable of its own that calls f."""
        if not node.args:
            return None
        inner = ast.copy_location(ast.Call(node.args[0], node.args[1:], node.keywords), node)
        ast.fix_missing_locations(inner)
        usr = self.tables.lambda_at(self.unit, f"partial:{node.lineno}:{node.col_offset}")
        self.tables.note_partial(node, usr)
        return self.inner(usr, lambda: self.call(inner), node.lineno)

    def spawn(
        self, function: Function, base: f.Value | None, args: list[f.Value], line: int, column: int
    ) -> f.Value:
        """A coroutine that nobody awaits here runs as a task."""
        given = [reference(function), *([base] if base is not None else []), *args]
        found = self._named("python::submit", None, given, line, column)
        return found if found is not None else UNKNOWN
