"""Values of a program that is run on paper: known ones, and symbols for what is not known.

Every value has a name (``id``) that is the same on all ranks for the same expression, and says on
what it depends (``deps``): a value without any is the same on every rank.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec

from lockorder.ranks.conditions import Condition

#: What a value depends on that is not the same on all ranks.
Deps: TypeAlias = frozenset[str]
NONE: Deps = frozenset()
#: The dependency of the rank in the whole job; ``RANK:name`` is one of a communicator's ranks.
RANK = "rank"
#: Dependencies on something else that a rank has to itself begin so; the reason follows.
LOCAL = "local:"
#: How many parts it has is not the same on all ranks, because of what follows.
COUNT = "count:"
#: What the file system says: the same for ranks that share it, so that only a branch on it counts.
FILES = LOCAL + "the file system, by "
#: Between that and which path it is about.
OF_FILE = " of "
#: Before the name of a path at which a folder is made, and no file.
FOLDER = "folder:"
#: What a handler gets that may be any call's.
CAUGHT = "an exception that is caught"
#: In which order things come, where each rank has an order of its own; what gives them follows.
ORDER = LOCAL + "the order of "
#: What another rank has sent.
MESSAGE = LOCAL + "a message"
#: What a thread of the rank is, of several that do the same: they are not played.
THREAD = LOCAL + "the number of a thread"
#: The gradient of this model's output is reduced over all ranks.
THROUGH = "through:"

_LONG = 160


def named(text: str) -> str:
    """A name that does not grow without end, and is the same for the same text."""
    if len(text) <= _LONG:
        return text
    return text[:40] + "#" + hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class Value(msgspec.Struct, frozen=True, eq=False):
    """Base of all values."""

    @property
    def id(self) -> str:
        """The name of the value, the same on all ranks where the expression is the same."""
        raise NotImplementedError

    @property
    def depends(self) -> Deps:
        """What it depends on that ranks have to themselves."""
        return NONE


class Const(Value, frozen=True, eq=False):
    """A number, text, truth or None; *name* is the expression, where it depends on the rank."""

    value: Any
    deps: Deps = NONE
    name: str = ""
    #: what it is on each rank, where that is known
    ranks: tuple[Any, ...] | None = None

    @property
    def id(self) -> str:
        return self.name if self.deps and self.name else repr(self.value)

    @property
    def depends(self) -> Deps:
        return self.deps


class Tup(Value, frozen=True, eq=False):
    """A tuple, range or other row that does not change."""

    items: tuple[Value, ...]
    deps: Deps = NONE

    @property
    def id(self) -> str:
        return named("(" + ",".join(x.id for x in self.items) + ")")

    @property
    def depends(self) -> Deps:
        return self.deps.union(*(x.depends for x in self.items)) if self.items else self.deps


class Obj(Value, frozen=True, eq=False):
    """An object of the program's own, or a list, dict or set; *label* says where it was made."""

    number: int
    cls: Value | None
    label: str
    kind: str = "object"

    @property
    def id(self) -> str:
        return self.label


class Function(Value, frozen=True, eq=False):
    """A function of the program, with the frame it was made in and the object it is bound to."""

    node: Any
    module: Any
    name: str
    frame: Any = None
    bound: Value | None = None
    owner: Value | None = None
    #: property, static, class, context (a manager), kept (what it gives is not computed again)
    traits: frozenset[str] = frozenset()
    #: runs on one rank only, by a decorator that does so
    only: str = ""

    @property
    def id(self) -> str:
        return self.name if self.bound is None else named(f"{self.bound.id}.{self.name}")


class Class(Value, frozen=True, eq=False):
    """A class of the program."""

    node: ast.ClassDef
    module: Any
    name: str
    bases: tuple[Value, ...]
    frame: Any
    number: int

    @property
    def id(self) -> str:
        return self.name


class Module(Value, frozen=True, eq=False):
    """A module of the program."""

    module: Any

    @property
    def id(self) -> str:
        return str(self.module.name)


class Unknown(Value, frozen=True, eq=False):
    """What is not known; *path* says what it is, where a library gave it (``torch.device()``)."""

    name: str
    deps: Deps = NONE
    path: str = ""
    #: the object that it is a member of
    base: Value | None = None

    @property
    def id(self) -> str:
        return self.name

    @property
    def depends(self) -> Deps:
        return self.deps


class Received(Unknown, frozen=True, eq=False):
    """What another rank's message says: known once the job is played, and it has come.

    *receipt* names the operation that gets it; *part* is ``source``, ``tag``, ``count``, ``data``,
    an element of the data (``data[0]``), or empty for the envelope with all of that; of a wait for
    one of several also ``index`` (which one) and ``some`` (how many).  *plus* is added to a number.
    """

    receipt: str = ""
    part: str = ""
    plus: int = 0

    def said(self, part: str) -> Received:
        """A part of this envelope."""
        return Received(named(f"{self.name}.{part}"), self.deps, "", self, self.receipt, part)


class Holding(Unknown, frozen=True, eq=False):
    """A tensor or an array that the program has made of these."""

    items: tuple[Value, ...] = ()

    @property
    def content(self) -> Tup:
        """What is in it."""
        return Tup(self.items, self.deps)


class Sized(Unknown, frozen=True, eq=False):
    """A tensor or an array of which it is known how large it is, as far as *shape* is known."""

    shape: tuple[Value, ...] = ()


class Truth(Value, frozen=True, eq=False):
    """The truth of a condition."""

    condition: Condition
    deps: Deps

    @property
    def id(self) -> str:
        return named(self.condition.text)

    @property
    def depends(self) -> Deps:
        return self.deps


