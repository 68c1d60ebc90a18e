"""What the program has run at the end of objects, other than ``__del__``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lockorder.python.infer import Types
from lockorder.python.kinds import Callable, OfClass, Path
from lockorder.python.scopes import Class, Function, own_nodes


class Finalisers:
    """Answers by class."""

    def __init__(self, types: Types) -> None:
        self._found: dict[int, dict[Function, Class | None]] = {}
        calls = types.library.finalisers.calls
        words = {c.rpartition(".")[2] for c in calls}
        if any(words & s.source.words for s in types.names.modules.values()):
            for cls, what in _registered(types, set(calls)):
                self._found.setdefault(id(cls), {})[what.function] = what.of

    def of(self, cls: Class) -> list[tuple[Function, Class | None]]:
        """Functions that may run where an object of *cls* ends, with the class of their object."""
        return [each for c in cls.lineage for each in self._found.get(id(c), {}).items()]


def _registered(types: Types, calls: set[str]) -> Iterator[tuple[Class, Callable]]:
    for unit in types.units:
        for node in own_nodes(unit.body):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            kinds = types.of(node.func, unit)
            if any(isinstance(k, Path) and k.path in calls for k in kinds):
                for kind in types.of(node.args[0], unit):
                    for what in types.of(node.args[1], unit):
                        if isinstance(kind, OfClass) and isinstance(what, Callable):
                            yield kind.cls, what
