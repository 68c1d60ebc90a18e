"""A syntax tree of the source text (tree-sitter): what stands there, headers or no headers.

Used for two things: to count the calls and lock acquisitions in function bodies, so that the
analysis can say which share of them it saw; and to find statements that clang dropped, for
``reading`` to read them without types.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

import msgspec
import tree_sitter_cpp
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Range

_LANGUAGE = Language(tree_sitter_cpp.language())
_QUERY = Query(
    _LANGUAGE,
    """
    (call_expression) @call
    (function_definition body: (compound_statement) @body)
    (function_definition body: (try_statement) @body)
    (lambda_expression body: (compound_statement) @body)
    (declaration) @declaration
    (decltype) @typed
    (sizeof_expression) @typed
    (alignof_expression) @typed
    (co_await_expression) @suspends
    (co_return_statement) @suspends
    (co_yield_statement) @suspends
    """,
)
#: Written like calls, but they are casts or operators of the language.
_NOT_CALLS = frozenset(
    [
        "static_cast",
        "dynamic_cast",
        "reinterpret_cast",
        "const_cast",
        "sizeof",
        "alignof",
        "decltype",
        "typeid",
        "noexcept",
        "defined",
        "assert",
        "va_start",
        "va_end",
        "va_arg",
        "va_copy",
        "offsetof",
        "likely",
        "unlikely",
        "__attribute__",
        "alignas",
        "static_assert",
        "_Static_assert",
        "typeof",
        "__typeof__",
        "requires",
        "co_await",
    ]
)
_SHOUTED = re.compile(r"^_*[A-Z][A-Z0-9_]{2,}$")
_LOCK_TYPE = re.compile(
    r"\b(lock_guard|unique_lock|scoped_lock|shared_lock|MutexLock|ReaderMutexLock|WriterMutexLock|"
    r"ReleasableMutexLock|gil_scoped_acquire|AutoGIL|LockGuard|ScopedLock)\b"
)
_LOCK_CALL = re.compile(
    r"^(lock|lock_shared|try_lock|wlock|rlock|Lock|ReaderLock|pthread_mutex_lock|"
    r"pthread_mutex_trylock|pthread_rwlock_(rd|wr)lock|pthread_spin_lock)$"
)
_WORD = re.compile(r"\w+")
#: ``class EXPORT Name``: a grammar that expands no macros takes it for a function.
_EXPORTED = re.compile(
    rb"(?<=\bclass )\s*[A-Z][A-Z0-9_]+(?:\([^()\n]*\))?(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{<\n])|"
    rb"(?<=\bstruct )\s*[A-Z][A-Z0-9_]+(?:\([^()\n]*\))?(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{<\n])"
)
PREPROCESSOR = frozenset(
    ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef")
)
_BLOCKS = frozenset(("compound_statement", "case_statement", *PREPROCESSOR))


class Counted(msgspec.Struct):
    """Things in function bodies of one file.

    ``calls`` are end offsets of calls; ``locks`` what looks like an acquisition: a call's end
    offset (True) or the offset of a guard's name, each with its ``extents``: first line and column,
    last line and column (lines 1-based, columns 1-based in bytes, the last one past the end).
    """

    calls: list[int]
    locks: list[tuple[int, bool]]
    inactive: int
    extents: list[tuple[int, int, int, int]] = []


class Syntax:
    """The syntax tree of one file."""

    def __init__(self, data: bytes, whole: bytes | None = None) -> None:
        """*whole* is the text with all that was blanked out in *data*."""
        self.data = data
        self.whole = data if whole is None else whole
        self.root = Parser(_LANGUAGE).parse(_EXPORTED.sub(_blank, data)).root_node
        captures = QueryCursor(_QUERY).captures(self.root)
        self._calls: list[Node] = captures.get("call", [])
        self._bodies: list[Node] = captures.get("body", [])
        self._declarations: list[Node] = captures.get("declaration", [])
        self._typed: list[Node] = captures.get("typed", [])
        suspending: list[Node] = captures.get("suspends", [])
        self._coroutines = {body.start_byte for n in suspending if (body := _body(n)) is not None}
        self._awaited = {e for n in suspending if (e := _end_of_awaited(n)) is not None}
        self._compounds: dict[int, Node] | None = None
        self._unevaluated: tuple[list[int], list[int]] | None = None

    def functions(self) -> Iterator[Node]:
        """Bodies of functions (not lambdas), in source order."""
        for body in sorted(self._bodies, key=lambda n: n.start_byte):
            if body.parent is not None and body.parent.type == "function_definition":
                yield body

    def has_declarations(self) -> bool:
        """Whether anything but directives, comments and macro calls stands at the top level."""
        return any(
            c.type not in ("comment", "using_declaration", "alias_declaration")
            and not c.type.startswith("preproc")
            for c in self.root.named_children
        )

    def outer_names(self) -> set[str]:
        """Names of variables that are declared outside of functions."""
        bodies = _merge([(b.start_byte, b.end_byte) for b in self._bodies])
        return {
            self.text(name)
            for declaration in self._declarations
            if not _inside(bodies, declaration.start_byte)
            for declarator in declaration.children_by_field_name("declarator")
            if (name := declared_name(declarator)) is not None
        }

    def compound(self, start: int) -> Node | None:
        """The compound statement that starts at byte *start*."""
        if self._compounds is None:
            self._compounds = {}
            pending = list(self._bodies)
            while pending:
                node = pending.pop()
                if node.type == "compound_statement":
                    self._compounds.setdefault(node.start_byte, node)
                pending.extend(c for c in node.children if c.named_child_count)
        return self._compounds.get(start)

    def is_coroutine(self, start: int) -> bool:
        """Whether the body of a function or lambda that starts at byte *start* is a coroutine's."""
        return start in self._coroutines

    def is_awaited(self, end: int) -> bool:
        """Whether ``co_await`` stands before the call that ends at byte *end*."""
        return end in self._awaited

    def text(self, node: Node) -> str:
        """The source text of *node*."""
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def arguments(self, declarator: Node, name: Node, declaration: Node) -> list[Node] | None:
        """The arguments of ``Type name(arguments);``, which reads like the head of a function.

        The same text without its type is a call; None where it is none.
        """
        end = declaration.children[-1] if declaration.children else declaration
        if self.text(end) != ";":
            return None
        parser = Parser(_LANGUAGE)
        parser.included_ranges = [
            Range(name.start_point, declarator.end_point, name.start_byte, declarator.end_byte),
            Range(end.start_point, end.end_point, end.start_byte, end.end_byte),
        ]
        root = parser.parse(self.data).root_node
        statement = root.named_children[0] if root.named_children else root
        call = statement.named_children[0] if statement.named_children else statement
        listed = call.child_by_field_name("arguments")
        if call.type != "call_expression" or listed is None or root.has_error:
            return None
        return [c for c in listed.named_children if c.type != "comment"]

    def callee_name(self, call: Node) -> str:
        """The last name of what a call expression calls; empty where it is no name."""
        function = call.child_by_field_name("function")
        while function is not None:
            if function.type in ("identifier", "field_identifier", "type_identifier"):
                return self.text(function)
            if function.type == "primitive_type":
                return ""
            named = function.named_children
            if function.type in ("template_function", "template_method", "template_type"):
                function = named[0] if named else None
            elif function.type in ("qualified_identifier", "field_expression", "dependent_name"):
                function = named[-1] if named else None
            else:
                return ""
        return ""

    def is_real_call(self, call: Node, macros: frozenset[str]) -> bool:
        """Whether a call expression is a call and not a macro, a cast or an operator."""
        function = call.child_by_field_name("function")
        if function is None or function.type == "primitive_type":
            return False
        name = self.callee_name(call)
        if name in _NOT_CALLS or name in macros:
            return False
        if _SHOUTED.match(name) and function.type == "identifier":
            return False
        return not self._is_unevaluated(call)

    def _is_unevaluated(self, call: Node) -> bool:
        """Whether only the type of what *call* gives is asked for ([expr.context])."""
        if self._unevaluated is None:
            asked = [(n.start_byte, n.end_byte) for n in self._typed]
            for each in self._calls:
                operand = each.child_by_field_name("arguments")
                if operand is not None and self.callee_name(each) in ("noexcept", "typeid"):
                    asked.append((operand.start_byte, operand.end_byte))
            self._unevaluated = _merge(asked)
        return _inside(self._unevaluated, call.start_byte)

    def count(
        self,
        macros: frozenset[str],
        skipped: Iterable[tuple[int, int]],
        guards: AbstractSet[str] = frozenset(),
        takers: AbstractSet[str] = frozenset(),
    ) -> Counted:
        """Count calls and lock acquisitions in function bodies, apart from inactive ones.

        *guards* are further names of types whose objects take locks, *takers* of functions that do.
        """
        bodies = _merge([(b.start_byte, b.end_byte) for b in self._bodies])
        off = _merge(list(skipped))
        calls: list[int] = []
        locks: list[tuple[int, bool]] = []
        extents: list[tuple[int, int, int, int]] = []
        inactive = 0
        for call in self._calls:
            at = call.start_byte
            if not _inside(bodies, at) or not self.is_real_call(call, macros):
                continue
            if _inside(off, at):
                inactive += 1
                continue
            calls.append(call.end_byte)
            called = self.callee_name(call)
            if _LOCK_CALL.match(called) or called in takers:
                locks.append((call.end_byte, True))
                extents.append(_extent(call))
        for declaration in self._declarations:
            at = declaration.start_byte
            if not _inside(bodies, at) or _inside(off, at):
                continue
            kind = declaration.child_by_field_name("type")
            if kind is None:
                continue
            text = self.text(kind)
            if not (_LOCK_TYPE.search(text) or not guards.isdisjoint(_WORD.findall(text))):
                continue
            for declarator in declaration.children_by_field_name("declarator"):
                name = declared_name(declarator)
                if name is not None:
                    locks.append((name.start_byte, False))
                    extents.append(_extent(declarator))
        return Counted(calls, locks, inactive, extents)


