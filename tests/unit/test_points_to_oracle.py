"""Points-to sets against a transitive closure that goes over everything until nothing changes."""

from __future__ import annotations

import random
from collections import defaultdict

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl, Facts, Variable
from lockorder.static.program.link import Program
from lockorder.static.program.pointsto import PointsTo
from small_programs import FILE

VARIABLES, LOCKS, FUNCTIONS = "abcdef", "LM", "pqrs"
PROGRAMS, STATEMENTS = 300, 5

Sets = dict[str, set[str]]


def some_functions(chance: random.Random) -> list[f.Function]:
    """Functions with a parameter each, which hand functions and locks about."""
    return [_some_function(chance, name) for name in FUNCTIONS]


def _some_function(chance: random.Random, name: str) -> f.Function:
    body: list[f.Stmt] = []
    calls = 0
    mine = [*VARIABLES, f"{name}.x"]

    def variable() -> f.Var:
        return f.Var(chance.choice(mine))

    def value() -> f.Value:
        kind = chance.randrange(6)
        if kind == 0:
            return f.Fn(chance.choice(FUNCTIONS))
        if kind == 1:
            return f.Var(chance.choice(LOCKS))
        if kind == 2 and calls:
            return f.Result(chance.randrange(calls))
        return variable()

    for line in range(1, STATEMENTS + 1):
        kind = chance.randrange(5)
        if kind < 2:
            body.append(f.Assign(variable(), value(), line))
        elif kind == 2:
            body.append(f.Return(value(), line))
        else:
            target = f.Fn(chance.choice(FUNCTIONS)) if kind == 3 else variable()
            body.append(f.Call(calls, target, [value()], line))
            calls += 1
    return f.Function(name, name, "function", [f"{name}.x"], f.Block(body), FILE, 1)


def solved(functions: list[f.Function]) -> PointsTo:
    pointer = "void (*)(void *)"
    variables = [
        *(Variable(v, v, "global", pointer, "", FILE, 1, True) for v in VARIABLES),
        *(Variable(v, v, "global", "std::mutex", "", FILE, 1, True) for v in LOCKS),
        *(Variable(f"{v}.x", "x", "param", pointer, v) for v in FUNCTIONS),
    ]
    decls = [Decl(name, name, 1) for name in FUNCTIONS]
    facts = Facts(FILE, functions, [], variables, decls, [])
    return PointsTo(Program([facts]), builtin())


def closure(functions: list[f.Function]) -> Sets:
    """What each variable can be, read off the statements alone."""
    sets: Sets = defaultdict(set)
    before = -1
    while before != sum(map(len, sets.values())):
        before = sum(map(len, sets.values()))
        for function in functions:
            for statement in function.body.body:
                _once(sets, function.usr, statement)
    return sets


def _once(sets: Sets, here: str, statement: f.Stmt) -> None:
    if isinstance(statement, f.Assign):
        assert isinstance(statement.target, f.Var)
        sets[statement.target.usr] |= _of(sets, here, statement.value)
    elif isinstance(statement, f.Return):
        sets[f"what {here} returns"] |= _of(sets, here, statement.value)
    elif isinstance(statement, f.Call):
        for callee in _of(sets, here, statement.target) & set(FUNCTIONS):
            sets[f"{callee}.x"] |= _of(sets, here, statement.args[0])
            sets[f"{here} {statement.id}"] |= sets[f"what {callee} returns"]


def _of(sets: Sets, here: str, value: f.Value | None) -> set[str]:
    if isinstance(value, f.Fn):
        return {value.usr}
    if isinstance(value, f.Result):
        return set(sets[f"{here} {value.call}"])
    assert isinstance(value, f.Var)
    return {value.usr} if value.usr in LOCKS else set(sets[value.usr])


def test_closure() -> None:
    chance, through_pointers = random.Random(17), 0
    for _ in range(PROGRAMS):
        functions = some_functions(chance)
        found, plain = solved(functions), closure(functions)
        for name in (*VARIABLES, *(f"{n}.x" for n in FUNCTIONS)):
            tokens = {*found.functions(name), *found.locks(name)}
            assert tokens == plain[name], (name, functions)
            through_pointers += len(tokens) > 1
    assert through_pointers > PROGRAMS
