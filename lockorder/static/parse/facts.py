"""Facts: what the functions of one translation unit do, with no opinion about locks.

A function body is structured control flow over a few events (call, make, assign, ...).  Values are
access paths rooted in variables, ``this``, results of calls and made objects.  Facts are pure data:
sources and flags in, facts out, so they can be cached by content and computed anywhere.

Declarations are named by Clang's USR ("unified symbol resolution", clang/Index/USRGeneration.h),
which is the same in every translation unit.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from lockorder.static.parse import numbers

# -- values ---------------------------------------------------------------------------------------


class Fact(msgspec.Struct, array_like=True, tag=True, tag_field="$", omit_defaults=True):
    """Base of everything below and of declarations: small, positional, tagged."""


class Var(Fact):
    """A variable, parameter or global, by USR."""

    usr: str


class This(Fact):
    """The object of the enclosing member function (of the enclosing one, in a lambda)."""


class Field(Fact):
    """Member *usr* of *base*; arrows, dots and dereferences look alike."""

    base: Value
    usr: str


class Elem(Fact):
    """An element of *base* (``base[i]``); *index* is kept where it may tell elements apart."""

    base: Value
    index: Value | None = None


class Whole(Fact):
    """The object that *base* lies in as the member *usr*: ``container_of(base, T, usr)``."""

    base: Value
    usr: str


class Fn(Fact):
    """A function by USR; *base* is the object of a bound member."""

    usr: str
    base: Value | None = None


class Instance(Fn):
    """A function made from a template: with its own arguments, and those of the class around it."""

    args: list[str] = []
    outer: list[str] = []


class Closure(Fact):
    """A lambda expression, by the id of its function."""

    usr: str


class Result(Fact):
    """What call number *call* of this function returned."""

    call: int


class Made(Fact):
    """The object that ``Make`` number *make* of this function constructed."""

    make: int


class AnyOf(Fact):
    """One of several values (?:, initialiser lists); of a class, each for the field beside it.

    *cond* decides which of two it is.
    """

    values: list[Value]
    fields: list[str] = []
    cond: Value | None = None


#: A variable of this name (its own follows) is a value that a template is given.
TEMPLATE_VALUE = "template:"

#: The method that an assignment of a value of a template parameter's type calls.
ASSIGNMENT = "operator="


class Name(Fact):
    """A name that the front end could not resolve; *base* is the object of a member access.

    *whole*, behind ``template:``, is how it is written where a template's arguments decide it.
    """

    text: str
    base: Value | None = None
    whole: str = ""


class Lit(Fact):
    """A literal whose text may matter (true, false, nullptr, integers; ``NAME=8``: enumerators)."""

    text: str

    @property
    def name(self) -> str:
        """How it is written."""
        return numbers.name_of(self.text)

    @property
    def names(self) -> list[str]:
        """How its parts are written, where it is made of several."""
        return numbers.names_of(self.text)


class Not(Fact):
    """Logical negation of a condition."""

    value: Value


class Both(Fact):
    """``a && b`` as a condition; *either* makes it ``a || b``."""

    left: Value
    right: Value
    either: bool = False


class Compare(Fact):
    """``a == b`` as a condition; *equal* is false for ``!=``."""

    left: Value
    right: Value
    equal: bool = True


class Less(Fact):
    """``a < b`` as a condition; ``a > b`` is ``b < a``, and ``a <= b`` is not ``b < a``."""

    left: Value
    right: Value


class Op(Fact):
    """``a & b`` or ``a | b``, which decide where one side is a constant; ``a % b``, ``~a``.

    Else of interest only where the same is tested again.  Of ``~a`` both sides are ``a``.
    ``a + 1`` and ``a - 1`` are kept as an index, as an argument and as what a number becomes.
    """

    text: str
    left: Value
    right: Value


Value = (
    Var
    | This
    | Field
    | Elem
    | Whole
    | Fn
    | Instance
    | Closure
    | Result
    | Made
    | AnyOf
    | Name
    | Lit
    | Not
    | Both
    | Compare
    | Less
    | Op
)

# -- events and statements ------------------------------------------------------------------------


class Call(Fact):
    """Call number *id*: *target* is what is called, *virtual* where dispatch is dynamic.

    *type* is the result's, kept for functions that make the object they return.  *texts* has the
    arguments that are constant texts, with their quotation marks, and others as empty ones.
    *awaited* where the caller is suspended until it is over (``co_await f()``).
    """

    id: int
    target: Value
    args: list[Value]
    line: int
    column: int = 0
    virtual: bool = False
    type: str = ""
    texts: list[str] = []
    awaited: bool = False


class Make(Fact):
    """Object number *id* of class *type* is constructed by *ctor* (a USR, or empty).

    *heap* for ``new``.  A temporary, unless a ``Local`` takes it over.
    """

    id: int
    type: str
    ctor: str
    args: list[Value]
    line: int
    column: int = 0
    heap: bool = False
    #: from an object that gives up what it has
    moves: bool = False


class Local(Fact):
    """A variable comes to life; it is destroyed at the end of the enclosing block."""

    usr: str
    value: Value | None
    line: int
    column: int = 0


class Assign(Fact):
    """``target = value``; *by* how much a step moves it, up or down, where a number says that."""

    target: Value
    value: Value
    line: int
    by: int = 0


class Written(Fact):
    """The next call, number *call*, is given the address of *target* as argument *argument*."""

    target: Value
    call: int
    argument: int
    line: int


class Delete(Fact):
    """``delete value``."""

    value: Value
    line: int


class EndTemporaries(Fact):
    """The end of a full-expression: these objects are destroyed, last first.

    Numbers are those of ``Make``; ``-1 - n`` is the object that call *n* returned.
    """

    made: list[int]
    line: int


class StaticInit(Fact):
    """First run through a static local's declaration: *body* runs under its guard."""

    usr: str
    body: Block
    line: int


