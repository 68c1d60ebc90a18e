"""Which Python lock a frame has, or asks for, by the source that it is in.

A ``threading.Lock`` does not know its owner.  But a frame that is inside of ``with lock:`` has it,
and the line that it is at is in its stack: the text around that line says which one, by name.
Names are the same thing in one module's globals, or on one object, only; so what follows from them
is likely, and not certain.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lockorder.model import Frame

_MOST = 1 << 22  # bytes of a source that is read


class Named(NamedTuple):
    """A lock by its *name* as it is written in the source *file*; *at* is where it was taken.

    *frame* is of the function that took it, or asks for it.  *by_with*: at its end that gives it
    back itself.  *alone*: no other lock is asked for at the same line.
    """

    file: str
    name: str
    at: Frame
    frame: Frame
    by_with: bool = True
    alone: bool = True

    @property
    def is_plain(self) -> bool:
        """A variable, or an attribute of one: the same name is not the next of a list."""
        return all(part.isidentifier() for part in self.name.split("."))


def held(chain: Sequence[Frame]) -> Iterator[Named]:
    """Locks that the frames of a stack are inside of the ``with`` statements of."""
    frames = [frame for frame in chain if frame.file.endswith(".py")]
    for number, frame in enumerate(frames):
        around = list(_around(frame))
        # Waiting for a condition gives its lock back meanwhile.
        if any(_is_condition(called) for called in frames[number + 1 : number + 2]):
            around = around[:-1]
        for statement, item in around:
            # At the statement's own line it is being asked for, or given back.
            if frame.line > statement.lineno:
                place = Frame(frame.function, frame.file, statement.lineno)
                yield Named(frame.file, item, place, frame)
        for name, line in _kept(frame).items():
            place = Frame(frame.function, frame.file, line)
            yield Named(frame.file, name, place, frame, by_with=False)


def _kept(frame: Frame) -> dict[str, int]:
    """What the frame's function has acquired above its line, and not released since: by the text.

    Only calls that wait for ever count; what a function hands to others it may release elsewhere.
    """
    kept: dict[str, int] = {}
    if frame.file.endswith("/threading.py"):  # what waits are made of, and no lock of the program's
        return kept
    for call in _calls(frame.file):
        ours = call.function == frame.function.rpartition(".")[2]
        if not ours or not call.first <= frame.line <= call.last or call.end >= frame.line:
            continue
        if call.acquires:
            kept[call.name] = call.end
        else:
            kept.pop(call.name, None)
    return kept


def _is_condition(frame: Frame) -> bool:
    name = frame.function.rpartition(".")[2]
    return frame.file.endswith("/threading.py") and name in ("wait", "wait_for")


def wanted(chain: Sequence[Frame]) -> Named | None:
    """The lock that the innermost Python frame asks for: ``with lock:`` or ``lock.acquire()``."""
    for frame in reversed(chain):
        if not frame.file.endswith(".py"):
            continue
        for statement, item in _around(frame):
            if frame.line == statement.lineno:
                return Named(frame.file, item, frame, frame, alone=len(statement.items) == 1)
        for name in _acquired(frame):
            return Named(frame.file, name, frame, frame)
        return None
    return None


def _around(frame: Frame) -> Iterator[tuple[ast.With | ast.AsyncWith, str]]:
    """``with`` statements of the frame's function around its line, outermost first."""
    if not frame.file.endswith(".py") or frame.line <= 0:
        return
    for statement, function, first, last in _statements(frame.file):
        inside = statement.lineno <= frame.line <= (statement.end_lineno or statement.lineno)
        if inside and function == frame.function.rpartition(".")[2] and first <= frame.line <= last:
            for item in statement.items:
                yield statement, ast.unparse(item.context_expr)


def _acquired(frame: Frame) -> Iterator[str]:
    tree = tree_of(frame.file)
    for node in ast.walk(tree) if tree is not None else ():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "acquire"
            and node.lineno <= frame.line <= (node.end_lineno or node.lineno)
        ):
            yield ast.unparse(node.func.value)


