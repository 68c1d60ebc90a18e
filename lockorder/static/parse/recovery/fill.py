"""Puts back what clang dropped: statements, parts of statements, whole functions.

clang leaves out a statement whose types it cannot work out, and with it every lock and call
inside.  The syntax tree still has it.  Statements are matched by where they start, calls by where
they end; only what has no counterpart is read by its syntax.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.reading import Reader
from lockorder.static.parse.recovery.spellings import declared, plain_name
from lockorder.static.parse.recovery.tree import Syntax, apart, statements
from lockorder.static.parse.recovery.values import parameter_list

if TYPE_CHECKING:
    from lockorder.static.parse.reader import Events, UnitReader


class Filler:
    """Walks one block's syntax alongside clang's statements."""

    def __init__(
        self,
        extractor: UnitReader,
        syntax: Syntax | None,
        into: Events,
        start: int,
        end: int,
        skipped: Sequence[tuple[int, int]],
    ) -> None:
        self._x = extractor
        self._syntax = syntax
        self._into = into
        node = syntax.compound(start) if syntax is not None else None
        # A macro's block has no counterpart of its own in the text.
        exact = node is not None and node.end_byte == end
        self._pending: list[Node] = []
        if node is not None and exact:
            self._pending = [
                s for s in statements(node) if not any(a <= s.start_byte < b for a, b in skipped)
            ]
        self._skipped = skipped
        #: how many events there were when clang's present statement began
        self._begun = 0

    def before(self, offset: int) -> None:
        """clang's next statement starts at *offset*: read what stands before it."""
        while self._pending and self._pending[0].start_byte < offset:
            node = self._pending.pop(0)
            if self._worth_reading(node):
                self._read(node, whole=True)
        self._begun = len(self._into.out)

    def after(self, start: int, end: int) -> None:
        """clang's statement from *start* to *end* was read: look for calls that it lost."""
        if self._pending and self._pending[0].start_byte == start:
            node = self._pending.pop(0)
            self._read(node, whole=False)
            ended = any(isinstance(e, f.Return) for e in self._into.out[self._begun :])
            if node.type == "co_return_statement" and not ended:
                self._into.out.append(f.Return(None, node.start_point[0] + 1))

    def _worth_reading(self, node: Node) -> bool:
        if node.type == "ERROR" or self._syntax is None:
            return False
        calls = [c for c in _calls(node) if self._syntax.is_real_call(c, self._x.macros)]
        if calls:
            return not any(self._x.seen(c.end_byte) for c in calls)
        told = node.type in _TOLD_WITHOUT_CALLS or _ends_coroutine(node)
        return told and not node.has_error

    def _read(self, node: Node, whole: bool) -> None:
        assert self._syntax is not None
        if whole:
            reader = Reader(self._x, self._syntax, self._into.owner, self._into)
            reader.out = self._into.out
            reader.statement(node)
            return
        for call in _outermost_unseen(self._x, self._syntax, node):
            if any(a <= call.start_byte < b for a, b in self._skipped):
                continue
            reader = Reader(self._x, self._syntax, self._into.owner, self._into)
            leaving = _leaving(call, node)
            kept = leaving is not None and leaving.named_children == [call]
            value = reader.full(call, keep=kept)  # else nobody that was read has its value
            place = self._place_of(call, node, leaving)
            if place is None:
                self._into.out.extend(reader.out)
                continue
            events, index = place
            if kept and index < len(events):
                left = events[index]
                if isinstance(left, f.Return):
                    left.value = value
            events[index:index] = reader.out

    def _place_of(
        self, call: Node, node: Node, leaving: Node | None
    ) -> tuple[list[f.Stmt], int] | None:
        """Before which event *call* runs, as a list and an index; None where it is the last.

        A statement that leaves the function, or decides what follows, has its calls before that.
        """
        mine = self._into.out[self._begun :]
        if leaving is not None:
            line = leaving.start_point[0] + 1
            for events, index in _positions(self._into.out, self._begun):
                here = events[index]
                if isinstance(here, f.Return | f.Throw) and here.line == line:
                    return events, index
        condition = node.child_by_field_name("condition")
        if condition is None or not _is_within(call, condition):
            return None
        decided = [i for i, e in enumerate(mine) if isinstance(e, f.If | f.Switch | f.Loop)]
        if not decided:
            return None
        last = mine[decided[-1]]
        if isinstance(last, f.Loop):
            return last.head.body, len(last.head.body)
        return self._into.out, self._begun + decided[-1]


def _positions(events: list[f.Stmt], begin: int) -> Iterator[tuple[list[f.Stmt], int]]:
    """Where each event from *begin* on stands, and those in them: a list and an index."""
    for index in range(begin, len(events)):
        yield events, index
        for block in f.parts(events[index]):
            yield from _positions(block.body, 0)


def _leaving(call: Node, within: Node) -> Node | None:
    """The statement in *within* that leaves the function once *call* has run."""
    here: Node | None = call
    while here is not None and here.type not in _HEADED:
        if here.type in ("return_statement", "throw_statement", "co_return_statement"):
            return here
        if here == within:
            break
        here = here.parent
    return None