def _body(node: Node) -> Node | None:
    """The body of the function or lambda that *node* stands in."""
    here: Node | None = node
    while here is not None and here.type not in ("function_definition", "lambda_expression"):
        here = here.parent
    return here.child_by_field_name("body") if here is not None else None


def _end_of_awaited(node: Node) -> int | None:
    """Where the call ends that *node* awaits; None where it awaits something else, or nothing."""
    inner = node.child_by_field_name("argument") if node.type == "co_await_expression" else None
    while inner is not None and inner.type == "parenthesized_expression":
        inner = inner.named_children[0] if inner.named_children else None
    return inner.end_byte if inner is not None and inner.type == "call_expression" else None


def _extent(node: Node) -> tuple[int, int, int, int]:
    (line, column), (last_line, last_column) = node.start_point, node.end_point
    return line + 1, column + 1, last_line + 1, last_column + 1


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group(0))


def statements(block: Node) -> Iterator[Node]:
    """The statements of a block, those in preprocessor branches included."""
    for child in block.named_children:
        if child.type in PREPROCESSOR:
            yield from statements(child)
        elif child.type != "comment":
            yield child


def apart(node: Node | None) -> Node | None:
    """What is declared where *node* is two words with nothing between them, else *node*.

    Of ``EXPORT type name(...)``, with two words that nobody knows, the parser makes
    ``EXPORT type::name(...)``.
    """
    if node is None or node.type != "qualified_identifier":
        return node
    if not any(c.is_missing and c.type == "::" for c in node.children):
        return node
    inner = node.child_by_field_name("name")
    while inner is not None and inner.type == "pointer_type_declarator":
        inner = inner.child_by_field_name("declarator")
    return apart(inner)