def calls_in(frame: Frame, wanted: Callable[[str], bool]) -> list[tuple[str, int]]:
    """The calls of names that are *wanted* in a frame's function, with their lines."""
    tree = tree_of(frame.file)
    name, found = frame.function.rpartition(".")[2], []
    for node in ast.walk(tree) if tree is not None else ():
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
        if not (inside or (name == "<module>" and isinstance(node, ast.Module))):
            continue
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                called = call.func.attr if isinstance(call.func, ast.Attribute) else ""
                called = call.func.id if isinstance(call.func, ast.Name) else called
                if wanted(called):
                    found.append((called, call.lineno))
    return sorted(set(found), key=lambda c: c[1])


def last_call(frame: Frame, wanted: Callable[[str], bool]) -> tuple[str, int]:
    """The last call above a frame's line, in its function, of a name that is *wanted*: its line.

    ("", 0) where the source shows none.
    """
    above = [call for call in calls_in(frame, wanted) if call[1] <= frame.line]
    return above[-1] if above else ("", 0)


class _Statement(NamedTuple):
    statement: ast.With | ast.AsyncWith
    function: str
    first: int
    last: int


@functools.lru_cache(maxsize=256)
def _statements(file: str) -> tuple[_Statement, ...]:
    """All ``with`` statements of a source, with the function that each is in."""
    tree = tree_of(file)
    if tree is None:
        return ()
    found: list[_Statement] = []

    def walk(node: ast.AST, function: str, first: int, last: int) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                walk(child, child.name, child.lineno, child.end_lineno or child.lineno)
                continue
            if isinstance(child, ast.With | ast.AsyncWith):
                found.append(_Statement(child, function, first, last))
            walk(child, function, first, last)

    walk(tree, "<module>", 0, 1 << 30)
    return tuple(found)


class _Call(NamedTuple):
    """``name.acquire()`` or ``name.release()``, which ends at line *end* of its *function*."""

    end: int
    name: str
    acquires: bool
    function: str
    first: int
    last: int


@functools.lru_cache(maxsize=256)
def _calls(file: str) -> tuple[_Call, ...]:
    """Calls of a source that acquire or release, from top to bottom."""
    tree = tree_of(file)
    if tree is None:
        return ()
    found: list[_Call] = []

    def walk(node: ast.AST, function: str, first: int, last: int) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                walk(child, child.name, child.lineno, child.end_lineno or child.lineno)
                continue
            # With arguments it may come back without the lock.
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
                plain = not child.args and not child.keywords
                if plain and child.func.attr in ("acquire", "release"):
                    name = ast.unparse(child.func.value)
                    end = child.end_lineno or child.lineno
                    acquires = child.func.attr == "acquire"
                    found.append(_Call(end, name, acquires, function, first, last))
            walk(child, function, first, last)

    walk(tree, "<module>", 0, 1 << 30)
    return tuple(sorted(found))


def is_handed_over(held: Named) -> bool:
    """Whether others may give back what a function has acquired: a lock can be a signal.

    Somebody else in this source releases something, or the function passes the lock on.
    """
    tree = tree_of(held.file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Attribute) and node.attr == "release":
            if not _is_called_in(held, node):
                return True
        elif isinstance(node, ast.Call) and _is_in(held, node):
            passed = [*node.args, *(keyword.value for keyword in node.keywords)]
            if any(_names(argument, held.name) for argument in passed):
                return True
    return False


def _is_in(held: Named, node: ast.expr) -> bool:
    name, line = held.frame.function.rpartition(".")[2], held.frame.line
    return any(
        call.function == name and call.first <= line <= call.last
        for call in _calls(held.file)
        if call.first <= node.lineno <= call.last
    )


def _is_called_in(held: Named, release: ast.Attribute) -> bool:
    """Whether it is a plain call, by the function that acquired."""
    name, line = held.frame.function.rpartition(".")[2], held.frame.line
    return any(
        not call.acquires
        and call.end == release.end_lineno
        and call.name == ast.unparse(release.value)
        and call.function == name
        and call.first <= line <= call.last
        for call in _calls(held.file)
    )


def _names(tree: ast.expr, name: str) -> bool:
    return any(
        isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == name
        for node in ast.walk(tree)
    )


@functools.lru_cache(maxsize=256)
def tree_of(file: str) -> ast.Module | None:
    path = Path(file)
    try:
        if path.stat().st_size > _MOST:
            return None
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