class Method(Value, frozen=True, eq=False):
    """A method of one of Python's own types."""

    base: Value
    name: str

    @property
    def id(self) -> str:
        return named(f"{self.base.id}.{self.name}")

    @property
    def depends(self) -> Deps:
        return self.base.depends


class Rows(Value, frozen=True, eq=False):
    """``enumerate`` or ``zip``: what it gives one after the other comes of *bases*."""

    kind: str
    bases: tuple[Value, ...]

    @property
    def id(self) -> str:
        return named(f"{self.kind}({','.join(b.id for b in self.bases)})")

    @property
    def depends(self) -> Deps:
        return depends(*self.bases)


class Either(Value, frozen=True, eq=False):
    """*first* where the condition holds, else *second*."""

    condition: Condition
    deps: Deps
    first: Value
    second: Value

    @property
    def id(self) -> str:
        return named(f"({self.condition.text}?{self.first.id}:{self.second.id})")

    @property
    def depends(self) -> Deps:
        return self.deps | self.first.depends | self.second.depends


class Comm(Value, frozen=True, eq=False):
    """A communicator: *members* are ranks of the job, in order, or None where they are not known.

    *asked* is the condition under which a rank belongs to it, where its members have a name only.
    """

    name: str
    members: tuple[int, ...] | None
    path: str = ""
    asked: Condition | None = None
    deps: Deps = NONE
    #: of an inter-communicator: the ranks of this rank's side
    side: tuple[int, ...] | None = None
    #: nobody knows who is in it, and it is taken to be the job: there is no other
    adopted: bool = False

    @property
    def id(self) -> str:
        return self.name

    @property
    def depends(self) -> Deps:
        return self.deps


class Request(Value, frozen=True, eq=False):
    """An operation that was begun, or several."""

    numbers: tuple[int, ...]
    path: str = ""

    @property
    def id(self) -> str:
        return "request"


class Element(Value, frozen=True, eq=False):
    """The type of what is sent or received: *parts* numbers of *size* bytes, all of one *kind*."""

    name: str
    kind: str
    size: int
    parts: int = 1
    #: of several kinds: the kind and size of each part, in order; *size* is that of all of them
    cycle: tuple[tuple[str, int], ...] = ()
    #: of others, by the program; and not committed yet
    made: bool = False
    open: bool = False

    @property
    def id(self) -> str:
        return self.name


class Reduction(Unknown, frozen=True, eq=False):
    """An operation by which a library reduces elements, and the kinds of them that it is for."""

    kinds: frozenset[str] = frozenset()


class Group(Value, frozen=True, eq=False):
    """Ranks of the job, in an order, that are no communicator yet (MPI_Group)."""

    members: tuple[int, ...]
    #: what its methods are declared by
    path: str = ""

    @property
    def id(self) -> str:
        return f"group{self.members}"


class Tested(Unknown, frozen=True, eq=False):
    """Whether something has come or ended; true only once *ops* are done."""

    ops: tuple[Any, ...] = ()


class Super(Value, frozen=True, eq=False):
    """``super()``: what comes behind *cls* in the order of the object's bases."""

    cls: Class
    bound: Value

    @property
    def id(self) -> str:
        return f"super({self.cls.name})"


def computed(function: Callable[..., Any], args: Sequence[Const], name: str) -> Const:
    """A constant that is computed from others: of no rank's own where all ranks compute the same.

    Raises what *function* raises.
    """
    value = function(*(a.value for a in args))
    deps = depends(*args)
    if not deps or any(a.deps and a.ranks is None for a in args):
        return Const(value, deps, name)
    size = max(len(a.ranks) for a in args if a.ranks is not None)
    rows: list[Any] = []
    for i in range(size):
        try:
            rows.append(function(*(a.value if a.ranks is None else a.ranks[i] for a in args)))
        except (ArithmeticError, TypeError, ValueError):
            return Const(value, deps, name)
    if all(type(r) is type(value) and r == value for r in rows):
        return Const(value)
    return Const(value, deps, name, tuple(rows))


def depends(*values: Value) -> Deps:
    """All that some values depend on."""
    return NONE.union(*(v.depends for v in values)) if values else NONE


def same(first: Value, second: Value) -> bool:
    """Whether two values are one and the same."""
    if first is second:
        return True
    if type(first) is not type(second):
        return False
    if isinstance(first, Const) and isinstance(second, Const):
        return (
            type(first.value) is type(second.value)
            and first.value == second.value
            and first.deps == second.deps
        )
    if isinstance(first, Obj) and isinstance(second, Obj):
        return first.number == second.number
    if isinstance(first, Request) and isinstance(second, Request):
        return first.numbers == second.numbers
    if isinstance(first, Function) and isinstance(second, Function):
        return first.node is second.node and first.bound is second.bound
    return first.id == second.id and first.depends == second.depends


def differs(deps: Deps) -> bool:
    """Whether what depends on these is not the same on all ranks."""
    return any(not d.startswith((THROUGH, COUNT)) for d in deps)


def of_rank(dep: str) -> bool:
    """Whether a dependency is the rank's, in the job or in a group."""
    return dep.removeprefix(COUNT).partition(":")[0] == RANK


def lasting(deps: Deps) -> Deps:
    """What a value depends on that was made in a branch that depends on *deps*."""
    return frozenset(d for d in deps if FILES not in d and ORDER not in d)


def counted(deps: Deps) -> Deps:
    """On what it depends how many parts there are."""
    return frozenset(d[len(COUNT) :] for d in deps if d.startswith(COUNT))


def counting(deps: Deps) -> Deps:
    """The same dependencies, also of the number of parts."""
    return deps | frozenset(COUNT + d for d in deps if not d.startswith((THROUGH, COUNT)))
