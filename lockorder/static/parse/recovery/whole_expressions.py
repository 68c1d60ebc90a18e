"""Expressions by their syntax alone, for files of which clang reads no bodies.

What an expression means depends on declarations that other units may have, so that names stay
names here, with markers for what is written around them; ``binding`` makes of them what clang would
have shown once all units are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse.call_expressions import HINTS
from lockorder.static.parse.operators import complement, either_bit, less, shifted
from lockorder.static.parse.recovery.reading import Reader
from lockorder.static.parse.recovery.tree import Syntax
from lockorder.static.parse.recovery.values import parameter_list

if TYPE_CHECKING:
    from lockorder.static.parse.reader import UnitReader

#: Names that are no names, but say how the value that they are based on is used.
ARROW, DEREFERENCE, ADDRESS, PART, CAST = "->", "*", "&", "part:", "cast:"
#: What stands before the name of the member that a constructor starts, as the type of its object.
STARTS = "starts:"
#: The fields of an initialiser list whose class is not known yet; a designator's name follows.
LISTED = "@"
_CASTS = ("static_cast", "dynamic_cast", "reinterpret_cast", "const_cast")
_UNEVALUATED = ("sizeof", "alignof", "decltype", "typeid", "noexcept", "static_assert", "offsetof")
_ORDERED = ("<", ">", "<=", ">=")
#: Calls whose strings matter.
_TEXTS = ("setenv", "putenv")


class Expressions(Reader):
    """Values of one function (by its key), whose parameters are *names* (to keys)."""

    def __init__(
        self,
        table: UnitReader,
        syntax: Syntax,
        owner: str,
        names: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(table, syntax, owner)
        self._locals = [dict(names or {})]
        #: structured bindings: the variable that they are parts of, and which part
        self._parts: dict[str, tuple[str, int]] = {}

    # -- entry ------------------------------------------------------------------------------------

    def value(self, node: Node) -> f.Value | None:
        """Evaluate an expression by its syntax."""
        handler = _EXPRESSIONS.get(node.type)
        return handler(self, node) if handler is not None else super().value(node)

    def number_of(self, value: f.Value | None) -> int | None:
        """The same, through casts."""
        if isinstance(value, f.Name) and value.text.startswith(CAST):
            value = value.base
        return super().number_of(value)

    # -- names ------------------------------------------------------------------------------------

    def _identifier(self, node: Node) -> f.Value | None:
        return self._named("".join(self._syntax.text(node).split()))

    def _named(self, text: str) -> f.Value:
        for scope in reversed(self._locals):
            if text in scope:
                part = self._parts.get(scope[text])
                if part is not None:
                    return f.Name(f"{PART}{part[1]}", f.Var(part[0]))
                return f.Var(scope[text])
        return f.Name(self._x.called(text))

    def _field(self, node: Node) -> f.Value | None:
        base_node = node.child_by_field_name("argument")
        name_node = node.child_by_field_name("field")
        base = self._known(base_node) if base_node is not None else f.This()
        text = self._syntax.text(name_node) if name_node is not None else ""
        arrow = node.child_by_field_name("operator")
        if arrow is not None and self._syntax.text(arrow) == "->":
            base = f.Name(ARROW, base)
        return f.Name("".join(text.removeprefix("template ").split()), base)

    def _pointer(self, node: Node) -> f.Value | None:
        argument = node.child_by_field_name("argument")
        value = self._known(argument) if argument is not None else f.Lit("")
        operator = node.child_by_field_name("operator")
        known = operator is not None and self._syntax.text(operator) == "*"
        return f.Name(DEREFERENCE if known else ADDRESS, value)

    def _parentheses(self, node: Node) -> f.Value | None:
        named = [c for c in node.named_children if c.type != "comment"]
        if len(named) != 1:
            return super().value(node)
        called = node.parent is not None and node.parent.type == "call_expression"
        if called and named[0].type == "comma_expression":  # (object->*member)(...)
            parts = [self._known(c) for c in named[0].named_children]
            return f.AnyOf(parts[:2])
        return self.value(named[0])

    # -- calls and constructions ------------------------------------------------------------------

    def _call(self, node: Node) -> f.Value | None:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        listed = [c for c in (arguments.named_children if arguments else ()) if c.type != "comment"]
        name = self._syntax.callee_name(node)
        if name in _UNEVALUATED:
            return None
        if name in _CASTS and function is not None:
            text = self._syntax.text(function)
            return self._cast_to(text[text.find("<") + 1 : text.rfind(">")], listed[:1])
        if function is not None and function.type == "primitive_type":
            return self._cast_to(self._syntax.text(function), listed[:1])
        target = self.value(function) if function is not None else None
        args = [self._known(c) for c in listed]
        if name in HINTS and args:
            self._x.filled_call(node.end_byte)
            return args[0]
        if name in _TEXTS:
            texts = [self._syntax.text(c) for c in listed]
            args = [
                f.Lit(t.strip('"')) if t.startswith('"') else a
                for t, a in zip(texts, args, strict=True)
            ]
        place = node
        if function is not None and function.type == "field_expression":
            place = function.child_by_field_name("field") or node
        return self._emit(target if target is not None else f.Name(""), args, place, node)

    def _emit(
        self, target: f.Value, args: list[f.Value], place: Node, node: Node | None = None
    ) -> f.Value:
        number = self._next_call()
        line, column = place.start_point[0] + 1, place.start_point[1] + 1
        awaited = node is not None and self._syntax.is_awaited(node.end_byte)
        self.out.append(f.Call(number, target, args, line, column, awaited=awaited))
        self._temporaries.append(-1 - number)
        if node is not None:
            self._x.filled_call(node.end_byte)
        return f.Result(number)

    def _cast_to(self, text: str, listed: Sequence[Node]) -> f.Value | None:
        value = self._known(listed[0]) if listed else f.Lit("0")
        return f.Name(CAST + self._x.spelled(" ".join(text.split())), value)

    def _cast(self, node: Node) -> f.Value | None:
        kind, inner = node.child_by_field_name("type"), node.child_by_field_name("value")
        text = self._syntax.text(kind) if kind is not None else ""
        return self._cast_to(text, [inner] if inner is not None else [])

    def make(
        self, text: str, args: list[f.Value], node: Node, heap: bool = False, named: bool = False
    ) -> f.Value:
        """The construction of an object of the type *text*; *named*: of a variable.

        That is told by what says elsewhere that the constructor moves.
        """
        number = self._next_make()
        line, column = node.start_point[0] + 1, node.start_point[1] + 1
        self.out.append(f.Make(number, text, "", args, line, column, heap, named))
        if not heap:
            self._temporaries.append(number)
        return f.Made(number)

    def arguments(self, node: Node | None) -> list[f.Value]:
        """The values of an argument list, in parentheses or braces."""
        found = node.named_children if node is not None else ()
        return [self._known(c) for c in found if c.type != "comment"]

    def _brace_construct(self, node: Node) -> f.Value | None:
        kind = node.child_by_field_name("type")
        text = self._x.spelled(self._syntax.text(kind)) if kind is not None else ""
        return self.make(text, self.arguments(node.child_by_field_name("value")), node)

    def _new(self, node: Node) -> f.Value | None:
        kind = node.child_by_field_name("type")
        args = self.arguments(node.child_by_field_name("arguments"))
        text = self._x.spelled(self._syntax.text(kind)) if kind is not None else ""
        return self.make(text, args, node, heap=True)

    def _list(self, node: Node) -> f.Value | None:
        values: list[f.Value] = []
        fields: list[str] = []
        for child in node.named_children:
            if child.type == "comment":
                continue
            inner, name = child, ""
            if child.type == "initializer_pair":
                inner = child.child_by_field_name("value") or child
                designator = child.child_by_field_name("designator")
                name = self._syntax.text(designator).lstrip(".") if designator else ""
            values.append(self._known(inner))
            fields.append(LISTED + name)
        return f.AnyOf(values, fields) if values else None

    def started(self, text: str, node: Node, place: Node) -> f.Value:
        """The object of type *text* that the argument list *node* starts, as a full-expression."""
        before, self._temporaries = self._temporaries, []
        listed = node.type in ("argument_list", "initializer_list")
        value = self.make(text, self.arguments(node) if listed else [], place, named=True)
        self._end(place, value)
        self._temporaries = before
        return value

    # -- operators --------------------------------------------------------------------------------

    def _assignment(self, node: Node) -> f.Value | None:
        right_node = node.child_by_field_name("right")
        left_node = node.child_by_field_name("left")
        right = self.value(right_node) if right_node is not None else None
        left = self.value(left_node) if left_node is not None else None
        operator = node.child_by_field_name("operator")
        plain = operator is None or self._syntax.text(operator) == "="
        if left is None:
            return None
        line = node.start_point[0] + 1
        kept = right if plain else None
        symbol = self._syntax.text(operator) if operator is not None else ""
        if symbol in ("|=", "&=") and isinstance(left, f.Var | f.Name) and right is not None:
            kept = f.Op(symbol[0], left, right)
        self.out.append(f.Assign(left, kept or f.Lit(""), line))
        if plain:
            self._emit(f.Name(f.ASSIGNMENT, left), [right or f.Lit("")], node)
        return left if plain else None

    def _binary(self, node: Node) -> f.Value | None:
        left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        symbol = self._syntax.text(operator) if operator is not None else ""
        symbol = {"and": "&&", "or": "||"}.get(symbol, symbol)
        left = self._known(left_node) if left_node is not None else f.Lit("")
        if symbol in ("&&", "||") and right_node is not None:
            outer, self.out = self.out, []
            right = self._known(right_node)
            inner, self.out = self.out, outer
            if inner:
                self.out.append(f.If(f.Not(left) if symbol == "||" else left, f.Block(inner)))
            return f.Both(left, right, symbol == "||")
        right = self._known(right_node) if right_node is not None else f.Lit("")
        if symbol in ("==", "!="):
            return f.Compare(left, right, symbol == "==")
        if symbol in _ORDERED:
            return less(symbol, left, right)
        if symbol in ("%", "&"):
            return f.Op(symbol, left, right)
        if symbol == "|":
            return either_bit(left, right)
        if symbol in ("<<", ">>") and isinstance(left, f.Lit) and isinstance(right, f.Lit):
            return shifted(left, right, symbol == "<<") or f.Lit("")
        return self._emit(f.Name(f"operator{symbol}", left), [right], node)

    def _unary(self, node: Node) -> f.Value | None:
        argument = node.child_by_field_name("argument")
        value = self.value(argument) if argument is not None else None
        operator = node.child_by_field_name("operator")
        symbol = self._syntax.text(operator) if operator is not None else ""
        if symbol in ("!", "not"):
            return f.Not(value) if value is not None else None
        if symbol == "-" and isinstance(value, f.Lit):
            return f.Lit(f"-{value.text}")
        if symbol == "~" and value is not None:
            return complement(value)
        return value

    def _update(self, node: Node) -> f.Value | None:
        argument = node.child_by_field_name("argument")
        value = self.value(argument) if argument is not None else None
        operator = node.child_by_field_name("operator")
        symbol = self._syntax.text(operator) if operator is not None else "++"
        if value is not None:
            self._emit(f.Name(f"operator{symbol}", value), [], node)
        return value

    def _comma(self, node: Node) -> f.Value | None:
        value: f.Value | None = None
        for child in node.named_children:
            value = self.value(child)
        return value

    def _subscript(self, node: Node) -> f.Value | None:
        base_node = node.child_by_field_name("argument")
        indices = node.child_by_field_name("indices")
        base = self.value(base_node) if base_node is not None else None
        index: f.Value | None = None
        for child in indices.named_children if indices is not None else ():
            index = self.value(child)
        return f.Elem(base, index) if base is not None else None

    def _conditional(self, node: Node) -> f.Value | None:
        found = super()._conditional(node)
        one = isinstance(found, f.AnyOf) and len(found.values) == 1
        return found.values[0] if one and isinstance(found, f.AnyOf) else found

    # -- lambdas ----------------------------------------------------------------------------------

    def _lambda(self, node: Node) -> f.Value | None:
        body = node.child_by_field_name("body")
        if body is None:
            return None
        usr = f"lambda:{self._x.file}:{node.start_byte}:"
        self._x.adopt(usr, self._owner)
        seen, captures = self._captured_names(node.child_by_field_name("captures"))
        names = self._parameters(node.child_by_field_name("declarator"))
        params = [f"{usr}@{i}" for i in range(len(names))]
        inner = type(self)(self._x, self._syntax, usr)
        inner._locals = [*self._locals, seen, dict(zip((n for n, _ in names), params, strict=True))]
        inner._parts = self._parts
        line = node.start_point[0] + 1
        function = f.Function(
            usr, f"{self._x.name_of(self._owner)}::(lambda)", "lambda", params, f.Block([]),
            self._x.file, line, node.end_point[0] + 1, parent=self._owner, filled=True,
            captures=captures, coroutine=self._syntax.is_coroutine(body.start_byte),
        )  # fmt: skip
        function.body = f.Block([inner.block(body)], node.end_point[0] + 1)
        self._x.function_by_syntax(function, names)
        return f.Closure(usr)

    def _captured_names(self, node: Node | None) -> tuple[dict[str, str], list[str]]:
        """Variables that a lambda's captures make, and what it has by value."""
        made: dict[str, str] = {}
        owned: list[str] = []
        before = ""
        for child in node.children if node is not None else ():
            if child.type == "identifier" and before != "&":
                value = self._named(self._syntax.text(child))
                owned += [value.usr] if isinstance(value, f.Var) else []
            elif child.type == "lambda_capture_initializer":
                left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
                if left is None or right is None:
                    continue
                text, value_ = self._syntax.text(left), self.value(right)
                indirect = " &" if self._syntax.text(child).startswith("&") else ""
                usr = self._x.local_by_syntax(self._owner, text, f"auto{indirect}", left.start_byte)
                made[text] = usr
                self.out.append(f.Local(usr, value_, child.start_point[0] + 1))
                owned += [] if indirect else [usr]
            before = child.type
        return made, owned

    def _parameters(self, declarator: Node | None) -> list[tuple[str, str]]:
        parameters = declarator.child_by_field_name("parameters") if declarator else None
        return parameter_list(self._syntax, parameters, whole=True)


_EXPRESSIONS: dict[str, Callable[[Expressions, Node], f.Value | None]] = {
    "identifier": Expressions._identifier,
    "qualified_identifier": Expressions._identifier,
    "template_function": Expressions._identifier,
    "field_expression": Expressions._field,
    "pointer_expression": Expressions._pointer,
    "parenthesized_expression": Expressions._parentheses,
    "call_expression": Expressions._call,
    "cast_expression": Expressions._cast,
    "compound_literal_expression": Expressions._brace_construct,
    "new_expression": Expressions._new,
    "initializer_list": Expressions._list,
    "assignment_expression": Expressions._assignment,
    "binary_expression": Expressions._binary,
    "unary_expression": Expressions._unary,
    "update_expression": Expressions._update,
    "comma_expression": Expressions._comma,
    "subscript_expression": Expressions._subscript,
    "conditional_expression": Expressions._conditional,
    "lambda_expression": Expressions._lambda,
    "char_literal": lambda r, n: None,
    **dict.fromkeys(
        ("string_literal", "concatenated_string", "raw_string_literal"),
        lambda r, n: f.Name(f"{CAST}const char *", f.Lit("")),
    ),
}
