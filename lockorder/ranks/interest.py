"""What of a program is looked at: functions in which ranks may do something, and entries."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from lockorder.python.modules import Program, Source
from lockorder.ranks.knowledge import Known


class Entry(msgspec.Struct, frozen=True, eq=False):
    """Where a rank begins: a file that is run, or a function that nobody here calls."""

    source: Source
    path: tuple[ast.AST, ...] = ()

    @property
    def name(self) -> str:
        names = [getattr(n, "name", "") for n in self.path]
        return ".".join([self.source.name, *names])

    @property
    def is_program(self) -> bool:
        return not self.path


class Interest(msgspec.Struct, eq=False):
    """What is looked at in a program: functions by the number of their node, and entries.

    *followed*: those of which calls are followed.
    """

    functions: dict[int, tuple[Source, tuple[ast.AST, ...]]]
    followed: set[int]
    first: list[Entry]
    later: list[Entry]


def interest_of(program: Program, known: Known) -> Interest:
    """What is of interest in a program."""
    functions = relevant(program, known)
    followed = set(functions) | set(_telling(program, known)) | _mains(program)
    return Interest(functions, followed, *_entries(program, functions, known))


def _mains(program: Program) -> set[int]:
    """What programs of C begin with: whatever stands there, ranks go through it."""
    return {
        id(node)
        for source in program.sources
        if source.c
        for path, node in _definitions(source)
        if len(path) == 1 and getattr(node, "name", "") == "main"
    }


def _definitions(source: Source) -> Iterator[tuple[tuple[ast.AST, ...], ast.AST]]:
    todo: list[tuple[tuple[ast.AST, ...], ast.AST]] = [((), n) for n in source.tree.body]
    while todo:
        around, node = todo.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (*around, node), node
        elif isinstance(node, ast.ClassDef):
            todo += [((*around, node), n) for n in node.body]
        elif isinstance(node, ast.If | ast.Try):
            todo += [(around, n) for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]


def _words(node: ast.AST, source: Source) -> set[str]:
    """The words in a part of a source; of what it has imported under another name, its own too."""
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute):
            found.add(inner.attr)
        elif isinstance(inner, ast.Name):
            found.add(inner.id)
    return found | {source.renamed[w] for w in found & source.renamed.keys()}


def relevant(program: Program, known: Known) -> dict[int, tuple[Source, tuple[ast.AST, ...]]]:
    """Functions in which a rank may do something with others, directly or by a call."""
    words: dict[int, set[str]] = {}
    where: dict[int, tuple[Source, tuple[ast.AST, ...]]] = {}
    names: dict[str, set[int]] = {}
    for source in program.sources:
        for path, node in _definitions(source):
            if source.c and not path[:-1] and node.name == "main":  # type: ignore[attr-defined]
                continue
            words[id(node)] = _words(node, source)
            where[id(node)] = source, path
            names.setdefault(node.name, set()).add(id(node))  # type: ignore[attr-defined]
            for outer in _homes(path):
                names.setdefault(outer, set()).add(id(node))
    users: dict[str, set[int]] = {}
    for number, used in words.items():
        for word in used:
            users.setdefault(word, set()).add(number)
    holders = _holders(program)
    found: set[int] = set()
    todo = [
        n
        for word, roots in known.roots.items()
        for n in users.get(word, ())
        if _may_mean(word, roots, where[n][0])
    ]
    if any(source.words & known.models for source in program.sources):
        todo += users.get("backward", ())  # of such a model it is a collective
    while todo:
        number = todo.pop()
        if number in found:
            continue
        found.add(number)
        source, path = where[number]
        todo += users.get(path[-1].name, ())  # type: ignore[attr-defined]
        classes = _homes(path)
        asked = set(classes)
        while classes:
            name = classes.pop()
            todo += users.get(name, ())
            more = holders.get(name, set()) - asked
            asked |= more
            classes += more
    return {n: where[n] for n in found}


#: Methods that are called where the name of their class stands.
_UNNAMED = ("__init__", "__call__", "forward", "__enter__")


def _homes(path: tuple[ast.AST, ...]) -> list[str]:
    """The classes around a function that is called where such a class is named."""
    name: str = path[-1].name  # type: ignore[attr-defined]
    if name not in _UNNAMED and not name.startswith("~"):
        return []
    return [p.name for p in path[:-1]]  # type: ignore[attr-defined]


def _holders(program: Program) -> dict[str, set[str]]:
    """By class of C++: the classes that have one as a part or a base, and begin and end it."""
    found: dict[str, set[str]] = {}
    todo: list[ast.AST] = [n for s in program.sources if s.c for n in s.tree.body]
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.ClassDef):
            continue
        todo += node.body
        parts = [b.id for b in node.bases if isinstance(b, ast.Name)]
        parts += [getattr(n, "holds", ("", ""))[1] for n in node.body]
        for part in parts:
            if part:
                found.setdefault(part.rpartition("::")[2], set()).add(node.name)
    return found


def _may_mean(word: str, roots: set[str], source: Source) -> bool:
    """Whether a word in a file may be a library's; a usual one only where that is imported."""
    if source.c or "_" in word or not word.islower():
        return True
    return bool(roots & source.imports)


