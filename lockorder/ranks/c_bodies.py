"""Statements of C and C++, as Python's."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tree_sitter import Node

from lockorder.ranks.c_expressions import Expressions
from lockorder.ranks.c_nodes import Block, Goto, Labeled, Switch, declares, kids, within

Read = Callable[[Node], list[ast.stmt]]


class Bodies(Expressions):
    """Reads statements."""

    def declaration(self, node: Node) -> list[ast.stmt]:
        """Variables, and classes that are defined on the way."""
        raise NotImplementedError

    def enumerators(self, node: Node) -> list[ast.stmt]:
        """The constants of an enumeration."""
        raise NotImplementedError

    def directive(self, node: Node, read: Read) -> list[ast.stmt]:
        """A line of the preprocessor; *read* reads what it switches."""
        raise NotImplementedError

    def declared(self, node: Node | None) -> str:
        while node is not None and node.type not in (
            "identifier",
            "field_identifier",
            "qualified_identifier",
        ):
            inner = node.child_by_field_name("declarator")
            if inner is None:
                inner = kids(node)[-1] if kids(node) else None
            node = inner
        return self.text(node)

    def bound_names(self, declarator: Node, node: Node) -> ast.expr | None:
        """The names of a structured binding (``auto [a, b]``); None for other declarations."""
        for one in within(declarator, ("structured_binding_declarator",)):
            names: list[ast.expr] = [ast.Name(self.text(x), ast.Store()) for x in kids(one)]
            made: ast.expr = self.at(ast.Tuple(names, ast.Store()), node)
            return made
        return None

    def block(self, node: Node) -> list[ast.stmt]:
        """The statements of a block; labels divide it."""
        found: list[ast.stmt] = []
        for one in kids(node):
            while one.type == "labeled_statement":
                label = self.text(one.child_by_field_name("label"))
                # What is declared before the first jump lives on behind the label.
                first = next((i for i, s in enumerate(found) if _jumps(s, label)), len(found))
                first = first if declares(found[:first]) else 0
                found = [*found[:first], self.at(Labeled(label, found[first:]), one)]
                one = kids(one)[-1]
                if one.type == "statement_identifier":
                    break
            found += self.statement(one)
        return found

    def body(self, node: Node | None) -> list[ast.stmt]:
        if node is None:
            return []
        found = self.block(node) if node.type == "compound_statement" else self.statement(node)
        return found or [self.at(ast.Pass(), node)]

    def statement(self, node: Node) -> list[ast.stmt]:
        method = getattr(self, "_s_" + node.type, None)
        if method is not None:
            found: list[ast.stmt] = method(node)
            return found
        if node.type.startswith("preproc"):
            return self.directive(node, self.statement)
        if node.type == "enum_specifier":
            return self.enumerators(node)
        if node.type in ("declaration", "struct_specifier", "class_specifier", "type_definition"):
            return self.declaration(node)
        if node.type.endswith(("expression", "identifier")):
            return [self.at(ast.Expr(self.expression(node)), node)]
        return []

    def _s_compound_statement(self, node: Node) -> list[ast.stmt]:
        return self.enclosed(self.block(node), node)

    def enclosed(self, found: list[ast.stmt], node: Node) -> list[ast.stmt]:
        """Statements as a block of their own, where that makes a difference."""
        return [self.at(Block(found), node)] if declares(found) else found

    def _s_expression_statement(self, node: Node) -> list[ast.stmt]:
        if not kids(node):
            return []
        return [self.at(ast.Expr(self.expression(kids(node)[0])), node)]

    def _s_return_statement(self, node: Node) -> list[ast.stmt]:
        value = None
        if kids(node):
            inner = kids(node)[0]
            if inner.type == "initializer_list" and self.returned in self.structs:
                value = self._filled(self.returned, inner, node)
            else:
                value = self.expression(inner)
        return [self.at(ast.Return(value), node)]

    def _s_throw_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(ast.Raise(None, None), node)]

    def _s_break_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(ast.Break(), node)]

    def _s_continue_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(ast.Continue(), node)]

    def _s_goto_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(Goto(self.text(node.child_by_field_name("label"))), node)]

    def _s_if_statement(self, node: Node) -> list[ast.stmt]:
        before, test = self._condition(node.child_by_field_name("condition"))
        other = node.child_by_field_name("alternative")
        if other is not None and other.type == "else_clause":
            other = kids(other)[-1] if kids(other) else None
        made = ast.If(
            test,
            self.body(node.child_by_field_name("consequence")),
            self.body(other) if other is not None else [],
        )
        return self.enclosed([*before, self.at(made, node)], node)

    def _condition(self, node: Node | None) -> tuple[list[ast.stmt], ast.expr]:
        before: list[ast.stmt] = []
        if node is None:
            return before, ast.Constant(True)
        if node.type in ("condition_clause", "parenthesized_expression"):
            first = node.child_by_field_name("initializer")
            if first is not None:
                inner = kids(first) if first.type == "init_statement" else [first]
                before += [x for one in inner for x in self.statement(one)]
            value = node.child_by_field_name("value") or kids(node)[-1]
            if value.type == "declaration":
                before += self.declaration(value)
                return before, self.name(
                    self.declared(value.child_by_field_name("declarator")), value
                )
            return before, self.expression(value)
        return before, self.expression(node)

    def _s_while_statement(self, node: Node) -> list[ast.stmt]:
        before, test = self._condition(node.child_by_field_name("condition"))
        made = self.at(ast.While(test, self.body(node.child_by_field_name("body")), []), node)
        return self.enclosed([*before, made], node)

    def _s_do_statement(self, node: Node) -> list[ast.stmt]:
        _, test = self._condition(node.child_by_field_name("condition"))
        made = self.at(ast.While(test, self.body(node.child_by_field_name("body")), []), node)
        made.at_least_once = True
        once = isinstance(test, ast.Constant) and not test.value
        if once:
            # do { ... } while (0): a block that can be left.
            return [
                self.at(
                    ast.For(
                        ast.Name("#once", ast.Store()),
                        self.at(
                            ast.Tuple(
                                [ast.Constant(0, lineno=made.lineno, col_offset=0)], ast.Load()
                            ),
                            node,
                        ),
                        made.body,
                        [],
                    ),
                    node,
                )
            ]
        return [made]

    def _s_for_statement(self, node: Node) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        first = node.child_by_field_name("initializer")
        if first is not None:
            before = (
                self.declaration(first)
                if first.type == "declaration"
                else [self.at(ast.Expr(self.expression(first)), first)]
            )
        condition, update = (
            node.child_by_field_name("condition"),
            node.child_by_field_name("update"),
        )
        test = self.expression(condition) if condition is not None else self.constant(True, node)
        made = self.at(ast.While(test, self.body(node.child_by_field_name("body")), []), node)
        made.step = (
            [self.at(ast.Expr(self.expression(update)), update)] if update is not None else []
        )
        return self.enclosed([*before, made], node)

    def _s_for_range_loop(self, node: Node) -> list[ast.stmt]:
        declarator = node.child_by_field_name("declarator")
        target: ast.expr = ast.Name(self.declared(declarator), ast.Store())
        if declarator is not None:
            target = self.bound_names(declarator, node) or target
        right = node.child_by_field_name("right")
        values = self.expression(right) if right is not None else ast.Constant(None)
        return [
            self.at(
                ast.For(
                    self.at(target, node), values, self.body(node.child_by_field_name("body")), []
                ),
                node,
            )
        ]

    def _s_switch_statement(self, node: Node) -> list[ast.stmt]:
        _, subject = self._condition(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        rows: list[tuple[ast.expr | None, list[ast.stmt]]] = []
        for one in kids(body) if body is not None else ():
            if one.type != "case_statement":
                continue
            value = one.child_by_field_name("value")
            statements = [x for n in kids(one) if n != value for x in self.statement(n)]
            rows.append((self.expression(value) if value is not None else None, statements))
        cases = [
            (label, [s for _, more in rows[i:] for s in more]) for i, (label, _) in enumerate(rows)
        ]
        return [self.at(Switch(subject, cases), node)]

    def _s_try_statement(self, node: Node) -> list[ast.stmt]:
        handlers: list[ast.ExceptHandler] = []
        for one in kids(node):
            if one.type == "catch_clause":
                body = self.body(one.child_by_field_name("body"))
                handlers.append(self.at(ast.ExceptHandler(None, None, body), one))
        return [
            self.at(ast.Try(self.body(node.child_by_field_name("body")), handlers, [], []), node)
        ]

    def _s_labeled_statement(self, node: Node) -> list[ast.stmt]:
        return self.statement(kids(node)[-1])

    def _s_else_clause(self, node: Node) -> list[ast.stmt]:
        return self.body(kids(node)[-1]) if kids(node) else []


def _jumps(statement: ast.stmt, label: str) -> bool:
    return any(isinstance(x, Goto) and x.name == label for x in ast.walk(statement))
