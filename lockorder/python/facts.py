"""All facts of a Python program, one unit for each file."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice

from lockorder import bounds
from lockorder.knowledge import Knowledge
from lockorder.model import Cut
from lockorder.python import library
from lockorder.python.emit import Emitter
from lockorder.python.infer import Types
from lockorder.python.keys import Unit
from lockorder.python.modules import Program, Source
from lockorder.python.scopes import Class, Function, Names, Scope
from lockorder.python.tables import Tables, known_names, module_key
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Class as ClassFacts
from lockorder.static.parse.declarations import Decl, Facts, FileFacts, Variable

#: Parts of a key that ends in a name.
_NAMED = 3


def facts_of(program: Program, knowledge: Knowledge, cuts: list[Cut] | None = None) -> list[Facts]:
    """What the functions of all Python sources do; nothing where no lock can be in them.

    What was left out at a bound is added to *cuts*.
    """
    sources = [s for s in program.sources if not s.c]
    known = library.builtin()
    seeds = {s.file for s in sources if _makes_locks(s, known)}
    if not seeds:
        return []
    names = Names(program)
    files = _of_interest(names, seeds)
    types = Types(names, known, known_names(knowledge), files)
    tables = Tables(names, types, knowledge)
    functions: dict[str, list[Function]] = {}
    for function in names.functions.values():
        functions.setdefault(function.source.file, []).append(function)
    classes: dict[str, list[Class]] = {}
    for cls in names.classes.values():
        classes.setdefault(cls.source.file, []).append(cls)
    units = [
        _of_file(tables, s, functions.get(s.file, ()), classes.get(s.file, ()))
        for s in sources
        if s.file in files
    ]
    if types.too_many and cuts is not None:
        bound = bounds.PYTHON_KINDS
        named = tuple(sorted({str(key[-1]) for key in types.too_many if len(key) == _NAMED})[:5])
        count = len(types.too_many)
        cuts.append(Cut(bound.what, bound.limit, count, named, bound.only_hides))
    return units


def _makes_locks(source: Source, known: library.Library) -> bool:
    """Whether a file may make or take a lock of the library's, or something that waits."""
    return "acquire" in source.words or bool(
        source.imports & known.modules and source.words & known.words
    )


def _of_interest(names: Names, seeds: set[str]) -> frozenset[str]:
    """Files from which something leads to a lock: *seeds*, what imports these, and what these
    import."""
    imports = {
        scope.source.file: {f for f, _ in scope.every_import if f}
        for scope in names.modules.values()
    }
    importers: dict[str, set[str]] = {}
    for file, others in imports.items():
        for other in others:
            importers.setdefault(other, set()).add(file)
    return frozenset(_reached(seeds, imports) | _reached(seeds, importers))


def _reached(begin: set[str], ways: dict[str, set[str]]) -> set[str]:
    found, todo = set(begin), list(begin)
    while todo:
        fresh = ways.get(todo.pop(), set()) - found
        found |= fresh
        todo.extend(fresh)
    return found


def _of_file(
    tables: Tables, source: Source, own: Sequence[Function], classes: Sequence[Class]
) -> Facts:
    """The facts of one file, with what nobody has declared before."""
    before = len(tables.variables), len(tables.decls), len(tables.lambdas)
    counted = FileFacts(source.file)
    functions = [_function(tables, function, counted) for function in own]
    functions.append(_module(tables, tables.names.modules[source.file], counted))
    functions += tables.lambdas[before[2] :]
    known = [_class(tables, c) for c in classes]
    counted.extents = sorted(_extents(source.tree))
    counted.locks = len(counted.extents)
    variables = list(islice(tables.variables.values(), before[0], None))
    decls = list(islice(tables.decls.values(), before[1], None))
    return Facts(source.file, functions, known, variables, decls, [counted])


