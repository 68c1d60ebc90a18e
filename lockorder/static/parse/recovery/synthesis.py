"""Declarations made up for names that nothing declares, so that clang keeps their statements.

The first parse says which names are unknown and where they were looked for.  Types become a class
that converts to and from anything and has every member that the sources use on anything; values
and functions become templates that accept anything.  Nothing is known of such an entity but its
name, which is all that the analysis needs to see the code around it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from lockorder.static.parse.clang import Unit
from lockorder.static.parse.recovery.standard_names import header_of, is_standard
from lockorder.static.parse.recovery.tree import Syntax

#: What names of members of made-up types begin with.
MADE_UP = "lockorder_assumed::any::"
_UNKNOWN_TYPE = re.compile(r"^unknown type name '([^']+)'")
_NO_TYPE_IN = re.compile(r"^no type named '([^']+)' in namespace '([^']+)'")
_NO_MEMBER_IN = re.compile(r"^no member named '([^']+)' in namespace '([^']+)'")
_NO_TEMPLATE_IN = re.compile(r"^no template named '([^']+)' in namespace '([^']+)'")
_NO_TEMPLATE = re.compile(r"^no template named '([^']+)'")
_NO_NAMESPACE = re.compile(r"^no member named '([^']+)' in the global namespace")
_UNDECLARED = re.compile(r"^use of undeclared identifier '([^']+)'")
_IMPLICIT = re.compile(r"^call to undeclared (?:library )?function '([^']+)'")
_STANDARD_NAME = re.compile(rb"\bstd\s*::\s*([A-Za-z_]\w*)")
_USING_STANDARD = re.compile(rb"\busing\s+namespace\s+std\b")
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::\s*)?(\w+(?:\s*::\s*\w+)*)\s*;")
_IDENTIFIER = re.compile(r"^[A-Za-z_]\w*$")
_MEMBER_CALL = re.compile(rb"(?:\.|->)\s*([A-Za-z_]\w*)\s*\(")
_MEMBER_DATA = re.compile(rb"(?:\.|->)\s*([A-Za-z_]\w*)\b(?!\s*\()")
_QUALIFIED = re.compile(rb"\b((?:[A-Za-z_]\w*\s*::\s*)+)([A-Za-z_]\w*)\s*([(<{&*;,)]|\s[A-Za-z_])?")
_KEYWORDS = frozenset(
    [
        "alignas",
        "alignof",
        "and",
        "asm",
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "constexpr",
        "continue",
        "default",
        "delete",
        "do",
        "double",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "not",
        "nullptr",
        "operator",
        "or",
        "private",
        "protected",
        "public",
        "register",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "template",
        "this",
        "throw",
        "true",
        "try",
        "typedef",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "while",
        "xor",
        "template",
        "concept",
        "requires",
        "decltype",
        "static_cast",
        "dynamic_cast",
        "reinterpret_cast",
        "const_cast",
        "static_assert",
        "thread_local",
        "co_await",
        "co_return",
        "co_yield",
    ]
)


class Prelude:
    """What to include before a unit of which clang lost something, after a first parse of it.

    ``standard`` are headers of the standard libraries whose names the sources use although nothing
    that could be read includes them.
    """

    def __init__(
        self,
        unit: Unit,
        syntax: Mapping[str, Syntax],
        own: Sequence[str],
        cxx: bool,
        included: AbstractSet[str] = frozenset(),
    ) -> None:
        """*included* are the standard headers that were included for this parse already."""
        self._syntax = syntax
        self._own = own
        self._cxx = cxx
        files = {x for x in own if x in syntax}
        using = any(_USING_STANDARD.search(syntax[x].data) for x in files)
        aliases: dict[str, list[str]] = {}
        for file in files:
            for name, meant in _ALIAS.findall(syntax[file].data):
                aliases.setdefault(name.decode(), re.split(r"\s*::\s*", meant.decode()))
        self._wanted = _Wanted(cxx, using, aliases)
        for file, _, offset, text in unit.errors:
            if file in files:
                self._wanted.add(text, syntax[file].data, offset)
        self.standard = self._wanted.headers
        if self._wanted.spaces:
            # What stands in statements that were dropped has not been complained about yet.
            for file in files:
                names = {m.decode() for m in _STANDARD_NAME.findall(syntax[file].data)}
                self.standard |= {header_of(n, "std", cxx) for n in names}
        self.standard.discard("")
        self._included = included

    def includes(self) -> str:
        """Lines that include the standard headers that are missing."""
        wanted = sorted(self.standard | self._included)
        return "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in wanted)

    def made_up(self) -> str:
        """Declarations for other names; empty where nothing would be gained, and in C."""
        if not self._cxx or self._wanted.empty:
            return ""
        members: set[str] = set()
        data: set[str] = set()
        declared: set[str] = set()
        for file in self._own:
            members |= {m.decode() for m in _MEMBER_CALL.findall(self._syntax[file].data)}
            data |= {m.decode() for m in _MEMBER_DATA.findall(self._syntax[file].data)}
            declared |= self._syntax[file].outer_names()
        self._wanted.forget(declared)
        return self._wanted.text(members - _KEYWORDS, data - members - _KEYWORDS)


class _Wanted:
    """Names to declare, by namespace, and standard headers to include."""

    def __init__(
        self, cxx: bool, using_standard: bool, aliases: Mapping[str, Sequence[str]]
    ) -> None:
        """*aliases* are other names that the sources give to namespaces, and what they mean."""
        self._cxx = cxx
        self._using_standard = using_standard
        self._aliases = aliases
        #: standard headers that declare what is missing
        self.headers: set[str] = set()
        #: namespaces of the standard library in which something is missing
        self.spaces: set[str] = set()
        self._types: dict[str, set[str]] = {}
        self._templates: dict[str, set[str]] = {}
        self._functions: dict[str, set[str]] = {}
        self._values: dict[str, set[str]] = {}

    @property
    def empty(self) -> bool:
        """Nothing to declare."""
        return not (self._types or self._templates or self._functions or self._values)

    def forget(self, declared: set[str]) -> None:
        """Variables that the sources declare are unknown only because their types are."""
        for names in self._values.values():
            names -= declared

    def add(self, text: str, source: bytes, offset: int) -> None:
        """Learn from one diagnostic of clang at byte *offset* of *source*."""
        after = source[offset : offset + 200]
        for pattern in (_NO_TYPE_IN, _NO_TEMPLATE_IN, _NO_MEMBER_IN):
            match = pattern.match(text)
            if match:
                self._sort(match.group(1), match.group(2), after, pattern is _NO_TYPE_IN)
                return
        match = _UNKNOWN_TYPE.match(text)
        if match:
            self._sort(match.group(1), "", after, True)
            return
        match = _NO_TEMPLATE.match(text)
        if match:
            self._put(self._templates, "", match.group(1))
            return
        match = _UNDECLARED.match(text) or _NO_NAMESPACE.match(text) or _IMPLICIT.match(text)
        if match:
            self._undeclared(match.group(1), after)

    def _undeclared(self, name: str, after: bytes) -> None:
        match = _QUALIFIED.match(after)
        if match and after.startswith(name.encode()):
            spaces = re.sub(rb"\s", b"", match.group(1)).decode()[:-2]
            self._sort_qualified(spaces, match.group(2).decode(), after[match.end(2) :])
        else:
            self._sort(name, "", after, False)

    def _sort_qualified(self, spaces: str, name: str, after: bytes) -> None:
        self._sort_by_use(name, spaces, after, False)

    def _sort(self, name: str, space: str, after: bytes, is_type: bool) -> None:
        rest = after[len(name) :] if after.startswith(name.encode()) else after
        follow = rest.lstrip()
        if follow.startswith(b"::") and not is_type:
            match = _QUALIFIED.match(after)
            if match:
                spaces = re.sub(rb"\s", b"", match.group(1)).decode()[:-2]
                inner = f"{space}::{spaces}" if space else spaces
                self._sort_by_use(match.group(2).decode(), inner, after[match.end(2) :], False)
            return
        self._sort_by_use(name, space, rest, is_type)

    def _sort_by_use(self, name: str, space: str, rest: bytes, is_type: bool) -> None:
        follow = rest.lstrip()
        if follow.startswith(b"<") and not follow.startswith(b"<<"):
            kind = self._templates if is_type or _closes_as_type(follow) else self._functions
            self._put(kind, space, name)
        elif is_type or _looks_like_type(rest):
            self._put(self._types, space, name)
        elif follow.startswith(b"("):
            self._put(self._functions, space, name)
        else:
            self._put(self._values, space, name)

    def _put(self, kind: dict[str, set[str]], space: str, name: str) -> None:
        if not _IDENTIFIER.match(name) or name in _KEYWORDS:
            return
        parts = [p for p in space.split("::") if p]
        if parts and parts[0] in self._aliases:  # of a namespace that nothing declares
            parts[:1] = self._aliases[parts[0]]
        if any(not _IDENTIFIER.match(p) or p in _KEYWORDS for p in parts):
            return
        if parts[:1] == ["std"]:
            # The standard library is real: its headers are included, or the name is not in it.
            self.spaces.add(space)
            self.headers.add(header_of(name, space, self._cxx))
            return
        if not parts:
            header = header_of(name, "", self._cxx)
            if not header and self._using_standard and is_standard(name):
                header = header_of(name, "std", self._cxx)
            if header:
                self.headers.add(header)
                return
        kind.setdefault("::".join(parts), set()).add(name)

    def text(self, members: set[str], data: set[str]) -> str:
        """The prelude: one class that is anything, then every name in its namespace."""
        lines = ['#pragma clang diagnostic ignored "-Weverything"', "namespace lockorder_assumed {"]
        lines.append("struct any {")
        lines.append(
            "  any() = default; template <class T> any(T&&); any(const any&); ~any() = default;"
        )
        lines.append("  template <class... A> any(any, A&&...);")
        lines.append(
            "  template <class T> operator T&() const; template <class T> operator T() const;"
        )
        lines.append("  template <class... A> any operator()(A&&...) const;")
        lines.append("  template <class T> any& operator[](T&&) const;")
        lines.append(
            "  any* operator->() const; any& operator*() const;"
            "  any* begin() const; any* end() const;"
        )
        lines.append("  template <class T> any& operator=(T&&); explicit operator bool() const;")
        for name in sorted(members):
            lines.append(f"  template <class... A> any {name}(A&&...) const;")
        for name in sorted(data):
            lines.append(f"  static any& {name};")
        lines.append("};")
        for op in (
            "==",
            "!=",
            "<",
            ">",
            "<=",
            ">=",
            "+",
            "-",
            "*",
            "/",
            "%",
            "&",
            "|",
            "^",
            "<<",
            ">>",
        ):
            result = "bool" if op in ("==", "!=", "<", ">", "<=", ">=") else "any&"
            lines.append(f"template <class T> {result} operator{op}(const any&, T&&);")
        lines.append("}")
        spaces = sorted({*self._types, *self._templates, *self._functions, *self._values})
        for space in spaces:
            inner = self._declarations(space)
            if space:
                opened = "".join(f"namespace {p} {{ " for p in space.split("::"))
                closed = "}" * len(space.split("::"))
                lines.append(f"{opened}{inner} {closed}")
            else:
                lines.append(inner)
        return "\n".join(lines) + "\n"

    def _declarations(self, space: str) -> str:
        any_ = "::lockorder_assumed::any"
        parts = []
        templates = self._templates.get(space, set())
        types = self._types.get(space, set()) - templates
        functions = self._functions.get(space, set()) - templates - types
        values = self._values.get(space, set()) - templates - types - functions
        for name in sorted(types):
            parts.append(
                f"struct {name} : {any_} {{ using {any_}::any; {name}() = default; "
                f"template <class... A> {name}(A&&...); }};"
            )
        for name in sorted(templates):
            parts.append(
                f"template <class... P> struct {name} : {any_} {{ {name}() = default; "
                f"template <class... A> {name}(A&&...); }};"
            )
        for name in sorted(functions):
            parts.append(
                f"template <class... A> {any_} {name}(A&&...); "
                f"template <class P, class... A> {any_} {name}(A&&...);"
            )
        for name in sorted(values):
            parts.append(f"extern {any_} {name};")
        return " ".join(parts)


def _closes_as_type(text: bytes) -> bool:
    """Whether what follows ``name<...>`` makes it a type: a name, ``&``, ``*``, ``::`` or ``>``."""
    depth = 0
    for i, c in enumerate(text[:160]):
        if c == 0x3C:
            depth += 1
        elif c == 0x3E:
            depth -= 1
            if depth == 0:
                rest = text[i + 1 :].lstrip()
                return bool(re.match(rb"[A-Za-z_&*>,]|::", rest))
    return True


def _looks_like_type(rest: bytes) -> bool:
    """``Name variable``, ``Name& x``, ``Name* x``: a declaration, or a template argument."""
    return bool(
        re.match(rb"\s+[A-Za-z_]\w*\s*[;=({,)\[:]", rest)
        or re.match(rb"\s*[&*]+\s*(?:const\s+)?[A-Za-z_]\w*\s*[;=,)({]", rest)
        or re.match(rb"\s*[>]", rest)
    )
