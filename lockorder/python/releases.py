"""Where references to objects go that run code at their end: ``__del__``, and weakref.finalize.

An object ends where its last reference goes (CPython), in the thread and under the locks of whoever
drops that: ``del d[k]``, an element that is taken out and kept nowhere, an attribute that gets
another value.  That it is the last one is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lockorder.python.emitting import UNKNOWN
from lockorder.python.kinds import Container, Kind, OfClass
from lockorder.python.matching import paired
from lockorder.python.scopes import own_nodes
from lockorder.python.starts import Starts
from lockorder.static.parse import facts as f

#: Methods of containers that take elements out, and give them to whoever calls, or to nobody.
_TAKES = frozenset(("pop", "popleft", "popitem"))
_EMPTIES = frozenset(("clear",))


class Releases(Starts):
    """Emits the end of objects."""

    def _release(self, value: f.Value, kinds: Sequence[OfClass], line: int, column: int) -> None:
        """A reference to *value* goes: what runs at the end of what it can be may run here."""
        for kind in kinds:
            method = kind.cls.method("__del__")
            if method is not None:
                given = [f.Fn(method.usr), value]
                self._named("python::released", None, given, line, column)
            for function, of in self.tables.finalisers(kind.cls):
                mine = self.function.cls if self.function is not None else None
                if function.has_self and (of is None or mine is None or of not in mine.lineage):
                    continue  # of which object is not known here
                object_ = [f.This()] if function.has_self else []
                given = [f.Fn(function.usr), *object_, *(UNKNOWN for _ in function.parameters)]
                self._named("python::released", None, given, line, column)

    def _release_elements(self, node: ast.expr, line: int) -> None:
        """Elements of a container go."""
        inside = self._ending(self.types.inside(frozenset(self.kinds(node))))
        if inside:
            self._release(f.Elem(self.value(node)), inside, line, node.col_offset)

    def _ending(self, kinds: frozenset[Kind]) -> list[OfClass]:
        """Those of *kinds* whose end runs code, in an order that is the same in every run."""
        found = [k for k in kinds if isinstance(k, OfClass) and self.tables.ends(k.cls)]
        return sorted(found, key=lambda k: (k.cls.name, k.cls.node.lineno))

    def dropped(self, node: ast.expr) -> None:
        """The result of an expression is dropped."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return
        owner = node.func.value
        if node.func.attr in (*_TAKES, *_EMPTIES) and any(
            isinstance(k, Container) for k in self.kinds(owner)
        ):
            self._release_elements(owner, node.lineno)

    def deleted(self, target: ast.expr) -> None:
        """``del d[k]``, ``del x``, ``del self.x``."""
        if isinstance(target, ast.Subscript):
            self._release_elements(target.value, target.lineno)
        elif isinstance(target, ast.Name | ast.Attribute):
            self._release_place(target)

    def _release_place(self, target: ast.expr) -> None:
        kinds = frozenset(self.kinds(target))
        ending = self._ending(kinds)
        if ending:
            place = self.value(target)

            def release() -> None:
                self._release(place, ending, target.lineno, target.col_offset)

            self.out.append(f.If(place, self.collect(release)))  # unless it had nothing
        if any(isinstance(k, Container) for k in kinds):
            self._release_elements(target, target.lineno)

    def replaced(self, node: ast.Assign) -> None:
        """What an attribute had before goes, and what a variable had that is told to have none."""
        if self.function is None or self.function.short == "__init__":
            return
        for target in node.targets:
            for one, value in paired(target, node.value) or [(target, node.value)]:
                none = isinstance(value, ast.Constant) and value.value is None
                again = (
                    isinstance(one, ast.Name) and self._loop_depth() and self._stays_here(one.id)
                )
                if (isinstance(one, ast.Attribute) and not self._is_kept_elsewhere(one, node)) or (
                    isinstance(one, ast.Name) and none
                ):
                    self._release_place(one)
                elif again and self._is_taken_out(value):
                    self._release_elements(value.func.value, node.lineno)  # type: ignore[attr-defined]

    def _is_taken_out(self, value: ast.expr) -> bool:
        """Whether an element is taken out of a container."""
        return (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr in _TAKES
            and any(isinstance(k, Container) for k in self.kinds(value.func.value))
        )

    def _is_kept_elsewhere(self, target: ast.Attribute, node: ast.Assign) -> bool:
        """Whether the function reads what an attribute had before, and may keep it."""
        text = ast.unparse(target)
        return any(
            isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load) and ast.unparse(n) == text
            for other in own_nodes(self.unit.body)
            if isinstance(other, ast.Assign | ast.NamedExpr | ast.Return)
            and (other is node or other.lineno <= node.lineno)
            and other.value is not None
            for n in ast.walk(other.value)
        )

    def _stays_here(self, name: str) -> bool:
        """Whether a variable's object is only asked and called: nobody else gets a reference."""
        kept = {
            id(n.value)
            for n in own_nodes(self.unit.body)
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)
        }
        return all(
            id(n) in kept
            for n in own_nodes(self.unit.body)
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        )

    def taken_out_at_end(self, body: Sequence[ast.stmt], line: int) -> None:
        """Elements that a function took out and that nobody else has end with it."""
        for node in own_nodes(body):
            if not isinstance(node, ast.Assign) or not self._is_taken_out(node.value):
                continue
            for target in node.targets:
                if isinstance(target, ast.Name) and self._stays_here(target.id):
                    self._release_elements(node.value.func.value, line)  # type: ignore[attr-defined]
