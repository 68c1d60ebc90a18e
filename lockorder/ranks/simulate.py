"""Plays the rows of all ranks against each other: who waits for whom where nothing moves."""

from __future__ import annotations

from typing import Any

import msgspec

from lockorder.ranks import agreement, elements
from lockorder.ranks.agreement import Unfit
from lockorder.ranks.effects import Op
from lockorder.ranks.flatten import Heard, Message, Row, number
from lockorder.ranks.groups import UNDEFINED
from lockorder.ranks.refused import refused
from lockorder.ranks.values import Comm, Const, Value
from lockorder.ranks.window_locks import WindowLock, WindowLocks

#: A peer that is nobody: what is sent there or comes from there is done at once.
NOBODY = "nobody"
#: Any sender, or any tag.
ANY = "any"
#: What was begun with nobody: it is over at once.
_NOTHING = "nothing"


class Outcome(msgspec.Struct):
    """How it ended.

    *kind* is ``done``, ``stuck``, ``differs`` (two ranks' operations do not fit), ``unmatched``
    (an operation that was begun and never meets its other side), ``outside`` (a peer that is no
    rank), ``stranger`` (a peer or root that is none of the group), ``nobody`` (a communicator that
    the rank is not in), ``over`` (a call behind the last one that is allowed), ``refused`` (a call
    that no library takes; ``range``: that it does not take in a job of this size), or ``beside``
    (another thread of the rank issues on the same communicator).  *at* has, for each rank, the
    operation that it waits in, or None for its end.
    """

    kind: str
    at: dict[int, Op | None] = {}
    ranks: tuple[int, int] = (0, 0)
    ops: tuple[Op | None, Op | None] = (None, None)
    what: str = ""
    #: by rank: who has the lock that it waits for
    holders: dict[int, int] = {}
    #: by rank: the message that it waits for, where it waits for several
    pending: dict[int, Op] = {}


class _Message(msgspec.Struct, eq=False):
    op: Op
    source: int | None
    target: int | None
    tag: Any
    rank: int
    matched: bool = False
    #: of a receive: the message that it got
    by: _Message | None = None
    #: of a message in parts: those that its sender has made ready
    ready: set[int] = set()

    def has_come(self, which: frozenset[int] = frozenset()) -> bool:
        """Whether it has met its other side, and these parts of it, or all, are there."""
        if not self.matched:
            return False
        message = self if self.op.kind == "send" else self.by
        if message is None or not message.op.parts:
            return True
        alike = self.op.parts == message.op.parts
        return len(message.ready) >= message.op.parts or bool(
            which and alike and which <= message.ready
        )


class _Arrival(msgspec.Struct, eq=False):
    """A wait for some parts of a message."""

    message: _Message
    which: frozenset[int]


class _Some(msgspec.Struct, eq=False):
    """A wait for one of several that were begun, each with its place in a row where it has one.

    *picked* is the place of the one that it has to be.
    """

    things: list[tuple[int, Any]]
    picked: int = -1
    #: how it ended: the place, or UNDEFINED where there was none that had not ended before
    index: int | None = None
    ended: Any = None


class _Slot(msgspec.Struct, eq=False):
    ops: dict[int, Op] = {}


