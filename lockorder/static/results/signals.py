"""Objects by which threads wake each other, under all the names that one of them has.

A promise is moved into a task, and its future into a member; a latch is handed on by reference.
What the points-to graph joins, by ways over such objects alone, is taken for one.
"""

from __future__ import annotations

import re

from lockorder.static.interp.engine import Engine


class Signals:
    """Answers about one analysed program."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._beside: dict[str, list[str]] | None = None
        self._by_type: dict[str, bool] = {}
        self._known: dict[str, frozenset[str]] = {}
        names = sorted({n.rpartition("::")[2] for n in engine.knowledge.signals})
        self._types = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b") if names else None

    def names(self, node: str) -> frozenset[str]:
        """Everything that the object which *node* stands for may be known by."""
        found = self._known.get(node)
        if found is None:
            seen, pending = {node}, [node]
            while pending:
                for other in self._neighbours().get(pending.pop(), ()):
                    if other not in seen and self._is_signal(other):
                        seen.add(other)
                        pending.append(other)
            found = frozenset(seen)
            # What lies beside another kind of object is not joined over it.
            self._known.update(dict.fromkeys(seen if self._is_signal(node) else (node,), found))
        return found

    def _is_signal(self, node: str) -> bool:
        variable = self._engine.program.variables.get(node)
        if variable is None:
            return node.startswith(("result:", "made:", "return:"))
        known = self._by_type.get(variable.type)
        if known is None:
            known = self._types is not None and self._types.search(variable.type) is not None
            self._by_type[variable.type] = known
        return known

    def _neighbours(self) -> dict[str, list[str]]:
        """By node, the signals that stand for the same as it does.

        The graph has millions of flows, and nearly all are between other things.
        """
        if self._beside is None:
            self._beside = {}
            for source, targets in self._engine.points_to.flows():
                for target in filter(self._is_signal, targets):
                    self._beside.setdefault(source, []).append(target)
                if self._is_signal(source):
                    for target in targets:
                        self._beside.setdefault(target, []).append(source)
        return self._beside
