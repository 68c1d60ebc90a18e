"""What one rank does, as far as other ranks can see it: operations below conditions and loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from lockorder.model import Frame
from lockorder.ranks.conditions import Condition
from lockorder.ranks.values import NONE, Deps, Value

Chain = tuple[Frame, ...]


class Op(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """One operation.

    *kind* is ``collective``, ``send``, ``recv``, ``wait``, ``open`` or ``close`` (a group of
    operations that are begun together), ``lock`` or ``unlock`` (of a window), ``ready`` or
    ``arrived`` (of parts of a message).  *comm* is a Comm, an Either or an Unknown.
    """

    kind: str
    name: str
    chain: Chain
    comm: Value | None = None
    #: what all ranks must agree on: names to values
    agreed: tuple[tuple[str, Value], ...] = ()
    peer: Value | None = None
    tag: Value | None = None
    #: of a send: returns once the other side has begun to receive, and not before
    rendezvous: bool = False
    #: of a send: what is sent is copied away, so that it never waits
    buffered: bool = False
    #: it may return before the message is received, but need not
    may_wait: bool = False
    #: begun only: ended by a wait for this number
    request: int = 0
    waits: tuple[int, ...] = ()
    #: one of these is enough, of those that no such wait has ended before
    some: bool = False
    #: it begins anew what may not be under way then
    again: bool = False
    #: of the call behind which nothing may come: what was begun, and nothing in the program ends
    left: tuple[int, ...] = ()
    #: what it is about is gone afterwards
    frees: bool = False
    #: where its request is put: a row, and the place in it
    slot: tuple[Any, Value] | None = None
    #: of a wait for one of several: the row that they stand in, its first place and their number
    row: tuple[Any, int, int] | None = None
    #: the place of the one that has ended, where that is decided
    picked: int = -1
    #: it is what it seems in any setting
    sure: bool = True
    #: the peer is a rank of the whole job, and not of the communicator
    absolute: bool = False
    #: of a collective: the rank of the whole job that it begins or ends with
    root: Value | None = None
    #: of a collective that shares out: how, and what is sent and received, as count and type
    shares: str = ""
    sizes: tuple[Value | None, ...] = ()
    #: of a send: what is sent, and how many parts it has
    data: Value | None = None
    count: Value | None = None
    #: of a message: the type of what is in it
    element: Value | None = None
    #: of a receive: the name by which values refer to the message
    receipt: str = ""
    #: of a message in parts that are sent one by one: how many
    parts: int = 0
    #: of ``ready`` and ``arrived``: which of them; none stands for all
    which: frozenset[int] = frozenset()
    #: of a lock: nobody else has it meanwhile
    exclusive: bool = False
    #: what it sends lies where the result goes; *placed* says on which ranks it may
    in_place: bool = False
    placed: str = ""
    #: the parameter that the root alone may give, where it is given
    gives: str = ""
    #: its library refuses a communicator of nobody, and calls behind the *last* one
    refuses: bool = False
    last: bool = False
    #: a program begins with it, before it knows anything of its rank
    begins: bool = False
    #: of a thread that begins: the collectives that it issues, beside what comes next
    beside: tuple[Op, ...] = ()
    #: the library refuses it, and why
    wrong: str = ""
    #: of who makes a graph: how many there are that it receives from, who, and whom it sends to
    edges: tuple[Value | None, ...] = ()
    #: a part of what another operation does
    inner: bool = False

    @property
    def is_message(self) -> bool:
        """Whether it sends, receives or looks for one message."""
        return self.kind in ("send", "recv", "probe")


class Decision(msgspec.Struct, frozen=True, eq=False):
    """A branch that the rank itself decides: which way it went."""

    chain: Chain
    taken: bool
    deps: Deps
    written: str
    #: the question that was answered, where it was one
    key: str = ""


class Exit(msgspec.Struct, frozen=True, eq=False):
    """Leaves: ``return``, ``break``, ``continue`` (of the construct *label*), ``raise``, ``end``.

    ``fail`` ends the whole job.
    """

    kind: str
    label: int = 0
    chain: Chain = ()


class Nested(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Base of what has other items in it, which do not change any more.

    What was found out of them is kept: whether they act, how they leave, whether they may raise.
    """

    acting: bool | None = None
    leaving: frozenset[tuple[str, int]] | None = None
    raising: bool | None = None
    talking: bool | None = None


class Choice(Nested, frozen=True, eq=False):
    """Two ways on."""

    condition: Condition
    deps: Deps
    chain: Chain
    first: list[Item]
    second: list[Item]