def _telling(program: Program, known: Known) -> dict[int, tuple[Source, tuple[ast.AST, ...]]]:
    """Functions that may tell what ranks do not share, directly or by a call."""
    users: dict[str, set[int]] = {}
    where: dict[int, tuple[Source, tuple[ast.AST, ...]]] = {}
    for source in program.sources:
        for path, node in _definitions(source):
            where[id(node)] = source, path
            for word in _words(node, source):
                users.setdefault(word, set()).add(id(node))
    found: set[int] = set()
    todo = [n for word in known.telling for n in users.get(word, ())]
    while todo:
        number = todo.pop()
        if number in found:
            continue
        found.add(number)
        path = where[number][1]
        for name in (path[-1].name, *_homes(path)):  # type: ignore[attr-defined]
            todo += users.get(name, ())
    return {n: where[n] for n in found}


def _entries(
    program: Program, interesting: dict[int, tuple[Source, tuple[ast.AST, ...]]], known: Known
) -> tuple[list[Entry], list[Entry]]:
    """Programs and functions that nobody calls; and functions that somebody does."""
    programs: list[Entry] = []
    called: set[str] = set()
    for source, path in interesting.values():
        called |= _words(path[-1], source) - {path[-1].name}  # type: ignore[attr-defined]
    for source in program.sources:
        for node in source.tree.body:
            main = source.c and getattr(node, "name", "") == "main"
            if main or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                called |= _words(node, source)
    names = {path[-1].name for _, path in interesting.values()}  # type: ignore[attr-defined]
    names |= {p.name for _, path in interesting.values() for p in path[:-1]}  # type: ignore[attr-defined]
    for source in program.sources:
        if not _is_program(source):
            continue
        if source.words & names or any(
            _may_mean(w, known.roots[w], source) for w in source.words & known.words
        ):
            programs.append(Entry(source))
    ordered = sorted(
        interesting.values(), key=lambda x: (x[0].file, getattr(x[1][-1], "lineno", 0))
    )
    first = [x for x in ordered if x[1][-1].name not in called]  # type: ignore[attr-defined]
    later = [x for x in ordered if x[1][-1].name in called]  # type: ignore[attr-defined]
    return [*programs, *(Entry(s, p) for s, p in first)], [Entry(s, p) for s, p in later]


def _is_program(source: Source) -> bool:
    """Whether a file does something when it is run."""
    if source.c:
        return any(isinstance(n, ast.FunctionDef) and n.name == "main" for n in source.tree.body)
    for node in source.tree.body:
        if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try):
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return True
    return False
