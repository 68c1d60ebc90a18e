"""Where a program makes a copy of its process, and what that runs.

Of multiprocessing it is a start method that says whether a new process is a copy of this one
("Contexts and start methods"): the context's by which it was made, the one that the program sets,
or the platform's, which was to fork on Linux up to Python 3.13.  After ``os.fork()`` the copy goes
on with whatever the program does where the result is 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from lockorder.python.infer import Types
from lockorder.python.keys import Unit
from lockorder.python.kinds import Path
from lockorder.python.scopes import own_nodes


class Forks:
    """Answers about the processes that a program starts."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._known = types.library.forks
        self._default = self._known.method
        made: list[tuple[ast.Call, Unit]] = []
        for unit in types.units if types.forking else ():
            for node in own_nodes(unit.body):
                if not isinstance(node, ast.Call):
                    continue
                paths = self._paths(node.func, unit)
                if paths & set(self._known.defaults):
                    self._default = _constant(node)
                if paths & {*self._known.processes, *self._known.pools}:
                    made.append((node, unit))
        #: methods by which processes are made anywhere; an empty one where nobody knows which
        self._methods = {self._method_of(node.func, unit) for node, unit in made}

    def _paths(self, node: ast.expr, unit: Unit) -> set[str]:
        return {k.path for k in self._types.of(node, unit) if isinstance(k, Path)}

    def _method_of(self, maker: ast.expr, unit: Unit) -> str:
        """The start method of what *maker* makes; empty where nobody knows it."""
        if not isinstance(maker, ast.Attribute):
            return self._default
        context = maker.value
        if isinstance(context, ast.Call):
            return self._of_context(context, unit)
        written = self._types.given_to(context, unit)
        contexts = [(v, u) for v, u in written if isinstance(v, ast.Call)]
        if not contexts:  # a module; or a parameter, which may be any context of the program's
            is_parameter = isinstance(context, ast.Name) and _is_parameter(unit, context.id)
            return self._any_context() if is_parameter else self._default
        found = {self._of_context(v, u) for v, u in contexts}
        return found.pop() if len(found) == 1 else ""

    def _of_context(self, call: ast.Call, unit: Unit) -> str:
        is_context = self._paths(call.func, unit) & set(self._known.contexts)
        if not is_context:
            return self._default
        return _constant(call) if call.args or call.keywords else self._default

    def _any_context(self) -> str:
        found = {
            _constant(node)
            for unit in self._types.units
            for node in own_nodes(unit.body)
            if isinstance(node, ast.Call)
            and self._paths(node.func, unit) & set(self._known.contexts)
        }
        return found.pop() if len(found) == 1 else ("" if found else self._default)

    def copies(self, process: ast.expr, unit: Unit) -> bool:
        """Whether the start of a process, or what makes a pool of some, copies this one."""
        if isinstance(process, ast.Call):
            return self._method_of(process.func, unit) == self._known.method
        found = {
            self._method_of(v.func, u)
            for v, u in self._types.given_to(process, unit)
            if isinstance(v, ast.Call) and self._paths(v.func, u) & set(self._known.processes)
        }
        return found == {self._known.method} if found else self._known.method in self._methods

    def is_of_processes(self, pool: ast.expr, unit: Unit) -> bool:
        """Whether the tasks of a pool run in processes that are copies of this one."""
        key = self._types.key_of(pool, unit)
        made = [(v, u) for v, u in self._types.given_to(pool, unit) if isinstance(v, ast.Call)]
        made += self._types.entered_by.get(key, []) if key is not None else []
        pools = set(self._known.executors)
        return any(
            self._paths(v.func, u) & pools and self._executors_method(v) == self._known.method
            for v, u in made
        )

    def _executors_method(self, call: ast.Call) -> str:
        for each in call.keywords:
            if each.arg == "mp_context":
                return _constant(each.value) if isinstance(each.value, ast.Call) else ""
        return self._default


def child_branches(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Call, list[ast.stmt]]]:
    """Calls that may be forks, with the branch that only the child takes."""
    nodes = list(own_nodes(body))
    results = {
        node.targets[0].id: node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.targets[0], ast.Name)
    }
    results |= {
        node.target.id: node.value
        for node in nodes
        if isinstance(node, ast.NamedExpr) and isinstance(node.value, ast.Call)
    }
    for node in nodes:
        if isinstance(node, ast.If):
            for call, is_zero in _tested(node.test, results):
                yield call, node.body if is_zero else node.orelse


def _tested(test: ast.expr, results: dict[str, ast.Call]) -> Iterable[tuple[ast.Call, bool]]:
    """The call whose result a condition compares with 0, and whether it is that where it holds."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return [(call, not zero) for call, zero in _tested(test.operand, results)]
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        sides = (test.left, test.comparators[0])
        zero = [isinstance(s, ast.Constant) and s.value == 0 for s in sides]
        if any(zero):
            call = _call(sides[0] if zero[1] else sides[1], results)
            if call is not None:
                return [(call, isinstance(test.ops[0], ast.Eq))]
        return []
    call = _call(test, results)
    return [(call, False)] if call is not None else []


def _call(node: ast.expr, results: dict[str, ast.Call]) -> ast.Call | None:
    if isinstance(node, ast.NamedExpr):
        node = node.value
    if isinstance(node, ast.Call):
        return node
    return results.get(node.id) if isinstance(node, ast.Name) else None


def _constant(node: ast.Call) -> str:
    """The text that a call is given first; empty where it is none that stands there."""
    given = [*node.args, *(k.value for k in node.keywords if k.arg == "method")]
    known = given and isinstance(given[0], ast.Constant) and isinstance(given[0].value, str)
    return given[0].value if known else ""  # type: ignore[attr-defined]


def _is_parameter(unit: Unit, name: str) -> bool:
    return unit.function is not None and any(p.arg == name for p in unit.function.parameters)
