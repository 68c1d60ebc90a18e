"""What C has and Python has not, as nodes beside those of ``ast``; and steps through C's trees."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tree_sitter import Node


class Store(ast.expr):
    """``target = value`` as an expression."""

    _fields = ("target", "value")

    def __init__(self, target: ast.expr, value: ast.expr) -> None:
        super().__init__()
        self.target, self.value = target, value


class Step(ast.expr):
    """``target op= value`` as an expression; *after*: it is worth what was there before."""

    _fields = ("target", "op", "value")
    after = False

    def __init__(self, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        super().__init__()
        self.target, self.op, self.value = target, op, value


class Switch(ast.stmt):
    """Cases with their constants (None for the default); each body has those it falls into."""

    _fields = ("subject", "parts")

    def __init__(
        self, subject: ast.expr, cases: list[tuple[ast.expr | None, list[ast.stmt]]]
    ) -> None:
        super().__init__()
        self.subject, self.cases = subject, cases
        #: labels and statements, each once, for whoever walks over the tree
        parts = [label for label, _ in cases if label is not None]
        self.parts = list({id(x): x for x in (*parts, *(s for _, b in cases for s in b))}.values())


class Labeled(ast.stmt):
    """Statements before a label: a goto in them lands behind them."""

    _fields = ("name", "body")

    def __init__(self, name: str, body: list[ast.stmt]) -> None:
        super().__init__()
        self.name, self.body = name, body


class Goto(ast.stmt):
    """A jump forward."""

    _fields = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class Block(ast.stmt):
    """Statements with variables of their own, which end where the block is left."""

    _fields = ("body",)

    def __init__(self, body: list[ast.stmt]) -> None:
        super().__init__()
        self.body = body


class Closure(ast.expr):
    """A lambda expression of C++; *kept* is what it has of its own, *copies*: all that it names."""

    _fields = ("function", "kept")

    def __init__(self, function: ast.FunctionDef, kept: list[ast.keyword], copies: bool) -> None:
        super().__init__()
        self.function, self.kept, self.copies = function, kept, copies


class Instance(ast.expr):
    """A template with what stands in its angle brackets."""

    _fields = ("what", "given")

    def __init__(self, what: ast.expr, given: list[ast.expr]) -> None:
        super().__init__()
        self.what, self.given = what, given


def kids(node: Node) -> list[Node]:
    """The named nodes below *node*, comments left out."""
    return [x for x in node.named_children if x.type != "comment"]


def arguments(parameters: list[ast.arg]) -> ast.arguments:
    defaults: list[ast.expr] = []
    for one in reversed(parameters):
        default = getattr(one, "default", None)
        if default is None:
            break
        defaults.insert(0, default)
    return ast.arguments([], parameters, None, [], [], None, defaults)


def declares(nodes: Iterable[ast.stmt]) -> bool:
    """Whether some of these statements declare a variable."""
    return any(getattr(n, "declares", False) for n in nodes)


def within(node: Node, kinds: tuple[str, ...]) -> Iterable[Node]:
    todo = [node]
    while todo:
        one = todo.pop()
        if one.type in kinds:
            yield one
        todo.extend(reversed(kids(one)))
