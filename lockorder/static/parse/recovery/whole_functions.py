"""Functions of a file by its syntax alone: what their heads say, and their bodies.

A constructor's body begins with what its initialisers do, as clang shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl
from lockorder.static.parse.recovery.spellings import declared, plain_name
from lockorder.static.parse.recovery.tree import Syntax, apart, declared_type, is_const
from lockorder.static.parse.recovery.values import parameter_list
from lockorder.static.parse.recovery.whole_bodies import BodyReader
from lockorder.static.parse.recovery.whole_expressions import STARTS

if TYPE_CHECKING:
    from lockorder.static.parse.reader import UnitReader

_OPERATOR = re.compile(r"^(.*?)\boperator\b\s*(.*)$", re.S)
_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")


class Head(NamedTuple):
    """What stands before a function's body: its name as written, where, and what it takes."""

    name: str
    offset: int
    parameters: list[tuple[str, str]]
    #: parameters without a default; more than there are parameters may be given with *many*
    required: int
    many: bool
    result: str
    virtual: bool
    static: bool
    #: literals among the defaults of the last parameters
    defaults: list[str]

    @property
    def types(self) -> list[str]:
        """Types of the parameters; ``...`` where any number follows."""
        return [t for _, t in self.parameters] + (["..."] if self.many else [])


def _never_throws(definition: Node, kind: str) -> bool:
    """Whether no exception leaves the function: a destructor by default, others that say so."""
    here = definition.child_by_field_name("declarator")
    while here is not None and here.type != "function_declarator":
        here = here.child_by_field_name("declarator") or next(iter(here.named_children), None)
    said = next((c for c in here.children if c.type == "noexcept"), None) if here else None
    if said is None or not said.named_children:
        return said is not None or kind == "destructor"
    return said.named_children[0].type == "true"


def head(syntax: Syntax, node: Node, declarator: Node) -> Head | None:
    """The head of the function that *declarator* of *node* declares; None where it is none."""
    kind = node.child_by_field_name("type")
    text = syntax.text(kind) if kind is not None else ""
    words = [syntax.text(c) for c in node.children if c.type == "storage_class_specifier"]
    virtual = any(c.type == "virtual" for c in node.children)
    here: Node | None = declarator
    while here is not None and here.type in ("pointer_declarator", "reference_declarator"):
        text = declared_type(text, here, syntax) if here is declarator else text
        named = here.named_children
        here = here.child_by_field_name("declarator") or (named[-1] if named else None)
    if here is None:
        return None
    text = re.sub(r" \(\*\)\(\)$", "", text)
    here = apart(here) or here
    cast = _operator_cast(here)
    if cast is not None:
        name = syntax.text(here)
        name = name[: name.rfind("(")] if "(" in name else name
        result = cast.child_by_field_name("type")
        converted = syntax.text(result) if result is not None else ""
        return Head(
            function_name(name), here.start_byte, [], 0, False, converted, virtual, False, []
        )
    inner = apart(here.child_by_field_name("declarator"))
    if here.type != "function_declarator" or inner is None:
        return None
    if inner.type == "parenthesized_declarator":
        return None
    listed = here.child_by_field_name("parameters")
    parameters = parameter_list(syntax, listed, whole=True)
    children = listed.children if listed is not None else []
    given = sum(c.type in ("optional_parameter_declaration", "variadic_parameter_declaration")
                for c in children)  # fmt: skip
    many = any(c.type in ("...", "variadic_parameter") for c in children)
    many = many or any(c.type == "variadic_parameter_declaration" for c in children)
    marked = [syntax.text(c) for c in here.children if c.type == "virtual_specifier"]
    trailing = next((c for c in here.children if c.type == "trailing_return_type"), None)
    if trailing is not None and trailing.named_children:
        text = syntax.text(trailing.named_children[0])
    if is_const(node):
        text = f"const {text}"
    return Head(
        function_name(declared(syntax.text(inner))), inner.start_byte, parameters,
        len(parameters) - given, many, text, virtual or "override" in marked or "final" in marked,
        "static" in words,
        [_literal(syntax, c) for c in children if c.type == "optional_parameter_declaration"],
    )  # fmt: skip


def _literal(syntax: Syntax, parameter: Node) -> str:
    value = parameter.child_by_field_name("default_value")
    known = value is not None and value.type in ("true", "false", "null", "number_literal")
    return syntax.text(value) if value is not None and known else ""


def _operator_cast(node: Node) -> Node | None:
    while node.type == "qualified_identifier":
        inner = node.child_by_field_name("name")
        if inner is None:
            return None
        node = inner
    return node if node.type == "operator_cast" else None


def function_name(text: str) -> str:
    """The name of a function without template arguments, as clang spells it."""
    match = _OPERATOR.match(text)
    if match is None:
        return plain_name(text)
    rest = " ".join(match.group(2).split())
    rest = f" {rest}" if rest[:1].isalpha() else rest.replace(" ", "")
    return f"{plain_name(match.group(1))}operator{rest}"