def _extents(tree: ast.AST) -> Iterator[tuple[int, int, int, int]]:
    """Where a lock seems to be taken: ``x.acquire(...)``, and ``with x`` of what is no call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr == "acquire":
                yield _extent(node)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                if isinstance(item.context_expr, ast.Name | ast.Attribute | ast.Subscript):
                    yield _extent(item.context_expr)


def _extent(node: ast.expr) -> tuple[int, int, int, int]:
    end = node.end_lineno or node.lineno
    return node.lineno, node.col_offset, end, (node.end_col_offset or node.col_offset) + 1


def _function(tables: Tables, function: Function, counted: FileFacts) -> f.Function:
    unit = Unit(function.scope, function.body, function)
    emitter = Emitter(tables, unit, function)
    params = [tables.variable(unit, p.arg) for p in function.parameters]
    if function.is_context:
        emitter.hook = f"{function.usr}@(yield)"
        params.append(emitter.hook)
        tables.variables[emitter.hook] = _hook(function, emitter.hook)
    end = getattr(function.node, "end_lineno", 0) or 0
    body = emitter.whole(function.body, end)
    counted.calls += emitter.all
    counted.calls_seen += emitter.seen
    kind = "function"
    cls = ""
    name = function.name
    if function.is_inner:
        kind = "lambda"
    elif function.cls is not None:
        kind = "method"
        cls = function.cls.name
        name = f"{cls}::{function.short}"
        if function.is_wrapped:
            name = f"{cls}::{function.short}.(wrapped)"
        elif function.short == "__init__":
            kind = "constructor"
    overrides = _overrides(function)
    static = function.cls is not None and not function.has_self
    parent = function.parent.usr if function.parent is not None else ""
    if kind == "lambda" and not parent:
        parent = module_key(function.scope.module)
    tables.decls[function.usr] = Decl(
        function.usr, name, len(params), cls,
        virtual=tables.is_overridden(function) or bool(overrides), required=0, static=static,
    )  # fmt: skip
    return f.Function(
        function.usr, name, kind, params, body, function.source.file, function.node.lineno,
        end, cls, parent, overrides, static,
    )  # fmt: skip


def _hook(function: Function, usr: str) -> Variable:
    """What a ``yield`` calls: the block of whoever has entered the generator."""
    file, line = function.source.file, function.node.lineno
    return Variable(usr, "(yield)", "param", "", function.usr, file, line)


def _overrides(function: Function) -> list[str]:
    if function.cls is None:
        return []
    for base in function.cls.lineage[1:]:
        if function.short in base.methods:
            return [base.methods[function.short].usr]
    return []


def _module(tables: Tables, scope: Scope, counted: FileFacts) -> f.Function:
    """What a file does where it is imported, and then where it is run as the program."""
    statements: list[ast.stmt] = scope.source.tree.body
    guards = [s for s in statements if isinstance(s, ast.If) and _is_main(s)]
    plain = [s for s in statements if s not in guards]
    emitter = Emitter(tables, Unit(scope, statements), None)
    body = emitter.block([*plain, *(s for g in guards for s in g.body)])
    counted.calls += emitter.all
    counted.calls_seen += emitter.seen
    key = module_key(scope)
    runs = bool(guards) or _does_something(statements)
    name = "main" if runs else f"{scope.name}.(module)"
    tables.decls[key] = Decl(key, name)
    return f.Function(key, name, "function", [], body, scope.source.file, 1)


def _is_main(node: ast.If) -> bool:
    """``if __name__ == "__main__":``."""
    return isinstance(node.test, ast.Compare) and any(
        isinstance(n, ast.Name) and n.id == "__name__"
        for n in (node.test.left, *node.test.comparators)
    )


def _does_something(body: list[ast.stmt]) -> bool:
    """Whether a file calls anything where it is run."""
    return any(
        (isinstance(s, ast.Expr) and isinstance(s.value, ast.Call | ast.Await))
        or isinstance(s, ast.For | ast.While | ast.With)
        for s in body
    )


def _class(tables: Tables, cls: Class) -> ClassFacts:
    begin = cls.methods.get("__init__")
    return ClassFacts(
        f"py:{cls.source.file}:{cls.node.lineno}:{cls.name}", cls.name,
        [b.name for b in cls.bases], tables.fields.get(cls.name, []), "", cls.source.file,
        cls.node.lineno, [begin.usr] if begin is not None else [],
        methods=[m.usr for m in cls.methods.values()],
    )  # fmt: skip
