"""Types as they are written in files, with aliases and using-declarations applied."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tree_sitter import Node

from lockorder.static.parse.recovery.standard_names import is_standard
from lockorder.static.parse.recovery.tree import Syntax, declared_name, indirection

_NAME = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_OTHER = re.compile(rb"^\s*(?:using|typedef|namespace\s+\w+\s*=)|\{\s*using\b", re.M)
#: What a name begins with that is looked up in no scope but the outermost.
_GLOBAL = re.compile(r"(?<![\w>:])::(?=[A-Za-z_])")


class Spellings:
    """What the names of types stand for in files that are read together."""

    def __init__(self, files: Iterable[Syntax]) -> None:
        self._aliases: dict[str, str] = {}
        self._using: dict[str, str] = {}
        #: Namespaces that a directive makes visible, and other names for namespaces.
        self.spaces: set[str] = set()
        self._other: dict[str, str] = {}
        for syntax in files:
            self._syntax = syntax
            pending = [syntax.root]
            while pending:
                node = pending.pop()
                handler = _KINDS.get(node.type)
                if handler is not None:
                    handler(self, node)
                pending.extend(c for c in node.named_children if c.named_child_count)

    def _alias(self, node: Node) -> None:
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is not None and kind is not None:
            self._aliases[self._syntax.text(name)] = self._syntax.text(kind)

    def _typedef(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        for declarator in node.children_by_field_name("declarator"):
            if kind is None or kind.child_by_field_name("body") is not None:
                continue
            names = [declarator] if declarator.type == "type_identifier" else []
            inner = declared_name(declarator)
            name = names[0] if names else inner
            if name is not None:
                text = self._syntax.text(kind).removeprefix("struct ") + indirection(declarator)
                if text != self._syntax.text(name):
                    self._aliases[self._syntax.text(name)] = text

    def _namespace(self, node: Node) -> None:
        """``namespace a = b::c;``"""
        names = node.named_children
        if len(names) == 2:
            self._other[self._syntax.text(names[0])] = self._syntax.text(names[1])

    def _named(self, node: Node) -> None:
        """``using namespace a;`` or ``using a::b;``"""
        text = self._syntax.text(node).removeprefix("using").rstrip(";").strip()
        if text.startswith("namespace "):
            self.spaces.add(text.removeprefix("namespace ").strip())
        elif "::" in text and not _in_class(node):
            self._using[text.rsplit("::", 1)[1].strip()] = text

    def full(self, text: str) -> str:
        """The type *text* with aliases replaced, and names of ``std`` in full."""
        return " ".join(_GLOBAL.sub("", self._expanded(text, frozenset())).split())

    def _expanded(self, text: str, inside: frozenset[str]) -> str:
        """*text* with other names replaced, but those that it came from: these name themselves."""

        def replaced(match: re.Match[str]) -> str:
            name = re.sub(r"\s", "", match.group(0))
            if name in inside:
                return match.group(0)
            new = self._replaced(match)
            return new if new == match.group(0) else self._expanded(new, inside | {name})

        return _NAME.sub(replaced, text)

    def name(self, text: str) -> str:
        """The name *text* of something in an expression, as far as it is another name for one."""
        bare, opened, arguments = text.partition("<")
        if bare in self._aliases:
            return self.full(text)
        if opened and "operator" not in bare:
            arguments = self.full(arguments)
        if bare in self._using:
            return self._using[bare] + opened + arguments
        first, colons, rest = bare.partition("::")
        return (self._space(first) if colons else first) + colons + rest + opened + arguments

    def _space(self, name: str) -> str:
        seen = set[str]()
        while name in self._other and name not in seen:
            seen.add(name)
            name = self._other[name]
        return name

    def _replaced(self, match: re.Match[str]) -> str:
        name = re.sub(r"\s", "", match.group(0))
        if name in self._aliases:
            return self._aliases[name]
        if name in self._using:
            return self._using[name]
        if "std" in self.spaces and "::" not in name and is_standard(name):
            return f"std::{name}"
        first, colons, rest = name.partition("::")
        return self._space(first) + colons + rest if colons else match.group(0)


def has_other_names(data: bytes) -> bool:
    """Whether a text may give anything another name."""
    return any(word in data for word in (b"using ", b"typedef ", b"namespace ")) and (
        _OTHER.search(data) is not None
    )


def _in_class(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "field_declaration_list"


_KINDS = {
    "namespace_alias_definition": Spellings._namespace,
    "alias_declaration": Spellings._alias,
    "type_definition": Spellings._typedef,
    "using_declaration": Spellings._named,
}


#: Words before a name: a type, a macro.
_WORDS = re.compile(r"^\s*(?:(?!operator\b)[A-Za-z_]\w*\s+)+(?=[A-Za-z_~])")


def declared(text: str) -> str:
    """The name in *text* without words before it that the parser took for a part of it."""
    return _WORDS.sub("", text)


def plain_name(text: str) -> str:
    """A name without template arguments and white space."""
    depth, out = 0, []
    for c in text:
        if c == "<":
            depth += 1
        elif c == ">":
            depth -= 1
        elif depth == 0 and not c.isspace():
            out.append(c)
    return "".join(out)
