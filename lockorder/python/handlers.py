"""Objects that a library calls with a lock of theirs, wherever the program calls the library.

A handler of logging is one: each record goes to the handlers of its logger and of those above it,
and ``Handler.handle`` calls ``emit`` with the handler's own lock, which is reentrant (logging,
"Handler Objects").
"""

from __future__ import annotations

import ast

from lockorder.python.infer import Types
from lockorder.python.keys import Unit
from lockorder.python.kinds import OfClass, Path
from lockorder.python.matching import given_in
from lockorder.python.scopes import Class, own_nodes

#: The name of the logger above all others.
_ROOT = ""


class Handlers:
    """Which classes of the program a library calls from where."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._known = types.library.handlers
        #: by class: names of the loggers that have one; None where nobody knows which
        self._registered: dict[int, tuple[Class, set[str | None]]] = {}
        mine = any(c.is_from(self._known.classes) for c in types.names.classes.values())
        for unit in types.units if mine else ():
            for node in own_nodes(unit.body):
                if isinstance(node, ast.Call) and self.registers(node, unit):
                    self._register(node, unit)

    def registers(self, node: ast.Call, unit: Unit) -> bool:
        """Whether a call hands objects to the library."""
        kinds = self._types.of(node.func, unit)
        return any(isinstance(k, Path) and k.path in self._known.registers for k in kinds)

    def _register(self, node: ast.Call, unit: Unit) -> None:
        is_method = isinstance(node.func, ast.Attribute) and not self._is_module(node.func, unit)
        logger = self._logger(node.func.value, unit) if is_method else _ROOT  # type: ignore[attr-defined]
        for each in given_in(node):
            kinds = self._types.of(each, unit)
            for kind in kinds | self._types.inside(kinds):
                if isinstance(kind, OfClass) and self.is_handler(kind.cls):
                    found = self._registered.setdefault(id(kind.cls), (kind.cls, set()))
                    found[1].add(logger)

    def is_handler(self, cls: Class) -> bool:
        """Whether the library calls a method that the program wrote of objects of a class."""
        return cls.is_from(self._known.classes) and cls.method(self._known.method) is not None

    def called_by(self, node: ast.Call, unit: Unit) -> list[Class]:
        """Classes of the objects that a call of the library leads to."""
        if not self._registered or not isinstance(node.func, ast.Attribute):
            return []
        is_module = self._is_module(node.func, unit)
        logger = _ROOT if is_module else self._logger(node.func.value, unit)
        return [
            cls
            for cls, loggers in self._registered.values()
            if logger is None or any(n is None or _is_below(logger, n) for n in loggers)
        ]

    def _is_module(self, func: ast.Attribute, unit: Unit) -> bool:
        kinds = self._types.of(func.value, unit)
        return bool(kinds) and all(isinstance(k, Path) for k in kinds)

    def _logger(self, node: ast.expr, unit: Unit) -> str | None:
        """The name of a logger, where it stands where that is made."""
        if isinstance(node, ast.Call):
            return self._name(node, unit)
        written = self._types.given_to(node, unit)
        found = {self._name(v, u) if isinstance(v, ast.Call) else None for v, u in written}
        return found.pop() if len(found) == 1 else None

    def _name(self, node: ast.Call, unit: Unit) -> str | None:
        kinds = self._types.of(node.func, unit)
        if not any(isinstance(k, Path) and k.path in self._known.loggers for k in kinds):
            return None
        if not node.args:
            return _ROOT
        given = node.args[0]
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            return given.value
        is_own = isinstance(given, ast.Name) and given.id == "__name__"
        return unit.scope.module.name if is_own else None


def _is_below(logger: str, other: str) -> bool:
    """Whether records of *logger* go to the handlers of *other*."""
    return other in (_ROOT, logger) or logger.startswith(f"{other}.")
