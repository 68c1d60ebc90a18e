"""Programs of a few functions over global mutexes, as facts, and a plain reading of what they do.

A body is a tuple of statements: ``("hold", lock, body)`` takes a lock for a block by a guard,
``("manual", lock, body)`` with lock() and unlock(), ``("call", function)``, ``("either", body,
body)``, ``("loop", body)`` and ``("return",)``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lockorder.knowledge import builtin
from lockorder.static.interp.engine import Engine, run
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl, Facts, Variable
from lockorder.static.program.link import Program

Body = tuple[Any, ...]
Functions = Mapping[str, Body]

LOCK, UNLOCK = "c:@N@std@S@mutex@F@lock#", "c:@N@std@S@mutex@F@unlock#"
GUARD = "c:@N@std@ST>1#T@lock_guard@F@lock_guard#&t0.0#"
FILE = "/small/program.cpp"


def function_usr(name: str) -> str:
    """The key of function *name*."""
    return f"c:@F@{name}#"


def lock_usr(name: str) -> str:
    """The key of the mutex *name*."""
    return f"c:@{name}"


class _Writer:
    def __init__(self, function: str) -> None:
        self.function = function
        self.number = 0
        self.line = 0

    def block(self, body: Body) -> f.Block:
        return f.Block([s for statement in body for s in self.statement(statement)])

    def statement(self, statement: Body) -> list[f.Stmt]:
        self.line += 1
        kind, *rest = statement
        if kind == "call":
            return [self.call(f.Fn(function_usr(rest[0])))]
        if kind == "either":
            return [f.If(None, self.block(rest[0]), self.block(rest[1]))]
        if kind == "loop":
            return [f.Loop(f.Block([]), None, self.block(rest[0]), f.Block([]))]
        if kind == "return":
            return [f.Return(None, self.line)]
        lock, inside = f.Var(lock_usr(rest[0])), self.block(rest[1])
        if kind == "manual":
            begin, end = self.call(f.Fn(LOCK, lock)), self.call(f.Fn(UNLOCK, lock))
            return [begin, *inside.body, end]
        self.number += 1
        guard = f"c:{self.function}@guard{self.number}"
        made = f.Make(self.number, "std::lock_guard<std::mutex>", GUARD, [lock], self.line)
        local = f.Local(guard, f.Made(self.number), self.line)
        return [f.Block([made, local, *inside.body])]

    def call(self, target: f.Value) -> f.Call:
        self.number += 1
        return f.Call(self.number, target, [], self.line, self.number)


def unit(functions: Functions, locks: str) -> Facts:
    """The facts of one source with these functions and mutexes."""
    bodies, guards = [], list[Variable]()
    for name, body in functions.items():
        block = _Writer(name).block(body)
        bodies.append(f.Function(function_usr(name), name, "function", [], block, FILE, 1, 99))
        guards += [
            Variable(s.usr, "hold", "local", "std::lock_guard<std::mutex>", function_usr(name))
            for s in f.walk(block)
            if isinstance(s, f.Local)
        ]
    variables = [
        Variable(lock_usr(n), n, "global", "std::mutex", "", FILE, i, True)
        for i, n in enumerate(locks)
    ]
    decls = [
        Decl(LOCK, "std::mutex::lock", 0, "std::mutex"),
        Decl(UNLOCK, "std::mutex::unlock", 0, "std::mutex"),
        Decl(GUARD, "std::lock_guard::lock_guard", 1, "std::lock_guard"),
        *(Decl(function_usr(n), n) for n in functions),
    ]
    return Facts(FILE, bodies, [], [*variables, *guards], decls, [])


def analysed(functions: Functions, locks: str) -> Engine:
    """What the engine finds."""
    return run(Program([unit(functions, locks)]), builtin())


def orders_of(engine: Engine) -> set[tuple[str, str]]:
    """Pairs of names of locks: the second was taken under the first."""
    named = {known.id: known.name for known in engine.identities.locks.values()}
    return {(named[held], named[taken]) for held, taken in engine.found.orders}


def taken_again(engine: Engine) -> set[str]:
    """Names of locks that their holder takes again."""
    named = {known.id: known.name for known in engine.identities.locks.values()}
    return {named[lock] for lock, *_ in engine.found.self_locks}


# -- the plain reading ----------------------------------------------------------------------------

Held = tuple[str, ...]
#: How a statement can be left: what is held then, and whether by a return.
Left = tuple[Held, bool]


class Reading:
    """All paths through *functions*, calls followed to *depth*, loops for two rounds."""

    def __init__(self, functions: Functions, depth: int) -> None:
        self.functions = functions
        self.orders: set[tuple[str, str]] = set()
        self.again: set[str] = set()
        #: a path was not followed to its end
        self.cut = False
        self._known: dict[tuple[str, Held, int], set[Left]] = {}
        for name in functions:
            self.body(functions[name], (), depth)

    def body(self, body: Body, held: Held, depth: int) -> set[Left]:
        """How *body* can be left, entered with *held*."""
        ways: set[Left] = {(held, False)}
        for statement in body:
            left = {w for w in ways if w[1]}
            for now, returned in ways:
                if not returned:
                    left |= self.statement(statement, now, depth)
            ways = left
        return ways

    def statement(self, statement: Body, held: Held, depth: int) -> set[Left]:
        kind, *rest = statement
        if kind == "return":
            return {(held, True)}
        if kind == "call":
            if not depth:
                self.cut = True
                return set()
            key = (rest[0], held, depth)
            if key not in self._known:
                body = self.functions[rest[0]]
                self._known[key] = {(h, False) for h, _ in self.body(body, held, depth - 1)}
            return self._known[key]
        if kind == "either":
            return self.body(rest[0], held, depth) | self.body(rest[1], held, depth)
        if kind == "loop":
            return self.rounds(rest[0], held, depth)
        lock, inside = rest
        self.orders |= {(other, lock) for other in held if other != lock}
        if lock in held:
            self.again.add(lock)
        ways = self.body(inside, (*held, lock), depth)
        return {
            (now if returned and kind == "manual" else without(now, lock), returned)
            for now, returned in ways
        }

    def rounds(self, body: Body, held: Held, depth: int) -> set[Left]:
        ways: set[Left] = {(held, False)}
        for _ in range(2):
            for now, returned in list(ways):
                if not returned:
                    ways |= self.body(body, now, depth)
        return ways


def without(held: Held, lock: str) -> Held:
    """*held* after the innermost *lock* was given up."""
    if lock not in held:
        return held
    last = len(held) - 1 - held[::-1].index(lock)
    return held[:last] + held[last + 1 :]


def comes_back(functions: Functions) -> bool:
    """Whether every function has a path to its end that does not need a path that has none."""
    good: set[str] = set()
    while True:
        more = {n for n in functions if n not in good and _ends(functions[n], good)}
        if not more:
            return len(good) == len(functions)
        good |= more


def _ends(body: Body, good: set[str]) -> bool:
    for kind, *rest in body:
        if kind == "return":
            return True
        if kind == "call" and rest[0] not in good:
            return False
        if kind == "either" and not (_ends(rest[0], good) or _ends(rest[1], good)):
            return False
        if kind in ("hold", "manual") and not _ends(rest[1], good):
            return False
    return True


def some_program(
    chance: random.Random, functions: str, locks: str, kinds: Sequence[str]
) -> dict[str, Body]:
    """A program in which every function may call every other one, itself included."""
    return {name: _some_body(chance, functions, locks, kinds, 2) for name in functions}


def _some_body(
    chance: random.Random, functions: str, locks: str, kinds: Sequence[str], depth: int
) -> Body:
    body: list[Body] = []
    for _ in range(chance.randint(0 if depth < 2 else 1, 2)):
        kind = chance.choice(("call", *kinds))
        inside = [
            _some_body(chance, functions, locks, kinds, depth - 1) if depth else () for _ in "ab"
        ]
        if kind == "call":
            body.append((kind, chance.choice(functions)))
        elif kind in ("hold", "manual"):
            body.append((kind, chance.choice(locks), inside[0]))
        elif kind == "either":
            body.append((kind, *inside))
        elif kind == "loop":
            body.append((kind, inside[0]))
        elif chance.random() < 0.5:  # a return in the open leaves nothing to look at
            body.append((kind,))
    return tuple(body)


def calls_in(body: Body) -> Iterator[str]:
    """Functions that a body calls, as often as it does."""
    for kind, *rest in body:
        if kind == "call":
            yield rest[0]
        for part in rest:
            if isinstance(part, tuple):
                yield from calls_in(part)
