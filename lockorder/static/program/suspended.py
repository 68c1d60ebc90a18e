"""Coroutines that are made here and begun elsewhere: ``run(x).scheduleOn(pool).start()``.

A call of a coroutine makes an object and runs nothing of its body yet, where its first suspension
is always one (C++ [dcl.fct.def.coroutine]).  Who awaits the object runs it there.  Where it is
handed to wrappers and begun on an executor instead, it runs as a task of its own, beside its maker:
the call is told as one that starts a thread with the coroutine and its arguments.

What begins it is a method of the object, or of what was made around it (``[[thread]] coroutines``):
from there the way goes back over objects of calls, their arguments and locals to calls of
coroutines, and to coroutines that are handed over to be called (``co_invoke(lambda, x).start()``).
Functions that were read, and what is awaited, are on no such way.
"""

from __future__ import annotations

from lockorder.knowledge.load import TASK, Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl
from lockorder.static.program.link import Program


def begin(program: Program, knowledge: Knowledge) -> None:
    """Tell calls of coroutines that are begun elsewhere as starts of tasks."""
    begun = False
    for function in program.functions.values():
        statements = f.walk(function.body)
        calls = {c.id: c for c in statements if isinstance(c, f.Call)}
        starts = [c for c in calls.values() if _begins(program, knowledge, c)]
        if starts:
            way = _Way(program, calls, statements)
            for start in starts:
                assert isinstance(start.target, f.Fn | f.Name)
                begun = way.back(start.target.base) or begun
    if begun:
        program.decls.setdefault(TASK, Decl(TASK, TASK))


def _begins(program: Program, knowledge: Knowledge, call: f.Call) -> bool:
    if not isinstance(call.target, f.Fn | f.Name) or call.target.base is None or call.awaited:
        return False
    name = program.called(call) or (call.target.text if isinstance(call.target, f.Name) else "")
    return name.rpartition("::")[2] in knowledge.begins_coroutine and not _bodies(
        program, call.target
    )


def _bodies(program: Program, value: f.Value) -> list[f.Function]:
    if not isinstance(value, f.Fn):
        return []
    return [program.functions[b] for b in program.body_of(value.usr)]


class _Way:
    """The way from a start back to what is started, in one function."""

    def __init__(
        self, program: Program, calls: dict[int, f.Call], statements: list[f.Stmt]
    ) -> None:
        self._program = program
        self._calls = calls
        self._seen: set[int] = set()
        self._makes = {s.id: s.args for s in statements if isinstance(s, f.Make)}
        self._begun: dict[str, list[f.Value]] = {}
        for statement in statements:
            if isinstance(statement, f.Local) and statement.value is not None:
                self._begun.setdefault(statement.usr, []).append(statement.value)

    def back(self, value: f.Value | None) -> bool:
        """Mark what *value* stands for as begun elsewhere; whether there is anything."""
        value = self._original(value)
        call = self._calls.get(value.call) if isinstance(value, f.Result) else None
        if call is None or call.awaited or call.id in self._seen:
            return False
        self._seen.add(call.id)
        bodies = _bodies(self._program, call.target)
        if bodies:
            if not all(b.coroutine for b in bodies):
                return False
            assert isinstance(call.target, f.Fn)
            base = [call.target.base] if call.target.base is not None else []
            self._start(call, [f.Fn(call.target.usr), *base, *call.args])
            return True
        callables = [a for a in call.args if self._is_coroutine(a)]
        if callables:
            self._start(call, [callables[0], *(a for a in call.args if a is not callables[0])])
            return True
        made_of = call.target.base if isinstance(call.target, f.Fn | f.Name) else None
        found = [self.back(v) for v in (made_of, *call.args)]
        return any(found)

    def _is_coroutine(self, value: f.Value) -> bool:
        """Whether *value* is a lambda, or a local with one, that is a coroutine."""
        original = self._original(value)
        if isinstance(original, f.Closure):
            function = self._program.functions.get(original.usr)
            return function is not None and function.coroutine
        if not isinstance(original, f.Fn):
            return False
        return any(b.coroutine for b in _bodies(self._program, original))

    def _original(self, value: f.Value | None) -> f.Value | None:
        """What *value* is a local with, or a copy of."""
        seen: list[f.Value] = []
        while isinstance(value, f.Var | f.Made) and value not in seen:
            seen.append(value)
            if isinstance(value, f.Var):
                one = self._begun.get(value.usr, [])
            else:
                one = self._makes.get(value.make, [])
            if len(one) != 1:
                break
            value = one[0]
        return value

    def _start(self, call: f.Call, args: list[f.Value]) -> None:
        call.target, call.args, call.virtual = f.Fn(TASK), args, False
