"""Reads expressions by their syntax alone, for statements that clang dropped."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.tree import (
    Syntax,
    any_declared_name,
    declared_name,
    declared_type,
    is_const,
)

if TYPE_CHECKING:
    from lockorder.static.parse.reader import Events, UnitReader

_CALL_TEXT = re.compile(r"^([A-Za-z_][\w:]*)\s*\(")
_TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")


class ValueReader:
    """Values of expressions inside one function (by its key)."""

    def __init__(
        self,
        extractor: UnitReader,
        syntax: Syntax,
        owner: str,
        into: Events | None = None,
    ) -> None:
        self._x = extractor
        self._syntax = syntax
        self._owner = owner
        self._into = into
        self._calls = 0
        self._makes = 0
        self._locals: list[dict[str, str]] = [{}]
        self.out: list[f.Stmt] = []
        self._temporaries: list[int] = []

    def _next_call(self) -> int:
        if self._into is not None:
            return self._into.next_call()
        self._calls += 1
        return self._calls - 1

    def _next_make(self) -> int:
        if self._into is not None:
            return self._into.next_make()
        self._makes += 1
        return self._makes - 1

    def block(self, node: Node) -> f.Block:
        """A statement as a scope (statements are the subclass's)."""
        raise NotImplementedError

    # -- expressions ------------------------------------------------------------------------------

    def full(self, node: Node, keep: bool = True) -> f.Value | None:
        """A full-expression: what it makes and does not *keep* as its value dies at its end."""
        before, self._temporaries = self._temporaries, []
        value = self.value(node)
        self._end(node, value if keep and not leads_elsewhere(node) else None)
        self._temporaries = before
        return value

    def _end(self, node: Node, keep: f.Value | None) -> None:
        kept = {self.number_of(v) for v in (keep.values if isinstance(keep, f.AnyOf) else [keep])}
        dying = [n for n in self._temporaries if n not in kept]
        if dying:
            self.out.append(f.EndTemporaries(dying, node.start_point[0] + 1))
        self._temporaries = []

    def number_of(self, value: f.Value | None) -> int | None:
        """The temporary that a value is, as ``EndTemporaries`` has it; None for anything else."""
        if isinstance(value, f.Made):
            return value.make
        return -1 - value.call if isinstance(value, f.Result) else None

    def value(self, node: Node) -> f.Value | None:
        """Evaluate an expression by its syntax."""
        handler = _EXPRESSIONS.get(node.type)
        if handler is not None:
            return handler(self, node)
        inner = [self.value(c) for c in node.named_children if c.type not in _TYPES]
        known = [v for v in inner if v is not None]
        return known[0] if len(known) == 1 and len(inner) == 1 else None

    def _known(self, node: Node) -> f.Value:
        value = self.value(node)
        return value if value is not None else f.Lit("")

    def _identifier(self, node: Node) -> f.Value | None:
        return self._named(_TEMPLATE_ARGUMENTS.sub("", self._syntax.text(node)))

    def _named(self, text: str) -> f.Value:
        for scope in reversed(self._locals):
            if text in scope:
                return f.Var(scope[text])
        known = self._x.local_named(self._owner, text)
        return f.Var(known) if known is not None else f.Name(text)

    def _this(self, node: Node) -> f.Value | None:
        return f.This()

    def _literal(self, node: Node) -> f.Value | None:
        return f.Lit(self._syntax.text(node)[:24])

    def _field(self, node: Node) -> f.Value | None:
        base_node = node.child_by_field_name("argument")
        base = self.value(base_node) if base_node is not None else f.This()
        name_node = node.child_by_field_name("field")
        text = self._syntax.text(name_node) if name_node is not None else ""
        text = _TEMPLATE_ARGUMENTS.sub("", text).replace("template ", "").strip()
        return f.Name(text, base if base is not None else f.Name(""))

    def _call(self, node: Node) -> f.Value | None:
        function = node.child_by_field_name("function")
        target = self.value(function) if function is not None else None
        arguments = node.child_by_field_name("arguments")
        args = [
            self._known(c)
            for c in (arguments.named_children if arguments else [])
            if c.type != "comment"
        ]
        if not self._syntax.is_real_call(node, self._x.macros):
            return args[0] if len(args) == 1 else None
        number = self._next_call()
        known = target if target is not None else f.Name("")
        line, column = node.start_point[0] + 1, node.start_point[1] + 1
        awaited = self._syntax.is_awaited(node.end_byte)
        self.out.append(f.Call(number, known, args, line, column, awaited=awaited))
        self._x.filled_call(node.end_byte)
        self._temporaries.append(-1 - number)  # an object, or it does not end: the analysis knows
        return f.Result(number)

    def _brace_construct(self, node: Node) -> f.Value | None:
        kind = node.child_by_field_name("type")
        start = node.child_by_field_name("value")
        args = [self._known(c) for c in (start.named_children if start is not None else [])]
        text = self._x.spelled(self._syntax.text(kind)) if kind is not None else ""
        number = self._next_make()
        self.out.append(f.Make(number, text, "", args, node.start_point[0] + 1))
        self.out.append(f.EndTemporaries([number], node.end_point[0] + 1))
        return f.Made(number)

    def _assignment(self, node: Node) -> f.Value | None:
        right_node = node.child_by_field_name("right")
        left_node = node.child_by_field_name("left")
        right = self.value(right_node) if right_node is not None else None
        left = self.value(left_node) if left_node is not None else None
        if left is not None:
            right = right if right is not None else f.Lit("")
            self.out.append(f.Assign(left, right, node.start_point[0] + 1))
        return left

    def _binary(self, node: Node) -> f.Value | None:
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        symbol = self._syntax.text(operator) if operator is not None else ""
        left = self.value(left_node) if left_node is not None else None
        if symbol in ("&&", "||") and right_node is not None:
            outer, self.out = self.out, []
            right = self.value(right_node)
            inner, self.out = self.out, outer
            if inner:
                test = f.Not(left) if symbol == "||" and left is not None else left
                self.out.append(f.If(test, f.Block(inner)))
            return f.Both(left or f.Lit(""), right or f.Lit(""), symbol == "||")
        right = self.value(right_node) if right_node is not None else None
        if symbol in ("==", "!="):
            return f.Compare(left or f.Lit(""), right or f.Lit(""), symbol == "==")
        return None

    def _unary(self, node: Node) -> f.Value | None:
        argument = node.child_by_field_name("argument")
        value = self.value(argument) if argument is not None else None
        operator = node.child_by_field_name("operator")
        negated = operator is not None and self._syntax.text(operator) in ("!", "not")
        return f.Not(value) if negated and value is not None else value

    def _subscript(self, node: Node) -> f.Value | None:
        base_node = node.child_by_field_name("argument")
        base = self.value(base_node) if base_node is not None else None
        for child in node.named_children:
            if child != base_node:
                self.value(child)
        return f.Elem(base) if base is not None else None

    def _conditional(self, node: Node) -> f.Value | None:
        parts = [node.child_by_field_name(n) for n in ("condition", "consequence", "alternative")]
        condition = self.value(parts[0]) if parts[0] is not None else None
        values: list[f.Value] = []
        blocks: list[f.Block] = []
        for part in parts[1:]:
            outer, self.out = self.out, []
            value = self.value(part) if part is not None else None
            inner, self.out = self.out, outer
            blocks.append(f.Block(inner))
            if value is not None:
                values.append(value)
        if blocks[0].body or blocks[1].body:
            self.out.append(f.If(condition, blocks[0], blocks[1]))
        if not values:
            return None
        return f.AnyOf(values, [], condition if len(values) > 1 else None)

    def _delete(self, node: Node) -> f.Value | None:
        for child in node.named_children:
            value = self.value(child)
            if value is not None:
                self.out.append(f.Delete(value, node.start_point[0] + 1))
        return None

    def _new(self, node: Node) -> f.Value | None:
        kind = node.child_by_field_name("type")
        arguments = node.child_by_field_name("arguments")
        args = [self._known(c) for c in (arguments.named_children if arguments else [])]
        text = self._x.spelled(self._syntax.text(kind)) if kind is not None else ""
        number = self._next_make()
        line = node.start_point[0] + 1
        self.out.append(f.Make(number, text, "", args, line, 0, heap=True))
        return f.Made(number)

    def _lambda(self, node: Node) -> f.Value | None:
        body = node.child_by_field_name("body")
        if body is None:
            return None
        declarator = node.child_by_field_name("declarator")
        names = self._parameters(declarator)
        usr = f"lambda:{self._x.file}:{node.start_byte}:"
        self._x.adopt(usr, self._owner)
        inner = type(self)(self._x, self._syntax, usr)
        inner._locals = [*self._locals, {}]
        params = []
        for i, (name, _) in enumerate(names):
            params.append(f"{usr}@{i}")
            inner._locals[-1][name] = params[-1]
        outer_name = self._x.name_of(self._owner)
        line = node.start_point[0] + 1
        function = f.Function(
            usr, f"{outer_name}::(lambda)", "lambda", params, f.Block([]), self._x.file, line,
            node.end_point[0] + 1, parent=self._owner, filled=True,
            coroutine=self._syntax.is_coroutine(body.start_byte),
        )  # fmt: skip
        function.body = inner.block(body)
        self._x.function_by_syntax(function, names)
        return f.Closure(usr)

    def _parameters(self, declarator: Node | None) -> list[tuple[str, str]]:
        parameters = declarator.child_by_field_name("parameters") if declarator else None
        return parameter_list(self._syntax, parameters)

    def _seeming_parameter(self, node: Node) -> f.Value:
        """``mu`` of "Guard g(mu)", or ``take()`` of "Thing t(take())", parsed as a parameter."""
        text = self._syntax.text(node)
        match = _CALL_TEXT.match(text)
        if match is None:
            return self._named(text)
        number = self._next_call()
        line, column = node.start_point[0] + 1, node.start_point[1] + 1
        self.out.append(f.Call(number, f.Name(match.group(1)), [], line, column))
        return f.Result(number)


def leads_elsewhere(node: Node) -> bool:
    """Whether what is written is not what is made, but what that points to: ``*made()``."""
    while node.type == "parenthesized_expression" and len(node.named_children) == 1:
        node = node.named_children[0]
    return node.type == "pointer_expression" and node.children[0].type == "*"


def parameter_list(syntax: Syntax, node: Node | None, whole: bool = False) -> list[tuple[str, str]]:
    """(name, type text) of each parameter; types are *whole* with const and all, or shortened."""
    if whole:
        return _parameters(syntax, node)
    found = []
    for child in node.named_children if node is not None else []:
        if child.type not in ("parameter_declaration", "optional_parameter_declaration"):
            continue
        kind = child.child_by_field_name("type")
        declarator = child.child_by_field_name("declarator")
        name = declared_name(declarator) if declarator is not None else None
        suffix = ""
        if declarator is not None and declarator.type == "reference_declarator":
            suffix = " &"
        elif declarator is not None and declarator.type == "pointer_declarator":
            suffix = " *"
        found.append(
            (
                syntax.text(name) if name is not None else "",
                (syntax.text(kind) if kind is not None else "") + suffix,
            )
        )
    return found


def _parameters(syntax: Syntax, node: Node | None) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for child in node.named_children if node is not None else []:
        kind = child.child_by_field_name("type")
        if not child.type.endswith("parameter_declaration") or kind is None:
            continue
        declarator = child.child_by_field_name("declarator")
        text = syntax.text(kind)
        if text == "void" and declarator is None:
            continue
        many = "..." if child.type.startswith("variadic") else ""
        name = any_declared_name(declarator) if declarator is not None else None
        const = "const " if is_const(child) else ""
        found.append((
            syntax.text(name) if name is not None else "",
            const + declared_type(text, declarator, syntax) + many,
        ))  # fmt: skip
    return found


_TYPES = frozenset(
    ("type_identifier", "primitive_type", "template_argument_list", "type_descriptor",
     "placeholder_type_specifier", "sized_type_specifier", "comment", "type_qualifier")
)  # fmt: skip
_EXPRESSIONS: dict[str, Callable[[ValueReader, Node], f.Value | None]] = {
    "identifier": ValueReader._identifier,
    "qualified_identifier": ValueReader._identifier,
    "template_function": ValueReader._identifier,
    "this": ValueReader._this,
    "true": ValueReader._literal,
    "false": ValueReader._literal,
    "null": ValueReader._literal,
    "number_literal": ValueReader._literal,
    "string_literal": lambda r, n: None,
    "field_expression": ValueReader._field,
    "call_expression": ValueReader._call,
    "compound_literal_expression": ValueReader._brace_construct,
    "assignment_expression": ValueReader._assignment,
    "binary_expression": ValueReader._binary,
    "unary_expression": ValueReader._unary,
    "subscript_expression": ValueReader._subscript,
    "conditional_expression": ValueReader._conditional,
    "delete_expression": ValueReader._delete,
    "new_expression": ValueReader._new,
    "lambda_expression": ValueReader._lambda,
    "sizeof_expression": lambda r, n: None,
    "decltype": lambda r, n: None,
}
