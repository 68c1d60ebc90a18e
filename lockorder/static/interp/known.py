"""What a state can know to be so or not to be so, a type for each kind of it.

A path by itself is what lies there: not zero, not null.  All others have their kind in them: of two
kinds with the same parts, tuples would be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from lockorder.static.program.origins import Origins
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import STATUS, Step, Steps

#: Parameters (by key) and the literal that each is given.
Constants = tuple[tuple[str, str], ...]


class Operation(NamedTuple):
    """What an operation on two terms gives."""

    text: str
    left: Term
    right: Term
    kind: Literal["op"] = "op"

    def names(self, path: Path) -> bool:
        return _names(self.left, path) or _names(self.right, path)

    def moved(self, to: Callable[[Path], Path]) -> Operation:
        return Operation(self.text, _moved(self.left, to), _moved(self.right, to))


#: What a value is called: a literal, a place, or an operation on such.
Term = Path | Operation


class Equal(NamedTuple):
    """Both terms are the same number, enumerator or object."""

    left: Term
    right: Term
    kind: Literal["=="] = "=="

    def names(self, path: Path) -> bool:
        return _names(self.left, path) or _names(self.right, path)

    def moved(self, to: Callable[[Path], Path]) -> Equal:
        return Equal(_moved(self.left, to), _moved(self.right, to))


class Among(NamedTuple):
    """The term is one of these numbers or enumerators, by their texts."""

    left: Term
    literals: frozenset[str]
    kind: Literal["among"] = "among"

    def names(self, path: Path) -> bool:
        return _names(self.left, path)

    def moved(self, to: Callable[[Path], Path]) -> Among:
        return Among(_moved(self.left, to), self.literals)


class Less(NamedTuple):
    """The left term comes before the right one."""

    left: Term
    right: Term
    kind: Literal["<"] = "<"

    def names(self, path: Path) -> bool:
        return _names(self.left, path) or _names(self.right, path)

    def moved(self, to: Callable[[Path], Path]) -> Less:
        return Less(_moved(self.left, to), _moved(self.right, to))


class Emptied(NamedTuple):
    """The owner at *path* was moved from, or owns nothing for another reason.

    *every*: it is an element, and so it is with all of the container.
    """

    path: Path
    every: bool = False
    kind: Literal["moved"] = "moved"

    def names(self, _path: Path) -> bool:
        return False

    def moved(self, to: Callable[[Path], Path]) -> Emptied:
        return self._replace(path=to(self.path))


class LastOwner(NamedTuple):
    """The owner at *path* may be the last one of what it shares."""

    path: Path
    kind: Literal["only"] = "only"

    def names(self, _path: Path) -> bool:
        return False

    def moved(self, to: Callable[[Path], Path]) -> LastOwner:
        return LastOwner(to(self.path))


class Took(NamedTuple):
    """The object at *path* has what was moved there: the other place tells nothing of it."""

    path: Path
    kind: Literal["took"] = "took"

    def names(self, _path: Path) -> bool:
        return False

    def moved(self, to: Callable[[Path], Path]) -> Took:
        return Took(to(self.path))


class EndWaits(NamedTuple):
    """The end of the object at *path* waits: it was made by a function that makes such ones."""

    path: Path
    kind: Literal["async"] = "async"

    def names(self, _path: Path) -> bool:
        return False

    def moved(self, to: Callable[[Path], Path]) -> EndWaits:
        return EndWaits(to(self.path))


class Inside(NamedTuple):
    """The object *owner* has a copy of the owner at *path* in it."""

    owner: Path
    path: Path
    kind: Literal["within"] = "within"

    def names(self, path: Path) -> bool:
        return path in (self.owner, self.path)

    def moved(self, to: Callable[[Path], Path]) -> Inside:
        return Inside(to(self.owner), to(self.path))


class Tried(NamedTuple):
    """The last attempt to take a lock at this place worked."""

    line: int
    column: int
    kind: Literal["try"] = "try"

    def names(self, _path: Path) -> bool:
        return False

    def moved(self, _to: Callable[[Path], Path]) -> Tried:
        return self


#: What a loop goes over: an object, or a function's result for one.
Measure = tuple[str | Path, ...]


class Repeated(NamedTuple):
    """A loop over *over*, by a counter from *start* if there is one, went round at least once."""

    start: Path | None
    over: Measure
    kind: Literal["loop"] = "loop"

    def names(self, path: Path) -> bool:
        return path == self.start or path in self.over

    def moved(self, to: Callable[[Path], Path]) -> Repeated:
        start = to(self.start) if self.start is not None else None
        return Repeated(start, tuple(to(p) if isinstance(p, Path) else p for p in self.over))


class AtFirst(NamedTuple):
    """When the function began *path* was that literal, or was true where there is none.

    It outlives what is written later.
    """

    path: Path
    literal: str
    kind: Literal["entry"] = "entry"

    def names(self, _path: Path) -> bool:
        return False

    def moved(self, to: Callable[[Path], Path]) -> AtFirst:
        return AtFirst(to(self.path), self.literal)


class Receives(NamedTuple):
    """A virtual call on the object at *path* runs the body *function*.

    With *steps*, these lead from the object to the function that is called.  ``~C`` is the end of
    an object that is just a C.
    """

    path: Path
    function: str
    steps: Steps = ()
    kind: Literal["receives"] = "receives"

    def names(self, path: Path) -> bool:
        return path == self.path

    def moved(self, to: Callable[[Path], Path]) -> Receives:
        return self._replace(path=to(self.path))


class Keeps(NamedTuple):
    """What is called was put into the member at *path* by others, before the function began.

    They do that with objects that are made at one of *origins*, where there are any.
    """

    path: Path
    origins: Origins = frozenset()
    kind: Literal["keeps"] = "keeps"

    def names(self, path: Path) -> bool:
        return False

    def moved(self, to: Callable[[Path], Path]) -> Keeps:
        return self._replace(path=to(self.path))


class IsPart(NamedTuple):
    """The object at *path* lies in others, by these members, the innermost first."""

    path: Path
    chain: tuple[str, ...]
    kind: Literal["part"] = "part"

    def names(self, path: Path) -> bool:
        return path == self.path

    def moved(self, to: Callable[[Path], Path]) -> IsPart:
        return self._replace(path=to(self.path))


class Runs(NamedTuple):
    """A call by this member of the table of functions at *table* runs the body *function*."""

    table: Path
    member: Step
    function: str
    kind: Literal["runs"] = "runs"

    def names(self, path: Path) -> bool:
        return path in (self.table, self.table.then(self.member))

    def moved(self, to: Callable[[Path], Path]) -> Runs:
        return self._replace(table=to(self.table))


class NotAll(NamedTuple):
    """Not all of these facts are so at once, each with its truth: see ``clauses``."""

    parts: frozenset[tuple[Fact, bool]]
    kind: Literal["not all"] = "not all"

    def names(self, path: Path) -> bool:
        return any(is_void(fact, path) for fact, _ in self.parts)

    def moved(self, to: Callable[[Path], Path]) -> NotAll:
        return NotAll(frozenset((moved_fact(fact, to), truth) for fact, truth in self.parts))


class Chosen(NamedTuple):
    """What lies at *place* is the object *path* only if *needed* is *so*: see ``choices``."""

    place: Path
    path: Path
    needed: Fact
    so: bool
    kind: Literal["chosen"] = "chosen"

    def names(self, path: Path) -> bool:
        return path == self.place or is_void(self.needed, path)

    def moved(self, to: Callable[[Path], Path]) -> Chosen:
        return Chosen(to(self.place), to(self.path), moved_fact(self.needed, to), self.so)


#: Where something is done: the function, the line and the column.
Place = tuple[str, int, int]


class Over(NamedTuple):
    """The thread at *path* was waited for; with a *place*, as far as the wait there has to: see
    ``ended``.  *one*: of many objects that have this name, only one.
    """

    path: Path
    place: Place | None = None
    one: bool = False
    kind: Literal["over"] = "over"

    def names(self, path: Path) -> bool:
        return self.path.is_within(path)

    def moved(self, to: Callable[[Path], Path]) -> Over:
        return self._replace(path=to(self.path))


class Gone(NamedTuple):
    """The object at *path*, a lock perhaps, was ended here, and no lock in it given up before."""

    path: Path
    kind: Literal["gone"] = "gone"

    def names(self, _path: Path) -> bool:
        return False

    def moved(self, to: Callable[[Path], Path]) -> Gone:
        return Gone(to(self.path))


def runs(path: Path, function: str) -> Runs:
    """The same, by the *path* of the member."""
    return Runs(path.owner, path.steps[-1], function)


_Other = (
    Operation | Equal | Among | Less | Emptied | LastOwner | Took | EndWaits | Inside | Tried
    | Repeated | AtFirst | Receives | Keeps | IsPart | Runs | NotAll | Chosen | Over | Gone
)  # fmt: skip
Fact = Path | _Other
#: What a statement of the function may ask again.
TESTED = Path | Equal | Less | Operation


def is_void(fact: Fact, path: Path) -> bool:
    """Whether an assignment to *path* makes *fact* void."""
    if isinstance(fact, Path):
        return fact == path or (fact.is_status and fact == path.then(STATUS))
    return fact.names(path)


def moved_fact(fact: Fact, to: Callable[[Path], Path]) -> Fact:
    """*fact* with every path where *to* says that it is."""
    return to(fact) if isinstance(fact, Path) else fact.moved(to)


def compared(fact: Fact) -> Iterator[Path]:
    """Paths whose values a fact is about."""
    if isinstance(fact, Path):
        yield fact
    elif isinstance(fact, (Equal, Less, Operation)):
        yield from compared(fact.left)
        yield from compared(fact.right)
    elif isinstance(fact, Among):
        yield from compared(fact.left)
    elif isinstance(fact, Runs):
        yield fact.table.then(fact.member)
    elif isinstance(fact, NotAll):
        for part, _ in fact.parts:
            yield from compared(part)
    elif isinstance(fact, Chosen):
        yield from compared(fact.needed)


def _names(term: Term, path: Path) -> bool:
    return is_void(term, path)


def _moved(term: Term, to: Callable[[Path], Path]) -> Term:
    return to(term) if isinstance(term, Path) else term.moved(to)