class Return(Fact):
    """Leave the function."""

    value: Value | None
    line: int


class Throw(Fact):
    """Leave by an exception."""

    line: int


class Break(Fact):
    """Leave the enclosing loop or switch."""


class Continue(Fact):
    """On to the next iteration."""


class Goto(Fact):
    """Jump to a label."""

    label: str
    line: int


class Label(Fact):
    """Where a goto lands."""

    name: str


class Block(Fact):
    """A scope: its locals die at its end, in reverse order."""

    body: list[Stmt]
    end: int = 0


class If(Fact):
    """Two ways on."""

    cond: Value | None
    then: Block
    orelse: Block | None = None


class Loop(Fact):
    """*head* runs before each test of *cond*, *step* after each round; *at_least_once* for do.

    *each* is the variable that stands for one element after the other, in ``for (x : xs)``.
    """

    head: Block
    cond: Value | None
    body: Block
    step: Block
    at_least_once: bool = False
    line: int = 0
    each: str = ""


class Switch(Fact):
    """Cases in order, each falls into the next; *total* where there is a default.

    *labels* has a constant for each case, None for the default or where it is not known.
    """

    cases: list[Block]
    total: bool = False
    cond: Value | None = None
    labels: list[Value | None] = []


class Try(Fact):
    """A body and its handlers."""

    body: Block
    handlers: list[Block]


Stmt = (
    Call
    | Make
    | Local
    | Assign
    | Written
    | Delete
    | EndTemporaries
    | StaticInit
    | Return
    | Throw
    | Break
    | Continue
    | Goto
    | Label
    | Block
    | If
    | Loop
    | Switch
    | Try
)

# -- functions ------------------------------------------------------------------------------------


class Function(Fact):
    """A function with a body.

    ``kind`` is one of function, method, constructor, destructor, lambda.  ``parent`` is the
    enclosing function of a lambda; ``overrides`` are USRs.  ``static`` where it has no object or,
    for a free function, internal linkage.  ``captures`` are variables that a lambda has by value,
    those that are written out: its own ones (init-captures), or the ones that it copies.
    ``private`` is a method that only its class and friends can name; it is not virtual.
    ``nothrow`` where an exception that would leave it ends the program.  ``coroutine`` where a call
    of it makes an object that runs the body (C++ [dcl.fct.def.coroutine]).
    """

    usr: str
    name: str
    kind: str
    params: list[str]
    body: Block
    file: str
    line: int
    end: int = 0
    cls: str = ""
    parent: str = ""
    overrides: list[str] = []
    static: bool = False
    filled: bool = False
    captures: list[str] = []
    private: bool = False
    nothrow: bool = False
    coroutine: bool = False


def walk(block: Block) -> list[Stmt]:
    """Every statement and event of a body, in source order, nested ones included."""
    found: list[Stmt] = []
    _collect(block, found)
    return found


def _collect(block: Block, found: list[Stmt]) -> None:
    for statement in block.body:
        found.append(statement)
        inner = _PARTS.get(type(statement))
        if inner is not None:
            for part in inner(statement):
                _collect(part, found)


def values(statement: Stmt) -> list[Value]:
    """All values in a statement, but for those of the statements that it is made of."""
    found: list[Value] = []
    _gather(statement, found)
    return found


def parts_of(value: Value) -> list[Value]:
    """A value, and all values that it is made of."""
    found: list[Value] = [value]
    _gather(value, found)
    return found


def _gather(thing: Stmt | Value, found: list[Value]) -> None:
    for name in _holding(type(thing)):
        inner = getattr(thing, name)
        for value in inner if isinstance(inner, list) else (inner,):
            if value is not None:
                found.append(value)
                _gather(value, found)


@functools.cache
def _holding(kind: type) -> tuple[str, ...]:
    """The fields of *kind* that have values, or lists of values."""
    types = typing.get_type_hints(kind)
    fields: tuple[str, ...] = kind.__struct_fields__  # type: ignore[attr-defined]
    return tuple(name for name in fields if _has_values(types[name]))


def _has_values(hint: object) -> bool:
    return hint in typing.get_args(Value) or any(map(_has_values, typing.get_args(hint)))


def is_null(value: Value | None) -> bool:
    """Whether a value is a pointer to nothing, as it is written."""
    return isinstance(value, Lit) and value.text in numbers.NULLS


def parts(statement: Stmt) -> Iterable[Block]:
    """The blocks that a statement is made of."""
    found = _PARTS.get(type(statement))
    return found(statement) if found is not None else ()


_PARTS: dict[type, Callable[[Any], Iterable[Block]]] = {
    Block: lambda s: (s,),
    If: lambda s: (s.then,) if s.orelse is None else (s.then, s.orelse),
    Loop: lambda s: (s.head, s.body, s.step),
    Switch: lambda s: s.cases,
    Try: lambda s: (s.body, *s.handlers),
    StaticInit: lambda s: (s.body,),
}