def declared_name(declarator: Node) -> Node | None:
    """The identifier inside a declarator."""
    node: Node | None = declarator
    while node is not None and node.type not in ("identifier", "field_identifier"):
        inner = node.child_by_field_name("declarator")
        if inner is None:
            named = [c for c in node.named_children if c.type not in ("type_qualifier",)]
            inner = named[0] if named and node.type in _WRAPPERS else None
        node = inner
    return node


def any_declared_name(declarator: Node) -> Node | None:
    """The identifier inside a declarator, of a pointer to a member too."""
    found = declared_name(declarator)
    pending = [declarator] if found is None else []
    while pending:
        node = pending.pop()
        if node.type == "pointer_type_declarator":
            return node.child_by_field_name("declarator")
        pending.extend(c for c in node.named_children if c.type != "parameter_list")
    return found


def indirection(declarator: Node) -> str:
    """What a declarator adds to its type: `` *``, `` &`` or nothing."""
    inner: Node | None = declarator
    while inner is not None and inner.type not in ("identifier", "field_identifier"):
        if inner.type in ("pointer_declarator", "reference_declarator"):
            return " *" if inner.type == "pointer_declarator" else " &"
        inner = inner.child_by_field_name("declarator")
    return ""


def declared_type(text: str, declarator: Node | None, syntax: Syntax) -> str:
    """The type of what *declarator* declares, where *text* stands before it."""
    suffix, node = "", declarator
    while node is not None and node.type not in ("identifier", "field_identifier"):
        inner = node.child_by_field_name("declarator")
        if inner is None:
            named = [
                c for c in node.named_children if c.type.endswith(("declarator", "identifier"))
            ]
            inner = named[0] if named else None
        if node.type.endswith("pointer_declarator"):
            text += " *"
        elif node.type.endswith("reference_declarator"):
            text += " &&" if node.children and node.children[0].type == "&&" else " &"
        elif node.type == "array_declarator":
            size = node.child_by_field_name("size")
            suffix = f"[{syntax.text(size) if size is not None else ''}]{suffix}"
        elif node.type == "function_declarator":
            return f"{text} (*)()"
        node = inner
    return text + suffix


def is_const(declaration: Node) -> bool:
    """Whether ``const`` stands before the type of a declaration or parameter."""
    return any(c.type == "type_qualifier" and c.text == b"const" for c in declaration.children)


_WRAPPERS = frozenset(
    ("reference_declarator", "pointer_declarator", "init_declarator", "array_declarator",
     "parenthesized_declarator", "function_declarator", "attributed_declarator")
)  # fmt: skip


def _merge(ranges: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(ranges):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


def _inside(ranges: tuple[list[int], list[int]], at: int) -> bool:
    index = bisect_right(ranges[0], at) - 1
    return index >= 0 and at < ranges[1][index]
