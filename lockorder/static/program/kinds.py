"""Of which kind of structure an object is a part: who works on it shows that.

``struct wide *w = container_of(p, struct wide, base)`` says that the ``base`` at ``p`` lies in a
``wide``.  A function that always does so, itself or in a function that it hands ``p`` to, can only
be called on such ones; and an object is a part of one kind of structure only: what lies in a
``narrow`` is not handed to it, whatever a table of functions for all kinds has.

A *chain* is the members that lead from an object to what it lies in, the innermost first.  Two of
them contradict each other where an object of one type is two members; members of other types may
lie at one address, as a structure and its first member do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import Steps, Whole, is_element, member

Chain = tuple[str, ...]


class Kinds:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: by function: of parameters and locals that lead to parts of something, the chain
        self._known: dict[str, dict[str, Chain]] = {}

    def of(self, function: str, at: int) -> Chain:
        """What a function's parameter number *at* always lies in; empty where nothing shows it."""
        body = self._program.functions.get(function)
        if body is None or at >= len(body.params):
            return ()
        return self._of(body).get(body.params[at], ())

    def rest(self, function: f.Function, path: Path, chain: Chain) -> Chain | None:
        """What of *chain* is a question of the parameter that *path* begins at.

        It is about the object at *path* in *function*; None where that lies in something else.
        """
        found = self._at_root(path, chain)
        if not found:
            return found
        variable = self._program.variables.get(path.variable)
        if variable is None:
            return ()
        if not self._program.is_indirect(variable.type):
            return None if variable.kind in _WHOLE_OBJECTS else ()  # it lies in nothing
        owner = self._program.functions.get(variable.owner)
        shown = self._of(owner).get(path.variable, ()) if owner is not None else ()
        if not self.fit(shown, found):
            return None
        return found if path.variable in function.params else ()

    def _at_root(self, path: Path, chain: Chain) -> Chain | None:
        """*chain*, which is about the object at *path*, for what *path* begins at."""
        steps = list(path.steps)
        for number, wanted in enumerate(chain):
            while steps and is_element(steps[-1]):
                steps.pop()
            if not steps or isinstance(steps[-1], Whole):
                backwards = [s.key for s in steps if isinstance(s, Whole)]
                known = len(backwards) == len(steps)
                return (*backwards, *chain[number:]) if known else ()
            if self._program.is_indirect(self._program.type_of(member(steps[-1]))):
                return ()  # behind a pointer there may be any
            if not self._may_be(member(steps[-1]), wanted):
                return None
            if steps.pop() != wanted:
                return ()
        return ()

    def fit(self, one: Chain, other: Chain) -> bool:
        """Whether an object can lie in both."""
        for mine, theirs in zip(one, other, strict=False):
            if mine != theirs:
                return self._may_be(mine, theirs)
        return True

    def _may_be(self, one: str, other: str) -> bool:
        """Whether one address can be that of both members."""
        return one == other or self._program.type_of(one) != self._program.type_of(other)

    # -- functions --------------------------------------------------------------------------------

    def _of(self, function: f.Function) -> dict[str, Chain]:
        known = self._known.get(function.usr)
        if known is None:
            self._known[function.usr] = {}  # meanwhile, where it calls itself
            known = self._known[function.usr] = self._read(function)
        return known

    def _read(self, function: f.Function) -> dict[str, Chain]:
        found: dict[str, Chain | None] = {}
        for usr, chain in self._claims(function):
            before = found.get(usr, ())
            if before is None or not self.fit(before, chain):
                found[usr] = None  # several views of one object: nothing is known
            elif len(chain) > len(before):
                found[usr] = chain
        return {usr: chain for usr, chain in found.items() if chain}

    def _claims(self, function: f.Function) -> Iterator[tuple[str, Chain]]:
        """Names of *function*, and what it takes them for on all of its ways."""
        names = _Names(function)
        for statement in always(function.body):
            for value in names.new(statement):
                if isinstance(value, f.Whole):
                    path = names.path(value)
                    if path is not None and path.steps and isinstance(path.steps[-1], Whole):
                        yield from _claim(path.base, path.steps)
            if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                bodies = self._program.body_of(statement.target.usr)
                for at, argument in enumerate(statement.args if len(bodies) == 1 else ()):
                    path = names.path(argument)
                    chain = self.of(bodies[0], at) if path is not None else ()
                    if path is not None and chain:
                        found = self._at_root(path, chain)
                        if found:
                            yield path.variable, found