def _ends_coroutine(node: Node) -> bool:
    """Whether the function ends somewhere in *node*, which clang has only with a promise type."""
    if node.type == "co_return_statement":
        return True
    inside = (c for c in node.named_children if c.type != "lambda_expression")
    return any(map(_ends_coroutine, inside))


def _is_within(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def _calls(node: Node) -> Iterator[Node]:
    if node.type == "call_expression":
        yield node
    for child in node.children:
        if child.named_child_count or child.type == "call_expression":
            yield from _calls(child)


def _outermost_unseen(extractor: UnitReader, syntax: Syntax, node: Node) -> Iterator[Node]:
    """Calls that clang lost in a statement that it kept; nested blocks look after themselves."""
    for child in node.children:
        is_block = child.type == "compound_statement"
        if is_block and (child.start_byte in extractor.bodies[extractor.file] or _headed(node)):
            continue
        if child.type == "call_expression" and _unseen(extractor, syntax, child):
            inner = [c for c in _calls(child) if c is not child]
            if any(extractor.seen(c.end_byte) for c in inner):
                # The call was lost around parts that were kept: what is lost inside comes first.
                for call in inner:
                    kept = any(extractor.seen(c.end_byte) for c in _calls(call))
                    if not kept and _unseen(extractor, syntax, call):
                        yield call
            yield child
            continue
        yield from _outermost_unseen(extractor, syntax, child)


def _unseen(extractor: UnitReader, syntax: Syntax, call: Node) -> bool:
    return syntax.is_real_call(call, extractor.macros) and not extractor.seen(call.end_byte)


def _headed(node: Node) -> bool:
    return node.type in _HEADED


#: Statements that mean something without any call: what is declared, and where the function ends.
_TOLD_WITHOUT_CALLS = frozenset(("declaration", "return_statement", "co_return_statement"))
_HEADED = frozenset(
    ("if_statement", "while_statement", "for_statement", "for_range_loop", "do_statement",
     "switch_statement", "try_statement", "catch_clause", "else_clause", "compound_statement",
     "lambda_expression", "labeled_statement", "case_statement")
)  # fmt: skip


class Missing:
    """Functions of a file of which clang gave no body at all."""

    def __init__(self, extractor: UnitReader, syntax: Syntax) -> None:
        self._x = extractor
        self._syntax = syntax

    def read(self) -> None:
        """Read every function body that was not read yet and is not switched off."""
        known = self._x.bodies[self._x.file]
        for body in self._syntax.functions():
            if body.start_byte not in known and not self._x.is_skipped(body.start_byte):
                self._function(body)

    def _function(self, body: Node) -> None:
        definition = body.parent
        declarator = definition.child_by_field_name("declarator") if definition else None
        while declarator is not None and declarator.type in (
            "pointer_declarator",
            "reference_declarator",
        ):
            inner = declarator.child_by_field_name("declarator")
            named = declarator.named_children
            declarator = inner or (named[-1] if named else None)
        declarator = apart(declarator)
        if declarator is None or declarator.type != "function_declarator":
            return
        name_node = apart(declarator.child_by_field_name("declarator"))
        if name_node is None or _in_function(definition):
            return
        own = plain_name(declared(self._syntax.text(name_node)))
        spaces, classes = self._scopes(definition)
        name = "::".join(p for p in (*spaces, *classes, own) if p)
        scope = name.rpartition("::")[0]
        is_member = bool(classes) or "::" in own
        last = own.rsplit("::", 1)[-1]
        kind = "function"
        if is_member:
            kind = "destructor" if last.startswith("~") else "method"
            if scope.rsplit("::", 1)[-1] == last:
                kind = "constructor"
        parameters = parameter_list(self._syntax, declarator.child_by_field_name("parameters"))
        usr = f"syntax:{self._x.file}:{body.start_byte}"
        function = f.Function(
            usr, name, kind, [f"{usr}@{i}" for i in range(len(parameters))], f.Block([]),
            self._x.file, body.start_point[0] + 1, body.end_point[0] + 1,
            scope if is_member else "", filled=True,
            coroutine=self._syntax.is_coroutine(body.start_byte),
        )  # fmt: skip
        self._x.function_by_syntax(function, parameters)
        function.body = Reader(self._x, self._syntax, usr).block(body)

    def _scopes(self, node: Node | None) -> tuple[list[str], list[str]]:
        spaces: list[str] = []
        classes: list[str] = []
        here = node.parent if node is not None else None
        while here is not None:
            name = here.child_by_field_name("name")
            if here.type == "namespace_definition" and name is not None:
                spaces.insert(0, plain_name(self._syntax.text(name)))
            elif here.type in ("class_specifier", "struct_specifier") and name is not None:
                classes.insert(0, plain_name(self._syntax.text(name)))
            here = here.parent
        return spaces, classes


def _in_function(node: Node | None) -> bool:
    here = node.parent if node is not None else None
    while here is not None:
        if here.type in ("compound_statement", "lambda_expression"):
            return True
        here = here.parent
    return False
