"""Calls and assignments as they are written: which argument is for which parameter."""

from __future__ import annotations

import ast

from lockorder.python.scopes import Class, Function


def field_names(cls: Class) -> list[str]:
    """Fields of a dataclass in the order in which its ``__init__`` takes them."""
    found: list[str] = []
    for each in reversed(cls.lineage):
        for node in each.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.append(node.target.id)
    return list(dict.fromkeys(found))


def paired(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    """``a, b = x, y`` as two assignments; None for all others."""
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(value, ast.Tuple | ast.List):
        return None
    if len(target.elts) != len(value.elts):
        return None
    if any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts)):
        return None
    return list(zip(target.elts, value.elts, strict=True))


def given_in(node: ast.Call) -> list[ast.expr]:
    """All arguments of a call, those with a name last."""
    return [*node.args, *(k.value for k in node.keywords)]


def argument(node: ast.Call, name: str, number: int | None) -> ast.expr | None:
    """An argument by its name, or by its number."""
    for each in node.keywords:
        if each.arg == name:
            return each.value
    if number is not None and number < len(node.args):
        return node.args[number]
    return None


def matched(
    function: Function, node: ast.Call, skip: int = 0, after: int = 0
) -> list[tuple[str, ast.expr]]:
    """Parameters of a function with the arguments that a call gives for them.

    *skip* arguments are not for parameters (the object of a method that is called by its class),
    *after* parameters have theirs already.
    """
    args = function.node.args
    given = [a.arg for a in (*args.posonlyargs, *args.args)]
    if function.cls is not None and not function.is_static:
        given = given[1:]
    found: list[tuple[str, ast.expr]] = []
    for parameter, value in zip(given[after:], node.args[skip:], strict=False):
        if isinstance(value, ast.Starred):
            break
        found.append((parameter, value))
    names = {*given, *(a.arg for a in args.kwonlyargs)}
    found += [(k.arg, k.value) for k in node.keywords if k.arg in names]
    return found