class Play:
    """One play; *strict*: no send returns before it is received.

    Ranks move in turns from rank *first* on, each as far as it can; where they are to *share*,
    another one moves whenever one has taken the lock of a window.
    """

    def __init__(
        self, rows: list[Row], strict: bool, first: int = 0, share: bool = False
    ) -> None:  # fmt: skip
        self.first, self.share = first, share
        self.locks = WindowLocks()
        #: what a wait for one of several has ended, by its identity
        self.ended: dict[int, Any] = {}
        #: by rank: what threads of it issue meanwhile
        self.beside: list[list[Op]] = [[] for _ in rows]
        #: by rank: the call behind which it may make no other one
        self.over: dict[int, str] = {}
        self.rows = [row.ops for row in rows]
        self.fails = [row.end == "fail" for row in rows]
        self.strict = strict
        self.size = len(rows)
        self.at = [0] * self.size
        self.entered = [False] * self.size
        self.slots: dict[str, list[_Slot]] = {}
        self.place: dict[tuple[str, int], int] = {}
        self.sends: dict[tuple[str, int | None], list[_Message]] = {}
        self.recvs: dict[tuple[str, int | None], list[_Message]] = {}
        self.requests: dict[tuple[int, int], Any] = {}
        #: by rank: requests that may be used again, and are under way
        self.live: list[set[int]] = [set() for _ in rows]
        #: by rank: what was begun last for a place in a row of requests
        self.placed: list[dict[tuple[Any, int], Any]] = [{} for _ in rows]
        self.current: list[Any] = [None] * self.size
        self.groups: list[list[Any] | None] = [None] * self.size
        self.depth = [0] * self.size
        self.members: dict[str, tuple[int, ...]] = {}
        self.outcome: Outcome | None = None
        #: who answers for itself with nothing until all have come so far
        self.joined: dict[int, Op] = {}
        self.released: set[int] = set()
        #: by rank and receive: what it got, in order
        self.heard: list[dict[str, list[_Message | _Some]]] = [{} for _ in rows]

    # -- moving -----------------------------------------------------------------------------------

    def run(self) -> Outcome:
        """Play until nothing moves."""
        moved = True
        while moved and self.outcome is None:
            moved = False
            for turn in range(self.size):
                rank = (self.first + turn) % self.size
                while self._step(rank):
                    moved = True
                    if self.share and self.rows[rank][self.at[rank] - 1].kind == "lock":
                        break
        if self.outcome is not None:
            return self.outcome
        waiting = {
            r: (self.rows[r][self.at[r]] if self.at[r] < len(self.rows[r]) else None)
            for r in range(self.size)
        }
        if any(op is not None for op in waiting.values()):
            holders = self._holders()
            what = "lock" if holders else ""
            return Outcome("stuck", waiting, what=what, holders=holders, pending=self._pending())
        return self._left_over()

    def _step(self, rank: int) -> bool:
        """Begin or end the rank's next operation; whether anything happened."""
        if self.outcome is not None:
            return False
        if self.at[rank] >= len(self.rows[rank]):
            if self.fails[rank]:
                # Whoever starts ranks ends them all where one fails.
                self.outcome = Outcome("failed")
            return False
        op = self.rows[rank][self.at[rank]]
        began = not self.entered[rank]
        if began:
            self.entered[rank] = True
            self.current[rank] = self._begin(rank, op)
        if not self._done(rank, self.current[rank]):
            return began and op.kind == "join"  # that it has come may be all that others need
        self.at[rank] += 1
        self.entered[rank] = False
        return True

    def _begin(self, rank: int, op: Op) -> Any:
        """What the operation waits for: a list of things, all of which must be done."""
        if rank in self.over and op.refuses and self.outcome is None:
            self.outcome = Outcome("over", {}, (rank, rank), (op, op), self.over[rank])
        if op.refuses and self.outcome is None:
            self._refused(rank, op)
        if self.outcome is not None:
            return []
        if op.last:
            self.over[rank] = op.name
            self._unfinished(rank, op)
        if op.kind == "open":
            if self.groups[rank] is None:
                self.groups[rank] = []
            self.depth[rank] += 1
            return []
        if op.kind == "close":
            self.depth[rank] = max(self.depth[rank] - 1, 0)
            if self.depth[rank]:
                return []  # only the outermost group is waited for
            waits, self.groups[rank] = self.groups[rank], None
            return waits or []
        if op.kind in ("wait", "cancel"):
            self.live[rank] -= set(op.waits)
        if op.kind == "wait" and op.some:
            return [self._some(rank, op)]
        if op.kind == "wait":
            return [self.requests[rank, n] for n in op.waits if (rank, n) in self.requests]
        if op.kind == "join":
            self.joined[rank] = op
            return ["join"]
        if op.kind in ("lock", "unlock"):
            return self._lock(rank, op)
        if op.kind == "cancel":
            for one in self._messages_of(rank, op):
                one.matched = True  # nobody waits for it any more, on either side
            return []
        if op.kind in ("ready", "arrived"):
            return self._part(rank, op)
        if op.kind in ("thread", "joined"):
            self.beside[rank] = [*self.beside[rank], *op.beside] if op.kind == "thread" else []
            return []
        if op.kind == "local":
            self._not_there(rank, op)
            return []
        thing = self._collective(rank, op) if op.kind == "collective" else self._message(rank, op)
        place = number(op.slot[1]) if op.slot is not None else None
        if op.slot is not None and place is not None:
            self.placed[rank][op.slot[0], place] = thing if thing is not None else _NOTHING
        group = self.groups[rank]
        if group is not None:
            group.append(thing)
            return []
        if op.request:
            if op.again and op.request in self.live[rank] and self.outcome is None:
                why = "begins what it has begun before, and not waited for"
                self.outcome = Outcome("refused", {}, (rank, rank), (op, op), why)
            if op.again and thing is not None:
                self.live[rank].add(op.request)
            self.requests[rank, op.request] = thing
            return []
        return [thing]

    def _refused(self, rank: int, op: Op) -> None:
        members = self.members_of(op.comm)
        found = refused(op, rank, members) if rank in members else None
        if found is not None:
            kind = "range" if found.by_size else "refused"
            self.outcome = Outcome(kind, {}, (rank, rank), (op, op), found.why)

    def _unfinished(self, rank: int, op: Op) -> None:
        """What a rank has begun and nobody ends before the call behind which nothing may come."""
        for number_of_it in op.left:
            thing = self.requests.get((rank, number_of_it))
            begun = thing.op if isinstance(thing, _Message) else None
            if isinstance(thing, tuple):
                begun = thing[0].ops.get(rank)
            if begun is not None and self.outcome is None:
                why = f"is begun, and neither waited for nor freed before {op.name}"
                self.outcome = Outcome("refused", {}, (rank, rank), (begun, begun), why)

    def _done(self, rank: int, waits: list[Any]) -> bool:
        return all(self._is_done(w, rank) for w in waits)

    def _is_done(self, thing: Any, rank: int) -> bool:
        if isinstance(thing, _Some):
            left = [(i, one) for i, one in thing.things if id(one) not in self.ended]
            for i, one in left:
                if thing.picked in (-1, i) and self._is_done(one, rank):
                    self.ended[id(one)] = one
                    thing.index, thing.ended = i, one
                    return True
            if not left:
                thing.index = UNDEFINED if thing.things else -1
            return not left
        if isinstance(thing, WindowLock):
            return self.locks.grant(thing)
        if isinstance(thing, _Arrival):
            return thing.message.has_come(thing.which)
        if isinstance(thing, _Message):
            if thing.matched:
                return thing.has_come()
            if thing.op.kind != "send":
                return False
            whole = len(thing.ready) >= thing.op.parts
            return thing.op.buffered or (whole and not self.strict and not thing.op.rendezvous)
        if thing == "join":
            if len(self.joined) == self.size:
                top: dict[str, int] = {}
                for (name, _), place in self.place.items():
                    top[name] = max(top.get(name, 0), place)
                for name, place in top.items():
                    for one in range(self.size):
                        self.place[name, one] = place
                self.released = set(self.joined)
                self.joined.clear()
            if rank in self.released:
                self.released.discard(rank)
                return True
            return False
        if isinstance(thing, tuple):
            slot, members = thing
            done = all(m in slot.ops or m in self.joined for m in members)
            if done:
                for m in members:
                    slot.ops.setdefault(m, self.joined.get(m, slot.ops[rank]))
            return done
        return True

    # -- windows, and messages in parts -----------------------------------------------------------

    def _lock(self, rank: int, op: Op) -> list[Any]:
        members, window = self.members_of(op.comm), self.name_of(op.comm)
        target = number(op.peer)
        if op.peer is not None and target is None:
            self.locks.doubt(rank, window)
            return []  # whose part it is is not known
        targets = members if target is None else members[target : target + 1]
        if op.kind == "lock":
            return [WindowLock(rank, window, targets, op.exclusive, target is None)]
        if not self.locks.release(rank, window, targets) and op.refuses and self.outcome is None:
            why = "gives up a lock that it has not taken"
            self.outcome = Outcome("refused", {}, (rank, rank), (op, op), why)
        return []

    def _pending(self) -> dict[int, Op]:
        found: dict[int, Op] = {}
        for rank, waits in enumerate(self.current):
            if self.entered[rank]:
                messages = [
                    t.message if isinstance(t, _Arrival) else t
                    for t in waits
                    if not self._is_done(t, rank)
                ]
                found.update((rank, m.op) for m in messages[:1] if isinstance(m, _Message))
        return found

    def _holders(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for rank, waits in enumerate(self.current):
            for thing in waits or ():
                if isinstance(thing, WindowLock) and not thing.granted:
                    found[rank] = self.locks.holder(thing)
        return found

    def _some(self, rank: int, op: Op) -> _Some:
        """One of several: those in a row, where that is known, or all that may be meant."""
        found: list[tuple[int, Any]] = []
        if op.row is not None:
            home, first, many = op.row
            for at in range(many):
                thing = self.placed[rank].get((home, first + at))
                if thing is not None:
                    found.append((at, thing))
        begun = [self.requests.get((rank, n)) for n in op.waits]
        there = {id(thing) for _, thing in found} | self.ended.keys()
        by_place = bool(found) and all(t is None or id(t) in there for t in begun)
        if not by_place:
            found = [(-1, thing) for thing in begun]
        some = _Some([(i, thing) for i, thing in found if thing is not None])
        some.picked = op.picked if by_place else -1
        if op.receipt:
            self.heard[rank].setdefault(op.receipt, []).append(some)
        return some

    def _messages_of(self, rank: int, op: Op) -> list[_Message]:
        """The messages that were begun with the requests of an operation."""
        found = [self.requests.get((rank, n)) for n in op.waits]
        return [m for m in found if isinstance(m, _Message)]

    def _part(self, rank: int, op: Op) -> list[Any]:
        messages = self._messages_of(rank, op)
        if op.kind == "arrived":
            return [_Arrival(m, op.which) for m in messages]
        for message in messages:
            message.ready |= op.which or set(range(message.op.parts))
        return []

    # -- collectives ------------------------------------------------------------------------------

    def name_of(self, comm: Value | None) -> str:
        return comm.id if comm is not None else ""

    def members_of(self, comm: Value | None) -> tuple[int, ...]:
        if isinstance(comm, Comm) and comm.members is not None:
            return comm.members
        if isinstance(comm, Comm) and comm.asked is not None:
            name = comm.id
            if name not in self.members:
                self.members[name] = tuple(
                    r
                    for r in range(self.size)
                    if any(o.comm is not None and o.comm.id == name for o in self.rows[r])
                )
            return self.members[name]
        return tuple(range(self.size))

    def _collective(self, rank: int, op: Op) -> Any:
        members = self.members_of(op.comm)
        if op.frees and self.locks.has(rank, self.name_of(op.comm)) and self.outcome is None:
            why = "frees a window of which it still has a lock"
            self.outcome = Outcome("refused", {}, (rank, rank), (op, op), why)
        if rank not in members:
            return self._not_there(rank, op)
        name = self.name_of(op.comm)
        slots = self.slots.setdefault(name, [])
        place = self.place.get((name, rank), 0)
        self.place[name, rank] = place + 1
        while len(slots) <= place:
            slots.append(_Slot(ops={}))
        slot = slots[place]
        clash = next((o for o in self.beside[rank] if self.name_of(o.comm) == name), None)
        if clash is not None and len(members) > 1 and self.outcome is None:
            self.outcome = Outcome("beside", {}, (rank, rank), (op, clash))
        if self.outcome is None:
            found = agreement.checked(slot.ops, rank, op, members, self.size)
            if found is not None:
                self.outcome = self._told(name, place, found)
        slot.ops[rank] = op
        return slot, members

    def _told(self, name: str, place: int, found: Unfit) -> Outcome:
        """That two ranks do not fit: best the first one, and who does something else there."""
        if found.what == "operation":
            rows = [
                [o for o in row if o.kind == "collective" and self.name_of(o.comm) == name][place:]
                for row in self.rows
            ]
            members = self.members_of(found.ops[0].comm)
            there = [r for r, row in enumerate(rows) if row and r in members]
            first = there[0] if there else 0
            for other in there[1:]:
                mine, theirs = rows[first][0], rows[other][0]
                if mine.name != theirs.name:
                    return Outcome("differs", {}, (first, other), (mine, theirs), found.what)
        return Outcome(found.kind, {}, found.ranks, found.ops, found.what)

    def _not_there(self, rank: int, op: Op) -> None:
        """A rank calls on a communicator that it is not in: it is refused, or nothing happens."""
        if op.refuses and self.outcome is None:
            self.outcome = Outcome("nobody", {}, (rank, rank), (op, op))

    # -- messages ---------------------------------------------------------------------------------

    def _message(self, rank: int, op: Op) -> Any:
        members = self.members_of(op.comm)
        if rank not in members and op.refuses:
            return self._not_there(rank, op)
        peer = peer_of(op.peer)
        if peer == NOBODY:
            return None
        target: int | None = None
        if isinstance(op.comm, Comm) and op.comm.side is not None:
            members = tuple(m for m in members if m not in op.comm.side)
            if not members:
                return None  # the other side is of another job
        if isinstance(peer, int):
            if op.absolute:
                target = peer
                inside = target in members
            else:
                inside = 0 <= peer < len(members)
                target = members[peer] if inside else -1
            if not inside:
                # A rank of the job that is none of the group is no matter of the job's size.
                kind = "stranger" if op.absolute and 0 <= peer < self.size else "outside"
                self.outcome = Outcome(kind, {}, (rank, rank), (op, op), str(peer))
                return None
        name = self.name_of(op.comm)
        tag = _tag(op.tag)
        if op.kind == "send":
            found = _Message(op, rank, target, tag, rank)
            for wanted in self.recvs.setdefault((name, target), []):
                if not wanted.matched and _fits(found, wanted):
                    if wanted.op.kind != "probe":
                        found.matched = True
                    wanted.matched, wanted.by = True, found
                    if found.matched:
                        self._carry(found, wanted)
                        break
            if not found.matched:
                self.sends.setdefault((name, target), []).append(found)
            return found
        wanted = _Message(op, target, rank, tag, rank)
        if op.receipt:
            self.heard[rank].setdefault(op.receipt, []).append(wanted)
        for message in self.sends.setdefault((name, rank), []):
            if not message.matched and _fits(message, wanted):
                wanted.matched, wanted.by = True, message
                if op.kind != "probe":
                    message.matched = True
                    self._carry(message, wanted)
                break
        if not wanted.matched:
            self.recvs.setdefault((name, rank), []).append(wanted)
        return wanted

    def _carry(self, message: _Message, wanted: _Message) -> None:
        """Whether what is sent is what is received."""
        why = elements.unfit(message.op, wanted.op)
        if why and self.outcome is None:
            pair = message.rank, wanted.rank
            self.outcome = Outcome("differs", {}, pair, (message.op, wanted.op), why)

    def messages(self, rank: int) -> Heard:
        """What a rank has received, by the names of the receives."""
        return {
            name: [self._message_of(wanted) for wanted in each]
            for name, each in self.heard[rank].items()
        }

    def _message_of(self, wanted: _Message | _Some) -> Message | None:
        if isinstance(wanted, _Some):
            if wanted.index is None:
                return None
            got = self._message_of(wanted.ended) if isinstance(wanted.ended, _Message) else None
            index = wanted.index if wanted.index != -1 else None
            return msgspec.structs.replace(got or Message(-1), index=index)
        message = wanted.by
        if message is None or not isinstance(message.source, int):
            return None
        members, op = self.members_of(wanted.op.comm), message.op
        inside = message.source in members and not wanted.op.absolute
        source = members.index(message.source) if inside else message.source
        return Message(source, op.tag, op.data, op.count)

    # -- what is left -----------------------------------------------------------------------------

    def _left_over(self) -> Outcome:
        for slots in self.slots.values():
            for slot in slots:
                first = next(iter(slot.ops.items()), None)
                if first is None:
                    continue
                members = self.members_of(first[1].comm)
                missing = [m for m in members if m not in slot.ops]
                if missing:
                    return Outcome("unmatched", {}, (first[0], missing[0]), (first[1], None))
        for rows in (self.sends, self.recvs):
            for messages in rows.values():
                for message in messages:
                    if not message.matched:
                        other = message.target if message.op.kind == "send" else message.source
                        pair = (message.rank, other if isinstance(other, int) else message.rank)
                        return Outcome("unmatched", {}, pair, (message.op, None))
        return Outcome("done")


def peer_of(value: Value | None) -> int | str | None:
    if isinstance(value, Const) and value.value in (NOBODY, ANY):
        return str(value.value)
    return number(value)


def _tag(value: Value | None) -> Any:
    if value is None:
        return 0
    if isinstance(value, Const):
        return value.value
    return ANY


def _fits(message: _Message, wanted: _Message) -> bool:
    if isinstance(wanted.source, int) and wanted.source != message.source:
        return False
    return ANY in (wanted.tag, message.tag) or wanted.tag == message.tag


def play(rows: list[Row], strict: bool = False) -> Outcome:
    """How a job ends in which each rank issues its row.

    Where ranks take locks of windows, or receive from whoever comes first, it may end in several
    ways: it is played once for each rank that moves first, until one of these ends badly.
    """
    outcome = Play(rows, strict).run()
    ops = [op for row in rows for op in row.ops]
    locks = any(op.kind == "lock" for op in ops)
    # What a message says has been followed in one play only, so that rows of it hold in no other.
    first_come = not any(row.talked for row in rows) and any(
        op.kind in ("recv", "probe") and peer_of(op.peer) == ANY for op in ops
    )
    if outcome.kind != "done" or not (locks or first_come):
        return outcome
    for first in range(len(rows)):
        for share in (False, True) if locks else (False,):
            other = Play(rows, strict, first, share).run()
            if other.kind != "done":
                return other
    return outcome
