"""What lambdas own: objects that they captured by value, and where such a closure is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program


class Closures:
    """The lambdas of a program that own something, and the variables that they may be in."""

    def __init__(
        self, program: Program, knowledge: Knowledge, stored: Callable[[str], Sequence[str]]
    ) -> None:
        """*stored*: the functions that a variable can stand for."""
        self._program = program
        owning = [u for u in program.functions.values() if u.captures]
        self._captures = {u.usr: self._typed(u) for u in owning}
        self._homes: list[tuple[str, tuple[str, ...]]] = []
        if any(self._captures.values()):
            self._find_homes(knowledge, stored)
        #: Captures of closures that leave the function which makes them.
        self._handed_on = self._find_handed_on({u.parent for u in owning})

    def captures(self, closure: str) -> tuple[tuple[str, str], ...]:
        """Variables that a lambda has by value, and their types."""
        return self._captures.get(closure, ())

    def kept_as(self, spelling: str) -> list[str]:
        """Lambdas that own something and may be kept in an object of type *spelling*."""
        found = (c for types, closures in self._homes if spelling in types for c in closures)
        return list(dict.fromkeys(found))

    def is_handed_on(self, usr: str) -> bool:
        """Whether a captured variable goes with its closure to where nobody here follows it."""
        return usr in self._handed_on

    def _typed(self, function: f.Function) -> tuple[tuple[str, str], ...]:
        types = ((u, self._program.plain(self._program.type_of(u))) for u in function.captures)
        return tuple((u, t) for u, t in types if t and not t.endswith(("*", "&")))

    def _find_homes(self, knowledge: Knowledge, stored: Callable[[str], Sequence[str]]) -> None:
        names = tuple(n for n, owner in knowledge.owners.items() if owner.callable)
        for usr, variable in self._program.variables.items():
            if any(n in variable.type for n in names):
                closures = tuple(c for c in stored(usr) if self._captures.get(c))
                if closures:
                    self._homes.append((variable.type, closures))

    def _find_handed_on(self, makers: set[str]) -> frozenset[str]:
        found: set[str] = set()
        for usr in sorted(makers):
            maker = self._program.functions.get(usr)
            if maker is None:
                continue
            local: dict[str, str] = {}
            away: set[str] = set()
            for statement in f.walk(maker.body):
                if isinstance(statement, f.Local) and isinstance(statement.value, f.Closure):
                    local[statement.usr] = statement.value.usr
                    continue
                for value in self._handed(statement):
                    away.update(_named(value))
            closures = {c for v, c in local.items() if v in away} | away
            for closure in closures & self._captures.keys():
                found.update(u for u, _ in self._captures[closure])
        return frozenset(found)

    def _handed(self, statement: f.Stmt) -> Iterator[f.Value]:
        """Values that a statement uses, but for what it only calls."""
        if isinstance(statement, f.Call):
            yield from statement.args
            target = statement.target
            called = isinstance(target, f.Fn) and self._program.called(statement).endswith(
                "operator()"
            )
            if isinstance(target, (f.Fn, f.Name)) and target.base is not None and not called:
                yield target.base
        elif isinstance(statement, f.Make):
            yield from statement.args
        elif isinstance(statement, (f.Local, f.Return)):
            if statement.value is not None:
                yield statement.value
        elif isinstance(statement, f.Assign):
            yield statement.value


def _named(value: f.Value) -> Iterator[str]:
    """Variables and lambdas among the parts of a value."""
    if isinstance(value, (f.Var, f.Closure)):
        yield value.usr
    elif isinstance(value, f.AnyOf):
        for each in value.values:
            yield from _named(each)
