"""Declarations of a file by its syntax alone: classes, fields, variables, functions, aliases.

For files of which libclang has nothing.  Keys are made as clang's USRs are (clang/lib/Index/
USRGeneration.cpp) where that takes no types, so that units which libclang could read mean the same
field or global by the same key; functions are joined by name (see link).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from lockorder.static import facts as f
from lockorder.static.declarations import Class, Decl, Variable
from lockorder.static.reading import Reader
from lockorder.static.spellings import plain_name
from lockorder.static.syntax import PREPROCESSOR, Syntax, declared_name, indirection
from lockorder.static.syntax_values import parameter_list

if TYPE_CHECKING:
    from lockorder.static.extract import Extractor

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

    def __init__(self, table: Extractor, syntax: Syntax) -> None:
        self._x = table
        self._syntax = syntax

    def read(self) -> None:
        """Read the whole file; what is in branches that are off is left out."""
        self._each(self._syntax.root, _Scope(), ())

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
        letter = "U" if node.type == "union_specifier" else "S"
        key = f"{scope.key}@{letter}@{text}" if text else f"{scope.key}@Sa{node.start_byte}"
        line = node.start_point[0] + 1
        cls = Class(key, name, self._bases(node), [], "", self._x.file, line, [], list(tparams))
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
        return [plain_name(self._x.spelled(t)) for t in texts]

    # -- variables, fields, functions -------------------------------------------------------------

    def _variables(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        """A declaration with its declarators: variables, fields, prototypes, alone or mixed."""
        kind = node.child_by_field_name("type")
        if kind is None:
            return
        if kind.type in _CLASSES:
            text = self._class(kind, scope, tparams)
        else:
            text = self._syntax.text(kind)
        words = [self._syntax.text(c) for c in node.children if c.type == "storage_class_specifier"]
        virtual = any(c.type == "virtual" for c in node.children)
        for declarator in node.children_by_field_name("declarator"):
            function = _function_declarator(declarator)
            if function is not None and not self._is_object(function, scope):
                self._prototype(function, scope, text + indirection(declarator), virtual)
            else:
                self._variable(declarator, scope, text, "static" in words, "extern" in words, node)

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
        spelling = self._x.spelled(text) + indirection(declarator)
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
        self._x.saw_variable(name_node.start_byte)
        start = node.child_by_field_name("default_value")
        if declarator.type == "init_declarator":
            start = declarator.child_by_field_name("value")
        if start is not None:
            self._start(found, start, scope)

    def _start(self, variable: Variable, node: Node, scope: _Scope) -> None:
        """The initialiser of a global or of a field, as a function that runs it."""
        owner = f"{'nsdmi' if variable.kind == 'field' else 'init'}:{variable.usr}"
        reader = Reader(self._x, self._syntax, owner)
        value = None
        if node.type not in ("argument_list", "initializer_list"):
            value = reader.value(node)
        else:
            args = [v for v in (reader.value(c) for c in node.named_children) if v is not None]
            value = args[0] if len(args) == 1 else None
        target: f.Value = f.Var(variable.usr)
        if variable.kind == "field":
            target = f.Field(f.This(), variable.usr)
        if value is not None and not isinstance(value, f.Lit):
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

    def _prototype(self, declarator: Node, scope: _Scope, result: str, virtual: bool) -> None:
        name_node = declarator.child_by_field_name("declarator")
        if name_node is None:
            return
        name = scope.named(plain_name(self._syntax.text(name_node)))
        count = len(parameter_list(self._syntax, declarator.child_by_field_name("parameters")))
        cls = scope.cls.name if scope.cls is not None else ""
        usr = f"syntax:{name}#{count}"
        self._x.declared_by_syntax(Decl(usr, name, count, cls, virtual, self._x.spelled(result)))

    def _definition(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        """A function with a body, which is read later, or a class that looks like one."""
        declarator = _function_declarator(node.child_by_field_name("declarator"))
        if declarator is None or scope.cls is None:
            return
        name_node = declarator.child_by_field_name("declarator")
        short = self._syntax.text(name_node) if name_node is not None else ""
        body = node.child_by_field_name("body")
        key = f"syntax:{self._x.file}:{body.start_byte}" if body is not None else ""
        if short.startswith("~"):
            scope.cls.dtor = key
        elif short == scope.names[-1] and key:
            scope.cls.ctors.append(key)

    def _alias(self, node: Node, scope: _Scope, tparams: tuple[str, ...]) -> None:
        """``typedef struct { ... } name;``; other aliases are known already (see Spellings)."""
        kind = node.child_by_field_name("type")
        names = node.children_by_field_name("declarator")
        if kind is not None and kind.type in _CLASSES and names:
            self._class(kind, scope, tparams, self._syntax.text(names[0]))


def _function_declarator(node: Node | None) -> Node | None:
    """The declarator of a function inside pointers and references; None of anything else."""
    while node is not None and node.type in ("pointer_declarator", "reference_declarator"):
        inner = node.child_by_field_name("declarator")
        named = node.named_children
        node = inner or (named[-1] if named else None)
    if node is None or node.type != "function_declarator":
        return None
    inner = node.child_by_field_name("declarator")
    return None if inner is None or inner.type == "parenthesized_declarator" else node


_HANDLERS: dict[str, Callable[[DeclarationReader, Node, _Scope, tuple[str, ...]], object]] = {
    "namespace_definition": DeclarationReader._namespace,
    "class_specifier": DeclarationReader._class_alone,
    "struct_specifier": DeclarationReader._class_alone,
    "union_specifier": DeclarationReader._class_alone,
    "declaration": DeclarationReader._variables,
    "field_declaration": DeclarationReader._variables,
    "function_definition": DeclarationReader._definition,
    "type_definition": DeclarationReader._alias,
}
