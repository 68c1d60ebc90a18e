"""Calls of what the program did not write, where it is known what that is.

A call of the language's own functions, of a library, or of a method of what these gave, is seen as
well as one of the program's: there is nothing in it but what the knowledge files say.  What is
called on a value of which nothing is known (a parameter, an element) is not.
"""

from __future__ import annotations

import ast
import builtins

from lockorder.python.infer import Types
from lockorder.python.keys import Unit
from lockorder.python.kinds import Container
from lockorder.python.scopes import own_nodes

_PLAIN = (
    ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp, ast.Compare,
)  # fmt: skip


class Foreign:
    """Answers about one program."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._asked: set[tuple[int, str]] = set()

    def knows(self, node: ast.expr, unit: Unit) -> bool:
        """Whether a value is the language's, or a library's, by whichever name."""
        if isinstance(node, _PLAIN):
            return True
        if isinstance(node, ast.Call):
            return self.knows(node.func, unit)
        if isinstance(node, ast.Attribute | ast.Await):
            return self.knows(node.value, unit)
        if isinstance(node, ast.BinOp):
            return self.knows(node.left, unit) and self.knows(node.right, unit)
        return isinstance(node, ast.Name) and self._knows_name(node, unit)

    def _knows_name(self, node: ast.Name, unit: Unit) -> bool:
        home = unit.scope.home(node.id)
        if home is None:
            return hasattr(builtins, node.id)
        if isinstance(self._types.names.resolve(node, unit.scope), str):
            return True
        kinds = self._types.of(node, unit)
        if kinds and all(isinstance(k, Container) for k in kinds):
            return True
        asked = id(home), node.id
        if home is not unit.scope or asked in self._asked:
            return False
        written = self._types.written.get(("v", *asked), {})
        bound = sum(
            isinstance(n, ast.Name) and n.id == node.id and not isinstance(n.ctx, ast.Load)
            for n in own_nodes(unit.body)
        )
        function = unit.function
        given = function is not None and any(p.arg == node.id for p in function.parameters)
        if given or not written or bound != len(written):
            return False
        self._asked.add(asked)
        found = all(self.knows(value, u) for value, u in written.values())
        self._asked.discard(asked)
        return found
