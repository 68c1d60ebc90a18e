"""Expressions of C and C++, as Python's."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from tree_sitter import Node

from lockorder.ranks.c_nodes import Closure, Instance, Step, Store, arguments, kids
from lockorder.ranks.operators import Quotient, Remainder

_BINARY = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": Quotient, "%": Remainder, "&": ast.BitAnd,
    "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
}  # fmt: skip
_COMPARE = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip
_WRAPPERS = frozenset(("make_shared", "make_unique", "make_intrusive"))
_TIES = frozenset(("tie", "std::tie"))
#: By what makes an object: how the variable that gets it holds it.
_HELD = {"make_shared": "shared", "make_unique": "unique", "make_intrusive": "shared"}


class Expressions:
    """Reads expressions of one file, *data*."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.functions: list[ast.FunctionDef] = []
        #: classes whose members are known
        self.structs: set[str] = set()
        #: the type that the function at hand gives back
        self.returned = ""

    def parameters(self, node: Node | None) -> list[ast.arg]:
        """Parameters of a function."""
        raise NotImplementedError

    def body(self, node: Node | None) -> list[ast.stmt]:
        """What a function does."""
        raise NotImplementedError

    # -- helpers ----------------------------------------------------------------------------------

    def text(self, node: Node | None) -> str:
        return (
            ""
            if node is None
            else self.data[node.start_byte : node.end_byte].decode(errors="replace")
        )

    def at(self, made: Any, node: Node) -> Any:
        made.lineno = node.start_point[0] + 1
        made.col_offset = node.start_point[1]
        made.written = " ".join(self.text(node)[:80].split())
        return made

    def name(self, text: str, node: Node) -> ast.Name:
        found: ast.Name = self.at(ast.Name(text, ast.Load()), node)
        return found

    def apply(self, name: str, args: Sequence[ast.expr], node: Node) -> ast.Call:
        made: ast.Call = self.at(ast.Call(self.name(name, node), list(args), []), node)
        return made

    def constant(self, value: Any, node: Node) -> ast.Constant:
        made: ast.Constant = self.at(ast.Constant(value), node)
        return made

    # -- expressions ------------------------------------------------------------------------------

    def expression(self, node: Node) -> ast.expr:
        method = getattr(self, "_e_" + node.type, None)
        if method is not None:
            found: ast.expr = method(node)
            return found
        inner = [self.expression(x) for x in kids(node) if not x.type.endswith("type")]
        return self.apply("__unset__", inner, node)

    def _e_identifier(self, node: Node) -> ast.expr:
        return self.name(self.text(node), node)

    _e_field_identifier = _e_identifier
    _e_type_identifier = _e_identifier

    def _e_qualified_identifier(self, node: Node) -> ast.expr:
        name = self.name(re.sub(r"\s|<[^<>]*>", "", self.text(node)), node)
        last = node
        while last.type == "qualified_identifier":
            inner = last.child_by_field_name("name")
            if inner is None:
                break
            last = inner
        if last.type != "template_function":
            return name
        return self.instance(name, last.child_by_field_name("arguments"), node)

    def _e_this(self, node: Node) -> ast.expr:
        return self.name("this", node)

    def _e_number_literal(self, node: Node) -> ast.expr:
        text = self.text(node).rstrip("uUlLzZ").replace("'", "")
        try:
            return self.constant(
                int(text, 0) if not re.fullmatch(r"0[0-7]+", text) else int(text, 8), node
            )
        except ValueError:
            try:
                return self.constant(float(text.rstrip("fF")), node)
            except ValueError:
                return self.apply("__unset__", [], node)

    def _e_char_literal(self, node: Node) -> ast.expr:
        text = self.text(node).strip("'")
        return self.constant(ord(text) if len(text) == 1 else text, node)

    def _e_string_literal(self, node: Node) -> ast.expr:
        return self.constant(self.text(node).strip('"'), node)

    _e_concatenated_string = _e_string_literal
    _e_raw_string_literal = _e_string_literal

    def _e_true(self, node: Node) -> ast.expr:
        return self.constant(True, node)

    def _e_false(self, node: Node) -> ast.expr:
        return self.constant(False, node)

    def _e_null(self, node: Node) -> ast.expr:
        return self.constant(None, node)

    _e_nullptr = _e_null

    def _e_parenthesized_expression(self, node: Node) -> ast.expr:
        return self.expression(kids(node)[-1]) if kids(node) else self.apply("__unset__", [], node)

    def _e_cast_expression(self, node: Node) -> ast.expr:
        value = node.child_by_field_name("value")
        return self.expression(value) if value is not None else self.apply("__unset__", [], node)

    def _e_sizeof_expression(self, node: Node) -> ast.expr:
        return self.apply("__unset__", [self.constant(self.text(node), node)], node)

    def _e_comma_expression(self, node: Node) -> ast.expr:
        parts = [self.expression(x) for x in kids(node)]
        row = self.at(ast.Tuple(parts, ast.Load()), node)
        last = self.constant(len(parts) - 1, node)
        made: ast.expr = self.at(ast.Subscript(row, last, ast.Load()), node)
        return made

    def _e_conditional_expression(self, node: Node) -> ast.expr:
        parts = [node.child_by_field_name(n) for n in ("condition", "consequence", "alternative")]
        test, first, second = [
            self.expression(p) if p is not None else ast.Constant(None) for p in parts
        ]
        return self.at(ast.IfExp(test, first, second), node)  # type: ignore[no-any-return]

    def _e_unary_expression(self, node: Node) -> ast.expr:
        operator = self.text(node.child_by_field_name("operator"))
        argument = node.child_by_field_name("argument")
        inner = self.expression(argument) if argument is not None else ast.Constant(None)
        kinds = {"!": ast.Not, "-": ast.USub, "+": ast.UAdd, "~": ast.Invert, "not": ast.Not}
        if operator in kinds:
            return self.at(ast.UnaryOp(kinds[operator](), inner), node)  # type: ignore[no-any-return]
        return inner

    def _e_pointer_expression(self, node: Node) -> ast.expr:
        argument = node.child_by_field_name("argument")
        inner = self.expression(argument) if argument is not None else ast.Constant(None)
        address = self.text(node).startswith("&")
        if not address and isinstance(inner, ast.Name) and inner.id == "this":
            return inner
        return self.apply("__addr__" if address else "__deref__", [inner], node)

    def _e_binary_expression(self, node: Node) -> ast.expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = self.text(node.child_by_field_name("operator"))
        if left is None or right is None:
            return self.apply("__unset__", [], node)
        ours, theirs = self.expression(left), self.expression(right)
        if operator in ("&&", "and", "||", "or"):
            kind = ast.And if operator in ("&&", "and") else ast.Or
            return self.at(ast.BoolOp(kind(), [ours, theirs]), node)  # type: ignore[no-any-return]
        if operator in _COMPARE:
            return self.at(ast.Compare(ours, [_COMPARE[operator]()], [theirs]), node)  # type: ignore[no-any-return]
        if operator in _BINARY:
            return self.at(ast.BinOp(ours, _BINARY[operator](), theirs), node)  # type: ignore[no-any-return]
        return self.apply("__unset__", [ours, theirs], node)

    def _target(self, node: Node) -> ast.expr:
        made = self.expression(node)
        func = made.func if isinstance(made, ast.Call) else None
        if isinstance(made, ast.Call) and isinstance(func, ast.Name) and func.id in _TIES:
            return self.at(ast.Tuple(made.args, ast.Store()), node)  # type: ignore[no-any-return]
        if isinstance(made, ast.Name | ast.Attribute | ast.Subscript):
            made.ctx = ast.Store()
        return made

    def _e_assignment_expression(self, node: Node) -> ast.expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = self.text(node.child_by_field_name("operator"))
        if left is None or right is None:
            return self.apply("__unset__", [], node)
        value = self.expression(right)
        if operator != "=":
            kind = _BINARY.get(operator[:-1], ast.Add)
            return self.at(Step(self._target(left), kind(), value), node)  # type: ignore[no-any-return]
        return self.at(Store(self._target(left), value), node)  # type: ignore[no-any-return]

    def _e_update_expression(self, node: Node) -> ast.expr:
        argument = node.child_by_field_name("argument")
        if argument is None:
            return self.apply("__unset__", [], node)
        operator = self.text(node.child_by_field_name("operator"))
        kind = ast.Add if operator == "++" else ast.Sub
        made = self.at(Step(self._target(argument), kind(), self.constant(1, node)), node)
        made.after = node.children[0] == argument
        return made  # type: ignore[no-any-return]

    def _e_subscript_expression(self, node: Node) -> ast.expr:
        base = node.child_by_field_name("argument")
        indices = node.child_by_field_name("indices")
        index = kids(indices)[0] if indices is not None and kids(indices) else None
        if base is None or index is None:
            return self.apply("__unset__", [], node)
        part = ast.Subscript(self.expression(base), self.expression(index), ast.Load())
        made: ast.expr = self.at(part, node)
        return made

    def _e_field_expression(self, node: Node) -> ast.expr:
        base = node.child_by_field_name("argument")
        field = re.sub(r"<.*>", "", self.text(node.child_by_field_name("field")))
        if base is None:
            return self.apply("__unset__", [], node)
        return self.at(ast.Attribute(self.expression(base), field, ast.Load()), node)  # type: ignore[no-any-return]

    def _e_template_function(self, node: Node) -> ast.expr:
        name = self.name(re.sub(r"<.*>", "", self.text(node), flags=re.S), node)
        return self.instance(name, node.child_by_field_name("arguments"), node)

    def instance(self, what: ast.expr, given: Node | None, node: Node) -> ast.expr:
        """A template with its arguments: numbers, and names of types and values."""
        found: list[ast.expr] = []
        for one in kids(given) if given is not None else ():
            if one.type == "type_descriptor":
                found.append(self.name(self.text(one), one))
            else:
                found.append(self.expression(one))
        return self.at(Instance(what, found), node) if found else what

    def _e_call_expression(self, node: Node) -> ast.expr:
        what = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        args = [self.expression(x) for x in (kids(arguments) if arguments is not None else ())]
        if what is None:
            return self.apply("__unset__", args, node)
        text = self.text(what)
        short = re.sub(r"<.*", "", text, flags=re.S).rpartition("::")[2]
        if short in _WRAPPERS:
            inner = re.search(r"<(.*)>", text, re.S)
            made = self.apply(inner.group(1).strip() if inner else "__unset__", args, node)
            made.held = _HELD[short]  # type: ignore[attr-defined]
            return made
        if short == "move" and len(args) == 1:
            return self.apply("__moved__", args, node)
        if (
            short
            in (
                "forward",
                "static_cast",
                "dynamic_cast",
                "reinterpret_cast",
                "const_cast",
                "ref",
                "cref",
            )
            and len(args) == 1
        ):
            return args[0]
        return self.at(ast.Call(self.expression(what), args, []), node)  # type: ignore[no-any-return]

    def _e_new_expression(self, node: Node) -> ast.expr:
        kind = self.text(node.child_by_field_name("type"))
        arguments = node.child_by_field_name("arguments")
        args = [self.expression(x) for x in (kids(arguments) if arguments is not None else ())]
        if node.child_by_field_name("declarator") is not None and kind not in self.structs:
            return self.apply("__array__", args, node)
        if kind not in self.structs:
            made = self.apply("__new__", [self.constant(kind, node), *args], node)
        else:
            made = self.apply(kind, args, node)
        made.held = "pointer"  # type: ignore[attr-defined]
        return made

    def _e_delete_expression(self, node: Node) -> ast.expr:
        inner = [self.expression(x) for x in kids(node)]
        return self.apply("__delete__", inner, node)

    def _e_compound_literal_expression(self, node: Node) -> ast.expr:
        value = node.child_by_field_name("value")
        kind = self.text(node.child_by_field_name("type"))
        if value is not None and kind in self.structs:
            return self._filled(kind, value, node)
        args = [self.expression(x) for x in (kids(value) if value is not None else ())]
        return self.apply("__unset__", args, node)

    def _e_initializer_list(self, node: Node) -> ast.expr:
        return self.at(ast.List([self.expression(x) for x in kids(node)], ast.Load()), node)  # type: ignore[no-any-return]

    def _e_lambda_expression(self, node: Node) -> ast.expr:
        declarator = node.child_by_field_name("declarator")
        parameters = self.parameters(
            declarator.child_by_field_name("parameters") if declarator is not None else None
        )
        around, self.returned = self.returned, ""
        body = self.body(node.child_by_field_name("body"))
        self.returned = around
        made = self.at(
            ast.FunctionDef(
                "lambda", arguments(parameters), body or [self.at(ast.Pass(), node)], []
            ),
            node,
        )
        self.functions.append(made)
        kept: list[ast.keyword] = []
        captures = node.child_by_field_name("captures")
        for one in kids(captures) if captures is not None else ():
            if one.type == "identifier" and self.data[one.start_byte - 1 : one.start_byte] != b"&":
                kept.append(ast.keyword(self.text(one), self.expression(one)))
            elif one.type == "lambda_capture_initializer":
                left, right = one.child_by_field_name("left"), one.child_by_field_name("right")
                if left is not None and right is not None:
                    kept.append(ast.keyword(self.text(left), self.expression(right)))
        copies = captures is not None and self.text(captures)[1:].lstrip().startswith("=")
        return self.at(Closure(made, kept, copies), node)  # type: ignore[no-any-return]

    def _filled(self, name: str, value: Node, node: Node) -> ast.expr:
        keywords: list[ast.keyword] = []
        args: list[ast.expr] = []
        for one in kids(value):
            if one.type == "initializer_pair":
                field = self.text(one.child_by_field_name("designator")).lstrip(".")
                inner = one.child_by_field_name("value")
                if inner is not None:
                    keywords.append(ast.keyword(field, self.expression(inner)))
            else:
                args.append(self.expression(one))
        made = self.apply("__object__", [self.name(name, node), *args], node)
        made.keywords = keywords
        return made
