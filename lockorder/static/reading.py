"""Reads statements by their syntax alone: for what clang dropped.

The result is the same facts, with names (``facts.Name``) where clang would have given
declarations; linking and evaluation join them by name, with less certainty.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from lockorder.static import facts as f
from lockorder.static.syntax import Syntax, declared_name, statements

if TYPE_CHECKING:
    from lockorder.static.extract import Extractor
    from lockorder.static.statements import Statements

_CALL_TEXT = re.compile(r"^([A-Za-z_][\w:]*)\s*\(")
_TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")


class Reader:
    """Reads syntax inside one function (by its key) into facts."""

    def __init__(
        self,
        extractor: Extractor,
        syntax: Syntax,
        owner: str,
        into: Statements | None = None,
    ) -> None:
        self._x = extractor
        self._syntax = syntax
        self._owner = owner
        self._into = into
        self._calls = 0
        self._makes = 0
        self._locals: list[dict[str, str]] = [{}]
        self.out: list[f.Stmt] = []

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

    # -- statements -------------------------------------------------------------------------------

    def block(self, node: Node) -> f.Block:
        """A compound or single statement as a scope."""
        outer, self.out = self.out, []
        self._locals.append({})
        if node.type == "compound_statement":
            for child in statements(node):
                self.statement(child)
        else:
            self.statement(node)
        self._locals.pop()
        inner, self.out = self.out, outer
        return f.Block(inner, node.end_point[0] + 1)

    def statement(self, node: Node) -> None:
        """One statement; unknown kinds are searched for expressions."""
        handler = _STATEMENTS.get(node.type)
        if handler is not None:
            handler(self, node)
        else:
            for child in node.named_children:
                self.value(child)

    def _compound(self, node: Node) -> None:
        self.out.append(self.block(node))

    def _declaration(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        type_text = self._syntax.text(kind) if kind is not None else ""
        for declarator in node.children_by_field_name("declarator"):
            self._declarator(declarator, type_text)

    def _declarator(self, node: Node, type_text: str) -> None:
        name = declared_name(node)
        if name is None:
            return
        text = self._syntax.text(name)
        value: f.Value | None = None
        args: list[f.Value] | None = None
        if node.type == "init_declarator":
            start = node.child_by_field_name("value")
            if start is not None and start.type in ("argument_list", "initializer_list"):
                args = [self._known(c) for c in start.named_children]
            elif start is not None:
                value = self.value(start)
        elif node.type == "function_declarator":  # "Guard g(mu)" looks like a function
            parameters = node.child_by_field_name("parameters")
            args = []
            for child in parameters.named_children if parameters is not None else []:
                args.append(self._seeming_parameter(child))
        suffix = self._indirection(node)
        usr = self._x.local_by_syntax(self._owner, text, type_text + suffix, name.start_byte)
        self._locals[-1][text] = usr
        line, column = name.start_point[0] + 1, name.start_point[1] + 1
        if value is None and not suffix and type_text not in ("auto", ""):
            number = self._next_make()
            made = f.Make(number, type_text, "", args or [], line, column)
            self.out.append(made)
            value = f.Made(number)
        elif value is None and args:
            value = args[0]
        self.out.append(f.Local(usr, value, line, column))
        self._x.saw_variable(name.start_byte)

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

    def _indirection(self, node: Node) -> str:
        inner: Node | None = node
        while inner is not None and inner.type != "identifier":
            if inner.type == "pointer_declarator":
                return " *"
            if inner.type == "reference_declarator":
                return " &"
            inner = inner.child_by_field_name("declarator")
        return ""

    def _if(self, node: Node) -> None:
        self._locals.append({})
        condition = self._condition(node.child_by_field_name("condition"))
        then = node.child_by_field_name("consequence")
        orelse = node.child_by_field_name("alternative")
        if orelse is not None and orelse.type == "else_clause":
            orelse = orelse.named_children[0] if orelse.named_children else None
        self.out.append(
            f.If(
                condition,
                self.block(then) if then is not None else f.Block([]),
                self.block(orelse) if orelse is not None else None,
            )
        )
        self._locals.pop()

    def _condition(self, node: Node | None) -> f.Value | None:
        if node is None:
            return None
        value: f.Value | None = None
        for child in node.named_children if node.type == "condition_clause" else [node]:
            if child.type == "init_statement":
                for inner in child.named_children:
                    self.statement(inner)
            elif child.type == "declaration":
                self._declaration(child)
            else:
                value = self.value(child)
        return value

    def _captured(self, node: Node | None) -> tuple[f.Block, f.Value | None]:
        outer, self.out = self.out, []
        value = self._condition(node)
        inner, self.out = self.out, outer
        return f.Block(inner), value

    def _while(self, node: Node) -> None:
        head, condition = self._captured(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        inner = self.block(body) if body is not None else f.Block([])
        once = node.type == "do_statement"
        self.out.append(f.Loop(head, condition, inner, f.Block([]), once))

    def _for(self, node: Node) -> None:
        self._locals.append({})
        start = node.child_by_field_name("initializer")
        if start is not None:
            self.statement(start)
        head, condition = self._captured(node.child_by_field_name("condition"))
        step, _ = self._captured(node.child_by_field_name("update"))
        body = node.child_by_field_name("body")
        inner = self.block(body) if body is not None else f.Block([])
        self.out.append(f.Loop(head, condition, inner, step))
        self._locals.pop()

    def _range_for(self, node: Node) -> None:
        self._locals.append({})
        over_node = node.child_by_field_name("right")
        over = self.value(over_node) if over_node is not None else None
        declarator = node.child_by_field_name("declarator")
        name = declared_name(declarator) if declarator is not None else None
        first: list[f.Stmt] = []
        if name is not None:
            text = self._syntax.text(name)
            usr = self._x.local_by_syntax(self._owner, text, "auto &", name.start_byte)
            self._locals[-1][text] = usr
            element = f.Elem(over) if over is not None else None
            first.append(f.Local(usr, element, name.start_point[0] + 1))
        body = node.child_by_field_name("body")
        inner = self.block(body) if body is not None else f.Block([])
        loop = f.Loop(f.Block([]), None, f.Block([*first, *inner.body], inner.end), f.Block([]))
        self.out.append(loop)
        self._locals.pop()

    def _switch(self, node: Node) -> None:
        self._condition(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        cases: list[f.Block] = []
        total = False
        for child in body.named_children if body is not None else []:
            if child.type == "case_statement":
                skip = child.child_by_field_name("value")
                total = total or skip is None
                outer, self.out = self.out, []
                for inner in child.named_children:
                    if inner != skip:
                        self.statement(inner)
                cases.append(f.Block(self.out))
                self.out = outer
        self.out.append(f.Switch(cases, total))

    def _return(self, node: Node) -> None:
        value: f.Value | None = None
        for child in node.named_children:
            value = self.value(child)
        self.out.append(f.Return(value, node.start_point[0] + 1))

    def _try(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        handlers = []
        for child in node.named_children:
            if child.type == "catch_clause":
                inner = child.child_by_field_name("body")
                handlers.append(self.block(inner) if inner is not None else f.Block([]))
        self.out.append(f.Try(self.block(body) if body is not None else f.Block([]), handlers))

    def _throw(self, node: Node) -> None:
        for child in node.named_children:
            self.value(child)
        self.out.append(f.Throw(node.start_point[0] + 1))

    def _break(self, node: Node) -> None:
        self.out.append(f.Break())

    def _continue(self, node: Node) -> None:
        self.out.append(f.Continue())

    def _goto(self, node: Node) -> None:
        if node.named_children:
            text = self._syntax.text(node.named_children[0])
            self.out.append(f.Goto(text, node.start_point[0] + 1))

    def _label(self, node: Node) -> None:
        for i, child in enumerate(node.named_children):
            if i == 0:
                self.out.append(f.Label(self._syntax.text(child)))
            else:
                self.statement(child)

    # -- expressions ------------------------------------------------------------------------------

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
        self.out.append(f.Call(number, known, args, line, column))
        self._x.filled_call(node.end_byte)
        return f.Result(number)

    def _brace_construct(self, node: Node) -> f.Value | None:
        kind = node.child_by_field_name("type")
        start = node.child_by_field_name("value")
        args = [self._known(c) for c in (start.named_children if start is not None else [])]
        text = self._syntax.text(kind) if kind is not None else ""
        number = self._next_make()
        self.out.append(f.Make(number, text, "", args, node.start_point[0] + 1))
        self.out.append(f.EndTemporaries([number], node.end_point[0] + 1))
        return f.Made(number)

    def _assignment(self, node: Node) -> f.Value | None:
        right_node = node.child_by_field_name("right")
        left_node = node.child_by_field_name("left")
        right = self.value(right_node) if right_node is not None else None
        left = self.value(left_node) if left_node is not None else None
        if left is not None and right is not None:
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
        return f.AnyOf(values) if values else None

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
        text = self._syntax.text(kind) if kind is not None else ""
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
        inner = Reader(self._x, self._syntax, usr)
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
        )  # fmt: skip
        function.body = inner.block(body)
        self._x.function_by_syntax(function, names)
        return f.Closure(usr)

    def _parameters(self, declarator: Node | None) -> list[tuple[str, str]]:
        parameters = declarator.child_by_field_name("parameters") if declarator else None
        return parameter_list(self._syntax, parameters)


def parameter_list(syntax: Syntax, node: Node | None) -> list[tuple[str, str]]:
    """(name, type text) of each parameter."""
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


_TYPES = frozenset(
    ("type_identifier", "primitive_type", "template_argument_list", "type_descriptor",
     "placeholder_type_specifier", "sized_type_specifier", "comment", "type_qualifier")
)  # fmt: skip
_STATEMENTS: dict[str, Callable[[Reader, Node], None]] = {
    "compound_statement": Reader._compound,
    "declaration": Reader._declaration,
    "if_statement": Reader._if,
    "while_statement": Reader._while,
    "do_statement": Reader._while,
    "for_statement": Reader._for,
    "for_range_loop": Reader._range_for,
    "switch_statement": Reader._switch,
    "return_statement": Reader._return,
    "try_statement": Reader._try,
    "throw_statement": Reader._throw,
    "break_statement": Reader._break,
    "continue_statement": Reader._continue,
    "goto_statement": Reader._goto,
    "labeled_statement": Reader._label,
}
_EXPRESSIONS: dict[str, Callable[[Reader, Node], f.Value | None]] = {
    "identifier": Reader._identifier,
    "qualified_identifier": Reader._identifier,
    "template_function": Reader._identifier,
    "this": Reader._this,
    "true": Reader._literal,
    "false": Reader._literal,
    "null": Reader._literal,
    "number_literal": Reader._literal,
    "string_literal": lambda r, n: None,
    "field_expression": Reader._field,
    "call_expression": Reader._call,
    "compound_literal_expression": Reader._brace_construct,
    "assignment_expression": Reader._assignment,
    "binary_expression": Reader._binary,
    "unary_expression": Reader._unary,
    "subscript_expression": Reader._subscript,
    "conditional_expression": Reader._conditional,
    "delete_expression": Reader._delete,
    "new_expression": Reader._new,
    "lambda_expression": Reader._lambda,
    "sizeof_expression": lambda r, n: None,
    "decltype": lambda r, n: None,
}