class Loop(Nested, frozen=True, eq=False):
    """*count* rounds, or as many as the question *key* says."""

    label: int
    key: str
    deps: Deps
    chain: Chain
    body: list[Item]
    orelse: list[Item]
    count: int | None = None
    at_least_once: bool = False
    #: ends by what its body asks alone (``while True``)
    endless: bool = False
    #: so many rounds fewer than the question says
    less: int = 0
    #: where a message decides: whether there is a first round, and whether there is one more
    tests: tuple[Condition, Condition] | None = None
    #: or what says how many there are
    times: Value | None = None


class Scope(Nested, frozen=True, eq=False):
    """A call, a loop that is unrolled or one round of it: an exit with this label ends it."""

    label: int
    body: list[Item]


class Attempt(Nested, frozen=True, eq=False):
    """``try``: a raise in *body* is caught by *handler*; *final* runs at any end."""

    body: list[Item]
    handler: list[Item] | None
    final: list[Item]


class MayRaise(msgspec.Struct, frozen=True, eq=False):
    """A call that can fail on this rank alone."""

    chain: Chain
    what: str
    deps: Deps = NONE


Item = Op | Decision | Exit | Choice | Loop | Scope | Attempt | MayRaise


def acts(items: list[Item]) -> bool:
    """Whether there is an operation in it."""
    return any(_acts(x) for x in items)


def _rows(item: Nested) -> tuple[list[Item], ...]:
    """The items in an item."""
    if isinstance(item, Choice):
        return item.first, item.second
    if isinstance(item, Loop):
        return item.body, item.orelse
    if isinstance(item, Attempt):
        return item.body, item.handler or [], item.final
    assert isinstance(item, Scope)
    return (item.body,)


def _acts(item: Item) -> bool:
    if not isinstance(item, Nested):
        return isinstance(item, Op)
    if item.acting is None:
        msgspec.structs.force_setattr(item, "acting", any(acts(row) for row in _rows(item)))
    return bool(item.acting)


def exits(items: list[Item]) -> set[tuple[str, int]]:
    """How it may leave what is around it: kinds of exits, with the construct that they end."""
    found: set[tuple[str, int]] = set()
    for item in items:
        if isinstance(item, Exit):
            found.add((item.kind, item.label))
        elif isinstance(item, Nested):
            found |= _exits(item)
    return found


def _exits(item: Nested) -> frozenset[tuple[str, int]]:
    if item.leaving is None:
        found = frozenset().union(*(exits(row) for row in _rows(item)))
        if isinstance(item, Loop | Scope):
            found = frozenset(x for x in found if x[1] != item.label)
        msgspec.structs.force_setattr(item, "leaving", found)
    assert item.leaving is not None
    return item.leaving


def raises(items: list[Item]) -> bool:
    """Whether something in it can fail on one rank alone."""
    return any(_raises(x) for x in items)


def _raises(item: Item) -> bool:
    if not isinstance(item, Nested):
        return isinstance(item, MayRaise)
    if item.raising is None:
        caught = isinstance(item, Attempt) and item.handler is not None
        found = not caught and any(raises(row) for row in _rows(item)[:2])
        msgspec.structs.force_setattr(item, "raising", found)
    return bool(item.raising)


def matters(items: list[Item]) -> bool:
    """Whether other ranks can see any of it, or it decides what comes after it."""
    return acts(items) or bool(exits(items))


def operations(items: list[Item]) -> Iterator[Op]:
    """All operations in some items, whatever they depend on."""
    for item in items:
        if isinstance(item, Op):
            yield item
        elif isinstance(item, Choice):
            yield from operations(item.first)
            yield from operations(item.second)
        elif isinstance(item, Loop | Scope):
            yield from operations(item.body)
        elif isinstance(item, Attempt):
            yield from operations([*item.body, *(item.handler or []), *item.final])


def turns(items: list[Item]) -> Iterator[Chain]:
    """Where something is decided in some items, whatever it depends on."""
    for item in items:
        if isinstance(item, Choice | Loop | Decision | MayRaise):
            yield item.chain
        for row in _rows(item) if isinstance(item, Choice | Loop | Scope | Attempt) else ():
            yield from turns(row)


def has_messages(item: Nested) -> bool:
    """Whether ranks send or receive in it."""
    if item.talking is None:
        found = any(op.is_message for row in _rows(item) for op in operations(row))
        msgspec.structs.force_setattr(item, "talking", found)
    return bool(item.talking)