def declare(table: UnitReader, usr: str, name: str, cls: str, found: Head) -> None:
    """Record the declaration of a function."""
    table.declared_by_syntax(
        Decl(
            usr, name, len(found.parameters), cls, found.virtual, table.spelled(found.result),
            found.required, [table.spelled(t) for t in found.types], found.static,
            found.defaults,
        )
    )  # fmt: skip


class Functions:
    """Reads the bodies of a file's functions."""

    def __init__(self, table: UnitReader, syntax: Syntax) -> None:
        self._x = table
        self._syntax = syntax

    def read(self) -> None:
        """Read every function that is not inside another one."""
        for body in self._syntax.functions():
            definition = body.parent
            if definition is None or self._x.is_skipped(body.start_byte):
                continue
            if not any(n.type in _BODIES for n in _around(definition)):
                self.function(definition, body, "")

    def inside(self, cls: Node, owner: str) -> None:
        """Read the member functions of a class that is local to the function *owner*."""
        pending = list(cls.named_children)
        while pending:
            node = pending.pop(0)
            body = node.child_by_field_name("body")
            if node.type == "function_definition" and body is not None:
                self.function(node, body, owner)
            elif node.type in ("field_declaration_list", "template_declaration", *_CLASSES):
                pending.extend(node.named_children)

    def function(self, definition: Node, body: Node, owner: str) -> None:
        """Read one function, of a class in the function *owner* if any."""
        declarator = definition.child_by_field_name("declarator")
        found = head(self._syntax, definition, declarator) if declarator is not None else None
        if found is None:
            return
        spaces, classes = self._scopes(definition, self._x.name_of(owner) if owner else "")
        friend = definition.parent is not None and definition.parent.type == "friend_declaration"
        name = "::".join(p for p in (*spaces, *([] if friend else classes), found.name) if p)
        scope = name.rpartition("::")[0] if "operator" not in found.name else _before_operator(name)
        is_member = (bool(classes) and not friend) or "::" in found.name.partition("operator")[0]
        last = name[len(scope) + 2 :] if scope else name
        kind = "function"
        if is_member:
            kind = "destructor" if last.startswith("~") else "method"
            if scope.rsplit("::", 1)[-1] == last:
                kind = "constructor"
        usr = f"syntax:{self._x.file}:{body.start_byte}"
        hidden = any(
            n.type == "namespace_definition" and n.child_by_field_name("name") is None
            for n in _around(definition)
        )
        function = f.Function(
            usr, name, kind, [f"{usr}@{i}" for i in range(len(found.parameters))], f.Block([]),
            self._x.file, body.start_point[0] + 1, body.end_point[0] + 1,
            scope if is_member else "", static=found.static or (hidden and not is_member),
            filled=True, nothrow=_never_throws(definition, kind),
            coroutine=self._syntax.is_coroutine(body.start_byte),
        )  # fmt: skip
        declare(self._x, usr, name, function.cls, found)
        self._x.function_by_syntax(function, found.parameters)
        self._x.said_by_syntax(usr, found.offset, found.parameters)
        names = {n: function.params[i] for i, (n, _) in enumerate(found.parameters)}
        reader = BodyReader(self._x, self._syntax, usr, names)
        for child in definition.children:
            if child.type == "field_initializer_list":
                self._starts(reader, child)
        reader.statement(body)
        function.body = f.Block(reader.out, body.end_point[0] + 1)

    def _starts(self, reader: BodyReader, node: Node) -> None:
        """``: member(argument), Base{...}``"""
        for child in node.named_children:
            parts = child.named_children
            if child.type != "field_initializer" or len(parts) < 2:
                continue
            text = STARTS + self._x.spelled(self._syntax.text(parts[0]))
            value = reader.started(text, parts[-1], child)
            reader.out.append(f.Assign(f.Name(text), value, child.start_point[0] + 1))

    def _scopes(self, node: Node, owner: str) -> tuple[list[str], list[str]]:
        spaces: list[str] = []
        classes: list[str] = []
        for here in _around(node):
            name = here.child_by_field_name("name")
            if here.type in _BODIES:
                return owner.split("::"), classes
            if here.type == "namespace_definition" and name is not None:
                spaces.insert(0, plain_name(self._syntax.text(name)))
            elif here.type in _CLASSES and name is not None:
                classes.insert(0, plain_name(self._syntax.text(name)))
        return spaces, classes


def _before_operator(name: str) -> str:
    return name.partition("operator")[0].removesuffix("::")


_BODIES = ("compound_statement", "lambda_expression")


def _around(node: Node) -> Iterator[Node]:
    """What *node* is inside of, innermost first."""
    here = node.parent
    while here is not None:
        yield here
        here = here.parent
