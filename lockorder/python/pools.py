"""Pools whose tasks give tasks to the same pool: a task then may wait for one that never begins.

A pool has so many threads, and whoever runs there has one of them.  Where all that run wait for
tasks of the pool's own, none is left for those (concurrent.futures, "Deadlocks can occur when the
callable associated with a Future waits on the results of another Future").  A thread of such a
pool is a lock that each of its tasks holds; of other pools nothing is said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from lockorder.python.infer import Types
from lockorder.python.keys import Key, Unit
from lockorder.python.kinds import Callable, Kind, OfClass, Partial, Path
from lockorder.python.matching import argument
from lockorder.python.scopes import Function, own_nodes

_LOOPS = (
    ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


class Given(msgspec.Struct, frozen=True, eq=False):
    """*function* gives a task to the pool *key*, one of these functions; *often* in a loop."""

    key: Key | None
    function: Function | None
    tasks: tuple[Function, ...]
    often: bool


class Pools:
    """Which pools are given tasks by their own tasks."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._given: list[Given] = []
        self._calls: dict[int, set[int]] = {}
        #: by function: whether one of its calls stands in a loop, for each call
        self._called: dict[int, list[tuple[int, bool]]] = {}
        for unit in types.units:
            self._look(unit)
        self._nested = self._find()

    def threads(self, key: Key | None) -> int | None:
        """How many threads a pool has whose tasks give it tasks; 0: nobody knows, None: no such.

        A pool of several is none where no more of its tasks than one run at a time.
        """
        return self._nested.get(key) if key is not None else None

    # -- who gives what to which pool -------------------------------------------------------------

    def _look(self, unit: Unit) -> None:
        caller = id(unit.function) if unit.function is not None else 0
        for node, often in _calls_in(unit):
            for kind in self._types.of(node.func, unit):
                if isinstance(kind, Path):
                    self._give(node, kind.path, unit, often)
                for function in functions_of(kind):
                    self._calls.setdefault(caller, set()).add(id(function))
                    self._called.setdefault(id(function), []).append((caller, often))

    def _give(self, node: ast.Call, path: str, unit: Unit, often: bool) -> None:
        library = self._types.library
        starts = library.starters.get(path)
        if starts is None or path.rpartition(".")[0] not in library.pools.names:
            return
        what = argument(node, starts.callable, starts.number)
        key = key_of(self._types, node.func, unit)
        if what is None:
            return
        tasks = [f for k in self._types.of(what, unit) for f in functions_of(k)]
        self._given.append(Given(key, unit.function, tuple(tasks), often or starts.elements))

    def _find(self) -> dict[Key, int]:
        found: dict[Key, int] = {}
        for key in dict.fromkeys(g.key for g in self._given if g.key is not None):
            given = [g for g in self._given if g.key == key]
            givers = {id(g.function) for g in given if g.function is not None}
            outer = [g for g in given if any(self._reached(id(t)) & givers for t in g.tasks)]
            if not outer or not self._of_threads(key):
                continue
            size = self._size(key)
            if size == 1 or any(g.often or self._is_repeated(g.function, set()) for g in outer):
                found[key] = size
        return found

    def tasks_of(self, made: ast.Call) -> list[Function]:
        """What the pool that a call makes may be given: what any is, where nobody knows it."""
        keys = {
            key
            for written in (self._types.written, self._entered())
            for key, values in written.items()
            if any(v is made for v, _ in values.values())
        }
        tasks = [
            t for g in self._given if not keys or g.key is None or g.key in keys for t in g.tasks
        ]
        return list(dict.fromkeys(tasks))

    def _entered(self) -> dict[Key, dict[int, tuple[ast.expr, Unit]]]:
        return {k: dict(enumerate(v)) for k, v in self._types.entered_by.items()}

    def _reached(self, function: int) -> set[int]:
        seen, todo = {function}, [function]
        while todo:
            fresh = self._calls.get(todo.pop(), set()) - seen
            seen |= fresh
            todo.extend(fresh)
        return seen

    def _is_repeated(self, function: Function | None, seen: set[int]) -> bool:
        """Whether it may run several times: it is called in a loop, or by nobody knows whom."""
        if function is None:
            return False
        number = id(function)
        if number in seen:
            return True
        callers = self._called.get(number, [])
        return not callers or any(
            often or self._is_repeated(self._by_number(c), seen | {number}) for c, often in callers
        )

    def _by_number(self, number: int) -> Function | None:
        return next((f for f in self._types.names.functions.values() if id(f) == number), None)

    # -- what a pool was made with ----------------------------------------------------------------

    def _made(self, key: Key) -> Iterator[tuple[ast.Call, list[str]]]:
        for value, unit in self._types.written.get(key, {}).values():
            if isinstance(value, ast.Call):
                kinds = self._types.of(value.func, unit)
                yield value, [k.path for k in kinds if isinstance(k, Path)]

    def _of_threads(self, key: Key) -> bool:
        """Whether its tasks may run in this process."""
        made = [paths for _, paths in self._made(key)]
        of_processes = set(self._types.library.pools.processes)
        return not made or any(not of_processes & set(paths) for paths in made)

    def _size(self, key: Key) -> int:
        """The number that it was made with, where that is written there; 0 where it is not."""
        pools, sizes = self._types.library.pools, set[int]()
        for value, _ in self._made(key):
            given = next((g for n in pools.size if (g := argument(value, n, None))), None)
            given = given or (value.args[0] if value.args else None)
            known = isinstance(given, ast.Constant) and isinstance(given.value, int)
            sizes.add(given.value if known else 0)  # type: ignore[union-attr]
        return sizes.pop() if len(sizes) == 1 else 0


def key_of(types: Types, func: ast.expr, unit: Unit) -> Key | None:
    """Under which key the pool is kept that a method is called of."""
    if not isinstance(func, ast.Attribute):
        return None
    pool = func.value
    if isinstance(pool, ast.Name):
        return types.variable(unit.scope, pool.id)
    if isinstance(pool, ast.Attribute):
        for kind in types.of(pool.value, unit):
            if isinstance(kind, OfClass):
                return types.attribute(kind.cls, pool.attr)
    return None


def functions_of(kind: Kind) -> Iterator[Function]:
    """Functions that the call of a value runs."""
    if isinstance(kind, Callable):
        yield kind.function
    elif isinstance(kind, Partial):
        for inner in kind.kinds:
            yield from functions_of(inner)
    elif isinstance(kind, OfClass):
        method = kind.cls.method("__call__")
        if method is not None:
            yield method


def _calls_in(unit: Unit) -> Iterator[tuple[ast.Call, bool]]:
    """The calls of a unit, and whether they stand in a loop."""
    looped: set[int] = set()
    for node in own_nodes(unit.body):
        if isinstance(node, _LOOPS):
            looped.update(id(n) for n in ast.walk(node) if isinstance(n, ast.Call))
    for node in own_nodes(unit.body):
        if isinstance(node, ast.Call):
            yield node, id(node) in looped
