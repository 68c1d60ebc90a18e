"""Facts: what one translation unit says, with no opinion about locks.

A function body is structured control flow over a few events (call, make, assign, ...).  Values are
access paths rooted in variables, ``this``, results of calls and made objects.  Facts are pure data:
sources and flags in, facts out, so they can be cached by content and computed anywhere.

Declarations are named by Clang's USR ("unified symbol resolution", clang/Index/USRGeneration.h),
which is the same in every translation unit.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

# -- values ---------------------------------------------------------------------------------------


class _Fact(msgspec.Struct, array_like=True, tag=True, tag_field="$", omit_defaults=True):
    """Base of everything below: small, positional, tagged."""


class Var(_Fact):
    """A variable, parameter or global, by USR."""

    usr: str


class This(_Fact):
    """The object of the enclosing member function (of the enclosing one, in a lambda)."""


class Field(_Fact):
    """Member *usr* of *base*; arrows, dots and dereferences look alike."""

    base: Value
    usr: str


class Elem(_Fact):
    """An element of *base* (``base[i]``); *index* is kept where it may tell elements apart."""

    base: Value
    index: Value | None = None


class Fn(_Fact):
    """A function by USR; *base* is the object of a bound member."""

    usr: str
    base: Value | None = None


class Closure(_Fact):
    """A lambda expression, by the id of its function; *captured* maps init-captures to values."""

    usr: str


class Result(_Fact):
    """What call number *call* of this function returned."""

    call: int


class Made(_Fact):
    """The object that ``Make`` number *make* of this function constructed."""

    make: int


class AnyOf(_Fact):
    """One of several values (?:, initialiser lists); of a class, each for the field beside it."""

    values: list[Value]
    fields: list[str] = []


class Name(_Fact):
    """A name that the front end could not resolve; *base* is the object of a member access."""

    text: str
    base: Value | None = None


class Lit(_Fact):
    """A literal whose text may matter (true, false, nullptr, integers)."""

    text: str


class Not(_Fact):
    """Logical negation of a condition."""

    value: Value


class Both(_Fact):
    """``a && b`` as a condition; *either* makes it ``a || b``."""

    left: Value
    right: Value
    either: bool = False


class Compare(_Fact):
    """``a == b`` as a condition; *equal* is false for ``!=``."""

    left: Value
    right: Value
    equal: bool = True


class Less(_Fact):
    """``a < b`` as a condition (or ``>``, ``<=``, ``>=``: which of the two is not kept)."""

    left: Value
    right: Value


Value = (
    Var
    | This
    | Field
    | Elem
    | Fn
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
)

# -- events and statements ------------------------------------------------------------------------


class Call(_Fact):
    """Call number *id*: *target* is what is called, *virtual* where dispatch is dynamic.

    *type* is the result's, kept for functions that make the object they return.
    """

    id: int
    target: Value
    args: list[Value]
    line: int
    column: int = 0
    virtual: bool = False
    type: str = ""


class Make(_Fact):
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


class Local(_Fact):
    """A variable comes to life; it is destroyed at the end of the enclosing block."""

    usr: str
    value: Value | None
    line: int
    column: int = 0


class Assign(_Fact):
    """``target = value``."""

    target: Value
    value: Value
    line: int


class Delete(_Fact):
    """``delete value``."""

    value: Value
    line: int


class EndTemporaries(_Fact):
    """The end of a full-expression: these objects are destroyed, last first.

    Numbers are those of ``Make``; ``-1 - n`` is the object that call *n* returned.
    """

    made: list[int]
    line: int


class StaticInit(_Fact):
    """First run through a static local's declaration: *body* runs under its guard."""

    usr: str
    body: Block
    line: int


class Return(_Fact):
    """Leave the function."""

    value: Value | None
    line: int


class Throw(_Fact):
    """Leave by an exception."""

    line: int


class Break(_Fact):
    """Leave the enclosing loop or switch."""


class Continue(_Fact):
    """On to the next iteration."""


class Goto(_Fact):
    """Jump to a label."""

    label: str
    line: int


class Label(_Fact):
    """Where a goto lands."""

    name: str


