"""Expressions of Python as values."""

from __future__ import annotations

import ast

from lockorder.python.emitting import (
    UNKNOWN,
    has_calls,
    known,
    literal,
)
from lockorder.python.releases import Releases
from lockorder.static.parse import facts as f


class Expressions(Releases):
    """Emits expressions."""

    def _value_constant(self, node: ast.Constant) -> f.Value:
        return literal(node.value)

    def _value_lambda(self, node: ast.Lambda) -> f.Value:
        return f.Closure(self.tables.names.functions[node].usr)

    def _value_subscript(self, node: ast.Subscript) -> f.Value:
        methods = self._methods(node.value, "__getitem__")
        if methods:
            found = self._call_each(methods, node.value, [node.slice], node.lineno, node.col_offset)
            return found if found is not None else UNKNOWN
        base = self.value(node.value)
        return f.Elem(base, self._index(node.slice))

    def _value_ifexp(self, node: ast.IfExp) -> f.Value:
        if has_calls(node.body) or has_calls(node.orelse):
            place = f.Var(self.tables.temporary(self.unit, self.kinds(node), self._fresh()))
            self.branch(
                node.test,
                lambda: self.out.append(f.Assign(place, self.value(node.body), node.lineno)),
                lambda: self.out.append(f.Assign(place, self.value(node.orelse), node.lineno)),
            )
            return place
        cond = known(self.value(node.test))
        return f.AnyOf([self.value(node.body), self.value(node.orelse)], [], cond)

    def _value_boolop(self, node: ast.BoolOp) -> f.Value:
        values: list[f.Value] = []

        def rest(number: int) -> None:
            if number >= len(node.values):
                return
            values.append(self.value(node.values[number]))
            if any(has_calls(v) for v in node.values[number + 1 :]):
                cond = known(values[-1])
                inner = self.collect(lambda: rest(number + 1))
                if isinstance(node.op, ast.And):
                    self.out.append(f.If(cond, inner))
                else:
                    self.out.append(f.If(cond, f.Block([]), inner))
            else:
                rest(number + 1)

        rest(0)
        if any(self.tables.is_object(k) for v in node.values for k in self.kinds(v)):
            return f.AnyOf([v for v in values if v != UNKNOWN])
        if UNKNOWN in values:
            return UNKNOWN
        found = values[0]
        for other in values[1:]:
            found = f.Both(found, other, either=isinstance(node.op, ast.Or))
        return found

    def _value_unaryop(self, node: ast.UnaryOp) -> f.Value:
        inner = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return f.Not(inner) if inner != UNKNOWN else UNKNOWN
        if isinstance(node.op, ast.USub) and isinstance(inner, f.Lit) and inner.text.isdigit():
            return f.Lit(f"-{inner.text}")
        return UNKNOWN

    def _value_compare(self, node: ast.Compare) -> f.Value:
        for each, over in zip(node.ops, node.comparators, strict=True):
            if isinstance(each, ast.In | ast.NotIn):
                found = self._methods(over, "__contains__")
                if found:
                    self._call_each(found, over, [node.left], node.lineno, node.col_offset)
        left = self.value(node.left)
        rights = [self.value(c) for c in node.comparators]
        if len(rights) != 1 or left == UNKNOWN or rights[0] == UNKNOWN:
            return UNKNOWN
        op, right = node.ops[0], rights[0]
        if isinstance(op, ast.Eq | ast.Is):
            return f.Compare(left, right)
        if isinstance(op, ast.NotEq | ast.IsNot):
            return f.Compare(left, right, equal=False)
        if isinstance(op, ast.Lt):
            return f.Less(left, right)
        if isinstance(op, ast.Gt):
            return f.Less(right, left)
        if isinstance(op, ast.LtE):
            return f.Not(f.Less(right, left))
        if isinstance(op, ast.GtE):
            return f.Not(f.Less(left, right))
        return UNKNOWN

    def _value_namedexpr(self, node: ast.NamedExpr) -> f.Value:
        found = self.value(node.value)
        self.store(node.target, found, node.lineno)
        return found

    def _value_starred(self, node: ast.Starred) -> f.Value:
        return f.Elem(self.value(node.value))

    def _value_list(self, node: ast.List | ast.Tuple | ast.Set) -> f.Value:
        return self._collection(node, [self.value(e) for e in node.elts])

    _value_tuple = _value_list

    _value_set = _value_list

    def _value_dict(self, node: ast.Dict) -> f.Value:
        for key in node.keys:
            if key is not None:
                self.value(key)
        return self._collection(node, [self.value(e) for e in node.values])

    def _value_listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> f.Value:
        return self._comprehension(node, node.elt)

    _value_setcomp = _value_listcomp

    _value_generatorexp = _value_listcomp

    def _value_dictcomp(self, node: ast.DictComp) -> f.Value:
        return self._comprehension(node, node.value)

    def _comprehension(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        element: ast.expr,
    ) -> f.Value:
        place = f.Var(self.tables.temporary(self.unit, self.kinds(node), self._fresh()))

        def body() -> None:
            value = self.value(element)
            if value != UNKNOWN:
                self.out.append(f.Assign(f.Elem(place), value, node.lineno))

        self.rounds(node, body)
        return place

    def _value_formattedvalue(self, node: ast.FormattedValue) -> f.Value:
        self.value(node.value)
        names = ("__format__", "__str__", "__repr__")
        self.shown(node.value, names[2:] if node.conversion == ord("r") else names)
        if node.format_spec is not None:
            self.value(node.format_spec)
        return UNKNOWN

    def _value_yield(self, node: ast.Yield) -> f.Value:
        if node.value is not None:
            self.value(node.value)
        if self.hook:
            self._target(f.Var(self.hook), [], node.lineno, 0)
        return UNKNOWN
