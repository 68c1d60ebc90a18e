"""What a function may have done before it makes a call, as its text shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.static.parse import facts as f

#: Line and column of a call.
Place = tuple[int, int]
#: A statement, the loops around it, and the blocks around it that leave the function.
Step = tuple[f.Stmt, tuple[int, ...], frozenset[int]]


class Earlier:
    """Answers by the texts of functions; each is gone through once."""

    def __init__(self) -> None:
        self._steps: dict[str, list[Step]] = {}

    def before(
        self, function: f.Function, place: Place, names: Sequence[f.Value], making: bool = False
    ) -> list[f.Stmt] | None:
        """Statements that may run before the call at *place*, since what has *names* was made.

        With *making*, what makes it as well.  None where no call stands there.
        """
        steps = self.flat(function)
        at = next((i for i, (s, *_) in enumerate(steps) if _stands_at(s, place)), None)
        if at is None:
            return None
        begun = next((i for i, (s, *_) in enumerate(steps) if _makes(s, names)), -1)
        around = steps[begun][1] if begun >= 0 else ()
        loops = {loop for loop in steps[at][1] if loop not in around}
        return [
            s
            for i, (s, inside, left) in enumerate(steps)
            if i != at
            and left <= steps[at][2]
            and (begun - making < i < at or not loops.isdisjoint(inside))
            and (making or not _makes(s, names))
        ]

    def flat(self, function: f.Function) -> list[Step]:
        """The statements of a function in order, with what is around each."""
        known = self._steps.get(function.usr)
        if known is None:
            known = self._steps[function.usr] = list(_flat(function.body, (), frozenset()))
        return known


def _flat(
    block: f.Block, loops: tuple[int, ...], left: frozenset[int], tried: bool = False
) -> Iterator[Step]:
    """Statements in order; what is *tried* may go on in a handler, wherever it is."""
    left = left | {id(block)} if not tried and _leaves(block) else left
    for statement in block.body:
        yield statement, loops, left
        inside = (*loops, id(statement)) if isinstance(statement, f.Loop) else loops
        for part in f.parts(statement):
            handled = isinstance(statement, f.Try) and part is statement.body
            yield from _flat(part, inside, left, tried or handled)


def _leaves(block: f.Block) -> bool:
    """Whether nothing goes on after a block: it returns or throws at its end, and jumps nowhere."""
    last = next((s for s in reversed(block.body) if not isinstance(s, f.EndTemporaries)), None)
    if not isinstance(last, f.Return | f.Throw):
        return False
    return not any(isinstance(s, f.Goto | f.Break | f.Continue) for s in f.walk(block))


def _stands_at(statement: f.Stmt, place: Place) -> bool:
    if isinstance(statement, f.Assign):
        return (statement.line, 0) == place
    if isinstance(statement, f.Call | f.Make | f.Local):
        return (statement.line, statement.column) == place
    return False


def _makes(statement: f.Stmt, names: Sequence[f.Value]) -> bool:
    """Whether a statement makes the object with these names, or gives it one."""
    if isinstance(statement, f.Local):
        return f.Var(statement.usr) in names
    if isinstance(statement, f.Call):
        return f.Result(statement.id) in names
    return isinstance(statement, f.Make) and f.Made(statement.id) in names