def _claim(root: Path, steps: Steps) -> Iterator[tuple[str, Chain]]:
    chain = tuple(s.key for s in steps if isinstance(s, Whole))
    if len(chain) == len(steps):
        yield root.variable, chain


#: Variables that are objects of their own, where they are no pointers.
_WHOLE_OBJECTS = frozenset(("local", "global", "static", "member"))


def always(block: f.Block) -> Iterator[f.Stmt]:
    """The statements that come to pass on every way through a body that does not leave early."""
    for statement in block.body:
        yield statement
        if isinstance(statement, f.Block):
            yield from always(statement)
        elif isinstance(statement, f.Loop) and statement.at_least_once:
            yield from always(statement.body)


class _Names:
    """What the names of one function lead to, by its parameters."""

    def __init__(self, function: f.Function) -> None:
        self._values: dict[str, f.Value | None] = {}
        #: how often each variable gets a value
        self._times: Counter[str] = Counter()
        for statement in f.walk(function.body):
            if isinstance(statement, f.Local):
                if statement.value is not None:
                    self._note(statement.usr, statement.value)
            elif isinstance(statement, f.Assign) and isinstance(statement.target, f.Var):
                self._note(statement.target.usr, statement.value)
            elif isinstance(statement, f.Written) and isinstance(statement.target, f.Var):
                self._note(statement.target.usr, None)
        self._params = frozenset(function.params)

    def _note(self, usr: str, value: f.Value | None) -> None:
        """A variable gets a value; nothing is known of one that gets several."""
        self._values[usr] = None if usr in self._values else value
        self._times[usr] += 1

    def path(self, value: f.Value | None, depth: int = 0) -> Path | None:
        """Where *value* is, as seen from a parameter or local; None for anything else."""
        if isinstance(value, f.Var):
            if value.usr in self._params:
                return None if value.usr in self._values else Path.of_variable(value.usr)
            known = self._values.get(value.usr)
            found = self.path(known, depth + 1) if known is not None and depth < _NAMES else None
            once = self._times[value.usr] == 1  # the same object all the time
            return found or (Path.of_variable(value.usr) if once else None)
        if isinstance(value, f.Field):
            base = self.path(value.base, depth)
            return base.then(value.usr) if base is not None else None
        if isinstance(value, f.Whole):
            base = self.path(value.base, depth)
            found = base.whole(value.usr) if base is not None else None
            return found if found is not None and found.is_variable else None
        return None

    def new(self, statement: f.Stmt) -> Iterator[f.Value]:
        """The values of a statement, and those that they are made of."""
        pending: list[object] = []
        if isinstance(statement, f.Local | f.Return):
            pending.append(statement.value)
        elif isinstance(statement, f.Assign):
            pending += (statement.target, statement.value)
        elif isinstance(statement, f.Call):
            pending += (statement.target, *statement.args)
        elif isinstance(statement, f.If | f.Switch):
            pending.append(statement.cond)
        while pending:
            value = pending.pop()
            if isinstance(value, f.Field | f.Elem | f.Whole | f.Not | f.Fn):
                yield value
                pending.append(value.value if isinstance(value, f.Not) else value.base)
            elif isinstance(value, f.Compare | f.Less | f.Op):
                pending += (value.left, value.right)
            elif isinstance(value, f.Both):
                pending.append(value.left)


#: Names of names: ``a = b; c = a;`` goes on so, and never comes back to where it began.
_NAMES = 16
