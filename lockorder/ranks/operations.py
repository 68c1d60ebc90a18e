"""The operations of declared calls, as other ranks meet them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import msgspec

from lockorder.knowledge.rank_schema import RankCall
from lockorder.ranks.builtins import Builtins
from lockorder.ranks.effects import Op
from lockorder.ranks.expressions import NO_VALUE, place_of
from lockorder.ranks.groups import UNDEFINED
from lockorder.ranks.machine import MISSING, Pointer
from lockorder.ranks.values import (
    ORDER,
    Const,
    Either,
    Function,
    Holding,
    Obj,
    Request,
    Sized,
    Tup,
    Unknown,
    Value,
)

#: By which a row of requests has how many of them are under way.
_UNDER_WAY = " under way"


class Arguments:
    """The arguments of a call, by the names of the parameters."""

    def __init__(
        self, told: RankCall, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> None:
        self.values: dict[str, Value] = dict(named_args)
        self.nodes: dict[str, ast.expr] = {}
        for name, value in zip(told.parameters, args, strict=False):
            self.values[name] = value
        if node is not None:
            plain = [a for a in node.args if not isinstance(a, ast.Starred)]
            for name, one in zip(told.parameters, plain, strict=False):
                self.nodes[name] = one
            for keyword in node.keywords:
                if keyword.arg is not None:
                    self.nodes[keyword.arg] = keyword.value

    def __getitem__(self, name: str) -> Value | None:
        return self.values.get(name) if name else None


class Issued(msgspec.Struct, eq=False):
    """A declared call that does something with other ranks."""

    told: RankCall
    path: str
    name: str
    given: Arguments
    comm: Value
    base: Value | None
    #: of what is only begun; and where its request is put
    number: int = 0
    slot: tuple[Any, Value] | None = None


class Operations(Builtins):
    """What declared calls issue."""

    def issue(self, op: Op) -> None:
        """Note an operation."""
        self.out.append(op)

    def does(
        self, told: RankCall, path: str, what: Unknown, given: Arguments, comm: Value, result: Value
    ) -> Value:
        """Issue what a call does; what it gives: *result*, or the request for what it began."""
        if told.is_rank:
            rank, group = given[told.is_rank], given[told.comm] if told.comm else None
            self.learned(rank)
            # All would have the rank that is one's default: whoever starts them gives each its own.
            self.excluded |= self.defaults and isinstance(rank, Const) and not rank.deps
            if isinstance(group, Const) and not (isinstance(rank, Const) and not rank.deps):
                self.tables.named.add(str(group.value))
                comm = self.as_comm(group)
        wanted = given[told.size]
        if isinstance(wanted, Const) and isinstance(wanted.value, int) and wanted.value > 0:
            self.excluded |= wanted.value != self.world.size
        own = told.does == "persistent" and told.operation in ("send", "recv")
        name = (not own and told.operation) or path.rpartition(".")[2].removesuffix("()")
        call = Issued(told, path, name, given, comm, what.base)
        flag = given[told.asynchronous]
        begun = isinstance(flag, Const) and bool(flag.value) if told.asynchronous else told.request
        if begun:
            self.requests += 1
            call.number = self.requests
            self.begun_here.add(call.number)
            call.slot = self._slot(given[told.request]) if told.request else None
        handler = self.handlers().get(told.does)
        if begun and told.equal and told.request:
            self.arriving[call.number] = call
        made = handler(call) if handler is not None else None
        if made is not None:
            return made
        return self._requested(call, result) if begun else result

    def _slot(self, pointer: Value | None) -> tuple[Any, Value] | None:
        """The row and the place in it that a pointer leads to, where both are known."""
        if not isinstance(pointer, Pointer):
            return None
        home, name = pointer.key
        at = place_of(name)
        index = Const(at) if at is not None else self.said_places.get(name)
        return (home, index) if index is not None else None

    def handlers(self) -> dict[str, Callable[[Issued], Value | None]]:
        """What is done with each kind of call."""
        return {
            "collective": self._collective, "send": self._message, "recv": self._message,
            "probe": self._message, "sendrecv": self._both_ways, "wait": self._wait,
            "persistent": self._persistent, "start": self._start, "join": self._plain_op,
            "open": self._plain_op, "close": self._plain_op, "begin": self._begin,
            "batch": self._batch, "cancel": self._cancel, "wait_some": self._wait_some,
            "freed": self._freed,
        }  # fmt: skip

    def _requested(self, call: Issued, result: Value) -> Value:
        """The request of what was begun, where it belongs."""
        told = call.told
        if told.asynchronous or told.request == "return":
            torch = call.path.startswith("torch")
            kind = "torch.distributed.Work" if torch else f"{call.path}()"
            return Request((call.number,), kind)
        self._one_more(call)
        if not self._kept(call.given[told.request]):
            self.awaited.add(call.number)
        self.put(call.given, told.request, Request((call.number,)))
        return result

    def put(self, given: Arguments, name: str, value: Value) -> None:
        """Write a value to what an argument names, or leads to."""
        pointer, target = given[name], given.nodes.get(name)
        if isinstance(pointer, Pointer):
            self.set(pointer.key, value)
        elif isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            self.assign(target, value)

    def agreed(self, call: Issued) -> tuple[tuple[str, Value], ...]:
        """On what all ranks must agree."""
        given = call.given
        in_place = _is_in_place(given["sendbuf"])
        found: list[tuple[str, Value]] = []
        for key in call.told.agreed:
            value = self.row_of(given[key])
            if value is not None and not (in_place and key.startswith("send")):
                found.append((key, value))
        sizes = self.sizes_of(given[call.told.shaped])
        splits = [given[name] for name in call.told.splits]
        if any(not _is_nothing(x) for x in splits):
            rows = [self.settled(x) for x in splits if x is not None]
            if len(rows) == len(splits):
                found.append(("splits", Tup(tuple(r for r in rows if r is not None))))
        elif sizes is not None:
            found.append(("shape", sizes))
        if call.told.in_place == "all":
            found.append(("in place", Const(in_place)))
        order = [d for v in given.values.values() for d in self.of(v) if d.startswith(ORDER)]
        if order and not call.told.beside:
            found.append(("data", Unknown("data", frozenset(order))))
        return tuple(found)

    def sizes_of(self, value: Value | None) -> Value | None:
        """How large a tensor is, or each tensor of a row, where it is known of all of them."""
        if isinstance(value, Sized):
            return Tup(value.shape)
        if isinstance(value, Either):
            sides = self.sizes_of(value.first), self.sizes_of(value.second)
            known = None not in sides
            return Either(value.condition, value.deps, *sides) if known else None  # type: ignore[arg-type]
        if not isinstance(value, Obj | Tup):
            return None
        items = self.items(value)
        if items is None:
            each = self.held_each(value)
            items = (each,) if each is not None else ()
        rows = [self.sizes_of(x) for x in items]
        return Tup(tuple(r for r in rows if r is not None)) if rows and None not in rows else None

    def _collective(self, call: Issued) -> None:
        self.issue(Op(
            kind="collective", name=call.name, chain=self.chain(), comm=call.comm,
            agreed=self.agreed(call), request=call.number, slot=call.slot,
            sure=not call.told.perhaps,
            root=call.given[call.told.root], shares=call.told.shares, sizes=self._sizes(call),
            placed=call.told.in_place, in_place=self._in_place(call),
            refuses=self.known.refuses(call.path), last=call.told.last,
            left=self._left() if call.told.last else (), frees=bool(call.told.nulls),
            begins=call.told.begins, gives=self._given_as_root(call), edges=self._edges(call),
        ))  # fmt: skip

    def _edges(self, call: Issued) -> tuple[Value | None, ...]:
        """Of a graph: whom this rank receives from, and whom it sends to."""
        if call.told.grid != "edges":
            return ()
        found: list[Value | None] = []
        for many, ranks in (("indegree", "sources"), ("outdegree", "destinations")):
            row, count = self.row_of(call.given[ranks]), self.whole(call.given[many])
            row = Tup((row,)) if isinstance(row, Const) and count == 1 else row
            if count == 0:
                row = Tup(())
            elif many in call.told.parameters and isinstance(row, Tup):
                row = Tup(row.items[:count]) if count is not None else None
            found.append(row)
        return tuple(found)

    def _given_as_root(self, call: Issued) -> str:
        """The parameter that the root alone may give, where it is given."""
        value = call.given[call.told.root_only]
        known = isinstance(value, Obj | Tup) or (isinstance(value, Const) and bool(value.value))
        return call.told.root_only if known else ""

    def _in_place(self, call: Issued) -> bool:
        return any(_is_in_place(call.given[name]) for name in ("sendbuf", "recvbuf"))

    def _sizes(self, call: Issued) -> tuple[Value | None, ...]:
        """Counts and types of what is sent and received, where a collective shares out."""
        if not call.told.shares:
            return ()
        given = call.given
        ways = (("sendbuf", "sendcount", "sendtype"), ("recvbuf", "recvcount", "recvtype"))
        found: list[Value | None] = []
        for place, count, kind in ways:
            if _is_in_place(given[place]):
                found += [None, None]
            else:
                found += [self.row_of(given[count] or given[f"{count}s"]), given[kind]]
        return tuple(found)

    def _message(self, call: Issued) -> None:
        told, given = call.told, call.given
        peer = given[told.to or told.source]
        if peer is None and told.does != "send":
            peer = Const("any")
        self.issue(Op(
            kind=told.does, name=call.name, chain=self.chain(), comm=call.comm, peer=peer,
            tag=given[told.tag], rendezvous=told.waits == "always",
            buffered=told.waits == "never",
            may_wait=told.waits == "maybe", request=call.number, slot=call.slot,
            sure=not told.perhaps,
            absolute=told.absolute, refuses=self.known.refuses(call.path),
            **self._contents(call, told.does),
        ))  # fmt: skip

    def _contents(self, call: Issued, kind: str) -> dict[str, Any]:
        """What is sent, or the name of what is received."""
        told, given = call.told, call.given
        other = kind != "send" and told.does == "sendrecv"
        element = given[told.receive_element if other else told.element]
        count = given[told.receive_counts if other else told.counts]
        if kind != "send":
            self.receipt = self.label(f"{call.path}@{self.top.line}")
            return {"receipt": self.receipt, "element": element, "count": count}
        first = told.parameters[:1]  # what is sent comes first in all of these interfaces
        data = self.settled(given[first[0]]) if first else None
        content = data.content if isinstance(data, Holding) else data
        return {"data": content, "count": count, "element": element}

    def _both_ways(self, call: Issued) -> None:
        told, given, chain = call.told, call.given, self.chain()
        self.requests += 2
        pair = (self.requests - 1, self.requests)
        for kind, peer, tag, number in (
            ("send", told.to, told.tag, pair[0]), ("recv", told.source, told.receive_tag, pair[1])
        ):  # fmt: skip
            self.issue(Op(
                kind=kind, name=call.name, chain=chain, comm=call.comm, peer=given[peer],
                tag=given[tag], request=number, **self._contents(call, kind),
            ))  # fmt: skip
        self.issue(Op(kind="wait", name=call.name, chain=chain, waits=pair))

    def _wait(self, call: Issued) -> None:
        told = call.told
        held = call.base if told.comm == "self" else call.given[told.comm]
        numbers = self.numbers_of(held, call.given["count"])
        self.ended_in(held)
        self.asks_for(numbers)
        if numbers:
            self.issue(Op(kind="wait", name=call.name, chain=self.chain(), waits=numbers))
        for number in numbers:
            begun = self.arriving.get(number)
            if begun is not None:
                self.arrived(begun)

    def _wait_some(self, call: Issued) -> None:
        op = self.some_of(call)
        if op is not None:
            self.issue(op)

    def some_of(self, call: Issued) -> Op | None:
        """The wait for one of several: of those in a row, which one it is is known once it is
        played."""
        held, many = call.given[call.told.comm], self.whole(call.given["count"])
        numbers = self.numbers_of(held, call.given["count"])
        home = (held.number, 0) if isinstance(held, Obj) else self._row(held)
        row = (*home, many) if home is not None and many is not None else None
        self.receipt = self.label(f"{call.path}@{self.top.line}") if row is not None else ""
        self.asks_for(numbers)
        self.ended_now = self._counted_down(row) if row is not None else None
        if not numbers:
            return None
        return Op(
            kind="wait", name=call.name, chain=self.chain(), waits=numbers, some=True,
            receipt=self.receipt, row=row,
        )  # fmt: skip

    def _counted_down(self, row: tuple[Any, int, int]) -> Value | None:
        """How many a wait for some of a row ends, where it is known how many are under way: one, or
        UNDEFINED where there are none."""
        home, first, many = row
        key = home, _UNDER_WAY
        left: Value | None = self.get(key)
        if left is None:
            slots = [self.get((home, f"[{first + i}]")) for i in range(many)]
            if any(not isinstance(slot, Request) for slot in slots):
                return None
            left = Const(many)
        known = self.whole(left)
        if known is None or self.abstract():
            self.set(key, Unknown(_UNDER_WAY))
            return None
        self.set(key, Const(max(known - 1, 0)))
        return Const(1 if known else UNDEFINED)

    def ended_in(self, held: Value | None) -> None:
        """Some of a row may have ended: how many are under way is not counted any more."""
        row = self._row(held)
        if row is not None and self.get((row[0], _UNDER_WAY)) is not None:
            self.set((row[0], _UNDER_WAY), Unknown(_UNDER_WAY))

    def _one_more(self, call: Issued) -> None:
        """A request is put into a row of which it is known how many are under way."""
        if call.slot is None:
            return
        key = call.slot[0], _UNDER_WAY
        known = self.whole(self.get(key))
        if known is not None:
            self.set(key, Const(known + 1))

    def _cancel(self, call: Issued) -> None:
        numbers = self.numbers_of(call.given[call.told.comm])
        self.asks_for(numbers)
        self.issue(Op(kind="cancel", name=call.name, chain=self.chain(), waits=numbers))

    def _freed(self, call: Issued) -> None:
        """A request that nobody asks for any more: it ends by itself."""
        self.asks_for(self.numbers_of(call.given[call.told.comm]))

    def asks_for(self, numbers: tuple[int, ...]) -> None:
        """What was begun is waited for, or asked for, somewhere."""
        self.awaited.update(numbers)
        self.unclear |= not numbers

    def _kept(self, pointer: Value | None) -> bool:
        """Whether a request is put into a variable: of one in a row others may know, too."""
        if not isinstance(pointer, Pointer):
            return False
        home, name = pointer.key
        return not name.startswith("[") and any(home == frame.number for frame in self.stack)

    def _left(self) -> tuple[int, ...]:
        """What was begun, and is neither waited for nor asked for in what was run so far."""
        return () if self.unclear else tuple(sorted(self.begun_here - self.awaited))

    def _persistent(self, call: Issued) -> None:
        told, given = call.told, call.given
        kind = told.operation if told.operation in ("send", "recv") else "collective"
        self.prepared[call.number] = Op(
            kind=kind, name=call.name, chain=self.chain(), comm=call.comm,
            agreed=self.agreed(call), peer=given[told.to or told.source], tag=given[told.tag],
            request=call.number, slot=call.slot, refuses=self.known.refuses(call.path),
            count=given[told.counts], element=given[told.element],
            parts=self.whole(given["partitions"]) or 0, rendezvous=told.waits == "always",
            buffered=told.waits == "never",
        )  # fmt: skip

    def _start(self, call: Issued) -> None:
        held = self.led_to(call.given[call.told.comm])
        numbers = self.numbers_of(call.given[call.told.comm], call.given["count"])
        if isinstance(held, Request) and not self.prepared.keys() & set(numbers):
            self.issue(Op(
                kind="start", name=call.name, chain=self.chain(), refuses=True,
                wrong="is given a request that is not persistent",
            ))  # fmt: skip
        for one in numbers:
            if one in self.prepared:
                again = one not in self.tested
                self.issue(msgspec.structs.replace(
                    self.prepared[one], chain=self.chain(), again=again
                ))  # fmt: skip

    def _plain_op(self, call: Issued) -> None:
        self.issue(Op(kind=call.told.does, name=call.name, chain=self.chain(), comm=call.comm))

    def _begin(self, call: Issued) -> Value:
        """One of a list of operations that are begun together later."""
        given = call.given
        self.requests += 1
        result = Unknown(f"{self.label(call.path)}#{self.requests}")
        self.batched[result.id] = given["op"], given["peer"], given["group"], given["tag"]
        return result

    def learned(self, value: Value | None) -> None:
        """What a program hands over as its rank is its rank, wherever that value is."""
        if not isinstance(value, Unknown) or value.deps:
            return
        rank = self.number_of("rank", self.world_comm)
        if value.base is not None and value.name.startswith(f"{value.base.id}."):
            self.set_member(value.base, value.name.removeprefix(f"{value.base.id}."), rank)
        for key, held in list(self.store.items()):
            if isinstance(held, Unknown) and held.name == value.name and held is not MISSING:
                self.set(key, rank)

    def together(self, what: Function) -> None:
        self.issue(Op(
            kind="collective", name=what.name, chain=self.chain(), comm=self.world_comm, sure=False
        ))  # fmt: skip

    def _together(self, args: list[Value]) -> Value:
        """A function that is a collective whenever it is called."""
        what = args[0] if args else NO_VALUE
        if isinstance(what, Function):
            return Function(
                what.node, what.module, what.name, what.frame, what.bound, what.owner,
                what.traits | {"together"}, what.only,
            )  # fmt: skip
        return what

    def settled(self, value: Value | None) -> Value | None:
        """A list as what is in it now."""
        if isinstance(value, Pointer):
            value = self.get(value.key)
        if isinstance(value, Obj):
            items = self.items(value)
            if items is not None:
                return Tup(items)
        if isinstance(value, Obj | Unknown):
            home = value.number if isinstance(value, Obj) else f"u:{value.id}"
            parts = [v for _, v in self.parts(home) if isinstance(v, Const)]
            if parts:
                return Tup(tuple(parts))
        return Unknown(value.id, self.of(value)) if isinstance(value, Obj) else value

    @staticmethod
    def whole(value: Value | None) -> int | None:
        """A number that is known."""
        known = isinstance(value, Const) and isinstance(value.value, int)
        return int(value.value) if known and isinstance(value, Const) else None

    def numbers_of(self, value: Value | None, count: Value | None = None) -> tuple[int, ...]:
        """The requests in a value: in the first *count* places of a row, where that is known."""
        many, row = self.whole(count), self._row(value)
        if many is not None and row is not None:
            number, start = row
            slots = [self.get((number, f"[{i}]")) for i in range(start, start + many)]
            return tuple(dict.fromkeys(n for slot in slots for n in self.numbers_of(slot)))
        if isinstance(value, Pointer):
            value = self.get(value.key)
        if isinstance(value, Request):
            return value.numbers
        if isinstance(value, Either):
            return (*self.numbers_of(value.first), *self.numbers_of(value.second))
        found: list[int] = []
        if value is not None:
            for item in self.items(value) or ():
                found += self.numbers_of(item)
            row = self._row(value) if not isinstance(value, Obj) else (value.number, 0)
            if row is not None:
                for _, held in self.parts(row[0]):
                    if isinstance(held, Request):
                        found += held.numbers
        return tuple(dict.fromkeys(found))

    def row_of(self, value: Value | None) -> Value | None:
        """An array of numbers as those in it now, from where *value* leads."""
        row = self._row(value)
        if row is None or isinstance(value, Unknown):
            return self.settled(value)
        home, at = row
        found: list[Value] = []
        while isinstance(held := self.get((home, f"[{at + len(found)}]")), Const):
            found.append(held)
        return Tup(tuple(found)) if found else self.settled(value)

    def _row(self, value: Value | None) -> tuple[Any, int] | None:
        """Where the elements of the array are kept that a value is or leads into, and the place
        it leads to."""
        if isinstance(value, Pointer):
            home, name = value.key
            place = place_of(name)
            if place is not None:
                return home, place
            value = self.get(value.key)
        if isinstance(value, Obj) and value.kind == "array":
            return value.number, 0
        return (f"u:{value.id}", 0) if isinstance(value, Unknown) else None

    def _batch(self, call: Issued) -> Value:
        """``batch_isend_irecv``: all of a list are begun together."""
        rows = call.given["p2p_op_list"]
        return self._batch_of(call, rows) if rows is not None else NO_VALUE

    def _batch_of(self, call: Issued, rows: Value) -> Value:
        """The same of one list, or of what it is on either side of a branch."""
        sides = self.sides(rows)
        if sides is not None:
            return self.choose(
                sides.condition, sides.deps, sides.condition.text,
                lambda: self._batch_of(call, sides.first),
                lambda: self._batch_of(call, sides.second),
            )  # fmt: skip
        name, chain = call.name, self.chain()
        made: list[Value] = []
        items = self.items(rows)
        if items is None:
            # Some messages, of which it is not known which: those of this program are open.
            self.requests += 1
            self.issue(Op(
                kind="send", name=name, chain=chain, peer=Unknown(f"peers of {name}"),
                comm=self.world_comm, buffered=True, request=self.requests, absolute=True,
            ))  # fmt: skip
            made.append(Request((self.requests,), "torch.distributed.Work"))
        for item in items or ():
            held = self.batched.get(item.id)
            if held is None:
                continue
            op, peer, group, tag = held
            self.requests += 1
            kind = "send" if isinstance(op, Unknown) and "send" in op.path else "recv"
            self.issue(Op(
                kind=kind, name=name, chain=chain, comm=self.as_comm(group), peer=peer, tag=tag,
                request=self.requests, absolute=True,
            ))  # fmt: skip
            made.append(Request((self.requests,), "torch.distributed.Work"))
        return self.new("list", f"{name}{self.requests}", tuple(made))

    #: what was begun; what is asked for by tests
    begun_here: set[int]
    tested: set[int]
    #: it is not known what some wait or test is for
    unclear = False
    #: how many a wait for some of several has ended, where that is known
    ended_now: Value | None = None
    #: what was begun, and what it gives is there once it was waited for
    arriving: dict[int, Issued]
    #: the name of the message that was received last
    receipt = ""
    prepared: dict[int, Op]
    batched: dict[str, tuple[Value | None, Value | None, Value | None, Value | None]]

    def arrived(self, call: Issued) -> None:
        """What a call that was begun gives is there now."""
        raise NotImplementedError

    def as_comm(self, value: Value | None) -> Value:
        raise NotImplementedError

    def number_of(self, what: str, comm: Value) -> Value:
        raise NotImplementedError


def _is_nothing(value: Value | None) -> bool:
    return value is None or (isinstance(value, Const) and value.value is None)


def _is_in_place(buffer: Value | None) -> bool:
    """Whether what is handed over says that the data lies where the result goes (MPI_IN_PLACE)."""
    return isinstance(buffer, Unknown) and buffer.path.endswith("IN_PLACE")
