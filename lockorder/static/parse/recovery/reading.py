"""Reads statements by their syntax alone: for what clang dropped.

The result is the same facts, with names (``facts.Name``) where clang would have given
declarations; linking and evaluation join them by name, with less certainty.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.tree import declared_name, indirection, statements
from lockorder.static.parse.recovery.values import ValueReader, leads_elsewhere


class Reader(ValueReader):
    """Reads syntax inside one function (by its key) into facts."""

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
                self.full(child, keep=False)

    def _compound(self, node: Node) -> None:
        self.out.append(self.block(node))

    def _declaration(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        type_text = self._x.spelled(self._syntax.text(kind)) if kind is not None else ""
        static = any(
            c.type == "storage_class_specifier" and self._syntax.text(c) == "static"
            for c in node.children
        )
        for declarator in node.children_by_field_name("declarator"):
            self._declarator(declarator, type_text, static)

    def _declarator(self, node: Node, type_text: str, static: bool) -> None:
        name = declared_name(node)
        if name is None:
            return
        text = self._syntax.text(name)
        value: f.Value | None = None
        args: list[f.Value] | None = None
        led = False
        before, self._temporaries = self._temporaries, []
        if node.type == "init_declarator":
            start = node.child_by_field_name("value")
            if start is not None and start.type in ("argument_list", "initializer_list"):
                args = [self._known(c) for c in start.named_children]
            elif start is not None:
                value = self.value(start)
                led = leads_elsewhere(start)
        elif node.type == "function_declarator":  # "Guard g(mu)" looks like a function
            parameters = node.child_by_field_name("parameters")
            args = []
            for child in parameters.named_children if parameters is not None else []:
                args.append(self._seeming_parameter(child))
        suffix = indirection(node)
        usr = self._x.local_by_syntax(
            self._owner, text, type_text + suffix, name.start_byte, static
        )
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
        # What one argument is begins the variable itself ([dcl.init]/16.6).
        kept = args[0] if args is not None and len(args) == 1 else value
        self._end(node, None if led else kept)
        self._temporaries = before

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
                value = self.full(child)
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
        self.out.append(f.Loop(head, condition, inner, f.Block([]), once, node.start_point[0] + 1))

    def _for(self, node: Node) -> None:
        self._locals.append({})
        start = node.child_by_field_name("initializer")
        if start is not None:
            self.statement(start)
        test = node.child_by_field_name("condition")
        head, condition = self._captured(test)
        if test is None:
            condition = f.Lit("true")  # for (;;)
        step, _ = self._captured(node.child_by_field_name("update"))
        body = node.child_by_field_name("body")
        inner = self.block(body) if body is not None else f.Block([])
        self.out.append(f.Loop(head, condition, inner, step, line=node.start_point[0] + 1))
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
            value = self.full(child)
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
    "co_return_statement": Reader._return,
    "try_statement": Reader._try,
    "throw_statement": Reader._throw,
    "break_statement": Reader._break,
    "continue_statement": Reader._continue,
    "goto_statement": Reader._goto,
    "labeled_statement": Reader._label,
}
