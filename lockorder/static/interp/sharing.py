"""Whose objects the locks of a function are: what its known callers hand to it.

A function takes locks of its parameters and of its object.  Who calls it decides whether another
thread can have these objects at all, and in which order two of one class come.  A function that
nobody calls, that a thread starts in or that is kept as a callback can be called with anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from lockorder.knowledge import Knowledge
from lockorder.static.interp.contexts import Contexts
from lockorder.static.parse import facts as f
from lockorder.static.program import building
from lockorder.static.program.earlier import Place
from lockorder.static.program.escapes import THIS, Escapes
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import Step, is_element, member

#: A function, a path in it, and the place of a call in it.
_Asked = tuple[str, Path, Place | None]
#: Instead of a place: whether it is made there at all, whoever may have it.
_MADE: Place = (-1, -1)


class Passed(NamedTuple):
    """A call: who makes it, on which object, with which arguments."""

    caller: str
    base: Paths
    args: tuple[Paths, ...]
    place: Place = (0, 0)


class Sharing:
    """Calls of functions that take locks, and what follows from all of them."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        escapes: Escapes,
        contexts: Contexts,
        taken: set[str],
    ) -> None:
        self._program = program
        self._knowledge = knowledge
        self._escapes = escapes
        self._contexts = contexts
        #: Functions whose address is taken.
        self._taken = taken
        self._calls: dict[str, set[Passed]] = {}
        self._entered: set[str] = set()
        self._active: dict[str, bool] = {}
        self._own: dict[_Asked, bool] = {}

    def note(
        self,
        callee: str,
        caller: str,
        base: Paths,
        args: tuple[Paths, ...],
        place: Place = (0, 0),
    ) -> None:
        """*caller* calls *callee* at *place*."""
        self._calls.setdefault(callee, set()).add(Passed(caller, base, args, place))

    def enter(self, function: str) -> None:
        """*function* is entered from outside: by a new thread, by an interpreter."""
        self._entered.add(function)

    def is_entered(self, function: str) -> bool:
        """Whether others than its known callers may call *function*."""
        if function in self._entered or function in self._taken:
            return True
        return self._contexts.is_entered(function)

    def is_own(self, function: str, path: Path, place: Place | None = None) -> bool:
        """Whether nobody else can have the object with the lock *path* of *function*.

        It is made in that function, or in every one that calls it, and stays there; with the
        *place* of a call in the function, until that is made.
        """
        if self._is_so(function, path, None):
            return True
        # Mostly it is no object that any of them makes, which is soon found out.
        return place is not None and all(self._is_so(function, path, at) for at in (_MADE, place))

    def _is_so(self, function: str, path: Path, place: Place | None) -> bool:
        start = (function, path, place)
        known = self._own.get(start)
        if known is not None:
            return known
        asked = [start]
        for here in asked:  # which grows meanwhile
            further = self._depends(*here)
            if further is None:
                self._own[start] = False
                return False
            asked.extend(each for each in further if each not in asked)
        self._own.update(dict.fromkeys(asked, True))
        return True

    def _depends(self, function: str, path: Path, place: Place | None) -> list[_Asked] | None:
        """What must be own for *path* of *function* to be so; None where it is not anyway."""
        steps = path.steps
        if len(set(steps)) < len(steps) or any(map(self.is_indirect, steps)):
            return None
        if steps and is_element(steps[0]) and self._is_view(self._type_at(path)):
            return None
        if path.is_made:
            return [] if self._is_own_made(function, path, place) else None
        if path.is_variable:
            variable = self._program.variables.get(path.variable)
            if variable is not None and variable.kind == "local":
                own = self._is_own_of(function, variable.owner or function, path.variable, place)
                own = own and not any(map(self._is_shared, self._owned(variable.type)))
                return [] if own else None
        found = self._passed(function, path)
        if not found or any(len(given) != 1 for _, given, _ in found):
            return None
        name = path.variable if path.is_variable else THIS
        known = place in (None, _MADE)
        if not known and self._escapes.is_handed_out(function, name, place):
            place, known = None, True  # by the function itself
        return [
            (c, Path(given[0].root, given[0].steps + steps), place if known else at)
            for c, given, at in found
        ]

    def _type_at(self, path: Path) -> str:
        """The type of what *path* begins with: a variable, or what a function makes."""
        if path.is_variable:
            return self._program.type_of(path.variable)
        owner, number = path.maker if path.is_made else ("", "")
        function = self._program.functions.get(owner)
        for statement in f.walk(function.body) if function is not None else ():
            if isinstance(statement, f.Make) and str(statement.id) == number:
                return statement.type
        return ""

    def _is_view(self, spelling: str) -> bool:
        """Whether elements of an object of a library's type are others' (``std::span``)."""
        plain = self._program.plain(spelling)
        name, arguments = self._program.split(plain)
        known = name in self._knowledge.owners or name in self._program.classes
        return bool(arguments) and not known and not plain.rstrip().endswith(("]", "*"))

    def _is_own_made(self, function: str, path: Path, place: Place | None) -> bool:
        """The same of an object that the function makes, or one that it calls for that."""
        owner, number = path.maker
        kind = f"result:{number[1:]}" if number.startswith("r") else f"made:{number}"
        return self._is_own_of(function, owner, kind, place)

    def _is_own_of(self, function: str, owner: str, name: str, place: Place | None) -> bool:
        """The same of what is *name* in *owner*: the function, one around it, or one it calls."""
        if place == _MADE:
            return self._escapes.is_made(owner, name)
        if owner == function:
            return self._escapes.is_own(function, name, place)
        if not self._escapes.is_own(owner, name):
            return False
        around = self._program.functions[function].parent
        while around:
            if around == owner:
                return True
            around = self._program.functions[around].parent
        calls = self._escapes.results(function, owner)
        return bool(calls) and all(self._escapes.is_own(function, c, place) for c in calls)

    def is_told_by_callers(self, function: str, a: Path, b: Path, judged: _Judged) -> bool:
        """Whether all callers of *function* say which objects *a* and *b* are in.

        Then the order of the two is theirs; *judged* says whether a caller's paths were looked at.
        """
        first, second = self._passed(function, a), self._passed(function, b)
        if not first or len(first) != len(second):
            return False
        for (_, x, _), (_, y, _) in zip(first, second, strict=True):
            if len(x) != 1 or len(y) != 1:
                return False
            one, other = (
                Path(given.root, given.steps + path.steps) for given, path in ((x[0], a), (y[0], b))
            )
            if not judged(one, other):
                return False
        return True

    def _passed(self, function: str, path: Path) -> list[tuple[str, Paths, Place]]:
        """By calls: who makes it, what it hands over as what *path* begins at, and where.

        Empty if not all calls are known.
        """
        body = self._program.functions.get(function)
        if body is None or self.is_entered(function):
            return []
        calls = sorted(self._calls.get(function, ()))
        if path.method == function:
            return [(c.caller, c.base, c.place) for c in calls]
        if path.variable not in body.params:
            return []
        number = body.params.index(path.variable)
        return [(c.caller, c.args[number] if number < len(c.args) else (), c.place) for c in calls]

    def is_indirect(self, step: Step) -> bool:
        """Whether a variable or member only leads to an object that others may lead to as well."""
        if is_element(step):
            return False
        return self._is_shared(self._program.type_of(member(step)))

    def _is_shared(self, spelling: str) -> bool:
        """Whether an object of the type leads to ones that it does not own alone."""
        if not spelling or "*" in spelling or "&" in spelling:
            return True
        name = self._program.split(self._program.plain(spelling))[0]
        owner = self._knowledge.owners.get(name)
        if owner is None:
            return self._program.is_indirect(name) or self._is_active(name)
        return owner.shared or any(map(self._is_shared, self._owned(spelling)))

    def _is_active(self, cls: str) -> bool:
        """Whether objects of *cls* begin with a thread of their own."""
        known = self._active.get(cls)
        if known is None:
            known = building.starts_threads(self._program, self._knowledge, cls)
            self._active[cls] = known
        return known

    def _owned(self, spelling: str) -> tuple[str, ...]:
        """What the owner of a type owns: of a smart pointer one object, of a container elements."""
        name, arguments = self._program.split(self._program.plain(spelling))
        owner = self._knowledge.owners.get(name)
        if owner is None:
            return ()
        return arguments[:1] if owner.pointer else arguments


_Judged = Callable[[Path, Path], bool]
