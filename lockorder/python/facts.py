"""All facts of a Python program, one unit for each file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lockorder import bounds
from lockorder.knowledge import Knowledge
from lockorder.model import Cut
from lockorder.python import library
from lockorder.python.emit import Emitter
from lockorder.python.infer import Types, Unit
from lockorder.python.modules import Program, Source
from lockorder.python.scopes import Class, Function, Names, Scope
from lockorder.python.tables import Tables, module_key
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
    if not any(_makes_locks(s, known) for s in sources):
        return []
    names = Names(program)
    files = _of_interest(names, known)
    types = Types(names, known, _named(knowledge), files)
    tables = Tables(names, types, knowledge)
    units = [_of_file(tables, s) for s in sources if s.file in files]
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


def _of_interest(names: Names, known: library.Library) -> frozenset[str]:
    """Files from which something leads to a lock: those that make one, what imports these, and
    what these import."""
    imports = {
        scope.source.file: {f for f, _ in scope.every_import if f}
        for scope in names.modules.values()
    }
    importers: dict[str, set[str]] = {}
    for file, others in imports.items():
        for other in others:
            importers.setdefault(other, set()).add(file)
    seeds = {s.source.file for s in names.modules.values() if _makes_locks(s.source, known)}
    return frozenset(_reached(seeds, imports) | _reached(seeds, importers))


def _reached(begin: set[str], ways: dict[str, set[str]]) -> set[str]:
    found, todo = set(begin), list(begin)
    while todo:
        fresh = ways.get(todo.pop(), set()) - found
        found |= fresh
        todo.extend(fresh)
    return found


def _named(knowledge: Knowledge) -> set[str]:
    """Functions of Python's library of which the analysis knows what they do."""
    tables = (
        knowledge.blocks, knowledge.waits, knowledge.notifies, knowledge.registers,
        knowledge.starters,
    )  # fmt: skip
    names = {name.replace("::", ".") for table in tables for name in table}
    locks = {name.replace("::", ".") for name in knowledge.locks}
    return names | {f"{n}.{method}" for n in locks for method in ("acquire", "release")}


def _of_file(tables: Tables, source: Source) -> Facts:
    scope = tables.names.modules[source.file]
    before = set(tables.variables), set(tables.decls), len(tables.lambdas)
    functions: list[f.Function] = []
    counted = FileFacts(source.file)
    own = [x for x in tables.names.functions.values() if x.source is source]
    for function in own:
        functions.append(_function(tables, function, counted))
    functions += _module(tables, scope, counted)
    functions += tables.lambdas[before[2] :]
    classes = [_class(tables, c) for c in tables.names.classes.values() if c.source is source]
    counted.extents = sorted(_extents(source.tree))
    counted.locks = len(counted.extents)
    variables = [v for usr, v in tables.variables.items() if usr not in before[0]]
    decls = [d for usr, d in tables.decls.items() if usr not in before[1]]
    return Facts(source.file, functions, classes, variables, decls, [counted])


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
    body = emitter.block(function.body, end)
    counted.calls += emitter.all
    counted.calls_seen += emitter.seen
    kind = "function"
    cls = ""
    name = function.name
    if function.parent is not None or isinstance(function.node, ast.Lambda):
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


def _module(tables: Tables, scope: Scope, counted: FileFacts) -> list[f.Function]:
    """What a file does where it is imported, and where it is run as the program."""
    unit = Unit(scope, scope.source.tree.body)
    statements = list(scope.source.tree.body)
    guards = [s for s in statements if isinstance(s, ast.If) and _is_main(s)]
    emitter = Emitter(tables, unit, None)
    body = emitter.block([s for s in statements if s not in guards])
    counted.calls += emitter.all
    counted.calls_seen += emitter.seen
    key = module_key(scope)
    file = scope.source.file
    found: list[f.Function] = []
    runs = bool(guards) or _does_something(statements)
    if guards:
        inner = Emitter(tables, unit, None)
        inner.temporary = emitter.temporary
        inner.calls, inner.makes = emitter.calls, emitter.makes
        block = inner.block([s for g in guards for s in g.body])
        counted.calls += inner.all
        counted.calls_seen += inner.seen
        body = f.Block([*body.body, *block.body])
    name = "main" if runs else f"{scope.name}.(module)"
    tables.decls[key] = Decl(key, name)
    found.append(f.Function(key, name, "function", [], body, file, 1))
    return found


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
