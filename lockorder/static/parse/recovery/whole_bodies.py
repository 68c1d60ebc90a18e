"""Reads whole function bodies by their syntax, for files of which clang reads none."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.tree import (
    any_declared_name,
    declared_name,
    declared_type,
    is_const,
)
from lockorder.static.parse.recovery.whole_expressions import DEREFERENCE, Expressions

_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration",
               "variadic_parameter_declaration")  # fmt: skip


class BodyReader(Expressions):
    """Reads the statements of one function."""

    def statement(self, node: Node) -> None:
        """One statement."""
        handler = _STATEMENTS.get(node.type)
        if handler is not None:
            handler(self, node)
        else:
            super().statement(node)

    # -- declarations -----------------------------------------------------------------------------

    def _declaration(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        if kind is None:
            return
        text = self._local_class(kind) or self._x.spelled(self._syntax.text(kind))
        words = [self._syntax.text(c) for c in node.children if c.type == "storage_class_specifier"]
        if "extern" in words:
            return
        const = "const " if is_const(node) else ""
        for declarator in node.children_by_field_name("declarator"):
            self._declare(declarator, const + text, "static" in words, node)

    def _local_class(self, kind: Node) -> str:
        """A class that is declared in a function."""
        if kind.child_by_field_name("body") is None or kind.type == "enum_specifier":
            return ""
        return self._x.local_class(kind, self._owner)

    def _class_alone(self, node: Node) -> None:
        self._local_class(node)

    def _declare(self, node: Node, text: str, static: bool, whole: Node) -> None:
        inner = node.child_by_field_name("declarator") if node.type == "init_declarator" else node
        if inner is None or (inner.type == "function_declarator" and self._is_prototype(inner)):
            return
        binding = next(
            (c for c in _chain(inner) if c.type == "structured_binding_declarator"), None
        )
        name = any_declared_name(inner) if binding is None else binding
        if name is None:
            return
        seeming = inner.type == "function_declarator"
        kind = text if seeming else declared_type(text, inner, self._syntax)
        outer = self.out
        if static:
            self.out = []
        before, self._temporaries = self._temporaries, []
        value = self._start(node, kind, name, whole, seeming)
        self._end(name, value)
        self._temporaries = before
        short = self._syntax.text(name)
        usr = self._x.local_by_syntax(self._owner, short, kind, name.start_byte, static)
        self._bind_names(binding, short, usr)
        line, column = name.start_point[0] + 1, name.start_point[1] + 1
        self._x.saw_variable(name.start_byte)
        if not static:
            self.out.append(f.Local(usr, value, line, column))
            return
        if value is not None:
            self.out.append(f.Assign(f.Var(usr), value, line))
        started, self.out = self.out, outer
        if started:
            self.out.append(f.StaticInit(usr, f.Block(started), line))

    def _bind_names(self, binding: Node | None, text: str, usr: str) -> None:
        if binding is None:
            self._locals[-1][text] = usr
            return
        for i, child in enumerate(c for c in binding.named_children if c.type == "identifier"):
            self._parts[f"{usr}.{i}"] = (usr, i)
            self._locals[-1][self._syntax.text(child)] = f"{usr}.{i}"

    def _start(
        self, node: Node, kind: str, name: Node, whole: Node, seeming: bool
    ) -> f.Value | None:
        """What a variable starts with; a construction, unless an expression is assigned."""
        args: list[f.Value] = []
        if seeming:
            found = self._syntax.arguments(node, name, whole)
            if found is None:
                parameters = node.child_by_field_name("parameters")
                listed = parameters.named_children if parameters is not None else []
                args = [self._seeming_parameter(c) for c in listed]
            else:
                args = [self._known(c) for c in found]
        else:
            start = node.child_by_field_name("value")
            if start is None:
                start = node.child_by_field_name("default_value")
            direct = start is not None and start.type in ("argument_list", "initializer_list")
            if start is not None and direct and not _is_assigned(start):
                args = self.arguments(start)
            elif start is not None:
                return self.value(start)
        return self.make(kind, args, name, named=True)

    def _is_prototype(self, node: Node) -> bool:
        """Whether ``Type name(...)`` in a body declares a function, and no object."""
        parameters = node.child_by_field_name("parameters")
        listed = parameters.named_children if parameters is not None else []
        if not listed:
            return True
        first = listed[0]
        inner = first.child_by_field_name("declarator")
        kind = first.child_by_field_name("type")
        typed = kind is not None and kind.type == "primitive_type"
        return first.type in _PARAMETERS and (
            typed or (inner is not None and inner.type in ("identifier", "pointer_declarator",
                                                           "reference_declarator"))
        )  # fmt: skip

    # -- statements -------------------------------------------------------------------------------

    def _expression(self, node: Node) -> None:
        for child in node.named_children:
            if child.type != "comment":
                self.full(child, keep=False)

    def _condition(self, node: Node | None) -> f.Value | None:
        if node is None:
            return None
        clause = node.type in ("condition_clause", "parenthesized_expression")
        value: f.Value | None = None
        for child in node.named_children if clause else [node]:
            if child.type == "init_statement":
                for inner in child.named_children:
                    self.statement(inner)
            elif child.type == "declaration":
                value = self._condition_variable(child)
            elif child.type != "comment":
                value = self.full(child)
        return value

    def _condition_variable(self, node: Node) -> f.Value | None:
        declarator, kind = node.child_by_field_name("declarator"), node.child_by_field_name("type")
        if declarator is None or kind is None:
            return None
        name = declared_name(declarator)
        start = node.child_by_field_name("value")
        if name is None:
            return None
        text = declared_type(self._x.spelled(self._syntax.text(kind)), declarator, self._syntax)
        value: f.Value | None = None
        if start is not None and start.type == "initializer_list":
            value = self.make(text, self.arguments(start), name, named=True)
        elif start is not None:
            value = self.full(start)
        short = self._syntax.text(name)
        usr = self._x.local_by_syntax(self._owner, short, text, name.start_byte)
        self._locals[-1][short] = usr
        self._x.saw_variable(name.start_byte)
        self.out.append(f.Local(usr, value, name.start_point[0] + 1, name.start_point[1] + 1))
        return f.Var(usr)

    def _scoped(self, read: Callable[[Node], None], node: Node) -> None:
        """A statement with a scope of its own, kept where something was declared in it."""
        outer, self.out = self.out, []
        self._locals.append({})
        read(node)
        self._locals.pop()
        inner, self.out = self.out, outer
        if any(isinstance(s, f.Local) for s in inner):
            self.out.append(f.Block(inner))
        else:
            self.out.extend(inner)

    def _if(self, node: Node) -> None:
        self._scoped(super()._if, node)

    def _for(self, node: Node) -> None:
        self._scoped(super()._for, node)

    def _range_for(self, node: Node) -> None:
        self._scoped(self._each, node)

    def _each(self, node: Node) -> None:
        start = node.child_by_field_name("initializer")
        if start is not None:
            for child in start.named_children:
                self.statement(child)
        before, self._temporaries = self._temporaries, []
        over_node = node.child_by_field_name("right")
        over = self.value(over_node) if over_node is not None else None
        made, self._temporaries = self._temporaries, before
        kind, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
        text = self._syntax.text(kind) if kind is not None else "auto"
        first: list[f.Stmt] = []
        if declarator is not None:
            binding = next(
                (c for c in _chain(declarator) if c.type == "structured_binding_declarator"), None
            )
            name = binding if binding is not None else declared_name(declarator)
            if name is not None:
                short = self._syntax.text(name)
                spelling = declared_type(text, declarator, self._syntax)
                usr = self._x.local_by_syntax(self._owner, short, spelling, name.start_byte)
                self._bind_names(binding, short, usr)
                element = f.Elem(f.Name(DEREFERENCE + "each", over)) if over is not None else None
                line, column = name.start_point[0] + 1, name.start_point[1] + 1
                first.append(f.Local(usr, element, line, column))
        body = node.child_by_field_name("body")
        inner = self.block(body) if body is not None else f.Block([])
        loop = f.Loop(f.Block([]), None, f.Block([*first, *inner.body], inner.end), f.Block([]))
        self.out.append(loop)
        kept, self._temporaries = self._temporaries, made
        self._end(node, None)
        self._temporaries = kept

    def _switch(self, node: Node) -> None:
        self._scoped(self._cases, node)

    def _cases(self, node: Node) -> None:
        condition = self._condition(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        cases: list[f.Block] = []
        labels: list[f.Value | None] = []
        total = False
        for child in body.named_children if body is not None else []:
            if child.type != "case_statement":
                continue
            label = child.child_by_field_name("value")
            total = total or label is None
            outer, self.out = self.out, []
            value = self._known(label) if label is not None else None
            self.out = []
            for inner in child.named_children:
                if inner != label and inner.type != "comment":
                    self.statement(inner)
            cases.append(f.Block(self.out))
            labels.append(value)
            self.out = outer
        self.out.append(f.Switch(cases, total, condition, labels))

    def _return(self, node: Node) -> None:
        value: f.Value | None = None
        for child in node.named_children:
            if child.type != "comment":
                value = self.full(child)
        self.out.append(f.Return(value, node.start_point[0] + 1))


def _chain(declarator: Node) -> list[Node]:
    """A declarator and those inside it."""
    found = [declarator]
    while found[-1].type.endswith("declarator"):
        here = found[-1].child_by_field_name("declarator")
        named = [
            c for c in found[-1].named_children if c.type.endswith(("declarator", "identifier"))
        ]
        here = here or (named[0] if named else None)
        if here is None or found[-1].type == "structured_binding_declarator":
            break
        found.append(here)
    return found


def _is_assigned(start: Node) -> bool:
    """Whether what a variable starts with stands behind a sign of equality."""
    return start.prev_sibling is not None and start.prev_sibling.type == "="


_STATEMENTS: dict[str, Callable[[BodyReader, Node], None]] = {
    "declaration": BodyReader._declaration,
    "expression_statement": BodyReader._expression,
    "if_statement": BodyReader._if,
    "for_statement": BodyReader._for,
    "for_range_loop": BodyReader._range_for,
    "switch_statement": BodyReader._switch,
    "return_statement": BodyReader._return,
    "co_return_statement": BodyReader._return,
    "class_specifier": BodyReader._class_alone,
    "struct_specifier": BodyReader._class_alone,
    "using_declaration": lambda r, n: None,
    "alias_declaration": lambda r, n: None,
    "type_definition": lambda r, n: None,
    "static_assert_declaration": lambda r, n: None,
    "friend_declaration": lambda r, n: None,
}