class Block(_Fact):
    """A scope: its locals die at its end, in reverse order."""

    body: list[Stmt]
    end: int = 0


class If(_Fact):
    """Two ways on."""

    cond: Value | None
    then: Block
    orelse: Block | None = None


class Loop(_Fact):
    """*head* runs before each test of *cond*, *step* after each round; *at_least_once* for do."""

    head: Block
    cond: Value | None
    body: Block
    step: Block
    at_least_once: bool = False


class Switch(_Fact):
    """Cases in order, each falls into the next; *total* where there is a default.

    *labels* has a constant for each case, None for the default or where it is not known.
    """

    cases: list[Block]
    total: bool = False
    cond: Value | None = None
    labels: list[Value | None] = []


class Try(_Fact):
    """A body and its handlers."""

    body: Block
    handlers: list[Block]


Stmt = (
    Call
    | Make
    | Local
    | Assign
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

# -- declarations ---------------------------------------------------------------------------------


class Variable(_Fact):
    """A variable, parameter or field.

    ``kind`` is one of global, static (a function's), local, param, field, member (static data
    member).  ``type`` is the canonical spelling; ``owner`` the USR of the function or class.
    """

    usr: str
    name: str
    kind: str
    type: str
    owner: str = ""
    file: str = ""
    line: int = 0
    #: a global whose definition this is (and not an extern declaration)
    defined: bool = False


class Decl(_Fact):
    """A function that is called or named, whether or not its body is here."""

    usr: str
    name: str
    params: int = 0
    cls: str = ""
    virtual: bool = False
    result: str = ""


class Class(_Fact):
    """A class: its bases (qualified names), fields (USRs, in order), destructor, constructors."""

    usr: str
    name: str
    bases: list[str]
    fields: list[str]
    dtor: str = ""
    file: str = ""
    line: int = 0
    ctors: list[str] = []
    #: names of its template parameters
    tparams: list[str] = []


class Function(_Fact):
    """A function with a body.

    ``kind`` is one of function, method, constructor, destructor, lambda.  ``parent`` is the
    enclosing function of a lambda; ``overrides`` are USRs.  ``static`` where it has no object or,
    for a free function, internal linkage.
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


class Contract(_Fact):
    """A thread-safety attribute of a function or variable: *what* it says (see annotations).

    *args* are its arguments as written; *names* and *types* those of the function's parameters.
    """

    usr: str
    what: str
    args: list[str]
    line: int
    file: str
    names: list[str] = []
    types: list[str] = []


class FileFacts(_Fact):
    """Counts of one file (see model.FileCoverage) made while its facts were read."""

    file: str
    calls: int = 0
    calls_seen: int = 0
    filled: int = 0
    locks: int = 0
    locks_seen: int = 0
    inactive: int = 0
    headers_missing: list[str] = []
    errors: int = 0


class Facts(_Fact):
    """Everything one translation unit says."""

    main: str
    functions: list[Function]
    classes: list[Class]
    variables: list[Variable]
    decls: list[Decl]
    files: list[FileFacts]
    problem: str = ""
    contracts: list[Contract] = []


def walk(block: Block) -> Iterator[Stmt]:
    """Every statement and event of a body, in source order, nested ones included."""
    for statement in block.body:
        yield statement
        if isinstance(statement, Block):
            yield from walk(statement)
        elif isinstance(statement, If):
            yield from walk(statement.then)
            if statement.orelse is not None:
                yield from walk(statement.orelse)
        elif isinstance(statement, Loop):
            for part in (statement.head, statement.body, statement.step):
                yield from walk(part)
        elif isinstance(statement, Switch):
            for case in statement.cases:
                yield from walk(case)
        elif isinstance(statement, Try):
            yield from walk(statement.body)
            for handler in statement.handlers:
                yield from walk(handler)
        elif isinstance(statement, StaticInit):
            yield from walk(statement.body)


def renamed(unit: Facts, names: dict[str, str]) -> Facts:
    """*unit* with other keys for some declarations, wherever they occur."""

    def change(value: object) -> object:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, list | tuple):
            return [change(v) for v in value]
        return value

    return msgspec.convert(change(msgspec.to_builtins(unit)), Facts)
