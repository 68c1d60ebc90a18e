"""Declarations of a file by its syntax alone: classes, fields, variables, functions, aliases.

For files of which libclang has nothing.  Keys are made as clang's USRs are (clang/lib/Index/
USRGeneration.cpp) where that takes no types, so that units which libclang could read mean the same
field or global by the same key; functions are joined by name (see link).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.declarations import Class, Variable
from lockorder.static.parse.recovery.spellings import plain_name
from lockorder.static.parse.recovery.tree import (
    PREPROCESSOR,
    Syntax,
    declared_name,
    declared_type,
    is_const,
)
from lockorder.static.parse.recovery.whole_bodies import BodyReader
from lockorder.static.parse.recovery.whole_functions import Head, declare, head
from lockorder.static.parse.symbols import PLAIN

if TYPE_CHECKING:
    from lockorder.static.parse.reader import UnitReader

_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")
_INSIDE = ("linkage_specification", "declaration_list", "template_declaration", "ERROR",
           "export_declaration", *PREPROCESSOR)  # fmt: skip


class _Scope:
    """Where a declaration stands: the names around it, the class if it is one, its parameters."""

    def __init__(
        self, names: tuple[str, ...] = (), cls: Class | None = None, key: str = "c:"
    ) -> None:
        self.names = names
        self.cls = cls
        self.key = key

    def named(self, name: str) -> str:
        """The qualified name of something declared here."""
        return "::".join((*self.names, name))


class DeclarationReader:
    """Reads the declarations of one file into facts."""

    def __init__(self, table: UnitReader, syntax: Syntax) -> None:
        self._x = table
        self._syntax = syntax

    def read(self) -> None:
        """Read the whole file; what is in branches that are off is left out."""
        self._each(self._syntax.root, _Scope(), ())

    def enumerators(self, words: AbstractSet[str]) -> None:
        """Read no more than the enumerators that are called like one of *words*."""
        pending = [(self._syntax.root, _Scope())]
        while pending:
            node, scope = pending.pop()
            if node.type == "enum_specifier":
                self._enumerators(node, scope, (), words)
            name = node.child_by_field_name("name")
            if node.type in ("namespace_definition", *_CLASSES) and name is not None:
                scope = _Scope((*scope.names, plain_name(self._syntax.text(name))))
            if node.type not in ("compound_statement", "enum_specifier"):
                pending.extend((c, scope) for c in node.named_children if c.named_child_count)

    def _each(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        for child in node.named_children:
            if not self._x.is_skipped(child.start_byte):
                self._declaration(child, scope, tparams)

    def _declaration(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        handler = _HANDLERS.get(node.type)
        if handler is not None:
            handler(self, node, scope, tparams)
        elif node.type in _INSIDE:
            names = tparams
            if node.type == "template_declaration":
                names = self._template_parameters(node)
            self._each(node, scope, names)

    def _namespace(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        text = plain_name(self._syntax.text(name_node)) if name_node is not None else ""
        parts = tuple(p for p in text.split("::") if p)
        key = scope.key + ("".join(f"@N@{p}" for p in parts) if parts else "@aN")
        if body is not None:
            self._each(body, _Scope((*scope.names, *parts), None, key), ())

    def _template_parameters(self, node: Node) -> tuple[str, ...]:
        parameters = node.child_by_field_name("parameters")
        found = []
        for child in parameters.named_children if parameters is not None else ():
            if child.type.endswith("type_parameter_declaration"):
                names = [c for c in child.named_children if c.type == "type_identifier"]
                found.append(self._syntax.text(names[0]) if names else "")
        return tuple(found)

    # -- classes ----------------------------------------------------------------------------------

    def _class(self, node: Node, scope: _Scope, tparams: tuple[str, ...], alias: str = "") -> str:
        """Read a class; returns its qualified name, also of one that is only mentioned."""
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        text = plain_name(self._syntax.text(name_node)) if name_node is not None else alias
        if body is None:
            return text
        name = scope.named(text or "(anonymous)")
        union = node.type == "union_specifier"
        letter = "U" if union else "S"
        key = f"{scope.key}@{letter}@{text}" if text else f"{scope.key}@Sa{node.start_byte}"
        line = node.start_point[0] + 1
        types = self._bases(node)
        cls = Class(
            key,
            name,
            [plain_name(t) for t in types],
            [],
            "",
            self._x.file,
            line,
            [],
            list(tparams),
            union=union,
            base_types=types,
        )
        self._x.class_by_syntax(cls)
        parts = tuple(text.split("::")) if text else ("(anonymous)",)
        self._each(body, _Scope((*scope.names, *parts), cls, key), ())
        return name

    def _class_alone(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        self._class(node, scope, tparams)

    def _bases(self, node: Node) -> list[str]:
        clause = next((c for c in node.children if c.type == "base_class_clause"), None)
        named = clause.named_children if clause is not None else []
        kinds = ("type_identifier", "qualified_identifier", "template_type")
        texts = [self._syntax.text(c) for c in named if c.type in kinds]
        return [self._x.spelled(t) for t in texts]

    # -- variables, fields, functions -------------------------------------------------------------

    def _variables(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        """A declaration with its declarators: variables, fields, prototypes, alone or mixed."""
        kind = node.child_by_field_name("type")
        if kind is not None and kind.type in _CLASSES:
            text = self._class(kind, scope, tparams)
        else:
            text = self._syntax.text(kind) if kind is not None else ""
            if kind is not None and kind.type == "enum_specifier":
                self._enumerators(kind, scope, tparams)
        words = [self._syntax.text(c) for c in node.children if c.type == "storage_class_specifier"]
        for declarator in node.children_by_field_name("declarator"):
            found = head(self._syntax, node, declarator)
            if found is not None and not self._is_object(declarator, scope):
                self._prototype(found, scope)
            elif kind is not None and not self._is_deleted(node, declarator):
                self._variable(declarator, scope, text, "static" in words, "extern" in words, node)

    def _is_deleted(self, node: Node, declarator: Node) -> bool:
        """``void f() = delete;`` outside of classes, which reads like a variable that starts."""
        inner = declarator.child_by_field_name("declarator")
        starts = declarator.type == "init_declarator" and inner is not None
        return starts and inner is not None and head(self._syntax, node, inner) is not None

    def _is_object(self, declarator: Node, scope: _Scope) -> bool:
        """Whether ``Type name(value);`` declares an object: its parameters are no types."""
        parameters = declarator.child_by_field_name("parameters")
        return scope.cls is None and any(
            c.type not in ("parameter_declaration", "optional_parameter_declaration", "comment",
                           "variadic_parameter_declaration", "variadic_parameter")
            for c in (parameters.named_children if parameters is not None else ())
        )  # fmt: skip

    def _variable(
        self, declarator: Node, scope: _Scope, text: str, static: bool, extern: bool, node: Node
    ) -> None:
        name_node = declared_name(declarator)
        if name_node is None:
            return
        short = self._syntax.text(name_node)
        const = "const " if is_const(node) else ""
        spelling = const + declared_type(self._x.spelled(text), declarator, self._syntax)
        line = name_node.start_point[0] + 1
        if scope.cls is not None and not static:
            usr = f"{scope.cls.usr}@FI@{short}"
            found = Variable(usr, scope.named(short), "field", spelling, scope.cls.usr,
                             self._x.file, line)  # fmt: skip
            scope.cls.fields.append(usr)
        else:
            kind = "member" if scope.cls is not None else "global"
            usr = f"{scope.key}@{short}"
            if kind == "global" and (static or "@aN" in scope.key):
                usr = f"{usr}!{self._x.file}"
            found = Variable(usr, scope.named(short), kind, spelling, "", self._x.file, line,
                             kind == "global" and not extern)  # fmt: skip
        self._x.variable_by_syntax(found)
        self._x.said_by_syntax(usr, name_node.start_byte)
        self._x.saw_variable(name_node.start_byte)
        start = _default_of(node, declarator)
        if declarator.type == "init_declarator":
            start = declarator.child_by_field_name("value")
        if not extern and (start is not None or kind_made(found)):
            self._start(found, start, name_node, scope)

    def _start(self, variable: Variable, node: Node | None, place: Node, scope: _Scope) -> None:
        """The initialiser of a global or of a field, as a function that runs it."""
        owner = f"{'nsdmi' if variable.kind == 'field' else 'init'}:{variable.usr}"
        reader = BodyReader(self._x, self._syntax, owner)
        listed = node is not None and node.type in ("argument_list", "initializer_list")
        before = node.prev_sibling if node is not None else None
        if node is None or (listed and (before is None or before.type != "=")):
            value: f.Value | None = reader.started(variable.type, node or place, place)
        else:
            value = reader.full(node)
        target: f.Value = f.Var(variable.usr)
        if variable.kind == "field":
            target = f.Field(f.This(), variable.usr)
        flag = isinstance(value, f.Lit) and value.text in ("true", "false")
        kept = flag and variable.kind == "field" and self._ends(node)
        if isinstance(value, f.Lit) and scope.cls is not None and variable.kind == "field":
            scope.cls.starts[variable.usr] = value.text
        if value is not None and (kept or not isinstance(value, f.Lit)):
            reader.out.append(f.Assign(target, value, variable.line))
        if not reader.out:
            return
        name = f"(initialiser of {variable.name})"
        cls = ""
        if variable.kind == "field" and scope.cls is not None:
            name, cls = f"{scope.cls.name}::(initialiser)", scope.cls.name
        kind = "method" if cls else "function"
        function = f.Function(
            owner, name, kind, [], f.Block(reader.out), self._x.file, variable.line,
            variable.line, cls, static=not cls, filled=True,
        )  # fmt: skip
        self._x.function_by_syntax(function, [])

    def _ends(self, node: Node | None) -> bool:
        """Whether the class around *node* ends by code of its own, which may ask for its flags."""
        while node is not None and node.type != "field_declaration_list":
            node = node.parent
        heads = (c.child_by_field_name("declarator") for c in (node.named_children if node else ()))
        return any(
            any(c.type == "destructor_name" for c in h.children) for h in heads if h is not None
        )

    def _prototype(self, found: Head, scope: _Scope) -> None:
        """A function without a body, which may be elsewhere."""
        name, cls = scope.named(found.name), scope.cls
        usr = f"syntax:{name}({','.join(found.types)})"
        if found.static and cls is None:
            usr = f"{usr}!{self._x.file}"
        declare(self._x, usr, name, cls.name if cls is not None else "", found)
        self._x.said_by_syntax(usr, found.offset, found.parameters)
        self._note_special(found.name, usr, scope)

    def _note_special(self, short: str, usr: str, scope: _Scope) -> None:
        if scope.cls is None:
            return
        if short.startswith("~"):
            scope.cls.dtor = usr
        elif short == scope.names[-1]:
            scope.cls.ctors.append(usr)

    def _definition(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        """A function with a body, which is read later, or one that the compiler defines."""
        declarator = node.child_by_field_name("declarator")
        found = head(self._syntax, node, declarator) if declarator is not None else None
        if found is None or scope.cls is None:
            return
        body = node.child_by_field_name("body")
        if body is not None:
            self._note_special(found.name, f"syntax:{self._x.file}:{body.start_byte}", scope)
        elif any(c.type == "default_method_clause" for c in node.children):
            self._prototype(found, scope)

    def local(self, node: Node, owner: str) -> str:
        """Read a class that is declared in the function *owner*; returns its name."""
        names = tuple(self._x.name_of(owner).split("::"))
        return self._class(node, _Scope(names, None, f"c:@F@{owner}@{node.start_byte}"), ())

    def _enumerators(
        self,
        node: Node,
        scope: _Scope,
        tparams: tuple[str, ...],
        words: AbstractSet[str] | None = None,
    ) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        around = (self._syntax.text(name_node),) if name_node is not None else ()
        if around:
            self._x.enums.add("::".join((*scope.names, *around)))
        listed = body.named_children if body is not None else []
        worth: dict[str, int] = {}
        last: int | None = -1
        for child in (c for c in listed if c.type == "enumerator"):
            short_node, value = (
                child.child_by_field_name("name"),
                child.child_by_field_name("value"),
            )
            if short_node is None:
                continue
            short = self._syntax.text(short_node)
            if value is not None:
                last = self._constant(value, worth)
            elif last is not None:
                last += 1
            if last is not None:
                worth[short] = last
            if words is not None and short not in words:
                continue
            told = str(last) if last is not None else ""
            for names in {(), around}:
                whole = "::".join((*scope.names, *names, short))
                usr = f"{scope.key}@E@{'@'.join(names)}@{short}"
                self._x.variable_by_syntax(
                    Variable(usr, whole, "enumerator", told, "", self._x.file)
                )

    def _constant(self, node: Node, worth: Mapping[str, int]) -> int | None:
        """What an enumerator's initialiser is worth, by numbers and by those before it."""
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            return self._constant(node.named_children[0], worth)
        if node.type == "binary_expression":
            left, right, operator = map(node.child_by_field_name, ("left", "right", "operator"))
            if left is None or right is None or operator is None:
                return None
            a, b = self._constant(left, worth), self._constant(right, worth)
            symbol = self._syntax.text(operator)
            return numbers.folded(symbol, a, b) if a is not None and b is not None else None
        text = self._syntax.text(node)
        return worth.get(text, numbers.number_of(text))

    def _alias(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        """``typedef struct { ... } name;``; other aliases are known already (see Spellings)."""
        kind = node.child_by_field_name("type")
        names = node.children_by_field_name("declarator")
        if kind is not None and kind.type in _CLASSES and names:
            self._class(kind, scope, tparams, self._syntax.text(names[0]))


def kind_made(variable: Variable) -> bool:
    """Whether the declaration alone makes an object of a class, as far as its name tells."""
    text = variable.type
    return (
        variable.kind == "global"
        and not text.endswith(("*", "&", "]", ")"))
        and (text.rpartition(" ")[2] not in PLAIN)
    )


_HANDLERS: dict[str, Callable[[DeclarationReader, Node, _Scope, tuple[str, ...]], object]] = {
    "namespace_definition": DeclarationReader._namespace,
    "class_specifier": DeclarationReader._class_alone,
    "struct_specifier": DeclarationReader._class_alone,
    "union_specifier": DeclarationReader._class_alone,
    "enum_specifier": DeclarationReader._enumerators,
    "declaration": DeclarationReader._variables,
    "field_declaration": DeclarationReader._variables,
    "function_definition": DeclarationReader._definition,
    "type_definition": DeclarationReader._alias,
}


def _default_of(node: Node, declarator: Node) -> Node | None:
    """What stands behind one declarator of several: ``Pair one{a, b}, other{b, a};``."""
    values = node.children_by_field_name("default_value")
    commas = [c.start_byte for c in node.children if c.type == ","]
    end = next((c for c in commas if c >= declarator.end_byte), node.end_byte)
    inside = (v for v in values if declarator.end_byte <= v.start_byte < end)
    return next(inside, None)
