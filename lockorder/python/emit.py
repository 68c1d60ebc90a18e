"""Statements of Python as facts: the same that are read from C++, for the same engine.

A Python object is what C++ has behind a pointer, a class's attribute is a field, ``with`` is a
guard.  What a name can stand for comes from ``infer``; where a call can mean functions of several
classes, all of them may be called, as on ways that nobody can tell apart.
"""

from __future__ import annotations

import ast
from collections.abc import Callable as Calls
from collections.abc import Sequence

from lockorder.python.emitting import (
    UNKNOWN,
    WITH,
    Finaliser,
    known,
)
from lockorder.python.expressions import Expressions
from lockorder.python.keys import Unit
from lockorder.python.kinds import (
    Callable,
    OfLibrary,
)
from lockorder.python.scopes import Function
from lockorder.static.parse import facts as f


class Emitter(Expressions):
    """Emits statements."""

    def whole(self, body: Sequence[ast.stmt], end: int) -> f.Block:
        """The body of a function, with what ends with it."""

        def work() -> None:
            self.statements(body)
            self.taken_out_at_end(body, end)

        return self.collect(work, end)

    def _expr(self, node: ast.Expr) -> None:
        self.value(node.value)
        self.dropped(node.value)

    def _assign(self, node: ast.Assign) -> None:
        self.replaced(node)
        for target in node.targets:
            self.assign(target, node.value, node.lineno)

    def _annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, node.value, node.lineno)

    def _augassign(self, node: ast.AugAssign) -> None:
        self.value(node.value)
        target = self.place(node.target)
        if target is not None:
            by = 0
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, int):
                if isinstance(node.op, ast.Add):
                    by = node.value.value
                elif isinstance(node.op, ast.Sub):
                    by = -node.value.value
            self.out.append(f.Assign(target, UNKNOWN, node.lineno, by))

    def _return(self, node: ast.Return) -> None:
        value = self.value(node.value) if node.value is not None else None
        self._unwind(0)
        self.out.append(f.Return(value, node.lineno))

    def _break(self, node: ast.Break) -> None:
        self._unwind(self._loop_depth())
        self.out.append(f.Break())

    def _continue(self, node: ast.Continue) -> None:
        self._unwind(self._loop_depth())
        self.out.append(f.Continue())

    def _raise(self, node: ast.Raise) -> None:
        if node.exc is not None:
            self.value(node.exc)
        self.out.append(f.Throw(node.lineno))

    def _assert(self, node: ast.Assert) -> None:
        self.value(node.test)

    def _delete(self, node: ast.Delete) -> None:
        for each in node.targets:
            if isinstance(each, ast.Subscript):
                self.value(each.value)
            self.deleted(each)

    def _if(self, node: ast.If) -> None:
        self.branch(
            node.test,
            lambda: self.statements(node.body),
            (lambda: self.statements(node.orelse)) if node.orelse else None,
        )

    def _while(self, node: ast.While) -> None:
        state: list[f.Value] = []
        head = self.collect(lambda: state.append(self.value(node.test)))
        self.finalisers.append(Finaliser(loop=True))
        body = self.block(node.body)
        self.finalisers.pop()
        cond = known(state[0])
        self.out.append(f.Loop(head, cond, body, f.Block([]), line=node.lineno))
        self.statements(node.orelse)

    def _for(self, node: ast.For) -> None:
        self.loop(node.target, node.iter, lambda: self.statements(node.body), node.lineno)
        self.statements(node.orelse)

    def _asyncfor(self, node: ast.AsyncFor) -> None:
        def body() -> None:
            self.suspend(node.lineno)
            self.statements(node.body)

        self.loop(node.target, node.iter, body, node.lineno)

    def _try(self, node: ast.Try) -> None:
        final = node.finalbody
        if final:
            self.finalisers.append(Finaliser(emit=lambda: self.statements(final)))
        body = self.block([*node.body, *node.orelse])
        if node.handlers:
            handlers = [self.block(h.body) for h in node.handlers]
            attempt: list[f.Stmt] = [f.Try(body, handlers)]
        else:
            attempt = list(body.body)
        if final:
            self.finalisers.pop()
            again = self.block(final)
            again.body.append(f.Throw(node.lineno))
            self.out.append(f.Try(f.Block(attempt), [again]))
            self.statements(final)
        else:
            self.out.extend(attempt)

    _trystar = _try

    def _match(self, node: ast.Match) -> None:
        self.value(node.subject)
        cases = [f.Block([*self.block(c.body).body, f.Break()]) for c in node.cases]
        self.out.append(f.Switch(cases))

    def _with(self, node: ast.With) -> None:
        self._items(node.items, node.body, node.lineno, False)

    def _asyncwith(self, node: ast.AsyncWith) -> None:
        self._items(node.items, node.body, node.lineno, True)

    def _items(
        self, items: Sequence[ast.withitem], body: Sequence[ast.stmt], line: int, suspends: bool
    ) -> None:
        if not items:
            self.statements(body)
            return
        item, rest = items[0], items[1:]
        here = item.context_expr.lineno
        if suspends:
            self.suspend(here)

        def inside() -> None:
            self._items(rest, body, line, suspends)

        end = max((getattr(s, "end_lineno", 0) or 0 for s in body), default=line)
        self.enter(item.context_expr, item.optional_vars, inside, here, end)

    def enter(
        self,
        node: ast.expr,
        target: ast.expr | None,
        inside: Calls[[], object],
        line: int,
        end: int,
    ) -> None:
        """``with node as target``, around what *inside* emits."""
        if isinstance(node, ast.Call):
            contexts = [
                k.function
                for k in self.kinds(node.func)
                if isinstance(k, Callable) and k.function.is_context
            ]
            if contexts:
                self._through(node, contexts, target, inside, line)
                return
        kinds = self.kinds(node)
        if any(self.tables.is_lock(k) for k in kinds):
            value = self.lock(node)

            def locked() -> None:
                number = self._make(WITH, "", [value], line, node.col_offset)
                usr = self.tables.guard(self.unit, line, node.col_offset, self._fresh())
                self.out.append(f.Local(usr, f.Made(number), line))
                if target is not None:
                    self.store(target, value, line)
                inside()

            self.out.append(self.collect(locked, end))
            return
        begin = [*self._methods(node, "__enter__"), *self._methods(node, "__aenter__")]
        finish = [*self._methods(node, "__exit__"), *self._methods(node, "__aexit__")]
        value = self.value(node)
        if begin or finish:
            given = self._results(begin, value, line, node.col_offset)
            if target is not None:
                self.store(target, given if given is not None else value, line)

            def leave() -> None:
                self._results(finish, value, end, node.col_offset)

            self._around(leave, inside, line)
            return
        if target is not None:
            self.store(target, value, line)
        closing = [k for k in kinds if isinstance(k, OfLibrary)]
        ends = [e for k in closing for e in (self.tables.end_of(k.type),) if e]
        if ends:
            column = node.col_offset
            if isinstance(target, ast.Name):
                value = self.value(target)
            self._around(lambda: self._named(ends[0], value, [], line, column), inside, line)
        else:
            inside()

    def _through(
        self,
        node: ast.Call,
        contexts: Sequence[Function],
        target: ast.expr | None,
        inside: Calls[[], object],
        line: int,
    ) -> None:
        """The body runs where the generator that is entered yields: it is handed over."""
        if target is not None:
            self.store(target, UNKNOWN, line)
        usr = self.tables.lambda_at(self.unit, f"with:{line}:{node.col_offset}:{self._fresh()}")
        block = self.inner(usr, inside, line)
        base = self._object(node)
        for context in contexts:
            args = [*self._arguments(context, node), block]
            self._direct(context, base if context.has_self else None, args, line, node.col_offset)
        if any(isinstance(s, f.Return) for s in f.walk(self.tables.lambdas[-1].body)):
            self.out.append(f.If(None, f.Block([f.Return(None, line)])))

    def _functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for each in node.decorator_list:
            if isinstance(each, ast.Call):
                self.value(each)

    def _classdef(self, node: ast.ClassDef) -> None:
        cls = self.tables.names.classes[node]
        kept, self.unit = self.unit, Unit(cls.scope, node.body, self.function, cls)
        self.statements(node.body)
        self.unit = kept
